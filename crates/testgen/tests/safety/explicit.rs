//! Comparison with explicit search: which mutants of random machines are dangerous, and the lengths of shortest tests.

use crate::{engine, go_on, mutants};
use specwright_mc::Symbolic;
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Graph, Limits, Step, check_state, check_step, eval_bool, steps_from};
use specwright_model::model::{Var, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::testing::random_model;
use specwright_model::{ExprId, Model, Node, State, Value, VarId};
use specwright_testgen::safety::{Analysis, Class, Danger, Invariant, Tests, analyse};
use specwright_testgen::suite::Expect;
use std::collections::{BTreeMap, BTreeSet};

/// Maximal work for each state, in values tried and operators evaluated.
const WORK: u64 = 100_000;

/// The union of both machines, state by state.
struct Union {
    /// The states without inputs, those of the original first.
    states: Vec<State>,
    /// The distance of each state of the original.
    rings: Vec<usize>,
    /// The successors by a step of either machine.
    after: Vec<BTreeSet<usize>>,
    /// The successors by a step of the mutant that the original does not have.
    departures: Vec<BTreeSet<usize>>,
    /// Whether some departure has inputs that the original does not allow.
    frees_inputs: bool,
    /// Whether the original has a step that the mutant does not have.
    loses: bool,
}

impl Union {
    fn new(original: &Model, mutant: &Model) -> Option<Union> {
        let graph = Graph::explore(original, Limits { states: 300, work: WORK }).ok()?;
        let mut union = Union {
            states: graph.states.iter().cloned().collect(),
            rings: graph.rings.clone(),
            after: Vec::new(),
            departures: Vec::new(),
            frees_inputs: false,
            loses: false,
        };
        let mut index: BTreeMap<State, usize> = union.states.iter().cloned().zip(0..).collect();
        let explorers = [(original, Explorer::new(original)), (mutant, Explorer::new(mutant))];
        while union.after.len() < union.states.len() {
            let from = union.after.len();
            let now = union.states[from].clone();
            let (mut after, mut departures) = (BTreeSet::new(), BTreeSet::new());
            let (mut taken, mut given) = (BTreeSet::new(), BTreeSet::new());
            for (turn, (machine, explorer)) in explorers.iter().enumerate() {
                if check_state(machine, &now).is_err() {
                    continue;
                }
                for step in steps_from(explorer, &now, WORK).ok()? {
                    let to = *index.entry(step.next.clone()).or_insert(union.states.len());
                    if to == union.states.len() {
                        union.states.push(step.next.clone());
                    }
                    after.insert(to);
                    let other = explorers[1 - turn].0;
                    let is_shared =
                        check_state(other, &now).is_ok() && check_step(other, &step.now, &step.next).is_ok();
                    if !is_shared && turn == 1 {
                        departures.insert(to);
                        given.insert(inputs(original, &step));
                    } else {
                        taken.insert(inputs(original, &step));
                    }
                    union.loses |= !is_shared && turn == 0 && from < union.rings.len();
                }
            }
            if union.states.len() > 2000 {
                return None;
            }
            union.frees_inputs |= from < union.rings.len() && !given.is_subset(&taken);
            union.after.push(after);
            union.departures.push(departures);
        }
        Some(union)
    }

    /// The length of the shortest failing test for each danger, in states; `None` if there is no dangerous trace.
    fn shortest(&self, is_bad: &[bool]) -> [Option<usize>; 4] {
        let n = self.states.len();
        // The distance to a violation, if it is reachable.
        let mut away: Vec<Option<usize>> = is_bad.iter().map(|bad| bad.then_some(0)).collect();
        for distance in 0..n {
            let near: Vec<usize> = (0..n)
                .filter(|state| away[*state].is_none())
                .filter(|state| self.after[*state].iter().any(|after| away[*after] == Some(distance)))
                .collect();
            for state in near {
                away[state] = Some(distance + 1);
            }
        }
        let mut inevitable = is_bad.to_vec();
        for _ in 0..n {
            for state in 0..n {
                let after = &self.after[state];
                inevitable[state] |= !after.is_empty() && after.iter().all(|after| inevitable[*after]);
            }
        }
        Danger::ALL.map(|danger| {
            let mut best = None;
            for (state, ring) in self.rings.iter().enumerate() {
                let departures = &self.departures[state];
                let is_dangerous = match danger {
                    Danger::Ax => !departures.is_empty() && departures.iter().all(|to| is_bad[*to]),
                    Danger::Ex => departures.iter().any(|to| is_bad[*to]),
                    Danger::Af => !departures.is_empty() && departures.iter().all(|to| inevitable[*to]),
                    Danger::Ef => departures.iter().any(|to| away[*to].is_some()),
                };
                let ends = departures.iter().filter_map(|to| away[*to]);
                let end = ends.filter(|end| !danger.is_immediate() || *end == 0).min();
                let length = end.filter(|_| is_dangerous).map(|end| ring + 1 + end + 1);
                best = [best, length].into_iter().flatten().min();
            }
            best
        })
    }
}

/// The inputs of the tester in a step: the inputs of the step, and the next values of variables whose role is input.
fn inputs(model: &Model, step: &Step) -> Vec<Option<Value>> {
    let inputs = model.vars().filter(|(id, var)| model.role(*id) == Role::Input || var.kind == VarKind::Input);
    let value = |(id, var): (VarId, &Var)| match var.kind {
        VarKind::Input => step.now.get(id),
        _ => step.next.get(id),
    };
    inputs.map(value).collect()
}

/// Conditions that all reachable states satisfy: values that variables, or pairs of them, never have.
pub(crate) fn unreached(model: &Model, most: usize) -> Vec<Invariant> {
    let Ok(graph) = Graph::explore(model, Limits { states: 300, work: WORK }) else { return Vec::new() };
    let states: Vec<State> = graph.states.iter().cloned().collect();
    let vars: Vec<VarId> = model.vars().filter(|(_, var)| var.kind != VarKind::Input).map(|(id, _)| id).collect();
    let facts: Vec<(VarId, Value)> =
        vars.iter().flat_map(|var| model[*var].domain.values().take(6).map(|value| (*var, value))).collect();
    let has = |state: &State, fact: &(VarId, Value)| state.get(fact.0) == Some(fact.1);
    let mut never: Vec<Vec<(VarId, Value)>> = Vec::new();
    for fact in &facts {
        if !states.iter().any(|state| has(state, fact)) {
            never.push(vec![*fact]);
        }
    }
    for (index, one) in facts.iter().enumerate() {
        for other in facts[index + 1..].iter().filter(|other| other.0 != one.0) {
            let is_new = !never.iter().any(|facts| facts.len() == 1 && (facts[0] == *one || facts[0] == *other));
            if is_new && !states.iter().any(|state| has(state, one) && has(state, other)) {
                never.push(vec![*one, *other]);
            }
        }
    }
    never.truncate(most);
    let make = |node| model.make(node).expect("a test may fail here");
    let mut invariants = Vec::new();
    for (index, facts) in never.iter().enumerate() {
        let equal: Vec<ExprId> = facts
            .iter()
            .map(|(var, value)| {
                let (var, value) = (make(Node::Var(*var)), make(Node::Const(*value)));
                make(Node::Binary(BinaryOp::Eq, var, value))
            })
            .collect();
        let all = equal.into_iter().reduce(|a, b| make(Node::Binary(BinaryOp::And, a, b))).expect("not empty");
        invariants.push(Invariant { name: format!("p{index}"), expr: make(Node::Unary(UnaryOp::Not, all)) });
    }
    invariants
}

/// A random machine with such invariants, and some of its mutants.
pub(crate) fn example(seed: u64, most: usize) -> Option<(Model, Symbolic, Analysis)> {
    let model = random_model(seed);
    let mut engine = engine(&model);
    let invariants = unreached(&model, 3);
    if invariants.is_empty() {
        return None;
    }
    let all = mutants(&model, &["all"]);
    let stride = all.len().div_ceil(most).max(1);
    let some = all.into_iter().skip(seed as usize % stride).step_by(stride).collect();
    let analysis = analyse(&model, &mut engine, invariants, some, true, &std::collections::BTreeMap::new(), &mut go_on);
    Some((model, engine, analysis))
}

#[test]
fn mutants_are_as_dangerous_as_explicit_search_says() {
    let mut n_having = [0; 4];
    let (mut n_later, mut n_harmless, mut n_equivalent) = (0, 0, 0);
    for seed in 0..300 {
        let Some((model, _, analysis)) = example(seed, 12) else { continue };
        for found in &analysis.found {
            let place = || format!("seed {seed}, {} {}", found.mutant.id, found.mutant.description(&model));
            let mutated = found.mutant.apply(&model);
            if found.class == Class::Undefined {
                continue;
            }
            let Some(union) = Union::new(&model, &mutated) else { continue };
            let departs = union.departures[..union.rings.len()].iter().any(|to| !to.is_empty());
            let class = match (departs, union.loses) {
                (true, _) => Class::Departing,
                (false, true) => Class::Restricting,
                (false, false) => Class::Equivalent,
            };
            assert_eq!(found.class, class, "{}", place());
            n_equivalent += usize::from(class == Class::Equivalent);
            for (property, invariant) in analysis.invariants.iter().enumerate() {
                let is_bad = |state: &State| eval_bool(&model, invariant.expr, state, None) == Ok(false);
                let shortest = union.shortest(&union.states.iter().map(is_bad).collect::<Vec<_>>());
                let [ax, ex, af, ef] = Danger::ALL.map(|danger| found.has(property, danger) == Some(true));
                for (danger, (shortest, n)) in Danger::ALL.into_iter().zip(shortest.iter().zip(&mut n_having)) {
                    let has = found.has(property, danger);
                    assert_eq!(has, Some(shortest.is_some()), "{}: {} {}", place(), danger.name(), invariant.name);
                    *n += usize::from(has == Some(true));
                }
                assert!((!ax || ex && af) && (!ex || ef) && (!af || ef), "{}", place());
                n_later += usize::from(ef && !ex);
                n_harmless += usize::from(class == Class::Departing && !ef);
            }
        }
    }
    // The test is not vacuous.
    assert!(n_having.iter().all(|n| *n > 100), "{n_having:?}");
    assert!(n_later > 30 && n_harmless > 100 && n_equivalent > 50, "{n_later} {n_harmless} {n_equivalent}");
}

#[test]
fn mutants_of_the_environment_are_those_that_free_inputs() {
    let (mut n_kept, mut n_left) = (0, 0);
    for seed in 0..150 {
        let model = random_model(seed);
        let mut engine = engine(&model);
        let invariants = unreached(&model, 1);
        let all = mutants(&model, &["all"]);
        let stride = all.len().div_ceil(10).max(1);
        for mutant in all.into_iter().step_by(stride) {
            let analysis = analyse(
                &model,
                &mut engine,
                invariants.clone(),
                vec![mutant.clone()],
                false,
                &std::collections::BTreeMap::new(),
                &mut go_on,
            );
            if analysis.n_without_steps == 1 || analysis.found.iter().any(|found| found.class == Class::Undefined) {
                continue;
            }
            let Some(union) = Union::new(&model, &mutant.apply(&model)) else { continue };
            let has_system = model.vars().any(|(var, _)| model.role(var) != Role::Input);
            assert_eq!(analysis.n_environment == 1, union.frees_inputs && has_system, "seed {seed}, {}", mutant.id);
            (n_kept, n_left) = (n_kept + analysis.found.len(), n_left + analysis.n_environment);
        }
    }
    assert!(n_kept > 200 && n_left > 20, "{n_kept} {n_left}");
}

#[test]
fn tests_are_as_short_as_explicit_search_finds_them() {
    let mut n_tests = 0;
    for seed in 0..150 {
        let model = random_model(seed);
        let mut engine = engine(&model);
        let invariants = unreached(&model, 2);
        let all = mutants(&model, &["all"]);
        let stride = all.len().div_ceil(3).max(1);
        for mutant in all.into_iter().skip(seed as usize % stride).step_by(stride) {
            let Some(union) = Union::new(&model, &mutant.apply(&model)) else { continue };
            for invariant in &invariants {
                let is_bad = |state: &State| eval_bool(&model, invariant.expr, state, None) == Ok(false);
                let shortest = union.shortest(&union.states.iter().map(is_bad).collect::<Vec<_>>());
                let (one, mutant) = (vec![invariant.clone()], vec![mutant.clone()]);
                let analysis =
                    analyse(&model, &mut engine, one, mutant, true, &std::collections::BTreeMap::new(), &mut go_on);
                if analysis.found.iter().any(|found| found.class == Class::Undefined) {
                    continue;
                }
                for (danger, shortest) in Danger::ALL.into_iter().zip(shortest) {
                    let tests = Tests::new(&mut engine, &analysis, &[danger], &mut go_on);
                    let suite = tests.suite(&model, &analysis);
                    let failing = suite.tests.iter().find(|test| test.expect == Expect::Reject);
                    let length = failing.map(|test| test.trace.states.len());
                    assert_eq!(length, shortest, "seed {seed}, {} {}", danger.name(), invariant.name);
                    n_tests += usize::from(length.is_some());
                }
            }
        }
    }
    assert!(n_tests > 50, "only {n_tests}");
}
