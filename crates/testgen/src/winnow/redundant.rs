//! Winnowing as a whole: the redundant goals, and why.

use super::classes::{Classes, Distribution, Sameness, classes};
use super::compare::Winnower;
use super::subsumption::{Subsumption, subsumption};
use specwright_mc::Answer;

/// The kinds of goals to remove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Which {
    /// Goals that every execution reaches.
    pub trivial: bool,
    /// All but one of equivalent goals.
    pub duplicates: bool,
    /// Goals that another one subsumes, and duplicates.
    pub subsumed: bool,
}

/// Why a goal is redundant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundant {
    /// Every execution reaches it.
    Trivial,
    /// It is equivalent to this goal.
    Duplicate(usize),
    /// Another one subsumes it.
    Subsumed,
}

/// The result of winnowing.
#[derive(Clone, Debug)]
pub struct Winnowing {
    /// For each goal of the model, why it is redundant; `None` for all others, including those that were not examined.
    pub redundant: Vec<Option<Redundant>>,
    /// The equivalence classes, if they were computed.
    pub classes: Option<Classes>,
    /// Whether duplicates distort the score.
    pub distribution: Option<Distribution>,
    /// The subsumption relation of distinct goals, if it was computed.
    pub subsumption: Option<Subsumption>,
    /// Number of undecided queries. Their goals are kept.
    pub n_unknown: usize,
}

impl Winnowing {
    /// The result without any examination: all goals count.
    pub fn nothing(n_goals: usize) -> Winnowing {
        let (classes, distribution, subsumption) = (None, None, None);
        Winnowing { redundant: vec![None; n_goals], classes, distribution, subsumption, n_unknown: 0 }
    }
}

/// Winnows feasible goals. Of equivalent goals, the first counts. The observer is told the current stage and its
/// progress, and returns whether to go on.
pub fn winnow(
    winnower: &mut Winnower<'_>,
    goals: &[usize],
    which: Which,
    sameness: Sameness,
    observe: &mut dyn FnMut(&str, usize) -> bool,
) -> Winnowing {
    let mut result = Winnowing::nothing(winnower.n_goals());
    let mut left = goals.to_vec();
    if which.duplicates || which.subsumed {
        let found = classes(winnower, &left, sameness, &mut |done| observe("duplicates", done));
        for (goal, first) in found.of.iter().filter(|(goal, first)| goal != first) {
            result.redundant[*goal] = Some(Redundant::Duplicate(*first));
        }
        result.n_unknown += found.n_unknown;
        left = found.distinct();
        result.classes = Some(found);
    }
    if which.trivial {
        let (mut n_done, mut goes_on) = (0, true);
        left.retain(|goal| {
            let avoids = if goes_on { winnower.avoids(*goal) } else { Answer::INTERRUPTED };
            n_done += 1;
            goes_on &= observe("trivial goals", n_done) && !winnower.is_spent();
            result.n_unknown += usize::from(avoids.is_undecided());
            if avoids.is_impossible() {
                result.redundant[*goal] = Some(Redundant::Trivial);
            }
            !avoids.is_impossible()
        });
        // A goal that is equivalent to a trivial one is trivial.
        for (goal, first) in result.classes.iter_mut().flat_map(|classes| &classes.of) {
            if result.redundant[*first] == Some(Redundant::Trivial) {
                result.redundant[*goal] = Some(Redundant::Trivial);
            }
        }
        if let Some(classes) = &mut result.classes {
            classes.of.retain(|(goal, _)| result.redundant[*goal] != Some(Redundant::Trivial));
        }
    }
    result.distribution = result.classes.as_ref().and_then(|classes| Distribution::new(&classes.sizes()));
    if which.subsumed {
        let found = subsumption(winnower, &left, &mut |done| observe("subsumption", done));
        let dominators: rustc_hash::FxHashSet<usize> = found.dominators().into_iter().collect();
        for goal in left.iter().filter(|goal| !dominators.contains(goal)) {
            result.redundant[*goal] = Some(Redundant::Subsumed);
        }
        result.n_unknown += found.n_unknown;
        result.subsumption = Some(found);
    }
    result
}
