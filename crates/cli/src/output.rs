//! Where an answer goes: standard output, or a file that appears when it is whole.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use pessoi::Error;
use tempfile::NamedTempFile;

use crate::args::reason;

/// A place to write to. Dropped before it is finished, it leaves no file behind.
pub(crate) struct Output {
    to: To,
    /// False once a reader has gone away; nothing more is wanted then.
    open: bool,
}

enum To {
    Screen(BufWriter<Box<dyn Write>>),
    File { draft: BufWriter<NamedTempFile>, path: PathBuf },
}

impl Output {
    /// Standard output, or a draft beside `path`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Error> {
        let to = match path {
            None => To::Screen(BufWriter::new(Box::new(anstream::stdout()))),
            Some(path) => {
                let unwritable = |why: String| unwritable(path, &why);
                if path.is_dir() {
                    return Err(unwritable("it is a folder".into()));
                }
                let folder = match path.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                let draft = NamedTempFile::new_in(folder).map_err(|e| unwritable(reason(&e)))?;
                To::File { draft: BufWriter::new(draft), path: path.to_owned() }
            }
        };
        Ok(Output { to, open: true })
    }

    /// Whether anyone still reads.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Writes text. A reader that has gone away (`| head`) is no error.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Error> {
        let written = match &mut self.to {
            To::Screen(screen) => screen.write_all(text.as_bytes()),
            To::File { draft, .. } => draft.write_all(text.as_bytes()),
        };
        self.judge(written)
    }

    /// Brings what was written before the reader.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        let flushed = match &mut self.to {
            To::Screen(screen) => screen.flush(),
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

    /// Makes the file appear under its name.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.flush()?;
        if let To::File { draft, path } = self.to {
            let unwritable = |why: String| unwritable(&path, &why);
            let draft = draft.into_inner().map_err(|e| unwritable(reason(e.error())))?;
            make_readable(&draft).map_err(|e| unwritable(reason(&e)))?;
            draft.persist(&path).map_err(|e| unwritable(reason(&e.error)))?;
        }
        Ok(())
    }
}

fn unwritable(path: &Path, why: &str) -> Error {
    Error::input(format!("The file {:?} cannot be written: {why}.", path.display().to_string()))
}

/// Drafts are made for their owner only; a finished file is like any other.
#[cfg(unix)]
fn make_readable(draft: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    draft.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}
