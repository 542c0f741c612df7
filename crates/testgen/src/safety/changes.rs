//! The changes of a mutant, as changed parts of the machine.

use crate::mutate::{Mutant, SiteId};
use rustc_hash::FxHashMap;
use specwright_mc::{Part, Place};
use specwright_model::model::{AssignKind, DefineId};
use specwright_model::{ExprId, Model, Node, TransitionSystem};

/// The parts of the machine that differ in a mutant, with their new expressions. A mutant that only changes initial
/// states, or a define that no step depends on, has none.
pub fn changes(model: &Model, mutant: &Mutant) -> Vec<(Part, ExprId)> {
    let places = places(model, mutant).into_iter();
    let of_steps = places.filter_map(|(place, expr)| match place {
        Place::Assign(index) if model.assigns[index].kind == AssignKind::Init => None,
        Place::Assign(index) => Some((Part::Assign(index), expr)),
        Place::Invar(index) => Some((Part::Invar(index), expr)),
        Place::Trans(index) => Some((Part::Trans(index), expr)),
        Place::Define(_) | Place::Init(_) | Place::Fairness(_) => None,
    });
    of_steps.collect()
}

/// All places of the machine that differ in a mutant, with their new expressions; none for a mutant of a property.
///
/// Defines are shared with the properties, so a mutated define is replaced by its mutated body wherever it is used.
pub fn places(model: &Model, mutant: &Mutant) -> Vec<(Place, ExprId)> {
    let mutated = mutant.mutated(model);
    match mutant.site {
        SiteId::Assign(index) => vec![(Place::Assign(index), mutated)],
        SiteId::Init(index) => vec![(Place::Init(index), mutated)],
        SiteId::Invar(index) => vec![(Place::Invar(index), mutated)],
        SiteId::Trans(index) => vec![(Place::Trans(index), mutated)],
        SiteId::Fairness(index) => vec![(Place::Fairness(index), mutated)],
        SiteId::Property(_) => Vec::new(),
        SiteId::Define(define) => through_define(model, define, mutated),
    }
}

/// The fairness constraints that a mutated define changes, as places of the machine.
pub(crate) fn fairness(model: &TransitionSystem, changes: &[(Place, ExprId)]) -> Vec<(Place, ExprId)> {
    let mut new = Substitution::of_defines(model, changes);
    let compassion = model.compassion.iter().flat_map(|(cause, effect)| [cause, effect]);
    let constraints = model.justice.iter().chain(compassion).enumerate();
    let changed = constraints.map(|(index, written)| (index, written.expr, new.apply(model, written.expr)));
    changed.filter(|(_, old, expr)| old != expr).map(|(index, _, expr)| (Place::Fairness(index), expr)).collect()
}

fn through_define(model: &TransitionSystem, define: DefineId, body: ExprId) -> Vec<(Place, ExprId)> {
    let mut new = Substitution::default();
    new.put(model, define, body);
    let mut changed = vec![(Place::Define(define), body)];
    // Defines only use earlier ones.
    for later in (define.0 + 1..model.defines.len() as u32).map(DefineId) {
        let old = model.body(later);
        let body = new.apply(model, old);
        if body != old {
            new.put(model, later, body);
            changed.push((Place::Define(later), body));
        }
    }
    let assigns = model.assigns.iter().enumerate();
    let mut places: Vec<(Place, ExprId)> =
        assigns.map(|(index, assign)| (Place::Assign(index), assign.value.expr)).collect();
    places.extend(model.invar.iter().enumerate().map(|(index, sourced)| (Place::Invar(index), sourced.expr)));
    places.extend(model.trans.iter().enumerate().map(|(index, sourced)| (Place::Trans(index), sourced.expr)));
    places.extend(model.init.iter().enumerate().map(|(index, sourced)| (Place::Init(index), sourced.expr)));
    for (place, old) in places {
        let expr = new.apply(model, old);
        if expr != old {
            changed.push((place, expr));
        }
    }
    changed
}

/// A substitution of expressions: what is known to stay as it is stands for itself.
#[derive(Default)]
pub(crate) struct Substitution(FxHashMap<ExprId, ExprId>);

impl Substitution {
    /// The bodies of mutated defines instead of the defines.
    pub(crate) fn of_defines(model: &TransitionSystem, changes: &[(Place, ExprId)]) -> Substitution {
        let mut new = Substitution::default();
        for (place, body) in changes {
            if let Place::Define(define) = place {
                new.put(model, *define, *body);
            }
        }
        new
    }

    /// Substitutes a define.
    fn put(&mut self, model: &TransitionSystem, define: DefineId, body: ExprId) {
        // An unused define has no node.
        if let Some(reference) = model.context.exprs.get(&Node::Define(define)) {
            self.0.insert(reference, body);
        }
    }

    /// The expression with everything substituted.
    pub(crate) fn apply(&mut self, model: &TransitionSystem, expr: ExprId) -> ExprId {
        if self.0.is_empty() {
            return expr;
        }
        // What has been looked at is not looked into again: expressions share most of their parts.
        let mut open = vec![expr];
        while let Some(&part) = open.last() {
            if self.0.contains_key(&part) {
                open.pop();
                continue;
            }
            let n_open = open.len();
            model[part].for_each_child(|child| open.extend((!self.0.contains_key(&child)).then_some(child)));
            if open.len() > n_open {
                continue;
            }
            open.pop();
            let old = &model[part];
            let mut is_changed = false;
            old.for_each_child(|child| is_changed |= self.0[&child] != child);
            let new = if is_changed {
                let new = old.clone().map_children(|child| self.0[&child]);
                model.make(new).expect("a mutated define is of the type that the define was of")
            } else {
                part
            };
            self.0.insert(part, new);
        }
        self.0[&expr]
    }
}
