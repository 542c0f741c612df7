//! Reports: an HTML page, results of tests as JUnit XML and JSON, findings as SARIF, mutants in Stryker's schema.

mod junit;
pub mod page;
mod place;
mod run;
mod sarif;
mod stryker;

pub use junit::junit;
pub use place::{Place, Position};
pub use run::{RunDocument, VariantEntry, VariantsDocument};
pub use sarif::{Finding, Level, sarif};
pub use stryker::{StrykerMutant, StrykerStatus, stryker};
