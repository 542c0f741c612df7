//! Files that are either there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file atomically: a reader sees the old content or the new, never a part of it, even if the program is
/// killed or the power fails.
///
/// A file that exists keeps its permissions. A link to a file stays, and the file that it leads to changes.
pub fn write_atomically(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    stream_atomically(path, |file| file.write_all(content.as_ref()))
}

/// The same for content that is written piece by piece, because it may be large.
pub fn stream_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (target, permissions) = match fs::metadata(path) {
        // Pipes and devices cannot be replaced, only written to.
        Ok(existing) if !existing.is_file() => return buffered(&mut File::create(path)?, write),
        Ok(existing) => (fs::canonicalize(path)?, Some(existing.permissions())),
        Err(_) => (path.to_path_buf(), None),
    };
    let name = target.file_name().ok_or_else(|| io::Error::other("not a path of a file"))?;
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(name);
    // File systems limit names to 255 bytes, and a suffix follows.
    let prefix = if prefix.len() > 200 { ".specwright".into() } else { prefix };
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    // As for any new file: before the user's mask is applied. Temporary files are private otherwise.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = folder_of(&target);
    // The name is random and the file is made anew: nothing that was put there before is written through.
    let mut temporary = builder.tempfile_in(&folder)?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    buffered(temporary.as_file_mut(), write)?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    // The new name is on the disk only when the folder is. Not every system can do that for folders.
    let _ = File::open(&folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn buffered(file: &mut File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = BufWriter::new(file);
    write(&mut buffer)?;
    buffer.flush()
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it was written").permissions().mode() & 0o777
    }

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_atomically(&file, "one").unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write_atomically(Path::new("/dev/null"), "three").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    fn permissions_of_a_file_that_exists_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("private");
        for permissions in [0o600, 0o640, 0o664, 0o444] {
            fs::write(&file, "one").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(permissions)).unwrap();
            write_atomically(&file, "two").unwrap();
            assert_eq!(mode(&file), permissions);
            assert_eq!(fs::read_to_string(&file).unwrap(), "two");
            fs::remove_file(&file).unwrap();
        }
    }

    #[test]
    fn a_new_file_has_the_permissions_that_any_new_file_has() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, other) = (folder.path().join("ours"), folder.path().join("other"));
        write_atomically(&ours, "").unwrap();
        fs::write(&other, "").unwrap();
        assert_eq!(mode(&ours), mode(&other));
    }

    #[test]
    fn the_longest_name_that_a_file_system_takes_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x".repeat(255));
        write_atomically(&file, "one").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "one");
    }

    #[test]
    fn a_failed_attempt_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomically(&folder.path().join("missing").join("file"), "one").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}
