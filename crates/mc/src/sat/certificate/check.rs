//! The check of witness circuits, by solvers that know nothing but the two circuits.
//!
//! With `R` for the reset values of latches, `F` for their next values, `C` for the constraints and `P` for the property, primed
//! for the witness circuit, and `{K}` for what concerns the inputs and latches that both have:
//!
//! | condition | |
//! |---|---|
//! | reset | `R{K} & C -> R'{K} & C'` |
//! | transition | `F{K} & C0 & C1 & C0' -> F'{K} & C1'` |
//! | base | `R' & C' -> P'` |
//! | step | `P0' & F' & C0' & C1' -> P1'` |
//! | property | `C & C' & P' -> P` |
//!
//! The first two say that the witness circuit can do whatever the model does, the next two that its property holds in all
//! reachable states, the last one that this is enough. Reset values are constants here, so the first state of what only the
//! witness circuit has always exists.

use super::{Instance, bad_states};
use crate::bdd::Limit;
use rustc_hash::FxHashMap;
use specwright_sat::{Aig, Batsat, Clauses, Outcome, Signal, Solver};
use specwright_syntax::aiger::ast::{Circuit, Latch};
use specwright_syntax::budget::Budget;
use std::fmt;
use std::time::Instant;

/// Why a certificate is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The symbol table of the witness circuit names something that the model does not have.
    Mapping(String),
    /// The witness circuit has no property.
    NoProperty,
    /// A condition does not hold.
    Violated(Condition),
    /// A limit was reached before all conditions were checked.
    Limit(Limit),
}

/// A condition on witness circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The witness circuit can start wherever the model can.
    Reset,
    /// The witness circuit can take every step of the model.
    Transition,
    /// The invariant holds at first.
    Base,
    /// The invariant holds after every step if it holds before.
    Step,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Mapping(text) => f.write_str(text),
            Refused::NoProperty => f.write_str("the witness circuit has no bad state, so it has no invariant"),
            Refused::Violated(Condition::Reset) => f.write_str("the model can start where the witness circuit cannot"),
            Refused::Violated(Condition::Transition) => {
                f.write_str("the model can take a step that the witness circuit cannot")
            }
            Refused::Violated(Condition::Base) => f.write_str("the invariant does not hold in every first state"),
            Refused::Violated(Condition::Step) => {
                f.write_str("the invariant is not inductive: a step leads from inside to outside")
            }
            Refused::Limit(limit) => write!(f, "{limit} before everything was checked"),
        }
    }
}

/// Checks that a witness circuit certifies something of a model, and says for each of some bad states whether the model
/// therefore never reaches it.
pub fn check_certificate(
    model: &Circuit,
    witness: &Circuit,
    bad: &[usize],
    budget: &Budget,
) -> Result<Vec<bool>, Refused> {
    let budget = budget.for_query();
    let shared = Shared::find(model, witness)?;
    if bad_states(witness).is_empty() {
        return Err(Refused::NoProperty);
    }
    let mut aig = Aig::default();
    let now = Moment::new(&mut aig, model, witness, &shared);
    let next = Moment::new(&mut aig, model, witness, &shared);
    let resets = |aig: &mut Aig, latches: &mut dyn Iterator<Item = (&Latch, Signal)>| {
        latches.fold(Signal::TRUE, |all, (latch, signal)| match latch.reset {
            Some(reset) => aig.and(all, signal.negate_if(!reset)),
            None => all,
        })
    };
    // The latches of the witness circuit that the model has, and those of the model that these stand for.
    let both =
        || witness.latches.iter().enumerate().filter_map(|(own, latch)| Some((own, latch, shared.latches[own]?)));
    let model_starts = resets(&mut aig, &mut both().map(|(_, _, of)| (&model.latches[of], now.model_latches[of])));
    let shared_starts = resets(&mut aig, &mut both().map(|(own, latch, _)| (latch, now.witness_latches[own])));
    let witness_starts = resets(&mut aig, &mut witness.latches.iter().zip(now.witness_latches.iter().copied()));
    let (mut model_steps, mut shared_steps, mut witness_steps) = (Signal::TRUE, Signal::TRUE, Signal::TRUE);
    for (own, latch) in witness.latches.iter().enumerate() {
        let after = next.witness_latches[own];
        let steps = aig.iff(after, now.witness.of(latch.next.literal));
        witness_steps = aig.and(witness_steps, steps);
        if let Some(of) = shared.latches[own] {
            shared_steps = aig.and(shared_steps, steps);
            let steps = aig.iff(after, now.model.of(model.latches[of].next.literal));
            model_steps = aig.and(model_steps, steps);
        }
    }
    let starts = aig.and(shared_starts, now.witness_constraints);
    let steps = aig.and(shared_steps, next.witness_constraints);
    let conditions: [(Condition, &[Signal], Signal); 4] = [
        (Condition::Reset, &[model_starts, now.model_constraints], starts),
        (
            Condition::Transition,
            &[model_steps, now.model_constraints, next.model_constraints, now.witness_constraints],
            steps,
        ),
        (Condition::Base, &[witness_starts, now.witness_constraints], now.invariant),
        (
            Condition::Step,
            &[now.invariant, witness_steps, now.witness_constraints, next.witness_constraints],
            next.invariant,
        ),
    ];
    for (condition, given, wanted) in conditions {
        if !follows(&aig, given, wanted, &budget).map_err(Refused::Limit)? {
            return Err(Refused::Violated(condition));
        }
    }
    let given = [now.model_constraints, now.witness_constraints, now.invariant];
    let avoided: Vec<Signal> = bad.iter().map(|bad| !now.model.of(bad_states(model)[*bad].signal.literal)).collect();
    // Mostly, all of them follow at once.
    let none = aig.all(avoided.iter().copied());
    if follows(&aig, &given, none, &budget).map_err(Refused::Limit)? {
        return Ok(vec![true; bad.len()]);
    }
    avoided.iter().map(|avoided| follows(&aig, &given, *avoided, &budget).map_err(Refused::Limit)).collect()
}

/// For each input and latch of the witness circuit the one of the model that it stands for.
struct Shared {
    inputs: Vec<Option<usize>>,
    latches: Vec<Option<usize>>,
}

impl Shared {
    /// Reads the symbol table: a name `= 12` stands for literal 12 of the model. Without such names, the first inputs stand
    /// for the first inputs, and the first latches for the first latches.
    fn find(model: &Circuit, witness: &Circuit) -> Result<Shared, Refused> {
        let places = |signals: Vec<u32>| -> FxHashMap<u32, usize> {
            signals.into_iter().enumerate().map(|(place, literal)| (literal, place)).collect()
        };
        let model_inputs = places(model.inputs.iter().map(|input| input.signal.literal).collect());
        let model_latches = places(model.latches.iter().map(|latch| latch.signal.literal).collect());
        let read = |kind: &str, names: Vec<Option<&str>>, of: &FxHashMap<u32, usize>| {
            let read = |(place, name): (usize, Option<&str>)| {
                let Some(text) = name.and_then(|name| name.strip_prefix('=')) else { return Ok(None) };
                let word = text.split_whitespace().next().unwrap_or_default();
                match word.parse().ok().and_then(|literal: u32| of.get(&literal)) {
                    Some(found) => Ok(Some(*found)),
                    None => Err(Refused::Mapping(format!(
                        "{kind} {place} of the witness circuit stands for `{word}`, which is no {kind} of the model"
                    ))),
                }
            };
            names.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()
        };
        let names = witness.inputs.iter().map(|input| input.name.as_deref()).collect();
        let inputs = read("input", names, &model_inputs)?;
        let names = witness.latches.iter().map(|latch| latch.name.as_deref()).collect();
        let latches = read("latch", names, &model_latches)?;
        if inputs.iter().chain(&latches).any(Option::is_some) {
            return Ok(Shared { inputs, latches });
        }
        let first = |n: usize, most: usize| (0..n).map(|place| (place < most).then_some(place)).collect();
        Ok(Shared {
            inputs: first(witness.inputs.len(), model.inputs.len()),
            latches: first(witness.latches.len(), model.latches.len()),
        })
    }
}

/// Both circuits at one time.
struct Moment {
    model_latches: Vec<Signal>,
    witness_latches: Vec<Signal>,
    model: Instance,
    witness: Instance,
    model_constraints: Signal,
    witness_constraints: Signal,
    /// None of the bad states of the witness circuit.
    invariant: Signal,
}

impl Moment {
    fn new(aig: &mut Aig, model: &Circuit, witness: &Circuit, shared: &Shared) -> Moment {
        let model_inputs: Vec<Signal> = model.inputs.iter().map(|_| aig.input()).collect();
        let model_latches: Vec<Signal> = model.latches.iter().map(|_| aig.input()).collect();
        let mut of = |places: &[Option<usize>], signals: &[Signal]| -> Vec<Signal> {
            places.iter().map(|place| place.map_or_else(|| aig.input(), |place| signals[place])).collect()
        };
        let witness_inputs = of(&shared.inputs, &model_inputs);
        let witness_latches = of(&shared.latches, &model_latches);
        let model_instance = Instance::new(aig, model, &model_inputs, &model_latches);
        let witness_instance = Instance::new(aig, witness, &witness_inputs, &witness_latches);
        let bad = bad_states(witness).iter().map(|bad| witness_instance.of(bad.signal.literal));
        Moment {
            invariant: !aig.any(bad.collect::<Vec<_>>()),
            model_constraints: model_instance.all(aig, &model.constraints),
            witness_constraints: witness_instance.all(aig, &witness.constraints),
            model_latches,
            witness_latches,
            model: model_instance,
            witness: witness_instance,
        }
    }
}

/// Whether a signal holds wherever some others do, by a solver of its own.
fn follows(aig: &Aig, given: &[Signal], wanted: Signal, budget: &Budget) -> Result<bool, Limit> {
    if wanted == Signal::TRUE || given.contains(&Signal::FALSE) || given.contains(&wanted) {
        return Ok(true);
    }
    let (mut solver, mut clauses) = (Batsat::default(), Clauses::default());
    let (limits, deadline) = (budget.clone(), budget.deadline());
    let is_late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let stopped = is_late;
    solver.set_stop(Box::new(move || limits.is_spent() || stopped()));
    for signal in given {
        clauses.assert(aig, *signal, &mut solver);
    }
    clauses.assert(aig, !wanted, &mut solver);
    match solver.solve(&[]) {
        Outcome::Unsat => Ok(true),
        Outcome::Sat => Ok(false),
        Outcome::Unknown if is_late() => Err(Limit::Time),
        Outcome::Unknown => Err(Limit::Interrupted),
    }
}
