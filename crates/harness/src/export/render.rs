//! The template engine: the only file that knows `minijinja`.

use super::context::Builder;
use super::language::Language;
use super::{ExportError, Exported, naming};
use crate::run::protocol::Timing;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use specwright_model::Model;
use specwright_testgen::suite::Suite;

/// The built-in templates.
const TEMPLATES: &[(&str, &str)] = &[
    ("pytest.py", include_str!("templates/pytest.py.j2")),
    ("Subject.java", include_str!("templates/Subject.java.j2")),
    ("junit5.java", include_str!("templates/junit5.java.j2")),
    ("rust.rs", include_str!("templates/rust.rs.j2")),
    ("subject.h", include_str!("templates/subject.h.j2")),
    ("c.c", include_str!("templates/c.c.j2")),
    ("go.go", include_str!("templates/go.go.j2")),
    ("jest.js", include_str!("templates/jest.js.j2")),
    ("vitest.js", include_str!("templates/vitest.js.j2")),
    ("javascript.js", include_str!("templates/javascript.js.j2")),
    ("gherkin.feature", include_str!("templates/gherkin.feature.j2")),
];

fn environment<'a>() -> Environment<'a> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the customary delimiters"));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.add_filter("snake", |name: String| naming::snake(&name));
    environment.add_filter("screaming", |name: String| naming::screaming(&name));
    environment.add_filter("pascal", |name: String| naming::pascal(&name));
    environment.add_filter("camel", |name: String| naming::camel(&name));
    environment.add_filter("json", |value: Value| serde_json::to_string(&value).unwrap_or_default());
    environment.add_filter("js_key", |name: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let is_name = name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
        if is_name { name } else { serde_json::to_string(&name).unwrap_or_default() }
    });
    environment.add_filter("indent2", |text: String| {
        text.lines()
            .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
            .collect::<Vec<_>>()
            .join("\n")
    });
    // Constants of an enumeration belong to the interface in which it is declared.
    environment.add_filter("java", |literal: String| {
        let is_constant = literal.starts_with(|c: char| c.is_ascii_uppercase());
        if is_constant { format!("Subject.{literal}") } else { literal }
    });
    environment.add_filter("pad", |text: String, width: usize| format!("{text:width$}"));
    environment.add_filter("widest", |items: Vec<String>| {
        items.iter().map(|item| item.chars().count()).max().unwrap_or_default()
    });
    // Inside of a comment that goes over several lines, nothing may end it.
    environment
        .add_filter("comment", |text: String| text.replace("*/", "* /").replace("\"\"\"", "'''").replace('\\', "/"));
    environment
}

/// The files that built-in templates make.
pub(super) fn code(
    model: &Model,
    suite: &Suite,
    language: Language,
    timing: Timing,
    files: &[(String, &str)],
) -> Result<Vec<Exported>, ExportError> {
    let context = Builder::new(model, language, timing).context(suite)?;
    let mut environment = environment();
    for (name, source) in TEMPLATES {
        environment.add_template(name, source).map_err(|error| failed(&error))?;
    }
    let context = Value::from(Serde(&context));
    let render = |(name, template): &(String, &str)| {
        let rendered = environment.get_template(template).and_then(|template| template.render(&context));
        Ok(Exported { name: name.clone(), text: rendered.map_err(|error| failed(&error))? })
    };
    files.iter().map(render).collect()
}

/// What the template of a user makes.
pub(super) fn template(model: &Model, suite: &Suite, source: &str, timing: Timing) -> Result<String, ExportError> {
    let context = Value::from(Serde(&Builder::new(model, Language::Plain, timing).context(suite)?));
    let mut environment = environment();
    // Templates cannot loop for ever, but they can count very far.
    environment.set_fuel(Some(1_000_000_000));
    environment.add_template("template", source).map_err(|error| failed(&error))?;
    let rendered = environment.get_template("template").and_then(|template| template.render(&context));
    rendered.map_err(|error| failed(&error))
}

fn failed(error: &minijinja::Error) -> ExportError {
    let place = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    ExportError::Template(format!("{place}{}{detail}", error.kind()))
}
