//! Budgets: work ends promptly and consistently wherever the budget ends, and all long work checks the budget.

use specwright_mc::{Answer, Options as EngineOptions, Symbolic};
use specwright_model::interp::Explorer;
use specwright_model::testing::random_smv;
use specwright_model::unparse::print_model;
use specwright_model::{Model, State, Trace, lower};
use specwright_syntax::budget::Budget;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_syntax::{asm, scr, smv};
use specwright_testgen::criteria::{self, Options as Goals};
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Grader, Quantifiers};
use std::ops::ControlFlow;

fn read_smv(text: &str, budget: &Budget) -> Model {
    let mut sources = SourceMap::within(budget.clone());
    let file = sources.add("m.smv", text).expect("it is small");
    let (tree, _) = smv::parse(&sources.files()[file], Dialect::NuSmv);
    let options = lower::smv::Options { budget: budget.clone(), ..Default::default() };
    lower::smv::lower(&tree, &options).0.expect("it is valid")
}

fn read_asm(text: &str, budget: &Budget) -> Model {
    let mut sources = SourceMap::within(budget.clone());
    let file = sources.add("m.asm", text).expect("it is small");
    let (tree, _) = asm::parse(&sources.files()[file]);
    let options = lower::asm::Options { mutants: true, budget: budget.clone(), ..Default::default() };
    let (model, diagnostics) = lower::asm::lower(&[tree], &options);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn read_scr(text: &str, budget: &Budget) -> Model {
    let mut sources = SourceMap::within(budget.clone());
    let file = sources.add("m.scr", text).expect("it is small");
    let file = &sources.files()[file];
    let (tree, _) = scr::parse(file);
    let (model, diagnostics) = lower::scr::lower(
        &tree,
        &lower::scr::Options { name: "m".into(), budget: file.budget.clone(), ..Default::default() },
    );
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// The model with another budget.
fn within(mut model: Model, budget: &Budget) -> Model {
    model.budget = budget.clone();
    model
}

fn goals_of(model: &Model, criteria: &[&str]) -> Vec<Goal> {
    let criteria = criteria.iter().map(|name| (*name).to_owned()).collect();
    criteria::collect(model, None, &Goals { criteria, ..Goals::default() }).0
}

/// The whole pipeline from text to suite.
fn whole_run(text: &str, strategy: Strategy, budget: &Budget) -> (Vec<Goal>, Run, bool, String) {
    let model = read_smv(text, budget);
    let goals = goals_of(&model, &["mutation", "states", "mcdc"]);
    let printed = print_model(&model);
    let mut engine = Symbolic::new(model.system, &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let mut run = Run::new(goals.len());
    let options = Options { strategy, ..Options::default() };
    let result = generate(&mut engine, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(()));
    (goals, run, result.is_continue(), printed)
}

/// A named piece of work on an input of a given size.
type Phase = (&'static str, fn(usize, &Budget));

/// Number of looks at the budget during some work.
fn looks<T>(work: impl FnOnce(&Budget) -> T) -> u64 {
    let budget = Budget::of_looks(1 << 60);
    work(&budget);
    (1 << 60) - budget.looks_left().expect("they are counted")
}

#[test]
fn results_are_right_wherever_a_budget_ends() {
    let text = random_smv(3);
    for strategy in [Strategy::Each, Strategy::Monitor, Strategy::Extend] {
        let (goals, complete, done, printed) = whole_run(&text, strategy, &Budget::default());
        assert!(done);
        let total = looks(|budget| whole_run(&text, strategy, budget));
        let mut n_stopped = 0;
        // All points at the beginning, and many later ones.
        let later = (0..400).map(|n| n * total / 400);
        for n in (0..50).chain(later).chain(total - 20..=total) {
            let Ok((_, run, done, text)) = Budget::run(|| whole_run(&text, strategy, &Budget::of_looks(n))) else {
                continue;
            };
            assert_eq!(text, printed);
            if done {
                assert_eq!((n, &run), (total, &complete), "only the whole budget is enough");
                continue;
            }
            n_stopped += 1;
            for (goal, (now, then)) in run.outcomes.iter().zip(&complete.outcomes).enumerate() {
                assert!(now.is_none() || now == then, "{}: {now:?}, not {then:?}", goals[goal].id);
                let is_tested = run.tests.iter().any(|test| test.goals.contains(&goals[goal].id));
                // Where every goal gets its own test, a goal that another test covers is still open.
                let is_open = strategy == Strategy::Each && now.is_none();
                assert!(is_open || is_tested == (*now == Some(Answer::Found(()))), "{}", goals[goal].id);
            }
        }
        assert!(n_stopped > 50, "{n_stopped}");
        assert!(Budget::run(|| whole_run(&text, strategy, &Budget::of_looks(total))).is_ok_and(|(_, _, done, _)| done));
    }
}

/// A model, a machine and tables that grow with a number.
fn large_smv(n: usize) -> String {
    let vars = (0..n).map(|i| format!("x{i} : 0..3;\n"));
    let assigns =
        (0..n).map(|i| format!("next(x{i}) := case x{} = 1 : 2; x{i} > 2 : 0; TRUE : x{i}; esac;\n", (i + 1) % n));
    let specs = (0..n).map(|i| format!("SPEC AG (x{i} = 1 -> AX x{i} < 3)\n"));
    let (vars, assigns, specs): (String, String, String) = (vars.collect(), assigns.collect(), specs.collect());
    format!("MODULE main\nVAR\n{vars}ASSIGN\n{assigns}{specs}")
}

fn large_asm(n: usize) -> String {
    format!(
        "asm m\nimport StandardLibrary\nsignature:\n  domain D subsetof Integer\n  controlled f : D -> Boolean\n  monitored go : Boolean\n\
         definitions:\n  domain D = {{1:{n}}}\n  main rule r_Main =\n    if go then forall $i in D do f($i) := not f($i) endif\n\
         default init s0:\n  function f($i in D) = false\n"
    )
}

fn large_scr(n: usize) -> String {
    let inputs = (0..n).map(|i| format!("  a{i} : boolean\n"));
    let tables = (0..n).map(|i| {
        format!("\ncondition table c{i}\n  Conditions | a{i} | NOT a{i}\n  ---|---|---\n  c{i} = | TRUE | FALSE\n")
    });
    let outputs = (0..n).map(|i| format!("  c{i} : boolean\n"));
    let (inputs, tables, outputs): (String, String, String) = (inputs.collect(), tables.collect(), outputs.collect());
    format!("monitored\n{inputs}\ncontrolled\n{outputs}{tables}")
}

#[test]
fn the_number_of_looks_grows_with_the_work() {
    let phases: [Phase; 9] = [
        ("reading and lowering SMV", |n, budget| drop(read_smv(&large_smv(n), budget))),
        ("reading and lowering AsmetaL, with mutants", |n, budget| drop(read_asm(&large_asm(n), budget))),
        ("reading and lowering SCR", |n, budget| drop(read_scr(&large_scr(n), budget))),
        ("mutants", |n, budget| {
            let model = read_smv(&large_smv(n), &Budget::default());
            goals_of(&within(model, budget), &["mutation"]);
        }),
        ("states", |n, budget| {
            let model = read_smv(&large_smv(n), &Budget::default());
            goals_of(&within(model, budget), &["states"]);
        }),
        ("reflection", |n, budget| {
            let mut model = within(read_smv(&large_smv(n), &Budget::default()), budget);
            specwright_testgen::reflect::reflect(&mut model, specwright_testgen::reflect::Options::default());
        }),
        ("judging", |n, budget| {
            let model = read_smv(&large_smv(n), &Budget::default());
            let goals = goals_of(&model, &["states"]);
            let model = within(model, budget);
            let mut grader = Grader::new(&model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
            let mut state = State::empty(model.vars.len());
            model.vars().for_each(|(id, var)| state.set(id, var.domain.value_at(0)));
            grader.reached(&model, &Trace { states: vec![state], loop_start: None });
        }),
        ("printing", |n, budget| {
            let model = read_smv(&large_smv(n), &Budget::default());
            drop(print_model(&within(model, budget)));
        }),
        ("planning a search", |n, budget| {
            let model = within(read_smv(&large_smv(n), &Budget::default()), budget);
            drop(Explorer::new(&model));
        }),
    ];
    for (name, phase) in phases {
        let [few, many] = [10, 40].map(|n| looks(|budget| phase(n, budget)));
        assert!(few >= 10 && many >= 3 * few, "{name}: {few} looks at 10, {many} at 40");
    }
}
