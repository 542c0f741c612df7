//! Certificates of infeasible goals.
//!
//! The circuit of a model gets a bad state for each of these goals, by its id, and one witness circuit proves that none is
//! reached. Both are files of a folder, so other programs can check the proof. Our own check also makes the circuit anew from
//! the specification, and compares.

use super::{Refused, check_certificate, read};
use crate::events::Events;
use crate::failure::Failure;
use crate::generate::{GenerateSettings, Generated};
use crate::limits::Limits;
use crate::session::Session;
use crate::suites::{make_folder, write_file};
use indexmap::IndexMap;
use specwright_mc::{Answer, Proof, Query, Reason, SafetyClaim, Sat};
use specwright_model::{Model, Node, Value};
use specwright_syntax::aiger::ast::Circuit;
use specwright_syntax::aiger::binary;
use specwright_testgen::goal::Goal;
use std::path::Path;

/// The file of the circuit of the model.
const CIRCUIT: &str = "model.aig";

/// The file of the witness circuit.
const WITNESS: &str = "witness.aig";

/// A certificate of infeasible goals.
#[derive(Clone, Debug, Default)]
pub struct GoalCertificate {
    /// The goals that it certifies, by index.
    pub certified: Vec<usize>,
    /// The infeasible goals that are not part of it.
    pub others: Vec<(usize, Reason)>,
}

/// What a certificate of infeasible goals certifies.
#[derive(Clone, Debug)]
pub struct CertifiedGoals {
    /// The goals that the certificate is about, each with whether it is certified.
    pub goals: Vec<(Goal, bool)>,
    /// Why nothing is certified, if the certificate is wrong.
    pub refused: Option<String>,
    /// Whether a limit is the reason.
    pub is_limit: bool,
}

/// Why an infeasible goal is not part of a certificate.
pub fn left_out_text(reason: &Reason) -> String {
    match reason {
        Reason::Unsupported => "not about single states or steps".into(),
        reason => reason.to_string(),
    }
}

impl Session {
    /// Proves the infeasible goals of a run by one inductive invariant, and writes the certificate to a folder; nothing is
    /// written if none is proved.
    ///
    /// # Panics
    ///
    /// If the certificate does not pass the check: the proof is wrong.
    pub fn certify_goals(
        &self,
        generated: &Generated,
        folder: &Path,
        limits: &Limits,
        events: &mut dyn Events,
    ) -> Result<GoalCertificate, Failure> {
        let Generated { model, goals, run, .. } = generated;
        let is_infeasible = |goal: &usize| run.outcomes[*goal] == Some(Answer::Impossible(Proof::Infeasible));
        let infeasible: Vec<usize> = (0..goals.len()).filter(is_infeasible).collect();
        if infeasible.is_empty() {
            return Ok(GoalCertificate::default());
        }
        let budget = limits.budget();
        let (mut asked, mut others) = (Vec::new(), Vec::new());
        for goal in infeasible {
            match queries(model, &goals[goal]) {
                Some(queries) => asked.push((goal, queries)),
                None => others.push((goal, Reason::Unsupported)),
            }
        }
        let claims: Vec<SafetyClaim<'_>> = asked.iter().map(|(goal, queries)| claim(&goals[*goal], queries)).collect();
        let mut sat = self.sat_of(model, limits, events)?;
        let (mut certified, mut proved) = (Vec::new(), Vec::new());
        for (((goal, _), claim), outcome) in asked.iter().zip(&claims).zip(sat.prove_claims(&claims, &budget)) {
            match outcome {
                Ok(()) => {
                    certified.push(*goal);
                    proved.push(*claim);
                }
                Err(reason) => others.push((*goal, reason)),
            }
        }
        if certified.is_empty() {
            return Ok(GoalCertificate { certified, others });
        }
        let mut fresh = self.sat_of(model, limits, events)?;
        let embedded = fresh.embed(&proved, &[]).map_err(Failure::because("no circuit"))?;
        let bad: Vec<usize> = (0..proved.len()).collect();
        let witness = sat.certificate(&embedded, &bad);
        let circuit = circuit(fresh, &proved)?;
        match check_certificate(&circuit, &witness, &bad, &budget) {
            Ok(excluded) => assert!(excluded.into_iter().all(|is| is), "a certificate does not cover its goals"),
            Err(Refused::Limit(limit)) => {
                others.extend(certified.drain(..).map(|goal| (goal, limit.into())));
                return Ok(GoalCertificate { certified, others });
            }
            Err(refused) => panic!("a certificate of ours is refused: {refused}"),
        }
        make_folder(folder)?;
        write_file(&folder.join(CIRCUIT), binary(&circuit))?;
        write_file(&folder.join(WITNESS), binary(&witness))?;
        Ok(GoalCertificate { certified, others })
    }

    /// Checks a certificate of infeasible goals in a folder, for the goals of a run with these settings.
    pub fn check_goals(
        &self,
        folder: &Path,
        settings: &GenerateSettings,
        events: &mut dyn Events,
    ) -> Result<CertifiedGoals, Failure> {
        let limits = &settings.limits;
        let given = read(&folder.join(CIRCUIT), limits, events)?;
        let witness = read(&folder.join(WITNESS), limits, events)?;
        let (model, goals) = self.goals_of(settings, events)?;
        let known: IndexMap<&str, &Goal> = goals.iter().map(|goal| (goal.id.as_str(), goal)).collect();
        let (mut asked, mut wanted) = (Vec::new(), Vec::new());
        for bad in &given.bad {
            let name = bad.name.as_deref().unwrap_or_default();
            let Some((goal, queries)) = known.get(name).and_then(|goal| Some((*goal, queries(&model, goal)?))) else {
                let refused = format!("{CIRCUIT} is about `{name}`, which is no goal that a circuit can have");
                return Ok(CertifiedGoals::refused(Vec::new(), refused));
            };
            asked.push(goal.clone());
            wanted.push(queries);
        }
        let claims: Vec<SafetyClaim<'_>> =
            asked.iter().zip(&wanted).map(|(goal, queries)| claim(goal, queries)).collect();
        let circuit = circuit(self.sat_of(&model, limits, events)?, &claims)?;
        if binary(&circuit) != binary(&given) {
            let refused = format!("{CIRCUIT} is not the circuit of {} with these goals", model.name);
            return Ok(CertifiedGoals::refused(asked, refused));
        }
        let bad: Vec<usize> = (0..asked.len()).collect();
        Ok(match check_certificate(&circuit, &witness, &bad, &limits.budget()) {
            Ok(excluded) => {
                CertifiedGoals { goals: asked.into_iter().zip(excluded).collect(), refused: None, is_limit: false }
            }
            Err(refused) => {
                let is_limit = matches!(refused, Refused::Limit(_));
                CertifiedGoals { is_limit, ..CertifiedGoals::refused(asked, refused.to_string()) }
            }
        })
    }

    fn sat_of(&self, model: &Model, limits: &Limits, events: &mut dyn Events) -> Result<Sat, Failure> {
        Sat::new(model.system.clone(), &limits.options()).map_err(|error| self.refuse(events, &error))
    }
}

impl CertifiedGoals {
    fn refused(goals: Vec<Goal>, reason: String) -> CertifiedGoals {
        let goals = goals.into_iter().map(|goal| (goal, false)).collect();
        CertifiedGoals { goals, refused: Some(reason), is_limit: false }
    }
}

/// What no execution answers if a goal is infeasible; none if the goal is about pairs of executions.
fn queries(model: &Model, goal: &Goal) -> Option<Vec<Query>> {
    let is_false = matches!(model[goal.target.expr()], Node::Const(Value::Bool(false)));
    if goal.is_guess() || goal.pair.is_some() && is_false {
        return None;
    }
    // Beyond a bound there may be more executions.
    Some(std::iter::once(goal.target).chain(goal.bounds.iter().map(|exceeds| Query::Reach(*exceeds))).collect())
}

fn claim<'a>(goal: &'a Goal, queries: &'a [Query]) -> SafetyClaim<'a> {
    SafetyClaim::Infeasible(&goal.id, queries)
}

/// The circuit of the model with a bad state for each of these claims, as far as they are about single states or steps.
fn circuit(mut sat: Sat, claims: &[SafetyClaim<'_>]) -> Result<Circuit, Failure> {
    Ok(sat.to_aiger(claims, &[]).map_err(Failure::because("no circuit"))?.circuit)
}
