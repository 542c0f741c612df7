//! The tree of an AsmetaL file. Terms and rules live in two arenas, parts before wholes.

use crate::span::Span;
use std::sync::Arc;

/// A name at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name; that of a variable with its `$`.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

/// A term of a [`File`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// A rule of a [`File`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

/// A file: `asm` or `module`.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The name after `asm` or `module`.
    pub name: Option<Ident>,
    /// Whether it says `module`, which has no main rule.
    pub module: bool,
    /// What it imports.
    pub imports: Vec<Import>,
    /// The declared domains.
    pub domains: Vec<DomainDecl>,
    /// The declared functions.
    pub functions: Vec<FunctionDecl>,
    /// `domain D = …`
    pub domain_defs: Vec<DomainDef>,
    /// `function f($x in D) = …`
    pub function_defs: Vec<FunctionDef>,
    /// Named rules; the main one is among them.
    pub rules: Vec<RuleDef>,
    /// The main rule, as an index into `rules`.
    pub main: Option<usize>,
    /// Invariants, temporal formulas and constraints.
    pub properties: Vec<Property>,
    /// The initial states.
    pub inits: Vec<Init>,
    /// All terms.
    pub terms: Vec<Term>,
    /// All rules.
    pub rule_nodes: Vec<Rule>,
}

/// `import path (name, …)`
#[derive(Clone, Debug)]
pub struct Import {
    /// The path as written, without `.asm`.
    pub path: Ident,
    /// The names that are wanted; all if there are none.
    pub names: Vec<Ident>,
}

/// A declared domain.
#[derive(Clone, Debug)]
pub struct DomainDecl {
    /// Its name.
    pub name: Ident,
    /// What it is.
    pub kind: DomainKind,
}

/// The kinds of declared domains.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// `enum domain D = {A | B}`
    Enum(Vec<Ident>),
    /// `abstract domain D`; with `dynamic`, new elements may be made.
    Abstract {
        /// Whether it says `dynamic`.
        dynamic: bool,
    },
    /// `domain D subsetof E`
    SubsetOf {
        /// The other domain.
        parent: DomainRef,
        /// Whether it says `dynamic`.
        dynamic: bool,
    },
    /// `anydomain D` or `basic domain D`
    Other,
}

/// A domain as it is mentioned.
#[derive(Clone, Debug)]
pub struct DomainRef {
    /// Its name, or that of the constructor, such as `Prod`.
    pub name: Ident,
    /// What the constructor is applied to.
    pub args: Vec<DomainRef>,
    /// The whole.
    pub span: Span,
}

/// Who changes a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// Nobody.
    Static,
    /// It is defined by others.
    Derived,
    /// The machine.
    Controlled,
    /// The environment.
    Monitored,
    /// Both.
    Shared,
    /// The machine, for the environment to see.
    Out,
    /// A rule for itself.
    Local,
}

/// A declared function.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// Its name.
    pub name: Ident,
    /// Who changes it.
    pub kind: FunctionKind,
    /// What it takes.
    pub params: Vec<DomainRef>,
    /// What it gives.
    pub codomain: DomainRef,
}

/// A variable with its domain, `$x in D`, where `D` may be any set.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub var: Ident,
    /// What it ranges over.
    pub range: TermId,
}

/// `domain D = …`
#[derive(Clone, Debug)]
pub struct DomainDef {
    /// The domain.
    pub name: Ident,
    /// Its elements.
    pub body: TermId,
}

/// `function f($x in D) = …`
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// The function.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// What it stands for.
    pub body: TermId,
}

/// `rule r_x($x in D) = …`
#[derive(Clone, Debug)]
pub struct RuleDef {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// What it does.
    pub body: RuleId,
}

/// The kinds of properties and constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `invariant`
    Invariant,
    /// `CTLSPEC`
    Ctl,
    /// `LTLSPEC`
    Ltl,
    /// `INVAR`: a constraint on the environment.
    Invar,
    /// `JUSTICE`
    Justice,
}

/// A property or a constraint.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its kind.
    pub kind: PropertyKind,
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// What it says.
    pub body: TermId,
    /// The whole.
    pub span: Span,
}

/// `default init s0: …`
#[derive(Clone, Debug)]
pub struct Init {
    /// Its name.
    pub name: Ident,
    /// Whether it is the one to start from.
    pub default: bool,
    /// Elements of domains.
    pub domain_defs: Vec<DomainDef>,
    /// Initial values.
    pub function_defs: Vec<FunctionDef>,
    /// The programs of agents: a domain, and the rule that its members run.
    pub agents: Vec<(Ident, RuleId)>,
}

/// A term at its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where.
    pub span: Span,
}

/// The operators that are written between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// `iff`
    Iff,
    /// `implies`
    Implies,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `and`
    And,
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`
    In,
    /// `notin`
    NotIn,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `div`, of whole numbers
    IntDiv,
    /// `mod`
    Mod,
    /// `^`
    Power,
}

/// The kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction, as written.
    Real(Arc<str>),
    /// A text, without its quotes.
    String(Arc<str>),
    /// `undef`
    Undef,
    /// `$x`
    Var(Arc<str>),
    /// A function, an enumeration constant or a domain, with arguments if there are any.
    Apply(Ident, Vec<TermId>),
    /// `not`
    Not(TermId),
    /// Unary `-`
    Neg(TermId),
    /// Two operands.
    Binary(BinaryOp, TermId, TermId),
    /// `(a, b)`
    Tuple(Vec<TermId>),
    /// `{a, b}`
    Set(Vec<TermId>),
    /// `{a : b}`, with a step if there is one.
    Range(TermId, TermId, Option<TermId>),
    /// `{$x in D | c : t}`; also with brackets, then it is a sequence.
    Comprehension {
        /// The variables.
        binders: Vec<Binder>,
        /// The condition, if there is one.
        condition: Option<TermId>,
        /// The elements.
        element: TermId,
        /// Whether it is a sequence.
        sequence: bool,
    },
    /// `{a -> b}`
    Map(Vec<(TermId, TermId)>),
    /// `[a, b]`
    Seq(Vec<TermId>),
    /// `<a, b>`
    Bag(Vec<TermId>),
    /// `if c then a else b endif`
    If(TermId, TermId, Option<TermId>),
    /// `switch t case v : a … otherwise b endswitch`
    Switch(TermId, Vec<(TermId, TermId)>, Option<TermId>),
    /// `let ($x = t) in u endlet`
    Let(Vec<(Ident, TermId)>, TermId),
    /// `(exist $x in D with c)`
    Exists {
        /// The variables.
        binders: Vec<Binder>,
        /// The condition, if there is one.
        condition: Option<TermId>,
        /// Whether it says `unique`.
        unique: bool,
    },
    /// `(forall $x in D with c)`
    Forall(Vec<Binder>, Option<TermId>),
    /// A structured domain where a set may stand, such as `Powerset(D)`.
    Domain(DomainRef),
    /// `<<r_x>>`, or `<<r_x(D)>>` with the domains of the parameters.
    Rule(Ident),
    /// Something that could not be read, which was reported.
    Error,
}

/// A rule at its place.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// Where.
    pub span: Span,
}

/// The kinds of rules.
#[derive(Clone, Debug)]
pub enum RuleKind {
    /// `skip`
    Skip,
    /// `f(x) := t`
    Update(TermId, TermId),
    /// `par … endpar`
    Par(Vec<RuleId>),
    /// `seq … endseq`
    Seq(Vec<RuleId>),
    /// `if c then R else R endif`
    If(TermId, RuleId, Option<RuleId>),
    /// `switch t case v : R … otherwise R endswitch`
    Switch(TermId, Vec<(TermId, RuleId)>, Option<RuleId>),
    /// `let ($x = t) in R endlet`
    Let(Vec<(Ident, TermId)>, RuleId),
    /// `forall $x in D with c do R`
    Forall(Vec<Binder>, Option<TermId>, RuleId),
    /// `choose $x in D with c do R ifnone R`
    Choose(Vec<Binder>, Option<TermId>, RuleId, Option<RuleId>),
    /// `extend D with $x do R`
    Extend(Ident, Vec<Ident>, RuleId),
    /// `while c do R`
    While(TermId, RuleId),
    /// `r_x[t, u]`
    Call(Ident, Vec<TermId>),
    /// A term that stands for a rule, such as `program($a)` or `$r`, with arguments if there are any.
    Term(TermId, Vec<TermId>),
    /// Something that could not be read, which was reported.
    Error,
}

impl std::ops::Index<TermId> for File {
    type Output = Term;

    fn index(&self, term: TermId) -> &Term {
        &self.terms[term.0 as usize]
    }
}

impl std::ops::Index<RuleId> for File {
    type Output = Rule;

    fn index(&self, rule: RuleId) -> &Rule {
        &self.rule_nodes[rule.0 as usize]
    }
}
