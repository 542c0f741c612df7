//! The states from which a path satisfies a linear formula, for formulas that need no product.
//!
//! The existence of a path distributes over *or*, and over *and* and *until* as far as what must hold along the way
//! can be seen in single states. So most formulas that people write need no product with promises: `G (p -> F q)` fails
//! where a path leads to `p` and then stays outside `q` without end. Where several things must happen, one of them happens
//! first, and from there on the others are left.

use crate::bdd::Bdd;
use crate::encode::Time;
use crate::ltl::{Linear, LinearId};
use crate::policy::{MAX_CASES, MAX_EVENTUALITIES};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;

impl Symbolic {
    /// The reachable states from which a fair path satisfies a formula; nothing if states alone cannot tell.
    pub(crate) fn path_starts(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        if let Some(known) = self.ltl.path_starts.get(&formula) {
            return Ok(known.clone());
        }
        let starts = stacker::maybe_grow(64 << 10, 1 << 20, || self.path_starts_node(formula))?;
        // Comparisons join each formula with every other one. The parts are worth caching, the conjunctions are not.
        if !matches!(self.linear[formula], Linear::And(..)) {
            self.ltl.path_starts.insert(formula, starts.clone());
        }
        Ok(starts)
    }

    fn path_starts_node(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        if let Some(states) = self.states_of(formula)? {
            return Ok(Some(self.manager.and(&states, &self.fair())?));
        }
        Ok(match self.linear[formula] {
            Linear::Atom(..) | Linear::NotAtom(..) => {
                let steps = self.atom(formula, Time::Now)?;
                Some(self.first_step(&steps, &self.fair())?)
            }
            Linear::Or(a, b) => match (self.path_starts(a)?, self.path_starts(b)?) {
                (Some(a), Some(b)) => Some(self.manager.or(&a, &b)?),
                _ => None,
            },
            Linear::And(..) if self.linear.n_cases(formula) <= MAX_CASES => self.path_starts_of_all(formula)?,
            Linear::Next(a) => match self.path_starts(a)? {
                Some(a) => Some(self.exists_next(&a)?),
                None => None,
            },
            Linear::Until(a, b) => match (self.states_of(a)?, self.path_starts(b)?) {
                (Some(stay), Some(goal)) => Some(self.exists_until(&stay, &goal)?),
                _ => None,
            },
            Linear::Release(a, b) => match (self.path_starts(a)?, self.states_of(b)?) {
                (Some(released), Some(stay)) => {
                    let for_ever = self.exists_always(&stay)?;
                    let until = self.exists_until(&stay, &self.manager.and(&stay, &released)?)?;
                    Some(self.manager.or(&for_ever, &until)?)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// The same for a conjunction.
    fn path_starts_of_all(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        let (mut now, mut for_ever) = (self.fair(), self.reached());
        let mut first_step: Option<Bdd> = None;
        let (mut always, mut untils, mut nexts) = (None, Vec::new(), Vec::new());
        let mut open = vec![formula];
        while let Some(part) = open.pop() {
            if let Some(states) = self.states_of(part)? {
                now = self.manager.and(&now, &states)?;
                continue;
            }
            match self.linear[part] {
                Linear::And(a, b) => open.extend([b, a]),
                Linear::Or(a, b) => {
                    let rest = self.rest(formula, part);
                    return self.path_starts_of_either(a, b, rest);
                }
                Linear::Release(a, b) if self.linear[a] == Linear::False => {
                    let Some(stay) = self.states_of(b)? else { return Ok(None) };
                    for_ever = self.manager.and(&for_ever, &stay)?;
                    always = Some(always.map_or(part, |always| self.linear.and(always, part)));
                }
                Linear::Release(a, b) => {
                    let rest = self.rest(formula, part);
                    let (released, kept) = (self.linear.and(a, b), self.linear.always(b));
                    let released = self.linear.until(b, released);
                    return self.path_starts_of_either(kept, released, rest);
                }
                Linear::Until(..) => untils.push(part),
                Linear::Next(a) => nexts.push(a),
                Linear::Atom(..) | Linear::NotAtom(..) => {
                    let steps = self.atom(part, Time::Now)?;
                    first_step = Some(match first_step {
                        Some(others) => self.manager.and(&others, &steps)?,
                        None => steps,
                    });
                }
                _ => return Ok(None),
            }
        }
        if now.is_false() {
            return Ok(Some(now));
        }
        let starts = match (always, &untils[..], &nexts[..]) {
            (Some(_), ..) | (_, [_, ..], _) if first_step.is_some() => return Ok(None),
            (None, [], nexts) => {
                let mut all = self.linear.constant(true);
                for next in nexts {
                    all = self.linear.and(all, *next);
                }
                match (self.path_starts(all)?, &first_step) {
                    (Some(after), Some(steps)) => self.first_step(steps, &after)?,
                    (Some(after), None) => self.exists_next(&after)?,
                    (None, _) => return Ok(None),
                }
            }
            (Some(always), [], []) if matches!(self.linear[always], Linear::Release(..)) => {
                return match self.path_starts(always)? {
                    Some(starts) => Ok(Some(self.manager.and(&now, &starts)?)),
                    None => Ok(None),
                };
            }
            (_, [], []) => self.exists_always(&for_ever)?,
            (_, untils, []) if untils.len() <= MAX_EVENTUALITIES => {
                // Until the first of them comes true, all of them wait for it.
                let (mut stay, mut first) = (for_ever, self.manager.constant(false));
                for until in untils {
                    let Linear::Until(a, b) = self.linear[*until] else { continue };
                    let Some(waiting) = self.states_of(a)? else { return Ok(None) };
                    stay = self.manager.and(&stay, &waiting)?;
                    let others = untils.iter().copied().filter(|other| other != until);
                    let left = others.chain(always).fold(b, |left, other| self.linear.and(left, other));
                    let Some(starts) = self.path_starts(left)? else { return Ok(None) };
                    first = self.manager.or(&first, &starts)?;
                }
                self.exists_until(&stay, &first)?
            }
            _ => return Ok(None),
        };
        Ok(Some(self.manager.and(&now, &starts)?))
    }

    /// The reachable states from which a step of a set leads to one of the `ends`, from where a fair path goes on.
    fn first_step(&self, steps: &Bdd, ends: &Bdd) -> Result<Bdd, Stop> {
        let before = self.machine.relation.preimage_by_within(steps, ends, &self.reached())?;
        Ok(self.manager.and(&before, &self.reached())?)
    }

    /// What is left of a conjunction without one of its parts.
    fn rest(&mut self, formula: LinearId, without: LinearId) -> LinearId {
        if formula == without {
            return self.linear.constant(true);
        }
        let Linear::And(a, b) = self.linear[formula] else { return formula };
        let (a, b) = (self.rest(a, without), self.rest(b, without));
        self.linear.and(a, b)
    }

    fn path_starts_of_either(&mut self, a: LinearId, b: LinearId, rest: LinearId) -> Result<Option<Bdd>, Stop> {
        let (a, b) = (self.linear.and(a, rest), self.linear.and(b, rest));
        let (Some(a), Some(b)) = (self.path_starts(a)?, self.path_starts(b)?) else { return Ok(None) };
        Ok(Some(self.manager.or(&a, &b)?))
    }

    /// The reachable states that satisfy a formula without temporal operators that does not speak of steps.
    pub(crate) fn states_of(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        Ok(match self.linear[formula] {
            Linear::True => Some(self.reached()),
            Linear::False => Some(self.manager.constant(false)),
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) if self.mentions_step(expr) => None,
            Linear::Atom(..) | Linear::NotAtom(..) => {
                let states = self.atom(formula, Time::Now)?;
                Some(self.manager.and(&states, &self.reached())?)
            }
            Linear::And(a, b) | Linear::Or(a, b) => match (self.states_of(a)?, self.states_of(b)?) {
                (Some(a), Some(b)) if matches!(self.linear[formula], Linear::And(..)) => {
                    Some(self.manager.and(&a, &b)?)
                }
                (Some(a), Some(b)) => Some(self.manager.or(&a, &b)?),
                _ => None,
            },
            _ => None,
        })
    }
}
