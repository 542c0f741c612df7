//! From graphs to clauses.
//!
//! A gate gets a variable of the solver, and clauses for the polarity in which it is needed: if only its truth has
//! consequences, nothing follows from its falsehood. Choices between two signals are one gate with three operands.

use crate::aig::{Aig, Node, Signal};
use crate::solver::{Lit, Solver};

/// One instance of a graph in a solver. Several instances may share variables: [`bind`](Clauses::bind) connects them.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// For each node, its literal.
    lits: Vec<Option<Lit>>,
    /// For each node, the polarities that have clauses.
    done: Vec<[bool; 2]>,
}

/// What a node means to the solver.
enum Gate {
    Leaf,
    And(Signal, Signal),
    Choice(Signal, Signal, Signal),
}

impl Clauses {
    /// Gives a signal a literal of the solver, before anything that depends on it is required. Inputs, and whatever else
    /// is to be cut off, are bound so; others get variables of their own.
    pub fn bind(&mut self, signal: Signal, lit: Lit) {
        let node = signal.node() as usize;
        self.make_room(node);
        self.lits[node] = Some(lit.negate_if(signal.is_negated()));
        self.done[node] = [true; 2];
    }

    /// The literal of a signal, if it has one.
    pub fn lit(&self, signal: Signal) -> Option<Lit> {
        let lit = self.lits.get(signal.node() as usize).copied().flatten();
        lit.map(|lit| lit.negate_if(signal.is_negated()))
    }

    /// The value of an input, or of what was bound, in the solution of a solver; false if nothing depends on it.
    pub fn value(&self, signal: Signal, solver: &impl Solver) -> bool {
        match signal.as_constant() {
            Some(value) => value,
            None => self.lit(signal).map_or(signal.is_negated(), |lit| solver.value(lit)),
        }
    }

    /// A literal from which a signal follows.
    pub fn require(&mut self, aig: &Aig, signal: Signal, solver: &mut impl Solver) -> Lit {
        self.emit(aig, signal, &[true], solver)
    }

    /// A literal that is true where the signal is, and only there.
    pub fn define(&mut self, aig: &Aig, signal: Signal, solver: &mut impl Solver) -> Lit {
        self.emit(aig, signal, &[true, false], solver)
    }

    /// Makes a signal true for good.
    pub fn assert(&mut self, aig: &Aig, signal: Signal, solver: &mut impl Solver) {
        let mut open = vec![signal];
        while let Some(signal) = open.pop() {
            if self.lit(signal).is_none()
                && let (false, Node::And(a, b)) = (signal.is_negated(), aig.node(signal.node()))
            {
                open.extend([b, a]);
            } else if signal != Signal::TRUE {
                let clause = self.disjunction(aig, signal, solver);
                solver.add_clause(&clause);
            }
        }
    }

    /// A clause from which a signal follows.
    fn disjunction(&mut self, aig: &Aig, signal: Signal, solver: &mut impl Solver) -> Vec<Lit> {
        let mut clause = Vec::new();
        let mut open = vec![signal];
        while let Some(signal) = open.pop() {
            if self.lit(signal).is_none()
                && signal.is_negated()
                && let Gate::And(a, b) = gate(aig, signal.node())
            {
                open.extend([!b, !a]);
            } else if signal != Signal::FALSE {
                clause.push(self.require(aig, signal, solver));
            }
        }
        clause
    }

    fn emit(&mut self, aig: &Aig, signal: Signal, truths: &[bool], solver: &mut impl Solver) -> Lit {
        self.make_room(aig.len() - 1);
        // A node, and whether its truth has consequences or its falsehood.
        let mut open: Vec<(u32, bool)> =
            truths.iter().map(|truth| (signal.node(), *truth != signal.is_negated())).collect();
        while let Some((node, truth)) = open.pop() {
            if std::mem::replace(&mut self.done[node as usize][usize::from(truth)], true) {
                continue;
            }
            let need = |open: &mut Vec<(u32, bool)>, signal: Signal, truth: bool| {
                open.push((signal.node(), truth != signal.is_negated()));
            };
            let this = self.literal(node, solver);
            match gate(aig, node) {
                Gate::Leaf if node == 0 => {
                    self.done[0] = [true; 2];
                    solver.add_clause(&[!this]);
                }
                Gate::Leaf => {}
                Gate::And(a, b) => {
                    let (left, right) = (self.of(a, solver), self.of(b, solver));
                    if truth {
                        solver.add_definition(this, &[!this, left]);
                        solver.add_definition(this, &[!this, right]);
                    } else {
                        solver.add_definition(this, &[this, !left, !right]);
                    }
                    need(&mut open, a, truth);
                    need(&mut open, b, truth);
                }
                Gate::Choice(condition, then, otherwise) => {
                    let [when, yes, no] = [condition, then, otherwise].map(|part| self.of(part, solver));
                    let [this, yes, no] = [this, yes, no].map(|lit| lit.negate_if(!truth));
                    solver.add_definition(this, &[!this, !when, yes]);
                    solver.add_definition(this, &[!this, when, no]);
                    need(&mut open, condition, true);
                    need(&mut open, condition, false);
                    need(&mut open, then, truth);
                    need(&mut open, otherwise, truth);
                }
            }
        }
        self.of(signal, solver)
    }

    fn make_room(&mut self, node: usize) {
        if self.lits.len() <= node {
            self.lits.resize(node + 1, None);
            self.done.resize(node + 1, [false; 2]);
        }
    }

    fn literal(&mut self, node: u32, solver: &mut impl Solver) -> Lit {
        *self.lits[node as usize].get_or_insert_with(|| solver.new_var(false))
    }

    fn of(&mut self, signal: Signal, solver: &mut impl Solver) -> Lit {
        self.literal(signal.node(), solver).negate_if(signal.is_negated())
    }
}

fn gate(aig: &Aig, node: u32) -> Gate {
    let Node::And(a, b) = aig.node(node) else { return Gate::Leaf };
    if a.is_negated()
        && b.is_negated()
        && let (Node::And(c, then), Node::And(d, otherwise)) = (aig.node(a.node()), aig.node(b.node()))
    {
        // Neither `c & then` nor `!c & otherwise`.
        for (c, then) in [(c, then), (then, c)] {
            for (d, otherwise) in [(d, otherwise), (otherwise, d)] {
                if c == !d {
                    return Gate::Choice(c, !then, !otherwise);
                }
            }
        }
    }
    Gate::And(a, b)
}
