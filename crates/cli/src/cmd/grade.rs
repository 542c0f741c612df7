//! `specwright grade`: how good is a suite of tests?

mod equivalent;
pub(super) mod explain;
pub(super) mod page;
pub(super) mod reports;
mod text;

use crate::args::{Grade, GradeFormat, JudgeArgs, ModelArgs, QuantifierName, WinnowName};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use anyhow::Context;
use specwright::document::{GradeDocument, SubsumptionDocument};
use specwright::{Failure, GradeSettings, Graded, ReadSettings, Session, suites};
use specwright_mc::Query;
use specwright_model::unparse::print_model;
use specwright_model::{Model, Trace};
use specwright_testgen::cfsm::cfsm;
use specwright_testgen::grade::{GoalGrade, Quantifiers};
use specwright_testgen::suite::{Validated, validate};
use std::path::Path;

pub fn run(console: &mut Console, args: &Grade) -> anyhow::Result<ExitCode> {
    let settings = GradeSettings {
        subsumption: args.subsumption.is_some(),
        suggest: args.suggest || args.suggest_out.is_some(),
        ..settings(&args.judging, &args.winnow)
    };
    let graded = evaluate(console, &args.model, Some(&args.suite), &args.judging, &settings)?;
    if let Some(folder) = &args.emit_cfsm {
        emit(&graded, folder)?;
    }
    if let Some(path) = &args.subsumption {
        suites::write_file(path, subsumption(path, &graded)?)?;
    }
    let suggestions = settings.suggest.then(|| graded.suggestions());
    match args.format {
        GradeFormat::Text => text::print(console, &graded, args, suggestions.as_ref())?,
        GradeFormat::Sarif => console.document(reports::survivors(&graded))?,
        GradeFormat::Stryker => console.document(reports::mutants(&graded, &args.suite))?,
        GradeFormat::Json => {
            let made = (&ReadSettings::from(&args.model.reading), &settings);
            let document = GradeDocument::new(&graded, made, &args.suite, args.matrix, suggestions.as_ref());
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    if let (Some(path), Some(suite)) = (&args.suggest_out, &suggestions) {
        suites::write(path, &graded.model, suite)?;
        console.note(format_args!("{} written to {}", count(suite.tests.len(), "test"), path.display()));
    }
    Ok(exit_code(&graded))
}

/// Which goals come for free with which: a graph or a document, as the name of the file says.
fn subsumption(path: &Path, graded: &Graded) -> anyhow::Result<String> {
    let document = SubsumptionDocument::new(graded);
    let is_graph =
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("dot") || end.eq_ignore_ascii_case("gv"));
    Ok(if is_graph { document.dot() } else { serde_json::to_string_pretty(&document)? + "\n" })
}

/// How a suite is judged.
pub(super) fn settings(args: &JudgeArgs, winnow: &[WinnowName]) -> GradeSettings {
    GradeSettings {
        goals: (&args.goals).into(),
        keep: args.focus.keep.clone(),
        property: args.property.clone(),
        winnow: WinnowName::kinds(winnow),
        duplicates: args.duplicates.into(),
        quantifiers: match args.quantifiers {
            QuantifierName::Path => Quantifiers::Path,
            QuantifierName::Branching => Quantifiers::Branching,
        },
        limits: args.limits.limits(),
        ..GradeSettings::default()
    }
}

/// Reads a model and a suite, which has no tests if it is not named, and grades it.
pub(super) fn evaluate(
    console: &mut Console,
    model: &ModelArgs,
    suite: Option<&Path>,
    judging: &JudgeArgs,
    settings: &GradeSettings,
) -> Result<Graded, Failure> {
    let mut session = Session::open(&model.path, &settings.reading((&model.reading).into()), console)?;
    let read = match suite {
        Some(path) => session.read_suite(path, judging.mapping.as_deref(), console)?,
        None => suites::empty(&session.model),
    };
    session.grade(read, settings, console)
}

pub(super) fn exit_code(graded: &Graded) -> ExitCode {
    let mut survivors = graded.survivors().map(|goal| &graded.fates[goal]).peekable();
    if !graded.grade.invalid_tests.is_empty() || graded.inconsistent().next().is_some() {
        ExitCode::Found
    } else if survivors.peek().is_none() {
        ExitCode::Good
    } else if survivors.all(GoalGrade::is_undecided) || console::interrupted() {
        ExitCode::Unknown
    } else {
        ExitCode::Found
    }
}

/// Writes the constrained machine of every test.
fn emit(graded: &Graded, folder: &Path) -> anyhow::Result<()> {
    let Graded { model, goals, read, .. } = graded;
    let targets: Vec<Query> = goals.iter().map(|goal| goal.target).collect();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (index, test) in read.suite.tests.iter().enumerate() {
        let Ok(Validated::Execution(trace)) = validate(model, test) else { continue };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name: String = test.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let path = folder.join(format!("{:03}-{name}.smv", index + 1));
        let text = machine_text(model, &test.name, &trace, &targets);
        suites::write_file(&path, text)?;
    }
    Ok(())
}

fn machine_text(model: &Model, name: &str, trace: &Trace, targets: &[Query]) -> String {
    let machine = cfsm(model, trace, targets);
    let name = specwright_syntax::escape::visible(name);
    format!("-- test {name}: a property is false here exactly if the test kills it\n{}", print_model(&machine))
}
