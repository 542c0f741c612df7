//! Files that are either there as a whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file. Whoever looks sees the old content or the new, never a part of it, even if the program is killed.
pub fn write_atomically(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    // What is no plain file, such as a pipe, cannot be replaced, only written to; a link stays, and its target changes.
    let target = match fs::metadata(path) {
        Ok(there) if !there.is_file() => return fs::write(path, content),
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => path.to_path_buf(),
    };
    let path = target.as_path();
    let name = path.file_name().ok_or_else(|| io::Error::other("not a path of a file"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let result = fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        // What is left of a failed attempt helps nobody, and the error is reported anyway.
        let _ = fs::remove_file(&temporary);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = std::env::temp_dir().join(format!("specwright-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        write_atomically(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write_atomically(Path::new("/dev/null"), "three").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left over");
        fs::remove_dir_all(&folder).unwrap();
    }
}
