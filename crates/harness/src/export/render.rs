//! The template engine. Only this file and `limits` use `minijinja`.
//!
//! No text is written into code verbatim. A value that is written must be code that was made here (identifiers,
//! literals), a number, or text that passed through a filter of `quoting`. Anything else is an error of the template,
//! which every use of it reports.

use super::context::Builder;
use super::language::Language;
use super::limits::{self, Budget, FUEL, wrong};
use super::{ExportError, Exported, naming, quoting};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, UndefinedBehavior, Value};
use specwright_model::Model;
use specwright_syntax::columns;
use specwright_syntax::escape::{is_harmful, visible};
use specwright_testgen::suite::Suite;

/// The parts of templates that several formats include.
const SHARED: &[(&str, &str)] = &[
    ("javascript.js", include_str!("templates/javascript.js.j2")),
    ("xstate.js", include_str!("templates/xstate.js.j2")),
];

/// A piece of code, which templates may write.
pub(super) fn code_value(code: &str) -> Value {
    Value::from_safe_string(code.to_owned())
}

/// The environment for templates in a language.
fn environment<'a>(language: Language) -> Environment<'a> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the customary delimiters"));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // The results of macros and blocks are code.
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("code".into()));
    add_names(&mut environment);
    environment.add_filter("quoted", move |text: String, wanted: Option<String>| {
        let language = wanted.map_or(Ok(language), |name| name.parse()).map_err(wrong)?;
        if language == Language::Plain {
            return Err(wrong("`quoted` must know the language, as in `quoted(\"python\")`"));
        }
        Ok(code_value(&language.quoted(&text)))
    });
    environment.add_filter("comment", move |text: String| code_value(&language.comment(&text)));
    environment.add_filter("line", |text: String| code_value(&visible(&text)));
    environment.add_filter("cell", |text: String| code_value(&quoting::cell(&text)));
    environment.add_filter("js_key", |name: String| code_value(&quoting::js_key(&name)));
    environment.add_filter("js_member", |name: String| code_value(&quoting::js_member(&name)));
    environment.add_filter("json", |value: Value| code_value(&quoting::json(&value)));
    environment.add_filter("shortened", |text: String| {
        const SHORT: usize = 1000;
        let is_long = text.chars().nth(SHORT).is_some();
        if is_long { text.chars().take(SHORT - 1).chain(['…']).collect() } else { text }
    });
    environment.add_filter("pad", |value: Value, width: usize| {
        let text = value.to_string();
        // Padding of tables; see `MAX_PADDING`.
        let missing = width.min(MAX_COLUMN_WIDTH).saturating_sub(columns::width(&text));
        alike(&value, text + &" ".repeat(missing))
    });
    environment.add_filter("widest", |items: Vec<String>| {
        items.iter().map(|item| columns::width(item)).max().unwrap_or_default().min(MAX_COLUMN_WIDTH)
    });
    environment
}

/// Maximal width of aligned columns, in characters.
const MAX_COLUMN_WIDTH: usize = columns::MAX_PADDING;

/// Filters that make identifiers.
fn add_names(environment: &mut Environment<'_>) {
    type Convention = fn(&str) -> String;
    let conventions: [(&str, Convention); 4] = [
        ("snake", naming::snake),
        ("screaming", naming::screaming),
        ("pascal", naming::pascal),
        ("camel", naming::camel),
    ];
    for (name, convention) in conventions {
        environment.add_filter(name, move |text: String| code_value(&naming::short(convention(&text))));
    }
}

/// A text that is code if the one that it was made from is.
fn alike(from: &Value, text: String) -> Value {
    if from.is_safe() { Value::from_safe_string(text) } else { Value::from(text) }
}

/// Writes code, and rejects text.
fn write_code(output: &mut Output<'_>, value: &Value) -> Result<(), Error> {
    let is_code = value.is_safe() || matches!(value.kind(), ValueKind::Number | ValueKind::Undefined);
    if !is_code {
        return Err(wrong(format!("`{}` is text, not code", visible(&value.to_string()))));
    }
    write!(output, "{value}").map_err(Error::from)
}

/// Renders built-in templates of a language: for each file its name and its template.
pub(super) fn code(
    model: &Model,
    suite: &Suite,
    language: Language,
    files: &[(String, &'static str)],
) -> Result<Vec<Exported>, ExportError> {
    let context = Builder::new(model, language).context(suite)?;
    let mut environment = environment(language);
    environment.set_formatter(|output, _, value| write_code(output, value));
    environment.add_filter("indent2", |value: Value| {
        let text = value.to_string();
        let indented = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") });
        alike(&value, indented.collect::<Vec<_>>().join("\n"))
    });
    for (name, source) in SHARED {
        environment.add_template(name, source).map_err(|error| failed(&error))?;
    }
    let context = Value::from(Serde(&context));
    let render = |(name, template): &(String, &'static str)| {
        let rendered = environment.template_from_str(template).and_then(|template| template.render(&context));
        Ok(Exported { name: name.clone(), text: rendered.map_err(|error| failed(&error))? })
    };
    files.iter().map(render).collect()
}

/// Renders the template of a user.
pub(super) fn template(model: &Model, suite: &Suite, source: &str) -> Result<String, ExportError> {
    let context = Value::from(Serde(&Builder::new(model, Language::Plain).context(suite)?));
    let mut environment = environment(Language::Plain);
    let budget = Budget::default();
    limits::add_filters(&mut environment, &budget);
    environment.add_filter("raw", |text: String| code_value(&text));
    environment.set_formatter(move |output, _, value| write_plain(output, value, &budget));
    environment.set_fuel(Some(FUEL));
    limits::render(&environment, source, &context).map_err(|error| failed(&error))
}

/// Writes code and harmless text; rejects all other text.
///
/// The context in a user's template is unknown, so special text must be quoted explicitly.
fn write_plain(output: &mut Output<'_>, value: &Value, budget: &Budget) -> Result<(), Error> {
    budget.charge_value(value)?;
    let text = value.to_string();
    let is_odd = |c: char| is_harmful(c) || matches!(c, '"' | '\'' | '`' | '\\');
    let odd = text.contains(is_odd) || ["*/", "/*", "${", "-->", "<!--", "</"].iter().any(|sign| text.contains(sign));
    if odd && !value.is_safe() {
        let shown: String = text.chars().take(60).collect();
        let message = format!(
            "`{}` is not plain text; use one of the filters `comment`, \
             `quoted(LANGUAGE)`, `json`, `line`, `cell`, `snake`, `camel`, `pascal`, `screaming` or `raw`",
            visible(&shown)
        );
        return Err(wrong(message));
    }
    output.write_str(&text).map_err(Error::from)
}

fn failed(error: &Error) -> ExportError {
    if error.kind() == ErrorKind::OutOfFuel {
        return ExportError::Template(format!("it takes more than {FUEL} instructions"));
    }
    let place = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    ExportError::Template(format!("{place}{}{detail}", error.kind()))
}
