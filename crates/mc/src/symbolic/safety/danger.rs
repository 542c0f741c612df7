//! Dangerous traces: where a mutant of the machine could do harm, after Ammann, Ding and Xu, "Using a model checker to
//! test safety properties" (2001).
//!
//! A trace of the model is dangerous if the mutant can leave the model from its last state and then, by steps of either
//! machine, break a safety property. So a dangerous trace is any path of the model to a state of a set, and there is one
//! set for each way of being dangerous. The model itself must satisfy the property.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit, Var};
use crate::encode::Time;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::SiteFault;
use crate::symbolic::safety::variant::Variant;
use crate::symbolic::witness::choose;
use crate::symbolic::{Symbolic, example};
use rustc_hash::FxHashMap;
use specwright_model::{ExprId, SourcedExpr, State, Trace};
use std::sync::Arc;

/// How a departure from the model breaks the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Danger {
    /// Every departure breaks it at once.
    Ax,
    /// Some departure breaks it at once.
    Ex,
    /// After every departure it will be broken, whatever the two machines do.
    Af,
    /// After some departure it can be broken.
    Ef,
}

impl Danger {
    /// All of them.
    pub const ALL: [Danger; 4] = [Danger::Ax, Danger::Ex, Danger::Af, Danger::Ef];

    /// The name that the paper gives it.
    pub fn name(self) -> &'static str {
        match self {
            Danger::Ax => "AX",
            Danger::Ex => "EX",
            Danger::Af => "AF",
            Danger::Ef => "EF",
        }
    }

    /// Whether the departure itself must break the property.
    pub fn is_immediate(self) -> bool {
        matches!(self, Danger::Ax | Danger::Ex)
    }
}

/// The dangerous states of a mutant with respect to a property.
pub struct Dangers {
    /// The states that break the property.
    bad: Bdd,
    /// The reachable states of the model at which dangerous traces end, in the order of [`Danger::ALL`].
    states: [Bdd; 4],
    /// By number of steps, the states from which that many steps of the two machines break it.
    layers: Vec<Bdd>,
}

impl Dangers {
    /// Whether there is a dangerous trace of that kind.
    pub fn has(&self, danger: Danger) -> bool {
        !self.states[danger as usize].is_false()
    }
}

/// A test that must fail: a dangerous trace, a departure, and on to the violation, which is in the last state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The whole trace.
    pub trace: Trace,
    /// The first state that the model does not go to.
    pub departure: usize,
}

impl Symbolic {
    /// Where a mutant is dangerous with respect to an expression that holds in all reachable states of the model.
    pub fn dangers(&mut self, variant: &mut Variant, safe: ExprId) -> Result<Dangers, Reason> {
        let _clock = self.start_clock();
        self.find_dangers(variant, safe).map_err(Reason::from)
    }

    fn find_dangers(&mut self, variant: &mut Variant, safe: ExprId) -> Result<Dangers, Stop> {
        let (holds, faults) = self.encoder().condition(safe, Time::Now)?;
        let manager = self.manager.clone();
        let bad = manager.not(&holds);
        for fault in faults {
            // Where the property has no value, whether it is violated is undefined.
            let when = manager.and(&fault.when, &self.reached_together(variant)?)?;
            if !when.is_false() {
                let site = SourcedExpr { expr: safe, spans: Arc::new([]) };
                let fault = SiteFault { site, var: None, fault: crate::encode::Fault { when, ..fault } };
                return Err(Stop::Undefined(example(&self.system, &self.layout, &fault)));
            }
        }
        let sources = variant.sources.clone();
        let reached = self.reached();
        let departing = |states: &Bdd| manager.and(&variant.before_departure(states)?, &reached);
        let exists_next = departing(&bad)?;
        let all_next = manager.diff(&sources, &departing(&holds)?)?;
        if all_next == sources {
            // Whatever the mutant does breaks the property at once, so there is no later.
            let states = [all_next.clone(), exists_next.clone(), all_next, exists_next];
            return Ok(Dangers { bad: bad.clone(), states, layers: vec![bad] });
        }
        let together = self.reached_together(variant)?;
        let layers = self.layers(variant, &bad, &together)?;
        let mut some = manager.constant(false);
        for layer in &layers {
            some = manager.or(&some, layer)?;
        }
        let inevitable = self.inevitable(variant, &bad, &together)?;
        let departing = |states: &Bdd| manager.and(&variant.before_departure(states)?, &reached);
        let exists_finally = departing(&some)?;
        let all_finally = manager.diff(&sources, &departing(&manager.diff(&together, &inevitable)?)?)?;
        Ok(Dangers { bad, states: [all_next, exists_next, all_finally, exists_finally], layers })
    }

    /// The states from which the two machines get to a set, by the number of steps.
    fn layers(&self, variant: &Variant, goal: &Bdd, within: &Bdd) -> Result<Vec<Bdd>, Limit> {
        let manager = &self.manager;
        let mut layer = manager.and(goal, within)?;
        let (mut layers, mut seen) = (Vec::new(), layer.clone());
        while !layer.is_false() {
            let before = manager.and(&self.before_either(variant, &layer)?, within)?;
            layers.push(layer);
            layer = manager.diff(&before, &seen)?;
            seen = manager.or(&seen, &layer)?;
        }
        Ok(layers)
    }

    /// The states from which the two machines cannot but get to a set. Where both are stuck, they do not.
    fn inevitable(&self, variant: &Variant, goal: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut all = manager.and(goal, within)?;
        let stuck = manager.diff(within, &self.before_either(variant, &manager.constant(true))?)?;
        loop {
            let outside = manager.diff(within, &all)?;
            let escaping = manager.or(&self.before_either(variant, &outside)?, &stuck)?;
            let more = manager.or(&all, &manager.diff(within, &escaping)?)?;
            if more == all {
                return Ok(all);
            }
            all = more;
        }
    }

    /// A shortest failing test: through a dangerous trace and a departure to a violation. Of equally short ones, one
    /// that stays with the model as long as possible.
    pub fn failing(&mut self, variant: &Variant, dangers: &Dangers, danger: Danger) -> Result<Option<Failing>, Reason> {
        let _clock = self.start_clock();
        self.find_failing(variant, dangers, danger).map_err(Reason::Limit)
    }

    fn find_failing(&mut self, variant: &Variant, dangers: &Dangers, danger: Danger) -> Result<Option<Failing>, Limit> {
        let manager = &self.manager.clone();
        let n_layers = if danger.is_immediate() { 1 } else { dangers.layers.len() };
        let mut best: Option<(usize, usize, Vec<Bdd>)> = None;
        for (later, layer) in dangers.layers.iter().take(n_layers).enumerate() {
            if best.as_ref().is_some_and(|(length, ..)| later >= *length) {
                break;
            }
            let sources = variant.before_departure(layer)?;
            let sources = manager.and(&sources, &dangers.states[danger as usize])?;
            if let Some(ways) = self.shortest_ways(&sources)?
                && best.as_ref().is_none_or(|(length, ..)| ways.len() - 1 + later < *length)
            {
                best = Some((ways.len() - 1 + later, later, ways));
            }
        }
        let Some((_, later, ways)) = best else { return Ok(None) };
        let distance = ways.len() - 1;
        let hit = &ways[distance];
        // Where the trace can be after the departure, from the first to the last state; then one way from the end back.
        let mut places = vec![manager.and(&self.after_departure(variant, hit)?, &dangers.layers[later])?];
        for layer in dangers.layers[..later].iter().rev() {
            let from = places.last().expect("there is a first one");
            places.push(manager.and(&self.after_either(variant, from)?, layer)?);
        }
        let mut states: Vec<State> = Vec::new();
        for place in places.iter().rev() {
            let place = match states.last() {
                None => place.clone(),
                Some(next) => manager.and(place, &self.before_either(variant, &self.point(next)?)?)?,
            };
            let mut state = self.decode(&choose(&place, &self.state_wishes()));
            if let Some(next) = states.last() {
                let steps = self.of_either(variant, &self.step(&state, next)?)?;
                self.choose_inputs(&mut state, &steps);
            }
            states.push(state);
        }
        let first = states.last().expect("there is a last one");
        let sources = manager.and(&variant.before_departure(&self.point(first)?)?, hit)?;
        let walk = self.walk_along(&ways, choose(&sources, &self.state_wishes()))?;
        let mut trace = self.trace(&walk)?;
        let last = trace.states.last_mut().expect("a walk is not empty");
        let steps = self.departing(variant, &self.step(last, first)?)?;
        self.choose_inputs(last, &steps);
        trace.states.extend(states.into_iter().rev());
        Ok(Some(Failing { trace, departure: distance + 1 }))
    }

    /// A passing test: the dangerous trace of a failing one and a step of the model. If the model is stuck there, it is
    /// another dangerous trace; if it is stuck after all of them, there is no passing test.
    pub fn passing(&mut self, dangers: &Dangers, danger: Danger, failing: &Failing) -> Result<Option<Trace>, Reason> {
        let _clock = self.start_clock();
        self.find_passing(dangers, danger, failing).map_err(Reason::Limit)
    }

    fn find_passing(&mut self, dangers: &Dangers, danger: Danger, failing: &Failing) -> Result<Option<Trace>, Limit> {
        let mut trace = Trace { states: failing.trace.states[..failing.departure].to_vec(), loop_start: None };
        let last = trace.states.last_mut().expect("the first state is one of the model");
        for var in self.input_vars() {
            last.set(var, None);
        }
        let mut after = self.machine.relation.image(&self.point(last)?)?;
        if after.is_false() {
            let free = self.passable(dangers, danger)?;
            let Some(other) = self.shortest_to_state(&free, &free)? else { return Ok(None) };
            trace = other;
            after = self.machine.relation.image(&self.point(trace.states.last().expect("a trace is not empty"))?)?;
        }
        let next = self.decode(&choose(&after, &self.state_wishes()));
        let last = trace.states.last_mut().expect("a trace is not empty");
        let steps = self.machine.relation.within(&self.step(last, &next)?)?;
        self.choose_inputs(last, &steps);
        trace.states.push(next);
        self.replay(&trace);
        Ok(Some(trace))
    }

    /// Whether some dangerous trace can be followed by a step of the model.
    pub fn can_pass(&mut self, dangers: &Dangers, danger: Danger) -> Result<bool, Reason> {
        let _clock = self.start_clock();
        let found = self.passable(dangers, danger).map_err(Reason::Limit)?;
        Ok(!found.is_false())
    }

    /// The states at the ends of dangerous traces from which the model has a step.
    fn passable(&self, dangers: &Dangers, danger: Danger) -> Result<Bdd, Limit> {
        let free = self.machine.relation.preimage(&self.manager.constant(true))?;
        self.manager.and(&free, &dangers.states[danger as usize])
    }

    /// Whether the two machines together get to a state that neither of them can leave.
    pub fn gets_stuck(&mut self, variant: &mut Variant) -> Result<bool, Reason> {
        let _clock = self.start_clock();
        let stuck = |engine: &Symbolic, variant: &mut Variant| {
            let together = engine.reached_together(variant)?;
            let free = engine.before_either(variant, &engine.manager.constant(true))?;
            Ok(!engine.manager.is_subset(&together, &free)?)
        };
        stuck(self, variant).map_err(Reason::Limit)
    }

    /// Whether a trace of the model that ends in this state is dangerous.
    pub fn is_dangerous(&self, dangers: &Dangers, danger: Danger, state: &State) -> bool {
        let bits = self.bits(state, None);
        dangers.states[danger as usize].eval(&|var| bits.get(&var).copied().unwrap_or(false))
    }

    /// The state, counted from the departure on, in which a trace breaks the property, if the mutant departs there and
    /// everything up to the violation is a step of one of the two machines.
    pub fn violation(&self, variant: &Variant, dangers: &Dangers, trace: &Trace, departure: usize) -> Option<usize> {
        for index in departure..trace.states.len() {
            let step = self.bits(&trace.states[index - 1], Some(&trace.states[index]));
            let is_in = |set: &Bdd| set.eval(&|var| step.get(&var).copied().unwrap_or(false));
            if !variant.allows(&is_in, index == departure) {
                return None;
            }
            let state = self.bits(&trace.states[index], None);
            if dangers.bad.eval(&|var| state.get(&var).copied().unwrap_or(false)) {
                return Some(index);
            }
        }
        None
    }

    /// The step between two states, with the inputs of the first as far as they are given.
    pub(crate) fn step(&self, now: &State, next: &State) -> Result<Bdd, Limit> {
        let step = self.manager.and(&self.point(now)?, &self.manager.swap_next(&self.point(next)?)?)?;
        self.input_vars().into_iter().try_fold(step, |step, var| match now.get(var) {
            Some(value) => self.manager.and(&step, &self.layout.equals(&self.manager, var, Time::Now, value)?),
            None => Ok(step),
        })
    }

    /// Gives a state the first inputs with which it takes one of these steps.
    pub(crate) fn choose_inputs(&self, state: &mut State, steps: &Bdd) {
        let vars = self.input_vars();
        if vars.is_empty() {
            return;
        }
        let inputs = self.decode(&choose(steps, &self.wishes(&vars)));
        for var in vars {
            // A variable of one value has no bits, but a step has that value.
            state.set(var, inputs.get(var).or_else(|| self.layout.domain(var).value_at(0)));
        }
    }

    /// The bits of a state, and of the state after it.
    fn bits(&self, now: &State, next: Option<&State>) -> FxHashMap<Var, bool> {
        let mut values = FxHashMap::default();
        for (state, shift) in [(Some(now), 0), (next, 1)] {
            let Some(state) = state else { continue };
            for (var, _) in self.system.vars() {
                let Some(code) = state.get(var).and_then(|value| self.layout.domain(var).index_of(value)) else {
                    continue;
                };
                for (place, bit) in self.layout.bits(var).iter().rev().enumerate() {
                    values.insert(bit + shift, code >> place & 1 == 1);
                }
            }
        }
        values
    }
}
