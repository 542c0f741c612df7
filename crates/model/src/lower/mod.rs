//! From the languages to the model: one module per language.

pub mod aiger;
pub mod asm;
pub mod scr;
pub mod smv;
pub mod statechart;
