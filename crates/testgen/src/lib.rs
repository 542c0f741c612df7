//! Goals to tests: mutants and coverage criteria, generation, grading, winnowing, minimization.
#![forbid(unsafe_code)]

pub mod cfsm;
pub(crate) mod expound;
pub mod goal;
pub mod grade;
pub mod mutate;
pub mod reflect;
pub mod shorten;
pub mod suite;
