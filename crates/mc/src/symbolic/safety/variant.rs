//! A second machine over the same variables: the model's own with something else in some of its parts.
//!
//! Only what differs is encoded, through the memo of the engine, so a mutant costs what its change costs. Steps are
//! taken with their inputs: a step of the variant alone is one that the original does not have with these inputs.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit};
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::{self, Part};
use crate::symbolic::relation::Relation;
use crate::symbolic::{Symbolic, example};
use specwright_model::model::VarKind;
use specwright_model::{ExprId, VarId};
use std::rc::Rc;

/// What two machines do alike.
pub(crate) struct Common {
    relation: Relation,
    /// What all steps satisfy.
    clusters: Vec<Bdd>,
    /// What the states of both satisfy.
    invar: Bdd,
}

/// A machine that differs from that of the model in some parts.
pub struct Variant {
    common: Rc<Common>,
    /// The steps that the differing parts allow, as the model has them and as the variant has them. Both ends included.
    original: Bdd,
    varied: Bdd,
    /// What the variant allows and the model does not.
    departing: Bdd,
    /// The reachable states of the model in which the variant can depart from it.
    pub(crate) sources: Bdd,
    /// The reachable states in which the model has a step that the variant has not.
    losses: Bdd,
    /// The states that the two machines reach together, once computed.
    union: Option<Bdd>,
}

/// What a variant changes, as far as the model gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing: from every reachable state the same steps.
    Nothing,
    /// It only takes steps away, so it never does what the model does not.
    Restricts,
    /// It has steps that the model does not have.
    Departs,
}

impl Variant {
    /// What it changes.
    pub fn effect(&self) -> Effect {
        match (self.sources.is_false(), self.losses.is_false()) {
            (false, _) => Effect::Departs,
            (true, false) => Effect::Restricts,
            (true, true) => Effect::Nothing,
        }
    }

    /// The states from which the variant departs into `states`, wherever they are.
    pub(crate) fn before_departure(&self, states: &Bdd) -> Result<Bdd, Limit> {
        self.common.relation.preimage_by(&self.departing, states)
    }

    /// Whether a step, given by the sets that it is in, is of one of the two machines, or of the variant alone.
    pub(crate) fn allows(&self, is_in: &dyn Fn(&Bdd) -> bool, alone: bool) -> bool {
        let varied = is_in(&self.varied);
        let differing = if alone { is_in(&self.departing) } else { varied || is_in(&self.original) };
        differing && is_in(&self.common.invar) && self.common.clusters.iter().all(is_in)
    }
}

impl Symbolic {
    /// The machine with other expressions in some of its parts. Computes the reachable states of the model first.
    pub fn variant(&mut self, changes: &[(Part, ExprId)]) -> Result<Variant, Reason> {
        let _clock = self.start_clock();
        self.build_variant(changes).map_err(Reason::from)
    }

    fn build_variant(&mut self, changes: &[(Part, ExprId)]) -> Result<Variant, Stop> {
        self.explore(&mut |_| ())?;
        let parts: Vec<Part> = changes.iter().map(|(part, _)| *part).collect();
        let common = self.common(parts)?;
        let yes = self.manager.constant(true);
        let (mut original, mut varied) = (yes.clone(), yes.clone());
        for (part, expr) in changes {
            let written = match *part {
                Part::Assign(index) => &self.system.assigns[index].value,
                Part::Invar(index) => &self.system.invar[index],
                Part::Trans(index) => &self.system.trans[index],
            };
            let old = written.expr;
            let (_, steps, _) = machine::part(&mut self.encoder(), *part, old)?;
            original = self.manager.and(&original, &steps)?;
            let (_, steps, faults) = machine::part(&mut self.encoder(), *part, *expr)?;
            if let Some(fault) = faults.first() {
                return Err(Stop::Undefined(example(&self.system, &self.layout, fault)));
            }
            varied = self.manager.and(&varied, &steps)?;
        }
        let departing = self.manager.diff(&varied, &original)?;
        let lost = self.manager.diff(&original, &varied)?;
        let sources = self.manager.and(&common.relation.preimage_by(&departing, &yes)?, &self.reached())?;
        let losses = self.manager.and(&common.relation.preimage_by(&lost, &yes)?, &self.reached())?;
        Ok(Variant { common, original, varied, departing, sources, losses, union: None })
    }

    /// Whether the variant departs from a reachable state by inputs that the model does not take there: then it is not
    /// the system that departs, but its environment.
    pub fn frees_inputs(&mut self, variant: &Variant, inputs: &[VarId]) -> Result<bool, Reason> {
        let _clock = self.start_clock();
        self.departs_by_inputs(variant, inputs).map_err(Reason::Limit)
    }

    fn departs_by_inputs(&self, variant: &Variant, inputs: &[VarId]) -> Result<bool, Limit> {
        let manager = &self.manager;
        let answers = self.system.vars().filter(|(id, var)| !inputs.contains(id) && var.kind != VarKind::Input);
        let answers: Vec<_> = answers.flat_map(|(id, _)| self.layout.bits(id).iter().map(|bit| bit + 1)).collect();
        let answers = manager.cube(&answers)?;
        let offered = manager.exists(&self.departing(variant, &variant.sources)?, &answers)?;
        let taken = manager.exists(&self.machine.relation.within(&offered)?, &answers)?;
        Ok(!manager.is_subset(&offered, &taken)?)
    }

    /// The machine without some parts. Mutants of one place come one after the other, so the last one is kept.
    fn common(&mut self, parts: Vec<Part>) -> Result<Rc<Common>, Limit> {
        if let Some((known, common)) = &self.comparison.common
            && *known == parts
        {
            return Ok(common.clone());
        }
        let (machine, _) = machine::build_without(&mut self.encoder(), &parts)?;
        let clusters = machine.relation.list()?.to_vec();
        let common = Rc::new(Common { relation: machine.relation, clusters, invar: machine.invar });
        self.comparison.common = Some((parts, common.clone()));
        Ok(common)
    }

    /// The states that the variant departs into from `states`.
    pub(crate) fn after_departure(&self, variant: &Variant, states: &Bdd) -> Result<Bdd, Limit> {
        variant.common.relation.image(&self.manager.and(states, &variant.departing)?)
    }

    /// The states from which one of the two machines gets into `states` by one step.
    pub(crate) fn before_either(&self, variant: &Variant, states: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mine = manager.and(&self.machine.relation.preimage(states)?, &self.machine.invar)?;
        let theirs = variant.common.relation.preimage_by(&variant.varied, states)?;
        manager.or(&mine, &manager.and(&theirs, &variant.common.invar)?)
    }

    /// The states that one of the two machines gets into from `states` by one step.
    pub(crate) fn after_either(&self, variant: &Variant, states: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mine = self.machine.relation.image(&manager.and(states, &self.machine.invar)?)?;
        let theirs = variant.common.relation.image(&manager.and(states, &variant.varied)?)?;
        manager.or(&mine, &theirs)
    }

    /// The states that the two machines reach together.
    pub(crate) fn reached_together(&self, variant: &mut Variant) -> Result<Bdd, Limit> {
        if let Some(known) = &variant.union {
            return Ok(known.clone());
        }
        let manager = &self.manager;
        let mut all = self.reached();
        // From where it gets, the model alone gets nowhere else.
        let mut ring = manager.diff(&self.after_departure(variant, &all)?, &all)?;
        while !ring.is_false() {
            all = manager.or(&all, &ring)?;
            ring = manager.diff(&self.after_either(variant, &ring)?, &all)?;
        }
        variant.union = Some(all.clone());
        Ok(all)
    }

    /// Those of some steps that are of the variant alone.
    pub(crate) fn departing(&self, variant: &Variant, steps: &Bdd) -> Result<Bdd, Limit> {
        variant.common.relation.within(&self.manager.and(steps, &variant.departing)?)
    }

    /// Those of some steps that are of one of the two machines. Only for small sets.
    pub(crate) fn of_either(&self, variant: &Variant, steps: &Bdd) -> Result<Bdd, Limit> {
        let allowed = self.manager.or(&variant.original, &variant.varied)?;
        variant.common.relation.within(&self.manager.and(steps, &allowed)?)
    }
}
