//! Goals to tests: mutants and coverage criteria, generation, grading, winnowing, minimization.
#![forbid(unsafe_code)]

pub mod cfsm;
pub mod criteria;
pub(crate) mod expound;
pub mod generate;
pub mod goal;
pub mod grade;
pub mod mutate;
pub mod reflect;
pub mod shorten;
pub mod suite;
