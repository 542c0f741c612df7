//! Lemmas to begin with: bits, and pairs of bits, that never have certain values.
//!
//! At first every value of a bit, and every pair of values of two bits, is taken to be out of reach. What an initial state has
//! is struck off, and then what a step leads to from a state that has none of the rest; what remains is inductive. Such
//! lemmas say that bits are constant, equal, or exclude each other, and spare the search for proofs much.

use super::machine::Machine;
use super::pdr::{Cube, Instance};
use crate::bdd::Limit;
use crate::policy::{SAT_PAIR_BITS, SAT_PAIR_WORK};
use specwright_sat::{Lit, Outcome, Solver};
use std::rc::Rc;

/// Pairs of literals: `2 * bit + value` is the number of a literal.
struct Pairs {
    n_lits: usize,
    /// For each literal the set of those that it excludes. A literal that excludes itself is never true.
    rows: Vec<Vec<u64>>,
}

impl Pairs {
    /// All pairs.
    fn new(n_bits: usize) -> Pairs {
        let n_lits = 2 * n_bits;
        let mut row = vec![u64::MAX; n_lits.div_ceil(64)];
        if let (Some(last), 1..) = (row.last_mut(), n_lits % 64) {
            *last = (1 << (n_lits % 64)) - 1;
        }
        let mut pairs = Pairs { n_lits, rows: vec![row; n_lits] };
        // A bit has one value whatever the machine does.
        (0..n_lits).for_each(|lit| pairs.strike(lit, lit ^ 1));
        pairs
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    fn strike(&mut self, a: usize, b: usize) {
        self.rows[a][b / 64] &= !(1 << (b % 64));
        self.rows[b][a / 64] &= !(1 << (a % 64));
    }

    /// Strikes off what a state has.
    fn strike_state(&mut self, state: &[bool]) {
        let mut present = vec![0_u64; self.n_lits.div_ceil(64)];
        let lits: Vec<usize> = state.iter().enumerate().map(|(bit, value)| 2 * bit + usize::from(*value)).collect();
        for lit in &lits {
            present[lit / 64] |= 1 << (lit % 64);
        }
        for lit in lits {
            self.rows[lit].iter_mut().zip(&present).for_each(|(row, present)| *row &= !present);
        }
    }

    /// The literals from this one on that it excludes.
    fn excluded(&self, lit: usize) -> Vec<usize> {
        (lit..self.n_lits).filter(|other| self.has(lit, *other)).collect()
    }

    fn is_never_true(&self, lit: usize) -> bool {
        self.has(lit, lit)
    }

    /// As sets of states, without those that follow from others.
    fn cubes(mut self, kept: &[usize]) -> Vec<Cube> {
        let literal = |lit: usize| (kept[lit / 2], lit % 2 == 1);
        let mut cubes: Vec<Cube> = Vec::new();
        for lit in (0..self.n_lits).filter(|lit| self.is_never_true(*lit)).collect::<Vec<_>>() {
            cubes.push(vec![literal(lit)]);
            (0..self.n_lits).for_each(|other| self.strike(lit, other));
            (0..self.n_lits).for_each(|other| self.strike(lit ^ 1, other));
        }
        for a in 0..self.n_lits {
            for b in self.excluded(a) {
                // From a follows c, and from c the opposite of b.
                self.strike(a, b);
                let follows = (0..self.n_lits).any(|c| self.has(a, c ^ 1) && self.has(c, b));
                if !follows {
                    self.rows[a][b / 64] |= 1 << (b % 64);
                    self.rows[b][a / 64] |= 1 << (a % 64);
                    cubes.push(vec![literal(a), literal(b)]);
                }
            }
        }
        cubes
    }
}

/// The sets of states with one or two given bits that no execution reaches, as far as that is inductive; none if there are too
/// many bits or it takes too much work.
pub(crate) fn unreachable_pairs(machine: &Machine, stop: &Rc<dyn Fn() -> bool>) -> Result<(Vec<Cube>, u64), Limit> {
    let kept: Vec<usize> = (0..machine.bits.len()).filter(|bit| machine.netlist.is_kept[*bit]).collect();
    if kept.len() > SAT_PAIR_BITS {
        return Ok((Vec::new(), 0));
    }
    let mut pairs = Pairs::new(kept.len());
    let base = Instance::new(machine, stop);
    let mut left = SAT_PAIR_WORK;
    let mut is_first = true;
    loop {
        let mut instance = base.clone();
        let now: Vec<Lit> = kept.iter().map(|bit| instance.now[*bit]).collect();
        let (assumptions, after) = if is_first {
            instance.assert(machine, machine.init);
            (Vec::new(), now.clone())
        } else {
            for a in 0..pairs.n_lits {
                for b in pairs.excluded(a) {
                    let clause = [a, b].map(|lit| !literal(&now, lit));
                    instance.solver.add_clause(&clause);
                }
            }
            (vec![instance.step], kept.iter().map(|bit| instance.next[*bit]).collect())
        };
        let swept = sweep(&mut pairs, &mut instance, &assumptions, &after, &mut left);
        let is_stopped = stop();
        match swept {
            Ok(is_done) if is_done && !is_first => return Ok((pairs.cubes(&kept), SAT_PAIR_WORK - left)),
            Ok(_) => is_first = false,
            Err(limit) if is_stopped => return Err(limit),
            Err(_) => return Ok((Vec::new(), SAT_PAIR_WORK - left)),
        }
    }
}

/// Strikes off what a state has that satisfies the assumptions; whether there was nothing to strike off.
fn sweep(
    pairs: &mut Pairs,
    instance: &mut Instance,
    assumptions: &[Lit],
    state: &[Lit],
    left: &mut u64,
) -> Result<bool, Limit> {
    let mut is_done = true;
    for lit in 0..pairs.n_lits {
        loop {
            let others = pairs.excluded(lit);
            if others.is_empty() {
                break;
            }
            let clause: Vec<Lit> = others.iter().map(|other| literal(state, *other)).collect();
            let mut all = assumptions.to_vec();
            all.push(literal(state, lit));
            let (outcome, work) = instance.solve_any(&clause, &all, *left);
            *left = left.saturating_sub(work);
            match outcome {
                Outcome::Sat => {
                    pairs.strike_state(&instance.values(state));
                    is_done = false;
                }
                Outcome::Unsat => break,
                Outcome::Unknown => return Err(Limit::Steps),
            }
            if *left == 0 {
                return Err(Limit::Steps);
            }
        }
    }
    Ok(is_done)
}

fn literal(bits: &[Lit], lit: usize) -> Lit {
    bits[lit / 2].negate_if(lit.is_multiple_of(2))
}
