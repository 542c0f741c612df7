//! Where a model comes from: what criteria, reports and diagnostics need of the source, and no engine does.

use crate::diagram::Diagram;
use crate::expr::ExprId;
use crate::model::Model;
use crate::system::VarId;
use crate::value::Value;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// Conditions on states, in the language of a specification.
pub trait ReadConditions: std::fmt::Debug + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe {
    /// Reads conditions: a model with the same variables in which they can be evaluated, and for each text its expression, or what is
    /// wrong with it.
    fn read(&self, texts: &[String]) -> (Model, Vec<Result<ExprId, String>>);

    /// Whether the specification declares something of this name, be it part of the model or not.
    fn declares(&self, name: &str) -> bool;
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
    /// A number: the value of the shape over a denominator.
    Fraction(i64, Box<Shape>),
    /// A value of one of several kinds.
    Mixed {
        /// The variable for the name of the kind, or `undef`.
        kind: VarId,
        /// The kinds (`truth`, `number`, `element`, `tuple2`, `set`, `sequence`) with their variables.
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
            Shape::Fraction(_, whole) => whole.first_var(),
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
            Shape::Fraction(_, whole) => whole.vars(),
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
    /// The parts of the machine that differ, with their new expressions. Nothing if that was not asked for, or if the
    /// mutant has choices that the machine does not have.
    pub changes: Option<Vec<(ChangedPart, ExprId)>>,
}

/// A part of the machine that differs in a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangedPart {
    /// The value of an assignment.
    Assign(usize),
    /// A constraint on steps. The index after the last one stands for one that the mutant has in addition.
    Trans(usize),
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
    /// Whether it is that the step exceeds a bound of what has no end.
    pub is_bound: bool,
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

/// The name in [`RuleChoice::names`] of the rules that scenarios execute before a step.
pub const EXECUTED: &str = "exec";

/// A choice of a rule, made by an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChoice {
    /// The input.
    pub var: VarId,
    /// The variables of the language that get values by it: `$x`.
    pub names: Vec<String>,
    /// The rule that has the choice.
    pub rule: String,
    /// For each value of the input, the values of the variables of the language; empty where they depend on the state.
    pub values: Vec<(Value, Vec<String>)>,
    /// Whether the choice is made in a step.
    pub is_made: ExprId,
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

/// What is known of the source of a model.
#[derive(Clone, Debug, Default)]
pub struct SourceInfo {
    /// The module instances, outer before inner.
    pub instances: Vec<Instance>,
    /// The notation of variables in their language, where it differs from their names: `owner(fork_1)` for
    /// `owner.fork_1`.
    pub aliases: Vec<(VarId, String)>,
    /// Composite values that several variables represent.
    pub compounds: Vec<Compound>,
    /// Locations that both the machine and the environment change.
    pub shared: Vec<Shared>,
    /// The choices of rules.
    pub choices: Vec<RuleChoice>,
    /// The initial values of inputs that do not bind them, because scenarios set other ones.
    pub first_inputs: Vec<(VarId, ExprId)>,
    /// Variables for natural numbers, which some tools write in another way than integers.
    pub naturals: Vec<VarId>,
    /// Names of locations that such tools write in another way: `used(1n)` for `used(1)`.
    pub natural_names: Vec<(String, String)>,
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
    /// Reads conditions that are written beside the specification, if its language has some of its own.
    pub conditions: Option<Arc<dyn ReadConditions>>,
    /// Its drawing, if the source is a diagram.
    pub diagram: Option<Diagram>,
}
