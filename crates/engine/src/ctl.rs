//! Fair CTL on the reachable states.
//!
//! A formula stands for the set of *reachable* states in which it holds; elsewhere nobody looks. Path quantifiers range
//! over infinite fair paths, as in NuSMV. Formulas are interned, so equal parts of different formulas are computed once.

use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::engine::{Engine, Undefined};
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use specwright_model::{ExprId, Node, Value};

/// Why a formula has no truth value.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A limit was reached.
    Limit(Limit),
    /// A part of it has no value in some state.
    Undefined(Undefined),
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Limit(limit)
    }
}

impl Engine {
    /// The reachable states in which a formula holds.
    pub(crate) fn satisfying(&mut self, formula: ExprId) -> Result<Bdd, Stop> {
        if let Some(known) = self.formulas.get(&formula) {
            return Ok(known.clone());
        }
        let states = stacker::maybe_grow(64 << 10, 1 << 20, || self.satisfying_node(formula))?;
        self.formulas.insert(formula, states.clone());
        Ok(states)
    }

    fn satisfying_node(&mut self, formula: ExprId) -> Result<Bdd, Stop> {
        if !self.is_temporal(formula) {
            let holds = self.plain(formula, Time::Now)?;
            return Ok(self.manager.and(&holds, &self.reached())?);
        }
        match self.model[formula].clone() {
            Node::Unary(UnaryOp::Not, f) => {
                let f = self.satisfying(f)?;
                self.complement(&f)
            }
            Node::Unary(UnaryOp::EX, f) => {
                let f = self.satisfying(f)?;
                self.exists_next(&f)
            }
            Node::Unary(UnaryOp::AX, f) => {
                let f = self.satisfying(f)?;
                self.all_next(&f)
            }
            Node::Unary(UnaryOp::EF, f) => {
                let (all, f) = (self.reached(), self.satisfying(f)?);
                self.exists_until(&all, &f)
            }
            Node::Unary(UnaryOp::AG, f) => {
                let (all, f) = (self.reached(), self.satisfying(f)?);
                let not_f = self.complement(&f)?;
                let bad = self.exists_until(&all, &not_f)?;
                self.complement(&bad)
            }
            Node::Unary(UnaryOp::EG, f) => {
                let f = self.satisfying(f)?;
                self.exists_always(&f)
            }
            Node::Unary(UnaryOp::AF, f) => {
                let f = self.satisfying(f)?;
                let not_f = self.complement(&f)?;
                let bad = self.exists_always(&not_f)?;
                self.complement(&bad)
            }
            Node::Binary(BinaryOp::EU, f, g) => {
                let (f, g) = (self.satisfying(f)?, self.satisfying(g)?);
                self.exists_until(&f, &g)
            }
            Node::Binary(BinaryOp::AU, f, g) => {
                let (f, g) = (self.satisfying(f)?, self.satisfying(g)?);
                let (not_f, not_g) = (self.complement(&f)?, self.complement(&g)?);
                let neither = self.manager.and(&not_f, &not_g)?;
                let broken = self.exists_until(&not_g, &neither)?;
                let never = self.exists_always(&not_g)?;
                self.complement(&self.manager.or(&broken, &never)?)
            }
            Node::Binary(op, f, g) => {
                let (f, g) = (self.satisfying(f)?, self.satisfying(g)?);
                let manager = &self.manager;
                Ok(match op {
                    BinaryOp::And => manager.and(&f, &g)?,
                    BinaryOp::Or => manager.or(&f, &g)?,
                    BinaryOp::Implies => manager.or(&self.complement(&f)?, &g)?,
                    BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Eq => self.complement(&manager.xor(&f, &g)?)?,
                    BinaryOp::Xor | BinaryOp::Ne => manager.xor(&f, &g)?,
                    _ => unreachable!("no formula of CTL has {op:?} above a temporal operator"),
                })
            }
            Node::Bounded(op, low, high, f) => {
                let f = self.satisfying(f)?;
                let high = high.expect("bounds in CTL have two ends");
                match op {
                    BoundedOp::EBF => {
                        let all = self.reached();
                        self.exists_bounded_until(&all, &f, low, high)
                    }
                    BoundedOp::ABG => {
                        let (all, not_f) = (self.reached(), self.complement(&f)?);
                        let bad = self.exists_bounded_until(&all, &not_f, low, high)?;
                        self.complement(&bad)
                    }
                    BoundedOp::EBG => self.exists_bounded_always(&f, low, high),
                    BoundedOp::ABF => {
                        let not_f = self.complement(&f)?;
                        let bad = self.exists_bounded_always(&not_f, low, high)?;
                        self.complement(&bad)
                    }
                    _ => unreachable!("a formula of CTL has operators of CTL"),
                }
            }
            Node::BoundedUntil(op, low, high, f, g) => {
                let (f, g) = (self.satisfying(f)?, self.satisfying(g)?);
                match op {
                    BoundedUntilOp::EBU => self.exists_bounded_until(&f, &g, low, high),
                    BoundedUntilOp::ABU => self.all_bounded_until(&f, &g, low, high),
                }
            }
            Node::Define(define) => self.satisfying(self.model.body(define)),
            Node::Ite(condition, then, otherwise) => {
                let condition = self.satisfying(condition)?;
                let (then, otherwise) = (self.satisfying(then)?, self.satisfying(otherwise)?);
                Ok(self.manager.ite(&condition, &then, &otherwise)?)
            }
            node => unreachable!("no formula of CTL has {node:?} above a temporal operator"),
        }
    }

    /// Whether a formula holds in all initial states from which a fair path starts, which takes less than to know all
    /// states in which it holds.
    pub(crate) fn holds_at_start(&mut self, formula: ExprId) -> Result<bool, Stop> {
        let start = self.manager.and(&self.machine.init, &self.fair())?;
        match self.model[formula] {
            Node::Binary(BinaryOp::And, f, g) => Ok(self.holds_at_start(f)? && self.holds_at_start(g)?),
            Node::Binary(BinaryOp::Implies, f, g) if self.is_temporal(f) => {
                Ok(self.surely_fails_at_start(f)? || self.holds_at_start(g)? || self.holds_in(&start, formula)?)
            }
            Node::Unary(UnaryOp::AG, f) => {
                // Whatever is reachable and has a fair future shows at an initial state.
                if let Node::Binary(BinaryOp::Implies, cause, effect) = self.model[f] {
                    return self.follows_everywhere(cause, effect);
                }
                let f = self.satisfying(f)?;
                Ok(self.manager.is_subset(&self.fair(), &f)?)
            }
            Node::Unary(UnaryOp::EF, f) => {
                let f = self.satisfying(f)?;
                let goal = self.manager.and(&f, &self.fair())?;
                let found = self.arena().until_known(&self.reached(), &goal, Some(&start))?;
                Ok(self.manager.is_subset(&start, &found)?)
            }
            _ => self.holds_in(&start, formula),
        }
    }

    fn holds_in(&mut self, states: &Bdd, formula: ExprId) -> Result<bool, Stop> {
        let holds = self.satisfying(formula)?;
        Ok(self.manager.is_subset(states, &holds)?)
    }

    /// Whether a formula holds in all states with a fair future in which another one holds.
    ///
    /// Properties of steps come in crowds: the same cause with many effects, `p -> AX q` and `p -> AX r`, or many causes of the
    /// same effect. The states before the next effect are computed once for each effect; but where a cause comes back with
    /// a new one, the states after the cause are, and then every further effect takes a look and no search.
    fn follows_everywhere(&mut self, cause: ExprId, effect: ExprId) -> Result<bool, Stop> {
        let causes = self.satisfying(cause)?;
        let causes = self.manager.and(&causes, &self.fair())?;
        if let Node::Unary(UnaryOp::AX, next) = self.model[effect]
            && !self.formulas.contains_key(&effect)
        {
            let after = match self.after.get(&cause) {
                Some(Some(known)) => Some(known.clone()),
                Some(None) => {
                    let after = self.arena().relation.image(&causes)?;
                    Some(self.manager.and(&after, &self.fair())?)
                }
                None => None,
            };
            self.after.insert(cause, after.clone());
            if let Some(after) = after {
                let next = self.satisfying(next)?;
                return Ok(self.manager.is_subset(&after, &next)?);
            }
        }
        let effects = self.satisfying(effect)?;
        Ok(self.manager.is_subset(&causes, &effects)?)
    }

    /// Whether a formula fails in all initial states from which a fair path starts, as far as that shows without a search for
    /// all states in which it holds.
    fn surely_fails_at_start(&mut self, formula: ExprId) -> Result<bool, Stop> {
        let start = self.manager.and(&self.machine.init, &self.fair())?;
        Ok(match self.model[formula] {
            Node::Unary(UnaryOp::AG, f) => {
                let f = self.satisfying(f)?;
                let goal = self.manager.diff(&self.fair(), &f)?;
                let found = self.arena().until_known(&self.reached(), &goal, Some(&start))?;
                self.manager.is_subset(&start, &found)?
            }
            _ if !self.is_temporal(formula) => {
                let holds = self.satisfying(formula)?;
                self.manager.and(&start, &holds)?.is_false()
            }
            _ => false,
        })
    }

    /// Whether a formula holds by what fair paths are: they go on. Nobody has to look where they are.
    pub(crate) fn holds_by_itself(&self, formula: ExprId) -> bool {
        match self.model[formula] {
            Node::Unary(UnaryOp::AG, f) => self.holds_by_itself(f),
            Node::Unary(UnaryOp::EX, f) => self.model[f] == Node::Const(Value::Bool(true)),
            Node::Binary(BinaryOp::And, f, g) => self.holds_by_itself(f) && self.holds_by_itself(g),
            Node::Binary(BinaryOp::Or, f, g) => self.holds_by_itself(f) || self.holds_by_itself(g),
            Node::Binary(BinaryOp::Implies, _, g) => self.holds_by_itself(g),
            _ => false,
        }
    }

    /// Looks whether all parts of a formula have a value in every reachable state. If one has none there is nothing to be
    /// asked, whether or not the answer depends on it.
    pub(crate) fn have_values(&mut self, formula: ExprId) -> Result<(), Stop> {
        if !self.is_temporal(formula) {
            return self.plain(formula, Time::Now).map(drop);
        }
        if let Node::Define(define) = self.model[formula] {
            return self.have_values(self.model.body(define));
        }
        for part in self.model[formula].children() {
            stacker::maybe_grow(64 << 10, 1 << 20, || self.have_values(part))?;
        }
        Ok(())
    }

    /// The other reachable states.
    pub(crate) fn complement(&self, states: &Bdd) -> Result<Bdd, Stop> {
        Ok(self.manager.diff(&self.reached(), states)?)
    }

    pub(crate) fn exists_next(&self, states: &Bdd) -> Result<Bdd, Stop> {
        let fair = self.fair();
        let targets = self.manager.and(states, &fair)?;
        Ok(self.arena().before(&targets, &self.reached())?)
    }

    fn all_next(&self, states: &Bdd) -> Result<Bdd, Stop> {
        let bad = self.exists_next(&self.complement(states)?)?;
        self.complement(&bad)
    }

    pub(crate) fn exists_until(&self, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let goal = self.manager.and(goal, &self.fair())?;
        Ok(self.arena().until(stay, &goal)?)
    }

    pub(crate) fn exists_always(&mut self, stay: &Bdd) -> Result<Bdd, Stop> {
        let stay = self.manager.and(stay, &self.fair())?;
        if let Some(known) = self.always.get(&stay) {
            return Ok(known.clone());
        }
        let always = self.arena().always(&stay, &self.machine.fairness.justice)?;
        self.always.insert(stay, always.clone());
        Ok(always)
    }

    /// `E [stay BU low..high goal]`
    fn exists_bounded_until(&self, stay: &Bdd, goal: &Bdd, low: u64, high: u64) -> Result<Bdd, Stop> {
        let goal = self.manager.and(goal, &self.fair())?;
        let states = Engine::iterate(goal.clone(), high - low, |states| {
            let before = self.manager.and(stay, &self.exists_next(states)?)?;
            Ok(self.manager.or(&goal, &before)?)
        })?;
        Engine::iterate(states, low, |states| Ok(self.manager.and(stay, &self.exists_next(states)?)?))
    }

    /// `A [stay BU low..high goal]`
    fn all_bounded_until(&self, stay: &Bdd, goal: &Bdd, low: u64, high: u64) -> Result<Bdd, Stop> {
        // A state without a fair path has nothing to fear from any of its paths.
        let unfair = self.complement(&self.fair())?;
        let goal = self.manager.or(goal, &unfair)?;
        let states = Engine::iterate(goal.clone(), high - low, |states| {
            let before = self.manager.and(stay, &self.all_next(states)?)?;
            Ok(self.manager.or(&goal, &before)?)
        })?;
        Engine::iterate(states, low, |states| {
            let before = self.manager.and(stay, &self.all_next(states)?)?;
            Ok(self.manager.or(&before, &unfair)?)
        })
    }

    /// `EBG low..high stay`
    fn exists_bounded_always(&self, stay: &Bdd, low: u64, high: u64) -> Result<Bdd, Stop> {
        let stay = self.manager.and(stay, &self.fair())?;
        let states = Engine::iterate(stay.clone(), high - low, |states| {
            Ok(self.manager.and(&stay, &self.exists_next(states)?)?)
        })?;
        Engine::iterate(states, low, |states| self.exists_next(states))
    }

    /// Applies a step so many times, or until it changes nothing.
    fn iterate(mut states: Bdd, times: u64, step: impl Fn(&Bdd) -> Result<Bdd, Stop>) -> Result<Bdd, Stop> {
        for _ in 0..times {
            let next = step(&states)?;
            if next == states {
                break;
            }
            states = next;
        }
        Ok(states)
    }
}
