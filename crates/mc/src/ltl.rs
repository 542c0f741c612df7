//! Formulas of linear time in negation normal form: what a single path has to satisfy.
//!
//! A formula of LTL speaks of one path as it is. A formula of CTL does so too, as far as it asks for the *existence* of
//! paths: on a single path, `E` says nothing more. Where it speaks about *all* paths, no single one can show it; such
//! parts are [`Universal`]'s to decide.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use specwright_model::{ExprId, Node, TransitionSystem, Ty};

/// A formula of a [`Formulas`] arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LinearId(pub(crate) u32);

/// What is required of a path at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Linear {
    /// Nothing.
    True,
    /// The impossible.
    False,
    /// An expression has this truth value. A formula of CTL stands for the states in which it has it.
    Atom(ExprId, bool),
    /// An expression does not have this truth value: it has the other one, or is undefined.
    NotAtom(ExprId, bool),
    And(LinearId, LinearId),
    Or(LinearId, LinearId),
    Next(LinearId),
    Until(LinearId, LinearId),
    Release(LinearId, LinearId),
    /// Held at the previous position; the flag says what counts at the first one.
    Before(LinearId, bool),
    Since(LinearId, LinearId),
    Trigger(LinearId, LinearId),
    /// At the next position, if the path goes on.
    WeakNext(LinearId),
    /// Until, or as long as the path goes on.
    WeakUntil(LinearId, LinearId),
    /// Release, as far as the path goes on.
    WeakRelease(LinearId, LinearId),
}

/// What to do with a requirement on all paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Universal {
    /// Take the states in which it holds as given.
    Assume,
    /// Give up on it: no path can show it.
    Drop,
    /// The same, and look into what joins truth values: where a path ends, one of them may be known though another is not.
    DropAndSplit,
    /// Read it as a requirement on this path, as if there were no other. Looks into what joins truth values.
    Path,
}

/// Interned linear formulas.
#[derive(Default)]
pub(crate) struct Formulas {
    nodes: IndexSet<Linear, rustc_hash::FxBuildHasher>,
    /// What was read. Both readings of each side of a `<->` are needed, so nested ones would be read again and again.
    known: FxHashMap<(ExprId, bool, Universal), LinearId>,
}

impl std::ops::Index<LinearId> for Formulas {
    type Output = Linear;

    fn index(&self, id: LinearId) -> &Linear {
        &self.nodes[id.0 as usize]
    }
}

impl Formulas {
    fn add(&mut self, node: Linear) -> LinearId {
        LinearId(self.nodes.insert_full(node).0 as u32)
    }

    pub(crate) fn constant(&mut self, value: bool) -> LinearId {
        self.add(if value { Linear::True } else { Linear::False })
    }

    pub(crate) fn and(&mut self, a: LinearId, b: LinearId) -> LinearId {
        match (self[a], self[b]) {
            (Linear::False, _) | (_, Linear::True) => a,
            (_, Linear::False) | (Linear::True, _) => b,
            _ if a == b => a,
            _ => self.add(Linear::And(a, b)),
        }
    }

    fn or(&mut self, a: LinearId, b: LinearId) -> LinearId {
        match (self[a], self[b]) {
            (Linear::True, _) | (_, Linear::False) => a,
            (_, Linear::True) | (Linear::False, _) => b,
            _ if a == b => a,
            _ => self.add(Linear::Or(a, b)),
        }
    }

    pub(crate) fn next(&mut self, a: LinearId) -> LinearId {
        match self[a] {
            // Paths do not end.
            Linear::True | Linear::False => a,
            _ => self.add(Linear::Next(a)),
        }
    }

    /// What is to hold at the next position, if there is one.
    pub(crate) fn later(&mut self, a: LinearId) -> LinearId {
        self.add(Linear::WeakNext(a))
    }

    /// What held at the previous position; `first` counts at the first one.
    pub(crate) fn before(&mut self, a: LinearId, first: bool) -> LinearId {
        self.add(Linear::Before(a, first))
    }

    pub(crate) fn until(&mut self, a: LinearId, b: LinearId) -> LinearId {
        match self[b] {
            Linear::True | Linear::False => b,
            _ => self.add(Linear::Until(a, b)),
        }
    }

    fn release(&mut self, a: LinearId, b: LinearId) -> LinearId {
        match self[b] {
            Linear::True | Linear::False => b,
            _ => self.add(Linear::Release(a, b)),
        }
    }

    /// The same formula with other atoms in their places; those that are not named stay.
    pub(crate) fn with_atoms(&mut self, root: LinearId, atoms: &FxHashMap<LinearId, LinearId>) -> LinearId {
        self.rebuilt(root, |formulas, id, part| match formulas[id] {
            Linear::True | Linear::False => id,
            Linear::Atom(..) | Linear::NotAtom(..) => atoms.get(&id).copied().unwrap_or(id),
            Linear::And(a, b) => formulas.and(part(a), part(b)),
            Linear::Or(a, b) => formulas.or(part(a), part(b)),
            Linear::Next(a) => formulas.next(part(a)),
            Linear::Until(a, b) => formulas.until(part(a), part(b)),
            Linear::Release(a, b) => formulas.release(part(a), part(b)),
            Linear::Before(a, first) => formulas.add(Linear::Before(part(a), first)),
            Linear::WeakNext(a) => formulas.add(Linear::WeakNext(part(a))),
            Linear::Since(a, b) => formulas.add(Linear::Since(part(a), part(b))),
            Linear::Trigger(a, b) => formulas.add(Linear::Trigger(part(a), part(b))),
            Linear::WeakUntil(a, b) => formulas.add(Linear::WeakUntil(part(a), part(b))),
            Linear::WeakRelease(a, b) => formulas.add(Linear::WeakRelease(part(a), part(b))),
        })
    }

    /// What a path has to do for a formula not to be false on it, though it may be undefined.
    pub(crate) fn possibly(&mut self, root: LinearId) -> LinearId {
        let mut atoms = FxHashMap::default();
        for part in self.parts(root) {
            if let Linear::Atom(expr, positive) = self[part] {
                atoms.insert(part, self.add(Linear::NotAtom(expr, !positive)));
            }
        }
        self.with_atoms(root, &atoms)
    }

    /// Something made of a formula part by part, each one once: formulas share their parts, and as trees they can be
    /// very large.
    fn rebuilt(
        &mut self,
        root: LinearId,
        make: impl Fn(&mut Formulas, LinearId, &dyn Fn(LinearId) -> LinearId) -> LinearId,
    ) -> LinearId {
        let mut parts = self.parts(root);
        // A formula is made after its parts.
        parts.sort_unstable();
        let mut made = FxHashMap::default();
        for id in parts {
            let new = make(self, id, &|part| made[&part]);
            made.insert(id, new);
        }
        made[&root]
    }

    /// The parts of a formula, itself included, in no particular but a fixed order.
    pub(crate) fn parts(&self, root: LinearId) -> Vec<LinearId> {
        let mut seen = IndexSet::<LinearId>::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(children(self[id]));
            }
        }
        seen.into_iter().collect()
    }

    /// How many cases there are if all *or* and *release* are taken apart.
    pub(crate) fn n_cases(&self, root: LinearId) -> u64 {
        self.measured::<u64>(root, |node, part| match node {
            Linear::And(a, b) => part(a).saturating_mul(part(b)),
            Linear::Or(a, b) => part(a).saturating_add(part(b)),
            Linear::Release(a, _) if self[a] != Linear::False => part(a).saturating_add(1),
            Linear::Until(_, a) | Linear::Next(a) => part(a),
            _ => 1,
        })
    }

    /// The formulas of which one has to hold, in their order.
    pub(crate) fn cases(&self, root: LinearId) -> Vec<LinearId> {
        let (mut seen, mut open) = (IndexSet::<LinearId>::new(), vec![root]);
        while let Some(id) = open.pop() {
            if seen.insert(id)
                && let Linear::Or(a, b) = self[id]
            {
                open.extend([b, a]);
            }
        }
        seen.into_iter().filter(|id| !matches!(self[*id], Linear::Or(..))).collect()
    }

    /// Whether a finite beginning of a path can show it.
    pub(crate) fn is_finite(&self, root: LinearId) -> bool {
        !self.parts(root).iter().any(|id| matches!(self[*id], Linear::Release(..)))
    }

    /// Whether a finite beginning of some path may show it.
    pub(crate) fn can_be_finite(&self, root: LinearId) -> bool {
        self.measured(root, |node, part| match node {
            Linear::False => false,
            Linear::And(a, b) | Linear::Release(a, b) => part(a) && part(b),
            Linear::Or(a, b) => part(a) || part(b),
            Linear::Until(_, last) | Linear::Next(last) => part(last),
            _ => true,
        })
    }

    /// How many operators that look back lie within each other, at most.
    pub(crate) fn past_depth(&self, root: LinearId) -> usize {
        self.measured(root, |node, part| {
            let looks_back = matches!(node, Linear::Before(..) | Linear::Since(..) | Linear::Trigger(..));
            let inner = children(node).map(part).max().unwrap_or(0);
            inner + usize::from(looks_back)
        })
    }

    /// Something said of a formula by what is said of its parts, each one once.
    fn measured<T: Copy>(&self, root: LinearId, measure: impl Fn(Linear, &dyn Fn(LinearId) -> T) -> T) -> T {
        let mut parts = self.parts(root);
        // A formula is made after its parts.
        parts.sort_unstable();
        let mut known = FxHashMap::default();
        for id in parts {
            let measured = measure(self[id], &|part| known[&part]);
            known.insert(id, measured);
        }
        known[&root]
    }

    /// The linear reading of a formula that is to be true, or false, on a path.
    pub(crate) fn read(
        &mut self,
        system: &TransitionSystem,
        expr: ExprId,
        positive: bool,
        universal: Universal,
    ) -> LinearId {
        let key = (expr, positive, universal);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let read = stacker::maybe_grow(64 << 10, 1 << 20, || self.read_node(system, expr, positive, universal));
        self.known.insert(key, read);
        read
    }

    fn read_node(&mut self, system: &TransitionSystem, expr: ExprId, positive: bool, universal: Universal) -> LinearId {
        let splits = match universal {
            Universal::Assume | Universal::Drop => false,
            Universal::Path => is_connective(system, expr),
            Universal::DropAndSplit => is_connective(system, expr) || is_choice(system, expr),
        };
        if !system.context.exprs.is_temporal(expr) && !splits {
            return self.add(Linear::Atom(expr, positive));
        }
        // A requirement on all paths, where the formula asks for one.
        let blocked = |formulas: &mut Formulas| match universal {
            Universal::Drop | Universal::DropAndSplit => formulas.constant(false),
            Universal::Assume | Universal::Path => formulas.add(Linear::Atom(expr, positive)),
        };
        let quantified = universal != Universal::Path;
        match &system[expr] {
            Node::Define(define) => self.read(system, system.body(*define), positive, universal),
            Node::Unary(op, f) => {
                match (op, positive) {
                    (UnaryOp::EX | UnaryOp::EF | UnaryOp::EG, false)
                    | (UnaryOp::AX | UnaryOp::AF | UnaryOp::AG, true)
                        if quantified =>
                    {
                        return blocked(self);
                    }
                    _ => {}
                }
                if *op == UnaryOp::Not {
                    return self.read(system, *f, !positive, universal);
                }
                let f = self.read(system, *f, positive, universal);
                let truth = self.constant(true);
                let falsity = self.constant(false);
                match (op, positive) {
                    (UnaryOp::X | UnaryOp::EX | UnaryOp::AX, _) => self.next(f),
                    (UnaryOp::F | UnaryOp::EF | UnaryOp::AF, true)
                    | (UnaryOp::G | UnaryOp::EG | UnaryOp::AG, false) => self.until(truth, f),
                    (UnaryOp::G | UnaryOp::EG | UnaryOp::AG, true)
                    | (UnaryOp::F | UnaryOp::EF | UnaryOp::AF, false) => self.release(falsity, f),
                    (UnaryOp::Y, _) => self.add(Linear::Before(f, !positive)),
                    (UnaryOp::Z, _) => self.add(Linear::Before(f, positive)),
                    (UnaryOp::O, true) | (UnaryOp::H, false) => self.add(Linear::Since(truth, f)),
                    (UnaryOp::H, true) | (UnaryOp::O, false) => self.add(Linear::Trigger(falsity, f)),
                    (UnaryOp::Not | UnaryOp::Neg, _) => unreachable!("not temporal, or handled above"),
                }
            }
            Node::Binary(op, f, g) => {
                let (f, g) = (*f, *g);
                match (op, positive) {
                    (BinaryOp::EU, false) | (BinaryOp::AU, true) if quantified => return blocked(self),
                    _ => {}
                }
                let mut both = |f_positive, g_positive| {
                    (self.read(system, f, f_positive, universal), self.read(system, g, g_positive, universal))
                };
                match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                        let (f, g) = both(positive != (*op == BinaryOp::Implies), positive);
                        if (*op == BinaryOp::And) == positive { self.and(f, g) } else { self.or(f, g) }
                    }
                    BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Eq | BinaryOp::Xor | BinaryOp::Ne => {
                        // Equal truth values, or different ones.
                        let equal = matches!(op, BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Eq) == positive;
                        let (f1, g1) = both(true, equal);
                        let (f2, g2) = both(false, !equal);
                        let (first, second) = (self.and(f1, g1), self.and(f2, g2));
                        self.or(first, second)
                    }
                    BinaryOp::U | BinaryOp::EU | BinaryOp::AU => {
                        let (f, g) = both(positive, positive);
                        if positive { self.until(f, g) } else { self.release(f, g) }
                    }
                    BinaryOp::V => {
                        let (f, g) = both(positive, positive);
                        if positive { self.release(f, g) } else { self.until(f, g) }
                    }
                    BinaryOp::S => {
                        let (f, g) = both(positive, positive);
                        self.add(if positive { Linear::Since(f, g) } else { Linear::Trigger(f, g) })
                    }
                    BinaryOp::T => {
                        let (f, g) = both(positive, positive);
                        self.add(if positive { Linear::Trigger(f, g) } else { Linear::Since(f, g) })
                    }
                    _ => unreachable!("no formula has {op:?} above a temporal operator"),
                }
            }
            Node::Bounded(op, low, high, f) => {
                match (op, positive) {
                    (BoundedOp::EBF | BoundedOp::EBG, false) | (BoundedOp::ABF | BoundedOp::ABG, true)
                        if quantified =>
                    {
                        return blocked(self);
                    }
                    _ => {}
                }
                let f = self.read(system, *f, positive, universal);
                let some = matches!(op, BoundedOp::EBF | BoundedOp::ABF | BoundedOp::F | BoundedOp::O) == positive;
                let past = matches!(op, BoundedOp::O | BoundedOp::H);
                self.bounded(f, (*low, *high), some, past.then_some(!positive))
            }
            Node::BoundedUntil(op, low, high, f, g) => {
                match (op, positive) {
                    (BoundedUntilOp::EBU, false) | (BoundedUntilOp::ABU, true) if quantified => return blocked(self),
                    _ => {}
                }
                let f = self.read(system, *f, positive, universal);
                let g = self.read(system, *g, positive, universal);
                self.bounded_until(f, g, *low, *high, positive)
            }
            Node::Ite(condition, then, otherwise) => {
                let yes = self.read(system, *condition, true, universal);
                let no = self.read(system, *condition, false, universal);
                let then = self.read(system, *then, positive, universal);
                let otherwise = self.read(system, *otherwise, positive, universal);
                let (first, second) = (self.and(yes, then), self.and(no, otherwise));
                self.or(first, second)
            }
            Node::Case(branches) => {
                // Where no branch applies it has no value, so nothing is shown.
                let mut rest = self.constant(false);
                for (guard, value) in branches.iter().rev() {
                    let yes = self.read(system, *guard, true, universal);
                    let no = self.read(system, *guard, false, universal);
                    let value = self.read(system, *value, positive, universal);
                    let (first, second) = (self.and(yes, value), self.and(no, rest));
                    rest = self.or(first, second);
                }
                rest
            }
            node => {
                debug_assert!(*system.context.exprs.ty(expr) == Ty::BOOL, "a formula is a truth value");
                unreachable!("no formula has {node:?} above a temporal operator")
            }
        }
    }

    /// What a formula that claims infinitely much says about a finite path: `shown` if the path must show it whatever
    /// could follow, otherwise the path must merely not show the opposite. An atom that speaks of a step (`is_step`) is
    /// about nothing where the path ends.
    pub(crate) fn ended(&mut self, root: LinearId, shown: bool, is_step: &dyn Fn(ExprId) -> bool) -> LinearId {
        self.rebuilt(root, |formulas, id, part| match formulas[id] {
            Linear::True | Linear::False => id,
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) if !is_step(expr) => id,
            Linear::Atom(..) | Linear::NotAtom(..) => {
                let truth = formulas.constant(true);
                let step = formulas.add(Linear::Next(truth));
                let there = formulas.and(id, step);
                if shown {
                    return there;
                }
                let falsity = formulas.constant(false);
                let end = formulas.add(Linear::WeakNext(falsity));
                formulas.or(there, end)
            }
            Linear::Next(a) | Linear::WeakNext(a) if shown => formulas.add(Linear::Next(part(a))),
            Linear::Next(a) | Linear::WeakNext(a) => formulas.add(Linear::WeakNext(part(a))),
            Linear::Before(a, first) => formulas.add(Linear::Before(part(a), first)),
            Linear::And(a, b) => formulas.and(part(a), part(b)),
            Linear::Or(a, b) => formulas.or(part(a), part(b)),
            Linear::Until(a, b) | Linear::WeakUntil(a, b) => {
                let (a, b) = (part(a), part(b));
                formulas.add(if shown { Linear::Until(a, b) } else { Linear::WeakUntil(a, b) })
            }
            Linear::Release(a, b) | Linear::WeakRelease(a, b) => {
                let (a, b) = (part(a), part(b));
                formulas.add(if shown { Linear::Release(a, b) } else { Linear::WeakRelease(a, b) })
            }
            Linear::Since(a, b) => formulas.add(Linear::Since(part(a), part(b))),
            Linear::Trigger(a, b) => formulas.add(Linear::Trigger(part(a), part(b))),
        })
    }

    /// Sooner or later.
    pub(crate) fn eventually(&mut self, a: LinearId) -> LinearId {
        let truth = self.constant(true);
        self.until(truth, a)
    }

    /// Without end.
    pub(crate) fn always(&mut self, a: LinearId) -> LinearId {
        let falsity = self.constant(false);
        self.release(falsity, a)
    }

    /// As long as the path goes on.
    pub(crate) fn weakly_always(&mut self, a: LinearId) -> LinearId {
        let falsity = self.constant(false);
        self.add(Linear::WeakRelease(falsity, a))
    }

    /// Whether it says something about all that is to come.
    pub(crate) fn is_unbounded(&self, root: LinearId) -> bool {
        let unbounded = |node| {
            use Linear::{Release, Until, WeakRelease, WeakUntil};
            matches!(node, Until(..) | Release(..) | WeakUntil(..) | WeakRelease(..))
        };
        self.parts(root).iter().any(|id| unbounded(self[*id]))
    }

    /// Whether it looks back.
    pub(crate) fn has_past(&self, root: LinearId) -> bool {
        let looks_back = |node| matches!(node, Linear::Before(..) | Linear::Since(..) | Linear::Trigger(..));
        self.parts(root).iter().any(|id| looks_back(self[*id]))
    }

    /// `f` at some, or at all, of the positions `low` to `high` from here; in the past if it is said what counts before
    /// the first position. (NuSMV writes bounded operators of the past with `Y`, so nothing holds there, whether it is
    /// asked for once or always.)
    fn bounded(&mut self, f: LinearId, (low, high): (u64, Option<u64>), some: bool, past: Option<bool>) -> LinearId {
        let step = |formulas: &mut Formulas, inner: LinearId| match past {
            Some(first) => formulas.before(inner, first),
            None => formulas.next(inner),
        };
        let mut inner = f;
        if let Some(high) = high {
            for _ in low..high {
                let rest = step(self, inner);
                inner = if some { self.or(f, rest) } else { self.and(f, rest) };
            }
        } else {
            let bound = self.constant(some);
            inner = match (some, past.is_some()) {
                (true, false) => self.until(bound, f),
                (false, false) => self.release(bound, f),
                (true, true) => self.add(Linear::Since(bound, f)),
                (false, true) => self.add(Linear::Trigger(bound, f)),
            };
        }
        for _ in 0..low {
            inner = step(self, inner);
        }
        inner
    }

    /// `f BU low..high g`, or its negation with `f` and `g` already negated.
    fn bounded_until(&mut self, f: LinearId, g: LinearId, low: u64, high: u64, positive: bool) -> LinearId {
        let mut inner = g;
        for _ in low..high {
            let rest = self.next(inner);
            inner = if positive {
                let go_on = self.and(f, rest);
                self.or(g, go_on)
            } else {
                let go_on = self.or(f, rest);
                self.and(g, go_on)
            };
        }
        for _ in 0..low {
            let rest = self.next(inner);
            inner = if positive { self.and(f, rest) } else { self.or(f, rest) };
        }
        inner
    }
}

/// Whether an expression joins truth values. Where a path ends, one of them may be known though the other is not.
fn is_connective(system: &TransitionSystem, expr: ExprId) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    let is_bool = |expr: ExprId| *system.context.exprs.ty(expr) == Ty::BOOL;
    match system[expr] {
        Node::Define(_) => is_bool(expr),
        Node::Unary(UnaryOp::Not, a) => is_bool(a),
        Node::Binary(And | Or | Implies | Iff | Xor | Xnor, a, b) => is_bool(a) && is_bool(b),
        _ => false,
    }
}

/// Whether an expression chooses between truth values.
fn is_choice(system: &TransitionSystem, expr: ExprId) -> bool {
    let is_bool = |expr: ExprId| *system.context.exprs.ty(expr) == Ty::BOOL;
    match &system[expr] {
        Node::Ite(_, a, b) => is_bool(*a) && is_bool(*b),
        Node::Case(branches) => branches.iter().all(|(_, value)| is_bool(*value)),
        _ => false,
    }
}

/// The parts that a formula is made of.
fn children(node: Linear) -> impl Iterator<Item = LinearId> + use<> {
    let (a, b) = match node {
        Linear::True | Linear::False | Linear::Atom(..) | Linear::NotAtom(..) => (None, None),
        Linear::Next(a) | Linear::Before(a, _) | Linear::WeakNext(a) => (Some(a), None),
        Linear::And(a, b)
        | Linear::Or(a, b)
        | Linear::Until(a, b)
        | Linear::Release(a, b)
        | Linear::Since(a, b)
        | Linear::Trigger(a, b)
        | Linear::WeakUntil(a, b)
        | Linear::WeakRelease(a, b) => (Some(a), Some(b)),
    };
    a.into_iter().chain(b)
}
