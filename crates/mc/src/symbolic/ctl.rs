//! Fair CTL on the reachable states.
//!
//! A formula stands for the set of *reachable* states in which it holds; other states do not matter. Path quantifiers range
//! over infinite fair paths, as in NuSMV. Formulas are interned, so equal parts of different formulas are computed once.
//!
//! A formula with a part that is undefined in some reachable state stands for two sets, one for each [`Bound`].

pub(crate) mod fair;
pub(crate) mod reuse;

use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::symbolic::ctl::reuse::{Origin, Searches};
use crate::symbolic::{Symbolic, Truth, Undefined};
use rustc_hash::FxHashMap;
use specwright_model::interp::Bound;
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use specwright_model::{ExprId, Node, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// The states of formulas that were computed so far.
#[derive(Default)]
pub(crate) struct CtlCache {
    /// The reachable states of each formula.
    pub(crate) formulas: FxHashMap<(ExprId, Bound), Bdd>,
    /// Whether a part of a formula is undefined in some reachable state.
    partial: FxHashMap<ExprId, bool>,
    /// For sets of fair states, the states in which a fair path can stay without end. A formula and its trace both need them.
    always: FxHashMap<Bdd, Bdd>,
    /// What may follow the states of a formula that was asked for as a cause, once it came a second time.
    after: FxHashMap<ExprId, Option<Bdd>>,
    /// The searches so far, if mutants are to use them.
    searches: Option<Rc<RefCell<Searches>>>,
    /// Of a mutant: what it can use of its model.
    pub(crate) origin: Option<Origin>,
}

/// Why a formula has no truth value.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A limit was reached.
    Limit(Limit),
    /// It is neither true nor false, because a part of it has no value in some state.
    Undefined(Undefined),
    /// No method here decides it.
    Unsupported,
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Limit(limit)
    }
}

impl Symbolic {
    /// The reachable states in which a formula is true.
    pub(crate) fn satisfying(&mut self, formula: ExprId) -> Result<Bdd, Stop> {
        self.bounded(formula, Bound::Surely)
    }

    /// The reachable states in which a formula has a truth value.
    pub(crate) fn deciding(&mut self, formula: ExprId, value: bool) -> Result<Bdd, Stop> {
        if value {
            return self.satisfying(formula);
        }
        let possibly = self.bounded(formula, Bound::Possibly)?;
        self.complement(&possibly)
    }

    /// The reachable states in which a formula holds, with what is undefined read one way or the other.
    pub(crate) fn bounded(&mut self, formula: ExprId, bound: Bound) -> Result<Bdd, Stop> {
        if let Some(known) = self.ctl.formulas.get(&(formula, bound)) {
            return Ok(known.clone());
        }
        if bound == Bound::Possibly && !self.is_partial(formula)? {
            return self.satisfying(formula);
        }
        let states = stacker::maybe_grow(64 << 10, 1 << 20, || self.bounded_node(formula, bound))?;
        self.ctl.formulas.insert((formula, bound), states.clone());
        Ok(states)
    }

    /// Whether a part of a formula is undefined in some reachable state.
    pub(crate) fn is_partial(&mut self, formula: ExprId) -> Result<bool, Stop> {
        if let Some(known) = self.ctl.partial.get(&formula) {
            return Ok(*known);
        }
        let is_partial = if !self.is_temporal(formula) {
            let Truth { yes, no } = self.truth(formula, Time::Now)?;
            let reached = self.reached();
            !self.manager.is_subset(&reached, &self.manager.or(&yes, &no)?)?
        } else if let Node::Define(define) = self.system[formula] {
            self.is_partial(self.system.body(define))?
        } else {
            let mut any = false;
            for part in self.system[formula].children() {
                any = any || stacker::maybe_grow(64 << 10, 1 << 20, || self.is_partial(part))?;
            }
            any
        };
        self.ctl.partial.insert(formula, is_partial);
        Ok(is_partial)
    }

    fn bounded_node(&mut self, formula: ExprId, bound: Bound) -> Result<Bdd, Stop> {
        if !self.is_temporal(formula) {
            let Truth { yes, no } = self.truth(formula, Time::Now)?;
            return match bound {
                Bound::Surely => Ok(self.manager.and(&yes, &self.reached())?),
                Bound::Possibly => self.complement(&no),
            };
        }
        match self.system[formula].clone() {
            Node::Unary(UnaryOp::Not, f) => {
                let f = self.bounded(f, !bound)?;
                self.complement(&f)
            }
            Node::Unary(op @ (UnaryOp::EX | UnaryOp::AX), f) if self.is_fair_everywhere() && !self.is_temporal(f) => {
                // Steps from reachable states lead to reachable ones. So the set may be read as any, and stays simple.
                let Truth { yes, no } = self.truth(f, Time::Now)?;
                let holds = if bound == Bound::Surely { yes } else { self.manager.not(&no) };
                let wanted = if op == UnaryOp::EX { holds } else { self.manager.not(&holds) };
                let before = self.arena().relation.preimage_within(&wanted, &self.reached())?;
                if op == UnaryOp::EX { Ok(before) } else { self.complement(&before) }
            }
            Node::Unary(UnaryOp::EX, f) => {
                let f = self.bounded(f, bound)?;
                self.exists_next(&f)
            }
            Node::Unary(UnaryOp::AX, f) => {
                let f = self.bounded(f, bound)?;
                self.all_next(&f)
            }
            Node::Unary(UnaryOp::EF, f) => {
                let (all, f) = (self.reached(), self.bounded(f, bound)?);
                self.exists_until(&all, &f)
            }
            Node::Unary(UnaryOp::AG, f) => {
                let (all, f) = (self.reached(), self.bounded(f, bound)?);
                let not_f = self.complement(&f)?;
                let bad = self.exists_until(&all, &not_f)?;
                self.complement(&bad)
            }
            Node::Unary(UnaryOp::EG, f) => {
                let f = self.bounded(f, bound)?;
                self.exists_always(&f)
            }
            Node::Unary(UnaryOp::AF, f) => {
                let f = self.bounded(f, bound)?;
                let not_f = self.complement(&f)?;
                let bad = self.exists_always(&not_f)?;
                self.complement(&bad)
            }
            Node::Binary(BinaryOp::EU, f, g) => {
                let (f, g) = (self.bounded(f, bound)?, self.bounded(g, bound)?);
                self.exists_until(&f, &g)
            }
            Node::Binary(BinaryOp::AU, f, g) => {
                let (f, g) = (self.bounded(f, bound)?, self.bounded(g, bound)?);
                let (not_f, not_g) = (self.complement(&f)?, self.complement(&g)?);
                let neither = self.manager.and(&not_f, &not_g)?;
                let broken = self.exists_until(&not_g, &neither)?;
                let never = self.exists_always(&not_g)?;
                self.complement(&self.manager.or(&broken, &never)?)
            }
            Node::Binary(op @ (BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Eq | BinaryOp::Xor | BinaryOp::Ne), f, g) => {
                // Equal if both are true or both are false; so these are undefined if one operand is.
                let (f, g, f_else, g_else) = (
                    self.bounded(f, bound)?,
                    self.bounded(g, bound)?,
                    self.bounded(f, !bound)?,
                    self.bounded(g, !bound)?,
                );
                let manager = &self.manager;
                let differ = matches!(op, BinaryOp::Xor | BinaryOp::Ne);
                if f == f_else && g == g_else {
                    let different = manager.xor(&f, &g)?;
                    return if differ { Ok(different) } else { self.complement(&different) };
                }
                let (not_f, not_g) = (self.complement(&f_else)?, self.complement(&g_else)?);
                let (with, against) = if differ { (not_g, g) } else { (g, not_g) };
                Ok(manager.or(&manager.and(&f, &with)?, &manager.and(&not_f, &against)?)?)
            }
            Node::Binary(op, f, g) => {
                let f = self.bounded(f, if op == BinaryOp::Implies { !bound } else { bound })?;
                let g = self.bounded(g, bound)?;
                let manager = &self.manager;
                Ok(match op {
                    BinaryOp::And => manager.and(&f, &g)?,
                    BinaryOp::Or => manager.or(&f, &g)?,
                    BinaryOp::Implies => manager.or(&self.complement(&f)?, &g)?,
                    _ => unreachable!("no formula of CTL has {op:?} above a temporal operator"),
                })
            }
            Node::Bounded(op, low, high, f) => {
                let f = self.bounded(f, bound)?;
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
                let (f, g) = (self.bounded(f, bound)?, self.bounded(g, bound)?);
                match op {
                    BoundedUntilOp::EBU => self.exists_bounded_until(&f, &g, low, high),
                    BoundedUntilOp::ABU => self.all_bounded_until(&f, &g, low, high),
                }
            }
            Node::Define(define) => self.bounded(self.system.body(define), bound),
            Node::Ite(condition, then, otherwise) => {
                let (yes, no) = (self.bounded(condition, bound)?, self.bounded(condition, !bound)?);
                let no = self.complement(&no)?;
                let (then, otherwise) = (self.bounded(then, bound)?, self.bounded(otherwise, bound)?);
                let manager = &self.manager;
                Ok(manager.or(&manager.and(&yes, &then)?, &manager.and(&no, &otherwise)?)?)
            }
            node => unreachable!("no formula of CTL has {node:?} above a temporal operator"),
        }
    }

    /// Whether a formula is true in all initial states from which a fair path starts, which takes less than to know all
    /// states in which it is.
    pub(crate) fn holds_at_start(&mut self, formula: ExprId) -> Result<bool, Stop> {
        let start = self.manager.and(&self.machine.init, &self.fair())?;
        match self.system[formula] {
            Node::Binary(BinaryOp::And, f, g) => Ok(self.holds_at_start(f)? && self.holds_at_start(g)?),
            Node::Binary(BinaryOp::Implies, f, g) if self.is_temporal(f) => {
                Ok(self.surely_fails_at_start(f)? || self.holds_at_start(g)? || self.holds_in(&start, formula)?)
            }
            Node::Unary(UnaryOp::AG, f) => {
                // Whatever is reachable and has a fair future shows at an initial state.
                let holds = if let Node::Binary(BinaryOp::Implies, cause, effect) = self.system[f] {
                    self.follows_everywhere(cause, effect)?
                } else {
                    let f = self.satisfying(f)?;
                    self.manager.is_subset(&self.fair(), &f)?
                };
                if holds || !self.reach.is_enclosed {
                    return Ok(holds);
                }
                // Some of the states may not be reached. All properties share what is found out about that.
                let f = self.satisfying(f)?;
                let bad = self.manager.diff(&self.fair(), &f)?;
                Ok(!self.is_any_reached(&bad)?)
            }
            Node::Unary(UnaryOp::EF, f) => {
                let f = self.satisfying(f)?;
                let goal = self.manager.and(&f, &self.fair())?;
                let found = self.until(&self.reached(), &goal, Some(&start))?;
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
        let causes = self.bounded(cause, Bound::Possibly)?;
        let causes = self.manager.and(&causes, &self.fair())?;
        if let Node::Unary(UnaryOp::AX, next) = self.system[effect]
            && !self.ctl.formulas.contains_key(&(effect, Bound::Surely))
        {
            let after = match self.ctl.after.get(&cause) {
                Some(Some(known)) => Some(known.clone()),
                Some(None) => {
                    let after = self.arena().relation.image(&causes)?;
                    Some(self.manager.and(&after, &self.fair())?)
                }
                None => None,
            };
            self.ctl.after.insert(cause, after.clone());
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
        Ok(match self.system[formula] {
            Node::Unary(UnaryOp::AG, f) => {
                let f = self.bounded(f, Bound::Possibly)?;
                let goal = self.manager.diff(&self.fair(), &f)?;
                let found = self.until(&self.reached(), &goal, Some(&start))?;
                self.manager.is_subset(&start, &found)?
            }
            _ if !self.is_temporal(formula) => {
                let possibly = self.bounded(formula, Bound::Possibly)?;
                self.manager.and(&start, &possibly)?.is_false()
            }
            _ => false,
        })
    }

    /// Whether a formula holds because fair paths are infinite, as `AG EX TRUE` does.
    pub(crate) fn holds_by_itself(&self, formula: ExprId) -> bool {
        match self.system[formula] {
            Node::Unary(UnaryOp::AG, f) => self.holds_by_itself(f),
            Node::Unary(UnaryOp::EX, f) => self.system[f] == Node::Const(Value::Bool(true)),
            Node::Binary(BinaryOp::And, f, g) => self.holds_by_itself(f) && self.holds_by_itself(g),
            Node::Binary(BinaryOp::Or, f, g) => self.holds_by_itself(f) || self.holds_by_itself(g),
            Node::Binary(BinaryOp::Implies, _, g) => self.holds_by_itself(g),
            _ => false,
        }
    }

    /// Stops if a part of a formula is undefined in some reachable state.
    pub(crate) fn have_values(&mut self, formula: ExprId) -> Result<(), Stop> {
        if !self.is_temporal(formula) {
            return self.has_values(formula);
        }
        if let Node::Define(define) = self.system[formula] {
            return self.have_values(self.system.body(define));
        }
        for part in self.system[formula].children() {
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
        Ok(self.before(&targets)?)
    }

    fn all_next(&self, states: &Bdd) -> Result<Bdd, Stop> {
        let bad = self.exists_next(&self.complement(states)?)?;
        self.complement(&bad)
    }

    pub(crate) fn exists_until(&self, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let goal = self.manager.and(goal, &self.fair())?;
        Ok(self.until(stay, &goal, None)?)
    }

    pub(crate) fn exists_always(&mut self, stay: &Bdd) -> Result<Bdd, Stop> {
        let stay = self.manager.and(stay, &self.fair())?;
        if let Some(known) = self.ctl.always.get(&stay) {
            return Ok(known.clone());
        }
        let always = self.arena().always(&stay, &self.machine.fairness.justice)?;
        self.ctl.always.insert(stay, always.clone());
        Ok(always)
    }

    /// `E [stay BU low..high goal]`
    fn exists_bounded_until(&self, stay: &Bdd, goal: &Bdd, low: u64, high: u64) -> Result<Bdd, Stop> {
        let goal = self.manager.and(goal, &self.fair())?;
        let states = Symbolic::iterate(goal.clone(), high - low, |states| {
            let before = self.manager.and(stay, &self.exists_next(states)?)?;
            Ok(self.manager.or(&goal, &before)?)
        })?;
        Symbolic::iterate(states, low, |states| Ok(self.manager.and(stay, &self.exists_next(states)?)?))
    }

    /// `A [stay BU low..high goal]`
    fn all_bounded_until(&self, stay: &Bdd, goal: &Bdd, low: u64, high: u64) -> Result<Bdd, Stop> {
        // A state without a fair path has nothing to fear from any of its paths.
        let unfair = self.complement(&self.fair())?;
        let goal = self.manager.or(goal, &unfair)?;
        let states = Symbolic::iterate(goal.clone(), high - low, |states| {
            let before = self.manager.and(stay, &self.all_next(states)?)?;
            Ok(self.manager.or(&goal, &before)?)
        })?;
        Symbolic::iterate(states, low, |states| {
            let before = self.manager.and(stay, &self.all_next(states)?)?;
            Ok(self.manager.or(&before, &unfair)?)
        })
    }

    /// `EBG low..high stay`
    fn exists_bounded_always(&self, stay: &Bdd, low: u64, high: u64) -> Result<Bdd, Stop> {
        let stay = self.manager.and(stay, &self.fair())?;
        let states = Symbolic::iterate(stay.clone(), high - low, |states| {
            Ok(self.manager.and(&stay, &self.exists_next(states)?)?)
        })?;
        Symbolic::iterate(states, low, |states| self.exists_next(states))
    }

    /// Applies a step `n` times, or until it changes nothing.
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
