//! The model: variables, what may happen to them, and what is claimed about them.
//!
//! It is flat and typed, and knows nothing of the language it came from. Everything is kept as the author wrote it.

use crate::expr::{ExprId, Exprs, Written};
use crate::op::Logic;
use crate::value::{Domain, SymbolTable, Value};
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::Span;

/// A variable of a model, in declared order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A define of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefineId(pub u32);

/// How long a variable keeps a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VarKind {
    /// Part of the state.
    State,
    /// Part of the state, and never changes.
    Frozen,
    /// Belongs to a step, not to a state.
    Input,
}

/// The side of the system on which a variable stands, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Set by the tester.
    Input,
    /// Observed by the tester.
    Output,
    /// Neither.
    Internal,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its full name, such as `left.queue[2]`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// How long it keeps one.
    pub kind: VarKind,
    /// Who sets it.
    pub role: Role,
    /// Where it was declared.
    pub span: Span,
}

/// A name for an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// Its full name.
    pub name: String,
    /// What it stands for.
    pub body: Written,
    /// Where it was declared.
    pub span: Span,
}

/// Which value of a variable an assignment gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignKind {
    /// In every state.
    Always,
    /// In initial states.
    Init,
    /// After every step.
    Next,
}

/// An assignment. Where the value is a set, any of its members may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// Which value.
    pub kind: AssignKind,
    /// The variable.
    pub var: VarId,
    /// The value.
    pub value: Written,
    /// The whole assignment.
    pub span: Span,
}

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyKind {
    /// A formula of CTL, to hold in all initial states.
    Ctl,
    /// A formula of LTL, to hold on all paths.
    Ltl,
    /// An expression without temporal operators, to hold in all reachable states.
    Invar,
    /// The length of the shortest path from one set of states to another.
    ComputeMin,
    /// The length of the longest path that stays outside the other set.
    ComputeMax,
    /// A formula that was written in PSL and means one of CTL or LTL.
    Psl(Logic),
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its kind.
    pub kind: PropertyKind,
    /// The formula; for `COMPUTE`, the states to start from.
    pub formula: Written,
    /// For `COMPUTE`, the states to reach.
    pub target: Option<Written>,
    /// Where it was declared.
    pub span: Span,
}

/// A module instance of the source, for people who look for their structure in the flat model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its full name; empty for the main one.
    pub path: String,
    /// Its module.
    pub module: String,
    /// Whether it is a process.
    pub process: bool,
}

/// Something that the author wrote and a test may exercise: a rule of a machine, a row of a table.
///
/// Whoever lowers a language attaches them; criteria take those of a kind. It is exercised by a step from a state in
/// which one of the instances holds; they are truth values and may speak of inputs and next values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What it is, such as `rule`.
    pub kind: &'static str,
    /// A name for people, unique among those of its kind.
    pub name: String,
    /// Its place.
    pub span: Span,
    /// When it is exercised: one predicate for each of the places to which the language unfolds it.
    pub instances: Vec<ExprId>,
}

/// Something of the language that several variables hold together: a location with a tuple or a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound {
    /// How the language writes it.
    pub name: String,
    /// What holds it.
    pub shape: Shape,
}

/// How variables hold a value together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A variable holds it.
    One(VarId),
    /// It is always this.
    Known(String),
    /// A tuple of these.
    Tuple(Vec<Shape>),
    /// A set: for each possible member, the variable that tells whether it is one.
    Set(Vec<(String, VarId)>),
    /// A sequence of these, of which those beyond its length are not part of it.
    Seq {
        /// The variable for the length, which is -1 if there is no sequence; all items are there if there is none.
        length: Option<VarId>,
        /// What holds the items.
        items: Vec<Shape>,
    },
    /// A value of one of several kinds.
    Mixed {
        /// The variable that has the name of the kind, or `undef`.
        kind: VarId,
        /// The kinds, and what holds values of them: `truth`, `number` or `element`.
        cases: Vec<(String, Shape)>,
    },
}

impl Shape {
    /// The first of the variables.
    pub fn first_var(&self) -> Option<VarId> {
        match self {
            Shape::One(var) => Some(*var),
            Shape::Known(_) => None,
            Shape::Tuple(parts) => parts.iter().find_map(Shape::first_var),
            Shape::Set(members) => members.first().map(|(_, var)| *var),
            Shape::Seq { length, items } => length.or_else(|| items.iter().find_map(Shape::first_var)),
            Shape::Mixed { kind, .. } => Some(*kind),
        }
    }

    /// All variables.
    pub fn vars(&self) -> Vec<VarId> {
        match self {
            Shape::One(var) => vec![*var],
            Shape::Known(_) => Vec::new(),
            Shape::Tuple(parts) => parts.iter().flat_map(Shape::vars).collect(),
            Shape::Set(members) => members.iter().map(|(_, var)| *var).collect(),
            Shape::Seq { length, items } => length.iter().copied().chain(items.iter().flat_map(Shape::vars)).collect(),
            Shape::Mixed { kind, cases } => {
                std::iter::once(*kind).chain(cases.iter().flat_map(|(_, shape)| shape.vars())).collect()
            }
        }
    }
}

/// A slightly wrong version of a rule, as a change of the text. The element of the same name tells it apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The operator that makes it, and the rule with a number: `RR r_Main.2`.
    pub name: String,
    /// The place of the rule.
    pub span: Span,
    /// The changes, from the first place to the last.
    pub edits: Vec<Edit>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; if it is empty, something is inserted.
    pub span: Span,
    /// By what.
    pub text: String,
    /// The word before the place that goes with it, such as `case`.
    pub word: Option<&'static str>,
}

/// A step that the specification does not allow: updates that contradict each other, a value outside of its domain.
///
/// The model has no such step; whether a reachable state calls for one is worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// The code under which it is reported.
    pub code: Code,
    /// Whether it is that updates contradict each other.
    pub is_contradiction: bool,
    /// What would happen, in one line.
    pub description: String,
    /// When it would happen: a truth value that speaks of the current state.
    pub predicate: ExprId,
    /// The same for each choice of the step: a truth value that may also speak of the inputs that stand for choices.
    pub step: ExprId,
    /// The parts of the specification that are involved: their places, what they do, and when they do it.
    pub sites: Vec<(Span, String, ExprId)>,
}

/// Something that the machine changes in its steps, and the environment may change between them.
///
/// Its own variables hold what the last step has left; these inputs say what the environment makes of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// How the language writes it.
    pub name: String,
    /// Whether the environment changes it before the next step.
    pub set: VarId,
    /// What the environment makes of it.
    pub value: Shape,
}

/// A table of the source, for criteria and reports that speak of its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it is called, such as `mode table Pressure`.
    pub name: String,
    /// The rows as they are written, headings included.
    pub rows: Vec<Vec<Cell>>,
    /// Where it starts.
    pub span: Span,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What is written in it.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// What tests are to show of it.
    pub marks: Vec<Mark>,
}

/// Something that tests are to show of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// A word for it, such as `true` or `false`.
    pub word: &'static str,
    /// The mode and the event of the cell that it is about, such as `in X by @T(a)`, where there are several.
    pub case: String,
    /// The element that says when it is shown, counted from 0 in the model.
    pub element: usize,
}

/// What an author takes for granted, and what to say if it is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// When the expression should hold.
    pub when: When,
    /// The expression, which may speak of next values.
    pub expr: ExprId,
    /// What to say if it is otherwise.
    pub otherwise: Diagnostic,
}

/// When something is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In no state or step, reachable or not.
    Never,
    /// In some reachable state or step.
    Sometimes,
    /// In all initial states.
    Initially,
}

/// A model.
///
/// Invariants: expressions are well-typed; a define refers only to defines before it; at most one assignment of each
/// kind per variable, and not both `Always` and another; assignments have no circular dependencies.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// A name for people, usually that of the file.
    pub name: String,
    /// Whether work on it may go on.
    pub budget: Budget,
    /// The names of symbolic constants.
    pub symbols: SymbolTable,
    /// All expressions.
    pub exprs: Exprs,
    /// The variables, in declared order.
    pub vars: Vec<Var>,
    /// The defines, each after those that it uses.
    pub defines: Vec<Define>,
    /// The assignments, in written order.
    pub assigns: Vec<Assign>,
    /// What initial states must satisfy.
    pub init: Vec<Written>,
    /// What steps must satisfy.
    pub trans: Vec<Written>,
    /// What states must satisfy.
    pub invar: Vec<Written>,
    /// What must hold again and again on fair paths.
    pub justice: Vec<Written>,
    /// Pairs: if the first holds again and again on a fair path, so must the second.
    pub compassion: Vec<(Written, Written)>,
    /// The properties, in written order.
    pub properties: Vec<Property>,
    /// The module instances, outer before inner.
    pub instances: Vec<Instance>,
    /// How the language itself writes variables, where that is not their name: `owner(fork_1)` for `owner.fork_1`.
    pub aliases: Vec<(VarId, String)>,
    /// What several variables hold together in the language.
    pub compounds: Vec<Compound>,
    /// What the environment may change although the machine changes it, too.
    pub shared: Vec<Shared>,
    /// What criteria may ask tests to exercise, in written order.
    pub elements: Vec<Element>,
    /// Slightly wrong versions of its rules, if somebody wants them.
    pub rewrites: Vec<Rewrite>,
    /// Steps that must not be called for.
    pub hazards: Vec<Hazard>,
    /// The tables that it was written in, if it was.
    pub tables: Vec<Table>,
    /// What its author takes for granted.
    pub expectations: Vec<Expectation>,
    /// Variables that were added for the sake of properties, behind all others: the second of each pair remembers the
    /// previous value of the first. They are no part of the specification, and tests do not mention them.
    pub shadows: Vec<(VarId, VarId)>,
}

impl Model {
    /// Whether a variable was added to remember the previous value of another one.
    pub fn is_shadow(&self, var: VarId) -> bool {
        self.shadows.iter().any(|(_, shadow)| *shadow == var)
    }

    /// The specification without the variables that were added to it. Expressions that speak of these have no meaning then.
    #[must_use]
    pub fn without_shadows(&self) -> Model {
        let mut model = self.clone();
        model.vars.truncate(self.vars.len() - self.shadows.len());
        model.assigns.retain(|assign| !self.is_shadow(assign.var));
        model.shadows.clear();
        model
    }

    /// All variables with their ids.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, &Var)> {
        (0..).map(VarId).zip(&self.vars)
    }

    /// The variable of that full name.
    pub fn var_named(&self, name: &str) -> Option<VarId> {
        self.vars().find(|(_, var)| var.name == name).map(|(id, _)| id)
    }

    /// The define of that full name.
    pub fn define_named(&self, name: &str) -> Option<DefineId> {
        (0..).map(DefineId).zip(&self.defines).find(|(_, define)| define.name == name).map(|(id, _)| id)
    }

    /// What a define stands for.
    pub fn body(&self, define: DefineId) -> ExprId {
        self.defines[define.0 as usize].body.expr
    }

    /// The assignment of a kind to a variable.
    pub fn assign(&self, kind: AssignKind, var: VarId) -> Option<&Assign> {
        self.assigns.iter().find(|assign| assign.kind == kind && assign.var == var)
    }

    /// A value as people write it.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Bool(true) => "TRUE".into(),
            Value::Bool(false) => "FALSE".into(),
            Value::Int(number) => number.to_string(),
            Value::Symbol(symbol) => self.symbols.name(symbol).into(),
            Value::Word(word) => word.to_string(),
        }
    }
}

impl std::ops::Index<VarId> for Model {
    type Output = Var;

    fn index(&self, var: VarId) -> &Var {
        &self.vars[var.0 as usize]
    }
}

impl std::ops::Index<DefineId> for Model {
    type Output = Define;

    fn index(&self, define: DefineId) -> &Define {
        &self.defines[define.0 as usize]
    }
}

impl std::ops::Index<ExprId> for Model {
    type Output = crate::expr::Node;

    fn index(&self, expr: ExprId) -> &crate::expr::Node {
        &self.exprs[expr]
    }
}
