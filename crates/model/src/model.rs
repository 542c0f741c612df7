//! The model: variables, assignments, constraints and properties.
//!
//! A model is flat, typed and independent of its language. Expressions are kept in their source form.

use crate::expr::{ExprId, Exprs, SourcedExpr};
use crate::interface::Interface;
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

/// How long a variable keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VarKind {
    /// Part of the state.
    State,
    /// Part of the state, and never changes.
    Frozen,
    /// Belongs to a step, not to a state.
    Input,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its full name, such as `left.queue[2]`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Its kind.
    pub kind: VarKind,
    /// The span of its declaration.
    pub span: Span,
}

/// A named expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// Its full name.
    pub name: String,
    /// Its expression.
    pub body: SourcedExpr,
    /// The span of its declaration.
    pub span: Span,
}

/// Which value of a variable an assignment defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignKind {
    /// In every state.
    Always,
    /// In initial states.
    Init,
    /// After every step.
    Next,
}

/// An assignment. A set is a nondeterministic choice of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// Its kind.
    pub kind: AssignKind,
    /// The variable.
    pub var: VarId,
    /// The value.
    pub value: SourcedExpr,
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
    pub formula: SourcedExpr,
    /// For `COMPUTE`, the states to reach.
    pub target: Option<SourcedExpr>,
    /// The span of its declaration.
    pub span: Span,
}

/// A module instance of the source. It has no semantics in the flat model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its full name; empty for the main one.
    pub path: String,
    /// Its module.
    pub module: String,
    /// Whether it is a process.
    pub process: bool,
}

/// A syntactic element that a test may exercise: a rule of a machine, a row of a table.
///
/// Lowering attaches elements; coverage criteria select them by kind. An element is exercised by a step from a state in
/// which one of its instances holds; instances are boolean and may read inputs and next values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its kind, such as `rule`.
    pub kind: &'static str,
    /// Its name, unique among the elements of its kind.
    pub name: String,
    /// Its source span.
    pub span: Span,
    /// Predicates for when it is exercised, one for each instance to which the language unfolds it.
    pub instances: Vec<ExprId>,
}

/// A composite value of the language that several variables represent: a location with a tuple or a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound {
    /// Its name in the language.
    pub name: String,
    /// Its variables.
    pub shape: Shape,
}

/// How variables represent a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single variable.
    One(VarId),
    /// A constant.
    Known(String),
    /// A tuple of these.
    Tuple(Vec<Shape>),
    /// A set: for each possible member a boolean variable.
    Set(Vec<(String, VarId)>),
    /// A sequence. Items beyond its length are unused.
    Seq {
        /// The variable for the length, which is -1 for `undef`; without it all items are used.
        length: Option<VarId>,
        /// The items.
        items: Vec<Shape>,
    },
    /// A value of one of several kinds.
    Mixed {
        /// The variable for the name of the kind, or `undef`.
        kind: VarId,
        /// The kinds (`truth`, `number` or `element`) with their variables.
        cases: Vec<(String, Shape)>,
    },
}

impl Shape {
    /// The first variable.
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

/// A mutant of a rule, as a change of the source text. The element of the same name distinguishes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The mutation operator, and the rule with a number: `RR r_Main.2`.
    pub name: String,
    /// The span of the rule.
    pub span: Span,
    /// The changes, sorted by position.
    pub edits: Vec<Edit>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced text; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// The keyword before the span that is replaced with it, such as `case`.
    pub word: Option<&'static str>,
}

/// A step that the specification does not allow: inconsistent updates, or a value outside of its domain.
///
/// The model has no such step; `check` reports whether a reachable state requires one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// Its diagnostic code.
    pub code: Code,
    /// Whether it is that updates contradict each other.
    pub is_contradiction: bool,
    /// Its description, in one line.
    pub description: String,
    /// The condition under which it would happen: a boolean expression over the current state.
    pub predicate: ExprId,
    /// The same for each choice of the step: it may also read the inputs that stand for choices.
    pub step: ExprId,
    /// The involved parts of the specification: span, action and condition.
    pub sites: Vec<(Span, String, ExprId)>,
}

/// A location that the machine changes in its steps and the environment may change between them.
///
/// Its own variables have the value after the last step; these inputs describe the change by the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Its name in the language.
    pub name: String,
    /// Whether the environment changes it before the next step.
    pub set: VarId,
    /// The new value.
    pub value: Shape,
}

/// A table of the source, for criteria and reports on its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name, such as `mode table Pressure`.
    pub name: String,
    /// The rows, including headings.
    pub rows: Vec<Vec<Cell>>,
    /// The span of its heading.
    pub span: Span,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Its source span.
    pub span: Span,
    /// The goals of coverage for this cell.
    pub marks: Vec<Mark>,
}

/// A goal of coverage for a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its kind, such as `true` or `false`.
    pub word: &'static str,
    /// The mode and the event that it is about, such as `in X by @T(a)`, if the cell has several.
    pub case: String,
    /// The element that says when it is covered, as an index into the elements of the model.
    pub element: usize,
}

/// An expectation of a front end, with the diagnostic for its violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Where the expression should hold.
    pub when: When,
    /// The expression, which may read next values.
    pub expr: ExprId,
    /// The diagnostic for a violation.
    pub otherwise: Diagnostic,
}

/// The quantifier of an expectation.
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
/// Invariants: expressions are well-typed; a define refers only to earlier defines; a variable has at most one
/// assignment of each kind, and not both `Always` and another; assignments have no circular dependencies.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its name, usually that of the file.
    pub name: String,
    /// The budget for work on the model.
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
    /// Constraints on initial states.
    pub init: Vec<SourcedExpr>,
    /// Constraints on steps.
    pub trans: Vec<SourcedExpr>,
    /// Constraints on all states.
    pub invar: Vec<SourcedExpr>,
    /// Justice: conditions that hold infinitely often on fair paths.
    pub justice: Vec<SourcedExpr>,
    /// Compassion: pairs of conditions; if the first holds infinitely often on a fair path, so does the second.
    pub compassion: Vec<(SourcedExpr, SourcedExpr)>,
    /// The properties, in source order.
    pub properties: Vec<Property>,
    /// What a tester sets and sees.
    pub interface: Interface,
    /// The module instances, outer before inner.
    pub instances: Vec<Instance>,
    /// The notation of variables in their language, where it differs from their names: `owner(fork_1)` for
    /// `owner.fork_1`.
    pub aliases: Vec<(VarId, String)>,
    /// Composite values that several variables represent.
    pub compounds: Vec<Compound>,
    /// Locations that both the machine and the environment change.
    pub shared: Vec<Shared>,
    /// The elements for coverage criteria, in source order.
    pub elements: Vec<Element>,
    /// Mutants of its rules, if they were requested.
    pub rewrites: Vec<Rewrite>,
    /// Steps that the specification does not allow.
    pub hazards: Vec<Hazard>,
    /// The tables of the source, if there are any.
    pub tables: Vec<Table>,
    /// Expectations of the front end, with the diagnostics for violations.
    pub expectations: Vec<Expectation>,
    /// Variables that were added for past operators in properties, after all others: the second of each pair has the
    /// previous value of the first. They are not part of the specification, and tests do not mention them.
    pub shadows: Vec<(VarId, VarId)>,
}

impl Model {
    /// Whether a variable was added to store the previous value of another one.
    pub fn is_shadow(&self, var: VarId) -> bool {
        self.shadows.iter().any(|(_, shadow)| *shadow == var)
    }

    /// The model without the added variables. Expressions over these are invalid then.
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

    /// The variable with this full name.
    pub fn var_named(&self, name: &str) -> Option<VarId> {
        self.vars().find(|(_, var)| var.name == name).map(|(id, _)| id)
    }

    /// The define with this full name.
    pub fn define_named(&self, name: &str) -> Option<DefineId> {
        (0..).map(DefineId).zip(&self.defines).find(|(_, define)| define.name == name).map(|(id, _)| id)
    }

    /// The expression of a define.
    pub fn body(&self, define: DefineId) -> ExprId {
        self.defines[define.0 as usize].body.expr
    }

    /// The assignment of a kind to a variable.
    pub fn assign(&self, kind: AssignKind, var: VarId) -> Option<&Assign> {
        self.assigns.iter().find(|assign| assign.kind == kind && assign.var == var)
    }

    /// The text of a value.
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
