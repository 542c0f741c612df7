//! `specwright mutate`: the mutants of a model, counted, listed, or written to files.

use crate::args::{Format, Mutate};
use crate::columns::{Align, Columns};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::MutantsDocument;
use specwright::mutate::{MutantView, Mutated};
use specwright::{MutateSettings, Session, suites};
use std::ops::ControlFlow;

pub fn run(console: &mut Console, args: &Mutate) -> anyhow::Result<ExitCode> {
    let settings = settings(args);
    let session = Session::open(&args.model.path, &settings.reading((&args.model.reading).into()), console)?;
    let mutating = session.mutate(&settings, console)?;
    if let Some(folder) = &args.out {
        suites::make_folder(folder)?;
    }
    let is_of_rules = mutating.is_of_rules();
    let mut document = (args.format == Format::Json).then(|| MutantsDocument::new(&mutating));
    if let Some(document) = &document {
        console.document(document.begin()?)?;
    }
    let mutated = mutating.each(&mut |mutant| {
        tell(console, args, mutant)?;
        if let Some(document) = &mut document {
            console.document(document.mutant(mutant)?)?;
        }
        let goes_on = if console.closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        anyhow::Ok(goes_on)
    })?;
    match document {
        Some(document) => console.document(document.end(&mutated)?)?,
        None if args.list || args.diff => {}
        None => console.out(table(&mutated))?,
    }
    if let Some(folder) = &args.out {
        console.note(format_args!("{} written to {}", count(mutated.n_mutants, "file"), folder.display()));
    }
    mutated.tell(console);
    if console::interrupted() && !is_of_rules {
        console.note("interrupted");
        return Ok(ExitCode::Unknown);
    }
    Ok(ExitCode::Good)
}

/// Lists a mutant, prints what it changes, or writes it to a file, as the user wants it.
fn tell(console: &mut Console, args: &Mutate, mutant: &MutantView<'_>) -> anyhow::Result<()> {
    if args.list {
        console.out(format_args!("{}: {} ({})\n", mutant.place(), mutant.summary(), mutant.id()))?;
    }
    if let Some(diff) = args.diff.then(|| mutant.diff()).flatten() {
        console.document(diff)?;
    }
    if let Some(folder) = &args.out
        && let Some((name, text)) = mutant.file()
    {
        suites::write_file(&folder.join(name), text)?;
    }
    Ok(())
}

fn table(mutated: &Mutated) -> String {
    let mut columns = Columns::new([("operator", Align::Left), ("mutants", Align::Right), ("", Align::Left)]);
    for operator in &mutated.counts {
        columns.row([operator.name.into(), operator.n.to_string(), operator.summary.into()]);
    }
    let n_made: usize = mutated.counts.iter().map(|operator| operator.n).sum();
    let remark = if n_made > mutated.n_mutants { "what several operators make counts once" } else { "" };
    columns.row(["total".into(), mutated.n_mutants.to_string(), remark.into()]);
    columns.to_string()
}

fn settings(args: &Mutate) -> MutateSettings {
    MutateSettings {
        properties: args.properties,
        machine: args.machine,
        property: args.property.clone(),
        variable: args.variable.clone(),
        in_diff: args.in_diff.clone(),
        ignore: args.ignores.ignore.clone(),
        guard: args.guards.guard.clone(),
        visible_guards: args.guards.visible_guards,
        operators: args.operators.operators.clone(),
        exclude: args.operators.exclude.clone(),
        sample: args.sample,
        seed: args.seed,
        limits: console::limits(),
    }
}
