//! Support for tests of all crates: optional inputs from outside the project, and messages about skipped tests.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A folder of `../shared`, next to the workspace. If it does not exist, the test is reported as skipped.
#[track_caller]
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if !folder.is_dir() {
        skipped(&format!("there is no folder ../shared/{name}"));
        return None;
    }
    Some(folder)
}

/// All files with an extension in a folder and its subfolders, sorted. Panics if there are none.
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

/// Reports that the running test was skipped. The message is written to the stream itself: the test harness captures
/// `eprintln!` and hides the output of passing tests.
#[track_caller]
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let test = thread
        .name()
        .filter(|name| *name != "main")
        .map_or_else(|| std::panic::Location::caller().to_string(), ToOwned::to_owned);
    // One write keeps the message in one piece although tests run in parallel.
    let _ = std::io::stderr().write_all(format!("skipped: {test}: {reason}\n").as_bytes());
}
