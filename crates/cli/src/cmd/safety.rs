//! `specwright safety`: tests where a property could be broken.

mod text;

use crate::args::{Format, Safety};
use crate::cmd::merge;
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use specwright::document::{self, SafetyDocument};
use specwright::model::trace::{TextOptions, to_text};
use specwright::safety::{self, Protecting};
use specwright::shard::Sharding;
use specwright::{SafetySettings, Session, suites};

pub fn run(console: &mut Console, args: &Safety) -> anyhow::Result<ExitCode> {
    run_as(console, args, args.shards.sharding()?)
}

/// The command as a whole, or as a shard of it.
pub(super) fn run_as(console: &mut Console, args: &Safety, sharding: Sharding) -> anyhow::Result<ExitCode> {
    let settings = SafetySettings { sharding, ..settings(args) };
    let mut session = Session::open(&args.model.path, &args.model.reading_for(args.grade.as_deref()), console)?;
    let read = args.grade.as_ref().map(|path| session.read_suite(path, None, console)).transpose()?;
    let found = match session.safety(read.as_ref(), &settings, console)? {
        safety::Safety::Analysed(found) => found,
        safety::Safety::Decided(decided) => return merge::decided(console, &settings.sharding, decided),
        safety::Safety::Violated(violations) => {
            for (name, trace) in violations {
                let options = TextOptions {
                    number: 1,
                    description: "a violation".into(),
                    defines: session.model.output_defines(),
                    ..TextOptions::default()
                };
                let heading = format!("The machine itself violates {name}, so there is nothing to test yet:\n");
                console.out(format_args!("{heading}{}", to_text(&session.model, &trace, &options)))?;
            }
            return Ok(ExitCode::BaselineBroken);
        }
    };
    let code = match &found.tests {
        Protecting::Made(tests, suite) => {
            if let Some(path) = &args.out {
                suites::write(path, &found.model, suite)?;
            }
            if tests.counts().unknown > 0 { ExitCode::Unknown } else { ExitCode::Good }
        }
        Protecting::Given(adequacy, _) => {
            let is_complete = adequacy.invalid_tests.is_empty() && adequacy.missed().next().is_none();
            if is_complete { ExitCode::Good } else { ExitCode::Found }
        }
    };
    let document = SafetyDocument::new(&found, args.out.as_deref());
    match args.format {
        Format::Text => console.out(text::text(&document, args.list, console.verbose()))?,
        Format::Json => console.document(document::json(&document)?)?,
    }
    console.flush()?;
    if console::interrupted() {
        console.warning("interrupted");
        return Ok(ExitCode::Unknown);
    }
    if let Some(reason) = found.analysis.found.iter().find_map(|found| found.unknown()) {
        console.warning(format_args!("some answers are unknown: {reason}"));
        return Ok(if code == ExitCode::Good { ExitCode::Unknown } else { code });
    }
    Ok(code)
}

fn settings(args: &Safety) -> SafetySettings {
    SafetySettings {
        property: args.property.clone(),
        dangers: args.criterion.iter().map(|danger| (*danger).into()).collect(),
        operators: args.operators.operators.clone(),
        exclude: args.operators.exclude.clone(),
        variable: args.variable.clone(),
        mutant: args.mutant.clone(),
        ignore: args.ignores.ignore.clone(),
        environment: args.environment,
        combined: args.emit_combined.clone(),
        sharding: Sharding::Whole,
        limits: args.limits.limits(),
    }
}
