//! Mutated formulas that share operands say the same as those that are written out.

use super::*;
use crate::mutate::chains::Chains;
use crate::policy::LONG_CHAIN;
use specwright_model::interp::eval_bool;
use specwright_model::{State, Value, VarId};

/// Operands in nested chains, from the left and from the right, on which division by zero has no value.
fn texts() -> Vec<String> {
    let n = LONG_CHAIN + 4;
    let operand = |at: usize| format!("(v{} & 6 / x > {} | v{})", at % 5, at % 3, (at + 1) % 5);
    let operands: Vec<String> = (0..n).map(operand).collect();
    let from_right = operands.iter().rev().fold("v0".to_string(), |all, it| format!("({it} & {all})"));
    [operands.join(" | "), operands.join(" & "), from_right.clone(), format!("{} | {from_right}", operands.join(" | "))]
        .map(|formula| {
            format!("MODULE main\nVAR v0 : boolean; v1 : boolean; v2 : boolean; v3 : boolean; v4 : boolean; x : 0..3;\nINVARSPEC {formula}\n")
        })
        .to_vec()
}

#[test]
fn shared_operands_change_no_value() {
    let (mut n_shared, mut n_true) = (0, 0);
    for text in texts() {
        let (model, _) = load(&text);
        let mut chains = Chains::default();
        for mutant in Mutants::new(&model, operators(&["STO", "LRO", "ENO", "RRO"])) {
            let (plain, shared) = (mutant.mutated(&model), chains.mutated(&model, &mutant));
            n_shared += usize::from(plain != shared);
            for code in 0..128 {
                let mut state = State::empty(6);
                (0..5u32).for_each(|bit| state.set(VarId(bit), Value::Bool(code >> bit & 1 == 1)));
                state.set(VarId(5), Value::Int(code >> 5));
                let [plain, shared] = [plain, shared].map(|expr| eval_bool(&model, expr, &state, None).ok());
                assert_eq!(plain, shared, "{state:?}: {}\n{text}", mutant.description(&model));
                n_true += usize::from(plain == Some(true));
            }
        }
    }
    assert!(n_shared > 100 && n_true > 100, "{n_shared} {n_true}");
}
