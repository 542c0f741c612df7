//! Witnesses: shortest finite paths where a finite path shows it, lassos otherwise.
//!
//! Among paths of equal length, choices are made from the end backwards, and each takes what comes first in the declared
//! order of variables and values. So the same question always gets the same path, whatever the diagrams look like.

mod exists;
pub(crate) mod falsify;
mod lasso;
mod smv_explain;
pub(crate) mod steps_back;

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::encode::Time;
use crate::ltl::{Linear, LinearId};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::priorities;
use crate::symbolic::ltl::tableau::Product;
use crate::symbolic::reachability::Reach;
use crate::symbolic::relation::Relation;
use falsify::TargetSet;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use specwright_model::interp::Replayer;
use specwright_model::model::VarKind;
use specwright_model::op::Logic;
use specwright_model::{State, Trace, Value, VarId};
use std::cell::RefCell;
use steps_back::StepsBack;

/// How executions are chosen and checked.
#[derive(Default)]
pub(crate) struct Witnesses {
    /// Variables whose values come in an order of their own where there is a choice.
    pub(crate) preference: Vec<(VarId, Vec<Value>)>,
    /// For diagram variables those that remember their values at the loop head of a lasso.
    knots: FxHashMap<Var, Var>,
    /// The target sets of queries.
    targets: IndexSet<TargetSet, FxBuildHasher>,
    replayer: RefCell<Replayer>,
    steps_back: RefCell<StepsBack>,
}

/// One position: the values of all bits that make it up, in the order in which they were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point(Vec<(Var, bool)>);

impl Point {
    /// The set of just this position.
    pub(crate) fn set(&self, manager: &Manager) -> Result<Bdd, Limit> {
        manager.minterm(&self.0)
    }

    /// The value of a bit.
    pub(crate) fn has(&self, bit: Var) -> bool {
        self.0.iter().any(|(var, value)| *var == bit && *value)
    }

    /// The bits that have another value in another position, or none.
    fn differing(&self, other: &Point) -> Vec<Var> {
        let values: FxHashMap<Var, bool> = other.0.iter().copied().collect();
        self.0.iter().filter(|(var, value)| values.get(var) != Some(value)).map(|(var, _)| *var).collect()
    }

    /// The same with only some of its bits.
    pub(crate) fn part(&self, bits: &[Var]) -> Point {
        let bits: FxHashSet<Var> = bits.iter().copied().collect();
        Point(self.0.iter().filter(|(var, _)| bits.contains(var)).copied().collect())
    }
}

/// A path with, for some steps, what their inputs must satisfy.
pub(crate) struct Walk {
    pub(crate) points: Vec<Point>,
    pub(crate) loop_start: Option<usize>,
    /// For the step that leaves the point of that index.
    pub(crate) steps: FxHashMap<usize, Bdd>,
}

impl Walk {
    /// The same, and on by a step of a set.
    fn and_through(mut self, steps: &Bdd, last: Point) -> Walk {
        self.steps.insert(self.points.len() - 1, steps.clone());
        self.points.push(last);
        self
    }
}

/// What a choice among positions goes by.
pub(crate) struct ValuePreference {
    /// Bits in declared order, with the value that comes first.
    pub(crate) bits: Vec<(Var, bool)>,
    /// What comes before that: for each variable with an order of its own, the bits of its values in that order.
    ties: Vec<Vec<Vec<(Var, bool)>>>,
}

/// The first position of a set.
pub(crate) fn choose(set: &Bdd, wishes: &ValuePreference) -> Point {
    let mut first: Vec<(Var, bool)> = Vec::new();
    for values in &wishes.ties {
        // A value is possible if the solution that comes nearest to its bits has all of them.
        let possible = values.iter().find_map(|value| {
            let wanted: Vec<(Var, bool)> = first.iter().chain(value).copied().collect();
            let found = set.pick(&wanted)?;
            wanted.iter().zip(found).all(|((_, wanted), found)| *wanted == found).then_some(wanted)
        });
        first = possible.unwrap_or(first);
    }
    let n_first = first.len();
    for wish in &wishes.bits {
        if !first[..n_first].iter().any(|(var, _)| *var == wish.0) {
            first.push(*wish);
        }
    }
    let bits = set.pick(&first).expect("choices are made from sets with members");
    Point(first.into_iter().map(|(var, _)| var).zip(bits).collect())
}

/// What makes a trace better than another: fewer states, and among equals no loop.
fn rank(trace: &Trace) -> (usize, bool) {
    (trace.states.len(), trace.loop_start.is_some())
}

/// A path through rings that ends in a member of the last one.
pub(crate) fn walk_back(
    manager: &Manager,
    relation: &Relation,
    rings: &[Bdd],
    last: Point,
    wishes: &ValuePreference,
) -> Result<Vec<Point>, Limit> {
    let mut points = vec![last];
    for ring in rings.iter().rev().skip(1) {
        let after = points[points.len() - 1].set(manager)?;
        let before = relation.preimage_of_few(&after, ring)?;
        points.push(choose(&before, wishes));
    }
    points.reverse();
    Ok(points)
}

/// A shortest path inside `within` from one of the `start` positions to a `goal`, both included.
pub(crate) fn shortest(
    manager: &Manager,
    relation: &Relation,
    (start, goal, within): (&Bdd, &Bdd, &Bdd),
    wishes: &ValuePreference,
) -> Result<Option<Vec<Point>>, Limit> {
    let mut reach = Reach::new(start);
    loop {
        let ring = reach.rings.last().expect("there is a first ring");
        let hit = manager.and(ring, goal)?;
        if !hit.is_false() {
            let last = choose(&hit, wishes);
            return walk_back(manager, relation, &reach.rings, last, wishes).map(Some);
        }
        let ring = manager.diff(&manager.and(&relation.image(ring)?, within)?, &reach.states)?;
        if ring.is_false() {
            return Ok(None);
        }
        reach.states = manager.or(&reach.states, &ring)?;
        reach.rings.push(ring);
    }
}

impl Symbolic {
    /// A fair path from an initial state on which a formula holds, if there is one. Compassion is a matter of LTL.
    pub(crate) fn path(&mut self, formula: LinearId, logic: Logic) -> Result<Option<Trace>, Stop> {
        self.prepare()?;
        let mut fewest: Option<Trace> = None;
        for case in self.linear_cases(formula) {
            let found = self.path_of_case(case, logic)?;
            let is_better = |found: &Trace| fewest.as_ref().is_none_or(|other| rank(found) < rank(other));
            if found.as_ref().is_some_and(is_better) {
                fewest = found;
            }
        }
        Ok(fewest)
    }

    /// What only loops can show is looked for case by case: a product with all of them is large.
    fn linear_cases(&mut self, formula: LinearId) -> Vec<LinearId> {
        if self.linear.is_finite(formula) { vec![formula] } else { self.linear.cases(formula) }
    }

    fn path_of_case(&mut self, formula: LinearId, logic: Logic) -> Result<Option<Trace>, Stop> {
        if matches!(self.linear[formula], Linear::False) {
            return Ok(None);
        }
        let compassionate = logic == Logic::Ltl && !self.machine.fairness.compassion.is_empty();
        if !compassionate && let Some(found) = self.path_to_moment(formula)? {
            return Ok(found);
        }
        if !compassionate && let Some(found) = self.lasso_in_parts(formula)? {
            return Ok(found);
        }
        let product = self.product(formula, compassionate)?;
        let finite =
            if compassionate || !self.linear.can_be_finite(formula) { None } else { self.finite_path(&product)? };
        if self.linear.is_finite(formula) && !compassionate {
            return Ok(finite);
        }
        let fewer_than = finite.as_ref().map_or(usize::MAX, |finite| finite.states.len());
        Ok(self.lasso(&product, fewer_than)?.or(finite))
    }

    /// What choices of values for some variables go by.
    pub(crate) fn wishes(&self, vars: &[VarId]) -> ValuePreference {
        let bits = priorities(&self.layout, vars.iter().copied(), Time::Now);
        let tied = self.witnesses.preference.iter().filter(|(var, _)| vars.contains(var));
        let code = |var: VarId, value: &Value| {
            let (bits, index) = (self.layout.bits(var), self.layout.domain(var).index_of(*value)?);
            let places = (0..bits.len()).rev();
            Some(bits.iter().copied().zip(places.map(|place| index >> place & 1 == 1)).collect::<Vec<_>>())
        };
        let ties = tied.map(|(var, values)| values.iter().filter_map(|value| code(*var, value)).collect()).collect();
        ValuePreference { bits, ties }
    }

    /// What choices among states go by.
    pub(crate) fn state_wishes(&self) -> ValuePreference {
        self.wishes(&self.state_vars())
    }

    /// What choices among positions of a product go by.
    pub(crate) fn product_wishes(&self, product: &Product) -> ValuePreference {
        let mut wishes = if product.with_inputs {
            self.wishes(&self.system.vars().map(|(id, _)| id).collect::<Vec<_>>())
        } else {
            self.state_wishes()
        };
        wishes.bits.extend(product.bits.iter().map(|bit| (*bit, false)));
        wishes
    }

    /// A path along some ways to the first state in which they end.
    pub(crate) fn walk_to_nearest(&self, ways: &[Bdd]) -> Result<Walk, Limit> {
        self.walk_along(ways, choose(&ways[ways.len() - 1], &self.state_wishes()))
    }

    /// A path through rings to a member of the last one.
    pub(crate) fn walk_along(&self, rings: &[Bdd], last: Point) -> Result<Walk, Limit> {
        let points = walk_back(&self.manager, &self.machine.relation, rings, last, &self.state_wishes())?;
        Ok(Walk { points, loop_start: None, steps: FxHashMap::default() })
    }

    /// The common case of a formula that asks for one moment, `F now` or `F (now, then next)`: the rings know the way.
    #[expect(
        clippy::option_option,
        reason = "the outer one says whether this is such a case, the inner one is the answer"
    )]
    fn path_to_moment(&mut self, formula: LinearId) -> Result<Option<Option<Trace>>, Stop> {
        let Some((steps, states)) = self.moments(formula)? else { return Ok(None) };
        let fair = self.fair();
        // A state that needs no look ahead is as good as a step, and a state earlier.
        let in_state = self.shortest_to_state(&states, &fair)?;
        if steps == states {
            return Ok(Some(in_state));
        }
        let in_step = self.shortest_to_step(&steps, &fair)?;
        Ok(Some(match (in_state, in_step) {
            (Some(state), Some(step)) => Some(if state.states.len() <= step.states.len() { state } else { step }),
            (state, step) => state.or(step),
        }))
    }

    /// A shortest path to a state of both sets.
    pub(crate) fn shortest_to_state(&mut self, states: &Bdd, ends: &Bdd) -> Result<Option<Trace>, Limit> {
        let goal = self.manager.and(states, ends)?;
        let Some(ways) = self.shortest_ways(&goal)? else { return Ok(None) };
        let last = choose(&ways[ways.len() - 1], &self.state_wishes());
        let walk = self.walk_along_shortest(&ways, last)?;
        self.trace(&walk).map(Some)
    }

    /// A shortest path through a step of a set; it ends in `ends`.
    pub(crate) fn shortest_to_step(&mut self, steps: &Bdd, ends: &Bdd) -> Result<Option<Trace>, Limit> {
        let sources = self.sources_of(steps, ends)?;
        let Some(ways) = self.shortest_ways(&sources)? else { return Ok(None) };
        let (source, last) = self.last_step(&ways[ways.len() - 1], steps, ends)?;
        let walk = self.walk_along_shortest(&ways, source)?;
        self.trace(&walk.and_through(steps, last)).map(Some)
    }

    /// The reachable states from which a step of a set leads into `ends`; other states may be among them, too.
    pub(crate) fn sources_of(&self, steps: &Bdd, ends: &Bdd) -> Result<Bdd, Limit> {
        // Steps from reachable states lead to nothing else.
        let everywhere = self.manager.constant(true);
        let ends = if self.reach.known() == Some(ends) { &everywhere } else { ends };
        match self.reach.known() {
            Some(known) => self.machine.relation.preimage_by_within(steps, ends, known),
            None => self.machine.relation.preimage_by(steps, ends),
        }
    }

    /// A path through rings to some states of the last one, and on by a step of a set that ends in `ends`.
    pub(crate) fn walk_through(&self, rings: &[Bdd], hit: &Bdd, steps: &Bdd, ends: &Bdd) -> Result<Walk, Limit> {
        let (source, last) = self.last_step(hit, steps, ends)?;
        Ok(self.walk_along(rings, source)?.and_through(steps, last))
    }

    /// From the end backwards: the least target of the steps of a set that lead from `hit` to `ends`, and the least state before it.
    fn last_step(&self, hit: &Bdd, steps: &Bdd, ends: &Bdd) -> Result<(Point, Point), Limit> {
        let manager = &self.manager;
        let hit_steps = manager.and(steps, hit)?;
        let targets = manager.and(&self.machine.relation.image_by(&hit_steps)?, ends)?;
        let last = choose(&targets, &self.state_wishes());
        let sources = self.machine.relation.preimage_by_within(&hit_steps, &last.set(manager)?, hit)?;
        let sources = manager.and(&sources, hit)?;
        Ok((choose(&sources, &self.state_wishes()), last))
    }

    /// The steps that satisfy a formula which looks at most one position ahead and not at inputs; or, without the look
    /// ahead, states that satisfy it whatever comes next.
    pub(crate) fn moment(&mut self, formula: LinearId, time: Time, ahead: bool) -> Result<Option<Bdd>, Stop> {
        Ok(match self.linear[formula] {
            Linear::True => Some(self.manager.constant(true)),
            Linear::False => Some(self.manager.constant(false)),
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) if self.mentions_input(expr) => None,
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) if self.mentions_next(expr) => match time {
                Time::Now if ahead => Some(self.atom(formula, time)?),
                Time::Now => Some(self.manager.constant(false)),
                Time::Next => None,
            },
            Linear::Atom(..) | Linear::NotAtom(..) => Some(self.atom(formula, time)?),
            Linear::And(a, b) | Linear::Or(a, b) => {
                let (Some(a), Some(b)) = (self.moment(a, time, ahead)?, self.moment(b, time, ahead)?) else {
                    return Ok(None);
                };
                let and = matches!(self.linear[formula], Linear::And(..));
                Some(if and { self.manager.and(&a, &b)? } else { self.manager.or(&a, &b)? })
            }
            Linear::Next(_) if time == Time::Now && !ahead => Some(self.manager.constant(false)),
            Linear::Next(inner) if time == Time::Now => self.moment(inner, Time::Next, ahead)?,
            _ => None,
        })
    }

    /// The shortest path in a product to a position without open promises.
    fn finite_path(&mut self, product: &Product) -> Result<Option<Trace>, Stop> {
        let manager = self.manager.clone();
        let fair = self.fair();
        let end = self.finite_end(product)?;
        let wishes = self.product_wishes(product);
        let everywhere = manager.constant(true);
        let found = shortest(&manager, &product.relation, (&product.start, &end, &everywhere), &wishes)?;
        let Some(mut points) = found else { return Ok(None) };
        if product.with_inputs {
            let last = points[points.len() - 1].set(&manager)?;
            let after = manager.and(&self.machine.relation.image(&last)?, &fair)?;
            points.push(choose(&after, &self.state_wishes()));
        }
        let walk = Walk { points, loop_start: None, steps: FxHashMap::default() };
        Ok(Some(self.trace(&walk)?))
    }

    /// The positions of a product without open promises.
    fn finite_end(&mut self, product: &Product) -> Result<Bdd, Limit> {
        let fair = self.fair();
        let end = self.manager.and(&product.settled, &fair)?;
        if product.with_inputs {
            // The last input that the formula speaks of must be part of a step.
            return self.manager.and(&end, &product.relation.preimage(&fair)?);
        }
        Ok(end)
    }

    /// The trace of a walk.
    pub(crate) fn trace(&self, walk: &Walk) -> Result<Trace, Limit> {
        let trace = self.fragment(walk)?.folded();
        self.replay(&trace);
        Ok(trace)
    }

    /// The states of a walk, wherever it starts: inputs that are not part of the positions are chosen for each step.
    pub(crate) fn fragment(&self, walk: &Walk) -> Result<Trace, Limit> {
        let mut states: Vec<State> = walk.points.iter().map(|point| self.decode(point)).collect();
        let input_vars = self.input_vars();
        let wishes = self.wishes(&input_vars);
        let next_of = |index: usize| if index + 1 < walk.points.len() { Some(index + 1) } else { walk.loop_start };
        // An input of one value has no bits, and this value wherever there is a step.
        for var in input_vars.iter().filter(|var| self.layout.bits(**var).is_empty()) {
            let steps = states.iter_mut().enumerate().filter(|(index, _)| next_of(*index).is_some());
            steps.for_each(|(_, state)| state.set(*var, self.layout.domain(*var).value_at(0)));
        }
        if !wishes.bits.is_empty() {
            for (index, state) in states.iter_mut().enumerate() {
                let Some(next) = next_of(index) else { continue };
                let known =
                    |point: &Point| wishes.bits.iter().all(|(var, _)| point.0.iter().any(|(other, _)| other == var));
                if known(&walk.points[index]) {
                    continue;
                }
                let [source, target] = [index, next].map(|at| self.state_only(&walk.points[at]));
                let differing: Vec<Var> = source.differing(&target);
                let target = target.set(&self.manager)?;
                let mut step = source.set(&self.manager)?;
                step = self.manager.and(&step, &self.manager.swap_next(&target)?)?;
                if let Some(wanted) = walk.steps.get(&index) {
                    step = self.manager.and(&step, wanted)?;
                }
                let inputs = choose(&self.machine.relation.between(&step, &differing)?, &wishes);
                let values: FxHashMap<Var, bool> = inputs.0.into_iter().collect();
                for var in &input_vars {
                    state.set(*var, self.layout.decode(*var, Time::Now, &|bit| values[&bit]));
                }
            }
        }
        Ok(Trace { states, loop_start: walk.loop_start })
    }

    /// Replays a trace by the interpreter. A disagreement is a bug of the engine.
    pub(crate) fn replay(&self, trace: &Trace) {
        if let Err(error) = self.witnesses.replayer.borrow_mut().check(&self.system, trace) {
            panic!(
                "the engine found a trace that the interpreter rejects: {}\n{trace:?}",
                error.describe(&self.system)
            );
        }
    }

    /// The bits of a point that belong to states of the machine.
    pub(crate) fn state_only(&self, point: &Point) -> Point {
        point.part(&self.machine.alphabet.state)
    }

    /// The values of the variables whose bits are in a point.
    pub(crate) fn decode(&self, point: &Point) -> State {
        let values: FxHashMap<Var, bool> = point.0.iter().copied().collect();
        let mut state = State::empty(self.system.vars.len());
        for (id, var) in self.system.vars() {
            let known = self.layout.bits(id).iter().all(|bit| values.contains_key(bit));
            // A variable of one value has no bits: as an input it is only known where a step is.
            let has_step = var.kind != VarKind::Input || !self.layout.bits(id).is_empty();
            if known && has_step {
                state.set(id, self.layout.decode(id, Time::Now, &|bit| values[&bit]));
            }
        }
        state
    }
}
