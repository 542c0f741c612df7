//! Bisimulation of a mutant and the model, as far as certain labels tell.
//!
//! Two states are bisimilar if they have the same labels, and whatever step one can take the other can take with the same
//! inputs, to a bisimilar state. The fairness constraints are labels, too, so bisimilar machines satisfy the same formulas of
//! CTL and of LTL over the labels. The greatest bisimulation is a fixpoint on pairs of states: the mutant has diagram
//! variables of its own next to those of the model, but for the inputs of steps, which both share.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit, Var};
use crate::conform::{Changes, Place};
use crate::encode::{Encoder, Memo, Time};
use crate::policy::COMPARE_STEPS;
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{self, Machine, Shared};
use specwright_model::model::VarKind;
use specwright_model::{ExprId, VarId};

/// What is seen of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// The values of these variables.
    pub vars: Vec<VarId>,
    /// The values of these expressions: as the model has them, and as the mutant has them. They agree in two states if they do
    /// for all inputs of steps.
    pub values: Vec<(ExprId, ExprId)>,
}

/// The variables of mutants beside those of the model.
pub(crate) struct Beside {
    layout: Layout,
    memo: Memo,
    /// The model over these variables, which mutants share.
    model: Option<Shared>,
}

impl Symbolic {
    /// Whether a mutant is bisimilar to the model. It is undecided above a number of steps, and for labels of steps.
    pub fn is_bisimilar(&mut self, mutant: &mut Symbolic, changes: &Changes, labels: &Labels) -> Result<bool, Reason> {
        let _clock = self.begin();
        // With all variables in the labels, bisimilar states are equal: the machines differ or they do not.
        let is_state = |(var, declared): (VarId, &specwright_model::model::Var)| {
            declared.kind == VarKind::Input || labels.vars.contains(&var)
        };
        if self.system.vars().all(is_state) {
            return Ok(false);
        }
        let inputs = |var: VarId| self.system[var].kind == VarKind::Input;
        let mut beside = self.comparison.beside.take().unwrap_or_else(|| {
            let layout = self.layout.beside(&self.manager, &inputs);
            Box::new(Beside { layout, memo: Memo::default(), model: None })
        });
        let changed: Vec<Place> = changes.iter().map(|(place, _)| *place).collect();
        let found = self.attempt(COMPARE_STEPS, |engine| engine.bisimulate(mutant, &changed, labels, &mut beside));
        self.comparison.beside = Some(beside);
        found.map_err(Reason::from)
    }

    fn bisimulate(
        &mut self,
        mutant: &mut Symbolic,
        changed: &[Place],
        labels: &Labels,
        beside: &mut Beside,
    ) -> Result<bool, Stop> {
        self.explore(&mut |_| ())?;
        let manager = self.manager.clone();
        if manager.is_filling_up() {
            beside.memo.forget();
        }
        let Beside { layout, memo, model } = beside;
        let shared = if let Some(known) = model {
            known
        } else {
            let mut encoder = Encoder::new(&self.system, layout, &manager, memo);
            model.insert(machine::build_shared(&mut encoder)?)
        };
        let mut encoder = Encoder::new(&mutant.system, layout, &manager, memo);
        let (other, faults) = machine::build_like(&mut encoder, shared, changed)?;
        if !faults.is_empty() {
            return Err(Stop::Unsupported);
        }
        let mut related = self.reached();
        for var in &labels.vars {
            for (one, other) in self.layout.bits(*var).iter().zip(layout.bits(*var)) {
                if one != other {
                    related = manager.and(&related, &manager.iff(&manager.var(*one)?, &manager.var(*other)?)?)?;
                }
            }
        }
        for (mine, theirs) in &labels.values {
            if [mine, theirs].into_iter().any(|expr| self.mentions_next(*expr) || self.is_temporal(*expr)) {
                return Err(Stop::Unsupported);
            }
            let mine = self.encoder().eval(*mine, Time::Now)?;
            let theirs = Encoder::new(&mutant.system, layout, &manager, memo).eval(*theirs, Time::Now)?;
            if !mine.faults.is_empty() || !theirs.faults.is_empty() {
                return Err(Stop::Unsupported);
            }
            let differ = manager.not(&mine.value.equals(&theirs.value, &manager)?);
            related = manager.diff(&related, &self.for_some_input(&differ)?)?;
        }
        for (mine, theirs) in self.machine.fairness.sets().zip(other.fairness.sets()) {
            let differ = manager.not(&manager.iff(mine, theirs)?);
            related = manager.diff(&related, &self.for_some_input(&differ)?)?;
        }
        related = manager.and(&related, &other.invar)?;
        let covers = |one: &Machine, other: &Machine, related: &Bdd| {
            let matched = manager.and_exists(related, &other.init, &manager.cube(&other.alphabet.state)?)?;
            manager.is_subset(&one.init, &matched)
        };
        // Pairs only get fewer: once an initial state has no partner, it never has one.
        while covers(&self.machine, &other, &related)? && covers(&other, &self.machine, &related)? {
            let unmatched = self.unmatched(&self.machine, &other, &related)?;
            let smaller = manager.diff(&related, &unmatched)?;
            let unmatched = self.unmatched(&other, &self.machine, &smaller)?;
            let smaller = manager.diff(&smaller, &unmatched)?;
            if smaller == related {
                return Ok(true);
            }
            related = smaller;
        }
        Ok(false)
    }

    /// The states in which something is so for some inputs.
    pub(super) fn for_some_input(&self, set: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut valid = set.clone();
        for (var, _) in self.system.vars().filter(|(_, var)| var.kind == VarKind::Input) {
            valid = manager.and(&valid, &self.layout.valid(manager, var, Time::Now)?)?;
        }
        manager.exists(&valid, &manager.cube(&self.machine.alphabet.input)?)
    }

    /// The related pairs in which one machine has a step that the other cannot follow into a related pair.
    fn unmatched(&self, one: &Machine, other: &Machine, related: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let next = |machine: &Machine| machine.alphabet.state.iter().map(|var| var + 1).collect::<Vec<Var>>();
        let mut followed = manager.swap_next(related)?;
        for cluster in other.relation.list()? {
            followed = manager.and(&followed, cluster)?;
        }
        let followed = manager.exists(&followed, &manager.cube(&next(other))?)?;
        let mut steps = manager.diff(related, &followed)?;
        for cluster in one.relation.list()? {
            steps = manager.and(&steps, cluster)?;
        }
        let quantified: Vec<Var> = next(one).into_iter().chain(one.alphabet.input.iter().copied()).collect();
        manager.exists(&steps, &manager.cube(&quantified)?)
    }
}
