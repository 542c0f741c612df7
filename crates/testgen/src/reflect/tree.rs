//! Expressions with source spans, for decomposition and composition.
//!
//! A part shares the spans of the whole, so decomposition costs nothing.

use super::cx::Cx;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::typing::TypeError;
use specwright_model::{ExprId, Node, SourcedExpr, Value, VarId};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// Maximal number of spans of a tree. The nodes after them have none: written out, a shared expression can have more nodes than
/// fit into any memory.
const MAX_SPANS: usize = 1 << 20;

/// An expression with the spans of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) expr: ExprId,
    /// The spans of the whole in preorder, of which this tree has those from `at` on. All equal if it has none of its
    /// own.
    spans: Arc<[Span]>,
    at: usize,
}

/// See [`Tree::key`].
pub(crate) type TreeKey = (ExprId, usize, usize);

impl Tree {
    /// The tree of an expression.
    pub(crate) fn of(sourced: &SourcedExpr) -> Tree {
        Tree { expr: sourced.expr, spans: sourced.spans.clone(), at: 0 }
    }

    /// What tells it from other trees, as long as it lives: the expression, and the place of its spans.
    pub(crate) fn key(&self) -> TreeKey {
        (self.expr, Arc::as_ptr(&self.spans).addr(), self.at)
    }

    /// The span of the whole tree.
    pub(crate) fn span(&self) -> Span {
        self.spans.get(self.at).copied().unwrap_or(Span::NONE)
    }
}

impl Cx<'_> {
    /// An expression without source text of its own, at this span.
    pub(crate) fn leaf(&mut self, node: Node, span: Span) -> Result<Tree, TypeError> {
        Ok(Tree { expr: self.model.make(node)?, spans: Arc::new([span]), at: 0 })
    }

    /// The parts of a tree.
    pub(crate) fn parts(&mut self, tree: &Tree) -> Vec<Tree> {
        let mut at = tree.at + 1;
        let mut parts = Vec::new();
        for expr in self.model[tree.expr].children() {
            parts.push(Tree { expr, spans: tree.spans.clone(), at });
            at = at.saturating_add(self.len(expr));
        }
        parts
    }

    /// The tree with this node at the root; its parts are those given.
    pub(crate) fn join(&mut self, node: Node, span: Span, parts: &[Tree]) -> Result<Tree, TypeError> {
        let mut spans = vec![span];
        for part in parts {
            self.append_spans(&mut spans, part);
        }
        Ok(Tree { expr: self.model.make(node)?, spans: spans.into(), at: 0 })
    }

    /// The tree as a sourced expression.
    pub(crate) fn sourced(&mut self, tree: &Tree) -> SourcedExpr {
        let len = self.len(tree.expr).min(MAX_SPANS);
        let mut spans: Vec<Span> = tree.spans[tree.at.min(tree.spans.len())..].iter().copied().take(len).collect();
        spans.resize(len, Span::NONE);
        SourcedExpr { expr: tree.expr, spans: spans.into() }
    }

    /// The negation, without double negations.
    pub(crate) fn not(&mut self, tree: &Tree) -> Tree {
        if let Node::Unary(UnaryOp::Not, _) = self.model[tree.expr] {
            return self.parts(tree).swap_remove(0);
        }
        let node = Node::Unary(UnaryOp::Not, tree.expr);
        self.join(node, tree.span(), std::slice::from_ref(tree)).expect("conditions are boolean")
    }

    /// Two trees joined by a boolean connective.
    pub(crate) fn connect(&mut self, op: BinaryOp, a: &Tree, b: &Tree) -> Tree {
        let node = Node::Binary(op, a.expr, b.expr);
        self.join(node, Span::NONE, &[a.clone(), b.clone()]).expect("conditions are boolean")
    }

    /// The conjunction, if there are any.
    pub(crate) fn all<'t>(&mut self, trees: impl IntoIterator<Item = &'t Tree>) -> Option<Tree> {
        let trees: Vec<&Tree> = trees.into_iter().collect();
        let (first, others) = trees.split_first()?;
        if others.is_empty() {
            return Some((*first).clone());
        }
        // All connectives come before the first conjunct: their spans are not copied once for each of them.
        let mut spans = vec![Span::NONE; others.len()];
        let mut all = first.expr;
        self.append_spans(&mut spans, first);
        for tree in others {
            all = self.model.make(Node::Binary(BinaryOp::And, all, tree.expr)).expect("conditions are boolean");
            self.append_spans(&mut spans, tree);
        }
        Some(Tree { expr: all, spans: spans.into(), at: 0 })
    }

    /// Appends the spans of a part, as far as spans are kept.
    fn append_spans(&mut self, spans: &mut Vec<Span>, part: &Tree) {
        let end = spans.len().saturating_add(self.len(part.expr)).min(MAX_SPANS.max(spans.len()));
        spans.extend(part.spans[part.at.min(part.spans.len())..].iter().take(end - spans.len()));
        spans.resize(end, Span::NONE);
    }

    /// `tree = value`; for booleans the tree or its negation.
    pub(crate) fn is_value(&mut self, tree: &Tree, value: Value) -> Option<Tree> {
        match value {
            Value::Bool(true) => Some(tree.clone()),
            Value::Bool(false) => Some(self.not(tree)),
            value => {
                let constant = self.leaf(Node::Const(value), tree.span()).ok()?;
                let node = Node::Binary(BinaryOp::Eq, tree.expr, constant.expr);
                self.join(node, tree.span(), &[tree.clone(), constant]).ok()
            }
        }
    }

    /// The same expression over one state: `next` is removed, and variables are substituted, those below `next` by the
    /// second rule and the others by the first. Defines are expanded where a substitution applies in them.
    pub(crate) fn shift(
        &mut self,
        tree: &Tree,
        now: &dyn Fn(VarId) -> Option<Node>,
        next: &dyn Fn(VarId) -> Option<Node>,
    ) -> Result<Tree, TypeError> {
        let node = self.model[tree.expr].clone();
        match node {
            Node::Next(_) => {
                let inner = self.parts(tree).swap_remove(0);
                self.shift(&inner, next, next)
            }
            Node::Var(var) => match now(var) {
                Some(node) => self.leaf(node, tree.span()),
                None => Ok(tree.clone()),
            },
            Node::Define(define) => {
                let support = self.support(tree.expr);
                let affected = !support.next.is_empty() || support.now.iter().any(|var| now(*var).is_some());
                if !affected {
                    return Ok(tree.clone());
                }
                let body = Tree::of(&self.model[define].body.clone());
                self.shift(&body, now, next)
            }
            Node::Const(_) => Ok(tree.clone()),
            node => {
                let mut parts = Vec::new();
                for part in self.parts(tree) {
                    parts.push(self.shift(&part, now, next)?);
                }
                // A constant is put on the right.
                if let Node::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) = node
                    && let Node::Const(_) = self.model[parts[0].expr]
                    && !matches!(self.model[parts[1].expr], Node::Const(_))
                {
                    parts.swap(0, 1);
                }
                if let Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), ..) = node
                    && let Node::Const(Value::Bool(truth)) = self.model[parts[1].expr]
                {
                    let holds = truth == (op == BinaryOp::Eq);
                    return Ok(if holds { parts.swap_remove(0) } else { self.not(&parts[0]) });
                }
                let mut exprs = parts.iter().map(|part| part.expr);
                let node = node.map_children(|old| exprs.next().unwrap_or(old));
                self.join(node, tree.span(), &parts)
            }
        }
    }
}
