//! Interned expressions: equal expressions are one node, so a mutant shares every unchanged part with its original, and
//! results cached for a node are valid for all its occurrences.

use crate::context::Interner;
use crate::model::{DefineId, VarId};
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, Builtin, UnaryOp};
use crate::ty::Ty;
use crate::value::Value;
use specwright_syntax::span::Span;
use std::sync::{Arc, OnceLock};

/// An expression of a model. Parts have smaller ids than the whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

impl std::fmt::Debug for ExprId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// The node of an expression. A [`Node::Define`] is a reference; its body is in the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(VarId),
    /// A define of the model.
    Define(DefineId),
    /// The value in the next state.
    Next(ExprId),
    /// A prefix operator and its operand.
    Unary(UnaryOp, ExprId),
    /// An infix operator and its operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// A temporal operator with inclusive bounds; without an upper bound it is unbounded.
    Bounded(BoundedOp, u64, Option<u64>, ExprId),
    /// A bounded until of CTL.
    BoundedUntil(BoundedUntilOp, u64, u64, ExprId, ExprId),
    /// `c ? a : b`
    Ite(ExprId, ExprId, ExprId),
    /// Guards and values; the first guard that holds decides. Undefined if none holds.
    Case(Box<[(ExprId, ExprId)]>),
    /// A nondeterministic choice of one of these.
    Set(Box<[ExprId]>),
    /// A nondeterministic choice of a number from the first to the last.
    Range(ExprId, ExprId),
    /// An array; the first index is given.
    Array(i64, Box<[ExprId]>),
    /// An element of an array.
    Index(ExprId, ExprId),
    /// The bits of a word from the high to the low one, both included.
    Slice(ExprId, u8, u8),
    /// A built-in function. [`Builtin::UwConst`], [`Builtin::SwConst`] and [`Builtin::SizeOf`] do not occur: they are
    /// constants.
    Call(Builtin, Box<[ExprId]>),
}

impl Node {
    /// The parts, in source order.
    pub fn children(&self) -> Vec<ExprId> {
        let mut children = Vec::new();
        self.for_each_child(|child| children.push(child));
        children
    }

    /// Visits the parts, in source order.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        // Reuses `map_children`; the copy is cheap compared to what visitors do.
        let _ = self.map_children(|child| {
            visit(child);
            child
        });
    }

    /// The same node with replaced parts.
    #[must_use]
    pub fn map_children(&self, mut f: impl FnMut(ExprId) -> ExprId) -> Node {
        match self {
            Node::Const(_) | Node::Var(_) | Node::Define(_) => self.clone(),
            Node::Next(a) => Node::Next(f(*a)),
            Node::Unary(op, a) => Node::Unary(*op, f(*a)),
            Node::Binary(op, a, b) => Node::Binary(*op, f(*a), f(*b)),
            Node::Bounded(op, low, high, a) => Node::Bounded(*op, *low, *high, f(*a)),
            Node::BoundedUntil(op, low, high, a, b) => Node::BoundedUntil(*op, *low, *high, f(*a), f(*b)),
            Node::Ite(c, a, b) => Node::Ite(f(*c), f(*a), f(*b)),
            Node::Case(branches) => Node::Case(branches.iter().map(|(guard, value)| (f(*guard), f(*value))).collect()),
            Node::Set(items) => Node::Set(items.iter().map(|item| f(*item)).collect()),
            Node::Range(a, b) => Node::Range(f(*a), f(*b)),
            Node::Array(first, items) => Node::Array(*first, items.iter().map(|item| f(*item)).collect()),
            Node::Index(a, b) => Node::Index(f(*a), f(*b)),
            Node::Slice(a, high, low) => Node::Slice(f(*a), *high, *low),
            Node::Call(builtin, args) => Node::Call(*builtin, args.iter().map(|arg| f(*arg)).collect()),
        }
    }
}

/// All expressions of a context, each with its type.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Interner<Node, Info>,
    /// Set once an expression has a temporal operator.
    has_temporal: OnceLock<()>,
}

/// What is known of an expression.
#[derive(Clone, Debug)]
struct Info {
    ty: Ty,
    /// Whether it has a temporal operator.
    is_temporal: bool,
}

impl Exprs {
    /// The id of this node, which is added if it is new. The function gives its type according to the typing rules.
    pub fn intern<E>(&self, node: Node, ty: impl FnOnce(&Node) -> Result<Ty, E>) -> Result<ExprId, E> {
        let info = |node: &Node| {
            let ty = ty(node)?;
            let mut is_temporal = crate::typing::is_temporal(node);
            node.for_each_child(|child| is_temporal |= self.is_temporal(child));
            if is_temporal {
                let _ = self.has_temporal.set(());
            }
            Ok(Info { ty, is_temporal })
        };
        self.nodes.intern(node, info).map(ExprId)
    }

    /// The id of this node, if it exists.
    pub fn get(&self, node: &Node) -> Option<ExprId> {
        self.nodes.get(node, |other| other == node).map(ExprId)
    }

    /// The type of an expression.
    pub fn ty(&self, expr: ExprId) -> &Ty {
        &self.nodes[expr.0].1.ty
    }

    /// Whether it has a temporal operator, not counting the bodies of its defines.
    pub fn is_temporal(&self, expr: ExprId) -> bool {
        self.nodes[expr.0].1.is_temporal
    }

    /// Whether any expression has a temporal operator; if not, searches for one can be skipped.
    pub fn has_temporal(&self) -> bool {
        self.has_temporal.get().is_some()
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All subexpressions of these roots, the roots included, parts before wholes. Bodies of defines are not included.
    pub fn parts(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExprId> = roots.into_iter().collect();
        while let Some(expr) = stack.pop() {
            if seen.insert(expr) {
                self[expr].for_each_child(|child| stack.push(child));
            }
        }
        let mut parts: Vec<ExprId> = seen.into_iter().collect();
        parts.sort_unstable();
        parts
    }
}

impl std::ops::Index<ExprId> for Exprs {
    type Output = Node;

    fn index(&self, expr: ExprId) -> &Node {
        &self.nodes[expr.0].0
    }
}

/// An expression with its source spans.
///
/// An interned node has many occurrences, so spans are kept beside it: one for each node of the tree, in preorder (a
/// node before its parts, parts in source order). Inserted nodes, such as coercions, have [`Span::NONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedExpr {
    /// The expression.
    pub expr: ExprId,
    /// The spans of the nodes of its tree, in preorder.
    pub spans: Arc<[Span]>,
}

impl SourcedExpr {
    /// The span of the whole expression.
    pub fn span(&self) -> Span {
        self.spans.first().copied().unwrap_or(Span::NONE)
    }

    /// The first occurrence of a part.
    pub fn part(&self, exprs: &Exprs, part: ExprId) -> Option<SourcedExpr> {
        let mut open = vec![self.expr];
        for at in 0..self.spans.len() {
            let expr = open.pop()?;
            if expr == part {
                return Some(SourcedExpr { expr, spans: self.spans[at..].into() });
            }
            open.extend(exprs[expr].children().into_iter().rev());
        }
        None
    }
}
