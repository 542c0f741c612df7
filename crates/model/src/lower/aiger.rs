//! AIGER circuits to [`Model`].
//!
//! An input is a state variable without assignments: its value belongs to the state in which gates and outputs read it.
//! A latch has an initial and a next value, a gate is a define, and an output is a define that testers see. A bad state
//! is an invariant, a justice property is a formula of LTL.

use crate::expr::{ExprId, Node, SourcedExpr};
use crate::interface::{Observable, Role};
use crate::model::{
    Assign, AssignKind, Define, DefineId, Model, Property, PropertyKind, TransitionSystem, Var, VarId, VarKind,
};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::{Domain, Value};
use rustc_hash::FxHashSet;
use specwright_syntax::aiger::ast::{Circuit, Named, Signal};
use specwright_syntax::budget::Budget;
use specwright_syntax::smv::is_reserved;
use specwright_syntax::span::Span;

/// The model of a circuit without errors. It keeps the budget.
pub fn lower(circuit: &Circuit, name: &str, budget: &Budget) -> Model {
    let system = TransitionSystem { budget: budget.clone(), ..TransitionSystem::default() };
    let mut lowering = Lowering {
        model: Model { name: name.into(), system, ..Model::default() },
        meaning: Vec::new(),
        taken: FxHashSet::default(),
    };
    lowering.variables(circuit);
    lowering.gates(circuit);
    lowering.latches(circuit);
    lowering.outputs(circuit);
    lowering.properties(circuit);
    lowering.model
}

struct Lowering {
    model: Model,
    /// The expression for each variable of the circuit that has one so far.
    meaning: Vec<Option<ExprId>>,
    /// The names in use.
    taken: FxHashSet<String>,
}

impl Lowering {
    /// A node of booleans, which is well-typed.
    fn make(&self, node: Node) -> ExprId {
        self.model.make(node).expect("everything in a circuit is boolean")
    }

    /// The value of a signal.
    fn value(&self, signal: Signal) -> SourcedExpr {
        if signal.variable() == 0 {
            let expr = self.make(Node::Const(Value::Bool(signal.is_inverted())));
            return SourcedExpr { expr, spans: [signal.span].into() };
        }
        let expr =
            self.meaning[signal.variable() as usize].expect("the parser sorts gates and finds what is undefined");
        let plain = SourcedExpr { expr, spans: [signal.span].into() };
        if signal.is_inverted() { self.not(&plain) } else { plain }
    }

    fn not(&self, operand: &SourcedExpr) -> SourcedExpr {
        self.unary(UnaryOp::Not, operand)
    }

    fn unary(&self, op: UnaryOp, operand: &SourcedExpr) -> SourcedExpr {
        let expr = self.make(Node::Unary(op, operand.expr));
        let spans = std::iter::once(operand.span()).chain(operand.spans.iter().copied()).collect();
        SourcedExpr { expr, spans }
    }

    fn and(&self, left: &SourcedExpr, right: &SourcedExpr, span: Span) -> SourcedExpr {
        let expr = self.make(Node::Binary(BinaryOp::And, left.expr, right.expr));
        let spans = std::iter::once(span).chain(left.spans.iter().chain(&*right.spans).copied()).collect();
        SourcedExpr { expr, spans }
    }

    fn set_meaning(&mut self, signal: Signal, node: Node) {
        let variable = signal.variable() as usize;
        let expr = self.make(node);
        if self.meaning.len() <= variable {
            self.meaning.resize(variable + 1, None);
        }
        self.meaning[variable] = Some(expr);
    }

    /// A name that is a word of expressions and not in use: the symbol, or the place of what it names, such as `i0`.
    fn name(&mut self, symbol: Option<&str>, place: String) -> String {
        let mut name = match symbol {
            Some(symbol) if !symbol.is_empty() => {
                symbol.chars().map(|c| if c.is_ascii_alphanumeric() || "_$#".contains(c) { c } else { '_' }).collect()
            }
            _ => place,
        };
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        while is_reserved(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn variable(&mut self, symbol: Option<&str>, place: String, signal: Signal, role: Role) {
        let var = VarId(self.model.vars.len() as u32);
        let name = self.name(symbol, place);
        if let Some(symbol) = symbol.filter(|symbol| *symbol != name && !symbol.is_empty()) {
            self.model.source.aliases.push((var, symbol.to_owned()));
        }
        self.model.vars.push(Var { name, domain: Domain::Bool, kind: VarKind::State, span: signal.span });
        self.model.set_role(var, role);
        self.set_meaning(signal, Node::Var(var));
    }

    fn variables(&mut self, circuit: &Circuit) {
        for (number, input) in circuit.inputs.iter().enumerate() {
            self.variable(input.name.as_deref(), format!("i{number}"), input.signal, Role::Input);
        }
        // A circuit without outputs shows its latches.
        let role = if circuit.outputs.is_empty() { Role::Output } else { Role::Internal };
        for (number, latch) in circuit.latches.iter().enumerate() {
            self.variable(latch.name.as_deref(), format!("l{number}"), latch.signal, role);
        }
    }

    fn define(&mut self, name: String, body: SourcedExpr, span: Span) -> DefineId {
        let define = DefineId(self.model.defines.len() as u32);
        self.model.defines.push(Define { name, body, span });
        define
    }

    fn gates(&mut self, circuit: &Circuit) {
        for gate in &circuit.gates {
            let [left, right] = gate.operands.map(|operand| self.value(operand));
            let body = self.and(&left, &right, gate.span);
            let name = self.name(None, format!("g{}", gate.signal.variable()));
            let define = self.define(name, body, gate.span);
            self.model.interface.set(Observable::Define(define), Role::Internal);
            self.set_meaning(gate.signal, Node::Define(define));
        }
    }

    fn latches(&mut self, circuit: &Circuit) {
        for (number, latch) in circuit.latches.iter().enumerate() {
            let var = VarId((circuit.inputs.len() + number) as u32);
            if let Some(reset) = latch.reset {
                let value =
                    SourcedExpr { expr: self.make(Node::Const(Value::Bool(reset))), spans: [latch.span].into() };
                self.model.assigns.push(Assign { kind: AssignKind::Init, var, value, span: latch.span });
            }
            let value = self.value(latch.next);
            self.model.assigns.push(Assign { kind: AssignKind::Next, var, value, span: latch.span });
        }
    }

    fn outputs(&mut self, circuit: &Circuit) {
        for (number, output) in circuit.outputs.iter().enumerate() {
            let body = self.value(output.signal);
            let name = self.name(output.name.as_deref(), format!("o{number}"));
            let define = self.define(name, body, output.signal.span);
            self.model.interface.set(Observable::Define(define), Role::Output);
        }
    }

    fn properties(&mut self, circuit: &Circuit) {
        self.model.invar = circuit.constraints.iter().map(|constraint| self.value(constraint.signal)).collect();
        self.model.justice = circuit.fairness.iter().map(|fairness| self.value(fairness.signal)).collect();
        // Before version 1.9 there were no bad states, and outputs stood for them.
        let stands_for_bad = circuit.is_version_1_0.then_some(&circuit.outputs);
        let bad = circuit.bad.iter().map(|bad| ('b', bad)).enumerate();
        let bad = bad.chain(stands_for_bad.into_iter().flatten().map(|output| ('o', output)).enumerate());
        for (number, (kind, Named { signal, name })) in bad {
            let formula = self.not(&self.value(*signal));
            let name = Some(name.clone().unwrap_or_else(|| format!("{kind}{number}")));
            let property = Property { name, kind: PropertyKind::Invar, formula, target: None, span: signal.span };
            self.model.properties.push(property);
        }
        for (number, justice) in circuit.justice.iter().enumerate() {
            let often = |signal: &Signal| self.unary(UnaryOp::G, &self.unary(UnaryOp::F, &self.value(*signal)));
            let all = justice.signals.iter().map(often).reduce(|left, right| self.and(&left, &right, justice.span));
            let all = all.unwrap_or_else(|| self.value(Signal { literal: 1, span: justice.span }));
            let (formula, name) = (self.not(&all), justice.name.clone().unwrap_or_else(|| format!("j{number}")));
            let (kind, span) = (PropertyKind::Ltl, justice.span);
            self.model.properties.push(Property { name: Some(name), kind, formula, target: None, span });
        }
    }
}
