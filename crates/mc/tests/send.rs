//! What crosses threads: models, queries, answers, budgets, and images of engines. A symbolic engine stays on its thread.

use specwright_mc::{
    Answer, Budget, BuildError, Explicit, Image, Options, Query, Reason, Search, Sink, Symbolic, Witness, answer_each,
};
use specwright_model::testing::{model, random_smv, random_tasks};
use specwright_model::{Context, Model, Trace, TransitionSystem};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

fn crosses_threads<T: Send>() {}

fn is_shared<T: Send + Sync>() {}

#[test]
fn models_queries_and_answers_cross_threads() {
    is_shared::<Context>();
    is_shared::<TransitionSystem>();
    is_shared::<Image>();
    is_shared::<Budget>();
    crosses_threads::<Model>();
    crosses_threads::<Query>();
    crosses_threads::<Answer<Trace>>();
    crosses_threads::<Answer<Witness>>();
    crosses_threads::<Reason>();
    crosses_threads::<BuildError>();
    crosses_threads::<Options>();
    crosses_threads::<Explicit>();
}

/// The answers to all properties of a model.
fn answers(engine: &mut Symbolic, model: &Model) -> Vec<Answer<Trace>> {
    let formulas = model.properties.iter().map(|property| property.formula.expr);
    let queries = formulas.flat_map(|formula| [Query::Falsify(formula), Query::Show(formula)]);
    queries.map(|query| engine.answer(query, &Budget::default())).collect()
}

#[test]
fn engines_revived_on_other_threads_give_the_same_answers() {
    let (mut n_models, mut n_explored) = (0, 0);
    let texts = (0..60).map(random_smv).chain((0..20).map(random_tasks));
    for (index, text) in texts.enumerate() {
        let model = model(&text);
        let Ok(mut engine) = Symbolic::new(model.system.clone(), &Options::default()) else { continue };
        // Images are taken before the search for reachable states, on the way, and after everything was asked.
        match index % 3 {
            0 => {}
            1 => engine.explore_a_little(1).expect("there is no limit"),
            _ => drop(answers(&mut engine, &model)),
        }
        n_explored += usize::from(engine.n_states().is_some());
        let image = engine.image();
        let expected = answers(&mut engine, &model);
        let revived = std::thread::scope(|scope| {
            let work = || {
                let mut engine = image.revive().map_err(|_| "the same model as before").unwrap();
                answers(&mut engine, &model)
            };
            let workers = [scope.spawn(work), scope.spawn(work)];
            workers.map(|worker| worker.join().expect("no answer panics"))
        });
        for answers in revived {
            assert_eq!(answers, expected, "{text}");
        }
        n_models += 1;
    }
    assert!(n_models > 50 && n_explored > 10, "{n_models} {n_explored}");
}

/// Takes all answers.
#[derive(Default)]
struct All(Vec<Answer<Trace>>);

impl Sink for All {
    fn is_open(&mut self, query: usize) -> bool {
        query >= self.0.len()
    }

    fn answer(&mut self, _: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        assert_eq!(query, self.0.len(), "answers come in the order of the queries");
        self.0.push(answer);
        if query == 900 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Takes answers, each of which closes some of the queries after it.
#[derive(Default)]
struct Closing {
    answers: Vec<(usize, Answer<Trace>)>,
    closed: BTreeSet<usize>,
}

impl Sink for Closing {
    fn is_open(&mut self, query: usize) -> bool {
        !self.closed.contains(&query)
    }

    fn answer(&mut self, _: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        assert!(self.is_open(query), "a closed query needs no answer");
        self.closed.insert(query);
        if let Answer::Found(trace) = &answer {
            self.closed.extend([query + 1, query + trace.states.len(), query + 40]);
        }
        self.answers.push((query, answer));
        ControlFlow::Continue(())
    }
}

/// A model with many claims that take some steps each.
fn claims() -> (Model, Vec<Query>) {
    let claims: Vec<String> = (0..1000).map(|k| format!("INVARSPEC a * 37 mod 1009 != {k} | b > 7")).collect();
    let claims = claims.join("\n");
    let text = format!(
        "MODULE main VAR a : 0..1022; b : 0..15; ASSIGN init(a) := 0; init(b) := 0;
         next(a) := (a * 5 + b) mod 1023; next(b) := {{b, (b + 3) mod 16}};\n{claims}"
    );
    let model = model(&text);
    let queries = model.properties.iter().map(|property| Query::Falsify(property.formula.expr)).collect();
    (model, queries)
}

#[test]
fn threads_give_the_answers_of_one_in_the_same_order() {
    let (model, queries) = claims();
    let solve = |jobs: usize| {
        let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("the model is small");
        let mut all = All::default();
        let budget = Budget::default().with_jobs(NonZeroUsize::new(jobs));
        assert!(answer_each(&mut engine, &queries, &budget, &mut all).is_break());
        (all.0, engine.steps())
    };
    let (alone, steps_alone) = solve(1);
    let (together, steps) = solve(3);
    assert_eq!(alone, together);
    assert_eq!(alone.len(), 901);
    assert!(2 * steps < steps_alone, "other threads have done most: {steps} and {steps_alone} steps");
}

#[test]
fn threads_drop_answers_that_earlier_ones_make_superfluous() {
    let (model, queries) = claims();
    let solve = |jobs: usize| {
        let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("the model is small");
        let mut sink = Closing::default();
        let budget = Budget::default().with_jobs(NonZeroUsize::new(jobs));
        assert!(engine.solve(&queries, &budget, &mut sink).is_continue());
        (sink.answers, engine.steps())
    };
    let (alone, steps_alone) = solve(1);
    let (together, steps) = solve(3);
    assert_eq!(alone, together);
    assert!((100..900).contains(&alone.len()), "{}", alone.len());
    assert!(steps < steps_alone, "other threads have done a part: {steps} and {steps_alone} steps");
}
