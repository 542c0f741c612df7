//! Ids of mutants that survive edits: hashes of the *content* of a mutant, not of its position.
//!
//! The hash is FNV-1a, implemented here so that it is the same on every machine and in every version.

use specwright_model::{ExprId, Model, Node, Value};

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash under construction.
#[derive(Clone, Copy)]
pub(super) struct Hash(u64);

impl Hash {
    pub(super) fn new(tag: &str) -> Hash {
        Hash(OFFSET).text(tag)
    }

    /// Adds a text with its length, so that the boundaries of texts count.
    pub(super) fn text(self, text: &str) -> Hash {
        self.number(text.len() as u64).bytes(text.as_bytes())
    }

    pub(super) fn number(self, number: u64) -> Hash {
        self.bytes(&number.to_le_bytes())
    }

    pub(super) fn finish(self) -> u64 {
        mix(self.0)
    }

    fn bytes(self, bytes: &[u8]) -> Hash {
        Hash(bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME)))
    }
}

/// Mixes the bits of a number (the finalizer of `SplitMix64`).
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Content hashes of expressions, cached.
#[derive(Default)]
pub(crate) struct Contents {
    /// By expression; 0 if not known yet.
    hashes: Vec<u64>,
    /// The number of nodes of each that is known, as a tree.
    sizes: Vec<u64>,
}

impl Contents {
    /// The content hash of an expression. It depends on names, not on the order of declarations.
    pub(crate) fn of(&mut self, model: &Model, expr: ExprId) -> u64 {
        if self.known(expr) == 0 {
            self.hashes.resize(model.context.exprs.len(), 0);
            self.sizes.resize(model.context.exprs.len(), 0);
            let mut stack = vec![expr];
            while let Some(&expr) = stack.last() {
                let before = stack.len();
                if self.known(expr) == 0 {
                    model[expr].for_each_child(|child| {
                        if self.known(child) == 0 {
                            stack.push(child);
                        }
                    });
                }
                if stack.len() == before {
                    stack.pop();
                    if self.known(expr) == 0 {
                        // 0 stands for unknown.
                        self.hashes[expr.0 as usize] = self.node(model, &model[expr]).max(1);
                        let mut size: u64 = 1;
                        model[expr].for_each_child(|child| size = size.saturating_add(self.sizes[child.0 as usize]));
                        self.sizes[expr.0 as usize] = size;
                    }
                }
            }
        }
        self.known(expr)
    }

    /// The number of nodes of an expression as a tree.
    pub(crate) fn size(&mut self, model: &Model, expr: ExprId) -> u64 {
        self.of(model, expr);
        self.sizes[expr.0 as usize]
    }

    fn known(&self, expr: ExprId) -> u64 {
        self.hashes.get(expr.0 as usize).copied().unwrap_or(0)
    }

    fn node(&self, model: &Model, node: &Node) -> u64 {
        let hash = match node {
            Node::Const(Value::Bool(value)) => Hash::new("bool").number(u64::from(*value)),
            Node::Const(value) => Hash::new("const").text(&model.show(*value)),
            Node::Var(var) => Hash::new("var").text(&model[*var].name),
            Node::Define(define) => Hash::new("define").text(&model[*define].name),
            Node::Next(_) => Hash::new("next"),
            Node::Unary(op, _) => Hash::new("unary").text(op.symbol()),
            // The symbols of `E [p U q]` and `A [p U q]` are the same.
            Node::Binary(op, ..) => Hash::new("binary").text(&format!("{op:?}")),
            Node::Bounded(op, low, high, _) => {
                Hash::new("bounded").text(&format!("{op:?}")).number(*low).number(high.map_or(u64::MAX, |high| high))
            }
            Node::BoundedUntil(op, low, high, ..) => {
                Hash::new("until").text(&format!("{op:?}")).number(*low).number(*high)
            }
            Node::Ite(..) => Hash::new("ite"),
            Node::Case(branches) => Hash::new("case").number(branches.len() as u64),
            Node::Set(items) => Hash::new("set").number(items.len() as u64),
            Node::Range(..) => Hash::new("range"),
            Node::Array(first, items) => Hash::new("array").number(first.cast_unsigned()).number(items.len() as u64),
            Node::Index(..) => Hash::new("index"),
            Node::Slice(_, high, low) => Hash::new("slice").number(u64::from(*high)).number(u64::from(*low)),
            Node::Call(builtin, args) => Hash::new("call").text(builtin.name()).number(args.len() as u64),
        };
        let mut hash = hash;
        node.for_each_child(|child| hash = hash.number(self.known(child)));
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        assert_eq!(Hash::new("ORO").text("x").number(7).finish(), 0xdab6_3533_6e45_afaa);
    }
}
