//! `specwright explain`: diagnostic codes, mutation operators and criteria, by the pages of the book; tests and goals.

use crate::args::{Explain, ModelArgs, WinnowName};
use crate::cmd::grade;
use crate::cmd::report::judged;
use crate::columns::{Align, Columns};
use crate::console::Console;
use crate::exit_code::ExitCode;
use specwright::GradeSettings;
use specwright::catalogue::{normal, section, sections, topic, topics};
use specwright::report;
use specwright::words::hint;

pub fn run(console: &mut Console, args: &Explain) -> anyhow::Result<ExitCode> {
    if let (Some(name), Some(model)) = (&args.what, &args.model) {
        let (mut path, mut suite) = (model.clone(), args.suite.clone());
        let (mut reading, mut judging) = (args.reading.clone(), args.judging.clone());
        if suite.is_none() && report::is_result(model) {
            let subject = report::find(model)?;
            (reading, judging) = judged(&subject, &args.reading, &args.judging)?;
            let Some((model, tests)) = subject.graded else {
                anyhow::bail!("{} has no tests and goals to explain", path.display())
            };
            (path, suite) = (model, Some(tests));
        }
        let model = ModelArgs { path, reading };
        let only = Some(name.clone());
        let settings = GradeSettings { only, ..grade::settings(&judging, &[WinnowName::Consistent]) };
        let graded = grade::evaluate(console, &model, suite.as_deref(), &judging, &settings)?;
        let limits = args.judging.limits.limits();
        console.out(match &args.from {
            Some(other) => grade::explain::apart(&graded, name, other, &limits)?,
            None => grade::explain::explain(&graded, name, &limits)?,
        })?;
        return Ok(ExitCode::Good);
    }
    let Some(code) = &args.what else {
        let mut columns = Columns::new([("", Align::Left), ("", Align::Left)]);
        for section in sections() {
            columns.row([section.code.into(), section.title.into()]);
        }
        console.out(columns)?;
        return Ok(ExitCode::Good);
    };
    if let Some((heading, body)) = topic(code) {
        console.out(format_args!("{}\n\n{}", heading.replace('`', ""), plain(body)))?;
        return Ok(ExitCode::Good);
    }
    let Some(section) = section(code) else {
        let mut meant = hint(&normal(code), sections().map(|section| section.code));
        if meant.is_empty() {
            meant = hint(code, topics());
        }
        anyhow::bail!(
            "no diagnostic, operator or criterion is called `{code}`{meant}\n\
             `specwright explain` lists all diagnostics; to explain a test or a goal, add its model or its suite"
        );
    };
    console.out(format_args!("{}: {}\n\n{}", section.code, section.title, plain(section.body)))?;
    Ok(ExitCode::Good)
}

/// Markdown for the terminal: what is fenced off is indented instead.
fn plain(markdown: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let indent = if fenced && !line.is_empty() { "    " } else { "" };
        text.extend([indent, line, "\n"]);
    }
    text
}
