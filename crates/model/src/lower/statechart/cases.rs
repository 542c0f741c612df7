//! Expressions by their cases: all values that they can have, each with its condition.
//!
//! That is how expressions are evaluated that mix types, have members, or may throw errors. Every variable that they read
//! must have few values.

use super::Lowering;
use super::config::Config;
use super::data::Kind;
use super::ecma::{self, Failure, Js};
use super::exprs::Unreadable;
use crate::expr::{ExprId, Node};
use crate::op::BinaryOp;
use crate::value::Value;
use specwright_syntax::statechart::ast::{Expr, ExprKind, Profile};

/// The values of an expression with their conditions, and errors that it throws.
pub(super) type Cases = Vec<(Result<Js, Thrown>, ExprId)>;

/// An error that an expression throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thrown;

/// Maximal number of cases of an expression.
const MAX_CASES: usize = 400;

impl Lowering<'_> {
    /// The constant of the model for a value.
    pub(super) fn js_constant(&mut self, value: &Js) -> ExprId {
        match value {
            Js::Int(number) => self.int(*number),
            other => {
                let constant = self.symbol(&other.to_string());
                if let Node::Const(symbol) = self.model[constant] {
                    self.js_of_symbol.insert(symbol, other.clone());
                }
                constant
            }
        }
    }

    /// The value that a constant of the model stands for.
    pub(super) fn js_of(&self, value: Value, kind: Kind) -> Option<Js> {
        match value {
            Value::Bool(value) => Some(Js::Bool(value)),
            Value::Int(number) => Some(Js::Int(number)),
            Value::Symbol(_) if kind == Kind::Any => self.js_of_symbol.get(&value).cloned(),
            Value::Symbol(symbol) => Some(Js::of_symbol(self.model.context.symbols.name(symbol))),
            Value::Word(_) => None,
        }
    }

    /// The cases of an expression.
    pub(super) fn cases(&mut self, expr: &Expr, config: &Config) -> Result<Cases, Unreadable> {
        let yes = self.boolean(true);
        match &expr.kind {
            ExprKind::Bool(value) => Ok(vec![(Ok(Js::Bool(*value)), yes)]),
            ExprKind::Int(number) => Ok(vec![(Ok(Js::Int(*number)), yes)]),
            ExprKind::Text(symbol) => Ok(vec![(Ok(Js::of_symbol(symbol)), yes)]),
            ExprKind::Missing(_) => Ok(vec![(Err(Thrown), yes)]),
            ExprKind::Var(name) => {
                let at = self.data.iter().position(|variable| variable.name == *name).ok_or(Unreadable)?;
                let value = config.data[at].ok_or(Unreadable)?;
                self.cases_of(value, self.data[at].kind)
            }
            ExprKind::In(_) | ExprKind::Unknown(_) | ExprKind::Named(..) => {
                let (value, kind) = self.value(expr, config)?;
                self.cases_of(value, kind)
            }
            ExprKind::Event => self.event_cases(config, |event| event.object.clone()),
            // The name is known even where nothing else is.
            ExprKind::Member(object, key) if object.kind == ExprKind::Event && is_text(key, "name") => {
                self.event_cases(config, |event| Some(Js::Text(event.name.clone()))).map(|cases| {
                    let of_nothing = |case| if case == Ok(Js::Undefined) { Err(Thrown) } else { case };
                    cases.into_iter().map(|(case, when)| (of_nothing(case), when)).collect()
                })
            }
            ExprKind::Not(inner) => self.map_cases(&[inner], config, |values| Ok(Js::Bool(!values[0].truth()))),
            ExprKind::Neg(inner) => self.map_cases(&[inner], config, |values| ecma::negate(&values[0])),
            ExprKind::Typeof(inner) => {
                let cases = self.cases(inner, config)?;
                let is_missing = matches!(inner.kind, ExprKind::Missing(_));
                let name = |case: Result<Js, Thrown>| match case {
                    Ok(value) => Ok(Js::Text(value.type_name().into())),
                    Err(Thrown) if is_missing => Ok(Js::Text("undefined".into())),
                    Err(Thrown) => Err(Thrown),
                };
                let cases = cases.into_iter().map(|(case, when)| (name(case), when)).collect();
                Ok(self.merged(cases))
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let stops_at = matches!(expr.kind, ExprKind::Binary(BinaryOp::Or, ..));
                self.branch(a, config, |lowering, value, config| {
                    if value.truth() == stops_at {
                        let yes = lowering.boolean(true);
                        return Ok(vec![(Ok(value.clone()), yes)]);
                    }
                    lowering.cases(b, config)
                })
            }
            ExprKind::Conditional(condition, a, b) => self.branch(condition, config, |lowering, value, config| {
                lowering.cases(if value.truth() { a } else { b }, config)
            }),
            ExprKind::Binary(op, a, b) => {
                self.map_cases(&[a, b], config, |values| ecma::binary(*op, &values[0], &values[1]))
            }
            ExprKind::Loose(a, b) => self.map_cases(&[a, b], config, |values| values[0].loosely_equals(&values[1])),
            ExprKind::Array(items) => {
                let items: Vec<&Expr> = items.iter().collect();
                self.map_cases(&items, config, |values| Ok(Js::Array(values.to_vec())))
            }
            ExprKind::Object(members) => {
                let values: Vec<&Expr> = members.iter().map(|(_, value)| value).collect();
                self.map_cases(&values, config, |values| {
                    let keys = members.iter().map(|(key, _)| key.clone());
                    Ok(Js::Object(keys.zip(values.iter().cloned()).collect()))
                })
            }
            ExprKind::Member(object, key) => {
                self.map_cases(&[object, key], config, |values| values[0].member(&values[1]))
            }
            ExprKind::With(object, key, value) => {
                self.map_cases(&[object, key, value], config, |values| values[0].with(&values[1], values[2].clone()))
            }
            ExprKind::Has(key, object) => self.map_cases(&[object, key], config, |values| values[0].has(&values[1])),
            ExprKind::Call(function, arguments) => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                self.map_cases(&arguments, config, |values| ecma::call(*function, values))
            }
        }
    }

    /// The cases of an expression of the model.
    pub(super) fn cases_of(&mut self, value: ExprId, kind: Kind) -> Result<Cases, Unreadable> {
        if *self.model.context.exprs.ty(value) == crate::ty::Ty::BOOL {
            let not = self.not(value);
            return Ok(vec![(Ok(Js::Bool(true)), value), (Ok(Js::Bool(false)), not)]);
        }
        let values = match self.model[value] {
            Node::Const(constant) => vec![constant],
            _ => self.prune.values(&self.model, value).ok_or(Unreadable)?,
        };
        let mut cases = Vec::new();
        for constant in values {
            let js = self.js_of(constant, kind).ok_or(Unreadable)?;
            let constant = self.node(Node::Const(constant));
            let when = self.binary(BinaryOp::Eq, value, constant);
            cases.push((Ok(js), when));
        }
        Ok(self.merged(cases))
    }

    /// A condition that cannot hold where the expression is evaluated is false.
    fn on_path(&mut self, when: ExprId) -> ExprId {
        let here = match self.path {
            Some(path) => self.and(path, when),
            None => when,
        };
        let here = self.pruned(here);
        if self.truth_of(here) == Some(false) { self.boolean(false) } else { when }
    }

    /// The cases of what an event says. Before the first event there is none.
    fn event_cases(
        &mut self,
        config: &Config,
        of: impl Fn(&super::events::Event) -> Option<Js>,
    ) -> Result<Cases, Unreadable> {
        let mut cases = Vec::new();
        let mut none = self.boolean(true);
        for (event, when) in &config.event {
            none = self.without(none, *when);
            let when = self.on_path(*when);
            if self.truth_of(when) != Some(false) {
                cases.push((Ok(of(&self.events[*event]).ok_or(Unreadable)?), when));
            }
        }
        cases.push((Ok(Js::Undefined), none));
        Ok(self.merged(cases))
    }

    /// The cases of an operation on values; the first one that throws an error ends it.
    fn map_cases(
        &mut self,
        parts: &[&Expr],
        config: &Config,
        apply: impl Fn(&[Js]) -> Result<Js, Failure>,
    ) -> Result<Cases, Unreadable> {
        let yes = self.boolean(true);
        let mut open: Vec<(Vec<Js>, ExprId)> = vec![(Vec::new(), yes)];
        let mut cases: Cases = Vec::new();
        for part in parts {
            let own = self.cases(part, config)?;
            let mut longer = Vec::new();
            for (values, when) in open {
                for (case, by) in &own {
                    let both = self.and(when, *by);
                    let both = self.on_path(both);
                    match case {
                        _ if self.truth_of(both) == Some(false) => {}
                        Ok(value) => longer.push(([&values[..], std::slice::from_ref(value)].concat(), both)),
                        Err(Thrown) => cases.push((Err(Thrown), both)),
                    }
                }
                if longer.len() > MAX_CASES {
                    return Err(Unreadable);
                }
            }
            open = longer;
        }
        for (values, when) in open {
            match apply(&values) {
                Ok(value) => cases.push((Ok(value), when)),
                Err(Failure::Throws) => cases.push((Err(Thrown), when)),
                Err(Failure::Unreadable) => return Err(Unreadable),
            }
        }
        Ok(self.merged(cases))
    }

    /// The cases of an expression whose rest depends on the value of a first part.
    fn branch(
        &mut self,
        first: &Expr,
        config: &Config,
        rest: impl Fn(&mut Self, &Js, &Config) -> Result<Cases, Unreadable>,
    ) -> Result<Cases, Unreadable> {
        let mut cases: Cases = Vec::new();
        for (case, when) in self.cases(first, config)? {
            let Ok(value) = case else {
                cases.push((Err(Thrown), when));
                continue;
            };
            for (case, by) in rest(self, &value, config)? {
                let both = self.and(when, by);
                cases.push((case, both));
            }
        }
        Ok(self.merged(cases))
    }

    /// Each value once, without those that cannot be.
    fn merged(&mut self, cases: Cases) -> Cases {
        let mut merged: Cases = Vec::new();
        for (case, when) in cases {
            let when = self.on_path(when);
            if self.truth_of(when) == Some(false) {
                continue;
            }
            match merged.iter().position(|(other, _)| *other == case) {
                Some(at) => merged[at].1 = self.or(merged[at].1, when),
                None => merged.push((case, when)),
            }
        }
        merged
    }

    /// The value of an expression by its cases. The conditions under which it throws are added to those of the lowering;
    /// XState has no meaning for them.
    pub(super) fn enumerated(&mut self, expr: &Expr, config: &Config) -> Result<(ExprId, Kind), Unreadable> {
        let cases = self.cases(expr, config)?;
        let mut values = Vec::new();
        for (case, when) in cases {
            match case {
                Ok(value) => values.push((value, when)),
                Err(Thrown) if self.chart.profile == Profile::XState => return Err(Unreadable),
                Err(Thrown) => self.thrown.push(when),
            }
        }
        if values.iter().all(|(value, _)| matches!(value, Js::Bool(_))) {
            let yes: Vec<ExprId> =
                values.iter().filter(|(value, _)| *value == Js::Bool(true)).map(|(_, when)| *when).collect();
            return Ok((self.any(&yes), Kind::Bool));
        }
        let kind = if values.iter().all(|(value, _)| matches!(value, Js::Int(_))) {
            Kind::Int
        } else if values.iter().all(|(value, _)| matches!(value, Js::Text(_) | Js::Null | Js::Undefined)) {
            Kind::Text
        } else {
            Kind::Any
        };
        let mut value = None;
        for (js, when) in values {
            let constant = match (&js, kind) {
                // Texts have names of their own where there is nothing else.
                (Js::Text(text), Kind::Text) => {
                    let is_word = matches!(&**text, "null" | "undefined");
                    self.symbol(&if is_word { format!("'{text}'") } else { text.to_string() })
                }
                _ => self.js_constant(&js),
            };
            value = Some(match value {
                Some(rest) => self.choose(when, constant, rest),
                None => constant,
            });
        }
        Ok((value.ok_or(Unreadable)?, kind))
    }

    /// A value as one of a variable that has values of several types.
    pub(super) fn any_value(&mut self, value: ExprId, kind: Kind) -> Result<ExprId, Unreadable> {
        match kind {
            Kind::Int | Kind::Any => Ok(value),
            Kind::Bool => {
                let (yes, no) = (self.js_constant(&Js::Bool(true)), self.js_constant(&Js::Bool(false)));
                Ok(self.choose(value, yes, no))
            }
            Kind::Text => {
                let mut chosen = None;
                for (case, when) in self.cases_of(value, kind)? {
                    let Ok(js) = case else { return Err(Unreadable) };
                    let constant = self.js_constant(&js);
                    chosen = Some(chosen.map_or(constant, |rest| self.choose(when, constant, rest)));
                }
                chosen.ok_or(Unreadable)
            }
            Kind::Opaque => Err(Unreadable),
        }
    }
}

fn is_text(expr: &Expr, text: &str) -> bool {
    matches!(&expr.kind, ExprKind::Text(other) if **other == *text)
}
