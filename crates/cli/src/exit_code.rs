//! What the exit code of the program tells a script. The book's page *Exit codes* says the same at length.

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// All is well: the model is valid, and every property that was checked holds.
    Good,
    /// The command line makes no sense, or a file could not be read, or it says something invalid.
    Invalid,
    /// Something was found: a property fails.
    Found,
    /// Nothing was found, but some answers are unknown: a limit was reached, or the run was interrupted.
    Unknown,
    /// There is nothing to build on: the model violates what it must satisfy before the command can start.
    BaselineBroken,
    /// Specwright itself is wrong.
    Internal,
}

impl ExitCode {
    /// The number that the operating system sees.
    pub fn number(self) -> u8 {
        match self {
            ExitCode::Good => 0,
            ExitCode::Invalid => 1,
            ExitCode::Found => 2,
            ExitCode::Unknown => 3,
            ExitCode::BaselineBroken => 4,
            ExitCode::Internal => 70, // EX_SOFTWARE
        }
    }
}
