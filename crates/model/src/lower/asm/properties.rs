//! Invariants, temporal formulas, and constraints on the environment.

use super::{Env, Lowering, Stop};
use crate::model::{Property, PropertyKind};
use crate::typing::is_temporal;
use specwright_syntax::asm::ast;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;

impl Lowering<'_> {
    pub(super) fn lower_properties(&mut self) {
        for (at, file) in self.files.iter().enumerate() {
            for property in &file.properties {
                let _ = self.lower_property(at, property);
            }
        }
    }

    fn lower_property(&mut self, file: usize, property: &ast::Property) -> Result<(), Stop> {
        let env = Env::new(self, file);
        let formula = self.condition(property.body, &env)?;
        let span = self.files[file][property.body].span;
        let temporal = self.model.mentions(formula, is_temporal);
        let plain = !matches!(property.kind, ast::PropertyKind::Ctl | ast::PropertyKind::Ltl);
        if plain && temporal {
            let message = "temporal operators belong to `CTLSPEC` and `LTLSPEC`";
            return Err(self.stop(Diagnostic::error(codes::WRONG_KIND, span, message)));
        }
        let formula = super::sourced(formula, span);
        let kind = match property.kind {
            ast::PropertyKind::Invariant => PropertyKind::Invar,
            ast::PropertyKind::Ctl => PropertyKind::Ctl,
            ast::PropertyKind::Ltl => PropertyKind::Ltl,
            ast::PropertyKind::Invar => {
                self.model.invar.push(formula);
                return Ok(());
            }
            ast::PropertyKind::Justice => {
                self.model.justice.push(formula);
                return Ok(());
            }
        };
        let name = property.name.as_ref().map(|name| name.text.to_string());
        self.model.properties.push(Property { name, kind, formula, target: None, span: property.span });
        Ok(())
    }
}
