//! Whether there is a witness, without choosing one. A verdict alone asks for no more, and the choice of a shortest lasso is most of
//! the work.

use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::ltl::{Linear, LinearId};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::ctl::fair::Arena;
use crate::symbolic::ltl::tableau::Product;
use crate::symbolic::reachability::Reach;
use specwright_model::op::Logic;

impl Symbolic {
    /// Whether there is a fair path from an initial state on which a formula holds: whether [`path`](Self::path) finds one.
    pub(crate) fn has_path(&mut self, formula: LinearId, logic: Logic) -> Result<bool, Stop> {
        self.prepare()?;
        for case in self.linear_cases(formula) {
            if self.has_path_of_case(case, logic)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_path_of_case(&mut self, formula: LinearId, logic: Logic) -> Result<bool, Stop> {
        if self.linear[formula] == Linear::False {
            return Ok(false);
        }
        let is_compassionate = logic == Logic::Ltl && !self.machine.fairness.compassion.is_empty();
        if !is_compassionate && let Some((steps, states)) = self.moments(formula)? {
            let fair = self.fair();
            let goal = self.manager.and(&states, &fair)?;
            return Ok(self.is_any_reached(&goal)?
                || steps != states && {
                    let sources = self.sources_of(&steps, &fair)?;
                    self.is_any_reached(&sources)?
                });
        }
        if !is_compassionate && let Some(is_found) = self.has_lasso_in_parts(formula)? {
            return Ok(is_found);
        }
        let product = self.product(formula, is_compassionate)?;
        let is_finite = !is_compassionate && self.linear.is_finite(formula);
        let mut reach = Reach::new(&product.start);
        reach.complete(&self.manager, &product.relation, &mut |_| ())?;
        if !is_compassionate && self.linear.can_be_finite(formula) {
            let end = self.finite_end(&product)?;
            if !self.manager.and(&reach.states, &end)?.is_false() {
                return Ok(true);
            }
        }
        Ok(!is_finite && self.has_lasso(&product, &reach)?)
    }

    /// Whether a product has an infinite fair path.
    fn has_lasso(&self, product: &Product, reach: &Reach) -> Result<bool, Limit> {
        let (manager, states) = (&self.manager, &reach.states);
        let arena = Arena { manager, relation: &product.relation, states };
        let hull = arena.fair_hull(states, &product.fairness)?;
        Ok(if product.fairness.compassion.is_empty() {
            !manager.and(&product.start, &hull)?.is_false()
        } else {
            // All of its positions are reached.
            !hull.is_false()
        })
    }

    /// For a formula that asks for one moment, `F now` or `F (now, then next)`: the steps that are this moment, and the states that
    /// are, whatever comes next.
    pub(super) fn moments(&mut self, formula: LinearId) -> Result<Option<(Bdd, Bdd)>, Stop> {
        let Linear::Until(stay, moment) = self.linear[formula] else { return Ok(None) };
        if self.linear[stay] != Linear::True {
            return Ok(None);
        }
        let Some(steps) = self.moment(moment, Time::Now, true)? else { return Ok(None) };
        let Some(states) = self.moment(moment, Time::Now, false)? else { return Ok(None) };
        Ok(Some((steps, states)))
    }
}
