//! Declarations, assignments and constraints in the sections of a module.

use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::{
    AssignDecl, AssignKind, ConstraintKind, DefineDecl, ExprId, ExprKind, Ident, ItemKind, VarDecl, VarKind,
};
use crate::smv::codes;
use crate::smv::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// Whether another declaration of the current section begins here.
    fn at_declaration(&self) -> bool {
        match self.kind() {
            TokenKind::Eof => false,
            TokenKind::Name => !self.at_contextual_section(),
            // A reserved word in place of the declared name.
            TokenKind::Keyword(_) if matches!(self.ahead(1).kind, TokenKind::Colon | TokenKind::Becomes) => true,
            kind => !kind.starts_section(),
        }
    }

    /// Parses declarations until the section ends; each recovers on its own.
    fn declarations<T>(&mut self, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Vec<T> {
        self.bump();
        let mut declarations = Vec::new();
        while self.at_declaration() {
            if self.kind() == TokenKind::Semi {
                self.stray_semicolon();
                continue;
            }
            let start = self.at;
            if let Ok(declaration) = read(self) {
                declarations.push(declaration);
                continue;
            }
            self.skip_declaration(false);
            if self.at == start {
                self.bump();
            }
        }
        declarations
    }

    pub(super) fn vars(&mut self, kind: VarKind) -> ItemKind {
        let instances = !matches!(kind, VarKind::Input | VarKind::Frozen);
        ItemKind::Vars(
            kind,
            self.declarations(|parser| {
                let name = parser.declared_name("the name of a variable")?;
                if parser.kind() != TokenKind::Colon {
                    return Err(parser.unexpected("`:` and a type"));
                }
                parser.bump();
                let ty = parser.ty(instances)?;
                parser.semicolon("a variable")?;
                Ok(VarDecl { name, ty })
            }),
        )
    }

    pub(super) fn defines(&mut self) -> ItemKind {
        ItemKind::Defines(self.declarations(|parser| {
            let name = parser.declared_name("the name of a definition")?;
            parser.becomes_sign()?;
            let body = parser.define_body()?;
            parser.semicolon("a definition")?;
            Ok(DefineDecl { name, body })
        }))
    }

    pub(super) fn assigns(&mut self) -> ItemKind {
        ItemKind::Assigns(self.declarations(|parser| {
            let start = parser.span();
            let kind = match parser.kind() {
                TokenKind::Keyword(Keyword::SmallInit) => AssignKind::Init,
                TokenKind::Keyword(Keyword::Next) => AssignKind::Next,
                _ => AssignKind::Current,
            };
            let target = if kind == AssignKind::Current {
                parser.variable()?
            } else {
                parser.bump();
                parser.expect(TokenKind::LParen)?;
                let target = parser.variable()?;
                parser.expect(TokenKind::RParen)?;
                target
            };
            parser.becomes_sign()?;
            let value = parser.expr()?;
            let span = start.to(parser.last_span());
            parser.semicolon("an assignment")?;
            Ok(AssignDecl { kind, target, value, span })
        }))
    }

    /// `:=`, or a wrong sign in its place, which is reported.
    pub(super) fn becomes_sign(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Becomes) {
            return Ok(());
        }
        if matches!(self.kind(), TokenKind::Eq | TokenKind::EqEq) {
            let sign = self.text();
            self.report(
                Diagnostic::error(codes::WRONG_EQUALS, self.span(), format!("`{sign}` compares two values")).suggest(
                    "did you mean `:=`, which assigns a value",
                    self.span(),
                    ":=",
                ),
            );
            self.bump();
            return Ok(());
        }
        Err(self.unexpected("`:=`"))
    }

    /// The name of a declaration. Flattened models declare names such as `a.b` and `x[3]`.
    pub(super) fn declared_name(&mut self, what: &str) -> Parsed<Ident> {
        let first = self.name(what)?;
        if !matches!(self.kind(), TokenKind::Dot | TokenKind::LBracket) {
            return Ok(first);
        }
        let mut text = first.text.to_string();
        loop {
            if self.eat(TokenKind::Dot) {
                text.push('.');
                if self.kind() == TokenKind::Int {
                    text.push_str(self.text());
                    self.bump();
                } else {
                    text.push_str(&self.name("a name after `.`")?.text);
                }
            } else if self.eat(TokenKind::LBracket) {
                text.push('[');
                if self.eat(TokenKind::Minus) {
                    text.push('-');
                }
                if self.kind() != TokenKind::Int {
                    return Err(self.unexpected("a whole number"));
                }
                text.push_str(self.text());
                self.bump();
                self.expect(TokenKind::RBracket)?;
                text.push(']');
            } else {
                return Ok(Ident { text: text.into(), span: first.span.to(self.last_span()) });
            }
        }
    }

    /// The target of an assignment: a name, a field of an instance, an element of an array.
    pub(super) fn variable(&mut self) -> Parsed<ExprId> {
        let mut base = if self.is_keyword(Keyword::SelfRef) {
            let span = self.bump().span;
            self.make(ExprKind::SelfRef, span)?
        } else {
            let name = self.name("the name of a variable")?;
            self.make(ExprKind::Name(name.text), name.span)?
        };
        loop {
            if self.eat(TokenKind::Dot) {
                let field = if self.kind() == TokenKind::Int {
                    let span = self.bump().span;
                    self.ident_at(span)
                } else {
                    self.name("a name after `.`")?
                };
                let span = base.span.to(field.span);
                base = self.make(ExprKind::Field(base.id, field), span)?;
            } else if self.eat(TokenKind::LBracket) {
                let index = self.expr()?;
                let end = self.expect(TokenKind::RBracket)?;
                base = self.make(ExprKind::Index(base.id, index), base.span.to(end))?;
            } else {
                return Ok(base.id);
            }
        }
    }

    pub(super) fn constants(&mut self) -> Parsed<Option<ItemKind>> {
        let mut names = Vec::new();
        while self.kind() != TokenKind::Semi {
            if !names.is_empty() && self.kind() != TokenKind::Comma {
                return if self.at_new_declaration() {
                    self.missing_semicolon("constants");
                    Ok(Some(ItemKind::Constants(names)))
                } else {
                    Err(self.unexpected("`,` or `;`"))
                };
            }
            self.eat(TokenKind::Comma);
            names.push(self.declared_name("the name of a constant")?);
        }
        self.bump();
        Ok(Some(ItemKind::Constants(names)))
    }

    pub(super) fn constraint(&mut self, kind: ConstraintKind) -> Option<ItemKind> {
        self.whole(|parser| {
            let expr = parser.expr()?;
            parser.optional_semicolon()?;
            Ok(Some(ItemKind::Constraint(kind, expr)))
        })
    }

    pub(super) fn compassion(&mut self) -> Parsed<Option<ItemKind>> {
        self.expect(TokenKind::LParen)?;
        let often = self.expr()?;
        self.expect(TokenKind::Comma)?;
        let then_often = self.expr()?;
        self.expect(TokenKind::RParen)?;
        self.optional_semicolon()?;
        Ok(Some(ItemKind::Compassion(often, then_often)))
    }

    pub(super) fn isa(&mut self) -> Parsed<Option<ItemKind>> {
        Ok(Some(ItemKind::Isa(self.name("the name of a module")?)))
    }

    /// `PRED e`, `PRED [3] e`, `PRED <name> := e`
    pub(super) fn pred(&mut self) -> Parsed<Option<ItemKind>> {
        if self.eat(TokenKind::LBracket) {
            if !self.eat(TokenKind::Int) {
                return Err(self.unexpected("a whole number"));
            }
            self.expect(TokenKind::RBracket)?;
        }
        let name = if self.eat(TokenKind::Lt) {
            let name = self.declared_name("the name of a predicate")?;
            self.expect(TokenKind::Gt)?;
            self.becomes_sign()?;
            Some(name)
        } else {
            None
        };
        let expr = self.expr()?;
        self.optional_semicolon()?;
        Ok(Some(ItemKind::Pred(name, expr)))
    }

    pub(super) fn mirror(&mut self) -> Parsed<Option<ItemKind>> {
        let variable = self.variable()?;
        self.optional_semicolon()?;
        Ok(Some(ItemKind::Mirror(variable)))
    }

    /// Whether an `OUTPUT` section lists variables instead of declaring them: no `:` follows the first.
    pub(super) fn is_output_list(&self) -> bool {
        let parts = [TokenKind::Dot, TokenKind::Name, TokenKind::LBracket, TokenKind::Int, TokenKind::RBracket];
        let after = (2..64).map(|n| self.ahead(n).kind).find(|kind| !parts.contains(kind));
        self.ahead(1).kind == TokenKind::Name && matches!(after, Some(TokenKind::Comma | TokenKind::Semi))
    }

    /// `OUTPUT a, b;` lists variables that are declared elsewhere; it has no semantics.
    pub(super) fn output_list(&mut self) -> Parsed<Option<ItemKind>> {
        let span = self.last_span();
        loop {
            self.variable()?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.semicolon("a list of outputs")?;
        self.report(
            Diagnostic::warning(codes::NO_EFFECT, span, "this list of outputs has no effect")
                .note("the variables are declared elsewhere"),
        );
        Ok(None)
    }
}
