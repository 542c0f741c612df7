//! What can go wrong when an expression is evaluated.

use crate::expr::ExprId;
use crate::model::{Model, VarId};

/// An expression that has no value in some state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The part without a value.
    pub expr: ExprId,
    /// Why it has none.
    pub reason: EvalReason,
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalReason {
    /// The state says nothing about this variable.
    Unset(VarId),
    /// There is no next state to look at.
    NoNextState,
    /// `next` under `next`.
    NextOfNext,
    /// A number too large to compute with.
    Overflow,
    /// Division by zero, or the remainder of it.
    DivisionByZero,
    /// No guard of a `case` holds.
    NoCase,
    /// An array has no such element.
    Index {
        /// The element asked for.
        index: i64,
        /// The first element.
        first: i64,
        /// The last element.
        last: i64,
    },
    /// A word is shifted by less than nothing or by more than its width.
    Shift {
        /// By how many bits.
        amount: i128,
        /// The width of the word.
        width: u8,
    },
    /// A word wider than any that is supported.
    Width,
    /// Several values where there must be one.
    Several,
    /// A temporal operator, which has no value in a single state.
    Temporal,
    /// Operands that the operator does not take: the model is not well-typed.
    IllTyped,
}

impl EvalError {
    /// Whether all that is missing is a value in the state, so that a state with more values may do.
    pub fn is_open(&self) -> bool {
        matches!(self.reason, EvalReason::Unset(_) | EvalReason::NoNextState)
    }

    /// Whether the expression is a partial one outside of where it has a value, such as a quotient where the divisor is zero.
    pub fn is_undefined(&self) -> bool {
        use EvalReason::{DivisionByZero, Index, NoCase, Overflow, Shift};
        matches!(self.reason, DivisionByZero | NoCase | Index { .. } | Shift { .. } | Overflow)
    }

    /// The reason in words.
    pub fn describe(&self, model: &Model) -> String {
        match self.reason {
            EvalReason::Unset(var) => format!("`{}` has no value here", model[var].name),
            EvalReason::NoNextState => "there is no next state".into(),
            EvalReason::NextOfNext => "`next` inside `next`".into(),
            EvalReason::Overflow => "the number is too large".into(),
            EvalReason::DivisionByZero => "division by zero".into(),
            EvalReason::NoCase => "no condition of the `case` holds".into(),
            EvalReason::Index { index, first, last } => {
                format!("the array has elements {first} to {last}, and not {index}")
            }
            EvalReason::Shift { amount, width } => format!("a word of {width} bits cannot be shifted by {amount}"),
            EvalReason::Width => "the word is too wide".into(),
            EvalReason::Several => "several values where there must be one".into(),
            EvalReason::Temporal => "a temporal operator has no value in a single state".into(),
            EvalReason::IllTyped => "the operator does not take these operands".into(),
        }
    }
}
