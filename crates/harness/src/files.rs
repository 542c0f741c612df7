//! Files that are either there as a whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file. Whoever looks sees the old content or the new, never a part of it, even if the program is killed.
pub fn write_atomically(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
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
