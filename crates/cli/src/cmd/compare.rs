//! `specwright compare`: mutation operators, criteria or sets of properties, side by side.

mod document;
mod text;
mod ways;

use crate::args::{Compare, Format, PropertiesName, RelateHow};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::generate::tie;
use specwright::winnow::Duplicates;
use specwright::{Failure, ReadSettings, Session, goals};
use specwright_testgen::compare::{self, Comparison, Options, compare};
use specwright_testgen::generate::Options as Tests;
use specwright_testgen::minimize;
use specwright_testgen::pair::Ground;

pub fn run(console: &mut Console, args: &Compare) -> anyhow::Result<ExitCode> {
    let restates = args.set.is_empty() && args.properties != PropertiesName::Own;
    let shadows = restates && args.relate == RelateHow::Shadow;
    let reading = ReadSettings { shadows, mutants: ways::asks_for_rules(args), ..(&args.model.reading).into() };
    let session = Session::open(&args.model.path, &reading, console)?;
    let wanted = ways::wanted(&session.model, args)?;
    let ties = args.traces.tie.iter().map(|text| tie(&session.model, text)).collect::<Result<Vec<_>, Failure>>()?;
    let mut engine = session.engine(console, &args.limits.options())?;
    let (goals, ways, notes) = wanted.collect(&session.model, &mut engine);
    let mut goals = goals::require(console, &session.sources, &wanted.options, (goals, notes))?;
    goals::settle_pairs(console, Ground::Engine(&mut engine), &mut goals, &[]);
    let (sameness, ends) = Duplicates::from(args.duplicates).meaning();
    let options = Options {
        generate: Tests {
            style: args.traces.style.into(),
            ties,
            ignored_at_end: if args.traces.ignore_last_inputs { session.model.inputs() } else { Vec::new() },
            ..Tests::default()
        },
        sameness,
        ends,
        minimize: minimize::Options { greedy: false, deadline: console.deadline() },
    };
    let mut progress = console.progress(goals.len());
    let found = compare(&mut engine, &goals, &ways, &options, &mut |what, done| {
        progress.at(done, what);
        !console::interrupted()
    });
    progress.finish();
    match args.format {
        Format::Text => console.out(text::text(&found, wanted.kind))?,
        Format::Json => {
            let document = document::document(&session.model, &found, wanted.kind);
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    if let Some(why) = console::why_stopped() {
        let open = if found.n_unknown > 0 {
            format!("{} not decided", count(found.n_unknown, "goal"))
        } else {
            "not all duplicates were found".into()
        };
        console.warning(format_args!("{why}: {open}"));
    }
    Ok(if found.n_unknown > 0 || console::interrupted() { ExitCode::Unknown } else { ExitCode::Good })
}

/// The way that reaches most, with the fewest goals among equals.
fn best(found: &Comparison) -> Option<&compare::Row> {
    let rows = found.rows.iter().filter(|row| row.n_goals > 0 && row.coverage.total > 0);
    rows.max_by_key(|row| (row.coverage.reached, std::cmp::Reverse(row.n_goals)))
}

/// The way that reaches most for each of its goals.
fn best_per_goal(found: &Comparison) -> Option<&compare::Row> {
    let rows = found.rows.iter().filter(|row| row.n_goals > 0 && row.coverage.total > 0);
    rows.max_by(|a, b| (a.coverage.reached * b.n_goals).cmp(&(b.coverage.reached * a.n_goals)))
}
