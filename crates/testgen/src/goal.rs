//! Goals: what a test is to expose. Every criterion, from mutants to MC/DC, comes down to these.

use crate::pair::Pair;
use specwright_mc::{Pursuit, Reason, Symbolic};
use specwright_model::{ExprId, Trace};
use specwright_syntax::span::Span;

/// One thing that a test can expose.
#[derive(Clone, Debug)]
pub struct Goal {
    /// A stable name: the same goal of the same specification has the same one tomorrow.
    pub id: String,
    /// The criterion that asks for it, such as `mutation` or `mcdc`.
    pub criterion: &'static str,
    /// What it is counted under within its criterion, such as the operators that made a mutant; at least one.
    pub groups: Vec<String>,
    /// What it is, in one line for people.
    pub description: String,
    /// The place in the specification that it is about.
    pub span: Span,
    /// The property that it was made from, counted from 0 in the model.
    pub property: Option<usize>,
    /// What has to happen.
    pub target: Target,
    /// The pair that it is a half of, if it counts only along with another goal.
    pub pair: Option<Pair>,
    /// When that is called for, but updates contradict each other, so that the step does not exist: a truth value of a
    /// state. A goal that only this stops is a finding.
    pub contradiction: Option<ExprId>,
}

impl Goal {
    /// Whether its target is one of several that would do and was chosen without looking at the others: then it proves
    /// nothing that no execution does it.
    pub fn is_guess(&self) -> bool {
        self.pair.as_ref().is_some_and(|pair| !pair.settled)
    }

    /// Whether a contradiction is all that stops a goal which no execution reaches.
    pub(crate) fn is_stopped(&self, engine: &mut Symbolic) -> Pursuit {
        self.contradiction.map_or(Pursuit::Infeasible, |when| engine.reach(when))
    }
}

/// What an execution has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Show that a formula of CTL or LTL, or an invariant, is false.
    Falsify(ExprId),
    /// Reach a state in which an expression holds, or take such a step, if it speaks of inputs or next values.
    Reach(ExprId),
    /// Show that a formula is true: a way of existential CTL, or of LTL.
    Show(ExprId),
}

impl Target {
    /// What it is about.
    pub fn expr(self) -> ExprId {
        match self {
            Target::Falsify(expr) | Target::Reach(expr) | Target::Show(expr) => expr,
        }
    }

    /// The same about another expression.
    #[must_use]
    pub fn with(self, expr: ExprId) -> Target {
        match self {
            Target::Falsify(_) => Target::Falsify(expr),
            Target::Reach(_) => Target::Reach(expr),
            Target::Show(_) => Target::Show(expr),
        }
    }

    /// Asks an engine for an execution that does it.
    pub fn pursue(self, engine: &mut Symbolic) -> Pursuit {
        match self {
            Target::Falsify(formula) => engine.falsify(formula),
            Target::Reach(expr) => engine.reach(expr),
            Target::Show(formula) => engine.show(formula),
        }
    }
}

/// Why nothing is known of a guess that has no execution.
pub const GUESSED: &str = "other pairs of executions were not looked at";

/// What became of a goal.
#[derive(Clone, Debug)]
pub enum Status {
    /// This execution does it.
    Covered(Trace),
    /// No execution does it: the mutant is consistent, the predicate unreachable.
    Infeasible,
    /// It is false, but no single execution shows that.
    Nonfalsifiable,
    /// Nobody knows.
    Unknown(Reason),
}
