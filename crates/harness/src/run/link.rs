//! A conversation with an implementation, however it is held, and what can go wrong with it.

use super::protocol::Request;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long to wait, and when to stop waiting.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For the first answer.
    pub start: Duration,
    /// For each further one.
    pub step: Duration,
    /// For all tests together.
    pub deadline: Option<Instant>,
    /// Raised by somebody who wants an end.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { start: Duration::from_secs(10), step: Duration::from_secs(2), deadline: None, interrupt: None }
    }
}

impl Limits {
    /// Whether everything should end now.
    pub(super) fn stop(&self) -> Option<Trouble> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Trouble::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Trouble::OutOfTime)
        } else {
            None
        }
    }
}

/// Why there is no answer, or none that helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It could not be started.
    NotStarted(String),
    /// It did not answer in time.
    Silent(Duration),
    /// It ended.
    Ended(String),
    /// It said something that is no answer.
    Garbage(String),
    /// It does not stop talking.
    TooLong,
    /// It said that it cannot do it.
    Refused(String),
    /// The time for all tests is over.
    OutOfTime,
    /// The user wants to stop.
    Interrupted,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::NotStarted(why) => write!(f, "it cannot be started: {why}"),
            Trouble::Silent(limit) => write!(f, "no answer within {} s", limit.as_secs_f64()),
            Trouble::Ended(how) => write!(f, "it ended without an answer: {how}"),
            Trouble::Garbage(what) => write!(f, "not an answer: {what}"),
            Trouble::TooLong => write!(f, "not an answer: more than {} KiB without an end of line", MAX_ANSWER >> 10),
            Trouble::Refused(why) => write!(f, "the adapter reports an error: {why}"),
            Trouble::OutOfTime => write!(f, "the time for all tests is over"),
            Trouble::Interrupted => write!(f, "interrupted"),
        }
    }
}

/// No answer is longer than this.
pub(super) const MAX_ANSWER: usize = 1 << 20;

/// Somebody who answers requests.
pub(super) trait Link {
    /// Sends a request and waits for the answer.
    fn ask(&mut self, request: &Request, patience: Duration, limits: &Limits) -> Result<serde_json::Value, Trouble>;

    /// Ends the conversation in peace.
    fn end(self: Box<Self>);

    /// What it said beside its answers, the last of it.
    fn asides(&self) -> String;
}

/// Reads an answer.
pub(super) fn answer(bytes: &[u8]) -> Result<serde_json::Value, Trouble> {
    match serde_json::from_slice::<serde_json::Value>(bytes) {
        Ok(value @ serde_json::Value::Object(_)) => match value.get("error") {
            Some(serde_json::Value::String(why)) => Err(Trouble::Refused(excerpt(why.as_bytes()))),
            Some(other) => Err(Trouble::Refused(excerpt(other.to_string().as_bytes()))),
            None => Ok(value),
        },
        _ => Err(Trouble::Garbage(format!("`{}`", excerpt(bytes)))),
    }
}

/// The beginning of something that may be long and unprintable.
fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 80;
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let mut text: String = start.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if start.chars().count() > SHOWN || bytes.len() > 4 * SHOWN {
        text.push('…');
    }
    text
}
