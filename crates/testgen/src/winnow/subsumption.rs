//! Subsumption between goals.
//!
//! A goal subsumes another one if every execution that reaches it reaches the other one. A suite that reaches the goals
//! that no other goal subsumes reaches all of them, so these alone measure it.

use super::compare::Winnower;
use crate::grade::Bits;
use specwright_mc::Answer;

/// The subsumption relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subsumption {
    /// The goals, pairwise not equivalent.
    pub goals: Vec<usize>,
    /// For each goal, those that it subsumes directly (the transitive reduction).
    pub subsumes: Vec<Vec<usize>>,
    /// Number of undecided pairs. They count as not subsumed.
    pub n_unknown: usize,
}

impl Subsumption {
    /// The goals that no other one subsumes: the dominators.
    pub fn dominators(&self) -> Vec<usize> {
        let subsumed: rustc_hash::FxHashSet<usize> = self.subsumes.iter().flatten().copied().collect();
        self.goals.iter().copied().filter(|goal| !subsumed.contains(goal)).collect()
    }
}

/// The subsumption relation of feasible goals that are pairwise not equivalent. After each goal, `observe` gets the
/// number of processed goals and returns whether to go on.
pub fn subsumption(
    winnower: &mut Winnower<'_>,
    goals: &[usize],
    observe: &mut dyn FnMut(usize) -> bool,
) -> Subsumption {
    let n = goals.len();
    // Goals that are reached more often subsume fewer, so they come first: their own subsumption is known when they are
    // compared.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|place| (std::cmp::Reverse(winnower.n_recorded(goals[*place])), *place));
    // For each goal, the indices of all goals that it subsumes.
    let mut below: Vec<Bits> = vec![Bits::new(n); n];
    let mut n_unknown = 0;
    for (n_done, place) in order.iter().copied().enumerate() {
        // The closest come first: they imply the others.
        let mut others: Vec<usize> = (0..n).filter(|other| *other != place).collect();
        others.sort_by_cached_key(|other| (winnower.n_recorded(goals[*other]), *other));
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
        if !observe(n_done + 1) || winnower.is_spent() {
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
