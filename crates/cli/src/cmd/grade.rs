//! `specwright grade`: how good is a suite of tests?

pub(super) mod explain;
mod text;

use super::{gate, merge};
use crate::args::{Grade, GradeFormat, JudgeArgs, ModelArgs, WinnowName};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::{self, GradeDocument, SubsumptionDocument, findings};
use specwright::gate::Judged;
use specwright::grade::Sight;
use specwright::shard::Sharding;
use specwright::{Failure, GradeSettings, Graded, ReadSettings, Session, suites};
use std::path::Path;

pub fn run(console: &mut Console, args: &Grade) -> anyhow::Result<ExitCode> {
    run_as(console, args, args.shards.sharding()?)
}

/// The command as a whole, or as a shard of it.
pub(super) fn run_as(console: &mut Console, args: &Grade, sharding: Sharding) -> anyhow::Result<ExitCode> {
    let settings = GradeSettings {
        sharding,
        subsumption: args.subsumption.is_some(),
        suggest: args.suggest || args.suggest_out.is_some(),
        ..settings(&args.judging, &args.winnow)
    };
    let pending = gate::open(&args.ci, args.score.thresholds(), "grade")?;
    let graded = evaluate(console, &args.model, Some(&args.suite), &args.judging, &settings)?;
    if let Some(decided) = graded.decided {
        return merge::decided(console, &settings.sharding, decided);
    }
    if let Some(folder) = &args.emit_cfsm {
        graded.write_machines(folder)?;
    }
    if let Some(path) = &args.subsumption {
        suites::write_file(path, subsumption(path, &graded)?)?;
    }
    let suggestions = settings.suggest.then(|| graded.suggestions());
    match args.format {
        GradeFormat::Text => text::print(console, &graded, args, suggestions.as_ref())?,
        GradeFormat::Sarif => console.document(findings::survivors(&graded))?,
        GradeFormat::Stryker => console.document(findings::mutants(&graded, &args.suite))?,
        GradeFormat::Json => {
            let made = (&ReadSettings::from(&args.model.reading), &settings);
            let document = GradeDocument::new(&graded, made, &args.suite, args.matrix, suggestions.as_ref());
            console.document(document::json(&document)?)?;
        }
    }
    if let (Some(path), Some(suite)) = (&args.suggest_out, &suggestions) {
        suites::write(path, &graded.model, suite)?;
        console.note(format_args!("{} written to {}", count(suite.tests.len(), "test"), path.display()));
    }
    console.flush()?;
    pending.close(console, || Judged::of_grade(&graded, !console::interrupted()), exit_code(&graded))
}

/// Which goals come for free with which: a graph or a document, as the name of the file says.
fn subsumption(path: &Path, graded: &Graded) -> Result<String, Failure> {
    let document = SubsumptionDocument::new(graded);
    let is_graph =
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("dot") || end.eq_ignore_ascii_case("gv"));
    if is_graph { Ok(document.dot()) } else { document::json(&document) }
}

/// How a suite is judged.
pub(super) fn settings(args: &JudgeArgs, winnow: &[WinnowName]) -> GradeSettings {
    GradeSettings {
        goals: (&args.goals).into(),
        keep: args.focus.keep.clone(),
        property: args.property.clone(),
        winnow: winnow.iter().map(|name| (*name).into()).collect(),
        duplicates: args.duplicates.into(),
        quantifiers: args.quantifiers.into(),
        kill: args.kill.into(),
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
    let mut session = Session::open(&model.path, &settings.reading(model.reading_for(suite)), console)?;
    let read = match suite {
        Some(path) => session.read_suite(path, judging.mapping.as_deref(), console)?,
        None => suites::empty(&session.model),
    };
    session.grade(read, settings, console)
}

pub(super) fn exit_code(graded: &Graded) -> ExitCode {
    let is_undecided =
        |goal: usize| graded.fates[goal].is_undecided() || matches!(graded.sight(goal), Some(Sight::Undecided(_)));
    let mut survivors = graded.survivors().map(is_undecided).peekable();
    if !graded.grade.invalid_tests.is_empty() || graded.inconsistent().next().is_some() {
        ExitCode::Found
    } else if survivors.peek().is_none() {
        ExitCode::Good
    } else if survivors.all(|is_undecided| is_undecided) || console::interrupted() {
        ExitCode::Unknown
    } else {
        ExitCode::Found
    }
}
