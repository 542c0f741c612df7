//! `specwright compare`: mutation operators, criteria or sets of properties, side by side.

mod text;

use crate::args::{Compare, Format};
use crate::cmd::merge;
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::compare::Comparing;
use specwright::document::{self, CompareDocument};
use specwright::shard::Sharding;
use specwright::{CompareSettings, Limits, Session};

pub fn run(console: &mut Console, args: &Compare) -> anyhow::Result<ExitCode> {
    run_as(console, args, args.shards.sharding()?)
}

/// The command as a whole, or as a shard of it.
pub(super) fn run_as(console: &mut Console, args: &Compare, sharding: Sharding) -> anyhow::Result<ExitCode> {
    let settings = CompareSettings { sharding, ..settings(console, args) };
    let session = Session::open(&args.model.path, &settings.reading((&args.model.reading).into()), console)?;
    let compared = match session.compare(&settings, console)? {
        Comparing::Done(compared) => compared,
        Comparing::Decided(decided) => return merge::decided(console, &settings.sharding, decided),
    };
    match args.format {
        Format::Text => console.out(text::text(&compared))?,
        Format::Json => console.document(document::json(&CompareDocument::new(&compared))?)?,
    }
    let n_unknown = compared.found.n_unknown;
    if let Some(why) = console::why_stopped() {
        let open = match n_unknown {
            0 => "not all duplicates were found".into(),
            n => format!("{} not decided", count(n, "goal")),
        };
        console.warning(format_args!("{why}: {open}"));
    }
    Ok(if n_unknown > 0 || console::interrupted() { ExitCode::Unknown } else { ExitCode::Good })
}

fn settings(console: &Console, args: &Compare) -> CompareSettings {
    CompareSettings {
        operators: args.operators.clone(),
        criteria: args.criteria.clone(),
        set: args.set.clone(),
        properties: args.properties.into(),
        relate: args.relate.into(),
        guard: args.guards.guard.clone(),
        visible_guards: args.guards.visible_guards,
        duplicates: args.duplicates.into(),
        style: args.traces.style.into(),
        ignore_last_inputs: args.traces.ignore_last_inputs,
        tie: args.traces.tie.clone(),
        sharding: Sharding::Whole,
        limits: Limits { deadline: console.deadline(), ..args.limits.limits() },
    }
}
