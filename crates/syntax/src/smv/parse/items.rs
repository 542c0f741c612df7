//! Parser of modules and their sections.

use super::operator::binary_operator;
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::{Diagnostic, closest};
use crate::smv::ast::{ConstraintKind, Ident, Item, ItemKind, Module, VarKind};
use crate::smv::codes;
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

/// The names of sections, for suggestions.
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
    /// Parses all modules of the file.
    pub(super) fn file(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        if let Some(brace) = self.module_in_braces() {
            let message = "modules in braces belong to Cadence SMV, which is another language";
            let unsupported = Diagnostic::error(codes::UNSUPPORTED, brace, message);
            self.report(
                unsupported.note("a model starts with `MODULE main`, and has sections such as `VAR` and `ASSIGN`"),
            );
            return modules;
        }
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

    /// The brace of `module main(x, y) {`, in upper or lower case.
    fn module_in_braces(&self) -> Option<Span> {
        let is_module = |at: usize| match self.tokens[at].kind {
            TokenKind::Keyword(Keyword::Module) => true,
            TokenKind::Name => self.source.slice(self.tokens[at].span) == "module",
            _ => false,
        };
        let start = (0..self.tokens.len()).find(|at| is_module(*at))?;
        let mut rest = self.tokens[start + 1..].iter();
        rest.next().filter(|token| token.kind == TokenKind::Name)?;
        let mut after = rest.next()?;
        if after.kind == TokenKind::LParen {
            rest.find(|token| !matches!(token.kind, TokenKind::Name | TokenKind::Comma))?;
            after = rest.next()?;
        }
        (after.kind == TokenKind::LBrace).then_some(after.span)
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
                Diagnostic::error(codes::UNKNOWN_SECTION, found.span, format!("unknown section `{text}`")).suggest(
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
        let items = self.sections();
        Module { name, params, items, span: start.to(self.last_span()) }
    }

    /// All sections of a file without modules.
    pub(super) fn nameless_module(&mut self) -> Module {
        let start = self.span();
        let name = Ident { text: "".into(), span: Span::NONE };
        let items = self.sections();
        if self.kind() != TokenKind::Eof {
            let message = "a file of properties has no modules: its names are those of the model";
            self.report(Diagnostic::error(codes::UNEXPECTED, self.span(), message));
        }
        Module { name, params: Vec::new(), items, span: start }
    }

    fn sections(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.kind() != TokenKind::Eof && !self.is_keyword(Keyword::Module) {
            let start = self.span();
            let kinds = self.section();
            let span = start.to(self.last_span());
            items.extend(kinds.into_iter().map(|kind| Item { kind, span }));
        }
        items
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

    /// Parses one section; `None` if it was abandoned.
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

    /// Parses sections whose names are not reserved.
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
        let (at, span) = (self.at, self.span());
        self.report(Diagnostic::error(codes::UNKNOWN_SECTION, span, format!("unknown section `{name}`")).suggest(
            "a section with a similar name exists",
            span,
            near,
        ));
        // Parse it as the section that was probably meant, so that its contents are checked, too. The report moves to the end
        // of the file if there are too many errors.
        if let Some(keyword) = Keyword::find(near) {
            self.tokens[at].kind = TokenKind::Keyword(keyword);
        } else {
            self.bump();
            self.skip_section();
        }
        None
    }

    fn no_section(&mut self) -> Option<ItemKind> {
        if self.kind() == TokenKind::Semi {
            self.stray_semicolon();
            return None;
        }
        self.unexpected("a section such as `VAR`, `ASSIGN` or `SPEC`");
        self.bump();
        self.skip_section();
        None
    }

    pub(super) fn stray_semicolon(&mut self) {
        let span = self.bump().span;
        self.report(Diagnostic::error(codes::UNEXPECTED, span, "unexpected `;`").suggest("remove it", span, ""));
    }

    /// Parses a section as a whole; `None` after an error.
    pub(super) fn whole(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Option<ItemKind>>) -> Option<ItemKind> {
        self.bump();
        read(self).unwrap_or_else(|Abandoned| {
            self.skip_declaration(false);
            None
        })
    }

    /// Whether a section with a name that is not reserved, or a misspelled one, begins here. The next token
    /// distinguishes it from a declaration of that name.
    pub(super) fn at_contextual_section(&self) -> bool {
        if self.kind() != TokenKind::Name {
            return false;
        }
        let text = self.text();
        let next = self.ahead(1).kind;
        match text {
            "INPUT" | "OUTPUT" => next == TokenKind::Name,
            "MIRROR" => matches!(next, TokenKind::Name | TokenKind::Keyword(Keyword::SelfRef)),
            "PRED" => match next {
                TokenKind::Colon | TokenKind::Becomes | TokenKind::Dot | TokenKind::Eq => false,
                TokenKind::LBracket => !matches!(self.ahead(4).kind, TokenKind::Colon | TokenKind::Becomes),
                _ => true,
            },
            _ => {
                let is_upper = text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
                let can_follow = match next {
                    TokenKind::Name | TokenKind::Int => true,
                    TokenKind::Keyword(keyword) => binary_operator(TokenKind::Keyword(keyword)).is_none(),
                    _ => false,
                };
                is_upper && can_follow && closest(text, SECTIONS).is_some()
            }
        }
    }
}
