//! Goals as steps on bit vectors, for many states at once.
//!
//! A goal asks where its formula is true. That needs one of the two truth vectors of most parts, and neither of some, so each
//! is computed on its own, if it is needed. A vector is dropped after its last use, and its room is used again: what mutants
//! do not share stays in the processor's cache.

use super::atom::Atom;
use super::program::{Op, Operand, Program};

/// The number of a bit vector: those of atoms come first, two for each.
pub(super) type Vector = usize;

/// A truth vector of an operation: twice its number, plus one for where it is false.
type Plane = usize;

/// One step of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Writes a vector.
    Compute(Vector, Compute),
    /// Reads the answer to a goal.
    Read(GoalRead),
}

/// Where the answer to a goal is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalRead {
    pub(super) goal: usize,
    pub(super) vector: Vector,
    /// Whether any state of the trace counts, or only the first one.
    pub(super) anywhere: bool,
    /// The number of times a loop must be unrolled for it.
    pub(super) past: u64,
}

/// How a vector is computed from others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compute {
    All,
    None,
    And(Vector, Vector),
    Or(Vector, Vector),
    /// The first and the second, or the third and the fourth.
    Either([Vector; 4]),
    Next(Vector),
    Until(Vector, Vector),
    NotUntil(Vector, Vector),
    Previous(Vector, bool),
    Since(Vector, Vector),
    NotSince(Vector, Vector),
    /// A bounded operator: both truth vectors of its operands, and whether the result is where it is true.
    Bounded(Op, [Vector; 4], bool),
}

/// The evaluation of all goals.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) atoms: Vec<Atom>,
    pub(super) steps: Vec<Step>,
    pub(super) n_vectors: usize,
    pub(super) n_goals: usize,
}

impl Plan {
    /// The plan for goals: the operand that must be true, whether in any state, and its need for unrolled loops.
    pub(super) fn new(program: &Program, goals: impl Iterator<Item = (Operand, bool, u64)>) -> Plan {
        let mut planner = Planner::new(program);
        let mut plan = Plan::default();
        for (goal, (operand, anywhere, past)) in goals.enumerate() {
            let (operand, anywhere) = simplified(program, operand, anywhere);
            let plane = planner.plane(operand, true);
            planner.reads[plane / 2].push((plane, goal, anywhere, past));
            planner.n_uses[plane] += 1;
            plan.n_goals += 1;
        }
        planner.count_uses();
        planner.emit(&mut plan);
        plan
    }
}

/// An equal goal that takes fewer steps: something is true eventually if it is true anywhere.
fn simplified(program: &Program, mut operand: Operand, mut anywhere: bool) -> (Operand, bool) {
    while !operand.negated() {
        match program.ops[operand.op()] {
            Op::NeverFalse(a) => operand = a,
            Op::Until(a, b) if !a.negated() && program.ops[a.op()] == Op::True => (operand, anywhere) = (b, true),
            _ => break,
        }
    }
    (operand, anywhere)
}

struct Planner<'p> {
    program: &'p Program,
    /// For each plane, the number of uses that are left.
    n_uses: Vec<u32>,
    /// For each plane, its vector.
    vectors: Vec<Vector>,
    /// For each operation, the goals that are read from its planes.
    reads: Vec<Vec<(Plane, usize, bool, u64)>>,
    free: Vec<Vector>,
}

impl<'p> Planner<'p> {
    fn new(program: &'p Program) -> Planner<'p> {
        let n_ops = program.ops.len();
        let (n_uses, vectors) = (vec![0; 2 * n_ops], vec![0; 2 * n_ops]);
        Planner { program, n_uses, vectors, reads: vec![Vec::new(); n_ops], free: Vec::new() }
    }

    /// The truth vector of an operand: where it is true, or where it is false.
    fn plane(&self, mut operand: Operand, yes: bool) -> Plane {
        loop {
            let is_yes = yes != operand.negated();
            match self.program.ops[operand.op()] {
                Op::NeverFalse(a) if is_yes => operand = if operand.negated() { !a } else { a },
                _ => return 2 * operand.op() + usize::from(!is_yes),
            }
        }
    }

    fn operands(&self, plane: Plane) -> ([Plane; 4], usize) {
        let yes = plane.is_multiple_of(2);
        let both = |a: Operand| (self.plane(a, true), self.plane(a, false));
        match self.program.ops[plane / 2] {
            Op::True | Op::Atom(_) | Op::NeverFalse(_) => ([0; 4], 0),
            Op::Next(a) | Op::Previous(a) => ([self.plane(a, yes), 0, 0, 0], 1),
            Op::And(a, b) | Op::Until(a, b) | Op::Since(a, b) => ([self.plane(a, yes), self.plane(b, yes), 0, 0], 2),
            Op::Iff(a, b) => {
                let ((a_yes, a_no), (b_yes, b_no)) = (both(a), both(b));
                (if yes { [a_yes, b_yes, a_no, b_no] } else { [a_yes, b_no, a_no, b_yes] }, 4)
            }
            Op::UntilWithin(.., a, b) => {
                let ((a_yes, a_no), (b_yes, b_no)) = (both(a), both(b));
                ([a_yes, a_no, b_yes, b_no], 4)
            }
            Op::Within(.., a) | Op::Ago(.., a) => {
                let (a_yes, a_no) = both(a);
                ([a_yes, a_no, 0, 0], 2)
            }
        }
    }

    /// Counts the uses of all planes that goals need. Operands come before what they are operands of.
    fn count_uses(&mut self) {
        for plane in (0..self.n_uses.len()).rev() {
            if self.n_uses[plane] > 0 {
                let (operands, n) = self.operands(plane);
                operands[..n].iter().for_each(|operand| self.n_uses[*operand] += 1);
            }
        }
    }

    fn emit(&mut self, plan: &mut Plan) {
        for (op, code) in self.program.ops.iter().enumerate() {
            if let Op::Atom(atom) = code
                && (self.n_uses[2 * op] > 0 || self.n_uses[2 * op + 1] > 0)
            {
                (self.vectors[2 * op], self.vectors[2 * op + 1]) = (plan.n_vectors, plan.n_vectors + 1);
                plan.atoms.push(*atom);
                plan.n_vectors += 2;
            }
        }
        for op in 0..self.program.ops.len() {
            for plane in [2 * op, 2 * op + 1] {
                if self.n_uses[plane] > 0 && !self.is_atom(plane) {
                    self.emit_plane(plan, plane);
                }
            }
            for (plane, goal, anywhere, past) in std::mem::take(&mut self.reads[op]) {
                plan.steps.push(Step::Read(GoalRead { goal, vector: self.vectors[plane], anywhere, past }));
                self.release(plane);
            }
        }
    }

    fn emit_plane(&mut self, plan: &mut Plan, plane: Plane) {
        let (planes, n) = self.operands(plane);
        let v = planes.map(|plane| self.vectors[plane]);
        let yes = plane.is_multiple_of(2);
        let code = self.program.ops[plane / 2];
        let compute = match code {
            Op::True if yes => Compute::All,
            Op::True | Op::NeverFalse(_) => Compute::None,
            Op::And(..) if yes => Compute::And(v[0], v[1]),
            Op::And(..) => Compute::Or(v[0], v[1]),
            Op::Iff(..) => Compute::Either(v),
            Op::Next(_) => Compute::Next(v[0]),
            Op::Until(..) if yes => Compute::Until(v[0], v[1]),
            Op::Until(..) => Compute::NotUntil(v[0], v[1]),
            Op::Previous(_) => Compute::Previous(v[0], !yes),
            Op::Since(..) if yes => Compute::Since(v[0], v[1]),
            Op::Since(..) => Compute::NotSince(v[0], v[1]),
            Op::Within(..) | Op::UntilWithin(..) | Op::Ago(..) => Compute::Bounded(code, v, yes),
            Op::Atom(_) => unreachable!("atoms are evaluated first"),
        };
        // The result never overwrites an operand.
        let vector = self.free.pop().unwrap_or_else(|| {
            plan.n_vectors += 1;
            plan.n_vectors - 1
        });
        self.vectors[plane] = vector;
        plan.steps.push(Step::Compute(vector, compute));
        planes[..n].iter().for_each(|operand| self.release(*operand));
    }

    /// Counts one use less; the room of a vector without further uses is free.
    fn release(&mut self, plane: Plane) {
        self.n_uses[plane] -= 1;
        if self.n_uses[plane] == 0 && !self.is_atom(plane) {
            self.free.push(self.vectors[plane]);
        }
    }

    fn is_atom(&self, plane: Plane) -> bool {
        matches!(self.program.ops[plane / 2], Op::Atom(_))
    }
}
