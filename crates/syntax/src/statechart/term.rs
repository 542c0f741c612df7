//! Terms: JSON values and the part of JavaScript that charts are written in, with the place of everything.

use crate::op::BinaryOp;
use crate::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TermKind {
    Null,
    Undefined,
    Bool(bool),
    Number(f64),
    Text(Arc<str>),
    Array(Vec<Term>),
    Object(Vec<Entry>),
    /// An identifier.
    Name(Arc<str>),
    /// `object.name`
    Member(Box<Term>, Arc<str>),
    /// A function and its arguments.
    Call(Box<Term>, Vec<Term>),
    Function(Vec<Pattern>, Body),
    Not(Box<Term>),
    Neg(Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    Conditional(Box<Term>, Box<Term>, Box<Term>),
    /// `a == b`
    Loose(Box<Term>, Box<Term>),
    /// `object[key]`
    Index(Box<Term>, Box<Term>),
    Typeof(Box<Term>),
    /// `key in object`
    Has(Box<Term>, Box<Term>),
    /// `object?.name`
    Optional(Box<Term>, Arc<str>),
    /// `a ?? b`
    Coalesce(Box<Term>, Box<Term>),
    /// `...list`, in a list
    Spread(Box<Term>),
    /// Something else, in a few words.
    Other(&'static str),
}

/// An argument that stands for any number of them: `...list`.
pub(crate) const SPREAD: TermKind = TermKind::Other("a spread");

/// An entry of an object. Entries whose key is computed, and spreads, have no key unless constants say what they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: Option<Arc<str>>,
    /// The key that is computed.
    pub(crate) computed: Option<Box<Term>>,
    /// Whether all entries of the value are meant: `...value`.
    pub(crate) is_spread: bool,
    pub(crate) key_span: Span,
    pub(crate) value: Term,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pattern {
    Name(Arc<str>),
    /// Fields that are taken from an object, each with the pattern that it is bound to.
    Object(Vec<(Arc<str>, Pattern)>),
    /// A pattern, and the value that counts where there is none: `count = 1`.
    Default(Box<Pattern>, Box<Term>),
    /// Something else that declares these names, such as the items of a list.
    Other(Vec<Arc<str>>),
}

/// The body of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    /// A single expression.
    Value(Box<Term>),
    /// Several statements.
    Block(Vec<Statement>),
    /// Other statements.
    Code,
}

/// A statement in the body of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    /// A call.
    Call(Term),
    /// A condition, and the statements for both outcomes.
    If(Term, Vec<Statement>, Vec<Statement>),
    /// A place, and the value that it gets.
    Assign(Term, Term),
    Return(Option<Term>),
    Throw,
    /// Statements that are executed any number of times.
    Loop(Vec<Statement>),
    /// Leaves a loop, or goes on with its next turn.
    Break,
}

/// The parts of terms and of statements, to look at or to change.
macro_rules! parts {
    ($name:ident, $of_statement:ident, $iter:ident, $as_deref:ident $(, $mutable:tt)?) => {
        /// Its parts.
        pub(crate) fn $name(&$($mutable)? self) -> Vec<&$($mutable)? Term> {
            match &$($mutable)? self.kind {
                TermKind::Array(items) => items.$iter().collect(),
                TermKind::Object(entries) => entries
                    .$iter()
                    .flat_map(|entry| entry.computed.$as_deref().into_iter().chain([&$($mutable)? entry.value]))
                    .collect(),
                TermKind::Call(callee, arguments) => {
                    std::iter::once(&$($mutable)? **callee).chain(arguments.$iter()).collect()
                }
                TermKind::Member(a, _)
                | TermKind::Optional(a, _)
                | TermKind::Not(a)
                | TermKind::Neg(a)
                | TermKind::Typeof(a)
                | TermKind::Spread(a)
                | TermKind::Function(_, Body::Value(a)) => vec![a],
                TermKind::Binary(_, a, b)
                | TermKind::Loose(a, b)
                | TermKind::Index(a, b)
                | TermKind::Has(a, b)
                | TermKind::Coalesce(a, b) => vec![a, b],
                TermKind::Conditional(a, b, c) => vec![a, b, c],
                TermKind::Function(_, Body::Block(statements)) => {
                    statements.$iter().flat_map(Self::$of_statement).collect()
                }
                _ => Vec::new(),
            }
        }

        fn $of_statement(statement: &$($mutable)? Statement) -> Vec<&$($mutable)? Term> {
            match statement {
                Statement::Call(term) | Statement::Return(Some(term)) => vec![term],
                Statement::Assign(place, value) => vec![place, value],
                Statement::If(condition, yes, no) => std::iter::once(condition)
                    .chain(yes.$iter().chain(no.$iter()).flat_map(Self::$of_statement))
                    .collect(),
                Statement::Loop(body) => body.$iter().flat_map(Self::$of_statement).collect(),
                Statement::Return(None) | Statement::Throw | Statement::Break => Vec::new(),
            }
        }
    };
}

impl Pattern {
    /// Adds the names that it declares.
    pub(crate) fn names(&self, found: &mut Vec<Arc<str>>) {
        match self {
            Pattern::Name(name) => found.push(name.clone()),
            Pattern::Object(fields) => fields.iter().for_each(|(_, inner)| inner.names(found)),
            Pattern::Default(inner, _) => inner.names(found),
            Pattern::Other(names) => found.extend(names.iter().cloned()),
        }
    }
}

impl Statement {
    /// Adds the names that it declares or assigns.
    pub(crate) fn names(&self, found: &mut Vec<Arc<str>>) {
        match self {
            Statement::Assign(Term { kind: TermKind::Name(name), .. }, _) => found.push(name.clone()),
            Statement::If(_, yes, no) => yes.iter().chain(no).for_each(|inner| inner.names(found)),
            Statement::Loop(body) => body.iter().for_each(|inner| inner.names(found)),
            _ => {}
        }
    }
}

impl Term {
    /// The names that it declares, if it is a function.
    pub(crate) fn declared(&self) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        if let TermKind::Function(patterns, body) = &self.kind {
            for pattern in patterns {
                pattern.names(&mut found);
            }
            if let Body::Block(statements) = body {
                for statement in statements {
                    statement.names(&mut found);
                }
            }
        }
        found
    }

    /// The entry of an object with this key; the last one if there are several.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        let TermKind::Object(entries) = &self.kind else { return None };
        entries.iter().rev().find(|entry| entry.key.as_deref() == Some(key))
    }

    /// The value of an object for this key, unless it is `undefined`.
    pub(crate) fn get(&self, key: &str) -> Option<&Term> {
        self.entry(key).map(|entry| &entry.value).filter(|value| value.kind != TermKind::Undefined)
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&Arc<str>> {
        match &self.kind {
            TermKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of an array; the term itself if it is none.
    pub(crate) fn items(&self) -> &[Term] {
        match &self.kind {
            TermKind::Array(items) => items,
            TermKind::Undefined => &[],
            _ => std::slice::from_ref(self),
        }
    }

    parts!(parts, statement_parts, iter, as_deref);
    parts!(parts_mut, statement_parts_mut, iter_mut, as_deref_mut, mut);

    /// What it is, in words.
    pub(crate) fn describe(&self) -> &'static str {
        match &self.kind {
            TermKind::Null => "`null`",
            TermKind::Undefined => "`undefined`",
            TermKind::Bool(_) => "a boolean",
            TermKind::Number(_) => "a number",
            TermKind::Text(_) => "a string",
            TermKind::Array(_) => "a list",
            TermKind::Object(_) => "an object",
            TermKind::Name(_) | TermKind::Member(..) => "a name",
            TermKind::Call(..) => "a call",
            TermKind::Function(..) => "a function",
            TermKind::Not(_)
            | TermKind::Neg(_)
            | TermKind::Binary(..)
            | TermKind::Conditional(..)
            | TermKind::Loose(..)
            | TermKind::Index(..)
            | TermKind::Typeof(_)
            | TermKind::Has(..)
            | TermKind::Optional(..)
            | TermKind::Coalesce(..) => "an expression",
            TermKind::Spread(_) => "a spread",
            TermKind::Other(what) => what,
        }
    }
}

/// A key that an object has twice: the key, the place where it stands first, and the one where it stands again.
pub(crate) type Repeated = (Arc<str>, Span, Span);

/// Adds the keys that entries have twice.
pub(crate) fn find_repeated(entries: &[Entry], found: &mut Vec<Repeated>) {
    let mut places: FxHashMap<&str, Span> = FxHashMap::default();
    for entry in entries {
        let Some(key) = &entry.key else { continue };
        // A getter and a setter have one key.
        if matches!(entry.value.kind, TermKind::Other(_)) {
            continue;
        }
        if let Some(first) = places.insert(key, entry.key_span) {
            found.push((key.clone(), first, entry.key_span));
        }
    }
}

/// The entries of an object in the order of JavaScript: keys like integers first, ascending, then the others as written.
/// Of entries with the same key, the last value counts, at the place of the first.
pub(crate) fn ordered(entries: &[Entry]) -> Vec<&Entry> {
    let mut unique: Vec<&Entry> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for entry in entries {
        let place = entry.key.as_deref().map(|key| *places.entry(key).or_insert(unique.len()));
        match place.and_then(|place| unique.get_mut(place)) {
            Some(earlier) => *earlier = entry,
            None => unique.push(entry),
        }
    }
    let index = |entry: &Entry| {
        let key = entry.key.as_deref()?;
        let number: u32 = key.parse().ok()?;
        (number.to_string() == key && number < u32::MAX).then_some(number)
    };
    // The sort is stable, so all other keys stay as written.
    unique.sort_by_key(|entry| index(entry).map_or((1, 0), |number| (0, number)));
    unique
}
