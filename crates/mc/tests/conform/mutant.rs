//! Engines of mutants, differences and bisimulation, against the explicit graphs of both machines.

use crate::LIMITS;
use crate::random::{random_changes, random_roles};
use rustc_hash::FxHashMap;
use specwright_mc::{Behaviour, BuildError, Difference, Invalid, Labels, Options, Place, Symbolic, apply};
use specwright_model::interp::{Graph, Random, check_trace, eval_bool, support};
use specwright_model::model::VarKind;
use specwright_model::testing::{self, random_model, random_smv, random_tasks};
use specwright_model::{ExprId, Model, State, TransitionSystem, Value, VarId};

#[derive(Default, Debug)]
struct Counts {
    same: usize,
    fewer: usize,
    added: usize,
    removed: usize,
    bisimilar: usize,
    distinct: usize,
    invalid: usize,
    failing: usize,
}

#[test]
fn mutants_on_shared_diagrams_are_judged_as_machines_of_their_own() {
    let mut counts = Counts::default();
    for seed in 0..crate::n_seeds(1500) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed);
        random_roles(&mut model, &mut random);
        let Ok(mut engine) = Symbolic::new(model.system.clone(), &Options::default()) else { continue };
        if seed.is_multiple_of(2) {
            remember(&mut engine, &model);
        }
        for round in 0..4 {
            let mut changes = random_changes(&mut model, &mut random);
            changes.retain(|(place, _)| !matches!(place, Place::Define(_)));
            let at = format!("seed {seed}, round {round}\n{}", random_smv(seed));
            let alone = apply(&model, &changes);
            let fresh = Symbolic::new(alone.clone(), &Options { traces: false, ..Options::default() });
            let (mut mutant, mut fresh) = match (engine.mutant(&changes), fresh) {
                (Ok(mutant), Ok(fresh)) => (mutant, fresh),
                (Err(BuildError::Undefined(_)), Err(BuildError::Undefined(_))) => continue,
                (one, other) => panic!("{at}: {:?} {:?}", one.err(), other.err()),
            };
            let invalid = engine.invalid(&mut mutant, &changes).unwrap();
            for property in &model.properties {
                let other = fresh.check(property);
                let mut one = mutant.check(property);
                // Where only states that are not reached are undefined, the reachable states tell.
                if one != other {
                    assert!(one.is_undecided(), "{one:?} {other:?} {property:?} {at}");
                    mutant.explore_exactly().unwrap();
                    one = mutant.check(property);
                }
                assert_eq!(one, other, "{at}");
                counts.failing += usize::from(one.is_found());
            }
            let (Ok(one), Ok(other)) = (Graph::explore(&model, LIMITS), Graph::explore(&alone, LIMITS)) else {
                continue;
            };
            let (one, other) = (Plain::new(&model, &one), Plain::new(&alone, &other));
            match invalid {
                Some(Invalid::NoInitialState) => assert!(other.initial.is_empty(), "{at}"),
                found => {
                    let dead = other.dead().into_iter().any(|state| !one.dead().contains(&state));
                    assert_eq!(found == Some(Invalid::DeadEnd), dead, "{at}");
                }
            }
            counts.invalid += usize::from(invalid.is_some());
            let same = one.edges == other.edges && one.initial == other.initial;
            let behaviour = engine.behaviour(&mutant, &changes).unwrap();
            assert_eq!(behaviour == Behaviour::Same, same, "{at}");
            if behaviour == Behaviour::Fewer {
                let is_of_model = |(from, steps): (&State, &Vec<Step>)| {
                    one.edges.get(from).is_some_and(|known| steps.iter().all(|step| known.contains(step)))
                };
                assert!(other.edges.iter().all(is_of_model), "{at}");
                assert!(other.initial.iter().all(|state| one.initial.contains(state)), "{at}");
                counts.fewer += 1;
            }
            counts.same += usize::from(same);
            match engine.difference(&mut mutant, &changes).unwrap() {
                None => assert!(same, "{at}"),
                Some(Difference::Added(trace)) => {
                    assert_eq!(check_trace(&alone, &trace), Ok(()), "{at}");
                    assert!(check_trace(&model, &trace).is_err(), "{at}");
                    counts.added += 1;
                }
                Some(Difference::Removed(trace)) => {
                    assert_eq!(check_trace(&model, &trace), Ok(()), "{at}");
                    assert!(check_trace(&alone, &trace).is_err(), "{at}");
                    counts.removed += 1;
                }
                Some(Difference::Define(_)) => panic!("{at}: no define was changed"),
                Some(difference) => panic!("{at}: no fairness constraint was changed: {difference:?}"),
            }
            let vars =
                model.vars().filter(|(var, of)| of.kind != VarKind::Input && seen(*var, seed)).map(|(var, _)| var);
            let labels = Labels { vars: vars.collect(), values: Vec::new() };
            // Fairness of steps is a matter of the random audits.
            let of_steps = one
                .justice
                .iter()
                .any(|expr| support(&model, *expr).now.iter().any(|var| model[*var].kind == VarKind::Input));
            if let Ok(bisimilar) = engine.is_bisimilar(&mut mutant, &changes, &labels)
                && !same
                && !of_steps
            {
                assert_eq!(bisimilar, one.is_bisimilar(&other, &model, &labels), "{at}\n{labels:?}");
                *(if bisimilar { &mut counts.bisimilar } else { &mut counts.distinct }) += 1;
            }
        }
    }
    let Counts { same, fewer, added, removed, bisimilar, distinct, invalid, failing } = counts;
    assert!(
        [same, fewer, added, removed, bisimilar, distinct, invalid, failing].into_iter().all(|n| n > 20),
        "{counts:?}"
    );
}

/// Lets mutants use what the checks of the model find.
fn remember(engine: &mut Symbolic, model: &Model) {
    engine.remember_searches();
    for property in &model.properties {
        engine.is_violated(property);
    }
}

#[test]
fn verdicts_on_mutants_of_tasks_that_take_turns_are_those_of_machines_of_their_own() {
    let (mut n_holding, mut n_failing, mut n_invalid) = (0, 0, 0);
    for seed in 0..crate::n_seeds(24) {
        let mut random = Random::new(seed);
        let text = random_tasks(seed);
        let mut model = testing::model(&text);
        let Ok(mut engine) = Symbolic::new(model.system.clone(), &Options::default()) else { continue };
        remember(&mut engine, &model);
        for round in 0..6 {
            let mut changes = random_changes(&mut model, &mut random);
            changes.retain(|(place, _)| !matches!(place, Place::Define(_)));
            let at = format!("seed {seed}, round {round}, {changes:?}\n{text}");
            let alone = apply(&model, &changes);
            let fresh = Symbolic::new(alone.clone(), &Options { traces: false, ..Options::default() });
            let (Ok(mut mutant), Ok(mut fresh)) = (engine.mutant(&changes), fresh) else { continue };
            n_invalid += usize::from(engine.invalid(&mut mutant, &changes).unwrap().is_some());
            for property in &model.properties {
                let (mut one, other) = (mutant.check(property), fresh.check(property));
                if one != other {
                    assert!(one.is_undecided(), "{one:?} {other:?} {property:?} {at}");
                    mutant.explore_exactly().unwrap();
                    one = mutant.check(property);
                }
                assert_eq!(one, other, "{property:?} {at}");
                n_failing += usize::from(one.is_found());
                n_holding += usize::from(one.is_impossible());
            }
            if round > 0 {
                // Graphs of tasks take long.
                continue;
            }
            let (Ok(one), Ok(other)) = (Graph::explore(&model, LIMITS), Graph::explore(&alone, LIMITS)) else {
                continue;
            };
            let (one, other) = (Plain::new(&model, &one), Plain::new(&alone, &other));
            let is_same = one.edges == other.edges && one.initial == other.initial;
            assert_eq!(engine.behaviour(&mutant, &changes).unwrap() == Behaviour::Same, is_same, "{at}");
            match engine.difference(&mut mutant, &changes).unwrap() {
                None => assert!(is_same, "{at}"),
                Some(Difference::Added(trace)) => {
                    assert_eq!(check_trace(&alone, &trace), Ok(()), "{at}");
                    assert!(check_trace(&model, &trace).is_err(), "{at}");
                }
                Some(Difference::Removed(trace)) => {
                    assert_eq!(check_trace(&model, &trace), Ok(()), "{at}");
                    assert!(check_trace(&alone, &trace).is_err(), "{at}");
                }
                Some(difference) => panic!("{at}: nothing else was changed: {difference:?}"),
            }
        }
    }
    assert!(n_holding > 100 && n_failing > 100 && n_invalid > 5, "{n_holding} {n_failing} {n_invalid}");
}

/// Whether a variable is in the labels.
fn seen(var: VarId, seed: u64) -> bool {
    !(u64::from(var.0) + seed).is_multiple_of(3)
}

/// The inputs of a step, and the state after it.
type Step = (Vec<Option<Value>>, State);

/// A graph with states as values: initial states, and steps with their inputs.
struct Plain {
    states: Vec<State>,
    initial: Vec<State>,
    /// From each state, the inputs and the state after it.
    edges: FxHashMap<State, Vec<Step>>,
    justice: Vec<ExprId>,
}

impl Plain {
    fn new(system: &TransitionSystem, graph: &Graph<'_>) -> Plain {
        let states: Vec<State> = graph.states.iter().cloned().collect();
        let inputs: Vec<VarId> =
            system.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(var, _)| var).collect();
        let mut edges = FxHashMap::default();
        for (from, out) in graph.edges.iter().enumerate() {
            let step = |edge: &specwright_model::interp::Edge| {
                let now = graph.now(from, *edge);
                (inputs.iter().map(|var| now.get(*var)).collect(), states[edge.to].clone())
            };
            let steps: Vec<Step> = out.iter().map(step).collect();
            edges.insert(states[from].clone(), steps);
        }
        let compassion = system.compassion.iter().flat_map(|(cause, effect)| [cause, effect]);
        let justice = system.justice.iter().chain(compassion).map(|written| written.expr).collect();
        Plain { initial: states[..graph.n_initial].to_vec(), states, edges, justice }
    }

    fn dead(&self) -> Vec<&State> {
        self.states.iter().filter(|state| self.edges[*state].is_empty()).collect()
    }

    /// The greatest bisimulation, pair by pair.
    fn is_bisimilar(&self, other: &Plain, system: &TransitionSystem, labels: &Labels) -> bool {
        let label = |state: &State| {
            let vars = labels.vars.iter().map(|var| state.get(*var)).collect::<Vec<_>>();
            (vars, self.justice.iter().map(|expr| eval_bool(system, *expr, state, None).ok()).collect::<Vec<_>>())
        };
        let mut related: std::collections::HashSet<(&State, &State)> = std::collections::HashSet::new();
        for one in &self.states {
            related.extend(other.states.iter().filter(|other| label(one) == label(other)).map(|other| (one, other)));
        }
        loop {
            let follows = |(one, other_state): &(&State, &State)| {
                let (mine, theirs) = (&self.edges[*one], &other.edges[*other_state]);
                mine.iter().all(|(input, next)| theirs.iter().any(|(i, n)| i == input && related.contains(&(next, n))))
                    && theirs
                        .iter()
                        .all(|(input, next)| mine.iter().any(|(i, n)| i == input && related.contains(&(n, next))))
            };
            let smaller: std::collections::HashSet<_> = related.iter().copied().filter(follows).collect();
            if smaller.len() == related.len() {
                break;
            }
            related = smaller;
        }
        self.initial.iter().all(|one| other.initial.iter().any(|state| related.contains(&(one, state))))
            && other.initial.iter().all(|state| self.initial.iter().any(|one| related.contains(&(one, state))))
    }
}
