//! `specwright report`: a page for people, or findings for other tools.

mod results;

use super::grade::{self, page, reports};
use crate::args::{Report, ReportFormat};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::suites::write_file;

pub fn run(console: &mut Console, args: &Report) -> anyhow::Result<ExitCode> {
    // What cannot be read should not cost the time of grading first.
    let further = args.with.iter().map(|path| results::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let (sources, mut outcome) = match grade::evaluate(console, &args.grade())? {
        Ok(evaluated) => evaluated,
        Err(code) => return Ok(code),
    };
    let mut page = page::page(&sources, &mut outcome, args);
    for results in further {
        let unknown = results::add(&mut page, results);
        if let Some(name) = unknown.first() {
            let tests = count(unknown.len(), "test");
            console.warning(format_args!("--with: {tests} not in the suite, such as `{name}`"));
        }
    }
    let (file, text) = match args.format {
        ReportFormat::Html => ("the page", specwright_harness::report::page::page(&page)),
        ReportFormat::Sarif => ("what survives", reports::survivors(&sources, &outcome)),
        ReportFormat::Stryker => ("the report", reports::mutants(&sources, &outcome, &args.suite)),
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
