//! And-inverter graphs: Boolean functions built of conjunctions and negations.
//!
//! Equal gates are one node, and what constants decide is decided when a gate is made. Parts have smaller numbers than the
//! whole, so the order of the nodes is topological.

use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Not;

/// A node of a graph, or its negation: the literal of AIGER, `2 * node + negation`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(u32);

impl Signal {
    /// The constant false.
    pub const FALSE: Signal = Signal(0);
    /// The constant true.
    pub const TRUE: Signal = Signal(1);

    /// A constant.
    pub fn constant(value: bool) -> Signal {
        Signal(u32::from(value))
    }

    /// The signal of a node, or its negation.
    pub fn new(node: u32, is_negated: bool) -> Signal {
        Signal(2 * node + u32::from(is_negated))
    }

    /// The number of the node.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal of AIGER.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.node() == 0).then_some(self.is_negated())
    }

    /// Negated if the condition holds.
    #[must_use]
    pub fn negate_if(self, condition: bool) -> Signal {
        Signal(self.0 ^ u32::from(condition))
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant false: node 0.
    False,
    /// An input, with its place among the inputs.
    Input(u32),
    /// A conjunction; the smaller signal comes first.
    And(Signal, Signal),
}

/// An and-inverter graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    inputs: Vec<Signal>,
    gates: FxHashMap<(Signal, Signal), u32>,
}

impl Default for Aig {
    /// The graph of the constants.
    fn default() -> Aig {
        Aig { nodes: vec![Node::False], inputs: Vec::new(), gates: FxHashMap::default() }
    }
}

impl Aig {
    /// The number of nodes, the constant included.
    #[expect(clippy::len_without_is_empty, reason = "there is always the constant")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of conjunctions.
    pub fn n_gates(&self) -> usize {
        self.gates.len()
    }

    /// Forgets all gates from a node on. There must be no inputs among them.
    pub fn truncate(&mut self, n_nodes: usize) {
        self.nodes.truncate(n_nodes);
        self.gates.retain(|_, node| (*node as usize) < n_nodes);
    }

    /// The inputs, in the order in which they were made.
    pub fn inputs(&self) -> &[Signal] {
        &self.inputs
    }

    /// What a node is.
    pub fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    /// A new input.
    pub fn input(&mut self) -> Signal {
        let signal = self.push(Node::Input(self.inputs.len() as u32));
        self.inputs.push(signal);
        signal
    }

    fn push(&mut self, node: Node) -> Signal {
        let index = u32::try_from(self.nodes.len()).ok().filter(|index| *index < u32::MAX / 2);
        let signal = Signal::new(index.expect("a graph has less than two thousand million nodes"), false);
        self.nodes.push(node);
        signal
    }

    /// The operands of a conjunction.
    fn operands(&self, signal: Signal) -> Option<(Signal, Signal)> {
        match self.node(signal.node()) {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// Both.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Signal::FALSE || a == !b {
            return Signal::FALSE;
        }
        if a == Signal::TRUE || a == b {
            return b;
        }
        for (one, other) in [(a, b), (b, a)] {
            let Some((x, y)) = self.operands(other) else { continue };
            match other.is_negated() {
                // Absorption, contradiction and substitution.
                false if one == x || one == y => return other,
                false if one == !x || one == !y => return Signal::FALSE,
                true if one == !x || one == !y => return one,
                true if one == x => return self.and(one, !y),
                true if one == y => return self.and(one, !x),
                _ => {}
            }
        }
        if let Some(node) = self.gates.get(&(a, b)) {
            return Signal::new(*node, false);
        }
        let signal = self.push(Node::And(a, b));
        self.gates.insert((a, b), signal.node());
        signal
    }

    /// One of them, or both.
    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    /// The first implies the second.
    pub fn implies(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(a, !b)
    }

    /// Exactly one of them.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        self.ite(a, !b, b)
    }

    /// Both or none of them.
    pub fn iff(&mut self, a: Signal, b: Signal) -> Signal {
        self.ite(a, b, !b)
    }

    /// The second where the first holds, the third elsewhere.
    pub fn ite(&mut self, condition: Signal, then: Signal, otherwise: Signal) -> Signal {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            // One shape for all ways to write that two signals are equal.
            let (a, b) = (condition.negate_if(condition.is_negated()), then.negate_if(then.is_negated()));
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            let (both, none) = (self.and(a, b), self.and(!a, !b));
            let differ = self.and(!both, !none);
            return (!differ).negate_if(condition.is_negated() ^ then.is_negated());
        }
        let (yes, no) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(yes, no)
    }

    /// All of them.
    pub fn all(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        signals.into_iter().fold(Signal::TRUE, |all, signal| self.and(all, signal))
    }

    /// At least one of them.
    pub fn any(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        signals.into_iter().fold(Signal::FALSE, |any, signal| self.or(any, signal))
    }

    /// The nodes that some signals depend on, parts before wholes.
    pub fn cone(&self, roots: impl IntoIterator<Item = Signal>) -> Vec<u32> {
        let mut is_seen = vec![false; self.nodes.len()];
        let mut open: Vec<u32> = roots.into_iter().map(Signal::node).collect();
        let mut cone = Vec::new();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_seen[node as usize], true) {
                cone.push(node);
                if let Node::And(a, b) = self.node(node) {
                    open.extend([a.node(), b.node()]);
                }
            }
        }
        cone.sort_unstable();
        cone
    }

    /// The value of every node, for 64 assignments at once: one word for each input.
    ///
    /// ```
    /// # use specwright_sat::{Aig, value};
    /// let mut aig = Aig::default();
    /// let (a, b) = (aig.input(), aig.input());
    /// let both = aig.and(a, b);
    /// let values = aig.simulate(&[0b0011, 0b0101]);
    /// assert_eq!(value(&values, both), 0b0001);
    /// assert_eq!(value(&values, !both), !0b0001);
    /// ```
    pub fn simulate(&self, inputs: &[u64]) -> Vec<u64> {
        let mut values = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            values.push(match *node {
                Node::False => 0,
                Node::Input(place) => inputs[place as usize],
                Node::And(a, b) => value(&values, a) & value(&values, b),
            });
        }
        values
    }
}

/// The value of a signal, given those of the nodes.
pub fn value(nodes: &[u64], signal: Signal) -> u64 {
    let value = nodes[signal.node() as usize];
    if signal.is_negated() { !value } else { value }
}
