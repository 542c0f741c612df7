//! `specwright minimize`: the smallest suite that reaches what a suite reaches.

use crate::args::{Format, Minimize};
use crate::columns::{Align, Columns};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::{self, MinimizeDocument};
use specwright::minimize::Minimum;
use specwright::minimize::{Minimized, Size};
use specwright::suites::Suite;
use specwright::{Limits, MinimizeSettings, Session, suites};
use std::fmt::Write;

pub fn run(console: &mut Console, args: &Minimize) -> anyhow::Result<ExitCode> {
    let settings = settings(console, args);
    let reading = settings.goals.reading(args.model.reading_for(Some(&args.suite)));
    let mut session = Session::open(&args.model.path, &reading, console)?;
    let read = session.read_suite(&args.suite, args.mapping.as_deref(), console)?;
    let result = session.minimize(&read, &settings, console)?;
    match args.format {
        Format::Text => console.out(text(&result, &settings, &read.suite))?,
        Format::Json => {
            let document = MinimizeDocument::new(&result, &settings, &read.suite);
            console.document(document::json(&document)?)?;
        }
    }
    if let Some(path) = &args.out {
        suites::write(path, &result.model, &result.suite)?;
        console.note(format_args!("{} written to {}", count(result.suite.tests.len(), "test"), path.display()));
    }
    let why_open = console::why_stopped().filter(|_| args.synthesize || !result.minimum.is_optimal());
    if let Some(why) = why_open {
        console.warning(format_args!("{why}: a smaller suite may exist"));
    }
    Ok(match result.invalid_tests.is_empty() {
        false => ExitCode::Found,
        true if why_open.is_some() => ExitCode::Unknown,
        true => ExitCode::Good,
    })
}

fn settings(console: &Console, args: &Minimize) -> MinimizeSettings {
    MinimizeSettings {
        goals: (&args.goals).into(),
        objective: args.objective.into(),
        greedy: args.greedy,
        synthesize: args.synthesize,
        kill: args.kill.into(),
        limits: Limits { deadline: console.deadline(), ..args.limits.limits() },
    }
}

fn proof(minimum: &Minimum) -> String {
    let bound = minimum.bound;
    if minimum.is_optimal() {
        "optimal".into()
    } else {
        format!("not proved optimal: proven lower bound {bound}, a gap of {:.1} %", minimum.gap() * 100.0)
    }
}

fn text(result: &Minimized, settings: &MinimizeSettings, old: &Suite) -> String {
    let mut columns = Columns::new([("", Align::Left), ("tests", Align::Right), ("steps", Align::Right)]);
    let row = |name: &str, size: Size| [name.to_owned(), size.tests.to_string(), size.steps.to_string()];
    columns.row(row("before", result.before));
    columns.row(row("after", result.after));
    let what = format!("{:?}", settings.objective).to_lowercase();
    let mut text = format!("{columns}\n");
    let (cost, proof) = (result.minimum.cost, proof(&result.minimum));
    let _ = match result.changes {
        None => write!(text, "{cost} {what}, {proof}"),
        Some((cut, joined)) => {
            write!(
                text,
                "{cut} cut, {joined} joined to another test; without cutting and joining the minimum is {cost} {what}, {proof}"
            )
        }
    };
    let _ = writeln!(text, "; {} of {} goals covered, before and after", result.n_reached, result.n_goals);
    if !result.rejected.is_empty() {
        let _ = writeln!(text, "{} kept unchanged", count(result.rejected.len(), "negative test"));
    }
    let mut columns = Columns::new([("kept", Align::Left), ("steps", Align::Right), ("", Align::Left)]);
    for test in &result.suite.tests {
        let before = old.tests.iter().find(|old| old.name == test.name).map_or(0, |old| old.trace.n_steps());
        let now = test.trace.n_steps();
        let remark = match before.cmp(&now) {
            std::cmp::Ordering::Less => format!("{} more", now - before),
            std::cmp::Ordering::Equal => String::new(),
            std::cmp::Ordering::Greater => format!("{} fewer", before - now),
        };
        columns.row([test.name.clone(), now.to_string(), remark]);
    }
    format!("{text}\n{columns}")
}
