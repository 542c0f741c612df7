//! Goals: what a test is to expose. Every criterion, from mutants to MC/DC, comes down to these.

use specwright_engine::{Engine, Pursuit, Reason};
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

    /// Asks an engine for an execution that does it.
    pub fn pursue(self, engine: &mut Engine) -> Pursuit {
        match self {
            Target::Falsify(formula) => engine.falsify(formula),
            Target::Reach(expr) => engine.reach(expr),
            Target::Show(formula) => engine.show(formula),
        }
    }
}

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
