//! From the languages to the model: one module per language.

pub mod scr;
pub mod smv;
