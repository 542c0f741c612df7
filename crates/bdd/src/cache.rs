//! The operation cache: results of earlier recursions, overwritten on collision.

use crate::store::Edge;

/// The cached operation. Its number takes the bits that an edge leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    And = 1,
    Xor,
    Ite,
    /// Quantification, whose third operand is true; and successors, where it is not.
    Exists,
    AndExists,
    /// The three kinds of renaming, distinguished by the other operands.
    Rename,
    Restrict,
}

const _: () = assert!((Op::Restrict as u32) < 1 << (u32::BITS - Edge::BITS), "all operators must fit");

/// Operator and first operand, second operand, third operand, result. Zero in the first field: empty.
type Entry = [u32; 4];

pub(crate) const BYTES_PER_ENTRY: usize = size_of::<Entry>();

/// Initial number of entries; small, so that tiny models start quickly.
const FIRST_ENTRIES: usize = 1 << 12;

pub(crate) struct Cache {
    entries: Vec<Entry>,
    max_entries: usize,
}

impl Cache {
    pub(crate) fn new(max_entries: usize) -> Self {
        Cache { entries: vec![[0; 4]; FIRST_ENTRIES], max_entries }
    }

    #[inline]
    pub(crate) fn get(&self, op: Op, f: Edge, g: Edge, h: Edge) -> Option<Edge> {
        let key = key(op, f, g, h);
        let entry = &self.entries[place(key, self.entries.len())];
        (entry[..3] == key).then(|| Edge::from_raw(entry[3]))
    }

    #[inline]
    pub(crate) fn insert(&mut self, op: Op, f: Edge, g: Edge, h: Edge, result: Edge) {
        let key = key(op, f, g, h);
        let place = place(key, self.entries.len());
        self.entries[place] = [key[0], key[1], key[2], result.raw()];
    }

    /// Grows with the number of nodes, within the memory limit.
    pub(crate) fn grow_for(&mut self, n_nodes: usize) {
        let wanted = n_nodes.next_power_of_two().min(self.max_entries);
        if wanted > self.entries.len() {
            let old = std::mem::replace(&mut self.entries, vec![[0; 4]; wanted]);
            for entry in old.into_iter().filter(|entry| entry[0] != 0) {
                let place = place([entry[0], entry[1], entry[2]], wanted);
                self.entries[place] = entry;
            }
        }
    }

    /// Drops the results that involve a dead node.
    pub(crate) fn retain(&mut self, is_alive: impl Fn(Edge) -> bool) {
        for entry in &mut self.entries {
            let [f, g, h, result] = *entry;
            let alive = |raw| is_alive(Edge::from_raw(raw));
            if f != 0 && !(alive(f & Edge::MASK) && alive(g) && alive(h) && alive(result)) {
                *entry = [0; 4];
            }
        }
    }
}

#[inline]
fn key(op: Op, f: Edge, g: Edge, h: Edge) -> [u32; 3] {
    [f.raw() | (op as u32) << Edge::BITS, g.raw(), h.raw()]
}

/// Multiplicative hashing; the high bits of a product depend on all bits of the factors.
#[inline]
fn place([f, g, h]: [u32; 3], n_entries: usize) -> usize {
    let fg = u64::from(f) | u64::from(g) << 32;
    let mixed = (fg ^ u64::from(h).wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & (n_entries - 1)
}
