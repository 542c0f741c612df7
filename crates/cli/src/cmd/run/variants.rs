//! `specwright run --repeat`: which variants of a program does the suite expose?

use crate::args::{Format, Run};
use crate::columns::{Align, Columns};
use crate::console::{Console, interrupted};
use crate::exit_code::ExitCode;
use specwright::run::VariantResult;
use specwright::run::Verdict;
use specwright::{BoundSuite, RunSettings, document};
use std::path::Path;

pub(super) fn run(
    console: &mut Console,
    args: &Run,
    bound: &BoundSuite,
    settings: &RunSettings,
    folder: &Path,
) -> anyhow::Result<ExitCode> {
    let results = bound.run_variants(folder, &args.program, settings, console)?;
    match args.format {
        Format::Text => print(console, bound, &results)?,
        Format::Json => console.document(document::json(&bound.variants_document(&results))?)?,
    }
    Ok(if results.iter().any(|result| result.report.is_err()) {
        ExitCode::BaselineBroken
    } else if !results.iter().all(VariantResult::is_exposed) {
        ExitCode::Found
    } else if interrupted() {
        ExitCode::Unknown
    } else {
        ExitCode::Good
    })
}

fn print(console: &mut Console, bound: &BoundSuite, results: &[VariantResult]) -> anyhow::Result<()> {
    let heads = ["variant", "", "fail", "error", "inconclusive", "pass", "first failure"];
    let align = |index: usize| if matches!(index, 0 | 1 | 6) { Align::Left } else { Align::Right };
    let mut columns = Columns::new(std::array::from_fn::<_, 7, _>(|index| (heads[index], align(index))));
    for result in results {
        let VariantResult { name, report } = result;
        let exposed = if result.is_exposed() { "exposed" } else { "not exposed" };
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
                    format!("{}{step}: {}", bound.read.suite.tests[*index].name, outcome.message)
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
    let n_exposed = results.iter().filter(|result| result.is_exposed()).count();
    console.out(format_args!("{n_exposed} of {} variants detected\n", results.len()))?;
    Ok(())
}
