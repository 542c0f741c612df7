//! Parser of declarations, one on each line.

use super::super::ast::{Class, ConstantDecl, PropertyDecl, TypeDecl, TypeExpr, TypeKind, VarDecl};
use super::super::lexer::TokenKind;
use super::expr::ExprParser;
use super::{Parser, Piece};

impl<'a> Parser<'a> {
    fn tokens(&mut self, piece: Piece<'a>) -> Option<ExprParser<'a, '_>> {
        ExprParser::new(piece.text, piece.start, false, &mut self.diagnostics)
    }

    pub(super) fn type_decl(&mut self, piece: Piece<'a>) {
        let read = |mut line: ExprParser<'_, '_>| {
            let name = line.name("the name of a type")?;
            if !line.eat("=") {
                line.expect(":")?;
            }
            let ty = type_expr(&mut line)?;
            line.end()?;
            Some(TypeDecl { name, ty })
        };
        let decl = self.tokens(piece).and_then(read);
        self.file.types.extend(decl);
    }

    pub(super) fn constant(&mut self, piece: Piece<'a>) {
        let read = |mut line: ExprParser<'_, '_>| {
            let name = line.name("the name of a constant")?;
            line.expect("=")?;
            let value = line.expr()?;
            line.end()?;
            Some(ConstantDecl { name, value })
        };
        let decl = self.tokens(piece).and_then(read);
        self.file.constants.extend(decl);
    }

    /// `Reset, Block : Switch initially Off`
    pub(super) fn var(&mut self, class: Class, piece: Piece<'a>) {
        let read = |mut line: ExprParser<'_, '_>| {
            let mut names = vec![line.name("the name of a variable")?];
            while line.eat(",") {
                names.push(line.name("the name of a variable")?);
            }
            line.expect(":")?;
            let ty = type_expr(&mut line)?;
            let initially = if line.eat_word("initially") { Some(line.expr()?) } else { None };
            line.end()?;
            Some((names, ty, initially))
        };
        let Some((names, ty, initially)) = self.tokens(piece).and_then(read) else { return };
        for name in names {
            let (ty, initially) = (ty.clone(), initially.clone());
            self.file.vars.push(VarDecl { class, name, ty, initially });
        }
    }

    /// `safe : formula`, or a formula alone.
    pub(super) fn property(&mut self, piece: Piece<'a>) {
        let read = |mut line: ExprParser<'_, '_>| {
            let named = matches!(line.peek(), TokenKind::Ident(_)) && line.peek_second() == TokenKind::Sign(":");
            let name = if named { line.name("the name of a property") } else { None };
            if named {
                line.expect(":")?;
            }
            let formula = line.whole()?;
            Some(PropertyDecl { name, formula })
        };
        let line = ExprParser::new(piece.text, piece.start, true, &mut self.diagnostics);
        let decl = line.and_then(read);
        self.file.properties.extend(decl);
    }
}

fn type_expr(line: &mut ExprParser<'_, '_>) -> Option<TypeExpr> {
    let start = line.span();
    let kind = match line.peek() {
        TokenKind::Ident(word) if word.eq_ignore_ascii_case("boolean") || word.eq_ignore_ascii_case("bool") => {
            line.take();
            TypeKind::Boolean
        }
        TokenKind::Sign("{") => {
            line.take();
            let mut names = vec![line.name("a value")?];
            while line.eat(",") {
                names.push(line.name("a value")?);
            }
            line.expect("}")?;
            TypeKind::Enum(names)
        }
        TokenKind::Ident(word) if line.peek_second() != TokenKind::Sign("..") => {
            line.name("a type")?;
            TypeKind::Named(word.to_owned())
        }
        TokenKind::End => return line.unexpected("a type: `boolean`, `{A, B}`, `0..9` or a name"),
        _ => {
            let low = line.arithmetic()?;
            line.expect("..")?;
            TypeKind::Range(low, line.arithmetic()?)
        }
    };
    Some(TypeExpr { kind, span: start.to(line.last_span()) })
}
