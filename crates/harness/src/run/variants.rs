//! Runs a suite on many variants of a program, to find out which ones it distinguishes from the correct one.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// The placeholder for a variant in the arguments of a program.
pub const PLACEHOLDER: &str = "{}";

/// The variants in a folder: its files and folders, sorted, except for those whose name begins with a dot or an
/// underscore.
pub fn variants(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let hidden = name.as_encoded_bytes().first().is_some_and(|first| matches!(first, b'.' | b'_'));
        if !hidden {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The command that runs a variant: the placeholder replaced by its path, or the variant itself as the first argument.
pub fn command(program: &[OsString], variant: &Path) -> Vec<OsString> {
    if !program.iter().any(|word| replaced(word, variant).is_some()) {
        return std::iter::once(variant.as_os_str().to_owned()).chain(program.iter().cloned()).collect();
    }
    program.iter().map(|word| replaced(word, variant).unwrap_or_else(|| word.clone())).collect()
}

fn replaced(word: &OsStr, variant: &Path) -> Option<OsString> {
    let (before, after) = word.to_str()?.split_once(PLACEHOLDER)?;
    let mut all = OsString::from(before);
    all.push(variant.as_os_str());
    all.push(after);
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_placeholders_are_replaced() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let variant = Path::new("faults/f1.py");
        assert_eq!(command(&words(&["python3", "{}"]), variant), words(&["python3", "faults/f1.py"]));
        assert_eq!(command(&words(&["run", "--file={}"]), variant), words(&["run", "--file=faults/f1.py"]));
        assert_eq!(command(&words(&["-v"]), variant), words(&["faults/f1.py", "-v"]));
    }
}
