//! The symbols of an SCR specification. All names are seen everywhere; values of types and modes are constants.

use super::{Index, Kind, Outline, SymbolId, one_line};
use specwright::syntax::scr::ast::{Cell, Class, Content, Expr, ExprKind, File, Name, Table, TypeExpr, TypeKind};
use specwright::syntax::span::{SourceFile, Span};
use std::collections::BTreeMap;

/// The symbols of a file.
pub(crate) fn index(file: &File, source: &SourceFile) -> Index {
    let mut indexer = Indexer { source, index: Index::default(), names: BTreeMap::new() };
    indexer.declarations(file);
    indexer.uses(file);
    let mut index = indexer.index;
    index.finish();
    index
}

struct Indexer<'a> {
    source: &'a SourceFile,
    index: Index,
    /// Types, constants and variables by name.
    names: BTreeMap<String, SymbolId>,
}

impl Indexer<'_> {
    fn text(&self, span: Span) -> String {
        one_line(self.source.slice(span))
    }

    fn name(&mut self, kind: Kind, word: &'static str, name: &Name, whole: Span) -> SymbolId {
        let symbol = self.index.declare(kind, word, &name.text, name.span, whole);
        self.names.entry(name.text.clone()).or_insert(symbol);
        self.index.globals.push(symbol);
        symbol
    }

    fn outline(&mut self, name: &Name, kind: Kind, detail: String, whole: Span) {
        let part = Outline { name: name.text.clone(), detail, kind, whole, selection: name.span, children: Vec::new() };
        self.index.outline.push(part);
    }

    fn declarations(&mut self, file: &File) {
        for declared in &file.types {
            let whole = declared.name.span.to(declared.ty.span);
            let symbol = self.name(Kind::Type, "type", &declared.name, whole);
            let values = self.values(&declared.ty);
            self.index.symbol(symbol).values = values;
            self.outline(&declared.name, Kind::Type, self.text(declared.ty.span), whole);
        }
        for declared in &file.constants {
            let whole = declared.name.span.to(declared.value.span);
            let symbol = self.name(Kind::Define, "constant", &declared.name, whole);
            self.index.symbol(symbol).body = Some(declared.value.span);
            self.outline(&declared.name, Kind::Define, self.text(declared.value.span), whole);
        }
        for declared in &file.vars {
            let whole = declared.name.span.to(declared.ty.span);
            let whole = declared.initially.as_ref().map_or(whole, |value| whole.to(value.span));
            let symbol = self.name(Kind::Variable, declared.class.name(), &declared.name, whole);
            let values = match (&declared.ty.kind, declared.class) {
                (TypeKind::Enum(names), Class::Mode) => {
                    names.iter().map(|name| self.index.constant("mode", &name.text, name.span)).collect()
                }
                _ => self.values(&declared.ty),
            };
            let variable = self.index.symbol(symbol);
            variable.ty = Some(declared.ty.span);
            variable.values = values;
            self.outline(
                &declared.name,
                Kind::Variable,
                format!("{}: {}", declared.class.name(), self.text(declared.ty.span)),
                whole,
            );
        }
        // Types may be used before they are declared.
        for declared in &file.vars {
            if let TypeKind::Named(name) = &declared.ty.kind
                && let (Some(ty), Some(symbol)) = (self.names.get(name), self.names.get(&declared.name.text))
            {
                let values = self.index[*ty].values.clone();
                let symbol = *symbol;
                self.index.symbol(symbol).values = values;
            }
        }
        for table in &file.tables {
            let whole = whole(table);
            self.index.folds.push(whole);
            self.outline(&table.name, Kind::Function, table.kind.name().to_owned(), whole);
        }
        for property in &file.properties {
            let span = property.formula.span;
            if let Some(name) = &property.name {
                let symbol = self.index.declare(Kind::Property, "property", &name.text, name.span, name.span.to(span));
                self.index.symbol(symbol).body = Some(span);
                self.outline(name, Kind::Property, self.text(span), name.span.to(span));
            } else {
                let name = Name { text: self.text(span), span };
                self.outline(&name, Kind::Property, String::new(), span);
            }
        }
    }

    /// Declares the values of an enumeration.
    fn values(&mut self, ty: &TypeExpr) -> Vec<SymbolId> {
        match &ty.kind {
            TypeKind::Enum(names) => {
                names.iter().map(|name| self.index.constant("value", &name.text, name.span)).collect()
            }
            TypeKind::Boolean | TypeKind::Range(..) | TypeKind::Named(_) => Vec::new(),
        }
    }

    fn uses(&mut self, file: &File) {
        for declared in &file.types {
            self.ty(&declared.ty);
        }
        for declared in &file.constants {
            self.expr(&declared.value);
        }
        for declared in &file.vars {
            self.ty(&declared.ty);
            if let Some(value) = &declared.initially {
                self.expr(value);
            }
        }
        file.assumptions.iter().chain(&file.initially).for_each(|expr| self.expr(expr));
        for table in &file.tables {
            self.mention(&table.name, true);
            if let Some(by) = &table.by {
                self.mention(by, false);
            }
            let cells = table.head.iter().chain(table.rows.iter().flat_map(|row| &row.cells)).chain(&table.values);
            cells.for_each(|cell| self.cell(cell));
            if let Some(symbol) = self.names.get(&table.name.text).copied() {
                self.index.expected.push((whole(table), symbol));
            }
        }
        file.properties.iter().for_each(|property| self.expr(&property.formula));
    }

    fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Named(name) => self.mention(&Name { text: name.clone(), span: ty.span }, false),
            TypeKind::Range(first, last) => {
                self.expr(first);
                self.expr(last);
            }
            TypeKind::Boolean | TypeKind::Enum(_) => {}
        }
    }

    fn cell(&mut self, cell: &Cell) {
        match &cell.content {
            // The modes of an empty cell stand in the row above.
            Content::Modes(names) => {
                let inside = |name: &&Name| cell.span.start <= name.span.start && name.span.end <= cell.span.end;
                names.iter().filter(inside).for_each(|name| self.mention(name, false));
            }
            Content::Expr(expr) => self.expr(expr),
            Content::Label | Content::AnyMode | Content::Sign(_) | Content::Broken => {}
        }
    }

    fn mention(&mut self, name: &Name, is_write: bool) {
        let found = self.names.get(&name.text).copied().or_else(|| self.index.constant_named(&name.text));
        // Some spans of names reach further than the name.
        if let Some(symbol) = found.filter(|_| self.source.slice(name.span) == name.text) {
            self.index.mention(name.span, symbol, is_write);
        }
    }

    fn expr(&mut self, root: &Expr) {
        let mut waiting = vec![root];
        while let Some(expr) = waiting.pop() {
            self.source.budget.look();
            match &*expr.kind {
                ExprKind::Name(name) => self.mention(&Name { text: name.clone(), span: expr.span }, false),
                ExprKind::Prime(inner)
                | ExprKind::Event(_, inner)
                | ExprKind::Unary(_, inner)
                | ExprKind::Duration(inner) => waiting.push(inner),
                ExprKind::When(_, left, right) | ExprKind::Binary(_, left, right) => waiting.extend([left, right]),
                ExprKind::In(left, values) => {
                    waiting.push(left);
                    waiting.extend(values);
                }
                ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(..) | ExprKind::Inmode => {}
            }
        }
    }
}

/// All of a table.
fn whole(table: &Table) -> Span {
    let rows = table.rows.iter().map(|row| row.span);
    rows.chain(table.values.iter().map(|cell| cell.span)).fold(table.span, Span::to)
}
