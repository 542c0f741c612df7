//! The types of expressions. Types say what operators may be applied; which values occur is said by domains.

use std::sync::Arc;

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Truth values, and temporal formulas.
    Bool,
    /// Numbers.
    Int,
    /// Symbolic constants.
    Symbol,
    /// Numbers and symbolic constants mixed, as in `{off, 1, 2}`.
    Mixed,
    /// Words.
    Word {
        /// Whether they are signed.
        signed: bool,
        /// The number of bits.
        width: u8,
    },
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// One value.
    One(Scalar),
    /// One of several values, any of which may be chosen.
    Set(Scalar),
    /// An array, indexed from the first to the last number.
    Array(i64, i64, Arc<Ty>),
}

impl Ty {
    /// The type of truth values.
    pub const BOOL: Ty = Ty::One(Scalar::Bool);
    /// The type of numbers.
    pub const INT: Ty = Ty::One(Scalar::Int);

    /// The type of its single values, unless it is an array.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::One(scalar) | Ty::Set(scalar) => Some(*scalar),
            Ty::Array(..) => None,
        }
    }

    /// Whether it may stand for several values.
    pub fn is_set(&self) -> bool {
        matches!(self, Ty::Set(_))
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Bool => f.write_str("boolean"),
            Scalar::Int => f.write_str("integer"),
            Scalar::Symbol => f.write_str("symbolic"),
            Scalar::Mixed => f.write_str("symbolic or integer"),
            Scalar::Word { signed, width } => {
                write!(f, "{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
        }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ty::One(scalar) => write!(f, "{scalar}"),
            Ty::Set(scalar) => write!(f, "{scalar} set"),
            Ty::Array(first, last, element) => write!(f, "array {first}..{last} of {element}"),
        }
    }
}
