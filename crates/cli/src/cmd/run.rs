//! `specwright run`: a suite of tests on a real implementation.

mod text;
mod variants;

use super::gate;
use crate::args::{Format, Run};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::gate::{Judged, Thresholds};
use specwright::run::{Judging, Report, Service, Target, TransportError, Verdict};
use specwright::{BoundSuite, ReadSettings, RunSettings, SuiteSource, document, suites};
use std::time::Duration;

pub fn run(console: &mut Console, args: &Run) -> anyhow::Result<ExitCode> {
    let target = match (&args.http, args.variants()) {
        (Some(_), Some(_)) => anyhow::bail!("--http: a service has no variants; `--repeat DIR` needs a program"),
        (Some(url), None) => {
            Target::Service(Service::parse(url).map_err(|error| anyhow::anyhow!("--http: {}", error.0))?)
        }
        (None, None) if args.program.is_empty() => {
            anyhow::bail!("nothing to test: give a program after `--`, or `--http URL`")
        }
        _ => Target::Program(args.program.clone()),
    };
    let pending = gate::open(&args.ci, Thresholds::default(), "run")?;
    let bound = BoundSuite::open_to_run(&source(args), console)?;
    let settings = settings(args);
    if let Some(folder) = args.variants() {
        if args.ci.known.is_some() {
            anyhow::bail!("--known is about one implementation; `--repeat DIR` runs on many");
        }
        return variants::run(console, args, &bound, &settings, folder);
    }
    let report = match bound.run(&target, &settings) {
        Ok(report) => report,
        Err(failed) if matches!(failed.error, TransportError::Interrupted | TransportError::OutOfTime) => {
            console.warning("stopped before the implementation started");
            return Ok(ExitCode::Unknown);
        }
        Err(failed) => {
            console.error(format_args!("the implementation does not start: {}", failed.error));
            if !failed.stderr_tail.is_empty() {
                console.err(format_args!("{}\n", failed.stderr_tail));
            }
            return Ok(ExitCode::BaselineBroken);
        }
    };
    if let Some(mismatch) = &report.mismatch {
        console.warning(mismatch);
    }
    match args.format {
        Format::Text => text::print(console, &bound, &report, args.shrink)?,
        Format::Json => console.document(document::json(&bound.document(&report, &args.suite))?)?,
    }
    if let Some(path) = &args.ci.junit {
        suites::write_file(path, bound.junit(&report))?;
    }
    if let Some(path) = &args.shrink_out {
        let shrunk = bound.shrunk(&report);
        suites::write(path, &bound.model, &shrunk)?;
        console.note(format_args!("{} written to {}", count(shrunk.tests.len(), "test"), path.display()));
    }
    if bound.judging() == Judging::Recorded && report.count(Verdict::Fail) > 0 && !args.recorded {
        console.note("judged by the recorded tests; if the specification permits choices, use `--model`");
    }
    console.flush()?;
    pending.close(console, || Judged::of_run(&bound, &report), exit_code(&report))
}

fn source(args: &Run) -> SuiteSource {
    SuiteSource {
        suite: args.suite.clone(),
        model: args.model.clone(),
        reading: ReadSettings { dialect: args.dialect.into(), limits: console::limits(), ..ReadSettings::default() },
        mapping: args.mapping.clone(),
        recorded: args.recorded,
    }
}

fn settings(args: &Run) -> RunSettings {
    RunSettings {
        start_timeout: Duration::from_secs_f64(args.start_timeout),
        step_timeout: Duration::from_secs_f64(args.step_timeout),
        timeout: args.timeout.map(Duration::from_secs_f64),
        jobs: args.jobs.into(),
        fail_fast: args.fail_fast,
        shrink: args.shrink,
        turns: args.turns.into(),
        recovery_steps: args.steer,
        runs: args.runs().unwrap_or(RunSettings::default().runs),
        limits: console::limits(),
    }
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
    use specwright::run::Outcome;

    #[test]
    fn the_worst_outcome_decides_the_exit_code() {
        use Verdict::{Error, Fail, Inconclusive, Pass};
        let code = |verdicts: &[Verdict], not_run: &[usize]| {
            let outcomes = verdicts.iter().map(|verdict| Outcome::new(*verdict, None, "")).enumerate();
            exit_code(&Report { outcomes: outcomes.collect(), not_run: not_run.to_vec(), ..Report::default() })
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
