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
    /// States that are a target, or from which the same step of a target is taken, as from this one: the values of a state,
    /// of inputs, and of the next state.
    pub(crate) fn target(&mut self, machine: &Machine, signal: Signal, by_step: bool, model: &[Vec<bool>; 3]) -> Cube {
        let values = all_values(machine, model, by_step);
        let mut roots = vec![signal, machine.invar];
        if by_step {
            let cone = machine.circuit.aig().cone([signal]);
            let mentioned = machine.bits.iter().map(|bit| cone.binary_search(&bit.next.node()).is_ok()).collect();
            roots.extend(step_roots(machine, mentioned, true, &values));
        }
        self.justify(machine, &roots, &values)
    }

    /// States from which a step with the same inputs leads into a set, as from this one.
    pub(crate) fn before(&mut self, machine: &Machine, after: &Cube, model: &[Vec<bool>; 3]) -> Cube {
        let values = all_values(machine, model, machine.netlist.mixes);
        let mut mentioned = vec![false; machine.bits.len()];
        for (bit, _) in after {
            mentioned[*bit] = true;
        }
        // A frozen variable has its value before, too.
        let frozen = after.iter().filter(|(bit, _)| machine.bits[*bit].now == machine.bits[*bit].next);
        let frozen: Vec<Signal> = frozen.map(|(bit, value)| machine.bits[*bit].now.negate_if(!*value)).collect();
        let mut roots = step_roots(machine, mentioned, false, &values);
        roots.extend(frozen);
        roots.push(machine.invar);
        self.justify(machine, &roots, &values)
    }

    /// The bits of the state from which, with the values of everything else, it follows that the roots hold.
    fn justify(&mut self, machine: &Machine, roots: &[Signal], values: &[bool]) -> Cube {
        let aig = machine.circuit.aig();
        let Lifter { costs, is_needed } = self;
        costs.clear();
        costs.resize(aig.len(), 0);
        is_needed.clear();
        is_needed.resize(aig.len(), false);
        for (bit, is_kept) in machine.bits.iter().zip(&machine.netlist.is_kept) {
            costs[bit.now.node() as usize] = u32::from(*is_kept);
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
        let needed = machine.bits.iter().enumerate().zip(&machine.netlist.is_kept);
        let needed = needed.filter(|((_, bit), is_kept)| **is_kept && is_needed[bit.now.node() as usize]);
        needed.map(|(bit, _)| bit).map(|(place, bit)| (place, value(bit.now))).collect()
    }
}

/// The values of all nodes, given those of the bits; with the next values of functions, if they matter.
fn all_values(machine: &Machine, [now, inputs, next]: &[Vec<bool>; 3], with_next: bool) -> Vec<bool> {
    let values = node_values(machine, now, inputs, next);
    if !with_next {
        return values;
    }
    let functions = machine.netlist.functions.iter().zip(next);
    let next: Vec<bool> = functions
        .map(|(function, next)| function.map_or(*next, |value| values[value.node() as usize] != value.is_negated()))
        .collect();
    node_values(machine, now, inputs, &next)
}

/// What has to hold for a step if some bits of the next state matter. If it is whole, that includes what holds in the next
/// state.
fn step_roots(machine: &Machine, mut matters: Vec<bool>, whole: bool, values: &[bool]) -> Vec<Signal> {
    let netlist = &machine.netlist;
    let is_function = |bit: &usize| netlist.functions[*bit].is_some();
    let mut is_taken = vec![false; machine.pieces.len()];
    let mut roots = Vec::new();
    loop {
        let mut is_done = true;
        for ((piece, is_live), is_taken) in machine.pieces.iter().zip(&netlist.is_live).zip(&mut is_taken) {
            let is_built_in = !piece.owns.is_empty() && piece.owns.iter().all(is_function);
            let counts = if piece.owns.is_empty() {
                *is_live || whole
            } else {
                (*is_live || whole) && piece.owns.iter().any(|bit| matters[*bit])
            };
            if !*is_taken && !is_built_in && counts {
                *is_taken = true;
                is_done &= piece.mentions.iter().all(|bit| matters[*bit]);
                piece.mentions.iter().for_each(|bit| matters[*bit] = true);
                roots.push(piece.signal);
            }
        }
        if is_done {
            break;
        }
    }
    for (value, _) in netlist.functions.iter().zip(matters).filter(|(_, matters)| *matters) {
        roots.extend(value.map(|value| value.negate_if(values[value.node() as usize] == value.is_negated())));
    }
    roots
}
