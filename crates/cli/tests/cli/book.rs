//! The book holds together: every page is in its summary, and every link and every quoted file is right.

use crate::repository;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// All files of a folder with an ending, in the folders below it too.
fn pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            self::pages(&path, pages);
        } else if path.extension().is_some_and(|end| end == "md") {
            pages.push(path);
        }
    }
}

/// What is written outside of blocks of code and of code in lines.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    let lines = lines.map(|line| line.split('`').step_by(2).collect::<Vec<_>>().join("code"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Where the links of a text lead: `[…](here)`.
fn links(text: &str) -> Vec<String> {
    prose(text).split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The name under which a heading can be linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let mut files: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)).into();
    pages(&root.join("book/src"), &mut files);
    pages(&root.join("examples"), &mut files);
    let (mut wrong, mut n_links) = (Vec::new(), 0);
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            n_links += 1;
            let (path, place) = link.split_once('#').map_or((link.as_str(), None), |(path, place)| (path, Some(place)));
            let target = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            let there = match place {
                None => target.exists(),
                Some(place) => fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(place)),
            };
            if !there {
                wrong.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty() && n_links > 100, "{n_links} links: {wrong:#?}");
}

#[test]
fn every_page_is_in_the_summary_once() {
    let folder = repository().join("book/src");
    let summary = links(&fs::read_to_string(folder.join("SUMMARY.md")).unwrap());
    let mut listed: Vec<PathBuf> = summary.iter().map(|link| folder.join(link)).collect();
    let mut there = Vec::new();
    pages(&folder, &mut there);
    there.retain(|page| !page.ends_with("SUMMARY.md"));
    listed.sort();
    there.sort();
    assert_eq!(listed, there);
}

/// `<!-- quoted from PATH:FIRST:LAST -->` stands above a block with these lines of a file. Pages that are read on a code host
/// cannot include files. `UPDATE=1` brings the blocks up to date.
#[test]
fn quoted_files_are_quoted_as_they_are() {
    const MARK: &str = "<!-- quoted from ";
    let mut files = Vec::new();
    pages(&repository().join("book/src"), &mut files);
    let mut n_quoted = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("{{#include"), "{}: quote the file instead", file.display());
        let mut updated = String::new();
        let mut parts = text.split(MARK);
        updated.push_str(parts.next().unwrap());
        for part in parts {
            let (what, rest) = part.split_once(" -->").expect("a comment ends");
            let (before, block) = rest.split_once("```").expect("a block follows");
            let (language, block) = block.split_once('\n').expect("a block has lines");
            let (_, after) = block.split_once("```").expect("a block ends");
            let quoted = quoted(what);
            let _ = write!(updated, "{MARK}{what} -->{before}```{language}\n{quoted}\n```{after}");
            n_quoted += 1;
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&file, &updated).unwrap();
        } else {
            assert_eq!(text, updated, "{} quotes something else", file.display());
        }
    }
    assert!(n_quoted > 5);
}

/// The lines of a file: `PATH`, `PATH:FIRST:` or `PATH:FIRST:LAST`.
fn quoted(what: &str) -> String {
    let mut parts = what.split(':');
    let text = fs::read_to_string(repository().join(parts.next().unwrap())).unwrap();
    let mut number = || parts.next().and_then(|number| number.parse::<usize>().ok());
    let (first, last) = (number().unwrap_or(1), number().unwrap_or(usize::MAX));
    let lines: Vec<&str> = text.lines().take(last).skip(first - 1).collect();
    assert!(!lines.is_empty(), "{what} is empty");
    lines.join("\n").trim_matches('\n').to_owned()
}

/// A table whose rows have different numbers of cells is shown as text.
#[test]
fn tables_have_as_many_cells_in_every_row() {
    let mut files = vec![repository().join("README.md")];
    pages(&repository().join("book/src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (mut fenced, mut width) = (false, None);
        for line in text.lines() {
            fenced ^= line.starts_with("```");
            if fenced || !line.starts_with('|') {
                width = None;
                continue;
            }
            let cells = line.replace("\\|", "").matches('|').count();
            assert_eq!(*width.get_or_insert(cells), cells, "{}: {line}", file.display());
        }
    }
}

/// The recorded session in the README shows what the commands print. `UPDATE=1` records it again.
#[test]
fn the_recorded_session_is_what_commands_print() {
    if !crate::run::has("python3") {
        return;
    }
    let script = repository().join("book/demo.py");
    let recorded =
        std::process::Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_specwright")).output().unwrap();
    assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));
    let file = repository().join("book/src/images/demo.svg");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(file, recorded.stdout).unwrap();
    } else {
        assert!(
            fs::read(file).unwrap() == recorded.stdout,
            "run `UPDATE=1 cargo test -p specwright-cli --test cli recorded`"
        );
    }
}
