//! Checking properties: violations, with the traces that show them.

use crate::answer::{Answer, Reason, Witness};
use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::ltl::{LinearId, Universal};
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::Machine;
use crate::symbolic::{Symbolic, Truth};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::Logic;
use specwright_model::{ExprId, Trace};

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A finite number of steps.
    Steps(u64),
    /// No number is enough.
    Infinity,
    /// There is nothing to measure.
    Undefined,
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Limit(limit) => Reason::Limit(limit),
            Stop::Undefined(undefined) => Reason::Undefined(Box::new(undefined)),
            Stop::Unsupported => Reason::Unsupported,
        }
    }
}

impl Symbolic {
    /// Looks for a violation of a property.
    pub fn check(&mut self, property: &Property) -> Answer<Witness> {
        let _clock = self.begin();
        let formula = property.formula.expr;
        Answer::from(match property.kind {
            PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl) => self.check_ctl(formula),
            PropertyKind::Ltl | PropertyKind::Psl(Logic::Ltl) => self.check_ltl(formula),
            PropertyKind::Invar => self.check_invariant(formula),
            // It claims nothing.
            PropertyKind::ComputeMin | PropertyKind::ComputeMax => Ok(None),
        })
    }

    /// Looks for a violation of a property without showing it, which may take far less.
    pub fn is_violated(&mut self, property: &Property) -> Answer<()> {
        let traces = std::mem::replace(&mut self.traces, false);
        let answer = self.check(property);
        self.traces = traces;
        answer.map(|_| ())
    }

    /// The number that a property asks for with COMPUTE.
    pub fn compute(&mut self, property: &Property) -> Answer<Quantity> {
        let _clock = self.begin();
        let formula = property.formula.expr;
        let target = property.target.as_ref().map_or(formula, |target| target.expr);
        self.length(formula, target, property.kind == PropertyKind::ComputeMax).map(Some).into()
    }

    pub(crate) fn check_ctl(&mut self, formula: ExprId) -> Result<Option<Witness>, Stop> {
        if self.holds_by_itself(formula) {
            return Ok(None);
        }
        self.prepare()?;
        // Where no fair path starts, nothing is claimed.
        if self.holds_at_start(formula)? {
            return Ok(None);
        }
        if self.is_partial(formula)? {
            let false_in = self.deciding(formula, false)?;
            let start = self.manager.and(&self.machine.init, &self.fair())?;
            if self.manager.and(&start, &false_in)?.is_false() {
                self.have_values(formula)?;
            }
        }
        if !self.traces {
            return Ok(Some(Witness::NotRequested));
        }
        let linear = self.linear_negation(formula, Universal::Drop);
        if let Some(trace) = self.path(linear, Logic::Ctl)? {
            return Ok(Some(Witness::Trace(trace)));
        }
        let assumed = self.linear_negation(formula, Universal::Assume);
        Ok(Some(match self.path(assumed, Logic::Ctl)? {
            // An initial state alone says nothing that the verdict does not say.
            Some(trace) if trace.states.len() > 1 => Witness::Prefix(trace),
            _ => Witness::Unshown,
        }))
    }

    pub(crate) fn check_ltl(&mut self, formula: ExprId) -> Result<Option<Witness>, Stop> {
        self.prepare()?;
        let negation = self.linear_negation(formula, Universal::Drop);
        if self.machine.fairness.compassion.is_empty()
            && let Some(bad) = self.path_starts(negation)?
        {
            if self.manager.and(&bad, &self.machine.init)?.is_false() {
                return self.holds_unless_undefined(formula, negation);
            }
            if !self.traces {
                return Ok(Some(Witness::NotRequested));
            }
        }
        if !self.traces {
            return if self.has_path(negation, Logic::Ltl)? {
                Ok(Some(Witness::NotRequested))
            } else {
                self.holds_unless_undefined(formula, negation)
            };
        }
        match self.path(negation, Logic::Ltl)? {
            None => self.holds_unless_undefined(formula, negation),
            Some(trace) => Ok(Some(Witness::Trace(trace))),
        }
    }

    /// The verdict on a formula of LTL that is false on no path: on some path it may be undefined.
    fn holds_unless_undefined(&mut self, formula: ExprId, negation: LinearId) -> Result<Option<Witness>, Stop> {
        if self.have_values(formula).is_err() {
            let possibly = self.linear.possibly(negation);
            if self.has_path(possibly, Logic::Ltl)? {
                self.have_values(formula)?;
            }
        }
        Ok(None)
    }

    fn linear_negation(&mut self, formula: ExprId, universal: Universal) -> LinearId {
        let Symbolic { linear, system, .. } = self;
        linear.read(system, formula, false, universal)
    }

    /// An invariant speaks of all reachable states, or steps, whether or not anything fair follows.
    pub(crate) fn check_invariant(&mut self, formula: ExprId) -> Result<Option<Witness>, Stop> {
        if !self.traces {
            let is_false = self.plain(formula, Time::Now, false)?;
            if self.is_reached(formula, &is_false)? {
                return Ok(Some(Witness::NotRequested));
            }
        } else if let Some(trace) = self.shortest_violation(formula)? {
            return Ok(Some(Witness::Trace(trace)));
        }
        let Truth { yes, no } = self.truth(formula, Time::Now)?;
        let undefined = self.manager.not(&self.manager.or(&yes, &no)?);
        if !undefined.is_false() && self.shortest_to_plain(formula, &undefined)?.is_some() {
            self.has_values(formula)?;
        }
        Ok(None)
    }

    /// A shortest path to where an invariant is false.
    pub(crate) fn shortest_violation(&mut self, formula: ExprId) -> Result<Option<Trace>, Stop> {
        let is_false = self.plain(formula, Time::Now, false)?;
        Ok(self.shortest_to_plain(formula, &is_false)?)
    }

    /// A shortest path to where an expression has a value: to a state, or through a step if it speaks of steps. Explores no
    /// further than it must.
    pub(crate) fn shortest_to_plain(&mut self, expr: ExprId, holds: &Bdd) -> Result<Option<Trace>, Limit> {
        let everywhere = self.manager.constant(true);
        if self.mentions_step(expr) {
            self.shortest_to_step(holds, &everywhere)
        } else {
            self.shortest_to_state(holds, &everywhere)
        }
    }

    /// Whether an expression has a value in a reachable state, or in a step from one if it speaks of steps.
    pub(crate) fn is_reached(&mut self, expr: ExprId, holds: &Bdd) -> Result<bool, Limit> {
        let mut states = match self.reach.known() {
            Some(known) => self.manager.and(holds, known)?,
            None => holds.clone(),
        };
        if self.mentions_step(expr) && !states.is_false() {
            states = self.machine.relation.preimage_by(&states, &self.manager.constant(true))?;
        }
        self.is_any_reached(&states)
    }

    /// The length of the shortest, or longest, way between two sets of states that lie on fair paths.
    fn length(&mut self, from: ExprId, to: ExprId, longest: bool) -> Result<Quantity, Stop> {
        self.have_values(from)?;
        self.have_values(to)?;
        self.prepare()?;
        let fair = self.fair();
        let (from, to) = (self.satisfying(from)?, self.satisfying(to)?);
        // Without any fair state nothing can be walked, and NuSMV looks at all states for its sets.
        let within = if fair.is_false() { self.reached() } else { fair.clone() };
        let (from, to) = (self.manager.and(&from, &within)?, self.manager.and(&to, &within)?);
        if from.is_false() || to.is_false() {
            return Ok(if longest { Quantity::Undefined } else { Quantity::Infinity });
        }
        let (from, to) = (self.manager.and(&from, &fair)?, self.manager.and(&to, &fair)?);
        Ok(if longest { self.longest(&from, &to, &fair)? } else { self.nearest(&from, &to, &fair)? })
    }

    fn nearest(&self, from: &Bdd, to: &Bdd, within: &Bdd) -> Result<Quantity, Limit> {
        let (mut all, mut ring) = (from.clone(), from.clone());
        for steps in 0.. {
            if !self.manager.and(&ring, to)?.is_false() {
                return Ok(Quantity::Steps(steps));
            }
            ring = self.manager.and(&self.machine.relation.image(&ring)?, within)?;
            ring = self.manager.diff(&ring, &all)?;
            if ring.is_false() {
                break;
            }
            all = self.manager.or(&all, &ring)?;
        }
        Ok(Quantity::Infinity)
    }

    /// The longest path that stays outside the target: infinite if it can stay there without end.
    fn longest(&self, from: &Bdd, to: &Bdd, within: &Bdd) -> Result<Quantity, Limit> {
        let outside = self.manager.diff(within, to)?;
        let mut staying = outside.clone();
        for steps in 0.. {
            if self.manager.and(&staying, from)?.is_false() {
                return Ok(Quantity::Steps(steps));
            }
            let longer = self.manager.and(&outside, &self.machine.relation.preimage(&staying)?)?;
            if longer == staying {
                break;
            }
            staying = longer;
        }
        Ok(Quantity::Infinity)
    }

    /// Whether every state, reachable or not, has a successor.
    pub fn is_total(&mut self) -> Result<bool, Limit> {
        let _clock = self.start_clock();
        self.ends_nowhere()
    }

    pub(crate) fn ends_nowhere(&self) -> Result<bool, Limit> {
        let Machine { relation, invar, .. } = &self.machine;
        Ok(relation.preimage_within(&self.manager.constant(true), invar)? == *invar)
    }

    /// What would make passed properties say less than they seem to, as far as it shows within the limits.
    pub fn sanity(&mut self) -> Sanity {
        let _clock = self.start_clock();
        let mut sanity = Sanity { no_initial_state: self.machine.init.is_false(), ..Sanity::default() };
        sanity.is_partial = self.look_for_ends(&mut sanity).is_err();
        sanity
    }

    fn look_for_ends(&mut self, sanity: &mut Sanity) -> Result<(), Limit> {
        let endless_is_fair = self.machine.fairness.justice.is_empty();
        // If no state is a deadlock, no reachable one is.
        if self.reach.known().is_none() && endless_is_fair && self.ends_nowhere()? {
            sanity.no_fair_path = sanity.no_initial_state;
            return Ok(());
        }
        self.explore(&mut |_| ())?;
        let dead = self.deadlock_states()?;
        if dead.is_false() && endless_is_fair {
            sanity.no_fair_path = sanity.no_initial_state;
            return Ok(());
        }
        if !dead.is_false() {
            sanity.deadlock = self.shortest_to_state(&dead, &self.manager.constant(true))?;
        }
        self.prepare()?;
        sanity.no_fair_path = self.fair().is_false();
        sanity.partly_unfair = !self.manager.is_subset(&self.machine.init, &self.fair())?;
        Ok(())
    }

    /// Whether a reachable state satisfies all of these expressions.
    pub fn reaches_all(&mut self, exprs: &[ExprId]) -> Answer<()> {
        let _clock = self.start_clock();
        self.satisfies_all(exprs).map(|found| found.then_some(())).into()
    }

    fn satisfies_all(&mut self, exprs: &[ExprId]) -> Result<bool, Limit> {
        self.explore(&mut |_| ())?;
        let mut left = self.reached();
        for expr in exprs {
            let is_false = self.plain(*expr, Time::Now, false)?;
            left = self.manager.diff(&left, &is_false)?;
        }
        Ok(!left.is_false())
    }
}

/// What a model's properties rest on.
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts, none of them a state")]
#[derive(Clone, Debug, Default)]
pub struct Sanity {
    /// No state is initial, so everything holds.
    pub no_initial_state: bool,
    /// No infinite fair path exists, so every universal property holds.
    pub no_fair_path: bool,
    /// Some initial state has no fair path, and nothing is claimed about it.
    pub partly_unfair: bool,
    /// The way to a reachable state without successors.
    pub deadlock: Option<Trace>,
    /// A limit was reached: what is not said may be true nevertheless.
    pub is_partial: bool,
}
