//! Grading agrees with the engine on the constrained finite state machine of a test.

use crate::support::{free_model, random_model, random_trace};
use specwright_mc::{Answer, Options, Proof, Query, Symbolic};
use specwright_model::interp::Random;
use specwright_model::testing::model as model_of;
use specwright_model::typing::is_temporal;
use specwright_model::unparse::print_model;
use specwright_testgen::cfsm::cfsm;
use specwright_testgen::grade::{Grader, Quantifiers};

#[test]
fn grading_agrees_with_the_machine_of_the_papers() {
    let (mut n_compared, mut n_reached, mut n_loops) = (0, 0, 0);
    let options = Options { max_memory: 64 << 20, ..Options::default() };
    for seed in 0..150 {
        let model = random_model(seed, 3);
        let mut targets = Vec::new();
        for property in &model.properties {
            let formula = property.formula.expr;
            targets.extend([Query::Falsify(formula), Query::Show(formula)]);
            if !model.mentions(formula, is_temporal) {
                targets.push(Query::Reach(formula));
            }
        }
        let mut grader = Grader::new(&model, targets.iter().copied(), Quantifiers::Path);
        let mut random = Random::new(seed);
        for most in [1, 3, 9] {
            let Some(trace) = random_trace(&model, &mut random, most) else { continue };
            n_loops += usize::from(trace.loop_start.is_some());
            let reached = grader.reached(&model, &trace);
            let machine = cfsm(&model, &trace, &targets);
            let properties = machine.properties.clone();
            let text = print_model(&machine);
            let printed = model_of(&text);
            assert_eq!(print_model(&printed), text, "what is printed is what is checked");
            assert_eq!(printed.properties.len(), properties.len());
            let mut engine = Symbolic::new(machine.system, &options).expect("the machine has values everywhere");
            for (index, property) in properties.iter().enumerate() {
                let verdict = engine.check(property);
                let says = match verdict {
                    Answer::Impossible(Proof::Infeasible) => false,
                    Answer::Found(_) => true,
                    // Where an expression has no value, there is no verdict.
                    _ => continue,
                };
                let text = || engine.system().show_expr(property.formula.expr);
                let target = || format!("{:?} in seed {seed}", targets[index]);
                assert_eq!(reached.contains(index), says, "{} as {} on {trace:?}", target(), text());
                n_compared += 1;
                n_reached += usize::from(says);
            }
        }
    }
    assert!(n_compared > 4000 && n_reached > 500 && n_loops > 30, "{n_compared} {n_reached} {n_loops}");
}

#[test]
fn in_branching_time_no_true_formula_is_killed() {
    let options = Options { max_memory: 64 << 20, ..Options::default() };
    let mut n_killed = 0;
    for seed in 0..200 {
        let model = free_model(seed, 4);
        let formulas: Vec<_> = model.properties.iter().map(|property| property.formula.expr).collect();
        let targets = formulas.iter().map(|formula| Query::Falsify(*formula));
        let mut grader = Grader::new(&model, targets, Quantifiers::Branching);
        let mut random = Random::new(seed);
        let traces: Vec<_> = (0..5).filter_map(|_| random_trace(&model, &mut random, 10)).collect();
        let Ok(mut engine) = Symbolic::new(model.system.clone(), &options) else { continue };
        // With a deadlock, universal formulas may hold vacuously.
        if !engine.is_total().unwrap_or(false) {
            continue;
        }
        for trace in &traces {
            for goal in grader.reached(&model, trace).iter() {
                n_killed += 1;
                let pursuit = engine.falsify(formulas[goal]);
                let text = || model.show_expr(formulas[goal]);
                assert!(
                    !matches!(pursuit, Answer::Impossible(Proof::Infeasible)),
                    "{} in seed {seed} on {trace:?}",
                    text()
                );
            }
        }
    }
    assert!(n_killed > 100, "{n_killed}");
}
