//! Mutants of the machine as engines of their own, on the decision diagrams of the model.
//!
//! A mutant differs from the model in few places. Its engine shares the diagrams and their caches with the engine of the
//! model, and what the latter has encoded. So a mutant costs what its change costs, and every question that an engine
//! answers can be asked about a mutant.

use crate::answer::{Reason, Witness};
use crate::bdd::{Bdd, Limit};
use crate::conform::{Changes, Place, apply};
use crate::encode::Encoder;
use crate::symbolic::comparison::Comparison;
use crate::symbolic::comparison::change::Changed;
use crate::symbolic::ctl::{CtlCache, Stop};
use crate::symbolic::encoding::machine;
use crate::symbolic::ltl::LtlCache;
use crate::symbolic::reachability::{Reach, Reachable};
use crate::symbolic::witness::Witnesses;
use crate::symbolic::{BuildError, Symbolic, example};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, Trace, TransitionSystem, Value};

/// Why a mutant is no machine that properties could be checked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invalid {
    /// It has no initial state.
    NoInitialState,
    /// It reaches a state without successors that is none of the model.
    DeadEnd,
    /// No fair path starts in an initial state, although the model has one.
    NoFairPath,
}

/// How a mutant differs from the model in what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A shortest execution of the mutant that is none of the model.
    Added(Trace),
    /// A shortest execution of the model that is none of the mutant, which has no others.
    Removed(Trace),
    /// A shortest execution of both to a state in which a define has another value in the mutant.
    Define(Trace),
    /// An infinite execution of both that is fair in the mutant and not in the model. All steps are the same in both.
    FairAdded(Trace),
    /// An infinite execution of both that is fair in the model and not in the mutant. All steps are the same in both.
    FairRemoved(Trace),
}

impl Difference {
    /// The execution that shows it.
    pub fn trace(&self) -> &Trace {
        match self {
            Difference::Added(trace)
            | Difference::Removed(trace)
            | Difference::Define(trace)
            | Difference::FairAdded(trace)
            | Difference::FairRemoved(trace) => trace,
        }
    }
}

/// What a mutant does, compared with the model. Fairness and the values of defines count, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Behaviour {
    /// It has the same initial states as the model, and the same steps from all reachable states. Every property has the same
    /// verdict on both.
    Same,
    /// It has some of the executions of the model, and no others. What holds on all executions of the model holds on it.
    Fewer,
    /// It has other executions, fairness constraints or values of defines.
    Other,
}

impl Symbolic {
    /// An engine for a mutant. It has the budget of this engine, and no traces are made for properties.
    pub fn mutant(&mut self, changes: &Changes) -> Result<Symbolic, BuildError> {
        let _clock = self.start_clock();
        // The bodies of defines stay as they are: places that use a mutated one do not mention it any more.
        let of_machine: Vec<(Place, ExprId)> =
            changes.iter().filter(|(place, _)| !matches!(place, Place::Define(_))).copied().collect();
        let system = apply(&self.system, &of_machine);
        let mut memo = self.memo.clone();
        self.unchanged()?;
        let shared = self.comparison.unchanged.as_ref().and_then(|unchanged| unchanged.machine.as_ref());
        let changed: Vec<Place> = of_machine.iter().map(|(place, _)| *place).collect();
        let mut encoder = Encoder::new(&system, &self.layout, &self.manager, &mut memo);
        let (machine, faults) = match shared {
            Some(shared) => machine::build_like(&mut encoder, shared, &changed)?,
            None => machine::build(&mut encoder)?,
        };
        if !faults.is_empty() {
            let undefined = faults.iter().map(|fault| example(&system, &self.layout, fault)).collect();
            return Err(BuildError::Undefined(undefined));
        }
        Ok(Symbolic {
            has_frozen: self.has_frozen,
            system,
            manager: self.manager.clone(),
            layout: self.layout.clone(),
            memo,
            reach: Reach::new(&machine.init),
            machine,
            reachable: Reachable::default(),
            ctl: CtlCache::default(),
            linear: crate::ltl::Formulas::default(),
            ltl: LtlCache { spare_bits: self.ltl.spare_bits.clone(), ..LtlCache::default() },
            witnesses: Witnesses::default(),
            comparison: Comparison::default(),
            traces: false,
            max_formulas: self.max_formulas,
            options: self.options.clone(),
        })
    }

    /// Finds what all mutants share.
    pub fn prepare_mutants(&mut self) -> Result<(), Reason> {
        let _clock = self.begin();
        self.prepare()?;
        self.unchanged()?;
        Ok(())
    }

    /// Whether a fair path starts in every reachable state, as far as that is known. Then a finite execution that violates a
    /// property of all paths is enough to refute it.
    pub fn is_fair_everywhere(&self) -> bool {
        self.reachable.fair.is_some() && self.reach.known() == self.reachable.fair.as_ref()
    }

    /// Why a mutant is invalid, if it is.
    pub fn invalid(&mut self, mutant: &mut Symbolic, changes: &Changes) -> Result<Option<Invalid>, Reason> {
        let _clock = self.start_clock();
        self.find_invalid(mutant, changes).map_err(Reason::from)
    }

    fn find_invalid(&mut self, mutant: &mut Symbolic, changes: &Changes) -> Result<Option<Invalid>, Stop> {
        if mutant.machine.init.is_false() {
            return Ok((!self.machine.init.is_false()).then_some(Invalid::NoInitialState));
        }
        self.prepare()?;
        let changed = self.changed(changes)?;
        self.enclose(mutant, &changed)?;
        let never_ends = self.never_ends(changes)?;
        if !never_ends && self.has_new_dead_end(mutant, &changed)? {
            return Ok(Some(Invalid::DeadEnd));
        }
        if never_ends && mutant.machine.fairness.is_empty() {
            mutant.reachable.fair = Some(mutant.reached());
            return Ok(None);
        }
        mutant.prepare()?;
        Ok((self.has_fair_path()? && !mutant.has_fair_path()?).then_some(Invalid::NoFairPath))
    }

    /// Whether a fair path starts in an initial state.
    fn has_fair_path(&mut self) -> Result<bool, Stop> {
        if self.manager.and(&self.machine.init, &self.fair())?.is_false() {
            return Ok(false);
        }
        if self.machine.fairness.compassion.is_empty() {
            return Ok(true);
        }
        // Formulas of CTL know justice only; a formula of LTL that is never true fails where there is a path.
        let Ok(never) = self.system.make(Node::Const(Value::Bool(false))) else { return Err(Stop::Unsupported) };
        Ok(self.check_ltl(never)?.is_some())
    }

    /// Finds a set that the mutant does not leave, from the reachable states of the model on: further states are only reached by
    /// new initial states and new steps. Formulas are decided on such a set as on the reachable states. Up to where the first
    /// changed steps start, both machines reach the same states.
    fn enclose(&mut self, mutant: &mut Symbolic, changed: &Changed) -> Result<(), Limit> {
        let (added, removed) = self.candidates(changed)?;
        let manager = &self.manager;
        let mut all = self.reached();
        // Events take states, not steps: what follows the states from which the steps start is more, and enough.
        let relation = &mutant.machine.relation;
        let takes_steps = relation.partition.is_none();
        let new = match (added.is_false(), takes_steps) {
            (true, _) => added.clone(),
            (false, true) => relation.image(&added)?,
            (false, false) => relation.image(&self.sources(&added)?)?,
        };
        mutant.comparison.has_new_step = takes_steps && !new.is_false();
        mutant.comparison.new_steps = Some(added.clone());
        let mut ring = manager.diff(&manager.or(&new, &mutant.machine.init)?, &all)?;
        while !ring.is_false() {
            all = manager.or(&all, &ring)?;
            ring = manager.diff(&mutant.machine.relation.image(&ring)?, &all)?;
        }
        let departure = self.sources(&manager.or(&added, &removed)?)?;
        mutant.ctl.origin = self.origin(&departure, &all)?;
        let mut rings = vec![mutant.machine.init.clone()];
        if mutant.machine.init == self.machine.init {
            for ring in self.reach.rings.iter().skip(1) {
                if !manager.and(rings.last().expect("there is a first ring"), &departure)?.is_false() {
                    break;
                }
                rings.push(ring.clone());
            }
        }
        mutant.reach = Reach::within(manager, rings, all)?;
        Ok(())
    }

    /// Whether a mutant reaches a state without successors that is none of the model. Only where it has lost a step, or where the
    /// model does not get, can there be one.
    fn has_new_dead_end(&mut self, mutant: &mut Symbolic, changed: &Changed) -> Result<bool, Limit> {
        let (manager, everywhere) = (self.manager.clone(), self.manager.constant(true));
        let known = self.deadlock_states()?;
        let reached = self.reached();
        let lost = manager.and(&changed.forbidden_by_mutant, &reached)?;
        let losses = manager.and(&self.machine.relation.preimage_by(&lost, &everywhere)?, &reached)?;
        let beyond = manager.diff(&mutant.reached(), &reached)?;
        let candidates = manager.diff(&manager.or(&losses, &beyond)?, &known)?;
        let alive = mutant.machine.relation.preimage_by(&candidates, &everywhere)?;
        let dead = manager.diff(&candidates, &alive)?;
        Ok(!dead.is_false() && mutant.is_any_reached(&dead)?)
    }

    /// Computes the reachable states of a mutant that was looked at as a part of a larger set.
    pub fn explore_exactly(&mut self) -> Result<(), Reason> {
        let _clock = self.start_clock();
        self.reach = Reach::new(&self.machine.init);
        (self.reachable, self.ctl, self.ltl.atoms, self.ltl.path_starts) = Default::default();
        self.explore(&mut |_| ()).map_err(Reason::Limit)
    }

    /// What a mutant does, compared with the model. Does not explore the mutant.
    pub fn behaviour(&mut self, mutant: &Symbolic, changes: &Changes) -> Result<Behaviour, Reason> {
        let _clock = self.begin();
        self.find_behaviour(mutant, changes).map_err(Reason::from)
    }

    fn find_behaviour(&mut self, mutant: &Symbolic, changes: &Changes) -> Result<Behaviour, Stop> {
        let manager = self.manager.clone();
        if mutant.comparison.has_new_step || !manager.is_subset(&mutant.machine.init, &self.machine.init)? {
            return Ok(Behaviour::Other);
        }
        self.explore(&mut |_| ())?;
        let Changed { forbidden, forbidden_by_mutant } = self.changed(changes)?;
        let (reached, everywhere) = (self.reached(), manager.constant(true));
        let meets = |engine: &Symbolic, steps: &Bdd| {
            let steps = manager.and(steps, &reached)?;
            let sources = engine.machine.relation.preimage_by(&steps, &everywhere)?;
            Ok::<_, Limit>(!manager.and(&sources, &reached)?.is_false())
        };
        if meets(mutant, &forbidden)? {
            return Ok(Behaviour::Other);
        }
        for (one, other) in self.machine.fairness.sets().zip(mutant.machine.fairness.sets()) {
            let differing = manager.not(&manager.iff(one, other)?);
            if !manager.and(&differing, &reached)?.is_false() {
                return Ok(Behaviour::Other);
            }
        }
        let removes = mutant.machine.init != self.machine.init || meets(self, &forbidden_by_mutant)?;
        match self.differing_defines(changes)? {
            Some(differing) if manager.and(&differing, &reached)?.is_false() => {
                Ok(if removes { Behaviour::Fewer } else { Behaviour::Same })
            }
            _ => Ok(Behaviour::Other),
        }
    }

    /// How a mutant differs from the model; nothing if it does not. The execution of an added behaviour is one of the mutant.
    pub fn difference(&mut self, mutant: &mut Symbolic, changes: &Changes) -> Result<Option<Difference>, Reason> {
        let _clock = self.begin();
        self.find_difference(mutant, changes).map_err(Reason::from)
    }

    fn find_difference(&mut self, mutant: &mut Symbolic, changes: &Changes) -> Result<Option<Difference>, Stop> {
        let everywhere = self.manager.constant(true);
        self.explore(&mut |_| ())?;
        let changed = self.changed(changes)?;
        // The first step that only one of them has starts where both get.
        let (new_steps, lost_steps) = self.candidates(&changed)?;
        let new = self.manager.diff(&mutant.machine.init, &self.machine.init)?;
        let added = match mutant.shortest_to_state(&new, &mutant.machine.init.clone())? {
            None => mutant.shortest_to_step(&new_steps, &everywhere)?,
            found => found,
        };
        if let Some(trace) = added {
            return Ok(Some(Difference::Added(trace)));
        }
        let lost = self.manager.diff(&self.machine.init, &mutant.machine.init)?;
        let removed = match self.shortest_to_state(&lost, &self.machine.init.clone())? {
            None => self.shortest_to_step(&lost_steps, &everywhere)?,
            found => found,
        };
        if let Some(trace) = removed {
            return Ok(Some(Difference::Removed(trace)));
        }
        let Some(differing) = self.differing_defines(changes)? else { return Err(Stop::Unsupported) };
        match self.shortest_to_state(&differing, &everywhere)? {
            Some(trace) => Ok(Some(Difference::Define(trace))),
            None => self.fairness_difference(mutant, changes),
        }
    }

    /// An execution that is fair in one machine only. Their initial states and steps are the same.
    fn fairness_difference(&mut self, mutant: &mut Symbolic, changes: &Changes) -> Result<Option<Difference>, Stop> {
        let n_justice = self.system.justice.len();
        let constraint = |place: &Place| match *place {
            Place::Fairness(index) if index < n_justice => Some(index),
            // Cause and effect belong to one constraint.
            Place::Fairness(index) => Some(index - (index - n_justice) % 2),
            _ => None,
        };
        let mut constraints: Vec<usize> = changes.iter().filter_map(|(place, _)| constraint(place)).collect();
        constraints.dedup();
        for index in &constraints {
            let Some(claim) = fairness_claim(&self.system, *index) else { return Err(Stop::Unsupported) };
            if let Some(trace) = mutant.fair_counterexample(claim)? {
                return Ok(Some(Difference::FairAdded(trace)));
            }
        }
        for index in &constraints {
            let Some(claim) = fairness_claim(&mutant.system, *index) else { return Err(Stop::Unsupported) };
            if let Some(trace) = self.fair_counterexample(claim)? {
                return Ok(Some(Difference::FairRemoved(trace)));
            }
        }
        Ok(None)
    }

    /// A fair path on which a formula of LTL is false.
    fn fair_counterexample(&mut self, formula: ExprId) -> Result<Option<Trace>, Stop> {
        let traces = std::mem::replace(&mut self.traces, true);
        let found = self.check_ltl(formula);
        self.traces = traces;
        match found? {
            Some(Witness::Trace(trace)) => Ok(Some(trace)),
            Some(_) => Err(Stop::Unsupported),
            None => Ok(None),
        }
    }
}

/// What a fairness constraint says of fair paths, as a formula of LTL: `G F p`, or `G F p -> G F q` for cause and effect.
pub fn fairness_claim(system: &TransitionSystem, index: usize) -> Option<ExprId> {
    let again_and_again = |expr: ExprId| {
        let finally = system.make(Node::Unary(UnaryOp::F, expr)).ok()?;
        system.make(Node::Unary(UnaryOp::G, finally)).ok()
    };
    let n_justice = system.justice.len();
    if let Some(constraint) = system.justice.get(index) {
        return again_and_again(constraint.expr);
    }
    let (cause, effect) = system.compassion.get((index - n_justice) / 2)?;
    let (cause, effect) = (again_and_again(cause.expr)?, again_and_again(effect.expr)?);
    system.make(Node::Binary(BinaryOp::Implies, cause, effect)).ok()
}
