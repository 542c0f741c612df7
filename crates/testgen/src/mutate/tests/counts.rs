//! Numbers of mutants from the literature.

use super::*;

fn check_card_stack(mode: GuardMode, expected: [usize; 7]) {
    use Operator::{Aso, Eno, Lro, Mco, Oro, Sno, Sto};
    let (mut model, _) = load(&example("card-stack/card_stack.smv"));
    let guard = Guard { var: model.var_named("Sound").unwrap(), mode };
    let counts = counts(&mut model, Options { guard: Some(guard), ..Options::default() });
    assert_eq!(counts, [Oro, Sno, Eno, Lro, Mco, Sto, Aso].into_iter().zip(expected).collect());
}

#[test]
fn the_card_stack_with_visible_guards_has_the_mutants_of_table_6() {
    check_card_stack(GuardMode::Visible, [279, 75, 129, 129, 109, 256, 22]);
}

#[test]
fn the_card_stack_with_ignored_guards() {
    check_card_stack(GuardMode::Ignored, [279, 75, 129, 108, 56, 150, 20]);
}
