//! Steps back along shortest ways, which many walks have in common.
//!
//! The state before a state on a shortest way depends on nothing but that state: it is the first of its predecessors that are
//! nearer to the initial states. Walks to many targets meet on their way back, and go on alike from there.

use crate::bdd::{Bdd, Limit, Var};
use crate::policy::STEPS_BACK;
use crate::symbolic::Symbolic;
use crate::symbolic::witness::{Point, Walk, choose};
use rustc_hash::FxHashMap;

/// For a state the state before it. Each bit has its place among the variables of states.
pub(crate) type StepsBack = FxHashMap<Box<[u64]>, Box<[u64]>>;

impl Symbolic {
    /// A path along shortest ways from an initial state to one in which they end.
    pub(crate) fn walk_along_shortest(&self, ways: &[Bdd], last: Point) -> Result<Walk, Limit> {
        let state = &self.machine.alphabet.state;
        if last.0.len() != state.len() {
            return self.walk_along(ways, last);
        }
        let wishes = self.state_wishes();
        let mut known = self.witnesses.steps_back.borrow_mut();
        let mut points = vec![last];
        for ring in ways.iter().rev().skip(1) {
            let after = &points[points.len() - 1];
            let key = packed(state, after);
            let before = if let Some(before) = known.get(&key) {
                unpacked(state, before)
            } else {
                let before = self.machine.relation.preimage_of_few(&after.set(&self.manager)?, ring)?;
                let before = choose(&before, &wishes);
                if known.len() < STEPS_BACK {
                    known.insert(key, packed(state, &before));
                }
                before
            };
            points.push(before);
        }
        points.reverse();
        Ok(Walk { points, loop_start: None, steps: FxHashMap::default() })
    }
}

/// The values of the bits of a state.
fn packed(state: &[Var], point: &Point) -> Box<[u64]> {
    let values: FxHashMap<Var, bool> = point.0.iter().copied().collect();
    let word = |bits: &[Var]| bits.iter().enumerate().map(|(at, bit)| u64::from(values[bit]) << at).sum();
    state.chunks(64).map(word).collect()
}

fn unpacked(state: &[Var], words: &[u64]) -> Point {
    let bits = state.iter().enumerate().map(|(at, bit)| (*bit, words[at / 64] >> (at % 64) & 1 == 1));
    Point(bits.collect())
}
