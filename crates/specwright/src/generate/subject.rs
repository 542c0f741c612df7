//! What tests are made from: the whole model, or a part of it that is easier to search, with the way back.

use super::focused::{self, Focused};
use super::search::{self, FEW_STEPS, MANY_STEPS, Search};
use super::settings::GenerateSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::session::Session;
use crate::words::count;
use crate::{goals, winnow};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Symbolic};
use specwright_model::{Model, VarId};
use specwright_testgen::criteria;
use specwright_testgen::focus::{Relevant, Unsound};
use specwright_testgen::generate::{Options, Run};
use specwright_testgen::goal::Goal;
use specwright_testgen::pair::Ground;

/// The number of variables that are named among those that do not matter.
const NAMED: usize = 6;

/// What an engine is asked, and the way back to the whole model.
pub(super) struct Subject {
    /// The goals as the engine knows them.
    pub(super) goals: Vec<Goal>,
    pub(super) focused: Option<Focused>,
    relevant: Option<Relevant>,
    /// What is known already.
    run: Option<Run>,
}

/// The model and its goals, reduced as far as that is exact, and to the focus that the user wants.
pub(super) fn prepare(
    events: &mut dyn Events,
    session: &mut Session,
    wanted: criteria::Options,
    tests: &Options,
    settings: &GenerateSettings,
) -> Result<(Subject, Option<Symbolic>), Failure> {
    let preferred: Vec<VarId> = tests.ties.iter().map(|(var, _)| *var).collect();
    if !settings.keep.is_empty() {
        let (relevant, focused, engine, goals) = focused::prepare(events, session, wanted, &preferred, settings)?;
        return Ok((Subject { goals, focused: Some(focused), relevant, run: None }, Some(engine)));
    }
    // Clauses that restate the machine speak of all of it, and an engine makes them better.
    let known = if wanted.gain_by_engine() {
        None
    } else {
        let collected = criteria::collect(&session.model, None, &wanted);
        let goals = goals::require(events, &session.sources, &wanted, collected)?;
        let relevant = self::relevant(events, &session.model, &goals, &preferred);
        Some((goals, relevant))
    };
    let part = known.as_ref().and_then(|(_, relevant)| relevant.as_ref()).map_or(&session.model, |part| &part.model);
    let options = settings.limits.options();
    let nothing = Search { engine: None, limit: None };
    let few = nothing.go_on(events, session, part, Some(FEW_STEPS), &options)?;
    let few = match few {
        Search { engine: Some(engine), limit: None } => return complete(events, session, known, &wanted, engine),
        large => large,
    };

    let better = known.is_none();
    let (goals, relevant) = if let Some(known) = known {
        known
    } else {
        let collected = criteria::collect(&session.model, None, &wanted);
        (goals::require(events, &session.sources, &wanted, collected)?, None)
    };
    let winnows = winnow::which(&settings.winnow) != winnow::Wanted::default();
    let model = relevant.as_ref().map_or(&session.model, |part| &part.model);
    let mut run =
        if settings.resume || winnows { Run::new(goals.len()) } else { search::walk(events, model, &goals, settings) };
    let all = !goals.is_empty() && run.counts().covered == goals.len();
    let search = few.go_on(events, session, model, all.then_some(MANY_STEPS), &options)?;
    let (mut engine, limit) = match search {
        Search { engine: Some(engine), limit: None } => {
            let known = (!better).then_some((goals, relevant));
            return complete(events, session, known, &wanted, engine);
        }
        Search { engine, limit } => (engine, limit),
    };
    if all {
        events.note("all goals were reached by random walks: there may be shorter tests");
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
    Ok((Subject { goals, focused: None, relevant, run: Some(run) }, engine))
}

/// What tests are made from if all states are known that can be reached.
fn complete(
    events: &mut dyn Events,
    session: &mut Session,
    known: Option<(Vec<Goal>, Option<Relevant>)>,
    wanted: &criteria::Options,
    mut engine: Symbolic,
) -> Result<(Subject, Option<Symbolic>), Failure> {
    let (mut goals, relevant) = if let Some(known) = known {
        known
    } else {
        let collected = criteria::collect(&session.model, Some(&mut engine), wanted);
        (goals::require(events, &session.sources, wanted, collected)?, None)
    };
    let ground = if wanted.quantized.is_some() { Ground::Part(&mut engine) } else { Ground::Engine(&mut engine) };
    goals::settle_pairs(events, ground, &mut goals, &[]);
    Ok((Subject { goals, focused: None, relevant, run: None }, Some(engine)))
}

/// The part of a model that can matter for the goals, if it is not everything; what is left out is said.
pub(super) fn relevant(
    events: &mut dyn Events,
    model: &Model,
    goals: &[Goal],
    preferred: &[VarId],
) -> Option<Relevant> {
    let relevant = Relevant::new(model, goals, preferred)?;
    let names: Vec<String> = relevant.dropped().map(|var| format!("`{}`", model[var].name)).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    let (vars, verb) = (count(names.len(), "variable"), if names.len() == 1 { "does" } else { "do" });
    events.note(format_args!(
        "{vars} {verb} not matter for these goals: {}{more}",
        names[..names.len().min(NAMED)].join(", ")
    ));
    Some(relevant)
}

impl Subject {
    /// Leaves out the goals that are not among these.
    pub(super) fn retain(&mut self, goals: Vec<Goal>) {
        if let Some(focused) = &mut self.focused {
            focused.retain(&goals);
        }
        if let Some(run) = &mut self.run {
            run.retain(&self.goals, &goals);
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

    /// A run on the whole model as one on what is left of it.
    pub(super) fn enter(&self, mut run: Run) -> Run {
        if let Some(relevant) = &self.relevant {
            run = relevant.project(run);
        }
        match &self.focused {
            Some(focused) => focused.enter(run),
            None => run,
        }
    }

    /// What can matter of the whole model.
    pub(super) fn part<'m>(&'m self, whole: &'m Model) -> &'m Model {
        self.relevant.as_ref().map_or(whole, |relevant| &relevant.model)
    }

    /// A run on what is left of the model as one on the whole, where every test is replayed.
    ///
    /// # Panics
    /// If a test is no execution of the whole model. The reductions make sure of that; if one fails, nothing may be
    /// written.
    pub(super) fn leave(&self, whole: &Model, run: &Run) -> Run {
        let part = self.part(whole);
        let mut run = match &self.focused {
            Some(focused) => focused.leave(part, run),
            None => run.clone(),
        };
        if let Some(relevant) = &self.relevant {
            run = relevant.lift(whole, self.whole_goals(), &run).unwrap_or_else(|unsound| {
                let Unsound { test, invalid } = *unsound;
                panic!("{test} is no test of the whole model: {}", invalid.describe(whole))
            });
        }
        run
    }
}
