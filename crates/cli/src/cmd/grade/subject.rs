//! What a suite is graded on: a model as a whole, or in focus.

use super::Question;
use crate::cmd::{goals, winnow};
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use crate::focus::{self, InFocus};
use crate::load::{self, Loaded};
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
    /// An engine for it, or for what is in focus; none if nobody is going to ask, or if a limit stands against it.
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
    console: &mut Console,
    loaded: &mut Loaded,
    wanted: &criteria::Options,
    question: &Question<'_>,
    suite: &Suite,
    counts: &dyn Fn(&Goal) -> bool,
) -> Result<Subject, ExitCode> {
    let options = question.judging.limits.options();
    if !wanted.gain_by_engine() {
        let collected = criteria::collect_without_engine(&mut loaded.model, wanted);
        let mut goals = goals::require(console, &loaded.sources, wanted, collected)?;
        goals.retain(counts);
        let tests = goals::executions(&loaded.model, suite, &goals);
        if !question.asks() {
            goals::settle_pairs(console, Ground::Model(&mut loaded.model), &mut goals, &tests);
            let model = loaded.model.clone();
            let (engine, limit, focus, relevant) = (None, None, None, None);
            return Ok(Subject { model, asked: goals.clone(), goals, engine, limit, focus, relevant });
        }
        let relevant = Relevant::new(&loaded.model, &goals, &[]);
        let part = relevant.as_ref().map_or(&loaded.model, |relevant| &relevant.model);
        // What the tests reach can be said without an engine.
        let (mut engine, limit) = match Symbolic::new(part.clone(), &options) {
            Ok(engine) => (Some(engine), None),
            Err(BuildError::Limit(limit)) => {
                console.warning(format_args!("{}: {limit} before the model was built", loaded.model.name));
                (None, Some(limit))
            }
            Err(error) => return Err(load::refuse(console, loaded, &error)),
        };
        let ground = match &mut engine {
            Some(engine) => Ground::Engine(engine),
            None => Ground::Model(&mut loaded.model),
        };
        goals::settle_pairs(console, ground, &mut goals, &tests);
        if let Some(engine) = engine.as_ref().filter(|_| goals.iter().any(|goal| goal.pair.is_some())) {
            // The expressions of the pairs are behind those of the goals.
            loaded.model.exprs = engine.model().exprs.clone();
        }
        let model = loaded.model.clone();
        return Ok(Subject { model, asked: goals.clone(), goals, engine, limit, focus: None, relevant });
    }
    let mut engine = load::engine(console, loaded, &options)?;
    let collected = criteria::collect(&mut engine, wanted);
    let mut goals = goals::require(console, &loaded.sources, wanted, collected)?;
    goals.retain(counts);
    let tests = goals::executions(engine.model(), suite, &goals);
    goals::settle_pairs(console, Ground::Engine(&mut engine), &mut goals, &tests);
    let (model, engine) = (engine.model().clone(), Some(engine));
    Ok(Subject { model, asked: goals.clone(), goals, engine, limit: None, focus: None, relevant: None })
}

/// The model in focus.
pub(super) fn focused(
    console: &mut Console,
    loaded: &mut Loaded,
    mut wanted: criteria::Options,
    question: &Question<'_>,
    suite: &Suite,
    counts: &dyn Fn(&Goal) -> bool,
) -> Result<Subject, ExitCode> {
    let args = question.judging;
    if winnow::which(question.winnow).others != Which::default() || question.subsumption {
        console.error("--keep: which goals say the same cannot be told in a focus; use --winnow consistent or none");
        return Err(ExitCode::Invalid);
    }
    let options = args.limits.options();
    let keeps = focus::keeps(console, loaded, &args.focus, question.model.reading.dialect, &wanted, &options)?;
    wanted.focus.clone_from(&keeps);
    let collected = criteria::collect_without_engine(&mut loaded.model, &wanted);
    let mut goals = goals::require(console, &loaded.sources, &wanted, collected)?;
    goals.retain(counts);
    let tests = goals::executions(&loaded.model, suite, &goals);
    goals::settle_pairs(console, Ground::Model(&mut loaded.model), &mut goals, &tests);
    let relevant = Relevant::new(&loaded.model, &goals, &[]).map(|part| part.in_focus(&keeps));
    let InFocus { reduced, inside: asked, anywhere } =
        focus::enter(console, &loaded.model, relevant.as_ref(), &keeps, &goals)?;
    let engine = focus::engine(console, loaded, &reduced, &options)?;
    let (engine, limit, focus) = (Some(engine), None, Some((reduced, anywhere)));
    Ok(Subject { model: loaded.model.clone(), goals, engine, limit, asked, focus, relevant })
}

impl Subject {
    /// What becomes of the goals of the whole model. Those that only executions outside of the focus could reach do not
    /// count; how many these are is said.
    pub(super) fn restored(&mut self, console: &mut Console, mut fates: Vec<GoalGrade>) -> Vec<GoalGrade> {
        if self.focus.is_some() {
            fates = self.out_of_focus(console, fates);
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

    fn out_of_focus(&mut self, console: &mut Console, mut fates: Vec<GoalGrade>) -> Vec<GoalGrade> {
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
        let known = elsewhere(part, &open, &Options::default(), &mut |_| !console::interrupted());
        let n_reached = known.iter().filter(|known| known.is_found()).count();
        let n_open = known.iter().filter(|known| known.is_undecided()).count();
        if let Some(outside) = focus::outside(n_reached, n_open) {
            console.note(format_args!("of the goals out of focus, {outside}: they do not count"));
        }
        fates
    }
}
