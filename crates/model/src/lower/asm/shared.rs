//! Shared functions that rules update: the environment may change them between steps.
//!
//! The variables of such a location have the value after the last step. Two inputs are added: whether the environment
//! changes the location before the next step, and the new value. Rules and properties read the resulting value.

use super::finish::vars_of;
use super::location_layout::shape;
use super::rules::Update;
use super::signature::Dom;
use super::value::Sym;
use super::{Location, Lowering, Stop};
use crate::expr::Node;
use crate::interface::Role;
use crate::model::Shared;
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use specwright_syntax::span::Span;

impl Lowering<'_> {
    /// Creates the inputs through which the environment changes a location.
    pub(super) fn make_shared(
        &mut self,
        location: Location,
        full: &str,
        alias: &str,
        codomain: &Dom,
        span: Span,
    ) -> Result<(), Stop> {
        let set = self.add_var(&format!("{full}.set"), Domain::Bool, Role::Input, span);
        let value = self.make_layout(location.0, &format!("{full}.value"), codomain, Role::Input, span)?;
        // Without a change, the new value is fixed, so that it does not multiply the states.
        let set_expr = self.var_expr(set);
        for var in vars_of(&value) {
            let first = self.model[var].domain.values().next().unwrap_or(Value::Int(0));
            let (var, first) = (self.var_expr(var), self.node(Node::Const(first)));
            let rests = self.compare(BinaryOp::Eq, var, first);
            let rests = self.or(set_expr, rests);
            self.model.invar.push(super::sourced(rests, span));
        }
        self.model.source.shared.push(Shared { name: alias.into(), set, value: shape(&value) });
        self.shared.insert(location, (set, value));
        Ok(())
    }

    /// The value of a location after the change by the environment.
    pub(super) fn with_environment(&mut self, location: &Location, left: Sym) -> Sym {
        let Some((set, value)) = self.shared.get(location).cloned() else { return left };
        let (set, value) = (self.var_expr(set), self.read_location(&value));
        let span = self.sig.functions[location.0].span;
        self.select(set, &value, &left, span).unwrap_or(left)
    }

    /// Without an update, the value after the change by the environment is kept.
    pub(super) fn kept_from_environment(&mut self, location: &Location) -> Option<Update> {
        let (set, value) = self.shared.get(location).cloned()?;
        let (guard, value) = (self.var_expr(set), self.read_location(&value));
        let span = self.sig.functions[location.0].span;
        Some(Update { location: location.clone(), guard, value, span, rule: "".into() })
    }
}
