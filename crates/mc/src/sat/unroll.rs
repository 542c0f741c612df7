//! Executions of a given length as clauses: one instance of the machine for each step.

use super::machine::Machine;
use super::pdr::Cube;
use crate::policy::SAT_BOUNDED_PROPAGATIONS;
use specwright_sat::{Batsat, Clauses, Lit, Outcome, Signal, Solver};
use std::rc::Rc;

/// The machine from its initial states on, or from any, as many steps as were asked for.
pub(crate) struct Unrolling {
    machine: Rc<Machine>,
    stop: Rc<dyn Fn() -> bool>,
    pub(crate) solver: Batsat,
    frames: Vec<Frame>,
    /// Values that are tried first.
    phases: Values,
    /// Sets of states that no execution reaches.
    unreachable: Vec<Cube>,
    /// Calls of the solver.
    n_calls: u64,
    /// The work after which calls end.
    most: u64,
}

/// The state at one time, and the step that leaves it.
struct Frame {
    /// The bits of the state.
    state: Vec<Lit>,
    /// The bits of the inputs of the step.
    inputs: Vec<Lit>,
    /// Signals at this time.
    clauses: Clauses,
    /// Assuming this, there is a step.
    step: Option<Lit>,
}

/// The values of the bits of states and inputs, one of each for each time.
#[derive(Clone, Default)]
pub(crate) struct Values {
    pub(crate) states: Vec<Vec<bool>>,
    pub(crate) inputs: Vec<Vec<bool>>,
}

impl Unrolling {
    pub(crate) fn new(machine: &Rc<Machine>, stop: &Rc<dyn Fn() -> bool>) -> Unrolling {
        Unrolling::like(machine, stop, Vec::new(), &Values::default(), machine.init)
    }

    /// The machine anew, from its initial states on. The solver tries values like those of an execution first.
    pub(crate) fn fresh(&self, values: &Values) -> Unrolling {
        Unrolling::like(&self.machine, &self.stop, self.unreachable.clone(), values, self.machine.init)
    }

    /// The machine anew, from any state on that may be reached as far as is known.
    pub(crate) fn anywhere(&self) -> Unrolling {
        let machine = &self.machine;
        Unrolling::like(machine, &self.stop, self.unreachable.clone(), &Values::default(), machine.invar)
    }

    fn like(
        machine: &Rc<Machine>,
        stop: &Rc<dyn Fn() -> bool>,
        unreachable: Vec<Cube>,
        values: &Values,
        first: Signal,
    ) -> Unrolling {
        let mut solver = Batsat::default();
        let is_stopped = Rc::clone(stop);
        solver.set_stop(Box::new(move || is_stopped()));
        let mut unrolling = Unrolling {
            machine: Rc::clone(machine),
            stop: Rc::clone(stop),
            solver,
            frames: Vec::new(),
            phases: values.clone(),
            unreachable,
            n_calls: 0,
            most: u64::MAX,
        };
        unrolling.add_frame();
        let Frame { clauses, .. } = &mut unrolling.frames[0];
        clauses.assert(&machine.circuit.aig(), first, &mut unrolling.solver);
        unrolling
    }

    fn add_frame(&mut self) {
        let Unrolling { machine, solver, frames, phases, .. } = self;
        let aig = machine.circuit.aig();
        let time = frames.len();
        let phase = |bits: &[Vec<bool>], place: usize| bits.get(time).is_some_and(|bits| bits[place]);
        let mut before = frames.last_mut();
        let mut state = Vec::with_capacity(machine.bits.len());
        for (place, (bit, function)) in machine.bits.iter().zip(&machine.netlist.functions).enumerate() {
            state.push(match (&mut before, function) {
                (Some(before), _) if bit.now == bit.next => before.state[place],
                (Some(before), Some(value)) => before.clauses.define(&aig, *value, solver),
                _ => solver.new_var(phase(&phases.states, place)),
            });
        }
        let inputs: Vec<Lit> =
            (0..machine.inputs.len()).map(|place| solver.new_var(phase(&phases.inputs, place))).collect();
        let mut clauses = Clauses::default();
        for (bit, lit) in machine.bits.iter().zip(&state) {
            clauses.bind(bit.now, *lit);
        }
        for (input, lit) in machine.inputs.iter().zip(&inputs) {
            clauses.bind(*input, *lit);
        }
        if let Some(before) = before {
            for (bit, lit) in machine.bits.iter().zip(&state).filter(|(bit, _)| bit.now != bit.next) {
                before.clauses.bind(bit.next, *lit);
            }
        } else {
            for cube in &self.unreachable {
                exclude(solver, &state, cube, None);
            }
        }
        frames.push(Frame { state, inputs, clauses, step: None });
    }

    /// Makes room for this number of steps.
    pub(crate) fn extend(&mut self, n_steps: usize) {
        while self.frames.len() <= n_steps {
            self.add_frame();
        }
    }

    /// Takes note that no execution reaches these sets of states: those from before, and more.
    pub(crate) fn assume(&mut self, unreachable: &[Cube]) {
        for cube in &unreachable[self.unreachable.len().min(unreachable.len())..] {
            exclude(&mut self.solver, &self.frames[0].state, cube, None);
            for pair in self.frames.windows(2) {
                if let Some(step) = pair[0].step {
                    exclude(&mut self.solver, &pair[1].state, cube, Some(step));
                }
            }
            self.unreachable.push(cube.clone());
        }
    }

    /// The literal that there are steps up to the one that leaves the state at a time.
    fn step(&mut self, time: usize) -> Lit {
        self.extend(time + 1);
        let before = time.checked_sub(1).and_then(|before| self.frames[before].step);
        let Unrolling { machine, solver, frames, unreachable, .. } = self;
        if let Some(step) = frames[time].step {
            return step;
        }
        let step = solver.new_var(true);
        if machine.is_total {
            // Every execution goes on.
            solver.add_clause(&[step]);
        }
        if let Some(before) = before {
            solver.add_clause(&[!step, before]);
        }
        let aig = machine.circuit.aig();
        for (piece, _) in machine.pieces.iter().zip(&machine.netlist.is_live).filter(|(_, is_live)| **is_live) {
            let holds = frames[time].clauses.require(&aig, piece.signal, solver);
            solver.add_clause(&[!step, holds]);
        }
        // The other pieces say that the next state satisfies what every state does.
        let holds = frames[time + 1].clauses.require(&aig, machine.invar, solver);
        solver.add_clause(&[!step, holds]);
        for cube in unreachable {
            exclude(solver, &frames[time + 1].state, cube, Some(step));
        }
        frames[time].step = Some(step);
        step
    }

    /// What to assume so that there are steps from the first state on.
    pub(crate) fn steps(&mut self, n: usize) -> Vec<Lit> {
        self.extend(n);
        let last = (0..n).map(|time| self.step(time)).last();
        last.into_iter().filter(|_| !self.machine.is_total).collect()
    }

    /// A literal from which it follows that a signal of the state holds at a time; or one of the step that leaves it: then
    /// there must be one.
    pub(crate) fn at(&mut self, time: usize, signal: Signal, by_step: bool) -> Lit {
        self.extend(time + usize::from(by_step));
        let Unrolling { machine, solver, frames, .. } = self;
        frames[time].clauses.require(&machine.circuit.aig(), signal, solver)
    }

    /// The literals of the state at a time.
    pub(crate) fn state(&self, time: usize) -> &[Lit] {
        &self.frames[time].state
    }

    /// The literals of the inputs at a time.
    pub(crate) fn inputs(&self, time: usize) -> &[Lit] {
        &self.frames[time].inputs
    }

    /// The work so far: conflicts, and a part that grows with what was propagated.
    pub(crate) fn work(&self) -> u64 {
        self.solver.conflicts() + self.n_calls + self.solver.propagations() / SAT_BOUNDED_PROPAGATIONS
    }

    /// Allows the next calls some work together.
    pub(crate) fn allow(&mut self, work: u64) {
        self.most = self.work().saturating_add(work);
    }

    /// Looks for an execution.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        let left = self.most.saturating_sub(self.work());
        if left == 0 {
            return Outcome::Unknown;
        }
        // What a conflict has cost so far.
        let conflicts = self.solver.conflicts();
        let cost = 1 + self.solver.propagations() / SAT_BOUNDED_PROPAGATIONS / (conflicts + 1);
        self.n_calls += 1;
        self.solver.set_max_conflicts(Some(conflicts + left.div_ceil(cost)));
        self.solver.solve(assumptions)
    }

    /// The states of the execution that was found, as many as there are steps and one more.
    pub(crate) fn values(&self, n_steps: usize) -> Values {
        let read = |lits: &[Lit]| lits.iter().map(|lit| self.solver.value(*lit)).collect();
        Values {
            states: self.frames[..=n_steps].iter().map(|frame| read(&frame.state)).collect(),
            inputs: self.frames[..=n_steps].iter().map(|frame| read(&frame.inputs)).collect(),
        }
    }
}

/// Excludes a set of states, if there are steps to it.
fn exclude(solver: &mut Batsat, state: &[Lit], cube: &Cube, step: Option<Lit>) {
    let mut clause: Vec<Lit> = cube.iter().map(|(bit, value)| state[*bit].negate_if(*value)).collect();
    clause.extend(step.map(|step| !step));
    solver.add_clause(&clause);
}
