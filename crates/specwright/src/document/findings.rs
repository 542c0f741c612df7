//! Findings for other tools: what fails and what survives as SARIF, all mutants in Stryker's schema.

use crate::audit::{MachineMutant, Survivor};
use crate::check::{Checked, Verdict, reason_text};
use crate::document::AuditDocument;
use crate::frontend;
use crate::words::{count, unparsed};
use crate::{Graded, Session, Strength};
use specwright_harness::report::{Finding, Level, Place, StrykerMutant, StrykerStatus, sarif, stryker};
use specwright_mc::{Answer, Proof, Witness};
use specwright_model::unparse::Unparser;
use specwright_syntax::span::SourceMap;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{GoalGrade, Sight};
use specwright_testgen::mutate::OPERATORS;
use std::path::Path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What fails, and what is not known, for tools that show findings beside the code.
pub fn failures(session: &Session, checked: &Checked, why_stopped: &str) -> String {
    let findings = of_properties(session, checked, why_stopped).into_iter().filter_map(|(_, finding)| finding);
    sarif(VERSION, &findings.collect::<Vec<_>>())
}

/// Each property by its title, with the finding if it does not hold.
pub(crate) fn of_properties(session: &Session, checked: &Checked, why_stopped: &str) -> Vec<(String, Option<Finding>)> {
    let mut unparser = Unparser::new(&session.model);
    let finding = |verdict: &Verdict, text: &str| {
        let property = &session.model.properties[verdict.index];
        let title = property.name.as_deref().unwrap_or(text);
        let (level, message) = match &verdict.violation {
            Answer::Found(Witness::Trace(trace)) => {
                let steps = count(trace.n_steps(), "step");
                (Level::Error, format!("property `{title}` fails: an execution of {steps} shows it"))
            }
            Answer::Found(_) => (Level::Error, format!("property `{title}` fails")),
            Answer::Undecided(reason) => (
                Level::Note,
                format!("property `{title}` is undecided: {}", reason_text(&session.model, reason, why_stopped)),
            ),
            Answer::Impossible(_) => return None,
        };
        Some(Finding {
            rule: verdict.word().to_owned(),
            rule_text: match level {
                Level::Note => "A property that could not be decided within the limits".into(),
                _ => "A property that the model does not satisfy".into(),
            },
            level,
            message,
            place: Place::of(&session.sources, property.span),
            fingerprint: title.to_owned(),
        })
    };
    let entry = |verdict: &Verdict| {
        let property = &session.model.properties[verdict.index];
        let text = unparsed(&mut unparser, property);
        let finding = finding(verdict, &text);
        (property.name.clone().unwrap_or(text), finding)
    };
    checked.verdicts.iter().map(entry).collect()
}

/// What survives, as findings.
pub fn survivors(outcome: &Graded) -> String {
    sarif(VERSION, &outcome.survivors().map(|index| of_survivor(outcome, index)).collect::<Vec<_>>())
}

/// A goal that no test reaches.
pub(crate) fn of_survivor(outcome: &Graded, index: usize) -> Finding {
    let goal = &outcome.goals[index];
    let unknown = outcome.fates[index].is_undecided() || matches!(outcome.sight(index), Some(Sight::Undecided(_)));
    let verdict = if unknown { "may survive: undecided" } else { "survives" };
    Finding {
        rule: group(goal),
        rule_text: rule_text(goal),
        level: if unknown { Level::Note } else { Level::Warning },
        message: format!("no test kills the mutant: {} ({}, which {verdict})", goal.description, goal.id),
        place: Place::of(&outcome.sources, goal.span),
        fingerprint: goal.id.clone(),
    }
}

/// A goal that a run did not decide.
pub(crate) fn of_gap(sources: &SourceMap, goal: &Goal, level: Level, message: String) -> Finding {
    Finding {
        rule: group(goal),
        rule_text: rule_text(goal),
        level,
        message,
        place: Place::of(sources, goal.span),
        fingerprint: goal.id.clone(),
    }
}

/// The mutants of the machine that no property kills, as findings.
pub fn unguarded(found: &Strength) -> String {
    let findings = found.survivors().map(|(mutant, survivor)| of_unguarded(found, mutant, survivor));
    sarif(VERSION, &findings.collect::<Vec<_>>())
}

/// A mutant of the machine that no property kills.
pub(crate) fn of_unguarded(found: &Strength, mutant: &MachineMutant, survivor: &Survivor) -> Finding {
    let missing = survivor.closed_by.first().map(|place| &found.missing[*place]);
    let missing = missing.map(|missing| {
        format!("; missing: {} {}", missing.kind(), found.model.show_expr(missing.property.formula.expr))
    });
    let operator = mutant.operators.first().copied().unwrap_or_default();
    Finding {
        rule: operator.into(),
        rule_text: AuditDocument::summary(operator).into(),
        level: Level::Warning,
        message: format!("no property kills the mutant: {}{}", mutant.description, missing.unwrap_or_default()),
        place: Place::of(&found.sources, mutant.span),
        fingerprint: mutant.id.clone(),
    }
}

/// All goals, as mutants.
pub fn mutants(outcome: &Graded, suite: &Path) -> String {
    let sources = &outcome.sources;
    let mutant = |(index, goal): (usize, &Goal)| StrykerMutant {
        id: goal.id.clone(),
        operator: group(goal),
        description: goal.description.clone(),
        replacement: replacement(sources, goal),
        place: Place::of(sources, goal.span),
        status: match &outcome.fates[index] {
            _ if outcome.ignored.contains_key(&index) => StrykerStatus::Ignored(outcome.ignored[&index].clone()),
            _ if outcome.is_reached(index) => StrykerStatus::Killed,
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible | Proof::Conforming | Proof::Equivalent))) => {
                StrykerStatus::Ignored("equivalent: no test distinguishes it from the model".into())
            }
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Nonfalsifiable))) => {
                StrykerStatus::Ignored("nonfalsifiable: no single execution shows that it is wrong".into())
            }
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(_)))) => StrykerStatus::Ignored(
                "inconsistent: updates contradict each other in the step that would cover it".into(),
            ),
            GoalGrade::Missed(Some(Answer::Undecided(_))) => StrykerStatus::Pending,
            _ => StrykerStatus::Survived,
        },
        killed_by: outcome.grade.matrix.tests_of(index).collect(),
    };
    let mutants: Vec<StrykerMutant> = outcome.goals.iter().enumerate().map(mutant).collect();
    let tests: Vec<String> = outcome.read.suite.tests.iter().map(|test| test.name.clone()).collect();
    let language = |name: &str| frontend::of(Path::new(name)).name();
    stryker(VERSION, sources, &language, &suite.display().to_string(), &tests, &mutants)
}

pub(crate) fn group(goal: &Goal) -> String {
    goal.groups.first().cloned().unwrap_or_else(|| goal.criterion.into())
}

fn rule_text(goal: &Goal) -> String {
    let group = group(goal);
    let operator = OPERATORS.iter().find(|operator| operator.name == group);
    operator.map_or_else(|| format!("A goal of the criterion {}", goal.criterion), |operator| operator.summary.into())
}

/// What stands in place of the text of a goal, where its description says so of just that text.
pub(super) fn replacement(sources: &SourceMap, goal: &Goal) -> Option<String> {
    let (old, new) = goal.description.strip_prefix("replace `")?.strip_suffix('`')?.split_once("` with `")?;
    (sources.text(goal.span) == old).then(|| new.to_owned())
}
