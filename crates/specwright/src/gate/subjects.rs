//! The results of each command, as continuous integration looks at them.

use super::{Entry, Finding, Judged, Level, Place, Score, Skipped};
use crate::check::Checked;
use crate::check::hazards::Found;
use crate::document::findings::{group, of_gap, of_properties, of_survivor, of_unguarded};
use crate::{BoundSuite, Generated, Graded, Session, Strength};
use specwright_harness::run::{Report, Verdict};
use specwright_mc::{Answer, Reason};
use specwright_testgen::audit;
use specwright_testgen::focus::is_outside;
use specwright_testgen::generate::word;
use std::path::Path;

/// The name of a model without its folder, which may be another one on another machine.
fn short(name: &str) -> String {
    let name = Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name);
    name.to_owned()
}

impl Judged {
    /// The properties that were checked.
    pub fn of_check(session: &Session, checked: &Checked, why_stopped: &str, is_complete: bool) -> Judged {
        let properties = of_properties(session, checked, why_stopped).into_iter();
        let mut entries: Vec<Entry> = properties
            .map(|(title, finding)| Entry {
                id: title.clone(),
                name: title,
                class: "property".into(),
                finding,
                skipped: None,
            })
            .collect();
        for (hazard, found) in &checked.hazards {
            let level = if matches!(found, Found::Happens(_)) { Level::Error } else { Level::Note };
            let verb = if level == Level::Error { "happens" } else { "is undecided" };
            let finding = Finding {
                rule: hazard.code.0.to_owned(),
                rule_text: "A required step that contradictory updates prevent".into(),
                level,
                message: format!("{} {verb}", hazard.description),
                place: hazard.sites.first().and_then(|(span, ..)| Place::of(&session.sources, *span)),
                fingerprint: hazard.description.clone(),
            };
            let (id, class) = (hazard.description.clone(), "hazard".into());
            entries.push(Entry { name: id.clone(), id, class, finding: Some(finding), skipped: None });
        }
        Judged { command: "check", model: short(&session.model.name), score: None, entries, is_complete }
    }

    /// The goals of a grade, and the tests that are none of the model.
    pub fn of_grade(graded: &Graded, is_complete: bool) -> Judged {
        let survivors: std::collections::BTreeSet<usize> = graded.survivors().collect();
        let mut entries = Vec::new();
        let mut undecided = 0;
        for (index, goal) in graded.goals.iter().enumerate() {
            let finding = survivors.contains(&index).then(|| of_survivor(graded, index));
            undecided += usize::from(finding.as_ref().is_some_and(|finding| finding.level == Level::Note));
            let skipped = if let Some(reason) = graded.ignored.get(&index) {
                Some(Skipped(format!("ignored: {reason}")))
            } else if !graded.counts(index) {
                Some(Skipped("does not count".into()))
            } else {
                None
            };
            let (id, name, class) = (goal.id.clone(), goal.description.clone(), group(goal));
            entries.push(Entry { id, name, class, finding, skipped });
        }
        for (index, _) in graded.inconsistent() {
            let goal = &graded.goals[index];
            let message =
                format!("prevented by a contradiction in the specification: {} ({})", goal.description, goal.id);
            entries[index].finding = Some(of_gap(&graded.sources, goal, Level::Error, message));
        }
        for (test, reason) in invalid_tests(graded) {
            let finding = Finding {
                rule: "invalid-test".into(),
                rule_text: "A test that is not an execution of the model".into(),
                level: Level::Error,
                message: format!("the test {test} is not an execution of the model: {reason}"),
                place: None,
                fingerprint: format!("test:{test}"),
            };
            let class = "test".into();
            let id = finding.fingerprint.clone();
            entries.push(Entry { id, name: test, class, finding: Some(finding), skipped: None });
        }
        let share = graded.score();
        let score = Score { good: share.reached, undecided, total: share.total };
        let model = short(&graded.model.name);
        Judged { command: "grade", model, score: Some(score), entries, is_complete }
    }

    /// The mutants of an audit.
    pub fn of_audit(found: &Strength) -> Judged {
        let entry = |audited: &audit::Audited| {
            let mutant = &audited.mutant;
            let description = mutant.description.clone();
            let operator = mutant.operators.first().copied().unwrap_or_default();
            let (finding, skipped) = match &audited.verdict {
                audit::Verdict::Killed(_) => (None, None),
                audit::Verdict::Survived(survivor) => (Some(of_unguarded(found, mutant, survivor)), None),
                audit::Verdict::Equivalent => (None, Some(Skipped("equivalent".into()))),
                audit::Verdict::Invalid(_) => (None, Some(Skipped("invalid".into()))),
                audit::Verdict::Undecided(reason) => {
                    let finding = Finding {
                        rule: operator.into(),
                        rule_text: crate::document::AuditDocument::summary(operator).into(),
                        level: Level::Note,
                        message: format!("undecided: {description}: {reason}"),
                        place: Place::of(&found.sources, mutant.span),
                        fingerprint: mutant.id.clone(),
                    };
                    (Some(finding), None)
                }
            };
            let class = operator.into();
            Entry { id: mutant.id.clone(), name: description, class, finding, skipped }
        };
        let entries = found.mutants.iter().map(entry).collect();
        let (killed, total) = found.score();
        let undecided = found.n("undecided");
        let score = Score { good: killed, undecided, total: total + undecided };
        let model = short(&found.model.name);
        Judged { command: "audit", model, score: Some(score), entries, is_complete: !found.is_partial }
    }

    /// The goals of a run.
    pub fn of_generate(generated: &Generated) -> Judged {
        let Generated { goals, run, sources, contradictions, .. } = generated;
        let mut score = Score { good: 0, undecided: 0, total: 0 };
        let mut entries = Vec::new();
        for (goal, outcome) in goals.iter().zip(&run.outcomes) {
            let (id, name, class) = (goal.id.clone(), goal.description.clone(), group(goal));
            let (finding, skipped) = match outcome {
                Some(Answer::Found(())) => {
                    score.good += 1;
                    score.total += 1;
                    (None, None)
                }
                outcome if is_outside(outcome.as_ref()) => (None, Some(Skipped("outside of the focus".into()))),
                Some(Answer::Impossible(_)) => {
                    (None, outcome.as_ref().map(|outcome| Skipped(word(outcome).to_owned())))
                }
                // A test that shows it in some runs only is all that there is.
                Some(Answer::Undecided(Reason::PossibleKill)) => (None, Some(Skipped("possible".into()))),
                outcome => {
                    score.undecided += 1;
                    score.total += 1;
                    let reason =
                        outcome.as_ref().and_then(Answer::reason).map_or("not looked at".into(), ToString::to_string);
                    let message = format!("undecided: {} ({}): {reason}", goal.description, goal.id);
                    (Some(of_gap(sources, goal, Level::Note, message)), None)
                }
            };
            entries.push(Entry { id, name, class, finding, skipped });
        }
        for contradiction in contradictions {
            let goal = &goals[contradiction.goal];
            let message =
                format!("prevented by a contradiction in the specification: {} ({})", goal.description, goal.id);
            score.total += 1;
            entries[contradiction.goal].skipped = None;
            entries[contradiction.goal].finding = Some(of_gap(sources, goal, Level::Error, message));
        }
        let model = short(&generated.model.name);
        Judged { command: "generate", model, score: Some(score), entries, is_complete: generated.is_finished }
    }

    /// The tests of a run on an implementation.
    pub fn of_run(bound: &BoundSuite, report: &Report) -> Judged {
        let tests = &bound.read.suite.tests;
        let entry = |(index, outcome): &(usize, specwright_harness::run::Outcome)| {
            let name = tests[*index].name.clone();
            let step = outcome.step.map(|step| format!(", step {step}")).unwrap_or_default();
            let finding = |rule: &str, rule_text: &str, level| Finding {
                rule: rule.into(),
                rule_text: rule_text.into(),
                level,
                message: format!("test {name}{step}: {}", outcome.message),
                place: None,
                fingerprint: name.clone(),
            };
            let finding = match outcome.verdict {
                Verdict::Pass => None,
                Verdict::Fail => Some(finding("failed", "A test that the implementation fails", Level::Error)),
                Verdict::Error => Some(finding("error", "A test that ended with an error", Level::Error)),
                Verdict::Inconclusive => Some(finding("inconclusive", "A test without a verdict", Level::Note)),
            };
            Entry { id: name.clone(), name, class: "test".into(), finding, skipped: None }
        };
        let mut entries: Vec<Entry> = report.outcomes.iter().map(entry).collect();
        entries.extend(report.not_run.iter().map(|index| {
            let name = tests[*index].name.clone();
            let skipped = Some(Skipped("not run".into()));
            Entry { id: name.clone(), name, class: "test".into(), finding: None, skipped }
        }));
        let is_complete = report.not_run.is_empty();
        Judged { command: "run", model: short(&bound.read.suite.model), score: None, entries, is_complete }
    }
}

/// The tests that are no executions of the model, with the reasons.
fn invalid_tests(graded: &Graded) -> Vec<(String, String)> {
    let tests = &graded.read.suite.tests;
    let invalid = graded.grade.invalid_tests.iter();
    invalid.map(|(test, why)| (tests[*test].name.clone(), why.describe(&graded.model))).collect()
}
