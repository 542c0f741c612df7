//! What tests of all crates share: inputs that are not part of the project, and a way to say that a test was skipped.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A folder of `../shared`, next to the workspace. The test says that it was skipped where the folder is not there.
#[track_caller]
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if !folder.is_dir() {
        skipped(&format!("there is no folder ../shared/{name}"));
        return None;
    }
    Some(folder)
}

/// All files of a folder and its subfolders with one extension, in order. At least one is expected.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "{} has no .{extension} files", folder.display());
    found.sort();
    found
}

/// Says that the running test was skipped, and why, also where the output of passing tests is hidden: the test
/// harness captures what `eprintln!` prints, but not what is written to the stream itself.
#[track_caller]
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let test = thread
        .name()
        .filter(|name| *name != "main")
        .map_or_else(|| std::panic::Location::caller().to_string(), ToOwned::to_owned);
    // The message stays in one piece although tests run side by side.
    let _ = std::io::stderr().write_all(format!("skipped: {test}: {reason}\n").as_bytes());
}
