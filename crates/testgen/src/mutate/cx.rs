//! The interface of operators: the site under mutation and the proposed changes.

use super::Operator;
use super::mutant::{Change, Origin};
use super::scope::Scope;
use super::selection::{Part, Selection};
use super::tree::{At, Role, Tree};
use super::vocabulary::{Vocabulary, constants_of};
use specwright_model::op::{BinaryOp, Builtin};
use specwright_model::{Domain, ExprId, Model, Node, Value, VarId};

/// A change that an operator proposes.
pub(super) struct Proposal {
    /// The replaced node.
    pub(super) at: At,
    /// The replacement.
    pub(super) replacement: ExprId,
    pub(super) origin: Origin,
}

/// A site under mutation.
pub(super) struct Cx<'a> {
    pub(super) model: &'a Model,
    pub(super) tree: &'a Tree,
    pub(super) scope: &'a Scope,
    pub(super) words: &'a Vocabulary,
    pub(super) selection: Selection,
    pub(super) operator: Operator,
    pub(super) proposals: &'a mut Vec<Proposal>,
}

impl Cx<'_> {
    /// The node at a place.
    pub(super) fn node(&self, at: At) -> &Node {
        &self.model[self.tree.expr(at)]
    }

    /// The role of a node.
    pub(super) fn role(&self, at: At) -> Role {
        self.tree.role(at)
    }

    /// Whether a part of an operator is selected.
    pub(super) fn has(&self, part: Part) -> bool {
        self.selection.has(part)
    }

    /// Proposes to replace an expression by a node, unless that is not well-typed.
    pub(super) fn propose(&mut self, at: At, node: Node, change: Change) {
        if let Ok(replacement) = self.model.make(node) {
            self.propose_expr(at, replacement, change);
        }
    }

    /// Proposes to replace an expression by another one.
    pub(super) fn propose_expr(&mut self, at: At, replacement: ExprId, change: Change) {
        if replacement != self.tree.expr(at) {
            let origin = Origin { operator: self.operator, change, span: self.tree.span(at) };
            self.proposals.push(Proposal { at, replacement, origin });
        }
    }

    /// Whether a variable is allowed at a node.
    pub(super) fn allows(&self, at: At, var: VarId) -> bool {
        self.scope.allows(self.model, var, self.tree.is_in_next(at))
    }

    /// The relation in which an expression is compared, and its side. Values of `case` and elements of sets belong to
    /// the comparison of the whole.
    pub(super) fn relation_of(&self, at: At) -> Option<(At, usize)> {
        let mut at = at;
        loop {
            let (parent, ordinal) = self.tree.parent(at)?;
            match self.node(parent) {
                Node::Binary(op, ..) if op.is_relational() || *op == BinaryOp::In => return Some((parent, ordinal)),
                _ if self.passes_on(parent, ordinal) => at = parent,
                _ => return None,
            }
        }
    }

    /// Whether an expression is the value of the whole site, perhaps one of several.
    pub(super) fn is_value_of_site(&self, at: At) -> bool {
        let mut at = at;
        while let Some((parent, ordinal)) = self.tree.parent(at) {
            if !self.passes_on(parent, ordinal) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Whether the value of a part may be the value of the whole.
    fn passes_on(&self, parent: At, ordinal: usize) -> bool {
        match self.node(parent) {
            Node::Binary(BinaryOp::Union, ..) | Node::Set(_) => true,
            Node::Ite(..) => ordinal > 0,
            Node::Case(_) => ordinal % 2 == 1,
            _ => false,
        }
    }

    /// The alternative constants at a node, except for numbers: the values of what it is compared with or assigned to.
    pub(super) fn constants_at(&self, at: At) -> Vec<Value> {
        if let Some((relation, side)) = self.relation_of(at) {
            let Node::Binary(op, left, right) = *self.node(relation) else { return Vec::new() };
            return match side {
                0 if op == BinaryOp::In => Vec::new(),
                0 => constants_of(self.model, right),
                _ => constants_of(self.model, left),
            };
        }
        if !self.is_value_of_site(at) {
            return Vec::new();
        }
        match (self.scope.assigned(self.model), self.node(at)) {
            (Some((_, Domain::Enum(values))), _) => values.to_vec(),
            (Some((_, Domain::Bool)), _) => [false, true].map(Value::Bool).to_vec(),
            (None, Node::Const(Value::Symbol(symbol))) => {
                self.words.home(*symbol).map_or(Vec::new(), |home| home.to_vec())
            }
            _ => Vec::new(),
        }
    }

    /// The domain of the variable that an expression is compared with or assigned to.
    pub(super) fn domain_at(&self, at: At) -> Option<&Domain> {
        let mut expr = match self.relation_of(at) {
            Some((relation, side)) => match *self.node(relation) {
                Node::Binary(_, left, right) => {
                    if side == 0 {
                        right
                    } else {
                        left
                    }
                }
                _ => return None,
            },
            None if self.is_value_of_site(at) => return self.scope.assigned(self.model).map(|(_, domain)| domain),
            None => return None,
        };
        loop {
            expr = match &self.model[expr] {
                Node::Var(var) => return Some(&self.model[*var].domain),
                Node::Next(inner) => *inner,
                Node::Define(define) => self.model.body(*define),
                _ => return None,
            };
        }
    }

    /// Whether a new operand makes its relation compare an expression with itself.
    pub(super) fn is_reflexive(&mut self, at: At, replacement: ExprId) -> bool {
        let (mut at, mut replacement) = (at, replacement);
        while let Some((parent, ordinal)) = self.tree.parent(at) {
            match self.node(parent) {
                Node::Binary(op, left, right) if op.is_relational() => {
                    return replacement == if ordinal == 0 { *right } else { *left };
                }
                node @ (Node::Unary(..) | Node::Binary(..) | Node::Next(_) | Node::Call(..)) => {
                    if self.role(parent) != Role::Inner {
                        return false;
                    }
                    let node = with_child(node, ordinal, replacement);
                    let Ok(outer) = self.model.make(node) else { return false };
                    (at, replacement) = (parent, outer);
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether the site is well-typed with a replacement.
    pub(super) fn fits(&mut self, at: At, replacement: ExprId) -> bool {
        let (mut at, mut replacement) = (at, replacement);
        loop {
            let same = self.model.context.exprs.ty(replacement) == self.model.context.exprs.ty(self.tree.expr(at));
            let Some((parent, ordinal)) = self.tree.parent(at) else {
                return same || self.scope.accepts(self.model, self.model.context.exprs.ty(replacement));
            };
            if same && !looks_at_constants(self.node(parent)) {
                // The types of all enclosing expressions are unchanged.
                return true;
            }
            let node = with_child(self.node(parent), ordinal, replacement);
            match self.model.make(node) {
                Ok(outer) => (at, replacement) = (parent, outer),
                Err(_) => return false,
            }
        }
    }
}

/// The node with one part replaced.
pub(crate) fn with_child(node: &Node, ordinal: usize, new: ExprId) -> Node {
    let mut n_seen = 0;
    node.map_children(|child| {
        n_seen += 1;
        if n_seen - 1 == ordinal { new } else { child }
    })
}

/// Whether the typing of a node depends on more than the types of its parts.
fn looks_at_constants(node: &Node) -> bool {
    match node {
        Node::Binary(BinaryOp::Shl | BinaryOp::Shr, ..) | Node::Index(..) => true,
        Node::Call(builtin, _) => matches!(builtin, Builtin::Extend | Builtin::Resize),
        _ => false,
    }
}
