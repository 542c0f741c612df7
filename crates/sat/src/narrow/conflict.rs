//! What follows from a conflict: a clause that would have prevented it, or the assumptions that exclude each other.

use super::Narrow;
use super::arena::ClauseRef;
use crate::solver::Lit;

/// Activities above which all are scaled down.
const MAX_ACTIVITY: f64 = 1e100;

/// How much more each conflict counts than the one before.
const GROWTH: f64 = 1.0 / 0.95;

impl Narrow {
    /// Learns a clause from a conflict above level zero, and goes back to where it has a consequence. False if it follows
    /// that the question has no solution, whatever is assumed.
    pub(super) fn learn(&mut self, conflict: ClauseRef) -> bool {
        let (clause, level, glue) = self.first_uip(conflict);
        self.gain *= GROWTH;
        self.backtrack(level);
        if let [only] = clause[..] {
            // The mark of questions is free again for the next one.
            if only != !self.asked {
                self.enqueue(only, None);
            }
            return only != !self.asked;
        }
        let is_temporary = clause.contains(&!self.asked);
        let place = self.arena.add(&clause, Some(glue));
        self.attach(place);
        if is_temporary {
            self.temporary.push(place);
        } else {
            self.learnt.push(place);
        }
        self.enqueue(clause[0], Some(place));
        true
    }

    /// The clause of the first unique implication point, the level to which it leads back, and its glue.
    fn first_uip(&mut self, conflict: ClauseRef) -> (Vec<Lit>, usize, u32) {
        let level = self.marks.len() as u32;
        let mut clause = vec![self.asked];
        let (mut open, mut at, mut reason) = (0, self.trail.len(), conflict);
        let mut seen: Vec<u32> = Vec::new();
        let uip = loop {
            for place in 0..self.arena.len(reason) {
                let lit = self.arena.lit(reason, place);
                let var = lit.var() as usize;
                if self.is_seen[var] || self.levels[var] == 0 || self.value(lit) > 0 {
                    continue;
                }
                self.is_seen[var] = true;
                seen.push(lit.var());
                self.bump(lit.var());
                if self.levels[var] == level {
                    open += 1;
                } else {
                    clause.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.is_seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                break lit;
            }
            reason = self.reasons[lit.var() as usize].expect("only the first literal of a level is decided");
        };
        clause[0] = !uip;
        let kept: Vec<Lit> = clause[1..].iter().copied().filter(|lit| !self.is_implied(*lit)).collect();
        clause.truncate(1);
        clause.extend(kept);
        for var in seen {
            self.is_seen[var as usize] = false;
        }
        let mut levels: Vec<u32> = clause.iter().map(|lit| self.levels[lit.var() as usize]).collect();
        if let Some((place, _)) = levels.iter().enumerate().skip(1).max_by_key(|(_, level)| **level) {
            clause.swap(1, place);
        }
        let back = clause.get(1).map_or(0, |lit| self.levels[lit.var() as usize]);
        levels.sort_unstable();
        levels.dedup();
        (clause, back as usize, levels.len() as u32)
    }

    /// Whether a literal of a learnt clause follows from the others.
    fn is_implied(&self, lit: Lit) -> bool {
        let Some(reason) = self.reasons[lit.var() as usize] else { return false };
        self.arena.lits(reason).all(|other| {
            let var = other.var();
            var == lit.var() || self.is_seen[var as usize] || self.levels[var as usize] == 0
        })
    }

    fn bump(&mut self, var: u32) {
        let activity = &mut self.activity[var as usize];
        *activity += self.gain;
        if *activity > MAX_ACTIVITY {
            self.activity.iter_mut().for_each(|activity| *activity /= MAX_ACTIVITY);
            self.gain /= MAX_ACTIVITY;
        }
        self.heap.raise(var, &self.activity);
    }

    /// The assumptions from which it follows that an assumption is false, and that one.
    pub(super) fn find_core(&mut self, failed: Lit) {
        self.core = vec![failed];
        if self.levels[failed.var() as usize] == 0 {
            return;
        }
        self.is_seen[failed.var() as usize] = true;
        for at in (self.marks[0]..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::replace(&mut self.is_seen[lit.var() as usize], false) {
                continue;
            }
            match self.reasons[lit.var() as usize] {
                None => self.core.push(lit),
                Some(reason) => {
                    for place in 0..self.arena.len(reason) {
                        let var = self.arena.lit(reason, place).var() as usize;
                        if self.levels[var] > 0 && var != lit.var() as usize {
                            self.is_seen[var] = true;
                        }
                    }
                }
            }
        }
    }
}
