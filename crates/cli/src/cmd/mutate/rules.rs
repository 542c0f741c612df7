//! Slightly wrong versions of the rules of an Abstract State Machine, as changes of its text.

use super::Entry;
use crate::args::{Format, Mutate};
use crate::columns::{Align, Columns};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use anyhow::{Context, bail};
use serde::Serialize;
use specwright_harness::files::write_atomically;
use specwright_model::Model;
use specwright_model::interp::Random;
use specwright_model::model::Rewrite;
use specwright_syntax::span::{SourceFile, SourceMap};
use specwright_testgen::mutate::file_diff;
use specwright_testgen::mutate::{RULE_OPERATORS, rule_operator};

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    model: &'a str,
    mutants: Vec<Entry<'a>>,
    counts: serde_json::Map<String, serde_json::Value>,
    total: usize,
}

pub(super) fn run(
    console: &mut Console,
    args: &Mutate,
    sources: &SourceMap,
    model: &Model,
) -> anyhow::Result<ExitCode> {
    if args.in_diff.is_some() || !args.variable.is_empty() {
        bail!("--in-diff and --variable are for expressions: use them with --machine or --properties");
    }
    let wanted = operators(args)?;
    let mut mutants: Vec<&Rewrite> =
        model.source.rewrites.iter().filter(|mutant| wanted.contains(&operator(mutant))).collect();
    if let Some(n) = args.sample {
        let mut random = Random::new(args.seed);
        while mutants.len() > n {
            mutants.remove(random.index(mutants.len()));
        }
    }
    if args.format == Format::Json {
        let counts = wanted.iter().map(|name| {
            let n = mutants.iter().filter(|mutant| operator(mutant) == *name).count();
            ((*name).to_owned(), n.into())
        });
        let document = Document {
            schema: "specwright/mutants/1",
            model: &model.name,
            mutants: mutants.iter().map(|mutant| entry(sources, mutant)).collect(),
            counts: counts.collect(),
            total: mutants.len(),
        };
        console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
    } else if !args.list && !args.diff {
        console.out(table(&wanted, &mutants))?;
    }
    for mutant in &mutants {
        if args.list {
            let place = sources.locate(mutant.span).map(|(file, line, at)| format!("{}:{line}:{at}", file.name));
            let (place, what) = (place.unwrap_or_else(|| "?".into()), describe(operator(mutant)));
            console.out(format_args!("{place}: {what} ({})\n", mutant.name))?;
        }
        if args.diff
            && let Some((file, new)) = changed(sources, mutant)
        {
            console.document(file_diff(file, &new, &mutant.name))?;
        }
        if console.closed() {
            break;
        }
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for mutant in &mutants {
            let Some((_, new)) = changed(sources, mutant) else { continue };
            let path = folder.join(format!("{}.asm", mutant.name.replace(' ', "-")));
            write_atomically(&path, &new).with_context(|| format!("cannot write {}", path.display()))?;
        }
        console.note(format_args!("{} written to {}", count(mutants.len(), "file"), folder.display()));
    }
    Ok(ExitCode::Good)
}

/// The operators that are wanted.
fn operators(args: &Mutate) -> anyhow::Result<Vec<&'static str>> {
    let known = |name: &String| {
        let names = || RULE_OPERATORS.each_ref().map(|operator| operator.name).join(", ");
        match rule_operator(name) {
            Some(operator) => Ok(operator.name),
            None => bail!("there is no operator `{name}` on rules; there are {}", names()),
        }
    };
    let chosen: Vec<&str> = args.operators.operators.iter().map(known).collect::<anyhow::Result<_>>()?;
    let excluded: Vec<&str> = args.operators.exclude.iter().map(known).collect::<anyhow::Result<_>>()?;
    let all = RULE_OPERATORS.iter().map(|operator| operator.name);
    Ok(all.filter(|name| (chosen.is_empty() || chosen.contains(name)) && !excluded.contains(name)).collect())
}

fn operator(mutant: &Rewrite) -> &str {
    mutant.name.split(' ').next().unwrap_or_default()
}

fn describe(operator: &str) -> &'static str {
    rule_operator(operator).map_or("", |operator| operator.summary)
}

fn table(wanted: &[&str], mutants: &[&Rewrite]) -> String {
    let mut columns = Columns::new([("operator", Align::Left), ("mutants", Align::Right), ("", Align::Left)]);
    for name in wanted {
        let n = mutants.iter().filter(|mutant| operator(mutant) == *name).count();
        columns.row([(*name).into(), n.to_string(), describe(name).into()]);
    }
    columns.row(["total".into(), mutants.len().to_string(), String::new()]);
    columns.to_string()
}

fn entry<'a>(sources: &SourceMap, mutant: &'a Rewrite) -> Entry<'a> {
    let located = sources.locate(mutant.span);
    let name = mutant.name.split_once(' ').map_or("", |(_, name)| name);
    Entry {
        id: mutant.name.clone(),
        operator: operator(mutant),
        operators: vec![operator(mutant)],
        kind: "rule",
        site: name.rsplit_once('.').map(|(rule, _)| rule.to_owned()),
        line: located.map(|(_, line, _)| line),
        column: located.map(|(_, _, column)| column),
        description: format!("{} in {name}", describe(operator(mutant))),
        text: changed(sources, mutant).map(|(file, new)| file_diff(file, &new, &mutant.name)).unwrap_or_default(),
    }
}

/// The file in which a rule is, and its text with the change.
fn changed<'a>(sources: &'a SourceMap, mutant: &Rewrite) -> Option<(&'a SourceFile, String)> {
    let file = sources.file_at(mutant.span.start).filter(|_| mutant.span.is_some())?;
    let mut text = file.text.to_string();
    for edit in mutant.edits.iter().rev() {
        let (mut start, end) = ((edit.span.start - file.start) as usize, (edit.span.end - file.start) as usize);
        if let Some(word) = edit.word {
            start = text[..start].rfind(word)?;
        }
        text.replace_range(start..end, &edit.text);
    }
    Some((file, text))
}
