//! Where a job saves itself.
//!
//! A **store** is one file. What is saved replaces what was there, all of it or nothing:
//! the new bytes are written to a *draft* beside the file, forced to disk, and then the
//! draft is renamed. So a crash, a full disk or a power cut leaves the last complete save.
//!
//! A store belongs to a run ([`crate::run::Run::with_store`]): the caller decides where a
//! job may write, never the question.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file that is replaced as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// The store at `path`, which need not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Store { path: path.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was saved last; `None` if nothing was.
    pub fn load(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What was saved last, to be read piece by piece; `None` if nothing was.
    pub fn open(&self) -> io::Result<Option<File>> {
        match File::open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
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
        let draft = self.draft()?;
        let written = File::create(&draft)
            .and_then(|file| {
                if let Ok(before) = fs::metadata(&self.path) {
                    file.set_permissions(before.permissions())?;
                }
                let mut file = BufWriter::new(file);
                write(&mut file)?;
                file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
            })
            .and_then(|()| fs::rename(&draft, &self.path));
        if written.is_err() {
            // It may not be there, and the first error is the one to report.
            let _ = fs::remove_file(&draft);
        }
        written?;
        self.sync_folder()
    }

    /// Removes what was saved, if anything was.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether saving would work, as far as can be known without doing it: it creates and
    /// removes a draft. A job that will save only after hours asks this first.
    pub fn check_writable(&self) -> io::Result<()> {
        if self.path.is_dir() {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        let draft = self.draft()?;
        File::create(&draft)?;
        fs::remove_file(&draft)
    }

    /// The draft: in the same folder, so that renaming never copies, and of this process, so
    /// that two processes never write one draft.
    fn draft(&self) -> io::Result<PathBuf> {
        let name = self.path.file_name().ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidInput, "the path does not end in the name of a file")
        })?;
        let mut draft = OsString::from(".");
        draft.push(name);
        draft.push(format!(".{}.draft", std::process::id()));
        Ok(self.path.with_file_name(draft))
    }

    /// Forces the new name to disk too, where folders can be opened.
    fn sync_folder(&self) -> io::Result<()> {
        if cfg!(unix) {
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(())
    }
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

        fn files(&self) -> usize {
            fs::read_dir(&self.0).unwrap().count()
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
        let store = Store::at(folder.0.join("job"));
        assert_eq!(store.load().unwrap(), None);
        store.check_writable().unwrap();
        assert_eq!(folder.files(), 0, "a check leaves nothing behind");
        for bytes in [&b"one"[..], b"", b"three"] {
            store.save(bytes).unwrap();
            assert_eq!(store.load().unwrap().as_deref(), Some(bytes));
        }
        assert_eq!(folder.files(), 1, "no draft is left");
        store.remove().unwrap();
        store.remove().unwrap();
        assert_eq!(store.load().unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("permissions");
        let store = Store::at(folder.0.join("job"));
        store.save(b"one").unwrap();
        fs::set_permissions(store.path(), fs::Permissions::from_mode(0o640)).unwrap();
        store.save(b"two").unwrap();
        let after = fs::metadata(store.path()).unwrap().permissions();
        assert_eq!(after.mode() & 0o777, 0o640);
    }

    #[test]
    fn a_save_that_fails_half_way_leaves_the_last_one() {
        let folder = Folder::new("half-way");
        let store = Store::at(folder.0.join("job"));
        assert!(store.open().unwrap().is_none());
        let pieces = |out: &mut dyn Write| (0..=255u8).try_for_each(|k| out.write_all(&[k; 100]));
        store.save_with(pieces).unwrap();
        let mut read = Vec::new();
        io::Read::read_to_end(&mut store.open().unwrap().unwrap(), &mut read).unwrap();
        assert_eq!(read.len(), 25_600);
        let failed = store.save_with(|out| {
            pieces(out)?;
            Err(io::Error::other("enough"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        assert_eq!(store.load().unwrap(), Some(read));
        assert_eq!(folder.files(), 1, "no draft is left");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error_and_leaves_no_draft() {
        let folder = Folder::new("refused");
        for path in [folder.0.clone(), folder.0.join("missing/job"), PathBuf::from("/")] {
            let store = Store::at(path);
            assert!(store.check_writable().is_err(), "{store:?}");
            assert!(store.save(b"bytes").is_err(), "{store:?}");
        }
        assert_eq!(folder.files(), 0);
        assert!(!Store::at(&folder.0).draft().unwrap().exists());
    }
}
