//! `specwright audit`: how strong are the properties?

mod text;

use crate::args::{Audit, AuditFormat};
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use specwright::document::{self, AuditDocument, findings};
use specwright::{AuditSettings, Strength, audit, frontend, suites};

pub fn run(console: &mut Console, args: &Audit) -> anyhow::Result<ExitCode> {
    let session = args.model.open(console)?;
    let found = match session.audit(&settings(args), console)? {
        audit::Audit::Done(found) => found,
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
    Ok(exit_code(console, &found, args.min_score))
}

fn exit_code(console: &mut Console, found: &Strength, min_score: Option<f64>) -> ExitCode {
    let (killed, all) = found.score();
    #[expect(clippy::cast_precision_loss, reason = "numbers of mutants are small")]
    let is_below = min_score.is_none_or(|least| 100.0 * (killed as f64) < least * all as f64);
    if killed < all && is_below {
        return ExitCode::Found;
    }
    if console::interrupted() {
        console.warning("interrupted");
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
        limits: args.limits.limits(),
    }
}
