//! Executions of a given length as clauses: one instance of the machine for each step.

use super::machine::Machine;
use specwright_sat::{Batsat, Clauses, Lit, Outcome, Signal, Solver};
use std::rc::Rc;

/// The machine from its initial states on, as many steps as were asked for.
pub(crate) struct Unrolling {
    machine: Rc<Machine>,
    pub(crate) solver: Batsat,
    frames: Vec<Frame>,
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
    pub(crate) fn new(machine: &Rc<Machine>, stop: Box<dyn Fn() -> bool>) -> Unrolling {
        let mut solver = Batsat::default();
        solver.set_stop(stop);
        let mut unrolling = Unrolling { machine: Rc::clone(machine), solver, frames: Vec::new() };
        unrolling.add_frame();
        let Frame { clauses, .. } = &mut unrolling.frames[0];
        clauses.assert(&machine.circuit.aig(), machine.init, &mut unrolling.solver);
        unrolling
    }

    fn add_frame(&mut self) {
        let (machine, solver) = (&self.machine, &mut self.solver);
        let before = self.frames.last();
        let state: Vec<Lit> = (machine.bits.iter().enumerate())
            .map(|(place, bit)| match before {
                Some(before) if bit.now == bit.next => before.state[place],
                _ => solver.new_var(false),
            })
            .collect();
        let inputs: Vec<Lit> = machine.inputs.iter().map(|_| solver.new_var(false)).collect();
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
        self.frames.push(Frame { state, inputs, clauses, step: None });
    }

    /// The literal that there is a step from the state at a time.
    fn step(&mut self, time: usize) -> Lit {
        while self.frames.len() <= time + 1 {
            self.add_frame();
        }
        let Unrolling { machine, solver, frames } = self;
        let frame = &mut frames[time];
        *frame.step.get_or_insert_with(|| {
            let step = solver.new_var(true);
            let aig = machine.circuit.aig();
            for piece in &machine.pieces {
                let holds = frame.clauses.require(&aig, piece.signal, solver);
                solver.add_clause(&[!step, holds]);
            }
            step
        })
    }

    /// The literals that there are steps from the first state on.
    pub(crate) fn steps(&mut self, n: usize) -> Vec<Lit> {
        while self.frames.len() <= n {
            self.add_frame();
        }
        (0..n).map(|time| self.step(time)).collect()
    }

    /// A literal from which it follows that a signal holds at a time. If it speaks of the next state, there must be a step.
    pub(crate) fn at(&mut self, time: usize, signal: Signal) -> Lit {
        while self.frames.len() <= time + 1 {
            self.add_frame();
        }
        let Unrolling { machine, solver, frames } = self;
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

    /// Looks for an execution.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
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
