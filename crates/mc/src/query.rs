//! Queries: what a search is asked for.

use specwright_model::model::VarKind;
use specwright_model::{ExprId, Node, TransitionSystem};

/// What an execution has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Query {
    /// Show that a formula of CTL or LTL, or an invariant, is false.
    Falsify(ExprId),
    /// Reach a state in which an expression holds, or take such a step if it mentions inputs or next values.
    Reach(ExprId),
    /// Show that a formula is true: a path of existential CTL, or of LTL.
    Show(ExprId),
    /// Kill a mutant of the machine. The goal has the mutant, and only [`CompareMachines`](crate::CompareMachines) decides
    /// it: to everything else it is the constant false, which no execution reaches.
    Kill(ExprId),
}

impl Query {
    /// The expression that it is about.
    pub fn expr(self) -> ExprId {
        match self {
            Query::Falsify(expr) | Query::Reach(expr) | Query::Show(expr) | Query::Kill(expr) => expr,
        }
    }

    /// The same query about another expression.
    #[must_use]
    pub fn with(self, expr: ExprId) -> Query {
        match self {
            Query::Falsify(_) => Query::Falsify(expr),
            Query::Reach(_) => Query::Reach(expr),
            Query::Show(_) => Query::Show(expr),
            Query::Kill(_) => Query::Kill(expr),
        }
    }
}

/// Whether the value of an expression depends on the next state. Frozen variables have the same value there.
pub(crate) fn mentions_next(system: &TransitionSystem, expr: ExprId) -> bool {
    let changes = |node: &Node| matches!(node, Node::Var(var) if system[*var].kind != VarKind::Frozen);
    system.mentions(expr, |node| matches!(node, Node::Next(inner) if system.mentions(*inner, changes)))
}
