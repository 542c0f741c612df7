//! Modules and their sections.

use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::{Diagnostic, closest};
use crate::smv::ast::{
    AssignDecl, AssignKind, ConstraintKind, DefineDecl, ExprId, ExprKind, Ident, Item, ItemKind, Module, VarDecl,
    VarKind,
};
use crate::smv::codes;
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

/// What a near-miss of a section is compared with.
const SECTIONS: [&str; 22] = [
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "INPUT",
    "OUTPUT",
];

impl Parser<'_> {
    /// All modules of the file.
    pub(super) fn file(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        if !self.is_keyword(Keyword::Module) {
            self.before_first_module();
        }
        while self.kind() != TokenKind::Eof {
            if self.is_keyword(Keyword::Module) {
                modules.push(self.module());
            } else {
                self.bump();
            }
        }
        modules
    }

    fn before_first_module(&mut self) {
        let found = self.token();
        let misspelt = found.kind == TokenKind::Name && closest(self.text(), ["MODULE"]).is_some();
        let start = self.at;
        while self.kind() != TokenKind::Eof && !self.is_keyword(Keyword::Module) {
            self.bump();
        }
        if found.kind == TokenKind::Bad {
            return;
        }
        if found.kind == TokenKind::Eof {
            let message =
                if self.source.text.trim().is_empty() { "this file is empty" } else { "this file has no module" };
            let start = Span::new(self.source.start, self.source.start);
            self.report(Diagnostic::error(codes::NO_MODULE, start, message).help("a model starts with `MODULE main`"));
        } else if misspelt {
            self.at = start;
            let text = self.text();
            self.report(
                Diagnostic::error(codes::UNKNOWN_SECTION, found.span, format!("there is no section `{text}`")).suggest(
                    "a section with a similar name exists",
                    found.span,
                    "MODULE",
                ),
            );
            self.tokens[start].kind = TokenKind::Keyword(Keyword::Module);
        } else {
            let message = format!("expected `MODULE`, found {}", self.describe(found));
            let code = if self.kind() == TokenKind::Eof { codes::NO_MODULE } else { codes::UNEXPECTED };
            self.report(Diagnostic::error(code, found.span, message).note("everything in a model belongs to a module"));
        }
    }

    fn module(&mut self) -> Module {
        let start = self.bump().span;
        let name = self.name("the name of a module").unwrap_or_else(|_| {
            let span = self.gap();
            self.ident_at(span)
        });
        let params = self.params().unwrap_or_else(|_| {
            self.skip_section();
            Vec::new()
        });
        let mut items = Vec::new();
        while self.kind() != TokenKind::Eof && !self.is_keyword(Keyword::Module) {
            let start = self.span();
            let kinds = self.section();
            let span = start.to(self.last_span());
            items.extend(kinds.into_iter().map(|kind| Item { kind, span }));
        }
        Module { name, params, items, span: start.to(self.last_span()) }
    }

    fn params(&mut self) -> Parsed<Vec<Ident>> {
        let mut params = Vec::new();
        if !self.eat(TokenKind::LParen) || self.eat(TokenKind::RParen) {
            return Ok(params);
        }
        loop {
            params.push(self.name("the name of a parameter")?);
            if self.eat(TokenKind::RParen) {
                return Ok(params);
            }
            if !self.eat(TokenKind::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    /// One section; nothing if it was given up.
    fn section(&mut self) -> Option<ItemKind> {
        use Keyword as K;
        let keyword = match self.kind() {
            TokenKind::Keyword(keyword) => keyword,
            TokenKind::Name => return self.named_section(),
            _ => return self.no_section(),
        };
        Some(match keyword {
            K::Var => self.vars(VarKind::State),
            K::Ivar => self.vars(VarKind::Input),
            K::Frozenvar => self.vars(VarKind::Frozen),
            K::Define | K::Mdefine => self.defines(),
            K::Constants => return self.whole(Self::constants),
            K::Assign => self.assigns(),
            K::Init => return self.constraint(ConstraintKind::Init),
            K::Trans => return self.constraint(ConstraintKind::Trans),
            K::Invar => return self.constraint(ConstraintKind::Invar),
            K::Fairness | K::Justice => return self.constraint(ConstraintKind::Justice),
            K::Compassion => return self.whole(Self::compassion),
            K::Isa => return self.whole(Self::isa),
            K::Spec | K::Ctlspec | K::Ltlspec | K::Invarspec | K::Compute | K::Pslspec => {
                return self.property(keyword);
            }
            K::Fun => {
                let span = self.bump().span;
                self.unsupported(span, "functions are not supported");
                self.skip_section();
                return None;
            }
            _ => return self.no_section(),
        })
    }

    /// Sections whose names are not reserved.
    fn named_section(&mut self) -> Option<ItemKind> {
        match self.text() {
            "INPUT" => return Some(self.vars(VarKind::Monitored)),
            "OUTPUT" if self.is_output_list() => return self.whole(Self::output_list),
            "OUTPUT" => return Some(self.vars(VarKind::Controlled)),
            "PRED" => return self.whole(Self::pred),
            "MIRROR" => return self.whole(Self::mirror),
            _ => {}
        }
        let name = self.text();
        let Some(near) = closest(name, SECTIONS) else { return self.no_section() };
        let span = self.span();
        self.report(Diagnostic::error(codes::UNKNOWN_SECTION, span, format!("there is no section `{name}`")).suggest(
            "a section with a similar name exists",
            span,
            near,
        ));
        // Read it as what it was probably meant to be, so that its contents are checked as well.
        if let Some(keyword) = Keyword::find(near) {
            self.tokens[self.at].kind = TokenKind::Keyword(keyword);
        } else {
            self.bump();
            self.skip_section();
        }
        None
    }

    fn no_section(&mut self) -> Option<ItemKind> {
        if self.kind() == TokenKind::Semi {
            let span = self.bump().span;
            self.report(Diagnostic::error(codes::UNEXPECTED, span, "unexpected `;`").suggest("remove it", span, ""));
            return None;
        }
        self.unexpected("a section such as `VAR`, `ASSIGN` or `SPEC`");
        self.bump();
        self.skip_section();
        None
    }

    /// A section that is read as a whole or not at all.
    fn whole(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Option<ItemKind>>) -> Option<ItemKind> {
        self.bump();
        read(self).unwrap_or_else(|Abandoned| {
            self.skip_declaration(None);
            None
        })
    }

    /// Whether a section begins here whose name is not reserved, or a near-miss of one.
    pub(super) fn at_contextual_section(&self) -> bool {
        if self.kind() != TokenKind::Name {
            return false;
        }
        let follows = match self.ahead(1).kind {
            TokenKind::Name | TokenKind::Int | TokenKind::LBrace | TokenKind::Not => true,
            TokenKind::Lt => self.text() == "PRED",
            TokenKind::Keyword(keyword) => {
                !matches!(
                    keyword,
                    Keyword::U | Keyword::V | Keyword::S | Keyword::T | Keyword::In | Keyword::Union | Keyword::Mod
                ) && !matches!(keyword, Keyword::Xor | Keyword::Xnor)
            }
            _ => false,
        };
        let text = self.text();
        let is_upper = text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        follows
            && is_upper
            && (matches!(text, "PRED" | "MIRROR") || SECTIONS.contains(&text) || closest(text, SECTIONS).is_some())
    }

    /// Whether another declaration of the section at hand begins here.
    fn at_declaration(&self) -> bool {
        match self.kind() {
            TokenKind::Eof => false,
            TokenKind::Name => !self.at_contextual_section(),
            // A reserved word that somebody tries to declare.
            TokenKind::Keyword(_) if matches!(self.ahead(1).kind, TokenKind::Colon | TokenKind::Becomes) => true,
            kind => !kind.starts_section(),
        }
    }

    /// Reads declarations until the section ends, each on its own.
    fn declarations<T>(&mut self, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Vec<T> {
        self.bump();
        let mut declarations = Vec::new();
        while self.at_declaration() {
            let start = self.at;
            if let Ok(declaration) = read(self) {
                declarations.push(declaration);
                continue;
            }
            self.skip_declaration(None);
            if self.at == start {
                self.bump();
            }
        }
        declarations
    }

    fn vars(&mut self, kind: VarKind) -> ItemKind {
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

    fn defines(&mut self) -> ItemKind {
        ItemKind::Defines(self.declarations(|parser| {
            let name = parser.declared_name("the name of a definition")?;
            parser.becomes_sign()?;
            let body = parser.define_body()?;
            parser.semicolon("a definition")?;
            Ok(DefineDecl { name, body })
        }))
    }

    fn assigns(&mut self) -> ItemKind {
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

    /// `:=`, or what was written in its place.
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

    /// The name of a declaration. Flattened models declare `a.b` and `x[3]`, which are names like any other.
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

    /// What an assignment is to: a name, a part of an instance, an element of an array.
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

    fn constants(&mut self) -> Parsed<Option<ItemKind>> {
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

    fn constraint(&mut self, kind: ConstraintKind) -> Option<ItemKind> {
        self.whole(|parser| {
            let expr = parser.expr()?;
            parser.optional_semicolon()?;
            Ok(Some(ItemKind::Constraint(kind, expr)))
        })
    }

    fn compassion(&mut self) -> Parsed<Option<ItemKind>> {
        self.expect(TokenKind::LParen)?;
        let often = self.expr()?;
        self.expect(TokenKind::Comma)?;
        let then_often = self.expr()?;
        self.expect(TokenKind::RParen)?;
        self.optional_semicolon()?;
        Ok(Some(ItemKind::Compassion(often, then_often)))
    }

    fn isa(&mut self) -> Parsed<Option<ItemKind>> {
        Ok(Some(ItemKind::Isa(self.name("the name of a module")?)))
    }

    /// `PRED e`, `PRED [3] e`, `PRED <name> := e`
    fn pred(&mut self) -> Parsed<Option<ItemKind>> {
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

    fn mirror(&mut self) -> Parsed<Option<ItemKind>> {
        let variable = self.variable()?;
        self.optional_semicolon()?;
        Ok(Some(ItemKind::Mirror(variable)))
    }

    /// Whether an `OUTPUT` section lists variables instead of declaring them.
    fn is_output_list(&self) -> bool {
        (1..).map(|n| self.ahead(n).kind).find_map(|kind| match kind {
            TokenKind::Comma | TokenKind::Semi => Some(true),
            TokenKind::Name | TokenKind::Dot | TokenKind::Int | TokenKind::LBracket | TokenKind::RBracket => None,
            _ => Some(false),
        }) == Some(true)
    }

    /// `OUTPUT a, b;` names variables that are declared elsewhere; it never had an effect on the meaning of a model.
    fn output_list(&mut self) -> Parsed<Option<ItemKind>> {
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
