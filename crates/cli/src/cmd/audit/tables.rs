//! Verdicts by operator, part, variable and line, and what proofs need, as tables.

use crate::args::AuditBy;
use crate::columns::{Align, Columns};
use specwright::document::{AuditCounts, AuditDocument};

/// The verdicts, counted by something.
pub(super) fn by(document: &AuditDocument, by: AuditBy) -> String {
    let named = |(name, counts): (&String, &AuditCounts)| (name.clone(), *counts);
    let (title, rows): (&'static str, Vec<(String, AuditCounts)>) = match by {
        AuditBy::Operator => {
            let row =
                |(name, counts): (&&str, &AuditCounts)| (format!("{name}, {}", AuditDocument::summary(name)), *counts);
            ("operator", document.operators.iter().map(row).collect())
        }
        AuditBy::Part => ("part", document.sites.iter().map(named).collect()),
        AuditBy::Variable => ("variable", document.variables.iter().map(named).collect()),
        AuditBy::Line => {
            let rows = document.lines.iter().map(|line| (format!("{}:{}", line.file, line.line), line.counts));
            ("line", rows.collect())
        }
    };
    let mut columns = Columns::new([
        (title, Align::Left),
        ("mutants", Align::Right),
        ("killed", Align::Right),
        ("survived", Align::Right),
        ("equivalent", Align::Right),
        ("invalid", Align::Right),
        ("undecided", Align::Right),
    ]);
    for (name, counts) in rows {
        let AuditCounts { mutants, killed, survived, equivalent, invalid, undecided } = counts;
        let [mutants, killed, survived, equivalent, invalid, undecided] =
            [mutants, killed, survived, equivalent, invalid, undecided].map(|n| n.to_string());
        columns.row([name, mutants, killed, survived, equivalent, invalid, undecided]);
    }
    columns.to_string()
}

/// The parts of the machine that the proof of each property needs.
pub(super) fn needs(document: &AuditDocument) -> String {
    let mut columns = Columns::new([("property", Align::Left), ("its proof needs", Align::Left)]);
    for property in &document.properties {
        let needs = match &property.needs {
            None => "no proof by an invariant was found".to_owned(),
            Some(needs) if needs.is_empty() => "nothing".to_owned(),
            Some(needs) => needs.join(", "),
        };
        columns.row([property.name.clone(), needs]);
    }
    columns.to_string()
}
