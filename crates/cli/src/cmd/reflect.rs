//! `specwright reflect`: the properties that restate the machine.

use crate::args::{Format, Reflect, ShortenHow};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use serde::Serialize;
use specwright::suites;
use specwright::{Failure, Limits, Session};
use specwright_model::Model;
use specwright_model::unparse::try_print_model;
use specwright_syntax::escape::visible;
use specwright_syntax::span::Span;
use specwright_testgen::reflect::shorten::{Shortening, shorten};
use specwright_testgen::reflect::{Clause, Options, Origin, Reflection, reflect, settle};
use std::fmt::Write as _;
use std::time::Duration;

pub fn run(console: &mut Console, args: &Reflect) -> anyhow::Result<ExitCode> {
    // An engine finds out by the way whether all expressions have values.
    let with_engine = args.shorten.is_some() || args.trans;
    let mut session = if with_engine { args.model.open(console)? } else { args.model.open_evaluated(console)? };
    let options =
        Options { expound: args.expound, trans: args.trans, relate: args.relate.into(), max_values: args.max_values };
    let mut reflection = reflect(&mut session.model, options);
    if with_engine {
        consult(console, args, &mut session, &mut reflection)?;
    }
    if let Some(path) = &args.out {
        let model = with_clauses(&session.model, &reflection, args.keep);
        suites::write_file(path, try_print_model(&model)?)?;
    }
    match args.format {
        Format::Text => console.document(text(&session, &reflection))?,
        Format::Json => {
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document(&session, &reflection))?))?;
        }
    }
    console.flush()?;
    for note in &reflection.notes {
        console.note(format_args!("{}not restated: {}", place(&session, note.span), note.message));
    }
    Ok(ExitCode::Good)
}

/// What only the engine knows. The model is that of the engine afterwards, with the expressions of the new clauses.
fn consult(
    console: &mut Console,
    args: &Reflect,
    session: &mut Session,
    reflection: &mut Reflection,
) -> Result<(), Failure> {
    let limits = Limits { timeout: args.timeout.map(Duration::from_secs_f64), ..console::limits() };
    let mut engine = session.engine(console, &limits.options())?;
    settle(&mut session.model, &mut engine, reflection);
    if let Some(how) = args.shorten {
        let how = match how {
            ShortenHow::All => Shortening::All,
            ShortenHow::Subtracted => Shortening::Subtracted,
        };
        let mut progress = console.progress(reflection.clauses.len());
        shorten(&mut session.model, &mut engine, reflection, how, &mut |done| progress.at(done, "shortening"));
        progress.finish();
    }
    Ok(())
}

/// The machine with the clauses as its properties.
fn with_clauses(model: &Model, reflection: &Reflection, keep: bool) -> Model {
    let mut model = model.clone();
    if !keep {
        model.properties.clear();
    }
    let taken: Vec<String> = model.properties.iter().filter_map(|property| property.name.clone()).collect();
    for clause in &reflection.clauses {
        let mut property = clause.property();
        while property.name.as_ref().is_some_and(|name| taken.contains(name)) {
            property.name = property.name.map(|name| name + "_");
        }
        model.properties.push(property);
    }
    model
}

/// The clauses as SMV, with what they restate as comments.
fn text(session: &Session, reflection: &Reflection) -> String {
    let mut text = String::new();
    for clause in &reflection.clauses {
        let line = line(session, clause.span).map(|line| format!(", line {line}")).unwrap_or_default();
        let vacuous = if clause.vacuous == Some(true) { ", never applies" } else { "" };
        let formula = session.model.show_sourced(&clause.formula);
        writeln!(text, "-- {}{line}{vacuous}\nSPEC NAME {} := {formula};", visible(&clause.name), clause.id)
            .expect("strings take any text");
    }
    writeln!(text, "-- {}", summary(reflection)).expect("strings take any text");
    text
}

fn summary(reflection: &Reflection) -> String {
    let counts: Vec<String> = counts(reflection).iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let all = count(reflection.clauses.len(), "clause");
    if counts.is_empty() { all } else { format!("{all}: {}", counts.join(", ")) }
}

/// How many clauses there are of each origin, without those of which there are none.
fn counts(reflection: &Reflection) -> Vec<(&'static str, usize)> {
    let of = |origin: Origin| reflection.clauses.iter().filter(|clause| clause.origin == origin).count();
    Origin::ALL.into_iter().map(|origin| (origin.word(), of(origin))).filter(|(_, n)| *n > 0).collect()
}

fn line(session: &Session, span: Span) -> Option<usize> {
    session.sources.locate(span).map(|(_, line, _)| line)
}

fn place(session: &Session, span: Span) -> String {
    let place = session.sources.locate(span);
    place.map(|(file, line, column)| format!("{}:{line}:{column}: ", file.name)).unwrap_or_default()
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    model: String,
    clauses: Vec<ClauseEntry>,
    counts: serde_json::Map<String, serde_json::Value>,
    shadows: Vec<String>,
    notes: Vec<NoteEntry>,
}

#[derive(Serialize)]
struct ClauseEntry {
    id: String,
    name: String,
    kind: &'static str,
    line: Option<usize>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<bool>,
}

#[derive(Serialize)]
struct NoteEntry {
    line: Option<usize>,
    message: String,
}

fn document(session: &Session, reflection: &Reflection) -> Document {
    let entry = |clause: &Clause| ClauseEntry {
        id: clause.id.clone(),
        name: clause.name.clone(),
        kind: clause.origin.word(),
        line: line(session, clause.span),
        text: session.model.show_sourced(&clause.formula),
        vacuous: clause.vacuous,
    };
    let notes = reflection.notes.iter();
    Document {
        schema: "specwright/reflect/1",
        model: session.model.name.clone(),
        clauses: reflection.clauses.iter().map(entry).collect(),
        counts: counts(reflection).into_iter().map(|(kind, n)| (kind.to_owned(), n.into())).collect(),
        shadows: reflection.shadows.iter().map(|var| session.model[*var].name.clone()).collect(),
        notes: notes.map(|note| NoteEntry { line: line(session, note.span), message: note.message.clone() }).collect(),
    }
}
