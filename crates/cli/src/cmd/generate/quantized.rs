//! Goals that a quantized model leaves open are looked for among all values.

use super::stop_if_interrupted;
use super::subject::Subject;
use crate::args::Generate;
use crate::console::Console;
use crate::diagnostics::count;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, BuildError, Reason, Symbolic};
use specwright_model::Model;
use specwright_testgen::generate::{Options, Run, generate};
use std::ops::ControlFlow;

/// Decides what is still open in a run on the whole model. Says whether it was not interrupted.
pub(super) fn with_all_values(
    console: &mut Console,
    whole: &Model,
    subject: &Subject,
    run: &mut Run,
    wanted: &Options,
    args: &Generate,
) -> ControlFlow<()> {
    let n_open = run.outcomes.len() - run.n_decided();
    if n_open == 0 {
        return ControlFlow::Continue(());
    }
    let give_up = |run: &mut Run, why: Reason| {
        let open = run.outcomes.iter_mut().filter(|outcome| outcome.is_none());
        open.for_each(|outcome| *outcome = Some(Answer::Undecided(why.clone())));
    };
    if subject.focused.is_some() {
        give_up(run, Reason::OtherValues);
        return ControlFlow::Continue(());
    }
    console.note(format_args!("--quantize: {} looked for among all values", count_are(n_open)));
    let options = args.limits.options();
    let mut engine = match Symbolic::new(whole.clone(), &options) {
        Ok(engine) => engine,
        Err(error) => {
            let why = match error {
                BuildError::Limit(limit) => limit.into(),
                _ => Reason::OtherValues,
            };
            give_up(run, why);
            return ControlFlow::Continue(());
        }
    };
    let mut progress = console.progress(1);
    let explored = engine.explore(&mut |n| progress.exploring(n));
    progress.finish();
    match explored {
        Err(Limit::Interrupted) => return ControlFlow::Break(()),
        Err(limit) => {
            give_up(run, limit.into());
            return ControlFlow::Continue(());
        }
        Ok(()) => {}
    }
    let goals = subject.whole_goals();
    let mut progress = console.progress(goals.len());
    let result = generate(&mut engine, goals, wanted, run, &mut |_, run| {
        progress.at(run.n_decided(), &format!("{} covered, {} tests", run.counts().covered, run.tests.len()));
        stop_if_interrupted()
    });
    progress.finish();
    result
}

fn count_are(n_goals: usize) -> String {
    format!("{} {}", count(n_goals, "goal"), if n_goals == 1 { "is" } else { "are" })
}
