//! A run that is stopped and resumed ends like one that is not.

use super::{complete, engine, examples, goals, options};
use specwright_testgen::generate::{Run, Strategy, generate};
use std::ops::ControlFlow;

#[test]
fn stopping_and_resuming_changes_nothing() {
    for (name, model) in examples() {
        for (word, strategy) in Strategy::NAMED {
            let mut one = engine(&model);
            let wanted = goals(&model, &mut one, "mcdc");
            let whole = complete(&mut one, &wanted, &options(strategy));
            // A new engine each time, as after a restart of the program.
            let mut run = Run::new(wanted.len());
            let mut n_starts = 0;
            loop {
                let mut engine = engine(&model);
                let wanted = goals(&model, &mut engine, "mcdc");
                let mut n_seen = 0;
                n_starts += 1;
                let result = generate(&mut engine, &wanted, &options(strategy), &mut run, &mut |_, _| {
                    n_seen += 1;
                    if n_seen == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                if result.is_continue() {
                    break;
                }
            }
            assert_eq!(run, whole, "{name}, {word}, {n_starts} starts");
        }
    }
}
