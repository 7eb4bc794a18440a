//! Files that appear when they are whole, and where a job saves itself.
//!
//! A **draft** is a file on its way: it is written under a hidden name beside its place,
//! forced to disk, and then renamed. So a crash, a kill, a full disk or a power cut leaves at
//! the place what was there before, all of it.
//!
//! A **store** is one file that a job replaces again and again, each time by a draft. A store
//! is *held*: while a run has it open, another run that opens it is refused, so that two runs
//! never write over each other's work. A store belongs to a run
//! ([`crate::run::Run::with_store`]): the caller decides where a job may write, never the
//! question.
//!
//! Drafts (`.NAME.draft`) and stores (`.NAME.lock`) are locked by the operating system, which
//! lets go of a lock when its process ends, however it ends. What a killed run leaves behind
//! therefore never stands in the way: the next one that writes to the same place removes it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long most jobs go on between saves.
pub const PAUSE: Duration = Duration::from_mins(2);
/// As many may write drafts for one place at one time.
const MOST_DRAFTS: usize = 100;

/// A file on its way. Dropped before it is finished, it leaves nothing behind.
#[derive(Debug)]
pub struct Draft {
    file: Option<File>,
    path: PathBuf,
}

impl Draft {
    /// A draft for the file at `place`, which need not exist yet.
    pub fn beside(place: &Path) -> io::Result<Draft> {
        for number in 1..=MOST_DRAFTS {
            let ending = if number == 1 { "draft".into() } else { format!("draft-{number}") };
            let path = hidden(place, &ending)?;
            if let Some(file) = claim(&path)? {
                return Ok(Draft { file: Some(file), path });
            }
        }
        Err(io::Error::new(ErrorKind::ResourceBusy, "too many runs are writing it"))
    }

    /// Where it is until it is finished.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to read what was written. It is an error after the draft was finished.
    pub fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the draft is finished"))
    }

    /// Puts the draft at `place`, whole and on disk; a file that was there is replaced, and its
    /// permissions are kept. After an error the draft is still there.
    pub fn finish(&mut self, place: &Path) -> io::Result<()> {
        let file = self.file()?;
        if let Ok(before) = fs::metadata(place) {
            file.set_permissions(before.permissions())?;
        }
        sync(file)?;
        fs::rename(&self.path, place)?;
        // What it is called now is no longer ours to remove.
        self.file = None;
        // The new name goes to disk too, where folders can be opened.
        match File::open(folder(place)) {
            Ok(folder) if cfg!(unix) => sync(&folder),
            _ => Ok(()),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.file.is_some() {
            // While it is still locked, so that it is ours that is removed. It may be gone.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A file that is replaced as a whole, by one run at a time.
#[derive(Debug)]
pub struct Store {
    /// As it was named.
    path: PathBuf,
    /// What that leads to.
    place: PathBuf,
    /// What it is called, if that is not its path.
    name: Option<String>,
    most: Option<u64>,
    pause: Option<Duration>,
    _lock: Lock,
}

impl Store {
    /// Opens the store at `path`, which need not exist yet. It is an error of the kind
    /// [`ErrorKind::ResourceBusy`] if another run has it open, and an error if nothing could be
    /// saved there, as far as can be known without doing it: a job that will save only after
    /// hours is refused at once.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        if path.is_dir() {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        // Two names of one file are one store.
        let place = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let lock = hidden(&place, "lock")?;
        let Some(file) = claim(&lock)? else {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "another run is using it"));
        };
        let lock = Lock { path: lock, _file: file };
        // Also removes the draft that a killed run may have left.
        drop(Draft::beside(&place)?);
        Ok(Store { path, place, name: None, most: None, pause: None, _lock: lock })
    }

    /// The same store, where a save of more than `bytes` fails.
    #[must_use]
    pub fn within(mut self, bytes: u64) -> Self {
        self.most = Some(bytes);
        self
    }

    /// The same store, for a job that is to save itself about so often.
    #[must_use]
    pub fn every(mut self, pause: Duration) -> Self {
        self.pause = Some(pause);
        self
    }

    /// The same store, of a caller who keeps it from whoever asked: it is called `name` where
    /// something is wrong with it, and not by its path.
    #[must_use]
    pub fn private(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Whether whoever asked does not know of it.
    pub fn is_private(&self) -> bool {
        self.name.is_some()
    }

    /// What it is called where something is wrong with it.
    pub fn shown(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.path.display().to_string())
    }

    /// How long a job is to go on between saves; what the job thinks best, if the caller has
    /// not said so.
    pub fn pause(&self, best: Duration) -> Duration {
        self.pause.unwrap_or(best)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was saved last; `None` if nothing was.
    pub fn load(&self) -> io::Result<Option<Vec<u8>>> {
        if_there(fs::read(&self.place))
    }

    /// What was saved last, to be read piece by piece; `None` if nothing was.
    pub fn reader(&self) -> io::Result<Option<File>> {
        if_there(File::open(&self.place))
    }

    /// Replaces what was saved; the file keeps its permissions. After an error the last save
    /// is still there.
    pub fn save(&self, bytes: &[u8]) -> io::Result<()> {
        self.save_with(|out| out.write_all(bytes))
    }

    /// Replaces what was saved by what `write` writes, for what is too large to be held in
    /// memory twice. After an error, also one of `write`, the last save is still there.
    pub fn save_with(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let draft = Draft::beside(&self.place)?;
        let mut out = BufWriter::new(Within { out: draft, left: self.most.unwrap_or(u64::MAX) });
        let written = write(&mut out).and_then(|()| out.flush());
        // If it failed, what is buffered must not be tried again.
        let (Within { out: mut draft, .. }, _) = out.into_parts();
        written?;
        draft.finish(&self.place)
    }

    /// Removes what was saved, if anything was.
    pub fn remove(&self) -> io::Result<()> {
        if_there(fs::remove_file(&self.place)).map(|_| ())
    }
}

/// A locked file, removed when it is dropped.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    /// Closed after the file is removed: whoever opened it before sees that it is gone.
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If it stays, it is not locked and stands in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes no more than so many bytes.
struct Within {
    out: Draft,
    left: u64,
}

impl Write for Within {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        if fits == 0 && !bytes.is_empty() {
            return Err(io::Error::new(ErrorKind::QuotaExceeded, "it would become too large"));
        }
        let written = self.out.write(&bytes[..fits])?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Creates and locks a file; `None` if someone who is alive has it. One that was left behind is
/// removed first. Nothing is ever written to a file that another created.
fn claim(path: &Path) -> io::Result<Option<File>> {
    loop {
        match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
            Ok(file) => match file.try_lock() {
                Ok(()) if is_at(&file, path) => return Ok(Some(file)),
                // There are no locks here: that nobody else created it must do.
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                    return Ok(Some(file));
                }
                Err(TryLockError::Error(error)) => return Err(error),
                // In this moment somebody took it for one that was left behind.
                _ => {}
            },
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if !remove_if_left(path) {
                    return Ok(None);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Removes a file that nobody has locked; says whether it is gone.
fn remove_if_left(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) if !there.is_file() => return false,
        Err(error) => return error.kind() == ErrorKind::NotFound,
        Ok(_) => {}
    }
    match File::open(path) {
        Err(error) => error.kind() == ErrorKind::NotFound,
        Ok(file) => match file.try_lock() {
            // What is at its path now may be another's.
            Ok(()) => !is_at(&file, path) || fs::remove_file(path).is_ok(),
            Err(_) => false,
        },
    }
}

/// Whether an open file is still the one at this path.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let (Ok(open), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else {
            return false;
        };
        (open.dev(), open.ino()) == (there.dev(), there.ino())
    }
    #[cfg(not(unix))]
    {
        // A file that is open cannot be replaced here.
        let _ = file;
        path.exists()
    }
}

/// Forces a file or folder to disk, where that can be done.
fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if !matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// What a file holds or came to; `None` if there is none.
fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The folder of a file.
fn folder(place: &Path) -> &Path {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A hidden name in the same folder, so that renaming never copies.
fn hidden(place: &Path, ending: &str) -> io::Result<PathBuf> {
    let name = place.file_name().ok_or_else(|| {
        io::Error::new(ErrorKind::InvalidInput, "the path does not end in the name of a file")
    })?;
    let mut hidden = OsString::from(".");
    if name.len() <= 200 {
        hidden.push(name);
    } else {
        // Names have up to 255 bytes, and this one must be longer.
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        hidden.push(format!("{:016x}", hasher.finish()));
    }
    hidden.push(format!(".{ending}"));
    Ok(place.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new empty folder, removed when dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("store-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        /// The names of all files, sorted.
        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_was_saved_is_loaded_until_it_is_removed() {
        let folder = Folder::new("saved");
        let store = Store::open(folder.0.join("job")).unwrap();
        assert_eq!(store.load().unwrap(), None);
        assert_eq!(folder.names(), [".job.lock"]);
        for bytes in [&b"one"[..], b"", b"three"] {
            store.save(bytes).unwrap();
            assert_eq!(store.load().unwrap().as_deref(), Some(bytes));
        }
        assert_eq!(folder.names(), [".job.lock", "job"], "no draft is left");
        store.remove().unwrap();
        store.remove().unwrap();
        assert_eq!(store.load().unwrap(), None);
        drop(store);
        assert!(folder.names().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("permissions");
        let store = Store::open(folder.0.join("job")).unwrap();
        store.save(b"one").unwrap();
        fs::set_permissions(store.path(), fs::Permissions::from_mode(0o640)).unwrap();
        store.save(b"two").unwrap();
        let after = fs::metadata(store.path()).unwrap().permissions();
        assert_eq!(after.mode() & 0o777, 0o640);
    }

    #[test]
    fn a_save_that_fails_half_way_leaves_the_last_one() {
        let folder = Folder::new("half-way");
        let store = Store::open(folder.0.join("job")).unwrap();
        assert!(store.reader().unwrap().is_none());
        let pieces = |out: &mut dyn Write| (0..=255u8).try_for_each(|k| out.write_all(&[k; 100]));
        store.save_with(pieces).unwrap();
        let mut read = Vec::new();
        io::Read::read_to_end(&mut store.reader().unwrap().unwrap(), &mut read).unwrap();
        assert_eq!(read.len(), 25_600);
        let failed = store.save_with(|out| {
            pieces(out)?;
            Err(io::Error::other("enough"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        assert_eq!(store.load().unwrap(), Some(read));
        assert_eq!(folder.names(), [".job.lock", "job"], "no draft is left");
    }

    #[test]
    fn a_private_store_is_not_named_by_its_path() {
        let folder = Folder::new("private");
        let store = Store::open(folder.0.join("job")).unwrap();
        assert_eq!(
            (store.shown(), store.is_private()),
            (store.path().display().to_string(), false)
        );
        let store = store.private("of a job");
        assert_eq!((store.shown().as_str(), store.is_private()), ("of a job", true));
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error_and_leaves_no_draft() {
        let folder = Folder::new("refused");
        for path in [folder.0.clone(), folder.0.join("missing/job"), PathBuf::from("/")] {
            assert!(Store::open(&path).is_err(), "{path:?}");
        }
        assert!(folder.names().is_empty());
    }

    /// A second run used to share the file, and the first died.
    #[test]
    fn a_store_is_held_by_one_run_at_a_time() {
        let folder = Folder::new("held");
        let path = folder.0.join("job");
        let first = Store::open(&path).unwrap();
        first.save(b"first").unwrap();
        let refused = Store::open(&path).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ResourceBusy);
        #[cfg(unix)]
        {
            // Whatever it is called.
            std::os::unix::fs::symlink(&path, folder.0.join("link")).unwrap();
            assert!(Store::open(folder.0.join("link")).is_err());
            fs::remove_file(folder.0.join("link")).unwrap();
        }
        first.save(b"unharmed").unwrap();
        drop(first);
        assert_eq!(Store::open(&path).unwrap().load().unwrap().unwrap(), b"unharmed");
        // Another file in the folder is another store.
        let [a, b] = ["a", "b"].map(|name| Store::open(folder.0.join(name)).unwrap());
        a.save(b"a").unwrap();
        b.save(b"b").unwrap();
    }

    /// Many at once: exactly one has it at any time.
    #[test]
    fn a_store_that_many_want_is_never_held_twice() {
        use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
        let folder = Folder::new("wanted");
        let path = folder.0.join("job");
        let (inside, held) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        match Store::open(&path) {
                            Ok(_store) => {
                                assert_eq!(inside.fetch_add(1, SeqCst), 0);
                                held.fetch_add(1, SeqCst);
                                assert_eq!(inside.fetch_sub(1, SeqCst), 1);
                            }
                            Err(error) => assert_eq!(error.kind(), ErrorKind::ResourceBusy),
                        }
                    }
                });
            }
        });
        assert!(held.into_inner() > 0);
        assert!(folder.names().is_empty());
    }

    /// A killed run leaves its lock, its draft, or both; none stands in the way, and none is
    /// taken for a save.
    #[test]
    fn what_a_killed_run_leaves_is_cleared_away() {
        let folder = Folder::new("left");
        let path = folder.0.join("job");
        Store::open(&path).unwrap().save(b"last").unwrap();
        for left in [&[".job.lock"][..], &[".job.draft"], &[".job.lock", ".job.draft"]] {
            for name in left {
                fs::write(folder.0.join(name), b"half of a sa").unwrap();
            }
            let store = Store::open(&path).unwrap();
            assert_eq!(store.load().unwrap().unwrap(), b"last", "{left:?}");
            assert_eq!(folder.names(), [".job.lock", "job"], "{left:?}");
        }
        assert_eq!(folder.names(), ["job"]);
    }

    #[test]
    fn drafts_for_one_place_do_not_meet() {
        let folder = Folder::new("drafts");
        let place = folder.0.join("file");
        let [mut one, mut two] = [1, 2].map(|_| Draft::beside(&place).unwrap());
        assert_eq!(folder.names(), [".file.draft", ".file.draft-2"]);
        one.write_all(b"one").unwrap();
        two.write_all(b"two").unwrap();
        one.finish(&place).unwrap();
        assert!(one.write_all(b"more").is_err(), "what is finished is not written to");
        assert_eq!(fs::read(&place).unwrap(), b"one");
        // The name is free again, and what has appeared is left alone.
        drop(Draft::beside(&place).unwrap());
        drop(one);
        two.finish(&place).unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"two");
        assert_eq!(folder.names(), ["file"]);
        // What cannot be put there is still there to be read.
        let mut draft = Draft::beside(&place).unwrap();
        assert!(draft.finish(&folder.0.join("missing/file")).is_err());
        assert!(draft.path().exists() && draft.file().is_ok());
        drop(draft);
        assert_eq!(folder.names(), ["file"]);
        // Names that are nearly too long have drafts too.
        let mut draft = Draft::beside(&folder.0.join("x".repeat(250))).unwrap();
        draft.finish(&folder.0.join("x".repeat(250))).unwrap();
    }

    /// In a folder that all may write to, somebody's link must not lead us astray.
    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_that_is_in_the_way() {
        let folder = Folder::new("link");
        let victim = folder.0.join("victim");
        fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, folder.0.join(".file.draft")).unwrap();
        let mut draft = Draft::beside(&folder.0.join("file")).unwrap();
        draft.write_all(b"new").unwrap();
        draft.finish(&folder.0.join("file")).unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read(folder.0.join("file")).unwrap(), b"new");
    }

    /// A disk that is full after any number of bytes.
    #[test]
    fn a_save_that_finds_no_room_leaves_the_last_one() {
        let folder = Folder::new("room");
        let path = folder.0.join("job");
        Store::open(&path).unwrap().save(b"last").unwrap();
        let bytes = [7u8; 300];
        for room in 0..300 {
            let store = Store::open(&path).unwrap().within(room);
            let pieces = |out: &mut dyn Write| bytes.chunks(7).try_for_each(|p| out.write_all(p));
            assert_eq!(store.save_with(pieces).unwrap_err().kind(), ErrorKind::QuotaExceeded);
            assert_eq!(store.load().unwrap().unwrap(), b"last", "{room}");
            assert_eq!(folder.names(), [".job.lock", "job"]);
        }
        let store = Store::open(&path).unwrap().within(300);
        store.save(&bytes).unwrap();
        assert_eq!(store.load().unwrap().unwrap(), bytes);
    }
}
