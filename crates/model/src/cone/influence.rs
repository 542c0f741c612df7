//! What depends on what in a model: found out once, for the cones of many questions.

use super::Cone;
use crate::expr::{ExprId, Written};
use crate::interp::{Demand, Graph, Limits, support_of};
use crate::model::{Model, VarId};

/// More combinations of values than this are not tried to find out whether an expression can fail.
const MAX_CASES: u128 = 1 << 12;

/// How far a machine that constraints make is explored to see that it never gets stuck.
const MACHINE: Limits = Limits { states: 1 << 10, work: 100_000 };

/// What depends on what. Answers are remembered, and only what a question needs is found out.
pub struct Influence<'m> {
    model: &'m Model,
    /// What fairness speaks of.
    fair: Vec<VarId>,
    /// For each variable, what its assignments look at.
    sources: Vec<Option<Vec<VarId>>>,
    /// The assignments of each variable, by their places.
    assigns: Vec<Vec<usize>>,
    /// For each variable whether its assignments always have a value that it can take.
    is_total: Vec<Option<bool>>,
    /// The variables that constraints on states and steps tie together, with what their values follow from.
    machines: Vec<Vec<VarId>>,
    /// For each machine whether it can start, and never gets stuck.
    goes_on: Vec<Option<bool>>,
    /// The machine that each variable is part of.
    machine_of: Vec<Option<usize>>,
    /// Finds out whether a small model can start and never gets stuck, with values everywhere; false if that takes too long.
    judge: Box<dyn FnMut(Model) -> bool + 'm>,
    /// Whether all expressions of the model are known to have values everywhere.
    has_values: bool,
}

impl<'m> Influence<'m> {
    /// What depends on what in a model.
    pub fn new(model: &'m Model) -> Influence<'m> {
        let n_vars = model.vars.len();
        let mut assigns = vec![Vec::new(); n_vars];
        for (index, assign) in model.assigns.iter().enumerate() {
            assigns[assign.var.0 as usize].push(index);
        }
        let justice = model.justice.iter().map(|written| written.expr);
        let compassion = model.compassion.iter().flat_map(|(p, q)| [p.expr, q.expr]);
        let mut influence = Influence {
            model,
            fair: vars_of(model, justice.chain(compassion)),
            sources: vec![None; n_vars],
            assigns,
            is_total: vec![None; n_vars],
            machines: Vec::new(),
            goes_on: Vec::new(),
            machine_of: vec![None; n_vars],
            judge: Box::new(|alone| {
                Graph::explore(&alone, MACHINE).is_ok_and(|graph| !graph.is_empty() && graph.deadlocks().is_empty())
            }),
            has_values: false,
        };
        for written in [&model.init, &model.trans, &model.invar].into_iter().flatten() {
            influence.tie(written);
        }
        influence.goes_on = vec![None; influence.machines.len()];
        influence
    }

    /// Takes for granted that all expressions of the model have values everywhere.
    #[must_use]
    pub fn has_values(self) -> Influence<'m> {
        Influence { has_values: true, ..self }
    }

    /// Lets somebody else find out whether a small model can start and never gets stuck, with values everywhere.
    #[must_use]
    pub fn judged_by(self, judge: impl FnMut(Model) -> bool + 'm) -> Influence<'m> {
        Influence { judge: Box::new(judge), ..self }
    }

    /// What can matter to the value of these expressions, and to these variables.
    pub fn cone(&mut self, exprs: impl IntoIterator<Item = ExprId>, vars: impl IntoIterator<Item = VarId>) -> Cone {
        let mut kept = vec![false; self.model.vars.len()];
        // Fairness can rule out paths that nothing else does.
        let mut fresh = self.fair.clone();
        fresh.extend(vars_of(self.model, exprs));
        fresh.extend(vars);
        self.keep(&mut kept, fresh);
        // What could stop the rest, or has no value somewhere, is part of every question.
        for at in 0..kept.len() {
            if !kept[at] && !self.is_total(at) {
                self.keep(&mut kept, vec![var_at(at)]);
            }
        }
        for machine in 0..self.machines.len() {
            let is_kept = |var: &VarId| kept[var.0 as usize];
            if !self.machines[machine].first().is_none_or(is_kept) && !self.goes_on(machine) {
                let vars = self.machines[machine].clone();
                self.keep(&mut kept, vars);
            }
        }
        Cone { kept }
    }

    /// Keeps variables with all that their values follow from, and all that constraints tie to them.
    fn keep(&mut self, kept: &mut [bool], mut fresh: Vec<VarId>) {
        while let Some(var) = fresh.pop() {
            let at = var.0 as usize;
            if !std::mem::replace(&mut kept[at], true) {
                fresh.extend(self.sources(at));
                fresh.extend(self.machine_of[at].map(|machine| &self.machines[machine]).into_iter().flatten());
            }
        }
    }

    /// What the assignments of a variable look at.
    fn sources(&mut self, at: usize) -> &[VarId] {
        let Influence { sources, assigns, model, .. } = self;
        sources[at].get_or_insert_with(|| {
            vars_of(model, assigns[at].iter().map(|index| model.assigns[*index].value.expr).collect::<Vec<_>>())
        })
    }

    /// Makes one machine of what a constraint speaks of. One without variables is part of every question by itself.
    fn tie(&mut self, written: &Written) {
        let mut fresh = vars_of(self.model, [written.expr]);
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

    /// Whether the assignments of a variable always have a value that it can take; false where that takes too long to find
    /// out.
    fn is_total(&mut self, at: usize) -> bool {
        if self.is_total[at].is_none() {
            self.is_total[at] = Some(self.has_values || self.is_met(at));
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
            return (self.judge)(alone);
        }
        met.iter().all(|met| *met == Some(true))
    }

    /// Whether a machine can start, and never gets stuck; false where that takes too long to find out.
    fn goes_on(&mut self, machine: usize) -> bool {
        if self.goes_on[machine].is_none() {
            let model = self.model;
            let alone = self.alone(&self.machines[machine]);
            let is_met = |written: &Written| Demand { expr: written.expr, var: None }.is_met(model, MAX_CASES);
            let has_values = self.has_values || {
                let mut constraints = [&alone.init, &alone.trans, &alone.invar].into_iter().flatten();
                // Whoever judges sees what cannot be seen by trying cases.
                constraints.all(|written| is_met(written) != Some(false))
            };
            self.goes_on[machine] = Some(has_values && (self.judge)(alone));
        }
        self.goes_on[machine] == Some(true)
    }

    /// The model with nothing but some variables, and what is said of them alone.
    fn alone(&self, vars: &[VarId]) -> Model {
        let model = self.model;
        let mut kept = vec![false; model.vars.len()];
        for var in vars {
            kept[var.0 as usize] = true;
        }
        let mut alone = Cone { kept }.reduce(model);
        // Constraints without variables are looked at where the rest is.
        let speaks = |written: &Written| !vars_of(model, [written.expr]).is_empty();
        alone.init.retain(speaks);
        alone.trans.retain(speaks);
        alone.invar.retain(speaks);
        alone.justice.clear();
        alone.compassion.clear();
        alone
    }
}

/// The variables that some expressions speak of.
fn vars_of(model: &Model, exprs: impl IntoIterator<Item = ExprId>) -> Vec<VarId> {
    let support = support_of(model, exprs);
    support.now.union(&support.next).copied().collect()
}

fn var_at(at: usize) -> VarId {
    VarId(u32::try_from(at).expect("variables are counted by 32 bits"))
}
