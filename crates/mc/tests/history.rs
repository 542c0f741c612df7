//! An answer is a function of the model and the query: it depends neither on the batch nor on what was asked before.

use specwright_mc::{Answer, Budget, Options, Query, Sat, Search, Sink, Symbolic};
use specwright_model::interp::Random;
use specwright_model::model::PropertyKind;
use specwright_model::testing::{model, random_smv};
use specwright_model::{Model, Trace};
use std::fmt::Write;
use std::ops::ControlFlow;

fn engine(model: &Model) -> Option<Symbolic> {
    Symbolic::new(model.system.clone(), &Options::default()).ok()
}

/// Every property, as a claim to falsify and as one to show.
fn queries(model: &Model) -> Vec<Query> {
    let is_formula = |kind| !matches!(kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax);
    let formulas = model.properties.iter().filter(|property| is_formula(property.kind));
    formulas
        .map(|property| property.formula.expr)
        .flat_map(|formula| [Query::Falsify(formula), Query::Show(formula)])
        .collect()
}

struct Answers(Vec<Option<Answer<Trace>>>);

impl Sink for Answers {
    fn is_open(&mut self, _: usize) -> bool {
        true
    }

    fn answer(&mut self, _: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        self.0[query] = Some(answer);
        ControlFlow::Continue(())
    }
}

/// The answers to queries that are asked in an order, in batches of a size.
fn ask(model: &Model, queries: &[Query], order: &[usize], batch: usize) -> Vec<Option<Answer<Trace>>> {
    let mut engine = engine(model).expect("it was built before");
    let mut answers = vec![None; queries.len()];
    for places in order.chunks(batch) {
        let asked: Vec<Query> = places.iter().map(|place| queries[*place]).collect();
        let mut found = Answers(vec![None; asked.len()]);
        assert!(engine.solve(&asked, &Budget::default(), &mut found).is_continue());
        for (place, answer) in places.iter().zip(found.0) {
            answers[*place] = answer;
        }
    }
    answers
}

/// Compares the answers of fresh engines with those of engines that are asked everything, in several orders and batches.
/// Returns the number of lassos among them.
fn compare(model: &Model, what: &str, random: &mut Random) -> usize {
    let queries = queries(model);
    let fresh: Vec<Option<Answer<Trace>>> =
        queries.iter().map(|query| engine(model).map(|mut engine| engine.answer(*query, &Budget::default()))).collect();
    let forward: Vec<usize> = (0..queries.len()).collect();
    let backward: Vec<usize> = forward.iter().rev().copied().collect();
    let mut shuffled = forward.clone();
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, random.index(at + 1));
    }
    for (order, batch) in [(&forward, queries.len().max(1)), (&backward, 1), (&shuffled, 3)] {
        let answers = ask(model, &queries, order, batch);
        for (query, (answer, alone)) in queries.iter().zip(answers.iter().zip(&fresh)) {
            let text = model.show_expr(query.expr());
            assert_eq!(answer, alone, "{what}: {query:?} {text}, in batches of {batch}");
        }
    }
    let is_lasso =
        |answer: &&Option<Answer<Trace>>| matches!(answer, Some(Answer::Found(trace)) if trace.loop_start.is_some());
    fresh.iter().filter(is_lasso).count()
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut n_lassos = 0;
    for seed in 0..300 {
        let text = random_smv(seed);
        let model = model(&text);
        if engine(&model).is_some() {
            n_lassos += compare(&model, &format!("seed {seed}\n{text}"), &mut Random::new(seed));
        }
    }
    assert!(n_lassos > 100, "{n_lassos}");
}

/// The steps of a search for a shortest lasso depend on what the caches hold: here by up to a half. A limit of 60,000 steps
/// would decide some of these answers.
#[test]
fn lassos_do_not_depend_on_what_was_asked_before() {
    let mut text = String::from("MODULE main\n");
    for (i, next) in [(0, 1), (1, 0)] {
        let _ = writeln!(
            text,
            "VAR c{i} : 0..6; s{i} : 0..8;
             ASSIGN init(c{i}) := {{0, 3}}; init(s{i}) := 0;
             next(c{i}) := s{next} = 5 ? {{c{i}, (c{i} * 3 + 1) mod 7}} : (c{i} + s{i}) mod 7;
             next(s{i}) := c{next} < 4 ? (s{i} + 1) mod 9 : {{s{i}, (s{i} * 5 + c{i}) mod 9}};
             LTLSPEC !(G F c{i} = 2 & G F s{next} = 2 & F G c{next} != 4)
             LTLSPEC !(G F c{i} = 5 & G F s{next} = 5 & F G c{next} != 4)"
        );
    }
    assert!(compare(&model(&text), "counters", &mut Random::new(1)) > 3);
}

/// SAT-based search shares lemmas among the queries of a batch, but a query that is asked alone has the same answer whatever was
/// asked before, even where the budget is so small that it decides whether there is one.
#[test]
fn limits_of_sat_based_search_do_not_depend_on_what_was_asked_before() {
    let (mut n_undecided, mut n_decided) = (0, 0);
    for seed in 0..150 {
        let text = random_smv(seed);
        let model = model(&text);
        let new = || Sat::new(model.system.clone(), &Options::default()).ok();
        let Some(mut used) = new() else { continue };
        let queries = queries(&model);
        for steps in [5, 40] {
            let budget = Budget::default().limited(steps);
            for query in queries.iter().rev() {
                let alone = new().expect("it was built before").answer(*query, &budget);
                assert_eq!(used.answer(*query, &budget), alone, "seed {seed}: {query:?}\n{text}");
                n_undecided += usize::from(alone.is_undecided());
                n_decided += usize::from(!alone.is_undecided());
            }
        }
    }
    assert!(n_undecided > 100 && n_decided > 100, "{n_undecided} undecided, {n_decided} decided");
}
