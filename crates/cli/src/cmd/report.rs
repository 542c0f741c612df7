//! `specwright report`: a page for people, or findings for other tools.

mod results;
mod subject;

use super::grade::{self, Question, page, reports};
use crate::args::{JudgeArgs, ModelArgs, ReadingArgs, Recorded, Report, ReportFormat, WinnowName};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::suites::write_file;
use results::Results;
use specwright_harness::report::page::Page;
use subject::Subject;

pub fn run(console: &mut Console, args: &Report) -> anyhow::Result<ExitCode> {
    // What cannot be read should not cost the time of grading first.
    let further = args.with.iter().map(|path| results::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let subject = match &args.suite {
        Some(suite) => Subject::given(&args.subject, suite),
        None => subject::find(&args.subject)?,
    };
    let further: Vec<Results> = subject.results.into_iter().chain(further).collect();
    let Some((path, suite)) = subject.graded else {
        return tables(console, args, &subject.model, further);
    };
    let (reading, judging) = judged(args, &subject.settings)?;
    let winnow = match args.winnow[..] {
        [] if judging.focus.keep.is_empty() => &[WinnowName::All][..],
        // What says the same cannot be told in a focus.
        [] => &[WinnowName::Consistent],
        _ => &args.winnow,
    };
    let question = Question::new(ModelArgs { path, reading, mutants: false }, &suite, &judging, winnow);
    let (sources, mut outcome) = match grade::evaluate(console, &question)? {
        Ok(evaluated) => evaluated,
        Err(code) => return Ok(code),
    };
    let mut page = page::page(&sources, &mut outcome, &question);
    for results in further {
        let unknown = results::add(&mut page, results);
        if let Some(name) = unknown.first() {
            let tests = count(unknown.len(), "test");
            console.warning(format_args!("{tests} not in the suite, such as `{name}`"));
        }
    }
    let (file, text) = match args.format {
        ReportFormat::Html => ("the page", specwright_harness::report::page::page(&page)),
        ReportFormat::Sarif => ("what survives", reports::survivors(&sources, &outcome)),
        ReportFormat::Stryker => ("the report", reports::mutants(&sources, &outcome, &suite)),
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
    Ok(outcome.exit_code())
}

/// How to judge the suite: as the result says that it was made, unless the user says something else.
fn judged(args: &Report, settings: &[String]) -> anyhow::Result<(ReadingArgs, JudgeArgs)> {
    let recorded = Recorded::new(settings)
        .map_err(|error| anyhow::anyhow!("{} was made with other flags: {error}", args.subject.display()))?;
    let default = Recorded::new(&[]).expect("nothing has to be typed");
    let mut judging = args.judging.clone();
    let ignores = std::mem::take(&mut judging.goals.ignores.ignore);
    if judging.goals == default.goals {
        judging.goals = recorded.goals;
    }
    judging.goals.ignores.ignore.extend(ignores);
    if judging.focus == default.focus {
        judging.focus = recorded.focus;
    }
    let reading = if args.reading == default.reading { recorded.reading } else { args.reading.clone() };
    Ok((reading, judging))
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
