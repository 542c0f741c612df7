//! The gates in the order of their dependencies. The ASCII format allows any order.

use super::ast::Gate;

/// Sorts gates so that each comes after those that it reads; otherwise returns the gates of a cycle, in the order in
/// which one reads the next.
pub(super) fn sort(gates: &[Gate], n_variables: usize) -> Result<Vec<Gate>, Vec<Gate>> {
    let mut gate_of = vec![None; n_variables];
    for (index, gate) in gates.iter().enumerate() {
        gate_of[gate.signal.variable() as usize] = Some(index);
    }
    let mut state = vec![State::New; gates.len()];
    let mut sorted = Vec::with_capacity(gates.len());
    for root in 0..gates.len() {
        // The path from the root: gates with the number of their operands that were followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if state[root] == State::New {
            path.push((root, 0));
            state[root] = State::Open;
        }
        while let Some((index, followed)) = path.last_mut() {
            let Some(operand) = gates[*index].operands.get(*followed) else {
                state[*index] = State::Done;
                sorted.push(gates[*index]);
                path.pop();
                continue;
            };
            *followed += 1;
            let Some(next) = gate_of[operand.variable() as usize] else { continue };
            match state[next] {
                State::Done => {}
                State::New => {
                    state[next] = State::Open;
                    path.push((next, 0));
                }
                State::Open => {
                    let from = path.iter().position(|(index, _)| *index == next).unwrap_or(0);
                    return Err(path[from..].iter().map(|(index, _)| gates[*index]).collect());
                }
            }
        }
    }
    Ok(sorted)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}
