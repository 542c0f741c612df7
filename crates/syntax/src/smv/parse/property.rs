//! Parser of properties: `SPEC` and the other kinds.

use super::{Parsed, Parser, smv_grammar};
use crate::smv::ast::{ExprId, Ident, ItemKind, PropertyDecl, PropertyKind};
use crate::smv::grammar::Grammar;
use crate::smv::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// Parses a property; `keyword` is the current token.
    pub(super) fn property(&mut self, keyword: Keyword) -> Option<ItemKind> {
        let result = if keyword == Keyword::Pslspec {
            self.grammar = Grammar::Psl;
            self.psl.start(&self.exprs);
            let result = self.property_body(keyword);
            self.grammar = smv_grammar(self.dialect);
            self.psl.stop();
            result
        } else {
            self.property_body(keyword)
        };
        if let Ok(property) = result {
            return Some(ItemKind::Property(property));
        }
        self.skip_declaration(keyword == Keyword::Pslspec);
        None
    }

    fn property_body(&mut self, keyword: Keyword) -> Parsed<PropertyDecl> {
        let start = self.bump().span;
        let name = self.property_name()?;
        let (kind, formula, target) = match keyword {
            Keyword::Compute => self.compute()?,
            Keyword::Ltlspec => (PropertyKind::Ltl, self.expr()?, None),
            Keyword::Invarspec => (PropertyKind::Invar, self.expr()?, None),
            Keyword::Pslspec => (PropertyKind::Psl, self.expr()?, None),
            _ => (PropertyKind::Ctl, self.expr()?, None),
        };
        let context = if self.eat_keyword(Keyword::InContext) { Some(self.variable()?) } else { None };
        let span = start.to(self.last_span());
        if keyword == Keyword::Pslspec {
            self.semicolon("a PSL property")?;
        } else {
            self.optional_semicolon()?;
        }
        Ok(PropertyDecl { kind, name, formula, target, context, span })
    }

    /// `NAME x :=`
    fn property_name(&mut self) -> Parsed<Option<Ident>> {
        if !self.eat_keyword(Keyword::Name) {
            return Ok(None);
        }
        let name = self.declared_name("the name of a property")?;
        self.becomes_sign()?;
        Ok(Some(name))
    }

    /// `MIN [p, q]`, `MAX [p, q]`
    fn compute(&mut self) -> Parsed<(PropertyKind, ExprId, Option<ExprId>)> {
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::UpperMin) => PropertyKind::ComputeMin,
            TokenKind::Keyword(Keyword::UpperMax) => PropertyKind::ComputeMax,
            _ => return Err(self.unexpected("`MIN` or `MAX`")),
        };
        self.bump();
        self.expect(TokenKind::LBracket)?;
        let from = self.expr()?;
        self.expect(TokenKind::Comma)?;
        let to = self.expr()?;
        self.expect(TokenKind::RBracket)?;
        Ok((kind, from, Some(to)))
    }
}
