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
            "no diagnostic, operator or criterion has the name `{code}`{meant}\n\
             `specwright explain` lists all diagnostics; to explain a test or a goal, add its model or its suite"
        );
    };
    console.out(format_args!("{}: {}\n\n{}", section.code, section.title, plain(section.body)))?;
    Ok(ExitCode::Good)
}

/// Columns of wrapped text.
const WIDTH: usize = 80;

/// Markdown for the terminal: code is indented, sentences are wrapped, and of links only the text is left.
fn plain(markdown: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            let indent = if line.is_empty() { "" } else { "    " };
            text.extend([indent, line, "\n"]);
        } else if line.starts_with('|') {
            text.extend([&*without_links(line), "\n"]);
        } else {
            text.push_str(&wrapped(&without_links(line)));
        }
    }
    text
}

/// `[text](target)` as `text`.
fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, linked)) = rest.split_once('[') {
        let Some((label, target)) = linked.split_once("](") else { break };
        let Some((_, after)) = target.split_once(')') else { break };
        text.extend([before, label]);
        rest = after;
    }
    text + rest
}

/// A line in lines of at most [`WIDTH`] columns, if its words permit that; those of a list item are indented alike.
fn wrapped(line: &str) -> String {
    let indent = if line.starts_with("- ") || line.starts_with("  ") { "  " } else { "" };
    let mut text = String::new();
    let mut column = 0;
    for (index, word) in line.trim_end().split(' ').enumerate() {
        let width = word.chars().count();
        if index > 0 && column + 1 + width > WIDTH {
            text.extend(["\n", indent]);
            column = indent.len();
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn sections_fit_a_terminal() {
        let long = "word ".repeat(30);
        let text = plain(&format!("- {long}see [here](there.md#part).\n\n```smv\nVAR x : boolean;\n```\n"));
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(
            text.contains("\n  word")
                && text.contains("here.")
                && !text.contains("there")
                && text.contains("\n\n    VAR x"),
            "{text}"
        );
        assert_eq!(plain("`a[i]` (b)"), "`a[i]` (b)\n");
    }
}
