//! Suites of tests that are adequate for a criterion.

mod contradictions;
mod focused;
mod folder;
mod journal;
mod quantized;
pub(crate) mod search;
mod settings;
pub(crate) mod subject;

pub use contradictions::Contradiction;
pub(crate) use settings::tie;
pub use settings::{GenerateSettings, Strategy, Style};

use crate::events::Events;
use crate::failure::Failure;
use crate::kill::Kill;
use crate::session::Session;
use crate::shard::{self, Decided, Sharding, Stored};
use crate::{focus, goals, winnow, words};
use folder::Folder;
use specwright_mc::reduction::Reduction;
use specwright_mc::{Answer, Both, Explicit, Observer, Proof, Reason, Search, Symbolic};
pub use specwright_mc::{Answered, Engine};
use specwright_model::hash::model_hash;
use specwright_model::interp::Limits;
use specwright_model::{Model, Trace};
use specwright_syntax::budget::{Budget, Spent};
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria;
use specwright_testgen::focus::{Quantized, is_outside};
pub use specwright_testgen::fsm::Guarantee;
use specwright_testgen::fsm::premade;
use specwright_testgen::generate::{Options, Run, generate, name_tests};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::Sight;
use specwright_testgen::suite::Suite;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use subject::{Engines, Subject};

/// A suite that was generated, and what became of the goals.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The texts that the model and its goals came from.
    pub sources: SourceMap,
    /// The model, with the expressions of the goals.
    pub model: Model,
    /// The goals.
    pub goals: Vec<Goal>,
    /// What became of each, and the tests.
    pub run: Run,
    /// How many answers each engine gave, as far as others than decision diagrams were asked.
    pub answered: Answered,
    /// Whether the work was not cancelled.
    pub is_finished: bool,
    /// Whether a later run can go on where this one has stopped.
    pub can_resume: bool,
    /// How well the property mutants that some test kills are seen to be; empty if weak kills count.
    pub sights: Vec<Option<Sight>>,
    /// The goals that only a contradiction in the specification stops.
    pub contradictions: Vec<Contradiction>,
    /// What the tests of criteria for machines guarantee.
    pub guarantees: Vec<Guarantee>,
    /// What a shard has decided, if only that was asked; then there are no tests.
    pub decided: Option<Decided>,
}

impl Generated {
    /// The tests.
    pub fn suite(&self) -> Suite {
        self.run.suite(&self.model)
    }

    /// Whether every goal in focus is decided.
    pub fn is_decided(&self) -> bool {
        let is_open = |outcome: &Option<Answer<()>>| {
            // What lies outside of the focus is not what was asked for.
            matches!(outcome, Some(Answer::Undecided(reason)) if *reason != Reason::PossibleKill)
                && !is_outside(outcome.as_ref())
        };
        self.is_finished && !self.run.outcomes.iter().any(is_open)
    }
}

impl Session {
    /// Makes a suite of tests, and writes it if the settings say where.
    pub fn generate(&self, settings: &GenerateSettings, events: &mut dyn Events) -> Result<Generated, Failure> {
        let Prepared { mut session, shown, tests_wanted, machine_goals, quantized, mut subject, engines } =
            self.prepare(settings, events)?;
        let Engines { diagrams: mut engine, mut sat, later } = engines;
        let mut goals = subject.goals.clone();
        let ignored = goals::leave_out(events, &mut goals, &settings.goals)?;
        let Some(goals) = winnowed(events, engine.as_mut(), goals, settings) else {
            let why = events.why_stopped();
            events.warning(format_args!("{why} before winnowing was finished"));
            return Err(Failure::Undecided);
        };
        subject.retain(goals);

        let mut known = subject.take_run();
        let mut made = Run::new(subject.goals.len());
        let guarantees = premade(&shown, &subject.goals, &machine_goals, &mut made);
        known.add(made.project(&subject.reductions));
        let searched = session.model.clone();
        session.model.system.clone_from(&shown.system);
        let goals = subject.goals.clone();
        let sharded = shard::query::Questions {
            model: subject.searched(&searched),
            goals: &goals,
            hash: model_hash(&shown),
            settings: settings.recorded(&session.reading),
        };
        let known_answers = sharded.merged(&settings.sharding)?;
        let tests_wanted = Options { kills: known_answers.kills, ..tests_wanted };
        // A shard writes answers and no suite.
        let out = settings.out.as_deref().filter(|_| !matches!(settings.sharding, Sharding::Decide { .. }));
        let folder = Folder::new(out, &session, settings.recorded(&session.reading), ignored)?;
        let finished = if settings.resume { folder.finished(&shown, subject.whole_goals())? } else { None };
        let fresh = finished.map_or(known, |run| run.project(&subject.reductions));
        let (mut journal, mut run) = folder.journal(subject.searched(&searched), &goals, settings.resume, fresh)?;
        let mut progress = events.progress(goals.len());
        let mut failure = None;
        let mut observe = |search: &mut dyn Search, run: &Run| {
            if progress.is_seen() {
                let what = format!("{} covered, {} tests", run.counts().covered, run.tests.len());
                progress.at(run.n_decided(), &what);
            }
            if let Some(Err(error)) = journal.as_mut().map(|journal| journal.decided(search, run)) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            settings.go_on()
        };
        let mut answered = Answered::default();
        if matches!(settings.sharding, Sharding::Decide { .. }) {
            let is_open = |goal: usize| run.outcomes[goal].is_none();
            let decide = |events: &mut dyn Events, search: &mut dyn Search| {
                search.set_preference(tests_wanted.ties.clone());
                let goes_on = || settings.go_on().is_continue();
                sharded.decide(&settings.sharding, events, search, &is_open, &tests_wanted.budget, &goes_on)
            };
            let decided = match (&mut engine, &mut sat) {
                (engine, Some(sat)) => decide(events, &mut Both::new(sat, engine, later)),
                (Some(engine), None) => decide(events, engine),
                (None, None) => {
                    let system = subject.searched(&searched).system.clone();
                    decide(events, &mut Explicit::new(system, Limits::default()))
                }
            }?
            .unwrap_or_default();
            let (is_finished, goals) = (decided.is_complete, goals.clone());
            return Ok(Generated {
                sources: session.sources,
                model: shown,
                run: Run::new(goals.len()),
                goals,
                answered,
                is_finished,
                can_resume: true,
                sights: Vec::new(),
                contradictions: Vec::new(),
                guarantees: Vec::new(),
                decided: Some(decided),
            });
        }
        let mut go = |search: &mut dyn Search, run: &mut Run| match &settings.sharding {
            Sharding::Merge(_) => {
                let mut search = Stored::new(search, known_answers.queries.clone(), tests_wanted.ties.clone());
                generate(&mut search, &goals, &tests_wanted, run, &mut observe)
            }
            _ => generate(search, &goals, &tests_wanted, run, &mut observe),
        };
        let searched_for = Budget::run(|| match (&mut engine, &mut sat) {
            (engine, Some(sat)) => {
                let mut both = Both::new(sat, engine, later.clone());
                let result = go(&mut both, &mut run);
                answered = both.answered();
                result
            }
            (Some(engine), None) => go(engine, &mut run),
            (None, None) if settings.engine == Engine::Explicit => {
                let system = subject.searched(&searched).system.clone();
                let mut explicit = Explicit::new(system, Limits::default());
                let result = go(&mut explicit, &mut run);
                answered.explicit = run.n_decided();
                result
            }
            (None, None) if run.n_decided() < goals.len() => settings.go_on(),
            (None, None) => ControlFlow::Continue(()),
        });
        let mut result = searched_for.unwrap_or_else(|Spent| {
            forget_unshown(&goals, &mut run);
            ControlFlow::Break(())
        });
        progress.finish();
        if let Some(spare) = subject.spare.take().filter(|_| run.counts().covered < goals.len()) {
            events.note("random walks covered all goals: shorter tests may exist");
            (run, result, answered) = (spare, settings.go_on(), Answered::default());
        }
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(walked) = subject.walked.take() {
            run.fill(&goals, &walked);
        }
        if let Some(focused) = subject.focused.as_ref().filter(|_| result.is_continue()) {
            let part = subject.part(&searched);
            let done = Budget::run(|| match (&mut engine, &mut sat) {
                (engine, Some(sat)) => {
                    let mut both = Both::new(sat, engine, later.clone());
                    focused.look_beyond(events, &mut both, part, &mut run, settings)
                }
                (Some(engine), None) => focused.look_beyond(events, engine, part, &mut run, settings),
                (None, None) => true,
            });
            if done != Ok(true) {
                result = ControlFlow::Break(());
            }
        }
        if result.is_break() || settings.go_on().is_break() {
            // What is left is short, and makes what is known worth showing; also if all goals were decided before the time was up.
            settings.limits.resume();
        }
        run = run.lift(&subject.reductions, &shown, subject.whole_goals());
        if quantized.is_some() && result.is_continue() {
            result = quantized::with_all_values(events, &shown, &subject, &mut run, &tests_wanted, settings);
        }
        let sees = settings.kill == Kill::Visible && shown.has_internal() && result.is_continue();
        // An engine of a part of the model says nothing about outputs of the whole.
        let engine = engine.as_mut().filter(|_| subject.reductions.is_empty());
        let sights =
            if sees { self::show_kills(events, &shown, subject.whole_goals(), &mut run, engine) } else { Vec::new() };
        let (goals, is_finished, can_resume) = (subject.whole_goals(), result.is_continue(), folder.can_resume());
        name_tests(&shown, goals, &mut run.tests);
        run.mark_possible(goals);
        folder.save(&shown, goals, &run, is_finished)?;
        let contradictions = match result {
            ControlFlow::Continue(()) => contradictions::find(&shown, goals, &run, &settings.limits.options()),
            ControlFlow::Break(()) => Vec::new(),
        };
        let goals = goals.to_vec();
        let sources = session.sources;
        let is_covered = |criterion: &str| {
            let own = goals.iter().zip(&run.outcomes).filter(|(goal, _)| goal.criterion == criterion);
            own.map(|(_, outcome)| outcome).all(|outcome| *outcome == Some(Answer::Found(())))
        };
        let guarantees = guarantees.into_iter().filter(|guarantee| is_covered(guarantee.criterion)).collect();
        Ok(Generated {
            sources,
            model: shown,
            goals,
            run,
            answered,
            is_finished,
            can_resume,
            sights,
            contradictions,
            guarantees,
            decided: None,
        })
    }

    /// The goals of a run with these settings, and the model with their expressions.
    pub(crate) fn goals_of(
        &self,
        settings: &GenerateSettings,
        events: &mut dyn Events,
    ) -> Result<(Model, Vec<Goal>), Failure> {
        // There is no need for tests.
        let settings = GenerateSettings { resume: true, ..settings.clone() };
        let Prepared { shown, subject, .. } = self.prepare(&settings, events)?;
        Ok((shown, subject.whole_goals().to_vec()))
    }

    /// What a run begins with.
    fn prepare(&self, settings: &GenerateSettings, events: &mut dyn Events) -> Result<Prepared, Failure> {
        let mut session = self.clone();
        let tests_wanted = settings.tests(&session.model)?;
        let mut goals_wanted = goals::wanted(events, &mut session, &settings.goals, settings.kill)?;
        if settings.quantize || !settings.keep.is_empty() {
            goals::without_machine_mutation(events, &mut goals_wanted, &settings.goals, "--quantize and --keep")?;
            goals::refuse_fsm(&goals_wanted, "--quantize and --keep")?;
        }
        let quantized = if settings.quantize {
            focus::quantize(events, &session.model, &settings.keep)
        } else {
            focus::advise(events, &session.model);
            None
        };
        // Tests are those of the whole model with all its values.
        let shown = session.model.clone();
        if let Some(quantized) = &quantized {
            session.model.system.clone_from(quantized.system());
        }
        goals_wanted.quantized.clone_from(&quantized);
        let machine_goals = goals_wanted.clone();
        let (subject, engines) = subject::prepare(events, &mut session, goals_wanted, &tests_wanted, settings)?;
        Ok(Prepared { session, shown, tests_wanted, machine_goals, quantized, subject, engines })
    }
}

/// What a run begins with.
struct Prepared {
    /// The session with the model that is searched.
    session: Session,
    /// The whole model with all its values, with the expressions of the goals.
    shown: Model,
    tests_wanted: Options,
    machine_goals: criteria::Options,
    quantized: Option<Quantized>,
    subject: Subject,
    engines: Engines,
}

/// Takes back what was said of goals that no test shows yet, after work that was stopped in the middle.
fn forget_unshown(goals: &[Goal], run: &mut Run) {
    let shown: BTreeSet<&str> = run.tests.iter().flat_map(|test| test.goals.iter().map(String::as_str)).collect();
    for (goal, outcome) in goals.iter().zip(&mut run.outcomes) {
        if *outcome == Some(Answer::Found(())) && !shown.contains(goal.id.as_str()) {
            *outcome = None;
        }
    }
}

/// Adds tests that show to a tester which property mutants are killed, and says what cannot be shown.
fn show_kills(
    events: &mut dyn Events,
    model: &Model,
    goals: &[Goal],
    run: &mut Run,
    engine: Option<&mut Symbolic>,
) -> Vec<Option<Sight>> {
    let n_before: usize = run.tests.iter().map(|test| test.trace.n_steps()).sum();
    let engine = engine.map(|engine| engine as &mut dyn Search);
    let sights = run.show_kills(model, &Observer::of(model), goals, engine);
    let count = |wanted: &dyn Fn(&Sight) -> bool| sights.iter().flatten().filter(|sight| wanted(sight)).count();
    let n_after: usize = run.tests.iter().map(|test| test.trace.n_steps()).sum();
    if n_after > n_before {
        let n = n_after - n_before;
        events.note(format_args!(
            "{} added, to make kills of mutants with internal variables visible",
            words::count(n, "step")
        ));
    }
    let never = count(&|sight| *sight == Sight::Indistinguishable);
    if never > 0 {
        let mutants = words::count(never, "killed mutant");
        events.note(format_args!("{mutants} indistinguishable: no outputs ever differ"));
    }
    let unknown = count(&|sight| matches!(sight, Sight::Undecided(_) | Sight::Hidden(_) | Sight::Elsewhere(_)));
    if unknown > 0 {
        events.note(format_args!("undecided whether outputs can show {}", words::count(unknown, "killed mutant")));
    }
    sights
}

/// Leaves out the goals that the user does not want tests for. Nothing if it was interrupted.
fn winnowed(
    events: &mut dyn Events,
    engine: Option<&mut Symbolic>,
    goals: Vec<Goal>,
    settings: &GenerateSettings,
) -> Option<Vec<Goal>> {
    let which = winnow::which(&settings.winnow);
    let Some(engine) = engine.filter(|_| which != winnow::Wanted::default()) else { return Some(goals) };
    let mut progress = events.progress(goals.len());
    // Few tests show of most goals that they can be reached, and tell many of them apart.
    let mut run = Run::new(goals.len());
    let options = Options { budget: settings.limits.budget(), ..Options::default() };
    let result = generate(engine, &goals, &options, &mut run, &mut |_, run| {
        progress.at(run.n_decided(), "goals decided");
        settings.go_on()
    });
    progress.finish();
    if result.is_break() {
        return None;
    }
    let is = |goal: usize, outcome: &Answer<()>| run.outcomes[goal].as_ref() == Some(outcome);
    let feasible = (0..goals.len()).filter(|goal| is(*goal, &Answer::Found(())) && goals[*goal].mutant.is_none());
    let feasible: Vec<usize> = feasible.collect();
    let known: Vec<Trace> = run.tests.iter().map(|test| test.trace.clone()).collect();
    let found = winnow::winnow(
        events,
        &settings.limits,
        engine,
        &goals,
        &feasible,
        &known,
        (which.others, settings.duplicates),
    );
    // What a contradiction stops is a finding, and stays.
    let consistent = |goal: usize| {
        let proofs = [Proof::Infeasible, Proof::Nonfalsifiable, Proof::Conforming, Proof::Equivalent];
        proofs.into_iter().any(|proof| is(goal, &Answer::Impossible(proof)))
    };
    let counts = |goal: usize| found.redundant[goal].is_none() && !(which.consistent && consistent(goal));
    let n_before = goals.len();
    let goals: Vec<Goal> =
        goals.into_iter().enumerate().filter(|(index, _)| counts(*index)).map(|(_, goal)| goal).collect();
    events.note(format_args!("{} of {} goals are left after winnowing", goals.len(), n_before));
    Some(goals)
}
