//! `specwright run --repeat`: which variants of a program does the suite expose?

use super::subject::Subject;
use crate::args::{Format, Run};
use crate::columns::{Align, Columns};
use crate::console::{Console, interrupted};
use crate::exit_code::ExitCode;
use anyhow::Context;
use specwright_harness::report::{VariantEntry, VariantsDocument};
use specwright_harness::run::variants::{command, variants};
use specwright_harness::run::{Options, Report, Runner, Target, TransportError, Verdict};
use std::path::Path;

pub(super) fn run(
    console: &mut Console,
    args: &Run,
    subject: &Subject,
    options: &Options,
    folder: &Path,
) -> anyhow::Result<ExitCode> {
    let found = variants(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut results: Vec<(String, Result<Report, TransportError>)> = Vec::new();
    let mut progress = console.progress(found.len());
    for variant in &found {
        if interrupted() {
            break;
        }
        let target = Target::Program(command(&args.program, variant));
        let runner = Runner { model: &subject.model, suite: &subject.read.suite, target: &target, options };
        let report = runner.run(&|_| ()).map_err(|(trouble, _)| trouble);
        let name = variant.file_name().unwrap_or(variant.as_os_str()).to_string_lossy().into_owned();
        progress.at(results.len(), &name);
        results.push((name, report));
    }
    progress.finish();
    match args.format {
        Format::Text => print(console, subject, &results)?,
        Format::Json => {
            let entry = |(name, report): &(String, Result<Report, TransportError>)| {
                let report = report.as_ref().map_err(ToString::to_string);
                VariantEntry::new(&subject.model, &subject.read.suite, name.clone(), report)
            };
            let document = VariantsDocument::new(&subject.read.suite, results.iter().map(entry).collect());
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    let n_exposed = results.iter().filter(|(_, report)| is_exposed(report)).count();
    Ok(if results.iter().any(|(_, report)| report.is_err()) {
        ExitCode::BaselineBroken
    } else if n_exposed < results.len() {
        ExitCode::Found
    } else if interrupted() {
        ExitCode::Unknown
    } else {
        ExitCode::Good
    })
}

fn is_exposed(report: &Result<Report, TransportError>) -> bool {
    report.as_ref().is_ok_and(|report| report.count(Verdict::Fail) + report.count(Verdict::Error) > 0)
}

fn print(
    console: &mut Console,
    subject: &Subject,
    results: &[(String, Result<Report, TransportError>)],
) -> anyhow::Result<()> {
    let heads = ["variant", "", "fail", "error", "inconclusive", "pass", "first failure"];
    let align = |index: usize| if matches!(index, 0 | 1 | 6) { Align::Left } else { Align::Right };
    let mut columns = Columns::new(std::array::from_fn::<_, 7, _>(|index| (heads[index], align(index))));
    for (name, report) in results {
        let exposed = if is_exposed(report) { "exposed" } else { "not exposed" };
        match report {
            Err(trouble) => columns.row([
                name.clone(),
                "broken".into(),
                String::new(),
                String::new(),
                String::new(),
                String::new(),
                trouble.to_string(),
            ]),
            Ok(report) => {
                let first = report.outcomes.iter().find(|(_, o)| matches!(o.verdict, Verdict::Fail | Verdict::Error));
                let first = first.map(|(index, outcome)| {
                    let step = outcome.step.map(|step| format!(", step {step}")).unwrap_or_default();
                    format!("{}{step}: {}", subject.read.suite.tests[*index].name, outcome.message)
                });
                let n = |verdict| report.count(verdict).to_string();
                columns.row([
                    name.clone(),
                    exposed.into(),
                    n(Verdict::Fail),
                    n(Verdict::Error),
                    n(Verdict::Inconclusive),
                    n(Verdict::Pass),
                    first.unwrap_or_default(),
                ]);
            }
        }
    }
    console.out(columns)?;
    let n_exposed = results.iter().filter(|(_, report)| is_exposed(report)).count();
    console.out(format_args!("{n_exposed} of {} variants exposed\n", results.len()))?;
    Ok(())
}
