//! `specwright generate`: a suite of tests that is adequate for a criterion.

mod contradictions;
mod focused;
mod folder;
mod journal;
mod quantized;
mod search;
mod subject;
mod summary;
pub(super) mod wanted;

use crate::args::{Format, Generate};
use crate::cmd::{goals, winnow};
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use crate::focus;
use crate::load;
use folder::Folder;
use specwright_mc::{Answer, Proof, Search, Symbolic};
use specwright_model::Trace;
use specwright_testgen::focus::{Quantized, is_outside};
use specwright_testgen::generate::{Options, Run, generate};
use specwright_testgen::goal::Goal;
use std::ops::ControlFlow;

pub fn run(console: &mut Console, args: &Generate) -> anyhow::Result<ExitCode> {
    let mut loaded = match load::load_unevaluated(console, &args.model.with_goals(&args.goals)) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let tests_wanted = wanted::tests(&loaded.model, args)?;
    let mut goals_wanted = match goals::wanted(console, &mut loaded, &args.goals, args.model.reading.dialect)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    let mut quantized = if args.quantize {
        focus::quantize(console, &mut loaded.model, &args.focus)
    } else {
        focus::advise(console, &loaded.model);
        None
    };
    goals_wanted.quantized.clone_from(&quantized);
    let (mut subject, mut engine) = match subject::prepare(console, &mut loaded, goals_wanted, &tests_wanted, args) {
        Ok(prepared) => prepared,
        Err(code) => return Ok(code),
    };
    let mut goals = subject.goals.clone();
    let ignored = goals::leave_out(console, &mut goals, &args.goals)?;
    let Some(goals) = winnowed(console, engine.as_mut(), goals, args) else {
        let why = console::why_stopped().unwrap_or("stopped");
        console.warning(format_args!("{why} before it was known which goals are left"));
        return Ok(ExitCode::Unknown);
    };
    subject.retain(goals);

    let known = subject.take_run();
    // Tests are those of the whole model with all its values.
    let searched = engine.as_ref().filter(|_| subject.is_whole()).map_or(&loaded.model, Symbolic::model).clone();
    let mut shown = searched.clone();
    if let Some(quantized) = &mut quantized {
        quantized.clone().exchange(&mut loaded.model);
        quantized.exchange(&mut shown);
    }
    let leave = |run: &Run| {
        let run = subject.leave(&searched, run);
        let whole = |quantized: &Quantized| quantized.lift(&shown, subject.whole_goals(), &run);
        quantized.as_ref().map(whole).unwrap_or(run)
    };
    let enter = |run: Run| match &quantized {
        Some(quantized) => subject.enter(quantized.project(run)),
        None => subject.enter(run),
    };
    let settings = wanted::settings(args);
    let folder = Folder::new(args.out.as_deref(), &loaded, settings, ignored)?;
    let goals = subject.goals.clone();
    let finished = if args.resume { folder.finished(&shown, subject.whole_goals())? } else { None };
    let fresh = finished.map_or(known, enter);
    let inner = engine.as_ref().map_or(&searched, Symbolic::model).clone();
    let (mut journal, mut run) = folder.journal(&inner, &goals, args.resume, fresh)?;
    let mut progress = console.progress(goals.len());
    let mut failure = None;
    let mut observe = |search: &mut dyn Search, run: &Run| {
        if progress.is_seen() {
            let what = format!("{} covered, {} tests", run.counts().covered, run.tests.len());
            progress.at(run.n_decided(), &what);
        }
        if let Some(Err(error)) = journal.as_mut().map(|journal| journal.decided(search, run)) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        stop_if_interrupted()
    };
    let mut result = match &mut engine {
        Some(engine) => generate(engine, &goals, &tests_wanted, &mut run, &mut observe),
        None if run.n_decided() < goals.len() => stop_if_interrupted(),
        None => ControlFlow::Continue(()),
    };
    progress.finish();
    if let Some(error) = failure {
        return Err(error);
    }
    if let (Some(focused), Some(engine)) = (&subject.focused, &mut engine)
        && result.is_continue()
        && !focused.look_beyond(console, engine, subject.part(&searched), &mut run, &args.limits.options())
    {
        result = ControlFlow::Break(());
    }
    run = leave(&run);
    if quantized.is_some() && result.is_continue() {
        result = quantized::with_all_values(console, &shown, &subject, &mut run, &tests_wanted, args);
    }
    folder.save(&shown, subject.whole_goals(), &run, result.is_continue())?;
    let mut summary = summary::Summary::new(&loaded.model, &goals, &run, args, result.is_continue());
    let stopped = contradictions::find(&shown, subject.whole_goals(), &run, &args.limits.options());
    summary.inconsistent = contradictions::entries(&loaded.sources, &shown, subject.whole_goals(), &stopped);
    match args.format {
        Format::Text => {
            console.out(summary.text(console.verbose()))?;
            contradictions::print(console, &loaded.sources, &shown, subject.whole_goals(), &stopped)?;
        }
        Format::Json => console.document(format_args!("{}\n", serde_json::to_string_pretty(&summary)?))?,
    }
    console.flush()?;
    if result.is_break() {
        let how = if folder.can_resume() { ": `--resume` goes on from here" } else { "" };
        let why = console::why_stopped().unwrap_or("stopped");
        console.warning(format_args!("{why}{how}"));
        return Ok(ExitCode::Unknown);
    }
    if !stopped.is_empty() {
        return Ok(ExitCode::Found);
    }
    // What lies outside of the focus is not what was asked for.
    let open =
        |outcome: &Option<Answer<()>>| matches!(outcome, Some(Answer::Undecided(_))) && !is_outside(outcome.as_ref());
    Ok(if run.outcomes.iter().any(open) { ExitCode::Unknown } else { ExitCode::Good })
}

fn stop_if_interrupted() -> ControlFlow<()> {
    if console::interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Leaves out the goals that the user does not want tests for. Nothing if it was interrupted.
fn winnowed(
    console: &mut Console,
    engine: Option<&mut Symbolic>,
    goals: Vec<Goal>,
    args: &Generate,
) -> Option<Vec<Goal>> {
    let which = winnow::which(&args.winnow);
    let Some(engine) = engine.filter(|_| which != winnow::Wanted::default()) else { return Some(goals) };
    let mut progress = console.progress(goals.len());
    // Few tests show of most goals that they can be reached, and tell many of them apart.
    let mut run = Run::new(goals.len());
    let result = generate(engine, &goals, &Options::default(), &mut run, &mut |_, run| {
        progress.at(run.n_decided(), "goals looked at");
        stop_if_interrupted()
    });
    progress.finish();
    if result.is_break() {
        return None;
    }
    let is = |goal: usize, outcome: &Answer<()>| run.outcomes[goal].as_ref() == Some(outcome);
    let feasible: Vec<usize> = (0..goals.len()).filter(|goal| is(*goal, &Answer::Found(()))).collect();
    let known: Vec<Trace> = run.tests.iter().map(|test| test.trace.clone()).collect();
    let found = winnow::winnow(console, engine, &goals, &feasible, &known, which, args.duplicates);
    // What a contradiction stops is a finding, and stays.
    let consistent = |goal: usize| {
        is(goal, &Answer::Impossible(Proof::Infeasible)) || is(goal, &Answer::Impossible(Proof::Nonfalsifiable))
    };
    let counts = |goal: usize| found.redundant[goal].is_none() && !(which.consistent && consistent(goal));
    let n_before = goals.len();
    let goals: Vec<Goal> =
        goals.into_iter().enumerate().filter(|(index, _)| counts(*index)).map(|(_, goal)| goal).collect();
    console.note(format_args!("{} of {} goals are left after winnowing", goals.len(), n_before));
    Some(goals)
}
