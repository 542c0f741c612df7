//! Interned expressions: equal expressions are one node, so a mutant shares every untouched part with its original,
//! and whatever is known about a node is known about every place where it occurs.

use crate::model::{DefineId, VarId};
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, Builtin, UnaryOp};
use crate::ty::Ty;
use crate::value::Value;
use indexmap::IndexMap;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// An expression of a model. Parts have smaller ids than the whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

impl std::fmt::Debug for ExprId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// What an expression is made of. A [`Node::Define`] stays a reference: what it stands for is the model's to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(VarId),
    /// What the model defines under a name.
    Define(DefineId),
    /// The value in the next state.
    Next(ExprId),
    /// One operand.
    Unary(UnaryOp, ExprId),
    /// Two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// A temporal operator within bounds, both included; no upper bound means forever.
    Bounded(BoundedOp, u64, Option<u64>, ExprId),
    /// An until of CTL within bounds.
    BoundedUntil(BoundedUntilOp, u64, u64, ExprId, ExprId),
    /// `c ? a : b`
    Ite(ExprId, ExprId, ExprId),
    /// Guards and values; the first guard that holds counts. No value if none does.
    Case(Box<[(ExprId, ExprId)]>),
    /// Any of these.
    Set(Box<[ExprId]>),
    /// Any number from the first to the last.
    Range(ExprId, ExprId),
    /// An array, indexed from the given number on.
    Array(i64, Box<[ExprId]>),
    /// An element of an array.
    Index(ExprId, ExprId),
    /// The bits of a word from the high to the low one, both included.
    Slice(ExprId, u8, u8),
    /// A function of the language. [`Builtin::UwConst`], [`Builtin::SwConst`] and [`Builtin::SizeOf`] do not occur:
    /// they are constants.
    Call(Builtin, Box<[ExprId]>),
}

impl Node {
    /// The parts, in the order in which they are written.
    pub fn children(&self) -> Vec<ExprId> {
        let mut children = Vec::new();
        self.for_each_child(|child| children.push(child));
        children
    }

    /// Visits the parts, in the order in which they are written.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        // One way to walk the parts is enough; the copy is small next to what visitors do.
        let _ = self.map_children(|child| {
            visit(child);
            child
        });
    }

    /// The same node with other parts.
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

/// All expressions of a model, each with its type.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: IndexMap<Node, Ty, rustc_hash::FxBuildHasher>,
    /// For each whether it has a temporal operator.
    temporal: Vec<bool>,
    has_temporal: bool,
}

impl Exprs {
    /// The expression made of these parts, new or old. The type must be its own: see the typing rules.
    pub fn intern(&mut self, node: Node, ty: Ty) -> ExprId {
        let mut is_temporal = crate::typing::is_temporal(&node);
        node.for_each_child(|child| is_temporal |= self.temporal[child.0 as usize]);
        self.has_temporal |= is_temporal;
        let (index, _) = self.nodes.insert_full(node, ty);
        if index == self.temporal.len() {
            self.temporal.push(is_temporal);
        }
        ExprId(u32::try_from(index).expect("memory ends before four thousand million expressions do"))
    }

    /// The expression made of these parts, if it is here.
    pub fn get(&self, node: &Node) -> Option<ExprId> {
        self.nodes.get_index_of(node).map(|index| ExprId(index as u32))
    }

    /// The type of an expression.
    pub fn ty(&self, expr: ExprId) -> &Ty {
        &self.nodes[expr.0 as usize]
    }

    /// Whether it has a temporal operator, outside of the definitions that it names.
    pub fn is_temporal(&self, expr: ExprId) -> bool {
        self.temporal[expr.0 as usize]
    }

    /// Whether any of them is a temporal operator: while none is, nobody has to look for one.
    pub fn has_temporal(&self) -> bool {
        self.has_temporal
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The expressions that these are made of, themselves included, parts before wholes. Does not look into defines.
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
        self.nodes.get_index(expr.0 as usize).expect("expressions are only made by interning").0
    }
}

/// An expression at the place where it was written.
///
/// An interned node stands for many places, so the places are kept beside it: one span for each node of the tree,
/// in preorder (a node before its parts, parts in written order). What a translation put in has [`Span::NONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The expression.
    pub expr: ExprId,
    /// The places of the nodes of its tree, in preorder.
    pub spans: Arc<[Span]>,
}

impl Written {
    /// The place of the whole.
    pub fn span(&self) -> Span {
        self.spans.first().copied().unwrap_or(Span::NONE)
    }

    /// A part of it, at the first place where that is written.
    pub fn part(&self, exprs: &Exprs, part: ExprId) -> Option<Written> {
        let mut open = vec![self.expr];
        for at in 0..self.spans.len() {
            let expr = open.pop()?;
            if expr == part {
                return Some(Written { expr, spans: self.spans[at..].into() });
            }
            open.extend(exprs[expr].children().into_iter().rev());
        }
        None
    }
}
