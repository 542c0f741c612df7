//! Goals to tests: mutants and coverage criteria, generation, grading, winnowing, minimization.
#![forbid(unsafe_code)]

pub mod goal;
pub mod mutate;
pub mod suite;
