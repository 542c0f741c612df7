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
    /// Those of LTL, which also speaks of compassion.
    ltl: Bits,
    compassion: bool,
}

impl Cover {
    pub(super) fn new(model: &Model, goals: &[Goal]) -> Cover {
        let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        let (mut temporal, mut ltl) = (Bits::new(goals.len()), Bits::new(goals.len()));
        for (index, goal) in goals.iter().enumerate() {
            let (Target::Falsify(formula) | Target::Show(formula)) = goal.target else { continue };
            if model.mentions(formula, |node| logic(node).is_some()) {
                temporal.insert(index);
            }
            if model.mentions(formula, |node| logic(node) == Some(Logic::Ltl)) {
                ltl.insert(index);
            }
        }
        Cover { grader, temporal, ltl, compassion: !model.compassion.is_empty() }
    }

    /// The goals that an execution covers. Those that only the engine could tell are not among them.
    pub(super) fn of(&mut self, engine: &mut Engine, trace: &Trace) -> Bits {
        let mut covered = self.grader.reached(engine.model(), trace);
        if trace.loop_start.is_none() && !self.temporal.is_empty() {
            let n_fair = engine.n_fair(trace).unwrap_or(0);
            if n_fair < trace.states.len() {
                covered.subtract(&self.temporal);
                if n_fair > 0 {
                    let fair = self.prefix(engine.model(), trace, n_fair);
                    fair.iter().filter(|goal| self.temporal.contains(*goal)).for_each(|goal| covered.insert(goal));
                }
            }
        }
        if self.compassion {
            covered.subtract(&self.ltl);
        }
        covered
    }

    /// The goals that the first states of an execution cover, fair or not.
    fn prefix(&mut self, model: &Model, trace: &Trace, n: usize) -> Bits {
        let start = Trace { states: trace.states[..n].to_vec(), loop_start: None };
        self.grader.reached(model, &start)
    }
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
