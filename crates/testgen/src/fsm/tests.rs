//! The methods on all small machines and on random ones, and tours against exhaustive search.

use super::checking::{Method, words};
use super::machine::{Machine, Move, Word};
use super::plan::{plan, premade};
use super::separate::Separators;
use super::tour::{Arc, tours};
use crate::criteria::{Options, collect};
use crate::generate::Run;
use crate::grade::{Grader, Quantifiers};
use specwright_model::interp::Random;
use specwright_model::testing::{model, random_model};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// All machines with this number of states, two inputs and two outputs, whose states are numbered in breadth-first order.
fn all_machines(n: usize) -> Vec<Machine> {
    let n_cells = 2 * n;
    let n_tables = (2 * n).pow(u32::try_from(n_cells).unwrap());
    let machine = |mut code: usize| {
        let mut cell = || {
            let next = Move { to: code % (2 * n) / 2, output: code % 2 };
            code /= 2 * n;
            Some(next)
        };
        let moves = (0..n).map(|_| vec![cell(), cell()]).collect();
        Machine { resets: vec![Move { to: 0, output: 0 }], moves }
    };
    (0..n_tables).map(machine).filter(is_canonical).collect()
}

/// Whether all states are reachable and numbered in breadth-first order.
fn is_canonical(machine: &Machine) -> bool {
    let mut n_seen = 1;
    for state in 0..machine.n_states() {
        if state >= n_seen {
            return false;
        }
        for (_, next) in machine.moves_of(state) {
            if next.to > n_seen {
                return false;
            }
            n_seen = n_seen.max(next.to + 1);
        }
    }
    n_seen == machine.n_states()
}

/// Whether a word shows that an implementation is wrong.
fn fails(machine: &Machine, implementation: &Machine, word: &Word) -> bool {
    let (own, other) = (machine.resets[word.reset], implementation.resets[word.reset]);
    if own.output != other.output {
        return true;
    }
    let (mut own, mut other) = (own.to, other.to);
    for letter in &word.letters {
        let (right, got) = (machine.moves[own][*letter].unwrap(), implementation.moves[other][*letter].unwrap());
        if right.output != got.output {
            return true;
        }
        (own, other) = (right.to, got.to);
    }
    false
}

/// Whether an implementation behaves differently on some permitted word.
fn differs(machine: &Machine, implementation: &Machine) -> bool {
    let n = implementation.n_states();
    let mut seen = vec![false; machine.n_states() * n];
    let mut open = Vec::new();
    for (own, other) in machine.resets.iter().zip(&implementation.resets) {
        if own.output != other.output {
            return true;
        }
        open.push((own.to, other.to));
    }
    while let Some((own, other)) = open.pop() {
        if std::mem::replace(&mut seen[own * n + other], true) {
            continue;
        }
        for (letter, right) in machine.moves_of(own) {
            let got = implementation.moves[other][letter].unwrap();
            if right.output != got.output {
                return true;
            }
            open.push((right.to, got.to));
        }
    }
    false
}

const METHODS: [Method; 3] = [Method::W, Method::Wp, Method::Hsi];

#[test]
fn every_wrong_implementation_of_every_small_machine_is_found() {
    let machines: Vec<Vec<Machine>> = (1..=3).map(all_machines).collect();
    let counts: Vec<usize> = machines.iter().map(Vec::len).collect();
    assert_eq!(counts, [4, 192, 13_824]);
    let mut n_pairs = 0u64;
    for n in 1..=3 {
        for spec in &machines[n - 1] {
            // Outputs of each letter may be exchanged, so the first one is 0.
            let is_first = spec.moves[0].iter().flatten().all(|next| next.output == 0);
            if !is_first || spec.minimized().0.n_states() < n {
                continue;
            }
            let separators = Separators::new(spec);
            for method in METHODS {
                for extra in 0..=3 - n {
                    let suite = words(spec, &separators, method, extra, 100_000).unwrap();
                    for implementation in machines[..n + extra].iter().flatten() {
                        n_pairs += 1;
                        if !suite.iter().any(|word| fails(spec, implementation, word)) {
                            assert!(!differs(spec, implementation), "{method:?} {extra}: {spec:?} {implementation:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(n_pairs > 50_000_000, "{n_pairs}");
}

/// A random machine; with `gaps`, some letters are not permitted in some states.
fn random_machine(random: &mut Random, n: usize, letters: usize, resets: usize, gaps: bool) -> Machine {
    let next = |random: &mut Random| Move { to: random.index(n), output: random.index(2) };
    let resets = (0..resets).map(|_| next(random)).collect();
    let moves = (0..n).map(|_| {
        let cell = |_| {
            let gap = gaps && random.percent(20);
            let next = Move { to: random.index(n), output: random.index(2) };
            (!gap).then_some(next)
        };
        (0..letters).map(cell).collect()
    });
    let moves = moves.collect();
    connected(&Machine { resets, moves })
}

/// The reachable part of a machine.
fn connected(machine: &Machine) -> Machine {
    let mut numbers: Vec<usize> = Vec::new();
    let mut open: VecDeque<usize> = machine.resets.iter().map(|first| first.to).collect();
    while let Some(state) = open.pop_front() {
        if !numbers.contains(&state) {
            numbers.push(state);
            open.extend(machine.moves_of(state).map(|(_, next)| next.to));
        }
    }
    let renumbered = |next: &Move| Move { to: numbers.iter().position(|state| *state == next.to).unwrap(), ..*next };
    Machine {
        resets: machine.resets.iter().map(renumbered).collect(),
        moves: numbers
            .iter()
            .map(|state| machine.moves[*state].iter().map(|next| next.as_ref().map(renumbered)).collect())
            .collect(),
    }
}

#[test]
fn wrong_implementations_of_larger_machines_are_found() {
    let mut random = Random::new(1);
    let (mut n_wrong, mut n_partial) = (0, 0);
    for round in 0..1500 {
        let gaps = round % 3 == 0;
        let n_resets = 1 + random.index(3);
        let (n, letters) = (2 + random.index(5), 2 + random.index(2));
        let spec = random_machine(&mut random, n, letters, n_resets, gaps).minimized().0;
        let separators = Separators::new(&spec);
        if separators.first_inseparable().is_some() {
            continue;
        }
        let is_partial = spec.first_gap().is_some();
        n_partial += usize::from(is_partial);
        let extra = random.index(3);
        for method in METHODS.into_iter().filter(|method| !is_partial || *method == Method::Hsi) {
            let suite = words(&spec, &separators, method, extra, 1_000_000).unwrap();
            for _ in 0..30 {
                let implementation = implementation(&mut random, &spec, extra, n_resets, letters);
                assert!(implementation.n_states() <= spec.n_states() + extra);
                let is_found = suite.iter().any(|word| fails(&spec, &implementation, word));
                assert_eq!(
                    is_found,
                    differs(&spec, &implementation),
                    "{method:?} {extra}: {spec:?} {implementation:?}"
                );
                n_wrong += usize::from(is_found);
            }
        }
    }
    assert!(n_wrong > 20_000 && n_partial > 50, "{n_wrong} {n_partial}");
}

/// The machine with copies of states and a few changes, which are hard to find, or a random machine.
fn implementation(random: &mut Random, spec: &Machine, extra: usize, resets: usize, letters: usize) -> Machine {
    let n = spec.n_states() + extra;
    if random.percent(10) {
        return random_machine(random, n, letters, resets, false);
    }
    let original = |state: usize| if state < spec.n_states() { state } else { state % spec.n_states() };
    let copy = |random: &mut Random, to: usize| {
        let copies: Vec<usize> = (0..n).filter(|state| original(*state) == to).collect();
        copies[random.index(copies.len())]
    };
    let mut moves: Vec<Vec<Option<Move>>> = Vec::new();
    for state in 0..n {
        let row = &spec.moves[original(state)];
        let cell = |next: &Option<Move>| match next {
            Some(next) => Some(Move { to: copy(random, next.to), output: next.output }),
            None => Some(Move { to: random.index(n), output: random.index(2) }),
        };
        moves.push(row.iter().map(cell).collect());
    }
    for _ in 0..=random.index(2) {
        let (state, letter) = (random.index(n), random.index(letters));
        if let Some(next) = &mut moves[state][letter] {
            if random.percent(70) {
                next.to = random.index(n);
            } else {
                next.output = 1 - next.output;
            }
        }
    }
    let resets = spec.resets.iter().map(|first| Move { to: copy(random, first.to), output: first.output }).collect();
    connected(&Machine { resets, moves })
}

/// The fewest tests that take all required arcs, and the fewest steps of as many tests, by exhaustive search.
fn best(n_nodes: usize, start: usize, arcs: &[Arc]) -> (usize, usize) {
    let required: Vec<usize> = (0..arcs.len()).filter(|arc| arcs[*arc].is_required).collect();
    let all = (1usize << required.len()) - 1;
    let mut best = vec![(usize::MAX, usize::MAX); n_nodes << required.len()];
    let mut open = BinaryHeap::from([Reverse(((1, 0), start, 0usize))]);
    while let Some(Reverse((cost, node, taken))) = open.pop() {
        if taken == all {
            return cost;
        }
        let place = (taken * n_nodes) + node;
        if best[place] <= cost {
            continue;
        }
        best[place] = cost;
        open.push(Reverse(((cost.0 + 1, cost.1), start, taken)));
        for (index, arc) in arcs.iter().enumerate().filter(|(_, arc)| arc.from == node) {
            let bit = required.iter().position(|other| *other == index).map_or(0, |at| 1 << at);
            open.push(Reverse(((cost.0, cost.1 + arc.steps), arc.to, taken | bit)));
        }
    }
    unreachable!("all nodes are reachable")
}

#[test]
fn tours_are_shortest() {
    let mut random = Random::new(3);
    let (mut n_single, mut n_several) = (0, 0);
    for _ in 0..2000 {
        let n = 2 + random.index(4);
        let arc = |random: &mut Random, from: usize, is_required: bool| Arc {
            from,
            to: 1 + random.index(n - 1),
            steps: 1 + random.index(2),
            is_required,
        };
        let mut arcs: Vec<Arc> = (0..=random.index(3)).map(|_| arc(&mut random, 0, false)).collect();
        for _ in 0..random.index(8) {
            let from = 1 + random.index(n - 1);
            arcs.push(arc(&mut random, from, true));
        }
        let mut n = n;
        if random.percent(20) {
            arcs.push(Arc { from: 0, to: n, steps: 1, is_required: true });
            n += 1;
        }
        let mut reached = vec![true; 1];
        reached.resize(n, false);
        for _ in 0..n {
            for arc in &arcs {
                reached[arc.to] |= reached[arc.from];
            }
        }
        if reached.contains(&false) || arcs.iter().all(|arc| !arc.is_required) {
            continue;
        }
        let found = tours(n, 0, &arcs, u64::MAX);
        assert!(found.is_shortest);
        let n_steps = valid(&arcs, &found.paths);
        assert_eq!((found.paths.len(), n_steps), best(n, 0, &arcs), "{arcs:?}");
        *if found.paths.len() == 1 { &mut n_single } else { &mut n_several } += 1;
        // Without any work, the tests are longer, but complete.
        let quick = tours(n, 0, &arcs, 0);
        assert!((quick.paths.len(), valid(&arcs, &quick.paths)) >= (found.paths.len(), n_steps));
    }
    assert!(n_single > 50 && n_several > 50, "{n_single} {n_several}");
}

/// The number of steps of paths, which begin at the start and take all required arcs.
fn valid(arcs: &[Arc], paths: &[Vec<usize>]) -> usize {
    for path in paths {
        let mut at = 0;
        for arc in path {
            assert_eq!(arcs[*arc].from, at);
            at = arcs[*arc].to;
        }
    }
    for (index, arc) in arcs.iter().enumerate() {
        assert!(!arc.is_required || paths.iter().any(|path| path.contains(&index)), "{index}");
    }
    paths.iter().flatten().map(|arc| arcs[*arc].steps).sum()
}

const CRITERIA: [&str; 7] = ["state-input", "transition-tour", "switch-1", "switch-2", "w", "wp", "hsi"];

fn options(criterion: &str) -> Options {
    Options { criteria: vec![criterion.into()], max_steps: 2000, ..Options::default() }
}

/// The tests of every criterion are executions, and cover the goals that they are said to cover, as grading sees it.
#[test]
fn tests_of_random_models_cover_their_goals() {
    let mut n_plans = [0; 7];
    for seed in 0..300 {
        let mut model = random_model(seed);
        model.infer_outputs();
        for (at, criterion) in CRITERIA.into_iter().enumerate() {
            let options = options(criterion);
            let (goals, notes) = collect(&model, None, &options);
            let mut run = Run::new(goals.len());
            let guarantees = premade(&model, &goals, &options, &mut run);
            assert_eq!(guarantees.is_empty(), !notes.is_empty(), "seed {seed}: {notes:?}");
            n_plans[at] += guarantees.len();
            if criterion == "state-input" {
                continue;
            }
            assert_eq!(run.counts().covered, goals.len(), "seed {seed}: {criterion}");
            let mut grader = Grader::new(&model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
            for test in &run.tests {
                let reached = grader.reached(&model, &test.trace);
                for (index, goal) in goals.iter().enumerate() {
                    let is_said = test.goals.contains(&goal.id);
                    assert!(!is_said || reached.contains(index), "seed {seed}: {criterion}: {}", goal.description);
                }
            }
        }
    }
    assert!(n_plans.iter().all(|n| *n > 20), "{n_plans:?}");
}

#[test]
fn refusals_say_where() {
    let refusal = |text: &str, criterion: &'static str| {
        let mut model = model(text);
        model.infer_outputs();
        plan(&model, criterion, &options(criterion)).err().unwrap_or_default()
    };
    let lamp = "MODULE main VAR push : boolean; lamp : {off, on}; ASSIGN init(lamp) := off; next(lamp) := ";
    let random = refusal(&format!("{lamp} push ? {{off, on}} : lamp;"), "w");
    assert!(random.contains("lamp=off with input") && random.contains("`lamp` may be off or on"), "{random}");
    // The lamp is not to be pushed while it is on.
    let partial = format!("{lamp} push ? on : lamp; INVAR lamp = on -> !push;");
    assert!(refusal(&partial, "w").contains("in state lamp=on the input push=TRUE is not permitted"));
    assert_eq!(refusal(&partial, "hsi"), "");
    let counter = "MODULE main VAR push : boolean; n : 0..1999; ASSIGN init(n) := 0; \
                   next(n) := push & n < 1999 ? n + 1 : n;";
    let long = refusal(counter, "w");
    assert!(long.contains("the minimal machine has 2000 states"), "{long}");
    assert!(refusal(counter, "switch-2").contains("`--max-steps` allows 2000 steps"));
}

/// Where one input changes at a time, letters are changes, which are permitted everywhere.
#[test]
fn one_change_at_a_time_is_a_complete_machine() {
    let mut model = model(
        "MODULE main VAR a : boolean; b : boolean; lamp : {off, on};
         ASSIGN init(lamp) := off; next(lamp) := case !a & next(a) : on; b & !next(b) : off; TRUE : lamp; esac;
         TRANS (next(a) != a) xor (next(b) != b)",
    );
    model.infer_outputs();
    for criterion in ["w", "wp", "hsi"] {
        let plan = plan(&model, criterion, &options(criterion)).unwrap_or_else(|why| panic!("{criterion}: {why}"));
        assert!(plan.guarantee.text.contains("changes of inputs"), "{}", plan.guarantee.text);
        assert_eq!((plan.guarantee.n_states, plan.guarantee.n_inputs), (7, 2));
    }
}
