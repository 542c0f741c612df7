//! From expressions to Boolean functions of the bits of variables: decision diagrams, or and-inverter graphs.
//!
//! A symbolic value says for every state (and input, and next state) at once what an expression evaluates to. Numbers
//! and words are vectors of functions, enumerations are lists of values with the condition of each. Where an
//! expression has no value (no `case` branch applies, division by zero, an index outside the array) the value is
//! arbitrary and a [`Fault`] says under which condition: nothing is guessed, and the caller decides what it means.

mod algebra;
mod bits;
mod eval;
mod sets;
mod value;

pub(crate) use algebra::{Algebra, Function, code_is, valid};
pub(crate) use eval::{Encoder, Memo};
pub(crate) use sets::Offer;
pub(crate) use value::{Fault, FaultKind};

/// Whether an expression is meant in the state before a step or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Time {
    /// Before the step.
    Now,
    /// After the step.
    Next,
}
