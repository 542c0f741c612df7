//! What became of the goals of a run.

use crate::certificate::{GoalCertificate, left_out_text};
use crate::generate::{Contradiction, GenerateSettings, Generated, Guarantee};
use crate::tables::{Covered, Marked, marked};
use indexmap::IndexMap;
use serde::Serialize;
use specwright_mc::{Answer, Answered};
use specwright_model::trace::TraceJson;
use specwright_testgen::focus::is_outside;
use specwright_testgen::generate::Run;
use specwright_testgen::goal::Goal;
use std::path::Path;

/// What became of the goals of a run.
#[derive(Serialize)]
pub struct GenerateDocument {
    schema: &'static str,
    model: String,
    strategy: String,
    finished: bool,
    /// Where it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// What became of the goals of each criterion, and of each of its groups.
    pub rows: Vec<Row>,
    /// What became of all goals.
    pub total: Row,
    /// What the tests of criteria for machines guarantee.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guarantees: Vec<GuaranteeEntry>,
    /// How many goals each engine answered, if not all were left to decision diagrams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<AnsweredBy>,
    /// The goals that only a contradiction in the specification stops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inconsistent: Vec<ContradictionEntry>,
    /// The tables of the model, if the goals are about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<Marked>>,
    /// The certificate of the infeasible goals, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<GoalCertificateEntry>,
}

/// A certificate of infeasible goals.
#[derive(Serialize)]
struct GoalCertificateEntry {
    folder: String,
    /// The number of goals that it certifies.
    certified: usize,
    /// The infeasible goals that are not part of it.
    left_out: Vec<LeftOutEntry>,
}

#[derive(Serialize)]
struct LeftOutEntry {
    id: String,
    reason: String,
}

/// What the tests of a criterion guarantee.
#[derive(Serialize)]
pub struct GuaranteeEntry {
    /// The criterion.
    pub criterion: &'static str,
    /// The guarantee, as a sentence.
    pub guarantee: String,
    states: usize,
    inputs: usize,
    /// The number of states up to which every wrong implementation is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    implementation_states: Option<usize>,
}

impl From<&Guarantee> for GuaranteeEntry {
    fn from(guarantee: &Guarantee) -> GuaranteeEntry {
        GuaranteeEntry {
            criterion: guarantee.criterion,
            guarantee: guarantee.text.clone(),
            states: guarantee.n_states,
            inputs: guarantee.n_inputs,
            implementation_states: guarantee.n_implementation_states,
        }
    }
}

/// How many goals each engine answered.
#[derive(Serialize)]
pub struct AnsweredBy {
    /// Decision diagrams.
    #[serde(skip_serializing_if = "is_zero")]
    pub bdd: usize,
    /// SAT-based search.
    #[serde(skip_serializing_if = "is_zero")]
    pub sat: usize,
    /// Explicit search.
    #[serde(skip_serializing_if = "is_zero")]
    pub explicit: usize,
}

/// What became of some of the goals.
#[derive(Serialize)]
pub struct Row {
    /// The criterion.
    pub criterion: &'static str,
    /// Nothing for all goals of the criterion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// All of them.
    pub goals: usize,
    /// Those that a test covers.
    pub covered: usize,
    /// Those that no test can reach.
    pub infeasible: usize,
    /// Those that no single execution shows.
    pub nonfalsifiable: usize,
    /// Those that only a contradiction in the specification stops.
    #[serde(skip_serializing_if = "is_zero")]
    pub inconsistent: usize,
    /// The mutants of the machine that a test kills in some of their runs only.
    #[serde(skip_serializing_if = "is_zero")]
    pub possible: usize,
    /// The mutants of the machine that do less than the model, and nothing else.
    #[serde(skip_serializing_if = "is_zero")]
    pub conforming: usize,
    /// The mutants of the machine that no tester can tell from the model.
    #[serde(skip_serializing_if = "is_zero")]
    pub equivalent: usize,
    /// Those that are not decided.
    pub unknown: usize,
    /// Those that only executions outside of the focus could reach.
    #[serde(skip_serializing_if = "is_zero")]
    pub outside: usize,
    /// The tests that cover one of them.
    pub tests: usize,
    /// The steps of these tests.
    pub steps: usize,
}

/// The goals of a criterion, and those of each of its groups.
type Members<'a> = (Vec<usize>, IndexMap<&'a String, Vec<usize>>);

impl GenerateDocument {
    /// The document of a run.
    pub fn new(generated: &Generated, settings: &GenerateSettings) -> GenerateDocument {
        let Generated { model, goals, run, .. } = generated;
        let covering = covering(goals, run);
        // The goals of each criterion, and those of each of its groups, in the order in which they come.
        let mut criteria: IndexMap<&'static str, Members<'_>> = IndexMap::new();
        for (index, goal) in goals.iter().enumerate() {
            let (all, groups) = criteria.entry(goal.criterion).or_default();
            all.push(index);
            for group in &goal.groups {
                let members = groups.entry(group).or_default();
                if members.last() != Some(&index) {
                    members.push(index);
                }
            }
        }
        let mut rows = Vec::new();
        for (criterion, (all, groups)) in criteria {
            rows.push(row(all, run, &covering, criterion, None));
            for (group, members) in groups {
                rows.push(row(members, run, &covering, criterion, Some(group.clone())));
            }
        }
        GenerateDocument {
            schema: "specwright/generate/1",
            model: model.name.clone(),
            strategy: format!("{:?}", settings.strategy).to_lowercase(),
            finished: generated.is_finished,
            out: settings.out.as_ref().map(|path| path.display().to_string()),
            rows,
            total: row((0..goals.len()).collect(), run, &covering, "total", None),
            guarantees: generated.guarantees.iter().map(Into::into).collect(),
            answered_by: (generated.answered != Answered::default()).then(|| {
                let Answered { bdd, sat, explicit } = generated.answered;
                AnsweredBy { bdd, sat, explicit }
            }),
            inconsistent: entries(generated),
            tables: marked(model, goals, |goal| {
                let tests: Vec<String> = covering[goal].iter().map(|test| run.tests[*test].name.clone()).collect();
                match run.outcomes[goal] {
                    _ if !tests.is_empty() => Covered::By(tests),
                    Some(Answer::Impossible(_)) => Covered::Infeasible,
                    _ => Covered::Missed,
                }
            }),
            certificate: None,
        }
    }

    /// Adds the certificate of the infeasible goals.
    pub fn add_certificate(&mut self, folder: &Path, generated: &Generated, certificate: &GoalCertificate) {
        let left_out = certificate.others.iter().map(|(goal, reason)| LeftOutEntry {
            id: generated.goals[*goal].id.clone(),
            reason: left_out_text(reason),
        });
        let (folder, certified) = (folder.display().to_string(), certificate.certified.len());
        self.certificate = Some(GoalCertificateEntry { folder, certified, left_out: left_out.collect() });
    }
}

/// A goal that only a contradiction in the specification stops.
#[derive(Serialize)]
pub struct ContradictionEntry {
    id: String,
    description: String,
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceJson>,
}

fn entries(generated: &Generated) -> Vec<ContradictionEntry> {
    let Generated { sources, model, goals, contradictions, .. } = generated;
    let entry = |Contradiction { goal, trace }: &Contradiction| ContradictionEntry {
        id: goals[*goal].id.clone(),
        description: goals[*goal].description.clone(),
        line: sources.locate(goals[*goal].span).map(|(_, line, _)| line),
        trace: trace.as_ref().map(|trace| TraceJson::new(model, trace)),
    };
    contradictions.iter().map(entry).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "this is how it is called")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// For each goal, the tests that cover it.
fn covering(goals: &[Goal], run: &Run) -> Vec<Vec<usize>> {
    let mut known: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (index, goal) in goals.iter().enumerate() {
        known.entry(&goal.id).or_default().push(index);
    }
    let mut covering = vec![Vec::new(); goals.len()];
    for (test, of_test) in run.tests.iter().enumerate() {
        for goal in of_test.goals.iter().filter_map(|id| known.get(id.as_str())).flatten() {
            covering[*goal].push(test);
        }
    }
    covering
}

/// What became of the chosen goals.
fn row(chosen: Vec<usize>, run: &Run, covering: &[Vec<usize>], criterion: &'static str, group: Option<String>) -> Row {
    let mut covers = vec![false; run.tests.len()];
    chosen.iter().flat_map(|goal| &covering[*goal]).for_each(|test| covers[*test] = true);
    let covers = || run.tests.iter().zip(&covers).filter_map(|(test, covers)| covers.then_some(test));
    let outside = chosen.iter().filter(|goal| is_outside(run.outcomes[**goal].as_ref())).count();
    let counts = run.counts_of(chosen);
    let steps = covers().map(|test| test.trace.n_steps()).sum();
    Row {
        criterion,
        group,
        goals: counts.total,
        covered: counts.covered,
        infeasible: counts.infeasible,
        nonfalsifiable: counts.nonfalsifiable,
        inconsistent: counts.inconsistent,
        possible: counts.possible,
        conforming: counts.conforming,
        equivalent: counts.equivalent,
        unknown: counts.unknown - outside,
        outside,
        tests: covers().count(),
        steps,
    }
}
