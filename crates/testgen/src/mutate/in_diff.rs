//! Changed lines: the new and changed lines of a unified diff, as `git diff` or `diff -u` print it.

use std::ops::RangeInclusive;

/// A file of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its name after the change, without the `b/` that git puts before it.
    pub path: String,
    /// The new or changed lines, counted from 1 in the new file. Where lines were only removed, the lines on both sides
    /// of the gap.
    pub lines: Vec<RangeInclusive<usize>>,
}

impl ChangedFile {
    /// Whether this may be the file of that path: one of the two names is a suffix of the other.
    pub fn is(&self, path: &str) -> bool {
        let parts = |path: &str| -> Vec<String> {
            let parts = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
            parts.map(String::from).collect()
        };
        let (ours, theirs) = (parts(&self.path), parts(path));
        let n_common = ours.len().min(theirs.len());
        n_common > 0 && ours[ours.len() - n_common..] == theirs[theirs.len() - n_common..]
    }
}

/// An error in a diff.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct DiffError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub problem: &'static str,
}

/// Parses a unified diff. Lines outside of headers and hunks are ignored: mails and logs have text around diffs.
pub fn parse_diff(text: &str) -> Result<Vec<ChangedFile>, DiffError> {
    let mut files: Vec<ChangedFile> = Vec::new();
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("+++ ") {
            files.push(ChangedFile { path: file_name(name), lines: Vec::new() });
        } else if let Some(header) = line.strip_prefix("@@ ") {
            let fail = |problem| DiffError { line: number, problem };
            let hunk = Hunk::parse(header).ok_or(fail("this is not the header of a hunk"))?;
            let file = files.last_mut().ok_or(fail("a hunk before any file name"))?;
            let (mut old_left, mut new_left, mut at) = (hunk.n_old, hunk.n_new, hunk.new_start);
            while old_left > 0 || new_left > 0 {
                let (number, line) = lines.next().ok_or(fail("the hunk is shorter than its header says"))?;
                let fail = |problem| DiffError { line: number, problem };
                let (takes_old, takes_new) = match line.bytes().next() {
                    Some(b' ' | b'\t') | None => (1, 1),
                    Some(b'-') => (1, 0),
                    Some(b'+') => (0, 1),
                    Some(b'\\') => (0, 0),
                    _ => return Err(fail("a line of a hunk starts with a blank, `+`, `-` or `\\`")),
                };
                old_left = old_left.checked_sub(takes_old).ok_or(fail("the hunk is longer than its header says"))?;
                new_left = new_left.checked_sub(takes_new).ok_or(fail("the hunk is longer than its header says"))?;
                match (takes_old, takes_new) {
                    (0, 1) => file.touch(at, at),
                    (1, 0) => file.touch(at.saturating_sub(1).max(1), at.max(1)),
                    _ => {}
                }
                at += takes_new;
            }
        }
    }
    Ok(files)
}

impl ChangedFile {
    fn touch(&mut self, first: usize, last: usize) {
        match self.lines.last_mut() {
            Some(range) if first <= *range.end() + 1 => *range = *range.start()..=last.max(*range.end()),
            _ => self.lines.push(first..=last),
        }
    }
}

struct Hunk {
    n_old: usize,
    new_start: usize,
    n_new: usize,
}

impl Hunk {
    /// Parses `-1,7 +1,9 @@ …`.
    fn parse(header: &str) -> Option<Hunk> {
        let (old, rest) = header.strip_prefix('-')?.split_once(" +")?;
        let (new, _) = rest.split_once(" @@")?;
        let range = |text: &str| -> Option<(usize, usize)> {
            let (start, n) = text.split_once(',').unwrap_or((text, "1"));
            Some((start.parse().ok()?, n.parse().ok()?))
        };
        let ((_, n_old), (start, n_new)) = (range(old)?, range(new)?);
        // If no lines are left, the number is that of the line before.
        Some(Hunk { n_old, new_start: start + usize::from(n_new == 0), n_new })
    }
}

/// The name in a `+++` line: without the time that `diff` adds and the prefix `b/` of git, and unquoted.
fn file_name(header: &str) -> String {
    let name = header.split_once('\t').map_or(header, |(name, _)| name).trim_end();
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    name.strip_prefix("b/").unwrap_or(name).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(diff: &str, expected: &[(&str, &[RangeInclusive<usize>])]) {
        let files = parse_diff(diff).unwrap();
        let found: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.lines.as_slice())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn changed_and_new_lines_are_found() {
        check(
            "diff --git a/m.smv b/m.smv\n--- a/m.smv\n+++ b/m.smv\n@@ -2,4 +2,5 @@ MODULE main\n x\n-y\n+z\n+w\n u\n v\n",
            &[("m.smv", &[2..=4])],
        );
    }

    #[test]
    fn at_removed_lines_the_neighbours_count() {
        check("+++ m.smv\t2026-01-01\n@@ -3,2 +2,0 @@\n-a\n-b\n", &[("m.smv", &[2..=3])]);
        check("+++ m.smv\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n", &[("m.smv", &[1..=1])]);
    }

    #[test]
    fn a_removed_line_that_looks_like_a_header_is_no_header() {
        check("+++ m.smv\n@@ -1,2 +1 @@\n--- a\n b\n", &[("m.smv", &[1..=1])]);
    }

    #[test]
    fn broken_hunks_are_rejected() {
        assert_eq!(parse_diff("@@ -1 +1 @@\n").unwrap_err().line, 1);
        assert_eq!(parse_diff("+++ m\n@@ -1 +x @@\n").unwrap_err().line, 2);
        assert_eq!(parse_diff("+++ m\n@@ -1,2 +1,2 @@\n a\n").unwrap_err().line, 2);
        assert_eq!(parse_diff("+++ m\n@@ -1,2 +1,2 @@\n?a\n").unwrap_err().line, 3);
    }

    #[test]
    fn files_are_recognised_by_the_end_of_their_names() {
        let file = ChangedFile { path: "models/m.smv".into(), lines: Vec::new() };
        assert!(file.is("m.smv") && file.is("/home/me/models/m.smv") && file.is("./models/m.smv"));
        assert!(!file.is("other/m.smv") && !file.is("mm.smv") && !file.is(""));
    }
}
