//! The states or steps that expose a goal, by which goals are compared.

use specwright_mc::Query;
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Node, TransitionSystem};

/// The formula that exposes a goal, and where it must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct GoalExposure {
    pub(super) formula: ExprId,
    /// Whether it may hold in any state, or only in the first one.
    pub(super) anywhere: bool,
}

impl GoalExposure {
    /// A mutant `AG f` is killed wherever `f` is false; so two of them are equivalent if they are false in the same
    /// states.
    pub(super) fn new(model: &TransitionSystem, target: Query) -> GoalExposure {
        match target {
            Query::Reach(formula) | Query::Kill(formula) => GoalExposure { formula, anywhere: true },
            Query::Show(formula) => GoalExposure { formula, anywhere: false },
            Query::Falsify(formula) => {
                let mut claim = formula;
                let mut anywhere = !model.mentions(formula, is_temporal);
                while let Node::Unary(UnaryOp::AG | UnaryOp::G, inner) = model[claim] {
                    (claim, anywhere) = (inner, true);
                }
                let formula = model.make(Node::Unary(UnaryOp::Not, claim)).expect("claims are truth values");
                GoalExposure { formula, anywhere }
            }
        }
    }

    /// The target of reaching such a state or step.
    pub(super) fn target(self) -> Query {
        if self.anywhere { Query::Reach(self.formula) } else { Query::Show(self.formula) }
    }

    /// Whether a path fragment decides it: it may hold anywhere, and has no past operators.
    pub(super) fn is_local(self, model: &TransitionSystem) -> bool {
        use specwright_model::op::{BinaryOp, BoundedOp};
        self.anywhere
            && !model.mentions(self.formula, |node| match node {
                Node::Unary(op, _) => matches!(op, UnaryOp::Y | UnaryOp::Z | UnaryOp::O | UnaryOp::H),
                Node::Binary(op, ..) => matches!(op, BinaryOp::S | BinaryOp::T),
                Node::Bounded(op, ..) => matches!(op, BoundedOp::O | BoundedOp::H),
                _ => false,
            })
    }

    /// Whether states decide it, in branching time.
    pub(super) fn is_branching(self, model: &TransitionSystem) -> bool {
        use specwright_model::model::VarKind;
        !model.mentions(self.formula, |node| match node {
            Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
            Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
            Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
            Node::Next(_) => true,
            Node::Var(var) => model[*var].kind == VarKind::Input,
            _ => false,
        })
    }
}
