//! Specwright as a library: from files and settings to models, goals, suites and grades.
//!
//! A [`Session`] is a model that was read. What is worth telling on the way goes to the caller's [`Events`], how far work
//! may go stands in [`Limits`], and why there is no result in a [`Failure`]. Nothing here prints or knows a terminal.
#![forbid(unsafe_code)]

pub mod check;
pub mod events;
mod failure;
pub mod focus;
pub mod frontend;
pub mod generate;
pub mod goals;
pub mod grade;
mod limits;
pub mod minimize;
pub mod session;
pub mod suites;
pub mod tables;
pub mod text;
pub mod winnow;
pub mod words;

pub use check::{CheckSettings, Checked};
pub use events::{Events, Silent};
pub use failure::Failure;
pub use generate::{GenerateSettings, Generated};
pub use goals::GoalSettings;
pub use grade::{GradeSettings, Graded};
pub use limits::Limits;
pub use minimize::{MinimizeSettings, Minimized};
pub use session::{ReadSettings, Session};
