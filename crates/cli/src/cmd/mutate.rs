//! `specwright mutate`: the mutants of a model, counted, listed, or written to files.

use crate::args::{Format, Mutate};
use crate::cmd::merge;
use crate::columns::{Align, Columns};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::MutantsDocument;
use specwright::mutate::{Form, Made, Mutated, Rendered};
use specwright::shard::Sharding;
use specwright::{MutateSettings, Session, suites};
use std::ops::ControlFlow;

pub fn run(console: &mut Console, args: &Mutate) -> anyhow::Result<ExitCode> {
    run_as(console, args, args.shards.sharding()?)
}

/// The command as a whole, or as a shard of it.
pub(super) fn run_as(console: &mut Console, args: &Mutate, sharding: Sharding) -> anyhow::Result<ExitCode> {
    let settings = MutateSettings { sharding, ..settings(args) };
    let session = Session::open(&args.model.path, &settings.reading((&args.model.reading).into()), console)?;
    let mutating = session.mutate(&settings, console)?;
    let is_shard = matches!(settings.sharding, Sharding::Decide { .. });
    if let Some(folder) = args.out.as_ref().filter(|_| !is_shard) {
        suites::make_folder(folder)?;
    }
    let is_of_rules = mutating.is_of_rules();
    let form = Form { line: args.list, diff: args.diff, file: args.out.is_some(), entry: args.format == Format::Json };
    let mut document = form.entry.then(|| MutantsDocument::new(&mutating));
    if let Some(document) = document.as_ref().filter(|_| !is_shard) {
        console.document(document.begin()?)?;
    }
    let made = mutating.render(form, &mut |mutant| {
        tell(console, args, mutant, document.as_mut())?;
        let goes_on = if console.closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        anyhow::Ok(goes_on)
    })?;
    let mutated = match made {
        Made::All(mutated) => mutated,
        Made::Shard(decided) => return merge::decided(console, &settings.sharding, decided),
    };
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
fn tell(
    console: &mut Console,
    args: &Mutate,
    mutant: Rendered,
    document: Option<&mut MutantsDocument>,
) -> anyhow::Result<()> {
    if let Some(line) = mutant.line {
        console.out(line)?;
    }
    if let Some(diff) = mutant.diff {
        console.document(diff)?;
    }
    if let (Some(folder), Some((name, text))) = (&args.out, mutant.file) {
        suites::write_file(&folder.join(name), text)?;
    }
    if let (Some(document), Some(entry)) = (document, mutant.entry) {
        console.document(document.mutant(entry)?)?;
    }
    Ok(())
}

fn table(mutated: &Mutated) -> String {
    let mut columns = Columns::new([("operator", Align::Left), ("mutants", Align::Right), ("", Align::Left)]);
    for operator in &mutated.counts {
        columns.row([operator.name.into(), operator.n.to_string(), operator.summary.into()]);
    }
    let n_made: usize = mutated.counts.iter().map(|operator| operator.n).sum();
    let remark = if n_made > mutated.n_mutants { "a mutant of several operators counts once" } else { "" };
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
        sharding: Sharding::Whole,
    }
}
