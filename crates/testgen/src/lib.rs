//! Goals to tests: mutants and coverage criteria, generation, grading, winnowing, minimization.
//!
//! The crate is still a plan: it holds no code yet.
#![forbid(unsafe_code)]
