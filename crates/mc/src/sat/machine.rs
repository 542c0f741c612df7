//! The machine of a model as signals of a graph: initial states, invariants and steps.

use super::circuit::{Circuit, Wires};
use super::netlist::Netlist;
use crate::bdd::Limit;
use crate::conform::Place;
use crate::encode::{Algebra, Encoder, Fault, FaultKind, Function, Memo, Time, valid};
use crate::symbolic::encoding::machine::operands;
use specwright_model::model::{Assign, AssignKind, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, SourcedExpr, TransitionSystem, VarId};
use specwright_sat::{Aig, Node, Signal};

/// Initial states and steps.
pub(crate) struct Machine {
    pub(crate) circuit: Circuit,
    pub(crate) wires: Wires,
    /// The bits of states in the order in which choices are made: variables as declared, the most significant bit first.
    pub(crate) bits: Vec<Bit>,
    /// For each bit of a state its next value, if there is one.
    pub(crate) functions: Vec<Option<NextBit>>,
    /// The bits of inputs in the same order.
    pub(crate) inputs: Vec<Signal>,
    /// The initial states.
    pub(crate) init: Signal,
    /// What every state satisfies, valid codes included.
    pub(crate) invar: Signal,
    /// What a step satisfies, in pieces; the valid codes of its inputs are one of them.
    pub(crate) pieces: Vec<Piece>,
    /// What proofs describe states by.
    pub(crate) netlist: Netlist,
    /// Whether every state has a successor, as the pieces show.
    pub(crate) is_total: bool,
    /// Whether all infinite paths are fair.
    pub(crate) is_fair: bool,
}

/// A bit of a state.
#[derive(Clone, Copy)]
pub(crate) struct Bit {
    pub(crate) now: Signal,
    /// The same signal for frozen variables.
    pub(crate) next: Signal,
}

/// The value of a bit after a step.
#[derive(Clone, Copy)]
pub(crate) struct NextBit {
    pub(crate) value: Signal,
    /// Whether the bit has this value in every state: it depends on the next values of other bits then.
    pub(crate) is_always: bool,
}

/// A part of what a step satisfies.
pub(crate) struct Piece {
    pub(crate) signal: Signal,
    /// The bits of the next state that it is there for. Whatever else is chosen, values for these exist; so where none of
    /// them matters, neither does the piece. A constraint has none, and always matters.
    pub(crate) owns: Vec<usize>,
    /// The bits of the next state that it depends on.
    pub(crate) mentions: Vec<usize>,
    /// Whether it says that what every state satisfies holds in the next state.
    pub(crate) is_invar: bool,
    /// Whether the state before restricts the bits that it owns.
    pub(crate) is_choice: bool,
}

/// What may be wrong with a part of the model: where it has no value, for the valid codes of all variables.
pub(crate) struct Doubt {
    pub(crate) site: SourcedExpr,
    pub(crate) var: Option<VarId>,
    pub(crate) fault: Fault<Signal>,
}

/// Builds the machine. Also gives the valid codes of all variables, now and next, and what may be wrong.
pub(crate) fn build(
    system: &TransitionSystem,
    max_nodes: usize,
    memo: &mut Memo<Circuit>,
) -> Result<(Machine, Signal, Vec<Doubt>), Limit> {
    let circuit = Circuit::new(max_nodes);
    let wires = Wires::new(system, &circuit);
    let mut builder = Builder { encoder: Encoder::new(system, &wires, &circuit, memo), doubts: Vec::new() };
    let parts = builder.parts()?;
    let doubts = builder.doubts;
    let Parts { bits, functions, inputs, start, init, invar, valid, pieces, is_total } = parts;
    let pieces: Vec<Piece> = {
        let aig = circuit.aig();
        pieces.into_iter().flat_map(|piece| cut(&aig, &bits, &piece)).collect()
    };
    let netlist = Netlist::new(&circuit.aig(), &bits, &functions, &pieces, start);
    let is_fair = system.justice.is_empty() && system.compassion.is_empty();
    let machine = Machine { circuit, wires, bits, functions, inputs, init, invar, pieces, netlist, is_total, is_fair };
    Ok((machine, valid, doubts))
}

struct Parts {
    bits: Vec<Bit>,
    functions: Vec<Option<NextBit>>,
    inputs: Vec<Signal>,
    /// The initial states, apart from what every state satisfies.
    start: Signal,
    init: Signal,
    invar: Signal,
    valid: Signal,
    pieces: Vec<Uncut>,
    is_total: bool,
}

/// A part of what a step satisfies that may fall into pieces.
struct Uncut {
    signal: Signal,
    owns: Vec<usize>,
    is_invar: bool,
    is_choice: bool,
}

impl Uncut {
    fn new(signal: Signal, owns: Vec<usize>) -> Uncut {
        Uncut { signal, owns, is_invar: false, is_choice: false }
    }
}

struct Builder<'a> {
    encoder: Encoder<'a, Circuit>,
    doubts: Vec<Doubt>,
}

impl Builder<'_> {
    fn parts(&mut self) -> Result<Parts, Limit> {
        let system = self.encoder.system;
        let circuit = self.encoder.manager.clone();
        let (mut bits, mut inputs, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        let mut functions = Vec::new();
        let (mut invar, mut valid_codes) = (Signal::TRUE, Signal::TRUE);
        for (id, var) in system.vars() {
            let now = valid(&circuit, &var.domain, self.encoder.layout.of(id, Time::Now))?;
            valid_codes = circuit.and(&valid_codes, &now)?;
            if var.kind == VarKind::Input {
                inputs.extend(self.encoder.layout.of(id, Time::Now));
                pieces.push(Uncut::new(now, Vec::new()));
                continue;
            }
            invar = circuit.and(&invar, &now)?;
            let first = bits.len();
            let (now, next) = (self.encoder.layout.of(id, Time::Now), self.encoder.layout.of(id, Time::Next));
            bits.extend(now.iter().zip(next).map(|(now, next)| Bit { now: *now, next: *next }));
            functions.resize(bits.len(), None);
            let code = valid(&circuit, &var.domain, next)?;
            valid_codes = circuit.and(&valid_codes, &code)?;
            if var.kind == VarKind::Frozen {
                continue;
            }
            let owns: Vec<usize> = (first..bits.len()).collect();
            let assign = system.assigns.iter().find(|assign| assign.var == id && assign.kind != AssignKind::Init);
            let Some(assign) = assign else {
                pieces.push(Uncut::new(code, owns));
                continue;
            };
            if let Some(values) = self.next_code(assign)? {
                for (bit, value) in owns.iter().zip(values) {
                    pieces.push(Uncut::new(circuit.iff(&bits[*bit].next, &value)?, vec![*bit]));
                    let is_always = assign.kind == AssignKind::Always;
                    functions[*bit] = Some(NextBit { value, is_always });
                }
            } else {
                let chosen = self.assigned(assign, Time::Next)?;
                let is_choice = assign.kind == AssignKind::Next;
                pieces.push(Uncut { is_choice, ..Uncut::new(circuit.and(&chosen, &code)?, owns) });
            }
        }
        let mut init = Signal::TRUE;
        for assign in &system.assigns {
            let now = match assign.kind {
                AssignKind::Init => &mut init,
                AssignKind::Always => &mut invar,
                AssignKind::Next => continue,
            };
            *now = circuit.and(now, &self.assigned(assign, Time::Now)?)?;
        }
        for written in &system.invar {
            invar = circuit.and(&invar, &self.condition(written, Time::Now)?)?;
            let holds = self.condition(written, Time::Next)?;
            pieces.push(Uncut { is_invar: true, ..Uncut::new(holds, Vec::new()) });
        }
        for written in &system.init {
            init = circuit.and(&init, &self.condition(written, Time::Now)?)?;
        }
        for written in &system.trans {
            for expr in operands(system, written.expr, BinaryOp::And) {
                let conjunct = SourcedExpr { expr, spans: written.spans.clone() };
                pieces.push(Uncut::new(self.condition(&conjunct, Time::Now)?, Vec::new()));
            }
        }
        let fairness = system.compassion.iter().flat_map(|(cause, effect)| [cause, effect]);
        for written in system.justice.iter().chain(fairness) {
            self.condition(written, Time::Now)?;
        }
        let start = init;
        init = circuit.and(&init, &invar)?;
        let is_total = system.invar.is_empty() && system.trans.is_empty();
        Ok(Parts { bits, functions, inputs, start, init, invar, valid: valid_codes, pieces, is_total })
    }

    /// The bits of the next value of a variable, if there is one next value.
    fn next_code(&mut self, assign: &Assign) -> Result<Option<Vec<Signal>>, Limit> {
        let system = self.encoder.system;
        if system.context.exprs.ty(assign.value.expr).is_set() {
            return Ok(None);
        }
        let time = if assign.kind == AssignKind::Next { Time::Now } else { Time::Next };
        self.offers(assign, time)?;
        let coded = self.encoder.eval(assign.value.expr, time)?;
        coded.value.code(&system[assign.var].domain, &self.encoder.manager).map(Some)
    }

    /// Where a variable has one of the values that an assignment offers: now, or in the next state.
    fn assigned(&mut self, assign: &Assign, time: Time) -> Result<Signal, Limit> {
        let value_time = if assign.kind == AssignKind::Next { Time::Now } else { time };
        let offers = self.offers(assign, value_time)?;
        let target = self.encoder.var(assign.var, time)?;
        self.encoder.is_offered(&target, &offers)
    }

    fn offers(&mut self, assign: &Assign, time: Time) -> Result<Vec<crate::encode::Offer<Signal>>, Limit> {
        let mut faults = Vec::new();
        let offers = self.encoder.offers(assign.value.expr, time, &mut faults)?;
        let outside = self.encoder.offers_outside(&offers, &self.encoder.system[assign.var].domain)?;
        faults.push(Fault { expr: assign.value.expr, kind: FaultKind::OutOfRange, when: outside });
        self.note(&assign.value, Some(assign.var), faults);
        Ok(offers)
    }

    fn condition(&mut self, written: &SourcedExpr, time: Time) -> Result<Signal, Limit> {
        let (condition, faults) = self.encoder.condition(written.expr, time)?;
        self.note(written, None, faults);
        Ok(condition)
    }

    fn note(&mut self, site: &SourcedExpr, var: Option<VarId>, faults: Vec<Fault<Signal>>) {
        let possible = faults.into_iter().filter(|fault| !fault.when.is_false());
        self.doubts.extend(possible.map(|fault| Doubt { site: site.clone(), var, fault }));
    }
}

/// What a part of the model demands: of initial states, of all states, and of steps.
pub(crate) struct Demand {
    pub(crate) place: Place,
    pub(crate) init: Signal,
    pub(crate) states: Signal,
    pub(crate) steps: Signal,
}

/// The demands of all parts of a model. Valid codes are no part of them.
pub(crate) fn demands(
    system: &TransitionSystem,
    machine: &Machine,
    memo: &mut Memo<Circuit>,
) -> Result<Vec<Demand>, Limit> {
    let mut builder =
        Builder { encoder: Encoder::new(system, &machine.wires, &machine.circuit, memo), doubts: Vec::new() };
    let nothing = |place| Demand { place, init: Signal::TRUE, states: Signal::TRUE, steps: Signal::TRUE };
    let mut demands = Vec::new();
    for (index, assign) in system.assigns.iter().enumerate() {
        let mut demand = nothing(Place::Assign(index));
        match assign.kind {
            AssignKind::Init => demand.init = builder.assigned(assign, Time::Now)?,
            AssignKind::Next => demand.steps = builder.assigned(assign, Time::Next)?,
            AssignKind::Always => {
                demand.states = builder.assigned(assign, Time::Now)?;
                demand.steps = builder.assigned(assign, Time::Next)?;
            }
        }
        demands.push(demand);
    }
    for (index, written) in system.invar.iter().enumerate() {
        let (states, steps) = (builder.condition(written, Time::Now)?, builder.condition(written, Time::Next)?);
        demands.push(Demand { states, steps, ..nothing(Place::Invar(index)) });
    }
    for (index, written) in system.init.iter().enumerate() {
        demands.push(Demand { init: builder.condition(written, Time::Now)?, ..nothing(Place::Init(index)) });
    }
    for (index, written) in system.trans.iter().enumerate() {
        demands.push(Demand { steps: builder.condition(written, Time::Now)?, ..nothing(Place::Trans(index)) });
    }
    Ok(demands)
}

/// A piece as the pieces of which all have to hold.
fn cut(aig: &Aig, bits: &[Bit], piece: &Uncut) -> Vec<Piece> {
    let Uncut { signal, ref owns, is_invar, is_choice } = *piece;
    let (mut open, mut found) = (vec![signal], Vec::new());
    while let Some(signal) = open.pop() {
        match aig.node(signal.node()) {
            // Values for what a choice owns exist for all of it together.
            Node::And(a, b) if !signal.is_negated() && owns.is_empty() => open.extend([b, a]),
            Node::False if signal == Signal::TRUE => {}
            _ => {
                let cone = aig.cone([signal]);
                let is_mentioned = |bit: &Bit| bit.next != bit.now && cone.binary_search(&bit.next.node()).is_ok();
                let mentions = (0..bits.len()).filter(|bit| is_mentioned(&bits[*bit])).collect();
                found.push(Piece { signal, owns: owns.clone(), mentions, is_invar, is_choice });
            }
        }
    }
    found
}

/// The expression in a state or step, as signals: where it is true, and where it is false. Elsewhere it is undefined.
pub(crate) fn truth(
    system: &TransitionSystem,
    machine: &Machine,
    memo: &mut Memo<Circuit>,
    expr: ExprId,
    time: Time,
) -> Result<Truth, Limit> {
    let mut encoder = Encoder::new(system, &machine.wires, &machine.circuit, memo);
    let (holds, faults) = encoder.condition(expr, time)?;
    let mut undefined = Signal::FALSE;
    for fault in faults {
        undefined = machine.circuit.or(&undefined, &fault.when)?;
    }
    let yes = machine.circuit.diff(&holds, &undefined)?;
    let no = machine.circuit.diff(&!holds, &undefined)?;
    Ok(Truth { yes, no, undefined })
}

/// Where an expression is true, where it is false, and where it is neither.
pub(crate) struct Truth {
    pub(crate) yes: Signal,
    pub(crate) no: Signal,
    pub(crate) undefined: Signal,
}
