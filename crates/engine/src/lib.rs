//! Symbolic model checking: sets of states as decision diagrams.

pub mod bdd;
