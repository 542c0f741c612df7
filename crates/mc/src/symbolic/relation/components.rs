//! Parts of a relation that have no quantified variable in common.
//!
//! Going back, next values and inputs are forgotten. A set that says something about few next values has to do with the parts
//! that determine these; every other part only says where it permits a step at all, which is everywhere for an assignment.

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::policy::FEW_PARTS;
use crate::symbolic::relation::{Alphabet, Plan, cluster};
use std::cell::OnceCell;

/// The parts of a relation in groups, for the way back.
pub(crate) struct Components {
    list: Vec<Component>,
    /// For each diagram variable the component that it belongs to, if it is forgotten on the way back.
    of: Vec<Option<usize>>,
    /// Variables that are forgotten and in no part.
    free: Vec<Var>,
}

/// Parts that are connected by variables which are forgotten.
struct Component {
    parts: Vec<Bdd>,
    vars: Vec<Var>,
    joined: OnceCell<(Vec<Bdd>, Plan)>,
    /// The states from which it permits a step.
    permits: OnceCell<Bdd>,
}

impl Components {
    pub(super) fn new(manager: &Manager, parts: &[Bdd], alphabet: &Alphabet) -> Components {
        let quantified: Vec<Var> = alphabet.next().chain(alphabet.input.iter().copied()).collect();
        let mut of = vec![None; manager.n_vars() as usize];
        let parts = parts.iter().filter(|part| !part.is_true()).cloned().collect();
        let list: Vec<Component> = connected(parts, &quantified, manager.n_vars())
            .into_iter()
            .map(|(vars, parts)| Component { parts, vars, joined: OnceCell::new(), permits: OnceCell::new() })
            .collect();
        for (index, component) in list.iter().enumerate() {
            component.vars.iter().for_each(|var| of[*var as usize] = Some(index));
        }
        let free = quantified.into_iter().filter(|var| of[*var as usize].is_none()).collect();
        Components { list, of, free }
    }

    /// The states from which a step leads to what is known of next values and inputs, if few components have to do with it.
    pub(super) fn before(&self, manager: &Manager, start: &Bdd) -> Result<Option<Bdd>, Limit> {
        if self.list.len() < 2 {
            return Ok(None);
        }
        let mut is_touched = vec![false; self.list.len()];
        for var in start.support() {
            // Variables that came later are forgotten by nothing here.
            if let Some(component) = self.of.get(var as usize).copied().flatten() {
                is_touched[component] = true;
            }
        }
        let n_parts = |component: &Component| -> usize { component.parts.len() };
        let n_touched: usize =
            self.list.iter().zip(&is_touched).filter(|(_, is)| **is).map(|(component, _)| n_parts(component)).sum();
        if n_touched * FEW_PARTS > self.list.iter().map(n_parts).sum::<usize>() {
            return Ok(None);
        }
        let mut before = manager.exists(start, &manager.cube(&self.free)?)?;
        for (component, is_touched) in self.list.iter().zip(&is_touched) {
            if before.is_false() {
                break;
            }
            before = if *is_touched {
                let (joined, plan) = component.joined(manager)?;
                plan.run(manager, joined, &before)?
            } else {
                manager.and(&before, component.permits(manager)?)?
            };
        }
        Ok(Some(before))
    }
}

impl Component {
    /// Its parts, joined as long as they stay small, and the order in which they are multiplied in.
    fn joined(&self, manager: &Manager) -> Result<&(Vec<Bdd>, Plan), Limit> {
        if self.joined.get().is_none() {
            let (joined, _) = cluster(manager, &self.parts, &self.vars)?;
            let plan = Plan::new(manager, &joined, &self.vars)?;
            drop(self.joined.set((joined, plan)));
        }
        Ok(self.joined.get().expect("they were joined just now"))
    }

    fn permits(&self, manager: &Manager) -> Result<&Bdd, Limit> {
        if self.permits.get().is_none() {
            let (joined, plan) = self.joined(manager)?;
            drop(self.permits.set(plan.run(manager, joined, &manager.constant(true))?));
        }
        Ok(self.permits.get().expect("it was computed just now"))
    }
}

/// The conjunction of some parts for some value of the quantified variables, as a conjunction: parts that have no such
/// variable in common stay apart.
pub(crate) fn components(manager: &Manager, parts: Vec<Bdd>, quantified: &[Var]) -> Result<Vec<Bdd>, Limit> {
    let mut found = Vec::new();
    for (vars, parts) in connected(parts, quantified, manager.n_vars()) {
        let component = Plan::new(manager, &parts, &vars)?.run(manager, &parts, &manager.constant(true))?;
        if !component.is_true() {
            found.push(component);
        }
    }
    Ok(found)
}

/// Groups of parts that have no quantified variable in common, with these variables.
fn connected(parts: Vec<Bdd>, quantified: &[Var], n_vars: u32) -> Vec<(Vec<Var>, Vec<Bdd>)> {
    let mut is_quantified = vec![false; n_vars as usize];
    for var in quantified {
        is_quantified[*var as usize] = true;
    }
    let mut groups: Vec<(Vec<Var>, Vec<Bdd>)> = Vec::new();
    for part in parts {
        let mut vars: Vec<Var> = part.support().into_iter().filter(|var| is_quantified[*var as usize]).collect();
        let mut joined = vec![part];
        let (touched, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(other, _)| other.iter().any(|var| vars.contains(var)));
        for (more_vars, more) in touched {
            vars.extend(more_vars);
            joined.extend(more);
        }
        vars.sort_unstable();
        vars.dedup();
        groups = others;
        groups.push((vars, joined));
    }
    groups
}
