//! `specwright run`: a suite of tests on a real implementation.

pub mod subject;
mod text;
mod variants;

use crate::args::{Format, Run};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::suites;
use specwright_harness::report::{RunDocument, junit};
use specwright_harness::run::{Judging, Limits, Options, Report, Runner, Service, Target, TransportError, Verdict};
use specwright_testgen::suite::{Suite, Test};
use std::time::{Duration, Instant};
use subject::{Source, Subject};

pub fn run(console: &mut Console, args: &Run) -> anyhow::Result<ExitCode> {
    let target = match (&args.http, &args.repeat) {
        (Some(url), _) => Target::Service(Service::parse(url).map_err(|error| anyhow::anyhow!("--http: {}", error.0))?),
        (None, None) if args.program.is_empty() => {
            anyhow::bail!("what is to be tested? Give a program behind `--`, or `--http URL`")
        }
        _ => Target::Program(args.program.clone()),
    };
    let source = Source {
        suite: &args.suite,
        model: args.model.as_deref(),
        dialect: args.dialect,
        mapping: args.mapping.as_deref(),
        recorded: args.recorded,
    };
    let Some(mut subject) = Subject::load(console, &source)? else { return Ok(ExitCode::Invalid) };
    subject.read.suite.tests.iter_mut().for_each(Test::end_at_departure);
    if subject.read.suite.tests.is_empty() {
        console.warning("the suite has no tests");
    }
    console::catch_interrupts();
    let options = options(args, &subject);
    if let Some(folder) = &args.repeat {
        return variants::run(console, args, &subject, &options, folder);
    }
    let runner = Runner { model: &subject.model, suite: &subject.read.suite, target: &target, options: &options };
    let report = match runner.run(&|_| ()) {
        Ok(report) => report,
        Err((TransportError::Interrupted | TransportError::OutOfTime, _)) => {
            console.warning("stopped before the implementation has started");
            return Ok(ExitCode::Unknown);
        }
        Err((trouble, asides)) => {
            console.error(format_args!("the implementation does not start: {trouble}"));
            if !asides.is_empty() {
                console.err(format_args!("{asides}\n"));
            }
            return Ok(ExitCode::BaselineBroken);
        }
    };
    let suite = &subject.read.suite;
    match args.format {
        Format::Text => text::print(console, &subject, &report)?,
        Format::Json => {
            let by_specification = options.judging == Judging::Specification;
            let document = RunDocument::new(&subject.model, suite, &args.suite, &report, by_specification);
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    if let Some(path) = &args.junit {
        suites::write_file(path, junit(&subject.model, suite, &report))?;
    }
    if let Some(path) = &args.shrink_out {
        let shrunk = shrunk(suite, &report);
        suites::write(path, &subject.model, &shrunk)?;
        console.note(format_args!("{} written to {}", count(shrunk.tests.len(), "test"), path.display()));
    }
    if options.judging == Judging::Recorded && report.count(Verdict::Fail) > 0 && !args.recorded {
        console.note(
            "judged by the recorded tests: if the specification leaves choices, `--model` tells them from mistakes",
        );
    }
    Ok(exit_code(&report))
}

fn options(args: &Run, subject: &Subject) -> Options {
    Options {
        judging: if subject.has_behaviour { Judging::Specification } else { Judging::Recorded },
        limits: Limits {
            start: Duration::from_secs_f64(args.start_timeout),
            step: Duration::from_secs_f64(args.step_timeout),
            deadline: args.timeout.map(|timeout| Instant::now() + Duration::from_secs_f64(timeout)),
            interrupt: Some(console::cancel_flag()),
        },
        jobs: args.jobs.into(),
        fail_fast: args.fail_fast,
        shrink: args.shrink,
        turns: args.turns.into(),
        recovery_steps: args.steer,
    }
}

/// The shortened tests, each under its name.
fn shrunk(suite: &Suite, report: &Report) -> Suite {
    let tests = report.outcomes.iter().filter_map(|(index, outcome)| {
        let (test, trace) = (&suite.tests[*index], outcome.shrunk.clone()?);
        Some(Test { expect: test.expect, goals: test.goals.clone(), ..Test::new(test.name.clone(), trace) })
    });
    Suite { tests: tests.collect(), goals: None, ..suite.clone() }
}

fn exit_code(report: &Report) -> ExitCode {
    if report.count(Verdict::Fail) + report.count(Verdict::Error) > 0 {
        ExitCode::Found
    } else if report.count(Verdict::Inconclusive) > 0 || !report.not_run.is_empty() {
        ExitCode::Unknown
    } else {
        ExitCode::Good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_harness::run::Outcome;

    #[test]
    fn the_worst_outcome_decides_the_exit_code() {
        use Verdict::{Error, Fail, Inconclusive, Pass};
        let code = |verdicts: &[Verdict], not_run: &[usize]| {
            let outcomes = verdicts.iter().map(|verdict| Outcome::new(*verdict, None, "")).enumerate();
            exit_code(&Report { outcomes: outcomes.collect(), not_run: not_run.to_vec() })
        };
        assert_eq!(code(&[Pass, Pass], &[]), ExitCode::Good);
        assert_eq!(code(&[Pass, Inconclusive], &[]), ExitCode::Unknown);
        assert_eq!(code(&[Pass], &[1]), ExitCode::Unknown);
        for bad in [Fail, Error] {
            assert_eq!(code(&[Pass, bad, Inconclusive], &[]), ExitCode::Found);
            assert_eq!(code(&[bad], &[1]), ExitCode::Found);
        }
    }
}
