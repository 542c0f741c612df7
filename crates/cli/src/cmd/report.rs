//! `specwright report`: a page for people, or findings for other tools.

mod results;
pub(super) mod subject;

use super::grade;
use crate::args::{ModelArgs, Report, ReportFormat, WinnowName};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use results::Results;
use specwright::GradeSettings;
use specwright::document::{findings, page};
use specwright::suites::write_file;
use specwright_harness::report::page::Page;
use subject::Subject;

/// The steps that it is worth to find out what says the same: ten seconds or so.
const WINNOWING: u64 = 50_000_000;

pub fn run(console: &mut Console, args: &Report) -> anyhow::Result<ExitCode> {
    // What cannot be read should not cost the time of grading first.
    let further = args.with.iter().map(|path| results::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut subject = match &args.suite {
        Some(suite) => Subject::given(&args.subject, suite),
        None => subject::find(&args.subject)?,
    };
    let further: Vec<Results> = subject.results.take().into_iter().chain(further).collect();
    let Some((path, suite)) = subject.graded.clone() else {
        return tables(console, args, &subject.model, further);
    };
    let (reading, judging) = subject.judged(&args.reading, &args.judging)?;
    let winnow = match args.winnow[..] {
        [] if judging.focus.keep.is_empty() => &[WinnowName::All][..],
        // What says the same cannot be told in a focus.
        [] => &[WinnowName::Consistent],
        _ => &args.winnow,
    };
    // A page of which no thoroughness was asked should not take long.
    let winnow_steps = args.winnow.is_empty().then_some(WINNOWING);
    let settings = GradeSettings { winnow_steps, ..grade::settings(&judging, winnow) };
    let mut graded = grade::evaluate(console, &ModelArgs { path, reading }, Some(&suite), &judging, &settings)?;
    let mut page = page::page(&mut graded, &settings, &suite);
    for results in further {
        let unknown = results::add(&mut page, results);
        if let Some(name) = unknown.first() {
            let tests = count(unknown.len(), "test");
            console.warning(format_args!("{tests} not in the suite, such as `{name}`"));
        }
    }
    let (file, text) = match args.format {
        ReportFormat::Html => ("the page", specwright_harness::report::page::page(&page)),
        ReportFormat::Sarif => ("what survives", findings::survivors(&graded)),
        ReportFormat::Stryker => ("the report", findings::mutants(&graded, &suite)),
    };
    write_file(&args.file(), &text)?;
    let (score, tests) = (page.score, count(page.tests.len(), "test"));
    console.out(format_args!(
        "{}/{} {}s by {tests}; {file} is {}\n",
        score.reached,
        score.total,
        page.noun,
        args.file().display()
    ))?;
    Ok(grade::exit_code(&graded))
}

/// A page of results without a suite.
fn tables(console: &mut Console, args: &Report, model: &str, further: Vec<Results>) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(args.format == ReportFormat::Html, "only of a suite there are other formats than a page");
    let page = Page {
        model: model.into(),
        suite: args.subject.display().to_string(),
        version: env!("CARGO_PKG_VERSION").into(),
        noun: "goal",
        further: further.into_iter().flat_map(Results::tables).collect(),
        ..Page::default()
    };
    write_file(&args.file(), specwright_harness::report::page::page(&page))?;
    console.out(format_args!("the page is {}\n", args.file().display()))?;
    Ok(ExitCode::Good)
}
