//! The first tests of a suite that is not written, and what to do with it next.

use crate::console::{Console, HEADING};
use crate::diagnostics::count;
use specwright::Generated;
use specwright::model::trace::to_table_with;

/// The number of tests that are shown.
const TESTS: usize = 3;
/// Tests with more states than this are not shown.
const STATES: usize = 12;
/// Models with more variables and defined outputs than this have tables that no terminal is wide enough for.
const COLUMNS: usize = 12;

/// Prints the shortest of the first tests as tables.
pub(super) fn print(console: &mut Console, generated: &Generated) -> anyhow::Result<()> {
    let tests = &generated.run.tests;
    if tests.is_empty() {
        return Ok(());
    }
    let defines = generated.model.output_defines();
    let n_columns = generated.model.vars.len() + defines.len();
    let fits = |n_states: usize| n_states <= STATES && n_columns <= COLUMNS;
    let shown: Vec<_> = tests.iter().filter(|test| fits(test.trace.states.len())).take(TESTS).collect();
    for test in &shown {
        console.out(format_args!("\n{HEADING}{}{HEADING:#}\n", test.name))?;
        if !test.shows.is_empty() {
            console.out(format_args!("  {}\n", test.shows))?;
        }
        console.out(to_table_with(&generated.model, &test.trace, &defines))?;
    }
    let rest = tests.len() - shown.len();
    if rest > 0 && !shown.is_empty() {
        console.out(format_args!("\n… and {}\n", count(rest, "more test")))?;
    }
    console.flush()?;
    console.note("`--out suite.json` writes the tests; `specwright run suite.json -- PROGRAM` runs them");
    Ok(())
}
