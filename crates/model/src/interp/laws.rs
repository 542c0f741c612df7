//! Laws of the semantics, tested on random models: two ways to compute the same thing agree.

use super::*;
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::model::{Model, PropertyKind, TransitionSystem, Var, VarId, VarKind};
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use crate::state::{State, Trace};
use crate::testing::{Options, model, random_model, random_smv_with};
use crate::trace::TraceJson;
use crate::value::{Domain, Value};
use specwright_syntax::span::Span;

fn explore(model: &TransitionSystem) -> Graph<'_> {
    Graph::explore(model, Limits::default()).unwrap()
}

fn formulas(model: &Model, kind: PropertyKind) -> Vec<ExprId> {
    let properties = model.properties.iter().filter(|property| property.kind == kind);
    properties.map(|property| property.formula.expr).collect()
}

/// All complete states over the wanted kinds of variables.
fn all_states(model: &TransitionSystem, wanted: impl Fn(VarKind) -> bool) -> Vec<State> {
    let mut states = vec![State::empty(model.vars.len())];
    for (id, var) in model.vars().filter(|(_, var)| wanted(var.kind)) {
        let values: Vec<Value> = var.domain.values().collect();
        let with = |state: &State, value: Value| {
            let mut state = state.clone();
            state.set(id, value);
            state
        };
        states = states.iter().flat_map(|state| values.iter().map(move |value| with(state, *value))).collect();
    }
    states
}

#[test]
fn the_search_finds_what_exhaustive_enumeration_finds() {
    let options = Options { max_states: 20, ..Options::default() };
    for seed in 0..120 {
        let model = model(&random_smv_with(seed, &options));
        let states = all_states(&model, |kind| kind != VarKind::Input);
        let inputs = all_states(&model, |kind| kind == VarKind::Input);
        let initial: Vec<&State> = states.iter().filter(|state| check_initial(&model, state).is_ok()).collect();
        let found = initial_states(&model, u64::MAX).unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), initial, "seed {seed}");
        let explorer = Explorer::new(&model);
        for from in states.iter().filter(|state| check_state(&model, state).is_ok()) {
            let mut expected = Vec::new();
            for input in &inputs {
                let mut now = from.clone();
                for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                    now.set(var, input.get(var));
                }
                let next = states.iter().filter(|next| check_step(&model, &now, next).is_ok());
                expected.extend(next.map(|next| Step { now: now.clone(), next: next.clone() }));
            }
            assert_eq!(steps_from(&explorer, from, u64::MAX).unwrap(), expected, "seed {seed}");
        }
    }
}

#[test]
fn ctl_operators_unfold() {
    for seed in 0..150 {
        let mut model = random_model(seed);
        let [p, q] = formulas(&model, PropertyKind::Ctl)[..2] else { panic!("too few formulas") };
        let mut pairs = Vec::new();
        let make = |model: &mut TransitionSystem, node| model.make(node).unwrap();
        for (op, next, join) in [
            (UnaryOp::EF, UnaryOp::EX, BinaryOp::Or),
            (UnaryOp::AF, UnaryOp::AX, BinaryOp::Or),
            (UnaryOp::EG, UnaryOp::EX, BinaryOp::And),
            (UnaryOp::AG, UnaryOp::AX, BinaryOp::And),
        ] {
            let whole = make(&mut model, Node::Unary(op, p));
            let later = make(&mut model, Node::Unary(next, whole));
            pairs.push((whole, make(&mut model, Node::Binary(join, p, later))));
        }
        for (op, next, bounded) in
            [(BinaryOp::EU, UnaryOp::EX, BoundedUntilOp::EBU), (BinaryOp::AU, UnaryOp::AX, BoundedUntilOp::ABU)]
        {
            let whole = make(&mut model, Node::Binary(op, p, q));
            let later = make(&mut model, Node::Unary(next, whole));
            let both = make(&mut model, Node::Binary(BinaryOp::And, p, later));
            pairs.push((whole, make(&mut model, Node::Binary(BinaryOp::Or, q, both))));
            // A large bound is equivalent to none. With justice this is true only for finite prefixes: a path can stay
            // in an unfair loop for any number of steps and then leave it.
            if op == BinaryOp::EU || model.justice.is_empty() {
                pairs.push((whole, make(&mut model, Node::BoundedUntil(bounded, 0, 1_000_000, p, q))));
            }
        }
        for (whole, bounded) in [
            (UnaryOp::EF, BoundedOp::EBF),
            (UnaryOp::AF, BoundedOp::ABF),
            (UnaryOp::EG, BoundedOp::EBG),
            (UnaryOp::AG, BoundedOp::ABG),
        ] {
            if matches!(whole, UnaryOp::EF | UnaryOp::AG) || model.justice.is_empty() {
                let whole = make(&mut model, Node::Unary(whole, p));
                pairs.push((whole, make(&mut model, Node::Bounded(bounded, 0, Some(1_000_000), p))));
            }
        }
        let graph = explore(&model);
        let mut ctl = Ctl::new(&graph).unwrap();
        for (index, (left, right)) in pairs.into_iter().enumerate() {
            let (left, right) = (ctl.states(left).unwrap(), ctl.states(right).unwrap());
            let differ = (0..graph.len()).find(|state| ctl.fair_states()[*state] && left[*state] != right[*state]);
            assert_eq!(differ, None, "seed {seed}, law {index}");
        }
    }
}

#[test]
fn ctl_and_ltl_agree_on_common_formulas() {
    let options = Options { compassion: 0, ..Options::default() };
    for seed in 0..150 {
        let model = model(&random_smv_with(seed, &options));
        // The atoms of the first two formulas: the parts below all temporal operators.
        let parts = model.context.exprs.parts(formulas(&model, PropertyKind::Ctl));
        let is_atom =
            |expr: &&ExprId| model.context.exprs.ty(**expr) == &crate::Ty::BOOL && !support(&model, **expr).temporal;
        let atoms: Vec<ExprId> = parts.iter().filter(is_atom).copied().collect();
        let (p, q) = (atoms[0], atoms[atoms.len() - 1]);
        let mut pairs = Vec::new();
        for (ctl, ltl) in [(UnaryOp::AG, UnaryOp::G), (UnaryOp::AF, UnaryOp::F), (UnaryOp::AX, UnaryOp::X)] {
            let ctl = model.make(Node::Unary(ctl, q)).unwrap();
            pairs.push((ctl, model.make(Node::Unary(ltl, q)).unwrap()));
        }
        let until = model.make(Node::Binary(BinaryOp::AU, p, q)).unwrap();
        pairs.push((until, model.make(Node::Binary(BinaryOp::U, p, q)).unwrap()));
        let graph = explore(&model);
        let mut ctl = Ctl::new(&graph).unwrap();
        for (index, (branching, linear)) in pairs.into_iter().enumerate() {
            let holds = ctl.failing(branching).unwrap().is_empty();
            assert_eq!(ltl_counterexample(&graph, linear).unwrap().is_none(), holds, "seed {seed}, law {index}");
        }
    }
}

/// Whether the loop of a trace satisfies justice and compassion.
fn is_fair(model: &TransitionSystem, trace: &Trace) -> bool {
    let start = trace.loop_start.unwrap();
    let meets = |constraint: &SourcedExpr| {
        (start..trace.states.len()).any(|at| {
            let next = &trace.states[trace.next(at).unwrap()];
            eval_bool(model, constraint.expr, &trace.states[at], Some(next)).unwrap()
        })
    };
    model.justice.iter().all(&meets) && model.compassion.iter().all(|(p, q)| !meets(p) || meets(q))
}

#[test]
fn linear_counterexamples_are_fair_executions_on_which_the_formula_is_false() {
    let mut found = 0;
    for seed in 0..300 {
        let model = random_model(seed);
        let graph = explore(&model);
        for formula in formulas(&model, PropertyKind::Ltl) {
            if let Some(trace) = ltl_counterexample(&graph, formula).unwrap() {
                found += 1;
                assert_eq!(check_trace(&model, &trace), Ok(()), "seed {seed}");
                assert!(is_fair(&model, &trace), "seed {seed}");
                assert_eq!(Path::new(&model, &trace).truth(formula), Ok(Some(false)), "seed {seed}");
            }
        }
    }
    assert!(found > 100, "only {found} counterexamples");
}

/// A random execution of at most `steps` steps; its last inputs are random.
fn walk(model: &TransitionSystem, seed: u64, steps: usize) -> Option<Trace> {
    let mut random = Random::new(seed);
    let explorer = Explorer::new(model);
    let mut at = explorer.initial().shuffled(random.clone()).next()?.unwrap().next;
    let mut states = Vec::new();
    for _ in 0..steps {
        random.next_u64();
        let Some(step) = explorer.steps(&at).shuffled(random.clone()).next() else { break };
        let step = step.unwrap();
        states.push(step.now);
        at = step.next;
    }
    for (id, var) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
        at.set(id, var.domain.values().nth(random.index(2)));
    }
    states.push(at);
    Some(Trace { states, loop_start: None })
}

#[test]
fn a_linear_formula_that_holds_is_true_on_every_fair_loop() {
    let mut tried = 0;
    for seed in 0..300 {
        let model = random_model(seed);
        let graph = explore(&model);
        let holds: Vec<ExprId> = formulas(&model, PropertyKind::Ltl)
            .into_iter()
            .filter(|formula| ltl_counterexample(&graph, *formula).unwrap().is_none())
            .collect();
        for attempt in 0..5 {
            let Some(mut trace) = walk(&model, seed + attempt * 1000, 12) else { continue };
            // Close the loop at the first repeated state.
            let same = |a: &State, b: &State| {
                model.vars().all(|(id, var)| var.kind == VarKind::Input || a.get(id) == b.get(id))
            };
            let last = trace.states.pop().unwrap();
            let Some(start) = trace.states.iter().position(|state| same(state, &last)) else { continue };
            trace.loop_start = Some(start);
            assert_eq!(check_trace(&model, &trace), Ok(()), "seed {seed}");
            if is_fair(&model, &trace) {
                let mut path = Path::new(&model, &trace);
                for formula in &holds {
                    tried += 1;
                    assert_eq!(path.truth(*formula), Ok(Some(true)), "seed {seed}");
                }
            }
        }
    }
    assert!(tried > 100, "only {tried} loops");
}

#[test]
fn traces_round_trip_through_json() {
    for seed in 0..50 {
        let model = random_model(seed);
        if let Some(trace) = walk(&model, seed, 5) {
            let text = serde_json::to_string(&TraceJson::document(&model, &trace)).unwrap();
            let read: TraceJson = serde_json::from_str(&text).unwrap();
            assert_eq!(read.read(&model), Ok(trace), "seed {seed}");
        }
    }
}

/// The model with two more variables that make the states of a path distinct: the position, and `Check`, which is true
/// as long as the trace goes on.
fn with_check(model: &TransitionSystem, positions: usize) -> (TransitionSystem, VarId, ExprId) {
    let mut model = model.clone();
    model.justice.clear();
    model.compassion.clear();
    let mut add = |name: &str, domain| {
        let var = Var { name: name.into(), domain, kind: VarKind::State, span: Span::NONE };
        model.vars.push(var);
        VarId(model.vars.len() as u32 - 1)
    };
    let position = add("position", Domain::Range(0, positions.try_into().unwrap()));
    let check = add("check", Domain::Bool);
    let check = model.make(Node::Var(check)).unwrap();
    (model, position, check)
}

/// The states of a trace with positions; after a finite trace the last state repeats with `Check` false.
fn checked_states(trace: &Trace, position: VarId) -> Vec<State> {
    let mut path = trace.states.clone();
    if trace.loop_start.is_none() {
        path.extend(trace.states.last().cloned());
    }
    let widen = |(index, state): (usize, &State)| {
        let mut wide = State::empty(position.0 as usize + 2);
        for (var, value) in (0..).map(VarId).zip(state.values()) {
            wide.set(var, *value);
        }
        wide.set(position, Value::Int(index.try_into().unwrap()));
        wide.set(VarId(position.0 + 1), Value::Bool(index < trace.states.len()));
        wide
    };
    path.iter().enumerate().map(widen).collect()
}

/// The rewriting of the papers: unchecked states never violate the resulting formula. Both operands of an until are
/// rewritten, which the papers omit.
fn cr(model: &mut TransitionSystem, check: ExprId, formula: ExprId, positive: bool) -> ExprId {
    if !support(model, formula).temporal {
        return formula;
    }
    let node = model[formula].clone();
    let guard = |model: &mut TransitionSystem, formula| {
        let inside = cr(model, check, formula, positive);
        let op = if positive { BinaryOp::Implies } else { BinaryOp::And };
        model.make(Node::Binary(op, check, inside)).unwrap()
    };
    let rewritten = match node {
        Node::Unary(UnaryOp::Not, a) => Node::Unary(UnaryOp::Not, cr(model, check, a, !positive)),
        Node::Unary(op, a) => Node::Unary(op, guard(model, a)),
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            Node::Binary(op, cr(model, check, a, positive), cr(model, check, b, positive))
        }
        Node::Binary(op @ BinaryOp::Implies, a, b) => {
            Node::Binary(op, cr(model, check, a, !positive), cr(model, check, b, positive))
        }
        Node::Binary(BinaryOp::Iff | BinaryOp::Xnor, a, b) => {
            let [there, back] = [(a, b), (b, a)].map(|(a, b)| {
                let (a, b) = (cr(model, check, a, !positive), cr(model, check, b, positive));
                model.make(Node::Binary(BinaryOp::Implies, a, b)).unwrap()
            });
            Node::Binary(BinaryOp::And, there, back)
        }
        Node::Binary(BinaryOp::Xor, a, b) => {
            let same = model.make(Node::Binary(BinaryOp::Iff, a, b)).unwrap();
            Node::Unary(UnaryOp::Not, cr(model, check, same, !positive))
        }
        Node::Binary(BinaryOp::V, a, b) => {
            let [a, b] = [a, b].map(|a| model.make(Node::Unary(UnaryOp::Not, a)).unwrap());
            let until = model.make(Node::Binary(BinaryOp::U, a, b)).unwrap();
            Node::Unary(UnaryOp::Not, cr(model, check, until, !positive))
        }
        Node::Binary(op, a, b) => Node::Binary(op, cr(model, check, a, positive), guard(model, b)),
        Node::Bounded(op, low, high, a) => Node::Bounded(op, low, high, guard(model, a)),
        Node::BoundedUntil(op, low, high, a, b) => Node::BoundedUntil(op, low, high, guard(model, a), guard(model, b)),
        other => panic!("not a formula: {other:?}"),
    };
    model.make(rewritten).unwrap()
}

fn has_past(model: &TransitionSystem, formula: ExprId) -> bool {
    model.context.exprs.parts([formula]).into_iter().any(|part| {
        matches!(
            model[part],
            Node::Unary(UnaryOp::Y | UnaryOp::Z | UnaryOp::O | UnaryOp::H, _)
                | Node::Binary(BinaryOp::S | BinaryOp::T, ..)
                | Node::Bounded(BoundedOp::O | BoundedOp::H, ..)
        )
    })
}

#[test]
fn a_trace_kills_what_its_constrained_machine_violates() {
    let (mut killed, mut spared) = (0, 0);
    for seed in 0..300 {
        let original = random_model(seed);
        for length in 0..4 {
            let Some(trace) = walk(&original, seed + length * 1000, length as usize) else { continue };
            let (mut model, position, check) = with_check(&original, trace.states.len());
            let kinds = [PropertyKind::Ctl, PropertyKind::Ltl];
            for (kind, formula) in
                kinds.map(|kind| formulas(&original, kind).into_iter().map(move |f| (kind, f))).into_iter().flatten()
            {
                // The rewriting has no rule for next values: after the last state, the machine stays there.
                if has_past(&model, formula) || model.mentions(formula, |node| matches!(node, Node::Next(_))) {
                    continue;
                }
                let rewritten = cr(&mut model, check, formula, true);
                let states = checked_states(&trace, position);
                let graph = Graph::of_path(&model, &states, states.len() - 1);
                let holds = if kind == PropertyKind::Ctl {
                    Ctl::new(&graph).unwrap().failing(rewritten).unwrap().is_empty()
                } else {
                    ltl_counterexample(&graph, rewritten).unwrap().is_none()
                };
                let truth = Path::new(&original, &trace).truth(formula).unwrap();
                assert_eq!(truth != Some(false), holds, "seed {seed}, length {length}");
                *(if holds { &mut spared } else { &mut killed }) += 1;
            }
        }
    }
    assert!(killed > 200 && spared > 200, "{killed} killed, {spared} spared");
}

#[test]
fn a_formula_on_a_lasso_has_its_truth_on_the_graph_of_the_lasso() {
    for seed in 0..300 {
        let original = random_model(seed);
        for start in 0..3 {
            let Some(mut trace) = walk(&original, seed + start * 1000, start as usize + 2) else { continue };
            // The path need not be an execution.
            trace.loop_start = Some((start as usize).min(trace.states.len() - 1));
            let (model, position, _) = with_check(&original, trace.states.len());
            let states = checked_states(&trace, position);
            let graph = Graph::of_path(&model, &states, trace.loop_start.unwrap());
            let mut path = Path::new(&original, &trace);
            for formula in formulas(&original, PropertyKind::Ctl) {
                let holds = Ctl::new(&graph).unwrap().failing(formula).unwrap().is_empty();
                assert_eq!(path.truth(formula), Ok(Some(holds)), "seed {seed}, CTL");
            }
            for formula in formulas(&original, PropertyKind::Ltl) {
                let holds = ltl_counterexample(&graph, formula).unwrap().is_none();
                assert_eq!(path.truth(formula), Ok(Some(holds)), "seed {seed}, LTL");
            }
        }
    }
}

#[test]
fn linear_operators_unfold_past_and_future() {
    let laws = [
        "F p <-> p | X F p",
        "G p <-> p & X G p",
        "p U q <-> q | p & X (p U q)",
        "p V q <-> q & (p | X (p V q))",
        "O p <-> p | Y O p",
        "H p <-> p & Z H p",
        "p S q <-> q | p & Y (p S q)",
        "p T q <-> q & (p | Z (p T q))",
        "Z p <-> !Y !p",
        "F [1,2] p <-> X (p | X p)",
        "G [0,2] p <-> p & X p & X X p",
        "O [1,2] p <-> Y (p | Y p)",
        "H [0,1] p <-> p & Y p",
    ];
    let mut text = String::from("MODULE main VAR p : boolean; q : boolean;\n");
    for law in laws {
        text += "LTLSPEC G (";
        text += law;
        text += ");\n";
    }
    let model = model(&text);
    let graph = explore(&model);
    for (law, property) in laws.iter().zip(&model.properties) {
        assert_eq!(check_property(&graph, property), Ok(Verdict::Holds), "{law}");
    }
}
