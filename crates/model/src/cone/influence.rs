//! Dependencies between the variables of a model, computed once for the cones of many queries.

use super::Cone;
use crate::expr::{ExprId, SourcedExpr};
use crate::interp::{Demand, Graph, Limits, support_of};
use crate::model::{TransitionSystem, VarId};

/// Maximal number of combinations of values tried to decide whether an expression is total.
const MAX_CASES: u128 = 1 << 12;

/// Limits for exploring the machine of some constraints to show that it has no deadlock.
const MACHINE_LIMITS: Limits = Limits { states: 1 << 10, work: 100_000 };

/// Dependencies between variables. Results are computed on demand and cached.
pub struct Influence<'m> {
    model: &'m TransitionSystem,
    /// The variables of fairness constraints.
    fair: Vec<VarId>,
    /// For each variable, the variables that its assignments read.
    sources: Vec<Option<Vec<VarId>>>,
    /// For each variable, the indices of its assignments.
    assigns: Vec<Vec<usize>>,
    /// For each variable, whether its assignments always have a value in its domain.
    is_total: Vec<Option<bool>>,
    /// Sets of variables that are connected by constraints on states and steps, with the variables that they depend on.
    machines: Vec<Vec<VarId>>,
    /// For each machine, whether it has an initial state and no deadlock.
    deadlock_free: Vec<Option<bool>>,
    /// For each variable, the machine that it is part of.
    machine_of: Vec<Option<usize>>,
    /// Decides whether a small model has an initial state, no deadlock and no undefined values; false if undecided.
    is_deadlock_free: Box<dyn FnMut(TransitionSystem) -> bool + 'm>,
    /// Whether all expressions of the model are known to be defined in all states.
    assume_defined: bool,
}

impl<'m> Influence<'m> {
    /// The dependencies of a model.
    pub fn new(model: &'m TransitionSystem) -> Influence<'m> {
        let n_vars = model.vars.len();
        let mut assigns = vec![Vec::new(); n_vars];
        for (index, assign) in model.assigns.iter().enumerate() {
            assigns[assign.var.0 as usize].push(index);
        }
        let justice = model.justice.iter().map(|sourced| sourced.expr);
        let compassion = model.compassion.iter().flat_map(|(p, q)| [p.expr, q.expr]);
        let mut influence = Influence {
            model,
            fair: vars_of(model, justice.chain(compassion)),
            sources: vec![None; n_vars],
            assigns,
            is_total: vec![None; n_vars],
            machines: Vec::new(),
            deadlock_free: Vec::new(),
            machine_of: vec![None; n_vars],
            is_deadlock_free: Box::new(|alone| {
                Graph::explore(&alone, MACHINE_LIMITS)
                    .is_ok_and(|graph| !graph.is_empty() && graph.deadlocks().is_empty())
            }),
            assume_defined: false,
        };
        for sourced in [&model.init, &model.trans, &model.invar].into_iter().flatten() {
            influence.connect(sourced);
        }
        influence.deadlock_free = vec![None; influence.machines.len()];
        influence
    }

    /// Assumes that all expressions of the model are defined in all states.
    #[must_use]
    pub fn assume_defined(self) -> Influence<'m> {
        Influence { assume_defined: true, ..self }
    }

    /// Sets the procedure that decides whether a small model has an initial state, no deadlock and no undefined values.
    #[must_use]
    pub fn with_deadlock_check(self, is_deadlock_free: impl FnMut(TransitionSystem) -> bool + 'm) -> Influence<'m> {
        Influence { is_deadlock_free: Box::new(is_deadlock_free), ..self }
    }

    /// The cone of these expressions and variables.
    pub fn cone(&mut self, exprs: impl IntoIterator<Item = ExprId>, vars: impl IntoIterator<Item = VarId>) -> Cone {
        let mut kept = vec![false; self.model.vars.len()];
        // Fairness constraints can exclude paths, so their variables are in every cone.
        let mut fresh = self.fair.clone();
        fresh.extend(vars_of(self.model, exprs));
        fresh.extend(vars);
        self.keep(&mut kept, fresh);
        // Variables that could cause a deadlock or have no value are in every cone.
        for at in 0..kept.len() {
            if !kept[at] && !self.is_total(at) {
                self.keep(&mut kept, vec![var_at(at)]);
            }
        }
        for machine in 0..self.machines.len() {
            let is_kept = |var: &VarId| kept[var.0 as usize];
            if !self.machines[machine].first().is_none_or(is_kept) && !self.deadlock_free(machine) {
                let vars = self.machines[machine].clone();
                self.keep(&mut kept, vars);
            }
        }
        Cone { kept }
    }

    /// Adds variables, everything that they depend on, and everything connected to them by constraints.
    fn keep(&mut self, kept: &mut [bool], mut fresh: Vec<VarId>) {
        while let Some(var) = fresh.pop() {
            let at = var.0 as usize;
            if !std::mem::replace(&mut kept[at], true) {
                fresh.extend(self.sources(at));
                fresh.extend(self.machine_of[at].map(|machine| &self.machines[machine]).into_iter().flatten());
            }
        }
    }

    /// The variables that the assignments of a variable read.
    fn sources(&mut self, at: usize) -> &[VarId] {
        let Influence { sources, assigns, model, .. } = self;
        sources[at].get_or_insert_with(|| {
            vars_of(model, assigns[at].iter().map(|index| model.assigns[*index].value.expr).collect::<Vec<_>>())
        })
    }

    /// Merges the variables of a constraint into one machine. A constraint without variables concerns every query.
    fn connect(&mut self, sourced: &SourcedExpr) {
        let mut fresh = vars_of(self.model, [sourced.expr]);
        if fresh.is_empty() {
            return;
        }
        let ours = self.machines.len();
        self.machines.push(Vec::new());
        while let Some(var) = fresh.pop() {
            let at = var.0 as usize;
            match self.machine_of[at] {
                Some(machine) if machine == ours => {}
                Some(other) => {
                    let vars = std::mem::take(&mut self.machines[other]);
                    for var in &vars {
                        self.machine_of[var.0 as usize] = Some(ours);
                    }
                    self.machines[ours].extend(vars);
                }
                None => {
                    self.machine_of[at] = Some(ours);
                    self.machines[ours].push(var);
                    fresh.extend(self.sources(at));
                }
            }
        }
    }

    /// Whether the assignments of a variable always have a value in its domain; false if that is undecided.
    fn is_total(&mut self, at: usize) -> bool {
        if self.is_total[at].is_none() {
            self.is_total[at] = Some(self.assume_defined || self.is_met(at));
        }
        self.is_total[at] == Some(true)
    }

    fn is_met(&mut self, at: usize) -> bool {
        let model = self.model;
        let demands = self.assigns[at].iter().map(|index| &model.assigns[*index]);
        let demands = demands.map(|assign| Demand { expr: assign.value.expr, var: Some(assign.var) });
        let met: Vec<Option<bool>> = demands.map(|demand| demand.is_met(model, MAX_CASES)).collect();
        if met.contains(&None) && !met.contains(&Some(false)) {
            let mut vars = self.sources(at).to_vec();
            vars.push(var_at(at));
            let mut alone = self.alone(&vars);
            alone.assigns.retain(|assign| assign.var == var_at(at));
            alone.init.clear();
            alone.trans.clear();
            alone.invar.clear();
            return (self.is_deadlock_free)(alone);
        }
        met.iter().all(|met| *met == Some(true))
    }

    /// Whether a machine has an initial state and no deadlock; false if that is undecided.
    fn deadlock_free(&mut self, machine: usize) -> bool {
        if self.deadlock_free[machine].is_none() {
            let model = self.model;
            let alone = self.alone(&self.machines[machine]);
            let is_met = |sourced: &SourcedExpr| Demand { expr: sourced.expr, var: None }.is_met(model, MAX_CASES);
            let assume_defined = self.assume_defined || {
                let mut constraints = [&alone.init, &alone.trans, &alone.invar].into_iter().flatten();
                // The deadlock check also decides constraints that are too large for trying cases.
                constraints.all(|sourced| is_met(sourced) != Some(false))
            };
            self.deadlock_free[machine] = Some(assume_defined && (self.is_deadlock_free)(alone));
        }
        self.deadlock_free[machine] == Some(true)
    }

    /// The model restricted to some variables, with their assignments and constraints.
    fn alone(&self, vars: &[VarId]) -> TransitionSystem {
        let model = self.model;
        let mut kept = vec![false; model.vars.len()];
        for var in vars {
            kept[var.0 as usize] = true;
        }
        let mut alone = Cone { kept }.reduce(model);
        // Constraints without variables are checked with the rest of the model.
        let speaks = |sourced: &SourcedExpr| !vars_of(model, [sourced.expr]).is_empty();
        alone.init.retain(speaks);
        alone.trans.retain(speaks);
        alone.invar.retain(speaks);
        alone.justice.clear();
        alone.compassion.clear();
        alone
    }
}

/// The variables of some expressions.
fn vars_of(model: &TransitionSystem, exprs: impl IntoIterator<Item = ExprId>) -> Vec<VarId> {
    let support = support_of(model, exprs);
    support.now.union(&support.next).copied().collect()
}

fn var_at(at: usize) -> VarId {
    VarId(u32::try_from(at).expect("variables are counted by 32 bits"))
}
