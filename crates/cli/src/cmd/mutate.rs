//! `specwright mutate`: the mutants of a model, counted, listed, or written to files.

pub(super) mod options;
mod rules;

use crate::args::{Format, Mutate};
use crate::columns::{Align, Columns};
use crate::console::{Console, interrupted};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use anyhow::Context;
use serde::Serialize;
use specwright::{ReadSettings, Session};
use specwright_harness::files::write_atomically;
use specwright_model::Model;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_testgen::mutate::{Mutant, Mutants, OPERATORS, Operator, Selection, Text, sample};
use std::path::Path;

pub fn run(console: &mut Console, args: &Mutate) -> anyhow::Result<ExitCode> {
    // Machines are made of rules, so these are what is mutated, unless the user wants something else.
    let rules = !args.machine && !args.properties && args.property.is_empty();
    let reading = ReadSettings { mutants: rules, ..(&args.model.reading).into() };
    let Session { sources, model, .. } = Session::open(&args.model.path, &reading, console)?;
    if !model.source.rewrites.is_empty() {
        return rules::run(console, args, &sources, &model);
    }
    let options = match options::read(console, args, &model, &sources) {
        Ok(options) => options,
        Err(message) => {
            console.error(format_args!("{message:#}"));
            return Ok(ExitCode::Invalid);
        }
    };
    crate::console::catch_interrupts();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let text = Text { sources: &sources, is_nusmv: Dialect::from(args.model.reading.dialect) == Dialect::NuSmv };
    let mut output = Output { console, args, text, counts: Counts::new(options.selection), n_mutants: 0 };
    let mut mutants = Mutants::new(&model, options);
    output.begin(mutants.model())?;
    if let Some(n) = args.sample {
        for mutant in sample(mutants.by_ref().take_while(|_| !interrupted()), n, args.seed) {
            output.mutant(&mutant, mutants.model())?;
        }
    } else {
        while let Some(mutant) = mutants.next() {
            output.mutant(&mutant, mutants.model())?;
            if interrupted() || output.console.closed() {
                break;
            }
        }
    }
    output.end()?;
    let (n_undefined, n_unchecked) = (mutants.n_undefined(), mutants.n_unchecked());
    if n_undefined > 0 {
        let changes = count(n_undefined, "more change");
        console.note(format_args!("{changes} would leave something without a value, so they are no mutants"));
    }
    if n_unchecked > 0 {
        let n_unchecked = count(n_unchecked, "mutant");
        console.note(format_args!("{n_unchecked} may leave something without a value: too many cases to try"));
    }
    if !is_partial(args) {
        for ignore in mutants.unmet_ignores().filter(|ignore| !ignore.id.contains(':')) {
            console.note(format_args!("there is no mutant {} to ignore", ignore.id));
        }
    }
    if interrupted() {
        console.note("interrupted");
        return Ok(ExitCode::Unknown);
    }
    Ok(ExitCode::Good)
}

/// Whether the user has asked for some of the mutants only, so that nothing can be said about the others.
fn is_partial(args: &Mutate) -> bool {
    let restricted = [&args.property, &args.variable].iter().any(|names| !names.is_empty());
    let restricted = restricted || !args.operators.is_default() || args.in_diff.is_some();
    restricted || args.guards.guard.is_some() || interrupted()
}

/// How often each operator applies.
struct Counts(Vec<(Operator, usize)>);

impl Counts {
    fn new(selection: Selection) -> Counts {
        Counts(selection.operators().map(|operator| (operator, 0)).collect())
    }

    fn add(&mut self, mutant: &Mutant) {
        for origin in &mutant.origins {
            if let Some((_, n)) = self.0.iter_mut().find(|(operator, _)| *operator == origin.operator) {
                *n += 1;
            }
        }
    }
}

/// Where mutants go, one by one: there may be more of them than fit into memory as text.
struct Output<'a> {
    console: &'a mut Console,
    args: &'a Mutate,
    text: Text<'a>,
    counts: Counts,
    n_mutants: usize,
}

/// An entry of `mutate --format json`.
#[derive(Serialize)]
struct Entry<'a> {
    id: String,
    operator: &'a str,
    operators: Vec<&'a str>,
    kind: &'a str,
    site: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    description: String,
    text: String,
}

impl Output<'_> {
    fn begin(&mut self, model: &Model) -> anyhow::Result<()> {
        if self.args.format == Format::Json {
            let name = serde_json::to_string(&model.name)?;
            let head =
                format_args!("{{\n  \"schema\": \"specwright/mutants/1\",\n  \"model\": {name},\n  \"mutants\": [");
            self.console.document(head)?;
        }
        Ok(())
    }

    fn mutant(&mut self, mutant: &Mutant, model: &Model) -> anyhow::Result<()> {
        self.counts.add(mutant);
        if self.args.list {
            let (description, id) = (mutant.description(model), mutant.id);
            self.console.out(format_args!("{}: {description} ({id})\n", place(self.text.sources, mutant)))?;
        }
        if self.args.diff {
            self.console.document(mutant.diff(model, self.text))?;
        }
        if self.args.format == Format::Json {
            let comma = if self.n_mutants > 0 { "," } else { "" };
            let entry = serde_json::to_string(&entry(self.text.sources, mutant, model))?;
            self.console.document(format_args!("{comma}\n    {entry}"))?;
        }
        if let Some(folder) = &self.args.out {
            write(folder, mutant, &mutant.file(model, self.text))?;
        }
        self.n_mutants += 1;
        Ok(())
    }

    fn end(&mut self) -> anyhow::Result<()> {
        if self.args.format == Format::Json {
            let end = if self.n_mutants > 0 { "\n  ]" } else { "]" };
            let counts = self.counts.0.iter().map(|(operator, n)| format!("\n    \"{}\": {n}", operator.name()));
            let counts: Vec<String> = counts.collect();
            let total = self.n_mutants;
            self.console.document(format_args!("{end},\n  \"counts\": {{{}\n  }},\n", counts.join(",")))?;
            self.console.document(format_args!("  \"total\": {total}\n}}\n"))?;
        } else if !self.args.list && !self.args.diff {
            self.console.out(table(&self.counts, self.n_mutants))?;
        }
        if let Some(folder) = &self.args.out {
            self.console.note(format_args!("{} written to {}", count(self.n_mutants, "file"), folder.display()));
        }
        Ok(())
    }
}

fn table(counts: &Counts, n_mutants: usize) -> String {
    let mut columns = Columns::new([("operator", Align::Left), ("mutants", Align::Right), ("", Align::Left)]);
    for (operator, n) in &counts.0 {
        let summary = OPERATORS[*operator as usize].summary;
        columns.row([operator.name().into(), n.to_string(), summary.into()]);
    }
    let n_made: usize = counts.0.iter().map(|(_, n)| n).sum();
    let remark = if n_made > n_mutants { "what several operators make counts once" } else { "" };
    columns.row(["total".into(), n_mutants.to_string(), remark.into()]);
    columns.to_string()
}

/// File, line and column, as compilers write them.
fn place(sources: &SourceMap, mutant: &Mutant) -> String {
    match sources.locate(mutant.span) {
        Some((file, line, column)) => format!("{}:{line}:{column}", file.name),
        None => "?".into(),
    }
}

fn entry<'a>(sources: &SourceMap, mutant: &Mutant, model: &Model) -> Entry<'a> {
    let located = sources.locate(mutant.span);
    Entry {
        id: mutant.id.to_string(),
        operator: mutant.operator().name(),
        operators: mutant.operators().into_iter().map(Operator::name).collect(),
        kind: mutant.site.kind(model),
        site: mutant.site.name(model),
        line: located.map(|(_, line, _)| line),
        column: located.map(|(_, _, column)| column),
        description: mutant.description(model),
        text: mutant.text(model),
    }
}

fn write(folder: &Path, mutant: &Mutant, content: &str) -> anyhow::Result<()> {
    let path = folder.join(format!("{}.smv", mutant.id));
    write_atomically(&path, content).with_context(|| format!("cannot write {}", path.display()))
}
