//! Subsumption: goals that come for free with others.
//!
//! A goal subsumes another one if everything that reaches it reaches the other one. A suite that reaches the goals that
//! nothing else subsumes reaches all of them, so they alone measure it: the rest repeats what they say.

use super::winnower::Winnower;
use crate::grade::Bits;
use specwright_mc::Answer;

/// Which goals subsume which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subsumption {
    /// The goals, no two of them the same.
    pub goals: Vec<usize>,
    /// For each of them, those that it subsumes directly: not by way of another one.
    pub subsumes: Vec<Vec<usize>>,
    /// How many pairs could not be compared. They count as not subsumed.
    pub n_unknown: usize,
}

impl Subsumption {
    /// The goals that no other one subsumes: the dominators.
    pub fn dominators(&self) -> Vec<usize> {
        let subsumed: rustc_hash::FxHashSet<usize> = self.subsumes.iter().flatten().copied().collect();
        self.goals.iter().copied().filter(|goal| !subsumed.contains(goal)).collect()
    }
}

/// The subsumption between goals of which no two are the same and each can be reached. After each goal, `observe` is told
/// how many are done, and says whether to go on.
pub fn subsumption(
    winnower: &mut Winnower<'_>,
    goals: &[usize],
    observe: &mut dyn FnMut(usize) -> bool,
) -> Subsumption {
    let n = goals.len();
    // What is reached more often subsumes less, so it comes first: then what it subsumes is known when it is subsumed.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|place| (std::cmp::Reverse(winnower.n_seen(goals[*place])), *place));
    // For each goal, all that it subsumes, by their places.
    let mut below: Vec<Bits> = vec![Bits::new(n); n];
    let mut n_unknown = 0;
    for (n_done, place) in order.iter().copied().enumerate() {
        // The nearest first: they imply the others.
        let mut others: Vec<usize> = (0..n).filter(|other| *other != place).collect();
        others.sort_by_cached_key(|other| (winnower.n_seen(goals[*other]), *other));
        for other in others {
            if below[place].contains(other) {
                continue;
            }
            match winnower.differs(goals[place], goals[other]) {
                Answer::Impossible(_) => {
                    let implied = below[other].clone();
                    below[place].insert(other);
                    below[place].union_with(&implied);
                }
                Answer::Found(()) => {}
                Answer::Undecided(_) => n_unknown += 1,
            }
        }
        if !observe(n_done + 1) || winnower.is_over() {
            n_unknown += (n - n_done - 1) * n.saturating_sub(1);
            break;
        }
    }
    let direct = |place: usize| {
        let all: Vec<usize> = below[place].iter().filter(|other| *other != place).collect();
        let by_way = |other: usize| all.iter().any(|middle| *middle != other && below[*middle].contains(other));
        all.iter().copied().filter(|other| !by_way(*other)).map(|other| goals[other]).collect()
    };
    Subsumption { goals: goals.to_vec(), subsumes: (0..n).map(direct).collect(), n_unknown }
}
