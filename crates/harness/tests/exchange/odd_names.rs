//! Arbitrary names: exported code keeps its structure, and traces round-trip.

use crate::read;
use crate::skeleton::{gherkin, skeleton};
use specwright_harness::export::{Exported, FORMATS, Format, export};
use specwright_harness::import::Mapping;
use specwright_model::interp::Random;
use specwright_model::testing::model;
use specwright_model::value::SymbolTable;
use specwright_model::{Context, Model, State, Trace, Value};
use specwright_syntax::escape::is_harmful;
use specwright_testgen::suite::{Expect, Suite, Test};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Pieces of odd names: line breaks, ends of comments and strings in all languages, escapes, and confusable characters.
const PIECES: [&str; 66] = [
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\u{1}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{fdd0}",
    "\u{fffe}",
    "\u{e0041}",
    "\u{1b}[31m",
    "*/",
    "/*",
    "*\\",
    "//",
    "--",
    "#",
    "\"",
    "\"\"\"",
    "'",
    "'''",
    "`",
    "${x}",
    "\\",
    "\\n",
    "\\u000a",
    "\\u{a}",
    "\\x22",
    "??/",
    "%n",
    "{{",
    "}}",
    "{%",
    "<!--",
    "-->",
    "]]>",
    "&amp;",
    "</script>",
    "=",
    " = ",
    ":=",
    ";",
    ",",
    "|",
    "$end",
    "@T",
    "+1",
    "-1",
    " ",
    "  ",
    "a",
    "Z",
    "_",
    "9",
    "é",
    "日本",
    "👩‍🚀",
    "?",
    ".",
];

/// Names with a meaning in some language.
const WORDS: [&str; 41] = [
    "class",
    "def",
    "fn",
    "func",
    "loop",
    "match",
    "self",
    "Self",
    "type",
    "package",
    "import",
    "None",
    "true",
    "null",
    "__proto__",
    "constructor",
    "linux",
    "errno",
    "main",
    "subject",
    "Subject",
    "Inputs",
    "outputs",
    "test",
    "init",
    "Test",
    "toString",
    "hashCode",
    "step",
    "reset",
    "expect",
    "covers",
    "departure",
    "@test",
    "@loop",
    "#meta",
    "TRUE",
    "Scenario:",
    "Loop starts here",
    "model",
    "?",
];

fn odd(random: &mut Random) -> String {
    match random.index(10) {
        0 => WORDS[random.index(WORDS.len())].into(),
        1 => format!("{}{}", WORDS[random.index(WORDS.len())], PIECES[random.index(PIECES.len())]),
        _ => (0..=random.index(6)).map(|_| PIECES[random.index(PIECES.len())]).collect(),
    }
}

/// Distinct odd names, quoted as in an SMV model or as in a JSON suite.
fn names(random: &mut Random, n: usize, in_quotes: bool) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut listed = Vec::new();
    while listed.len() < n {
        let odd = odd(random);
        let name = if in_quotes { format!("\"{}\"", odd.replace('"', "")) } else { odd };
        // A quoted name and the same without quotes are one name where quotes delimit names; `?` stands for a missing
        // value.
        let bare = name.trim_matches('"').trim().to_owned();
        if !bare.is_empty() && bare != "?" && names.insert(bare) {
            listed.push(name);
        }
    }
    listed
}

/// A model with one variable of each kind, and other names for everything in it.
fn renamed(variables: &[String], symbols: &[String]) -> Model {
    let mut model = model(
        "MODULE main
         VAR go : boolean; state : {one, two, three}; mixed : {four, 1}; level : -2..2; bits : unsigned word[8];
             other : {five, six};
         ASSIGN next(state) := go ? two : one; next(mixed) := go ? four : 1; next(level) := go ? 1 : 0;
             next(bits) := 0ud8_1; next(other) := five;",
    );
    for (var, name) in model.vars.iter_mut().zip(variables) {
        name.clone_into(&mut var.name);
    }
    let table = SymbolTable::default();
    for symbol in symbols {
        table.intern(symbol);
    }
    assert_eq!(table.names().count(), model.context.symbols.names().count());
    model.context = Arc::new(Context { symbols: table, exprs: model.context.exprs.clone() });
    model
}

const VARIABLES: usize = 6;
const SYMBOLS: usize = 6;

fn suite(model: &Model, names: &[String], texts: &[String]) -> Suite {
    let value = |var: usize, step: usize| match &model.vars[var].domain {
        specwright_model::Domain::Bool => Value::Bool(step.is_multiple_of(2)),
        specwright_model::Domain::Enum(values) => values[step % values.len()],
        specwright_model::Domain::Word { .. } => Value::Word(specwright_model::Word::new(false, 8, step as u64)),
        _ => Value::Int(i64::try_from(step % 5).unwrap() - 2),
    };
    let tests = names.iter().enumerate().map(|(number, name)| {
        let states = (0..3).map(|index| {
            let mut state = State::empty(model.vars.len());
            for (var, _) in model.vars() {
                state.set(var, value(var.0 as usize, index + number));
            }
            state
        });
        let mut test = Test::new(name.clone(), Trace { states: states.collect(), loop_start: None });
        test.notes = texts[..3].to_vec();
        test.goals = texts[3..].to_vec();
        if number == 1 {
            test.expect = Expect::Reject;
        }
        test
    });
    Suite { model: names[0].clone(), model_hash: None, tests: tests.collect(), goals: None }
}

/// The formats of test code, or the others.
fn formats(code: bool) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |format| format.is_code() == code)
}

fn code(model: &Model, suite: &Suite, format: &Format) -> Vec<Exported> {
    let files = export(model, suite, format).unwrap();
    for file in &files {
        let harmful = file.text.chars().find(|c| is_harmful(*c) && !matches!(c, '\n' | '\t'));
        assert_eq!(harmful, None, "{format:?}: {}", file.text);
        assert!(file.name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')), "{}", file.name);
    }
    files
}

#[test]
fn names_never_change_the_structure_of_code() {
    let words = |prefix: &str, n| (0..n).map(|index| format!("{prefix}{index}")).collect::<Vec<_>>();
    let plain_model = renamed(&words("v", VARIABLES), &words("s", SYMBOLS));
    let plain_suite = suite(&plain_model, &words("t", 3), &words("x", 6));
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let in_quotes = random.percent(50);
        let odd_model = renamed(&names(&mut random, VARIABLES, in_quotes), &names(&mut random, SYMBOLS, in_quotes));
        let odd_suite = suite(&odd_model, &names(&mut random, 3, false), &names(&mut random, 6, false));
        for format in formats(true) {
            let (plain, odd) = (code(&plain_model, &plain_suite, format), code(&odd_model, &odd_suite, format));
            assert_eq!(plain.len(), odd.len());
            for (plain, odd) in plain.iter().zip(&odd) {
                let [plain, odd] = [plain, odd].map(|file| match format.name {
                    "gherkin" => gherkin(&file.text),
                    name => skeleton(&file.text, name == "pytest"),
                });
                assert_eq!(odd, plain, "seed {seed}, {format:?}");
            }
        }
    }
}

#[test]
fn names_round_trip_in_every_format() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let in_quotes = random.percent(70);
        let model = renamed(&names(&mut random, VARIABLES, in_quotes), &names(&mut random, SYMBOLS, in_quotes));
        let mut tests = names(&mut random, 3, false);
        if seed % 10 == 0 {
            tests[0] = [" ", "   ", "\t", "\u{a0}"][random.index(4)].into();
        }
        let suite = suite(&model, &tests, &names(&mut random, 6, false));
        for format in formats(false) {
            let files = export(&model, &suite, format).unwrap();
            let files: Vec<_> = files.into_iter().map(|file| (file.name, file.text)).collect();
            let (back, found) = read(&model, &files, &Mapping::default());
            assert!(found.is_empty(), "seed {seed}, {format:?}: {found:?}\n{}", files[0].1);
            for (back, test) in back.tests.iter().zip(&suite.tests) {
                assert_eq!(
                    (&back.name, back.expect, &back.trace),
                    (&test.name, test.expect, &test.trace),
                    "seed {seed}, {format:?}\n{}",
                    files[0].1
                );
                if matches!(format.name, "csv" | "itf" | "json" | "text") {
                    assert_eq!((&back.goals, &back.notes), (&test.goals, &test.notes), "seed {seed}, {format:?}");
                }
            }
            assert_eq!(back.tests.len(), suite.tests.len());
        }
    }
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let model = renamed(&names(&mut random, VARIABLES, false), &names(&mut random, SYMBOLS, false));
        let suite = suite(&model, &names(&mut random, 3, false), &names(&mut random, 6, false));
        let table = export(&model, &suite, Format::named("csv").unwrap()).unwrap().remove(0).text;
        let start = |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let is_number = |text: &str| text.strip_prefix('-').is_some_and(|rest| rest.chars().all(char::is_alphanumeric));
        for cell in table.replace("\r\n", "\n").split([',', '\n']).filter(|cell| !cell.contains('"')) {
            let is_column = ["@test", "@expect", "@loop", "@goals", "@note"].contains(&cell);
            // The continuation of a quoted cell is no cell.
            let is_part = suite
                .tests
                .iter()
                .flat_map(|test| [&test.name].into_iter().chain(&test.notes))
                .any(|text| text.contains([',', '\n', '"']) && text.contains(cell));
            let is_name = model.vars.iter().any(|var| var.name.contains([',', '\n', '"']) && var.name.contains(cell));
            let is_value =
                model.context.symbols.names().any(|name| name.contains([',', '\n', '"']) && name.contains(cell));
            assert!(!start(cell) || is_number(cell) || is_column || is_part || is_name || is_value, "{cell:?}");
        }
    }
}

#[test]
fn names_of_any_length_are_exported() {
    let long = |c: char| (0..VARIABLES).map(move |index| format!("{}{index}", String::from(c).repeat(70_000)));
    let model = renamed(&long('v').collect::<Vec<_>>(), &long('s').collect::<Vec<_>>());
    let suite = suite(&model, &long('t').take(3).collect::<Vec<_>>(), &long('x').collect::<Vec<_>>());
    for format in formats(true) {
        for file in code(&model, &suite, format) {
            assert!(file.name.len() < 200, "{}", file.name);
        }
    }
}
