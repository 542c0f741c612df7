//! The book holds together: every page is in its summary, and every link and every included file is there.

use crate::repository;
use std::collections::BTreeSet;
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

#[test]
fn what_pages_include_is_there() {
    let mut files = Vec::new();
    pages(&repository().join("book/src"), &mut files);
    let mut n_included = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for what in text.split("{{#include ").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0)) {
            let mut parts = what.split(':');
            let path = file.parent().unwrap().join(parts.next().unwrap());
            let n_lines = fs::read_to_string(&path).unwrap_or_default().lines().count();
            let last = parts.filter_map(|line| line.parse::<usize>().ok()).max().unwrap_or(0);
            assert!(n_lines > 0 && last <= n_lines, "{}: {what}", file.display());
            n_included += 1;
        }
    }
    assert!(n_included > 5);
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
