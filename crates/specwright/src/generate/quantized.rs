//! Goals that a quantized model leaves open are searched among all values.

use super::settings::GenerateSettings;
use super::subject::Subject;
use crate::events::Events;
use crate::words::count;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, BuildError, Reason, Symbolic};
use specwright_model::Model;
use specwright_testgen::generate::{Options, Run, generate};
use std::ops::ControlFlow;

/// Decides what is still open in a run on the whole model. Says whether it was not interrupted.
pub(super) fn with_all_values(
    events: &mut dyn Events,
    whole: &Model,
    subject: &Subject,
    run: &mut Run,
    wanted: &Options,
    settings: &GenerateSettings,
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
    events.note(format_args!("--quantize: {} searched among all values", count_are(n_open)));
    let options = settings.limits.options();
    let mut engine = match Symbolic::new(whole.system.clone(), &options) {
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
    let mut progress = events.progress(1);
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
    let mut progress = events.progress(goals.len());
    let result = generate(&mut engine, goals, wanted, run, &mut |_, run| {
        progress.at(run.n_decided(), &format!("{} covered, {} tests", run.counts().covered, run.tests.len()));
        settings.go_on()
    });
    progress.finish();
    result
}

fn count_are(n_goals: usize) -> String {
    format!("{} {}", count(n_goals, "goal"), if n_goals == 1 { "is" } else { "are" })
}
