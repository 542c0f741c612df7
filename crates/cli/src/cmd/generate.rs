//! `specwright generate`: a suite of tests that is adequate for a criterion.

mod contradictions;
mod preview;
mod summary;

use super::{certificate, gate, merge};
use crate::args::{Format, Generate};
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::document::{self, GenerateDocument};
use specwright::gate::Judged;
use specwright::generate::Answered;
use specwright::shard::Sharding;
use specwright::{GenerateSettings, suites};

pub fn run(console: &mut Console, args: &Generate) -> anyhow::Result<ExitCode> {
    run_as(console, args, args.shards.sharding()?)
}

/// The command as a whole, or as a shard of it.
pub(super) fn run_as(console: &mut Console, args: &Generate, sharding: Sharding) -> anyhow::Result<ExitCode> {
    let pending = gate::open(&args.ci, args.score.thresholds(), "generate")?;
    let settings = GenerateSettings { sharding, ..settings(args) };
    let to_stdout = is_stdout(args);
    let session = args.model.open_for(console, &settings.goals)?;
    if let Some(folder) = &args.check_certificate {
        return certificate::check_goals(console, args, &session, (folder, &settings));
    }
    let generated = session.generate(&settings, console)?;
    if let Some(decided) = generated.decided {
        return merge::decided(console, &settings.sharding, decided);
    }
    let mut document = GenerateDocument::new(&generated, &settings);
    if let Some(folder) = &args.certificate {
        let certificate = certificate::write_goals(console, &session, &generated, (folder, &settings.limits))?;
        document.add_certificate(folder, &generated, &certificate);
    }
    match args.format {
        _ if to_stdout => {
            console.document(suites::json(&generated.model, &generated.suite()))?;
            if !console.quiet() {
                console.err(summary::text(&document, console.verbose()));
            }
        }
        Format::Text => {
            console.out(summary::text(&document, console.verbose()))?;
            contradictions::print(console, &generated)?;
            if args.out.is_none() && !console.quiet() {
                preview::print(console, &generated)?;
            }
        }
        Format::Json => console.document(document::json(&document)?)?,
    }
    console.flush()?;
    if console.verbose() {
        let Answered { bdd, sat, explicit } = generated.answered;
        for (n, engine) in [(bdd, "decision diagrams"), (sat, "SAT-based search"), (explicit, "explicit search")] {
            if n > 0 {
                console.note(format_args!("{} answered by {engine}", count(n, "goal")));
            }
        }
    }
    if !generated.is_finished {
        let how = if generated.can_resume { ": `--resume` continues from here" } else { "" };
        let why = console::why_stopped().unwrap_or("stopped");
        console.warning(format_args!("{why}{how}"));
        return pending.close(console, || Judged::of_generate(&generated), ExitCode::Unknown);
    }
    let code = match (generated.contradictions.is_empty(), generated.is_decided()) {
        (false, _) => ExitCode::Found,
        (true, false) => ExitCode::Unknown,
        (true, true) => ExitCode::Good,
    };
    pending.close(console, || Judged::of_generate(&generated), code)
}

/// Whether the suite goes to standard output.
fn is_stdout(args: &Generate) -> bool {
    args.out.as_deref().is_some_and(|out| out.as_os_str() == "-")
}

fn settings(args: &Generate) -> GenerateSettings {
    GenerateSettings {
        goals: (&args.goals).into(),
        keep: args.focus.keep.clone(),
        quantize: args.quantize,
        winnow: args.winnow.iter().map(|name| (*name).into()).collect(),
        duplicates: args.duplicates.into(),
        strategy: args.strategy.into(),
        out: args.out.clone().filter(|_| !is_stdout(args)),
        resume: args.resume,
        style: args.traces.style.into(),
        ignore_last_inputs: args.traces.ignore_last_inputs,
        kill: args.kill.into(),
        tie: args.traces.tie.clone(),
        tests_per_goal: args.tests_per_goal.into(),
        max_length: args.max_length,
        engine: args.engine.into(),
        limits: args.limits.limits(),
        ..GenerateSettings::default()
    }
}
