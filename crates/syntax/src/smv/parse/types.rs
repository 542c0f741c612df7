//! Parser of types and module instances.

use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::Builtin;
use crate::smv::ast::{ExprId, ExprKind, TypeExpr, TypeKind};
use crate::smv::codes;
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

/// Maximal number of dimensions of an array type, which bounds the depth of recursive passes over types.
const MAX_DIMENSIONS: usize = 100;

impl Parser<'_> {
    /// Parses a type. Module instances are allowed in `VAR` only.
    pub(super) fn ty(&mut self, instances: bool) -> Parsed<TypeExpr> {
        let mut dimensions: Vec<(Span, ExprId, ExprId)> = Vec::new();
        while self.is_keyword(Keyword::Array) {
            let start = self.bump().span;
            if let Some(message) = self.unsupported_array() {
                return Err(self.unsupported(start, message));
            }
            if dimensions.len() == MAX_DIMENSIONS {
                self.report(Diagnostic::error(codes::TOO_DEEP, start, "this array has too many dimensions"));
                return Err(super::Abandoned);
            }
            let (low, high) = self.range_type()?;
            if !self.eat_keyword(Keyword::Of) {
                return Err(self.unexpected("`of` and the type of the elements"));
            }
            dimensions.push((start, low, high));
        }
        let mut ty = self.element(instances && dimensions.is_empty())?;
        for (start, low, high) in dimensions.into_iter().rev() {
            let span = start.to(ty.span);
            ty = TypeExpr { kind: TypeKind::Array(low, high, Box::new(ty)), span };
        }
        Ok(ty)
    }

    fn unsupported_array(&self) -> Option<&'static str> {
        match self.kind() {
            TokenKind::Keyword(Keyword::Word | Keyword::UpperWord) => Some("arrays indexed by words are not supported"),
            TokenKind::Keyword(Keyword::Of) => Some("arrays without bounds are not supported"),
            _ => None,
        }
    }

    /// Parses a type other than an array.
    fn element(&mut self, instances: bool) -> Parsed<TypeExpr> {
        use Keyword as K;
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Keyword(K::Boolean) => {
                self.bump();
                TypeKind::Boolean
            }
            TokenKind::Keyword(keyword @ (K::Signed | K::Unsigned | K::Word | K::UpperWord))
                if self.ahead(1).kind != TokenKind::LParen =>
            {
                self.bump();
                self.word_type(keyword)?
            }
            TokenKind::LBrace => self.enumeration()?,
            TokenKind::Keyword(K::Bool) if self.ahead(1).kind != TokenKind::LParen => self.foreign_type("boolean"),
            TokenKind::Keyword(K::Process) => {
                self.bump();
                self.instance(true, instances, start)?
            }
            TokenKind::Name if !self.name_starts_range() => self.named_type(instances, start)?,
            _ => {
                let (low, high) = self.range_type()?;
                TypeKind::Range(low, high)
            }
        };
        Ok(TypeExpr { kind, span: start.to(self.last_span()) })
    }

    fn word_type(&mut self, keyword: Keyword) -> Parsed<TypeKind> {
        if matches!(keyword, Keyword::Signed | Keyword::Unsigned)
            && !self.eat_keyword(Keyword::Word)
            && !self.eat_keyword(Keyword::UpperWord)
        {
            return Err(self.unexpected("`word`"));
        }
        self.expect(TokenKind::LBracket)?;
        let width = self.expr()?;
        self.expect(TokenKind::RBracket)?;
        Ok(TypeKind::Word { signed: keyword == Keyword::Signed, width })
    }

    /// `{a, b, -1}`
    fn enumeration(&mut self) -> Parsed<TypeKind> {
        let start = self.bump().span;
        if self.kind() == TokenKind::RBrace {
            let span = start.to(self.bump().span);
            self.report(
                Diagnostic::error(codes::EMPTY, span, "this enumeration is empty")
                    .help("a type has at least one value"),
            );
            return Ok(TypeKind::Error);
        }
        let mut values = Vec::new();
        loop {
            values.push(self.enumeration_value()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.kind() != TokenKind::RBrace {
            return Err(self.unexpected("`,` or `}`"));
        }
        self.bump();
        Ok(TypeKind::Enum(values))
    }

    fn enumeration_value(&mut self) -> Parsed<ExprId> {
        let span = self.span();
        match self.kind() {
            TokenKind::Int | TokenKind::Minus | TokenKind::Plus => self.bound(),
            TokenKind::Keyword(keyword @ (Keyword::True | Keyword::False)) => {
                self.bump();
                Ok(self.make(ExprKind::Bool(keyword == Keyword::True), span)?.id)
            }
            _ => {
                let name = self.name("a value")?;
                let mut value = self.make(ExprKind::Name(name.text), name.span)?;
                while self.eat(TokenKind::Dot) {
                    let field = self.name("a name after `.`")?;
                    let span = value.span.to(field.span);
                    value = self.make(ExprKind::Field(value.id, field), span)?;
                }
                Ok(value.id)
            }
        }
    }

    /// `low..high`
    fn range_type(&mut self) -> Parsed<(ExprId, ExprId)> {
        let start = self.span();
        if !self.can_start_bound() {
            return Err(self.unexpected("a type"));
        }
        let range = self.expr()?;
        if let ExprKind::Range(low, high) = self.exprs[range].kind {
            return Ok((low, high));
        }
        if self.exprs[range].kind != ExprKind::Error {
            let span = start.to(self.last_span());
            self.report(
                Diagnostic::error(codes::UNEXPECTED, span, "expected a type, found an expression")
                    .note("a range of numbers is written `low..high`"),
            );
        }
        Err(super::Abandoned)
    }

    /// Whether a bound can begin here: any operand that is not a formula.
    fn can_start_bound(&self) -> bool {
        use Keyword as K;
        match self.kind() {
            TokenKind::Int
            | TokenKind::Word
            | TokenKind::Name
            | TokenKind::Minus
            | TokenKind::Plus
            | TokenKind::Not
            | TokenKind::LParen
            | TokenKind::Bad
            | TokenKind::Keyword(K::True | K::False | K::Case | K::Next | K::SelfRef) => true,
            TokenKind::Keyword(keyword) => Builtin::ALL.iter().any(|(name, _)| *name == keyword.text()),
            _ => false,
        }
    }

    /// Whether the current name begins the bounds of a range: it is not followed by `(`, `;` or the like.
    fn name_starts_range(&self) -> bool {
        match self.ahead(1).kind {
            TokenKind::DotDot
            | TokenKind::Dot
            | TokenKind::LBracket
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Shl
            | TokenKind::Shr
            | TokenKind::ColonColon => true,
            TokenKind::Keyword(keyword) => keyword == Keyword::Mod,
            _ => false,
        }
    }

    /// `integer`, or an instance of a module.
    fn named_type(&mut self, instances: bool, start: Span) -> Parsed<TypeKind> {
        match self.text() {
            "integer" => {
                self.bump();
                Ok(TypeKind::Integer)
            }
            // NuSMV reserves `real` and `integer`; the other type names belong to other languages, such as nuXmv.
            "clock" | "Boolean" | "BOOLEAN" | "int" | "Integer" if self.has_module_called(self.text()) => {
                self.instance(false, instances, start)
            }
            word @ ("real" | "clock") if self.ahead(1).kind != TokenKind::LParen => {
                self.bump();
                Err(self.unsupported(start, &format!("variables of type `{word}` are not supported")))
            }
            "Boolean" | "BOOLEAN" if self.ahead(1).kind == TokenKind::Semi => Ok(self.foreign_type("boolean")),
            "int" | "Integer" if self.ahead(1).kind == TokenKind::Semi => Ok(self.foreign_type("0..7")),
            _ => self.instance(false, instances, start),
        }
    }

    /// Whether the file declares a module of that name, here or further on.
    fn has_module_called(&self, name: &str) -> bool {
        self.tokens.windows(2).any(|pair| {
            pair[0].kind == TokenKind::Keyword(Keyword::Module)
                && pair[1].kind == TokenKind::Name
                && self.source.slice(pair[1].span) == name
        })
    }

    /// The name of a type in another language.
    fn foreign_type(&mut self, ours: &str) -> TypeKind {
        let span = self.bump().span;
        self.report(
            Diagnostic::error(codes::UNEXPECTED, span, format!("unknown type `{}`", self.slice(span))).suggest(
                format!("SMV writes `{ours}`"),
                span,
                ours,
            ),
        );
        TypeKind::Error
    }

    /// `M`, `M(a, b)`
    fn instance(&mut self, process: bool, allowed: bool, start: Span) -> Parsed<TypeKind> {
        let module = self.name("the name of a module")?;
        let args = if self.kind() == TokenKind::LParen { self.arguments()? } else { Vec::new() };
        if !allowed {
            let span = start.to(self.last_span());
            self.report(
                Diagnostic::error(codes::MISPLACED_INSTANCE, span, "an instance of a module cannot be here")
                    .note("modules are instantiated in VAR, one by one"),
            );
            return Ok(TypeKind::Error);
        }
        Ok(TypeKind::Instance { process, module, args })
    }

    /// `(a, b)`, possibly empty.
    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let opener = self.bump().span;
        let mut args = Vec::new();
        if self.eat(TokenKind::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.expr()?);
            match self.kind() {
                TokenKind::Comma => {
                    self.bump();
                }
                TokenKind::RParen => {
                    self.bump();
                    return Ok(args);
                }
                TokenKind::Semi | TokenKind::Eof => {
                    self.report(
                        Diagnostic::error(codes::UNCLOSED, opener, "this `(` is never closed")
                            .also(self.span(), "expected `)` before this"),
                    );
                    return Ok(args);
                }
                _ => return Err(self.unexpected("an operator, `,` or `)`")),
            }
        }
    }
}
