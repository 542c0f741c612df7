//! Answers: what a search found out about a query.
//!
//! There is one type for all queries: whether a property can be violated, whether a goal can be reached, whether two goals
//! can be told apart. A limit is an answer of its own, never a proof.

use crate::bdd::Limit;
use crate::symbolic::Undefined;
use specwright_model::Trace;
use std::fmt;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// There is one, and this is it.
    Found(T),
    /// There is none. This was proved.
    Impossible(Proof),
    /// A limit was reached, or the query has no truth value.
    Undecided(Reason),
}

/// What was proved of a query without a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No execution is a witness.
    Infeasible,
    /// What was to be shown is so, but no single execution shows it: a false `EF p` has no linear counterexample.
    Nonfalsifiable,
    /// A state is reached that calls for it, but the updates of the step contradict each other, so the step does not exist.
    /// The trace leads there, if it is known.
    Inconsistent(Option<Box<Trace>>),
    /// No run of the mutant leaves what the model permits.
    Conforming,
    /// The mutant and the model have the same runs, as a tester sees them.
    Equivalent,
}

/// Why a query is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    Limit(Limit),
    /// The query is neither true nor false, because a part of it has no value in some reachable state.
    Undefined(Box<Undefined>),
    /// No execution within the finite focus is a witness. `reached` says whether one outside is known to be.
    OutsideFocus {
        /// An execution that leaves the focus is a witness.
        reached: bool,
    },
    /// Random walks have not reached it.
    Walks,
    /// The quantized values of inputs rule nothing out here.
    OtherValues,
    /// A loop of the cone of influence takes too long to close in the whole model.
    LoopTooLong,
    /// Other pairs of executions would do and were not looked at.
    OtherPairs,
    /// Executions that exceed a bound of what has no end in the model were not looked at.
    Bounded,
    /// A test kills the mutant in some of its runs, and no test is known that kills it in all of them.
    PossibleKill,
    /// The witness has numbers of more than 64 bits, which cannot be replayed.
    TooLarge,
    /// A variable can be any number, so there are too many states to search.
    Unbounded,
    /// No engine can decide such a query.
    Unsupported,
    /// The words of a reason that was recorded in a file.
    Recorded(String),
}

/// What shows that a property fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// An execution on which the property is false, whatever else the system does.
    Trace(Trace),
    /// An execution to a state from which the property is false, though no single execution shows why.
    Prefix(Trace),
    /// No execution shows anything: the property asks for the existence of something that does not exist.
    Unshown,
    /// The options say that no witness is made.
    NotRequested,
}

impl<T> Answer<T> {
    /// The answer that no execution is a witness.
    pub const INFEASIBLE: Answer<T> = Answer::Impossible(Proof::Infeasible);

    /// The answer of a search that was interrupted.
    pub const INTERRUPTED: Answer<T> = Answer::Undecided(Reason::Limit(Limit::Interrupted));

    /// Whether there is a witness.
    pub fn is_found(&self) -> bool {
        matches!(self, Answer::Found(_))
    }

    /// Whether it was proved that there is no witness.
    pub fn is_impossible(&self) -> bool {
        matches!(self, Answer::Impossible(_))
    }

    /// Whether neither is known.
    pub fn is_undecided(&self) -> bool {
        matches!(self, Answer::Undecided(_))
    }

    /// Whether the search was interrupted before it knew.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Answer::Undecided(Reason::Limit(Limit::Interrupted)))
    }

    /// The witness, if there is one.
    pub fn found(self) -> Option<T> {
        match self {
            Answer::Found(witness) => Some(witness),
            _ => None,
        }
    }

    /// Why it is undecided, if it is.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Answer::Undecided(reason) => Some(reason),
            _ => None,
        }
    }

    /// The same answer with another witness.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Answer::Found(witness) => Answer::Found(f(witness)),
            Answer::Impossible(proof) => Answer::Impossible(proof),
            Answer::Undecided(reason) => Answer::Undecided(reason),
        }
    }

    /// The same answer, but what a witness means is asked again.
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Answer<U>) -> Answer<U> {
        match self {
            Answer::Found(witness) => f(witness),
            Answer::Impossible(proof) => Answer::Impossible(proof),
            Answer::Undecided(reason) => Answer::Undecided(reason),
        }
    }

    /// Two answers to one query. The one that decides counts.
    ///
    /// # Panics
    ///
    /// If one answer is a witness and the other a proof that there is none: one of the searches is wrong.
    #[must_use]
    pub fn agree(self, other: Answer<T>) -> Answer<T> {
        match (self, other) {
            (Answer::Found(_), Answer::Impossible(proof)) | (Answer::Impossible(proof), Answer::Found(_)) => {
                panic!("one search has a witness, and another proves that there is none: {proof:?}")
            }
            (Answer::Undecided(_), other) => other,
            (this, _) => this,
        }
    }
}

impl<T> From<Option<T>> for Answer<T> {
    /// A complete search: what it did not find does not exist.
    fn from(found: Option<T>) -> Answer<T> {
        found.map_or(Answer::INFEASIBLE, Answer::Found)
    }
}

impl<T, R: Into<Reason>> From<Result<Option<T>, R>> for Answer<T> {
    fn from(result: Result<Option<T>, R>) -> Answer<T> {
        result.map_or_else(|reason| Answer::Undecided(reason.into()), Answer::from)
    }
}

impl From<Limit> for Reason {
    fn from(limit: Limit) -> Reason {
        Reason::Limit(limit)
    }
}

impl Reason {
    /// Whether the witness, if there is one, leaves the finite focus.
    pub fn is_outside_focus(&self) -> bool {
        matches!(self, Reason::OutsideFocus { .. })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Limit(limit) => return limit.fmt(f),
            Reason::Undefined(_) => "a part of it has no value in some reachable state",
            Reason::OutsideFocus { reached: true } => "only executions that leave the focus reach it",
            Reason::OutsideFocus { reached: false } => "only executions that leave the focus could tell",
            Reason::Walks => "random walks have not reached it",
            Reason::OtherValues => "only executions with other values than the quantized ones could tell",
            Reason::LoopTooLong => "the variables that do not matter for it take too long to come round again",
            Reason::OtherPairs => "other pairs of executions were not searched",
            Reason::Bounded => "only executions beyond a bound of the machine could tell",
            Reason::PossibleKill => "a test kills it in some of its runs only",
            Reason::TooLarge => "its execution needs numbers of more than 64 bits",
            Reason::Unbounded => "a variable can be any number",
            Reason::Unsupported => "such questions cannot be decided",
            Reason::Recorded(words) => words,
        })
    }
}

impl From<String> for Reason {
    /// The reason with these words, as [`Display`](fmt::Display) writes them.
    fn from(words: String) -> Reason {
        let limits = [Limit::Nodes, Limit::Time, Limit::Steps, Limit::Interrupted].map(Reason::Limit);
        let outside = [true, false].map(|reached| Reason::OutsideFocus { reached });
        let others = [
            Reason::Walks,
            Reason::OtherValues,
            Reason::LoopTooLong,
            Reason::OtherPairs,
            Reason::Bounded,
            Reason::PossibleKill,
            Reason::TooLarge,
            Reason::Unbounded,
            Reason::Unsupported,
        ];
        let mut known = limits.into_iter().chain(outside).chain(others);
        known.find(|reason| reason.to_string() == words).unwrap_or(Reason::Recorded(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_come_back_from_their_words() {
        for reason in [
            Reason::Limit(Limit::Steps),
            Reason::OutsideFocus { reached: true },
            Reason::OutsideFocus { reached: false },
            Reason::OtherPairs,
            Reason::Bounded,
            Reason::Recorded("the moon is full".into()),
        ] {
            assert_eq!(Reason::from(reason.to_string()), reason);
        }
    }

    #[test]
    fn the_answer_that_decides_counts() {
        let undecided = || Answer::Undecided(Reason::Limit(Limit::Steps));
        assert_eq!(undecided().agree(Answer::Found(1)), Answer::Found(1));
        assert_eq!(Answer::Found(1).agree(undecided()), Answer::Found(1));
        assert_eq!(Answer::<u8>::INFEASIBLE.agree(undecided()), Answer::INFEASIBLE);
        assert_eq!(Answer::from(Some(3)).map(|n| n + 1), Answer::Found(4));
    }

    #[test]
    #[should_panic(expected = "one search has a witness")]
    fn answers_that_contradict_each_other_are_a_bug() {
        let _ = Answer::Found(1).agree(Answer::INFEASIBLE);
    }
}
