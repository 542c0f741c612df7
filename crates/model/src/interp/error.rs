//! Evaluation errors.

use crate::expr::ExprId;
use crate::model::{TransitionSystem, VarId};

/// An expression that is undefined in some state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The innermost undefined part.
    pub expr: ExprId,
    /// Why it is undefined.
    pub reason: EvalReason,
}

/// Why an expression is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalReason {
    /// The state has no value for this variable.
    Unset(VarId),
    /// There is no next state.
    NoNextState,
    /// `next` under `next`.
    NextOfNext,
    /// A number of more than 64 bits.
    Overflow,
    /// Division or remainder by zero.
    DivisionByZero,
    /// No guard of a `case` holds.
    NoCase,
    /// An index out of bounds.
    Index {
        /// The index.
        index: i64,
        /// The first index of the array.
        first: i64,
        /// The last index of the array.
        last: i64,
    },
    /// A shift by a negative number, or by more than the width of the word.
    Shift {
        /// The shift, in bits.
        amount: i128,
        /// The width of the word, in bits.
        width: u8,
    },
    /// A word wider than supported.
    Width,
    /// Several values where one is needed.
    Several,
    /// A temporal operator; it has no value in a single state.
    Temporal,
    /// Operands of the wrong type: the model is not well-typed.
    IllTyped,
}

impl EvalError {
    /// Whether only values of the state are missing, so that a more complete state may have a result.
    pub fn is_open(&self) -> bool {
        matches!(self.reason, EvalReason::Unset(_) | EvalReason::NoNextState)
    }

    /// Whether a partial operator is applied outside of its domain, such as a division by zero.
    pub fn is_undefined(&self) -> bool {
        use EvalReason::{DivisionByZero, Index, NoCase, Overflow, Shift};
        matches!(self.reason, DivisionByZero | NoCase | Index { .. } | Shift { .. } | Overflow)
    }

    /// The message for users.
    pub fn describe(&self, model: &TransitionSystem) -> String {
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
