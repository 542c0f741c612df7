//! How good a suite of tests is.

mod explain;
mod subject;

pub use explain::{Distinction, Equivalence};

use crate::events::Events;
use crate::failure::Failure;
use crate::goals::{self, GoalSettings};
use crate::kill::{self, Kill};
use crate::limits::Limits;
use crate::session::{ReadSettings, Session};
use crate::shard::{self, Decided, Sharding, Stored};
use crate::tables::{self, Covered, Marked};
use crate::winnow::{self, Duplicates, Wanted, Winnow};
use crate::words::count;
use specwright_mc::{Answer, Proof, Query, Search};
use specwright_model::hash::model_hash;
use specwright_model::model::Property;
use specwright_model::{Model, Trace, VarId};
use specwright_syntax::span::SourceMap;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{
    Bits, Grade, add_kills, goal_grades, grade_mutants, grade_with, suggest, unasked_grades, undecided_grades,
    unreachable,
};
pub use specwright_testgen::grade::{GoalGrade, Grader, Group, Hidden, Quantifiers, Sight};
use specwright_testgen::suite::{Read, Suite, Validated, executed, validate};
use specwright_testgen::winnow::{Redundant, Which, Winnowing};
use std::collections::BTreeMap;

/// How to judge a suite.
#[derive(Clone, Debug)]
pub struct GradeSettings {
    /// What its tests are to reach.
    pub goals: GoalSettings,
    /// The finite focus, such as `x in 0..3`, or `auto`; the whole model if nothing is kept.
    pub keep: Vec<String>,
    /// Only mutants of these properties of the model, by name or by number.
    pub property: Vec<String>,
    /// Which goals do not count.
    pub winnow: Vec<Winnow>,
    /// When two goals say the same.
    pub duplicates: Duplicates,
    /// What a single test says about `E` and `A` formulas.
    pub quantifiers: Quantifiers,
    /// When a mutant counts as killed.
    pub kill: Kill,
    /// Whether it is asked which goals subsume which.
    pub subsumption: bool,
    /// Whether tests are wanted for the goals that are missed.
    pub suggest: bool,
    /// The one goal or test that the question is about.
    pub only: Option<String>,
    /// Whether only a shard is decided, or shards are merged.
    pub sharding: Sharding,
    /// How far work may go.
    pub limits: Limits,
}

impl Default for GradeSettings {
    fn default() -> GradeSettings {
        GradeSettings {
            goals: GoalSettings::default(),
            keep: Vec::new(),
            property: Vec::new(),
            winnow: vec![Winnow::Consistent],
            duplicates: Duplicates::default(),
            quantifiers: Quantifiers::default(),
            kill: Kill::default(),
            subsumption: false,
            suggest: false,
            only: None,
            sharding: Sharding::default(),
            limits: Limits::default(),
        }
    }
}

impl GradeSettings {
    /// How to read a model whose suite is judged like this.
    #[must_use]
    pub fn reading(&self, settings: ReadSettings) -> ReadSettings {
        self.asked().reading(settings)
    }

    /// All that decides which goals there are, as `flag=value`.
    pub fn recorded(&self, reading: &ReadSettings) -> Vec<String> {
        let mut settings = reading.recorded();
        settings.extend(self.goals.recorded());
        settings.extend(self.keep.iter().map(|keep| format!("keep={keep}")));
        settings
    }

    /// The goals: mutants, if only properties are named.
    fn asked(&self) -> GoalSettings {
        let mut asked = self.goals.clone();
        if asked.is_silent() && !self.property.is_empty() {
            asked.criterion.push("mutation".into());
        }
        asked
    }

    /// Whether more is to be known than what the tests reach.
    fn asks(&self) -> bool {
        self.suggest || self.subsumption || winnow::which(&self.winnow) != Wanted::default()
    }
}

/// A suite that was graded.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The texts that the model, the suite and the goals came from.
    pub sources: SourceMap,
    /// What is left out of the score.
    pub wanted: Wanted,
    /// The model, with the expressions of the goals.
    pub model: Model,
    /// The goals.
    pub goals: Vec<Goal>,
    /// The suite.
    pub read: Read,
    /// What each test reaches.
    pub grade: Grade,
    /// The goals that some test reaches.
    pub reached: Bits,
    /// How well the property mutants that some test kills are seen to be; empty if weak kills count.
    pub sights: Vec<Option<Sight>>,
    /// The grade of each goal.
    pub fates: Vec<GoalGrade>,
    /// The goals that tell nothing new.
    pub winnowing: Winnowing,
    /// The goals that the user has judged irrelevant, each with the reason. They do not count.
    pub ignored: BTreeMap<usize, String>,
    /// What a shard has decided, if only that was asked; then there is no grade.
    pub decided: Option<Decided>,
}

impl Session {
    /// Grades a suite, which was read or is at hand.
    pub fn grade(
        &self,
        suite: impl Into<Read>,
        settings: &GradeSettings,
        events: &mut dyn Events,
    ) -> Result<Graded, Failure> {
        let read = suite.into();
        let mut session = self.clone().with_jobs(&settings.limits);
        let mut wanted = goals::wanted(events, &mut session, &settings.asked(), settings.kill)?;
        if !settings.keep.is_empty() {
            goals::without_machine_mutation(events, &mut wanted, &settings.goals, "--keep")?;
        }
        let ignores = goals::ignores(&settings.goals.ignore)?;
        let chosen: Vec<usize> =
            settings.property.iter().map(|name| goals::property(&session.model, name)).collect::<Result<_, _>>()?;
        let counts =
            |goal: &Goal| chosen.is_empty() || goal.property.is_some_and(|property| chosen.contains(&property));
        let mut subject = if settings.keep.is_empty() {
            subject::whole(events, &mut session, &wanted, settings, &read.suite, &counts)?
        } else {
            subject::focused(events, &mut session, wanted, settings, &read.suite, &counts)?
        };
        let (sources, model, goals) = (session.sources, subject.model.clone(), subject.goals.clone());
        let ignored = goals::ignored(events, &ignores, &goals, &settings.goals);

        let targets = || goals.iter().map(|goal| goal.target);
        let grader = Grader::new(&model, targets(), settings.quantifiers);
        let mut grade = grade_with(&model, &grader, &read.suite);
        let executions = executed(&model, &read.suite);
        let possible = add_kills(&model, &goals, &executions, &mut grade.matrix);
        let invalid_tests = grade.invalid_tests.iter().map(|(test, invalid)| read.invalid(&model, *test, invalid));
        events.report(&sources, &invalid_tests.collect::<Vec<_>>());
        warn_of_killed_originals(events, &model, &read.suite);

        let reached = grade.matrix.reached();
        let is_visible = settings.kill == Kill::Visible && model.has_internal();
        let mut wanted = winnow::which(&settings.winnow);
        wanted.others.subsumed |= settings.subsumption;
        let asked = |goal: usize| settings.only.as_ref().is_none_or(|name| goals[goal].id == *name);
        let budget = settings.limits.budget();
        let (mut decided, mut known_answers) = (None, shard::query::Known::default());
        let is_asked = settings.asks() && subject.has_engine();
        let surely = match settings.quantifiers {
            Quantifiers::Path if is_asked => {
                let grader = Grader::new(&model, targets(), Quantifiers::Branching);
                grade_with(&model, &grader, &read.suite).matrix.reached()
            }
            _ => reached.clone(),
        };
        let is_open = |goal: usize| {
            let is_reached = if goals[goal].mutant.is_some() { &reached } else { &surely };
            !is_reached.contains(goal) && asked(goal)
        };
        if is_asked && (0..goals.len()).any(is_open) {
            subject.explore(&settings.limits.options());
        }
        let goes_on = || !settings.limits.is_cancelled();
        let mut decide = |search: &mut dyn Search, asked_goals: &[Goal]| {
            let searched = Model { system: search.system().clone(), ..model.clone() };
            let sharded = shard::query::Questions {
                model: &searched,
                goals: asked_goals,
                hash: model_hash(&model),
                settings: settings.recorded(&session.reading),
            };
            decided = sharded.decide(&settings.sharding, events, search, &is_open, &budget, &goes_on)?;
            known_answers = sharded.merged(&settings.sharding)?;
            let mut progress = events.progress(goals.len() - surely.count());
            let mut search = Stored::new(search, std::mem::take(&mut known_answers.queries), Vec::new());
            // A shard has decided what it was asked for.
            let asked = |goal: usize| decided.is_none() && asked(goal);
            let fates = goal_grades(&mut search, asked_goals, &reached, &surely, &asked, &budget, &mut |done| {
                progress.at(done, "goals that no test covers");
                goes_on()
            });
            progress.finish();
            Ok(fates)
        };
        let answers = if is_asked { subject.ask(&mut decide).transpose()? } else { None };
        let mut fates = match answers {
            Some(fates) => subject.restored(events, &settings.limits, fates),
            None => match &subject.without_engine {
                Some(reason) => undecided_grades(&reached, reason),
                None => unasked_grades(&reached),
            },
        };
        if is_asked && decided.is_none() {
            let mut progress = events.progress(goals.len());
            let known = (&budget, &known_answers.kills);
            subject.ask(|search, _| {
                grade_mutants(search, &goals, (&reached, &possible), &asked, &mut fates, known, &mut |done| {
                    progress.at(done, "mutants that no test kills");
                    goes_on()
                });
            });
            progress.finish();
        }
        let sights = if is_visible && decided.is_none() {
            let engine = subject.engine.as_mut().filter(|_| subject.reductions.is_empty());
            kill::sights(&model, &goals, executions, (&grade.matrix, &fates), engine)
        } else {
            Vec::new()
        };
        if wanted.consistent {
            grade.matrix = grade.matrix.without(&unreachable(&fates));
        }
        let feasible = |goal: &usize| {
            matches!(fates[*goal], GoalGrade::Reached | GoalGrade::Missed(None | Some(Answer::Found(_))))
                && !ignored.contains_key(goal)
                && goals[*goal].mutant.is_none()
        };
        // Of goals that are the same, one that is reached stands for all.
        let (mut hit, missed): (Vec<usize>, Vec<usize>) =
            (0..goals.len()).filter(feasible).partition(|goal| matches!(fates[*goal], GoalGrade::Reached));
        hit.extend(missed);
        let winnowing = if let Some(engine) =
            subject.engine.as_mut().filter(|_| wanted.others != Which::default() && decided.is_none())
        {
            let executions = read.suite.tests.iter().filter_map(|test| match validate(&model, test) {
                Ok(Validated::Execution(trace)) => Some(trace),
                _ => None,
            });
            let known: Vec<Trace> = executions.collect();
            let which = (wanted.others, settings.duplicates);
            engine
                .within(&budget, |engine| winnow::winnow(events, &settings.limits, engine, &goals, &hit, &known, which))
        } else {
            Winnowing::nothing(goals.len())
        };
        if settings.limits.is_cancelled() {
            let n_open = fates.iter().filter(|fate| fate.is_undecided()).count();
            let same = if winnowing.n_unknown > 0 { ", and not all duplicates were found" } else { "" };
            let why = events.why_stopped();
            events.warning(format_args!("{why}: {} not decided{same}", count(n_open, "goal")));
        }
        Ok(Graded { sources, wanted, model, goals, read, grade, reached, sights, fates, winnowing, ignored, decided })
    }
}

impl Graded {
    /// Whether a goal counts.
    pub fn counts(&self, goal: usize) -> bool {
        self.counts_after(goal, self.wanted)
    }

    /// Whether a goal counts if these are left out.
    pub fn counts_after(&self, goal: usize, wanted: Wanted) -> bool {
        let consistent = self.fates[goal].proof().is_some();
        let left_out = match self.winnowing.redundant[goal] {
            None => false,
            Some(Redundant::Trivial) => wanted.others.trivial,
            Some(Redundant::Duplicate(_)) => wanted.others.duplicates || wanted.others.subsumed,
            Some(Redundant::Subsumed) => wanted.others.subsumed,
        };
        let never_seen = matches!(self.sight(goal), Some(Sight::Indistinguishable));
        !(left_out || wanted.consistent && (consistent || never_seen) || self.ignored.contains_key(&goal))
    }

    /// How well a property mutant that some test kills is seen to be.
    pub fn sight(&self, goal: usize) -> Option<&Sight> {
        self.sights.get(goal)?.as_ref()
    }

    /// Whether a goal is reached and counts as such.
    pub fn is_reached(&self, goal: usize) -> bool {
        self.is_seen(goal) && self.is_reached_weakly(goal)
    }

    /// Whether a goal is no killed mutant of which outputs are not known to show anything.
    fn is_seen(&self, goal: usize) -> bool {
        !matches!(self.sight(goal), Some(Sight::Hidden(_) | Sight::Elsewhere(_) | Sight::Undecided(_)))
    }

    /// Whether some test goes through what a goal asks for, seen or not.
    fn is_reached_weakly(&self, goal: usize) -> bool {
        matches!(self.fates[goal], GoalGrade::Reached) || (!self.wanted.consistent && self.reached.contains(goal))
    }

    /// The score after each step of winnowing, from nothing left out to all that the user wants left out.
    pub fn effects(&self) -> Vec<Effect> {
        let mut wanted = Wanted::default();
        let mut effects = vec![self.effect("none", wanted)];
        if self.wanted.consistent {
            wanted.consistent = true;
            effects.push(self.effect("consistent", wanted));
        }
        let others = self.wanted.others;
        if others.trivial {
            wanted.others.trivial = true;
            effects.push(self.effect("trivial", wanted));
        }
        if others.duplicates || others.subsumed {
            wanted.others.duplicates = true;
            effects.push(self.effect("duplicates", wanted));
        }
        if others.subsumed {
            wanted.others.subsumed = true;
            effects.push(self.effect("subsumed", wanted));
        }
        effects
    }

    fn effect(&self, step: &'static str, wanted: Wanted) -> Effect {
        let mut share = Group::default();
        for goal in (0..self.goals.len()).filter(|goal| self.counts_after(*goal, wanted)) {
            share.total += 1;
            share.reached += usize::from(self.reached.contains(goal) && self.is_seen(goal));
        }
        Effect { step, share }
    }

    /// The goals that count and are not reached.
    pub fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.goals.len()).filter(|goal| self.counts(*goal) && !self.is_reached(*goal))
    }

    /// The goals that only a contradiction in the specification stops, with the ways to it.
    pub fn inconsistent(&self) -> impl Iterator<Item = (usize, &Trace)> + '_ {
        let found = self.fates.iter().enumerate().filter_map(|(goal, fate)| match fate {
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(Some(trace))))) => Some((goal, &**trace)),
            _ => None,
        });
        found.filter(|(goal, _)| !self.ignored.contains_key(goal))
    }

    /// The score: how many of the goals that count are reached.
    pub fn score(&self) -> Group {
        self.share(|_| true)
    }

    /// The property mutants that tests can kill and no outputs ever show. They do not count.
    pub fn indistinguishable(&self) -> impl Iterator<Item = usize> + '_ {
        let is_never_seen = |goal: &usize| matches!(self.sight(*goal), Some(Sight::Indistinguishable));
        (0..self.goals.len()).filter(is_never_seen).filter(|goal| !self.ignored.contains_key(goal))
    }

    /// Where the difference of a mutant that is killed and not seen gets lost, in words.
    pub fn where_hidden(&self, goal: usize) -> Option<String> {
        let hidden = match self.sight(goal)? {
            Sight::Hidden(hidden) => hidden,
            Sight::Elsewhere(_) => {
                return Some(
                    "killed, but not visibly: no continuation of these tests shows a violation; other tests can".into(),
                );
            }
            Sight::Undecided(reason) => {
                return Some(format!("killed; undecided whether outputs can show it: {reason}"));
            }
            _ => return None,
        };
        let Hidden { test, at, candidate, .. } = &**hidden;
        let test = &self.read.suite.tests[*test];
        let state = test.trace.states.get(*at)?;
        let differs = |var: &VarId| candidate.get(*var) != state.get(*var);
        let value = |var: VarId| {
            let other = candidate.get(var).map_or_else(String::new, |value| self.model.show_of(var, value));
            format!("{} = {other}", self.model[var].name)
        };
        let others: Vec<String> = self.model.vars().map(|(var, _)| var).filter(differs).map(value).collect();
        Some(format!(
            "killed, but not visibly: in state {} of `{}`, no output rules out {}",
            at + 1,
            test.name,
            others.join(", ")
        ))
    }

    /// The score by weak kills, if it differs in kind: whether a tester could tell does not matter.
    pub fn weak_score(&self) -> Option<Group> {
        if self.sights.iter().all(Option::is_none) {
            return None;
        }
        let mut group = Group::default();
        for goal in 0..self.goals.len() {
            let is_counted = self.counts(goal) || matches!(self.sight(goal), Some(Sight::Indistinguishable));
            group.total += usize::from(is_counted);
            group.reached += usize::from(is_counted && self.is_reached_weakly(goal));
        }
        Some(group)
    }

    /// Tests for the goals that are missed, as far as they were looked for.
    pub fn suggestions(&self) -> Suite {
        suggest(&self.model, &self.goals, &self.fates)
    }

    /// How many of the goals that count and satisfy a condition are reached.
    pub fn share(&self, wanted: impl Fn(&Goal) -> bool) -> Group {
        let mut group = Group::default();
        for (index, _) in self.goals.iter().enumerate().filter(|(index, goal)| self.counts(*index) && wanted(goal)) {
            group.total += 1;
            group.reached += usize::from(self.is_reached(index));
        }
        group
    }

    /// The tables of the model, if the goals are about them.
    pub fn tables(&self) -> Option<Vec<Marked>> {
        let tests = &self.read.suite.tests;
        tables::marked(&self.model, &self.goals, |goal| {
            let covering: Vec<String> = self.grade.matrix.tests_of(goal).map(|test| tests[test].name.clone()).collect();
            match self.fates[goal] {
                _ if !covering.is_empty() => Covered::By(covering),
                GoalGrade::Missed(Some(Answer::Impossible(_))) => Covered::Infeasible,
                _ => Covered::Missed,
            }
        })
    }

    /// The number of goals with such a grade.
    pub fn n_fates(&self, wanted: impl Fn(&GoalGrade) -> bool) -> usize {
        self.fates.iter().filter(|fate| wanted(fate)).count()
    }
}

/// The score after a step of winnowing.
#[derive(Clone, Debug)]
pub struct Effect {
    /// What was left out last.
    pub step: &'static str,
    /// The score.
    pub share: Group,
}

/// How many goals were left out for each that is left; nothing if none is left.
pub fn ratio(before: Group, after: Group) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "no suite has 2^52 goals")]
    let ratio = (before.total - after.total) as f64 / after.total as f64;
    ratio.is_finite().then_some(ratio)
}

/// A test of the model that refutes a property of the model: either that one fails, or it speaks of some paths only.
fn warn_of_killed_originals(events: &mut dyn Events, model: &Model, suite: &Suite) {
    let claims: Vec<(usize, &Property)> =
        model.properties.iter().enumerate().filter(|(_, property)| property.kind.is_claim()).collect();
    let targets = claims.iter().map(|(_, property)| Query::Falsify(property.formula.expr));
    let grader = Grader::new(model, targets, Quantifiers::Branching);
    let matrix = grade_with(model, &grader, suite).matrix;
    for claim in matrix.reached().iter() {
        let test = matrix.tests_of(claim).next().map_or("", |test| &suite.tests[test].name);
        let (index, property) = claims[claim];
        let name = property.name.clone().unwrap_or_else(|| format!("number {}", index + 1));
        events.warning(format_args!("the model itself violates property {name}, as test `{test}` shows"));
    }
}
