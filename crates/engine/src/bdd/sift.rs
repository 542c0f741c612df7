//! Rudell's sifting of pairs of variables: each pair travels through the order and stays where the diagram is smallest.
//!
//! The limits are those of CUDD: a journey ends when the diagram has grown by a fifth, or when not even the disappearance
//! of every node it could still affect would make a new best place.

use super::Var;
use super::swap::Swapper;

/// Growth at which a journey turns round.
const MAX_GROWTH: f64 = 1.2;
/// Pairs that travel, the largest first.
const MAX_PAIRS: usize = 1000;
/// So many pairs together have to make the diagram smaller by such a part, or the rest stays where it is: the largest come
/// first, and where they gain nothing the small ones gain less.
const PATIENCE: usize = 10;
const WORTHWHILE: usize = 100;
/// Exchanges of neighbouring pairs in one run.
const MAX_EXCHANGES: usize = 500_000;

pub(super) struct Sifter<'a> {
    swapper: Swapper<'a>,
    n_exchanges: usize,
}

impl<'a> Sifter<'a> {
    pub(super) fn new(swapper: Swapper<'a>) -> Self {
        Sifter { swapper, n_exchanges: 0 }
    }

    /// Sifts all pairs once, the largest first; stops between two pairs when the budget is exhausted or, if it is impatient,
    /// when it no longer pays. Says how much work that was.
    pub(super) fn run(mut self, impatient: bool) -> u64 {
        let n_pairs = self.swapper.n_pairs();
        let mut by_size: Vec<_> =
            (0..n_pairs).map(|place| (self.swapper.size(place), self.swapper.pair_at(place))).collect();
        by_size.sort_by_key(|&(size, pair)| (std::cmp::Reverse(size), pair));
        let mut last_total = self.swapper.total();
        for (travelled, (_, pair)) in by_size.into_iter().take(MAX_PAIRS).enumerate() {
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
            self.sift(pair);
        }
        let work = self.swapper.work();
        self.swapper.finish();
        work
    }

    fn sift(&mut self, pair: usize) {
        let place = self.swapper.place_of(pair);
        let mut best = (self.swapper.total(), place);
        let last = self.swapper.n_pairs() - 1;
        // The shorter way first: it is travelled twice.
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
        let pair = self.swapper.pair_at(place);
        let last = self.swapper.n_pairs() - 1;
        // All that a move down can remove.
        let mut gain: usize = (place + 1..=last).map(|below| self.affected(pair, below)).sum();
        while place < last && self.swapper.total() - gain < best.0 {
            gain -= self.affected(pair, place + 1);
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
        let pair = self.swapper.pair_at(place);
        // What a move up cannot remove: all below, and all above that has nothing to do with the pair.
        let affected: usize = (0..place).map(|above| self.affected(pair, above)).sum();
        let mut bound = self.swapper.total() - affected - self.swapper.size(place);
        while place > 0 && bound < best.0 {
            if !self.exchange(place - 1) {
                break;
            }
            bound += self.affected(pair, place);
            place -= 1;
            if self.judge(place, best) {
                break;
            }
        }
        place
    }

    /// The nodes at `place`, if moving `pair` past it can change them.
    fn affected(&self, pair: usize, place: usize) -> usize {
        if self.swapper.interact(pair, self.swapper.pair_at(place)) { self.swapper.size(place) } else { 0 }
    }

    /// Remembers the best place; says whether the journey has become too costly.
    fn judge(&self, place: usize, best: &mut (usize, usize)) -> bool {
        let total = self.swapper.total();
        if total < best.0 {
            *best = (total, place);
        }
        #[expect(clippy::cast_precision_loss, reason = "a rough limit")]
        let too_large = total as f64 > best.0 as f64 * MAX_GROWTH;
        too_large
    }

    /// Moves the pair at `from` to `to`, or as far as there is room.
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

    /// Brings the pairs, named by their current variables, into an order; `false` if room ran out on the way.
    pub(super) fn set_order(mut self, order: &[Var]) -> bool {
        let arrived = order.iter().enumerate().all(|(place, &var)| {
            let from = self.swapper.place_of(var as usize / 2);
            self.go(from, place)
        });
        self.swapper.finish();
        arrived
    }
}
