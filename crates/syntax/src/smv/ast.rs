//! Syntax tree of an SMV file, in source order.
//!
//! Expressions live in one arena per file and refer to their parts by index. Parts come before the whole, so most
//! passes are plain loops, and dropping or comparing a tree of any depth needs no recursion.

use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, Builtin, UnaryOp};
use crate::span::Span;
use std::sync::Arc;

/// Maximal height of an expression, in edges. The parser rejects higher ones, which bounds the depth of recursive
/// passes.
pub const MAX_HEIGHT: u32 = 20_000;

/// A name and its source span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name.
    pub text: Arc<str>,
    /// Its source span.
    pub span: Span,
}

/// An expression of the file's arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

impl std::fmt::Debug for ExprId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// An expression and its source span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its source span, without parentheses around it.
    pub span: Span,
}

/// A word constant such as `0ud8_255`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WordLiteral {
    /// Whether its type is signed.
    pub signed: bool,
    /// The base of its digits: `b`, `o`, `d` or `h`.
    pub base: char,
    /// The number of bits; implied by the digits if not given.
    pub width: u32,
    /// The bits as an unsigned number.
    pub bits: u64,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A placeholder for text that could not be parsed; it was reported.
    Error,
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// A number without sign.
    Int(i64),
    /// A word constant.
    Word(WordLiteral),
    /// The name of a variable, define, parameter, instance or constant.
    Name(Arc<str>),
    /// `self`
    SelfRef,
    /// `a.b`
    Field(ExprId, Ident),
    /// `a[i]`: an element of an array; on words, NuSMV has only `a[i:j]`.
    Index(ExprId, ExprId),
    /// `w[high : low]`
    Slice(ExprId, ExprId, ExprId),
    /// `next(e)`
    Next(ExprId),
    /// A prefix operator and its operand.
    Unary(UnaryOp, ExprId),
    /// An infix operator and its operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `EBF 1..3 p`, `F [1,3] p`; the bounds are constant expressions.
    Bounded(BoundedOp, ExprId, ExprId, ExprId),
    /// `A [p BU 1..3 q]`: operator, lower and upper bound, left and right operand.
    BoundedUntil(BoundedUntilOp, ExprId, ExprId, ExprId, ExprId),
    /// `c ? a : b`
    Ite(ExprId, ExprId, ExprId),
    /// `case c : e; … esac`
    Case(Vec<(ExprId, ExprId)>),
    /// `{a, b}`
    Set(Vec<ExprId>),
    /// `1..3` as a set of values.
    Range(ExprId, ExprId),
    /// `[a, b]`, in array DEFINEs.
    Array(Vec<ExprId>),
    /// `count(a, b)`
    Call(Builtin, Vec<ExprId>),
}

/// All expressions of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exprs {
    nodes: Vec<Expr>,
    heights: Vec<u32>,
}

impl Exprs {
    /// Adds an expression whose parts are in the arena already.
    pub fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let mut height = 0;
        kind.for_each_child(|child| height = height.max(self.heights[child.0 as usize] + 1));
        let id = ExprId(u32::try_from(self.nodes.len()).expect("a file of 4 GiB has fewer expressions than that"));
        self.nodes.push(Expr { kind, span });
        self.heights.push(height);
        id
    }

    /// The length of the longest path to a leaf, in edges.
    pub fn height(&self, expr: ExprId) -> u32 {
        self.heights[expr.0 as usize]
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl std::ops::Index<ExprId> for Exprs {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize]
    }
}

impl ExprKind {
    /// Visits the parts, in source order.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            ExprKind::Error
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Word(_)
            | ExprKind::Name(_)
            | ExprKind::SelfRef => {}
            ExprKind::Field(a, _) | ExprKind::Next(a) | ExprKind::Unary(_, a) => visit(*a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) => {
                [*a, *b].into_iter().for_each(visit);
            }
            ExprKind::Slice(a, b, c) | ExprKind::Bounded(_, a, b, c) | ExprKind::Ite(a, b, c) => {
                [*a, *b, *c].into_iter().for_each(visit);
            }
            ExprKind::BoundedUntil(_, a, b, c, d) => [*a, *b, *c, *d].into_iter().for_each(visit),
            ExprKind::Case(branches) => {
                for (guard, value) in branches {
                    visit(*guard);
                    visit(*value);
                }
            }
            ExprKind::Set(items) | ExprKind::Array(items) | ExprKind::Call(_, items) => {
                items.iter().copied().for_each(visit);
            }
        }
    }
}

impl ExprKind {
    /// The same kind with replaced parts.
    #[must_use]
    pub fn map_children(&self, mut change: impl FnMut(ExprId) -> ExprId) -> ExprKind {
        match self {
            ExprKind::Error
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Word(_)
            | ExprKind::Name(_)
            | ExprKind::SelfRef => self.clone(),
            ExprKind::Field(a, field) => ExprKind::Field(change(*a), field.clone()),
            ExprKind::Index(a, b) => ExprKind::Index(change(*a), change(*b)),
            ExprKind::Slice(a, b, c) => ExprKind::Slice(change(*a), change(*b), change(*c)),
            ExprKind::Next(a) => ExprKind::Next(change(*a)),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, change(*a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, change(*a), change(*b)),
            ExprKind::Bounded(op, a, b, c) => ExprKind::Bounded(*op, change(*a), change(*b), change(*c)),
            ExprKind::BoundedUntil(op, a, b, c, d) => {
                ExprKind::BoundedUntil(*op, change(*a), change(*b), change(*c), change(*d))
            }
            ExprKind::Ite(a, b, c) => ExprKind::Ite(change(*a), change(*b), change(*c)),
            ExprKind::Case(branches) => {
                ExprKind::Case(branches.iter().map(|(guard, value)| (change(*guard), change(*value))).collect())
            }
            ExprKind::Set(items) => ExprKind::Set(items.iter().map(|item| change(*item)).collect()),
            ExprKind::Range(a, b) => ExprKind::Range(change(*a), change(*b)),
            ExprKind::Array(items) => ExprKind::Array(items.iter().map(|item| change(*item)).collect()),
            ExprKind::Call(builtin, items) => {
                ExprKind::Call(*builtin, items.iter().map(|item| change(*item)).collect())
            }
        }
    }
}

/// A type expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    /// Its kind.
    pub kind: TypeKind,
    /// Its source span.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// A placeholder for text that could not be parsed; it was reported.
    Error,
    /// `boolean`
    Boolean,
    /// `integer`, without bounds.
    Integer,
    /// `{a, b, 1}`
    Enum(Vec<ExprId>),
    /// `0..7`
    Range(ExprId, ExprId),
    /// `unsigned word[8]`, `word[8]`, `signed word[8]`
    Word {
        /// Whether it was declared signed.
        signed: bool,
        /// The number of bits, a constant expression.
        width: ExprId,
    },
    /// `array 0..3 of T`
    Array(ExprId, ExprId, Box<TypeExpr>),
    /// `M(a, b)`, `process M(a, b)`
    Instance {
        /// Whether it runs interleaved with the others.
        process: bool,
        /// The module.
        module: Ident,
        /// The actual parameters.
        args: Vec<ExprId>,
    },
}

/// `VAR`, `IVAR` or `FROZENVAR`; the 1990s' `INPUT` and `OUTPUT` are read as variables with a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    /// A state variable.
    State,
    /// An input, chosen anew in every step.
    Input,
    /// A variable that keeps its initial value.
    Frozen,
    /// `INPUT`: a state variable set by the environment.
    Monitored,
    /// `OUTPUT`: a state variable visible to the environment.
    Controlled,
}

/// `x : T;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
}

/// `x := e;` in a `DEFINE` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefineDecl {
    /// Its name.
    pub name: Ident,
    /// The expression that it stands for.
    pub body: ExprId,
}

/// Which values of a variable an assignment defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignKind {
    /// `x := e`: in every state.
    Current,
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
}

/// One assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignDecl {
    /// Its kind.
    pub kind: AssignKind,
    /// The variable: a name, field or array element.
    pub target: ExprId,
    /// The value; a set stands for a choice.
    pub value: ExprId,
    /// The whole assignment.
    pub span: Span,
}

/// A constraint on states or steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// `INIT`
    Init,
    /// `TRANS`
    Trans,
    /// `INVAR`
    Invar,
    /// `FAIRNESS`, `JUSTICE`
    Justice,
}

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// `SPEC`, `CTLSPEC`
    Ctl,
    /// `LTLSPEC`
    Ltl,
    /// `INVARSPEC`
    Invar,
    /// `COMPUTE MIN [p, q]`: the shortest way from `p` to `q`.
    ComputeMin,
    /// `COMPUTE MAX [p, q]`: the longest way.
    ComputeMax,
    /// `PSLSPEC`; its operators are read as the equivalent ones of CTL and LTL.
    Psl,
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyDecl {
    /// Its kind.
    pub kind: PropertyKind,
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// The formula; for `COMPUTE`, the start.
    pub formula: ExprId,
    /// For `COMPUTE`, the target.
    pub target: Option<ExprId>,
    /// `SPEC p IN a.b`: the instance in which the names of the formula are looked up.
    pub context: Option<ExprId>,
    /// The whole declaration.
    pub span: Span,
}

/// An item of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// The whole section.
    pub span: Span,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `VAR`, `IVAR`, `FROZENVAR`
    Vars(VarKind, Vec<VarDecl>),
    /// `DEFINE`
    Defines(Vec<DefineDecl>),
    /// `CONSTANTS`
    Constants(Vec<Ident>),
    /// `ASSIGN`
    Assigns(Vec<AssignDecl>),
    /// `INIT`, `TRANS`, `INVAR`, `FAIRNESS`, `JUSTICE`
    Constraint(ConstraintKind, ExprId),
    /// `COMPASSION (p, q)`
    Compassion(ExprId, ExprId),
    /// `ISA M`
    Isa(Ident),
    /// `SPEC` and the other kinds of properties.
    Property(PropertyDecl),
    /// `PRED NAME := e`: a predicate for abstraction; it has no semantics.
    Pred(Option<Ident>, ExprId),
    /// `MIRROR x`: a variable for abstraction; it has no semantics.
    Mirror(ExprId),
}

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: Ident,
    /// Its formal parameters.
    pub params: Vec<Ident>,
    /// Its items, in source order.
    pub items: Vec<Item>,
    /// The whole module.
    pub span: Span,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// All its expressions.
    pub exprs: Exprs,
    /// Its modules, in source order.
    pub modules: Vec<Module>,
    /// The spans of its comments, in source order.
    pub comments: Vec<Span>,
}

/// The dialects of SMV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// NuSMV 2.6.
    #[default]
    NuSmv,
    /// CMU SMV of the 1990s: 0 and 1 are the booleans, `!` binds looser than `=`, `mod` looser than `+`.
    Cmu,
}
