//! Compilation of goals to a straight-line program.
//!
//! Operations are interned, and negation is not an operation: it is a flag of an operand that swaps true and false. So
//! a mutant adds only its change and what depends on it; everything else it shares with the original.

use super::atom::Atom;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use specwright_model::op::{BinaryOp, BoundedOp, UnaryOp};
use specwright_model::{ExprId, Node, TransitionSystem};

/// How a single trace decides formulas with path quantifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantifiers {
    /// `A` and `E` both refer to the trace, as in the constrained machine of the papers.
    #[default]
    Path,
    /// A trace can only refute universal formulas, and only show existential ones.
    Branching,
}

/// An operand: an operation, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Operand(u32);

impl Operand {
    fn of(op: usize) -> Operand {
        Operand(u32::try_from(op << 1).expect("memory ends before two thousand million operations do"))
    }

    pub(super) fn op(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Operand {
    type Output = Operand;

    fn not(self) -> Operand {
        Operand(self.0 ^ 1)
    }
}

/// An operation on the truth vectors of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    True,
    Atom(Atom),
    And(Operand, Operand),
    Iff(Operand, Operand),
    Next(Operand),
    /// `a U b`
    Until(Operand, Operand),
    /// Within the first to the last number of steps.
    Within(u64, u64, Operand),
    /// `a U b` where `b` comes within the bounds.
    UntilWithin(u64, u64, Operand, Operand),
    Previous(Operand),
    /// `a S b`
    Since(Operand, Operand),
    /// Once or always within the bounds, back from the current state.
    Ago(u64, Option<u64>, bool, Operand),
    /// Open where its operand is false.
    NeverFalse(Operand),
}

impl Op {
    pub(super) fn for_each_operand(&self, mut look: impl FnMut(Operand)) {
        match *self {
            Op::True | Op::Atom(_) => {}
            Op::Next(a) | Op::Within(.., a) | Op::Previous(a) | Op::Ago(.., a) | Op::NeverFalse(a) => look(a),
            Op::And(a, b) | Op::Iff(a, b) | Op::Until(a, b) | Op::UntilWithin(.., a, b) | Op::Since(a, b) => {
                look(a);
                look(b);
            }
        }
    }
}

/// All operations, operands first.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) ops: IndexSet<Op, FxBuildHasher>,
    /// Which of them are atoms, with their numbers: every trace is judged by these first.
    pub(super) atoms: Vec<(usize, Atom)>,
    known: FxHashMap<ExprId, Operand>,
    quantifiers: Quantifiers,
}

impl Program {
    pub(super) fn new(quantifiers: Quantifiers) -> Program {
        Program { quantifiers, ..Program::default() }
    }

    /// Compiles a formula to an operand.
    pub(super) fn compile(&mut self, model: &TransitionSystem, formula: ExprId) -> Operand {
        if let Some(known) = self.known.get(&formula) {
            return *known;
        }
        let operand = stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.translate(model, formula));
        self.known.insert(formula, operand);
        operand
    }

    fn translate(&mut self, model: &TransitionSystem, formula: ExprId) -> Operand {
        let is_bool = |expr: &ExprId| *model.context.exprs.ty(*expr) == specwright_model::Ty::BOOL;
        match &model[formula] {
            Node::Const(specwright_model::Value::Bool(truth)) => self.constant(*truth),
            Node::Define(define) => self.compile(model, model.body(*define)),
            Node::Unary(op, a) if *op == UnaryOp::Not && is_bool(a) => !self.compile(model, *a),
            Node::Unary(op, a) if op.logic().is_some() => {
                let a = self.compile(model, *a);
                self.unary(*op, a)
            }
            Node::Binary(op, a, b) if op.logic().is_some() || (is_connective(*op) && is_bool(a) && is_bool(b)) => {
                let (a, b) = (self.compile(model, *a), self.compile(model, *b));
                self.binary(*op, a, b)
            }
            Node::Bounded(op, low, high, a) => {
                let a = self.compile(model, *a);
                let made = self.bounded(*op, *low, *high, a);
                self.quantified(made, matches!(op, BoundedOp::EBF | BoundedOp::EBG), op_is_ctl(*op))
            }
            Node::BoundedUntil(op, low, high, a, b) => {
                let (a, b) = (self.compile(model, *a), self.compile(model, *b));
                let made = if low > high { self.constant(false) } else { self.add(Op::UntilWithin(*low, *high, a, b)) };
                self.quantified(made, *op == specwright_model::op::BoundedUntilOp::EBU, true)
            }
            _ => {
                let (atom, negated) = Atom::new(model, formula);
                let operand = self.add(Op::Atom(atom));
                if negated { !operand } else { operand }
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Operand) -> Operand {
        use UnaryOp::{AF, AG, AX, EF, EG, EX, F, G, H, Neg, Not, O, X, Y, Z};
        let made = match op {
            X | EX | AX => self.next(a),
            F | EF | AF => self.eventually(a),
            G | EG | AG => !self.eventually(!a),
            Y => self.add(Op::Previous(a)),
            Z => !self.add(Op::Previous(!a)),
            O => self.once(a),
            H => !self.once(!a),
            Not | Neg => unreachable!("not temporal"),
        };
        self.quantified(made, matches!(op, EX | EF | EG), matches!(op, AX | AF | AG | EX | EF | EG))
    }

    fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        match op {
            BinaryOp::And => self.and(a, b),
            BinaryOp::Or => !self.and(!a, !b),
            BinaryOp::Implies => !self.and(a, !b),
            BinaryOp::Iff | BinaryOp::Xnor => self.iff(a, b),
            BinaryOp::Xor => !self.iff(a, b),
            BinaryOp::V => !self.add(Op::Until(!a, !b)),
            BinaryOp::S => self.add(Op::Since(a, b)),
            BinaryOp::T => !self.add(Op::Since(!a, !b)),
            BinaryOp::U | BinaryOp::EU | BinaryOp::AU => {
                let made = self.add(Op::Until(a, b));
                self.quantified(made, op == BinaryOp::EU, op != BinaryOp::U)
            }
            _ => unreachable!("neither temporal nor a connective"),
        }
    }

    /// Bounded temporal operators; `H` is false where there are fewer states to look back at.
    fn bounded(&mut self, op: BoundedOp, low: u64, high: Option<u64>, a: Operand) -> Operand {
        let any = matches!(op, BoundedOp::F | BoundedOp::EBF | BoundedOp::ABF | BoundedOp::O);
        if high.is_some_and(|high| high < low) {
            return self.constant(!any);
        }
        if matches!(op, BoundedOp::O | BoundedOp::H) {
            return self.add(Op::Ago(low, high, any, a));
        }
        let a = if any { a } else { !a };
        let made = if let Some(high) = high {
            self.add(Op::Within(low, high, a))
        } else {
            let made = self.eventually(a);
            if low == 0 { made } else { self.add(Op::Within(low, low, made)) }
        };
        if any { made } else { !made }
    }

    fn quantified(&mut self, made: Operand, some: bool, ctl: bool) -> Operand {
        match (self.quantifiers, ctl, some) {
            (Quantifiers::Path, ..) | (_, false, _) => made,
            (Quantifiers::Branching, true, true) => self.add(Op::NeverFalse(made)),
            (Quantifiers::Branching, true, false) => !self.add(Op::NeverFalse(!made)),
        }
    }

    pub(super) fn constant(&mut self, truth: bool) -> Operand {
        let yes = self.add(Op::True);
        if truth { yes } else { !yes }
    }

    fn and(&mut self, a: Operand, b: Operand) -> Operand {
        let yes = self.constant(true);
        match (a.min(b), a.max(b)) {
            (a, b) if a == b => a,
            (a, b) if a == yes => b,
            (a, b) if b == yes => a,
            (a, b) if a == !yes || b == !yes => !yes,
            (a, b) => self.add(Op::And(a, b)),
        }
    }

    fn iff(&mut self, a: Operand, b: Operand) -> Operand {
        // Negations of both operands are moved to the result.
        let plain = |operand: Operand| if operand.negated() { !operand } else { operand };
        let (c, d) = (plain(a), plain(b));
        let made = self.add(Op::Iff(c.min(d), c.max(d)));
        if a.negated() == b.negated() { made } else { !made }
    }

    fn next(&mut self, a: Operand) -> Operand {
        if a.negated() { !self.add(Op::Next(!a)) } else { self.add(Op::Next(a)) }
    }

    fn eventually(&mut self, a: Operand) -> Operand {
        let yes = self.constant(true);
        self.add(Op::Until(yes, a))
    }

    fn once(&mut self, a: Operand) -> Operand {
        let yes = self.constant(true);
        self.add(Op::Since(yes, a))
    }

    fn add(&mut self, op: Op) -> Operand {
        let (index, is_new) = self.ops.insert_full(op);
        if let Op::Atom(atom) = op
            && is_new
        {
            self.atoms.push((index, atom));
        }
        Operand::of(index)
    }

    /// For each operation, the number of times a loop must be unrolled before its past operators are stable; 0 without
    /// any.
    pub(super) fn past_depth(&self) -> Vec<u64> {
        let mut depths: Vec<u64> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let of = |operand: &Operand| depths[operand.op()];
            depths.push(match op {
                Op::True | Op::Atom(_) => 0,
                Op::Next(a) | Op::Within(.., a) | Op::NeverFalse(a) => of(a),
                Op::And(a, b) | Op::Iff(a, b) | Op::Until(a, b) | Op::UntilWithin(.., a, b) => of(a).max(of(b)),
                Op::Previous(a) => of(a).saturating_add(1),
                Op::Since(a, b) => of(a).max(of(b)).saturating_add(1),
                Op::Ago(low, high, _, a) => of(a).saturating_add(high.unwrap_or(*low)).saturating_add(1),
            });
        }
        depths
    }
}

fn is_connective(op: BinaryOp) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    matches!(op, And | Or | Implies | Iff | Xnor | Xor)
}

fn op_is_ctl(op: BoundedOp) -> bool {
    matches!(op, BoundedOp::EBF | BoundedOp::EBG | BoundedOp::ABF | BoundedOp::ABG)
}
