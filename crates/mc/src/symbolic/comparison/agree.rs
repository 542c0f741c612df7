//! Pairs of executions that agree: two predicates, each with an execution, while some conditions have the same values in both.

use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::policy::{MAX_COMBINATIONS, MAX_CONDITIONS};
use crate::symbolic::{Symbolic, Truth};
use rustc_hash::FxHashSet;
use specwright_model::ExprId;

/// Two predicates that are to hold with the same values of some conditions.
#[derive(Clone, Copy, Debug)]
pub struct Agreement<'a> {
    /// The predicates.
    pub predicates: [ExprId; 2],
    /// The conditions.
    pub same: &'a [ExprId],
    /// Whether only initial states count.
    pub initial: bool,
}

impl Symbolic {
    /// The first values of the conditions, true before false, with which there is an execution for either predicate, or
    /// nothing if there are none. What takes too many attempts is a limit, too.
    pub fn agree(&mut self, wanted: Agreement<'_>) -> Result<Option<Vec<bool>>, Limit> {
        let _clock = self.begin();
        if wanted.same.len() > MAX_CONDITIONS {
            return Err(Limit::Steps);
        }
        self.explore(&mut |_| ())?;
        let exprs = || wanted.predicates.iter().chain(wanted.same).copied();
        let steps = exprs().any(|expr| self.mentions_step(expr));
        let base = if wanted.initial { self.machine.init.clone() } else { self.reached() };
        let mut truths = Vec::new();
        for expr in exprs() {
            truths.push(self.truth(expr, Time::Now)?);
        }
        let (one, other) = (truths[0].yes.clone(), truths[1].yes.clone());
        let mut search = Search { engine: self, base, steps, conditions: &truths[2..], failed: FxHashSet::default() };
        let found = search.go_on(&one, &other, &mut Vec::new())?;
        // In a deadlock state a predicate may hold whatever the inputs are; such states are not looked at here.
        let needs_steps = wanted.predicates.into_iter().any(|expr| self.mentions_next(expr));
        if found.is_none() && steps && !needs_steps && !self.deadlock_states()?.is_false() {
            return Err(Limit::Steps);
        }
        Ok(found)
    }
}

struct Search<'a> {
    engine: &'a Symbolic,
    /// The states that count.
    base: Bdd,
    /// Whether the sets are sets of steps.
    steps: bool,
    /// Where each condition is true and where it is false; undefined conditions have no value in common with others.
    conditions: &'a [Truth],
    /// What has no common values, with the number of conditions that have theirs.
    failed: FxHashSet<(usize, Bdd, Bdd)>,
}

impl Search<'_> {
    /// Gives the next condition a value, as long as either set has a member.
    fn go_on(&mut self, one: &Bdd, other: &Bdd, values: &mut Vec<bool>) -> Result<Option<Vec<bool>>, Limit> {
        if !self.has_member(one)? || !self.has_member(other)? {
            return Ok(None);
        }
        let Some(condition) = self.conditions.get(values.len()) else { return Ok(Some(values.clone())) };
        let key = (values.len(), one.clone(), other.clone());
        if self.failed.contains(&key) {
            return Ok(None);
        }
        for (value, wanted) in [(true, &condition.yes), (false, &condition.no)] {
            let manager = &self.engine.manager;
            let (one, other) = (manager.and(one, wanted)?, manager.and(other, wanted)?);
            values.push(value);
            let found = self.go_on(&one, &other, values)?;
            values.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        if self.failed.len() >= MAX_COMBINATIONS {
            return Err(Limit::Steps);
        }
        self.failed.insert(key);
        Ok(None)
    }

    fn has_member(&self, set: &Bdd) -> Result<bool, Limit> {
        let manager = &self.engine.manager;
        let sources = if self.steps {
            let everywhere = manager.constant(true);
            self.engine.machine.relation.preimage_by(set, &everywhere)?
        } else {
            set.clone()
        };
        Ok(!manager.and(&sources, &self.base)?.is_false())
    }
}
