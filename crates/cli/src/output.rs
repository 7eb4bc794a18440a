//! Where an answer goes: standard output, or a file that appears when it is whole.
//!
//! A file is written under a temporary name beside its place and then renamed. If a limit
//! was hit, what is known goes to `FILE.partial` and FILE is left as it was. Only what is no
//! ordinary file (a device, a pipe) is written to directly.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pessoi::Error;
use tempfile::NamedTempFile;

use crate::args::reason;

/// A place to write to. Dropped before it is finished, it leaves no file behind.
pub(crate) struct Output {
    to: To,
    /// False once a reader has gone away; nothing more is wanted then.
    open: bool,
    /// Whether nothing was written yet.
    empty: bool,
}

enum To {
    Screen(BufWriter<Box<dyn Write>>),
    Device(BufWriter<File>),
    File { draft: BufWriter<NamedTempFile>, path: PathBuf },
}

/// The draft being written, for whoever ends the program before its time.
static DRAFT: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes an unfinished draft.
pub(crate) fn remove_draft() {
    if let Some(path) = DRAFT.lock().ok().and_then(|mut draft| draft.take()) {
        // It may be gone already.
        let _ = std::fs::remove_file(path);
    }
}

impl Output {
    /// Standard output, or a draft beside `path`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Error> {
        let Some(path) = path else {
            let screen = BufWriter::new(Box::new(anstream::stdout()) as Box<dyn Write>);
            return Ok(Output { to: To::Screen(screen), open: true, empty: true });
        };
        let unwritable = |why: String| unwritable(path, &why);
        // Through links, to what is really meant.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let to = match std::fs::metadata(&path) {
            Ok(there) if there.is_dir() => return Err(unwritable("it is a folder".into())),
            Ok(there) if !there.is_file() => {
                let device = OpenOptions::new().write(true).open(&path);
                To::Device(BufWriter::new(device.map_err(|e| unwritable(reason(&e)))?))
            }
            _ => {
                let folder = match path.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                let draft = NamedTempFile::new_in(folder).map_err(|e| unwritable(reason(&e)))?;
                if let Ok(mut known) = DRAFT.lock() {
                    *known = Some(draft.path().to_owned());
                }
                To::File { draft: BufWriter::new(draft), path }
            }
        };
        Ok(Output { to, open: true, empty: true })
    }

    /// Whether anyone still reads.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether nothing was written yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.empty
    }

    /// Writes text, in colour on a terminal only. A reader that has gone away (`| head`)
    /// is no error.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Error> {
        self.empty &= text.is_empty();
        let plain = || anstream::adapter::strip_str(text).to_string();
        let written = match &mut self.to {
            To::Screen(screen) => screen.write_all(text.as_bytes()),
            To::Device(device) => device.write_all(plain().as_bytes()),
            To::File { draft, .. } => draft.write_all(plain().as_bytes()),
        };
        self.judge(written)
    }

    /// Writes bytes as they are.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.empty &= bytes.is_empty();
        let written = match &mut self.to {
            // The screen would take some bytes for colours and leave them out.
            To::Screen(screen) => {
                screen.flush().and_then(|()| std::io::stdout().lock().write_all(bytes))
            }
            To::Device(device) => device.write_all(bytes),
            To::File { draft, .. } => draft.write_all(bytes),
        };
        self.judge(written)
    }

    /// Brings what was written before the reader.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        let flushed = match &mut self.to {
            To::Screen(screen) => screen.flush(),
            To::Device(device) => device.flush(),
            To::File { draft, .. } => draft.flush(),
        };
        self.judge(flushed)
    }

    fn judge(&mut self, result: std::io::Result<()>) -> Result<(), Error> {
        match result {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.open = false;
                Ok(())
            }
            Err(error) => {
                Err(Error::input(format!("The answer cannot be written: {}.", reason(&error))))
            }
        }
    }

    /// Makes the file appear under its name, or under that of a part if it is not whole.
    /// Says where, if that is not where it was asked for.
    pub(crate) fn finish(mut self, whole: bool) -> Result<Option<PathBuf>, Error> {
        self.flush()?;
        let To::File { draft, path } = self.to else { return Ok(None) };
        let place = if whole { path.clone() } else { with_partial(&path) };
        let unwritable = |why: String| unwritable(&place, &why);
        let draft = draft.into_inner().map_err(|e| unwritable(reason(e.error())))?;
        keep_mode(&draft, &place).map_err(|e| unwritable(reason(&e)))?;
        draft.persist(&place).map_err(|e| unwritable(reason(&e.error)))?;
        Ok((!whole).then_some(place))
    }
}

fn with_partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

fn unwritable(path: &Path, why: &str) -> Error {
    Error::input(format!("The file {:?} cannot be written: {why}.", path.display().to_string()))
}

/// Drafts are made for their owner only. A finished file gets the rights of the one it
/// replaces, or those of any other file.
#[cfg(unix)]
fn keep_mode(draft: &NamedTempFile, place: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let before = std::fs::metadata(place).map(|there| there.permissions());
    let rights = before.unwrap_or_else(|_| std::fs::Permissions::from_mode(0o644));
    draft.as_file().set_permissions(rights)
}

#[cfg(not(unix))]
fn keep_mode(_: &NamedTempFile, _: &Path) -> std::io::Result<()> {
    Ok(())
}
