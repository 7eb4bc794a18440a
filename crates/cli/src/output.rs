//! Where an answer goes: standard output, or a file that appears when it is whole.
//!
//! A file is written under a temporary name beside its place and then renamed. If a limit
//! was reached, what is known goes to `FILE.partial` and FILE is left as it was. Only what is
//! no ordinary file (a device, a pipe) is written to directly.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pessoi::{Error, Style};
use tempfile::NamedTempFile;

use crate::files::reason;

/// A place to write to. Dropped before it is finished, it leaves no file behind.
pub(crate) enum Output {
    Screen(BufWriter<Stdout>),
    Device(BufWriter<File>),
    File { draft: BufWriter<NamedTempFile>, path: PathBuf },
}

/// The draft being written, for a signal that ends the program at once.
static DRAFT: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes an unfinished draft.
pub(crate) fn remove_draft() {
    if let Some(path) = DRAFT.lock().ok().and_then(|mut draft| draft.take()) {
        // It may be gone already.
        let _ = std::fs::remove_file(path);
    }
}

/// Colours on a terminal, unless the user does not want any.
pub(crate) fn style(path: Option<&Path>) -> Style {
    let is_screen = path.is_none_or(|path| path == Path::new("-"));
    let colour = is_screen
        && std::io::stdout().is_terminal()
        && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    Style { colour, ..Style::default() }
}

impl Output {
    /// Standard output (also for `-`), or a draft beside `path`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Error> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output::Screen(BufWriter::new(std::io::stdout())));
        };
        let unwritable = |why: String| unwritable(path, &why);
        // Through links, to what is really meant.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(match std::fs::metadata(&path) {
            Ok(there) if there.is_dir() => return Err(unwritable("it is a folder".into())),
            Ok(there) if !there.is_file() => {
                let device = OpenOptions::new().write(true).open(&path);
                Output::Device(BufWriter::new(device.map_err(|e| unwritable(reason(&e)))?))
            }
            _ => {
                let folder = match path.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                let draft = draft(folder).map_err(|e| unwritable(reason(&e)))?;
                if let Ok(mut known) = DRAFT.lock() {
                    *known = Some(draft.path().to_owned());
                }
                Output::File { draft: BufWriter::new(draft), path }
            }
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Output::Screen(screen) => screen,
            Output::Device(device) => device,
            Output::File { draft, .. } => draft,
        }
    }

    /// Makes the file appear under its name, or under that of a part if it is not whole.
    /// Says where, if that is not where it was asked for.
    pub(crate) fn finish(mut self, whole: bool) -> Result<Option<PathBuf>, Error> {
        match self.writer().flush() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(Error::io(format!(
                    "The answer cannot be written: {}.",
                    reason(&error)
                )));
            }
            _ => {}
        }
        let Output::File { draft, path } = self else { return Ok(None) };
        let place = if whole { path.clone() } else { with_partial(&path) };
        let unwritable = |why: String| unwritable(&place, &why);
        let draft = draft.into_inner().map_err(|e| unwritable(reason(e.error())))?;
        // A file that is replaced keeps its rights.
        if let Ok(before) = std::fs::metadata(&place) {
            let kept = draft.as_file().set_permissions(before.permissions());
            kept.map_err(|e| unwritable(reason(&e)))?;
        }
        draft.persist(&place).map_err(|e| unwritable(reason(&e.error)))?;
        Ok((!whole).then_some(place))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.writer().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.writer().write_all(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer().flush()
    }
}

/// A draft with the rights of any new file: the system takes away what the umask says.
fn draft(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.prefix(".pessoi").tempfile_in(folder)
}

fn with_partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

fn unwritable(path: &Path, why: &str) -> Error {
    Error::io(format!("The file {:?} cannot be written: {why}.", path.display().to_string()))
}
