//! Suites in use: running them on implementations, export, import and reports.
#![forbid(unsafe_code)]

pub mod export;
pub mod files;
pub mod import;
pub mod report;
pub mod run;
