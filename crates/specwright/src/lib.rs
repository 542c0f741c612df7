//! Specwright as a library: from files and settings to models, goals, suites, grades and reports.
//!
//! A [`Session`] is a model that was read.
//! It [checks](Session::check) what the model claims, lists the [goals](Session::goals) of tests,
//! [generates](Session::generate) them, [grades](Session::grade) suites and [minimizes](Session::minimize) them.
//! It also [mutates](Session::mutate) the model, [restates](Session::reflect) its machine as properties, makes tests for its
//! [safety](Session::safety), [audits](Session::audit) its properties, [compares](Session::compare) ways of asking for tests,
//! and [walks](Session::walk) through it.
//! A [`BoundSuite`] is a suite with its model: it [runs](BoundSuite::run) on implementations and is
//! [exported](BoundSuite::export) in all of [`export::FORMATS`].
//! What is worth telling on the way goes to the caller's [`Events`], how far work may go stands in [`Limits`], and why there
//! is no result in a [`Failure`].
//! Nothing here prints, and nothing is kept outside of the values that are returned.
//!
//! ```
//! use specwright::export::{Format, export};
//! use specwright::{GenerateSettings, GoalSettings, GradeSettings, ReadSettings, Session, Silent};
//!
//! # fn main() -> Result<(), specwright::Failure> {
//! let pump = "MODULE main
//!   VAR high : boolean; pump : {off, on};
//!   ASSIGN init(pump) := off; next(pump) := high ? on : off;
//!   SPEC AG (high -> AX pump = on)";
//! let mut events = Silent::default();
//! let session = Session::parse("pump.smv", pump, &ReadSettings::default(), &mut events)?;
//!
//! let goals = GoalSettings::criteria(["states", "transitions", "mutation"]);
//! let settings = GenerateSettings { goals: goals.clone(), ..GenerateSettings::default() };
//! let generated = session.generate(&settings, &mut events)?;
//! assert!(generated.is_decided());
//!
//! let settings = GradeSettings { goals, ..GradeSettings::default() };
//! let graded = session.grade(generated.suite(), &settings, &mut events)?;
//! assert_eq!(graded.score().reached, graded.score().total);
//!
//! let files = export(&graded.model, &graded.read.suite, Format::named("pytest").unwrap());
//! let files = files.map_err(specwright::Failure::message)?;
//! assert!(files.iter().any(|file| file.text.contains("def test_")));
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod audit;
pub mod catalogue;
pub mod certificate;
pub mod check;
mod circuit;
pub mod compare;
pub mod document;
pub mod events;
mod failure;
pub mod focus;
pub mod frontend;
pub mod gate;
pub mod generate;
pub mod goals;
pub mod grade;
pub mod kill;
mod limits;
pub mod minimize;
pub mod mutate;
mod policy;
pub mod reflect;
pub mod report;
mod roles;
pub mod run;
pub mod safety;
pub mod session;
pub mod shard;
pub mod simulate;
pub mod suites;
pub mod tables;
pub mod text;
pub mod winnow;
pub mod words;

pub use audit::{Audit, AuditSettings, Strength};
pub use check::{CheckSettings, Checked};
pub use compare::{CompareSettings, Compared};
pub use events::{Events, Silent};
pub use failure::Failure;
pub use generate::{GenerateSettings, Generated};
pub use goals::{GoalSettings, Goals};
pub use grade::{GradeSettings, Graded};
pub use limits::Limits;
pub use minimize::{MinimizeSettings, Minimized};
pub use mutate::{MutateSettings, Mutated, Mutating};
pub use reflect::{ReflectSettings, Reflected};
pub use run::{BoundSuite, RunSettings, SuiteSource};
pub use safety::{Safety, SafetySettings};
pub use session::{ReadSettings, Session};

pub use specwright_harness::export;
pub use specwright_mc::{Answer, Proof, Reason, Witness};

// What results are made of, so that a program needs no other crate.
pub use specwright_harness as harness;
pub use specwright_mc as mc;
pub use specwright_model as model;
pub use specwright_syntax as syntax;
pub use specwright_testgen as testgen;
