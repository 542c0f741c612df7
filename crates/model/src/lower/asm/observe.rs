//! Derived functions as outputs: those that a tester wants to observe become defines, whether a rule reads them or not.

use super::value::{Single, Sym};
use super::{Env, Lowering};
use crate::expr::Node;
use crate::model::{Define, DefineId};
use crate::value::Value;
use specwright_syntax::asm::ast::FunctionKind;

/// Maximal number of locations of a derived function that are observed.
const MAX_LOCATIONS: usize = 1000;

impl Lowering<'_> {
    /// Adds defines for derived functions with these names, or for the locations with these names. The machine does not
    /// need them, so what cannot be lowered is left out.
    pub(super) fn observe(&mut self, names: &[String]) {
        let is_wanted = |full: &str, name: &str| {
            name.strip_prefix(full).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        for index in 0..self.sig.functions.len() {
            let function = &self.sig.functions[index];
            let wanted = names.iter().any(|name| is_wanted(&function.name, name));
            if function.kind != FunctionKind::Derived || !wanted {
                continue;
            }
            let before = (self.model.clone(), self.diagnostics.clone(), self.facts.clone());
            let added = self.observe_function(index, names);
            let is_same_machine = self.model.vars.len() == before.0.vars.len() && self.facts == before.2;
            self.diagnostics = before.1;
            if added.is_none() || !is_same_machine {
                (self.model, self.facts) = (before.0, before.2);
                // Cached results may refer to defines that are gone.
                self.applied.clear();
                continue;
            }
            for define in before.0.defines.len()..self.model.defines.len() {
                self.model.interface.mark_added(DefineId(define as u32));
            }
        }
    }

    /// Adds a define for each location of a function that has a value everywhere.
    fn observe_function(&mut self, index: usize, names: &[String]) -> Option<()> {
        let function = &self.sig.functions[index];
        let (name, span, params) = (function.name.clone(), function.span, function.params.clone());
        let mut lists = Vec::new();
        for param in params {
            lists.push(self.elements(&param, span).ok()??);
        }
        let rows = self.product(&lists, span).ok().filter(|rows| rows.len() <= MAX_LOCATIONS)?;
        for args in rows {
            let full = super::locations::location_name(&name, &args);
            let is_wanted = names.iter().any(|wanted| *wanted == *name || full.starts_with(wanted.as_str()));
            if !is_wanted || self.model.var_named(&full).is_some() || self.model.define_named(&full).is_some() {
                continue;
            }
            let env = Env::new(self, 0);
            let args = args.into_iter().map(Sym::Known).collect();
            let Ok(Sym::One(Single { value, defined, .. })) = self.call(index, args, span, &env) else { continue };
            // Where it is undefined, its value is arbitrary.
            if self.model[defined] != Node::Const(Value::Bool(true)) {
                return None;
            }
            // The call has made a define already, unless the value is that of a variable.
            if self.model.define_named(&full).is_none() {
                self.model.defines.push(Define { name: full, body: super::sourced(value, span), span });
            }
        }
        Some(())
    }
}
