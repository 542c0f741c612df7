//! `specwright reflect`: the properties that restate the machine.

use crate::args::{Format, Reflect};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::{self, ReflectDocument};
use specwright::syntax::escape::visible;
use specwright::{Limits, ReflectSettings, Reflected, suites};
use std::fmt::Write as _;
use std::time::Duration;

pub fn run(console: &mut Console, args: &Reflect) -> anyhow::Result<ExitCode> {
    let settings = settings(args);
    let open = if settings.needs_engine() { args.model.open(console) } else { args.model.open_evaluated(console) };
    let reflected = open?.reflect(&settings, console)?;
    if let Some(path) = &args.out {
        suites::write_file(path, reflected.machine(args.keep)?)?;
    }
    match args.format {
        Format::Text => match &args.out {
            Some(path) => console.note(format_args!("{} written to {}", summary(&reflected), path.display())),
            None => console.document(text(&reflected))?,
        },
        Format::Json => console.document(document::json(&ReflectDocument::new(&reflected))?)?,
    }
    console.flush()?;
    for note in &reflected.reflection.notes {
        let place = reflected.sources.locate(note.span);
        let place = place.map(|(file, line, column)| format!("{}:{line}:{column}: ", file.name)).unwrap_or_default();
        console.note(format_args!("{place}not restated: {}", note.message));
    }
    Ok(ExitCode::Good)
}

fn settings(args: &Reflect) -> ReflectSettings {
    ReflectSettings {
        expound: args.expound,
        trans: args.trans,
        shorten: args.shorten.map(Into::into),
        relate: args.relate.into(),
        max_values: args.max_values,
        limits: Limits { timeout: args.timeout.map(Duration::from_secs_f64), ..console::limits() },
    }
}

/// The clauses as SMV, with what they restate as comments.
fn text(reflected: &Reflected) -> String {
    let mut text = String::new();
    for clause in &reflected.reflection.clauses {
        let line =
            reflected.sources.locate(clause.span).map(|(_, line, _)| format!(", line {line}")).unwrap_or_default();
        let vacuous = if clause.vacuous == Some(true) { ", never applies" } else { "" };
        let formula = reflected.model.show_sourced(&clause.formula);
        writeln!(text, "-- {}{line}{vacuous}\nSPEC NAME {} := {formula};", visible(&clause.name), clause.id)
            .expect("strings take any text");
    }
    writeln!(text, "-- {}", summary(reflected)).expect("strings take any text");
    text
}

fn summary(reflected: &Reflected) -> String {
    let counts: Vec<String> = reflected.counts().iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let all = count(reflected.reflection.clauses.len(), "clause");
    if counts.is_empty() { all } else { format!("{all}: {}", counts.join(", ")) }
}
