//! Results as programs read them: each document names its schema, which `schemas/` has.

mod check;
mod generate;
mod grade;
mod minimize;
mod subsumption;

pub use check::CheckDocument;
pub use generate::{ContradictionEntry, GenerateDocument, Row};
pub use grade::GradeDocument;
pub use minimize::MinimizeDocument;
pub use subsumption::SubsumptionDocument;
