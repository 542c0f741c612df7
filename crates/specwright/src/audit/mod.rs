//! How strong the properties of a model are: the mutants of its machine on which all of them hold.

mod fix;
mod guard;
mod journal;
mod mutants;

use crate::check::{choose, reason_text};
use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::policy::AUDIT_REACHABLE_STEPS;
use crate::session::Session;
use crate::shard::{self, Decided, Sharding};
use crate::words::{count, unparsed};
pub use guard::Guard;
use journal::{Journal, Known, Stored};
use mutants::Recipe;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Options, Sat, Symbolic, Witness};
use specwright_model::hash::model_hash;
use specwright_model::model::Property;
use specwright_model::unparse::Unparser;
use specwright_model::{Model, VarId};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::SourceMap;
pub use specwright_testgen::audit::{Audited, Form, MachineMutant, Missing, Open, Part, Survivor, Verdict, Why};
use specwright_testgen::audit::{Auditor, SatAuditor, check_by_sat, fewest};
use specwright_testgen::minimize::{self, Minimum};
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
    /// Whether the parts of the machine are looked for that proofs need, also where SAT-based search did not judge mutants.
    pub needs: bool,
    /// The file in which verdicts are kept as they are found.
    pub journal: Option<PathBuf>,
    /// Whether to go on from the verdicts in that file.
    pub resume: bool,
    /// Whether only a shard is decided, or shards are merged.
    pub sharding: Sharding,
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
            needs: false,
            journal: None,
            resume: false,
            sharding: Sharding::default(),
            limits: Limits::default(),
        }
    }
}

/// The result of an audit.
#[derive(Clone, Debug)]
pub enum Audit {
    /// No property holds on the machine, so there is nothing to audit.
    Baseless,
    /// What a shard has decided, if only that was asked.
    Decided(Decided),
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
    /// The variables that no property reads.
    pub unread: Vec<VarId>,
    /// Whether the mutants are not all that there are: the work was stopped.
    pub is_partial: bool,
    /// Whether mutants were judged by SAT-based search, because the reachable states are too many.
    pub by_sat: bool,
    /// Whether killed mutants name all properties that kill them. SAT-based search may leave some undecided.
    pub is_exact: bool,
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
    pub fn survivors(&self) -> impl Iterator<Item = (&MachineMutant, &Survivor)> {
        self.mutants.iter().filter_map(|audited| match &audited.verdict {
            Verdict::Survived(survivor) => Some((&audited.mutant, &**survivor)),
            _ => None,
        })
    }
}

impl Session {
    /// Judges the mutants of the machine by the properties that hold on it.
    pub fn audit(&self, settings: &AuditSettings, events: &mut dyn Events) -> Result<Audit, Failure> {
        let session = self.clone();
        let chosen = choose(&session.model, &settings.property)?;
        let claims = |index: &usize| session.model.properties[*index].kind.is_claim();
        let chosen: Vec<usize> = chosen.into_iter().filter(claims).collect();
        let recipe = Recipe::new(events, &session, settings)?;
        let mut engine = session.engine(events, &Options { traces: false, ..settings.limits.options() })?;
        let mut progress = events.progress(1);
        let budget = settings.limits.budget().limited(AUDIT_REACHABLE_STEPS);
        let explored = engine.within(&budget, |engine| engine.explore(&mut |n| progress.exploring(n)));
        progress.finish();
        match explored {
            Ok(()) => by_diagrams(events, session, &mut engine, recipe, chosen, settings),
            Err(limit @ (Limit::Interrupted | Limit::Time)) => {
                events.error(format_args!("{}: {limit} before all reachable states were known", session.model.name));
                Err(Failure::Undecided)
            }
            Err(limit @ (Limit::Nodes | Limit::Steps)) => {
                drop(engine);
                events.note(format_args!(
                    "{}: {limit} before all reachable states were known, so mutants are judged by SAT-based search",
                    session.model.name
                ));
                by_sat(events, session, recipe, chosen, settings)
            }
        }
    }
}

/// The audit of a machine whose reachable states are known.
fn by_diagrams(
    events: &mut dyn Events,
    mut session: Session,
    engine: &mut Symbolic,
    recipe: Recipe,
    chosen: Vec<usize>,
    settings: &AuditSettings,
) -> Result<Audit, Failure> {
    let (held, left_out) = held(events, &session.model, &mut |property| engine.check(property), chosen);
    if held.is_empty() {
        return Ok(Audit::Baseless);
    }
    let guards = guard::guards(events, &session.model, engine, &held);
    let all = recipe.mutants(events, &session.model, settings)?;
    let mut journal = Journal::open(&session, settings, &held, &all)?;
    let identity = merge(&session, settings, &held, &all, &mut journal)?;
    let n_all = all.len();
    let is_shard = matches!(settings.sharding, Sharding::Decide { .. });
    let options = Options { traces: false, ..settings.limits.options() };
    let mut auditor = Auditor::new(&mut session.model, engine, &held, settings.suggest && !is_shard, &options);
    let decided = settings.sharding.decide(events, &identity, &|_| true, &mut |mutant| {
        let mutant = &all[mutant];
        let verdict = auditor.judge(mutant);
        Ok((!settings.limits.is_cancelled()).then(|| Stored::new(&mutant.id, &verdict, !auditor.is_exact())))
    })?;
    if let Some(decided) = decided {
        return Ok(Audit::Decided(decided));
    }
    let mutants = judge(events, settings, &mut journal, all, &mut |mutant, survived| {
        let verdict = if survived { auditor.judge_survivor(mutant) } else { auditor.judge(mutant) };
        (verdict, !auditor.is_exact())
    })?;
    let is_exact = auditor.is_exact() && !journal.is_inexact();
    let missing = auditor.into_missing();
    let judged = Judged { held, left_out, guards, n_all, mutants, missing, by_sat: false, is_exact };
    Ok(Audit::Done(Box::new(judged.strength(session, settings))))
}

/// The audit of a machine whose reachable states are too many.
fn by_sat(
    events: &mut dyn Events,
    session: Session,
    recipe: Recipe,
    chosen: Vec<usize>,
    settings: &AuditSettings,
) -> Result<Audit, Failure> {
    let options = Options { traces: false, ..settings.limits.options() };
    let Ok(mut sat) = Sat::new(session.model.system.clone(), &options) else {
        events.error(format_args!("{}: a limit was reached before the model was encoded", session.model.name));
        return Err(Failure::Undecided);
    };
    let budget = settings.limits.budget();
    let mut check = |property: &Property| check_by_sat(&mut sat, property, &budget);
    let (held, left_out) = held(events, &session.model, &mut check, chosen);
    if held.is_empty() {
        return Ok(Audit::Baseless);
    }
    let guards = guard::guards_by_sat(&session.model, &mut sat, &held, &budget);
    let all = recipe.mutants(events, &session.model, settings)?;
    let mut journal = Journal::open(&session, settings, &held, &all)?;
    let identity = merge(&session, settings, &held, &all, &mut journal)?;
    let n_all = all.len();
    let Some(mut auditor) = SatAuditor::new(&session.model, &held, &options) else { return Err(Failure::Undecided) };
    let decided = settings.sharding.decide(events, &identity, &|_| true, &mut |mutant| {
        let mutant = &all[mutant];
        let verdict = auditor.judge(&session.model, mutant, None);
        Ok((!settings.limits.is_cancelled()).then(|| Stored::new(&mutant.id, &verdict, !auditor.is_exact())))
    })?;
    if let Some(decided) = decided {
        return Ok(Audit::Decided(decided));
    }
    let mut missing = Vec::new();
    let mutants = judge(events, settings, &mut journal, all, &mut |mutant, _| {
        let verdict = auditor.judge(&session.model, mutant, settings.suggest.then_some(&mut missing));
        (verdict, !auditor.is_exact())
    })?;
    let is_exact = auditor.is_exact() && !journal.is_inexact();
    let judged = Judged { held, left_out, guards, n_all, mutants, missing, by_sat: true, is_exact };
    Ok(Audit::Done(Box::new(judged.strength(session, settings))))
}

/// What the shards of an audit agree in. If they are merged, the journal gets their verdicts.
fn merge(
    session: &Session,
    settings: &AuditSettings,
    held: &[usize],
    all: &[MachineMutant],
    journal: &mut Journal,
) -> Result<shard::Identity, Failure> {
    let formula = |index: &usize| session.model.show_expr(session.model.properties[*index].formula.expr);
    let mut recorded = session.reading.recorded();
    recorded.extend(held.iter().map(|index| format!("property={}", formula(index))));
    let ids = all.iter().map(|mutant| mutant.id.clone()).collect();
    let identity = shard::Identity { hash: model_hash(&session.model), settings: recorded, ids };
    let verdicts = settings.sharding.merged(&identity, &mut |mutant, stored: Stored| {
        if stored.is_of(&all[mutant].id, held) {
            Ok(stored)
        } else {
            Err("it is about another mutant or property".into())
        }
    })?;
    journal.add(verdicts.into_values());
    Ok(identity)
}

/// The verdicts on mutants, from the journal or by a judge that is told whether a mutant is known to have survived,
/// and says whether a property was undecided on a killed mutant so far.
fn judge(
    events: &mut dyn Events,
    settings: &AuditSettings,
    journal: &mut Journal,
    all: Vec<MachineMutant>,
    verdict_on: &mut dyn FnMut(&MachineMutant, bool) -> (Verdict, bool),
) -> Result<Vec<Audited>, Failure> {
    let mut progress = events.progress(all.len());
    let mut audited = Vec::new();
    for mutant in all {
        if settings.limits.is_cancelled() {
            break;
        }
        progress.at(audited.len(), "mutants");
        let judged = match journal.known(&mutant.id) {
            Some(Known::Verdict(verdict)) => Ok((verdict, false)),
            Some(Known::Survived) => Budget::run(|| verdict_on(&mutant, true)),
            None => Budget::run(|| verdict_on(&mutant, false)),
        };
        let Ok((verdict, inexact)) = judged else { break };
        if settings.limits.is_cancelled() && matches!(verdict, Verdict::Undecided(_)) {
            break;
        }
        journal.write(&mutant.id, &verdict, inexact)?;
        audited.push(Audited { mutant, verdict });
    }
    progress.finish();
    Ok(audited)
}

/// What an audit has found.
struct Judged {
    held: Vec<usize>,
    left_out: Vec<usize>,
    guards: Vec<Guard>,
    n_all: usize,
    mutants: Vec<Audited>,
    missing: Vec<Missing>,
    by_sat: bool,
    is_exact: bool,
}

impl Judged {
    fn strength(self, session: Session, settings: &AuditSettings) -> Strength {
        let Judged { held, left_out, mut guards, n_all, mutants, missing, by_sat, is_exact } = self;
        let survivors: Vec<&Survivor> = mutants
            .iter()
            .filter_map(|mutant| match &mutant.verdict {
                Verdict::Survived(survivor) => Some(&**survivor),
                _ => None,
            })
            .collect();
        let is_stopped = mutants.len() < n_all || settings.limits.is_cancelled();
        if is_stopped {
            // What is left is short, and makes what is known worth showing.
            settings.limits.resume();
        }
        let options = minimize::Options { greedy: false, budget: settings.limits.budget_until_deadline() };
        let fewest = fewest(&missing, &survivors, &options);
        guard::count_kills(&mut guards, &mutants);
        let alone: &[Audited] = if is_exact { &mutants } else { &[] };
        let further = Budget::run(|| {
            if is_stopped {
                return;
            }
            guard::find_implied(&session.model, &mut guards, alone, &settings.limits);
            if settings.needs || by_sat {
                guard::find_cores(&session.model, &mut guards, &settings.limits);
            }
        });
        let is_partial = is_stopped || further.is_err() || settings.limits.is_cancelled();
        if is_partial {
            settings.limits.resume();
        }
        let unread = guard::unread(&session.model, &held);
        let Session { sources, model, .. } = session;
        let properties = guards;
        Strength {
            sources,
            model,
            properties,
            left_out,
            mutants,
            missing,
            fewest,
            unread,
            is_partial,
            by_sat,
            is_exact,
        }
    }
}

/// The properties that hold on the machine, and the others.
fn held(
    events: &mut dyn Events,
    model: &Model,
    check: &mut dyn FnMut(&Property) -> Answer<Witness>,
    chosen: Vec<usize>,
) -> (Vec<usize>, Vec<usize>) {
    let (mut held, mut left_out) = (Vec::new(), Vec::new());
    let mut unparser = Unparser::new(model);
    let mut progress = events.progress(chosen.len());
    for (done, index) in chosen.into_iter().enumerate() {
        let property = &model.properties[index];
        let title = property.name.clone().unwrap_or_else(|| unparsed(&mut unparser, property));
        progress.at(done, "properties");
        match check(property) {
            Answer::Impossible(_) => held.push(index),
            Answer::Found(_) => {
                progress.pause();
                events.warning(format_args!("`{title}` fails on the machine itself, so it is left out"));
                left_out.push(index);
            }
            Answer::Undecided(reason) => {
                progress.pause();
                let reason = reason_text(model, &reason, "stopped");
                events.warning(format_args!("`{title}` is undecided on the machine, so it is left out: {reason}"));
                left_out.push(index);
            }
        }
    }
    progress.finish();
    (held, left_out)
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
        Difference::FairAdded(_) => "an infinite execution is fair in the mutant and not in the machine".to_owned(),
        Difference::FairRemoved(_) => "an infinite execution is fair in the machine and not in the mutant".to_owned(),
    }
}
