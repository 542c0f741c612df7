//! From what was typed to what it means: names become operators, properties, variables and places.

use crate::args::Mutate;
use crate::console::Console;
use anyhow::{Context, bail};
use specwright::goals;
use specwright_model::{Model, VarId};
use specwright_syntax::diagnostic::closest;
use specwright_syntax::span::{SourceFile, SourceMap, Span};
use specwright_testgen::mutate::{Options, Targets, parse_diff};
use std::io::Read;
use std::path::Path;

pub fn read(console: &mut Console, args: &Mutate, model: &Model, sources: &SourceMap) -> anyhow::Result<Options> {
    let variables = args.variable.iter().map(|name| variables(model, name));
    Ok(Options {
        selection: goals::selection(&args.operators.operators, &args.operators.exclude)?,
        targets: targets(console, args, model)?,
        variables: variables.collect::<anyhow::Result<Vec<_>>>()?.concat(),
        places: args.in_diff.as_deref().map(|path| places(console, path, &sources.files()[0])).transpose()?,
        ignores: goals::ignores(&args.ignores.ignore)?,
        guard: goals::guard(model, args.guards.guard.as_deref(), args.guards.visible_guards)?,
    })
}

fn targets(console: &mut Console, args: &Mutate, model: &Model) -> anyhow::Result<Targets> {
    if args.machine {
        return Ok(Targets::Machine);
    }
    if !args.property.is_empty() {
        let indices = args.property.iter().map(|name| goals::property(model, name));
        return Ok(Targets::PropertiesAt(indices.collect::<Result<_, _>>()?));
    }
    if model.properties.is_empty() && !args.properties {
        console.note("the model claims nothing, so its machine is mutated");
        return Ok(Targets::Machine);
    }
    Ok(Targets::Properties)
}

/// The variables that a name stands for: one, or all parts of an array or instance.
pub fn variables(model: &Model, name: &str) -> anyhow::Result<Vec<VarId>> {
    let is_part =
        |full: &str| full.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let found: Vec<VarId> = model.vars().filter(|(_, var)| is_part(&var.name)).map(|(id, _)| id).collect();
    if found.is_empty() {
        let known = model.vars.iter().map(|var| var.name.as_str());
        let hint = closest(name, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
        bail!("--variable: there is no variable `{name}` in {}{hint}", model.name);
    }
    Ok(found)
}

/// The places of the model that a diff has touched.
fn places(console: &mut Console, path: &Path, file: &SourceFile) -> anyhow::Result<Vec<Span>> {
    let files = parse_diff(&text(path)?).with_context(|| format!("cannot use the diff {}", path.display()))?;
    let touched: Vec<_> = files.iter().filter(|changed| changed.is(&file.name)).collect();
    if touched.is_empty() {
        console.note(format_args!("the diff does not touch {}", file.name));
    }
    let mut line_starts: Vec<u32> = vec![file.start];
    line_starts.extend(file.text.match_indices('\n').map(|(at, _)| file.start + at as u32 + 1));
    let end = file.start + file.text.len() as u32;
    let line_start = |line: usize| line_starts.get(line - 1).copied().unwrap_or(end);
    let ranges = touched.iter().flat_map(|changed| &changed.lines);
    Ok(ranges.map(|lines| Span::new(line_start(*lines.start()), line_start(lines.end() + 1))).collect())
}

pub fn text(path: &Path) -> anyhow::Result<String> {
    if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
