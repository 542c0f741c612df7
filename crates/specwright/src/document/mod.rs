//! Results as programs read them: each document names its schema, which `schemas/` has.

mod audit;
mod audited;
mod certificate;
mod chart;
mod check;
mod compare;
pub mod findings;
mod generate;
mod grade;
pub mod history;
mod minimize;
mod mutants;
pub mod page;
mod plan;
mod reflect;
pub mod results;
mod safety;
mod show;
mod state_graph;
mod subsumption;

pub use audit::{AuditCounts, AuditDocument, AuditEntry, AuditLine, AuditMissing};
pub use certificate::CertificateDocument;
pub use check::CheckDocument;
pub use compare::CompareDocument;
pub use generate::{ContradictionEntry, GenerateDocument, Row};
pub use grade::GradeDocument;
pub use minimize::MinimizeDocument;
pub use mutants::{MutantEntry, MutantsDocument};
pub use plan::PlanDocument;
pub use reflect::ReflectDocument;
pub use safety::{ClassCounts, CoveredMutants, SafetyDocument, SafetyEntry, SafetyGrade, SafetyRow, SafetySuite};
pub use show::ShowDocument;
pub use subsumption::SubsumptionDocument;

use crate::failure::Failure;
use serde::Serialize;

/// A document as text, which ends in a line break.
pub fn json(document: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(document).map_err(Failure::message)? + "\n")
}
