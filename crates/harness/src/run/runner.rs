//! Runs all tests of a suite, several in parallel.

use super::exchange::{Judge, Session, transport_error_outcome};
use super::http::Service;
use super::link::{Limits, Link, TransportError};
use super::outcome::{Outcome, Verdict};
use super::process::Process;
use super::protocol::is_output;
use super::recorded::Recorded;
use super::script::unrolled;
use super::shrink::shrink;
use super::specification::Specification;
use specwright_model::{Model, State, VarId};
use specwright_testgen::suite::{Suite, Test};
use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The implementation under test.
#[derive(Clone, Debug)]
pub enum Target {
    /// A program and its arguments.
    Program(Vec<OsString>),
    /// A service, which runs one test at a time.
    Service(Service),
}

/// The oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judging {
    /// The recorded tests: every difference is wrong.
    Recorded,
    /// The specification: what it allows is right.
    Specification,
}

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The oracle.
    pub judging: Judging,
    /// Timeouts and cancellation.
    pub limits: Limits,
    /// Number of tests in parallel.
    pub jobs: usize,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// Whether failing tests are shrunk.
    pub shrink: bool,
    /// Number of repetitions of the loop of a test.
    pub turns: usize,
    /// Maximal number of steps to recover after another choice of the implementation.
    pub recovery_steps: usize,
    /// Maximal number of runs of a test that shows some faults in some runs only.
    pub runs: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            judging: Judging::Specification,
            limits: Limits::default(),
            jobs: 1,
            fail_fast: false,
            shrink: false,
            turns: 1,
            recovery_steps: 100,
            runs: 1,
        }
    }
}

/// The outcomes of all tests.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// For each test that was run, in the order of the suite, its index and outcome.
    pub outcomes: Vec<(usize, Outcome)>,
    /// The tests that were not run, because an earlier one failed or the time was over.
    pub not_run: Vec<usize>,
    /// The outputs that no answer had.
    pub not_observed: Vec<VarId>,
    /// What to say if the adapter takes inputs at another time than the suite expects.
    pub mismatch: Option<String>,
}

impl Report {
    /// Number of tests with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.outcomes.iter().filter(|(_, outcome)| outcome.verdict == verdict).count()
    }

    /// The first test that failed.
    pub fn first_failure(&self) -> Option<(usize, &Outcome)> {
        self.outcomes.iter().find(|(_, outcome)| outcome.verdict == Verdict::Fail).map(|(test, o)| (*test, o))
    }
}

/// Runs a suite on an implementation.
pub struct Runner<'a> {
    /// The model, or only its variables if the recorded tests judge.
    pub model: &'a Model,
    /// The tests.
    pub suite: &'a Suite,
    /// The implementation under test.
    pub target: &'a Target,
    /// The options.
    pub options: &'a Options,
}

impl Runner<'_> {
    /// Runs the tests. The observer gets the number of finished tests. If there is no connection to the implementation
    /// at all, that is an error, with the end of its standard error.
    pub fn run(&self, observe: &(dyn Fn(usize) + Sync)) -> Result<Report, (TransportError, String)> {
        let first = self.begin()?;
        let mismatch = first.hello.mismatch(self.model);
        let n_tests = self.suite.tests.len();
        let n_jobs = match self.target {
            Target::Program(_) => self.options.jobs.clamp(1, n_tests.max(1)),
            Target::Service(_) => 1,
        };
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Tests after the first failure are not run. Results of those that were run are dropped, so that the report
        // does not depend on scheduling.
        let last = AtomicUsize::new(usize::MAX);
        let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; n_tests]);
        let work = |mut session: Option<Session>| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= n_tests || index > last.load(Ordering::Relaxed) || self.options.limits.stop().is_some() {
                    break;
                }
                let outcome = self.test(&mut session, &self.suite.tests[index]);
                if self.options.fail_fast && matches!(outcome.verdict, Verdict::Fail | Verdict::Error) {
                    last.fetch_min(index, Ordering::Relaxed);
                }
                outcomes.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(outcome);
                observe(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            if let Some(session) = session {
                session.link.end();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_jobs {
                scope.spawn(|| work(None));
            }
            work(Some(first));
        });
        let last = last.into_inner();
        let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut report = Report { mismatch, ..Report::default() };
        for (index, outcome) in outcomes.into_iter().enumerate() {
            match outcome.filter(|_| index <= last) {
                Some(outcome) => report.outcomes.push((index, outcome)),
                None => report.not_run.push(index),
            }
        }
        report.not_observed = self.not_observed(&report.outcomes);
        Ok(report)
    }

    /// The outputs that no answer had, if there were answers.
    fn not_observed(&self, outcomes: &[(usize, Outcome)]) -> Vec<VarId> {
        let answers: Vec<&State> =
            outcomes.iter().flat_map(|(_, outcome)| &outcome.history).map(|record| &record.outputs).collect();
        let is_missing = |var: &VarId| is_output(self.model, *var) && answers.iter().all(|o| o.get(*var).is_none());
        let outputs = self.model.vars().map(|(var, _)| var).filter(|_| !answers.is_empty());
        outputs.filter(is_missing).collect()
    }

    fn begin(&self) -> Result<Session, (TransportError, String)> {
        let link: Box<dyn Link> = match self.target {
            Target::Program(program) => Box::new(Process::start(program).map_err(|error| (error, String::new()))?),
            Target::Service(service) => service.open(),
        };
        Session::begin(link, self.model, &self.options.limits)
    }

    /// Runs a test, again if it may show more then, and shrinks it if it fails.
    fn test(&self, session: &mut Option<Session>, test: &Test) -> Outcome {
        let states = unrolled(&test.trace, self.options.turns);
        let mut outcome = self.led_back(session, test, &states);
        let most = if test.possible.is_empty() { 1 } else { self.options.runs };
        for _ in 1..most {
            if outcome.verdict != Verdict::Pass || self.options.limits.stop().is_some() {
                break;
            }
            let again = self.led_back(session, test, &states);
            outcome = Outcome { n_runs: outcome.n_runs + again.n_runs, ..again };
        }
        if self.options.shrink && outcome.verdict == Verdict::Fail {
            let model = match self.options.judging {
                Judging::Recorded => None,
                Judging::Specification => Some(self.model),
            };
            // Without recovery: the failure must be on the test itself.
            let mut run = |states: &[State]| match self.options.limits.stop() {
                Some(_) => None,
                None => Some(self.once(session, test, states.to_vec(), 0)),
            };
            outcome.shrunk = shrink(model, &states, test.expect, &mut run);
        }
        outcome
    }

    /// Runs a test and leads it back to its path after other permitted choices. The inputs on the way are not those of the
    /// test, so if all is well, the test is run once more with its own inputs: they may show a fault that the others do not.
    fn led_back(&self, session: &mut Option<Session>, test: &Test, states: &[State]) -> Outcome {
        let outcome = self.once(session, test, states.to_vec(), self.options.recovery_steps);
        let is_open = matches!(outcome.verdict, Verdict::Pass | Verdict::Inconclusive);
        if !is_open || !outcome.recovered || self.options.limits.stop().is_some() {
            return outcome;
        }
        let own = self.once(session, test, states.to_vec(), 0);
        let is_wrong = matches!(own.verdict, Verdict::Fail | Verdict::Error);
        Outcome { n_runs: 2, ..if is_wrong { own } else { outcome } }
    }

    /// Runs a test once.
    fn once(&self, session: &mut Option<Session>, test: &Test, states: Vec<State>, recovery_steps: usize) -> Outcome {
        let mut talking = match session.take() {
            Some(session) => session,
            None => match self.begin() {
                Ok(session) => session,
                Err((error, stderr_tail)) => return Outcome { stderr_tail, ..transport_error_outcome(&error, None) },
            },
        };
        let mut recorded;
        let mut specification;
        let judge: &mut dyn Judge = match self.options.judging {
            Judging::Recorded => {
                recorded = Recorded { model: self.model, states, expect: test.expect, seen: 0 };
                &mut recorded
            }
            Judging::Specification => {
                specification = Specification::new(self.model, states, test.expect, recovery_steps);
                &mut specification
            }
        };
        let (outcome, sound) = talking.test(self.model, &test.name, judge, &self.options.limits);
        if sound && talking.hello.reset {
            *session = Some(talking);
        } else if sound {
            talking.link.end();
        }
        outcome
    }
}
