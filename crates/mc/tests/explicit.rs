//! The explicit search is the oracle of the symbolic one behind the same seam, and that is the oracle of the SAT-based one:
//! all give the same answers, with the same traces, whatever values are preferred.

use specwright_mc::{Answer, Budget, Explicit, Options, Query, Reason, Sat, Search, Sink, Symbolic, Witness};
use specwright_model::interp::{Limits, Random};
use specwright_model::model::{PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::testing::{model, random_smv};
use specwright_model::{ExprId, Model, Node, Trace, Value, VarId};
use std::ops::ControlFlow;

/// Queries about states, inputs and steps: values of variables, steps between them, and the invariants of the model.
fn queries(model: &mut Model, random: &mut Random) -> Vec<Query> {
    let vars: Vec<(VarId, VarKind, Vec<Value>)> =
        model.vars().map(|(id, var)| (id, var.kind, var.domain.values().take(4).collect())).collect();
    let invariants = model.properties.iter().filter(|property| property.kind == PropertyKind::Invar);
    let mut exprs: Vec<ExprId> = invariants.map(|property| property.formula.expr).collect();
    let make = |node| model.make(node).expect("the types fit");
    let mut equalities = Vec::new();
    for (var, kind, values) in vars {
        let now = make(Node::Var(var));
        for value in values {
            let value = make(Node::Const(value));
            equalities.push(make(Node::Binary(BinaryOp::Eq, now, value)));
            if kind == VarKind::State {
                let next = make(Node::Next(now));
                equalities.push(make(Node::Binary(BinaryOp::Eq, next, value)));
            }
        }
    }
    for _ in 0..12 {
        let [a, b] = [0; 2].map(|_| *random.pick(&equalities));
        let op = *random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Implies]);
        exprs.push(make(Node::Binary(op, a, b)));
        exprs.push(make(Node::Unary(UnaryOp::Not, a)));
    }
    exprs.extend(equalities);
    exprs.into_iter().flat_map(|expr| [Query::Reach(expr), Query::Falsify(expr), Query::Show(expr)]).collect()
}

/// Collects the answers of a batch, and closes every third query before its turn.
#[derive(Default)]
struct Answers(Vec<(usize, Answer<Trace>)>);

impl Sink for Answers {
    fn is_open(&mut self, query: usize) -> bool {
        query % 3 != 2
    }

    fn answer(&mut self, _: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        self.0.push((query, answer));
        ControlFlow::Continue(())
    }
}

fn batch(search: &mut dyn Search, queries: &[Query]) -> Vec<(usize, Answer<Trace>)> {
    let mut answers = Answers::default();
    assert_eq!(search.solve(queries, &Budget::default(), &mut answers), ControlFlow::Continue(()));
    // What takes longer may come later.
    answers.0.sort_by_key(|(query, _)| *query);
    answers.0
}

/// How many models are tried: `SPECWRIGHT_SEEDS`, if it is more.
fn n_seeds(least: u64) -> u64 {
    let wanted = std::env::var("SPECWRIGHT_SEEDS").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(least).max(least)
}

#[test]
fn explicit_and_symbolic_search_find_the_same_traces() {
    let (mut n_found, mut n_impossible) = (0, 0);
    for seed in 0..n_seeds(1500) {
        let text = random_smv(seed);
        let mut model = model(&text);
        let mut random = Random::new(seed);
        let queries = queries(&mut model, &mut random);
        let limits = Limits { states: 2000, ..Limits::default() };
        let mut symbolic = Symbolic::new(model.system.clone(), &Options::default()).expect("random models have values");
        let mut explicit = Explicit::new(model.system.clone(), limits);
        if seed % 2 == 1 {
            let var = random.index(model.vars.len());
            let (var, declared) = model.vars().nth(var).expect("it is one of them");
            let mut values: Vec<Value> = declared.domain.values().take(8).collect();
            values.reverse();
            symbolic.set_preference(vec![(var, values.clone())]);
            explicit.set_preference(vec![(var, values)]);
        }
        let found = batch(&mut explicit, &queries);
        if found.iter().any(|(_, answer)| answer.is_undecided()) {
            continue;
        }
        for ((query, expected), (other, answer)) in found.iter().zip(batch(&mut symbolic, &queries)) {
            assert_eq!(*query, other);
            let place =
                || format!("seed {seed}: {:?} {}\n{text}", queries[*query], model.show_expr(queries[*query].expr()));
            assert_eq!(*expected, answer, "{}", place());
            n_found += usize::from(answer.is_found());
            n_impossible += usize::from(answer.is_impossible());
        }
        // A query alone has the answer that it has in a batch.
        for (query, expected) in found.iter().step_by(17) {
            assert_eq!(explicit.answer(queries[*query], &Budget::default()), *expected);
            assert_eq!(symbolic.answer(queries[*query], &Budget::default()), *expected);
        }
    }
    assert!(n_found > 5000 && n_impossible > 1000, "{n_found} found, {n_impossible} impossible");
}

#[test]
fn sat_based_search_finds_the_same_traces() {
    let (mut n_found, mut n_impossible, mut n_undecided, mut n_checked) = (0, 0, 0, 0);
    let (mut n_lassos, mut n_proved, mut n_shortest) = (0, 0, 0);
    for seed in 0..n_seeds(300) {
        let text = random_smv(seed);
        let mut model = model(&text);
        let mut random = Random::new(seed);
        let mut queries = queries(&mut model, &mut random);
        let formulas = model.properties.iter().map(|property| property.formula.expr);
        queries.extend(formulas.flat_map(|formula| [Query::Falsify(formula), Query::Show(formula)]));
        let plain: Vec<ExprId> =
            queries.iter().map(|query| query.expr()).filter(|expr| !model.context.exprs.is_temporal(*expr)).collect();
        for (a, b) in plain.iter().zip(plain.iter().skip(3)).step_by(4) {
            let make = |node| model.make(node).expect("the types fit");
            let speaks_of_steps = |expr| {
                let is_input = |var: VarId| model[var].kind == VarKind::Input;
                model.mentions(expr, |node| match node {
                    Node::Next(_) => true,
                    Node::Var(var) => is_input(*var),
                    _ => false,
                })
            };
            if [*a, *b].into_iter().any(speaks_of_steps) {
                queries.push(Query::Falsify(make(Node::Unary(UnaryOp::G, *a))));
                continue;
            }
            let after = make(Node::Unary(UnaryOp::AX, *b));
            let then = make(Node::Binary(BinaryOp::Implies, *a, after));
            for claim in [*a, then] {
                queries.push(Query::Falsify(make(Node::Unary(UnaryOp::AG, claim))));
            }
        }
        let mut symbolic = Symbolic::new(model.system.clone(), &Options::default()).expect("random models have values");
        let mut sat = Sat::new(model.system.clone(), &Options::default()).expect("random models have values");
        for property in &model.properties {
            let answer = sat.check(property, &Budget::default());
            let place = || format!("seed {seed}: {}\n{text}", model.show_expr(property.formula.expr));
            match (&answer, symbolic.check(property)) {
                (Answer::Undecided(Reason::Unsupported), _) => continue,
                // There are many lassos.
                (Answer::Found(Witness::Trace(Trace { loop_start: Some(_), .. })), expected) => {
                    assert!(expected.is_found(), "{}", place());
                    n_lassos += 1;
                }
                (_, expected) => assert_eq!(expected, answer, "{}", place()),
            }
            n_checked += 1;
            n_proved += usize::from(property.kind == PropertyKind::Ltl && answer.is_impossible());
        }
        if seed % 2 == 1 {
            let var = random.index(model.vars.len());
            let (var, declared) = model.vars().nth(var).expect("it is one of them");
            let mut values: Vec<Value> = declared.domain.values().take(8).collect();
            values.reverse();
            symbolic.set_preference(vec![(var, values.clone())]);
            sat.set_preference(vec![(var, values)]);
        }
        for ((query, expected), (other, answer)) in batch(&mut symbolic, &queries).iter().zip(batch(&mut sat, &queries))
        {
            assert_eq!(*query, other);
            if answer.reason() == Some(&Reason::Unsupported) {
                n_undecided += 1;
                continue;
            }
            let place =
                || format!("seed {seed}: {:?} {}\n{text}", queries[*query], model.show_expr(queries[*query].expr()));
            if let (Answer::Found(Trace { loop_start: Some(_), states }), Answer::Found(other)) = (&answer, expected) {
                // There are many lassos, and these have the fewest states.
                assert_eq!((states.len(), true), (other.states.len(), other.loop_start.is_some()), "{}", place());
                n_shortest += 1;
            } else {
                assert_eq!(*expected, answer, "{}", place());
            }
            n_found += usize::from(answer.is_found());
            n_impossible += usize::from(answer.is_impossible());
            // A query alone has the answer that it has in a batch.
            if *query % 17 == 0 {
                assert_eq!(sat.answer(queries[*query], &Budget::default()), answer);
            }
        }
    }
    assert!(n_checked > 300, "{n_checked} properties checked");
    assert!(n_lassos > 150 && n_proved > 100, "{n_lassos} lassos, {n_proved} formulas of LTL proved");
    assert!(n_shortest > 30, "{n_shortest} shortest lassos");
    assert!(
        n_found > 2000 && n_impossible > 400,
        "{n_found} found, {n_impossible} impossible, {n_undecided} undecided"
    );
}

#[test]
fn a_model_with_too_many_states_is_undecided() {
    let model = model("MODULE main VAR x : 0..9; ASSIGN init(x) := 0; next(x) := (x + 1) mod 10; INVARSPEC x < 5");
    let expr = model.properties[0].formula.expr;
    let (all, few) = (Budget::default(), Limits { states: 5, ..Limits::default() });
    assert!(Explicit::new(model.system.clone(), few).answer(Query::Falsify(expr), &all).is_undecided());
    let mut explicit = Explicit::new(model.system.clone(), Limits::default());
    assert!(explicit.answer(Query::Falsify(expr), &all.limited(5)).is_undecided());
    assert_eq!(explicit.answer(Query::Falsify(expr), &all).found().map(|trace| trace.n_steps()), Some(5));
    let always = model.make(Node::Unary(UnaryOp::AG, expr)).expect("the types fit");
    assert!(
        explicit.answer(Query::Falsify(always), &all).is_undecided(),
        "temporal formulas are left to other engines"
    );
}

#[test]
fn a_long_case_of_names_takes_steps_in_proportion_to_its_length() {
    let steps = |n: usize| {
        let names: Vec<String> = (0..n).map(|at| format!("s{at}")).collect();
        let branches: Vec<String> = (0..n).map(|at| format!("s = s{at} & go : s{};", (at + 1) % n)).collect();
        let (names, branches) = (names.join(", "), branches.join(" "));
        let text = format!(
            "MODULE main VAR s : {{{names}}}; IVAR go : boolean; ASSIGN init(s) := s0; next(s) := case {branches} TRUE : s; esac;"
        );
        let system = model(&text).system;
        Symbolic::new(system, &Options::default()).expect("it is small").steps()
    };
    let (short, long) = (steps(100), steps(800));
    assert!(long < 16 * short, "{short} {long}");
}
