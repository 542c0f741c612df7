//! Types of expressions. Types determine the applicable operators; domains determine the values.

use std::sync::Arc;

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Booleans and temporal formulas.
    Bool,
    /// Integers.
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
    /// A single value.
    One(Scalar),
    /// A nondeterministic choice of several values.
    Set(Scalar),
    /// An array with its first and last index.
    Array(i64, i64, Arc<Ty>),
}

impl Ty {
    /// The type of booleans.
    pub const BOOL: Ty = Ty::One(Scalar::Bool);
    /// The type of integers.
    pub const INT: Ty = Ty::One(Scalar::Int);

    /// The type of its elements, unless it is an array.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::One(scalar) | Ty::Set(scalar) => Some(*scalar),
            Ty::Array(..) => None,
        }
    }

    /// Whether it is a nondeterministic choice.
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
