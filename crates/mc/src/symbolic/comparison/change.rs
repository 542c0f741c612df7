//! What a mutant changes, as sets of states and steps. This takes no machine of the mutant.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit, Var};
use crate::conform::{Changes, Place};
use crate::encode::Time;
use crate::policy::COMPARE_STEPS;
use crate::symbolic::comparison::mutant::Behaviour;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::{self, Shared, SiteFault};
use crate::symbolic::{BuildError, Symbolic, example};
use crate::totality::constrained;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::interp::support;
use specwright_model::model::AssignKind;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, VarId};
use std::collections::BTreeMap;

/// A mutant as what its changed places say. Two mutants of a model with the same key are the same machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MutantKey(Vec<(Place, Bdd)>);

/// What the changed parts of a mutant say of steps, before and after the change.
#[derive(Clone)]
pub(super) struct Changed {
    /// The steps that these parts of the model forbid.
    pub(super) forbidden: Bdd,
    /// The steps that those of the mutant forbid.
    pub(super) forbidden_by_mutant: Bdd,
}

/// What all mutants of a model share.
pub(super) struct Unchanged {
    /// The machine with its parts; nothing if its relation is partitioned.
    pub(super) machine: Option<Shared>,
    /// The valid codes of all variables.
    valid: Bdd,
    /// What places of the model say.
    places: FxHashMap<Place, Bdd>,
    /// The variables that constraints on states or steps, or assignments in every state, can depend on after a step.
    constrained: FxHashSet<VarId>,
    /// Whether every state has a successor, if that is known.
    is_total: bool,
}

impl Symbolic {
    /// What all mutants share.
    pub(super) fn unchanged(&mut self) -> Result<&mut Unchanged, Limit> {
        if self.comparison.unchanged.is_none() {
            // The order is good for what all mutants share. Each leaves nodes behind, and to collect them often would forget what
            // the next ones have in common.
            self.manager.trust_order();
            let valid = machine::valid(&mut self.encoder())?;
            let is_partitioned = self.machine.relation.partition.is_some();
            let machine = if is_partitioned { None } else { Some(machine::build_shared(&mut self.encoder())?) };
            let constrained = constrained(&self.system);
            let is_plain = self.system.invar.is_empty() && self.system.trans.is_empty();
            let is_total = is_plain || self.manager.attempt(COMPARE_STEPS, || self.ends_nowhere())?.unwrap_or(false);
            let places = FxHashMap::default();
            self.comparison.unchanged = Some(Box::new(Unchanged { machine, valid, places, constrained, is_total }));
        }
        Ok(self.comparison.unchanged.as_mut().expect("it was made just now"))
    }

    /// A mutant as what its changed places say; nothing if it has other defines.
    pub fn mutant_key(&mut self, changes: &Changes) -> Result<Option<MutantKey>, BuildError> {
        let _clock = self.begin();
        let mut says = Vec::new();
        for (place, expr) in changes {
            if matches!(place, Place::Define(_)) {
                return self.have_values_at(changes).map(|()| None);
            }
            says.push((*place, self.says(*place, *expr)?));
        }
        Ok(Some(MutantKey(says)))
    }

    fn have_values_at(&mut self, changes: &Changes) -> Result<(), BuildError> {
        let mut places = changes.iter().filter(|(place, _)| !matches!(place, Place::Define(_)));
        places.try_for_each(|(place, expr)| self.says(*place, *expr).map(drop))
    }

    /// What this says if it is written at a place.
    fn says(&mut self, place: Place, expr: ExprId) -> Result<Bdd, BuildError> {
        let valid = self.unchanged()?.valid.clone();
        let (allowed, faults) = machine::at(&mut self.encoder(), place, expr, &valid)?;
        match faults.first() {
            Some(fault) => Err(BuildError::Undefined(vec![self.example_of(fault)])),
            None => Ok(allowed),
        }
    }

    fn example_of(&self, fault: &SiteFault) -> crate::symbolic::Undefined {
        example(&self.system, &self.layout, fault)
    }

    /// What the model says at a place.
    fn said(&mut self, place: Place) -> Result<Bdd, Stop> {
        if let Some(known) = self.unchanged()?.places.get(&place) {
            return Ok(known.clone());
        }
        let old = match place {
            Place::Assign(index) => Some(self.system.assigns[index].value.expr),
            Place::Invar(index) => Some(self.system.invar[index].expr),
            Place::Trans(index) => self.system.trans.get(index).map(|constraint| constraint.expr),
            Place::Init(_) | Place::Define(_) | Place::Fairness(_) => None,
        };
        // A constraint that only the mutant has forbids nothing in the model.
        let said = match old {
            Some(old) => self.says(place, old).map_err(stop)?,
            None => self.manager.constant(true),
        };
        self.unchanged()?.places.insert(place, said.clone());
        Ok(said)
    }

    /// What the changed parts forbid, before and after the change.
    pub(super) fn changed(&mut self, changes: &Changes) -> Result<Changed, Stop> {
        let (mut allowed, mut allowed_by_mutant) = (self.manager.constant(true), self.manager.constant(true));
        for (place, expr) in changes {
            let is_of_steps = match *place {
                Place::Assign(index) => self.system.assigns[index].kind != AssignKind::Init,
                Place::Invar(_) | Place::Trans(_) => true,
                Place::Init(_) | Place::Define(_) | Place::Fairness(_) => false,
            };
            if !is_of_steps {
                continue;
            }
            let said = self.said(*place)?;
            allowed = self.manager.and(&allowed, &said)?;
            let says = self.says(*place, *expr).map_err(stop)?;
            allowed_by_mutant = self.manager.and(&allowed_by_mutant, &says)?;
        }
        Ok(Changed { forbidden: self.manager.not(&allowed), forbidden_by_mutant: self.manager.not(&allowed_by_mutant) })
    }

    /// The steps that changed parts may have added, and those that they may have removed, from reachable states. Each has
    /// valid inputs, but need not be a step: other parts may forbid it.
    pub(super) fn candidates(&mut self, changed: &Changed) -> Result<(Bdd, Bdd), Limit> {
        let valid = self.unchanged()?.valid.clone();
        let reached = self.manager.and(&self.reached(), &valid)?;
        let manager = &self.manager;
        let added = manager.diff(&manager.and(&reached, &changed.forbidden)?, &changed.forbidden_by_mutant)?;
        let removed = manager.diff(&manager.and(&reached, &changed.forbidden_by_mutant)?, &changed.forbidden)?;
        Ok((added, removed))
    }

    /// The states from which steps of a set start.
    pub(super) fn sources(&self, steps: &Bdd) -> Result<Bdd, Limit> {
        let alphabet = &self.machine.alphabet;
        let quantified: Vec<Var> =
            alphabet.state.iter().map(|var| var + 1).chain(alphabet.input.iter().copied()).collect();
        self.manager.exists(steps, &self.manager.cube(&quantified)?)
    }

    /// Whether every state of a mutant has a successor because every state of the model has one: what changes is the value
    /// that variables get, and no constraint speaks of these.
    pub(super) fn never_ends(&mut self, changes: &Changes) -> Result<bool, Limit> {
        self.unchanged()?;
        let Some(unchanged) = &self.comparison.unchanged else { return Ok(false) };
        let is_harmless = |(place, expr): &(Place, ExprId)| match *place {
            Place::Assign(index) => match self.system.assigns[index].kind {
                AssignKind::Init => true,
                AssignKind::Next => {
                    let is_constrained = unchanged.constrained.contains(&self.system.assigns[index].var);
                    !(is_constrained || self.mentions_next(*expr) && self.is_circular(changes))
                }
                AssignKind::Always => false,
            },
            Place::Init(_) | Place::Define(_) | Place::Fairness(_) => true,
            Place::Invar(_) | Place::Trans(_) => false,
        };
        Ok(unchanged.is_total && changes.iter().all(is_harmless))
    }

    /// Whether some next value of a mutant may depend on itself.
    fn is_circular(&self, changes: &Changes) -> bool {
        let written = |index: usize| {
            let changed = changes.iter().find(|(place, _)| *place == Place::Assign(index));
            changed.map_or(self.system.assigns[index].value.expr, |(_, expr)| *expr)
        };
        let mut needs: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
        for (index, assign) in self.system.assigns.iter().enumerate() {
            let support = support(&self.system, written(index));
            match assign.kind {
                AssignKind::Init => {}
                AssignKind::Next => needs.entry(assign.var).or_default().extend(support.next),
                // After a step it holds of the next values.
                AssignKind::Always => needs.entry(assign.var).or_default().extend(support.now),
            }
        }
        // Variables that need nothing that is left are taken away until none is.
        loop {
            let is_ready = |vars: &Vec<VarId>| !vars.iter().any(|var| needs.contains_key(var));
            let ready: Vec<VarId> = needs.iter().filter(|(_, vars)| is_ready(vars)).map(|(var, _)| *var).collect();
            if ready.is_empty() {
                return !needs.is_empty();
            }
            needs.retain(|var, _| !ready.contains(var));
        }
    }

    /// What a mutant does, compared with the model, as far as what its changed places say tells. The model must be explored.
    pub fn evident_behaviour(&mut self, changes: &Changes) -> Result<Option<Behaviour>, Reason> {
        let _clock = self.begin();
        self.find_evident(changes).map_err(Reason::from)
    }

    fn find_evident(&mut self, changes: &Changes) -> Result<Option<Behaviour>, Stop> {
        let is_of_steps = |(place, _): &(Place, ExprId)| match *place {
            Place::Assign(index) => self.system.assigns[index].kind == AssignKind::Next,
            Place::Trans(_) | Place::Define(_) => true,
            Place::Init(_) | Place::Invar(_) | Place::Fairness(_) => false,
        };
        if !changes.iter().all(is_of_steps) {
            return Ok(None);
        }
        self.explore(&mut |_| ())?;
        let changed = self.changed(changes)?;
        let (added, removed) = self.candidates(&changed)?;
        if !added.is_false() {
            return Ok(None);
        }
        let reached = self.reached();
        Ok(match self.differing_defines(changes)? {
            Some(differing) if self.manager.and(&differing, &reached)?.is_false() => {
                Some(if removed.is_false() { Behaviour::Same } else { Behaviour::Fewer })
            }
            _ => None,
        })
    }

    /// The states in which a mutated define has another value; nothing if the values of states do not tell. A define that uses
    /// an earlier one of these has another value only where that one has.
    pub(super) fn differing_defines(&mut self, changes: &Changes) -> Result<Option<Bdd>, Stop> {
        let mut differing = self.manager.constant(false);
        let mut mutated = Vec::new();
        for (place, body) in changes {
            let Place::Define(define) = *place else { continue };
            let is_mutated = |node: &Node| matches!(node, Node::Define(define) if mutated.contains(define));
            if !mutated.is_empty() && self.system.mentions(self.system.body(define), is_mutated) {
                continue;
            }
            mutated.push(define);
            let mut open = vec![(self.system.body(define), *body)];
            while let Some((old, new)) = open.pop() {
                if let (Node::Array(_, olds), Node::Array(_, news)) = (&self.system[old], &self.system[new])
                    && olds.len() == news.len()
                {
                    open.extend(olds.iter().copied().zip(news.iter().copied()));
                    continue;
                }
                let Ok(equal) = self.system.make(Node::Binary(BinaryOp::Eq, old, new)) else { return Ok(None) };
                if self.mentions_next(equal) || self.is_temporal(equal) {
                    return Ok(None);
                }
                let is_equal = self.plain(equal, Time::Now, true)?;
                let differs = self.for_some_input(&self.manager.not(&is_equal))?;
                differing = self.manager.or(&differing, &differs)?;
            }
        }
        Ok(Some(differing))
    }
}

fn stop(error: BuildError) -> Stop {
    match error {
        BuildError::Limit(limit) => Stop::Limit(limit),
        BuildError::Undefined(mut undefined) => Stop::Undefined(undefined.swap_remove(0)),
        BuildError::Unbounded(_) => Stop::Unsupported,
    }
}
