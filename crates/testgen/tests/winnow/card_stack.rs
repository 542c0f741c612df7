//! The published numbers of the Java-card stack.

use super::{engine, example};
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::generate::{Options, Style, each};
use specwright_testgen::goal::Status;
use specwright_testgen::mutate::{Guard, GuardMode, Selection};
use specwright_testgen::winnow::{Sameness, Winnower, classes, subsumption};
use std::ops::ControlFlow;

#[test]
fn duplicates() {
    for mode in [GuardMode::Visible, GuardMode::Ignored] {
        let model = example("card-stack/card_stack.smv");
        let guard = Some(Guard { var: model.var_named("Sound").unwrap(), mode });
        let mut engine = engine(&model);
        let mutation = Mutation { selection: Selection::default(), properties: Properties::Own, guard };
        let options = criteria::Options { mutation, ..criteria::Options::default() };
        let (goals, _) = criteria::collect(&mut engine, &options);
        let options = Options { style: Style::SmvExplain, ..Options::default() };
        let t = std::time::Instant::now();
        let statuses = each(&mut engine, &goals, &options, &mut |_| ControlFlow::Continue(())).unwrap();
        println!("each {:?}", t.elapsed());
        let inconsistent: Vec<usize> =
            (0..goals.len()).filter(|goal| matches!(statuses[*goal], Status::Covered(_))).collect();
        for ends in [specwright_engine::Ends::Nowhere, specwright_engine::Ends::Anywhere] { for sameness in [Sameness::Paths, Sameness::Branching] {
            let t = std::time::Instant::now();
            let mut winnower = Winnower::new(&mut engine, &goals, ends);
            let classes = classes(&mut winnower, &inconsistent, sameness, &mut |_| true);
            println!(
                "{mode:?} {sameness:?}: {} goals {} inconsistent {} distinct {} unknown {} asked {:?}",
                goals.len(),
                inconsistent.len(),
                classes.distinct().len(),
                classes.n_unknown,
                winnower.n_asked(), t.elapsed()
            );
            let t = std::time::Instant::now();
            let trivial = inconsistent.iter().filter(|goal| winnower.is_trivial(**goal).unwrap().unwrap()).count();
            println!("trivial {trivial}");
            let s = subsumption(&mut winnower, &classes.distinct(), &mut |_| true);
            println!("dominators {} unknown {} asked {} {:?}", s.dominators().len(), s.n_unknown, winnower.n_asked(), t.elapsed());
        }}
    }
}
