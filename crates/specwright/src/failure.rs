//! Why there is no result.

use std::fmt::Display;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A setting makes no sense, or a file cannot be read or written: in one line.
    #[error("{0}")]
    Message(String),
    /// The input is invalid. The [`Events`](crate::Events) were told what is wrong with it.
    #[error("the input is invalid")]
    Invalid,
    /// A limit was reached before there was anything to show. The [`Events`](crate::Events) were told which.
    #[error("a limit was reached")]
    Undecided,
}

impl Failure {
    /// A failure in one line.
    pub fn message(text: impl Display) -> Failure {
        Failure::Message(text.to_string())
    }

    /// What could not be done, in front of the reason.
    pub(crate) fn because<E: Display>(what: impl Display) -> impl FnOnce(E) -> Failure {
        move |reason| Failure::Message(format!("{what}: {reason}"))
    }
}
