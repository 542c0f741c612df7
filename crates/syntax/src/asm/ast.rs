//! Syntax tree of an AsmetaL file. Terms and rules live in two arenas; parts come before the wholes that use them.

use crate::span::Span;
use std::sync::Arc;

/// A name and its source span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name; the name of a variable includes its `$`.
    pub text: Arc<str>,
    /// Its source span.
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
    /// Whether the file is a `module`, which has no main rule.
    pub module: bool,
    /// The imported files.
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
    /// The imported names; empty if everything is imported.
    pub names: Vec<Ident>,
}

/// A declared domain.
#[derive(Clone, Debug)]
pub struct DomainDecl {
    /// Its name.
    pub name: Ident,
    /// Its kind.
    pub kind: DomainKind,
}

/// The kinds of declared domains.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// `enum domain D = {A | B}`
    Enum(Vec<Ident>),
    /// `abstract domain D`; a `dynamic` one can be extended with new elements.
    Abstract {
        /// Whether it is declared `dynamic`.
        dynamic: bool,
    },
    /// `domain D subsetof E`
    SubsetOf {
        /// The superset.
        parent: DomainRef,
        /// Whether it is declared `dynamic`.
        dynamic: bool,
    },
    /// `anydomain D` or `basic domain D`
    Other,
}

/// A reference to a domain.
#[derive(Clone, Debug)]
pub struct DomainRef {
    /// The name of the domain or of its constructor, such as `Prod`.
    pub name: Ident,
    /// The arguments of the constructor.
    pub args: Vec<DomainRef>,
    /// The whole reference.
    pub span: Span,
}

/// The kinds of functions, by what may change their values (Börger and Stärk).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// Never changes.
    Static,
    /// Defined by other functions.
    Derived,
    /// Updated by the machine.
    Controlled,
    /// Changed by the environment.
    Monitored,
    /// Updated by the machine and changed by the environment.
    Shared,
    /// Updated by the machine and read by the environment only.
    Out,
    /// Local to a rule.
    Local,
}

/// A declared function.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// Its name.
    pub name: Ident,
    /// Its kind.
    pub kind: FunctionKind,
    /// The domains of its arguments.
    pub params: Vec<DomainRef>,
    /// The domain of its value.
    pub codomain: DomainRef,
}

/// A bound variable, `$x in D`, where `D` may be any set.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub var: Ident,
    /// The set that the variable ranges over.
    pub range: TermId,
}

/// `domain D = …`
#[derive(Clone, Debug)]
pub struct DomainDef {
    /// The domain.
    pub name: Ident,
    /// The set of its elements.
    pub body: TermId,
}

/// `function f($x in D) = …`
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// The function.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// The value.
    pub body: TermId,
}

/// `rule r_x($x in D) = …`
#[derive(Clone, Debug)]
pub struct RuleDef {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// The body.
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
    /// The formula.
    pub body: TermId,
    /// The whole declaration.
    pub span: Span,
}

/// `default init s0: …`
#[derive(Clone, Debug)]
pub struct Init {
    /// Its name.
    pub name: Ident,
    /// Whether it is marked `default`; a run starts from this one.
    pub default: bool,
    /// Definitions of domains for this initial state.
    pub domain_defs: Vec<DomainDef>,
    /// Initial values.
    pub function_defs: Vec<FunctionDef>,
    /// The programs of agents: a domain, and the rule that its members run.
    pub agents: Vec<(Ident, RuleId)>,
}

/// A term and its source span.
#[derive(Clone, Debug)]
pub struct Term {
    /// Its kind.
    pub kind: TermKind,
    /// Its source span.
    pub span: Span,
}

/// The infix operators.
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
    /// A string, without its quotes.
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
    /// An infix operator and its operands.
    Binary(BinaryOp, TermId, TermId),
    /// `(a, b)`
    Tuple(Vec<TermId>),
    /// `{a, b}`
    Set(Vec<TermId>),
    /// `{a : b}`, with a step if there is one.
    Range(TermId, TermId, Option<TermId>),
    /// `{$x in D | c : t}`; a sequence if written with brackets.
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
        /// Whether it is `exist unique`.
        unique: bool,
    },
    /// `(forall $x in D with c)`
    Forall(Vec<Binder>, Option<TermId>),
    /// A structured domain used as a set, such as `Powerset(D)`.
    Domain(DomainRef),
    /// `<<r_x>>`, or `<<r_x(D)>>` with the domains of the parameters.
    Rule(Ident),
    /// A placeholder for text that could not be parsed; it was reported.
    Error,
}

impl TermKind {
    /// The terms that it consists of, in source order.
    pub fn parts(&self) -> Vec<TermId> {
        let ranges = |binders: &[Binder]| binders.iter().map(|binder| binder.range).collect::<Vec<TermId>>();
        let pairs = |pairs: &[(TermId, TermId)]| pairs.iter().flat_map(|(a, b)| [*a, *b]).collect::<Vec<TermId>>();
        match self {
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::String(_)
            | TermKind::Undef
            | TermKind::Var(_)
            | TermKind::Domain(_)
            | TermKind::Rule(_)
            | TermKind::Error => Vec::new(),
            TermKind::Not(a) | TermKind::Neg(a) => vec![*a],
            TermKind::Binary(_, a, b) => vec![*a, *b],
            TermKind::Apply(_, items)
            | TermKind::Tuple(items)
            | TermKind::Set(items)
            | TermKind::Seq(items)
            | TermKind::Bag(items) => items.clone(),
            TermKind::Range(first, last, step) => [Some(*first), Some(*last), *step].into_iter().flatten().collect(),
            TermKind::Comprehension { binders, condition, element, .. } => {
                ranges(binders).into_iter().chain(*condition).chain([*element]).collect()
            }
            TermKind::Map(items) => pairs(items),
            TermKind::If(condition, then, otherwise) => {
                [Some(*condition), Some(*then), *otherwise].into_iter().flatten().collect()
            }
            TermKind::Switch(scrutinee, cases, otherwise) => {
                std::iter::once(*scrutinee).chain(pairs(cases)).chain(*otherwise).collect()
            }
            TermKind::Let(bindings, body) => bindings.iter().map(|(_, term)| *term).chain([*body]).collect(),
            TermKind::Exists { binders, condition, .. } | TermKind::Forall(binders, condition) => {
                ranges(binders).into_iter().chain(*condition).collect()
            }
        }
    }
}

/// A rule and its source span.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its kind.
    pub kind: RuleKind,
    /// Its source span.
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
    /// `f(x) <- r_x(t, u)`: the location, the term `result`, and the call.
    Return(TermId, TermId, RuleId),
    /// A term that denotes a rule, such as `program($a)` or `$r`, with its arguments.
    Term(TermId, Vec<TermId>),
    /// A placeholder for text that could not be parsed; it was reported.
    Error,
}

impl File {
    /// Whether a term, a rule or a definition binds a variable of this name.
    pub fn binds(&self, name: &str) -> bool {
        let is = |known: &Ident| &*known.text == name;
        let in_binders = |binders: &[Binder]| binders.iter().any(|binder| is(&binder.var));
        let by_term = |term: &Term| match &term.kind {
            TermKind::Comprehension { binders, .. }
            | TermKind::Exists { binders, .. }
            | TermKind::Forall(binders, _) => in_binders(binders),
            TermKind::Let(bindings, _) => bindings.iter().any(|(known, _)| is(known)),
            _ => false,
        };
        let by_rule = |rule: &Rule| match &rule.kind {
            RuleKind::Forall(binders, ..) | RuleKind::Choose(binders, ..) => in_binders(binders),
            RuleKind::Let(bindings, _) => bindings.iter().any(|(known, _)| is(known)),
            RuleKind::Extend(_, names, _) => names.iter().any(is),
            _ => false,
        };
        self.terms.iter().any(by_term)
            || self.rule_nodes.iter().any(by_rule)
            || self.rules.iter().any(|rule| in_binders(&rule.params))
            || self.function_defs.iter().any(|def| in_binders(&def.params))
    }
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
