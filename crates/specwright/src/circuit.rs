//! Models as AIGER circuits, and counterexamples of circuits as AIGER witnesses.

use crate::events::Events;
use crate::failure::Failure;
use crate::frontend;
use crate::session::Session;
use crate::words::property_text;
use specwright_mc::{Options, SafetyClaim, Sat};
use specwright_model::interface::{Observable, Role};
use specwright_model::model::PropertyKind;
use specwright_model::op::BinaryOp;
use specwright_model::ty::{Scalar, Ty};
use specwright_model::{ExprId, Node, Trace, Value};
use specwright_syntax::aiger::ast::Circuit;
use specwright_syntax::aiger::parse;
use specwright_syntax::aiger::witness::{self, Witness};
use std::path::Path;

/// An output with more values has no outputs in the circuit.
const MAX_VALUES: u128 = 64;

impl Session {
    /// The model as a circuit. Properties that are no statements about single states or steps are left out, with a warning.
    ///
    /// An output with more than two values becomes one output for each, such as `mode=high`.
    pub fn to_aiger(&self, events: &mut dyn Events) -> Result<Circuit, Failure> {
        let options = Options::default();
        let mut sat = Sat::new(self.model.system.clone(), &options).map_err(|error| self.refuse(events, &error))?;
        let claims: Vec<SafetyClaim<'_>> = self.model.properties.iter().map(SafetyClaim::from).collect();
        let translated = sat.to_aiger(&claims, &self.outputs()).map_err(Failure::because("no circuit"))?;
        for index in translated.left_out {
            let property = &self.model.properties[index];
            let name = property.name.clone().unwrap_or_else(|| property_text(&self.model, property));
            let why = match property.kind {
                kind if !kind.is_claim() => "it asks for a number",
                PropertyKind::Invar => "it is not a statement about single states or steps",
                _ if translated.has_invariants_only => {
                    "it is about fair infinite paths, and a bad state may lie on none; `INVARSPEC` is kept"
                }
                _ => "it is not a statement about single states or steps",
            };
            events.warning(format_args!("`{name}` is left out: {why}"));
        }
        if !self.model.compassion.is_empty() {
            events.warning("compassion is left out: circuits have justice only");
        }
        Ok(translated.circuit)
    }

    /// The outputs as conditions with names.
    pub(crate) fn outputs(&self) -> Vec<(String, ExprId)> {
        let mut outputs = Vec::new();
        let make = |node| self.model.make(node).expect("a value is compared with one of its own");
        for of in self.model.interface.with_role(Role::Output) {
            let name = self.model.name_of(of);
            let (expr, values): (ExprId, Vec<Value>) = match of {
                Observable::Define(define) => (make(Node::Define(define)), Vec::new()),
                Observable::Var(var) => {
                    let domain = &self.model[var].domain;
                    let is_small = domain.size().is_some_and(|size| size <= MAX_VALUES);
                    (make(Node::Var(var)), if is_small { domain.values().collect() } else { Vec::new() })
                }
            };
            if *self.model.context.exprs.ty(expr) == Ty::One(Scalar::Bool) {
                outputs.push((name.to_owned(), expr));
                continue;
            }
            for value in values {
                let equal = make(Node::Binary(BinaryOp::Eq, expr, make(Node::Const(value))));
                outputs.push((format!("{name}={}", self.model.show(value)), equal));
            }
        }
        outputs
    }

    /// Whether the model was read from a circuit.
    pub fn is_circuit(&self) -> bool {
        frontend::of(Path::new(&self.model.name)).name() == "aiger"
    }

    /// A counterexample to a property of a circuit as an AIGER witness. It was replayed gate by gate.
    pub fn aiger_witness(&self, property: usize, trace: &Trace) -> Result<String, Failure> {
        let (circuit, _) = parse(&self.sources.files()[0]);
        let n_bad = self.model.properties.len() - circuit.justice.len();
        let claim =
            if property < n_bad { witness::Claim::Bad(property) } else { witness::Claim::Justice(property - n_bad) };
        let n_inputs = circuit.inputs.len();
        let bits = |state: &specwright_model::State| -> Vec<bool> {
            state.values().iter().map(|value| *value == Some(Value::Bool(true))).collect()
        };
        let states: Vec<Vec<bool>> = trace.states.iter().map(bits).collect();
        let latches = states.first().map(|state| state[n_inputs..].to_vec()).unwrap_or_default();
        let inputs = states.iter().map(|state| state[..n_inputs].to_vec()).collect();
        let witness = Witness { claim, latches, inputs };
        witness.replay(&circuit).map_err(Failure::because("the counterexample is not a witness of the circuit"))?;
        Ok(witness.print())
    }
}
