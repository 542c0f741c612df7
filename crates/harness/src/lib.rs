//! Suites in use: running them on implementations, exporting, importing and reporting them.
//!
//! The crate is still a plan: it holds no code yet.
#![forbid(unsafe_code)]
