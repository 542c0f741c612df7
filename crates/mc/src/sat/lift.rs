//! From one state to a set of states that do the same: the bits that are needed to know.
//!
//! What holds of a state, its inputs and its next state is a conjunction of signals. Going back from these, a conjunction
//! that is false needs one operand that is false. Next values that matter to nothing need not be the same.

use super::bounded::node_values;
use super::machine::Machine;
use super::pdr::Cube;
use specwright_sat::{Node, Signal};

/// Finds the bits that are needed.
#[derive(Default)]
pub(crate) struct Lifter {
    /// For each node, how many bits of the state its value needs, about.
    costs: Vec<u32>,
    is_needed: Vec<bool>,
}

impl Lifter {
    /// States that are a target, or from which the same step of a target is taken, as from this one.
    pub(crate) fn target(
        &mut self,
        machine: &Machine,
        signal: Signal,
        by_step: bool,
        now: &[bool],
        inputs: &[bool],
        next: &[bool],
    ) -> Cube {
        let mut roots = vec![signal];
        if by_step {
            let cone = machine.circuit.aig().cone([signal]);
            let mentioned = machine.bits.iter().map(|bit| cone.binary_search(&bit.next.node()).is_ok()).collect();
            roots.extend(pieces(machine, mentioned));
        }
        self.justify(machine, &roots, &node_values(machine, now, inputs, next))
    }

    /// States from which a step with the same inputs leads into a set, as from this one.
    pub(crate) fn before(
        &mut self,
        machine: &Machine,
        after: &Cube,
        now: &[bool],
        inputs: &[bool],
        next: &[bool],
    ) -> Cube {
        let mut mentioned = vec![false; machine.bits.len()];
        for (bit, _) in after {
            mentioned[*bit] = true;
        }
        // A frozen variable has its value before, too.
        let frozen = after.iter().filter(|(bit, _)| machine.bits[*bit].now == machine.bits[*bit].next);
        let frozen: Vec<Signal> = frozen.map(|(bit, value)| machine.bits[*bit].now.negate_if(!*value)).collect();
        let mut roots = pieces(machine, mentioned);
        roots.extend(frozen);
        self.justify(machine, &roots, &node_values(machine, now, inputs, next))
    }

    /// The bits of the state from which, with the values of everything else, it follows that the roots hold.
    fn justify(&mut self, machine: &Machine, roots: &[Signal], values: &[bool]) -> Cube {
        let aig = machine.circuit.aig();
        let Lifter { costs, is_needed } = self;
        costs.clear();
        costs.resize(aig.len(), 0);
        is_needed.clear();
        is_needed.resize(aig.len(), false);
        for bit in &machine.bits {
            costs[bit.now.node() as usize] = 1;
        }
        let value = |signal: Signal| values[signal.node() as usize] != signal.is_negated();
        let gates = || {
            (0..aig.len()).filter_map(|node| match aig.node(node as u32) {
                Node::And(a, b) => Some((node, a, b)),
                _ => None,
            })
        };
        for (node, a, b) in gates() {
            let (left, right) = (costs[a.node() as usize], costs[b.node() as usize]);
            costs[node] = match (value(a), value(b)) {
                (true, true) => left.saturating_add(right),
                (false, true) => left,
                (true, false) => right,
                (false, false) => left.min(right),
            };
        }
        for root in roots {
            debug_assert!(value(*root), "what is justified holds");
            is_needed[root.node() as usize] = true;
        }
        for node in (0..aig.len()).rev() {
            let Node::And(a, b) = aig.node(node as u32) else { continue };
            if !is_needed[node] {
                continue;
            }
            let (left, right) = (a.node() as usize, b.node() as usize);
            match (value(a), value(b)) {
                (true, true) => (is_needed[left], is_needed[right]) = (true, true),
                (false, false) if is_needed[left] || is_needed[right] => {}
                // One that is false is enough.
                (false, is_true) if is_true || costs[left] <= costs[right] => is_needed[left] = true,
                _ => is_needed[right] = true,
            }
        }
        let needed = machine.bits.iter().enumerate().filter(|(_, bit)| is_needed[bit.now.node() as usize]);
        needed.map(|(place, bit)| (place, value(bit.now))).collect()
    }
}

/// The pieces of a step that matter if some bits of the next state do.
fn pieces(machine: &Machine, mut matters: Vec<bool>) -> Vec<Signal> {
    let mut is_taken = vec![false; machine.pieces.len()];
    loop {
        let mut is_done = true;
        for (piece, is_taken) in machine.pieces.iter().zip(&mut is_taken) {
            if !*is_taken && (piece.owns.is_empty() || piece.owns.iter().any(|bit| matters[*bit])) {
                *is_taken = true;
                is_done &= piece.mentions.iter().all(|bit| matters[*bit]);
                piece.mentions.iter().for_each(|bit| matters[*bit] = true);
            }
        }
        if is_done {
            break;
        }
    }
    machine.pieces.iter().zip(is_taken).filter(|(_, is_taken)| *is_taken).map(|(piece, _)| piece.signal).collect()
}
