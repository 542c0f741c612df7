//! `specwright safety`: tests where a property could be broken.

mod report;
mod wanted;

use crate::args::{Format, Safety};
use crate::console::{self, Console};
use crate::diagnostics::{self, count};
use crate::exit_code::ExitCode;
use anyhow::Context;
use report::Report;
use specwright::check::undefined;
use specwright::suites;
use specwright_mc::{Answer, Reason, Symbolic};
use specwright_model::Model;
use specwright_model::trace::{TextOptions, to_text};
use specwright_testgen::mutate::{Mutant, Mutants};
use specwright_testgen::safety::{Analysis, Class, Danger, Invariant, Tests, analyse, combined, recognise};
use std::ops::ControlFlow;
use std::path::Path;

pub fn run(console: &mut Console, args: &Safety) -> anyhow::Result<ExitCode> {
    let mut session = args.model.open(console)?;
    let read = args.grade.as_ref().map(|path| session.read_suite(path, None, console)).transpose()?;
    let invariants = wanted::invariants(console, &mut session, args)?;
    let (options, dangers) = (wanted::mutation(&session.model, args)?, wanted::dangers(args));
    console::catch_interrupts();
    let mut engine = session.engine(console, &args.limits.options())?;
    let mut progress = console.progress(1);
    let explored = engine.explore(&mut |n| progress.exploring(n));
    progress.finish();
    if let Err(limit) = explored {
        console.error(format_args!("{}: {limit} before all reachable states were known", session.model.name));
        return Ok(ExitCode::Unknown);
    }
    if let Some(code) = baseline(console, &session.model, &mut engine, &invariants)? {
        return Ok(code);
    }

    let mut mutants = Mutants::new(&session.model, options);
    let all: Vec<Mutant> = mutants.by_ref().take_while(|_| !console::interrupted()).collect();
    // Goals of other criteria are ignored elsewhere.
    let unmet = mutants.unmet_ignores().filter(|ignore| !ignore.id.contains(':'));
    let unmet: Vec<String> = unmet.map(|ignore| ignore.id.clone()).collect();
    let all = wanted::only(all, &args.mutant)?;
    let n_mutants = all.len();
    let mut progress = console.progress(n_mutants);
    let analysis = analyse(&session.model, &mut engine, invariants, all, args.environment, &mut |done| {
        progress.at(done, "mutants");
        stop_if_interrupted()
    });
    progress.finish();
    tell(console, args, &analysis, &unmet);

    if let Some(folder) = &args.emit_combined {
        emit(console, &session.model, &mut engine, &analysis, folder)?;
    }
    let mut report = Report::new(&session.sources, &session.model, &analysis, &dangers);
    let code = if let Some(read) = &read {
        let adequacy = recognise(&mut engine, &analysis, &dangers, &read.suite);
        let misfits = adequacy.invalid_tests.iter().map(|(test, misfit)| read.invalid(&session.model, *test, misfit));
        diagnostics::report(console, &session.sources, &misfits.collect::<Vec<_>>());
        report.add_adequacy(&analysis, &adequacy, read.suite.tests.len());
        let complete = adequacy.invalid_tests.is_empty() && adequacy.missed().next().is_none();
        if complete { ExitCode::Good } else { ExitCode::Found }
    } else {
        let mut progress = console.progress(analysis.found.len());
        let tests = Tests::new(&mut engine, &analysis, &dangers, &mut |done| {
            progress.at(done, "tests");
            stop_if_interrupted()
        });
        progress.finish();
        let suite = tests.suite(&session.model, &analysis);
        report.add_tests(&analysis, &tests, &suite, args.out.as_deref());
        if let Some(path) = &args.out {
            suites::write(path, &session.model, &suite)?;
        }
        if tests.counts().unknown > 0 { ExitCode::Unknown } else { ExitCode::Good }
    };
    match args.format {
        Format::Text => console.out(report.text(args.list, console.verbose()))?,
        Format::Json => console.document(format_args!("{}\n", serde_json::to_string_pretty(&report)?))?,
    }
    console.flush()?;
    if console::interrupted() {
        console.warning("interrupted");
        return Ok(ExitCode::Unknown);
    }
    if let Some(reason) = analysis.found.iter().find_map(|found| found.unknown()) {
        console.warning(format_args!("some answers are unknown: {reason}"));
        return Ok(if code == ExitCode::Good { ExitCode::Unknown } else { code });
    }
    Ok(code)
}

fn stop_if_interrupted() -> ControlFlow<()> {
    if console::interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The machine must satisfy what it is to be tested for. If it does not, that is shown.
fn baseline(
    console: &mut Console,
    model: &Model,
    engine: &mut Symbolic,
    invariants: &[Invariant],
) -> anyhow::Result<Option<ExitCode>> {
    let mut code = None;
    for invariant in invariants {
        let name = &invariant.name;
        match engine.falsify(invariant.expr) {
            Answer::Impossible(_) => {}
            Answer::Found(trace) => {
                let description = "a violation".into();
                let options = TextOptions { number: 1, description, ..TextOptions::default() };
                let heading = format!("The machine itself violates {name}, so there is nothing to test yet:\n");
                console.out(format_args!("{heading}{}", to_text(model, &trace, &options)))?;
                code = Some(ExitCode::BaselineBroken);
            }
            Answer::Undecided(reason) => {
                let reason = match reason {
                    Reason::Undefined(undefined) => undefined::undefined(model, &undefined).message,
                    reason => reason.to_string(),
                };
                console.error(format_args!("nobody knows whether the machine satisfies {name}: {reason}"));
                code = code.or(Some(ExitCode::Unknown));
            }
        }
    }
    Ok(code)
}

/// Says what was left out.
fn tell(console: &mut Console, args: &Safety, analysis: &Analysis, unmet: &[String]) {
    if analysis.n_without_steps > 0 {
        let mutants = count(analysis.n_without_steps, "mutant");
        console.note(format_args!("{mutants} left out: nothing that they change is part of a step"));
    }
    if analysis.n_environment > 0 {
        let mutants = count(analysis.n_environment, "mutant");
        console.note(format_args!("{mutants} left out: they change which inputs come; `--environment` keeps them"));
    }
    let n_undefined = analysis.found.iter().filter(|found| found.class == Class::Undefined).count();
    if n_undefined > 0 {
        let mutants = count(n_undefined, "mutant");
        console.note(format_args!("{mutants} left out: something in them has no value somewhere"));
    }
    if args.mutant.is_empty() && args.operators.is_default() && args.variable.is_empty() {
        for id in unmet {
            console.note(format_args!("there is no mutant {id} to ignore"));
        }
    }
}

/// Writes the combined machine of every mutant that departs from the machine.
fn emit(
    console: &mut Console,
    model: &Model,
    engine: &mut Symbolic,
    analysis: &Analysis,
    folder: &Path,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut n_written = 0;
    for (index, found) in analysis.found.iter().enumerate() {
        if matches!(found.class, Class::Undefined | Class::Unknown(_)) {
            continue;
        }
        let Ok(both) = combined(model, engine, analysis, index) else {
            console.warning(format_args!("{} is not written: a limit was reached", found.mutant.id));
            continue;
        };
        let path = folder.join(format!("{}.smv", found.mutant.id));
        suites::write_file(&path, both.text(model, &found.mutant))?;
        n_written += 1;
    }
    console.note(format_args!("{} written to {}", count(n_written, "combined machine"), folder.display()));
    Ok(())
}

/// All kinds of danger, in the order of the paper.
const ALL: [Danger; 4] = Danger::ALL;
