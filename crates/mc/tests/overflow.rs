//! Numbers at the ends of 64 bits: the engine computes what the interpreter computes, and has no value where that has none.

use specwright_mc::{Answer, Options, Symbolic};
use specwright_model::Value;
use specwright_model::interp::{Random, eval_bool, initial_states};
use specwright_model::testing::model;

#[test]
fn arithmetic_at_the_ends_of_64_bits_is_that_of_the_interpreter() {
    let (mut n_overflows, mut n_others) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut number = || {
            let near = i64::try_from(random.index(6)).expect("it is small");
            match random.index(6) {
                0 => i64::MAX - near,
                1 => i64::MIN + 1 + near,
                2 => (1 << 62) + near,
                3 => -(1 << 62) - near,
                4 => (1 << 31) + near,
                _ => near - 2,
            }
        };
        let (low, a, b) = (number().min(i64::MAX - 3), number(), number());
        let high = low + 3;
        let op = *Random::new(seed ^ 0xA5).pick(&["+", "-", "*", "/"]);
        let relation = *Random::new(seed ^ 0x5A).pick(&["<", "=", ">="]);
        let text = format!(
            "MODULE main\nVAR x : {low}..{high};\nINVARSPEC x {op} ({a}) {relation} {b}\n\
             INVARSPEC ({a}) - x {relation} {b}\nINVARSPEC -x {op} x {relation} {b}\nINVARSPEC abs(x) + x {relation} {b}\n"
        );
        let model = model(&text);
        let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("only properties compute");
        let states = initial_states(&model, 1000).expect("there are four states");
        for property in &model.properties {
            let truths: Vec<_> =
                states.iter().map(|state| eval_bool(&model, property.formula.expr, state, None).ok()).collect();
            let verdict = engine.check(property);
            let formula = model.show_expr(property.formula.expr);
            if truths.contains(&None) {
                n_overflows += 1;
                let shown = matches!(verdict, Answer::Found(_)) && truths.contains(&Some(false));
                assert!(shown || matches!(verdict, Answer::Undecided(_)), "seed {seed}: {formula} {verdict:?}\n{text}");
            } else {
                n_others += 1;
                let holds = truths.iter().all(|truth| *truth == Some(true));
                let is_right = if holds { verdict.is_impossible() } else { verdict.is_found() };
                assert!(is_right, "seed {seed}: {formula} {verdict:?}\n{text}");
            }
        }
        // All values of the variable are found.
        let var = model.var_named("x").expect("it is declared");
        let ends: Vec<_> = states.iter().filter_map(|state| state.get(var)).collect();
        assert_eq!((ends.first(), ends.last()), (Some(&Value::Int(low)), Some(&Value::Int(high))));
    }
    assert!(n_overflows > 200 && n_others > 200, "{n_overflows} overflow, {n_others} do not");
}
