//! Audit: which wrong machines would satisfy all properties of a model?
//!
//! The machine is mutated. A mutant on which a property fails is *killed*. A mutant on which all properties hold has
//! *survived*: the properties do not forbid it. A mutant that does the same as the machine, as far as inputs, outputs and
//! properties tell, is *equivalent*: no property could kill it. A mutant that is no sound machine, because it has no initial state,
//! no fair path or a new dead end, is *invalid*: properties would hold on it vacuously.
//!
//! Every survivor comes with a shortest execution that shows the difference, and with properties that would kill it.

mod by_sat;
mod implied;
mod judge;
mod labels;
mod literals;
mod liveness;
mod missing;
mod missing_by_sat;
mod mutant;
mod relevance;
mod replay;
mod safety_clause;

pub use by_sat::{SatAuditor, check as check_by_sat};
pub use implied::{Implied, implied};
pub use judge::Auditor;
pub use missing::{Form, Missing};
pub use mutant::{MachineMutant, Part};
pub use relevance::irrelevant;
pub use safety_clause::{SafetyClause, safety_clause};

use crate::grade::{Bits, Matrix};
use crate::minimize::{self, Minimum, minimize};
use specwright_mc::{Difference, Invalid, Reason, Undefined};

/// A mutant of the machine, and what the properties say of it.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The mutant.
    pub mutant: MachineMutant,
    /// What the properties say of it.
    pub verdict: Verdict,
}

/// What properties say of a mutant.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// These properties fail on it, by their numbers.
    Killed(Vec<usize>),
    /// All properties hold on it.
    Survived(Box<Survivor>),
    /// It does the same as the machine.
    Equivalent,
    /// It is no machine on which properties could be checked.
    Invalid(Why),
    /// A limit was reached, or something is not supported.
    Undecided(Reason),
}

impl Verdict {
    /// Its name in JSON documents.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Killed(_) => "killed",
            Verdict::Survived(_) => "survived",
            Verdict::Equivalent => "equivalent",
            Verdict::Invalid(_) => "invalid",
            Verdict::Undecided(_) => "undecided",
        }
    }
}

/// Why a mutant is invalid.
#[derive(Clone, Debug)]
pub enum Why {
    /// Something has no value, or one out of range.
    Undefined(Box<Undefined>),
    /// It has no initial state, no fair path or a new dead end.
    Machine(Invalid),
}

/// A mutant that no property kills.
#[derive(Clone, Debug)]
pub struct Survivor {
    /// What it does and the machine does not, or the other way round.
    pub difference: Difference,
    /// The properties that would kill it, by their place among the missing ones.
    pub closed_by: Vec<usize>,
    /// Why no missing property kills it, if one was looked for and not found.
    pub open: Option<Open>,
}

/// Why no missing property kills a survivor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Open {
    /// No property of the forms of missing properties does.
    NoForm,
    /// SAT-based search, which judged the mutant, found none: it decides what holds on all executions, and few other properties.
    NotBySat,
}

impl Open {
    /// Its name in JSON documents.
    pub fn word(self) -> &'static str {
        match self {
            Open::NoForm => "no-form",
            Open::NotBySat => "not-by-sat",
        }
    }
}

/// The fewest of the missing properties that kill all survivors that some of them kills, in the order of how many each
/// kills.
pub fn fewest(missing: &[Missing], survivors: &[&Survivor], options: &minimize::Options) -> Minimum {
    let mut rows = vec![Bits::new(survivors.len()); missing.len()];
    for (place, survivor) in survivors.iter().enumerate() {
        survivor.closed_by.iter().for_each(|clause| rows[*clause].insert(place));
    }
    let counts: Vec<usize> = rows.iter().map(Bits::count).collect();
    let matrix = Matrix::new(survivors.len(), rows);
    let mut minimum = minimize(&matrix, &vec![1; missing.len()], options);
    minimum.tests.sort_by_key(|clause| (std::cmp::Reverse(counts[*clause]), *clause));
    minimum
}
