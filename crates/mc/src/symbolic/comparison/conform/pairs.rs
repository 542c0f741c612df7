//! The search on pairs of states of the model and a mutant.

use super::walk::pick;
use super::{Twin, all};
use crate::answer::{Answer, Proof, Reason};
use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::conform::{Certainty, Kill};
use crate::policy::COMPARED_SETS;
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::Machine;
use crate::symbolic::relation::{Relation, components};
use rustc_hash::FxHashSet;
use specwright_model::Trace;
use specwright_model::model::VarKind;

/// The values of the bits of an input.
pub(super) type Label = Vec<(Var, bool)>;

/// A model and a mutant.
pub(super) struct Pairs<'a> {
    pub(super) engine: &'a Symbolic,
    pub(super) twin: &'a Twin,
    pub(super) mutant: &'a Machine,
    /// Both machines, as far as their outputs agree.
    pub(super) relation: Relation,
    /// The initial pairs.
    start: Bdd,
    /// What the model permits of the outputs of the mutant.
    matched: Vec<Bdd>,
    /// What the mutant accepts of inputs.
    pub(super) accepted: Vec<Bdd>,
    agree: &'a [Bdd],
}

impl<'a> Pairs<'a> {
    pub(super) fn new(
        engine: &'a Symbolic,
        twin: &'a Twin,
        mutant: &'a Machine,
        agree: &'a [Bdd],
        matched: Vec<Bdd>,
    ) -> Result<Pairs<'a>, Limit> {
        let manager = &engine.manager;
        let start = all(manager, &manager.and(&engine.machine.init, &mutant.init)?, agree)?;
        let relation = engine.both(twin, mutant, agree)?;
        let accepted = components(manager, mutant.relation.list()?.to_vec(), &engine.answers(twin, &twin.layout))?;
        Ok(Pairs { engine, twin, mutant, relation, start, matched, accepted, agree })
    }

    /// Pairs of which all go on, whatever the outputs, with parts that were made before.
    pub(super) fn with_parts(
        engine: &'a Symbolic,
        twin: &'a Twin,
        mutant: &'a Machine,
        (relation, start, accepted): (Relation, Bdd, Vec<Bdd>),
    ) -> Pairs<'a> {
        Pairs { engine, twin, mutant, relation, start, matched: Vec::new(), accepted, agree: &[] }
    }

    /// The initial pairs.
    pub(super) fn start(&self) -> &Bdd {
        &self.start
    }

    /// The steps of both machines, the initial pairs, and what the mutant accepts of inputs.
    pub(super) fn into_parts(self) -> (Relation, Bdd, Vec<Bdd>) {
        (self.relation, self.start, self.accepted)
    }

    /// The pairs of states after a step that look the same, as a conjunction.
    pub(super) fn agree_next(&self) -> Result<Vec<Bdd>, Limit> {
        self.agree.iter().map(|part| self.manager().swap_next(part)).collect()
    }

    pub(super) fn manager(&self) -> &Manager {
        &self.engine.manager
    }

    pub(super) fn run(&self, most: u64) -> Result<Answer<Kill>, Stop> {
        let manager = self.manager();
        let first = self.kills_at_start()?;
        if !first.is_false() {
            return Ok(Answer::Found(self.kill_at_start(&first)?));
        }
        if self.is_equivalent_everywhere(most)? {
            return Ok(Answer::Impossible(Proof::Equivalent));
        }
        let mut rings = vec![self.start.clone()];
        let mut seen = self.start.clone();
        loop {
            if self.engine.steps() > most {
                return Ok(Answer::Undecided(Reason::Limit(Limit::Steps)));
            }
            let ring = rings.last().expect("there is a first ring");
            let hit = self.kill_sources(ring)?;
            if !hit.is_false() {
                *rings.last_mut().expect("there is a first ring") = hit;
                return self.killed(&rings, most);
            }
            let ring = manager.diff(&self.relation.image(ring)?, &seen)?;
            if ring.is_false() {
                let proof = if self.loses(&seen)? { Proof::Conforming } else { Proof::Equivalent };
                return Ok(Answer::Impossible(proof));
            }
            seen = manager.or(&seen, &ring)?;
            rings.push(ring);
        }
    }

    /// Whether the mutant is equivalent from all reachable states of the model on, if these are known. That is more than equivalence,
    /// and mostly takes fewer images: most mutants that get into a state of the model are back in the same state at once.
    fn is_equivalent_everywhere(&self, most: u64) -> Result<bool, Limit> {
        let manager = self.manager();
        if self.engine.rings().known().is_none() {
            return Ok(false);
        }
        let same = manager.and(&self.engine.reached(), &self.engine.same(self.twin, &[])?)?;
        let mut seen = manager.or(&same, &self.start)?;
        let mut ring = seen.clone();
        while !ring.is_false() {
            if self.engine.steps() > most || !self.kill_sources(&ring)?.is_false() {
                return Ok(false);
            }
            ring = manager.diff(&self.relation.image(&ring)?, &seen)?;
            seen = manager.or(&seen, &ring)?;
        }
        Ok(!self.loses(&seen)?)
    }

    /// The test at the end of rings of which the last has pairs that a step can kill.
    fn killed(&self, rings: &[Bdd], most: u64) -> Result<Answer<Kill>, Stop> {
        let (trace, labels) = self.walk(rings, None)?;
        if self.is_certain(&labels)? {
            return Ok(Answer::Found(Kill { certainty: Certainty::Certain, trace }));
        }
        Ok(Answer::Found(match self.search_certain(most)? {
            Some(trace) => Kill { certainty: Certainty::Certain, trace },
            None => Kill { certainty: Certainty::Possible, trace },
        }))
    }

    /// Where the model permits an input in a state.
    pub(super) fn permitted(&self, steps: &Bdd) -> Result<Bdd, Limit> {
        all(self.manager(), steps, &self.twin.permitted)
    }

    /// The pairs of which some run of the mutant leaves the model by an input that the model permits.
    pub(super) fn kill_sources(&self, pairs: &Bdd) -> Result<Bdd, Limit> {
        let manager = self.manager();
        let mut sources = manager.constant(false);
        let inputs = manager.cube(&self.label_bits(false))?;
        let all_steps = manager.constant(true);
        for refused in &self.accepted {
            let steps = self.permitted(&manager.diff(pairs, refused)?)?;
            sources = manager.or(&sources, &manager.exists(&steps, &inputs)?)?;
        }
        for matched in &self.matched {
            let steps = manager.diff(pairs, matched)?;
            let steps = self.permitted(&steps)?;
            if !steps.is_false() {
                sources = manager.or(&sources, &self.mutant.relation.preimage_by(&steps, &all_steps)?)?;
            }
        }
        Ok(sources)
    }

    /// The inputs by which some run of a small set of pairs leaves the model.
    pub(super) fn kill_labels(&self, pairs: &Bdd) -> Result<Bdd, Limit> {
        let manager = self.manager();
        let hidden = manager.cube(&self.engine.answers(self.twin, &self.twin.layout))?;
        let pairs = self.permitted(pairs)?;
        let mut labels = manager.constant(false);
        for refused in &self.accepted {
            labels = manager.or(&labels, &manager.diff(&pairs, refused)?)?;
        }
        for matched in &self.matched {
            let steps = self.mutant.relation.within(&manager.diff(&pairs, matched)?)?;
            labels = manager.or(&labels, &manager.exists(&steps, &hidden)?)?;
        }
        Ok(labels)
    }

    /// The bits of inputs, in declared order: of the start, or of a step.
    pub(super) fn label_bits(&self, start: bool) -> Vec<Var> {
        let mut bits = Vec::new();
        for var in &self.twin.observer.inputs {
            let of_step = self.engine.system[*var].kind == VarKind::Input;
            if !(start && of_step) {
                let shift = u32::from(!start && !of_step);
                bits.extend(self.engine.layout.bits(*var).iter().map(|bit| bit + shift));
            }
        }
        bits
    }

    /// The inputs at the start by which some run leaves the model at once, with the initial states of the mutant.
    fn kills_at_start(&self) -> Result<Bdd, Limit> {
        let manager = self.manager();
        let of = |layout: &crate::symbolic::encoding::layout::Layout| {
            let vars = self.engine.state_vars().into_iter().filter(|var| !self.twin.observer.inputs.contains(var));
            let bits: Vec<Var> = vars.flat_map(|var| layout.bits(var).to_vec()).collect();
            manager.cube(&bits)
        };
        let (own, theirs) = (of(&self.engine.layout)?, of(&self.twin.layout)?);
        let permitted = manager.exists(&self.engine.machine.init, &own)?;
        let refused = manager.diff(&permitted, &manager.exists(&self.mutant.init, &theirs)?)?;
        let matched = manager.exists(&self.start, &own)?;
        let wrong = manager.diff(&manager.and(&self.mutant.init, &permitted)?, &matched)?;
        manager.or(&refused, &manager.exists(&wrong, &theirs)?)
    }

    /// The kill by the first of these inputs.
    fn kill_at_start(&self, inputs: &Bdd) -> Result<Kill, Stop> {
        let label = pick(inputs, &self.label_bits(true));
        let state = self.first_state(&self.manager().and(&self.engine.machine.init, &self.point(&label)?)?);
        let trace = Trace { states: vec![state], loop_start: None };
        self.engine.replay(&trace);
        let survivors = self.manager().and(&self.start, &self.point(&label)?)?;
        if survivors.is_false() {
            return Ok(Kill { certainty: Certainty::Certain, trace });
        }
        Ok(match self.search_certain(u64::MAX)? {
            Some(trace) => Kill { certainty: Certainty::Certain, trace },
            None => Kill { certainty: Certainty::Possible, trace },
        })
    }

    /// Whether every run of the mutant under these inputs leaves the model.
    fn is_certain(&self, labels: &[Label]) -> Result<bool, Limit> {
        let Some((first, others)) = labels.split_first() else { return Ok(false) };
        let mut runs = self.manager().and(&self.start, &self.point(first)?)?;
        for label in others {
            match self.step_all(&runs, label)? {
                Some(after) => runs = after,
                None => return Ok(false),
            }
        }
        Ok(runs.is_false())
    }

    /// The runs after an input; nothing if the model does not permit the input in some run.
    fn step_all(&self, runs: &Bdd, label: &Label) -> Result<Option<Bdd>, Limit> {
        let steps = self.manager().and(runs, &self.point(label)?)?;
        if !self.manager().is_subset(&steps, &self.permitted(&steps)?)? {
            return Ok(None);
        }
        self.relation.image(&steps).map(Some)
    }

    /// A shortest test that every run of the mutant fails, if it is found within the limits.
    fn search_certain(&self, most: u64) -> Result<Option<Trace>, Stop> {
        let manager = self.manager();
        let mut known: FxHashSet<Bdd> = FxHashSet::default();
        let mut open: Vec<(Bdd, Vec<Label>)> = Vec::new();
        let own: Vec<Var> =
            self.engine.state_vars().iter().flat_map(|var| self.engine.layout.bits(*var).to_vec()).collect();
        let theirs: Vec<Var> =
            self.engine.state_vars().iter().flat_map(|var| self.twin.layout.bits(*var).to_vec()).collect();
        let states = manager.cube(&[own, theirs].concat())?;
        let non_inputs: Vec<Var> = self
            .engine
            .state_vars()
            .iter()
            .filter(|var| !self.twin.observer.inputs.contains(var))
            .flat_map(|var| self.engine.layout.bits(*var).to_vec())
            .collect();
        let mut first = manager.exists(&self.engine.machine.init, &manager.cube(&non_inputs)?)?;
        let (mut at, mut n_tried) = (0, 0);
        let mut here: Option<(Bdd, Vec<Label>)> = None;
        loop {
            // The inputs that the model permits in all runs.
            let mut inputs = match &here {
                None => std::mem::replace(&mut first, manager.constant(false)),
                Some((runs, _)) => {
                    let some = self.permitted(runs)?;
                    let mut refused = manager.constant(false);
                    for permitted in &self.twin.permitted {
                        refused = manager.or(&refused, &manager.diff(runs, permitted)?)?;
                    }
                    manager.diff(&manager.exists(&some, &states)?, &manager.exists(&refused, &states)?)?
                }
            };
            let bits = self.label_bits(here.is_none());
            while !inputs.is_false() {
                n_tried += 1;
                if n_tried > COMPARED_SETS || self.engine.steps() > most {
                    return Ok(None);
                }
                let label = pick(&inputs, &bits);
                inputs = manager.diff(&inputs, &self.point(&label)?)?;
                let (after, mut labels) = match &here {
                    None => (manager.and(&self.start, &self.point(&label)?)?, Vec::new()),
                    Some((runs, labels)) => {
                        (self.relation.image(&manager.and(runs, &self.point(&label)?)?)?, labels.clone())
                    }
                };
                labels.push(label);
                if after.is_false() {
                    return self.trace_of(&labels).map(Some);
                }
                if known.insert(after.clone()) {
                    open.push((after, labels));
                }
            }
            let Some(next) = open.get(at) else { return Ok(None) };
            here = Some(next.clone());
            at += 1;
        }
    }

    /// The execution of the model for a test of which all runs end in its last step at the latest.
    fn trace_of(&self, labels: &[Label]) -> Result<Trace, Stop> {
        let Some((last, before)) = labels.split_last() else { return Err(Stop::Unsupported) };
        let Some((first, others)) = before.split_first() else {
            let state = self.first_state(&self.manager().and(&self.engine.machine.init, &self.point(last)?)?);
            return Ok(Trace { states: vec![state], loop_start: None });
        };
        let mut rings = vec![self.manager().and(&self.start, &self.point(first)?)?];
        for label in others {
            let steps = self.manager().and(rings.last().expect("there is a first ring"), &self.point(label)?)?;
            rings.push(self.relation.image(&steps)?);
        }
        Ok(self.walk(&rings, Some(labels))?.0)
    }

    /// Whether the model has a run that the mutant does not have, as far as single pairs tell.
    fn loses(&self, pairs: &Bdd) -> Result<bool, Limit> {
        let manager = self.manager();
        let bits: Vec<Var> = self
            .engine
            .state_vars()
            .iter()
            .filter(|var| !self.twin.observer.inputs.contains(var))
            .flat_map(|var| self.twin.layout.bits(*var).to_vec())
            .collect();
        let matched = manager.exists(&self.start, &manager.cube(&bits)?)?;
        if !manager.is_subset(&self.engine.machine.init, &matched)? {
            return Ok(true);
        }
        let mut parts = self.mutant.relation.list()?.to_vec();
        for part in self.agree {
            parts.push(manager.swap_next(part)?);
        }
        for matched in components(manager, parts, &self.engine.answers(self.twin, &self.twin.layout))? {
            let steps = manager.diff(pairs, &matched)?;
            let lost = self.engine.machine.relation.preimage_by(&steps, &manager.constant(true))?;
            if !lost.is_false() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
