//! The examples of Ammann and Black, and similar ones.

use super::{Focused, example, focused, keep, strategy};
use specwright_mc::{Answer, Options as EngineOptions, Symbolic};
use specwright_model::{Model, Value};
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::mutate::{Guard, GuardMode, Selection};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The instructions that SMV chose are preferred.
fn ties(model: &Model) -> Options {
    let instr = model.var_named("instr").unwrap();
    let order = ["in_pop2", "in_push1", "in_pop1"].map(|name| Value::Symbol(model.context.symbols.get(name).unwrap()));
    Options { ties: vec![(instr, order.to_vec())], ..strategy(Strategy::Each) }
}

fn own(operators: &str) -> Mutation {
    Mutation { selection: Selection::named(operators).unwrap(), properties: Properties::Own, ..Mutation::default() }
}

fn stack(operators: &str) -> Focused {
    let mut whole = example("finite-focus/card_stack.smv");
    let keep = keep(&mut whole, "StackSize in 0..3");
    let options = ties(&whole);
    focused(whole, &[keep], own(operators), &options)
}

/// The same with the model that was reduced by hand.
fn stack_by_hand(operators: &str) -> Run {
    let model = example("card-stack/card_stack.smv");
    let options = ties(&model);
    let guard = Some(Guard { var: model.var_named("Sound").unwrap(), mode: GuardMode::Ignored });
    let mut engine = Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap();
    let wanted = criteria::Options { mutation: Mutation { guard, ..own(operators) }, ..criteria::Options::default() };
    let (goals, _) = criteria::collect(&model, Some(&mut engine), &wanted);
    let mut run = Run::new(goals.len());
    assert!(generate(&mut engine, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(())).is_continue());
    run
}

/// The instructions of a test, except for the last one, whose effect is not observed.
fn instructions(model: &Model, run: &Run) -> BTreeSet<String> {
    let instr = model.var_named("instr").unwrap();
    let words = |test: &specwright_testgen::suite::Test| {
        let (_, rest) = test.trace.states.split_last().unwrap();
        let words: Vec<String> = rest.iter().map(|state| model.show(state.get(instr).unwrap())).collect();
        words.join(" ").replace("in_", "")
    };
    run.tests.iter().map(words).collect()
}

#[test]
fn the_stack_of_any_depth_has_the_nine_tests_that_were_published() {
    let published = [
        "push1 pop1",
        "push1 push1 pop1 push1 pop2",
        "push1 push1 pop1 pop1",
        "push1 push1 pop2",
        "push1 push1 push1 pop1 pop2",
        "push1 push1 push1 pop1 push1 pop2",
        "push1 push1 push1 pop1 pop1",
        "push1 push1 push1 pop2 pop1",
        "push1 push1 push1 pop2 push1 pop2",
    ];
    let Focused { whole, run, .. } = stack("ORO");
    assert_eq!(instructions(&whole, &run), published.map(String::from).into());
}

#[test]
fn the_stack_of_any_depth_has_the_mutants_of_the_one_reduced_by_hand() {
    for operators in ["ORO", "SNO", "ENO", "LRO", "MCO", "STO", "ASO"] {
        let (ours, theirs) = (stack(operators).run, stack_by_hand(operators));
        let numbers = |run: &Run| (run.outcomes.len(), run.counts().covered, run.tests.len());
        assert_eq!(numbers(&ours), numbers(&theirs), "{operators}");
    }
}

#[test]
fn the_account_is_tested_up_to_two_florins() {
    let mut whole = example("finite-focus/account.smv");
    let keep = keep(&mut whole, "balance in 0..2");
    let Focused { whole, reduced, run, .. } = focused(whole, &[keep], Mutation::default(), &strategy(Strategy::Each));
    let balance = whole.var_named("balance").unwrap();
    let seen: BTreeSet<Value> =
        run.tests.iter().flat_map(|test| &test.trace.states).filter_map(|state| state.get(balance)).collect();
    assert_eq!(seen, [0, 1, 2].map(Value::Int).into());
    // Three florins stand for every higher balance.
    assert_eq!(reduced.model[balance].domain.size(), Some(4));
    assert!(run.counts().covered > 100);
}

#[test]
fn a_counter_with_a_thousand_million_values_is_tested_in_a_handful() {
    let mut whole = example("finite-focus/counter.smv");
    let keep = keep(&mut whole, "value in 0..4");
    let Focused { whole, run, .. } = focused(whole, &[keep], Mutation::default(), &strategy(Strategy::Monitor));
    let value = whole.var_named("value").unwrap();
    let most = run.tests.iter().flat_map(|test| &test.trace.states).filter_map(|state| state.get(value)).max();
    assert_eq!(most, Some(Value::Int(4)));
}

#[test]
fn a_queue_with_unbounded_indices_is_tested() {
    let mut whole = example("finite-focus/queue.smv");
    let keeps = ["head in 0..3", "tail in 0..3"].map(|text| keep(&mut whole, text));
    for how in [Strategy::Each, Strategy::Monitor, Strategy::Extend] {
        let Focused { run, .. } = focused(whole.clone(), &keeps, Mutation::default(), &strategy(how));
        assert!(run.outcomes.iter().filter(|outcome| matches!(outcome, Some(Answer::Found(())))).count() > 200);
    }
}

#[test]
fn words_are_kept_by_their_values() {
    let mut whole = specwright_model::testing::model(
        "MODULE main
         VAR w : unsigned word[16]; s : signed word[8]; up : boolean; a : array 0..1 of 0..9;
         ASSIGN init(w) := 0ud16_0; next(w) := up ? w + 0ud16_1 : w;
                init(s) := 0sd8_0; next(s) := up ? s : s - 0sd8_1;
         SPEC AG (w = 0ud16_2 & up -> AX w = 0ud16_3)
         SPEC AG (s = -0sd8_1 & !up -> AX s = -0sd8_2)",
    );
    let texts = [
        ("w in 0ud16_0..0ud16_3", "w in 0ud16_0..0ud16_3"),
        ("w in 0..3 union {7}", "w in {0ud16_0, 0ud16_1, 0ud16_2, 0ud16_3, 0ud16_7}"),
        ("s in -0sd8_2..0sd8_0", "s in -0sd8_2..0sd8_0"),
        ("s in -1..1", "s in -0sd8_1..0sd8_1"),
        ("!up", "up = FALSE"),
        ("a[1] in 2 * 2..5", "a[1] in 4..5"),
    ];
    for (text, shown) in texts {
        let keep = keep(&mut whole, text);
        assert_eq!(keep.text(&whole), shown);
    }
    let keeps = [keep(&mut whole, "w in 0..3"), keep(&mut whole, "s in -2..0")];
    let Focused { goals, run, .. } = focused(whole, &keeps, own("all"), &strategy(Strategy::Monitor));
    assert!(run.counts().covered * 2 > goals.len(), "{:?}", run.counts());
}
