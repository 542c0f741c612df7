//! `specwright audit`: how strong are the properties?

mod tables;
mod text;

use super::{gate, merge};
use crate::args::{Audit, AuditFormat};
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use specwright::document::{self, AuditDocument, findings};
use specwright::gate::Judged;
use specwright::shard::Sharding;
use specwright::{AuditSettings, Session, Strength, audit, frontend, suites};

pub fn run(console: &mut Console, args: &Audit) -> anyhow::Result<ExitCode> {
    run_as(console, args, args.shards.sharding()?)
}

/// The command as a whole, or as a shard of it.
pub(super) fn run_as(console: &mut Console, args: &Audit, sharding: Sharding) -> anyhow::Result<ExitCode> {
    let pending = gate::open(&args.ci, args.score.thresholds(), "audit")?;
    let settings = AuditSettings { sharding, ..settings(args) };
    let reading = settings.reading((&args.model.reading).into());
    let session = Session::open(&args.model.path, &reading, console)?;
    let found = match session.audit(&settings, console)? {
        audit::Audit::Done(found) => found,
        audit::Audit::Decided(decided) => return merge::decided(console, &settings.sharding, decided),
        audit::Audit::Baseless => {
            let hint =
                if session.model.properties.is_empty() { "the model has no properties" } else { "no property holds" };
            console.error(format_args!("there is nothing to audit: {hint}"));
            return Ok(ExitCode::BaselineBroken);
        }
    };
    if let Some(path) = &args.fix {
        suites::write_file(path, found.fixed(frontend::of(&args.model.path).name() == "smv")?)?;
    }
    let document = AuditDocument::new(&found);
    match args.format {
        AuditFormat::Text => console.out(text::text(&found, &document, args, console.verbose()))?,
        AuditFormat::Json => console.document(document::json(&document)?)?,
        AuditFormat::Sarif => console.document(findings::unguarded(&found))?,
    }
    console.flush()?;
    let code = exit_code(console, &found);
    pending.close(console, || Judged::of_audit(&found), code)
}

fn exit_code(console: &mut Console, found: &Strength) -> ExitCode {
    if found.is_partial
        && let Some(why) = console::why_stopped()
    {
        console.warning(why);
    }
    let (killed, all) = found.score();
    if killed < all {
        return ExitCode::Found;
    }
    if found.is_partial || found.n("undecided") > 0 { ExitCode::Unknown } else { ExitCode::Good }
}

fn settings(args: &Audit) -> AuditSettings {
    AuditSettings {
        property: args.property.clone(),
        variable: args.variable.clone(),
        in_diff: args.in_diff.clone(),
        ignore: args.ignores.ignore.clone(),
        operators: args.operators.operators.clone(),
        exclude: args.operators.exclude.clone(),
        sample: args.sample,
        seed: args.seed,
        suggest: !args.no_suggest,
        needs: args.needs,
        journal: args.journal.clone(),
        resume: args.resume,
        sharding: Sharding::Whole,
        limits: args.limits.limits(),
    }
}
