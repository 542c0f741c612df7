//! A site as a tree whose nodes have roles for the operators.
//!
//! The definitions are those of Black, Okun and Yesha. A *simple expression* is a boolean variable or a relation, with
//! all negations before it; a *compound expression* is a binary boolean operator. Parentheses are not nodes.

use super::mutants::{Guard, GuardMode};
use specwright_model::op::{BinaryOp, Builtin, UnaryOp};
use specwright_model::{ExprId, Model, Node, SourcedExpr, Ty, Value, VarId};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// The index of a node, in preorder.
pub(super) type At = usize;

/// The role of a node for the operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A simple expression, at its outermost negation.
    Simple,
    /// A part of a simple expression.
    Inner,
    /// A binary boolean operator.
    Compound,
    /// The implication of a soundness guard `Sound -> f`.
    Guard,
    /// The variable of a soundness guard.
    GuardVar,
    /// Any other node: temporal operators, values, constants, `case` and so on.
    Other,
}

struct Place {
    expr: ExprId,
    span: Span,
    /// The parent; the root is its own parent.
    parent: u32,
    /// The index among the parts of the parent.
    ordinal: u32,
    /// One past its last descendant.
    end: u32,
    /// Whether it is below a `next`.
    in_next: bool,
    role: Role,
}

/// A site as a tree.
pub(super) struct Tree {
    places: Vec<Place>,
    guard: Option<Guard>,
}

impl Tree {
    /// The tree of an expression.
    pub(super) fn new(model: &Model, sourced: &SourcedExpr, guard: Option<&Guard>) -> Tree {
        let mut places: Vec<Place> = Vec::with_capacity(sourced.spans.len());
        let mut stack = vec![(sourced.expr, 0, 0, false)];
        while let Some((expr, parent, ordinal, in_next)) = stack.pop() {
            let at = places.len() as u32;
            let span = sourced.spans.get(at as usize).copied().unwrap_or(Span::NONE);
            places.push(Place { expr, span, parent, ordinal, end: at + 1, in_next, role: Role::Other });
            let in_next = in_next || matches!(model[expr], Node::Next(_));
            let (first, mut ordinal) = (stack.len(), 0);
            model[expr].for_each_child(|child| {
                stack.push((child, at, ordinal, in_next));
                ordinal += 1;
            });
            stack[first..].reverse();
        }
        let n_spans = sourced.spans.len();
        // What a front end has built from rules has one span as a whole.
        debug_assert!(n_spans == 1 || n_spans == places.len(), "there is a span for each node");
        for at in (1..places.len()).rev() {
            let (parent, end) = (places[at].parent as usize, places[at].end);
            places[parent].end = places[parent].end.max(end);
        }
        let mut tree = Tree { places, guard: guard.copied() };
        for at in 0..tree.places.len() {
            tree.places[at].role = tree.classify(model, at, guard);
        }
        tree
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The expression at a place.
    pub(super) fn expr(&self, at: At) -> ExprId {
        self.places[at].expr
    }

    /// The source span of a node.
    pub(super) fn span(&self, at: At) -> Span {
        self.places[at].span
    }

    /// The role of a node.
    pub(super) fn role(&self, at: At) -> Role {
        self.places[at].role
    }

    /// The parent of a node, and the index among its parts.
    pub(super) fn parent(&self, at: At) -> Option<(At, usize)> {
        let place = &self.places[at];
        (at > 0).then_some((place.parent as usize, place.ordinal as usize))
    }

    /// A part of a node.
    pub(super) fn child(&self, at: At, ordinal: usize) -> At {
        (0..ordinal).fold(at + 1, |child, _| self.places[child].end as usize)
    }

    /// One past the last descendant of a node.
    pub(super) fn end(&self, at: At) -> At {
        self.places[at].end as usize
    }

    /// The path from the root: indices of parts.
    pub(super) fn path(&self, at: At) -> Arc<[u32]> {
        let mut path: Vec<u32> = self.way_up(at).map(|at| self.places[at].ordinal).collect();
        path.pop();
        path.reverse();
        path.into()
    }

    /// The node and its ancestors, innermost first.
    pub(super) fn way_up(&self, at: At) -> impl Iterator<Item = At> {
        std::iter::successors(Some(at), |at| self.parent(*at).map(|(parent, _)| parent))
    }

    /// Whether operators see guards, as in the experiments of the paper.
    pub(super) fn shows_guards(&self) -> bool {
        self.guard.is_some_and(|guard| guard.mode == GuardMode::Visible)
    }

    /// The variable of the guards that operators look through.
    pub(super) fn hidden_guard(&self) -> Option<VarId> {
        self.guard.filter(|guard| guard.mode == GuardMode::Ignored).map(|guard| guard.var)
    }

    /// The formula below its guards.
    pub(super) fn unguarded(&self, mut at: At) -> At {
        while self.role(at) == Role::Guard {
            at = self.child(at, 1);
        }
        at
    }

    /// Whether a node is below a `next`.
    pub(super) fn is_in_next(&self, at: At) -> bool {
        self.places[at].in_next
    }

    fn classify(&self, model: &Model, at: At, guard: Option<&Guard>) -> Role {
        let parent = self.parent(at).map(|(parent, _)| parent);
        match parent.map(|parent| self.role(parent)) {
            Some(Role::Guard) if self.places[at].ordinal == 0 => return Role::GuardVar,
            _ => {}
        }
        let expr = self.expr(at);
        if *model.context.exprs.ty(expr) != Ty::BOOL {
            return if parent.is_some_and(|parent| self.is_within_simple(parent)) { Role::Inner } else { Role::Other };
        }
        if let (Node::Binary(BinaryOp::Implies, left, _), Some(guard)) = (&model[expr], guard)
            && model[*left] == Node::Var(guard.var)
        {
            return Role::Guard;
        }
        let core = strip_negations(model, expr);
        let inner = parent.is_some_and(|parent| match &model[self.expr(parent)] {
            Node::Unary(UnaryOp::Not, _) | Node::Next(_) | Node::Index(..) | Node::Array(..) => {
                self.is_within_simple(parent)
            }
            // The sides of a relation belong to it, unless they have simple expressions themselves.
            Node::Binary(op, ..) if op.is_relational() || *op == BinaryOp::In => is_leaf(model, core),
            _ => false,
        });
        match &model[core] {
            _ if inner => Role::Inner,
            Node::Const(_) => Role::Other,
            _ if is_core(model, core) => Role::Simple,
            _ if is_compound(model, expr) => Role::Compound,
            _ => Role::Other,
        }
    }

    fn is_within_simple(&self, at: At) -> bool {
        matches!(self.role(at), Role::Simple | Role::Inner)
    }
}

/// The expression without the negations before it.
pub(super) fn strip_negations(model: &Model, mut expr: ExprId) -> ExprId {
    while let Node::Unary(UnaryOp::Not, inner) = model[expr] {
        expr = inner;
    }
    expr
}

/// Whether a boolean expression has no boolean parts that can be mutated on their own.
fn is_leaf(model: &Model, expr: ExprId) -> bool {
    match &model[expr] {
        Node::Next(inner) => is_leaf(model, *inner),
        node => matches!(
            node,
            Node::Const(Value::Bool(_))
                | Node::Var(_)
                | Node::Define(_)
                | Node::Index(..)
                | Node::Call(Builtin::Bool, _)
        ),
    }
}

/// Whether a boolean expression is a simple one without negations.
fn is_core(model: &Model, expr: ExprId) -> bool {
    match &model[expr] {
        Node::Binary(op, ..) => op.is_relational() || *op == BinaryOp::In,
        _ => is_leaf(model, expr),
    }
}

/// Whether an expression is a binary boolean operator.
fn is_compound(model: &Model, expr: ExprId) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    matches!(model[expr], Node::Binary(And | Or | Implies | Iff | Xor | Xnor, ..))
}
