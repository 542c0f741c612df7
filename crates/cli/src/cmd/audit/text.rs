//! `audit` for people.

use super::tables;
use crate::args::Audit;
use crate::columns::{Align, Columns};
use crate::diagnostics::count;
use specwright::Strength;
use specwright::audit::{MachineMutant, Open, Survivor, difference_text};
use specwright::document::{AuditDocument, AuditEntry};
use specwright::model::trace::{TextOptions, to_text};
use std::fmt::Write;

/// Survivors of one missing property that are listed without `--verbose`.
const SHOWN: usize = 3;

/// Names of variables, assignments or constraints that are listed without `--verbose`.
const NAMED: usize = 20;

pub(super) fn text(found: &Strength, document: &AuditDocument, args: &Audit, everything: bool) -> String {
    let mut text = String::new();
    if args.list {
        for entry in &document.mutants {
            let _ = writeln!(text, "{}", line_text(entry));
        }
        text.push('\n');
    }
    let counts = &document.counts;
    let parts = [
        (counts.killed, "killed"),
        (counts.survived, "survived"),
        (counts.equivalent, "equivalent"),
        (counts.invalid, "invalid"),
        (counts.undecided, "undecided"),
    ];
    let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let _ = writeln!(
        text,
        "{} judged by {}: {}",
        count(counts.mutants, "mutant"),
        count(document.properties.len(), "property"),
        if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
    );
    if !document.complete {
        let _ = writeln!(text, "the work was stopped before all mutants were judged");
    }
    let (killed, all) = found.score();
    if document.score.is_some() {
        let percent = specwright::words::percent(killed, all);
        let _ = writeln!(text, "score {percent}: the properties kill {killed} of {all} wrong machines");
    }
    if counts.survived > 0 {
        let _ = write!(text, "\n{}", survivors(found, args, everything));
    }
    for by in &args.by {
        let _ = write!(text, "\n{}", tables::by(document, *by));
    }
    let _ = write!(text, "\n{}", properties(document));
    if args.needs {
        let _ = write!(text, "\n{}", tables::needs(document));
    }
    if !document.unneeded.is_empty() {
        let _ = writeln!(text, "\nno proof needs {}", names(&document.unneeded, everything));
    }
    if !document.unread.is_empty() {
        let _ = writeln!(text, "\nno property reads {}", names(&document.unread, everything));
    }
    if let Some(path) = &args.fix {
        let _ = writeln!(text, "\n{} written to {}", count(document.fewest.len(), "missing property"), path.display());
    }
    text
}

/// Names in a row: the first ones, or all.
fn names(all: &[String], everything: bool) -> String {
    if everything || all.len() <= NAMED {
        return all.join(", ");
    }
    format!("{}, and {} more: `--verbose` lists all", all[..NAMED].join(", "), all.len() - NAMED)
}

/// The missing properties with the survivors that they kill, and the survivors that none of them kills.
fn survivors(found: &Strength, args: &Audit, everything: bool) -> String {
    let mut text = String::new();
    let all: Vec<(&MachineMutant, &Survivor)> = found.survivors().collect();
    let closed = all.iter().filter(|(_, survivor)| !survivor.closed_by.is_empty()).count();
    let n = found.fewest.tests.len();
    if n > 0 {
        let proved = if found.fewest.is_optimal() { ", and no fewer do" } else { "" };
        let (more, of) = (count(n, "missing property"), count(all.len(), "survivor"));
        let verb = if n == 1 { "kills" } else { "kill" };
        let _ = writeln!(text, "{more} {verb} {closed} of {of}{proved}:");
    }
    let mut shown = vec![false; all.len()];
    for place in &found.fewest.tests {
        let missing = &found.missing[*place];
        let _ = writeln!(text, "\n  {}", missing.declaration(&found.model, &missing.name));
        // A survivor is listed under the first property that kills it.
        let killed: Vec<usize> =
            (0..all.len()).filter(|at| !shown[*at] && all[*at].1.closed_by.contains(place)).collect();
        for at in &killed {
            shown[*at] = true;
        }
        list(&mut text, found, &killed.iter().map(|at| all[*at]).collect::<Vec<_>>(), args, everything);
    }
    let open: Vec<(&MachineMutant, &Survivor)> =
        all.iter().zip(&shown).filter(|(_, shown)| !**shown).map(|(survivor, _)| *survivor).collect();
    if !open.is_empty() {
        let mut gap = if n > 0 { "\n" } else { "" };
        for (why, what) in [
            (None, ""),
            (Some(Open::NoForm), " that no property of these forms kills"),
            (Some(Open::NotBySat), " for which SAT-based search finds no missing property"),
        ] {
            let of_it: Vec<(&MachineMutant, &Survivor)> =
                open.iter().filter(|(_, survivor)| survivor.open == why).copied().collect();
            if !of_it.is_empty() {
                let _ = writeln!(text, "{gap}{}{what}:", count(of_it.len(), "survivor"));
                list(&mut text, found, &of_it, args, everything);
                gap = "\n";
            }
        }
    }
    text
}

fn list(
    text: &mut String,
    found: &Strength,
    survivors: &[(&MachineMutant, &Survivor)],
    args: &Audit,
    everything: bool,
) {
    let n = if everything { survivors.len() } else { SHOWN };
    for (mutant, survivor) in survivors.iter().take(n) {
        let place = match found.sources.locate(mutant.span) {
            Some((file, line, column)) => format!("{}:{line}:{column}: ", file.name),
            None => String::new(),
        };
        let _ = writeln!(text, "    {place}{} ({})", mutant.description, mutant.id);
        if args.traces {
            let trace = survivor.difference.trace();
            let description = difference_text(survivor);
            let options = TextOptions {
                description,
                kind: "Difference".into(),
                defines: found.model.output_defines(),
                ..TextOptions::default()
            };
            for line in to_text(&found.model, trace, &options).lines() {
                let _ = writeln!(text, "      {line}");
            }
        } else {
            let _ = writeln!(text, "      {}", difference_text(survivor));
        }
    }
    if survivors.len() > n {
        let _ = writeln!(text, "    … and {} more: `--verbose` lists all", survivors.len() - n);
    }
}

fn properties(document: &AuditDocument) -> String {
    let mut columns = Columns::new([
        ("property", Align::Left),
        ("kills", Align::Right),
        ("unique kills", Align::Right),
        ("", Align::Left),
    ]);
    for property in &document.properties {
        let mut notes: Vec<String> = Vec::new();
        match (property.vacuous, property.kills, property.kills_alone) {
            (true, ..) => notes.push("holds vacuously".into()),
            (_, 0, _) => notes.push("kills nothing".into()),
            (_, _, Some(0)) if property.implied != "yes" => notes.push("the others kill all that it kills".into()),
            _ => {}
        }
        match property.implied {
            "yes" => notes.push("the others imply it".into()),
            "no" if property.kills_alone == Some(0) => notes.push("the others do not imply it".into()),
            _ => {}
        }
        if !property.irrelevant.is_empty() {
            let parts: Vec<String> = property.irrelevant.iter().map(|part| format!("`{part}`")).collect();
            let verb = if parts.len() == 1 { "does" } else { "do" };
            notes.push(format!("{} {verb} not matter", parts.join(" and ")));
        }
        let name: String = match property.name.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &property.name[..end]),
            None => property.name.clone(),
        };
        let unique = property.kills_alone.map_or_else(|| "–".to_owned(), |n| n.to_string());
        columns.row([name, property.kills.to_string(), unique, notes.join("; ")]);
    }
    columns.to_string()
}

fn line_text(entry: &AuditEntry) -> String {
    let place = match (entry.line, entry.column) {
        (Some(line), Some(column)) => format!("{line}:{column}"),
        _ => "?".into(),
    };
    let why = match entry.verdict {
        "killed" => format!(" by {}", entry.killed_by.join(", ")),
        _ => entry.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default(),
    };
    format!("{} {place} {}: {}{why}", entry.id, entry.description, entry.verdict)
}
