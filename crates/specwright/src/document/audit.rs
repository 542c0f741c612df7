//! The strength of properties.

use crate::audit::{Open, Part, Strength, Verdict, Why, difference_text};
use crate::check::reason_text;
use serde::Serialize;
use specwright_mc::{Difference, Invalid, Place};
use specwright_model::Model;
use specwright_model::trace::TraceJson;
use specwright_testgen::audit::Audited;
use specwright_testgen::mutate::{OPERATORS, SiteId, rule_operator};
use std::collections::BTreeMap;

/// The strength of properties.
#[derive(Serialize)]
pub struct AuditDocument {
    schema: &'static str,
    model: String,
    /// Whether all mutants were judged.
    pub complete: bool,
    /// How many mutants there are of each verdict.
    pub counts: AuditCounts,
    /// Killed mutants over killed and surviving ones; none if there are neither.
    pub score: Option<f64>,
    /// How many mutants of each verdict there are, by mutation operator.
    pub operators: BTreeMap<&'static str, AuditCounts>,
    /// The same by the part of the machine that is mutated: an assignment, a define, a constraint or a rule.
    pub sites: BTreeMap<String, AuditCounts>,
    /// The same by the variables whose assignments are mutated.
    pub variables: BTreeMap<String, AuditCounts>,
    /// The same by file and line.
    pub lines: Vec<AuditLine>,
    /// The properties that mutants are judged by.
    pub properties: Vec<AuditProperty>,
    /// The properties that do not hold, or are not decided, on the machine itself.
    pub left_out: Vec<String>,
    /// The variables that no property reads.
    pub unread: Vec<String>,
    /// The assignments and constraints that no proof needs; none are listed if some property has no known proof.
    pub unneeded: Vec<String>,
    /// The properties that would kill survivors.
    pub missing: Vec<AuditMissing>,
    /// The names of the fewest of these that kill all survivors that any of them kills.
    pub fewest: Vec<String>,
    /// Whether it is proved that fewer are not enough.
    pub fewest_proved: bool,
    /// The mutants.
    pub mutants: Vec<AuditEntry>,
}

/// How many mutants there are of each verdict, in a line of the specification.
#[derive(Serialize)]
pub struct AuditLine {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The mutants.
    #[serde(flatten)]
    pub counts: AuditCounts,
}

/// How many mutants there are of each verdict.
#[derive(Clone, Copy, Default, Serialize)]
pub struct AuditCounts {
    /// All of them.
    pub mutants: usize,
    /// Some property fails on them.
    pub killed: usize,
    /// All properties hold on them, although they are other machines.
    pub survived: usize,
    /// No property tells them from the machine.
    pub equivalent: usize,
    /// They are no sound machines.
    pub invalid: usize,
    /// A limit was reached, or something is not supported.
    pub undecided: usize,
}

impl AuditCounts {
    fn add(&mut self, verdict: &Verdict) {
        self.mutants += 1;
        *match verdict {
            Verdict::Killed(_) => &mut self.killed,
            Verdict::Survived(_) => &mut self.survived,
            Verdict::Equivalent => &mut self.equivalent,
            Verdict::Invalid(_) => &mut self.invalid,
            Verdict::Undecided(_) => &mut self.undecided,
        } += 1;
    }
}

/// A property that mutants are judged by.
#[derive(Serialize)]
pub struct AuditProperty {
    /// Its name, or its text if it has none.
    pub name: String,
    /// The number of mutants that it kills.
    pub kills: usize,
    /// The number of mutants that only it kills; none if SAT-based search left other properties undecided on killed mutants.
    pub kills_alone: Option<usize>,
    /// Whether it holds only because its conditions never come true.
    pub vacuous: bool,
    /// Its parts that do not matter: it holds on the machine whatever stands there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub irrelevant: Vec<String>,
    /// Whether the other properties imply it: `yes`, `no` or `undecided`.
    pub implied: &'static str,
    /// The assignments and constraints that its proof needs, where SAT-based search proved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Vec<String>>,
    /// Whether the invariant of the proof needs each of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_minimal: Option<bool>,
}

/// A property that would kill survivors.
#[derive(Serialize)]
pub struct AuditMissing {
    /// Its name.
    pub name: String,
    /// `reflection`, `universal`, `existential` or `liveness`.
    pub form: &'static str,
    /// `CTLSPEC` or `LTLSPEC`.
    pub kind: &'static str,
    /// The property as SMV.
    pub formula: String,
    /// The survivors that it kills.
    pub kills: Vec<String>,
}

/// A mutant of the machine.
#[derive(Serialize)]
pub struct AuditEntry {
    /// Its stable id.
    pub id: String,
    operators: Vec<&'static str>,
    /// The file of what it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of what it changes.
    pub line: Option<usize>,
    /// The column of what it changes.
    pub column: Option<usize>,
    /// What it changes.
    pub description: String,
    /// `killed`, `survived`, `equivalent`, `invalid` or `undecided`.
    pub verdict: &'static str,
    /// The properties that kill it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub killed_by: Vec<String>,
    /// The missing properties that would kill it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed_by: Vec<String>,
    /// Why no missing property kills it: `no-form` or `not-by-sat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<&'static str>,
    /// Why it is invalid or undecided, or how it differs from the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `added`, `removed`, `define`, `fair-added` or `fair-removed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<&'static str>,
    /// The execution that shows the difference: of the mutant if it was added or is fair there only, else of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<TraceJson>,
}

impl AuditDocument {
    /// The document of an audit.
    pub fn new(found: &Strength) -> AuditDocument {
        let Strength { model, mutants, .. } = found;
        let title = |index: usize| {
            let guard = found.properties.iter().find(|guard| guard.index == index);
            guard.map_or_else(|| format!("property {}", index + 1), |guard| guard.title.clone())
        };
        let mut counts = AuditCounts::default();
        let (mut operators, mut sites, mut variables) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut lines: BTreeMap<(String, usize), AuditCounts> = BTreeMap::new();
        for audited in mutants {
            counts.add(&audited.verdict);
            for operator in &audited.mutant.operators {
                operators.entry(*operator).or_insert_with(AuditCounts::default).add(&audited.verdict);
            }
            for var in audited.mutant.variables(model) {
                let name = model[var].name.clone();
                variables.entry(name).or_insert_with(AuditCounts::default).add(&audited.verdict);
            }
            if let Some((file, line, _)) = found.sources.locate(audited.mutant.span) {
                lines.entry((file.name.clone(), line)).or_default().add(&audited.verdict);
            }
            let site = part_text(found, &audited.mutant.part);
            sites.entry(site).or_insert_with(AuditCounts::default).add(&audited.verdict);
        }
        let (killed, all) = found.score();
        #[expect(clippy::cast_precision_loss, reason = "numbers of mutants are small")]
        let score = (all > 0).then(|| killed as f64 / all as f64);
        let kills = |place: usize| {
            let closes = found.survivors().filter(|(_, survivor)| survivor.closed_by.contains(&place));
            closes.map(|(mutant, _)| mutant.id.clone()).collect()
        };
        let missing = found.missing.iter().enumerate().map(|(place, missing)| AuditMissing {
            name: missing.name.clone(),
            form: missing.form.word(),
            kind: missing.kind(),
            formula: model.show_requirement(missing.property.formula.expr),
            kills: kills(place),
        });
        let property = |guard: &crate::audit::Guard| AuditProperty {
            name: guard.title.clone(),
            kills: guard.kills,
            kills_alone: found.is_exact.then_some(guard.unique_kills),
            vacuous: guard.is_vacuous,
            irrelevant: guard.irrelevant.iter().map(|expr| model.show_expr(*expr)).collect(),
            implied: guard.implied.word(),
            needs: guard.core.as_ref().map(|core| core.places.iter().map(|place| place_text(found, *place)).collect()),
            needs_minimal: guard.core.as_ref().map(|core| core.is_minimal),
        };
        AuditDocument {
            schema: "specwright/audit/1",
            model: model.name.clone(),
            complete: !found.is_partial,
            counts,
            score,
            operators,
            sites,
            variables,
            lines: lines.into_iter().map(|((file, line), counts)| AuditLine { file, line, counts }).collect(),
            properties: found.properties.iter().map(property).collect(),
            left_out: found.left_out.iter().map(|index| title(*index)).collect(),
            unread: found.unread.iter().map(|var| model[*var].name.clone()).collect(),
            unneeded: unneeded(found),
            missing: missing.collect(),
            fewest: found.suggested().map(|missing| missing.name.clone()).collect(),
            fewest_proved: found.fewest.is_optimal(),
            mutants: mutants.iter().map(|audited| entry(found, audited, &title)).collect(),
        }
    }

    /// What an operator does.
    pub fn summary(operator: &str) -> &'static str {
        let known = OPERATORS.iter().find(|known| known.name == operator).map(|known| known.summary);
        known.or_else(|| rule_operator(operator).map(|known| known.summary)).unwrap_or_default()
    }
}

/// The assignments and constraints that no proof needs, if there is a proof of each property.
fn unneeded(found: &Strength) -> Vec<String> {
    let cores: Option<Vec<_>> = found.properties.iter().map(|guard| guard.core.as_ref()).collect();
    let Some(cores) = cores else { return Vec::new() };
    let system = &found.model.system;
    let assigns = (0..system.assigns.len()).map(Place::Assign);
    let all = assigns
        .chain((0..system.init.len()).map(Place::Init))
        .chain((0..system.invar.len()).map(Place::Invar))
        .chain((0..system.trans.len()).map(Place::Trans));
    let is_unneeded = |place: &Place| !cores.iter().any(|core| core.places.contains(place));
    all.filter(is_unneeded).map(|place| place_text(found, place)).collect()
}

/// A part of the specification: its name, or its kind and line.
fn part_text(found: &Strength, part: &Part) -> String {
    match part {
        Part::Site(site) => site_text(found, *site),
        Part::Rule(name) => name.clone(),
    }
}

/// A place of the machine: its name, or its kind and line.
fn place_text(found: &Strength, place: Place) -> String {
    let site = match place {
        Place::Define(define) => SiteId::Define(define),
        Place::Assign(index) => SiteId::Assign(index),
        Place::Init(index) => SiteId::Init(index),
        Place::Invar(index) => SiteId::Invar(index),
        Place::Trans(index) => SiteId::Trans(index),
        Place::Fairness(index) => SiteId::Fairness(index),
    };
    site_text(found, site)
}

/// An expression of the machine: its name, or its kind and line.
fn site_text(found: &Strength, site: SiteId) -> String {
    let kind = site.kind(&found.model);
    site.name(&found.model).unwrap_or_else(|| {
        let span = site.sourced(&found.model).span();
        found.sources.locate(span).map_or_else(|| kind.to_owned(), |(_, line, _)| format!("{kind} in line {line}"))
    })
}

fn entry(found: &Strength, audited: &Audited, title: &dyn Fn(usize) -> String) -> AuditEntry {
    let (model, mutant) = (&found.model, &audited.mutant);
    let place = found.sources.locate(mutant.span);
    let mut entry = AuditEntry {
        id: mutant.id.clone(),
        operators: mutant.operators.clone(),
        file: place.map(|(file, ..)| file.name.clone()),
        line: place.map(|(_, line, _)| line),
        column: place.map(|(_, _, column)| column),
        description: mutant.description.clone(),
        verdict: audited.verdict.word(),
        killed_by: Vec::new(),
        closed_by: Vec::new(),
        open: None,
        reason: None,
        difference: None,
        execution: None,
    };
    match &audited.verdict {
        Verdict::Killed(by) => entry.killed_by = by.iter().map(|index| title(*index)).collect(),
        Verdict::Survived(survivor) => {
            entry.closed_by = survivor.closed_by.iter().map(|place| found.missing[*place].name.clone()).collect();
            entry.open = survivor.open.map(Open::word);
            entry.reason = Some(difference_text(survivor));
            let (word, trace) = match &survivor.difference {
                Difference::Added(trace) => ("added", trace),
                Difference::Removed(trace) => ("removed", trace),
                Difference::Define(trace) => ("define", trace),
                Difference::FairAdded(trace) => ("fair-added", trace),
                Difference::FairRemoved(trace) => ("fair-removed", trace),
            };
            entry.difference = Some(word);
            entry.execution = Some(TraceJson::new(model, trace));
        }
        Verdict::Equivalent => {}
        Verdict::Invalid(why) => entry.reason = Some(invalid_text(model, why)),
        Verdict::Undecided(reason) => entry.reason = Some(reason_text(model, reason, "stopped")),
    }
    entry
}

fn invalid_text(model: &Model, why: &Why) -> String {
    match why {
        Why::Undefined(undefined) => crate::check::undefined::undefined(model, undefined).message,
        Why::Machine(Invalid::NoInitialState) => "it has no initial state".into(),
        Why::Machine(Invalid::DeadEnd) => "it reaches a state without successors".into(),
        Why::Machine(Invalid::NoFairPath) => "it has no fair path".into(),
    }
}
