//! What the defines of a system read, for all of them at once.

use crate::expr::{ExprId, Node};
use crate::interp::is_temporal;
use crate::model::{TransitionSystem, VarKind};
use rustc_hash::FxHashSet;

/// What a define reads, through other defines, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "these are independent facts")]
pub struct Reads {
    /// Whether it reads a variable.
    pub var: bool,
    /// Whether it reads a next value.
    pub next: bool,
    /// Whether it reads an input of steps.
    pub step_input: bool,
    /// Whether it has a temporal operator.
    pub temporal: bool,
}

impl TransitionSystem {
    /// What each define reads, in time that is linear in the size of the defines.
    pub fn reads_of_defines(&self) -> Vec<Reads> {
        let mut known: Vec<Reads> = Vec::with_capacity(self.defines.len());
        for define in &self.defines {
            let mut reads = Reads::default();
            let mut seen: FxHashSet<ExprId> = FxHashSet::default();
            let mut stack = vec![define.body.expr];
            while let Some(expr) = stack.pop() {
                if !seen.insert(expr) {
                    continue;
                }
                match &self[expr] {
                    Node::Var(var) => {
                        reads.var = true;
                        reads.step_input |= self[*var].kind == VarKind::Input;
                    }
                    Node::Define(other) => {
                        // A define refers to earlier ones only.
                        let other = known.get(other.0 as usize).copied().unwrap_or_default();
                        reads.var |= other.var;
                        reads.next |= other.next;
                        reads.step_input |= other.step_input;
                        reads.temporal |= other.temporal;
                    }
                    node => {
                        reads.next |= matches!(node, Node::Next(_));
                        reads.temporal |= is_temporal(node);
                        node.for_each_child(|child| stack.push(child));
                    }
                }
            }
            known.push(reads);
        }
        known
    }
}
