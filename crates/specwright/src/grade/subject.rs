//! What a suite is graded on: a model as a whole, or in focus.

use super::GradeSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::focus::{self, InFocus};
use crate::generate::search::Search;
use crate::generate::subject::decides_all;
use crate::limits::Limits;
use crate::policy::{DIAGRAMS_FIRST, FEW_NODES, FEW_STEPS, MANY_STEPS};
use crate::session::Session;
use crate::{goals, winnow};
use specwright_mc::bdd::Limit;
use specwright_mc::reduction::{Reduction, lift_through};
use specwright_mc::{Answer, Both, Budget, BuildError, Options, Proof, Query, Reason, Sat, Search as _, Symbolic};
use specwright_model::{Domain, Model, TransitionSystem, VarId};
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
    /// An engine for it, or for what is in focus; none if it is not going to be asked, or cannot be.
    pub(super) engine: Option<Symbolic>,
    /// Why no engine can be asked, if one was to be.
    pub(super) without_engine: Option<Reason>,
    /// Asked before the engine, if the model is large.
    sat: Option<Sat>,
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
            return Ok(Subject::without_engine(model, goals, None));
        }
        let relevant = relevant(&session.model, &goals, &[], &[]);
        let part = relevant.as_ref().map_or(&session.model.system, Reduction::system);
        // What the tests reach can be said without an engine.
        let (mut engine, without_engine) = match Symbolic::new(part.clone(), &options) {
            Ok(engine) => (Some(engine), None),
            Err(BuildError::Limit(limit)) => {
                events.warning(format_args!("{}: {limit} before the model was built", session.model.name));
                (None, Some(Reason::Limit(limit)))
            }
            Err(BuildError::Unbounded(var)) => (None, Some(unbounded(events, part, var))),
            Err(error) => return Err(session.refuse(events, &error)),
        };
        let ground = match &mut engine {
            Some(engine) => Ground::Engine(engine),
            None => Ground::Model(&session.model),
        };
        goals::settle_pairs(events, ground, &mut goals, &tests);
        let model = session.model.clone();
        let reductions = relevant.into_iter().map(|cone| Arc::new(cone) as Arc<dyn Reduction>).collect();
        return Ok(Subject {
            model,
            asked: goals.clone(),
            goals,
            engine,
            without_engine,
            sat: None,
            anywhere: None,
            reductions,
        });
    }
    if let Some((var, _)) = session.model.vars().find(|(_, var)| var.domain == Domain::Integer) {
        let reason = unbounded(events, &session.model.system, var);
        let collected = criteria::collect(&session.model, None, wanted);
        let mut goals = goals::require(events, &session.sources, wanted, collected)?;
        goals.retain(counts);
        let tests = goals::executions(&session.model, suite, &goals);
        goals::settle_pairs(events, Ground::Model(&session.model), &mut goals, &tests);
        return Ok(Subject::without_engine(session.model.clone(), goals, Some(reason)));
    }
    let (Search { engine, limit }, sat, mut goals) = reflected(events, session, wanted, &options)?;
    goals.retain(counts);
    let mut subject = Subject {
        model: session.model.clone(),
        asked: Vec::new(),
        goals,
        engine,
        without_engine: limit.map(Reason::Limit),
        sat,
        anywhere: None,
        reductions: Vec::new(),
    };
    let tests = goals::executions(&subject.model, suite, &subject.goals);
    let ground = match &mut subject.engine {
        Some(engine) => Ground::Engine(engine),
        None => Ground::Model(&subject.model),
    };
    goals::settle_pairs(events, ground, &mut subject.goals, &tests);
    subject.asked.clone_from(&subject.goals);
    Ok(subject)
}

/// Says that a model has too many states to search, and why.
fn unbounded(events: &mut dyn Events, model: &TransitionSystem, var: VarId) -> Reason {
    events.note(format_args!(
        "`{}` can be any {}: goals that no test covers stay undecided; `--keep` searches a finite part",
        model[var].name,
        model.number_kind(var)
    ));
    Reason::Unbounded
}

/// Goals that the reachable states make better, where these are found, as `generate` has them; with what the search has come to,
/// and SAT-based search where decision diagrams take too long.
fn reflected(
    events: &mut dyn Events,
    session: &Session,
    wanted: &criteria::Options,
    options: &Options,
) -> Result<(Search, Option<Sat>, Vec<Goal>), Failure> {
    let collect = |events: &mut dyn Events, engine: Option<&mut Symbolic>| {
        let collected = criteria::collect(&session.model, engine, wanted);
        goals::require(events, &session.sources, wanted, collected)
    };
    let mut search = Search { engine: None, limit: None };
    search = search.go_on(events, session, &session.model, Some(FEW_STEPS), Some(FEW_NODES), options)?;
    if let Some(Limit::Steps | Limit::Nodes) = search.limit {
        let goals = collect(events, None)?;
        let mut sat = Sat::new(session.model.system.clone(), options).ok();
        if sat.as_mut().is_some_and(|sat| decides_all(sat, &goals)) {
            return Ok((search, sat, goals));
        }
        let most = if sat.is_some() { DIAGRAMS_FIRST } else { MANY_STEPS };
        search = search.go_on(events, session, &session.model, Some(most), None, options)?;
        if search.limit.is_some() {
            return Ok((search, sat, goals));
        }
    }
    let goals = collect(events, search.engine.as_mut().filter(|_| search.limit.is_none()))?;
    Ok((search, None, goals))
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
    let engine = focus::engine(events, session, &reduced, &settings.limits.options(), None)?;
    let cone = relevant.map(|cone| Arc::new(cone) as Arc<dyn Reduction>);
    let reductions = cone.into_iter().chain([Arc::new(reduced) as Arc<dyn Reduction>]).collect();
    let (model, engine, anywhere) = (session.model.clone(), engine, Some(anywhere));
    Ok(Subject { model, goals, engine, without_engine: None, sat: None, asked, anywhere, reductions })
}

impl Subject {
    /// A model of which only the tests say something.
    fn without_engine(model: Model, goals: Vec<Goal>, reason: Option<Reason>) -> Subject {
        Subject {
            asked: goals.clone(),
            model,
            goals,
            engine: None,
            without_engine: reason,
            sat: None,
            anywhere: None,
            reductions: Vec::new(),
        }
    }

    /// Searches the reachable states, before goals are asked about. Where there are too many for decision diagrams, SAT-based search
    /// is asked first.
    pub(super) fn explore(&mut self, options: &Options) {
        let is_large = self.sat.is_some() || self.anywhere.is_some();
        let Some(engine) = self.engine.as_mut().filter(|_| !is_large) else { return };
        let explore = |engine: &mut Symbolic, steps: u64, nodes: Option<usize>| {
            engine.limit_nodes(nodes);
            let rest = options.budget.limited(steps.saturating_sub(engine.steps()));
            let explored = engine.within(&rest, |engine| engine.explore(&mut |_| ()));
            engine.limit_nodes(None);
            explored
        };
        if !matches!(explore(engine, FEW_STEPS, Some(FEW_NODES)), Err(Limit::Steps | Limit::Nodes)) {
            return;
        }
        let Ok(mut sat) = Sat::new(engine.system().clone(), options) else { return };
        if decides_all(&mut sat, &self.asked) || explore(engine, DIAGRAMS_FIRST, None).is_err() {
            self.sat = Some(sat);
        }
    }

    /// Whether there is an engine to ask.
    pub(super) fn has_engine(&self) -> bool {
        self.engine.is_some() || self.sat.is_some()
    }

    /// Asks a question about the goals, if there is an engine.
    pub(super) fn ask<T>(&mut self, ask: impl FnOnce(&mut dyn specwright_mc::Search, &[Goal]) -> T) -> Option<T> {
        match (&mut self.sat, &mut self.engine) {
            (Some(sat), engine) => Some(ask(&mut Both::new(sat, engine, None).at_most(MANY_STEPS), &self.asked)),
            (None, Some(engine)) => Some(ask(engine, &self.asked)),
            (None, None) => None,
        }
    }

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
