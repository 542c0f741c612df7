//! The smallest suite that reaches what a suite reaches.

mod counting;
mod kills;

use crate::events::Events;
use crate::failure::Failure;
use crate::goals::{self, GoalSettings};
use crate::kill::Kill;
use crate::limits::Limits;
use crate::session::Session;
use serde::Serialize;
use specwright_model::hash::model_hash;
use specwright_model::{Model, Trace};
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Grader, Matrix, Quantifiers};
pub use specwright_testgen::minimize::{Minimum, Objective};
use specwright_testgen::minimize::{Options, minimize, synthesize};
use specwright_testgen::pair::Ground;
use specwright_testgen::suite::{Expect, Invalid, Read, Suite, Test, Validated, validate};

/// What is to be as small as possible, and what must still be reached.
#[derive(Clone, Debug, Default)]
pub struct MinimizeSettings {
    /// What is still to be reached.
    pub goals: GoalSettings,
    /// What is to be as small as possible.
    pub objective: Objective,
    /// Whether to take what reaches most again and again, and to prove nothing.
    pub greedy: bool,
    /// Whether tests are also cut, and joined to others.
    pub synthesize: bool,
    /// When a property mutant counts as killed.
    pub kill: Kill,
    /// How far work may go.
    pub limits: Limits,
}

/// A suite that was minimized.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The texts that the model, the suite and the goals came from.
    pub sources: SourceMap,
    /// The model, with the expressions of the goals.
    pub model: Model,
    /// The tests that are left.
    pub suite: Suite,
    /// The tests that are to be rejected, by their numbers. They reach nothing, and stay.
    pub rejected: Vec<usize>,
    /// The tests that are no executions of the model, by their numbers.
    pub invalid_tests: Vec<(usize, Invalid)>,
    /// The size before, without those.
    pub before: Size,
    /// The size after.
    pub after: Size,
    /// The number of goals that are reached, before and after.
    pub n_reached: usize,
    /// The number of goals.
    pub n_goals: usize,
    /// The best choice among the tests as they are.
    pub minimum: Minimum,
    /// How many tests were cut and how many joined, if that was asked for.
    pub changes: Option<(usize, usize)>,
}

/// The size of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The number of tests.
    pub tests: usize,
    /// The number of their steps.
    pub steps: usize,
}

impl Size {
    fn new<'t>(traces: impl Iterator<Item = &'t Trace>) -> Size {
        traces.fold(Size { tests: 0, steps: 0 }, |size, trace| Size {
            tests: size.tests + 1,
            steps: size.steps + trace.n_steps(),
        })
    }
}

impl Session {
    /// Finds the smallest part of a suite that reaches all that the suite reaches.
    ///
    /// # Panics
    /// If the smaller suite reaches less: that is never right.
    pub fn minimize(
        &self,
        read: &Read,
        settings: &MinimizeSettings,
        events: &mut dyn Events,
    ) -> Result<Minimized, Failure> {
        let mut session = self.clone().with_jobs(&settings.limits);
        let mut wanted = goals::wanted(events, &mut session, &settings.goals, settings.kill)?;
        if settings.synthesize {
            goals::without_machine_mutation(events, &mut wanted, &settings.goals, "--synthesize")?;
        }
        let mut engine = None;
        let collected = if settings.synthesize || wanted.gain_by_engine() {
            let engine = engine.insert(session.engine(events, &settings.limits.options())?);
            criteria::collect(&session.model, Some(engine), &wanted)
        } else {
            criteria::collect(&session.model, None, &wanted)
        };
        let mut goals = goals::require(events, &session.sources, &wanted, collected)?;
        goals::leave_out(events, &mut goals, &settings.goals)?;
        let tests = goals::executions(&session.model, &read.suite, &goals);
        let ground = match &mut engine {
            Some(engine) => Ground::Engine(engine),
            None => Ground::Model(&session.model),
        };
        goals::settle_pairs(events, ground, &mut goals, &tests);
        let model = session.model.clone();
        let n_goals = goals.len();

        // Tests that are to be rejected reach nothing, and stay.
        let (mut executions, mut rejected, mut invalid_tests) = (Vec::new(), Vec::new(), Vec::new());
        for (index, test) in read.suite.tests.iter().enumerate() {
            match validate(&model, test) {
                Ok(Validated::Execution(trace)) => executions.push((index, trace)),
                Ok(Validated::Rejected) => rejected.push(index),
                Err(invalid) => invalid_tests.push((index, invalid)),
            }
        }
        let found: Vec<_> = invalid_tests
            .iter()
            .map(|(test, invalid): &(usize, Invalid)| read.invalid(&model, *test, invalid))
            .collect();
        events.report(&session.sources, &found);
        let traces: Vec<&Trace> = executions.iter().map(|(_, trace)| trace).collect();
        let lost = counting::unreachable(events, &model, &goals, &traces, engine.as_mut(), &settings.limits);
        let mut place = 0..;
        goals.retain(|_| place.next().is_some_and(|goal| !lost.contains(goal)));
        let mut grader = Grader::new(&model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
        let rows = grader.reached_by_each(&model, &executions.iter().map(|(_, trace)| trace).collect::<Vec<_>>());
        let mut matrix = Matrix::new(goals.len(), rows);
        let sees = settings.kill == Kill::Visible && model.has_internal();
        if sees && settings.synthesize {
            events.note("--synthesize keeps violations of mutants, and not that outputs show them");
        }
        let traces = || executions.iter().map(|(_, trace)| trace.clone()).collect::<Vec<_>>();
        let needed = kills::needed(&model, &goals, traces(), &mut matrix, engine.as_mut().filter(|_| sees));
        let options = Options { greedy: settings.greedy, budget: settings.limits.budget_until_deadline() };
        let costs = settings.objective.costs(executions.iter().map(|(_, trace)| trace));
        let minimum = minimize(&needed, &costs, &options);

        let mut kept: Vec<(usize, Trace)> = minimum.tests.iter().map(|test| executions[*test].clone()).collect();
        let mut changes = None;
        if let Some(engine) = engine.as_mut().filter(|_| settings.synthesize) {
            let traces = traces();
            let mut progress = events.progress(1);
            let made = synthesize(engine, &goals, &mut grader, &traces, settings.objective, &options, &mut || {
                progress.at(0, "tests are joined");
                !settings.limits.is_cancelled()
            });
            progress.finish();
            changes = Some((made.n_cut, made.n_joined));
            kept = made.tests.into_iter().map(|(origin, trace)| (executions[origin].0, trace)).collect();
        }
        let now: Vec<Bits> = match changes {
            Some(_) => kept.iter().map(|(_, trace)| grader.reached(&model, trace)).collect(),
            None => minimum.tests.iter().map(|test| matrix.goals_of(*test).clone()).collect(),
        };
        let suite = suite(&model, &goals, &now, &read.suite, &kept, &rejected);
        let mut reached = Bits::new(goals.len());
        for goals in &now {
            reached.union_with(goals);
        }
        assert!(matrix.reached().is_subset(&reached), "a smaller suite reaches what the suite reached");

        let before = Size::new(executions.iter().map(|(_, trace)| trace));
        let after = Size::new(kept.iter().map(|(_, trace)| trace));
        let (sources, n_reached) = (session.sources, matrix.reached().count());
        Ok(Minimized {
            sources,
            model,
            suite,
            rejected,
            invalid_tests,
            before,
            after,
            n_reached,
            n_goals,
            minimum,
            changes,
        })
    }
}

/// The tests that are left, in the order of the suite, with what they reach now.
fn suite(
    model: &Model,
    goals: &[Goal],
    reached: &[Bits],
    old: &Suite,
    kept: &[(usize, Trace)],
    others: &[usize],
) -> Suite {
    let mut tests: Vec<(usize, Test)> = Vec::new();
    for ((index, trace), reached) in kept.iter().zip(reached) {
        let mut test = old.tests[*index].clone();
        test.goals = reached.iter().map(|goal| goals[goal].id.clone()).collect();
        let certain = std::mem::take(&mut test.goals);
        test.possible.retain(|id| !certain.contains(id));
        test.goals = certain.into_iter().chain(test.possible.iter().cloned()).collect();
        // Notes say why states are there; those of states that are gone say nothing any more.
        test.notes.truncate(trace.states.len());
        // The values of defines follow from complete states.
        test.defined.clear();
        test.trace = trace.clone();
        test.expect = Expect::Accept;
        tests.push((*index, test));
    }
    tests.extend(others.iter().map(|index| (*index, old.tests[*index].clone())));
    tests.sort_by_key(|(index, _)| *index);
    let tests = tests.into_iter().map(|(_, test)| test).collect();
    Suite { model: model.name.clone(), model_hash: Some(model_hash(model)), tests, goals: None }
}
