//! SAT-based search and limits that bite: what is decided, and what is not, in batches, in other orders and alone.

use specwright_mc::{Answer, Budget, Options, Query, Sat, Search, Sink};
use specwright_model::interp::Random;
use specwright_model::op::BinaryOp;
use specwright_model::testing::model;
use specwright_model::{Model, Node, Trace, VarId};
use std::ops::ControlFlow;

/// Steps for each query, some of which are not enough.
const STEPS: [u64; 3] = [3, 40, 300];

/// Numbers that change together, so that some pairs of values come late and others never; the factors of numbers.
const MODELS: [&str; 3] = [
    "MODULE main VAR a : 0..31; b : 0..31; IVAR go : boolean;
     ASSIGN init(a) := 1; init(b) := 3;
       next(a) := go ? (5 * a + 3) mod 32 : a; next(b) := go ? (3 * b + a) mod 32 : b;",
    "MODULE main VAR at : 0..4; IVAR wait : boolean; VAR a : 0..4; b : 0..4;
     ASSIGN init(at) := 0; init(a) := 0; init(b) := 2;
       next(at) := wait ? at : (at + 1) mod 5; next(a) := at = a ? (a + 1) mod 5 : a;
       next(b) := at = b ? (b + 2) mod 5 : b;",
    "MODULE main VAR x : 2..40; y : 2..40; product : 0..1600; done : 0..7;
     ASSIGN init(done) := 0; init(product) := 0; next(x) := x; next(y) := y;
       next(product) := x * y; next(done) := done < 7 ? done + 1 : done;",
];

/// Pairs of values of two variables.
fn queries(model: &Model) -> Vec<Query> {
    let vars: Vec<VarId> = model.vars().filter(|(_, var)| var.domain.size() > Some(2)).map(|(id, _)| id).collect();
    let make = |node| model.make(node).expect("the types fit");
    let mut queries = Vec::new();
    let equal = |var: VarId, number: usize| {
        let values: Vec<_> = model[var].domain.values().collect();
        let value = make(Node::Const(values[number % values.len()]));
        make(Node::Binary(BinaryOp::Eq, make(Node::Var(var)), value))
    };
    for number in 0..5 {
        for (place, var) in vars.iter().enumerate() {
            let other = vars[(place + 1) % vars.len()];
            let both = Node::Binary(BinaryOp::And, equal(*var, 7 * number + 2), equal(other, 11 * number + 1));
            queries.push(Query::Reach(make(both)));
        }
    }
    queries
}

struct Answers(Vec<Option<Answer<Trace>>>);

impl Sink for Answers {
    fn is_open(&mut self, _: usize) -> bool {
        true
    }

    fn answer(&mut self, _: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        assert!(self.0[query].replace(answer).is_none(), "one answer is enough");
        ControlFlow::Continue(())
    }
}

/// The answers to some of the queries in this order.
fn ask(sat: &mut Sat, queries: &[Query], order: &[usize], steps: u64) -> Vec<Answer<Trace>> {
    let asked: Vec<Query> = order.iter().map(|place| queries[*place]).collect();
    let mut answers = Answers(vec![None; asked.len()]);
    assert!(sat.solve(&asked, &Budget::default().limited(steps), &mut answers).is_continue());
    answers.0.into_iter().map(|answer| answer.expect("every query has an answer")).collect()
}

fn shuffled(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for place in (1..n).rev() {
        order.swap(place, random.index(place + 1));
    }
    order
}

#[test]
fn what_a_query_gets_alone_it_gets_in_every_batch() {
    let (mut n_decided, mut n_undecided, mut random) = (0, 0, Random::new(5));
    for text in MODELS {
        let model = model(text);
        let queries = queries(&model);
        let n = queries.len();
        let mut sat = Sat::new(model.system.clone(), &Options::default()).expect("the model is small");
        for steps in STEPS {
            let alone: Vec<Answer<Trace>> =
                (0..n).map(|place| ask(&mut sat, &queries, &[place], steps).remove(0)).collect();
            let one: Vec<Answer<Trace>> =
                queries.iter().map(|query| sat.answer(*query, &Budget::default().limited(steps))).collect();
            assert_eq!(alone, one, "a batch of one");
            let forward: Vec<usize> = (0..n).collect();
            let all = ask(&mut sat, &queries, &forward, steps);
            let mut compare = |order: &[usize]| {
                let answers = ask(&mut sat, &queries, order, steps);
                for (place, answer) in order.iter().zip(&answers) {
                    let about =
                        || format!("{} in {steps} steps of {order:?}\n{text}", model.show_expr(queries[*place].expr()));
                    // More may be decided, with the lemmas of others, but never less, and nothing else.
                    assert!(alone[*place].is_undecided() || alone[*place] == *answer, "{}", about());
                    let is_other = !answer.is_undecided() && !all[*place].is_undecided() && all[*place] != *answer;
                    assert!(!is_other, "{}", about());
                    if order.len() == n {
                        assert_eq!(all[*place], *answer, "the order does not matter: {}", about());
                    }
                }
            };
            compare(&forward);
            compare(&forward.iter().rev().copied().collect::<Vec<_>>());
            compare(&shuffled(n, &mut random));
            for _ in 0..2 {
                let some = 1 + random.index(n - 1);
                compare(&shuffled(n, &mut random)[..some]);
            }
            n_decided += alone.iter().filter(|answer| !answer.is_undecided()).count();
            n_undecided += alone.iter().filter(|answer| answer.is_undecided()).count();
        }
    }
    assert!(n_decided > 20 && n_undecided > 20, "{n_decided} decided, {n_undecided} undecided");
}
