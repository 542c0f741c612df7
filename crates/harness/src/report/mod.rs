//! Results for other programs: what became of tests as JUnit XML and JSON.

mod junit;
mod run;
pub(crate) mod xml;

pub use junit::junit;
pub use run::{RunDocument, VariantEntry, VariantsDocument};
