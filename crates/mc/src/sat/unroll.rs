//! Executions of a given length as clauses: one instance of the machine for each step.

use super::machine::Machine;
use super::pdr::Cube;
use crate::policy::SAT_NODES_PER_STEP;
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
    /// What the calls of the solver have cost, beside conflicts.
    overhead: u64,
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
            overhead: 0,
            most: u64::MAX,
        };
        unrolling.add_frame();
        let Frame { clauses, .. } = &mut unrolling.frames[0];
        clauses.assert(&machine.circuit.aig(), first, &mut unrolling.solver);
        unrolling
    }

    fn add_frame(&mut self) {
        let (machine, solver) = (&self.machine, &mut self.solver);
        let before = self.frames.last();
        let time = self.frames.len();
        let phase = |bits: &[Vec<bool>], place: usize| bits.get(time).is_some_and(|bits| bits[place]);
        let state: Vec<Lit> = (machine.bits.iter().enumerate())
            .map(|(place, bit)| match before {
                Some(before) if bit.now == bit.next => before.state[place],
                _ => solver.new_var(phase(&self.phases.states, place)),
            })
            .collect();
        let inputs: Vec<Lit> =
            (0..machine.inputs.len()).map(|place| solver.new_var(phase(&self.phases.inputs, place))).collect();
        let mut clauses = Clauses::default();
        for (bit, lit) in machine.bits.iter().zip(&state) {
            clauses.bind(bit.now, *lit);
        }
        for (input, lit) in machine.inputs.iter().zip(&inputs) {
            clauses.bind(*input, *lit);
        }
        if let Some(before) = self.frames.last_mut() {
            for (bit, lit) in machine.bits.iter().zip(&state) {
                before.clauses.bind(bit.next, *lit);
            }
        }
        for cube in &self.unreachable {
            exclude(solver, &state, cube);
        }
        self.frames.push(Frame { state, inputs, clauses, step: None });
    }

    /// Takes note that no execution reaches these sets of states: those from before, and more.
    pub(crate) fn assume(&mut self, unreachable: &[Cube]) {
        for cube in &unreachable[self.unreachable.len().min(unreachable.len())..] {
            for frame in &self.frames {
                exclude(&mut self.solver, &frame.state, cube);
            }
            self.unreachable.push(cube.clone());
        }
    }

    /// The literal that there are steps up to the one that leaves the state at a time.
    fn step(&mut self, time: usize) -> Lit {
        while self.frames.len() <= time + 1 {
            self.add_frame();
        }
        let before = time.checked_sub(1).and_then(|before| self.frames[before].step);
        let Unrolling { machine, solver, frames, .. } = self;
        let frame = &mut frames[time];
        *frame.step.get_or_insert_with(|| {
            let step = solver.new_var(true);
            let aig = machine.circuit.aig();
            for piece in &machine.pieces {
                let holds = frame.clauses.require(&aig, piece.signal, solver);
                solver.add_clause(&[!step, holds]);
            }
            if let Some(before) = before {
                solver.add_clause(&[!step, before]);
            }
            if machine.is_total {
                // Every execution goes on.
                solver.add_clause(&[step]);
            }
            step
        })
    }

    /// What to assume so that there are steps from the first state on.
    pub(crate) fn steps(&mut self, n: usize) -> Vec<Lit> {
        while self.frames.len() <= n {
            self.add_frame();
        }
        let last = (0..n).map(|time| self.step(time)).last();
        last.into_iter().filter(|_| !self.machine.is_total).collect()
    }

    /// A literal from which it follows that a signal holds at a time. If it speaks of the next state, there must be a step.
    pub(crate) fn at(&mut self, time: usize, signal: Signal) -> Lit {
        while self.frames.len() <= time + 1 {
            self.add_frame();
        }
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

    /// The work so far: conflicts, and for each call a part that grows with the size of what was unrolled.
    pub(crate) fn work(&self) -> u64 {
        self.solver.conflicts() + self.overhead
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
        self.overhead += call_cost(self.frames.len() * self.machine.circuit.aig().len());
        self.solver.set_max_conflicts(Some(self.solver.conflicts() + left));
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

/// The work of a call of a solver, beside conflicts: it grows with the nodes of the graph in it.
pub(crate) fn call_cost(n_nodes: usize) -> u64 {
    1 + n_nodes as u64 / SAT_NODES_PER_STEP
}

fn exclude(solver: &mut Batsat, state: &[Lit], cube: &Cube) {
    let clause: Vec<Lit> = cube.iter().map(|(bit, value)| state[*bit].negate_if(*value)).collect();
    solver.add_clause(&clause);
}
