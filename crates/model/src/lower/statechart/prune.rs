//! Whether a condition can hold: a small decision procedure by decision diagrams.
//!
//! Variables with few values are encoded by bits, numbers as a list of values with conditions. What is too large or not
//! known counts as a condition of its own that may hold.

use crate::expr::{ExprId, Node};
use crate::interp::binary_op;
use crate::model::{Model, VarId};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::{Domain, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::rc::Rc;

/// Maximal number of nodes; beyond it nothing is known of new conditions.
const MAX_NODES: usize = 1_000_000;

/// Number of results that are kept, a power of two.
const N_RESULTS: usize = 1 << 19;

/// Maximal number of nodes that one operation on two known expressions may add; beyond it nothing is known of the result.
const MAX_ADDED: usize = 50_000;

/// Maximal number of values of a variable or an expression that are told apart.
const MAX_VALUES: usize = 300;

/// The same for variables that have names for values, such as states: these are compared with constants only.
const MAX_NAMES: usize = 10_000;

type Diagram = u32;
const FALSE: Diagram = 0;
const TRUE: Diagram = 1;

#[derive(Clone)]
enum Meaning {
    Truth(Diagram),
    /// The values that an expression can have, each with its condition.
    Values(Rc<Vec<(Value, Diagram)>>),
    Unknown,
}

/// The decision procedure.
#[derive(Default)]
pub(super) struct Prune {
    /// Level, low and high.
    nodes: Vec<(u32, Diagram, Diagram)>,
    unique: FxHashMap<(u32, Diagram, Diagram), Diagram>,
    /// Results of `ite` with their epochs; a new one takes the place of an old one.
    cache: Vec<(Diagram, Diagram, Diagram, Diagram, u32)>,
    /// The number of returns to a checkpoint.
    epoch: u32,
    /// The number of nodes that no return to a checkpoint has removed.
    permanent: usize,
    memo: FxHashMap<ExprId, Meaning>,
    /// The expressions of `memo`, in the order in which they were added.
    known: Vec<ExprId>,
    /// The first expression that was found for a condition together with the invariant.
    canonical: FxHashMap<Diagram, ExprId>,
    n_levels: u32,
    /// What holds in all states.
    invariant: Option<Diagram>,
    marked: Option<Diagram>,
    /// The number of nodes at which the present operation is given up.
    limit: usize,
    /// Whether it was given up: its result means nothing.
    is_lost: bool,
}

/// What was known at a moment.
pub(super) struct Checkpoint {
    n_nodes: usize,
    n_known: usize,
    n_levels: u32,
    invariant: Option<Diagram>,
    canonical: FxHashMap<Diagram, ExprId>,
}

impl Prune {
    /// Remembers what is known. Until the return, first expressions for conditions are found anew.
    pub(super) fn checkpoint(&mut self) -> Checkpoint {
        Checkpoint {
            n_nodes: self.nodes.len(),
            n_known: self.known.len(),
            n_levels: self.n_levels,
            invariant: self.invariant,
            canonical: std::mem::take(&mut self.canonical),
        }
    }

    /// Forgets what was learned since a checkpoint.
    pub(super) fn return_to(&mut self, to: Checkpoint) {
        for node in self.nodes.drain(to.n_nodes..) {
            self.unique.remove(&node);
        }
        for expr in self.known.drain(to.n_known..) {
            self.memo.remove(&expr);
        }
        self.n_levels = to.n_levels;
        self.invariant = to.invariant;
        self.canonical = to.canonical;
        self.permanent = if self.epoch == 0 { to.n_nodes } else { self.permanent.min(to.n_nodes) };
        self.epoch += 1;
    }

    /// Whether a condition holds in all states of interest, or in none.
    pub(super) fn truth_in_all(&mut self, model: &Model, expr: ExprId) -> Option<bool> {
        let Meaning::Truth(diagram) = self.meaning(model, expr) else { return None };
        let invariant = self.invariant.unwrap_or(TRUE);
        match self.within_limit(|prune| prune.ite(invariant, diagram, FALSE))? {
            FALSE => Some(false),
            possible => (possible == invariant).then_some(true),
        }
    }

    /// Makes this expression the first one for the states of interest.
    pub(super) fn stand_for_all(&mut self, expr: ExprId) {
        self.canonical.insert(self.invariant.unwrap_or(TRUE), expr);
    }

    /// Gives a variable the next place in the order of the diagrams.
    pub(super) fn order(&mut self, model: &Model, var: ExprId) {
        self.meaning(model, var);
    }

    /// Adds a condition that holds in all states of interest.
    pub(super) fn assume(&mut self, model: &Model, expr: ExprId) {
        if let Meaning::Truth(diagram) = self.meaning(model, expr) {
            let old = self.invariant.unwrap_or(TRUE);
            let new = self.within_limit(|prune| prune.ite(old, diagram, FALSE));
            self.invariant = Some(new.unwrap_or(old));
            self.canonical.clear();
        }
    }

    /// Remembers what is assumed so far.
    pub(super) fn mark(&mut self) {
        self.marked = self.invariant;
    }

    /// Forgets what was assumed after the mark.
    pub(super) fn reset(&mut self) {
        self.invariant = self.marked;
        self.canonical.clear();
    }

    /// Whether nothing is known of new conditions.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= MAX_NODES
    }

    /// Whether a condition can hold, as far as that is known.
    pub(super) fn can_hold(&mut self, model: &Model, expr: ExprId) -> bool {
        let Meaning::Truth(diagram) = self.meaning(model, expr) else { return true };
        self.is_possible(diagram)
    }

    /// The first expression that was asked for and holds in the same states; nothing if there is no state.
    pub(super) fn first_equal(&mut self, model: &Model, expr: ExprId) -> Option<ExprId> {
        let Meaning::Truth(diagram) = self.meaning(model, expr) else { return Some(expr) };
        let invariant = self.invariant.unwrap_or(TRUE);
        match self.within_limit(|prune| prune.ite(invariant, diagram, FALSE)) {
            Some(FALSE) => None,
            Some(possible) => Some(*self.canonical.entry(possible).or_insert(expr)),
            None => Some(expr),
        }
    }

    /// Whether a condition can hold together with the invariant.
    fn is_possible(&mut self, diagram: Diagram) -> bool {
        let invariant = self.invariant.unwrap_or(TRUE);
        self.within_limit(|prune| prune.ite(invariant, diagram, FALSE)) != Some(FALSE)
    }

    /// The result of an operation; nothing if it takes too many nodes.
    fn within_limit<T>(&mut self, operation: impl FnOnce(&mut Prune) -> T) -> Option<T> {
        self.limit = (self.nodes.len() + MAX_ADDED).min(MAX_NODES);
        let result = operation(self);
        (!std::mem::take(&mut self.is_lost)).then_some(result)
    }

    /// The numbers that an expression can be; nothing if that is not known.
    pub(super) fn values(&mut self, model: &Model, expr: ExprId) -> Option<Vec<Value>> {
        match self.meaning(model, expr) {
            Meaning::Values(values) => {
                Some(values.iter().filter(|(_, when)| self.is_possible(*when)).map(|(value, _)| *value).collect())
            }
            _ => None,
        }
    }

    /// The same in all states, also in those that the invariant excludes.
    pub(super) fn all_values(&mut self, model: &Model, expr: ExprId) -> Option<Vec<Value>> {
        match self.meaning(model, expr) {
            Meaning::Values(values) => {
                Some(values.iter().filter(|(_, when)| *when != FALSE).map(|(value, _)| *value).collect())
            }
            _ => None,
        }
    }

    fn make(&mut self, level: u32, low: Diagram, high: Diagram) -> Diagram {
        if self.nodes.is_empty() {
            self.nodes = vec![(u32::MAX, 0, 0), (u32::MAX, 1, 1)];
        }
        if low == high {
            return low;
        }
        let next = self.nodes.len() as Diagram;
        let node = *self.unique.entry((level, low, high)).or_insert(next);
        if node == next {
            self.nodes.push((level, low, high));
            self.is_lost |= self.nodes.len() > self.limit;
        }
        node
    }

    fn ite(&mut self, c: Diagram, a: Diagram, b: Diagram) -> Diagram {
        match (c, a, b) {
            _ if self.is_lost => return TRUE,
            (TRUE, a, _) => return a,
            (FALSE, _, b) => return b,
            (c, TRUE, FALSE) => return c,
            (_, a, b) if a == b => return a,
            _ => {}
        }
        if self.cache.is_empty() {
            self.cache = vec![(FALSE, FALSE, FALSE, FALSE, 0); N_RESULTS];
        }
        let place = FxBuildHasher.hash_one((c, a, b)) as usize >> 20 & (N_RESULTS - 1);
        if let (x, y, z, known, epoch) = self.cache[place]
            && (x, y, z) == (c, a, b)
            && (epoch == self.epoch || [x, y, z, known].into_iter().all(|node| (node as usize) < self.permanent))
        {
            return known;
        }
        let level = [c, a, b].into_iter().map(|node| self.nodes[node as usize].0).min().unwrap_or(u32::MAX);
        let half = |node: Diagram, high: bool, nodes: &[(u32, Diagram, Diagram)]| {
            let (own, low, high_node) = nodes[node as usize];
            match (own == level, high) {
                (false, _) => node,
                (true, true) => high_node,
                (true, false) => low,
            }
        };
        let [c0, a0, b0] = [c, a, b].map(|node| half(node, false, &self.nodes));
        let [c1, a1, b1] = [c, a, b].map(|node| half(node, true, &self.nodes));
        // The depth of the recursion is the number of levels, which is that of the bits of all variables.
        let low = self.ite(c0, a0, b0);
        let high = self.ite(c1, a1, b1);
        if self.is_lost {
            return TRUE;
        }
        let result = self.make(level, low, high);
        self.cache[place] = (c, a, b, result, self.epoch);
        result
    }

    fn bit(&mut self) -> Diagram {
        let level = self.n_levels;
        self.n_levels += 1;
        // A bit is always possible.
        self.limit = usize::MAX;
        self.make(level, FALSE, TRUE)
    }

    /// The meaning of an expression, parts before wholes.
    fn meaning(&mut self, model: &Model, expr: ExprId) -> Meaning {
        if let Some(known) = self.memo.get(&expr) {
            return known.clone();
        }
        let mut stack = vec![expr];
        while let Some(&at) = stack.last() {
            if self.memo.contains_key(&at) {
                stack.pop();
                continue;
            }
            let waiting: Vec<ExprId> =
                model[at].children().into_iter().filter(|child| !self.memo.contains_key(child)).collect();
            if !waiting.is_empty() {
                stack.extend(waiting);
                continue;
            }
            let mut meaning = self.within_limit(|prune| prune.node(model, at)).unwrap_or(Meaning::Unknown);
            // A truth value that is not known is a condition of its own.
            if matches!(meaning, Meaning::Unknown) && *model.context.exprs.ty(at) == crate::ty::Ty::BOOL {
                meaning = Meaning::Truth(self.bit());
            }
            self.memo.insert(at, meaning);
            self.known.push(at);
            stack.pop();
        }
        self.memo[&expr].clone()
    }

    fn node(&mut self, model: &Model, expr: ExprId) -> Meaning {
        let known = |prune: &Prune, part: ExprId| prune.memo[&part].clone();
        match &model[expr] {
            Node::Const(Value::Bool(value)) => Meaning::Truth(Diagram::from(*value)),
            Node::Const(value) => Meaning::Values(Rc::new(vec![(*value, TRUE)])),
            Node::Var(var) => self.var(model, *var),
            Node::Unary(UnaryOp::Not, a) => match known(self, *a) {
                Meaning::Truth(a) => Meaning::Truth(self.ite(a, FALSE, TRUE)),
                _ => Meaning::Unknown,
            },
            Node::Unary(UnaryOp::Neg, a) => match known(self, *a) {
                Meaning::Values(values) => {
                    let negate = |(value, when): &(Value, Diagram)| match value {
                        Value::Int(number) => Some((Value::Int(number.checked_neg()?), *when)),
                        _ => None,
                    };
                    match values.iter().map(negate).collect::<Option<Vec<_>>>() {
                        Some(values) => Meaning::Values(Rc::new(values)),
                        None => Meaning::Unknown,
                    }
                }
                _ => Meaning::Unknown,
            },
            Node::Binary(op, a, b) => match (op, known(self, *a), known(self, *b)) {
                (BinaryOp::And, Meaning::Truth(a), Meaning::Truth(b)) => Meaning::Truth(self.ite(a, b, FALSE)),
                (BinaryOp::Or, Meaning::Truth(a), Meaning::Truth(b)) => Meaning::Truth(self.ite(a, TRUE, b)),
                (BinaryOp::Implies, Meaning::Truth(a), Meaning::Truth(b)) => Meaning::Truth(self.ite(a, b, TRUE)),
                (BinaryOp::Iff | BinaryOp::Eq, Meaning::Truth(a), Meaning::Truth(b)) => {
                    let not = self.ite(b, FALSE, TRUE);
                    Meaning::Truth(self.ite(a, b, not))
                }
                (BinaryOp::Xor | BinaryOp::Ne, Meaning::Truth(a), Meaning::Truth(b)) => {
                    let not = self.ite(b, FALSE, TRUE);
                    Meaning::Truth(self.ite(a, not, b))
                }
                (op, Meaning::Values(a), Meaning::Values(b)) => self.combine(*op, &a, &b),
                _ => Meaning::Unknown,
            },
            Node::Ite(c, a, b) => match (known(self, *c), known(self, *a), known(self, *b)) {
                (Meaning::Truth(c), Meaning::Truth(a), Meaning::Truth(b)) => Meaning::Truth(self.ite(c, a, b)),
                (Meaning::Truth(c), Meaning::Values(a), Meaning::Values(b)) => {
                    let not = self.ite(c, FALSE, TRUE);
                    if a.len() + b.len() > 2 * MAX_VALUES {
                        return Meaning::Unknown;
                    }
                    let mut merged = Vec::new();
                    for (values, when) in [(a, c), (b, not)] {
                        for (value, own) in values.iter() {
                            let own = self.ite(when, *own, FALSE);
                            self.add(&mut merged, *value, own);
                        }
                    }
                    if merged.len() > MAX_VALUES { Meaning::Unknown } else { Meaning::Values(Rc::new(merged)) }
                }
                _ => Meaning::Unknown,
            },
            _ => Meaning::Unknown,
        }
    }

    fn add(&mut self, values: &mut Vec<(Value, Diagram)>, value: Value, when: Diagram) {
        if when == FALSE {
            return;
        }
        match values.iter().position(|(other, _)| *other == value) {
            Some(at) => values[at].1 = self.ite(values[at].1, TRUE, when),
            None => values.push((value, when)),
        }
    }

    fn combine(&mut self, op: BinaryOp, a: &[(Value, Diagram)], b: &[(Value, Diagram)]) -> Meaning {
        if let (BinaryOp::Eq | BinaryOp::Ne, [one], list) | (BinaryOp::Eq | BinaryOp::Ne, list, [one]) = (op, a, b) {
            let found = list.iter().find(|(value, _)| *value == one.0).map_or(FALSE, |(_, when)| *when);
            let same = self.ite(found, one.1, FALSE);
            return Meaning::Truth(if op == BinaryOp::Eq { same } else { self.ite(same, FALSE, TRUE) });
        }
        if a.len() * b.len() > 16 * MAX_VALUES {
            return Meaning::Unknown;
        }
        let mut values = Vec::new();
        let mut truth = FALSE;
        let mut is_truth = false;
        for (x, in_x) in a {
            for (y, in_y) in b {
                let Ok(value) = binary_op(op, *x, *y) else { return Meaning::Unknown };
                let when = self.ite(*in_x, *in_y, FALSE);
                match value {
                    Value::Bool(value) => {
                        is_truth = true;
                        if value {
                            truth = self.ite(when, TRUE, truth);
                        }
                    }
                    value => self.add(&mut values, value, when),
                }
            }
        }
        if is_truth || values.len() > MAX_VALUES {
            return if is_truth { Meaning::Truth(truth) } else { Meaning::Unknown };
        }
        Meaning::Values(Rc::new(values))
    }

    fn var(&mut self, model: &Model, var: VarId) -> Meaning {
        let domain = &model[var].domain;
        if *domain == Domain::Bool {
            return Meaning::Truth(self.bit());
        }
        let most = if matches!(domain, Domain::Enum(_)) { MAX_NAMES } else { MAX_VALUES };
        if domain.size().is_none_or(|size| size > most as u128) {
            return Meaning::Unknown;
        }
        let values: Vec<Value> = domain.values().collect();
        let bits: Vec<Diagram> = (0..domain.bits().unwrap_or(0)).map(|_| self.bit()).collect();
        let mut listed = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let mut when = TRUE;
            for (at, bit) in bits.iter().enumerate() {
                when = if index >> at & 1 == 1 { self.ite(*bit, when, FALSE) } else { self.ite(*bit, FALSE, when) };
            }
            // Codes beyond the last value stand for the last value, so that every code has one.
            listed.push((*value, when));
        }
        let rest = listed[..listed.len() - 1].iter().fold(TRUE, |rest, (_, when)| {
            let not = self.ite(*when, FALSE, TRUE);
            self.ite(rest, not, FALSE)
        });
        if let Some(last) = listed.last_mut() {
            last.1 = rest;
        }
        Meaning::Values(Rc::new(listed))
    }
}
