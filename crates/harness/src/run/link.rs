//! The connection to an implementation, and its errors.

use super::protocol::Request;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Timeouts and cancellation.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The timeout for the first answer.
    pub start: Duration,
    /// The timeout for each further answer.
    pub step: Duration,
    /// The deadline for all tests together.
    pub deadline: Option<Instant>,
    /// Cancellation flag, set by another thread.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { start: Duration::from_secs(10), step: Duration::from_secs(2), deadline: None, interrupt: None }
    }
}

impl Limits {
    /// The reason to stop now, if there is one.
    pub(super) fn stop(&self) -> Option<TransportError> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(TransportError::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(TransportError::OutOfTime)
        } else {
            None
        }
    }
}

/// A broken connection to the implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// The program could not be started.
    NotStarted(String),
    /// No answer within the timeout.
    Silent(Duration),
    /// The program or connection ended.
    Ended(String),
    /// An answer that is not JSON.
    Garbage(String),
    /// An answer that exceeds the maximal length.
    TooLong,
    /// The adapter reported an error.
    Refused(String),
    /// The deadline for all tests has passed.
    OutOfTime,
    /// Cancelled by the user.
    Interrupted,
}

impl std::fmt::Display for TransportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TransportError::NotStarted(why) => write!(f, "it cannot be started: {why}"),
            TransportError::Silent(limit) => write!(f, "no answer within {} s", limit.as_secs_f64()),
            TransportError::Ended(how) => write!(f, "it ended without an answer: {how}"),
            TransportError::Garbage(what) => write!(f, "protocol error: {what}"),
            TransportError::TooLong => {
                write!(f, "protocol error: more than {} KiB without an end of line", MAX_ANSWER >> 10)
            }
            TransportError::Refused(why) => write!(f, "the adapter reports an error: {why}"),
            TransportError::OutOfTime => write!(f, "the time limit for all tests is reached"),
            TransportError::Interrupted => write!(f, "interrupted"),
        }
    }
}

/// Maximal length of an answer, in bytes.
pub(super) const MAX_ANSWER: usize = 1 << 20;

/// A connection that answers requests.
pub(super) trait Link {
    /// Sends a request and waits for the answer.
    fn ask(
        &mut self,
        request: &Request,
        patience: Duration,
        limits: &Limits,
    ) -> Result<serde_json::Value, TransportError>;

    /// Closes the connection gracefully.
    fn end(self: Box<Self>);

    /// The end of its standard error.
    fn stderr_tail(&self) -> String;
}

/// Parses an answer.
pub(super) fn answer(bytes: &[u8]) -> Result<serde_json::Value, TransportError> {
    match serde_json::from_slice::<serde_json::Value>(bytes) {
        Ok(value @ serde_json::Value::Object(_)) => match value.get("error") {
            Some(serde_json::Value::String(why)) => Err(TransportError::Refused(excerpt(why.as_bytes()))),
            Some(other) => Err(TransportError::Refused(excerpt(other.to_string().as_bytes()))),
            None => Ok(value),
        },
        _ => Err(TransportError::Garbage(format!("`{}` is not an answer", excerpt(bytes.trim_ascii_end())))),
    }
}

/// The beginning of an answer, with harmful characters escaped.
fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 80;
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let mut text: String = start.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if start.chars().count() > SHOWN || bytes.len() > 4 * SHOWN {
        text.push('…');
    }
    text
}
