//! Rudell's sifting of groups of variables: each group moves through the order and stays where the diagram is smallest.
//!
//! The bounds are those of CUDD: a group stops when the diagram has grown by a fifth, or when even the removal of every
//! node that it could still affect would not give a new minimum.

use crate::Var;
use crate::reorder_policy::cost;
use crate::swap::Swapper;

/// Growth of the diagram at which a group turns round. CUDD has 1.2, which takes longer and hardly gains more.
const MAX_GROWTH: f64 = 1.1;
/// Maximal number of groups that are moved, the largest first.
const MAX_GROUPS: usize = 1000;
/// An impatient run ends when `PATIENCE` groups together have made the diagram smaller by less than one part in
/// `WORTHWHILE`: the largest groups come first, and if they gain nothing the small ones gain less.
const PATIENCE: usize = 10;
const WORTHWHILE: usize = 100;
/// It also ends when these groups have cost more than they gain: a diagram that is smaller by one part in a hundred saves one
/// part in a hundred of the operations to come, which are expected to be `FUTURE` times those so far. With 10, or with a
/// look after every fourth group, some runs end before the groups that gain most, and take ten times as long.
const FUTURE: u128 = 40;
/// Maximal number of exchanges of adjacent groups in one run.
const MAX_EXCHANGES: usize = 500_000;

pub(crate) struct Sifter<'a> {
    swapper: Swapper<'a>,
    n_exchanges: usize,
}

impl<'a> Sifter<'a> {
    pub(crate) fn new(swapper: Swapper<'a>) -> Self {
        Sifter { swapper, n_exchanges: 0 }
    }

    /// Sifts all groups once, the largest first; stops between two groups when the budget is spent or, if `impatient`,
    /// when it no longer pays. Returns the work done.
    pub(crate) fn run(mut self, impatient: bool) -> u64 {
        let n_units = self.swapper.n_units();
        let mut by_size: Vec<_> =
            (0..n_units).map(|place| (self.swapper.size(place), self.swapper.unit_at(place))).collect();
        by_size.sort_by_key(|&(size, group)| (std::cmp::Reverse(size), group));
        let mut last_total = self.swapper.total();
        let mut last_look = (self.swapper.work(), last_total);
        for (travelled, (_, group)) in by_size.into_iter().take(MAX_GROUPS).enumerate() {
            if self.n_exchanges >= MAX_EXCHANGES || self.swapper.store().poll().is_err() {
                break;
            }
            if impatient && travelled % PATIENCE == PATIENCE - 1 {
                let total = self.swapper.total();
                if total > last_total - last_total / WORTHWHILE {
                    break;
                }
                last_total = total;
            }
            self.sift(group);
            if impatient && travelled % PATIENCE == PATIENCE - 1 {
                let look = (self.swapper.work(), self.swapper.total());
                if !self.has_paid(last_look, look) {
                    break;
                }
                last_look = look;
            }
        }
        let work = self.swapper.work();
        self.swapper.finish();
        work
    }

    /// Whether what was gained between two moments, each with the work and the size at that time, is worth its price.
    fn has_paid(&mut self, before: (u64, usize), after: (u64, usize)) -> bool {
        let gained = before.1.saturating_sub(after.1) as u128;
        let price = u128::from(cost(after.0 - before.0, before.1));
        FUTURE * gained * u128::from(self.swapper.store().budget.steps) >= price * before.1 as u128
    }

    fn sift(&mut self, group: usize) {
        let place = self.swapper.place_of(group);
        let mut best = (self.swapper.total(), place);
        let last = self.swapper.n_units() - 1;
        // The shorter direction first, since it is traversed twice.
        let place = if place > last / 2 {
            let place = self.down(place, &mut best);
            self.up(place, &mut best)
        } else {
            let place = self.up(place, &mut best);
            self.down(place, &mut best)
        };
        self.go(place, best.1);
    }

    fn down(&mut self, mut place: usize, best: &mut (usize, usize)) -> usize {
        let group = self.swapper.unit_at(place);
        let last = self.swapper.n_units() - 1;
        // The nodes that a move down can remove.
        let mut gain: usize = (place + 1..=last).map(|below| self.affected(group, below)).sum();
        while place < last && self.swapper.total() - gain < best.0 {
            gain -= self.affected(group, place + 1);
            if !self.exchange(place) {
                break;
            }
            place += 1;
            if self.judge(place, best) {
                break;
            }
        }
        place
    }

    fn up(&mut self, mut place: usize, best: &mut (usize, usize)) -> usize {
        let group = self.swapper.unit_at(place);
        // The nodes that a move up cannot remove: all below, and those above that do not interact with the group.
        let affected: usize = (0..place).map(|above| self.affected(group, above)).sum();
        let mut bound = self.swapper.total() - affected - self.swapper.size(place);
        while place > 0 && bound < best.0 {
            if !self.exchange(place - 1) {
                break;
            }
            bound += self.affected(group, place);
            place -= 1;
            if self.judge(place, best) {
                break;
            }
        }
        place
    }

    /// The number of nodes at `place`, if moving `group` past it can change them.
    fn affected(&self, group: usize, place: usize) -> usize {
        if self.swapper.interact(group, self.swapper.unit_at(place)) { self.swapper.size(place) } else { 0 }
    }

    /// Updates the best position; returns whether the diagram has grown too much.
    fn judge(&self, place: usize, best: &mut (usize, usize)) -> bool {
        let total = self.swapper.total();
        if total < best.0 {
            *best = (total, place);
        }
        #[expect(clippy::cast_precision_loss, reason = "a rough limit")]
        let too_large = total as f64 > best.0 as f64 * MAX_GROWTH;
        too_large
    }

    /// Moves the unit at `from` to `to`, or as far as the node limit allows.
    fn go(&mut self, from: usize, to: usize) -> bool {
        let mut place = from;
        while place != to {
            let upper = if place < to { place } else { place - 1 };
            if !self.exchange(upper) {
                return false;
            }
            place = if place < to { place + 1 } else { place - 1 };
        }
        true
    }

    fn exchange(&mut self, place: usize) -> bool {
        self.n_exchanges += 1;
        self.swapper.exchange(place)
    }

    /// Moves the pairs, named by their current variables, into an order; `false` if the node limit is reached on the
    /// way.
    pub(crate) fn set_order(mut self, order: &[Var]) -> bool {
        let arrived = order.iter().enumerate().all(|(place, &var)| {
            let from = self.swapper.place_of(var as usize / 2);
            self.go(from, place)
        });
        self.swapper.finish();
        arrived
    }
}
