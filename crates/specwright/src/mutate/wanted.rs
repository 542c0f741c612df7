//! From settings to operators, properties, variables and places.

use super::MutateSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::goals;
use crate::session::Session;
use crate::text::is_stdin;
use crate::words::hint;
use specwright_model::{Model, VarId};
use specwright_syntax::span::{SourceFile, Span};
use specwright_testgen::mutate::{Options, Targets, parse_diff};
use std::io::Read;
use std::path::Path;

/// How the mutants of expressions are made.
pub(crate) fn options(
    events: &mut dyn Events,
    session: &Session,
    settings: &MutateSettings,
) -> Result<Options, Failure> {
    let Session { model, sources, .. } = session;
    let selection = goals::selection(&settings.operators, &settings.exclude)?;
    let targets = targets(events, model, settings)?;
    let variables = variables(model, &settings.variable)?;
    let places = settings.in_diff.as_deref().map(|path| places(events, path, &sources.files()[0])).transpose()?;
    let ignores = goals::ignores(&settings.ignore)?;
    let guard = goals::guard(model, settings.guard.as_deref(), settings.visible_guards)?;
    Ok(Options { selection, targets, variables, places, ignores, guard })
}

fn targets(events: &mut dyn Events, model: &Model, settings: &MutateSettings) -> Result<Targets, Failure> {
    if settings.machine {
        return Ok(Targets::Machine);
    }
    if !settings.property.is_empty() {
        let indices = settings.property.iter().map(|name| goals::property(model, name));
        return Ok(Targets::PropertiesAt(indices.collect::<Result<_, _>>()?));
    }
    if model.properties.is_empty() && !settings.properties {
        events.note("the model has no properties, so its machine is mutated");
        return Ok(Targets::Machine);
    }
    Ok(Targets::Properties)
}

/// The variables that names stand for: each for one, or for all parts of an array or instance.
pub(crate) fn variables(model: &Model, names: &[String]) -> Result<Vec<VarId>, Failure> {
    let mut variables = Vec::new();
    for name in names {
        let is_part = |full: &str| {
            full.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let before = variables.len();
        variables.extend(model.vars().filter(|(_, var)| is_part(&var.name)).map(|(id, _)| id));
        if variables.len() == before {
            let hint = hint(name, model.vars.iter().map(|var| var.name.as_str()));
            return Err(Failure::Message(format!("--variable: unknown variable `{name}` in {}{hint}", model.name)));
        }
    }
    Ok(variables)
}

/// The places of the model that a diff has touched.
fn places(events: &mut dyn Events, path: &Path, file: &SourceFile) -> Result<Vec<Span>, Failure> {
    let files =
        parse_diff(&text(path)?).map_err(Failure::because(format_args!("cannot use the diff {}", path.display())))?;
    let touched: Vec<_> = files.iter().filter(|changed| changed.is(&file.name)).collect();
    if touched.is_empty() {
        events.note(format_args!("the diff does not touch {}", file.name));
    }
    let mut line_starts: Vec<u32> = vec![file.start];
    line_starts.extend(file.text.match_indices('\n').map(|(at, _)| file.start + at as u32 + 1));
    let end = file.start + file.text.len() as u32;
    let line_start = |line: usize| line_starts.get(line - 1).copied().unwrap_or(end);
    let ranges = touched.iter().flat_map(|changed| &changed.lines);
    Ok(ranges.map(|lines| Span::new(line_start(*lines.start()), line_start(lines.end() + 1))).collect())
}

fn text(path: &Path) -> Result<String, Failure> {
    if is_stdin(path) {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map_err(Failure::because("cannot read standard input"))?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(Failure::because(format_args!("cannot read {}", path.display())))
}
