//! Small models, explored, replayed and checked.

use super::kit::{Kit, written};
use super::*;
use crate::expr::Node;
use crate::model::{AssignKind, Model, Property, PropertyKind, VarKind};
use crate::op::{BinaryOp, BoundedOp, UnaryOp};
use crate::state::{State, Trace};
use crate::value::{Domain, Value};
use specwright_syntax::span::Span;

/// A counter to three that an input moves on, and a bit that may be anything.
fn counter() -> Kit {
    let mut kit = Kit::default();
    let (x, b, go) = (kit.range("x", 0, 3), kit.boolean("b"), kit.input("go"));
    let (zero, three, one) = (kit.int(0), kit.int(3), kit.int(1));
    kit.assign(AssignKind::Init, x, zero);
    let more = kit.bin(BinaryOp::Add, x, one);
    let room = kit.bin(BinaryOp::Lt, x, three);
    let moves = kit.bin(BinaryOp::And, go, room);
    let value = kit.node(Node::Ite(moves, more, x));
    kit.assign(AssignKind::Next, x, value);
    // The bit can only be on while the counter is not at its end.
    let allowed = kit.bin(BinaryOp::Implies, b, room);
    kit.0.invar.push(written(allowed));
    kit
}

fn explore(model: &Model) -> Graph<'_> {
    Graph::explore(model, Limits::default()).unwrap()
}

fn show(model: &Model, state: &State) -> String {
    let values = state.values().iter().map(|value| value.map_or("-".into(), |value| model.show(value)));
    values.collect::<Vec<_>>().join(" ")
}

#[test]
fn states_and_steps_come_in_declared_order() {
    let model = counter().0;
    let initial = initial_states(&model, 1000).unwrap();
    assert_eq!(initial.iter().map(|state| show(&model, state)).collect::<Vec<_>>(), ["0 FALSE -", "0 TRUE -"]);
    let explorer = Explorer::new(&model);
    let steps = steps_from(&explorer, &initial[1], 1000).unwrap();
    let shown: Vec<String> =
        steps.iter().map(|step| show(&model, &step.now) + " | " + &show(&model, &step.next)).collect();
    assert_eq!(
        shown,
        ["0 TRUE FALSE | 0 FALSE -", "0 TRUE FALSE | 0 TRUE -", "0 TRUE TRUE | 1 FALSE -", "0 TRUE TRUE | 1 TRUE -"]
    );
    let mut guided = initial[0].clone();
    guided.set(crate::VarId(2), Value::Bool(true));
    let mut wanted = State::empty(3);
    wanted.set(crate::VarId(1), Value::Bool(false));
    let found: Vec<Step> = explorer.steps(&guided).like(&wanted).collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(show(&model, &found[0].next), "1 FALSE -");
}

#[test]
fn random_order_finds_the_same_states() {
    let model = counter().0;
    let explorer = Explorer::new(&model);
    for seed in 0..20 {
        let shuffled = explorer.initial().shuffled(Random::new(seed));
        let mut found: Vec<State> = shuffled.map(|step| step.unwrap().next).collect();
        found.sort_by_cached_key(|state| state.rank(&model));
        assert_eq!(found, initial_states(&model, 1000).unwrap());
    }
}

#[test]
fn limits_and_unbounded_variables_are_values() {
    let model = counter().0;
    assert_eq!(initial_states(&model, 2), Err(SearchError::Limit));
    assert!(matches!(Graph::explore(&model, Limits { states: 3, work: 1000 }), Err(SearchError::Limit)));
    let mut kit = Kit::default();
    kit.var("n", Domain::Integer, VarKind::State);
    let error = initial_states(&kit.0, 1000).unwrap_err();
    assert_eq!(error, SearchError::Unbounded(crate::VarId(0)));
    assert!(error.describe(&kit.0).contains("`n`"));
}

#[test]
fn unbounded_variables_take_the_values_that_they_are_given() {
    let mut kit = Kit::default();
    let n = kit.var("n", Domain::Integer, VarKind::State);
    let million = kit.int(1_000_000);
    let start = kit.bin(BinaryOp::Eq, n, million);
    kit.0.init.push(written(start));
    let (later, one) = (kit.next(n), kit.int(1));
    let more = kit.bin(BinaryOp::Add, n, one);
    let step = kit.bin(BinaryOp::Eq, later, more);
    kit.0.trans.push(written(step));
    let initial = initial_states(&kit.0, 1000).unwrap();
    let steps = steps_from(&Explorer::new(&kit.0), &initial[0], 1000).unwrap();
    assert_eq!(show(&kit.0, &steps[0].next), "1000001");
}

#[test]
fn an_assignment_outside_the_domain_is_an_error_and_a_constraint_is_not() {
    let mut kit = Kit::default();
    let x = kit.range("x", 0, 1);
    let two = kit.int(2);
    let equal = kit.bin(BinaryOp::Eq, x, two);
    let mut other = Kit(kit.0.clone());
    kit.0.init.push(written(equal));
    assert_eq!(initial_states(&kit.0, 1000), Ok(vec![]));
    other.assign(AssignKind::Init, x, two);
    assert!(matches!(initial_states(&other.0, 1000), Err(SearchError::OutOfDomain { .. })));
}

#[test]
fn a_conjunct_without_a_value_is_forgiven_if_another_is_false() {
    let mut kit = Kit::default();
    let (x, y) = (kit.range("x", 0, 2), kit.range("y", 0, 2));
    let quotient = kit.bin(BinaryOp::Div, x, y);
    let first = kit.eq(quotient, 1);
    let zero = kit.int(0);
    let second = kit.bin(BinaryOp::Ne, y, zero);
    let both = kit.bin(BinaryOp::And, first, second);
    let mut other = Kit(kit.0.clone());
    kit.0.init.push(written(both));
    assert_eq!(initial_states(&kit.0, 1000).unwrap().len(), 2);
    other.0.init.push(written(first));
    assert!(matches!(initial_states(&other.0, 1000), Err(SearchError::Eval { .. })));
}

#[test]
fn the_graph_has_rings_shortest_paths_and_deadlocks() {
    let mut kit = counter();
    let (x, last) = (kit.node(Node::Var(crate::VarId(0))), 3);
    let full = kit.eq(x, last);
    let stop = kit.un(UnaryOp::Not, full);
    kit.0.trans.push(written(stop));
    let graph = explore(&kit.0);
    assert_eq!(graph.len(), 7);
    assert_eq!(graph.rings, [0, 0, 1, 1, 2, 2, 3]);
    assert_eq!(graph.deadlocks(), [6]);
    let path = graph.path_to(6);
    assert_eq!(path.states.len(), 4);
    assert_eq!(check_trace(&kit.0, &path), Ok(()));
}

#[test]
fn replay_says_what_is_wrong_and_where() {
    let kit = counter();
    let model = &kit.0;
    let state = |x: i64, b: bool, go: Option<bool>| {
        let mut state = kit.state(&[Value::Int(x), Value::Bool(b)]);
        state.set(crate::VarId(2), go.map(Value::Bool));
        state
    };
    let check = |states: Vec<State>, loop_start: Option<usize>, expected: &str| {
        let found = check_trace(model, &Trace { states, loop_start });
        assert_eq!(found.map_or_else(|error| error.describe(model), |()| "ok".into()), expected);
    };
    let (go, stay) = (Some(true), Some(false));
    check(vec![], None, "the trace has no states");
    check(vec![state(0, true, go), state(1, true, None)], None, "ok");
    check(vec![state(0, true, go), state(1, true, stay)], Some(1), "ok");
    check(vec![state(0, true, go), state(1, true, None)], Some(1), "state 2: `go` has no value");
    check(
        vec![state(0, true, go), state(1, true, go)],
        Some(1),
        "the step from state 2 to state 3: `x` is 1, but its next assignment gives 2",
    );
    check(vec![state(0, true, go)], Some(4), "the loop starts at state 5, which is not there");
    check(vec![state(1, true, None)], None, "state 1: `x` is 1, but its initial assignment gives 0");
    check(vec![state(0, true, None), state(0, true, None)], None, "state 1: `go` has no value");
    check(vec![state(7, true, None)], None, "state 1: `x` cannot be 7");
    let climb = |b| vec![state(0, false, go), state(1, false, go), state(2, false, go), state(3, b, None)];
    check(climb(false), None, "ok");
    check(climb(true), None, "the step from state 3 to state 4: an invariant constraint of the model is false");
}

/// The answer to a property.
fn ask(model: &mut Kit, kind: PropertyKind, formula: crate::ExprId, target: Option<crate::ExprId>) -> Answer {
    let property =
        Property { name: None, kind, formula: written(formula), target: target.map(written), span: Span::NONE };
    check_property(&explore(&model.0), &property).unwrap()
}

#[test]
fn ctl_counts_fair_paths_only() {
    let mut kit = counter();
    let x = kit.node(Node::Var(crate::VarId(0)));
    let full = kit.eq(x, 3);
    let inevitable = kit.un(UnaryOp::AF, full);
    let possible = kit.un(UnaryOp::EF, full);
    let always = kit.un(UnaryOp::AG, possible);
    assert_eq!(ask(&mut kit, PropertyKind::Ctl, inevitable, None), Answer::Fails);
    assert_eq!(ask(&mut kit, PropertyKind::Ctl, always, None), Answer::Holds);
    // Whoever goes on again and again arrives: justice may look at inputs.
    let go = kit.node(Node::Var(crate::VarId(2)));
    kit.0.justice.push(written(go));
    assert_eq!(ask(&mut kit, PropertyKind::Ctl, inevitable, None), Answer::Holds);
    // With a deadlock at the end there is no infinite path left, so everything universal holds, and nothing can fail.
    let stop = kit.un(UnaryOp::Not, full);
    kit.0.trans.push(written(stop));
    let no = kit.truth(false);
    assert_eq!(ask(&mut kit, PropertyKind::Ctl, no, None), Answer::Holds);
    assert_eq!(ask(&mut kit, PropertyKind::Invar, stop, None), Answer::Fails);
    // An invariant that looks at inputs is about steps, and no step leaves the end.
    let either = kit.bin(BinaryOp::Or, stop, go);
    assert_eq!(ask(&mut kit, PropertyKind::Invar, either, None), Answer::Holds);
}

#[test]
fn bounded_operators_and_lengths() {
    let mut kit = counter();
    let x = kit.node(Node::Var(crate::VarId(0)));
    let (start, full) = (kit.eq(x, 0), kit.eq(x, 3));
    let mut bounded = |op, low, high, expected| {
        let formula = kit.node(Node::Bounded(op, low, Some(high), full));
        assert_eq!(ask(&mut kit, PropertyKind::Ctl, formula, None), expected, "{op:?} {low}..{high}");
    };
    bounded(BoundedOp::EBF, 0, 2, Answer::Fails);
    bounded(BoundedOp::EBF, 0, 3, Answer::Holds);
    bounded(BoundedOp::EBF, 5, 5, Answer::Holds);
    bounded(BoundedOp::EBF, 0, u64::MAX, Answer::Holds);
    bounded(BoundedOp::ABF, 0, 9, Answer::Fails);
    bounded(BoundedOp::EBG, 3, 1_000_000_000_000, Answer::Holds);
    bounded(BoundedOp::EBG, 2, 3, Answer::Fails);
    bounded(BoundedOp::EBG, 4, 3, Answer::Holds);
    bounded(BoundedOp::ABG, 0, 1, Answer::Fails);
    let length = |answer: Answer| match answer {
        Answer::Length(length) => length,
        _ => panic!("not a length"),
    };
    assert_eq!(length(ask(&mut kit, PropertyKind::ComputeMin, start, Some(full))), Length::Steps(3));
    assert_eq!(length(ask(&mut kit, PropertyKind::ComputeMax, start, Some(full))), Length::Infinite);
    assert_eq!(length(ask(&mut kit, PropertyKind::ComputeMax, full, Some(full))), Length::Steps(0));
    assert_eq!(length(ask(&mut kit, PropertyKind::ComputeMin, full, Some(start))), Length::Infinite);
    let never = kit.eq(x, 9);
    assert_eq!(length(ask(&mut kit, PropertyKind::ComputeMax, start, Some(never))), Length::Undefined);
}
