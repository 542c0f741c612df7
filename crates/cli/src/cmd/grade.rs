//! `specwright grade`: how good is a suite of tests?

mod document;
mod equivalent;
pub(super) mod explain;
pub(super) mod page;
pub(super) mod reports;
mod subject;
mod subsumption;
mod text;

use crate::args::{Grade, GradeFormat, JudgeArgs, ModelArgs, QuantifierName, WinnowName};
use crate::cmd::goals;
use crate::cmd::tables::{self, Covered};
use crate::cmd::winnow::{self, Wanted};
use crate::console::{self, Console};
use crate::diagnostics::{self, count};
use crate::exit_code::ExitCode;
use crate::load;
use crate::suites;
use anyhow::Context;
use specwright_mc::{Answer, Proof, Query};
use specwright_model::unparse::print_model;
use specwright_model::{Model, Trace};
use specwright_syntax::span::SourceMap;
use specwright_testgen::cfsm::cfsm;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{
    Bits, GoalGrade, Grade as Graded, Grader, Group, Quantifiers, goal_grades, grade_with, suggest, unasked_grades,
    undecided_grades, unreachable,
};
use specwright_testgen::suite::{Read, Suite, Validated, validate};
use specwright_testgen::winnow::{Redundant, Which, Winnowing};
use std::collections::BTreeMap;
use std::path::Path;

pub fn run(console: &mut Console, args: &Grade) -> anyhow::Result<ExitCode> {
    let question = Question {
        subsumption: args.subsumption.is_some(),
        tests: args.suggest || args.suggest_out.is_some(),
        machines: args.emit_cfsm.as_deref(),
        ..Question::new(args.model.clone(), Some(&args.suite), &args.judging, &args.winnow)
    };
    let (sources, result) = match evaluate(console, &question)? {
        Ok(evaluated) => evaluated,
        Err(code) => return Ok(code),
    };
    if let Some(path) = &args.subsumption {
        subsumption::write(path, &sources, &result)?;
    }
    let suggestions = question.tests.then(|| suggest(&result.model, &result.goals, &result.fates));
    match args.format {
        GradeFormat::Text => text::print(console, &sources, &result, args, suggestions.as_ref())?,
        GradeFormat::Sarif => console.document(reports::survivors(&sources, &result))?,
        GradeFormat::Stryker => console.document(reports::mutants(&sources, &result, &args.suite))?,
        GradeFormat::Json => {
            let document = document::document(&sources, &result, args, suggestions.as_ref());
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    if let (Some(path), Some(suite)) = (&args.suggest_out, &suggestions) {
        suites::write(path, &result.model, suite)?;
        console.note(format_args!("{} written to {}", count(suite.tests.len(), "test"), path.display()));
    }
    Ok(result.exit_code())
}

/// How good is a suite, and what else is to be found out about it?
pub(super) struct Question<'a> {
    model: ModelArgs,
    /// None has no tests.
    suite: Option<&'a Path>,
    judging: &'a JudgeArgs,
    /// Which goals do not count.
    winnow: &'a [WinnowName],
    /// Which goals come for free with which.
    subsumption: bool,
    /// How hard to try to find out what says the same and what comes for free, in steps of decision diagrams; they do
    /// not depend on the machine's speed.
    pub(super) winnow_steps: Option<u64>,
    /// Tests for what survives.
    tests: bool,
    /// Where to write the constrained machine of each test.
    machines: Option<&'a Path>,
    /// The one goal or test that somebody wants to hear about; nobody asks about the others.
    pub(super) only: Option<&'a str>,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        model: ModelArgs,
        suite: Option<&'a Path>,
        judging: &'a JudgeArgs,
        winnow: &'a [WinnowName],
    ) -> Question<'a> {
        let (subsumption, winnow_steps, tests, machines, only) = (false, None, false, None, None);
        Question { model, suite, judging, winnow, subsumption, winnow_steps, tests, machines, only }
    }

    /// Whether more is to be known than what the tests reach.
    fn asks(&self) -> bool {
        self.tests || self.subsumption || winnow::which(self.winnow) != Wanted::default()
    }
}

/// Grades a suite. What is wrong with the model or the suite is reported.
pub(super) fn evaluate(
    console: &mut Console,
    question: &Question<'_>,
) -> anyhow::Result<Result<(SourceMap, Outcome), ExitCode>> {
    let args = question.judging;
    let mut asked = args.goals.clone();
    if asked.is_silent() && !args.property.is_empty() {
        asked.criterion.push("mutation".into());
    }
    let mut loaded = match load::load_unevaluated(console, &question.model.with_goals(&asked)) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(Err(code)),
    };
    let mapping = args.mapping.as_deref();
    let read = match question.suite {
        Some(path) => suites::read(console, &mut loaded.sources, &loaded.model, path, mapping)?,
        None => Some(suites::empty(&loaded.model)),
    };
    let Some(read) = read else { return Ok(Err(ExitCode::Invalid)) };
    let wanted = match goals::wanted(console, &mut loaded, &asked, question.model.reading.dialect)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(Err(code)),
    };
    let ignores = goals::ignores(&args.goals.ignores)?;
    let chosen: Vec<usize> =
        args.property.iter().map(|name| goals::property(&loaded.model, name)).collect::<anyhow::Result<_>>()?;
    let counts = |goal: &Goal| chosen.is_empty() || goal.property.is_some_and(|property| chosen.contains(&property));
    let subject = if args.focus.keep.is_empty() {
        subject::whole(console, &mut loaded, &wanted, question, &read.suite, &counts)
    } else {
        subject::focused(console, &mut loaded, wanted, question, &read.suite, &counts)
    };
    let mut subject = match subject {
        Ok(subject) => subject,
        Err(code) => return Ok(Err(code)),
    };
    let (sources, model, goals) = (loaded.sources, subject.model.clone(), subject.goals.clone());
    let ignored = goals::ignored(console, &ignores, &goals, &args.goals);

    let quantifiers = Quantifiers::from(args.quantifiers);
    let targets = || goals.iter().map(|goal| goal.target);
    let grader = Grader::new(&model, targets(), quantifiers);
    let mut grade = grade_with(&model, &grader, &read.suite);
    if let Some(folder) = question.machines {
        emit(&model, &read.suite, &targets().collect::<Vec<_>>(), folder)?;
    }
    let misfits = grade.invalid_tests.iter().map(|(test, misfit)| read.invalid(&model, *test, misfit));
    diagnostics::report(console, &sources, &misfits.collect::<Vec<_>>());
    warn_of_killed_originals(console, &model, &read.suite);

    let reached = grade.matrix.reached();
    let mut wanted = winnow::which(question.winnow);
    wanted.others.subsumed |= question.subsumption;
    let fates = match &mut subject.engine {
        Some(engine) if question.asks() => {
            let surely = match quantifiers {
                Quantifiers::Branching => reached.clone(),
                Quantifiers::Path => {
                    let grader = Grader::new(&model, targets(), Quantifiers::Branching);
                    grade_with(&model, &grader, &read.suite).matrix.reached()
                }
            };
            let mut progress = console.progress(goals.len() - surely.count());
            let asked = |goal: usize| question.only.is_none_or(|name| goals[goal].id == name);
            let fates = goal_grades(engine, &subject.asked, &reached, &surely, &asked, &mut |done| {
                progress.at(done, "goals that no test reaches");
                !console::interrupted()
            });
            progress.finish();
            subject.restored(console, fates)
        }
        _ => subject.limit.map_or_else(|| unasked_grades(&reached), |limit| undecided_grades(&reached, limit)),
    };
    if wanted.consistent {
        grade.matrix = grade.matrix.without(&unreachable(&fates));
    }
    let winnowing = if let Some(engine) = subject.engine.as_mut().filter(|_| wanted.others != Which::default()) {
        let feasible = |goal: &usize| {
            matches!(fates[*goal], GoalGrade::Reached | GoalGrade::Missed(None | Some(Answer::Found(_))))
                && !ignored.contains_key(goal)
        };
        // Of goals that are the same, one that is reached stands for all.
        let (mut hit, missed): (Vec<usize>, Vec<usize>) =
            (0..goals.len()).filter(feasible).partition(|goal| matches!(fates[*goal], GoalGrade::Reached));
        hit.extend(missed);
        let executions = read.suite.tests.iter().filter_map(|test| match validate(&model, test) {
            Ok(Validated::Execution(trace)) => Some(trace),
            _ => None,
        });
        let known: Vec<Trace> = executions.collect();
        if let Some(steps) = question.winnow_steps {
            engine.allow_steps(steps);
        }
        winnow::winnow(console, engine, &goals, &hit, &known, wanted, args.duplicates)
    } else {
        Winnowing::nothing(goals.len())
    };
    if let Some(why) = console::why_stopped() {
        let n_open = fates.iter().filter(|fate| fate.is_undecided()).count();
        let same = if winnowing.n_unknown > 0 { ", and not all that says the same was found" } else { "" };
        console.warning(format_args!("{why}: {} not decided{same}", count(n_open, "goal")));
    }
    Ok(Ok((sources, Outcome { wanted, model, goals, read, grade, reached, fates, winnowing, ignored })))
}

/// Everything that there is to say.
pub(super) struct Outcome {
    /// What is left out of the score.
    wanted: Wanted,
    model: Model,
    goals: Vec<Goal>,
    read: Read,
    grade: Graded,
    /// The goals that some test reaches.
    reached: Bits,
    fates: Vec<GoalGrade>,
    winnowing: Winnowing,
    /// The goals that somebody has judged irrelevant, each with the reason. They do not count.
    ignored: BTreeMap<usize, String>,
}

impl Outcome {
    /// Whether a goal counts.
    fn counts(&self, goal: usize) -> bool {
        self.counts_after(goal, self.wanted)
    }

    /// Whether a goal counts if these are left out.
    fn counts_after(&self, goal: usize, wanted: Wanted) -> bool {
        let consistent = self.fates[goal].proof().is_some();
        let left_out = match self.winnowing.redundant[goal] {
            None => false,
            Some(Redundant::Trivial) => wanted.others.trivial,
            Some(Redundant::Duplicate(_)) => wanted.others.duplicates || wanted.others.subsumed,
            Some(Redundant::Subsumed) => wanted.others.subsumed,
        };
        !(left_out || wanted.consistent && consistent || self.ignored.contains_key(&goal))
    }

    /// Whether a goal is reached and counts as such.
    fn is_reached(&self, goal: usize) -> bool {
        matches!(self.fates[goal], GoalGrade::Reached) || (!self.wanted.consistent && self.reached.contains(goal))
    }

    /// The score after each step of winnowing, from nothing left out to all that the user wants left out.
    fn effects(&self) -> Vec<Effect> {
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
            share.reached += usize::from(self.reached.contains(goal));
        }
        Effect { step, share }
    }

    /// The goals that count and are not reached.
    fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.goals.len()).filter(|goal| self.counts(*goal) && !self.is_reached(*goal))
    }

    /// The goals that only a contradiction in the specification stops, with the ways to it.
    fn inconsistent(&self) -> impl Iterator<Item = (usize, &Trace)> + '_ {
        let found = self.fates.iter().enumerate().filter_map(|(goal, fate)| match fate {
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(Some(trace))))) => Some((goal, &**trace)),
            _ => None,
        });
        found.filter(|(goal, _)| !self.ignored.contains_key(goal))
    }

    /// How many of the goals that count and satisfy a condition are reached.
    fn share(&self, wanted: impl Fn(&Goal) -> bool) -> Group {
        let mut group = Group::default();
        for (index, _) in self.goals.iter().enumerate().filter(|(index, goal)| self.counts(*index) && wanted(goal)) {
            group.total += 1;
            group.reached += usize::from(self.is_reached(index));
        }
        group
    }

    fn n_fates(&self, wanted: impl Fn(&GoalGrade) -> bool) -> usize {
        self.fates.iter().filter(|fate| wanted(fate)).count()
    }

    /// The tables of the model, if the goals are about them.
    fn tables(&self) -> Option<Vec<tables::Marked>> {
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

    pub(super) fn exit_code(&self) -> ExitCode {
        let mut survivors = self.survivors().map(|goal| &self.fates[goal]).peekable();
        if !self.grade.invalid_tests.is_empty() || self.inconsistent().next().is_some() {
            ExitCode::Found
        } else if survivors.peek().is_none() {
            ExitCode::Good
        } else if survivors.all(specwright_testgen::grade::GoalGrade::is_undecided) || console::interrupted() {
            ExitCode::Unknown
        } else {
            ExitCode::Found
        }
    }
}

/// The score after a step of winnowing.
struct Effect {
    /// What was left out last.
    step: &'static str,
    share: Group,
}

impl From<QuantifierName> for Quantifiers {
    fn from(name: QuantifierName) -> Quantifiers {
        match name {
            QuantifierName::Path => Quantifiers::Path,
            QuantifierName::Branching => Quantifiers::Branching,
        }
    }
}

/// A test of the model that refutes a property of the model: either that one fails, or it speaks of some paths only.
fn warn_of_killed_originals(console: &mut Console, model: &Model, suite: &Suite) {
    let targets = model.properties.iter().map(|property| Query::Falsify(property.formula.expr));
    let grader = Grader::new(model, targets, Quantifiers::Branching);
    let matrix = grade_with(model, &grader, suite).matrix;
    for property in matrix.reached().iter() {
        let test = matrix.tests_of(property).next().map_or("", |test| &suite.tests[test].name);
        let fallback = || format!("number {}", property + 1);
        let name = model.properties[property].name.clone().unwrap_or_else(fallback);
        console.warning(format_args!("the model does not satisfy property {name} itself, as test `{test}` shows"));
    }
}

/// Writes the constrained machine of every test.
fn emit(model: &Model, suite: &Suite, targets: &[Query], folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (index, test) in suite.tests.iter().enumerate() {
        let Ok(Validated::Execution(trace)) = validate(model, test) else { continue };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name: String = test.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let path = folder.join(format!("{:03}-{name}.smv", index + 1));
        let text = machine_text(model, &test.name, &trace, targets);
        suites::write_file(&path, text)?;
    }
    Ok(())
}

fn machine_text(model: &Model, name: &str, trace: &Trace, targets: &[Query]) -> String {
    let machine = cfsm(model, trace, targets);
    let name = specwright_syntax::escape::visible(name);
    format!("-- test {name}: a property is false here exactly if the test kills it\n{}", print_model(&machine))
}
