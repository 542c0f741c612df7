//! `specwright minimize`: the smallest suite that reaches what a suite reaches.

mod counting;

use crate::args::{Format, Minimize, ObjectiveName};
use crate::cmd::goals;
use crate::columns::{Align, Columns};
use crate::console::{self, Console};
use crate::diagnostics::{self, count};
use crate::exit_code::ExitCode;
use crate::load;
use crate::suites;
use serde::Serialize;
use specwright_mc::Symbolic;
use specwright_model::hash::model_hash;
use specwright_model::{Model, Trace};
use specwright_testgen::criteria;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Grader, Matrix, Quantifiers};
use specwright_testgen::minimize::{Minimum, Objective, Options, minimize, synthesize};
use specwright_testgen::pair::Ground;
use specwright_testgen::suite::{Expect, Invalid, Suite, Test, Validated, validate};
use std::fmt::Write;

pub fn run(console: &mut Console, args: &Minimize) -> anyhow::Result<ExitCode> {
    let mut loaded = match load::load_unevaluated(console, &args.model.with_goals(&args.goals)) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let Some(read) = suites::read(console, &mut loaded.sources, &loaded.model, &args.suite, args.mapping.as_deref())?
    else {
        return Ok(ExitCode::Invalid);
    };
    let wanted = match goals::wanted(console, &mut loaded, &args.goals, args.model.reading.dialect)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    let mut engine = None;
    let collected = if args.synthesize || wanted.gain_by_engine() {
        match load::engine(console, &loaded, &args.limits.options()) {
            Ok(made) => criteria::collect(engine.insert(made), &wanted),
            Err(code) => return Ok(code),
        }
    } else {
        criteria::collect_without_engine(&mut loaded.model, &wanted)
    };
    let mut goals = match goals::require(console, &loaded.sources, &wanted, collected) {
        Ok(goals) => goals,
        Err(code) => return Ok(code),
    };
    goals::leave_out(console, &mut goals, &args.goals)?;
    let tests = goals::executions(&loaded.model, &read.suite, &goals);
    let ground = match &mut engine {
        Some(engine) => Ground::Engine(engine),
        None => Ground::Model(&mut loaded.model),
    };
    goals::settle_pairs(console, ground, &mut goals, &tests);
    let model = engine.as_ref().map_or(&loaded.model, Symbolic::model).clone();
    let n_goals = goals.len();

    // Tests that are to be rejected reach nothing, and stay.
    let (mut executions, mut others, mut misfits) = (Vec::new(), Vec::new(), Vec::new());
    for (index, test) in read.suite.tests.iter().enumerate() {
        match validate(&model, test) {
            Ok(Validated::Execution(trace)) => executions.push((index, trace)),
            Ok(Validated::Rejected) => others.push(index),
            Err(misfit) => misfits.push((index, misfit)),
        }
    }
    let found: Vec<_> =
        misfits.iter().map(|(test, misfit): &(usize, Invalid)| read.invalid(&model, *test, misfit)).collect();
    diagnostics::report(console, &loaded.sources, &found);
    let traces: Vec<&Trace> = executions.iter().map(|(_, trace)| trace).collect();
    let lost = counting::unreachable(console, &model, &goals, &traces, engine.as_mut(), &args.limits.options());
    let mut place = 0..;
    goals.retain(|_| place.next().is_some_and(|goal| !lost.contains(goal)));
    let mut grader = Grader::new(&model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
    let rows: Vec<Bits> = executions.iter().map(|(_, trace)| grader.reached(&model, trace)).collect();
    let matrix = Matrix::new(goals.len(), rows);
    let objective = match args.objective {
        ObjectiveName::Tests => Objective::Tests,
        ObjectiveName::Steps => Objective::Steps,
    };
    let options = Options { greedy: args.greedy, deadline: console.deadline() };
    let costs = objective.costs(executions.iter().map(|(_, trace)| trace));
    let minimum = minimize(&matrix, &costs, options);

    let mut kept: Vec<(usize, Trace)> = minimum.tests.iter().map(|test| executions[*test].clone()).collect();
    let mut changes = None;
    if let Some(engine) = engine.as_mut().filter(|_| args.synthesize) {
        let traces: Vec<Trace> = executions.iter().map(|(_, trace)| trace.clone()).collect();
        let mut progress = console.progress(1);
        let made = synthesize(engine, &goals, &mut grader, &traces, objective, options, &mut || {
            progress.at(0, "tests are joined");
            !console::interrupted()
        });
        progress.finish();
        changes = Some((made.n_cut, made.n_joined));
        kept = made.tests.into_iter().map(|(origin, trace)| (executions[origin].0, trace)).collect();
    }
    let suite = suite(&model, &goals, &mut grader, &read.suite, &kept, &others);
    let mut reached = Bits::new(goals.len());
    for (_, trace) in &kept {
        reached.union_with(&grader.reached(&model, trace));
    }
    assert!(matrix.reached().is_subset(&reached), "a smaller suite reaches what the suite reached");

    let before = Size::new(executions.iter().map(|(_, trace)| trace));
    let after = Size::new(kept.iter().map(|(_, trace)| trace));
    let result = Outcome { before, after, n_reached: matrix.reached().count(), n_goals, minimum, changes };
    match args.format {
        Format::Text => console.out(result.text(args, &read.suite, &suite, &others))?,
        Format::Json => {
            let document = result.document(&model, args, &read.suite, &suite);
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    if let Some(path) = &args.out {
        suites::write(path, &model, &suite)?;
        console.note(format_args!("{} written to {}", count(suite.tests.len(), "test"), path.display()));
    }
    let why_open = console::why_stopped().filter(|_| args.synthesize || !result.minimum.is_optimal());
    if let Some(why) = why_open {
        console.warning(format_args!("{why}: a smaller suite may exist"));
    }
    Ok(match misfits.is_empty() {
        false => ExitCode::Found,
        true if why_open.is_some() => ExitCode::Unknown,
        true => ExitCode::Good,
    })
}

/// The tests that are left, in the order of the suite, with what they reach now.
fn suite(
    model: &Model,
    goals: &[Goal],
    grader: &mut Grader,
    old: &Suite,
    kept: &[(usize, Trace)],
    others: &[usize],
) -> Suite {
    let mut tests: Vec<(usize, Test)> = Vec::new();
    for (index, trace) in kept {
        let mut test = old.tests[*index].clone();
        test.goals = grader.reached(model, trace).iter().map(|goal| goals[goal].id.clone()).collect();
        // Notes say why states are there; those of states that are gone say nothing any more.
        test.notes.truncate(trace.states.len());
        test.trace = trace.clone();
        test.expect = Expect::Accept;
        tests.push((*index, test));
    }
    tests.extend(others.iter().map(|index| (*index, old.tests[*index].clone())));
    tests.sort_by_key(|(index, _)| *index);
    let tests = tests.into_iter().map(|(_, test)| test).collect();
    Suite { model: model.name.clone(), model_hash: Some(model_hash(model)), tests, goals: None }
}

#[derive(Clone, Copy, Serialize)]
struct Size {
    tests: usize,
    steps: usize,
}

impl Size {
    fn new<'t>(traces: impl Iterator<Item = &'t Trace>) -> Size {
        traces.fold(Size { tests: 0, steps: 0 }, |size, trace| Size {
            tests: size.tests + 1,
            steps: size.steps + trace.n_steps(),
        })
    }
}

/// Everything that there is to say.
struct Outcome {
    before: Size,
    after: Size,
    n_reached: usize,
    n_goals: usize,
    /// The best choice among the tests as they are.
    minimum: Minimum,
    /// How many tests were cut and how many joined, if that was asked for.
    changes: Option<(usize, usize)>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    model: String,
    objective: String,
    goals: usize,
    reached: usize,
    before: Size,
    after: Size,
    /// The best choice among the tests as they are: what it costs, and a proven bound.
    choice: Choice,
    #[serde(skip_serializing_if = "Option::is_none")]
    synthesis: Option<Synthesis>,
    kept: Vec<String>,
    left_out: Vec<String>,
}

#[derive(Serialize)]
struct Choice {
    cost: u64,
    bound: u64,
    optimal: bool,
    gap: f64,
}

#[derive(Serialize)]
struct Synthesis {
    cut: usize,
    joined: usize,
}

impl Outcome {
    fn proof(&self) -> String {
        let bound = self.minimum.bound;
        if self.minimum.is_optimal() {
            "optimal".into()
        } else {
            format!("not proven optimal: at least {bound}, a gap of {:.1} %", self.minimum.gap() * 100.0)
        }
    }

    fn text(&self, args: &Minimize, old: &Suite, new: &Suite, others: &[usize]) -> String {
        let mut columns = Columns::new([("", Align::Left), ("tests", Align::Right), ("steps", Align::Right)]);
        let row = |name: &str, size: Size| [name.to_owned(), size.tests.to_string(), size.steps.to_string()];
        columns.row(row("before", self.before));
        columns.row(row("after", self.after));
        let what = format!("{:?}", args.objective).to_lowercase();
        let mut text = format!("{columns}\n");
        let (cost, proof) = (self.minimum.cost, self.proof());
        let _ = match self.changes {
            None => write!(text, "{cost} {what}, {proof}"),
            Some((cut, joined)) => {
                write!(
                    text,
                    "{cut} cut, {joined} joined to another one; without that the least is {cost} {what}, {proof}"
                )
            }
        };
        let _ = writeln!(text, "; {} of {} goals reached, before and after", self.n_reached, self.n_goals);
        if !others.is_empty() {
            let _ = writeln!(text, "{} to be rejected stay as they are", count(others.len(), "test"));
        }
        let mut columns = Columns::new([("kept", Align::Left), ("steps", Align::Right), ("", Align::Left)]);
        for test in &new.tests {
            let before = old.tests.iter().find(|old| old.name == test.name).map_or(0, |old| old.trace.n_steps());
            let now = test.trace.n_steps();
            let remark = match before.cmp(&now) {
                std::cmp::Ordering::Less => format!("{} more", now - before),
                std::cmp::Ordering::Equal => String::new(),
                std::cmp::Ordering::Greater => format!("{} fewer", before - now),
            };
            columns.row([test.name.clone(), now.to_string(), remark]);
        }
        format!("{text}\n{columns}")
    }

    fn document(&self, model: &Model, args: &Minimize, old: &Suite, new: &Suite) -> Document {
        let names = |suite: &Suite| suite.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
        let kept = names(new);
        Document {
            schema: "specwright/minimize/1",
            model: model.name.clone(),
            objective: format!("{:?}", args.objective).to_lowercase(),
            goals: self.n_goals,
            reached: self.n_reached,
            before: self.before,
            after: self.after,
            choice: Choice {
                cost: self.minimum.cost,
                bound: self.minimum.bound,
                optimal: self.minimum.is_optimal(),
                gap: self.minimum.gap(),
            },
            synthesis: self.changes.map(|(cut, joined)| Synthesis { cut, joined }),
            left_out: names(old).into_iter().filter(|name| !kept.contains(name)).collect(),
            kept,
        }
    }
}
