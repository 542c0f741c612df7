//! How good a suite is.

use crate::grade::{GradeSettings, Graded, ratio};
use crate::session::ReadSettings;
use crate::tables::Marked;
use serde::Serialize;
use specwright_mc::{Answer, Proof};
use specwright_model::model::Var;
use specwright_model::trace::{TraceJson, ValueJson};
use specwright_model::{State, VarId};
use specwright_syntax::span::SourceMap;
use specwright_testgen::grade::{GoalGrade, Group, Sight};
use specwright_testgen::suite::Suite;
use specwright_testgen::winnow::Redundant;
use std::collections::BTreeMap;
use std::path::Path;

/// How good a suite is.
#[derive(Serialize)]
pub struct GradeDocument {
    schema: &'static str,
    model: String,
    suite: String,
    /// The flags that decide which goals there are.
    settings: Vec<String>,
    killed: usize,
    total: usize,
    score: f64,
    unwinnowed: Share,
    /// The score by violations alone, if visible kills count and the model has internal variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    weak: Option<Share>,
    winnowed: Winnowed,
    effects: Vec<Effect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplication: Option<Duplication>,
    #[serde(skip_serializing_if = "is_zero")]
    possible: usize,
    unknown: usize,
    operators: BTreeMap<String, Share>,
    properties: Vec<PropertyEntry>,
    tests: Vec<TestEntry>,
    survivors: Vec<String>,
    details: Vec<Survivor>,
    /// Out of the score.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    indistinguishable: Vec<NeverSeen>,
    /// What the user has judged irrelevant, and why.
    ignored: Vec<Ignored>,
    redundant: Vec<String>,
    not_graded: Vec<NotGraded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<BTreeMap<String, Vec<String>>>,
    /// Goals that only a contradiction in the specification stops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inconsistent: Vec<Inconsistent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Vec<Marked>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<Vec<Suggestion>>,
}

/// A goal that a state calls for whose updates contradict each other, and the way there.
#[derive(Serialize)]
struct Inconsistent {
    id: String,
    description: String,
    line: Option<usize>,
    trace: TraceJson,
}

#[derive(Serialize)]
struct Share {
    killed: usize,
    total: usize,
    score: f64,
}

#[derive(Serialize)]
struct Winnowed {
    consistent: usize,
    nonfalsifiable: usize,
    #[serde(skip_serializing_if = "is_zero")]
    conforming: usize,
    #[serde(skip_serializing_if = "is_zero")]
    equivalent: usize,
    /// Property mutants that tests kill and no outputs can show.
    #[serde(skip_serializing_if = "is_zero")]
    indistinguishable: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    trivial: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicates: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subsumed: Option<usize>,
}

/// The score after a step of winnowing.
#[derive(Serialize)]
struct Effect {
    left_out: &'static str,
    killed: usize,
    total: usize,
    score: f64,
    /// How many goals were left out for each that is left: the α and β of the literature.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

/// Whether duplicates distort the score.
#[derive(Serialize)]
struct Duplication {
    mutants: usize,
    distinct: usize,
    chi_square: f64,
    degrees: usize,
    quantile: f64,
    distorting: bool,
}

#[derive(Serialize)]
struct PropertyEntry {
    number: usize,
    name: Option<String>,
    killed: usize,
    total: usize,
}

#[derive(Serialize)]
struct TestEntry {
    name: String,
    kills: usize,
    unique: usize,
}

#[derive(Serialize)]
struct Survivor {
    id: String,
    description: String,
    line: Option<usize>,
    column: Option<usize>,
    status: &'static str,
    /// Where the difference of a mutant that is killed and not seen gets lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<HiddenEntry>,
}

/// A violation that outputs do not show.
#[derive(Serialize)]
struct HiddenEntry {
    /// The test that goes through it; nothing if no test goes through a violation that outputs can show.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
    /// The state with the violation, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<usize>,
    /// A state that the outputs of the suite do not rule out.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<BTreeMap<String, ValueJson>>,
    /// A test that would.
    shown_by: TraceJson,
}

/// A mutant that no outputs ever show.
#[derive(Serialize)]
struct NeverSeen {
    id: String,
    description: String,
    line: Option<usize>,
    column: Option<usize>,
}

#[derive(Serialize)]
struct Ignored {
    id: String,
    description: String,
    line: Option<usize>,
    reason: String,
    /// Whether a test reaches it all the same.
    reached: bool,
}

#[derive(Serialize)]
struct NotGraded {
    test: String,
    reason: String,
    /// The first state that does not fit, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<usize>,
}

#[derive(Serialize)]
struct Suggestion {
    name: String,
    trace: TraceJson,
    goals: Vec<String>,
}

impl From<Group> for Share {
    fn from(group: Group) -> Share {
        Share { killed: group.reached, total: group.total, score: group.score() }
    }
}

fn never_seen(sources: &SourceMap, outcome: &Graded, index: usize) -> NeverSeen {
    let goal = &outcome.goals[index];
    let located = sources.locate(goal.span);
    NeverSeen {
        id: goal.id.clone(),
        description: goal.description.clone(),
        line: located.map(|(_, line, _)| line),
        column: located.map(|(_, _, column)| column),
    }
}

fn ignored(sources: &SourceMap, outcome: &Graded, index: usize, reason: &str) -> Ignored {
    let goal = &outcome.goals[index];
    Ignored {
        id: goal.id.clone(),
        description: goal.description.clone(),
        line: sources.locate(goal.span).map(|(_, line, _)| line),
        reason: reason.into(),
        reached: outcome.reached.contains(index),
    }
}

fn effects(outcome: &Graded) -> Vec<Effect> {
    let mut before = None;
    let effect = |effect: crate::grade::Effect| {
        let share = effect.share;
        let ratio = before.replace(share).and_then(|before| ratio(before, share));
        Effect { left_out: effect.step, killed: share.reached, total: share.total, score: share.score(), ratio }
    };
    outcome.effects().into_iter().map(effect).collect()
}

impl GradeDocument {
    /// The document of a grade: of the suite in a file, with all that tells how its goals were chosen, and what else is wanted.
    pub fn new(
        outcome: &Graded,
        (reading, settings): (&ReadSettings, &GradeSettings),
        suite: &Path,
        matrix: bool,
        suggestions: Option<&Suite>,
    ) -> GradeDocument {
        let Graded { sources, model, goals, read, grade, fates, .. } = outcome;
        let all = outcome.score();
        let name = |test: usize| read.suite.tests[test].name.clone();
        let mut operators: BTreeMap<String, Share> = BTreeMap::new();
        for group in goals.iter().flat_map(|goal| &goal.groups) {
            if !operators.contains_key(group) {
                operators.insert(group.clone(), outcome.share(|goal| goal.groups.contains(group)).into());
            }
        }
        let properties = model.properties.iter().enumerate().filter_map(|(index, property)| {
            let share = outcome.share(|goal| goal.property == Some(index));
            let entry = PropertyEntry {
                number: index + 1,
                name: property.name.clone(),
                killed: share.reached,
                total: share.total,
            };
            (share.total > 0).then_some(entry)
        });
        let unique = grade.matrix.unique();
        let tests = (0..read.suite.tests.len()).map(|test| TestEntry {
            name: name(test),
            kills: grade.matrix.goals_of(test).count(),
            unique: unique[test].count(),
        });
        let details = outcome.survivors().map(|index| {
            let located = sources.locate(goals[index].span);
            Survivor {
                id: goals[index].id.clone(),
                description: goals[index].description.clone(),
                line: located.map(|(_, line, _)| line),
                column: located.map(|(_, _, column)| column),
                hidden: hidden(outcome, index),
                status: match fates[index] {
                    _ if matches!(outcome.sight(index), Some(Sight::Hidden(_) | Sight::Elsewhere(_))) => "hidden",
                    GoalGrade::Missed(Some(Answer::Found(_))) => "feasible",
                    GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible))) => "consistent",
                    GoalGrade::Missed(Some(Answer::Impossible(Proof::Conforming))) => "conforming",
                    GoalGrade::Missed(Some(Answer::Impossible(Proof::Equivalent))) => "equivalent",
                    GoalGrade::Missed(Some(Answer::Impossible(Proof::Nonfalsifiable))) => "nonfalsifiable",
                    GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(_)))) => "inconsistent",
                    _ => "unknown",
                },
            }
        });
        let reached = grade.count(0..goals.len());
        let which = outcome.wanted.others;
        let n_redundant = |kind: Redundant| {
            let alike = |redundancy: &&Option<Redundant>| {
                redundancy
                    .is_some_and(|redundancy| std::mem::discriminant(&redundancy) == std::mem::discriminant(&kind))
            };
            outcome.winnowing.redundant.iter().filter(alike).count()
        };
        let matrix = matrix.then(|| {
            let row = |index: usize| (goals[index].id.clone(), grade.matrix.tests_of(index).map(name).collect());
            (0..goals.len()).map(row).collect()
        });
        let suggestions = suggestions.map(|suite| {
            let entry = |test: &specwright_testgen::suite::Test| Suggestion {
                name: test.name.clone(),
                trace: TraceJson::new(model, &test.trace),
                goals: test.goals.clone(),
            };
            suite.tests.iter().map(entry).collect()
        });
        GradeDocument {
            schema: "specwright/grade/1",
            model: model.name.clone(),
            suite: suite.display().to_string(),
            settings: settings.recorded(reading),
            killed: all.reached,
            total: all.total,
            score: all.score(),
            unwinnowed: reached.into(),
            weak: outcome.weak_score().map(Share::from),
            winnowed: Winnowed {
                consistent: outcome.n_fates(|fate| matches!(fate.proof(), Some(Proof::Infeasible))),
                nonfalsifiable: outcome.n_fates(|fate| matches!(fate.proof(), Some(Proof::Nonfalsifiable))),
                conforming: outcome.n_fates(|fate| matches!(fate.proof(), Some(Proof::Conforming))),
                equivalent: outcome.n_fates(|fate| matches!(fate.proof(), Some(Proof::Equivalent))),
                indistinguishable: outcome.indistinguishable().count(),
                trivial: which.trivial.then(|| n_redundant(Redundant::Trivial)),
                duplicates: (which.duplicates || which.subsumed).then(|| n_redundant(Redundant::Duplicate(0))),
                subsumed: which.subsumed.then(|| n_redundant(Redundant::Subsumed)),
            },
            effects: effects(outcome),
            inconsistent: outcome
                .inconsistent()
                .map(|(index, trace)| Inconsistent {
                    id: goals[index].id.clone(),
                    description: goals[index].description.clone(),
                    line: sources.locate(goals[index].span).map(|(_, line, _)| line),
                    trace: TraceJson::new(model, trace),
                })
                .collect(),
            duplication: outcome.winnowing.distribution.map(|test| Duplication {
                mutants: test.n_goals,
                distinct: test.n_classes,
                chi_square: test.statistic,
                degrees: test.n_classes - 1,
                quantile: test.quantile,
                distorting: test.is_distorting(),
            }),
            possible: outcome.n_fates(specwright_testgen::grade::GoalGrade::is_possible),
            unknown: outcome.n_fates(specwright_testgen::grade::GoalGrade::is_undecided),
            operators,
            properties: properties.collect(),
            tests: tests.collect(),
            survivors: outcome.survivors().map(|index| goals[index].id.clone()).collect(),
            details: details.collect(),
            indistinguishable: outcome.indistinguishable().map(|index| never_seen(sources, outcome, index)).collect(),
            ignored: outcome.ignored.iter().map(|(index, reason)| ignored(sources, outcome, *index, reason)).collect(),
            redundant: grade.redundant().into_iter().map(name).collect(),
            not_graded: grade
                .invalid_tests
                .iter()
                .map(|(test, invalid)| NotGraded {
                    test: name(*test),
                    reason: invalid.describe(model),
                    state: invalid.state(),
                })
                .collect(),
            matrix,
            tables: outcome.tables(),
            suggestions,
        }
    }
}

fn hidden(outcome: &Graded, goal: usize) -> Option<HiddenEntry> {
    let model = &outcome.model;
    let value =
        |state: &State, (id, var): (VarId, &Var)| Some((var.name.clone(), ValueJson::of(model, id, state.get(id)?)));
    match outcome.sight(goal)? {
        Sight::Hidden(hidden) => Some(HiddenEntry {
            test: Some(outcome.read.suite.tests[hidden.test].name.clone()),
            state: Some(hidden.at),
            candidate: Some(model.vars().filter_map(|var| value(&hidden.candidate, var)).collect()),
            shown_by: TraceJson::new(model, &hidden.shown_by),
        }),
        Sight::Elsewhere(shown_by) => {
            let shown_by = TraceJson::new(model, shown_by);
            Some(HiddenEntry { test: None, state: None, candidate: None, shown_by })
        }
        _ => None,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "this is how it is called")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
