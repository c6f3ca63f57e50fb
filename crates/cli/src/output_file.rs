//! Files that are whole or as they were before.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Writes a file beside its place and renames it: what fails on the way leaves the old file or none.
pub(crate) fn write_file(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> anyhow::Result<()> {
    // The file a link names is replaced, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = target.metadata().ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A device or a pipe, such as /dev/null, is written and not replaced.
        return Ok(write(&mut OpenOptions::new().write(true).open(&target)?)?);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    if let Some(permissions) = old.map(|old| old.permissions()).or_else(usual_permissions) {
        builder.permissions(permissions);
    }
    let mut beside = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    write(beside.as_file_mut())?;
    beside.persist(&target)?;
    Ok(())
}

/// Those of a new file before the user's mask; temporary files are otherwise for their owner only.
#[cfg(unix)]
fn usual_permissions() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<std::fs::Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    #[test]
    fn a_failed_run_loses_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let write = |text: &'static [u8]| move |file: &mut File| file.write_all(text);
        write_file(&path, write(b"first")).expect("a new file");
        write_file(&path, write(b"second")).expect("a file in place of the first");
        let failed = write_file(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).expect("the file is there"), b"second");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("own file");
        symlink(&path, &link).expect("a link");
        write_file(&link, |file| file.write_all(b"new")).expect("a file behind a link");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).expect("the file is there"), b"new");
        assert_eq!(path.metadata().expect("the file is there").permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), |file| file.write_all(b"new")).expect("a device");
        assert!(!Path::new("/dev/null").metadata().expect("a device").is_file());
    }
}
