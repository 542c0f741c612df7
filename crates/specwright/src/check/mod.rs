//! Whether what a model claims holds, and what it takes for granted.

pub(crate) mod expectations;
pub mod hazards;
pub(crate) mod undefined;
pub(crate) mod vacuity;

use crate::events::{Events, Progress};
use crate::failure::Failure;
use crate::limits::Limits;
use crate::policy::{COUNT_STEPS, SANITY_STEPS};
use crate::session::Session;
use crate::words::{count, hint};
pub use specwright_mc::bdd::Reordering;
use specwright_mc::bdd::{Count, Limit};
use specwright_mc::{Answer, Options, Portfolio, Quantity, Reason, Witness};
pub use specwright_mc::{Cones, Engine};
use specwright_model::model::Hazard;
use specwright_model::unparse::Unparser;
use specwright_model::{ExprId, Model};
use specwright_syntax::budget::{Budget, Spent};
use specwright_syntax::diagnostic::Diagnostic;
use std::path::PathBuf;

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// The properties, by their names or numbers; all if none are given.
    pub property: Vec<String>,
    /// Whether traces are wanted of what fails.
    pub traces: bool,
    /// Whether a property is decided on the part of the model that matters to it.
    pub cones: Cones,
    /// The engine that answers.
    pub engine: Engine,
    /// Whether the order of variables may change.
    pub reordering: Reordering,
    /// A file with the first order: names from top to bottom.
    pub order: Option<PathBuf>,
    /// Whether the last order is wanted.
    pub last_order: bool,
    /// How far work may go.
    pub limits: Limits,
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings {
            property: Vec::new(),
            traces: true,
            cones: Cones::Auto,
            engine: Engine::Auto,
            reordering: Reordering::Auto,
            order: None,
            last_order: false,
            limits: Limits::default(),
        }
    }
}

/// The answer on a property.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The number of the property, from 0 on.
    pub index: usize,
    /// What violates it.
    pub violation: Answer<Witness>,
    /// The number that it asks for, if it is a COMPUTE: it claims nothing, so nothing violates it.
    pub value: Option<Quantity>,
    /// The engine that gave the answer: never [`Engine::Auto`].
    pub engine: Engine,
}

impl Verdict {
    fn of_value(index: usize, answer: Answer<Quantity>) -> Verdict {
        match answer {
            Answer::Found(value) => {
                Verdict { index, violation: Answer::INFEASIBLE, value: Some(value), engine: Engine::Bdd }
            }
            other => Verdict { index, violation: other.map(|_| Witness::Unshown), value: None, engine: Engine::Bdd },
        }
    }

    /// Whether it holds, in a word.
    pub fn word(&self) -> &'static str {
        match self.violation {
            Answer::Impossible(_) => "holds",
            Answer::Found(_) => "fails",
            Answer::Undecided(_) => "unknown",
        }
    }
}

/// What is known of a model that was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The answers, in the order of the file.
    pub verdicts: Vec<Verdict>,
    /// The number of reachable states, if it is known.
    pub n_states: Option<Count>,
    /// The most steps that one of them is away from the initial states, if that is known.
    pub depth: Option<usize>,
    /// Properties that hold for want of a case, states without a successor, and the like.
    pub warnings: Vec<Diagnostic>,
    /// Steps that the specification calls for and does not allow, which happen, or may.
    pub hazards: Vec<(Hazard, hazards::Found)>,
    /// The last order of the variables, if it is wanted.
    pub order: Option<Result<Vec<String>, Reason>>,
    /// The number of questions answered on the part of the model that matters.
    pub n_by_parts: usize,
    /// The number of questions that SAT-based search answered.
    pub n_by_sat: usize,
    /// The properties that a certificate was written for, by index.
    pub certified: Vec<usize>,
}

/// A check that goes on: [`Checking::next`] decides one property after the other, [`Checking::finish`] does the rest.
pub struct Checking<'a> {
    session: &'a Session,
    settings: &'a CheckSettings,
    checker: Portfolio,
    progress: Box<dyn Progress>,
    chosen: Vec<usize>,
    verdicts: Vec<Verdict>,
    warnings: Vec<Diagnostic>,
    unparser: Unparser<'a>,
}

impl Session {
    /// Decides properties of the model.
    pub fn check(&self, settings: &CheckSettings, events: &mut dyn Events) -> Result<Checked, Failure> {
        let mut checking = self.checking(settings, events)?;
        while checking.next().is_some() {}
        Ok(checking.finish(events))
    }

    /// Begins to decide properties of the model.
    pub fn checking<'a>(
        &'a self,
        settings: &'a CheckSettings,
        events: &mut dyn Events,
    ) -> Result<Checking<'a>, Failure> {
        let chosen = choose(&self.model, &settings.property)?;
        let options = settings.options()?;
        let asked = chosen.iter().map(|index| &self.model.properties[*index]);
        let hazards = self.model.source.hazards.iter().map(|hazard| hazard.predicate);
        let checker =
            Portfolio::new(self.model.system.clone(), asked, hazards, &options, settings.cones, settings.engine)
                .map_err(|error| self.refuse(events, &error))?;
        let progress = events.progress(chosen.len());
        let (verdicts, warnings) = (Vec::new(), Vec::new());
        let unparser = Unparser::new(&self.model);
        Ok(Checking { session: self, settings, checker, progress, chosen, verdicts, warnings, unparser })
    }
}

impl Checking<'_> {
    /// The properties that are to be decided, by their numbers.
    pub fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// Decides the next property; none if all are decided.
    #[expect(clippy::should_implement_trait, reason = "the answer is borrowed")]
    pub fn next(&mut self) -> Option<&Verdict> {
        let index = *self.chosen.get(self.verdicts.len())?;
        let Checking { session, settings, checker, progress, .. } = self;
        let (model, property) = (&session.model, &session.model.properties[index]);
        progress.at(self.verdicts.len(), property.name.as_deref().unwrap_or(""));
        let checked = Budget::run(|| {
            let mut explored = |n| progress.exploring(n);
            if !property.kind.is_claim() {
                return (Verdict::of_value(index, checker.compute(property, &mut explored)), None);
            }
            let n_by_sat = checker.n_by_sat();
            let violation = checker.check(property, &mut explored);
            let engine = match settings.engine {
                Engine::Explicit => Engine::Explicit,
                _ if checker.n_by_sat() > n_by_sat => Engine::Sat,
                _ => Engine::Bdd,
            };
            let reaches_all = |conditions: &[ExprId]| checker.reaches_all(property, conditions);
            let vacuous = vacuity::vacuous(model, property, &violation, reaches_all);
            (Verdict { index, violation, value: None, engine }, vacuous)
        });
        let interrupted =
            |Spent| (Verdict { index, violation: Answer::INTERRUPTED, value: None, engine: Engine::Bdd }, None);
        let (verdict, vacuous) = checked.unwrap_or_else(interrupted);
        if let Some(conditions) = vacuous {
            self.warnings.push(vacuity::warning(&mut self.unparser, property, &conditions));
        }
        self.progress.pause();
        self.verdicts.push(verdict);
        self.verdicts.last()
    }

    /// Finds out what else is worth knowing of the model.
    pub fn finish(mut self, events: &dyn Events) -> Checked {
        let model = &self.session.model;
        let checker = &mut self.checker;
        if !self.settings.limits.is_cancelled() && checker.explore_a_little(COUNT_STEPS).is_ok() {
            self.progress.at(self.verdicts.len(), "deadlocks and fair paths");
            let effort = self.settings.limits.timeout.is_none().then_some(SANITY_STEPS);
            self.warnings.splice(0..0, undefined::sanity(model, &checker.sanity(effort)));
        }
        self.progress.finish();
        let reach = |expr| Budget::run(|| checker.reach(expr)).unwrap_or(Answer::INTERRUPTED);
        let hazards = hazards::find(model, reach, |reason| reason_text(model, reason, events.why_stopped()));
        self.warnings.extend(hazards::diagnostics(model, &hazards));
        Checked {
            order: self.settings.last_order.then(|| checker.order()),
            n_states: checker.n_states(),
            depth: checker.diameter(),
            n_by_parts: checker.n_by_parts(),
            n_by_sat: checker.n_by_sat(),
            verdicts: self.verdicts,
            warnings: self.warnings,
            hazards,
            certified: Vec::new(),
        }
    }
}

impl CheckSettings {
    fn options(&self) -> Result<Options, Failure> {
        let order = self.order.as_ref().map(|path| {
            let text = std::fs::read_to_string(path)
                .map_err(Failure::because(format_args!("cannot read {}", path.display())))?;
            Ok(text.split_whitespace().map(str::to_owned).collect())
        });
        Ok(Options {
            reordering: self.reordering,
            order: order.transpose()?,
            traces: self.traces,
            ..self.limits.options()
        })
    }
}

/// The properties that were asked for by number or name; all of them if none was.
pub(crate) fn choose(model: &Model, wanted: &[String]) -> Result<Vec<usize>, Failure> {
    let properties = &model.properties;
    if wanted.is_empty() {
        return Ok((0..properties.len()).collect());
    }
    let mut chosen = Vec::new();
    for wanted in wanted {
        let named = properties.iter().position(|property| property.name.as_ref() == Some(wanted));
        let numbered = wanted.parse().ok().filter(|number| (1..=properties.len()).contains(number));
        let Some(index) = named.or(numbered.map(|number: usize| number - 1)) else {
            let hint = hint(wanted, properties.iter().filter_map(|property| property.name.as_deref()));
            let n = count(properties.len(), "property");
            return Err(Failure::Message(format!("{} has no property `{wanted}`{hint} (it has {n})", model.name)));
        };
        chosen.push(index);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Why there is no answer, in a few words; `why_stopped` are those for a cancellation.
pub fn reason_text(model: &Model, reason: &Reason, why_stopped: &str) -> String {
    match reason {
        Reason::Limit(Limit::Interrupted) => why_stopped.into(),
        Reason::Undefined(undefined) => {
            let Diagnostic { message, notes, .. } = undefined::undefined(model, undefined);
            std::iter::once(message).chain(notes).collect::<Vec<_>>().join(", ")
        }
        reason => reason.to_string(),
    }
}

/// The number that a COMPUTE asks for.
pub fn quantity_text(quantity: Quantity) -> String {
    match quantity {
        Quantity::Steps(steps) => steps.to_string(),
        Quantity::Infinity => "infinity".into(),
        Quantity::Undefined => "undefined".into(),
    }
}
