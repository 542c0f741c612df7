//! Comparison of mutants with the model, on sets of pairs of states.
//!
//! A mutant has diagram variables of its own next to those of the model, but for the inputs, which both machines share. A
//! set of pairs holds the states that both may be in after the same inputs and outputs. This is exact where inputs and
//! outputs determine the state of the model, so that a state estimate never has two states; the mutant may do as it likes.
//! Other models are left to the explicit engine.

mod pairs;
mod walk;

use crate::answer::{Answer, Reason};
use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::conform::{Changes, CompareMachines, Kill, Observer, Place};
use crate::encode::{Encoder, Memo, Time};
use crate::policy::COMPARE_STEPS;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{self, Machine, Part};
use crate::symbolic::relation::{Alphabet, Relation, components};
use crate::symbolic::{Symbolic, example};
use pairs::Pairs;
use specwright_model::model::VarKind;
use specwright_model::{ExprId, TransitionSystem, VarId};
use specwright_syntax::budget::Budget;

impl CompareMachines for Symbolic {
    fn compare(&mut self, observer: &Observer, mutant: &Changes, budget: &Budget) -> Answer<Kill> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.begin();
            let steps = engine.steps();
            let found = engine.compare_pairs(observer, mutant, steps + COMPARE_STEPS);
            found.unwrap_or_else(|stop| Answer::Undecided(Reason::from(stop)))
        })
    }
}

/// What the comparisons of all mutants share.
pub(crate) struct Twin {
    observer: Observer,
    /// The variables of mutants.
    layout: Layout,
    memo: Memo,
    /// Whether inputs and outputs determine the state of the model.
    is_determined: bool,
    /// What the model permits of inputs, and of outputs of the mutant: sets over states of the model, inputs and, for the
    /// latter, outputs of the mutant after the step. All of them have to hold.
    permitted: Vec<Bdd>,
    matched: Vec<Bdd>,
}

impl Symbolic {
    fn compare_pairs(&mut self, observer: &Observer, mutant: &Changes, most: u64) -> Result<Answer<Kill>, Stop> {
        if self.comparison.twin.as_ref().is_none_or(|twin| twin.observer != *observer) {
            self.comparison.twin = None;
            self.explore_a_little(COMPARE_STEPS)?;
            if self.rings().known().is_none() {
                return Err(Stop::Limit(Limit::Steps));
            }
            let twin = self.twin(observer)?;
            self.comparison.twin = Some(Box::new(twin));
        }
        let Some(mut twin) = self.comparison.twin.take() else { return Err(Stop::Unsupported) };
        let result =
            if twin.is_determined { self.compare_with(&mut twin, mutant, most) } else { Err(Stop::Unsupported) };
        self.comparison.twin = Some(twin);
        result
    }

    fn compare_with(&mut self, twin: &mut Twin, changes: &Changes, most: u64) -> Result<Answer<Kill>, Stop> {
        // The bodies of defines stay as they are: places that use a mutated one do not mention it any more.
        let of_machine: Vec<(Place, ExprId)> =
            changes.iter().filter(|(place, _)| !matches!(place, Place::Define(_))).copied().collect();
        let system = crate::conform::apply(&self.system, &of_machine);
        let machine = self.other(&system, twin)?;
        let defines: Vec<ExprId> = twin.observer.defines.iter().map(|define| self.system.body(*define)).collect();
        let mutated = twin.observer.defines.iter().zip(&defines).map(|(define, body)| {
            let changed = changes.iter().find(|(place, _)| *place == Place::Define(*define));
            changed.map_or(*body, |(_, expr)| *expr)
        });
        let mutated: Vec<ExprId> = mutated.collect();
        let agree = self.agreement(twin, &defines, &mutated)?;
        let matched = if mutated == defines { twin.matched.clone() } else { self.matched(twin, &agree)? };
        Pairs::new(self, twin, &machine, &agree, matched)?.run(most)
    }

    /// The machine of a mutant, over its own variables.
    fn other(&self, system: &TransitionSystem, twin: &mut Twin) -> Result<Machine, Stop> {
        let Twin { layout, memo, .. } = twin;
        if self.manager.is_filling_up() {
            memo.forget();
        }
        let mut encoder = Encoder::new(system, layout, &self.manager, memo);
        // A part that does not exist: the relation is not partitioned.
        let (machine, faults) = machine::build_without(&mut encoder, &[Part::Trans(usize::MAX)])?;
        match faults.first() {
            Some(fault) => Err(Stop::Undefined(example(system, layout, fault))),
            None => Ok(machine),
        }
    }

    /// What the comparisons of all mutants share.
    fn twin(&mut self, observer: &Observer) -> Result<Twin, Stop> {
        let layout = self.layout.beside(&self.manager, &|var| observer.inputs.contains(&var));
        let (permitted, matched) = (Vec::new(), Vec::new());
        let observer = observer.clone();
        let mut twin = Twin { observer, layout, memo: Memo::default(), is_determined: false, permitted, matched };
        let own: Vec<ExprId> = twin.observer.defines.iter().map(|define| self.system.body(*define)).collect();
        let agree = self.agreement(&mut twin, &own, &own)?;
        let system = self.system.clone();
        let other = self.other(&system, &mut twin)?;
        twin.is_determined = self.is_determined(&twin, &other, &agree)?;
        twin.permitted =
            components(&self.manager, self.machine.relation.list()?.to_vec(), &self.answers(&twin, &self.layout))?;
        twin.matched = self.matched(&twin, &agree)?;
        Ok(twin)
    }

    /// Whether inputs and outputs determine the state of the model.
    fn is_determined(&self, twin: &Twin, other: &Machine, agree: &[Bdd]) -> Result<bool, Stop> {
        let manager = &self.manager;
        let mut same = manager.constant(true);
        for var in self.state_vars() {
            for (one, other) in self.layout.bits(var).iter().zip(twin.layout.bits(var)) {
                if one != other {
                    same = manager.and(&same, &manager.iff(&manager.var(*one)?, &manager.var(*other)?)?)?;
                }
            }
        }
        let mut start = manager.and(&self.machine.init, &other.init)?;
        for part in agree {
            start = manager.and(&start, part)?;
        }
        if !manager.is_subset(&start, &same)? {
            return Ok(false);
        }
        let relation = self.both(twin, other, agree)?;
        let after = relation.image(&manager.and(&self.reached(), &same)?)?;
        Ok(manager.is_subset(&after, &same)?)
    }

    /// Both machines together, as far as their outputs agree.
    fn both(&self, twin: &Twin, other: &Machine, agree: &[Bdd]) -> Result<Relation, Limit> {
        let mut parts = self.machine.relation.list()?.to_vec();
        parts.extend(other.relation.list()?.iter().cloned());
        for part in agree {
            parts.push(self.manager.swap_next(part)?);
        }
        let Alphabet { mut state, mut input } = self.machine.alphabet.clone();
        for (id, var) in self.system.vars().filter(|(id, _)| !twin.observer.inputs.contains(id)) {
            let bits = if var.kind == VarKind::Input { &mut input } else { &mut state };
            bits.extend(twin.layout.bits(id));
        }
        Relation::new(&self.manager, parts, &Alphabet { state, input })
    }

    /// The pairs of states that look the same, as a conjunction.
    fn agreement(&mut self, twin: &mut Twin, own: &[ExprId], theirs: &[ExprId]) -> Result<Vec<Bdd>, Stop> {
        let manager = self.manager.clone();
        let mut all = Vec::new();
        for var in twin.observer.outputs.clone() {
            for (one, other) in self.layout.bits(var).iter().zip(twin.layout.bits(var)) {
                all.push(manager.iff(&manager.var(*one)?, &manager.var(*other)?)?);
            }
        }
        for (own, theirs) in own.iter().zip(theirs) {
            let one = self.encoder().eval(*own, Time::Now)?;
            let Twin { layout, memo, .. } = &mut *twin;
            let other = Encoder::new(&self.system, layout, &manager, memo).eval(*theirs, Time::Now)?;
            // A define without a value somewhere is left to the interpreter.
            if !one.faults.is_empty() || !other.faults.is_empty() {
                return Err(Stop::Unsupported);
            }
            all.push(one.value.equals(&other.value, &manager)?);
        }
        Ok(all)
    }

    /// The next values that a machine chooses, and the choices of its steps.
    fn answers(&self, twin: &Twin, layout: &Layout) -> Vec<Var> {
        let chosen = self.system.vars().filter(|(id, _)| !twin.observer.inputs.contains(id));
        let bit = |(id, kind): (VarId, VarKind)| {
            let shift = u32::from(kind != VarKind::Input);
            layout.bits(id).iter().map(move |bit| bit + shift).collect::<Vec<Var>>()
        };
        chosen.map(|(id, var)| (id, var.kind)).flat_map(bit).collect()
    }

    /// What the model permits of the outputs of a mutant.
    fn matched(&self, twin: &Twin, agree: &[Bdd]) -> Result<Vec<Bdd>, Limit> {
        let mut parts = self.machine.relation.list()?.to_vec();
        for part in agree {
            parts.push(self.manager.swap_next(part)?);
        }
        components(&self.manager, parts, &self.answers(twin, &self.layout))
    }
}

/// The conjunction.
fn all(manager: &Manager, start: &Bdd, parts: &[Bdd]) -> Result<Bdd, Limit> {
    parts.iter().try_fold(start.clone(), |all, part| manager.and(&all, part))
}
