//! What properties and testers see of a state.

use crate::safety::Substitution;
use rustc_hash::FxHashSet;
use specwright_mc::{Labels, Observer, Place};
use specwright_model::interp::support;
use specwright_model::model::VarKind;
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, Ty, VarId};

/// The expressions that must agree in bisimilar states.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    vars: Vec<VarId>,
    values: Vec<ExprId>,
    /// Further expressions, all of whose variables are among `vars`.
    through_vars: Vec<ExprId>,
}

impl Seen {
    /// What these formulas and a tester of the model see: inputs, outputs, and the atoms of the formulas.
    pub(super) fn new(model: &Model, formulas: &[ExprId]) -> Seen {
        let observer = Observer::of(model);
        let is_state = |var: &VarId| model[*var].kind != VarKind::Input;
        let mut vars: Vec<VarId> = observer.inputs.into_iter().chain(observer.outputs).filter(is_state).collect();
        let (mut values, mut through_vars) = (Vec::new(), Vec::new());
        let outputs = observer.defines.iter().map(|define| model.body(*define));
        let mut seen = FxHashSet::default();
        let mut open: Vec<ExprId> = outputs.chain(atoms(model, formulas)).collect();
        while let Some(atom) = open.pop() {
            if !seen.insert(atom) {
                continue;
            }
            if let Node::Array(_, elements) = &model[atom] {
                open.extend(elements.iter().copied());
                continue;
            }
            let support = support(model, atom);
            if matches!(model.context.exprs.ty(atom), Ty::One(_)) && support.next.is_empty() {
                values.push(atom);
            } else {
                through_vars.push(atom);
                // Where all that it reads agrees, it agrees too.
                vars.extend(support.now.iter().chain(&support.next).copied().filter(is_state));
            }
        }
        vars.sort_unstable();
        vars.dedup();
        Seen { vars, values, through_vars }
    }

    /// Whether some variable of states is not seen.
    pub(super) fn hides(&self, model: &Model) -> bool {
        model.vars().any(|(var, declared)| declared.kind != VarKind::Input && !self.vars.contains(&var))
    }

    /// The labels, with the expressions as a mutant has them; nothing if it has others where variables stand for them.
    pub(super) fn labels(&self, model: &Model, changes: &[(Place, ExprId)]) -> Option<Labels> {
        let mut mutated = Substitution::of_defines(model, changes);
        if self.through_vars.iter().any(|expr| mutated.apply(model, *expr) != *expr) {
            return None;
        }
        let values = self.values.iter().map(|expr| (*expr, mutated.apply(model, *expr)));
        Some(Labels { vars: self.vars.clone(), values: values.collect() })
    }
}

/// The largest parts of formulas without temporal operators.
fn atoms(model: &Model, formulas: &[ExprId]) -> Vec<ExprId> {
    let (mut atoms, mut open, mut seen) = (Vec::new(), formulas.to_vec(), FxHashSet::default());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Node::Define(define) = model[expr] {
            open.push(model.body(define));
        } else if model.mentions(expr, is_temporal) {
            model[expr].for_each_child(|child| open.push(child));
        } else {
            atoms.push(expr);
        }
    }
    atoms.sort_unstable();
    atoms
}
