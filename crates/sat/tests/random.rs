//! Graphs, clauses and solvers on random functions of few inputs, against the truth table.

use specwright_sat::{Aig, Batsat, Clauses, Lit, Narrow, Outcome, Signal, Solver, value};

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

/// One word for each of up to six inputs: all assignments at once.
fn table(n: usize) -> Vec<u64> {
    (0..n).map(|input| (0..64).filter(|row: &u64| row >> input & 1 == 1).fold(0, |word, row| word | 1 << row)).collect()
}

/// One of the signals, or its negation.
fn pick(random: &mut Random, signals: &[(Signal, u64)]) -> (Signal, u64) {
    let (signal, column) = signals[random.below(signals.len())];
    if random.below(2) == 0 { (signal, column) } else { (!signal, !column) }
}

/// A random graph, with for each signal what it means by the truth table of its definition.
fn random_graph(random: &mut Random, n_inputs: usize, n_gates: usize) -> (Aig, Vec<(Signal, u64)>) {
    let mut aig = Aig::default();
    let mut signals = vec![(Signal::TRUE, u64::MAX)];
    for column in table(n_inputs) {
        signals.push((aig.input(), column));
    }
    for _ in 0..n_gates {
        let [(a, rows_a), (b, rows_b), (c, rows_c)] = [(); 3].map(|()| pick(random, &signals));
        signals.push(match random.below(6) {
            0 => (aig.and(a, b), rows_a & rows_b),
            1 => (aig.or(a, b), rows_a | rows_b),
            2 => (aig.xor(a, b), rows_a ^ rows_b),
            3 => (aig.iff(a, b), !(rows_a ^ rows_b)),
            4 => (aig.implies(a, b), !rows_a | rows_b),
            _ => (aig.ite(a, b, c), rows_a & rows_b | !rows_a & rows_c),
        });
    }
    (aig, signals)
}

#[test]
fn graphs_compute_what_was_asked_for() {
    let mut random = Random(1);
    for _ in 0..500 {
        let n_inputs = 1 + random.below(6);
        let (aig, signals) = random_graph(&mut random, n_inputs, 30);
        let values = aig.simulate(&table(n_inputs));
        for (signal, column) in signals {
            assert_eq!(value(&values, signal), column);
        }
    }
}

#[test]
fn equal_gates_are_one() {
    let mut aig = Aig::default();
    let [a, b, c] = [(); 3].map(|()| aig.input());
    assert_eq!(aig.and(a, b), aig.and(b, a));
    assert_eq!(aig.xor(a, b), !aig.iff(b, a));
    assert_eq!(aig.xor(!a, b), aig.iff(a, b));
    let ab = aig.and(a, b);
    assert_eq!(aig.and(a, ab), ab);
    assert_eq!(aig.and(!a, ab), Signal::FALSE);
    assert_eq!(aig.and(!a, !ab), !a);
    assert_eq!(aig.and(a, !ab), aig.and(a, !b));
    assert_eq!(aig.ite(c, ab, ab), ab);
    assert_eq!(aig.cone([ab]).len(), 3);
}

/// Compares a solver with the truth table, on many questions to one instance.
fn compare<S: Solver + Default>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..150 {
        let n_inputs = 1 + random.below(6);
        let (aig, signals) = random_graph(&mut random, n_inputs, 25);
        let (mut solver, mut clauses) = (S::default(), Clauses::default());
        let mut possible = u64::MAX;
        for question in 0..12 {
            let chosen: Vec<(Signal, u64)> = (0..=random.below(4)).map(|_| pick(&mut random, &signals)).collect();
            if question % 5 == 4 {
                let (signal, column) = chosen[0];
                clauses.assert(&aig, signal, &mut solver);
                possible &= column;
                continue;
            }
            let lits: Vec<Lit> = chosen
                .iter()
                .map(|(signal, _)| match random.below(2) {
                    0 => clauses.require(&aig, *signal, &mut solver),
                    _ => clauses.define(&aig, *signal, &mut solver),
                })
                .collect();
            let wanted = chosen.iter().fold(possible, |rows, (_, column)| rows & column);
            match solver.solve(&lits) {
                Outcome::Sat => {
                    let inputs: Vec<u64> = aig
                        .inputs()
                        .iter()
                        .map(|input| if clauses.value(*input, &solver) { u64::MAX } else { 0 })
                        .collect();
                    let row = (0..n_inputs).fold(0, |row, input| row | (inputs[input] & 1) << input);
                    assert!(wanted >> row & 1 == 1, "the solution {row} is none");
                }
                Outcome::Unsat => {
                    assert_eq!(wanted, 0);
                    let core = chosen.iter().zip(&lits).filter(|(_, lit)| solver.has_failed(**lit));
                    assert_eq!(core.fold(possible, |rows, ((_, column), _)| rows & column), 0, "the core is none");
                }
                Outcome::Unknown => panic!("there was no limit"),
            }
        }
    }
}

#[test]
fn batsat_agrees_with_truth_tables() {
    compare::<Batsat>(2);
}

#[test]
fn narrow_agrees_with_truth_tables() {
    for seed in 4..24 {
        compare::<Narrow>(seed);
    }
}

#[test]
fn the_clause_of_a_question_counts_for_that_question_only() {
    let mut random = Random(5);
    for _ in 0..2000 {
        let n_inputs = 1 + random.below(6);
        let (aig, signals) = random_graph(&mut random, n_inputs, 25);
        let (mut solver, mut clauses) = (Narrow::default(), Clauses::default());
        for _ in 0..20 {
            let [clause, assumed] =
                [(); 2].map(|()| (0..=random.below(3)).map(|_| pick(&mut random, &signals)).collect::<Vec<_>>());
            let [some, all] = [&clause, &assumed].map(|chosen| {
                chosen.iter().map(|(signal, _)| clauses.define(&aig, *signal, &mut solver)).collect::<Vec<Lit>>()
            });
            let wanted = clause.iter().fold(0, |rows, (_, column)| rows | column);
            let outcome = solver.solve_with(&some, &all);
            let both = assumed.iter().fold(wanted, |rows, (_, column)| rows & column);
            assert_eq!(outcome, if both == 0 { Outcome::Unsat } else { Outcome::Sat });
            if outcome == Outcome::Unsat {
                let core = assumed.iter().zip(&all).filter(|(_, lit)| solver.has_failed(**lit));
                assert_eq!(core.fold(wanted, |rows, ((_, column), _)| rows & column), 0, "the core is none");
            }
        }
    }
}

#[cfg(feature = "cadical")]
#[test]
fn cadical_agrees_with_truth_tables() {
    compare::<specwright_sat::Cadical>(3);
}

/// Pigeons that have one hole less than they need: hard for every solver.
fn pigeons(solver: &mut impl Solver, n: usize) {
    let at: Vec<Vec<Lit>> = (0..n).map(|_| (1..n).map(|_| solver.new_var(false)).collect()).collect();
    for holes in &at {
        solver.add_clause(holes);
    }
    for (place, one) in at.iter().enumerate() {
        for other in &at[..place] {
            for (hole, same) in one.iter().zip(other) {
                solver.add_clause(&[!*hole, !*same]);
            }
        }
    }
}

fn limited<S: Solver + Default>() {
    let mut solver = S::default();
    pigeons(&mut solver, 9);
    solver.set_max_conflicts(Some(100));
    assert_eq!(solver.solve(&[]), Outcome::Unknown);
    assert!((100..200).contains(&solver.conflicts()), "{}", solver.conflicts());
    solver.set_max_conflicts(None);
    solver.set_stop(Box::new(|| true));
    assert_eq!(solver.solve(&[]), Outcome::Unknown);
    solver.set_stop(Box::new(|| false));
    assert_eq!(solver.solve(&[]), Outcome::Unsat);
}

#[test]
fn conflicts_are_limited_and_batsat_can_be_stopped() {
    limited::<Batsat>();
    let conflicts = || {
        let mut solver = Batsat::default();
        pigeons(&mut solver, 7);
        solver.solve(&[]);
        solver.conflicts()
    };
    assert_eq!(conflicts(), conflicts(), "steps do not depend on the run");
}

#[test]
fn conflicts_are_limited_and_narrow_can_be_stopped() {
    limited::<Narrow>();
}

#[cfg(feature = "cadical")]
#[test]
fn conflicts_are_limited_and_cadical_can_be_stopped() {
    limited::<specwright_sat::Cadical>();
}
