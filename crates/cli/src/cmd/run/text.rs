//! What became of tests, for people.

use crate::console::{BAD, Console, GOOD, Paint, QUIET, UNSURE};
use crate::diagnostics::count;
use specwright::BoundSuite;
use specwright::model::{Model, State};
use specwright::run::{Outcome, Report, Shrunk, Verdict};
use specwright::suites::{Suite, Test, write_text};
use std::collections::BTreeMap;

/// Lists what did not pass, and counts all.
pub(super) fn print(console: &mut Console, bound: &BoundSuite, report: &Report, shrink: bool) -> anyhow::Result<()> {
    let suite = &bound.read.suite;
    let mut errors: BTreeMap<(Option<usize>, &str), usize> = BTreeMap::new();
    for (index, outcome) in &report.outcomes {
        if outcome.verdict == Verdict::Pass && !console.verbose() {
            continue;
        }
        // A mistake of the adapter meets every test; it is printed for the first one.
        if outcome.verdict == Verdict::Error && !console.verbose() {
            let n_same = errors.entry((outcome.step, &outcome.message)).or_default();
            *n_same += 1;
            if *n_same > 1 {
                continue;
            }
        }
        let style = style(outcome.verdict);
        let word = outcome.verdict.word();
        let step = outcome.step.map(|step| format!("step {step}: ")).unwrap_or_default();
        let reason = if outcome.message.is_empty() { String::new() } else { format!(": {step}{}", outcome.message) };
        console.out(format_args!("{style}{word}{style:#}  {}{reason}\n", suite.tests[*index].name))?;
        if outcome.verdict != Verdict::Pass {
            let shows = &suite.tests[*index].shows;
            if !shows.is_empty() {
                console.out(format_args!("  {QUIET}{shows}{QUIET:#}\n"))?;
            }
            history(console, &bound.model, outcome)?;
        }
        for line in outcome.stderr_tail.lines() {
            console.out(format_args!("  {QUIET}stderr: {line}{QUIET:#}\n"))?;
        }
        if shrink && outcome.verdict == Verdict::Fail {
            shrunk(console, bound, &suite.tests[*index], outcome.shrunk.as_ref())?;
        }
    }
    for ((_, message), n_same) in errors.iter().filter(|(_, n_same)| **n_same > 1) {
        let others = count(n_same - 1, "more test");
        console.out(format_args!("{others} with the same error: {message}\n"))?;
    }
    console.out(summary(suite, report))?;
    let repeated: Vec<usize> = report.outcomes.iter().map(|(_, outcome)| outcome.n_runs).filter(|n| *n > 1).collect();
    if let Some(most) = repeated.iter().max() {
        let tests = if repeated.len() == 1 { "1 test was".into() } else { format!("{} tests were", repeated.len()) };
        console.out(format_args!("{tests} run up to {most} times: some faults show in some runs only\n"))?;
    }
    if !report.not_observed.is_empty() {
        let names: Vec<&str> = report.not_observed.iter().map(|var| bound.model[*var].name.as_str()).collect();
        console.out(format_args!("not observed (no answer of the program has them): {}\n", names.join(", ")))?;
    }
    Ok(())
}

/// The result of shrinking a test.
fn shrunk(console: &mut Console, bound: &BoundSuite, test: &Test, shrunk: Option<&Shrunk>) -> anyhow::Result<()> {
    let Some(shrunk) = shrunk else {
        return Ok(console.out("  not shrunk: it did not fail again\n")?);
    };
    let runs = count(shrunk.n_runs, "run");
    let limit = if shrunk.is_complete { "" } else { ", stopped at a limit" };
    if !shrunk.is_shorter() {
        let result = format!("  not shrunk: no shorter test was found that fails ({runs}{limit})\n");
        return Ok(console.out(result)?);
    }
    let (before, after) = (shrunk.n_before, shrunk.trace.states.len());
    console.out(format_args!(
        "  shrunk from {before} to {} ({runs}{limit}); the shorter test fails, too:\n",
        count(after, "state")
    ))?;
    let test = Test { expect: test.expect, ..Test::new(test.name.clone(), shrunk.trace.clone()) };
    let suite = Suite { tests: vec![test], goals: None, model_hash: None, ..bound.read.suite.clone() };
    for line in write_text(&bound.model, &suite).lines().skip(2) {
        console.out(format_args!("    {line}\n"))?;
    }
    Ok(())
}

pub(super) fn style(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Pass => GOOD,
        Verdict::Fail | Verdict::Error => BAD,
        Verdict::Inconclusive => UNSURE,
    }
}

/// The last exchanges; all of them if everything is wanted.
fn history(console: &mut Console, model: &Model, outcome: &Outcome) -> anyhow::Result<()> {
    const SHOWN: usize = 8;
    let n = outcome.history.len();
    let skipped = if console.verbose() { 0 } else { n.saturating_sub(SHOWN) };
    if skipped > 0 {
        console.out(format_args!("  {QUIET}… {}{QUIET:#}\n", count(skipped, "step")))?;
    }
    let mut before: Option<&State> = None;
    for (step, moment) in outcome.history.iter().enumerate() {
        if step >= skipped {
            let inputs = changed(model, before, &moment.inputs);
            let outputs = changed(model, None, &moment.outputs);
            console.out(format_args!("  {step:3}  {inputs} -> {outputs}\n"))?;
        }
        before = Some(&moment.inputs);
    }
    Ok(())
}

/// What is given, if it is not what it was.
fn changed(model: &Model, before: Option<&State>, state: &State) -> String {
    let given = model.vars().filter_map(|(id, var)| {
        let value = state.get(id)?;
        let is_new = before.is_none_or(|before| before.get(id) != Some(value));
        is_new.then(|| format!("{} = {}", var.name, model.show_of(id, value)))
    });
    let given: Vec<String> = given.collect();
    if given.is_empty() { ".".into() } else { given.join(", ") }
}

fn summary(suite: &Suite, report: &Report) -> String {
    let n = |verdict| report.count(verdict);
    let parts = [
        (n(Verdict::Pass), "passed"),
        (n(Verdict::Fail), "failed"),
        (n(Verdict::Error), "with errors"),
        (n(Verdict::Inconclusive), "inconclusive"),
        (report.not_run.len(), "not run"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let parts: Vec<String> = parts.collect();
    let verdicts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{}{verdicts}\n", count(suite.tests.len(), "test"))
}
