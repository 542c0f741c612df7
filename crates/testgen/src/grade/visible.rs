//! Visible kills of property mutants.
//!
//! A trace kills a mutated property *weakly* if it violates it. It kills *visibly* if a tester could tell. This is defined
//! for `AG p` and `AG (p -> AX q)`, the forms that reflection makes. The violation is in a state of the trace. The
//! *candidates* are the states that differ from it only in internal variables that the formula reads, and in which the
//! mutant would not be violated. A suite kills visibly if it tells the state from every candidate: for each, some test
//! through this point goes on to other outputs. The point is the state, or the step to it for `AG (p -> AX q)`.
//! Candidates whose outputs are the same in every continuation cannot be told apart, and do not count at this point. A mutant
//! is indistinguishable if that is proved at all points that any execution goes through. Without internal variables there
//! are no candidates: inputs and outputs show the violation themselves.
//!
//! One point that shows a mutant is enough, and more tests show no less. So the score never falls when tests are added.

use crate::goal::Goal;
use crate::policy::{
    EXECUTED, EXTENDED_POINTS, MAX_BEGINNINGS, MAX_CANDIDATES, MAX_POINTS, MAX_TOO_LARGE, TOLD_APART, TRIED_PLACES,
};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Certainty, Claim, Kill, Observer, Query, Reason, Search, Tester, with_values};
use specwright_model::interp::{Explorer, eval_bool, support};
use specwright_model::model::VarKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};
use std::collections::BTreeSet;

/// How well a suite kills a property mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Visibly.
    Visible,
    /// Weakly: tests go through a violation, and outputs do not show it.
    Hidden(Box<Hidden>),
    /// Weakly: at the points that tests go through no continuation shows the violation. This test shows it at another one.
    Elsewhere(Trace),
    /// In no execution do outputs show the violation. This was proved.
    Indistinguishable,
    /// Visible kills are not defined for its form.
    WeakOnly,
    /// It is not known whether more tests could show it.
    Undecided(Reason),
}

/// A violation that the outputs of a suite do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// A test through the violation.
    pub test: usize,
    /// The state of the test with the violation.
    pub at: usize,
    /// A state that the suite does not tell from it.
    pub candidate: State,
    /// A test that would.
    pub shown_by: Trace,
    /// Its state at which the candidate would take the place.
    pub shown_at: usize,
}

/// Values of internal variables.
type Internal = Vec<(VarId, Value)>;

/// The tests of a suite, to be looked at by a tester.
pub struct Viewer<'m> {
    system: &'m TransitionSystem,
    observer: &'m Observer,
    /// Executes tests.
    tester: Tester<'m>,
    /// Searches tests where the engine cannot decide.
    searcher: Tester<'m>,
    engine: Option<&'m mut (dyn Search + 'm)>,
    /// The tests. Of a loop there is one round: the state in which it starts is the last state again.
    tests: Vec<Trace>,
    loop_starts: Vec<Option<usize>>,
    /// All states of tests, in the forms that points need. Tests have many states in common.
    states: IndexSet<State, FxBuildHasher>,
    /// The indices of the states of each test.
    indices: Vec<Vec<Indices>>,
    /// The condition of a claim with its truth in states, as far as it is known. Of earlier claims, nothing is kept.
    truths: FxHashMap<(ExprId, usize), bool>,
    truths_of: Option<Claim>,
    /// For each point, the tests through it, each with the place.
    places: FxHashMap<Point, Vec<(usize, usize)>>,
    /// For a point and a candidate, what is known.
    known: FxHashMap<(Point, Internal), Told>,
    /// The number of searches that have reached their limit.
    n_too_large: usize,
}

/// The indices of a state of a test: the state itself, without inputs of the step from it, and without any inputs.
#[derive(Clone, Copy)]
struct Indices {
    state: usize,
    without_step_inputs: usize,
    without_inputs: usize,
}

/// A state in which a claim is violated, without inputs that the claim does not read; and the state before it with the
/// inputs of the step, for claims about steps.
type Point = (Option<usize>, usize);

/// Whether a suite tells two states apart.
#[derive(Clone, Debug)]
enum Told {
    Apart,
    /// It does not, but this test would, from this state on.
    By(Trace, usize),
    Never,
    Unknown(Reason),
}

impl<'m> Viewer<'m> {
    /// A viewer of tests, which are executions of the system. Without an engine of the system, more is undecided.
    pub fn new(
        system: &'m TransitionSystem,
        observer: &'m Observer,
        tests: Vec<Trace>,
        engine: Option<&'m mut (dyn Search + 'm)>,
    ) -> Viewer<'m> {
        let mut viewer = Viewer {
            system,
            observer,
            tester: Tester::new(system, observer, EXECUTED),
            searcher: Tester::new(system, observer, TOLD_APART),
            engine,
            loop_starts: tests.iter().map(|test| test.loop_start).collect(),
            tests: tests.into_iter().map(one_round).collect(),
            states: IndexSet::default(),
            indices: Vec::new(),
            truths: FxHashMap::default(),
            truths_of: None,
            places: FxHashMap::default(),
            known: FxHashMap::default(),
            n_too_large: 0,
        };
        (0..viewer.tests.len()).for_each(|test| viewer.index(test, 0));
        viewer
    }

    /// Enters the places of a test from a state on.
    fn index(&mut self, test: usize, from: usize) {
        if test == self.indices.len() {
            self.indices.push(Vec::new());
        }
        // The last state may have got inputs of a step.
        self.indices[test].truncate(from.saturating_sub(1));
        for at in self.indices[test].len()..self.tests[test].states.len() {
            let state = self.tests[test].states[at].clone();
            let forms = [self.system.without_step_inputs(&state), self.without_inputs(&state)];
            let [without_step_inputs, without_inputs] = forms.map(|form| self.states.insert_full(form).0);
            let state = self.states.insert_full(state).0;
            self.indices[test].push(Indices { state, without_step_inputs, without_inputs });
        }
        for at in from..self.tests[test].states.len() {
            for (is_step, reads_inputs) in [(false, false), (false, true), (true, false), (true, true)] {
                let point = self.point_at(test, at, is_step, reads_inputs);
                self.places.entry(point).or_default().push((test, at));
            }
        }
    }

    /// Adds a test after the last one, or continues a test: the new one begins like it.
    pub fn put(&mut self, test: usize, trace: Trace) {
        let known = self.tests.get(test).map_or(0, |test| test.states.len());
        let loop_start = trace.loop_start;
        if test == self.tests.len() {
            self.tests.push(one_round(trace));
            self.loop_starts.push(loop_start);
        } else {
            (self.tests[test], self.loop_starts[test]) = (one_round(trace), loop_start);
        }
        self.index(test, known);
        self.known.retain(|_, told| !matches!(told, Told::By(..)));
    }

    /// The point at a place of a test.
    fn point_at(&self, test: usize, at: usize, is_step: bool, reads_inputs: bool) -> Point {
        let indices = &self.indices[test];
        let before = at.checked_sub(1).filter(|_| is_step).map(|before| indices[before].state);
        (before, if reads_inputs { indices[at].without_step_inputs } else { indices[at].without_inputs })
    }

    fn without_inputs(&self, state: &State) -> State {
        let mut state = self.system.without_step_inputs(state);
        self.observer.inputs.iter().for_each(|var| state.set(*var, None));
        state
    }

    /// How well the tests kill a property mutant that these of them violate. One point at which they show it is enough. A
    /// mutant that no test violates is indistinguishable, or shown elsewhere.
    pub fn sight(&mut self, goal: &Goal, violating: &[usize]) -> Sight {
        let Some(claim) = self.claim(goal.target) else { return Sight::WeakOnly };
        if claim.internal.is_empty() {
            return Sight::Visible;
        }
        let points = self.points(&claim, violating, MAX_POINTS);
        if points.is_empty() && !violating.is_empty() {
            return Sight::WeakOnly;
        }
        let mut best = None;
        for (test, at) in points {
            match self.point(&claim, test, at) {
                Some(Sight::Visible) => return Sight::Visible,
                Some(sight @ Sight::Hidden(_)) if !matches!(best, Some(Sight::Hidden(_))) => best = Some(sight),
                Some(sight @ Sight::Undecided(_)) if best.is_none() => best = Some(sight),
                _ => {}
            }
        }
        match best {
            Some(hidden @ Sight::Hidden(_)) => hidden,
            undecided => self.elsewhere(&claim, undecided),
        }
    }

    /// For a property mutant that the tests kill visibly, at the first point that shows it: for each candidate the tests that
    /// tell it apart. A suite with one of the tests for each candidate kills the mutant visibly, too.
    pub fn shown_by(&mut self, goal: &Goal, violating: &[usize]) -> Vec<Vec<usize>> {
        let claim = self.claim(goal.target).filter(|claim| !claim.internal.is_empty());
        let Some(claim) = claim else { return Vec::new() };
        let reads_inputs = self.reads_inputs(&claim);
        for (test, at) in self.points(&claim, violating, MAX_POINTS) {
            if self.point(&claim, test, at) != Some(Sight::Visible) {
                continue;
            }
            let point = self.point_at(test, at, claim.is_step, reads_inputs);
            let places = self.places.get(&point).cloned().unwrap_or_default();
            let candidates =
                claim.candidates(self.system, &self.tests[test].states[at], MAX_CANDIDATES).unwrap_or_default();
            let mut shown = Vec::new();
            for candidate in &candidates {
                let telling: Vec<usize> =
                    places.iter().filter(|place| self.shows(**place, candidate)).map(|(test, _)| *test).collect();
                shown.extend(Some(telling).filter(|telling| !telling.is_empty()));
            }
            // Without candidates, the point itself shows it.
            return if candidates.is_empty() { vec![places.iter().map(|(test, _)| *test).collect()] } else { shown };
        }
        Vec::new()
    }

    /// Whether a test tells the state at a place from a candidate.
    fn shows(&mut self, (test, at): (usize, usize), candidate: &Internal) -> bool {
        let test = &self.tests[test];
        let told = self.tester.tells_apart(test, at, &with_values(&test.states[at], candidate));
        told == Ok(Some(Certainty::Certain))
    }

    /// Whether a mutant that tests do not show can be shown at another point.
    fn elsewhere(&mut self, claim: &Claim, undecided: Option<Sight>) -> Sight {
        let unsupported = Answer::Undecided(Reason::Unsupported);
        let comparing = self.engine.as_mut().and_then(|engine| engine.comparing());
        let shown =
            comparing.map_or(unsupported, |engine| engine.show_violation(self.observer, claim, &self.system.budget));
        let shown = match shown {
            Answer::Undecided(_) if self.n_too_large < MAX_TOO_LARGE && !self.system.budget.is_spent() => {
                let shown = self.searcher.show_violation(claim, MAX_CANDIDATES);
                self.n_too_large += usize::from(matches!(shown, Answer::Undecided(Reason::Limit(_))));
                shown
            }
            shown => shown,
        };
        match shown {
            Answer::Found(trace) => Sight::Elsewhere(trace),
            Answer::Impossible(_) => Sight::Indistinguishable,
            Answer::Undecided(reason) => undecided.unwrap_or(Sight::Undecided(reason)),
        }
    }

    /// A violation of a property mutant that these tests do not show, at any of the first points that they go through.
    pub fn hidden(&mut self, goal: &Goal, violating: &[usize]) -> Option<Hidden> {
        let claim = self.claim(goal.target).filter(|claim| !claim.internal.is_empty())?;
        let points = self.points(&claim, violating, EXTENDED_POINTS);
        points.into_iter().find_map(|(test, at)| match self.point(&claim, test, at) {
            Some(Sight::Hidden(hidden)) => Some(*hidden),
            _ => None,
        })
    }

    /// The first points at which tests violate a claim, each with a test and a place.
    fn points(&mut self, claim: &Claim, violating: &[usize], most: usize) -> Vec<(usize, usize)> {
        let reads_inputs = self.reads_inputs(claim);
        if self.truths_of.as_ref() != Some(claim) {
            self.truths_of = Some(claim.clone());
            self.truths.clear();
        }
        let (mut seen, mut points) = (FxHashSet::default(), Vec::new());
        for test in violating {
            for at in self.violations(claim, *test) {
                if points.len() >= most {
                    return points;
                }
                if seen.insert(self.point_at(*test, at, claim.is_step, reads_inputs)) {
                    points.push((*test, at));
                }
            }
        }
        points
    }

    /// Whether a claim reads inputs in the state that it is about. If not, the tester may choose them to show a violation.
    fn reads_inputs(&self, claim: &Claim) -> bool {
        support(self.system, claim.expr).now.iter().any(|var| self.observer.inputs.contains(var))
    }

    /// How well the tests show the violation in one state; nothing if no continuation shows it.
    fn point(&mut self, claim: &Claim, test: usize, at: usize) -> Option<Sight> {
        let reads_inputs = self.reads_inputs(claim);
        let point = self.point_at(test, at, claim.is_step, reads_inputs);
        let Some(candidates) = claim.candidates(self.system, &self.tests[test].states[at], MAX_CANDIDATES) else {
            return Some(Sight::Undecided(Reason::Limit(Limit::Steps)));
        };
        let (mut hidden, mut unknown, mut n_told) = (None, None, 0);
        for candidate in &candidates {
            match self.told(&point, candidate, reads_inputs) {
                Told::Apart => n_told += 1,
                Told::Never => {}
                Told::By(shown_by, shown_at) => {
                    let candidate = with_values(&self.tests[test].states[at], candidate);
                    let is_round = at + 1 == self.tests[test].states.len();
                    let at = self.loop_starts[test].filter(|_| is_round).unwrap_or(at);
                    hidden.get_or_insert(Hidden { test, at, candidate, shown_by, shown_at });
                }
                Told::Unknown(reason) => unknown = Some(Sight::Undecided(reason)),
            }
        }
        let done = (n_told > 0 || candidates.is_empty()).then_some(Sight::Visible);
        hidden.map(|hidden| Sight::Hidden(Box::new(hidden))).or(unknown).or(done)
    }

    /// Whether the tests tell the state of a point from a candidate, or could.
    fn told(&mut self, point: &Point, candidate: &Internal, reads_inputs: bool) -> Told {
        let key = (*point, candidate.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let places = self.places.get(point).cloned().unwrap_or_default();
        // Most tests that tell a candidate apart do so at once. Only then is it worthwhile to ask whether any can.
        let (first, others) = places.split_at(places.len().min(TRIED_PLACES));
        let told = if first.iter().any(|place| self.shows(*place, candidate)) {
            Told::Apart
        } else if self.is_alike(&places, candidate, reads_inputs) {
            Told::Never
        } else if others.iter().any(|place| self.shows(*place, candidate)) {
            Told::Apart
        } else {
            places.first().map_or(Told::Never, |(test, at)| self.could_tell(*test, *at, candidate, reads_inputs))
        };
        self.known.insert(key, told.clone());
        told
    }

    /// Whether the engine proves that no inputs tell the state at these places from a candidate.
    fn is_alike(&mut self, places: &[(usize, usize)], candidate: &Internal, reads_inputs: bool) -> bool {
        let Some((test, at)) = places.first() else { return true };
        let trace = &self.tests[*test];
        let other = with_values(&trace.states[*at], candidate);
        let engine = self.engine.as_mut().and_then(|engine| engine.comparing());
        engine.is_some_and(|engine| {
            engine.tell_apart(self.observer, trace, *at, &other, !reads_inputs, &self.system.budget).is_impossible()
        })
    }

    /// Whether some test that begins like this one tells the state at a place from a candidate. The inputs in that state
    /// are chosen anew, unless the claim reads them.
    fn could_tell(&mut self, test: usize, at: usize, candidate: &Internal, reads_inputs: bool) -> Told {
        let too_many = Told::Unknown(Reason::Limit(Limit::Steps));
        let trace = &self.tests[test];
        if let Some(engine) = self.engine.as_mut().and_then(|engine| engine.comparing()) {
            // A test with the same inputs takes the place of this one, others are added.
            let other = with_values(&trace.states[at], candidate);
            let mut answer = engine.tell_apart(self.observer, trace, at, &other, false, &self.system.budget);
            if answer.is_impossible() && !reads_inputs {
                answer = engine.tell_apart(self.observer, trace, at, &other, true, &self.system.budget);
            }
            match answer {
                Answer::Found(trace) => return Told::By(trace, at),
                Answer::Impossible(_) => return Told::Never,
                Answer::Undecided(_) => {}
            }
        }
        if self.n_too_large >= MAX_TOO_LARGE {
            return too_many;
        }
        let (beginnings, are_all) = self.beginnings(test, at, reads_inputs);
        // Only if all inputs were tried is there a proof that none shows it.
        let mut told = if are_all { Told::Never } else { too_many };
        for begin in beginnings {
            let other = with_values(&begin.states[at], candidate);
            match self.searcher.tell_apart(&begin, at, &other) {
                Answer::Found(Kill { certainty: Certainty::Certain, trace }) => return Told::By(trace, at),
                Answer::Found(_) => told = Told::Unknown(Reason::PossibleKill),
                Answer::Impossible(_) => {}
                Answer::Undecided(reason) => {
                    self.n_too_large += usize::from(matches!(reason, Reason::Limit(_)));
                    told = Told::Unknown(reason);
                }
            }
            if self.n_too_large >= MAX_TOO_LARGE {
                break;
            }
        }
        told
    }

    /// A test up to a place with the inputs that it may have there, and whether these are all.
    fn beginnings(&self, test: usize, at: usize, reads_inputs: bool) -> (Vec<Trace>, bool) {
        let states = &self.tests[test].states;
        let own = std::iter::once(self.system.without_step_inputs(&states[at]));
        let explorer = Explorer::new(self.system);
        let mut are_all = true;
        let others: Vec<State> = if reads_inputs {
            Vec::new()
        } else {
            let (like, before) = (self.without_inputs(&states[at]), at.checked_sub(1).map(|before| &states[before]));
            let search = before.map_or_else(|| explorer.initial(), |before| explorer.steps(before));
            let found = search.like(&like).limit(TOLD_APART.work).inspect(|step| are_all &= step.is_ok());
            found.map_while(Result::ok).map(|step| step.next).take(MAX_BEGINNINGS + 1).collect()
        };
        are_all &= others.len() <= MAX_BEGINNINGS;
        let begin = |last: State| {
            let states = states[..at].iter().cloned().chain([last]).collect();
            Trace { states, loop_start: None }
        };
        let mut seen = FxHashSet::default();
        let different = own.chain(others).filter(|last| seen.insert(last.clone()));
        (different.map(begin).collect(), are_all)
    }

    /// The states of a test in which a claim is violated.
    fn violations(&mut self, claim: &Claim, test: usize) -> Vec<usize> {
        let n_states = self.tests[test].states.len();
        let mut violations = Vec::new();
        for at in usize::from(claim.is_step)..n_states {
            let is_asked = claim.before.is_none_or(|before| self.truth(before, test, at - 1) == Some(true));
            if is_asked && self.truth(claim.expr, test, at) == Some(false) {
                violations.push(at);
            }
        }
        violations
    }

    /// Whether a condition of the current claim holds in a state of a test; nothing if it has no value.
    fn truth(&mut self, expr: ExprId, test: usize, at: usize) -> Option<bool> {
        let key = (expr, self.indices[test][at].without_step_inputs);
        if let Some(known) = self.truths.get(&key) {
            return Some(*known);
        }
        let truth = eval_bool(self.system, expr, &self.tests[test].states[at], None).ok()?;
        self.truths.insert(key, truth);
        Some(truth)
    }

    /// The claim of a property mutant, if visible kills are defined for its form.
    fn claim(&self, target: Query) -> Option<Claim> {
        let Query::Falsify(formula) = target else { return None };
        let is_plain = |expr: ExprId| {
            !self.system.mentions(expr, |node| is_temporal(node) || matches!(node, Node::Next(_)))
                && !self
                    .system
                    .mentions(expr, |node| matches!(node, Node::Var(var) if self.system[*var].kind == VarKind::Input))
        };
        let resolve = |mut expr: ExprId| {
            while let Node::Define(define) = self.system[expr] {
                expr = self.system.body(define);
            }
            expr
        };
        let formula = resolve(formula);
        let inner = match self.system[formula] {
            Node::Unary(UnaryOp::AG, inner) => resolve(inner),
            _ => formula,
        };
        let (before, claim, is_step) = match self.system[inner] {
            Node::Binary(BinaryOp::Implies, before, after) if !is_plain(inner) => match self.system[resolve(after)] {
                Node::Unary(UnaryOp::AX, claim) => (Some(before), claim, true),
                _ => return None,
            },
            Node::Unary(UnaryOp::AX, claim) => (None, claim, true),
            _ => (None, inner, false),
        };
        if !is_plain(claim) || before.is_some_and(|before| !is_plain(before)) {
            return None;
        }
        let is_seen = |var: &VarId| self.observer.inputs.contains(var) || self.observer.outputs.contains(var);
        let read = before.into_iter().chain([claim]).flat_map(|expr| support(self.system, expr).now);
        let internal: BTreeSet<VarId> = read.filter(|var| !is_seen(var)).collect();
        let internal = internal.into_iter().collect();
        Some(Claim { before, is_step, expr: claim, internal })
    }
}

/// An execution with one round of its loop, if it has one.
fn one_round(mut trace: Trace) -> Trace {
    if let Some(start) = trace.loop_start.take() {
        let first = trace.states[start].clone();
        trace.states.push(first);
    }
    trace
}
