//! The operators of expressions and temporal formulas.
//!
//! Syntax trees and models share these operators.

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// Unary `-`
    Neg,
    /// CTL: on some path, next.
    EX,
    /// CTL: on all paths, next.
    AX,
    /// CTL: on some path, eventually.
    EF,
    /// CTL: on all paths, eventually.
    AF,
    /// CTL: on some path, always.
    EG,
    /// CTL: on all paths, always.
    AG,
    /// LTL: next.
    X,
    /// LTL: eventually.
    F,
    /// LTL: always.
    G,
    /// Past LTL: in the previous state, which exists.
    Y,
    /// Past LTL: in the previous state, if it exists.
    Z,
    /// Past LTL: always so far.
    H,
    /// Past LTL: once so far.
    O,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// `&`
    And,
    /// `|`
    Or,
    /// `xor`
    Xor,
    /// `xnor`
    Xnor,
    /// `->`
    Implies,
    /// `<->`
    Iff,
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
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `mod`
    Mod,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `::`, concatenation of words
    Concat,
    /// `union` of sets
    Union,
    /// `in` a set
    In,
    /// CTL: `E [p U q]`
    EU,
    /// CTL: `A [p U q]`
    AU,
    /// LTL: until.
    U,
    /// LTL: releases.
    V,
    /// Past LTL: since.
    S,
    /// Past LTL: triggered.
    T,
}

/// A temporal operator with bounds, such as `EBF 1..3 p` or `F [1,3] p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundedOp {
    /// CTL: on some path, within the bounds.
    EBF,
    /// CTL: on all paths, within the bounds.
    ABF,
    /// CTL: on some path, throughout the bounds.
    EBG,
    /// CTL: on all paths, throughout the bounds.
    ABG,
    /// LTL: within the bounds.
    F,
    /// LTL: throughout the bounds.
    G,
    /// Past LTL: once within the bounds.
    O,
    /// Past LTL: always within the bounds.
    H,
}

/// A bounded until of CTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundedUntilOp {
    /// `E [p BU 1..3 q]`
    EBU,
    /// `A [p BU 1..3 q]`
    ABU,
}

/// A built-in function that is called with parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// The number of boolean arguments that hold.
    Count,
    /// The absolute value of an integer.
    Abs,
    /// The smaller of two integers.
    Min,
    /// The larger of two integers.
    Max,
    /// A one-bit word, or an integer, as a boolean.
    Bool,
    /// A boolean as a one-bit word.
    Word1,
    /// A word as an integer.
    ToInt,
    /// An unsigned word read as signed.
    Signed,
    /// A signed word read as unsigned.
    Unsigned,
    /// A word extended by a number of bits.
    Extend,
    /// A word resized to a given width.
    Resize,
    /// `uwconst(value, width)`
    UwConst,
    /// `swconst(value, width)`
    SwConst,
    /// The width of a word.
    SizeOf,
}

/// Which logic an operator belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Logic {
    /// Branching time.
    Ctl,
    /// Linear time, past included.
    Ltl,
}

impl UnaryOp {
    /// Its notation.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
            UnaryOp::EX => "EX",
            UnaryOp::AX => "AX",
            UnaryOp::EF => "EF",
            UnaryOp::AF => "AF",
            UnaryOp::EG => "EG",
            UnaryOp::AG => "AG",
            UnaryOp::X => "X",
            UnaryOp::F => "F",
            UnaryOp::G => "G",
            UnaryOp::Y => "Y",
            UnaryOp::Z => "Z",
            UnaryOp::H => "H",
            UnaryOp::O => "O",
        }
    }

    /// The logic it belongs to, if it is temporal.
    pub fn logic(self) -> Option<Logic> {
        match self {
            UnaryOp::Not | UnaryOp::Neg => None,
            UnaryOp::EX | UnaryOp::AX | UnaryOp::EF | UnaryOp::AF | UnaryOp::EG | UnaryOp::AG => Some(Logic::Ctl),
            _ => Some(Logic::Ltl),
        }
    }
}

impl BinaryOp {
    /// Its notation; for the untils of CTL, the letter between the operands.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "xor",
            BinaryOp::Xnor => "xnor",
            BinaryOp::Implies => "->",
            BinaryOp::Iff => "<->",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "mod",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Concat => "::",
            BinaryOp::Union => "union",
            BinaryOp::In => "in",
            BinaryOp::EU | BinaryOp::AU | BinaryOp::U => "U",
            BinaryOp::V => "V",
            BinaryOp::S => "S",
            BinaryOp::T => "T",
        }
    }

    /// The logic it belongs to, if it is temporal.
    pub fn logic(self) -> Option<Logic> {
        match self {
            BinaryOp::EU | BinaryOp::AU => Some(Logic::Ctl),
            BinaryOp::U | BinaryOp::V | BinaryOp::S | BinaryOp::T => Some(Logic::Ltl),
            _ => None,
        }
    }

    /// Whether it compares two values.
    pub fn is_relational(self) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

impl BoundedOp {
    /// Its notation.
    pub fn symbol(self) -> &'static str {
        match self {
            BoundedOp::EBF => "EBF",
            BoundedOp::ABF => "ABF",
            BoundedOp::EBG => "EBG",
            BoundedOp::ABG => "ABG",
            BoundedOp::F => "F",
            BoundedOp::G => "G",
            BoundedOp::O => "O",
            BoundedOp::H => "H",
        }
    }

    /// The logic it belongs to.
    pub fn logic(self) -> Logic {
        match self {
            BoundedOp::EBF | BoundedOp::ABF | BoundedOp::EBG | BoundedOp::ABG => Logic::Ctl,
            _ => Logic::Ltl,
        }
    }
}

impl Builtin {
    /// All functions with their names.
    pub const ALL: [(&'static str, Builtin); 14] = [
        ("count", Builtin::Count),
        ("abs", Builtin::Abs),
        ("min", Builtin::Min),
        ("max", Builtin::Max),
        ("bool", Builtin::Bool),
        ("word1", Builtin::Word1),
        ("toint", Builtin::ToInt),
        ("signed", Builtin::Signed),
        ("unsigned", Builtin::Unsigned),
        ("extend", Builtin::Extend),
        ("resize", Builtin::Resize),
        ("uwconst", Builtin::UwConst),
        ("swconst", Builtin::SwConst),
        ("sizeof", Builtin::SizeOf),
    ];

    /// Its notation.
    pub fn name(self) -> &'static str {
        Builtin::ALL.iter().find(|(_, builtin)| *builtin == self).map_or("", |(name, _)| name)
    }
}
