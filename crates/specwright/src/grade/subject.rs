//! What a suite is graded on: a model as a whole, or in focus.

use super::GradeSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::focus::{self, InFocus};
use crate::limits::Limits;
use crate::session::Session;
use crate::{goals, winnow};
use specwright_mc::bdd::Limit;
use specwright_mc::reduction::{Reduction, lift_through};
use specwright_mc::{Answer, Budget, BuildError, Proof, Query, Search, Symbolic};
use specwright_model::Model;
use specwright_testgen::criteria;
use specwright_testgen::focus::{elsewhere, relevant};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::GoalGrade;
use specwright_testgen::pair::Ground;
use specwright_testgen::suite::Suite;
use specwright_testgen::winnow::Which;
use std::sync::Arc;

/// A model with its goals, and an engine to ask about them.
pub(super) struct Subject {
    /// The whole model.
    pub(super) model: Model,
    /// Its goals.
    pub(super) goals: Vec<Goal>,
    /// An engine for it, or for what is in focus; none if it is not going to be asked, or if a limit stands against it.
    pub(super) engine: Option<Symbolic>,
    /// This limit.
    pub(super) limit: Option<Limit>,
    /// The goals as the engine knows them.
    pub(super) asked: Vec<Goal>,
    /// The goals where anything may happen outside of the focus, if there is one.
    anywhere: Option<Vec<Query>>,
    /// What stands between the whole model and the engine: the cone of influence, the focus.
    pub(super) reductions: Vec<Arc<dyn Reduction>>,
}

/// The model as it is.
pub(super) fn whole(
    events: &mut dyn Events,
    session: &mut Session,
    wanted: &criteria::Options,
    settings: &GradeSettings,
    suite: &Suite,
    counts: &dyn Fn(&Goal) -> bool,
) -> Result<Subject, Failure> {
    let options = settings.limits.options();
    if !wanted.gain_by_engine() {
        let collected = criteria::collect(&session.model, None, wanted);
        let mut goals = goals::require(events, &session.sources, wanted, collected)?;
        goals.retain(counts);
        let tests = goals::executions(&session.model, suite, &goals);
        if !settings.asks() {
            goals::settle_pairs(events, Ground::Model(&session.model), &mut goals, &tests);
            let model = session.model.clone();
            let (asked, engine, limit, reductions) = (goals.clone(), None, None, Vec::new());
            return Ok(Subject { model, asked, goals, engine, limit, anywhere: None, reductions });
        }
        let relevant = relevant(&session.model, &goals, &[], &[]);
        let part = relevant.as_ref().map_or(&session.model.system, Reduction::system);
        // What the tests reach can be said without an engine.
        let (mut engine, limit) = match Symbolic::new(part.clone(), &options) {
            Ok(engine) => (Some(engine), None),
            Err(BuildError::Limit(limit)) => {
                events.warning(format_args!("{}: {limit} before the model was built", session.model.name));
                (None, Some(limit))
            }
            Err(error) => return Err(session.refuse(events, &error)),
        };
        let ground = match &mut engine {
            Some(engine) => Ground::Engine(engine),
            None => Ground::Model(&session.model),
        };
        goals::settle_pairs(events, ground, &mut goals, &tests);
        let model = session.model.clone();
        let reductions = relevant.into_iter().map(|cone| Arc::new(cone) as Arc<dyn Reduction>).collect();
        return Ok(Subject { model, asked: goals.clone(), goals, engine, limit, anywhere: None, reductions });
    }
    let mut engine = session.engine(events, &options)?;
    let collected = criteria::collect(&session.model, Some(&mut engine), wanted);
    let mut goals = goals::require(events, &session.sources, wanted, collected)?;
    goals.retain(counts);
    let tests = goals::executions(&session.model, suite, &goals);
    goals::settle_pairs(events, Ground::Engine(&mut engine), &mut goals, &tests);
    let (model, engine) = (session.model.clone(), Some(engine));
    let (asked, limit, reductions) = (goals.clone(), None, Vec::new());
    Ok(Subject { model, asked, goals, engine, limit, anywhere: None, reductions })
}

/// The model in focus.
pub(super) fn focused(
    events: &mut dyn Events,
    session: &mut Session,
    mut wanted: criteria::Options,
    settings: &GradeSettings,
    suite: &Suite,
    counts: &dyn Fn(&Goal) -> bool,
) -> Result<Subject, Failure> {
    if winnow::which(&settings.winnow).others != Which::default() || settings.subsumption {
        events.error("--keep: duplicates cannot be found in a focus; use --winnow consistent or none");
        return Err(Failure::Invalid);
    }
    let keeps = focus::keeps(events, session, &settings.keep, &wanted, &settings.limits)?;
    wanted.focus.clone_from(&keeps);
    let collected = criteria::collect(&session.model, None, &wanted);
    let mut goals = goals::require(events, &session.sources, &wanted, collected)?;
    goals.retain(counts);
    let tests = goals::executions(&session.model, suite, &goals);
    goals::settle_pairs(events, Ground::Model(&session.model), &mut goals, &tests);
    let relevant = relevant(&session.model, &goals, &[], &keeps);
    let InFocus { reduced, inside: asked, anywhere } =
        focus::enter(events, &session.model, relevant.as_ref(), &keeps, &goals)?;
    let engine = focus::engine(events, session, &reduced, &settings.limits.options())?;
    let cone = relevant.map(|cone| Arc::new(cone) as Arc<dyn Reduction>);
    let reductions = cone.into_iter().chain([Arc::new(reduced) as Arc<dyn Reduction>]).collect();
    let (model, engine, anywhere) = (session.model.clone(), Some(engine), Some(anywhere));
    Ok(Subject { model, goals, engine, limit: None, asked, anywhere, reductions })
}

impl Subject {
    /// What becomes of the goals of the whole model. Those that only executions outside of the focus could reach do not
    /// count; how many these are is said.
    pub(super) fn restored(
        &mut self,
        events: &mut dyn Events,
        limits: &Limits,
        mut fates: Vec<GoalGrade>,
    ) -> Vec<GoalGrade> {
        let open = self.outside_focus(&fates, &limits.budget());
        for fate in &mut fates {
            match fate {
                GoalGrade::Missed(Some(Answer::Found(trace))) => {
                    let lifted = lift_through(&self.reductions, &self.model, trace).ok();
                    *fate = GoalGrade::Missed(lifted.map(|lifted| Answer::Found(lifted.trace)));
                }
                GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(Some(trace))))) => {
                    if let Ok(lifted) = lift_through(&self.reductions, &self.model, trace) {
                        **trace = lifted.trace;
                    }
                }
                _ => {}
            }
        }
        let part = self.reductions.first().filter(|_| self.reductions.len() > 1);
        let part = part.map_or_else(|| self.model.clone(), |cone| self.model.reduced_to(cone.system()));
        let known = elsewhere(&part, &open, &limits.options(), &mut |_| !limits.is_cancelled());
        let n_reached = known.iter().filter(|known| known.is_found()).count();
        let n_open = known.iter().filter(|known| known.is_undecided()).count();
        if let Some(outside) = focus::outside(n_reached, n_open) {
            events.note(format_args!("goals that do not count: {outside}"));
        }
        fates
    }

    /// The goals without an execution in focus that may have one outside.
    fn outside_focus(&mut self, fates: &[GoalGrade], budget: &Budget) -> Vec<Goal> {
        let (Some(anywhere), Some(engine)) = (&self.anywhere, &mut self.engine) else { return Vec::new() };
        let mut open = Vec::new();
        for (goal, (fate, target)) in fates.iter().zip(anywhere).enumerate() {
            let is_missed =
                matches!(fate, GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible | Proof::Nonfalsifiable))));
            if is_missed && !matches!(engine.answer(*target, budget), Answer::Impossible(Proof::Infeasible)) {
                open.push(self.goals[goal].clone());
            }
        }
        open
    }
}
