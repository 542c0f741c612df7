//! Which goals an execution covers, judged as the engine judges them.

use crate::goal::{Goal, Target};
use crate::grade::{Bits, Grader, Quantifiers};
use specwright_engine::Engine;
use specwright_model::op::Logic;
use specwright_model::{Model, Node, Trace};

/// Says which goals executions cover.
///
/// Unlike a grade, it never counts what one execution cannot show, and formulas only where something fair can follow:
/// otherwise a goal could be covered that the engine proves infeasible.
pub(super) struct Cover {
    grader: Grader,
    /// The goals that speak of infinite fair paths.
    temporal: Bits,
    /// Those that only the engine can judge: of LTL, where there is compassion.
    beyond: Bits,
    /// The executions that the grader keeps.
    kept: Vec<Kept>,
    /// Whether the engine could not say which states are fair.
    is_at_a_loss: bool,
}

/// An execution that is kept: all of a test, or as much of it as something fair can follow.
#[derive(Clone, Copy)]
struct Kept {
    test: usize,
    /// Whether goals that speak of fair paths are judged by it, and whether others are.
    temporal: bool,
    plain: bool,
}

impl Cover {
    pub(super) fn new(model: &Model, goals: &[Goal]) -> Cover {
        let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        let (mut temporal, mut beyond) = (Bits::new(goals.len()), Bits::new(goals.len()));
        for (index, goal) in goals.iter().enumerate() {
            let (Target::Falsify(formula) | Target::Show(formula)) = goal.target else { continue };
            if model.mentions(formula, |node| logic(node).is_some()) {
                temporal.insert(index);
            }
            if !model.compassion.is_empty() && model.mentions(formula, |node| logic(node) == Some(Logic::Ltl)) {
                beyond.insert(index);
            }
        }
        Cover { grader, temporal, beyond, kept: Vec::new(), is_at_a_loss: false }
    }

    /// The goals that an execution covers. Those that only the engine could tell are not among them.
    pub(super) fn of(&mut self, engine: &mut Engine, trace: &Trace) -> Bits {
        let mut covered = self.grader.reached(engine.model(), trace);
        let n_fair = self.n_fair(engine, trace);
        if n_fair < trace.states.len() {
            covered.subtract(&self.temporal);
            if n_fair > 0 {
                let fair = self.grader.reached(engine.model(), &prefix(trace, n_fair));
                fair.iter().filter(|goal| self.temporal.contains(*goal)).for_each(|goal| covered.insert(goal));
            }
        }
        covered.subtract(&self.beyond);
        covered
    }

    /// Keeps the execution of a test, so that goals can be judged by it later.
    pub(super) fn keep(&mut self, engine: &mut Engine, test: usize, trace: &Trace) {
        let n_fair = self.n_fair(engine, trace);
        let is_fair = n_fair == trace.states.len();
        self.grader.keep(engine.model(), trace);
        self.kept.push(Kept { test, temporal: is_fair, plain: true });
        if !is_fair && n_fair > 0 {
            self.grader.keep(engine.model(), &prefix(trace, n_fair));
            self.kept.push(Kept { test, temporal: true, plain: false });
        }
    }

    /// Whether so many executions are kept that it is time to forget them.
    pub(super) fn is_full(&self) -> bool {
        self.grader.is_full()
    }

    /// Forgets what is kept; says which tests these were.
    pub(super) fn forget(&mut self) -> Vec<usize> {
        self.grader.forget();
        let mut tests: Vec<usize> = self.kept.drain(..).map(|kept| kept.test).collect();
        tests.dedup();
        tests
    }

    /// Whether an execution that is kept covers a goal.
    pub(super) fn is_covered(&mut self, goal: usize) -> bool {
        let mut found = false;
        self.each_test(goal, |_| {
            found = true;
            false
        });
        found
    }

    /// Names the tests whose executions are kept and cover a goal, until somebody has heard enough.
    pub(super) fn each_test(&mut self, goal: usize, mut goes_on: impl FnMut(usize) -> bool) {
        if self.beyond.contains(goal) {
            return;
        }
        let (kept, temporal) = (&self.kept, self.temporal.contains(goal));
        self.grader.each_kept(goal, |trace| {
            let Kept { test, temporal: for_temporal, plain } = kept[trace];
            let counts = if temporal { for_temporal } else { plain };
            !counts || goes_on(test)
        });
    }

    /// How many states at the start of an execution have something fair after them, as far as any goal asks for that.
    fn n_fair(&mut self, engine: &mut Engine, trace: &Trace) -> usize {
        if trace.loop_start.is_some() || self.temporal.is_empty() {
            return trace.states.len();
        }
        if self.is_at_a_loss {
            return 0;
        }
        let n_fair = engine.n_fair(trace);
        self.is_at_a_loss = n_fair.is_err();
        n_fair.unwrap_or(0)
    }
}

/// The first states of an execution.
fn prefix(trace: &Trace, n: usize) -> Trace {
    Trace { states: trace.states[..n].to_vec(), loop_start: None }
}

fn logic(node: &Node) -> Option<Logic> {
    match node {
        Node::Unary(op, _) => op.logic(),
        Node::Binary(op, ..) => op.logic(),
        Node::Bounded(op, ..) => Some(op.logic()),
        Node::BoundedUntil(..) => Some(Logic::Ctl),
        _ => None,
    }
}
