//! Suites in use: running them on implementations, export, import and reports.
//!
//! ```
//! use specwright_harness::export::{Format, export};
//! use specwright_model::lower::smv::{Options as Lowering, lower};
//! use specwright_syntax::{smv, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on;").unwrap();
//! let (file, _) = smv::parse(&sources.files()[0], Default::default());
//! let model = lower(&file, &Lowering::default()).0.unwrap();
//! sources.add("light.suite", "test blinks\n  on = FALSE\n  on = TRUE\n").unwrap();
//! let (read, _) = specwright_testgen::suite::read_suite(&model, &sources.files()[1]);
//! let files = export(&model, &read.suite, Format::named("csv").unwrap()).unwrap();
//! assert!(files[0].text.contains("blinks"));
//! ```
#![forbid(unsafe_code)]

pub mod export;
pub mod files;
pub mod import;
mod policy;
pub mod report;
pub mod run;
