//! Files and folders that no other user can read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, unless it is there, and keeps other users out of it.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)?;
    keep_out(path, 0o700)
}

/// Opens a file to write, makes it if it is not there, and keeps other users from reading it.
pub(crate) fn file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    keep_out(path, 0o600)?;
    Ok(file)
}

#[cfg(unix)]
fn keep_out(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode))
}

/// Elsewhere a folder of one user is not read by others, unless that user lets them.
#[cfg(not(unix))]
fn keep_out(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
