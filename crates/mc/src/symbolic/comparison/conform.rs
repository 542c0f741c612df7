//! Comparison of mutants with the model, on sets of pairs of states.
//!
//! A mutant has diagram variables of its own next to those of the model, but for the inputs, which both machines share. A
//! set of pairs holds the states that both may be in after the same inputs and outputs. This is exact where inputs and
//! outputs determine the state of the model, so that a state estimate never has two states; the mutant may do as it likes.
//! Other models are left to the explicit engine.

mod pairs;
mod tell;
mod walk;

use crate::answer::{Answer, Reason};
use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::conform::{Changes, Claim, CompareMachines, Kill, Observer, Place};
use crate::encode::{Encoder, Memo, Time};
use crate::policy::{COMPARE_STEPS, TELL_STEPS};
use crate::query::Query;
use crate::search::Search as _;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{self, Machine, Part};
use crate::symbolic::relation::{Alphabet, Relation, components};
use crate::symbolic::{Symbolic, example};
use pairs::Pairs;
use specwright_model::model::VarKind;
use specwright_model::{ExprId, State, Trace, TransitionSystem, VarId};
use specwright_syntax::budget::Budget;
use tell::Apart;

impl CompareMachines for Symbolic {
    fn compare(&mut self, observer: &Observer, mutant: &Changes, budget: &Budget) -> Answer<Kill> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.begin();
            let found = engine.with_twin(observer, |engine, twin| {
                let most = engine.steps() + COMPARE_STEPS;
                engine.attempt(COMPARE_STEPS, |engine| engine.compare_with(twin, mutant, most))
            });
            found.unwrap_or_else(|stop| Answer::Undecided(Reason::from(stop)))
        })
    }

    fn reach(&mut self, condition: ExprId, budget: &Budget) -> Answer<Trace> {
        self.answer(Query::Reach(condition), &budget.limited(COMPARE_STEPS))
    }

    fn tell_apart(
        &mut self,
        observer: &Observer,
        test: &Trace,
        at: usize,
        candidate: &State,
        choose: bool,
        budget: &Budget,
    ) -> Answer<Trace> {
        self.ask_apart(observer, budget, |engine, twin, apart| engine.tell(twin, apart, (test, at), candidate, choose))
    }

    fn show_violation(&mut self, observer: &Observer, claim: &Claim, budget: &Budget) -> Answer<Trace> {
        self.ask_apart(observer, budget, |engine, twin, apart| engine.show_claim(twin, apart, claim))
    }
}

/// What the comparisons of all mutants share.
pub(crate) struct Twin {
    observer: Observer,
    /// The variables of mutants.
    layout: Layout,
    memo: Memo,
    /// Why pairs of states are not exact, if they are not: inputs and outputs do not determine the state of the model, or that
    /// is not known.
    fails: Option<Stop>,
    /// What the model permits of inputs, and of outputs of the mutant: sets over states of the model, inputs and, for the
    /// latter, outputs of the mutant after the step. All of them have to hold.
    permitted: Vec<Bdd>,
    matched: Vec<Bdd>,
    /// The pairs of states that inputs tell apart, once they were asked for; or why they are not known.
    apart: Option<Result<Box<Apart>, Stop>>,
}

impl Symbolic {
    /// Runs a question about pairs of states.
    fn with_twin<T>(
        &mut self,
        observer: &Observer,
        ask: impl FnOnce(&mut Symbolic, &mut Twin) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let known = self.comparison.twin.take().filter(|twin| twin.observer == *observer);
        let mut twin = match known {
            Some(twin) => twin,
            None => Box::new(self.twin(observer)),
        };
        let result = match &twin.fails {
            Some(stop) => Err(stop.clone()),
            None => ask(self, &mut twin),
        };
        self.comparison.twin = Some(twin);
        result
    }

    /// Answers a question about pairs of states that inputs tell apart.
    fn ask_apart(
        &mut self,
        observer: &Observer,
        budget: &Budget,
        ask: impl FnOnce(&mut Symbolic, &mut Twin, &Apart) -> Result<Option<Trace>, Stop>,
    ) -> Answer<Trace> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.begin();
            engine.with_apart(observer, ask).into()
        })
    }

    /// Runs a question about pairs of states that inputs tell apart.
    fn with_apart<T>(
        &mut self,
        observer: &Observer,
        ask: impl FnOnce(&mut Symbolic, &mut Twin, &Apart) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.with_twin(observer, |engine, twin| {
            let apart = match twin.apart.take() {
                Some(known) => known,
                None => engine.apart_within(twin, TELL_STEPS),
            };
            let result = match &apart {
                Ok(apart) => ask(engine, twin, apart),
                Err(stop) => Err(stop.clone()),
            };
            twin.apart = Some(apart);
            result
        })
    }

    /// The pairs that inputs tell apart, if they are found within this number of steps.
    fn apart_within(&mut self, twin: &mut Twin, steps: u64) -> Result<Box<Apart>, Stop> {
        self.explore_a_little(steps)?;
        if self.rings().known().is_none() {
            return Err(Stop::Limit(Limit::Steps));
        }
        self.attempt(steps, |engine| engine.apart(twin)).map(Box::new)
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
    fn twin(&mut self, observer: &Observer) -> Twin {
        let layout = self.layout.beside(&self.manager, &|var| observer.inputs.contains(&var));
        let (permitted, matched) = (Vec::new(), Vec::new());
        let observer = observer.clone();
        let mut twin = Twin { observer, layout, memo: Memo::default(), fails: None, permitted, matched, apart: None };
        let prepared = self.attempt(COMPARE_STEPS, |engine| engine.prepare_twin(&mut twin));
        twin.fails = prepared.err();
        twin
    }

    fn prepare_twin(&mut self, twin: &mut Twin) -> Result<(), Stop> {
        let own: Vec<ExprId> = twin.observer.defines.iter().map(|define| self.system.body(*define)).collect();
        let agree = self.agreement(twin, &own, &own)?;
        let system = self.system.clone();
        let other = self.other(&system, twin)?;
        self.is_determined(twin, &other, &agree)?;
        twin.permitted =
            components(&self.manager, self.machine.relation.list()?.to_vec(), &self.answers(twin, &self.layout))?;
        twin.matched = self.matched(twin, &agree)?;
        Ok(())
    }

    /// Stops unless inputs and outputs determine the state of the model.
    fn is_determined(&mut self, twin: &Twin, other: &Machine, agree: &[Bdd]) -> Result<(), Stop> {
        let manager = self.manager.clone();
        let same = self.same(twin, &[])?;
        let start = all(&manager, &manager.and(&self.machine.init, &other.init)?, agree)?;
        if !manager.is_subset(&start, &same)? {
            return Err(Stop::Unsupported);
        }
        let relation = self.both(twin, other, agree)?;
        let from_same = |states: &Bdd| -> Result<bool, Limit> {
            let after = relation.image(&manager.and(states, &same)?)?;
            manager.is_subset(&after, &same)
        };
        // Often all states are determined. Otherwise only the reachable ones count.
        if from_same(&self.machine.invar)? {
            return Ok(());
        }
        self.explore_a_little(COMPARE_STEPS)?;
        if self.rings().known().is_none() {
            return Err(Stop::Limit(Limit::Steps));
        }
        if from_same(&self.reached())? { Ok(()) } else { Err(Stop::Unsupported) }
    }

    /// Asks a question for at most this number of steps.
    pub(super) fn attempt<T>(
        &mut self,
        steps: u64,
        ask: impl FnOnce(&mut Symbolic) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let manager = self.manager.clone();
        let mut other = None;
        let found = manager.attempt(steps, || match ask(self) {
            Ok(found) => Ok(found),
            Err(Stop::Limit(limit)) => Err(limit),
            Err(stop) => {
                other = Some(stop);
                Err(Limit::Steps)
            }
        })?;
        found.ok_or(other.unwrap_or(Stop::Limit(Limit::Steps)))
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
        Relation::new(&self.manager, &parts, &Alphabet { state, input })
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
