//! Suites in our own forms, and what is made of them.

use crate::languages::{has_errors, in_bounds, source, text as as_text};
use crate::traces::{essence, read_files};
use specwright_harness::export::{Exported, FORMATS, export, export_with};
use specwright_model::interface::Timing;
use specwright_model::model::VarKind;
use specwright_model::{Domain, Model, State, Trace, Value, Word, testing};
use specwright_syntax::smv::arbitrary::Choices;
use specwright_testgen::suite::{Expect, Suite, Test, read_json, read_text, shell, validate, write_json, write_text};
use std::sync::LazyLock;

/// Variables of all kinds, one of them with a name that has to be quoted wherever names can be.
pub(crate) static MODEL: LazyLock<Model> = LazyLock::new(|| {
    testing::model(
        "MODULE main
         VAR mode : {off, on}; \"the field\" : {\"@\", \"?\", \"a b\", free}; mixed : {none, 1, 2}; level : -2..9;
             u : unsigned word[8]; s : signed word[4]; hot : boolean; parts : array 0..1 of boolean;
         IVAR press : boolean; class : 0..3;
         ASSIGN init(mode) := off; next(mode) := press ? on : mode;",
    )
});

/// A suite as JSON. What is read without errors is written and read again as the same, with its model and without.
pub(crate) fn json(input: &[u8]) {
    let Some(source) = as_text(input).map(|text| source("fuzz.json", text)) else { return };
    let _ = shell(&source).map(|alone| read_json(&alone, &source));
    let (read, found) = read_json(&MODEL, &source);
    in_bounds(&source, &found);
    if has_errors(&found) {
        return;
    }
    let written = write_json(&MODEL, &read.suite);
    let written = self::source("written.json", &written);
    let (again, found) = read_json(&MODEL, &written);
    assert!(!has_errors(&found), "{found:?} in {}", written.text);
    assert_eq!(again.suite, read.suite);
    let alone = shell(&written).unwrap_or_else(|found| panic!("{found:?} in {}", written.text));
    let (again, found) = read_json(&alone, &written);
    assert!(!has_errors(&found), "{found:?} in {}", written.text);
    assert_eq!(write_json(&alone, &again.suite), *written.text);
    for test in &read.suite.tests {
        let _ = validate(&MODEL, test);
    }
}

/// A suite as text. What is read without errors is written and read again as the same.
pub(crate) fn text(input: &[u8]) {
    let Some(source) = as_text(input).map(|text| source("fuzz.suite", text)) else { return };
    let (read, found) = read_text(&MODEL, &source);
    in_bounds(&source, &found);
    if has_errors(&found) {
        return;
    }
    let written = write_text(&MODEL, &read.suite);
    let (again, found) = read_text(&MODEL, &self::source("written.suite", &written));
    assert!(!has_errors(&found), "{found:?} in {written}");
    assert_eq!(again.suite, read.suite, "{written}");
}

/// A template of a user, for a small suite.
pub(crate) fn template(input: &[u8]) {
    let Some(template) = as_text(input) else { return };
    let suite = suite(&mut Choices::new(&[1, 3, 7, 2, 9, 1, 4, 0, 3, 5, 1, 2, 6, 2, 8, 1]));
    if let Ok(text) = export_with(&MODEL, &suite, template) {
        assert!(text.len() <= 64 << 20, "{} bytes", text.len());
    }
}

/// Any suite, written in every format. Formats that carry executions are read again.
pub(crate) fn export_all(input: &[u8]) {
    let suite = suite(&mut Choices::new(input));
    let size = 4096 + 64 * input.len() + suite.tests.iter().map(|test| 1024 * test.trace.states.len()).sum::<usize>();
    for timing in [Timing::Entering, Timing::Leaving] {
        let mut model = MODEL.clone();
        for input in MODEL.timed_inputs() {
            model.interface.set_timing(input, timing);
        }
        for format in &FORMATS {
            // What the format needs and the suite leaves open is an error.
            let Ok(files) = export(&model, &suite, format) else { continue };
            let written: usize = files.iter().map(|file: &Exported| file.text.len()).sum();
            assert!(written <= 40 * size, "{format:?}: {written} bytes of {} bytes", input.len());
        }
    }
    if suite.tests.is_empty() {
        return;
    }
    for format in FORMATS.iter().filter(|format| !format.is_code()) {
        // As NuSMV prints traces, what is not said has not changed.
        let is_complete = suite.tests.iter().all(|test| test.trace.states.iter().all(is_complete));
        if format.name.starts_with("nusmv") && !is_complete {
            continue;
        }
        let Ok(files) = export(&MODEL, &suite, format) else { continue };
        let (again, found) = read_files(&files);
        assert!(found.is_empty(), "{format:?}: {found:?}\n{}", files[0].text);
        assert_eq!(essence(&again), essence(&suite), "{format:?}\n{}", files[0].text);
    }
}

/// Whether everything but the inputs has a value.
fn is_complete(state: &State) -> bool {
    MODEL.vars().all(|(var, declared)| declared.kind == VarKind::Input || state.get(var).is_some())
}

/// A suite that bytes choose: names and notes of any characters, values of any kind, loops, rejected tests, holes.
fn suite(choices: &mut Choices<'_>) -> Suite {
    let has_holes = choices.below(2) == 1;
    let mut tests: Vec<Test> = Vec::new();
    for _ in 0..choices.below(4) {
        let states: Vec<State> = (0..=choices.below(4)).map(|_| state(choices, has_holes)).collect();
        let n = states.len();
        let loop_start = (choices.below(4) == 1).then(|| choices.below(n));
        let mut test = Test::new(name(choices), Trace { states, loop_start });
        if loop_start.is_none()
            && let Some(last) = test.trace.states.last_mut()
        {
            // After the last state nothing is entered.
            for (var, _) in MODEL.vars().filter(|(_, declared)| declared.kind == VarKind::Input) {
                last.set(var, None);
            }
        }
        if choices.below(4) == 1 {
            test.expect = Expect::Reject;
            test.departure = (n > 1 && choices.below(2) == 1).then_some(1);
        }
        test.goals = (0..choices.below(3)).map(|_| name(choices)).collect();
        test.notes = (0..choices.below(n + 1)).map(|_| name(choices)).collect();
        if !test.name.is_empty() && tests.iter().all(|other| other.name != test.name) {
            tests.push(test);
        }
    }
    Suite { model: name(choices), model_hash: (choices.below(2) == 1).then(|| name(choices)), tests, goals: None }
}

/// Characters that mean something somewhere, and some that mean nothing anywhere.
const CHARACTERS: &[char] = &[
    'a', 'Z', '0', '_', '-', ' ', '"', '\'', '`', '\\', '/', '*', '<', '>', '&', '#', '$', '%', '{', '}', '(', ')',
    '[', ']', '=', '+', '@', ',', ';', ':', '?', '!', '|', '.', '\n', '\r', '\t', '\0', '\u{1b}', '\u{7f}', '\u{85}',
    '\u{a0}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{200b}', '\u{feff}', 'é', '漢', '\u{301}', '😀', '\u{e000}',
    '\u{fffd}',
];

fn name(choices: &mut Choices<'_>) -> String {
    (0..choices.below(9)).map(|_| CHARACTERS[choices.below(CHARACTERS.len())]).collect()
}

fn state(choices: &mut Choices<'_>, has_holes: bool) -> State {
    let mut state = State::empty(MODEL.vars.len());
    for (var, declared) in MODEL.vars() {
        let at = choices.below(256);
        let value = match &declared.domain {
            Domain::Bool => Value::Bool(at % 2 == 1),
            Domain::Enum(values) => values[at % values.len()],
            Domain::Range(first, last) => Value::Int(first + at as i64 % (last - first + 1)),
            Domain::Word { width, signed } => Value::Word(Word::new(*signed, *width, at as u64)),
            Domain::Integer => Value::Int(at as i64),
        };
        state.set(var, (!has_holes || choices.below(4) != 1).then_some(value));
    }
    state
}
