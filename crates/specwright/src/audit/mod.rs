//! How strong the properties of a model are: the mutants of its machine on which all of them hold.

mod fix;

use crate::check::{choose, reason_text, vacuity};
use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::mutate::{MutateSettings, expression_options};
use crate::session::Session;
use crate::words::{count, unparsed};
use specwright_mc::{Answer, Options, Symbolic};
use specwright_model::interp::support_of;
use specwright_model::model::{PropertyKind, VarKind};
use specwright_model::unparse::Unparser;
use specwright_model::{ExprId, Model, VarId};
use specwright_syntax::span::SourceMap;
pub use specwright_testgen::audit::{Audited, Form, Missing, Survivor, Verdict, Why};
use specwright_testgen::audit::{Auditor, fewest, irrelevant};
use specwright_testgen::minimize::{self, Minimum};
use specwright_testgen::mutate::{Mutant, Mutants, sample};
use std::path::PathBuf;

/// What is audited, and how.
#[derive(Clone, Debug)]
pub struct AuditSettings {
    /// The properties, by their names or numbers; all if none are given.
    pub property: Vec<String>,
    /// Only mutants of what is said about these variables.
    pub variable: Vec<String>,
    /// Only mutants of what a change touched: the file of a unified diff; `-` is standard input.
    pub in_diff: Option<PathBuf>,
    /// Mutants to leave out: each a line `NAME REASON`, or a file of such lines.
    pub ignore: Vec<String>,
    /// The mutation operators, by their names; the default ones if none are given.
    pub operators: Vec<String>,
    /// Mutation operators not to apply.
    pub exclude: Vec<String>,
    /// The size of a random sample of the mutants; all of them if it is not given.
    pub sample: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
    /// Whether properties that would kill survivors are looked for.
    pub suggest: bool,
    /// How far work may go.
    pub limits: Limits,
}

impl Default for AuditSettings {
    fn default() -> AuditSettings {
        AuditSettings {
            property: Vec::new(),
            variable: Vec::new(),
            in_diff: None,
            ignore: Vec::new(),
            operators: Vec::new(),
            exclude: Vec::new(),
            sample: None,
            seed: 1,
            suggest: true,
            limits: Limits::default(),
        }
    }
}

/// The result of an audit.
#[derive(Clone, Debug)]
pub enum Audit {
    /// No property holds on the machine, so there is nothing to audit.
    Baseless,
    /// The mutants, and what the properties say of them.
    Done(Box<Strength>),
}

/// How strong properties are.
#[derive(Clone, Debug)]
pub struct Strength {
    /// The texts that the model came from.
    pub sources: SourceMap,
    /// The model, with the expressions of mutants and of missing properties.
    pub model: Model,
    /// The properties that mutants are judged by.
    pub properties: Vec<Guard>,
    /// The properties that are left out because they do not hold, or are not decided, on the machine.
    pub left_out: Vec<usize>,
    /// The mutants.
    pub mutants: Vec<Audited>,
    /// The properties that would kill survivors.
    pub missing: Vec<Missing>,
    /// The fewest of these that kill all survivors that any of them kills.
    pub fewest: Minimum,
    /// The variables that no property speaks of.
    pub unread: Vec<VarId>,
    /// Whether the mutants are not all that there are: the work was stopped.
    pub is_partial: bool,
}

/// A property that mutants are judged by.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its number, from 0 on.
    pub index: usize,
    /// Its name, or its text if it has none.
    pub title: String,
    /// The number of mutants that it kills.
    pub kills: usize,
    /// The number of mutants that only it kills.
    pub kills_alone: usize,
    /// Whether it holds only because its conditions never come true.
    pub is_vacuous: bool,
    /// Its parts that do not matter: it holds on the machine whatever stands there.
    pub irrelevant: Vec<ExprId>,
}

impl Strength {
    /// The number of mutants with a verdict.
    pub fn n(&self, word: &str) -> usize {
        self.mutants.iter().filter(|mutant| mutant.verdict.word() == word).count()
    }

    /// The mutants that were killed, and those that could have been.
    pub fn score(&self) -> (usize, usize) {
        let (killed, survived) = (self.n("killed"), self.n("survived"));
        (killed, killed + survived)
    }

    /// The survivors.
    pub fn survivors(&self) -> impl Iterator<Item = (&Mutant, &Survivor)> {
        self.mutants.iter().filter_map(|audited| match &audited.verdict {
            Verdict::Survived(survivor) => Some((&audited.mutant, &**survivor)),
            _ => None,
        })
    }
}

impl Session {
    /// Judges the mutants of the machine by the properties that hold on it.
    pub fn audit(&self, settings: &AuditSettings, events: &mut dyn Events) -> Result<Audit, Failure> {
        let mut session = self.clone();
        let chosen = choose(&session.model, &settings.property)?;
        let claims = |index: &usize| {
            !matches!(session.model.properties[*index].kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax)
        };
        let chosen: Vec<usize> = chosen.into_iter().filter(claims).collect();
        let options = expression_options(events, &session, &mutants_of(settings))?;
        let mut engine = session.engine(events, &Options { traces: false, ..settings.limits.options() })?;
        let mut progress = events.progress(1);
        let explored = engine.explore(&mut |n| progress.exploring(n));
        progress.finish();
        if let Err(limit) = explored {
            events.error(format_args!("{}: {limit} before all reachable states were known", session.model.name));
            return Err(Failure::Undecided);
        }
        let (held, left_out) = held(events, &session.model, &mut engine, chosen);
        if held.is_empty() {
            return Ok(Audit::Baseless);
        }
        let idle = |index: &usize| {
            let is_vacuous = is_vacuous(&session.model, &mut engine, *index);
            (is_vacuous, irrelevant(&session.model, &mut engine, &session.model.properties[*index]))
        };
        let idle: Vec<(bool, Vec<ExprId>)> = held.iter().map(idle).collect();

        let mut mutants = Mutants::new(&session.model, options);
        let all = mutants.by_ref().take_while(|_| !settings.limits.is_cancelled());
        let all: Vec<Mutant> = match settings.sample {
            Some(n) => sample(all, n, settings.seed),
            None => all.collect(),
        };
        let mut progress = events.progress(all.len());
        let mut auditor = Auditor::new(&mut session.model, &mut engine, &held, settings.suggest);
        let mut audited = Vec::new();
        let n_all = all.len();
        for mutant in all {
            if settings.limits.is_cancelled() {
                break;
            }
            progress.at(audited.len(), "mutants");
            let verdict = auditor.judge(&mutant);
            audited.push(Audited { mutant, verdict });
        }
        progress.finish();
        let is_partial = audited.len() < n_all || settings.limits.is_cancelled();
        let missing = auditor.into_missing();
        let survivors: Vec<&Survivor> = audited
            .iter()
            .filter_map(|mutant| match &mutant.verdict {
                Verdict::Survived(survivor) => Some(&**survivor),
                _ => None,
            })
            .collect();
        let options = minimize::Options { greedy: false, budget: settings.limits.budget_until_deadline() };
        let fewest = fewest(&missing, &survivors, &options);
        let unread = unread(&session.model, &held);
        let properties = guards(&session.model, &held, &idle, &audited);
        let Session { sources, model, .. } = session;
        let strength =
            Strength { sources, model, properties, left_out, mutants: audited, missing, fewest, unread, is_partial };
        Ok(Audit::Done(Box::new(strength)))
    }
}

fn mutants_of(settings: &AuditSettings) -> MutateSettings {
    MutateSettings {
        machine: true,
        variable: settings.variable.clone(),
        in_diff: settings.in_diff.clone(),
        ignore: settings.ignore.clone(),
        operators: settings.operators.clone(),
        exclude: settings.exclude.clone(),
        ..MutateSettings::default()
    }
}

/// The properties that hold on the machine, and the others.
fn held(events: &mut dyn Events, model: &Model, engine: &mut Symbolic, chosen: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    let (mut held, mut left_out) = (Vec::new(), Vec::new());
    let mut unparser = Unparser::new(model);
    for index in chosen {
        let property = &model.properties[index];
        let title = property.name.clone().unwrap_or_else(|| unparsed(&mut unparser, property));
        match engine.check(property) {
            Answer::Impossible(_) => held.push(index),
            Answer::Found(_) => {
                events.warning(format_args!("`{title}` fails on the machine itself, so it is left out"));
                left_out.push(index);
            }
            Answer::Undecided(reason) => {
                let reason = reason_text(model, &reason, "stopped");
                events.warning(format_args!("`{title}` is undecided on the machine, so it is left out: {reason}"));
                left_out.push(index);
            }
        }
    }
    (held, left_out)
}

fn is_vacuous(model: &Model, engine: &mut Symbolic, index: usize) -> bool {
    let reaches_all = |conditions: &[ExprId]| engine.reaches_all(conditions);
    vacuity::vacuous(model, &model.properties[index], &Answer::INFEASIBLE, reaches_all).is_some()
}

/// The variables of states that none of the properties reads.
fn unread(model: &Model, held: &[usize]) -> Vec<VarId> {
    let support = support_of(model, held.iter().map(|index| model.properties[*index].formula.expr));
    let is_read = |var: &VarId| support.now.contains(var) || support.next.contains(var);
    let vars = model.vars().filter(|(var, declared)| declared.kind != VarKind::Input && !is_read(var));
    vars.map(|(var, _)| var).collect()
}

fn guards(model: &Model, held: &[usize], idle: &[(bool, Vec<ExprId>)], mutants: &[Audited]) -> Vec<Guard> {
    let mut unparser = Unparser::new(model);
    let killed = |audited: &Audited| match &audited.verdict {
        Verdict::Killed(by) => by.clone(),
        _ => Vec::new(),
    };
    let killed: Vec<Vec<usize>> = mutants.iter().map(killed).collect();
    let guard = |(index, (is_vacuous, irrelevant)): (&usize, &(bool, Vec<ExprId>))| {
        let property = &model.properties[*index];
        Guard {
            index: *index,
            title: property.name.clone().unwrap_or_else(|| unparsed(&mut unparser, property)),
            kills: killed.iter().filter(|by| by.contains(index)).count(),
            kills_alone: killed.iter().filter(|by| **by == [*index]).count(),
            is_vacuous: *is_vacuous,
            irrelevant: irrelevant.clone(),
        }
    };
    held.iter().zip(idle).map(guard).collect()
}

/// A survivor's difference in words: what its execution is.
pub fn difference_text(survivor: &Survivor) -> String {
    use specwright_mc::Difference;
    let steps = |trace: &specwright_model::Trace| match trace.n_steps() {
        0 => "at the start".to_owned(),
        n => format!("after {}", count(n, "step")),
    };
    match &survivor.difference {
        Difference::Added(trace) => format!("the mutant does {} what the machine cannot do", steps(trace)),
        Difference::Removed(trace) => format!("the mutant cannot do {} what the machine does", steps(trace)),
        Difference::Define(trace) => format!("a define has another value {}", steps(trace)),
    }
}
