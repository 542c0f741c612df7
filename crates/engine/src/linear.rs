//! What a single path has to do: formulas of linear time, with negations only at their atoms.
//!
//! A formula of LTL speaks of one path as it is. A formula of CTL does so too, as far as it asks for the *existence* of
//! paths: on a single path, `E` says nothing more. Where it speaks about *all* paths, no single one can show it; such
//! parts are [`Universal`]'s to decide.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, Ty};

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
    /// An expression has this truth value. A formula of CTL stands for the states in which it holds.
    Atom(ExprId, bool),
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
    Later(LinearId),
    /// Until, or as long as the path goes on.
    WeakUntil(LinearId, LinearId),
    /// Release, as far as the path goes on.
    WeakRelease(LinearId, LinearId),
}

/// What to do with a requirement on all paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Universal {
    /// Give up on it: no path can show it.
    Drop,
    /// Take the states in which it holds as given.
    Assume,
    /// Read it as a requirement on this path, as if there were no other.
    Path,
}

/// Interned linear formulas.
#[derive(Default)]
pub(crate) struct Formulas {
    nodes: IndexSet<Linear, rustc_hash::FxBuildHasher>,
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

    fn constant(&mut self, value: bool) -> LinearId {
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
        self.add(Linear::Later(a))
    }

    /// What held at the previous position; `first` counts at the first one.
    pub(crate) fn before(&mut self, a: LinearId, first: bool) -> LinearId {
        self.add(Linear::Before(a, first))
    }

    fn until(&mut self, a: LinearId, b: LinearId) -> LinearId {
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
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            let part = |formulas: &mut Formulas, id| formulas.with_atoms(id, atoms);
            match self[root] {
                Linear::True | Linear::False => root,
                Linear::Atom(..) => atoms.get(&root).copied().unwrap_or(root),
                Linear::And(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.and(a, b)
                }
                Linear::Or(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.or(a, b)
                }
                Linear::Next(a) => {
                    let a = part(self, a);
                    self.next(a)
                }
                Linear::Until(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.until(a, b)
                }
                Linear::Release(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.release(a, b)
                }
                Linear::Before(a, first) => {
                    let a = part(self, a);
                    self.add(Linear::Before(a, first))
                }
                Linear::Later(a) => {
                    let a = part(self, a);
                    self.add(Linear::Later(a))
                }
                Linear::Since(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.add(Linear::Since(a, b))
                }
                Linear::Trigger(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.add(Linear::Trigger(a, b))
                }
                Linear::WeakUntil(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.add(Linear::WeakUntil(a, b))
                }
                Linear::WeakRelease(a, b) => {
                    let (a, b) = (part(self, a), part(self, b));
                    self.add(Linear::WeakRelease(a, b))
                }
            }
        })
    }

    /// The parts of a formula, itself included, in no particular but a fixed order.
    pub(crate) fn parts(&self, root: LinearId) -> Vec<LinearId> {
        let mut seen = IndexSet::<LinearId>::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.children(id));
            }
        }
        seen.into_iter().collect()
    }

    fn children(&self, id: LinearId) -> impl Iterator<Item = LinearId> + use<> {
        let (a, b) = match self[id] {
            Linear::True | Linear::False | Linear::Atom(..) => (None, None),
            Linear::Next(a) | Linear::Before(a, _) | Linear::Later(a) => (Some(a), None),
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

    /// Whether a finite beginning of a path can show it.
    pub(crate) fn is_finite(&self, root: LinearId) -> bool {
        !self.parts(root).iter().any(|id| matches!(self[*id], Linear::Release(..)))
    }

    /// The linear reading of a formula that is to be true, or false, on a path.
    pub(crate) fn read(&mut self, model: &Model, expr: ExprId, positive: bool, universal: Universal) -> LinearId {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.read_node(model, expr, positive, universal))
    }

    fn read_node(&mut self, model: &Model, expr: ExprId, positive: bool, universal: Universal) -> LinearId {
        let splits = universal == Universal::Path && is_connective(model, expr);
        if !crate::engine::has_temporal(model, expr) && !splits {
            return self.add(Linear::Atom(expr, positive));
        }
        // A requirement on all paths, where the formula asks for one.
        let blocked = |formulas: &mut Formulas| match universal {
            Universal::Drop => formulas.constant(false),
            Universal::Assume | Universal::Path => formulas.add(Linear::Atom(expr, positive)),
        };
        let quantified = universal != Universal::Path;
        match &model[expr] {
            Node::Define(define) => self.read(model, model.body(*define), positive, universal),
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
                    return self.read(model, *f, !positive, universal);
                }
                let f = self.read(model, *f, positive, universal);
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
                    (self.read(model, f, f_positive, universal), self.read(model, g, g_positive, universal))
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
                let f = self.read(model, *f, positive, universal);
                let some = matches!(op, BoundedOp::EBF | BoundedOp::ABF | BoundedOp::F | BoundedOp::O) == positive;
                let past = matches!(op, BoundedOp::O | BoundedOp::H);
                self.bounded(f, (*low, *high), some, past.then_some(!positive))
            }
            Node::BoundedUntil(op, low, high, f, g) => {
                match (op, positive) {
                    (BoundedUntilOp::EBU, false) | (BoundedUntilOp::ABU, true) if quantified => return blocked(self),
                    _ => {}
                }
                let f = self.read(model, *f, positive, universal);
                let g = self.read(model, *g, positive, universal);
                self.bounded_until(f, g, *low, *high, positive)
            }
            Node::Ite(condition, then, otherwise) => {
                let yes = self.read(model, *condition, true, universal);
                let no = self.read(model, *condition, false, universal);
                let then = self.read(model, *then, positive, universal);
                let otherwise = self.read(model, *otherwise, positive, universal);
                let (first, second) = (self.and(yes, then), self.and(no, otherwise));
                self.or(first, second)
            }
            node => {
                debug_assert!(*model.exprs.ty(expr) == Ty::BOOL, "a formula is a truth value");
                unreachable!("no formula has {node:?} above a temporal operator")
            }
        }
    }

    /// What a formula that claims infinitely much says about a finite path: `shown` if the path must show it whatever
    /// could follow, otherwise the path must merely not show the opposite. An atom that speaks of a step (`is_step`) is
    /// about nothing where the path ends.
    pub(crate) fn ended(&mut self, root: LinearId, shown: bool, is_step: &dyn Fn(ExprId) -> bool) -> LinearId {
        stacker::maybe_grow(64 << 10, 1 << 20, || match self[root] {
            Linear::True | Linear::False => root,
            Linear::Atom(expr, _) if !is_step(expr) => root,
            Linear::Atom(..) => {
                let truth = self.constant(true);
                let step = self.add(Linear::Next(truth));
                let there = self.and(root, step);
                if shown {
                    return there;
                }
                let falsity = self.constant(false);
                let end = self.add(Linear::Later(falsity));
                self.or(there, end)
            }
            Linear::Next(a) | Linear::Later(a) => {
                let a = self.ended(a, shown, is_step);
                self.add(if shown { Linear::Next(a) } else { Linear::Later(a) })
            }
            Linear::Before(a, first) => {
                let a = self.ended(a, shown, is_step);
                self.add(Linear::Before(a, first))
            }
            node @ (Linear::And(a, b)
            | Linear::Or(a, b)
            | Linear::Until(a, b)
            | Linear::WeakUntil(a, b)
            | Linear::Release(a, b)
            | Linear::WeakRelease(a, b)
            | Linear::Since(a, b)
            | Linear::Trigger(a, b)) => {
                let (a, b) = (self.ended(a, shown, is_step), self.ended(b, shown, is_step));
                match node {
                    Linear::And(..) => self.and(a, b),
                    Linear::Or(..) => self.or(a, b),
                    Linear::Until(..) | Linear::WeakUntil(..) if shown => self.add(Linear::Until(a, b)),
                    Linear::Until(..) | Linear::WeakUntil(..) => self.add(Linear::WeakUntil(a, b)),
                    Linear::Release(..) | Linear::WeakRelease(..) if shown => self.add(Linear::Release(a, b)),
                    Linear::Release(..) | Linear::WeakRelease(..) => self.add(Linear::WeakRelease(a, b)),
                    Linear::Since(..) => self.add(Linear::Since(a, b)),
                    _ => self.add(Linear::Trigger(a, b)),
                }
            }
        })
    }

    /// Sooner or later.
    pub(crate) fn eventually(&mut self, a: LinearId) -> LinearId {
        let truth = self.constant(true);
        self.until(truth, a)
    }

    /// For ever.
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
fn is_connective(model: &Model, expr: ExprId) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    let is_bool = |expr: ExprId| *model.exprs.ty(expr) == Ty::BOOL;
    match model[expr] {
        Node::Define(_) => is_bool(expr),
        Node::Unary(UnaryOp::Not, a) => is_bool(a),
        Node::Binary(And | Or | Implies | Iff | Xor | Xnor, a, b) => is_bool(a) && is_bool(b),
        _ => false,
    }
}
