//! What a state has to keep: the bits by which proofs describe states.
//!
//! A bit that a step determines from the state before it is a register. A bit that no step says anything about has any value
//! that the invariants allow, like an input: the values of an input of a circuit, or of a variable that is assigned what it
//! always is. Proofs leave such bits out, and the invariants of a state are looked at when it is left, not when it is
//! entered: then what leads to a state depends on registers alone.

use super::machine::{Bit, NextBit, Piece};
use specwright_sat::{Aig, Node, Signal};

/// Which bits states consist of, and where their next values come from.
pub(crate) struct Netlist {
    /// Whether proofs describe states by a bit.
    pub(crate) is_kept: Vec<bool>,
    /// For each bit that is a function of the state and inputs before, that function.
    pub(crate) functions: Vec<Option<Signal>>,
    /// For each piece, whether it says something about the next values of kept bits that are no functions, or which
    /// steps there are.
    pub(crate) is_live: Vec<bool>,
    /// Whether such a piece mentions a bit that is a function.
    pub(crate) mixes: bool,
}

impl Netlist {
    /// Finds out, given also what is said of initial states alone.
    pub(crate) fn new(
        aig: &Aig,
        bits: &[Bit],
        next_bits: &[Option<NextBit>],
        pieces: &[Piece],
        start: Signal,
    ) -> Netlist {
        let is_frozen = |bit: usize| bits[bit].now == bits[bit].next;
        let mut depends_on_next = vec![false; aig.len()];
        for bit in bits.iter().filter(|bit| bit.now != bit.next) {
            depends_on_next[bit.next.node() as usize] = true;
        }
        for node in 0..aig.len() {
            if let Node::And(a, b) = aig.node(node as u32) {
                depends_on_next[node] |= depends_on_next[a.node() as usize] || depends_on_next[b.node() as usize];
            }
        }
        let function = |next: &Option<NextBit>| {
            let next = next.filter(|next| !next.is_always && !depends_on_next[next.value.node() as usize]);
            next.map(|next| next.value)
        };
        let functions: Vec<Option<Signal>> = next_bits.iter().map(function).collect();
        let mut is_chosen = vec![false; bits.len()];
        for piece in pieces.iter().filter(|piece| piece.is_choice) {
            piece.owns.iter().for_each(|bit| is_chosen[*bit] = true);
        }
        // A bit with a first value of its own is not free in the first state.
        let first = aig.cone([start]);
        let mut is_kept: Vec<bool> = (0..bits.len())
            .map(|bit| {
                is_frozen(bit)
                    || is_chosen[bit]
                    || next_bits[bit].is_some_and(|next| !next.is_always)
                    || first.binary_search(&bits[bit].now.node()).is_ok()
            })
            .collect();
        let mut is_live = vec![false; pieces.len()];
        loop {
            let mut is_done = true;
            for (piece, is_live) in pieces.iter().zip(&mut is_live) {
                let matters = if piece.owns.is_empty() {
                    !piece.is_invar
                } else {
                    piece.owns.iter().any(|bit| is_kept[*bit] && functions[*bit].is_none())
                };
                if matters && !*is_live {
                    (*is_live, is_done) = (true, false);
                    piece.mentions.iter().for_each(|bit| is_kept[*bit] = true);
                }
            }
            if is_done {
                break;
            }
        }
        let mut live = pieces.iter().zip(&is_live).filter(|(_, is_live)| **is_live);
        let mixes = live.any(|(piece, _)| piece.mentions.iter().any(|bit| functions[*bit].is_some()));
        Netlist { is_kept, functions, is_live, mixes }
    }
}
