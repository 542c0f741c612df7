//! The kills that a smaller suite must keep: those of mutants of the machine, and that outputs show those of property mutants.

use specwright_mc::{Observer, Search, Symbolic};
use specwright_model::{Model, Trace};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Matrix, Viewer, add_kills};

/// Adds to a matrix the mutants of the machine that tests kill certainly. Returns the matrix with all that a smaller suite
/// must keep: also possible kills of mutants without certain ones; and, with an engine of the model, what shows to a tester
/// each property mutant that the tests kill visibly.
pub(super) fn needed(
    model: &Model,
    goals: &[Goal],
    traces: Vec<Trace>,
    matrix: &mut Matrix,
    engine: Option<&mut Symbolic>,
) -> Matrix {
    let possible = add_kills(model, goals, &traces, matrix);
    let mut more: Vec<Vec<usize>> = possible.into_iter().map(|(_, tests)| tests).collect();
    if let Some(engine) = engine {
        let observer = Observer::of(model);
        let mut viewer = Viewer::new(model, &observer, traces, Some(engine as &mut dyn Search));
        for (index, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.criterion == "mutation") {
            if model.budget.is_spent() {
                break;
            }
            more.extend(viewer.shown_by(goal, &matrix.tests_of(index).collect::<Vec<_>>()));
        }
    }
    more.sort_unstable();
    more.dedup();
    let n = matrix.n_goals() + more.len();
    let row = |test: usize| {
        let mut row = Bits::new(n);
        matrix.goals_of(test).iter().for_each(|goal| row.insert(goal));
        for (index, _) in more.iter().enumerate().filter(|(_, tests)| tests.contains(&test)) {
            row.insert(matrix.n_goals() + index);
        }
        row
    };
    Matrix::new(n, (0..matrix.n_tests()).map(row).collect())
}
