//! Export to value change dumps (VCD), with one second for each state.

use specwright_model::{Domain, Model, Value};
use specwright_syntax::escape::{escape, is_harmful, line};
use specwright_testgen::suite::{Expect, Suite};
use std::borrow::Cow;
use std::fmt::Write;

/// A test as a dump. Symbols are strings, an extension that viewers support.
pub(super) fn write(model: &Model, suite: &Suite, index: usize) -> String {
    let test = &suite.tests[index];
    let mut text = String::new();
    let mut comment = |key: &str, value: &str| {
        let _ = writeln!(text, "$comment {key} {} $end", line(value).replace("$end", "\\u{24}end"));
    };
    comment("model", &suite.model);
    comment("test", &test.name);
    if test.expect == Expect::Reject {
        comment("expect", "reject");
    }
    if let Some(start) = test.trace.loop_start {
        comment("loop", &start.to_string());
    }
    text.push_str("$timescale 1 s $end\n$scope module main $end\n");
    for (number, var) in model.vars.iter().enumerate() {
        let kind = match var.domain {
            Domain::Bool => "wire 1".into(),
            Domain::Range(..) | Domain::Integer => "integer 64".into(),
            Domain::Word { width, .. } => format!("wire {width}"),
            Domain::Enum(_) => "string 1".to_owned(),
        };
        let _ = writeln!(text, "$var {kind} {} {} $end", code(number), word(&var.name));
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    let mut shown: Vec<Option<Option<Value>>> = vec![None; model.vars.len()];
    for (time, state) in test.trace.states.iter().enumerate() {
        let _ = writeln!(text, "#{time}");
        for ((number, value), shown) in state.values().iter().enumerate().zip(&mut shown) {
            if *shown != Some(*value) {
                change(&mut text, model, &model.vars[number].domain, *value, &code(number));
                *shown = Some(*value);
            }
        }
    }
    // Shows the last state for as long as the others.
    let _ = writeln!(text, "#{}", test.trace.states.len());
    text
}

/// A name or a value without characters that end a word; `$` starts keywords of the format.
fn word(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_harmful(c) || c.is_whitespace() || c == '$')
}

fn change(text: &mut String, model: &Model, domain: &Domain, value: Option<Value>, code: &str) {
    let _ = match (value, domain) {
        (None, Domain::Bool) => writeln!(text, "x{code}"),
        (None, Domain::Enum(_)) => writeln!(text, "s? {code}"),
        (None, _) => writeln!(text, "bx {code}"),
        (Some(Value::Bool(truth)), _) => writeln!(text, "{}{code}", u8::from(truth)),
        (Some(value), Domain::Enum(_)) => writeln!(text, "s{} {code}", word(&model.show(value))),
        (Some(Value::Int(number)), _) => writeln!(text, "b{number:b} {code}"),
        (Some(Value::Word(word)), _) => writeln!(text, "b{:0width$b} {code}", word.bits, width = word.width.into()),
        (Some(Value::Symbol(_)), _) => {
            writeln!(text, "s{} {code}", word(&model.show(value.unwrap_or(Value::Bool(false)))))
        }
    };
}

/// A short identifier of printable characters.
fn code(number: usize) -> String {
    let (mut rest, mut code) = (number, String::new());
    loop {
        code.push(char::from(b'!' + (rest % 94) as u8));
        rest /= 94;
        if rest == 0 {
            return code;
        }
        rest -= 1;
    }
}
