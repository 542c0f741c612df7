//! Generation: a test for every goal that has one, and a verdict for every goal that has none.
//!
//! A [`Run`] is all that is known so far: it can be written down at any time, and [`generate`] goes on from there as if
//! it had never stopped.

mod cover;
mod generator;
mod notes;
mod prefix;
mod run;
mod wander;

pub use prefix::is_prefix;
pub use run::{Run, outcome, word};
pub use wander::wander;

use crate::goal::Goal;
use generator::Generator;
use specwright_mc::{Answer, Symbolic};
use specwright_model::{Trace, Value, VarId};
use specwright_syntax::budget::Budget;
use std::ops::ControlFlow;

/// How to go from goals to tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// A shortest test for every goal; then duplicates and prefixes go. This is what Ammann and Black did.
    Each,
    /// A shortest test for every goal that no earlier test covers.
    #[default]
    Monitor,
    /// Tests are made longer, each time towards the nearest goals that are left, before a new one is started.
    Extend,
}

impl Strategy {
    /// All strategies with their names.
    pub const NAMED: [(&str, Strategy); 3] =
        [("each", Strategy::Each), ("monitor", Strategy::Monitor), ("extend", Strategy::Extend)];
}

/// How a counterexample looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As short as any, and no step more.
    #[default]
    Minimal,
    /// As SMV explains it: it may go on after the violation. Only where such an execution shows the violation by
    /// itself; otherwise the minimal one is taken.
    SmvExplain,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to go from goals to tests.
    pub strategy: Strategy,
    /// How counterexamples look.
    pub style: Style,
    /// How many different tests each goal should have, if there are so many.
    pub tests_per_goal: usize,
    /// How many steps a test may be extended to. Where a goal takes more, its test is longer.
    pub max_length: Option<usize>,
    /// Whether a test is superfluous if another one starts with it but for the inputs in its last state, and covers
    /// what it covers.
    pub ignore_last_inputs: bool,
    /// The values of these variables are preferred in this order among tests of equal length.
    pub ties: Vec<(VarId, Vec<Value>)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            style: Style::default(),
            tests_per_goal: 1,
            max_length: None,
            ignore_last_inputs: false,
            ties: Vec::new(),
        }
    }
}

/// Decides all goals that the run has not decided yet, and makes tests for them.
///
/// The observer sees the run after every decision and may stop it. An interrupted engine or a spent budget stops it, too;
/// the run is then what is known. The answer says whether everything was done.
pub fn generate(
    engine: &mut Symbolic,
    goals: &[Goal],
    options: &Options,
    run: &mut Run,
    observe: &mut dyn FnMut(&mut Symbolic, &Run) -> ControlFlow<()>,
) -> ControlFlow<()> {
    assert_eq!(run.outcomes.len(), goals.len(), "a run belongs to its goals");
    engine.set_preference(options.ties.clone());
    let Ok(mut generator) = Budget::run(|| Generator::new(engine, goals, options, run, observe)) else {
        return ControlFlow::Break(());
    };
    let result = Budget::run(|| {
        generator.all()?;
        generator.annotate();
        ControlFlow::Continue(())
    });
    let result = result.unwrap_or(ControlFlow::Break(()));
    if result.is_break() {
        generator.conclude();
    }
    engine.set_preference(Vec::new());
    result
}

/// What becomes of each goal on its own, as with [`Strategy::Each`] but with nothing joined: for those who want to see
/// every counterexample. The observer, who is told how many goals are done, may stop it: the rest is undecided.
pub fn each(
    engine: &mut Symbolic,
    goals: &[Goal],
    options: &Options,
    observe: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Vec<Answer<Trace>> {
    engine.set_preference(options.ties.clone());
    let mut run = Run::new(goals.len());
    let mut go_on = |_: &mut Symbolic, _: &Run| ControlFlow::Continue(());
    let mut generator = Generator::new(engine, goals, options, &mut run, &mut go_on);
    let mut answers = Vec::with_capacity(goals.len());
    for goal in 0..goals.len() {
        let answer = generator.answer(goal);
        let stopped = answer.is_interrupted();
        answers.push(answer);
        if stopped || observe(goal + 1).is_break() {
            break;
        }
    }
    engine.set_preference(Vec::new());
    answers.resize(goals.len(), Answer::INTERRUPTED);
    answers
}
