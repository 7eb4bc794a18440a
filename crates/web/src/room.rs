//! The room: what jobs put on disk.
//!
//! A job whose work can be saved saves itself there as it goes on, so that it goes on when the
//! program ended in between, however it ended. A job that was asked with `limits.disk` also puts
//! there what does not fit into memory. Each job has a folder of its own in the data folder, which
//! goes when the job ends.
//!
//! What the operator allows is divided among the jobs that are under way at one time. Half of a
//! job's share is for what does not fit into memory. The rest is for what is saved: one save and
//! the next one, which is written before the first is removed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pessoi::error::reason;
use pessoi::{Disk, Error, Result, Store};

use crate::private;

/// The name of what is saved, in the folder of its job.
const SAVED: &str = "saved";
/// What whoever asked is told instead of its path.
const NAME: &str = "of this job";

/// Where jobs put what they put on disk.
pub(crate) struct Room {
    folder: PathBuf,
    /// The share of one job.
    share: u64,
    /// The time between two saves, about.
    pause: Duration,
}

impl Room {
    /// In this data folder. What is there of other jobs than these is removed.
    pub(crate) fn open(
        data: &Path,
        share: u64,
        pause: Duration,
        jobs: &HashSet<&str>,
    ) -> Result<Self> {
        let folder = data.join("jobs");
        let refuse = |error: std::io::Error| {
            let (shown, why) = (folder.display().to_string(), reason(&error));
            Error::option("data", format!("The data folder {shown:?} cannot be used: {why}."))
        };
        private::folder(&folder).map_err(refuse)?;
        for entry in std::fs::read_dir(&folder).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            if entry.file_name().to_str().is_none_or(|name| !jobs.contains(name)) {
                std::fs::remove_dir_all(entry.path()).map_err(refuse)?;
            }
        }
        Ok(Room { folder, share, pause })
    }

    /// The most that a job may ask for, for what does not fit into memory.
    pub(crate) const fn most_of(share: u64) -> u64 {
        share / 2
    }

    /// Where a job saves itself, if it asked for so much beside that.
    pub(crate) fn store(&self, id: &str, asked: Option<u64>) -> Result<Store> {
        let folder = self.folder_of(id)?;
        let store = Store::open(folder.join(SAVED)).map_err(|error| cannot("saved", &error))?;
        let most = (self.share - asked.unwrap_or_default().min(self.share)) / 2;
        Ok(store.within(most).every(self.pause).private(NAME))
    }

    /// Where a job puts what does not fit into memory.
    pub(crate) fn disk(&self, id: &str, most: u64) -> Result<Arc<Disk>> {
        let folder = self.folder_of(id)?;
        Disk::private(folder, Some(most), NAME).map_err(|error| cannot("used", &error))
    }

    fn folder_of(&self, id: &str) -> Result<PathBuf> {
        let folder = self.folder.join(id);
        private::folder(&folder).map_err(|error| cannot("used", &error))?;
        Ok(folder)
    }

    /// Removes what a job put on disk.
    pub(crate) fn clear(&self, id: &str) {
        let folder = self.folder.join(id);
        if folder.exists()
            && let Err(error) = std::fs::remove_dir_all(&folder)
        {
            // It is removed when the server starts again.
            let (shown, why) = (folder.display(), reason(&error));
            eprintln!("The folder {shown} cannot be removed: {why}.");
        }
    }
}

/// The disk failed. Where it is, is not for whoever asked.
fn cannot(what: &str, error: &std::io::Error) -> Error {
    Error::io(format!("The disk for this job cannot be {what}: {}.", reason(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_job_has_its_folder_until_it_ends() {
        let data = tempfile::tempdir().unwrap();
        let open = |jobs: &[&str]| {
            let jobs = jobs.iter().copied().collect();
            Room::open(data.path(), 4000, Duration::from_secs(1), &jobs).unwrap()
        };
        let room = open(&[]);
        let store = room.store("one", None).unwrap();
        store.save(&[7; 2000]).unwrap();
        assert!(store.save(&[8; 2001]).is_err(), "two saves have room");
        assert_eq!(store.shown(), NAME);
        let beside = room.store("two", Some(Room::most_of(4000))).unwrap();
        beside.save(&[7; 1000]).unwrap();
        assert!(beside.save(&[7; 1001]).is_err());
        assert_eq!(room.disk("two", 2000).unwrap().most(), Some(2000));
        drop((store, beside));

        let room = open(&["one", "three"]);
        let there = |id: &str| data.path().join("jobs").join(id).exists();
        assert_eq!((there("one"), there("two")), (true, false));
        assert_eq!(room.store("one", None).unwrap().load().unwrap(), Some(vec![7; 2000]));
        room.clear("one");
        room.clear("never");
        assert!(!there("one"));
    }
}
