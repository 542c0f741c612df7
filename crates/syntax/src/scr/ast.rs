//! The tree of an SCR specification.

use crate::op::{BinaryOp, UnaryOp};
use crate::span::Span;

/// A name at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A whole specification, in written order.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Named types.
    pub types: Vec<TypeDecl>,
    /// Named constants.
    pub constants: Vec<ConstantDecl>,
    /// Monitored and controlled variables, terms and mode classes.
    pub vars: Vec<VarDecl>,
    /// How many monitored variables may change in a step, and where that is said.
    pub inputs: Option<(Inputs, Span)>,
    /// What the environment always does.
    pub assumptions: Vec<Expr>,
    /// What holds at first, besides initial values.
    pub initially: Vec<Expr>,
    /// The tables.
    pub tables: Vec<Table>,
    /// What is claimed.
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

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is made of.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `boolean`
    Boolean,
    /// `{On, Off}`
    Enum(Vec<Name>),
    /// `0..200`
    Range(Expr, Expr),
    /// The name of a type.
    Named(String),
}

/// What kind of variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Set by the environment.
    Monitored,
    /// Set by the system, seen by the environment.
    Controlled,
    /// A help for writing tables.
    Term,
    /// A mode class: its values are modes.
    Mode,
}

impl Class {
    /// As people call it.
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
    /// What it is.
    pub class: Class,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its first value.
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
    /// What is claimed.
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
    /// As it is written and as people call it.
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Mode => "mode table",
            TableKind::Matrix => "mode matrix",
            TableKind::Event => "event table",
            TableKind::Condition => "condition table",
        }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Which kind.
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
    /// The first line, without what follows.
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
    /// Its place.
    pub span: Span,
    /// What it says.
    pub content: Content,
}

/// What a cell says.
#[derive(Clone, Debug)]
pub enum Content {
    /// Text for people.
    Label,
    /// Modes: those that are named here or, if the cell is empty, in the row above.
    Modes(Vec<Name>),
    /// All modes.
    AnyMode,
    /// An event, a condition, a value, a mode to go to.
    Expr(Expr),
    /// What a matrix asks of a condition.
    Sign(Sign),
    /// Something that was reported already.
    Broken,
}

/// What a matrix asks of the condition of a column.
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
    /// `-`: nothing.
    DontCare,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is made of.
    pub kind: Box<ExprKind>,
    /// Its place.
    pub span: Span,
}

/// Which change makes an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// `@T(c)`: `c` becomes true.
    True,
    /// `@F(c)`: `c` becomes false.
    False,
    /// `@C(x)`: `x` changes.
    Change,
}

/// In which state the condition of an event must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
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
    /// A number.
    Int(i64),
    /// A variable, a constant or a value.
    Name(String),
    /// Whether the system is in the mode of the row.
    Inmode,
    /// `x'`, `next(x)`: the value after the step.
    Prime(Expr),
    /// `@T(c)`
    Event(EventKind, Expr),
    /// `@T(c) WHEN d`
    When(Moment, Expr, Expr),
    /// One operand.
    Unary(UnaryOp, Expr),
    /// Two operands.
    Binary(BinaryOp, Expr, Expr),
    /// `x IN {a, b}`
    In(Expr, Vec<Expr>),
}
