//! From the model to decision diagrams: bits for variables, and symbolic values for expressions.
//!
//! A symbolic value says for every state (and input, and next state) at once what an expression evaluates to. Numbers
//! and words are vectors of functions, enumerations are lists of values with the condition of each. Where an
//! expression has no value (no `case` branch applies, division by zero, an index outside the array) the value is
//! arbitrary and a [`Fault`] says under which condition: nothing is guessed, and the caller decides what it means.

mod bits;
mod eval;
mod sets;
mod value;
mod vars;

pub(crate) use eval::{Encoder, Memo};
pub(crate) use sets::Offer;
pub(crate) use value::{Fault, FaultKind};
pub(crate) use vars::{Layout, Time};
