//! What became of tests, as the XML that build servers read.

use crate::run::{Outcome, Report, Verdict};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use specwright_model::Model;
use specwright_model::trace::ValueJson;
use specwright_syntax::escape::{escape, is_harmful};
use specwright_testgen::suite::Suite;
use std::fmt::Write;
use std::time::Duration;

/// A report as JUnit XML. Inconclusive tests count as skipped, for there is no such verdict there.
pub fn junit(model: &Model, suite: &Suite, report: &Report) -> String {
    let name = visible(&suite.model);
    let mut cases = TestSuite::new(&name);
    let mut add = |index: usize, mut case: TestCase| {
        case.name = visible(&suite.tests[index].name).into();
        case.set_classname(&name);
        cases.add_test_case(case);
    };
    for (index, outcome) in &report.outcomes {
        add(*index, case(model, outcome));
    }
    for index in &report.not_run {
        let mut status = TestCaseStatus::skipped();
        status.set_message("not run");
        let mut case = TestCase::new("", status);
        case.set_time(Duration::ZERO);
        add(*index, case);
    }
    let time = report.outcomes.iter().map(|(_, outcome)| outcome.time).sum();
    cases.set_time(time);
    let mut document = quick_junit::Report::new("specwright run");
    document.set_time(time).add_test_suite(cases);
    document.to_string().expect("text can be written")
}

/// One test, yet without a name.
fn case(model: &Model, outcome: &Outcome) -> TestCase {
    let step = outcome.step.map(|step| format!("step {step}: ")).unwrap_or_default();
    let message = visible(&format!("{step}{}", outcome.message));
    let failed = |kind, ty: &str| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(&message).set_type(ty).set_description(visible(&history(model, outcome)));
        status
    };
    let status = match outcome.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        Verdict::Fail => failed(NonSuccessKind::Failure, "fail"),
        Verdict::Error => failed(NonSuccessKind::Error, "error"),
        Verdict::Inconclusive => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("inconclusive: {message}"));
            status
        }
    };
    let mut case = TestCase::new("", status);
    case.set_time(outcome.time);
    if outcome.verdict != Verdict::Pass && !outcome.stderr_tail.is_empty() {
        case.set_system_err(visible(&outcome.stderr_tail));
    }
    case
}

/// A text in which characters that XML cannot have, or that change how the rest is shown, are visible. Tabs are spaces,
/// for the library drops them.
fn visible(text: &str) -> String {
    escape(&text.replace('\t', "    "), |c| is_harmful(c) && c != '\n').into_owned()
}

/// A line for each exchange.
fn history(model: &Model, outcome: &Outcome) -> String {
    let mut text = String::new();
    for (step, record) in outcome.history.iter().enumerate() {
        let shown = |state: &specwright_model::State| {
            let given = model
                .vars()
                .filter_map(|(id, var)| Some(format!("{}={}", var.name, ValueJson::of(model, id, state.get(id)?))));
            given.collect::<Vec<_>>().join(" ")
        };
        let _ = writeln!(text, "{step}: {} -> {}", shown(&record.inputs), shown(&record.outputs));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::{State, Trace};
    use specwright_testgen::suite::Test;

    /// Every test is one case, and the totals are those of the cases.
    #[test]
    fn the_totals_are_those_of_the_cases() {
        let model = specwright_model::testing::model("MODULE main VAR x : boolean;");
        let test = |name: &str| Test::new(name, Trace { states: vec![State::empty(1)], loop_start: None });
        let names = ["good", "bad", "broken", "open", "left <out>", "left out, too"];
        let tests = names.map(test).into();
        let suite = Suite { model: "m".into(), model_hash: None, tests, goals: None };
        let verdicts = [Verdict::Pass, Verdict::Fail, Verdict::Error, Verdict::Inconclusive];
        let outcomes = verdicts.map(|verdict| Outcome::new(verdict, Some(1), "why")).into_iter().enumerate().collect();
        let text = junit(&model, &suite, &Report { outcomes, not_run: vec![4, 5], ..Report::default() });
        let count = |what: &str| text.matches(what).count();
        assert_eq!((count("<testcase "), count("<failure "), count("<error "), count("<skipped ")), (6, 1, 1, 3));
        assert_eq!(count("tests=\"6\" skipped=\"3\" "), 2, "{text}");
        assert_eq!((count("failures=\"1\""), count("errors=\"1\"")), (2, 2), "{text}");
        assert!(text.contains("name=\"left &lt;out&gt;\""), "{text}");
        assert!(!text.contains("timestamp") && !text.contains("uuid"), "the same report is the same text");
    }

    /// What a program says is shown whole, whatever characters it uses.
    #[test]
    fn odd_text_comes_back() {
        let model = specwright_model::testing::model("MODULE main VAR x : boolean;");
        let odd = "a\u{1b}[31m<red>\r\n\t\"&' ]]> \0\u{ffff}\u{202e} é 👩‍🚀";
        let test = Test::new(odd, Trace { states: vec![State::empty(1)], loop_start: None });
        let suite = Suite { model: odd.into(), model_hash: None, tests: vec![test], goals: None };
        let outcome = Outcome { stderr_tail: odd.into(), ..Outcome::new(Verdict::Error, None, odd) };
        let text = junit(&model, &suite, &Report { outcomes: vec![(0, outcome)], ..Report::default() });
        let document = roxmltree::Document::parse(&text).unwrap();
        let node = |tag: &str| document.descendants().find(|node| node.has_tag_name(tag)).unwrap();
        let shown = "a\\u{1b}[31m<red>\\u{d}\n    \"&' ]]> \\u{0}\\u{ffff}\\u{202e} é 👩‍🚀";
        for (tag, attribute) in
            [("testsuite", "name"), ("testcase", "name"), ("testcase", "classname"), ("error", "message")]
        {
            // Readers of XML take the end of a line in an attribute for a space.
            assert_eq!(node(tag).attribute(attribute), Some(&*shown.replace('\n', " ")), "{text}");
        }
        assert_eq!(node("system-err").text(), Some(shown), "{text}");
    }
}
