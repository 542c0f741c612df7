//! Telling states of the model apart by outputs, on sets of pairs of states.
//!
//! A pair has a state of the model and a *candidate*: another state in which an implementation may be instead. One fixpoint
//! answers all questions: the pairs that some inputs tell apart, in rings by the number of inputs. This is exact where inputs
//! determine the initial state and the steps of the model. A candidate may be any state, also one that violates the invariants.

use super::pairs::{Label, Pairs};
use super::walk::pick;
use super::{Twin, all};
use crate::bdd::{Bdd, Limit, Var};
use crate::conform::Claim;
use crate::encode::{Encoder, Time};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{Machine, priorities};
use crate::symbolic::relation::Relation;
use specwright_model::model::VarKind;
use specwright_model::{ExprId, State, Trace, VarId};

/// The pairs of states that inputs tell apart.
pub(crate) struct Apart {
    /// The model over the variables of candidates.
    other: Machine,
    /// The steps of both, the initial pairs, and the inputs that candidates accept, as [`Pairs`] has them.
    parts: (Relation, Bdd, Vec<Bdd>),
    /// The candidates: all values of their variables.
    candidates: Bdd,
    /// The pairs of which at most as many inputs as the index are needed.
    rings: Vec<Bdd>,
}

impl Symbolic {
    /// Computes the pairs that inputs tell apart.
    pub(super) fn apart(&mut self, twin: &mut Twin) -> Result<Apart, Stop> {
        let system = self.system.clone();
        let other = self.other(&system, twin)?;
        let defines: Vec<ExprId> = twin.observer.defines.iter().map(|define| self.system.body(*define)).collect();
        let agree = self.agreement(twin, &defines, &defines)?;
        let manager = &self.manager;
        let valid = |layout: &Layout| {
            let valid = self.state_vars().into_iter().map(|var| layout.valid(manager, var, Time::Now));
            valid.collect::<Result<Vec<Bdd>, Limit>>()
        };
        let everywhere = all(manager, &manager.constant(true), &valid(&self.layout)?)?;
        let candidates = all(manager, &manager.constant(true), &valid(&twin.layout)?)?;
        let pairs = Pairs::new(self, twin, &other, &[], Vec::new())?;
        let same = self.same(twin, &[])?;
        let is_determined = manager.is_subset(pairs.start(), &same)?
            && manager.is_subset(&pairs.relation.image(&manager.and(&everywhere, &same)?)?, &same)?;
        if !is_determined {
            return Err(Stop::Unsupported);
        }
        let care = manager.and(&self.reached(), &candidates)?;
        let mut rings = vec![manager.diff(&care, &all(manager, &manager.constant(true), &agree)?)?];
        let mut new = rings[0].clone();
        let refused = pairs.kill_sources(&care)?;
        loop {
            let last = &rings[rings.len() - 1];
            let mut next = manager.and(&pairs.relation.preimage(&new)?, &care)?;
            if rings.len() == 1 {
                next = manager.or(&next, &refused)?;
            }
            new = manager.diff(&next, last)?;
            if new.is_false() {
                break;
            }
            rings.push(manager.or(last, &new)?);
        }
        let parts = pairs.into_parts();
        Ok(Apart { other, parts, candidates, rings })
    }

    /// The pairs of states with the same values of all variables but some.
    pub(super) fn same(&self, twin: &Twin, but: &[VarId]) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut same = manager.constant(true);
        for var in self.state_vars().into_iter().filter(|var| !but.contains(var)) {
            for (one, other) in self.layout.bits(var).iter().zip(twin.layout.bits(var)) {
                if one != other {
                    same = manager.and(&same, &manager.iff(&manager.var(*one)?, &manager.var(*other)?)?)?;
                }
            }
        }
        Ok(same)
    }

    /// A continuation of a test from a place on that tells the state there from a candidate. If `choose`, the inputs of that
    /// state are chosen anew.
    pub(super) fn tell(
        &self,
        twin: &Twin,
        apart: &Apart,
        (test, at): (&Trace, usize),
        candidate: &State,
        choose: bool,
    ) -> Result<Option<Trace>, Stop> {
        let here = if choose { self.alike(twin, test, at)? } else { self.point(&test.states[at])? };
        let start = self.manager.and(&here, &self.candidate(twin, candidate)?)?;
        let Some((distance, hit)) = apart.first(self, &start)? else { return Ok(None) };
        let mut trace = Trace { states: test.states[..at].to_vec(), loop_start: None };
        let pairs = Pairs::with_parts(self, twin, &apart.other, apart.parts.clone());
        let (mut own, mut other) = (pairs.first_state(&hit), candidate.clone());
        for var in &twin.observer.inputs {
            other.set(*var, own.get(*var));
        }
        for ring in apart.rings[..distance].iter().rev() {
            let both = self.manager.and(&self.point(&own)?, &self.candidate(twin, &other)?)?;
            let label = pairs.telling_label(&both, ring)?;
            let chosen = pairs.point(&label)?;
            let steps = self.machine.relation.within(&self.manager.and(&self.point(&own)?, &chosen)?)?;
            let next = self.next_state(&steps, &self.layout);
            pairs.choose_step(&mut own, &next, &label)?;
            trace.states.push(std::mem::replace(&mut own, next));
            let theirs = apart.other.relation.within(&self.manager.and(&both, &chosen)?)?;
            // An input that the candidate refuses is the last one.
            if !theirs.is_false() {
                other = self.next_state(&theirs, &twin.layout);
            }
        }
        trace.states.push(own);
        self.replay(&trace);
        Ok(Some(trace))
    }

    /// A test that shows a violation of a claim to a tester: outputs tell a state that violates it from some candidate, or
    /// there is no candidate.
    pub(super) fn show_claim(&mut self, twin: &mut Twin, apart: &Apart, claim: &Claim) -> Result<Option<Trace>, Stop> {
        let manager = self.manager.clone();
        let holds = self.defined(claim.expr)?;
        let before = claim.before.map_or(Ok(manager.constant(true)), |before| self.defined(before))?;
        let from = manager.and(&self.reached(), &before)?;
        let after = if claim.is_step { self.machine.relation.image(&from)? } else { from };
        let violated = manager.diff(&after, &holds)?;
        let theirs = {
            let Twin { layout, memo, .. } = &mut *twin;
            let (holds, faults) =
                Encoder::new(&self.system, layout, &manager, memo).condition(claim.expr, Time::Now)?;
            if !faults.is_empty() {
                return Err(Stop::Unsupported);
            }
            all(&manager, &holds, &[apart.candidates.clone(), self.same(twin, &claim.internal)?])?
        };
        let candidates = manager.cube(&self.candidate_bits(twin))?;
        let pairs = manager.and(&violated, &theirs)?;
        let bare = manager.diff(&violated, &manager.exists(&pairs, &candidates)?)?;
        let last = &apart.rings[apart.rings.len() - 1];
        let target =
            if bare.is_false() { manager.exists(&manager.and(&pairs, last)?, &candidates)? } else { bare.clone() };
        let everywhere = manager.constant(true);
        let found = if claim.is_step {
            let steps = manager.and(&before, &manager.swap_next(&target)?)?;
            self.shortest_to_step(&steps, &everywhere)?
        } else {
            self.shortest_to_state(&target, &everywhere)?
        };
        let Some(trace) = found else { return Ok(None) };
        if !bare.is_false() {
            return Ok(Some(trace));
        }
        let at = trace.states.len() - 1;
        let here = manager.and(&self.point(&trace.states[at])?, &pairs)?;
        let Some((_, hit)) = apart.first(self, &here)? else { return Err(Stop::Unsupported) };
        let candidate = self.state_in(&hit, &twin.layout, Time::Now);
        self.tell(twin, apart, (&trace, at), &candidate, false)
    }

    /// The states in which an expression without temporal operators holds; it must have a value everywhere.
    fn defined(&mut self, expr: ExprId) -> Result<Bdd, Stop> {
        let (holds, faults) = self.encoder().condition(expr, Time::Now)?;
        if faults.is_empty() { Ok(holds) } else { Err(Stop::Unsupported) }
    }

    /// The states that may take a place of a test, with other inputs.
    fn alike(&self, twin: &Twin, test: &Trace, at: usize) -> Result<Bdd, Limit> {
        let mut like = test.states[at].clone();
        twin.observer.inputs.iter().for_each(|var| like.set(*var, None));
        let start = match at.checked_sub(1).map(|before| &test.states[before]) {
            None => self.machine.init.clone(),
            Some(before) => {
                let mut steps = self.point(before)?;
                for var in self.input_vars() {
                    if let Some(value) = before.get(var) {
                        let equal = self.layout.equals(&self.manager, var, Time::Now, value)?;
                        steps = self.manager.and(&steps, &equal)?;
                    }
                }
                self.machine.relation.image(&steps)?
            }
        };
        self.manager.and(&start, &self.point(&like)?)
    }

    /// The set of one candidate, whatever its inputs.
    fn candidate(&self, twin: &Twin, state: &State) -> Result<Bdd, Limit> {
        let mut set = self.manager.constant(true);
        for var in self.own_vars(twin) {
            if let Some(value) = state.get(var) {
                set = self.manager.and(&set, &twin.layout.equals(&self.manager, var, Time::Now, value)?)?;
            }
        }
        Ok(set)
    }

    /// The variables of states that a candidate does not share with the state of the model.
    fn own_vars(&self, twin: &Twin) -> Vec<VarId> {
        self.state_vars().into_iter().filter(|var| !twin.observer.inputs.contains(var)).collect()
    }

    /// The bits of candidates.
    fn candidate_bits(&self, twin: &Twin) -> Vec<Var> {
        self.own_vars(twin).into_iter().flat_map(|var| twin.layout.bits(var).to_vec()).collect()
    }

    /// The state after the first step of a set.
    fn next_state(&self, steps: &Bdd, layout: &Layout) -> State {
        self.state_in(steps, layout, Time::Next)
    }

    /// The first state of a set that is not empty.
    fn state_in(&self, set: &Bdd, layout: &Layout, time: Time) -> State {
        let wishes = priorities(layout, self.state_vars(), time);
        let values = set.pick(&wishes).expect("choices are made from sets with members");
        let value = |bit: Var| wishes.iter().position(|(other, _)| *other == bit).is_some_and(|at| values[at]);
        let mut state = State::empty(self.system.vars.len());
        for (var, _) in self.system.vars().filter(|(_, var)| var.kind != VarKind::Input) {
            state.set(var, layout.decode(var, time, &value));
        }
        state
    }
}

impl Apart {
    /// The fewest inputs that tell some pairs of a set apart, and these pairs.
    fn first(&self, engine: &Symbolic, pairs: &Bdd) -> Result<Option<(usize, Bdd)>, Limit> {
        for (distance, ring) in self.rings.iter().enumerate() {
            let hit = engine.manager.and(pairs, ring)?;
            if !hit.is_false() {
                return Ok(Some((distance, hit)));
            }
        }
        Ok(None)
    }
}

impl Pairs<'_> {
    /// The first input that leads one pair into a ring, or that only the model accepts.
    fn telling_label(&self, pair: &Bdd, ring: &Bdd) -> Result<Label, Limit> {
        let manager = self.manager();
        let mut steps = self.relation.within(&manager.and(pair, &manager.swap_next(ring)?)?)?;
        let permitted = self.permitted(pair)?;
        for accepted in &self.accepted {
            steps = manager.or(&steps, &manager.diff(&permitted, accepted)?)?;
        }
        Ok(pick(&steps, &self.label_bits(false)))
    }
}
