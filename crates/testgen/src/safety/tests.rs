//! Failing and passing tests for dangerous mutants: a shortest one of each for every danger, and a small subset with
//! the same coverage.

use super::analyse::{Analysis, Found, changed};
use super::cover::{Candidate, cover, few};
use crate::generate::slug;
use crate::grade::Bits;
use crate::suite::{Expect, GoalCounts, Suite, Test};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use specwright_mc::{Answer, Danger, Failing, Symbolic};
use specwright_model::hash::model_hash;
use specwright_model::interp::{check_state, check_step, check_trace, eval_bool};
use specwright_model::{ExprId, Model, State, TransitionSystem};
use std::ops::ControlFlow;

/// A goal of safety tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Goal {
    /// The mutant, by its index in the analysis.
    pub mutant: usize,
    /// The property, by its index in the analysis.
    pub property: usize,
    /// The kind of danger.
    pub danger: Danger,
    /// How the test continues the dangerous trace.
    pub kind: Kind,
}

/// How a test continues a dangerous trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The trace is a prefix of the test.
    Prefix,
    /// With a step of the machine; it must be accepted.
    Passing,
    /// To a violation; it must be rejected.
    Failing,
}

impl Kind {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Prefix => "prefix",
            Kind::Passing => "passing",
            Kind::Failing => "failing",
        }
    }
}

impl Goal {
    /// A stable id, such as `SNO-3fa91c07:cruise_is_safe:EX:failing`.
    pub fn id(&self, analysis: &Analysis) -> String {
        let mutant = &analysis.found[self.mutant].mutant.id;
        let property = &analysis.invariants[self.property].name;
        format!("{mutant}:{property}:{}:{}", self.danger.name(), self.kind.word())
    }
}

/// The tests for the dangerous mutants of an analysis.
pub struct Tests {
    goals: Vec<Goal>,
    /// For each goal whether some test covers it. A goal is infeasible if there is no such dangerous trace; or, for a
    /// passing test, if the machine is stuck after all of them.
    answers: Vec<Answer<()>>,
    candidates: Vec<Candidate>,
    /// For each candidate the index of the goal that it was made for.
    made_for: Vec<usize>,
    /// For each candidate the goals that it covers, and its number of states.
    covered: Vec<(Bits, usize)>,
}

/// The answer where a limit was reached, or the run was stopped.
const UNDECIDED: Answer<()> = Answer::INTERRUPTED;

impl Tests {
    /// Makes tests for some kinds of danger. The observer is called for each mutant and may stop it.
    pub fn new(
        engine: &mut Symbolic,
        analysis: &Analysis,
        dangers: &[Danger],
        observe: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Tests {
        let mut goals = Vec::new();
        let mut answers = Vec::new();
        let mut pool: IndexMap<Candidate, usize, FxBuildHasher> = IndexMap::default();
        let mut stopped = false;
        for (mutant, found) in analysis.found.iter().enumerate() {
            stopped |= observe(mutant).is_break();
            for property in 0..analysis.invariants.len() {
                for danger in dangers {
                    let has = found.has(property, *danger).filter(|_| !stopped);
                    let [failing, passing] = match has {
                        None => [UNDECIDED, UNDECIDED],
                        Some(false) => [Answer::INFEASIBLE, Answer::INFEASIBLE],
                        Some(true) => pair(engine, analysis, found, property, *danger, &mut |candidate, kind| {
                            let goal = goals.len() + usize::from(kind == Kind::Passing);
                            pool.entry(candidate).or_insert(goal);
                        }),
                    };
                    for (kind, answer) in [(Kind::Failing, failing), (Kind::Passing, passing)] {
                        goals.push(Goal { mutant, property, danger: *danger, kind });
                        answers.push(answer);
                    }
                }
            }
        }
        let (candidates, made_for): (Vec<Candidate>, Vec<usize>) = pool.into_iter().unzip();
        let covered = cover(engine, analysis, &goals, &candidates);
        for (goal, _) in answers.iter().enumerate().filter(|(_, answer)| answer.is_found()) {
            assert!(covered.iter().any(|test| test.contains(goal)), "a test covers what it was made for");
        }
        let lengths = candidates.iter().map(|candidate| candidate.trace.states.len());
        let covered = covered.into_iter().zip(lengths).collect();
        Tests { goals, answers, candidates, made_for, covered }
    }

    /// Number of tests of a kind that are enough for a property and a danger.
    pub fn n_needed(&self, property: usize, danger: Danger, kind: Kind) -> usize {
        let wanted = |goal: &Goal| goal.property == property && goal.danger == danger && goal.kind == kind;
        self.choose(wanted).len()
    }

    /// Number of goals of a kind that have a test.
    pub fn n_covered(&self, property: usize, danger: Danger, kind: Kind) -> usize {
        let wanted = |goal: &Goal| goal.property == property && goal.danger == danger && goal.kind == kind;
        let goals = self.goals.iter().zip(&self.answers);
        goals.filter(|(goal, answer)| wanted(goal) && answer.is_found()).count()
    }

    /// The numbers of goals by result.
    pub fn counts(&self) -> GoalCounts {
        let n = |is: fn(&Answer<()>) -> bool| self.answers.iter().filter(|answer| is(answer)).count();
        let (covered, infeasible, unknown) = (n(Answer::is_found), n(Answer::is_impossible), n(Answer::is_undecided));
        GoalCounts { total: self.goals.len(), covered, infeasible, unknown, ..GoalCounts::default() }
    }

    /// A small set of tests that covers all feasible goals: first passing tests, then failing ones.
    pub fn suite(&self, model: &Model, analysis: &Analysis) -> Suite {
        let mut tests = Vec::new();
        for kind in [Kind::Passing, Kind::Failing] {
            for index in self.choose(|goal| goal.kind == kind) {
                tests.push(self.test(model, analysis, index));
            }
        }
        let model_hash = Some(model_hash(model));
        Suite { model: model.name.clone(), model_hash, tests, goals: Some(self.counts()) }
    }

    fn choose(&self, wanted: impl Fn(&Goal) -> bool) -> Vec<usize> {
        let mut goals = Bits::new(self.goals.len());
        for (index, _) in self.goals.iter().enumerate().filter(|(_, goal)| wanted(goal)) {
            goals.insert(index);
        }
        few(&goals, &self.covered)
    }

    fn test(&self, model: &Model, analysis: &Analysis, index: usize) -> Test {
        let Candidate { trace, departure } = self.candidates[index].clone();
        let goal = self.goals[self.made_for[index]];
        let mutant = &analysis.found[goal.mutant].mutant;
        let property = &analysis.invariants[goal.property].name;
        let mut notes = vec![String::new(); trace.states.len()];
        let last = notes.len() - 1;
        let (id, change) = (mutant.id, mutant.description(model));
        if let Some(departure) = departure {
            notes[departure] = format!("only {id} ({change}) takes this step");
            let end = format!("breaks {property}");
            notes[last] = if departure == last { format!("{}, and {end}", notes[departure]) } else { end };
        } else {
            notes[last - 1] = format!("here {id} ({change}) can continue to a violation of {property}");
            notes[last] = "the machine takes this step".into();
        }
        let goals = self.covered[index].0.iter().map(|goal| self.goals[goal].id(analysis)).collect();
        let (word, expect) = match departure {
            Some(_) => ("failing", Expect::Reject),
            None => ("passing", Expect::Accept),
        };
        let danger = goal.danger.name();
        let name = format!("{word}-{}-{danger}-{id}", slug(property)).to_ascii_lowercase();
        let shows = match departure {
            Some(_) => format!("Fails if the mutant {id} ({change}) breaks {property}"),
            None => format!("Passes where the mutant {id} ({change}) can continue to a violation of {property}"),
        };
        Test { shows, expect, departure, goals, notes, ..Test::new(name, trace) }
    }
}

/// A shortest failing test and a passing test for one danger, and the results of both goals.
fn pair(
    engine: &mut Symbolic,
    analysis: &Analysis,
    found: &Found,
    property: usize,
    danger: Danger,
    add: &mut dyn FnMut(Candidate, Kind),
) -> [Answer<()>; 2] {
    let (Some(variant), Some(Ok(Some(dangers)))) = (&found.variant, found.dangers.get(property)) else {
        unreachable!("only what is known to be dangerous is asked for")
    };
    let failing = match engine.failing(variant, dangers, danger) {
        Ok(failing) => failing.expect("a dangerous trace leads to a violation"),
        Err(_) => return [UNDECIDED, UNDECIDED],
    };
    let passing = engine.passing(dangers, danger, &failing);
    if let Err(wrong) = replay(engine.system(), found, analysis.invariants[property].expr, &failing) {
        panic!("the engine found a failing test that the interpreter rejects: {wrong}\n{failing:?}");
    }
    add(Candidate { trace: failing.trace, departure: Some(failing.departure) }, Kind::Failing);
    let passing = match passing {
        Ok(Some(trace)) => {
            add(Candidate { trace, departure: None }, Kind::Passing);
            Answer::Found(())
        }
        Ok(None) => Answer::INFEASIBLE,
        Err(_) => UNDECIDED,
    };
    [Answer::Found(()), passing]
}

/// Replays a failing test by the explicit semantics: an execution of the machine, then a step of the mutant alone, then
/// steps of either, and a violation at the end and not before.
fn replay(model: &TransitionSystem, found: &Found, safe: ExprId, failing: &Failing) -> Result<(), String> {
    let Failing { trace, departure } = failing;
    let (before, after) = trace.states.split_at(*departure);
    check_trace(model, &specwright_model::Trace { states: before.to_vec(), loop_start: None })
        .map_err(|error| error.describe(model))?;
    let mutated = changed(model, &found.changes);
    let takes = |model: &TransitionSystem, now: &State, next: &State| {
        check_state(model, now).is_ok() && check_step(model, now, next).is_ok()
    };
    for (index, next) in after.iter().enumerate() {
        let now = &trace.states[departure + index - 1];
        let original = takes(model, now, next);
        let mutant = takes(&mutated, now, next);
        let allowed = if index == 0 { mutant && !original } else { mutant || original };
        if !allowed {
            return Err(format!("step {} is of the machine: {original}, of the mutant: {mutant}", departure + index));
        }
        let is_safe = eval_bool(model, safe, next, None).map_err(|error| error.describe(model))?;
        if is_safe != (index + 1 < after.len()) {
            return Err(format!("state {} is safe: {is_safe}", departure + index + 1));
        }
    }
    Ok(())
}
