//! Witness queries for test generation.

use crate::answer::{Answer, Proof, Reason, Witness};
use crate::answer_each::answer_each;
use crate::bdd::{Bdd, Limit};
use crate::conform::CompareMachines;
use crate::encode::Time;
use crate::ltl::{Linear, LinearId, Universal};
use crate::policy::EXPLICIT_DEADLOCKS;
use crate::query::Query;
use crate::search::{ExtendTrace, Search, Sink, SmvExplain, TargetId};
use crate::symbolic::Symbolic;
use crate::symbolic::comparison::distinguish::{Ends, Extent};
use crate::symbolic::ctl::Stop;
use crate::symbolic::image::Image;
use crate::symbolic::witness::choose;
use rustc_hash::FxHashSet;
use specwright_model::interp::eval_bool;
use specwright_model::op::Logic;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The states or transitions that a query wants to reach. Equal target sets are met together.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct TargetSet {
    states: Bdd,
    /// The steps, and the states from which one of them is taken.
    steps: Option<(Bdd, Bdd)>,
    /// Where the execution may end.
    ends: Bdd,
}

impl Search for Symbolic {
    fn system(&self) -> &TransitionSystem {
        &self.system
    }

    fn set_preference(&mut self, preference: Vec<(VarId, Vec<Value>)>) {
        self.witnesses.preference = preference;
        self.witnesses.steps_back = RefCell::default();
    }

    fn steps(&self) -> u64 {
        Symbolic::steps(self)
    }

    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()> {
        answer_each(self, queries, budget, sink)
    }

    /// Rings that are hard to make and that other threads would make again are a reason to stay on one thread.
    fn image(&mut self) -> Option<Image> {
        let Symbolic { reach, manager, machine, .. } = self;
        let may_lack_rings = reach.closure.is_some() && !reach.is_complete && machine.relation.partition.is_some();
        if may_lack_rings && reach.complete_easily(manager, &machine.relation) != Ok(true) {
            return None;
        }
        Some(Symbolic::image(self))
    }

    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        self.within(&budget.for_query(), |engine| match query {
            Query::Falsify(formula) => engine.falsify(formula),
            Query::Reach(expr) => engine.reach(expr),
            Query::Show(formula) => engine.show(formula),
            Query::Kill(_) => Answer::Undecided(Reason::Unsupported),
        })
    }

    fn extending(&mut self) -> Option<&mut dyn ExtendTrace> {
        Some(self)
    }

    fn explaining(&mut self) -> Option<&mut dyn SmvExplain> {
        Some(self)
    }

    fn comparing(&mut self) -> Option<&mut dyn CompareMachines> {
        Some(self)
    }
}

impl ExtendTrace for Symbolic {
    fn target(&mut self, query: Query, budget: &Budget) -> Answer<TargetId> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.start_clock();
            match engine.target_set(query) {
                Ok(set) => Answer::Found(TargetId(engine.witnesses.targets.insert_full(set).0)),
                Err(stop) => Answer::Undecided(stop.into()),
            }
        })
    }

    fn extend_trace(
        &mut self,
        trace: &Trace,
        targets: &[TargetId],
        most: usize,
        budget: &Budget,
    ) -> Answer<(usize, Trace)> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.start_clock();
            let targets: Vec<&TargetSet> = targets.iter().map(|target| &engine.witnesses.targets[target.0]).collect();
            match (trace.loop_start, trace.states.last()) {
                (None, Some(last)) => engine.extend_from(trace, last, &targets, most).into(),
                _ => Answer::INFEASIBLE,
            }
        })
    }
}

impl Symbolic {
    /// Where a query is answered, if a state or a step can answer it.
    fn target_set(&mut self, query: Query) -> Result<TargetSet, Stop> {
        let everywhere = self.manager.constant(true);
        match query {
            Query::Reach(expr) => self.target_at(expr, true, everywhere),
            Query::Falsify(formula) if self.logic(formula).is_none() => self.target_at(formula, false, everywhere),
            Query::Falsify(formula) => self.target_at_moment(formula)?.ok_or(Stop::Unsupported),
            Query::Show(_) | Query::Kill(_) => Err(Stop::Unsupported),
        }
    }

    fn target_at(&mut self, expr: ExprId, truth: bool, ends: Bdd) -> Result<TargetSet, Stop> {
        let wanted = self.plain(expr, Time::Now, truth)?;
        if self.mentions_step(expr) {
            let sources = self.machine.relation.preimage_by(&wanted, &ends)?;
            Ok(TargetSet { states: self.manager.constant(false), steps: Some((wanted, sources)), ends })
        } else {
            Ok(TargetSet { states: wanted, steps: None, ends })
        }
    }

    fn target_at_moment(&mut self, formula: ExprId) -> Result<Option<TargetSet>, Stop> {
        self.explore(&mut |_| ())?;
        let Symbolic { linear, system, .. } = self;
        let negation = linear.read(system, formula, false, Universal::Drop);
        let Some((states, steps)) = self.moment_wanted(negation)? else { return Ok(None) };
        let ends = self.reached();
        let sources = self.sources_of(&steps, &ends)?;
        let states = self.manager.and(&states, &ends)?;
        Ok(Some(TargetSet { states, steps: Some((steps, sources)), ends }))
    }

    /// The states, and the steps, that are enough for a formula that asks for one moment; nothing if it asks for more.
    fn moment_wanted(&mut self, formula: LinearId) -> Result<Option<(Bdd, Bdd)>, Stop> {
        let Linear::Until(stay, moment) = self.linear[formula] else { return Ok(None) };
        if self.linear[stay] != Linear::True {
            return Ok(None);
        }
        let Some(steps) = self.moment(moment, Time::Now, true)? else { return Ok(None) };
        let Some(states) = self.moment(moment, Time::Now, false)? else { return Ok(None) };
        Ok(Some((states, steps)))
    }

    fn extend_from(
        &self,
        trace: &Trace,
        last: &State,
        targets: &[&TargetSet],
        most: usize,
    ) -> Result<Option<(usize, Trace)>, Limit> {
        let manager = &self.manager;
        let (mut states, mut sources) = (manager.constant(false), manager.constant(false));
        for target in targets {
            states = manager.or(&states, &target.states)?;
            if let Some((_, from)) = &target.steps {
                sources = manager.or(&sources, from)?;
            }
        }
        let start = self.point(last)?;
        let (mut rings, mut seen) = (vec![start.clone()], start);
        for distance in 1..=most {
            let ring = manager.diff(&self.machine.relation.image(&rings[distance - 1])?, &seen)?;
            seen = manager.or(&seen, &ring)?;
            rings.push(ring);
            let near = &rings[distance - 1];
            let walk = if !manager.and(&rings[distance], &states)?.is_false() {
                let (which, hit) = first_hit(targets, |target| manager.and(&rings[distance], &target.states))?;
                Some((which, self.walk_along(&rings, choose(&hit, &self.state_wishes()))?))
            } else if !manager.and(near, &sources)?.is_false() {
                let none = manager.constant(false);
                let leave = |target: &TargetSet| {
                    target.steps.as_ref().map_or(Ok(none.clone()), |(_, from)| manager.and(near, from))
                };
                let (which, hit) = first_hit(targets, leave)?;
                let target = targets[which];
                let (steps, _) = target.steps.as_ref().expect("a step was found");
                Some((which, self.walk_through(&rings[..distance], &hit, steps, &target.ends)?))
            } else {
                None
            };
            if let Some((which, walk)) = walk {
                let mut longer = trace.clone();
                longer.states.pop();
                longer.states.extend(self.fragment(&walk)?.states);
                self.replay(&longer);
                return Ok(Some((which, longer)));
            }
            if rings[distance].is_false() {
                break;
            }
        }
        Ok(None)
    }

    /// The set of just one state.
    pub(crate) fn point(&self, state: &State) -> Result<Bdd, Limit> {
        let mut all = self.manager.constant(true);
        for var in self.state_vars() {
            if let Some(value) = state.get(var) {
                let equal = self.layout.equals(&self.manager, var, Time::Now, value)?;
                all = self.manager.and(&all, &equal)?;
            }
        }
        Ok(all)
    }

    /// An execution that shows that a formula is false. Plain expressions are read as invariants.
    ///
    /// A finite execution shows what it shows, whatever can follow it: a tester who watches it cannot tell whether it goes
    /// on without end, let alone fairly. An infinite one must be fair. So a formula that holds on all infinite fair paths may be
    /// falsified all the same, on the way to where none starts.
    pub fn falsify(&mut self, formula: ExprId) -> Answer<Trace> {
        let _clock = self.begin();
        let violation = match self.logic(formula) {
            None => self.falsify_plain(formula),
            Some(logic) => self.falsify_temporal(formula, logic),
        };
        match violation {
            Ok(Some(Witness::Trace(trace))) => Answer::Found(trace),
            Ok(Some(_)) => Answer::Impossible(Proof::Nonfalsifiable),
            // Where a formula is undefined it is not false.
            Ok(None) | Err(Stop::Undefined(_)) => Answer::INFEASIBLE,
            Err(stop) => Answer::Undecided(stop.into()),
        }
    }

    fn falsify_plain(&mut self, expr: ExprId) -> Result<Option<Witness>, Stop> {
        let trace = match self.shortest_violation(expr)? {
            Some(trace) => trace,
            None => match self.dead_end(expr, false)? {
                Some(ends) => self.walk_to_dead_end(&ends)?,
                None => return Ok(None),
            },
        };
        Ok(Some(Witness::Trace(trace)))
    }

    /// The dead ends in which an expression that speaks of steps is true, or false, though none follows.
    fn dead_end(&mut self, expr: ExprId, truth: bool) -> Result<Option<Bdd>, Stop> {
        if !self.mentions_step(expr) {
            return Ok(None);
        }
        self.explore(&mut |_| ())?;
        let dead = self.deadlock_states()?;
        if dead.is_false() {
            return Ok(None);
        }
        // A step that only one branch of a choice mentions does not matter where another branch is taken.
        let chooses_steps = |node: &Node| {
            matches!(node, Node::Ite(..) | Node::Case(_))
                && node.children().iter().any(|part| self.mentions_step(*part))
        };
        if self.system.mentions(expr, chooses_steps) {
            let ends = self.explicit_ends(expr, truth, &dead)?;
            return Ok(Some(ends).filter(|ends| !ends.is_false()));
        }
        let Symbolic { linear, system, .. } = self;
        let wanted = linear.read(system, expr, truth, Universal::DropAndSplit);
        let shown = self.ended(wanted);
        let Some(decided) = self.judged(shown, Extent::StateOf(&dead))? else { return Ok(None) };
        Ok(Some(self.manager.and(&decided, &dead)?).filter(|ends| !ends.is_false()))
    }

    /// The same, state by state. All queries share the list of deadlock states.
    fn explicit_ends(&self, expr: ExprId, truth: bool, dead: &Bdd) -> Result<Bdd, Stop> {
        if self.reachable.deadlock_list.get().is_none() {
            let list = self.enumerate(dead, EXPLICIT_DEADLOCKS)?;
            self.reachable.deadlock_list.get_or_init(|| list);
        }
        let Some(Some(list)) = self.reachable.deadlock_list.get() else { return Err(Stop::Unsupported) };
        let mut ends = self.manager.constant(false);
        for (state, set) in list {
            if eval_bool(&self.system, expr, state, None) == Ok(truth) {
                ends = self.manager.or(&ends, set)?;
            }
        }
        Ok(ends)
    }

    /// The states of a set one by one; `None` if there are more than `most`.
    fn enumerate(&self, set: &Bdd, most: usize) -> Result<Option<Vec<(State, Bdd)>>, Limit> {
        let (mut left, mut list) = (set.clone(), Vec::new());
        while !left.is_false() {
            if list.len() == most {
                return Ok(None);
            }
            let point = choose(&left, &self.state_wishes());
            let one = point.set(&self.manager)?;
            left = self.manager.diff(&left, &one)?;
            list.push((self.decode(&point), one));
        }
        Ok(Some(list))
    }

    fn walk_to_dead_end(&mut self, ends: &Bdd) -> Result<Trace, Stop> {
        Ok(self.shortest_to_state(ends, &self.manager.constant(true))?.expect("dead ends are reachable"))
    }

    /// What a finite path has to show for a formula to be true on it whatever follows.
    fn ended(&mut self, formula: LinearId) -> LinearId {
        let steps: FxHashSet<ExprId> = self.step_atoms(formula).into_iter().collect();
        self.linear.ended(formula, true, &|atom| steps.contains(&atom))
    }

    fn falsify_temporal(&mut self, formula: ExprId, logic: Logic) -> Result<Option<Witness>, Stop> {
        let traces = self.traces;
        if self.may_end_unfairly()? {
            if let Some(trace) = self.finite_execution(formula, false)? {
                return Ok(Some(Witness::Trace(trace)));
            }
            let [wanted, assumed] = [Universal::Drop, Universal::Assume].map(|universal| {
                let Symbolic { linear, system, .. } = self;
                linear.read(system, formula, false, universal)
            });
            let whole = wanted == assumed;
            if whole && self.linear.is_finite(wanted) {
                return Ok(None);
            }
            if logic == Logic::Ctl && !self.machine.fairness.compassion.is_empty() {
                // CTL knows no compassion, but an execution that violates it is none that anything may do.
                if let Some(trace) = self.path(wanted, Logic::Ltl)? {
                    return Ok(Some(Witness::Trace(trace)));
                }
                self.traces = false;
            }
        }
        let violation = match logic {
            Logic::Ctl => self.check_ctl(formula),
            Logic::Ltl => self.check_ltl(formula),
        };
        self.traces = traces;
        violation
    }

    /// Whether there may be finite executions that no infinite fair one starts with.
    fn may_end_unfairly(&mut self) -> Result<bool, Stop> {
        self.prepare()?;
        Ok(!self.machine.fairness.compassion.is_empty() || self.fair() != self.reached())
    }

    /// A shortest finite execution that shows that a formula is true, or false, whatever follows it.
    fn finite_execution(&mut self, formula: ExprId, truth: bool) -> Result<Option<Trace>, Stop> {
        let Symbolic { linear, system, .. } = self;
        let wanted = linear.read(system, formula, truth, Universal::Drop);
        if self.linear[wanted] == Linear::False {
            return Ok(None);
        }
        // What is said of a step may be known in a last state, by a part that says nothing of the step.
        if self.step_atoms(wanted).is_empty()
            && let Some((states, steps)) = self.moment_wanted(wanted)?
        {
            let everywhere = self.manager.constant(true);
            let in_state = self.shortest_to_state(&states, &everywhere)?;
            let in_step = if steps == states { None } else { self.shortest_to_step(&steps, &everywhere)? };
            let is_shorter =
                |step: &Trace| in_state.as_ref().is_none_or(|state| step.states.len() < state.states.len());
            return Ok(in_step.filter(is_shorter).or(in_state));
        }
        let Symbolic { linear, system, .. } = self;
        let wanted = linear.read(system, formula, truth, Universal::DropAndSplit);
        let shown = self.ended(wanted);
        self.finite_distinguishing_trace(shown, false, Ends::Anywhere, true)
    }

    /// An execution to a state in which an expression holds, or through such a step if it speaks of inputs or next values.
    pub fn reach(&mut self, expr: ExprId) -> Answer<Trace> {
        let _clock = self.begin();
        self.reach_inner(expr).into()
    }

    fn reach_inner(&mut self, expr: ExprId) -> Result<Option<Trace>, Stop> {
        let holds = self.plain(expr, Time::Now, true)?;
        if let Some(trace) = self.shortest_to_plain(expr, &holds)? {
            return Ok(Some(trace));
        }
        match self.dead_end(expr, true)? {
            Some(ends) => self.walk_to_dead_end(&ends).map(Some),
            None => Ok(None),
        }
    }

    /// Whether there is such an execution, without showing it.
    pub fn is_reachable(&mut self, expr: ExprId) -> Answer<()> {
        let _clock = self.begin();
        self.is_reachable_inner(expr).map(|found| found.then_some(())).into()
    }

    fn is_reachable_inner(&mut self, expr: ExprId) -> Result<bool, Stop> {
        let holds = self.plain(expr, Time::Now, true)?;
        Ok(self.is_reached(expr, &holds)? || self.dead_end(expr, true)?.is_some())
    }

    /// An execution on which a formula is true; a plain expression is about its first state or step.
    pub fn show(&mut self, formula: ExprId) -> Answer<Trace> {
        let _clock = self.begin();
        let found = match self.logic(formula) {
            None => self.show_at_start(formula),
            Some(_) => self.show_temporal(formula),
        };
        found.into()
    }

    fn show_temporal(&mut self, formula: ExprId) -> Result<Option<Trace>, Stop> {
        if self.may_end_unfairly()?
            && let Some(trace) = self.finite_execution(formula, true)?
        {
            return Ok(Some(trace));
        }
        let Symbolic { linear, system, .. } = self;
        let wanted = linear.read(system, formula, true, Universal::Drop);
        self.path(wanted, Logic::Ltl)
    }

    /// What holds in an initial state holds there, whether or not anything fair follows.
    fn show_at_start(&mut self, expr: ExprId) -> Result<Option<Trace>, Stop> {
        let holds = self.plain(expr, Time::Now, true)?;
        let everywhere = self.manager.constant(true);
        let steps = self.mentions_step(expr);
        let states = if steps { self.machine.relation.preimage_by(&holds, &everywhere)? } else { holds.clone() };
        let hit = self.manager.and(&self.machine.init, &states)?;
        if hit.is_false() {
            let Some(ends) = self.dead_end(expr, true)? else { return Ok(None) };
            let ends = self.manager.and(&self.machine.init, &ends)?;
            return if ends.is_false() { Ok(None) } else { self.walk_to_dead_end(&ends).map(Some) };
        }
        let walk = if steps {
            self.walk_through(&self.rings().rings[..1], &hit, &holds, &everywhere)?
        } else {
            self.walk_to_nearest(&[hit])?
        };
        Ok(Some(self.trace(&walk)?))
    }

    /// The logic of a formula; none for a plain expression.
    pub(crate) fn logic(&self, formula: ExprId) -> Option<Logic> {
        let logic = |expr: ExprId| match &self.system[expr] {
            Node::Unary(op, _) => op.logic(),
            Node::Binary(op, ..) => op.logic(),
            Node::Bounded(op, ..) => Some(op.logic()),
            Node::BoundedUntil(..) => Some(Logic::Ctl),
            _ => None,
        };
        // Most formulas say it at once.
        logic(formula).or_else(|| self.system.context.exprs.parts([formula]).into_iter().find_map(logic))
    }
}

/// The first target that is met, and where.
fn first_hit(targets: &[&TargetSet], meet: impl Fn(&TargetSet) -> Result<Bdd, Limit>) -> Result<(usize, Bdd), Limit> {
    for (which, target) in targets.iter().enumerate() {
        let hit = meet(target)?;
        if !hit.is_false() {
            return Ok((which, hit));
        }
    }
    unreachable!("one of the targets is met")
}
