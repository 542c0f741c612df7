//! Suites: files and grading.

mod cfsm;
mod files;
mod grading;
mod support;
