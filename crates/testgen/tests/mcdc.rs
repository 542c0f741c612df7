//! MC/DC by its definition: the rows of a decision that a suite has, compared with all possible rows.

use specwright_mc::{Answer, Options as EngineOptions, Proof, Symbolic};
use specwright_model::interp::{Graph, Limits, eval_bool};
use specwright_model::testing::{expr, model};
use specwright_model::{ExprId, Model, State};
use specwright_testgen::criteria;
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::grade;
use specwright_testgen::pair::{Ground, settle};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The values of the conditions, and the outcome.
type Row = (Vec<bool>, bool);

/// A decision as a tree over its conditions.
enum Tree {
    Condition(usize),
    Not(Box<Tree>),
    Join(&'static str, Box<Tree>, Box<Tree>),
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    UniqueCause,
    Masking,
    /// Unique cause if possible, otherwise masking.
    Either,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::UniqueCause => "mcdc-unique-cause",
            Form::Masking => "mcdc-masking",
            Form::Either => "mcdc",
        }
    }
}

/// Conditions with many dependencies among each other.
const CONDITIONS: [&str; 9] = ["a", "b", "x = 1", "x < 2", "x = 3", "m", "y = x", "y > 1", "x > 1"];

impl Tree {
    fn random(below: &mut impl FnMut(usize) -> usize, conditions: &[usize], depth: usize) -> Tree {
        match below(if depth == 0 { 1 } else { 6 }) {
            0 => Tree::Condition(conditions[below(conditions.len())]),
            1 => Tree::Not(Box::new(Tree::random(below, conditions, depth - 1))),
            _ => {
                let operator = ["&", "|", "xor", "->", "&", "|"][below(6)];
                let mut part = || Box::new(Tree::random(below, conditions, depth - 1));
                Tree::Join(operator, part(), part())
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Tree::Condition(at) => format!("({})", CONDITIONS[*at]),
            Tree::Not(inner) => format!("!{}", inner.text()),
            Tree::Join(operator, a, b) => format!("({} {operator} {})", a.text(), b.text()),
        }
    }

    fn conditions(&self, found: &mut Vec<usize>) {
        match self {
            Tree::Condition(at) if found.contains(at) => {}
            Tree::Condition(at) => found.push(*at),
            Tree::Not(inner) => inner.conditions(found),
            Tree::Join(_, a, b) => {
                a.conditions(found);
                b.conditions(found);
            }
        }
    }

    fn outcome(&self, conditions: &[usize], row: &[bool]) -> bool {
        match self {
            Tree::Condition(at) => {
                row[conditions.iter().position(|condition| condition == at).expect("a condition of the tree")]
            }
            Tree::Not(inner) => !inner.outcome(conditions, row),
            Tree::Join(operator, a, b) => {
                let (a, b) = (a.outcome(conditions, row), b.outcome(conditions, row));
                match *operator {
                    "&" => a && b,
                    "|" => a || b,
                    "xor" => a != b,
                    _ => !a || b,
                }
            }
        }
    }

    /// Whether rows have a pair for a condition, where `all` are the possible rows.
    fn shows(&self, conditions: &[usize], rows: &BTreeSet<Row>, all: &BTreeSet<Row>, at: usize, form: Form) -> bool {
        let possible = form == Form::UniqueCause || self.has_pair(conditions, all, at, false);
        let masking = form == Form::Masking || form == Form::Either && !possible;
        self.has_pair(conditions, rows, at, masking)
    }

    /// Whether rows have a pair of a form for a condition.
    fn has_pair(&self, conditions: &[usize], rows: &BTreeSet<Row>, at: usize, masking: bool) -> bool {
        let decides = |(row, outcome): &Row| {
            let mut flipped = row.clone();
            flipped[at] = !flipped[at];
            self.outcome(conditions, &flipped) != *outcome
        };
        rows.iter().any(|first| {
            rows.iter().any(|second| {
                let differ = first.0[at] && !second.0[at] && first.1 != second.1;
                let others = (0..conditions.len()).filter(|other| *other != at);
                let alone = others.into_iter().all(|other| first.0[other] == second.0[other]);
                differ && if masking { decides(first) && decides(second) } else { alone }
            })
        })
    }
}

/// The rows of some steps. The decision is made before the step.
fn rows<'s>(
    model: &mut Model,
    tree: &Tree,
    conditions: &[usize],
    steps: impl Iterator<Item = &'s State>,
) -> BTreeSet<Row> {
    let exprs: Vec<ExprId> = conditions.iter().map(|at| expr(model, CONDITIONS[*at], None)).collect();
    let row = |state: &State| {
        let row: Vec<bool> = exprs
            .iter()
            .map(|expr| eval_bool(model, *expr, state, None).expect("all conditions have values"))
            .collect();
        let outcome = tree.outcome(conditions, &row);
        (row, outcome)
    };
    steps.map(row).collect()
}

fn collect(model: &Model, engine: &mut Symbolic, criterion: &str) -> Vec<Goal> {
    let wanted = criteria::Options { criteria: vec![criterion.into()], ..criteria::Options::default() };
    let (mut goals, _) = criteria::collect(model, Some(engine), &wanted);
    goals.retain(|goal| goal.groups.iter().any(|group| group == "next(m)"));
    goals
}

#[test]
fn every_condition_with_a_pair_gets_one_and_the_others_have_none() {
    let mut random = 5u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % n
    };
    let (mut n_pairs, mut n_none, mut n_only_masked) = (0, 0, 0);
    for round in 0..150 {
        let mut chosen: Vec<usize> = (0..2 + below(3)).map(|_| below(CONDITIONS.len())).collect();
        if round % 2 == 0 {
            // `x < 2` and `x > 1` never change alone.
            chosen = vec![0, 1, 3, 8];
        }
        let tree = Tree::random(&mut below, &chosen, 3);
        let mut conditions = Vec::new();
        tree.conditions(&mut conditions);
        if conditions.len() < 2 {
            continue;
        }
        let walk = ["{x, (x + 1) mod 4}", "(x + 1) mod 4", "{0, 1}", "{x, y}"][below(4)];
        let text = format!(
            "MODULE main\nVAR a : boolean; b : boolean; x : 0..3; y : 0..3; m : boolean;\nASSIGN init(x) := 0; next(x) := {walk};\n\
             next(y) := {{x, 2}}; init(m) := FALSE;\nnext(m) := case {} : TRUE; TRUE : FALSE; esac;\n",
            tree.text()
        );
        let mut whole = model(&text);
        let states: Vec<State> = {
            let graph =
                Graph::explore(&whole, Limits::default()).unwrap_or_else(|error| panic!("{}", error.describe(&whole)));
            (0..graph.len())
                .filter(|state| !graph.edges[*state].is_empty())
                .map(|at| graph.states[at].clone())
                .collect()
        };
        let all = rows(&mut whole, &tree, &conditions, states.iter());
        for form in [Form::UniqueCause, Form::Masking, Form::Either] {
            let criterion = form.name();
            let model = model(&text);
            let mut engine = Symbolic::new(model.system.clone(), &EngineOptions::default())
                .unwrap_or_else(|error| panic!("{error:?}"));
            let mut goals = collect(&model, &mut engine, criterion);
            assert_eq!(goals.len(), 2 * conditions.len(), "{text}");
            settle(Ground::Engine(&mut engine), &mut goals, &[]);
            let strategy = [Strategy::Each, Strategy::Monitor, Strategy::Extend][round % 3];
            let mut run = Run::new(goals.len());
            let options = Options { strategy, ..Options::default() };
            let result = generate(&mut engine, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(()));
            assert!(result.is_continue());
            // The decision is made in every state that has a successor.
            let left = |trace: &specwright_model::Trace| {
                let n = trace.states.len() - usize::from(trace.loop_start.is_none());
                trace.states[..n].to_vec()
            };
            let seen: Vec<State> = run.tests.iter().flat_map(|test| left(&test.trace)).collect();
            let shown = rows(&mut whole, &tree, &conditions, seen.iter());
            assert!(shown.is_subset(&all), "{text}");
            for at in 0..conditions.len() {
                let has_pair = tree.shows(&conditions, &all, &all, at, form);
                let name = CONDITIONS[conditions[at]];
                let outcomes = [2 * at, 2 * at + 1].map(|half| run.outcomes[half].clone());
                let infeasible = |outcome: &Option<Answer<()>>| *outcome == Some(Answer::Impossible(Proof::Infeasible));
                // With masking the halves may be independent of each other; then one of them may be possible alone.
                let agrees = match has_pair {
                    true => outcomes.iter().all(|outcome| *outcome == Some(Answer::Found(()))),
                    false if form != Form::UniqueCause => outcomes.iter().any(infeasible),
                    false => outcomes.iter().all(infeasible),
                };
                assert!(agrees, "{criterion} of {name} in {text}: {outcomes:?}");
                assert_eq!(
                    tree.shows(&conditions, &shown, &all, at, form),
                    has_pair,
                    "{criterion} of {name} in {text}"
                );
                n_pairs += usize::from(has_pair);
                n_none += usize::from(!has_pair);
                n_only_masked +=
                    usize::from(form == Form::Masking && has_pair && !tree.has_pair(&conditions, &all, at, false));
            }
            grade_agrees(&mut whole, &text, form, &tree, &conditions, &all, &run);
        }
    }
    assert!(n_pairs > 300 && n_none > 50 && n_only_masked > 5, "{n_pairs} {n_none} {n_only_masked}");
}

/// Parts of a suite are graded by the pairs that they have, with or without an engine.
fn grade_agrees(
    whole: &mut Model,
    text: &str,
    form: Form,
    tree: &Tree,
    conditions: &[usize],
    all: &BTreeSet<Row>,
    run: &Run,
) {
    let criterion = form.name();
    let mut suite = run.suite(whole);
    while !suite.tests.is_empty() {
        let tests: Vec<_> = suite.tests.iter().map(|test| test.trace.clone()).collect();
        let seen: Vec<State> =
            tests.iter().flat_map(|trace| trace.states[..trace.states.len() - 1].iter().cloned()).collect();
        let shown = rows(whole, tree, conditions, seen.iter());
        let model = model(text);
        let mut engine =
            Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
        for with_engine in [false, true] {
            let mut goals = collect(&model, &mut engine, criterion);
            if with_engine {
                settle(Ground::Engine(&mut engine), &mut goals, &tests);
            } else {
                settle(Ground::Model(engine.system()), &mut goals, &tests);
            }
            let reached = grade(engine.system(), &goals, &suite).matrix.reached();
            for at in 0..conditions.len() {
                let graded = reached.contains(2 * at) && reached.contains(2 * at + 1);
                // Without an engine, unique cause is not known to be impossible, so masking is not enough.
                let form = if form == Form::Either && !with_engine { Form::UniqueCause } else { form };
                let has_pair = tree.shows(conditions, &shown, all, at, form);
                assert_eq!(graded, has_pair, "{criterion} of {} in {text}", CONDITIONS[conditions[at]]);
            }
        }
        suite.tests.remove(0);
    }
}

/// The rows of a well-known decision: with `FTT` instead of a partner of `TTF` or `TFT`, the first condition is only
/// masked.
#[test]
fn rows_that_form_no_pair_do_not_count() {
    let text = "MODULE main\nVAR a : boolean; b : boolean; c : boolean; m : boolean;\n\
                ASSIGN next(m) := case a & (b | c) : TRUE; TRUE : FALSE; esac;\n";
    let model = model(text);
    let mut engine =
        Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let row = |engine: &mut Symbolic, values: &str| {
        let truth = |at: usize| if &values[at..=at] == "T" { "" } else { "!" };
        let wanted = format!("{}a & {}b & {}c & next(m) = next(m)", truth(0), truth(1), truth(2));
        let wanted = expr(&model, &wanted, None);
        let specwright_mc::Answer::Found(trace) = engine.reach(wanted) else { panic!("all rows are possible") };
        trace
    };
    for (rows, unique_cause, masking) in [
        (&["TTF", "TFT", "TFF", "FTT"][..], 5, 6),
        (&["TTF", "TFT", "TFF", "FTF"], 6, 6),
        (&["TTF", "TFT", "TFF", "FFT"], 6, 6),
        (&["TTF", "TFF", "FTF"], 5, 5),
        (&["TTT", "FFF"], 1, 1),
        (&["FFF"], 0, 0),
    ] {
        let tests: Vec<_> = rows.iter().map(|values| row(&mut engine, values)).collect();
        for (criterion, expected) in
            [("mcdc", unique_cause), ("mcdc-unique-cause", unique_cause), ("mcdc-masking", masking)]
        {
            let mut goals = collect(&model, &mut engine, criterion);
            settle(Ground::Engine(&mut engine), &mut goals, &tests);
            let mut run = Run::new(goals.len());
            run.tests = tests.iter().map(|trace| specwright_testgen::suite::Test::new("t", trace.clone())).collect();
            let suite = run.suite(&model);
            let reached = grade(engine.system(), &goals, &suite).matrix.reached().count();
            assert_eq!(reached, expected, "{criterion} of {rows:?}");
        }
    }
}

#[test]
fn descriptions_of_long_decisions_list_the_first_conditions_and_count_the_others() {
    let names: Vec<String> = (0..20).map(|at| format!("b{at}")).collect();
    let text = format!(
        "MODULE main VAR {} : boolean; m : boolean; ASSIGN next(m) := case {} : TRUE; TRUE : FALSE; esac;",
        names.join(" : boolean; "),
        names.join(" & ")
    );
    let model = model(&text);
    let mut engine =
        Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let goals = collect(&model, &mut engine, "mcdc-unique-cause");
    assert_eq!(goals.len(), 40);
    let first = &goals[0];
    assert_eq!(first.pair.as_ref().map(|pair| pair.forms[0][0].same.len()), Some(19));
    assert!(first.description.contains("paired with `b1` true, `b2` true"), "{}", first.description);
    assert!(first.description.ends_with("`b16` true, and 3 more"), "{}", first.description);
}
