//! `specwright generate`: a suite of tests that is adequate for a criterion.

mod folder;
mod summary;
pub(super) mod wanted;

use crate::args::{Format, Generate};
use crate::cmd::{goals, winnow};
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use crate::load;
use folder::Folder;
use specwright_engine::Engine;
use specwright_testgen::criteria;
use specwright_testgen::generate::{Run, each, generate};
use specwright_testgen::goal::{Goal, Status};
use std::ops::ControlFlow;

pub fn run(console: &mut Console, args: &Generate) -> anyhow::Result<ExitCode> {
    let mut loaded = match load::load_unevaluated(console, &args.model.with_goals(&args.goals)) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let tests_wanted = wanted::tests(&loaded.model, args)?;
    let goals_wanted = match goals::wanted(console, &mut loaded, &args.goals, args.model.dialect)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    console::catch_interrupts();
    let mut engine = match load::engine(console, &loaded, &args.limits.options()) {
        Ok(engine) => engine,
        Err(code) => return Ok(code),
    };
    let mut progress = console.progress(1);
    let explored = engine.explore(&mut |ring| progress.at(0, &format!("reachable states, {ring} steps deep")));
    progress.finish();
    if let Err(limit) = explored {
        console.error(format_args!("{}: {limit} before all reachable states were known", loaded.model.name));
        return Ok(ExitCode::Unknown);
    }
    let (goals, notes) = criteria::collect(&mut engine, &goals_wanted);
    goals::tell(console, &loaded.sources, &notes);
    let Some(goals) = winnowed(console, &mut engine, goals, args) else {
        console.warning("interrupted");
        return Ok(ExitCode::Unknown);
    };

    let settings = wanted::settings(args);
    let mut folder = Folder::new(args.out.as_deref(), &loaded, settings)?;
    let mut run = if args.resume { folder.resume(engine.model(), &goals)? } else { Run::new(goals.len()) };
    let mut progress = console.progress(goals.len());
    let mut failure = None;
    let result = generate(&mut engine, &goals, &tests_wanted, &mut run, &mut |engine, run| {
        let counts = run.counts();
        let what = format!("{} covered, {} tests", counts.covered, run.tests.len());
        progress.at(run.n_decided(), &what);
        if let Err(error) = folder.save_now_and_then(engine.model(), &goals, run) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        if console::interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    if let Some(error) = failure {
        return Err(error);
    }
    folder.save(engine.model(), &goals, &run, result.is_continue())?;
    let summary = summary::Summary::new(&loaded.model, &goals, &run, args, result.is_continue());
    match args.format {
        Format::Text => console.out(summary.text(console.verbose()))?,
        Format::Json => console.out(format_args!("{}\n", serde_json::to_string_pretty(&summary)?))?,
    }
    console.flush()?;
    if result.is_break() {
        let how = if folder.can_resume() { ": `--resume` goes on from here" } else { "" };
        console.warning(format_args!("interrupted{how}"));
        return Ok(ExitCode::Unknown);
    }
    Ok(if run.counts().unknown > 0 { ExitCode::Unknown } else { ExitCode::Good })
}

/// Leaves out the goals that the user does not want tests for. Nothing if it was interrupted.
fn winnowed(console: &mut Console, engine: &mut Engine, goals: Vec<Goal>, args: &Generate) -> Option<Vec<Goal>> {
    let which = winnow::which(&args.winnow);
    if which == winnow::Wanted::default() {
        return Some(goals);
    }
    let mut progress = console.progress(goals.len());
    let statuses = each(engine, &goals, &specwright_testgen::generate::Options::default(), &mut |done| {
        progress.at(done, "goals looked at");
        if console::interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    let statuses = statuses?;
    let feasible: Vec<usize> = (0..goals.len()).filter(|goal| matches!(statuses[*goal], Status::Covered(_))).collect();
    let found = winnow::winnow(console, engine, &goals, &feasible, &[], which, args.duplicates);
    let consistent = |status: &Status| matches!(status, Status::Infeasible | Status::Nonfalsifiable);
    let counts = |goal: usize| found.chaff[goal].is_none() && !(which.consistent && consistent(&statuses[goal]));
    let n_before = goals.len();
    let goals: Vec<Goal> =
        goals.into_iter().enumerate().filter(|(index, _)| counts(*index)).map(|(_, goal)| goal).collect();
    console.note(format_args!("{} of {} goals are left after winnowing", goals.len(), n_before));
    Some(goals)
}
