//! The branches of an assignment: nested `case`s and conditionals, flattened.

use super::cx::Cx;
use super::literal::Role;
use super::tree::Tree;
use crate::reflect::expound::Condition;
use specwright_model::{Node, Value};

/// A value and the conditions under which it is taken.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) value: Tree,
    /// Whether it is a default branch without a condition in the source.
    pub(crate) default: bool,
}

impl Cx<'_> {
    /// All branches of a value, in source order.
    pub(crate) fn leaves(&mut self, value: &Tree) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(value, Vec::new(), false, &mut leaves);
        leaves
    }

    fn collect_leaves(&mut self, value: &Tree, path: Vec<Condition>, default: bool, leaves: &mut Vec<Leaf>) {
        let parts = self.parts(value);
        match &self.model[value.expr] {
            Node::Case(_) => {
                let mut earlier = path;
                for (at, pair) in parts.chunks_exact(2).enumerate() {
                    let [guard, value] = pair else { continue };
                    let mut path = earlier.clone();
                    if self.is_true(guard) {
                        // The guard of a default branch consists of the negated guards before it.
                        let inherited = if default { 0 } else { path.len() - at };
                        path[inherited..]
                            .iter_mut()
                            .filter(|condition| condition.role == Role::Subtracted)
                            .for_each(|condition| condition.role = Role::Expounded);
                        self.collect_leaves(value, path, at > 0 || default, leaves);
                        return;
                    }
                    path.push(Condition { tree: guard.clone(), holds: true, role: Role::Own });
                    self.collect_leaves(value, path, false, leaves);
                    earlier.push(Condition { tree: guard.clone(), holds: false, role: Role::Subtracted });
                }
            }
            Node::Ite(..) => {
                let [guard, then, otherwise] = &parts[..] else { unreachable!("a conditional has three parts") };
                let with = |holds, role| {
                    let condition = Condition { tree: guard.clone(), holds, role };
                    [path.clone(), vec![condition]].concat()
                };
                // In a chain of conditionals, later branches have their own guards.
                let chained = matches!(self.model[otherwise.expr], Node::Ite(..) | Node::Case(_));
                let role = if chained { Role::Subtracted } else { Role::Own };
                let (yes, no) = (with(true, Role::Own), with(false, role));
                self.collect_leaves(then, yes, false, leaves);
                self.collect_leaves(otherwise, no, false, leaves);
            }
            _ => leaves.push(Leaf { conditions: path, value: value.clone(), default }),
        }
    }

    fn is_true(&self, guard: &Tree) -> bool {
        matches!(self.model[guard.expr], Node::Const(Value::Bool(true)))
    }
}
