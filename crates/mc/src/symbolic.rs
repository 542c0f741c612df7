//! The symbolic engine: one model, encoded once as decision diagrams, answers many queries.

pub(crate) mod check;
pub(crate) mod comparison;
pub(crate) mod ctl;
pub(crate) mod encoding;
pub(crate) mod image;
pub(crate) mod ltl;
pub(crate) mod reachability;
pub(crate) mod relation;
pub(crate) mod safety;
pub(crate) mod shortest_ways;
pub(crate) mod state_estimation;
pub(crate) mod witness;

use crate::bdd::{Bdd, Count, Limit, Limits, Manager, Reordering, Scope, Var};
use crate::encode::{Encoder, FaultKind, Memo, Time};
use crate::ltl::Formulas;
use crate::policy::{MAX_FORMULAS, THIN, THIN_FRACTION, THIN_NODES, THIN_STEPS};
use crate::symbolic::comparison::Comparison;
use crate::symbolic::ctl::fair::Arena;
use crate::symbolic::ctl::{CtlCache, Stop};
use crate::symbolic::encoding::encoded::Encoded;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{self, Machine, SiteFault};
use crate::symbolic::ltl::LtlCache;
use crate::symbolic::reachability::{Reach, Reachable};
use crate::symbolic::relation::Relation;
use crate::symbolic::witness::{Witnesses, choose};
use rustc_hash::FxHashMap;
use specwright_model::model::VarKind;
use specwright_model::{ExprId, Node, SourcedExpr, State, TransitionSystem, VarId};
use specwright_syntax::budget::Budget;
use std::sync::Arc;

/// How hard to try, and in which order to place the variables.
#[derive(Clone, Debug)]
pub struct Options {
    /// The memory that decision diagrams may take, in bytes.
    pub max_memory: usize,
    /// The nodes that all of them together may have, whatever the memory.
    pub max_nodes: Option<usize>,
    /// When the order of variables changes by itself.
    pub reordering: Reordering,
    /// The variables from top to bottom, by name; those that are not named come last.
    pub order: Option<Vec<String>>,
    /// Whether failures are to be shown by traces, which takes time.
    pub traces: bool,
    /// The budget of the construction, and of all queries but for its steps: those of queries are passed with them.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_memory: 4 << 30,
            max_nodes: None,
            reordering: Reordering::Auto,
            order: None,
            traces: true,
            budget: Budget::default(),
        }
    }
}

/// Why there is no engine for a model.
#[derive(Clone, Debug)]
pub enum BuildError {
    /// A variable without bounds: finite focus is for such models.
    Unbounded(VarId),
    /// Parts of the model have no value somewhere.
    Undefined(Vec<Undefined>),
    /// A limit was reached.
    Limit(Limit),
}

impl From<Limit> for BuildError {
    fn from(limit: Limit) -> BuildError {
        BuildError::Limit(limit)
    }
}

/// An expression that has no value, with a place where it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// What was being evaluated.
    pub site: SourcedExpr,
    /// The part of it that has no value.
    pub part: ExprId,
    /// The variable to which it is assigned, if any.
    pub var: Option<VarId>,
    /// Why.
    pub reason: UndefinedReason,
    /// A state in which it has none.
    pub now: State,
    /// The state after it, as far as that matters.
    pub next: State,
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefinedReason {
    /// No branch of a `case` applies.
    NoBranch,
    /// Division by zero.
    DivisionByZero,
    /// An index outside the array.
    Index,
    /// A shift by a negative amount or by more than the width.
    Shift,
    /// The number needs more than 64 bits.
    Overflow,
    /// The variable cannot take the value.
    OutOfRange,
}

/// The limits of decision diagrams in a budget.
pub(crate) fn limits(budget: &Budget) -> Limits {
    Limits { steps: budget.steps(), deadline: budget.deadline(), interrupt: budget.cancel_flag().cloned() }
}

/// A model and everything that was computed about it.
pub struct Symbolic {
    pub(crate) system: TransitionSystem,
    pub(crate) manager: Manager,
    pub(crate) layout: Layout,
    pub(crate) memo: Memo,
    pub(crate) machine: Machine,
    pub(crate) reach: Reach,
    /// What is known about the reachable states.
    pub(crate) reachable: Reachable,
    /// The states of CTL formulas.
    pub(crate) ctl: CtlCache,
    /// The linear readings of formulas.
    pub(crate) linear: Formulas,
    /// What formulas of linear time share.
    pub(crate) ltl: LtlCache,
    /// How executions are chosen.
    pub(crate) witnesses: Witnesses,
    /// What comparisons with mutants share.
    pub(crate) comparison: Comparison,
    pub(crate) traces: bool,
    /// Whether the model has frozen variables.
    has_frozen: bool,
    /// The number of cached formulas above which cheap ones are evicted.
    max_formulas: usize,
    /// How it was made. The budget is that of queries that have no other.
    options: Options,
}

impl Symbolic {
    /// Encodes a model.
    pub fn new(system: TransitionSystem, options: &Options) -> Result<Symbolic, BuildError> {
        Symbolic::with_order(system, options, None)
    }

    /// Encodes a model, with the bits of its variables in an order that was found before.
    fn with_order(
        system: TransitionSystem,
        options: &Options,
        found: Option<Vec<Var>>,
    ) -> Result<Symbolic, BuildError> {
        if let Some((id, _)) = system.vars().find(|(_, var)| var.domain.size().is_none()) {
            return Err(BuildError::Unbounded(id));
        }
        let layout = Layout::new(&system);
        let Encoded { manager, memo, machine, faults } = Encoded::new(&system, &layout, options, found)?;
        if !faults.is_empty() {
            let undefined = faults.iter().map(|fault| example(&system, &layout, fault)).collect();
            return Err(BuildError::Undefined(undefined));
        }
        let options = Options { budget: options.budget.without_step_limit(), ..options.clone() };
        let has_frozen = system.vars().any(|(_, var)| var.kind == VarKind::Frozen);
        Ok(Symbolic {
            has_frozen,
            system,
            manager,
            layout,
            memo,
            reach: Reach::new(&machine.init),
            machine,
            reachable: Reachable::default(),
            ctl: CtlCache::default(),
            linear: Formulas::default(),
            ltl: LtlCache::default(),
            witnesses: Witnesses::default(),
            comparison: Comparison::default(),
            traces: options.traces,
            max_formulas: if options.reordering == Reordering::Always { 2 } else { MAX_FORMULAS },
            options,
        })
    }

    /// The system. Queries are about the expressions of its context.
    pub fn system(&self) -> &TransitionSystem {
        &self.system
    }

    /// Whether steps are known to be a choice between events, each of which changes few variables. Then the reachable states are
    /// found event by event, which often ends where a search in rings does not.
    pub fn has_events(&self) -> bool {
        self.machine.relation.partition.is_some()
    }

    /// The steps of decision diagrams so far.
    pub fn steps(&self) -> u64 {
        self.manager.statistics().steps
    }

    /// Sets the limit of nodes of the options.
    pub fn set_max_nodes(&mut self, most: Option<usize>) {
        self.options.max_nodes = most;
        self.limit_nodes(None);
    }

    /// Limits the nodes of the diagrams, or lifts such a limit again: then the options of the engine hold.
    pub fn limit_nodes(&mut self, most: Option<usize>) {
        let all = crate::bdd::capacity(self.options.max_memory, self.options.max_nodes);
        self.manager.set_capacity(most.map_or(all, |most| most.min(all)));
    }

    /// Asks queries that share a budget: all of them together take at most its steps.
    pub fn within<T>(&mut self, budget: &Budget, ask: impl FnOnce(&mut Symbolic) -> T) -> T {
        let _limits = self.manager.enter(&limits(budget));
        ask(self)
    }

    /// Limits the steps of all questions to this engine and to its mutants, as long as the scope is alive.
    pub fn limit_steps(&self, steps: u64) -> Scope {
        self.manager.enter(&Limits { steps: Some(steps), ..Limits::default() })
    }

    /// Whether no further query can be answered: the cancellation flag is set, or all steps are taken.
    pub fn is_spent(&self) -> bool {
        self.manager.is_spent() || self.options.budget.is_cancelled()
    }

    /// Begins a query: its time starts now, and ends with the scope.
    pub(crate) fn start_clock(&self) -> Scope {
        self.manager.enter(&limits(&self.options.budget.for_query()))
    }

    /// Begins a query, and evicts cheap formulas if the diagrams fill up. Thousands of properties leave behind small sets
    /// that are not needed again, and an order tuned to these misleads sifting. Results of searches stay.
    pub(crate) fn begin(&mut self) -> Scope {
        let clock = self.start_clock();
        if self.ctl.formulas.len() >= self.max_formulas && self.manager.is_filling_up() {
            let Symbolic { ctl: CtlCache { formulas, .. }, system, .. } = self;
            formulas.retain(|(formula, _), _| takes_a_search(&system[*formula]));
            self.memo.forget();
            self.manager.collect_garbage();
        }
        clock
    }

    /// Computes the reachable states, as far as they are not known. The observer hears of every ring, or now
    /// and then how many parts there are.
    pub fn explore(&mut self, observe: &mut dyn FnMut(usize)) -> Result<(), Limit> {
        let _clock = self.start_clock();
        let Symbolic { reach, manager, machine, .. } = self;
        reach.complete(manager, &machine.relation, observe)
    }

    /// Explores for at most `steps` further steps of decision diagrams, whatever the speed of the machine. That they were not
    /// enough is no error.
    pub fn explore_a_little(&mut self, steps: u64) -> Result<(), Limit> {
        let _clock = self.start_clock();
        let Symbolic { reach, manager, machine, .. } = self;
        let _few = manager.enter(&Limits { steps: Some(steps), ..Limits::default() });
        while reach.known().is_none() {
            match reach.extend(manager, &machine.relation) {
                Err(Limit::Steps) => break,
                extended => extended?,
            }
        }
        Ok(())
    }

    /// The shortest ways to states of a set: where they may be after each number of steps, at last in the nearest states of the
    /// set. Explores no further than it must.
    pub(crate) fn shortest_ways(&mut self, states: &Bdd) -> Result<Option<Vec<Bdd>>, Limit> {
        let Symbolic { reach, manager, machine, .. } = self;
        reach.shortest_ways(manager, &machine.relation, states)
    }

    /// Whether some state of a set is reached.
    pub(crate) fn is_any_reached(&mut self, states: &Bdd) -> Result<bool, Limit> {
        match self.reach.known() {
            Some(known) if !self.reach.is_enclosed => Ok(!self.manager.and(states, known)?.is_false()),
            _ => Ok(self.shortest_ways(states)?.is_some()),
        }
    }

    /// Computes what temporal formulas need: the reachable states, and those from which a fair path starts.
    pub(crate) fn prepare(&mut self) -> Result<(), Limit> {
        self.explore(&mut |_| ())?;
        let reached = self.reached();
        if self.reachable.care_relation.is_none() {
            self.reachable.care_relation = Some(match self.thin_steps()? {
                Some(steps) => Relation::new(&self.manager, &[steps], &self.machine.alphabet)?,
                // A mutant is asked few questions.
                None if self.reach.is_enclosed => self.machine.relation.clone(),
                None => self.machine.relation.assume(&reached)?,
            });
        }
        if self.reachable.fair.is_none() {
            self.reachable.fair = Some(self.arena().always(&reached, &self.machine.fairness.justice)?);
        }
        Ok(())
    }

    /// The transitions from reachable states as one diagram, if the set is thin. Needs [`explore`](Self::explore).
    fn thin_steps(&self) -> Result<Option<Bdd>, Limit> {
        let relation = &self.machine.relation;
        let n_nodes = self.known().node_count();
        #[expect(clippy::cast_precision_loss, reason = "a rough measure")]
        let is_thin = self.n_states().is_some_and(|count| count.approximate <= THIN * n_nodes as f64);
        if !is_thin || relation.partition.is_some() {
            return Ok(None);
        }
        let effort = THIN_STEPS.max(self.steps() / THIN_FRACTION);
        let within_limit = || relation.within_limit(self.known(), THIN_NODES * n_nodes);
        Ok(self.manager.attempt(effort, within_limit)?.flatten())
    }

    /// The reachable states without successors. Needs [`explore`](Self::explore).
    pub(crate) fn deadlock_states(&mut self) -> Result<Bdd, Limit> {
        if let Some(dead) = &self.reachable.deadlock_states {
            return Ok(dead.clone());
        }
        let reached = self.reached();
        let alive = self.machine.relation.preimage_within(&self.manager.constant(true), &reached)?;
        let dead = self.manager.diff(&reached, &alive)?;
        self.reachable.deadlock_states = Some(dead.clone());
        Ok(dead)
    }

    /// The reachable states and the transitions among them. Needs `prepare`.
    pub(crate) fn arena(&self) -> Arena<'_> {
        let relation =
            self.reachable.care_relation.as_ref().expect("the steps among reachable states come before formulas");
        Arena { manager: &self.manager, relation, states: self.known() }
    }

    /// The number of reachable states, once they are known.
    pub fn n_states(&self) -> Option<Count> {
        let n_bits = self.machine.alphabet.state.len() as u32;
        self.reach.known().map(|states| states.sat_count(n_bits))
    }

    /// The number of steps from the initial states to the last of the reachable ones, once they are known.
    pub fn diameter(&self) -> Option<usize> {
        self.reach.is_complete.then(|| self.reach.rings.len() - 1)
    }

    /// The decision-diagram variables from top to bottom, as names of variables with the place of the bit.
    pub fn order(&self) -> Vec<String> {
        let mut names = FxHashMap::default();
        for (id, var) in self.system.vars() {
            let bits = self.layout.bits(id);
            for (place, bit) in bits.iter().enumerate() {
                let name =
                    if bits.len() == 1 { var.name.clone() } else { format!("{}.{}", var.name, bits.len() - 1 - place) };
                names.insert(*bit, name);
            }
        }
        self.manager.order().iter().filter_map(|var| names.get(var).cloned()).collect()
    }

    pub(crate) fn encoder(&mut self) -> Encoder<'_> {
        Encoder::new(&self.system, &self.layout, &self.manager, &mut self.memo)
    }

    /// The rings that are known so far.
    pub(crate) fn rings(&self) -> &Reach {
        &self.reach
    }

    /// The reachable states. Needs [`explore`](Self::explore).
    pub(crate) fn reached(&self) -> Bdd {
        self.known().clone()
    }

    fn known(&self) -> &Bdd {
        self.reach.known().expect("the reachable states come first")
    }

    /// The reachable states from which a fair path starts. Needs `prepare`.
    pub(crate) fn fair(&self) -> Bdd {
        self.reachable.fair.clone().expect("the fair states come before formulas")
    }

    /// Where an expression without temporal operators is true, and where it is false. Elsewhere it is undefined.
    pub(crate) fn truth(&mut self, expr: ExprId, time: Time) -> Result<Truth, Limit> {
        let (holds, faults) = self.encoder().condition(expr, time)?;
        let (mut yes, mut no) = (holds.clone(), self.manager.not(&holds));
        for fault in faults {
            yes = self.manager.diff(&yes, &fault.when)?;
            no = self.manager.diff(&no, &fault.when)?;
        }
        let is_frozen = |node: &Node| matches!(node, Node::Next(_));
        if time == Time::Now && self.has_frozen && !self.mentions_next(expr) && self.system.mentions(expr, is_frozen) {
            (yes, no) = (self.freeze(&yes)?, self.freeze(&no)?);
        }
        Ok(Truth { yes, no })
    }

    /// States of a set that reads frozen variables in the next state: there they have the values that they have now.
    fn freeze(&mut self, set: &Bdd) -> Result<Bdd, Limit> {
        let frozen: Vec<VarId> =
            self.system.vars().filter(|(_, var)| var.kind == VarKind::Frozen).map(|(id, _)| id).collect();
        let mut frame = self.manager.constant(true);
        for var in &frozen {
            let (now, next) = (self.encoder().var(*var, Time::Now)?, self.encoder().var(*var, Time::Next)?);
            frame = self.manager.and(&frame, &now.equals(&next, &self.manager)?)?;
        }
        let bits: Vec<Var> = frozen.iter().flat_map(|var| self.layout.bits(*var)).map(|bit| bit + 1).collect();
        self.manager.and_exists(set, &frame, &self.manager.cube(&bits)?)
    }

    /// Where an expression without temporal operators has a truth value.
    pub(crate) fn plain(&mut self, expr: ExprId, time: Time, value: bool) -> Result<Bdd, Limit> {
        let Truth { yes, no } = self.truth(expr, time)?;
        Ok(if value { yes } else { no })
    }

    /// Stops if an expression without temporal operators is undefined in a reachable state, or on a step from one.
    pub(crate) fn has_values(&mut self, expr: ExprId) -> Result<(), Stop> {
        let (_, faults) = self.encoder().condition(expr, Time::Now)?;
        if !faults.is_empty() {
            self.explore(&mut |_| ())?;
        }
        let on_steps = self.mentions_step(expr);
        for fault in faults {
            let mut when = fault.when.clone();
            if on_steps {
                let everywhere = self.manager.constant(true);
                let reached = self.reached();
                let sources = self.machine.relation.preimage_by_within(&when, &everywhere, &reached)?;
                let sources = self.manager.and(&sources, &reached)?;
                if sources.is_false() {
                    continue;
                }
                // The steps from one state are few.
                let source = choose(&sources, &self.state_wishes()).set(&self.manager)?;
                when = self.machine.relation.within(&self.manager.and(&source, &when)?)?;
            }
            let when = self.manager.and(&when, &self.reached())?;
            if !when.is_false() {
                let site = SourcedExpr { expr, spans: Arc::new([]) };
                let fault = SiteFault { site, var: None, fault: crate::encode::Fault { when, ..fault } };
                return Err(Stop::Undefined(example(&self.system, &self.layout, &fault)));
            }
        }
        Ok(())
    }

    /// Whether an expression contains temporal operators.
    pub(crate) fn is_temporal(&self, expr: ExprId) -> bool {
        self.system.context.exprs.is_temporal(expr)
    }

    /// The variables that belong to states.
    pub(crate) fn state_vars(&self) -> Vec<VarId> {
        self.system.vars().filter(|(_, var)| var.kind != VarKind::Input).map(|(id, _)| id).collect()
    }

    /// The variables that belong to steps.
    pub(crate) fn input_vars(&self) -> Vec<VarId> {
        self.system.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(id, _)| id).collect()
    }
}

/// Where an expression is true and where it is false.
pub(crate) struct Truth {
    pub(crate) yes: Bdd,
    pub(crate) no: Bdd,
}

/// Whether the states of a formula are found by going from state to state.
fn takes_a_search(formula: &Node) -> bool {
    match formula {
        Node::Unary(op, _) => op.logic().is_some(),
        Node::Binary(op, ..) => op.logic().is_some(),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// A concrete state in which a part of the model has no value.
pub(crate) fn example(system: &TransitionSystem, layout: &Layout, site: &SiteFault) -> Undefined {
    let all = || system.vars().map(|(id, _)| id);
    let mut wishes = machine::priorities(layout, all(), Time::Now);
    wishes.extend(machine::priorities(layout, all(), Time::Next));
    let bits = site.fault.when.pick(&wishes).expect("a fault that never happens is not kept");
    let value: FxHashMap<Var, bool> = wishes.iter().map(|(var, _)| *var).zip(bits).collect();
    let (mut now, mut next) = (State::empty(system.vars.len()), State::empty(system.vars.len()));
    for (id, var) in system.vars() {
        now.set(id, layout.decode(id, Time::Now, &|bit| value[&bit]));
        if var.kind != VarKind::Input {
            next.set(id, layout.decode(id, Time::Next, &|bit| value[&bit]));
        }
    }
    Undefined {
        site: site.site.clone(),
        part: site.fault.expr,
        var: site.var,
        reason: site.fault.kind.into(),
        now,
        next,
    }
}

impl From<FaultKind> for UndefinedReason {
    fn from(kind: FaultKind) -> UndefinedReason {
        match kind {
            FaultKind::NoBranch => UndefinedReason::NoBranch,
            FaultKind::DivisionByZero => UndefinedReason::DivisionByZero,
            FaultKind::Index => UndefinedReason::Index,
            FaultKind::Shift => UndefinedReason::Shift,
            FaultKind::Overflow => UndefinedReason::Overflow,
            FaultKind::OutOfRange => UndefinedReason::OutOfRange,
        }
    }
}
