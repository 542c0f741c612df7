//! Reports: an HTML page, results of tests as JUnit XML and JSON, findings as SARIF, annotations and Markdown, mutants in
//! Stryker's schema.

mod entry;
mod junit;
pub mod page;
mod place;
mod run;
mod sarif;
mod stryker;

pub use entry::{Entry, MarkdownSummary, Skipped, annotations, entries_junit, markdown};
pub use junit::junit;
pub use place::{Place, Position};
pub use run::{RunDocument, VariantEntry, VariantsDocument};
pub use sarif::{Finding, Level, sarif, sarif_against};
pub use stryker::{StrykerMutant, StrykerStatus, stryker};
