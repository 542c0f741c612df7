//! `specwright report`: a page for people.

use super::grade::{self, page};
use crate::args::Report;
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::load;
use crate::suites::write_file;
use anyhow::{Context, bail};
use serde::Deserialize;
use specwright_harness::report::page::{Page, Verdict};
use std::collections::BTreeMap;
use std::path::Path;

pub fn run(console: &mut Console, args: &Report) -> anyhow::Result<ExitCode> {
    // What cannot be read should not cost the time of grading first.
    let verdicts = args.run.as_deref().map(verdicts).transpose()?;
    let (sources, mut outcome) = match grade::evaluate(console, &args.grade())? {
        Ok(evaluated) => evaluated,
        Err(code) => return Ok(code),
    };
    let mut page = page::page(&sources, &mut outcome, args);
    if let Some(verdicts) = verdicts {
        tell(console, &mut page, verdicts);
    }
    let text = specwright_harness::report::page::page(&page);
    write_file(&args.out, &text)?;
    let (score, tests) = (page.score, count(page.tests.len(), "test"));
    console.out(format_args!(
        "{}/{} {}s by {tests}; the page is {}\n",
        score.reached,
        score.total,
        page.noun,
        args.out.display()
    ))?;
    Ok(outcome.exit_code())
}

#[derive(Deserialize)]
struct RunDocument {
    schema: String,
    #[serde(default)]
    tests: Vec<TestEntry>,
}

#[derive(Deserialize)]
struct TestEntry {
    name: String,
    verdict: String,
    step: Option<usize>,
    #[serde(default)]
    message: String,
}

/// What became of tests, by their names.
fn verdicts(path: &Path) -> anyhow::Result<BTreeMap<String, Verdict>> {
    let name = path.display().to_string();
    let text = load::read(path, &name).map_err(anyhow::Error::msg)?;
    let document: RunDocument = serde_json::from_str(&text).with_context(|| format!("cannot read {name}"))?;
    if document.schema != "specwright/run/1" {
        bail!("{name} is of the kind {}, not specwright/run/1", document.schema);
    }
    let verdict = |entry: TestEntry| {
        let step = entry.step.map(|step| format!("step {step}: ")).unwrap_or_default();
        let message = if entry.message.is_empty() { String::new() } else { format!("{step}{}", entry.message) };
        (entry.name, Verdict { word: entry.verdict, step: entry.step, message })
    };
    Ok(document.tests.into_iter().map(verdict).collect())
}

fn tell(console: &mut Console, page: &mut Page, mut verdicts: BTreeMap<String, Verdict>) {
    for test in &mut page.tests {
        test.verdict = verdicts.remove(&test.name);
    }
    if let Some(name) = verdicts.keys().next() {
        let others = verdicts.len();
        console.warning(format_args!("--run: {} not in the suite, such as `{name}`", count(others, "test")));
    }
}
