//! Suites: their files, and how they are graded.

mod cfsm;
mod files;
mod grading;
mod support;
