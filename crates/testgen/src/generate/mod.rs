//! Test generation: a test for every feasible goal, and an answer for every other one.
//!
//! A [`Run`] is the state of generation: it can be saved at any time, and [`generate`] resumes it.

mod aim;
mod boundaries;
mod kill;
mod lift;
mod monitor;
mod names;
mod notes;
mod prefix;
mod random_walk;
mod state;
mod strategy;
mod visible;

pub use names::name_tests;
pub(crate) use names::slug;
pub use prefix::is_prefix;
pub use random_walk::random_walk;
pub use state::{Run, outcome, word};

use crate::goal::Goal;
use specwright_mc::{Answer, Kill, Query, Search, Sink, answer_each};
use specwright_model::{Trace, Value, VarId};
use specwright_syntax::budget::Budget;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use strategy::Generation;

/// Strategies of generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// A shortest test for every goal, then removal of duplicates and prefixes, as by Ammann and Black.
    Each,
    /// A shortest test for every goal that no earlier test covers.
    #[default]
    Monitor,
    /// Tests are extended, each time towards the nearest uncovered goals, before a new one is started.
    Extend,
}

impl Strategy {
    /// All strategies with their names.
    pub const NAMED: [(&str, Strategy); 3] =
        [("each", Strategy::Each), ("monitor", Strategy::Monitor), ("extend", Strategy::Extend)];
}

/// Styles of counterexamples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A shortest one.
    #[default]
    Minimal,
    /// In the style of SMV's explanations, which may go on after the violation. Only if such an execution shows the
    /// violation by itself; otherwise the minimal one.
    SmvExplain,
}

/// Options of generation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The strategy.
    pub strategy: Strategy,
    /// The style of counterexamples.
    pub style: Style,
    /// Number of different tests that each goal should have, if they exist.
    pub tests_per_goal: usize,
    /// Maximal number of steps to which a test is extended. A goal that needs more gets a longer test.
    pub max_length: Option<usize>,
    /// Variables that do not count in the last state of a test, such as its inputs: a test is superfluous if it is a
    /// prefix of another one but for these, and the other one covers its goals.
    pub ignored_at_end: Vec<VarId>,
    /// The preferred order of values of variables, among tests of equal length.
    pub ties: Vec<(VarId, Vec<Value>)>,
    /// The budget of each query.
    pub budget: Budget,
    /// Answers to mutants of the machine that are known, by the numbers of their goals.
    pub kills: BTreeMap<usize, Answer<Kill>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            style: Style::default(),
            tests_per_goal: 1,
            max_length: None,
            ignored_at_end: Vec::new(),
            ties: Vec::new(),
            budget: Budget::default(),
            kills: BTreeMap::new(),
        }
    }
}

/// Decides all open goals of a run and generates tests for them.
///
/// The observer is called after every decision and may stop the run. An interrupted engine or a spent budget stops it,
/// too; the run then has the results so far. Returns whether all goals were decided.
pub fn generate(
    search: &mut dyn Search,
    goals: &[Goal],
    options: &Options,
    run: &mut Run,
    observe: &mut dyn FnMut(&mut dyn Search, &Run) -> ControlFlow<()>,
) -> ControlFlow<()> {
    assert_eq!(run.outcomes.len(), goals.len(), "a run belongs to its goals");
    search.set_preference(options.ties.clone());
    let Ok(mut generation) = Budget::run(|| Generation::new(search.system(), goals, options, run, observe)) else {
        return ControlFlow::Break(());
    };
    let result = Budget::run(|| {
        generation.all(search)?;
        generation.annotate(search.system());
        ControlFlow::Continue(())
    });
    let result = result.unwrap_or(ControlFlow::Break(()));
    if result.is_break() {
        generation.conclude();
    }
    search.set_preference(Vec::new());
    result
}

/// Takes the answers to goals on their own.
struct Alone<'a, 'g> {
    generation: &'a Generation<'g>,
    answers: Vec<Answer<Trace>>,
    observe: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
}

impl Sink for Alone<'_, '_> {
    fn is_open(&mut self, goal: usize) -> bool {
        goal >= self.answers.len()
    }

    fn answer(&mut self, search: &mut dyn Search, goal: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        let answer = self.generation.alone(search, goal, answer);
        let is_interrupted = answer.is_interrupted();
        self.answers.push(answer);
        if is_interrupted { ControlFlow::Break(()) } else { (self.observe)(goal + 1) }
    }
}

/// The status of each goal on its own, as with [`Strategy::Each`] but without merging tests. The observer, who gets the
/// number of processed goals, may stop it; the remaining goals are then undecided.
pub fn each(
    search: &mut dyn Search,
    goals: &[Goal],
    options: &Options,
    observe: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Vec<Answer<Trace>> {
    search.set_preference(options.ties.clone());
    let mut run = Run::new(goals.len());
    let mut go_on = |_: &mut dyn Search, _: &Run| ControlFlow::Continue(());
    let generation = Generation::new(search.system(), goals, options, &mut run, &mut go_on);
    let queries: Vec<Query> = goals.iter().map(|goal| goal.target).collect();
    let mut alone = Alone { generation: &generation, answers: Vec::with_capacity(goals.len()), observe };
    let _ = answer_each(search, &queries, &options.budget, &mut alone);
    let mut answers = alone.answers;
    search.set_preference(Vec::new());
    answers.resize(goals.len(), Answer::INTERRUPTED);
    answers
}
