//! Constraint rewriting: formulas that do not restrict states after the end of a test.
//!
//! The rules are those of Ammann, Black and Ding, "Test generation and recognition with formal methods", except that
//! both operands of until are rewritten. Positive occurrences are weakened by `Check -> …` and negative ones
//! strengthened by `Check & …`, at every operand of a temporal operator. In a finite focus, soundness takes the place
//! of `Check`.

use rustc_hash::FxHashMap;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Node, TransitionSystem, Ty};

/// The condition under which a part without temporal operators or connectives has its value of the whole model; `None`
/// if it always has.
pub(crate) type Caution<'a> = Box<dyn Fn(&TransitionSystem, ExprId) -> Option<ExprId> + 'a>;

/// Rewrites formulas of a machine.
pub(crate) struct Rewriter<'a> {
    model: &'a TransitionSystem,
    /// Whether a state counts. Once false, it stays false.
    check: ExprId,
    caution: Caution<'a>,
    known: FxHashMap<(ExprId, bool), ExprId>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(model: &'a TransitionSystem, check: ExprId, caution: Caution<'a>) -> Rewriter<'a> {
        Rewriter { model, check, caution, known: FxHashMap::default() }
    }

    pub(super) fn model(&self) -> &'a TransitionSystem {
        self.model
    }

    pub(super) fn make(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("rewriting keeps formulas well-typed")
    }

    /// A formula that after the end is true if `weak`, else false.
    pub(crate) fn guard(&mut self, formula: ExprId, weak: bool) -> ExprId {
        self.guard_by(self.check, formula, weak)
    }

    fn guard_by(&mut self, condition: ExprId, formula: ExprId, weak: bool) -> ExprId {
        let op = if weak { BinaryOp::Implies } else { BinaryOp::And };
        self.make(Node::Binary(op, condition, formula))
    }

    /// The formula in which all parts after the end are true if `weak`, else false.
    pub(crate) fn rewrite(&mut self, formula: ExprId, weak: bool) -> ExprId {
        if let Some(known) = self.known.get(&(formula, weak)) {
            return *known;
        }
        let rewritten = stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.compute(formula, weak));
        self.known.insert((formula, weak), rewritten);
        rewritten
    }

    fn compute(&mut self, formula: ExprId, weak: bool) -> ExprId {
        let node = self.model[formula].clone();
        let is_bool = |rewriter: &Self, expr| *rewriter.model.context.exprs.ty(expr) == Ty::BOOL;
        match node {
            Node::Unary(UnaryOp::Not, a) if is_bool(self, a) => {
                let a = self.rewrite(a, !weak);
                self.make(Node::Unary(UnaryOp::Not, a))
            }
            Node::Unary(op, a) if is_past(op) => {
                let a = self.rewrite(a, weak);
                self.make(Node::Unary(op, a))
            }
            Node::Unary(op, a) if op.logic().is_some() => {
                let a = self.operand(a, weak);
                self.make(Node::Unary(op, a))
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if is_bool(self, a) => {
                let (a, b) = (self.rewrite(a, weak), self.rewrite(b, weak));
                self.make(Node::Binary(op, a, b))
            }
            Node::Binary(BinaryOp::Implies, a, b) if is_bool(self, a) => {
                let (a, b) = (self.rewrite(a, !weak), self.rewrite(b, weak));
                self.make(Node::Binary(BinaryOp::Implies, a, b))
            }
            Node::Binary(BinaryOp::Iff | BinaryOp::Xnor, a, b) if is_bool(self, a) && is_bool(self, b) => {
                self.equivalence(a, b, weak)
            }
            Node::Binary(BinaryOp::Xor, a, b) if is_bool(self, a) && is_bool(self, b) => {
                let same = self.equivalence(a, b, !weak);
                self.make(Node::Unary(UnaryOp::Not, same))
            }
            Node::Binary(op @ (BinaryOp::S | BinaryOp::T), a, b) => {
                let (a, b) = (self.rewrite(a, weak), self.rewrite(b, weak));
                self.make(Node::Binary(op, a, b))
            }
            Node::Binary(op, a, b) if op.logic().is_some() => {
                let (a, b) = (self.operand(a, weak), self.operand(b, weak));
                self.make(Node::Binary(op, a, b))
            }
            Node::Bounded(op, low, high, a) => {
                use specwright_model::op::BoundedOp;
                let past = matches!(op, BoundedOp::O | BoundedOp::H);
                let a = if past { self.rewrite(a, weak) } else { self.operand(a, weak) };
                self.make(Node::Bounded(op, low, high, a))
            }
            Node::BoundedUntil(op, low, high, a, b) => {
                let (a, b) = (self.operand(a, weak), self.operand(b, weak));
                self.make(Node::BoundedUntil(op, low, high, a, b))
            }
            Node::Define(define) if self.is_more_than_a_state(formula) => self.rewrite(self.model.body(define), weak),
            _ => match (self.caution)(self.model, formula) {
                Some(condition) => self.guard_by(condition, formula, weak),
                None => formula,
            },
        }
    }

    /// An operand of a future operator.
    fn operand(&mut self, formula: ExprId, weak: bool) -> ExprId {
        let rewritten = self.rewrite(formula, weak);
        self.guard(rewritten, weak)
    }

    /// `a <-> b`: both implications, each operand rewritten for its polarity.
    fn equivalence(&mut self, a: ExprId, b: ExprId, weak: bool) -> ExprId {
        let (if_a, then_b) = (self.rewrite(a, !weak), self.rewrite(b, weak));
        let there = self.make(Node::Binary(BinaryOp::Implies, if_a, then_b));
        let (if_b, then_a) = (self.rewrite(b, !weak), self.rewrite(a, weak));
        let back = self.make(Node::Binary(BinaryOp::Implies, if_b, then_a));
        self.make(Node::Binary(BinaryOp::And, there, back))
    }

    fn is_more_than_a_state(&self, expr: ExprId) -> bool {
        (self.caution)(self.model, expr).is_some() || self.model.mentions(expr, is_temporal)
    }
}

fn is_past(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::Y | UnaryOp::Z | UnaryOp::O | UnaryOp::H)
}
