//! Everything that was judged, for continuous integration: as JUnit XML, as workflow commands, and as Markdown.

use super::sarif::{Finding, Level};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use specwright_syntax::escape::{escape, is_harmful};
use std::fmt::Write;
use std::time::Duration;

/// Something that was judged.
#[derive(Clone, Debug)]
pub struct Entry {
    /// A name that does not change when other lines do.
    pub id: String,
    /// What it is.
    pub name: String,
    /// Its group, such as a criterion.
    pub class: String,
    /// What was found, if it is not as it should be.
    pub finding: Option<Finding>,
    /// Why it does not count, if it does not.
    pub skipped: Option<Skipped>,
}

/// Why something does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped(pub String);

/// Everything as JUnit XML. What is undecided counts as skipped.
pub fn entries_junit(title: &str, suite: &str, entries: &[Entry]) -> String {
    let mut cases = TestSuite::new(visible(suite));
    cases.set_time(Duration::ZERO);
    for entry in entries {
        let status = match (&entry.finding, &entry.skipped) {
            (Some(finding), _) if finding.level == Level::Note => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(visible(&finding.message));
                status
            }
            (Some(finding), _) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(visible(&finding.message)).set_type(visible(&finding.rule));
                if let Some(place) = &finding.place {
                    status.set_description(visible(&format!(
                        "{}:{}:{}",
                        place.file, place.start.line, place.start.column
                    )));
                }
                status
            }
            (None, Some(Skipped(why))) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(visible(why));
                status
            }
            (None, None) => TestCaseStatus::success(),
        };
        let mut case = TestCase::new(visible(&format!("{} ({})", entry.name, entry.id)), status);
        case.set_classname(visible(&entry.class)).set_time(Duration::ZERO);
        cases.add_test_case(case);
    }
    let mut document = quick_junit::Report::new(title);
    document.set_time(Duration::ZERO).add_test_suite(cases);
    document.to_string().expect("text can be written")
}

/// A text in which characters that XML cannot have, or that change how the rest is shown, are visible.
fn visible(text: &str) -> String {
    escape(&text.replace('\t', "    "), |c| is_harmful(c) && c != '\n').into_owned()
}

/// Findings as workflow commands, which show them beside the lines of a pull request: one line each.
pub fn annotations(findings: &[&Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let command = match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let mut properties = Vec::new();
        if let Some(place) = &finding.place {
            let file = place.file.strip_prefix("./").unwrap_or(&place.file).replace('\\', "/");
            properties.push(format!("file={}", property(&file)));
            properties.push(format!("line={},endLine={}", place.start.line, place.end.line));
            // Columns are only understood on a single line.
            if place.start.line == place.end.line {
                properties.push(format!("col={},endColumn={}", place.start.column, place.end.column));
            }
        }
        properties.push(format!("title={}", property(&format!("specwright {}", finding.rule))));
        let _ = writeln!(text, "::{command} {}::{}", properties.join(","), data(&finding.message));
    }
    text
}

/// The message of a workflow command: line breaks and what begins an escape are escaped, so that a message is one line.
fn data(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            c if is_harmful(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// What a summary says.
#[derive(Debug)]
pub struct MarkdownSummary<'a> {
    /// The command and its model.
    pub title: String,
    /// Whether it has passed.
    pub verdict: &'static str,
    /// The score, in words.
    pub score: Option<String>,
    /// The least score.
    pub least: Option<String>,
    /// How many were judged.
    pub judged: usize,
    /// How many findings there are.
    pub found: usize,
    /// How many of them are known, if that was asked.
    pub known: Option<usize>,
    /// How many are known and not found any more.
    pub gone: Option<usize>,
    /// The findings to list.
    pub findings: Vec<&'a Finding>,
}

/// Findings that a summary lists; pages of jobs have a limited size.
const LISTED: usize = 50;

/// A summary in Markdown. Names from specifications are shown as code, so that they are nothing else.
pub fn markdown(summary: &MarkdownSummary<'_>) -> String {
    let mut text = format!("### specwright {}: {}\n\n| | |\n|---|---:|\n", cell(&summary.title), summary.verdict);
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "| {name} | {value} |");
    };
    if let Some(score) = &summary.score {
        row("score", score);
    }
    if let Some(least) = &summary.least {
        row("least score", least);
    }
    row("judged", &summary.judged.to_string());
    row("found", &summary.found.to_string());
    if let Some(known) = summary.known {
        row("known", &known.to_string());
        row("new", &summary.findings.len().to_string());
    }
    if let Some(gone) = summary.gone.filter(|gone| *gone > 0) {
        row("known, and not found any more", &gone.to_string());
    }
    if !summary.findings.is_empty() {
        let heading = if summary.known.is_some() { "new" } else { "found" };
        let _ = write!(text, "\n| {heading} | place | |\n|---|---|---|\n");
        for finding in summary.findings.iter().take(LISTED) {
            let place = finding.place.as_ref();
            let place = place.map(|place| code(&format!("{}:{}", place.file, place.start.line))).unwrap_or_default();
            let _ = writeln!(text, "| {} | {place} | {} |", code(&finding.fingerprint), cell(&finding.message));
        }
        if summary.findings.len() > LISTED {
            let _ = writeln!(text, "\n… and {} more.", summary.findings.len() - LISTED);
        }
    }
    text.push('\n');
    text
}

/// A text in a cell of a table, in which nothing is markup.
fn cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // A name behind it would be told, and a number would be linked.
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            // An address would become a link.
            ':' => escaped.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' | '~' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c if is_harmful(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text as code in a cell of a table.
fn code(text: &str) -> String {
    format!("<code>{}</code>", cell(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Place, Position};

    fn finding(message: &str, file: &str) -> Finding {
        let place =
            Place { file: file.into(), start: Position { line: 3, column: 5 }, end: Position { line: 3, column: 9 } };
        Finding {
            rule: "ORO".into(),
            rule_text: "replaces an operator".into(),
            level: Level::Warning,
            message: message.into(),
            place: Some(place),
            fingerprint: "ORO-1".into(),
        }
    }

    #[test]
    fn an_annotation_is_one_line_whatever_it_says() {
        let odd = finding("50 % of\r\n::error::x", "./a,b:c\\d.smv");
        assert_eq!(
            annotations(&[&odd]),
            "::warning file=a%2Cb%3Ac/d.smv,line=3,endLine=3,col=5,endColumn=9,title=specwright ORO::50 %25 of%0D%0A::error::x\n"
        );
    }

    #[test]
    fn nothing_in_a_summary_is_markup() {
        let odd = finding("`x` | <img src=x> [a](b) @all #1 http://x\n# h", "m.smv");
        let summary = MarkdownSummary {
            title: "grade m.smv".into(),
            verdict: "failed",
            score: Some("50.0 %".into()),
            least: None,
            judged: 2,
            found: 1,
            known: Some(0),
            gone: Some(0),
            findings: vec![&odd],
        };
        let text = markdown(&summary);
        let line = text.lines().find(|line| line.contains("ORO-1")).unwrap_or_default();
        assert_eq!(
            line,
            "| <code>ORO-1</code> | <code>m.smv&#58;3</code> | \\`x\\` \\| &lt;img src=x&gt; \\[a\\]\\(b\\) &#64;all &#35;1 http&#58;//x &#35; h |"
        );
    }

    #[test]
    fn undecided_and_known_entries_are_skipped_and_others_fail() {
        let entry = |finding, skipped| Entry { id: "i".into(), name: "n".into(), class: "c".into(), finding, skipped };
        let undecided = Finding { level: Level::Note, ..finding("maybe", "m") };
        let entries = [
            entry(None, None),
            entry(Some(finding("wrong", "m")), None),
            entry(Some(undecided), None),
            entry(None, Some(Skipped("known".into()))),
        ];
        let text = entries_junit("specwright grade", "m.smv", &entries);
        let count = |what: &str| text.matches(what).count();
        assert_eq!((count("<testcase "), count("<failure "), count("<skipped ")), (4, 1, 2), "{text}");
    }
}
