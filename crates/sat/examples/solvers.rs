//! Compares the solvers on goals of circuits, by bounded search.
//!
//! ```text
//! cargo run --release -p specwright-sat --features cadical --example solvers -- STEPS CIRCUIT...
//! ```
//!
//! The goals of a circuit are its bad states, and both values of its first latches. For each goal, executions of up to a
//! number of steps are looked for, each with a limit of conflicts. Prints a line for each circuit and solver: the goals that
//! are reached, those that are not within these steps, those that are undecided, the conflicts and the seconds.

use specwright_sat::{Aig, Batsat, Cadical, Clauses, Outcome, Signal, Solver};
use specwright_syntax::aiger::ast::{self, Circuit};
use specwright_syntax::aiger::{decode, parse};
use specwright_syntax::span::SourceMap;
use std::time::Instant;

/// The latches of a circuit whose values are goals.
const LATCHES: usize = 5;

/// The conflicts that one question may take.
const CONFLICTS: u64 = 20_000;

fn main() {
    let mut args = std::env::args().skip(1);
    let steps: usize = args.next().and_then(|steps| steps.parse().ok()).expect("the number of steps comes first");
    for path in args {
        let bytes = std::fs::read(&path).expect("the circuit can be read");
        let mut sources = SourceMap::default();
        sources.add(&path, decode(&bytes).expect("it is a circuit")).expect("it is small");
        let (circuit, diagnostics) = parse(&sources.files()[0]);
        assert!(diagnostics.is_empty(), "{path}: {diagnostics:?}");
        let unrolled = Unrolled::new(&circuit, steps);
        let found = unrolled.search::<Batsat>(&path, "batsat");
        let other = unrolled.search::<Cadical>(&path, "cadical");
        for (one, other) in found.iter().zip(&other) {
            assert!(one.is_none() || other.is_none() || one == other, "{path}: the solvers contradict each other");
        }
    }
}

/// A circuit, step by step, in one graph.
struct Unrolled {
    aig: Aig,
    /// The constraints of each step.
    constraints: Vec<Signal>,
    /// For each goal its signal in each step.
    goals: Vec<Vec<Signal>>,
}

impl Unrolled {
    fn new(circuit: &Circuit, steps: usize) -> Unrolled {
        let mut aig = Aig::default();
        let bad = if circuit.is_version_1_0 { &circuit.outputs } else { &circuit.bad };
        let mut wanted: Vec<u32> = bad.iter().map(|bad| bad.signal.literal).collect();
        wanted.extend(circuit.latches.iter().take(LATCHES).flat_map(|latch| {
            let literal = latch.signal.literal;
            [literal, literal ^ 1]
        }));
        let (mut goals, mut constraints) = (vec![Vec::new(); wanted.len()], Vec::new());
        let last = circuit.variables().map(ast::Signal::variable).max().unwrap_or(0) as usize;
        let reset = |aig: &mut Aig, reset: Option<bool>| reset.map_or_else(|| aig.input(), Signal::constant);
        let mut latches: Vec<Signal> = circuit.latches.iter().map(|latch| reset(&mut aig, latch.reset)).collect();
        for _ in 0..=steps {
            let mut values = vec![Signal::FALSE; last + 1];
            for input in &circuit.inputs {
                values[input.signal.variable() as usize] = aig.input();
            }
            for (latch, value) in circuit.latches.iter().zip(&latches) {
                values[latch.signal.variable() as usize] = *value;
            }
            let of = |values: &[Signal], literal: u32| values[literal as usize / 2].negate_if(literal % 2 == 1);
            for gate in &circuit.gates {
                let [left, right] = gate.operands.map(|operand| of(&values, operand.literal));
                values[gate.signal.variable() as usize] = aig.and(left, right);
            }
            constraints.push(aig.all(circuit.constraints.iter().map(|named| of(&values, named.signal.literal))));
            for (goal, literal) in goals.iter_mut().zip(&wanted) {
                goal.push(of(&values, *literal));
            }
            latches = circuit.latches.iter().map(|latch| of(&values, latch.next.literal)).collect();
        }
        Unrolled { aig, constraints, goals }
    }

    /// For each goal whether it is reached, if that is known.
    fn search<S: Solver + Default>(&self, path: &str, name: &str) -> Vec<Option<bool>> {
        let started = Instant::now();
        let (mut solver, mut clauses) = (S::default(), Clauses::default());
        let mut found = vec![Some(false); self.goals.len()];
        for step in 0..self.constraints.len() {
            clauses.assert(&self.aig, self.constraints[step], &mut solver);
            for (goal, found) in self.goals.iter().zip(&mut found).filter(|(_, found)| **found == Some(false)) {
                let holds = clauses.require(&self.aig, goal[step], &mut solver);
                solver.set_max_conflicts(Some(solver.conflicts() + CONFLICTS));
                *found = match solver.solve(&[holds]) {
                    Outcome::Sat => Some(true),
                    Outcome::Unsat => Some(false),
                    Outcome::Unknown => None,
                };
            }
        }
        let n = |wanted: Option<bool>| found.iter().filter(|found| **found == wanted).count();
        let (conflicts, seconds) = (solver.conflicts(), started.elapsed().as_secs_f64());
        let (reached, not, unknown) = (n(Some(true)), n(Some(false)), n(None));
        println!("{path}\t{name}\t{reached}\t{not}\t{unknown}\t{conflicts}\t{seconds:.3}");
        found
    }
}
