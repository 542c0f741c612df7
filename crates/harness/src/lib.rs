//! Suites in use: running them on implementations, exporting, importing and reporting them.
#![forbid(unsafe_code)]

pub mod files;
pub mod report;
pub mod run;
