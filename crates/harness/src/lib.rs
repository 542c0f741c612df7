//! Suites in use: running them on implementations, exporting, importing and reporting them.
#![forbid(unsafe_code)]

pub mod export;
pub mod files;
pub mod import;
pub mod report;
pub mod run;
