//! What crosses threads: models, queries, answers, budgets, and images of engines. A symbolic engine stays on its thread.

use specwright_mc::{Answer, Budget, BuildError, Explicit, Image, Options, Query, Reason, Search, Symbolic, Witness};
use specwright_model::testing::{model, random_smv, random_tasks};
use specwright_model::{Context, Model, Trace, TransitionSystem};

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
