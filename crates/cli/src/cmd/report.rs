//! `specwright report`: a page for people, or findings for other tools.

use super::grade;
use crate::args::{JudgeArgs, ModelArgs, ReadingArgs, Recorded, Report, ReportFormat};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::results::{self, Results};
use specwright::document::{findings, history, page};
use specwright::report::{self, ReportSubject};
use specwright::suites::write_file;

pub fn run(console: &mut Console, args: &Report) -> anyhow::Result<ExitCode> {
    // What cannot be read should not cost the time of grading first.
    let further = args.with.iter().map(|path| results::read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut subject = match &args.suite {
        Some(suite) => ReportSubject::given(&args.subject, suite),
        None => report::find(&args.subject)?,
    };
    let further: Vec<Results> = subject.results.take().into_iter().chain(further).collect();
    let Some((path, suite)) = subject.graded.clone() else {
        anyhow::ensure!(args.format == ReportFormat::Html, "`--format sarif` and `--format stryker` need a suite");
        let page = page::without_suite(&subject.model, &args.subject, further);
        write_file(&args.file(), page::html(&page))?;
        console.out(format_args!("page written to {}\n", args.file().display()))?;
        return Ok(ExitCode::Good);
    };
    let (reading, judging) = judged(&subject, &args.reading, &args.judging)?;
    let settings = grade::settings(&judging, &args.winnow);
    let mut graded = grade::evaluate(console, &ModelArgs { path, reading }, Some(&suite), &judging, &settings)?;
    let mut page = page::page(&mut graded, &settings, &suite);
    for results in further {
        let unknown = results::add(&mut page, results);
        if let Some(name) = unknown.first() {
            let tests = count(unknown.len(), "test");
            console.warning(format_args!("{tests} not in the suite, such as `{name}`"));
        }
    }
    page.command = Some(command(args, std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())));
    page.date.clone_from(&args.date);
    page.history = match (&args.history, &args.date) {
        (Some(file), Some(date)) => history::record(file, date, page.score)?,
        (Some(file), None) => history::last_scores(file)?,
        (None, _) => Vec::new(),
    };
    let (file, text) = match args.format {
        ReportFormat::Html => ("page", page::html(&page)),
        ReportFormat::Sarif => ("survivors", findings::survivors(&graded)),
        ReportFormat::Stryker => ("report", findings::mutants(&graded, &suite)),
    };
    write_file(&args.file(), &text)?;
    let (score, tests) = (page.score, count(page.tests.len(), "test"));
    console.out(format_args!(
        "{}/{} {}s {} by {tests}; {file} written to {}\n",
        score.reached,
        score.total,
        page.noun,
        if page.noun == "mutant" { "killed" } else { "covered" },
        args.file().display()
    ))?;
    Ok(grade::exit_code(&graded))
}

/// The command that writes the page, without the name of the page: the same page under another name has the same bytes.
fn command(args: &Report, typed: impl Iterator<Item = String>) -> String {
    let mut command = String::from("specwright");
    let mut is_name = false;
    for word in typed {
        let skipped = std::mem::take(&mut is_name);
        is_name = word == "-o" || word == "--out";
        let named = args
            .out
            .as_ref()
            .is_some_and(|out| [format!("-o{}", out.display()), format!("--out={}", out.display())].contains(&word));
        if skipped || is_name || named {
            continue;
        }
        let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./,=:+@%".contains(c));
        let quoted = if plain { word } else { format!("'{}'", word.replace('\'', "'\\''")) };
        command.push(' ');
        command.push_str(&quoted);
    }
    command
}

/// How to judge a suite: as the result says that it was made, unless the user says something else.
pub(super) fn judged(
    subject: &ReportSubject,
    reading: &ReadingArgs,
    judging: &JudgeArgs,
) -> anyhow::Result<(ReadingArgs, JudgeArgs)> {
    let recorded = Recorded::new(&subject.settings)
        .map_err(|error| anyhow::anyhow!("the result about {} was made with other flags: {error}", subject.model))?;
    let default = Recorded::new(&[]).expect("nothing has to be typed");
    let mut judging = judging.clone();
    let ignores = std::mem::take(&mut judging.goals.ignores.ignore);
    if judging.goals == default.goals {
        judging.goals = recorded.goals;
    }
    judging.goals.ignores.ignore.extend(ignores);
    if judging.focus == default.focus {
        judging.focus = recorded.focus;
    }
    let reading = if *reading == default.reading { recorded.reading } else { reading.clone() };
    Ok((reading, judging))
}
