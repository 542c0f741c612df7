//! Telling states apart, against all sequences of a few inputs.

use crate::LIMITS;
use crate::naive::{Values, inputs, outputs};
use crate::random::random_roles;
use specwright_mc::{Answer, Certainty, Kill, Proof, Tester};
use specwright_model::interp::{Graph, Limits, Random, check_trace};
use specwright_model::testing::random_model;
use specwright_model::{Model, Trace};

/// For each state, the inputs, outputs and states that follow.
type Table = Vec<Vec<(Values, Values, usize)>>;

fn table(model: &Model, graph: &Graph<'_>) -> Option<Table> {
    let after = |from: usize| {
        let edges = graph.edges[from].iter().map(|edge| {
            let (now, next) = (graph.now(from, *edge), &graph.states[edge.to]);
            Some((inputs(model, Some(&now), next), outputs(model, next)?, edge.to))
        });
        edges.collect::<Option<Vec<_>>>()
    };
    (0..graph.len()).map(after).collect()
}

/// Whether some sequence of inputs makes every run leave what its estimate permits.
fn some_sequence_kills(table: &Table, runs: &[(Vec<usize>, usize)], depth: usize) -> bool {
    let Some((first, _)) = runs.first() else { return true };
    if depth == 0 {
        return false;
    }
    let mut all: Vec<&Values> = first.iter().flat_map(|state| table[*state].iter().map(|(input, ..)| input)).collect();
    all.sort();
    all.dedup();
    let answers = |state: usize, input: &Values| -> Vec<(&Values, usize)> {
        table[state].iter().filter(|(other, ..)| other == input).map(|(_, output, to)| (output, *to)).collect()
    };
    all.into_iter().any(|input| {
        let mut next: Vec<(Vec<usize>, usize)> = Vec::new();
        for (estimate, candidate) in runs {
            let own: Vec<_> = estimate.iter().flat_map(|state| answers(*state, input)).collect();
            let refused = estimate.iter().any(|state| answers(*state, input).is_empty());
            let theirs = answers(*candidate, input);
            if own.is_empty() || theirs.is_empty() && refused {
                return false;
            }
            for (output, to) in theirs {
                let mut permitted: Vec<usize> =
                    own.iter().filter(|(other, _)| *other == output).map(|(_, to)| *to).collect();
                permitted.sort_unstable();
                permitted.dedup();
                if !permitted.is_empty() && !next.contains(&(permitted.clone(), to)) {
                    next.push((permitted, to));
                }
            }
        }
        some_sequence_kills(table, &next, depth - 1)
    })
}

#[test]
fn states_are_told_apart_exactly_if_some_inputs_do() {
    let (mut n_apart, mut n_alike) = (0, 0);
    for seed in 0..crate::n_seeds(2500) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed);
        random_roles(&mut model, &mut random);
        let observer = crate::all_sent(&model);
        let Ok(graph) = Graph::explore(&model, Limits { states: 150, work: 100_000 }) else { continue };
        let (Some(first), Some(table)) = (graph.states.first(), table(&model, &graph)) else { continue };
        let mut tester = Tester::new(&model, &observer, LIMITS);
        let looks = |state: usize| (inputs(&model, None, &graph.states[state]), outputs(&model, &graph.states[state]));
        let test = Trace { states: vec![first.clone()], loop_start: None };
        let estimate: Vec<usize> = (0..graph.n_initial).filter(|state| looks(*state) == looks(0)).collect();
        // Other states with the same inputs and outputs.
        for alike in (1..graph.len()).filter(|state| looks(*state) == looks(0)).take(3) {
            let candidate = &graph.states[alike];
            let answer = tester.tell_apart(&test, 0, candidate);
            let place = || format!("seed {seed}: {answer:?}\n{}", specwright_model::testing::random_smv(seed));
            let kills = |depth| some_sequence_kills(&table, &[(estimate.clone(), alike)], depth);
            match &answer {
                Answer::Found(Kill { certainty: Certainty::Certain, trace }) => {
                    n_apart += 1;
                    assert_eq!(check_trace(&model, trace), Ok(()), "{}", place());
                    let told = tester.tells_apart(trace, 0, candidate);
                    assert_eq!(told, Ok(Some(Certainty::Certain)), "{}", place());
                    let n_steps = trace.states.len() - 1;
                    assert!(n_steps > 2 || kills(n_steps), "{}", place());
                    assert!(!kills((n_steps - 1).min(2)), "{} could be shorter", place());
                }
                Answer::Impossible(proof) => {
                    n_alike += 1;
                    assert!(matches!(proof, Proof::Conforming | Proof::Equivalent), "{}", place());
                    assert!(!kills(2), "{}", place());
                }
                _ => {}
            }
        }
    }
    assert!(n_apart > 50 && n_alike > 500, "{n_apart} apart, {n_alike} alike");
}
