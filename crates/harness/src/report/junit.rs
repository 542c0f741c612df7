//! What became of tests, as the XML that build servers read.

use super::xml::escape;
use crate::run::{Outcome, Report, Verdict};
use specwright_model::Model;
use specwright_model::trace::ValueJson;
use specwright_testgen::suite::Suite;
use std::fmt::Write;

/// A report as JUnit XML. Inconclusive tests count as skipped, for there is no such verdict there.
pub fn junit(model: &Model, suite: &Suite, report: &Report) -> String {
    let count = |verdict| report.count(verdict);
    let skipped = count(Verdict::Inconclusive) + report.not_run.len();
    let time: f64 = report.outcomes.iter().map(|(_, outcome)| outcome.time.as_secs_f64()).sum();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{skipped}\" time=\"{time:.3}\"",
        suite.tests.len(),
        count(Verdict::Fail),
        count(Verdict::Error)
    );
    let name = escape(&suite.model);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"specwright run\" {totals}>\n  <testsuite name=\"{name}\" {totals}>");
    for (index, outcome) in &report.outcomes {
        case(&mut text, model, &name, &suite.tests[*index].name, outcome);
    }
    for index in &report.not_run {
        let test = escape(&suite.tests[*index].name);
        let _ = writeln!(text, "    <testcase classname=\"{name}\" name=\"{test}\" time=\"0.000\">");
        text.push_str("      <skipped message=\"not run\"/>\n    </testcase>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn case(text: &mut String, model: &Model, class: &str, name: &str, outcome: &Outcome) {
    let (name, time) = (escape(name), outcome.time.as_secs_f64());
    let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time:.3}\"");
    let step = outcome.step.map(|step| format!("step {step}: ")).unwrap_or_default();
    let message = escape(&format!("{step}{}", outcome.message));
    match outcome.verdict {
        Verdict::Pass => {
            text.push_str("/>\n");
            return;
        }
        Verdict::Fail => {
            let history = escape(&history(model, outcome));
            let _ = writeln!(text, ">\n      <failure message=\"{message}\" type=\"fail\">{history}</failure>");
        }
        Verdict::Error => {
            let history = escape(&history(model, outcome));
            let _ = writeln!(text, ">\n      <error message=\"{message}\" type=\"error\">{history}</error>");
        }
        Verdict::Inconclusive => {
            let _ = writeln!(text, ">\n      <skipped message=\"inconclusive: {message}\"/>");
        }
    }
    if !outcome.stderr_tail.is_empty() {
        let _ = writeln!(text, "      <system-err>{}</system-err>", escape(&outcome.stderr_tail));
    }
    text.push_str("    </testcase>\n");
}

/// A line for each exchange.
fn history(model: &Model, outcome: &Outcome) -> String {
    let mut text = String::new();
    for (step, record) in outcome.history.iter().enumerate() {
        let shown = |state: &specwright_model::State| {
            let given = model
                .vars()
                .filter_map(|(id, var)| Some(format!("{}={}", var.name, ValueJson::new(model, state.get(id)?))));
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
        let text = junit(&model, &suite, &Report { outcomes, not_run: vec![4, 5] });
        let count = |what: &str| text.matches(what).count();
        assert_eq!((count("<testcase "), count("<failure "), count("<error "), count("<skipped ")), (6, 1, 1, 3));
        assert_eq!(count("tests=\"6\" failures=\"1\" errors=\"1\" skipped=\"3\""), 2, "{text}");
        assert!(text.contains("name=\"left &lt;out&gt;\""), "{text}");
    }
}
