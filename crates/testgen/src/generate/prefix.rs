//! Whether a test is a prefix of another one.

use specwright_model::interface::Role;
use specwright_model::{Model, Trace, VarId};

/// Whether an execution equals another one or is a prefix of it. With `ignore_inputs`, its last state may differ from
/// the other one in the inputs of the tester.
pub fn is_prefix(model: &Model, short: &Trace, long: &Trace, ignore_inputs: bool) -> bool {
    if short.loop_start.is_some() {
        return short == long;
    }
    let Some((last, before)) = short.states.split_last() else { return true };
    if long.states.len() < short.states.len() || before != &long.states[..before.len()] {
        return false;
    }
    let other = &long.states[before.len()];
    // Inputs of steps are missing in the last state of a finite execution.
    let alike = |var: VarId| {
        let (a, b) = (last.get(var), other.get(var));
        a.is_none() || a == b || (ignore_inputs && model.role(var) == Role::Input)
    };
    model.vars().all(|(var, _)| alike(var))
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::testing::model;
    use specwright_model::{State, Value};

    fn trace(bits: &[(bool, bool)], loop_start: Option<usize>) -> Trace {
        let state = |(a, b): &(bool, bool)| {
            let mut state = State::empty(2);
            state.set(VarId(0), Value::Bool(*a));
            state.set(VarId(1), Value::Bool(*b));
            state
        };
        Trace { states: bits.iter().map(state).collect(), loop_start }
    }

    #[test]
    fn prefixes_are_found() {
        let model = model("MODULE main VAR input : boolean; x : boolean; ASSIGN next(x) := input;");
        let long = trace(&[(false, false), (true, false), (true, true)], None);
        let short = trace(&[(false, false), (true, false)], None);
        let other = trace(&[(false, false), (false, false)], None);
        assert!(is_prefix(&model, &short, &long, false) && is_prefix(&model, &long, &long, false));
        assert!(!is_prefix(&model, &long, &short, false) && !is_prefix(&model, &other, &long, false));
        assert!(is_prefix(&model, &other, &long, true), "they differ in the last input only");
        let round = trace(&[(false, false), (true, false)], Some(0));
        assert!(!is_prefix(&model, &round, &long, false), "what goes on for ever is no beginning");
        assert!(is_prefix(&model, &short, &round, false));
    }
}
