//! Writer of suites in text.

use super::line::{quote, quote_smv};
use crate::suite::test::{Expect, Suite, Test};
use specwright_model::Model;
use specwright_model::model::{DefineId, VarKind};
use specwright_syntax::escape;
use std::fmt::Write;

/// The text of a suite, without counts of goals.
pub fn write_text(model: &Model, suite: &Suite) -> String {
    let mut text = format!("model {}", quote(&suite.model));
    if let Some(hash) = &suite.model_hash {
        let _ = write!(text, " {}", quote(hash));
    }
    text.push('\n');
    let defines = suite.defines(model);
    for test in &suite.tests {
        write_test(&mut text, model, &defines, test);
    }
    text
}

fn write_test(text: &mut String, model: &Model, defines: &[DefineId], test: &Test) {
    let expect = match test.expect {
        Expect::Accept => "",
        Expect::Reject => " expect reject",
    };
    let _ = match &*escape::line(&test.shows) {
        "" => writeln!(text, "\ntest {}{expect}", quote(&test.name)),
        shows => writeln!(text, "\ntest {}{expect}  -- {shows}", quote(&test.name)),
    };
    for goals in test.goals.chunks(GOALS_PER_LINE) {
        let goals: Vec<_> = goals.iter().map(|goal| quote(goal)).collect();
        let _ = writeln!(text, "  covers {}", goals.join(", "));
    }
    let n = test.trace.states.len();
    for (index, state) in test.trace.states.iter().enumerate() {
        if test.trace.loop_start == Some(index) {
            text.push_str("  loop\n");
        }
        if test.departure == Some(index) {
            text.push_str("  departure\n");
        }
        let before = index.checked_sub(1).map(|before| &test.trace.states[before]);
        let is_end = index + 1 == n && test.trace.loop_start.is_none();
        let mut given = Vec::new();
        let mut show = |name: &str, shown: Option<String>| {
            let shown = shown.map_or_else(|| "?".into(), |shown| quote_smv(&shown).into_owned());
            given.push(format!("{} = {shown}", quote_smv(name)));
        };
        for (var, declared) in model.vars().filter(|(var, _)| !model.is_shadow(*var)) {
            let value = state.get(var);
            // The last state does not inherit inputs from the state before.
            let carried = match before {
                Some(before) if !(is_end && declared.kind == VarKind::Input) => before.get(var),
                _ => None,
            };
            if value != carried {
                show(&declared.name, value.map(|value| model.show_of(var, value)));
            }
        }
        for define in defines {
            let value = test.value_of(model, index, *define);
            let carried = index.checked_sub(1).and_then(|before| test.value_of(model, before, *define));
            if value != carried {
                show(&model[*define].name, value.map(|value| model.show(value)));
            }
        }
        let line = if given.is_empty() { ".".into() } else { given.join(", ") };
        let _ = match &*escape::line(test.note(index)) {
            "" => writeln!(text, "  {line}"),
            note => writeln!(text, "  {line}  -- {note}"),
        };
    }
}

/// Number of goals on a line, to keep lines short.
const GOALS_PER_LINE: usize = 8;
