//! What a suite is graded on: a model as a whole, or in focus.

use super::GradeSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::focus::{self, InFocus};
use crate::limits::Limits;
use crate::session::Session;
use crate::{goals, winnow};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, BuildError, Options, Proof, Query, Search, Symbolic};
use specwright_model::Model;
use specwright_testgen::criteria;
use specwright_testgen::focus::{Reduced, Relevant, elsewhere};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::GoalGrade;
use specwright_testgen::pair::Ground;
use specwright_testgen::suite::Suite;
use specwright_testgen::winnow::Which;

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
    /// The focus, and the goals where anything may happen outside of it.
    focus: Option<(Reduced, Vec<Query>)>,
    /// The part of the model that can matter for the goals, if it is not everything.
    relevant: Option<Relevant>,
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
            let (engine, limit, focus, relevant) = (None, None, None, None);
            return Ok(Subject { model, asked: goals.clone(), goals, engine, limit, focus, relevant });
        }
        let relevant = Relevant::new(&session.model, &goals, &[]);
        let part = relevant.as_ref().map_or(&session.model, |relevant| &relevant.model);
        // What the tests reach can be said without an engine.
        let (mut engine, limit) = match Symbolic::new(part.system.clone(), &options) {
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
        return Ok(Subject { model, asked: goals.clone(), goals, engine, limit, focus: None, relevant });
    }
    let mut engine = session.engine(events, &options)?;
    let collected = criteria::collect(&session.model, Some(&mut engine), wanted);
    let mut goals = goals::require(events, &session.sources, wanted, collected)?;
    goals.retain(counts);
    let tests = goals::executions(&session.model, suite, &goals);
    goals::settle_pairs(events, Ground::Engine(&mut engine), &mut goals, &tests);
    let (model, engine) = (session.model.clone(), Some(engine));
    Ok(Subject { model, asked: goals.clone(), goals, engine, limit: None, focus: None, relevant: None })
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
        events.error("--keep: which goals say the same cannot be told in a focus; use --winnow consistent or none");
        return Err(Failure::Invalid);
    }
    let keeps = focus::keeps(events, session, &settings.keep, &wanted, &settings.limits)?;
    wanted.focus.clone_from(&keeps);
    let collected = criteria::collect(&session.model, None, &wanted);
    let mut goals = goals::require(events, &session.sources, &wanted, collected)?;
    goals.retain(counts);
    let tests = goals::executions(&session.model, suite, &goals);
    goals::settle_pairs(events, Ground::Model(&session.model), &mut goals, &tests);
    let relevant = Relevant::new(&session.model, &goals, &[]).map(|part| part.in_focus(&keeps));
    let InFocus { reduced, inside: asked, anywhere } =
        focus::enter(events, &session.model, relevant.as_ref(), &keeps, &goals)?;
    let engine = focus::engine(events, session, &reduced, &settings.limits.options())?;
    let (engine, limit, focus) = (Some(engine), None, Some((reduced, anywhere)));
    Ok(Subject { model: session.model.clone(), goals, engine, limit, asked, focus, relevant })
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
        if self.focus.is_some() {
            fates = self.out_of_focus(events, limits, fates);
        }
        if let Some(relevant) = &self.relevant {
            for fate in &mut fates {
                if let GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(Some(trace))))) = fate
                    && let Ok(Some(restored)) = relevant.lift_trace(&self.model, trace)
                {
                    **trace = restored;
                }
                if let GoalGrade::Missed(Some(Answer::Found(trace))) = fate {
                    let restored = relevant.lift_trace(&self.model, trace);
                    let restored = restored.unwrap_or_else(|misfit| {
                        panic!("this is no execution of the whole model: {}", misfit.describe(&self.model))
                    });
                    *fate = GoalGrade::Missed(restored.map(Answer::Found));
                }
            }
        }
        fates
    }

    fn out_of_focus(&mut self, events: &mut dyn Events, limits: &Limits, mut fates: Vec<GoalGrade>) -> Vec<GoalGrade> {
        let part = self.relevant.as_ref().map_or(&self.model, |relevant| &relevant.model);
        let (Some((reduced, anywhere)), Some(engine)) = (&self.focus, &mut self.engine) else { return fates };
        let mut open = Vec::new();
        for (goal, (fate, target)) in fates.iter_mut().zip(anywhere).enumerate() {
            match fate {
                GoalGrade::Missed(Some(Answer::Found(trace))) => {
                    *fate = GoalGrade::Missed(reduced.lift_trace(part, trace).map(Answer::Found));
                }
                GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(Some(trace))))) => {
                    if let Some(restored) = reduced.lift_trace(part, trace) {
                        **trace = restored;
                    }
                }
                GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible | Proof::Nonfalsifiable)))
                    if !matches!(engine.answer(*target), Answer::Impossible(Proof::Infeasible)) =>
                {
                    open.push(self.goals[goal].clone());
                }
                _ => {}
            }
        }
        let known = elsewhere(part, &open, &Options::default(), &mut |_| !limits.is_cancelled());
        let n_reached = known.iter().filter(|known| known.is_found()).count();
        let n_open = known.iter().filter(|known| known.is_undecided()).count();
        if let Some(outside) = focus::outside(n_reached, n_open) {
            events.note(format_args!("of the goals out of focus, {outside}: they do not count"));
        }
        fates
    }
}
