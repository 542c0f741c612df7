//! Error recovery: one mistake should give one message.

use super::expr::Unfinished;
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::smv::codes;
use crate::smv::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// Skips to the end of a declaration: past its `;`, or before the next section.
    ///
    /// A `;` inside `case … esac` ends no declaration; nor does one inside braces in PSL.
    pub(super) fn skip_declaration(&mut self, is_psl: bool) {
        let Unfinished { mut cases, mut braces } = std::mem::take(&mut self.unfinished);
        if !is_psl {
            braces = 0;
        }
        loop {
            match self.kind() {
                TokenKind::Eof => return,
                kind if kind.starts_section() => return,
                TokenKind::Semi if cases == 0 && braces == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Keyword(Keyword::Case) => cases += 1,
                TokenKind::Keyword(Keyword::Esac) => cases = cases.saturating_sub(1),
                TokenKind::LBrace if is_psl => braces += 1,
                TokenKind::RBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to the next section.
    pub(super) fn skip_section(&mut self) {
        while self.kind() != TokenKind::Eof && !self.kind().starts_section() {
            self.bump();
        }
    }

    /// Skips to the end of a branch of the innermost `case`. Returns whether the `case` goes on.
    pub(super) fn skip_branch(&mut self) -> bool {
        let mut cases = 0usize;
        loop {
            match self.kind() {
                TokenKind::Eof => return false,
                kind if kind.starts_section() => return false,
                TokenKind::Semi if cases == 0 => {
                    self.bump();
                    return true;
                }
                TokenKind::Keyword(Keyword::Esac) if cases == 0 => return true,
                TokenKind::Keyword(Keyword::Case) => cases += 1,
                TokenKind::Keyword(Keyword::Esac) => cases -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// The `;` at the end of a declaration. `what` says which, as in "a variable".
    pub(super) fn semicolon(&mut self, what: &str) -> Parsed<()> {
        let forgiven = std::mem::take(&mut self.forgive_semicolon);
        if self.eat(TokenKind::Semi) || forgiven {
            return Ok(());
        }
        if self.kind() == TokenKind::RParen {
            return Err(self.unmatched());
        }
        if self.at_new_declaration() {
            self.missing_semicolon(what);
            return Ok(());
        }
        Err(self.unexpected("an operator or `;`"))
    }

    /// The `;` that may follow a constraint or a property.
    pub(super) fn optional_semicolon(&mut self) -> Parsed<()> {
        self.forgive_semicolon = false;
        if self.eat(TokenKind::Semi) || self.kind() == TokenKind::Eof || self.kind().starts_section() {
            return Ok(());
        }
        if self.at_contextual_section() {
            return Ok(());
        }
        if self.kind() == TokenKind::RParen {
            return Err(self.unmatched());
        }
        Err(self.unexpected("an operator, `;` or a new section"))
    }

    pub(super) fn missing_semicolon(&mut self, what: &str) {
        let gap = self.gap();
        self.report(Diagnostic::error(codes::MISSING_SEMICOLON, gap, format!("missing `;` after {what}")).suggest(
            "add a semicolon",
            gap,
            ";",
        ));
    }

    fn unmatched(&mut self) -> Abandoned {
        let sign = self.text();
        self.report(Diagnostic::error(codes::UNCLOSED, self.span(), format!("this `{sign}` closes nothing")).suggest(
            "remove it",
            self.span(),
            "",
        ));
        Abandoned
    }

    /// Whether the next tokens look like the start of a declaration.
    pub(super) fn at_new_declaration(&self) -> bool {
        match self.kind() {
            TokenKind::Eof | TokenKind::Keyword(Keyword::SmallInit) => true,
            TokenKind::Name => {
                self.starts_line(self.at)
                    || matches!(self.ahead(1).kind, TokenKind::Becomes | TokenKind::Colon)
                    || self.at_contextual_section()
            }
            TokenKind::Keyword(Keyword::Next) => self.starts_line(self.at),
            kind => kind.starts_section(),
        }
    }
}
