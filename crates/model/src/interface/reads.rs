//! What the defines of a system read, for all of them at once.

use crate::expr::{ExprId, Node};
use crate::interp::{is_partial, is_temporal};
use crate::model::{TransitionSystem, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::BitOrAssign;

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
    /// Whether it may have no value, judged by the shape of its parts.
    pub partial: bool,
}

impl BitOrAssign for Reads {
    fn bitor_assign(&mut self, other: Reads) {
        self.var |= other.var;
        self.next |= other.next;
        self.step_input |= other.step_input;
        self.temporal |= other.temporal;
        self.partial |= other.partial;
    }
}

impl TransitionSystem {
    /// What each define reads.
    pub fn reads_of_defines(&self) -> Vec<Reads> {
        self.of_defines(|node| match node {
            Node::Var(var) => Reads { var: true, step_input: self[*var].kind == VarKind::Input, ..Reads::default() },
            node => Reads {
                next: matches!(node, Node::Next(_)),
                temporal: is_temporal(node),
                partial: is_partial(self, node),
                ..Reads::default()
            },
        })
    }

    /// Whether each define reads some of these variables.
    pub(super) fn defines_that_read(&self, vars: &BTreeSet<VarId>) -> Vec<bool> {
        self.of_defines(|node| matches!(node, Node::Var(var) if vars.contains(var)))
    }

    /// A fact about all nodes of each define, those of other defines included, in time that is linear in the size of the
    /// defines.
    fn of_defines<T: Copy + Default + BitOrAssign>(&self, of: impl Fn(&Node) -> T) -> Vec<T> {
        let mut known: Vec<T> = Vec::with_capacity(self.defines.len());
        for define in &self.defines {
            let mut fact = T::default();
            let mut seen: FxHashSet<ExprId> = FxHashSet::default();
            let mut stack = vec![define.body.expr];
            while let Some(expr) = stack.pop() {
                if !seen.insert(expr) {
                    continue;
                }
                if let Node::Define(other) = &self[expr] {
                    // A define refers to earlier ones only.
                    fact |= known.get(other.0 as usize).copied().unwrap_or_default();
                    continue;
                }
                fact |= of(&self[expr]);
                self[expr].for_each_child(|child| stack.push(child));
            }
            known.push(fact);
        }
        known
    }
}
