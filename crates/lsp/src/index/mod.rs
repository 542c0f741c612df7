//! The symbols of a specification, in no particular language: what is declared, where it is used, what it contains.
//!
//! Each language has a module that fills an [`Index`] from its tree. Everything else of the server reads indices, so a
//! feature is written once for all languages.

mod asm;
mod scr;
mod smv;
mod statechart;

use specwright::syntax::span::Span;
use std::collections::BTreeMap;

pub(crate) use asm::{Part, index as asm};
pub(crate) use scr::index as scr;
pub(crate) use smv::index as smv;
pub(crate) use statechart::index as statechart;

/// A symbol of an [`Index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SymbolId(pub(crate) u32);

/// The kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A module, or the machine of a file.
    Module,
    /// A variable.
    Variable,
    /// A variable that is an instance of a module.
    Instance,
    /// A named expression.
    Define,
    /// A formal parameter, or a variable that a binder declares.
    Parameter,
    /// A symbolic constant: a value of an enumeration, a mode.
    Constant,
    /// A type or a domain.
    Type,
    /// A function.
    Function,
    /// A rule.
    Rule,
    /// A property.
    Property,
}

/// A symbol.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its name.
    pub(crate) name: String,
    /// What it is, in the words of its language: `state variable`.
    pub(crate) word: &'static str,
    /// The spans of its name where it is declared. Values of enumerations may be declared more than once.
    pub(crate) definitions: Vec<Span>,
    /// The whole declaration.
    pub(crate) whole: Span,
    /// The module or rule that it belongs to.
    pub(crate) parent: Option<SymbolId>,
    /// Its type as it is written, if it has one.
    pub(crate) ty: Option<Span>,
    /// What it stands for, if it stands for an expression.
    pub(crate) body: Option<Span>,
    /// The modules whose symbols are its parts.
    pub(crate) members: Vec<SymbolId>,
    /// The values of its type, if these are symbols.
    pub(crate) values: Vec<SymbolId>,
    /// Its parameters as they are written.
    pub(crate) params: Vec<Span>,
}

/// A place where a symbol is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    /// The span of the name.
    pub(crate) span: Span,
    /// The symbol. A name that has several meanings has a use for each.
    pub(crate) symbol: SymbolId,
    /// Whether the symbol is declared here.
    pub(crate) is_definition: bool,
    /// Whether its value is defined here.
    pub(crate) is_write: bool,
}

/// A part of the outline of a file.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// Its name.
    pub(crate) name: String,
    /// What there is to say about it.
    pub(crate) detail: String,
    /// Its kind.
    pub(crate) kind: Kind,
    /// All of it.
    pub(crate) whole: Span,
    /// Its name in the text.
    pub(crate) selection: Span,
    /// Its parts.
    pub(crate) children: Vec<Outline>,
}

/// A call whose actual parameters stand for those of a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// What is called.
    pub(crate) symbol: SymbolId,
    /// The actual parameters.
    pub(crate) arguments: Vec<Span>,
}

/// All symbols of a file and of those that it imports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The symbols.
    pub(crate) symbols: Vec<Symbol>,
    /// The places where they are mentioned, sorted.
    pub(crate) uses: Vec<Use>,
    /// The outline of the main file.
    pub(crate) outline: Vec<Outline>,
    /// What can be folded.
    pub(crate) folds: Vec<Span>,
    /// Where the symbols of a module can be seen.
    pub(crate) scopes: Vec<(Span, Vec<SymbolId>)>,
    /// The symbols that are seen everywhere.
    pub(crate) globals: Vec<SymbolId>,
    /// The calls.
    pub(crate) calls: Vec<Call>,
    /// Where values of a symbol are expected, besides assignments.
    pub(crate) expected: Vec<(Span, SymbolId)>,
    constants: BTreeMap<String, SymbolId>,
}

impl std::ops::Index<SymbolId> for Index {
    type Output = Symbol;

    fn index(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }
}

impl Index {
    /// Adds a symbol, and its definition as a use.
    pub(crate) fn declare(&mut self, kind: Kind, word: &'static str, name: &str, span: Span, whole: Span) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol {
            kind,
            name: name.to_owned(),
            word,
            definitions: vec![span],
            whole,
            parent: None,
            ty: None,
            body: None,
            members: Vec::new(),
            values: Vec::new(),
            params: Vec::new(),
        });
        self.uses.push(Use { span, symbol: id, is_definition: true, is_write: false });
        id
    }

    /// The symbol with an id, to complete it.
    pub(crate) fn symbol(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.symbols[id.0 as usize]
    }

    /// A symbolic constant. All declarations of a name are one constant.
    pub(crate) fn constant(&mut self, word: &'static str, name: &str, span: Span) -> SymbolId {
        if let Some(id) = self.constants.get(name).copied() {
            self.symbol(id).definitions.push(span);
            self.uses.push(Use { span, symbol: id, is_definition: true, is_write: false });
            return id;
        }
        let id = self.declare(Kind::Constant, word, name, span, span);
        self.constants.insert(name.to_owned(), id);
        self.globals.push(id);
        id
    }

    /// The constant with a name.
    pub(crate) fn constant_named(&self, name: &str) -> Option<SymbolId> {
        self.constants.get(name).copied()
    }

    /// Adds a use.
    pub(crate) fn mention(&mut self, span: Span, symbol: SymbolId, is_write: bool) {
        self.uses.push(Use { span, symbol, is_definition: false, is_write });
    }

    /// Sorts what was added in the order of names.
    pub(crate) fn finish(&mut self) {
        self.uses.sort_unstable();
        self.uses.dedup();
        self.folds.sort_unstable();
        self.folds.dedup();
    }

    /// The uses at a position of the number line of all files.
    pub(crate) fn at(&self, position: u32) -> Vec<Use> {
        let after = self.uses.partition_point(|found| found.span.start <= position);
        let touches = |found: &&Use| found.span.start <= position && position <= found.span.end;
        // Names do not overlap, so the one that starts last is the one that is meant.
        let Some(last) = self.uses[..after].iter().rev().take(8).find(touches) else { return Vec::new() };
        let span = last.span;
        self.uses[..after].iter().rev().take_while(|found| found.span.start == span.start).copied().collect()
    }

    /// All symbols that the name at a place may stand for, and those that share a name with them somewhere: what a rename
    /// must change together.
    pub(crate) fn together(&self, position: u32) -> Vec<SymbolId> {
        let mut wanted: Vec<SymbolId> = self.at(position).into_iter().map(|found| found.symbol).collect();
        loop {
            let before = wanted.len();
            let spans: Vec<Span> =
                self.uses.iter().filter(|found| wanted.contains(&found.symbol)).map(|found| found.span).collect();
            for found in self.uses.iter().filter(|found| spans.binary_search(&found.span).is_ok()) {
                if !wanted.contains(&found.symbol) {
                    wanted.push(found.symbol);
                }
            }
            if wanted.len() == before {
                wanted.sort_unstable();
                return wanted;
            }
        }
    }

    /// The uses of symbols, in the order of the text.
    pub(crate) fn uses_of<'a>(&'a self, symbols: &'a [SymbolId]) -> impl Iterator<Item = &'a Use> {
        self.uses.iter().filter(|found| symbols.contains(&found.symbol))
    }

    /// The symbols that can be named at a position, inner scopes first.
    pub(crate) fn visible(&self, position: u32) -> Vec<SymbolId> {
        let mut scopes: Vec<&(Span, Vec<SymbolId>)> =
            self.scopes.iter().filter(|(span, _)| span.start <= position && position <= span.end).collect();
        scopes.sort_by_key(|(span, _)| span.end - span.start);
        scopes.iter().flat_map(|(_, symbols)| symbols).chain(&self.globals).copied().collect()
    }

    /// The symbols that are declared in a module.
    pub(crate) fn members(&self, module: SymbolId) -> impl Iterator<Item = SymbolId> {
        let is_part = move |id: &SymbolId| {
            let symbol = &self[*id];
            symbol.parent == Some(module) && symbol.kind != Kind::Property
        };
        (0..self.symbols.len() as u32).map(SymbolId).filter(is_part)
    }
}

impl Index {
    /// The modules whose symbols are parts of a symbol.
    pub(crate) fn parts(&self, symbol: SymbolId) -> Vec<SymbolId> {
        if self[symbol].kind == Kind::Module { vec![symbol] } else { self[symbol].members.clone() }
    }

    /// The module in which a position lies.
    pub(crate) fn enclosing(&self, position: u32) -> Option<SymbolId> {
        let modules = (0..self.symbols.len() as u32).map(SymbolId).filter(|id| self[*id].kind == Kind::Module);
        modules.filter(|id| self[*id].whole.start <= position).max_by_key(|id| self[*id].whole.start)
    }

    /// The symbols whose values are expected at a position.
    pub(crate) fn expected_at(&self, position: u32) -> Vec<SymbolId> {
        let covers = |(span, _): &&(Span, SymbolId)| span.start <= position && position <= span.end;
        self.expected.iter().filter(covers).map(|(_, symbol)| *symbol).collect()
    }
}

/// A text on one line, shortened to what fits into a list.
fn one_line(text: &str) -> String {
    const MOST: usize = 60;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().count() > MOST {
            let cut: String = line.chars().take(MOST).collect();
            return cut + "…";
        }
    }
    line
}
