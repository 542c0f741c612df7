//! Whether a test is a prefix of another one.

use specwright_model::{Trace, VarId};

/// Whether an execution equals another one or is a prefix of it. Its last state may differ from the other one in ignored
/// variables.
pub fn is_prefix(short: &Trace, long: &Trace, ignored: &[VarId]) -> bool {
    if short.loop_start.is_some() {
        return short == long;
    }
    let Some((last, before)) = short.states.split_last() else { return true };
    if long.states.len() < short.states.len() || before != &long.states[..before.len()] {
        return false;
    }
    let other = &long.states[before.len()];
    // Inputs of steps are missing in the last state of a finite execution.
    let values = (0..).map(VarId).zip(last.values().iter().zip(other.values()));
    values.into_iter().all(|(var, (a, b))| a.is_none() || a == b || ignored.contains(&var))
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let input = [VarId(0)];
        let long = trace(&[(false, false), (true, false), (true, true)], None);
        let short = trace(&[(false, false), (true, false)], None);
        let other = trace(&[(false, false), (false, false)], None);
        assert!(is_prefix(&short, &long, &[]) && is_prefix(&long, &long, &[]));
        assert!(!is_prefix(&long, &short, &[]) && !is_prefix(&other, &long, &[]));
        assert!(is_prefix(&other, &long, &input), "they differ in the last input only");
        let round = trace(&[(false, false), (true, false)], Some(0));
        assert!(!is_prefix(&round, &long, &[]), "an infinite test is no prefix of a finite one");
        assert!(is_prefix(&short, &round, &[]));
    }
}
