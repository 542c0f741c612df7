//! Distinguishing goals: whether two goals are exposed by the same traces.
//!
//! A wish is looked at on single paths, where "on all paths" and "on some path" say the same. A finite path exposes it
//! if it shows it whatever could follow. So of two wishes that are the same on all paths that go on, one may be exposed a
//! state earlier than the other; a test that ends just there tells them apart, and [`Ends`] says whether that counts.

use crate::answer::{Answer, Reason};
use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::ltl::{Linear, LinearId, Universal};
use crate::policy::KEY_NODES;
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::witness::{Walk, choose, shortest};
use rustc_hash::FxHashMap;
use specwright_model::op::Logic;
use specwright_model::{ExprId, Node, Trace};
use std::collections::BTreeSet;

/// What formulas are shown by, now or (if the flag is set) in the next position, as far as that was asked for.
type Judged = FxHashMap<(LinearId, bool), Option<Bdd>>;

/// Where a formula is judged.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'a> {
    /// In a step: one position may follow.
    Step,
    /// In any state as the end of a path.
    AnyState,
    /// In a state of a set as the end of a path. The result may have other states where the formula is constant. Each atom is
    /// intersected with the set, so a small set keeps all diagrams small.
    StateOf(&'a Bdd),
}

/// A wish, prepared for comparison with others.
#[derive(Clone)]
pub struct CompiledGoal {
    /// Whether any position of an execution may expose it, not only the first.
    anywhere: bool,
    local: bool,
    /// Whether an atom that speaks of a step can have a value without it, so that it is hard to say what it is where a
    /// path ends.
    hesitates: bool,
    /// What infinite paths must satisfy, and its opposite.
    infinite: (LinearId, LinearId),
    /// What finite paths must show, and what they must not show the opposite of.
    finite: (LinearId, LinearId),
    /// If it looks at most one step ahead: the reachable states that expose it at the end of a path, and the steps that
    /// expose it; only those that can be taken, if these are known.
    sets: Option<(Bdd, Bdd)>,
}

/// Where a wish is exposed, as a key: wishes with equal keys are exposed at the same moments of all executions, others are
/// not.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ViolationKey(Bdd, Bdd);

/// Where paths may end on which wishes are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Nowhere: they go on as long as they can, or until everything is decided.
    Nowhere,
    /// Anywhere, also before it is clear what they would have shown.
    Anywhere,
}

impl CompiledGoal {
    /// Whether it can be seen at a glance that two wishes are the same.
    pub fn is_evidently(&self, other: &CompiledGoal) -> bool {
        self.anywhere == other.anywhere && self.infinite == other.infinite
    }

    /// Whether a fragment of an execution tells where it is exposed: it may be anywhere, and does not look back.
    pub fn is_local(&self) -> bool {
        self.local
    }
}

impl Symbolic {
    /// Prepares a wish: a formula or expression that is to be true at the start of an execution, or anywhere on it.
    pub fn compile(&mut self, wish: ExprId, anywhere: bool) -> Result<CompiledGoal, Reason> {
        let _clock = self.start_clock();
        self.compiled(wish, anywhere).map_err(Reason::from)
    }

    fn compiled(&mut self, wish: ExprId, anywhere: bool) -> Result<CompiledGoal, Stop> {
        self.explore(&mut |_| ())?;
        let Symbolic { linear, system, .. } = self;
        let yes = linear.read(system, wish, true, Universal::Path);
        let no = linear.read(system, wish, false, Universal::Path);
        let no = linear.possibly(no);
        let (yes, no) = (self.normal(yes)?, self.normal(no)?);
        let step_atoms: BTreeSet<ExprId> = self.step_atoms(yes).into_iter().collect();
        let hesitates = step_atoms.iter().any(|atom| self.chooses(*atom));
        let is_step = |atom: ExprId| step_atoms.contains(&atom);
        let shown = self.linear.ended(yes, true, &is_step);
        let spared = self.linear.ended(no, false, &is_step);
        let mut sets = None;
        if anywhere && let Some(ends) = self.judged(shown, Extent::AnyState)? {
            let steps = self.judged(shown, Extent::Step)?;
            let ends = self.manager.and(&ends, &self.reached())?;
            sets = match (steps, self.reachable_transitions()?) {
                (Some(steps), Some(taken)) => Some((ends, self.manager.and(&steps, &taken)?)),
                (steps, _) => steps.map(|steps| (ends, steps)),
            };
        }
        let local = anywhere && !self.linear.has_past(yes);
        Ok(CompiledGoal { anywhere, local, hesitates, infinite: (yes, no), finite: (shown, spared), sets })
    }

    /// The atoms of a formula that speak of steps.
    pub(crate) fn step_atoms(&self, formula: LinearId) -> Vec<ExprId> {
        let atoms = self.linear.parts(formula).into_iter().filter_map(|part| match self.linear[part] {
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) => Some(expr),
            _ => None,
        });
        atoms.filter(|atom| self.mentions_step(*atom)).collect()
    }

    /// The same formula on all paths of the model, with one atom for all that hold in the same reachable states. So formulas
    /// that differ in nothing that can happen are often the same.
    fn normal(&mut self, formula: LinearId) -> Result<LinearId, Stop> {
        let mut atoms = FxHashMap::default();
        for part in self.linear.parts(formula) {
            let (Linear::Atom(expr, _) | Linear::NotAtom(expr, _)) = self.linear[part] else { continue };
            // What is said of a step depends on whether there is one.
            if self.mentions_step(expr) || self.is_temporal(expr) {
                continue;
            }
            let holds = self.atom(part, Time::Now)?;
            let states = self.manager.and(&holds, &self.reached())?;
            // Not even what never holds becomes a constant: a path that ends does not know what could have followed.
            atoms.insert(part, *self.ltl.atoms.entry(states).or_insert(part));
        }
        Ok(self.linear.with_atoms(formula, &atoms))
    }

    /// The steps that can be taken from a reachable state, if they are not too many for one diagram.
    fn reachable_transitions(&mut self) -> Result<Option<Bdd>, Stop> {
        if let Some(known) = self.reachable.transitions.get() {
            return Ok(known.clone());
        }
        let taken = self.machine.relation.within_limit(&self.reached(), KEY_NODES)?;
        Ok(self.reachable.transitions.get_or_init(|| taken).clone())
    }

    /// Where a wish is exposed on paths that may end where it says. Nothing if that takes more than one look ahead, or if the
    /// steps of the model are too many for one diagram: then a [`distinguish`](Self::distinguish) can still tell it from others.
    pub fn violation_key(&mut self, wish: &CompiledGoal, ends: Ends) -> Result<Option<ViolationKey>, Reason> {
        let _clock = self.start_clock();
        let mut moments = || -> Result<Option<ViolationKey>, Stop> {
            let Some((last, steps)) = &wish.sets else { return Ok(None) };
            if self.reachable_transitions()?.is_none() || ends == Ends::Anywhere && wish.hesitates {
                return Ok(None);
            }
            let last = match ends {
                Ends::Nowhere => {
                    let dead = self.deadlock_states()?;
                    self.manager.and(last, &dead)?
                }
                Ends::Anywhere => last.clone(),
            };
            Ok(Some(ViolationKey(last, steps.clone())))
        };
        moments().map_err(Reason::from)
    }

    /// Whether something is exposed only at some of these moments, and not at the others.
    pub fn has_more(&mut self, one: &ViolationKey, other: &ViolationKey) -> Answer<()> {
        let _clock = self.start_clock();
        let has_more = || -> Result<Option<()>, Limit> {
            let last = self.manager.diff(&one.0, &other.0)?;
            let found = !last.is_false() || !self.manager.diff(&one.1, &other.1)?.is_false();
            Ok(found.then_some(()))
        };
        has_more().into()
    }

    /// Whether not all parts of an expression are always looked at.
    fn chooses(&self, expr: ExprId) -> bool {
        use specwright_model::op::BinaryOp::{And, Implies, Or};
        self.system
            .mentions(expr, |node| matches!(node, Node::Ite(..) | Node::Case(_) | Node::Binary(And | Or | Implies, ..)))
    }

    /// The steps after which a formula is shown that looks at most one position ahead; or the states in which it is shown
    /// where a path ends.
    pub(crate) fn judged(&mut self, formula: LinearId, extent: Extent) -> Result<Option<Bdd>, Stop> {
        self.judged_at(formula, Time::Now, extent, &mut FxHashMap::default())
    }

    fn judged_at(
        &mut self,
        formula: LinearId,
        time: Time,
        extent: Extent,
        known: &mut Judged,
    ) -> Result<Option<Bdd>, Stop> {
        let key = (formula, time == Time::Next);
        if let Some(judged) = known.get(&key) {
            return Ok(judged.clone());
        }
        let judged = stacker::maybe_grow(64 << 10, 1 << 20, || self.judged_node(formula, time, extent, known))?;
        known.insert(key, judged.clone());
        Ok(judged)
    }

    fn judged_node(
        &mut self,
        formula: LinearId,
        time: Time,
        extent: Extent,
        known: &mut Judged,
    ) -> Result<Option<Bdd>, Stop> {
        Ok(match self.linear[formula] {
            Linear::True => Some(self.manager.constant(true)),
            Linear::False => Some(self.manager.constant(false)),
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) if time == Time::Next && self.mentions_step(expr) => None,
            Linear::Atom(..) | Linear::NotAtom(..) => {
                let atom = self.atom(formula, time)?;
                Some(match extent {
                    Extent::StateOf(care) if time == Time::Now => self.manager.and(&atom, care)?,
                    _ => atom,
                })
            }
            Linear::And(a, b) | Linear::Or(a, b) => {
                let (a, b) = (self.judged_at(a, time, extent, known)?, self.judged_at(b, time, extent, known)?);
                let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
                let and = matches!(self.linear[formula], Linear::And(..));
                Some(if and { self.manager.and(&a, &b)? } else { self.manager.or(&a, &b)? })
            }
            Linear::Next(inner) if time == Time::Now => {
                let after = self.judged_at(inner, Time::Next, extent, known)?;
                if matches!(extent, Extent::Step) { after } else { after.map(|_| self.manager.constant(false)) }
            }
            _ => None,
        })
    }

    /// Looks for an execution with a position that exposes one wish and not the other; for wishes that are not both
    /// exposed anywhere, one that exposes the first and not the second.
    ///
    /// A fragment from a reachable state is easier to find than a `whole` execution. There are fragments for wishes that
    /// are [local](CompiledGoal::is_local).
    pub fn distinguish(&mut self, one: &CompiledGoal, other: &CompiledGoal, ends: Ends, whole: bool) -> Answer<Trace> {
        let _clock = self.start_clock();
        self.distinguishing_trace(one, other, ends, whole).into()
    }

    fn distinguishing_trace(
        &mut self,
        one: &CompiledGoal,
        other: &CompiledGoal,
        ends: Ends,
        whole: bool,
    ) -> Result<Option<Trace>, Stop> {
        if ends == Ends::Anywhere && (one.hesitates || other.hesitates) {
            return Err(Stop::Unsupported);
        }
        if let (Some(one), Some(other)) = (&one.sets, &other.sets) {
            return self.distinguish_sets(one, other, ends, whole);
        }
        let anywhere = one.anywhere && other.anywhere;
        let (shown, spared) = (self.placed(one.finite.0, one, anywhere), self.spared(other, anywhere));
        let wanted = self.linear.and(shown, spared);
        if self.looks_at_next(wanted) || self.looks_at_missing_steps(wanted)? {
            return Err(Stop::Unsupported);
        }
        if let Some(trace) = self.finite_distinguishing_trace(wanted, anywhere, ends, whole)? {
            return Ok(Some(trace));
        }
        let (yes, no) = (one.infinite.0, other.infinite.0);
        let finite = match ends {
            // What finite paths show, they show of everything that could follow. The rest takes infinite ones.
            Ends::Anywhere => self.linear.is_finite(yes) && self.linear.is_finite(no),
            Ends::Nowhere => anywhere && !self.linear.is_unbounded(yes) && !self.linear.is_unbounded(no),
        };
        if finite { Ok(None) } else { self.infinite_distinguishing_trace(one, other, anywhere) }
    }

    fn distinguish_sets(
        &mut self,
        one: &(Bdd, Bdd),
        other: &(Bdd, Bdd),
        ends: Ends,
        whole: bool,
    ) -> Result<Option<Trace>, Stop> {
        let manager = self.manager.clone();
        let everywhere = manager.constant(true);
        let mut here = manager.diff(&one.0, &other.0)?;
        if ends == Ends::Nowhere && !here.is_false() {
            here = manager.and(&here, &self.deadlock_states()?)?;
        }
        let trace = if here.is_false() {
            None
        } else if whole {
            self.shortest_to_state(&here, &everywhere)?
        } else {
            let points = vec![choose(&here, &self.state_wishes())];
            Some(self.fragment(&Walk { points, loop_start: None, steps: FxHashMap::default() })?)
        };
        if let Some(trace) = trace {
            return Ok(Some(trace));
        }
        let steps = manager.diff(&one.1, &other.1)?;
        if steps.is_false() {
            return Ok(None);
        }
        let trace = if whole {
            self.shortest_to_step(&steps, &everywhere)?
        } else {
            let sources = manager.and(&self.machine.relation.preimage_by(&steps, &everywhere)?, &self.reached())?;
            if sources.is_false() {
                None
            } else {
                let walk = self.walk_through(std::slice::from_ref(&sources), &sources, &steps, &everywhere)?;
                Some(self.fragment(&walk)?)
            }
        };
        Ok(trace)
    }

    /// What must be shown at the positions that are compared: from the start, a wish for any position is one for later.
    fn placed(&mut self, shown: LinearId, wish: &CompiledGoal, anywhere: bool) -> LinearId {
        if wish.anywhere && !anywhere { self.linear.eventually(shown) } else { shown }
    }

    fn spared(&mut self, wish: &CompiledGoal, anywhere: bool) -> LinearId {
        if wish.anywhere && !anywhere { self.linear.weakly_always(wish.finite.1) } else { wish.finite.1 }
    }

    /// Whether a formula speaks of steps although some reachable state has none. What such a formula says in a deadlock
    /// state is not followed yet.
    fn looks_at_missing_steps(&mut self, formula: LinearId) -> Result<bool, Limit> {
        if self.step_atoms(formula).is_empty() {
            return Ok(false);
        }
        self.explore(&mut |_| ())?;
        Ok(!self.deadlock_states()?.is_false())
    }

    /// Whether a formula speaks of next values. What is known of them where a path ends is not followed yet.
    fn looks_at_next(&self, formula: LinearId) -> bool {
        let atom = |part: &LinearId| match self.linear[*part] {
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) => self.mentions_next(expr),
            _ => false,
        };
        self.linear.parts(formula).iter().any(atom)
    }

    /// A finite execution that satisfies a formula at its start, or anywhere.
    pub(crate) fn finite_distinguishing_trace(
        &mut self,
        formula: LinearId,
        anywhere: bool,
        ends: Ends,
        whole: bool,
    ) -> Result<Option<Trace>, Stop> {
        let manager = self.manager.clone();
        // Who looks back starts at the start.
        if anywhere && self.linear.has_past(formula) {
            let later = self.linear.eventually(formula);
            return self.finite_distinguishing_trace(later, false, ends, true);
        }
        let product = self.product(formula, false)?;
        let start = if anywhere { manager.and(&product.anywhere, &self.reached())? } else { product.start.clone() };
        let wishes = self.product_wishes(&product);
        let everywhere = manager.constant(true);
        let end = match ends {
            Ends::Anywhere => product.settled.clone(),
            Ends::Nowhere => manager.or(&product.quiet, &manager.and(&product.settled, &self.deadlock_states()?)?)?,
        };
        let found = shortest(&manager, &product.relation, (&start, &end, &everywhere), &wishes)?;
        let Some(mut points) = found else { return Ok(None) };
        // Inputs belong to steps, and none leaves the last position.
        if let Some(last) = points.pop() {
            points.push(self.state_only(&last));
        }
        if anywhere && !whole {
            return Ok(Some(self.fragment(&Walk { points, loop_start: None, steps: FxHashMap::default() })?));
        }
        let first = self.state_only(&points[0]).set(&manager)?;
        let Some(ways) = self.shortest_ways(&first)? else { return Ok(None) };
        let way = self.walk_to_nearest(&ways)?;
        let before = way.points.len() - 1;
        let points = way.points.into_iter().take(before).chain(points).collect();
        let walk = Walk { points, loop_start: None, steps: FxHashMap::default() };
        self.trace(&walk).map(Some).map_err(Stop::from)
    }

    /// Whether there is anything for [`distinguish`](Self::distinguish) to find, if states alone tell: an execution is not looked
    /// for, which may take much longer. Where everything goes on, and fairly, infinite fair paths tell all there is to tell.
    pub fn differs(&mut self, one: &CompiledGoal, other: &CompiledGoal, ends: Ends) -> Answer<()> {
        let _clock = self.start_clock();
        self.differ(one, other, ends).map(|differ| differ.then_some(())).into()
    }

    fn differ(&mut self, one: &CompiledGoal, other: &CompiledGoal, ends: Ends) -> Result<bool, Stop> {
        if ends == Ends::Anywhere || one.sets.is_some() && other.sets.is_some() {
            return Err(Stop::Unsupported);
        }
        self.prepare()?;
        if !self.machine.fairness.compassion.is_empty() || self.fair() != self.reached() {
            return Err(Stop::Unsupported);
        }
        let anywhere = one.anywhere && other.anywhere;
        let wanted = self.infinite_wish(one, other, anywhere);
        if self.looks_at_next(wanted) {
            return Err(Stop::Unsupported);
        }
        let Some(starts) = self.path_starts(wanted)? else { return Err(Stop::Unsupported) };
        let somewhere = if anywhere { starts } else { self.manager.and(&starts, &self.machine.init)? };
        Ok(!somewhere.is_false())
    }

    /// What an infinite path must do to expose one wish and not the other, at its start or from where it is looked at.
    fn infinite_wish(&mut self, one: &CompiledGoal, other: &CompiledGoal, anywhere: bool) -> LinearId {
        let (shown, spared) = if anywhere {
            (one.infinite.0, other.infinite.1)
        } else {
            let shown = self.placed(one.infinite.0, one, anywhere);
            let spared = if other.anywhere { self.linear.always(other.infinite.1) } else { other.infinite.1 };
            (shown, spared)
        };
        self.linear.and(shown, spared)
    }

    fn infinite_distinguishing_trace(
        &mut self,
        one: &CompiledGoal,
        other: &CompiledGoal,
        anywhere: bool,
    ) -> Result<Option<Trace>, Stop> {
        let mut wanted = self.infinite_wish(one, other, anywhere);
        if anywhere {
            wanted = self.linear.eventually(wanted);
        }
        let logic = if self.machine.fairness.compassion.is_empty() { Logic::Ctl } else { Logic::Ltl };
        self.path(wanted, logic)
    }

    /// Whether some execution never exposes a goal. If none does, every test that goes on for long enough reaches the goal.
    pub fn avoids(&mut self, goal: &CompiledGoal) -> Answer<()> {
        let _clock = self.start_clock();
        self.always_exposed(goal).map(|always| (!always).then_some(())).into()
    }

    fn always_exposed(&mut self, wish: &CompiledGoal) -> Result<bool, Stop> {
        let manager = self.manager.clone();
        let dead = self.deadlock_states()?;
        if let Some((ends, steps)) = &wish.sets {
            // The states from which an infinite path, or one to a deadlock, never exposes it.
            let stranded = manager.diff(&dead, ends)?;
            let mut spared = self.reached();
            loop {
                let on = self.machine.relation.preimage_by(&manager.not(steps), &spared)?;
                let smaller = manager.and(&spared, &manager.or(&on, &stranded)?)?;
                if smaller == spared {
                    return Ok(manager.and(&spared, &self.machine.init)?.is_false());
                }
                spared = smaller;
            }
        }
        let spared = self.spared(wish, false);
        if self.looks_at_next(spared) {
            return Err(Stop::Unsupported);
        }
        if !dead.is_false() {
            let product = self.product(spared, false)?;
            let end = manager.and(&product.settled, &dead)?;
            let everywhere = manager.constant(true);
            let wishes = self.product_wishes(&product);
            if shortest(&manager, &product.relation, (&product.start, &end, &everywhere), &wishes)?.is_some() {
                return Ok(false);
            }
        }
        let never = if wish.anywhere { self.linear.always(wish.infinite.1) } else { wish.infinite.1 };
        self.prepare()?;
        if let Some(starts) = self.path_starts(never)? {
            return Ok(manager.and(&starts, &self.machine.init)?.is_false());
        }
        Ok(self.path(never, Logic::Ctl)?.is_none())
    }

    /// The states in which a formula is true and those in which it is false, as one key: equal keys mean that no state tells
    /// two formulas apart.
    pub fn states_where(&mut self, formula: ExprId) -> Result<States, Reason> {
        let _clock = self.start_clock();
        let mut states = || -> Result<States, Stop> {
            self.prepare()?;
            Ok(States(self.deciding(formula, true)?, self.deciding(formula, false)?))
        };
        states().map_err(Reason::from)
    }
}

/// The reachable states in which a formula is true, and those in which it is false.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct States(Bdd, Bdd);
