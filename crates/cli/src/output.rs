//! Where an answer goes: standard output, or a file that appears when it is whole.
//!
//! A file is written as a draft beside its place and then renamed. If a limit was reached,
//! what is known goes to `FILE.partial` and FILE is left as it was. Only what is no ordinary
//! file (a device, a pipe) is written to directly.
//!
//! An answer that was computed is not lost because it cannot be written: what was written last
//! is *kept* in memory, up to a size that nearly all answers stay below, and goes to standard
//! error or to a file in the system's temporary folder instead. Of longer ones what did find
//! room becomes `FILE.partial`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Seek, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pessoi::error::reason;
use pessoi::{Draft, Error, Style, limits};

/// The longest answer that is kept.
const MOST_KEPT: usize = 1 << 20;

/// A place to write to. Dropped before it is finished, it leaves no file behind.
pub(crate) struct Output {
    to: To,
    /// All that was written, unless it was too long.
    kept: Option<Vec<u8>>,
    /// Why it cannot be written, as soon as that is known.
    failed: Option<String>,
}

enum To {
    Screen(BufWriter<Stdout>),
    Device(BufWriter<File>, PathBuf),
    File { draft: BufWriter<Draft>, path: PathBuf, _known: Known },
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

/// While this lives, a signal removes the draft; later its name may be another's.
struct Known;

impl Known {
    fn new(draft: &Draft) -> Self {
        if let Ok(mut known) = DRAFT.lock() {
            *known = Some(draft.path().to_owned());
        }
        Known
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        if let Ok(mut known) = DRAFT.lock() {
            *known = None;
        }
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
        let to = match path.filter(|path| *path != Path::new("-")) {
            None => To::Screen(BufWriter::new(std::io::stdout())),
            Some(path) => {
                To::file(path).map_err(|e| Error::io(format!("{}.", unwritable(path, &e))))?
            }
        };
        Ok(Output { to, kept: Some(Vec::new()), failed: None })
    }

    /// Writes a text and finishes.
    pub(crate) fn put(mut self, text: &str) -> Result<(), Error> {
        let written = self.writer().write_all(text.as_bytes());
        self.kept = Some(text.as_bytes().to_owned());
        if let Err(error) = written.and_then(|()| self.writer().flush()) {
            self.fails(&error);
        }
        self.finish(true).map(|_| ())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.to {
            To::Screen(screen) => screen,
            To::Device(device, _) => device,
            To::File { draft, .. } => draft,
        }
    }

    /// Records why nothing more can be written. A reader that has gone away is no failure.
    fn fails(&mut self, error: &io::Error) {
        if error.kind() == ErrorKind::BrokenPipe {
            return;
        }
        self.failed = Some(match &self.to {
            To::Screen(_) => {
                format!("The answer cannot be written to standard output: {}", reason(error))
            }
            To::Device(_, path) | To::File { path, .. } => unwritable(path, error),
        });
    }

    /// Makes the file appear under its name, or under that of a part if it is not whole.
    /// Says where, if that is not where it was asked for. An error says where the answer is
    /// instead.
    pub(crate) fn finish(mut self, whole: bool) -> Result<Option<PathBuf>, Error> {
        if self.failed.is_none()
            && let Err(error) = self.writer().flush()
        {
            self.fails(&error);
        }
        let mut place = None;
        if self.failed.is_none()
            && let To::File { draft, path, .. } = &mut self.to
        {
            let part = limits::partial(path);
            let to = if whole { path.as_path() } else { &part };
            match draft.get_mut().finish(to) {
                Ok(()) => place = (!whole).then_some(part),
                Err(error) => self.failed = Some(unwritable(to, &error)),
            }
        }
        match self.failed.take() {
            None => Ok(place),
            Some(why) => Err(self.rescue(&why)),
        }
    }

    /// Ends without an answer. If that is because it could not be written, what there is of it
    /// is put elsewhere.
    pub(crate) fn abandon(mut self, error: Error) -> Error {
        match self.failed.take() {
            None => error,
            Some(why) => self.rescue(&why),
        }
    }

    /// Puts the answer where it can be found, and says so.
    fn rescue(self, why: &str) -> Error {
        let Output { mut to, kept, .. } = self;
        let saved = match kept {
            Some(kept) => shown(&kept).or_else(|| elsewhere(&mut kept.as_slice())),
            None => to.left(),
        };
        let saved = saved.unwrap_or_else(|| "Nothing of it could be saved".into());
        Error::io(format!("{why}. {saved}."))
    }
}

impl To {
    fn file(path: &Path) -> io::Result<To> {
        // Through links, to what is really meant.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(match std::fs::metadata(&path) {
            Ok(there) if there.is_dir() => {
                return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
            }
            Ok(there) if !there.is_file() => {
                let device = OpenOptions::new().write(true).open(&path)?;
                To::Device(BufWriter::new(device), path)
            }
            _ => {
                let draft = Draft::beside(&path)?;
                let known = Known::new(&draft);
                To::File { draft: BufWriter::new(draft), path, _known: known }
            }
        })
    }

    /// Saves what is left of an answer that was too long to be kept; says where.
    fn left(&mut self) -> Option<String> {
        let To::File { draft, path, .. } = self else {
            return Some("Only what came before was written".into());
        };
        let part = limits::partial(path);
        let draft = draft.get_mut();
        if draft.finish(&part).is_ok() {
            return Some(format!(
                "What could be written is in {:?}; its end may be cut off",
                part.display().to_string()
            ));
        }
        let file = draft.file().ok()?;
        file.rewind().ok()?;
        elsewhere(file)
    }
}

/// Prints an answer to standard error, if it is text.
fn shown(bytes: &[u8]) -> Option<String> {
    if bytes.is_empty() || std::str::from_utf8(bytes).is_err() {
        return None;
    }
    let mut screen = std::io::stderr().lock();
    screen.write_all(bytes).and_then(|()| screen.flush()).ok()?;
    Some("The answer is printed above".into())
}

/// Copies an answer to a file in the temporary folder; says which.
fn elsewhere(bytes: &mut dyn io::Read) -> Option<String> {
    let place = std::env::temp_dir().join(format!("pessoi-answer-{}", std::process::id()));
    let mut draft = Draft::beside(&place).ok()?;
    io::copy(bytes, &mut draft).ok()?;
    draft.finish(&place).ok()?;
    Some(format!("The answer is in {:?}", place.display().to_string()))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    /// After a failure all goes well as long as everything is kept: the answer is written to
    /// its end, and rescued then.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fits = self.kept.as_ref().is_some_and(|kept| kept.len() + bytes.len() <= MOST_KEPT);
        match &mut self.kept {
            Some(kept) if fits => kept.extend_from_slice(bytes),
            // What is kept already is all there is.
            Some(_) if self.failed.is_some() => {}
            kept => *kept = None,
        }
        if self.failed.is_none() {
            match self.writer().write_all(bytes) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(error),
                Err(error) => self.fails(&error),
            }
        }
        match &self.failed {
            Some(why) if !fits => Err(io::Error::other(why.clone())),
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_none()
            && let Err(error) = self.writer().flush()
        {
            if error.kind() == ErrorKind::BrokenPipe {
                return Err(error);
            }
            self.fails(&error);
        }
        Ok(())
    }
}

fn unwritable(path: &Path, why: &io::Error) -> String {
    format!("The file {:?} cannot be written: {}", path.display().to_string(), reason(why))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The folder is removed while the work goes on.
    #[test]
    fn an_answer_whose_folder_is_gone_is_not_lost() {
        for length in [7, 3 << 20] {
            let folder = tempfile::tempdir().unwrap();
            let mut output = Output::open(Some(&folder.path().join("answer"))).unwrap();
            let answer = "answer\n".repeat(length / 7);
            for piece in answer.as_bytes().chunks(100_000) {
                output.write_all(piece).unwrap();
            }
            std::fs::remove_dir_all(folder.path()).unwrap();
            let said = output.finish(true).unwrap_err().to_string();
            assert!(said.contains("cannot be written: there is no such file or folder"), "{said}");
            if length == 7 {
                assert!(said.ends_with("The answer is printed above."), "{said}");
            } else {
                let (_, place) = said.split_once("The answer is in \"").unwrap();
                let place = place.trim_end_matches(['.', '"']);
                assert!(std::fs::read_to_string(place).unwrap() == answer, "{said}");
                std::fs::remove_file(place).unwrap();
            }
        }
    }
}
