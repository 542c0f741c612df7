//! Limits for templates: every template ends within seconds and in bounded memory.
//!
//! The engine counts its instructions, but not the length of the texts that they process: a template of a few lines can
//! double a text until memory is exhausted. So everything that makes a text longer is counted here: output, captured
//! output, concatenation, and the results of filters. For that, compiled templates are rewritten.

use minijinja::machinery::{CodeGenerator, Instruction, Instructions, eval, make_string_output, parse};
use minijinja::value::{Rest, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, Value, filters};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximal number of instructions of a template: a few seconds.
pub(super) const FUEL: u64 = 10_000_000;

/// Maximal number of bytes that a template may write, and that its operators and filters may read and make.
const MAX_TEXT: usize = 128 << 20;

/// Number of bytes that a value counts for, in addition to its text.
const BYTES_PER_VALUE: usize = 64;

/// The largest number that a filter accepts as a size.
const MAX_NUMBER: i64 = 10_000;

/// A counter of bytes.
#[derive(Clone, Default)]
pub(super) struct Budget(Arc<AtomicUsize>);

impl Budget {
    /// Charges a number of bytes; an error if the budget is spent.
    pub(super) fn charge(&self, bytes: usize) -> Result<(), Error> {
        let before = self.0.fetch_add(bytes.min(MAX_TEXT), Ordering::Relaxed);
        if before.saturating_add(bytes) > MAX_TEXT {
            return Err(wrong(format!("the template makes more than {} MiB of text", MAX_TEXT >> 20)));
        }
        Ok(())
    }

    /// Charges everything in a value.
    pub(super) fn charge_value(&self, value: &Value) -> Result<(), Error> {
        // Lists can share elements many times, so the walk charges as it goes.
        let mut open = vec![value.clone()];
        while let Some(value) = open.pop() {
            self.charge(value.as_str().map_or(BYTES_PER_VALUE, |text| BYTES_PER_VALUE + text.len()))?;
            if matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable | ValueKind::Map) {
                for item in value.try_iter()? {
                    self.charge(BYTES_PER_VALUE)?;
                    if value.kind() == ValueKind::Map {
                        open.push(value.get_item(&item)?);
                    }
                    open.push(item);
                }
            }
        }
        Ok(())
    }
}

pub(super) fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// Compiles and runs a template within the limits.
pub(super) fn render(environment: &Environment<'_>, source: &str, context: &Value) -> Result<String, Error> {
    let tree = parse(source, "template", environment.syntax().clone())?;
    let mut generator = CodeGenerator::new("template", source);
    generator.compile_stmt(&tree);
    let (mut instructions, mut blocks) = generator.finish();
    rewrite(&mut instructions);
    blocks.values_mut().for_each(rewrite);
    let mut text = String::new();
    let mut output = make_string_output(&mut text);
    eval(environment, &instructions, context.clone(), &blocks, &mut output, AutoEscape::Custom("code".into()))?;
    drop(output);
    Ok(text)
}

/// Replaces concatenation by filters, and writes plain text like values.
fn rewrite(instructions: &mut Instructions<'_>) {
    let mut raw = Vec::new();
    let mut end = 0;
    while let Some(instruction) = instructions.get_mut(end) {
        match instruction {
            Instruction::StringConcat => *instruction = Instruction::ApplyFilter(JOIN, Some(2), NOT_CACHED),
            Instruction::Add => *instruction = Instruction::ApplyFilter(ADD, Some(2), NOT_CACHED),
            Instruction::EmitRaw(text) => raw.push((end, Value::from_safe_string((*text).to_owned()))),
            _ => {}
        }
        end += 1;
    }
    // Jumps refer to instructions by index, so longer replacements are appended.
    let over = instructions.add(Instruction::Jump(0));
    let mut last = over;
    for (at, text) in raw {
        let start = instructions.add(Instruction::LoadConst(text));
        instructions.add(Instruction::Emit);
        last = instructions.add(Instruction::Jump(at + 1));
        if let Some(instruction) = instructions.get_mut(at) {
            *instruction = Instruction::Jump(start);
        }
    }
    if let Some(instruction) = instructions.get_mut(over) {
        *instruction = Instruction::Jump(last + 1);
    }
}

/// A name that no template can write.
const JOIN: &str = "~";
const ADD: &str = "+";
/// The engine caches filters by number; this number stands for none.
const NOT_CACHED: u8 = !0;

/// Adds the filters of Jinja and the operators, with limits.
pub(super) fn add_filters(environment: &mut Environment<'_>, budget: &Budget) {
    let joined = budget.clone();
    environment.add_filter(JOIN, move |left: &Value, right: &Value| -> Result<Value, Error> {
        joined.charge_value(left)?;
        joined.charge_value(right)?;
        Ok(Value::from(format!("{left}{right}")))
    });
    let added = budget.clone();
    environment.add_filter(ADD, move |state: &mut State<'_, '_>, left: &Value, right: &Value| {
        let n_items = |value: &Value| value.as_str().map_or(value.len().unwrap_or(0), str::len);
        added.charge(n_items(left).saturating_add(n_items(right)))?;
        let sum = state.env().compile_expression("left + right")?;
        sum.eval(minijinja::context! { left, right })
    });
    macro_rules! guard {
        ($($name:literal $filter:ident,)*) => {$(
            environment.add_filter($name, guarded($name, budget, Value::from_function(filters::$filter)));
        )*};
    }
    guard! {
        "lower" lower, "upper" upper, "title" title, "capitalize" capitalize, "replace" replace, "length" length,
        "count" length, "dictsort" dictsort, "items" items, "reverse" reverse, "trim" trim, "join" join, "split" split,
        "lines" lines, "sort" sort, "list" list, "string" string, "batch" batch, "slice" slice, "sum" sum,
        "indent" indent, "select" select, "reject" reject, "selectattr" selectattr, "rejectattr" rejectattr,
        "map" map, "groupby" groupby, "unique" unique, "chain" chain, "zip" zip, "pprint" pprint, "format" format,
        "min" min, "max" max, "first" first, "last" last, "round" round,
    }
    // HTML is not a language of tests.
    for name in ["safe", "escape", "e"] {
        environment.remove_filter(name);
    }
}

/// A filter that charges its arguments and its result.
fn guarded(
    name: &'static str,
    budget: &Budget,
    filter: Value,
) -> impl Fn(&mut State<'_, '_>, Rest<Value>) -> Result<Value, Error> + Send + Sync + 'static {
    let budget = budget.clone();
    move |state, Rest(args)| {
        for arg in &args {
            budget.charge_value(arg)?;
        }
        if matches!(name, "indent" | "batch" | "slice" | "round")
            && args[1..].iter().any(|arg| i64::try_from(arg.clone()).is_ok_and(|number| number.abs() > MAX_NUMBER))
        {
            return Err(wrong(format!("numbers for `{name}` end at {MAX_NUMBER}")));
        }
        match (name, &args[..]) {
            ("format", [format, ..]) => {
                let is_number = |text: &str| text.len() > 4 && text.bytes().all(|byte| byte.is_ascii_digit());
                let format = format.as_str().unwrap_or_default();
                if format.contains('*') || format.split(|c: char| !c.is_ascii_digit()).any(is_number) {
                    return Err(wrong(format!("widths for `format` end at {MAX_NUMBER}")));
                }
            }
            ("replace", [text, from, to, ..]) => {
                let length = |value: &Value| value.as_str().map_or(0, str::len);
                budget.charge((length(text) / length(from).max(1) + 1).saturating_mul(length(to)))?;
            }
            ("join", [list, joiner, ..]) => {
                let n_items = list.len().or_else(|| list.try_iter().ok().map(Iterator::count)).unwrap_or(0);
                budget.charge(n_items.saturating_mul(joiner.as_str().map_or(16, str::len)))?;
            }
            ("indent", [text, ..]) => {
                let n_lines = text.as_str().map_or(0, |text| text.lines().count());
                budget.charge(n_lines.saturating_mul(MAX_NUMBER as usize).min(MAX_TEXT / 64))?;
            }
            _ => {}
        }
        let made = filter.call(state, &args)?;
        if let Some(text) = made.as_str() {
            budget.charge(text.len())?;
        }
        Ok(made)
    }
}
