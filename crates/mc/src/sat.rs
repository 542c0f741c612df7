//! SAT-based search: short executions by bounded search, proofs by property-directed reachability.
//!
//! A model is encoded once as an and-inverter graph, by the same rules as decision diagrams are. Queries about states and steps,
//! formulas that a single moment falsifies, and properties of LTL are decided here; others are left to decision diagrams. No set of reachable
//! states is ever built. Finite executions are the canonical ones, so they are those that the other engines find.

mod aiger;
mod batch;
mod bounded;
mod certificate;
mod circuit;
mod claim;
mod core;
mod groups;
mod induction;
mod lift;
mod liveness;
mod machine;
mod netlist;
mod pairs;
mod pdr;
mod proof;
mod target;
mod unroll;

pub use aiger::Translated;
pub use certificate::{Condition, Embedded, Refused, check_certificate};
pub use claim::SafetyClaim;
pub use core::Core;

use crate::answer::{Answer, Reason, Witness};
use crate::bdd::Limit;
use crate::encode::{Memo, Time};
use crate::ltl::Formulas;
use crate::policy::{SAT_CODES_CONFLICTS, SAT_NODES, SAT_QUERY_ROUNDS, SAT_ROUNDS};
use crate::query::Query;
use crate::search::{Search, Sink};
use crate::symbolic::check::Sanity;
use crate::symbolic::{BuildError, Options, Undefined};
use batch::{Goal, One};
use bounded::{Bounded, Hit, Order};
use circuit::Circuit;
use machine::{Doubt, Machine, build};
use pdr::{Cube, Pdr};
use rustc_hash::FxHashMap;
use specwright_model::interp::Replayer;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::{ExprId, State, Trace, TransitionSystem, Value, VarId};
use specwright_sat::{Batsat, Clauses, Outcome, Signal, Solver};
use specwright_syntax::budget::Budget;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;
use target::Target;
use unroll::Values;

/// A model, encoded once for SAT solvers.
pub struct Sat {
    system: TransitionSystem,
    machine: Rc<Machine>,
    memo: Memo<Circuit>,
    linear: Formulas,
    /// See [`Target::ends`].
    ends: FxHashMap<(ExprId, bool), Signal>,
    bounded: Bounded,
    pdr: Pdr,
    /// The nodes of the graph that are the machine; and the valid codes of its variables.
    n_nodes: usize,
    valid: Signal,
    /// Asks whether signals hold for any valid codes.
    codes: (Batsat, Clauses),
    preference: Vec<(VarId, Vec<Value>)>,
    replayer: Replayer,
    /// The budget of the batch, and that of the query.
    whole_budget: Budget,
    budget: Rc<RefCell<Budget>>,
    is_stopped: Rc<dyn Fn() -> bool>,
    /// Lemmas to begin with, once they are known.
    pairs: Option<Vec<Cube>>,
    /// The work of solvers that are gone.
    spent: u64,
    /// Whether a batch is being answered: who gets its answers may ask more in the middle of it.
    is_running: bool,
}

impl Sat {
    /// Encodes a model. Its domains must be finite, and all of its parts must have values.
    pub fn new(system: TransitionSystem, options: &Options) -> Result<Sat, BuildError> {
        if let Some((var, _)) = system.vars().find(|(_, var)| var.domain.size().is_none()) {
            return Err(BuildError::Unbounded(var));
        }
        let budget = Rc::new(RefCell::new(options.budget.for_query()));
        let is_stopped: Rc<dyn Fn() -> bool> = {
            let (budget, whole) = (Rc::clone(&budget), system.budget.clone());
            Rc::new(move || {
                let budget = budget.borrow();
                let is_late = budget.deadline().is_some_and(|deadline| Instant::now() >= deadline);
                is_late || budget.is_spent() || whole.is_spent()
            })
        };
        let mut memo = Memo::default();
        let (machine, valid, doubts) = build(&system, SAT_NODES, &mut memo)?;
        let machine = Rc::new(machine);
        let n_nodes = machine.circuit.aig().len();
        let codes = valid_codes(&machine, valid, &is_stopped);
        let mut sat = Sat {
            memo,
            linear: Formulas::default(),
            ends: FxHashMap::default(),
            bounded: Bounded::new(&machine, &is_stopped),
            pdr: Pdr::new(&machine, &is_stopped),
            n_nodes,
            valid,
            codes,
            preference: Vec::new(),
            replayer: Replayer::default(),
            budget,
            is_stopped,
            whole_budget: options.budget.clone(),
            pairs: None,
            spent: 0,
            is_running: false,
            system,
            machine,
        };
        sat.dispel(doubts)?;
        Ok(sat)
    }

    /// Asks whether what may be wrong with the model is.
    fn dispel(&mut self, doubts: Vec<Doubt>) -> Result<(), BuildError> {
        let mut undefined = Vec::new();
        for doubt in doubts {
            match self.some_codes(doubt.fault.when) {
                Outcome::Unsat => {}
                Outcome::Unknown => return Err(self.limit(Limit::Steps).into()),
                Outcome::Sat => undefined.push(self.example(&doubt)),
            }
        }
        if undefined.is_empty() { Ok(()) } else { Err(BuildError::Undefined(undefined)) }
    }

    /// The values of the variables for which a part of the model has none, as the solver has found them.
    fn example(&self, doubt: &Doubt) -> Undefined {
        let (solver, clauses) = &self.codes;
        let state = |time: Time| {
            let mut state = State::empty(self.system.vars.len());
            for (id, var) in self.system.vars().filter(|(_, var)| time == Time::Now || var.kind != VarKind::Input) {
                let bits = self.machine.wires.of(id, time).iter();
                let code = bits.fold(0, |code, bit| code << 1 | u64::from(clauses.value(*bit, solver)));
                state.set(id, var.domain.value_at(code));
            }
            state
        };
        let Doubt { site, var, fault } = doubt;
        let (now, next) = (state(Time::Now), state(Time::Next));
        Undefined { site: site.clone(), part: fault.expr, var: *var, reason: fault.kind.into(), now, next }
    }

    /// Whether a signal holds for some valid codes.
    fn some_codes(&mut self, signal: Signal) -> Outcome {
        let (solver, clauses) = &mut self.codes;
        let holds = clauses.require(&self.machine.circuit.aig(), signal, solver);
        solver.set_max_conflicts(Some(solver.conflicts() + SAT_CODES_CONFLICTS));
        solver.solve(&[holds])
    }

    /// Whether it is known that a signal holds for no valid codes.
    fn never_holds(&mut self, signal: Signal) -> bool {
        self.some_codes(signal) == Outcome::Unsat
    }

    /// Whether a query is of a kind that is decided here, if its execution or proof is not too hard to find.
    pub fn supports(&mut self, query: Query) -> bool {
        self.target(query).is_ok() || self.lasso_formula(query).is_some()
    }

    /// Forgets all that was asked, so that it does not matter to what is asked next. What a batch asks for that is not yet
    /// answered is kept.
    fn forget(&mut self) {
        if !self.is_running && self.machine.circuit.aig().len() > self.n_nodes {
            self.spent += self.codes.0.conflicts();
            self.machine.circuit.truncate(self.n_nodes);
            (self.memo, self.linear, self.ends) = Default::default();
            self.codes = valid_codes(&self.machine, self.valid, &self.is_stopped);
        }
    }

    /// Looks for a violation of a property.
    pub fn check(&mut self, property: &Property, budget: &Budget) -> Answer<Witness> {
        self.forget();
        let target = match self.violation(property) {
            Ok(target) => target,
            Err(Reason::Unsupported) => return self.check_liveness(property, budget),
            Err(reason) => return Answer::Undecided(reason),
        };
        // A violation of a temporal formula counts if a fair path goes on from it.
        let is_shown = property.kind == PropertyKind::Invar || self.machine.is_total && self.machine.is_fair;
        match self.decide(target, budget) {
            Answer::Found(_) if !is_shown => self.check_liveness(property, budget),
            answer => answer.map(Witness::Trace),
        }
    }

    /// Whether a reachable state satisfies all of these expressions.
    pub fn reaches_all(&mut self, exprs: &[ExprId], budget: &Budget) -> Answer<()> {
        self.forget();
        match self.none_false(exprs) {
            Ok(target) => self.decide(target, budget).map(|_| ()),
            Err(limit) => Answer::Undecided(limit.into()),
        }
    }

    /// What the properties of the model rest on, if its form shows that.
    pub(crate) fn sanity(&mut self) -> Option<Sanity> {
        if !(self.machine.is_total && self.machine.is_fair) {
            return None;
        }
        let start = Target { at_start: true, ..Target::states(Signal::TRUE) };
        let is_empty = match self.decide(start, &self.whole_budget.clone()) {
            Answer::Found(_) => false,
            Answer::Impossible(_) => true,
            Answer::Undecided(_) => return None,
        };
        Some(Sanity { no_initial_state: is_empty, no_fair_path: is_empty, ..Sanity::default() })
    }

    /// What a limit of a solver was.
    fn limit(&self, limit: Limit) -> Limit {
        if limit != Limit::Steps || !(self.is_stopped)() {
            return limit;
        }
        let is_late = self.budget.borrow().deadline().is_some_and(|deadline| Instant::now() >= deadline);
        if is_late { Limit::Time } else { Limit::Interrupted }
    }

    /// Begins a batch: nothing is known.
    fn begin(&mut self, budget: &Budget) {
        self.whole_budget = budget.clone();
        self.begin_query();
        self.spent += self.bounded.work() + self.pdr.work();
        self.bounded = Bounded::new(&self.machine, &self.is_stopped);
        self.pdr = Pdr::new(&self.machine, &self.is_stopped);
    }

    /// Begins with proofs.
    fn begin_proofs(&mut self) -> Result<(), Limit> {
        if self.pairs.is_none() {
            let (pairs, work) = pairs::unreachable_pairs(&self.machine, &self.is_stopped)?;
            self.spent += work;
            self.pairs = Some(pairs);
        }
        self.pdr.assume(self.pairs.as_deref().unwrap_or_default());
        Ok(())
    }

    /// Begins a query of a batch: its time starts now.
    fn begin_query(&mut self) {
        *self.budget.borrow_mut() = self.whole_budget.for_query();
    }

    /// Whether the batch was interrupted, and not only the query.
    fn go_on(&self) -> Result<(), Limit> {
        match self.limit(Limit::Steps) {
            Limit::Interrupted => Err(Limit::Interrupted),
            _ => Ok(()),
        }
    }

    /// Decides a target.
    fn decide(&mut self, target: Target, budget: &Budget) -> Answer<Trace> {
        let mut one = One::default();
        let _ = self.run(vec![Goal::new(0, Ok(target))], &SAT_ROUNDS, budget, &mut one);
        one.0.expect("every query of a batch is answered")
    }

    fn found(&mut self, target: &Target, hit: &Hit) -> Result<Trace, Limit> {
        let orders = [false, true].map(|inputs| self.order(inputs));
        let values = self.bounded.canonical(target, hit, &orders[0], &orders[1])?;
        let trace = self.trace(&values);
        if let Err(error) = self.replayer.check(&self.system, &trace) {
            let error = error.describe(&self.system);
            panic!("the engine found a trace that the interpreter rejects: {error}\n{trace:?}");
        }
        Ok(trace)
    }

    /// What comes first among states, or among inputs.
    fn order(&self, inputs: bool) -> Order {
        let is_input = |var: VarId| self.system[var].kind == VarKind::Input;
        let mut first = vec![None; self.system.vars.len()];
        let mut n_bits = 0;
        for (id, _) in self.system.vars().filter(|(id, _)| is_input(*id) == inputs) {
            first[id.0 as usize] = Some(n_bits);
            n_bits += self.machine.wires.of(id, Time::Now).len();
        }
        let tied = self.preference.iter().filter(|(var, _)| is_input(*var) == inputs);
        let ties = tied.map(|(var, values)| {
            let first = first[var.0 as usize].expect("it is one of these variables");
            let width = self.machine.wires.of(*var, Time::Now).len();
            let domain = &self.system[*var].domain;
            let bits = |code: u64| {
                (0..width).map(|place| (first + place, code >> (width - 1 - place) & 1 == 1)).collect::<Vec<_>>()
            };
            values.iter().filter_map(|value| domain.index_of(*value)).map(bits).collect()
        });
        Order { ties: ties.collect() }
    }

    /// The states with these bits.
    fn trace(&self, values: &Values) -> Trace {
        let n_steps = values.states.len() - 1;
        let states = (0..=n_steps).map(|time| {
            let mut state = State::empty(self.system.vars.len());
            let (mut bits, mut inputs) = (values.states[time].iter(), values.inputs[time].iter());
            for (id, var) in self.system.vars() {
                let width = self.machine.wires.of(id, Time::Now).len();
                let is_input = var.kind == VarKind::Input;
                let source = if is_input { &mut inputs } else { &mut bits };
                let code = source.by_ref().take(width).fold(0, |code, bit| code << 1 | u64::from(*bit));
                // The inputs of a step that is not taken have no values.
                if !is_input || time < n_steps {
                    state.set(id, var.domain.value_at(code));
                }
            }
            state
        });
        Trace { states: states.collect(), loop_start: None }
    }
}

impl Search for Sat {
    fn system(&self) -> &TransitionSystem {
        &self.system
    }

    fn set_preference(&mut self, preference: Vec<(VarId, Vec<Value>)>) {
        self.preference = preference;
    }

    fn steps(&self) -> u64 {
        self.spent + self.bounded.work() + self.pdr.work() + self.codes.0.conflicts()
    }

    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()> {
        self.forget();
        let mut open: Vec<usize> = (0..queries.len()).filter(|index| sink.is_open(*index)).collect();
        // The order of the batch does not matter to the search.
        open.sort_by_key(|index| queries[*index]);
        let goals = open.into_iter().map(|index| self.goal(index, queries[index])).collect();
        self.run(goals, &SAT_ROUNDS[..SAT_QUERY_ROUNDS], budget, sink)
    }

    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        self.forget();
        let goal = self.goal(0, query);
        let mut one = One::default();
        let _ = self.run(vec![goal], &SAT_ROUNDS[..SAT_QUERY_ROUNDS], budget, &mut one);
        one.0.expect("every query of a batch is answered")
    }
}

/// A solver for questions about all valid codes.
fn valid_codes(machine: &Machine, valid: Signal, is_stopped: &Rc<dyn Fn() -> bool>) -> (Batsat, Clauses) {
    let (mut solver, mut clauses) = (Batsat::default(), Clauses::default());
    let is_stopped = Rc::clone(is_stopped);
    solver.set_stop(Box::new(move || is_stopped()));
    clauses.assert(&machine.circuit.aig(), valid, &mut solver);
    (solver, clauses)
}
