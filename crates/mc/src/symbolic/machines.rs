//! The machine and its mutants in one encoding.

pub(crate) mod danger;
pub(crate) mod variant;
