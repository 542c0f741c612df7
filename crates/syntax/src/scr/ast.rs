//! Syntax tree of an SCR specification.

use crate::op::{BinaryOp, UnaryOp};
use crate::span::Span;

/// A name and its source span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its source span.
    pub span: Span,
}

/// A specification, in source order.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Named types.
    pub types: Vec<TypeDecl>,
    /// Named constants.
    pub constants: Vec<ConstantDecl>,
    /// Monitored and controlled variables, terms and mode classes.
    pub vars: Vec<VarDecl>,
    /// How many monitored variables may change in a step, and the source span of that declaration.
    pub inputs: Option<(Inputs, Span)>,
    /// The unit of time: a boolean that is true after the steps in which it has passed.
    pub clock: Option<Name>,
    /// Assumptions on the environment, which hold always.
    pub assumptions: Vec<Expr>,
    /// Constraints on initial states, besides initial values.
    pub initially: Vec<Expr>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The properties.
    pub properties: Vec<PropertyDecl>,
}

/// `Switch : {On, Off}`
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The name of the type.
    pub name: Name,
    /// What it stands for.
    pub ty: TypeExpr,
}

/// `Low = 90`
#[derive(Clone, Debug)]
pub struct ConstantDecl {
    /// The name of the constant.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// A type expression.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// Its kind.
    pub kind: TypeKind,
    /// Its source span.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `boolean`
    Boolean,
    /// `{On, Off}`
    Enum(Vec<Name>),
    /// `0..200`, `0.0..2.5`
    Range(Expr, Expr),
    /// The name of a type.
    Named(String),
}

/// The kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Set by the environment.
    Monitored,
    /// Set by the system, visible to the environment.
    Controlled,
    /// An auxiliary variable.
    Term,
    /// A mode class: its values are modes.
    Mode,
}

impl Class {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Class::Monitored => "monitored variable",
            Class::Controlled => "controlled variable",
            Class::Term => "term",
            Class::Mode => "mode class",
        }
    }
}

/// `Block : Switch initially Off`
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its kind.
    pub class: Class,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its initial value.
    pub initially: Option<Expr>,
}

/// How many monitored variables change in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Exactly one: the one-input assumption.
    One,
    /// Any number, none included.
    Any,
}

/// `safe : Pressure = TooLow => Injecting = On`
#[derive(Clone, Debug)]
pub struct PropertyDecl {
    /// Its name.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Expr,
}

/// The kinds of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// A mode transition table: modes, event, new mode.
    Mode,
    /// A mode transition table with a column for each condition.
    Matrix,
    /// An event table: the value of a variable after an event.
    Event,
    /// A condition table: the value of a variable under a condition.
    Condition,
}

impl TableKind {
    /// Its keyword, also used in messages.
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Mode => "mode table",
            TableKind::Matrix => "mode matrix",
            TableKind::Event => "event table",
            TableKind::Condition => "condition table",
        }
    }

    /// Its name with its article.
    pub fn with_article(self) -> String {
        format!("{} {}", if self == TableKind::Event { "an" } else { "a" }, self.name())
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its kind.
    pub kind: TableKind,
    /// The variable or mode class that it defines.
    pub name: Name,
    /// The mode class whose modes stand in the first column.
    pub by: Option<Name>,
    /// The headings; for a matrix, its conditions.
    pub head: Vec<Cell>,
    /// The rows; of an event or condition table, without the values.
    pub rows: Vec<Row>,
    /// The values in the last row of an event or condition table.
    pub values: Vec<Cell>,
    /// The heading, without the rows.
    pub span: Span,
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// The whole row.
    pub span: Span,
}

/// A cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Its source span.
    pub span: Span,
    /// Its parsed content.
    pub content: Content,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub enum Content {
    /// Text without formal meaning.
    Label,
    /// The modes named in the cell or, if it is empty, in the row above.
    Modes(Vec<Name>),
    /// All modes.
    AnyMode,
    /// An event, a condition, a value or a new mode.
    Expr(Expr),
    /// An entry of a matrix.
    Sign(Sign),
    /// A cell that could not be parsed; it was reported.
    Broken,
}

/// An entry of a matrix: what is required of the condition of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `@T`: it becomes true.
    BecomesTrue,
    /// `@F`: it becomes false.
    BecomesFalse,
    /// `t`: it is and stays true.
    True,
    /// `f`: it is and stays false.
    False,
    /// `-`: no requirement.
    DontCare,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: Box<ExprKind>,
    /// Its source span.
    pub span: Span,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// `@T(c)`: `c` becomes true.
    True,
    /// `@F(c)`: `c` becomes false.
    False,
    /// `@C(x)`: `x` changes.
    Change,
}

/// The states of a step in which the condition of an event must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// `WHEN`: before the step.
    Before,
    /// `WHERE`: after the step.
    After,
    /// `WHILE`: before and after it.
    Throughout,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a decimal point: numerator and denominator, in lowest terms.
    Real(i64, i64),
    /// A variable, a constant or a value.
    Name(String),
    /// Whether the system is in the mode of the row.
    Inmode,
    /// `x'`, `next(x)`: the value after the step.
    Prime(Expr),
    /// `@T(c)`
    Event(EventKind, Expr),
    /// `@T(c) WHEN d`
    When(Timing, Expr, Expr),
    /// One operand.
    Unary(UnaryOp, Expr),
    /// Two operands.
    Binary(BinaryOp, Expr, Expr),
    /// `x IN {a, b}`
    In(Expr, Vec<Expr>),
    /// `DUR(c)`: for how long a condition has held.
    Duration(Expr),
}
