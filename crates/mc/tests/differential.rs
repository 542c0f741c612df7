//! The engine against the explicit interpreter, on thousands of random models: verdicts, reachable states, traces.

use specwright_mc::bdd::Reordering;
use specwright_mc::{Answer, Budget, Options, Quantity, Reason, Symbolic, Witness};
use specwright_model::interp::{CheckError, Ctl, Graph, Length, Limits, Verdict, check_property, eval_bool, kills};
use specwright_model::model::{Model, Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use specwright_model::testing::{self, model, random_smv, random_smv_with, random_tasks};
use specwright_model::{ExprId, Node, SourcedExpr, State, Trace};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of random models, each with about nine properties.
const MODELS: u64 = 1000;
/// Number of random task systems, each with fourteen properties.
const TASK_SYSTEMS: u64 = 60;
/// Paths that are compared by hand in the search for a shorter counterexample.
const MAX_PATHS: usize = 4_000;

fn compare(seed: u64, text: &str, reordering: Reordering) -> usize {
    let model = model(text);
    let graph = Graph::explore(&model, Limits::default()).expect("random models are small");
    let options = Options { max_memory: 64 << 20, reordering, ..Options::default() };
    let mut engine = Symbolic::new(model.system.clone(), &options)
        .unwrap_or_else(|error| panic!("seed {seed}: the engine rejects the model: {error:?}\n{text}"));
    // Questions explore by themselves, as far as they must; everybody else asks for all.
    if seed.is_multiple_of(2) {
        engine.explore(&mut |_| ()).expect("random models are small");
    }
    for property in &model.properties {
        let answer = check_property(&graph, property);
        if answer == Err(CheckError::Limit) {
            continue;
        }
        let place = || format!("seed {seed}, {}\n{text}", describe(&model, property));
        if let PropertyKind::ComputeMin | PropertyKind::ComputeMax = property.kind {
            let length = engine.compute(property);
            let agree = match (&answer, &length) {
                (Ok(Verdict::Length(length)), Answer::Found(quantity)) => match (length, quantity) {
                    (Length::Steps(a), Quantity::Steps(b)) => a == b,
                    (Length::Infinite, Quantity::Infinity) | (Length::Undefined, Quantity::Undefined) => true,
                    _ => false,
                },
                (Err(CheckError::Eval(error)), Answer::Undecided(Reason::Undefined(_))) => error.is_undefined(),
                _ => false,
            };
            assert!(agree, "interpreter {answer:?}, engine {length:?}: {}", place());
            continue;
        }
        let verdict = engine.check(property);
        let agree = match (&answer, &verdict) {
            (Ok(Verdict::Holds), Answer::Impossible(_)) | (Ok(Verdict::Fails), Answer::Found(_)) => true,
            (Err(CheckError::Eval(error)), Answer::Undecided(Reason::Undefined(_))) => error.is_undefined(),
            _ => false,
        };
        assert!(agree, "interpreter {answer:?}, engine {verdict:?}: {}", place());
        let alone = engine.is_violated(property);
        assert_eq!(alone, verdict.clone().map(|_| ()), "the verdict without a trace: {}", place());
        match verdict {
            Answer::Found(Witness::Trace(trace)) => {
                let shows = kills(&model, &trace, property).expect("random formulas have values");
                assert!(shows, "the trace does not show the failure: {trace:?}: {}", place());
                // A formula that speaks of next values gets a step after its last position, whether or not that matters
                // there, and so does one that speaks of inputs.
                let mentions = |is_step: &dyn Fn(&Node) -> bool| {
                    usize::from(model.mentions(property.formula.expr, |node| is_step(node)))
                };
                let is_input = |node: &Node| matches!(node, Node::Var(var) if model[*var].kind == VarKind::Input);
                let n_extra = mentions(&|node| matches!(node, Node::Next(_))) + mentions(&is_input);
                let n_states = trace.states.len() - if trace.loop_start.is_none() { n_extra } else { 0 };
                let is_universal = is_universal(&model, property.formula.expr, true);
                if let Some(start) = trace.loop_start {
                    assert!(is_fair(&model, &trace.states[start..], property), "{trace:?} is not fair: {}", place());
                }
                if is_universal && let Some(shorter) = shorter(&model, &graph, property, n_states, trace.loop_start) {
                    panic!("{} states found, but {shorter:?} is enough: {}", trace.states.len(), place());
                }
            }
            Answer::Found(Witness::Unshown | Witness::Prefix(_))
                if is_universal(&model, property.formula.expr, true) =>
            {
                // Then no short path may show it either.
                let found = shorter(&model, &graph, property, 5, Some(0));
                assert!(found.is_none(), "{found:?} shows it: {}", place());
            }
            _ => {}
        }
    }
    engine.explore(&mut |_| ()).expect("random models are small");
    let states = engine.n_states().and_then(|count| count.exact);
    assert_eq!(states, Some(graph.len() as u128), "seed {seed}: reachable states of\n{text}");
    model.properties.len()
}

fn describe(model: &Model, property: &Property) -> String {
    let index = model.properties.iter().position(|other| other == property);
    format!("property {index:?} ({:?})", property.kind)
}

/// Whether a formula speaks of all paths only, so that a single one on which it is false disproves it.
fn is_universal(model: &Model, formula: ExprId, positive: bool) -> bool {
    use BinaryOp::{AU, And, EU, Implies, Or};
    use UnaryOp::{AF, AG, AX, EF, EG, EX, Not};
    match &model[formula] {
        Node::Unary(EX | EF | EG, f) | Node::Bounded(BoundedOp::EBF | BoundedOp::EBG, _, _, f) => {
            !positive && is_universal(model, *f, positive)
        }
        Node::Unary(AX | AF | AG, f) | Node::Bounded(BoundedOp::ABF | BoundedOp::ABG, _, _, f) => {
            positive && is_universal(model, *f, positive)
        }
        Node::Unary(Not, f) => is_universal(model, *f, !positive),
        Node::Binary(EU, f, g) => !positive && is_universal(model, *f, positive) && is_universal(model, *g, positive),
        Node::Binary(AU, f, g) => positive && is_universal(model, *f, positive) && is_universal(model, *g, positive),
        Node::Binary(And | Or, f, g) => is_universal(model, *f, positive) && is_universal(model, *g, positive),
        Node::Binary(Implies, f, g) => is_universal(model, *f, !positive) && is_universal(model, *g, positive),
        Node::Binary(_, f, g) => {
            [true, false].iter().all(|sign| is_universal(model, *f, *sign) && is_universal(model, *g, *sign))
        }
        Node::BoundedUntil(op, _, _, f, g) => {
            (*op == BoundedUntilOp::ABU) == positive
                && is_universal(model, *f, positive)
                && is_universal(model, *g, positive)
        }
        _ => true,
    }
}

/// A path of fewer states that shows the failure of a property, looked for by trying all of them: finite ones, and lassos if
/// there is a loop to compare with.
fn shorter(
    model: &Model,
    graph: &Graph<'_>,
    property: &Property,
    n_states: usize,
    loop_start: Option<usize>,
) -> Option<Trace> {
    let fair: Vec<bool> = match property.kind {
        PropertyKind::Invar => vec![true; graph.len()],
        _ => Ctl::new(graph).ok()?.fair_states().to_vec(),
    };
    // With compassion, where fair paths start is another question.
    let ends = loop_start.is_none() || property.kind != PropertyKind::Ltl || model.compassion.is_empty();
    let mut paths: Vec<(Vec<State>, Vec<usize>)> =
        (0..graph.n_initial).map(|index| (vec![graph.states[index].clone()], vec![index])).collect();
    for _ in 1..n_states {
        for (states, places) in &paths {
            let last = *places.last()?;
            let trace = Trace { states: states.clone(), loop_start: None };
            if ends && fair[last] && kills(model, &trace, property).ok()? {
                return Some(trace);
            }
            if loop_start.is_none() {
                continue;
            }
            for (edge, start) in graph.edges[last].iter().flat_map(|edge| (0..places.len()).map(move |at| (edge, at))) {
                if places[start] != edge.to {
                    continue;
                }
                let mut states = states.clone();
                *states.last_mut()? = graph.now(last, *edge);
                let trace = Trace { states, loop_start: Some(start) };
                if is_fair(model, &trace.states[start..], property) && kills(model, &trace, property).ok()? {
                    return Some(trace);
                }
            }
        }
        let mut longer = Vec::new();
        for (states, places) in &paths {
            let last = *places.last()?;
            for edge in &graph.edges[last] {
                let (mut states, mut places) = (states.clone(), places.clone());
                *states.last_mut()? = graph.now(last, *edge);
                states.push(graph.states[edge.to].clone());
                places.push(edge.to);
                longer.push((states, places));
            }
            if longer.len() > MAX_PATHS {
                return None;
            }
        }
        paths = longer;
    }
    None
}

/// Whether a loop meets the constraints on fair paths, which for LTL include compassion.
fn is_fair(model: &Model, states: &[State], property: &Property) -> bool {
    let meets = |constraint: &SourcedExpr| {
        (0..states.len()).any(|at| {
            let next = &states[(at + 1) % states.len()];
            eval_bool(model, constraint.expr, &states[at], Some(next)).expect("random constraints have values")
        })
    };
    let is_compassionate = || model.compassion.iter().all(|(cause, effect)| !meets(cause) || meets(effect));
    model.justice.iter().all(&meets) && (property.kind != PropertyKind::Ltl || is_compassionate())
}

#[test]
fn engine_and_interpreter_agree_on_random_models() {
    let n_properties: usize = (0..MODELS).map(|seed| compare(seed, &random_smv(seed), Reordering::Auto)).sum();
    assert!(n_properties > 2_000, "only {n_properties} properties were compared");
}

/// Division by zero, an index outside of its array, a shift that is too wide and a `case` without a branch, in every logic:
/// the three-valued meaning is that of the interpreter.
#[test]
fn engine_and_interpreter_agree_on_what_is_undefined() {
    let options = testing::Options { partial: 100, ctl: 5, ltl: 4, invar: 4, compute: 1, ..Default::default() };
    let (mut n_true, mut n_false, mut n_undefined) = (0, 0, 0);
    for seed in 0..500 {
        let text = random_smv_with(seed, &options);
        compare(seed, &text, Reordering::Auto);
        let model = model(&text);
        let graph = Graph::explore(&model, Limits::default()).expect("random models are small");
        for property in &model.properties {
            match check_property(&graph, property) {
                Ok(Verdict::Holds) => n_true += 1,
                Ok(_) => n_false += 1,
                Err(_) => n_undefined += 1,
            }
        }
    }
    assert!(n_true > 500 && n_false > 500 && n_undefined > 200, "{n_true} {n_false} {n_undefined}");
}

#[test]
fn reordering_before_every_operation_changes_no_answer() {
    for seed in 0..20 {
        compare(seed, &random_smv(seed), Reordering::Always);
    }
}

#[test]
fn engine_and_interpreter_agree_on_tasks_that_move_one_at_a_time() {
    for seed in 0..TASK_SYSTEMS {
        compare(seed, &random_tasks(seed), Reordering::Auto);
    }
}

/// What follows a cause is remembered for its next effect, and forgotten where room is short (before every question, with
/// `Always`).
#[test]
fn causes_and_effects_that_come_in_crowds_are_decided_one_by_one() {
    let (mut n_true, mut n_false) = (0, 0);
    for seed in 0..60 {
        let model = model(&random_smv(seed));
        let ctl: Vec<Property> = model.properties.iter().filter(|p| p.kind == PropertyKind::Ctl).cloned().collect();
        let mut properties = Vec::new();
        for (cause, effect) in ctl.iter().flat_map(|cause| ctl.iter().map(move |effect| (cause, effect))) {
            let make = |node| model.make(node).expect("formulas are truth values");
            let next = make(Node::Unary(UnaryOp::AX, effect.formula.expr));
            let step = make(Node::Binary(BinaryOp::Implies, cause.formula.expr, next));
            let mut property = cause.clone();
            property.formula = SourcedExpr { expr: make(Node::Unary(UnaryOp::AG, step)), spans: Arc::new([]) };
            properties.push(property);
        }
        let graph = Graph::explore(&model, Limits::default()).expect("random models are small");
        let reordering = if seed < 50 { Reordering::Auto } else { Reordering::Always };
        let options = Options { max_memory: 64 << 20, reordering, ..Options::default() };
        let mut engine = Symbolic::new(model.system.clone(), &options).expect("the engine takes random models");
        for property in &properties {
            let holds = check_property(&graph, property).expect("random formulas have values") == Verdict::Holds;
            let verdict = engine.check(property);
            assert_eq!(verdict.is_impossible(), holds, "seed {seed}: {}", model.show_expr(property.formula.expr));
            *(if holds { &mut n_true } else { &mut n_false }) += 1;
        }
    }
    assert!(n_true > 100 && n_false > 100, "{n_true} {n_false}");
}

#[test]
fn inputs_of_one_value_are_part_of_every_step() {
    let model = specwright_model::testing::model(
        "MODULE main VAR x : boolean; IVAR only : {a}; ASSIGN init(x) := FALSE; next(x) := !x; LTLSPEC F G x SPEC AG !x",
    );
    let properties = model.properties.clone();
    let mut engine = Symbolic::new(model.system, &Options::default()).unwrap();
    for property in &properties {
        // The engine replays the trace: a step without its input is none.
        assert!(matches!(engine.check(property), Answer::Found(_)), "{property:?}");
    }
}

/// If a state can show the failure as well as a step, the nearer of them does.
#[test]
fn the_nearer_of_a_state_and_a_step_is_shown() {
    let model = model(
        "MODULE main VAR x : 0..9; ASSIGN init(x) := 0; next(x) := x < 9 ? x + 1 : x;
         SPEC AG (x < 4 & AX x < 8)
         SPEC AG (x < 8 & AX x < 4)
         LTLSPEC G (x < 4 & X x < 8)
         LTLSPEC G (x < 8 & X x < 4)",
    );
    let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("the model is fine");
    for property in &model.properties {
        let Answer::Found(Witness::Trace(trace)) = engine.check(property) else { panic!("{property:?} fails") };
        assert_eq!(trace.states.len(), 5, "{}", describe(&model, property));
    }
}

/// Where a search is broken off, that is said, and when it goes on the dead end is found.
#[test]
fn dead_ends_that_were_not_looked_for_are_not_denied() {
    let text = "MODULE main\nVAR x : 0..7;\nINIT x = 0\nTRANS x < 5 & next(x) = x + 1\nSPEC AG EX TRUE\n";
    let interrupt = Arc::new(AtomicBool::new(false));
    let options = Options { budget: Budget::until(interrupt.clone()), ..Options::default() };
    let mut engine = Symbolic::new(model(text).system, &options).expect("the model is fine");
    interrupt.store(true, Ordering::Relaxed);
    let sanity = engine.sanity();
    assert!(sanity.is_partial && sanity.deadlock.is_none());
    interrupt.store(false, Ordering::Relaxed);
    let sanity = engine.sanity();
    assert!(!sanity.is_partial && sanity.no_fair_path);
    assert_eq!(sanity.deadlock.map(|way| way.n_steps()), Some(5));
}

/// What decides a formula decides it, whether or not another part of it has a value; guards come from every connective.
#[test]
fn parts_without_a_value_matter_only_where_the_answer_depends_on_them() {
    let text = "MODULE main
        VAR x : 0..3; arr : array 0..2 of 0..3;
        DEFINE list := [12 / x, 1];
        ASSIGN init(x) := 1; next(x) := (x + 1) mod 4;
        SPEC AG (EX TRUE | 1 / x = 1)
        SPEC AG (x < 3 -> arr[x] < 4)
        SPEC AG (x = 3 | arr[x] < 4)
        SPEC AG (x > 0 -> AX (x = 0 | 3 / x > 0))
        SPEC AG (x > 0 & 3 / x > 0 | x = 0 | AX FALSE)
        SPEC AG (x = 0 ? TRUE : 6 mod x < 6)
        SPEC AG (case x = 3 : TRUE; TRUE : arr[x] < 4; esac)
        SPEC AG list[1] = 1
        LTLSPEC G (x < 3 -> arr[x] < 4)
        LTLSPEC G (x = 2 -> X (x = 3 | arr[x] < 4) )
        LTLSPEC G (next(x) > 0 -> 3 / next(x) > 0)
        INVARSPEC x < 3 -> arr[x] < 4
        SPEC AG (3 / x < 3)
        SPEC EF (3 / x = 3)
        LTLSPEC F (3 / x = 1)
        LTLSPEC G (3 / x < 3)
        INVARSPEC 3 / x < 3
        SPEC AG (3 / x > 0)
        SPEC EF (3 / x = 7)
        LTLSPEC G (3 / x > 0)
        INVARSPEC 3 / x > 0
        INVARSPEC list[0] > 0
        SPEC AG (x > 0 <-> 3 / x > 0)";
    let model = model(text);
    let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("the model is fine");
    let verdicts: String = model.properties.iter().map(|property| letter(&engine.check(property))).collect();
    assert_eq!(verdicts, "TTTTTTTTTTTTFTTFF??????");
}

fn letter(verdict: &Answer<Witness>) -> char {
    match verdict {
        Answer::Impossible(_) => 'T',
        Answer::Found(_) => 'F',
        Answer::Undecided(_) => '?',
    }
}
