//! What tests are made from: the whole model, or a part of it that is easier to search, with the way back.

use super::focused::{self, Focused};
use super::search::{self, Search};
use super::settings::GenerateSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::policy::{
    ASIDE_WALK_WORK, DIAGRAMS_FIRST, EVENT_STEPS, FEW_NODES, FEW_STEPS, FIRST_WALK_WORK, GENERATE_WALK_WORK,
    MANY_OPERATORS, MANY_STEPS, SOME_OPERATORS, SOME_STEPS,
};
use crate::session::Session;
use crate::words::count;
use crate::{focus, goals, winnow};
use specwright_mc::bdd::Limit;
use specwright_mc::reduction::{ConeOfInfluence, Reduction};
use specwright_mc::{Answer, Budget, Engine, Reason, Sat, Symbolic};
use specwright_model::{Domain, Model, VarId};
use specwright_syntax::budget::Spent;
use specwright_testgen::criteria;
use specwright_testgen::focus::{Keep, Quantized};
use specwright_testgen::generate::{Options, Run};
use specwright_testgen::goal::Goal;
use specwright_testgen::pair::Ground;
use std::sync::Arc;

/// The number of variables that are named among those that do not matter.
const NAMED: usize = 6;

/// What an engine is asked, and the way back to the whole model.
pub(super) struct Subject {
    /// The goals as the engine knows them.
    pub(super) goals: Vec<Goal>,
    pub(super) focused: Option<Focused>,
    /// What stands between the whole model and the engine: quantization, the cone of influence, the focus.
    pub(super) reductions: Vec<Arc<dyn Reduction>>,
    /// The model in the cone of influence, if there is one.
    part: Option<Model>,
    /// What is known already.
    run: Option<Run>,
    /// Tests for all goals that may be longer than they need be.
    pub(super) spare: Option<Run>,
    /// Tests for some goals, in case that the engine does not decide them.
    pub(super) walked: Option<Run>,
}

/// The engines that answer.
#[derive(Default)]
pub(super) struct Engines {
    pub(super) diagrams: Option<Symbolic>,
    /// Asked first, if it is there.
    pub(super) sat: Option<Sat>,
    /// The options for decision diagrams that are made if there are none and they are needed.
    pub(super) later: Option<specwright_mc::Options>,
}

/// The model and its goals, reduced as far as that is exact, and to the focus that the user wants.
pub(super) fn prepare(
    events: &mut dyn Events,
    session: &mut Session,
    wanted: criteria::Options,
    tests: &Options,
    settings: &GenerateSettings,
) -> Result<(Subject, Engines), Failure> {
    let preferred: Vec<VarId> = tests.ties.iter().map(|(var, _)| *var).collect();
    let quantized = wanted.quantized.clone();
    if !settings.keep.is_empty() {
        let (relevant, focused, goals) = focused::prepare(events, session, wanted, &preferred, settings)?;
        let (engines, run) = in_focus(events, session, &focused, &goals, settings)?;
        return Ok((Subject::new(session, goals, quantized, relevant, Some(focused), run), engines));
    }
    // Clauses that restate the machine speak of all of it, and an engine makes them better.
    let known = if wanted.gain_by_engine() {
        None
    } else {
        let collected = criteria::collect(&session.model, None, &wanted);
        let goals = goals::require(events, &session.sources, &wanted, collected)?;
        let relevant = self::relevant(events, &session.model, &goals, &preferred, &[]);
        Some((goals, relevant))
    };
    let part = known.as_ref().and_then(|(_, relevant)| relevant.as_ref());
    let part = part.map_or_else(|| session.model.clone(), |cone| session.model.reduced_to(cone.system()));
    let options = settings.limits.options();
    if let Engine::Sat | Engine::Explicit = settings.engine {
        let (goals, relevant) = known_or_collected(events, session, known, &wanted, None)?;
        let mut engines = Engines::default();
        if settings.engine == Engine::Sat {
            let sat = Sat::new(part.system.clone(), &options);
            engines.sat = Some(sat.map_err(|error| session.refuse(events, &error))?);
        }
        return Ok((Subject::new(session, goals, quantized, relevant, None, None), engines));
    }
    let unbounded = part.vars().find(|(_, var)| var.domain == Domain::Integer).map(|(var, _)| var);
    if let Some(var) = unbounded.filter(|_| settings.engine == Engine::Auto) {
        let (goals, relevant) = known_or_collected(events, session, known, &wanted, None)?;
        events.note(format_args!(
            "`{}` can be any {}: tests come from random walks, which prove nothing; `--keep` searches a finite part",
            part[var].name,
            part.number_kind(var)
        ));
        let mut run = search::walk(events, &part, &goals, GENERATE_WALK_WORK, settings);
        if !settings.limits.is_cancelled() {
            let open = run.outcomes.iter_mut().filter(|outcome| outcome.is_none());
            open.for_each(|outcome| *outcome = Some(Answer::Undecided(Reason::Walks)));
        }
        return Ok((Subject::new(session, goals, quantized, relevant, None, Some(run)), Engines::default()));
    }
    // A large model may take long to encode, so what random walks find comes first.
    let is_fresh = !settings.resume && winnow::which(&settings.winnow) == winnow::Wanted::default();
    let first = match &known {
        Some((goals, _)) if is_fresh && settings.engine == Engine::Auto && n_operators(&part) > MANY_OPERATORS => {
            Some(search::walk(events, &part, goals, FIRST_WALK_WORK, settings))
        }
        _ => None,
    };
    let Some(walked) = first else { return with_engines(events, session, &part, known, &wanted, None, settings) };
    let copy = known.clone();
    let made = Budget::run(|| with_engines(events, session, &part, known, &wanted, Some(&walked), settings));
    // What walks have found is not lost if there is no time for more.
    made.unwrap_or_else(|Spent| {
        let (goals, relevant) = known_or_collected(events, session, copy, &wanted, None)?;
        Ok((Subject::new(session, goals, quantized, relevant, None, Some(walked.clone())), Engines::default()))
    })
}

/// The number of operators of a model.
fn n_operators(model: &Model) -> usize {
    let constraints = [&model.init, &model.trans, &model.invar].into_iter().flatten().map(|sourced| sourced.expr);
    let defines = model.defines.iter().map(|define| define.body.expr);
    let assigns = model.assigns.iter().map(|assign| assign.value.expr);
    model.context.exprs.parts(constraints.chain(defines).chain(assigns)).len()
}

/// The engines for a model, with the tests of random walks that may have come before.
fn with_engines(
    events: &mut dyn Events,
    session: &mut Session,
    part: &Model,
    known: Option<Goals>,
    wanted: &criteria::Options,
    first: Option<&Run>,
    settings: &GenerateSettings,
) -> Result<(Subject, Engines), Failure> {
    let options = settings.limits.options();
    let quantized = wanted.quantized.clone();
    let nothing = Search { engine: None, limit: None };
    let winnows = winnow::which(&settings.winnow) != winnow::Wanted::default();
    let helps = settings.engine == Engine::Auto && !winnows;
    let few = nothing.go_on(events, session, part, Some(FEW_STEPS), helps.then_some(FEW_NODES), &options)?;
    let is_long = matches!(few.limit, Some(Limit::Steps | Limit::Nodes));
    let few = if is_long && few.engine.as_ref().is_some_and(Symbolic::has_events) {
        few.go_on(events, session, part, Some(EVENT_STEPS), None, &options)?
    } else {
        few
    };
    let few = match few {
        Search { engine: Some(engine), limit: None } => {
            let walked = first.cloned().or_else(|| aside(events, part, known.as_ref(), &engine, settings));
            return complete(events, session, known, wanted, engine, walked);
        }
        large => large,
    };

    let better = known.is_none();
    let (goals, relevant) = known_or_collected(events, session, known, wanted, None)?;
    let helps = helps && matches!(few.limit, Some(Limit::Steps | Limit::Nodes));
    let mut sat = if helps { Sat::new(part.system.clone(), &options).ok() } else { None };
    // Where SAT-based search can decide every goal, it finds shorter tests than random walks, and proofs. The reachable states
    // say which pairs of executions there are.
    let decides_all = sat.as_mut().is_some_and(|sat| decides_all(sat, &goals));
    let mut run = if settings.resume || winnows || decides_all {
        Run::new(goals.len())
    } else {
        search::walk(events, part, &goals, GENERATE_WALK_WORK, settings)
    };
    let walked = (decides_all && !settings.resume)
        .then(|| first.cloned().unwrap_or_else(|| search::walk(events, part, &goals, FIRST_WALK_WORK, settings)));
    let all = !goals.is_empty() && run.counts().covered == goals.len();
    let most = all.then_some(MANY_STEPS);
    let most = if sat.is_some() { Some(DIAGRAMS_FIRST) } else { most };
    let search = if decides_all {
        few
    } else {
        let search = Budget::run(|| few.go_on(events, session, part, most, None, &options));
        // What walks have found is not lost if there is no time for more.
        search.unwrap_or(Ok(Search { engine: None, limit: Some(Limit::Interrupted) }))?
    };
    if let Some(sat) = sat.filter(|_| matches!(search.limit, Some(Limit::Steps | Limit::Nodes))) {
        // Where random walks have reached everything, shorter tests are worth no more than SAT-based search.
        let diagrams = search.engine.filter(|_| !all);
        let (run, spare) = if all { (Run::new(goals.len()), Some(run)) } else { (run, None) };
        let subject = Subject::new(session, goals, quantized, relevant, None, Some(run));
        let later = (!all).then_some(options);
        return Ok((Subject { spare, walked, ..subject }, Engines { diagrams, sat: Some(sat), later }));
    }
    let (mut engine, limit) = match search {
        Search { engine: Some(engine), limit: None } => {
            let known = (!better).then_some((goals, relevant));
            return complete(events, session, known, wanted, engine, first.cloned());
        }
        Search { engine, limit } => (engine, limit),
    };
    if all {
        events.note("random walks covered all goals: shorter tests may exist");
        engine = None;
    } else if let Some(limit) = limit.filter(|limit| *limit != Limit::Interrupted) {
        let name = &session.model.name;
        events.warning(format_args!(
            "{name}: {limit} before all reachable states were known; `--keep` focuses on some of them"
        ));
        if engine.is_none() {
            let open = run.outcomes.iter_mut().filter(|outcome| outcome.is_none());
            open.for_each(|outcome| *outcome = Some(Answer::Undecided(limit.into())));
        }
    }
    let engines = Engines { diagrams: engine, sat: None, later: None };
    Ok((Subject::new(session, goals, quantized, relevant, None, Some(run)), engines))
}

/// Whether SAT-based search may decide all of these goals.
pub(crate) fn decides_all(sat: &mut Sat, goals: &[Goal]) -> bool {
    goals.iter().all(|goal| !goal.is_guess() && goal.mutant.is_none() && sat.supports(goal.target))
}

/// The engines for a model in focus. Where decision diagrams take too long, SAT-based search helps, and random walks have
/// found tests before.
fn in_focus(
    events: &mut dyn Events,
    session: &Session,
    focused: &Focused,
    goals: &[Goal],
    settings: &GenerateSettings,
) -> Result<(Engines, Option<Run>), Failure> {
    let options = settings.limits.options();
    let winnows = winnow::which(&settings.winnow) != winnow::Wanted::default();
    let most = (settings.engine == Engine::Auto && !winnows).then_some(DIAGRAMS_FIRST);
    if let Some(engine) = focus::engine(events, session, &focused.reduced, &options, most)? {
        return Ok((Engines { diagrams: Some(engine), sat: None, later: None }, None));
    }
    let run = (!settings.resume).then(|| search::walk(events, focused.model(), goals, GENERATE_WALK_WORK, settings));
    let sat = Sat::new(focused.model().system.clone(), &options).ok();
    Ok((Engines { diagrams: None, sat, later: Some(options) }, run))
}

/// Goals, and the part of the model that can matter for them, if it is not everything.
type Goals = (Vec<Goal>, Option<ConeOfInfluence>);

/// The goals that are known already, or those that the criteria give on the whole model.
fn known_or_collected(
    events: &mut dyn Events,
    session: &Session,
    known: Option<Goals>,
    wanted: &criteria::Options,
    engine: Option<&mut Symbolic>,
) -> Result<Goals, Failure> {
    if let Some(known) = known {
        return Ok(known);
    }
    let collected = criteria::collect(&session.model, engine, wanted);
    Ok((goals::require(events, &session.sources, wanted, collected)?, None))
}

/// Tests of short random walks, in case that a goal takes too long although the reachable states are known. In a small model,
/// nothing takes long.
fn aside(
    events: &dyn Events,
    part: &Model,
    known: Option<&Goals>,
    engine: &Symbolic,
    settings: &GenerateSettings,
) -> Option<Run> {
    let is_fresh = !settings.resume && winnow::which(&settings.winnow) == winnow::Wanted::default();
    let is_small = || engine.steps() <= SOME_STEPS && n_operators(part) <= SOME_OPERATORS;
    let (goals, _) = known.filter(|_| is_fresh && settings.engine == Engine::Auto && !is_small())?;
    Some(search::walk(events, part, goals, ASIDE_WALK_WORK, settings))
}

/// What tests are made from if all states are known that can be reached. Tests of random walks that came before are kept for goals
/// that take too long nevertheless.
fn complete(
    events: &mut dyn Events,
    session: &mut Session,
    known: Option<Goals>,
    wanted: &criteria::Options,
    mut engine: Symbolic,
    walked: Option<Run>,
) -> Result<(Subject, Engines), Failure> {
    let (mut goals, relevant) = known_or_collected(events, session, known, wanted, Some(&mut engine))?;
    let ground = if wanted.quantized.is_some() { Ground::Part(&mut engine) } else { Ground::Engine(&mut engine) };
    goals::settle_pairs(events, ground, &mut goals, &[]);
    let engines = Engines { diagrams: Some(engine), sat: None, later: None };
    // Halves of pairs are settled by now, so walks may have been about others.
    let walked = walked.filter(|_| goals.iter().all(|goal| goal.pair.is_none()));
    let subject = Subject::new(session, goals, wanted.quantized.clone(), relevant, None, None);
    Ok((Subject { walked, ..subject }, engines))
}

/// The part of a model that can matter for the goals, if it is not everything; what is left out is said.
pub(super) fn relevant(
    events: &mut dyn Events,
    model: &Model,
    goals: &[Goal],
    preferred: &[VarId],
    keeps: &[Keep],
) -> Option<ConeOfInfluence> {
    let relevant = specwright_testgen::focus::relevant(model, goals, preferred, keeps)?;
    let names: Vec<String> = relevant.cone().dropped().map(|var| format!("`{}`", model[var].name)).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    let (vars, verb) = (count(names.len(), "variable"), if names.len() == 1 { "does" } else { "do" });
    events.note(format_args!(
        "{vars} {verb} not matter for these goals: {}{more}",
        names[..names.len().min(NAMED)].join(", ")
    ));
    Some(relevant)
}

impl Subject {
    fn new(
        session: &Session,
        goals: Vec<Goal>,
        quantized: Option<Quantized>,
        cone: Option<ConeOfInfluence>,
        focused: Option<Focused>,
        run: Option<Run>,
    ) -> Subject {
        let part = cone.as_ref().map(|cone| session.model.reduced_to(cone.system()));
        let quantized = quantized.map(|quantized| Arc::new(quantized) as Arc<dyn Reduction>);
        let cone = cone.map(|cone| Arc::new(cone) as Arc<dyn Reduction>);
        let focus = focused.as_ref().map(|focused| Arc::clone(&focused.reduced) as Arc<dyn Reduction>);
        let reductions = [quantized, cone, focus].into_iter().flatten().collect();
        Subject { goals, focused, reductions, part, run, spare: None, walked: None }
    }

    /// Leaves out the goals that are not among these.
    pub(super) fn retain(&mut self, goals: Vec<Goal>) {
        if let Some(focused) = &mut self.focused {
            focused.retain(&goals);
        }
        if let Some(run) = &mut self.run {
            run.retain(&self.goals, &goals);
        }
        for other in [&mut self.spare, &mut self.walked].into_iter().flatten() {
            other.retain(&self.goals, &goals);
        }
        self.goals = goals;
    }

    /// What is known already.
    pub(super) fn take_run(&mut self) -> Run {
        self.run.take().unwrap_or_else(|| Run::new(self.goals.len()))
    }

    /// The model that the engine searches.
    pub(super) fn searched<'m>(&'m self, whole: &'m Model) -> &'m Model {
        self.focused.as_ref().map_or_else(|| self.part(whole), Focused::model)
    }

    /// The goals of the whole model.
    pub(super) fn whole_goals(&self) -> &[Goal] {
        self.focused.as_ref().map_or(&self.goals, |focused| &focused.goals)
    }

    /// What can matter of the whole model.
    pub(super) fn part<'m>(&'m self, whole: &'m Model) -> &'m Model {
        self.part.as_ref().unwrap_or(whole)
    }
}
