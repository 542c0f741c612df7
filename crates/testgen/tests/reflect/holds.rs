//! Every clause holds on its machine, with all options.

use crate::{broken, load, repository};
use specwright_mc::{Answer, Budget, Options as EngineOptions, Proof, Symbolic};
use specwright_model::Model;
use specwright_model::interp::{Graph, Limits, Verdict, check_property};
use specwright_model::testing::random_model;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::testing::shared;
use specwright_testgen::reflect::shorten::{Shortening, shorten};
use specwright_testgen::reflect::{Options, Reflection, Relate, reflect, settle};
use std::path::PathBuf;

/// Reflects a model as completely as possible.
fn reflected(model: &Model, relate: Relate) -> (Model, Reflection) {
    let mut model = model.clone();
    let options = Options { expound: true, trans: true, relate, ..Options::default() };
    let reflection = reflect(&mut model, options);
    (model, reflection)
}

fn texts(engine: &Symbolic, reflection: &Reflection) -> Vec<String> {
    reflection.clauses.iter().map(|clause| engine.system().show_sourced(&clause.formula)).collect()
}

#[test]
fn clauses_of_the_examples_hold() {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(repository().join("examples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    // These are too large, the first on purpose.
    folders.retain(|folder| !folder.ends_with("finite-focus") && !folder.ends_with("flight-guidance"));
    let mut n_clauses = 0;
    for folder in folders {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // Requirements are properties without a model.
            let is_model = !path.to_string_lossy().ends_with("requirements.smv");
            if !is_model || path.extension().is_none_or(|extension| extension != "smv") {
                continue;
            }
            let model = load(&path, Dialect::NuSmv).unwrap();
            for relate in [Relate::Enumerate, Relate::Shadow] {
                let (mut model, mut reflection) = reflected(&model, relate);
                let mut engine = crate::engine(&model);
                settle(&mut model, &mut engine, &mut reflection);
                assert_eq!(broken(&mut engine, &reflection), [""; 0], "{}", path.display());
                shorten(&mut model, &mut engine, &mut reflection, Shortening::All, &mut |_| ());
                assert_eq!(broken(&mut engine, &reflection), [""; 0], "{}", path.display());
                n_clauses += reflection.clauses.len();
                let short = texts(&engine, &reflection);
                shorten(&mut model, &mut engine, &mut reflection, Shortening::All, &mut |_| ());
                assert_eq!(short, texts(&engine, &reflection), "what is short cannot be shortened");
            }
        }
    }
    assert!(n_clauses > 200, "only {n_clauses} clauses");
}

/// The explicit semantics decide, not the engine.
#[test]
fn clauses_of_random_models_hold() {
    let (mut n_clauses, mut n_notes) = (0, 0);
    for seed in 0..300 {
        let mut model = random_model(seed);
        // Without fairness, clauses cover all steps.
        model.justice.clear();
        model.compassion.clear();
        for relate in [Relate::Enumerate, Relate::Shadow] {
            let (model, reflection) = reflected(&model, relate);
            let graph = Graph::explore(&model, Limits::default());
            let graph = graph.unwrap_or_else(|error| panic!("seed {seed}: {}", error.describe(&model)));
            for clause in &reflection.clauses {
                let answer = check_property(&graph, &clause.property());
                let text =
                    || format!("seed {seed}, {relate:?}: {}: {}", clause.name, model.show_sourced(&clause.formula));
                assert_eq!(answer, Ok(Verdict::Holds), "{}", text());
            }
            n_clauses += reflection.clauses.len();
            n_notes += reflection.notes.len();
            assert!(relate == Relate::Enumerate || reflection.notes.is_empty(), "seed {seed}: {:?}", reflection.notes);
        }
    }
    println!("{n_clauses} clauses, {n_notes} notes");
    assert!(n_clauses > 1000, "only {n_clauses} clauses");
}

#[test]
fn shortened_clauses_of_random_models_hold() {
    for seed in 0..60 {
        let (mut model, mut reflection) = reflected(&random_model(seed), Relate::Enumerate);
        let mut engine = crate::engine(&model);
        settle(&mut model, &mut engine, &mut reflection);
        shorten(&mut model, &mut engine, &mut reflection, Shortening::All, &mut |_| ());
        assert_eq!(broken(&mut engine, &reflection), [""; 0], "seed {seed}");
    }
}

#[test]
fn clauses_of_models_from_elsewhere_hold() {
    let Some(folder) = shared("models") else { return };
    let table = std::fs::read_to_string(folder.join("verdicts.tsv")).unwrap();
    let only = std::env::var("SPECWRIGHT_MODELS").unwrap_or_default();
    let (mut wrong, mut n_models, mut n_clauses, mut n_unknown) = (Vec::new(), 0, 0, 0);
    for line in table.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(name), Some(dialect)) = (columns.next(), columns.next()) else { continue };
        let path = folder.join(name);
        // Large models are left to benchmarks.
        let small = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() < 10_000);
        if !small || name.contains(".m4.") || !name.contains(&only) {
            continue;
        }
        let dialect = if dialect == "cmu" { Dialect::Cmu } else { Dialect::NuSmv };
        let Ok(model) = load(&path, dialect) else { continue };
        for relate in [Relate::Enumerate, Relate::Shadow] {
            let (mut model, mut reflection) = reflected(&model, relate);
            let budget = Budget::default().limited(1_000_000);
            let options = EngineOptions { budget: budget.clone(), ..EngineOptions::default() };
            let Ok(mut engine) = Symbolic::new(model.system.clone(), &options) else { continue };
            engine.within(&budget, |engine| settle(&mut model, engine, &mut reflection));
            n_models += 1;
            for clause in &reflection.clauses {
                match engine.within(&budget, |engine| engine.check(&clause.property())) {
                    Answer::Impossible(Proof::Infeasible) => n_clauses += 1,
                    Answer::Undecided(_) => {
                        n_unknown += 1;
                        // The next ones would take as long.
                        break;
                    }
                    verdict => {
                        let text = engine.system().show_sourced(&clause.formula);
                        wrong.push(format!("{name}, {relate:?}: {}: {text}: {verdict:?}", clause.name));
                    }
                }
            }
        }
    }
    println!("{n_clauses} clauses of {n_models} reflected models hold; {n_unknown} models were left undecided");
    assert!(n_clauses > 0 || !only.is_empty(), "no clause was decided");
    assert!(wrong.is_empty(), "{} clauses fail:\n{}", wrong.len(), wrong.join("\n"));
}
