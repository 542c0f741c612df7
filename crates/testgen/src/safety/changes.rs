//! The changes of a mutant, as changed parts of the machine.

use crate::mutate::{Mutant, SiteId};
use rustc_hash::FxHashMap;
use specwright_mc::Part;
use specwright_model::model::{AssignKind, DefineId};
use specwright_model::{ExprId, Model, Node, TransitionSystem};

/// The parts of the machine that differ in a mutant, with their new expressions. A mutant that only changes initial
/// states, or a define that no step depends on, has none.
///
/// Defines are shared with the properties, so a mutated define is replaced by its mutated body.
pub fn changes(model: &Model, mutant: &Mutant) -> Vec<(Part, ExprId)> {
    let mutated = mutant.mutated(model);
    match mutant.site {
        SiteId::Assign(index) if model.assigns[index].kind == AssignKind::Init => Vec::new(),
        SiteId::Assign(index) => vec![(Part::Assign(index), mutated)],
        SiteId::Invar(index) => vec![(Part::Invar(index), mutated)],
        SiteId::Trans(index) => vec![(Part::Trans(index), mutated)],
        SiteId::Init(_) | SiteId::Property(_) => Vec::new(),
        SiteId::Define(define) => through_define(model, define, mutated),
    }
}

fn through_define(model: &TransitionSystem, define: DefineId, body: ExprId) -> Vec<(Part, ExprId)> {
    let mut new = Substitution::default();
    new.put(model, define, body);
    // Defines only use earlier ones.
    for later in define.0 + 1..model.defines.len() as u32 {
        let old = model.body(DefineId(later));
        let body = new.apply(model, old);
        if body != old {
            new.put(model, DefineId(later), body);
        }
    }
    let is_step = |kind| matches!(kind, AssignKind::Always | AssignKind::Next);
    let assigns = model.assigns.iter().enumerate().filter(|(_, assign)| is_step(assign.kind));
    let mut parts: Vec<(Part, ExprId)> =
        assigns.map(|(index, assign)| (Part::Assign(index), assign.value.expr)).collect();
    parts.extend(model.invar.iter().enumerate().map(|(index, sourced)| (Part::Invar(index), sourced.expr)));
    parts.extend(model.trans.iter().enumerate().map(|(index, sourced)| (Part::Trans(index), sourced.expr)));
    let mut changed = Vec::new();
    for (part, old) in parts {
        let expr = new.apply(model, old);
        if expr != old {
            changed.push((part, expr));
        }
    }
    changed
}

/// A substitution of expressions.
#[derive(Default)]
struct Substitution(FxHashMap<ExprId, ExprId>);

impl Substitution {
    /// Substitutes a define.
    fn put(&mut self, model: &TransitionSystem, define: DefineId, body: ExprId) {
        // An unused define has no node.
        if let Some(reference) = model.context.exprs.get(&Node::Define(define)) {
            self.0.insert(reference, body);
        }
    }

    fn apply(&mut self, model: &TransitionSystem, expr: ExprId) -> ExprId {
        for part in model.context.exprs.parts([expr]) {
            if self.0.contains_key(&part) {
                continue;
            }
            let old = model[part].clone();
            let new = old.map_children(|child| self.0.get(&child).copied().unwrap_or(child));
            if new != old {
                let new = model.make(new).expect("a mutated define is of the type that the define was of");
                self.0.insert(part, new);
            }
        }
        self.0.get(&expr).copied().unwrap_or(expr)
    }
}
