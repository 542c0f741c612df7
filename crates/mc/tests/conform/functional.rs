//! Execution of tests on mutants of machines whose assignments determine their steps, against a naive simulation of `run`.

use crate::LIMITS;
use crate::naive::Naive;
use crate::random::random_changes;
use crate::tell::deterministic;
use specwright_mc::{Tester, apply};
use specwright_model::Model;
use specwright_model::interp::{Explorer, Graph, Limits, Random, steps_from};

#[test]
fn mutants_of_functional_machines_execute_tests_as_run_does() {
    let (mut n_killed, mut n_alive, mut n_functional) = (0, 0, 0);
    for seed in 0..crate::n_seeds(1500) {
        let mut random = Random::new(seed);
        let (mut model, text) = deterministic(&mut random);
        let changes = random_changes(&mut model, &mut random);
        let whole = Model { system: apply(&model, &changes), ..model.clone() };
        let Some(naive) = Naive::new(&model, &whole) else { continue };
        let observer = crate::all_sent(&model);
        let mut tester = Tester::new(&model, &observer, LIMITS);
        n_functional += usize::from(tester.is_functional(&changes));
        let graph = Graph::explore(&model, Limits { states: 300, work: 100_000 }).expect("it is small");
        let explorer = Explorer::new(&model);
        for _ in 0..4 {
            let mut test = graph.path_to(random.index(graph.len()));
            for _ in 0..random.index(6) {
                let last = test.states.pop().expect("a path has a state");
                let steps = steps_from(&explorer, &last, 100_000).expect("it is small");
                if steps.is_empty() {
                    test.states.push(last);
                    break;
                }
                let step = random.pick(&steps);
                test.states.extend([step.now.clone(), step.next.clone()]);
            }
            let kills = tester.judge([&test], &changes, false).expect("all has values");
            assert_eq!(
                kills,
                [naive.judge(&test)],
                "seed {seed}: {text}\n{:?}\n{test:?}",
                changes.iter().map(|(_, expr)| model.show_expr(*expr)).collect::<Vec<_>>()
            );
            if kills[0].is_some() { n_killed += 1 } else { n_alive += 1 }
        }
    }
    let counts = [n_killed, n_alive, n_functional];
    assert!(n_killed > 1000 && n_alive > 1000 && n_functional > 600, "{counts:?}");
}
