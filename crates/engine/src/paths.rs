//! Where paths start that satisfy a linear formula, for formulas that can be followed one state at a time.
//!
//! The existence of a path distributes over *or*, and over *and* and *until* as far as what must hold along the way
//! can be seen in single states. So most formulas that people write need no product with promises: `G (p -> F q)` fails
//! where a path leads to `p` and then stays outside `q` for ever.

use crate::bdd::Bdd;
use crate::ctl::Stop;
use crate::encode::Time;
use crate::engine::Engine;
use crate::linear::{Linear, LinearId};

impl Engine {
    /// The reachable states from which a fair path satisfies a formula; nothing if states alone cannot tell.
    pub(crate) fn path_starts(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        if let Some(known) = self.path_starts.get(&formula) {
            return Ok(known.clone());
        }
        let starts = stacker::maybe_grow(64 << 10, 1 << 20, || self.path_starts_node(formula))?;
        self.path_starts.insert(formula, starts.clone());
        Ok(starts)
    }

    fn path_starts_node(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        if let Some(states) = self.states_of(formula)? {
            return Ok(Some(self.manager.and(&states, &self.fair())?));
        }
        Ok(match self.linear[formula] {
            Linear::Or(a, b) => match (self.path_starts(a)?, self.path_starts(b)?) {
                (Some(a), Some(b)) => Some(self.manager.or(&a, &b)?),
                _ => None,
            },
            Linear::And(a, b) => {
                let (state, path) = match (self.states_of(a)?, self.states_of(b)?) {
                    (Some(state), _) => (state, b),
                    (None, Some(state)) => (state, a),
                    (None, None) => return Ok(None),
                };
                match self.path_starts(path)? {
                    Some(path) => Some(self.manager.and(&state, &path)?),
                    None => None,
                }
            }
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

    /// The reachable states that satisfy a formula without temporal operators that does not speak of inputs.
    fn states_of(&mut self, formula: LinearId) -> Result<Option<Bdd>, Stop> {
        Ok(match self.linear[formula] {
            Linear::True => Some(self.reached()),
            Linear::False => Some(self.manager.constant(false)),
            Linear::Atom(expr, positive) => {
                if self.mentions_input(expr) {
                    return Ok(None);
                }
                let holds = if self.is_temporal(expr) { self.satisfying(expr)? } else { self.plain(expr, Time::Now)? };
                let holds = if positive { holds } else { self.manager.not(&holds) };
                Some(self.manager.and(&holds, &self.reached())?)
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
