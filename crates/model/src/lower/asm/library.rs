//! Functions of the standard library, except for those on collections and texts.

use super::terms::known_if;
use super::value::{Const, Single, Sym, Values};
use super::{Env, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp as Op, Builtin};
use specwright_syntax::asm::ast::{BinaryOp, Ident, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// Maximal number of values of a number or element that are distinguished by cases.
const MAX_VALUES: u64 = 64;

/// Functions of the standard library that are not supported, or not for all arguments.
const PARTLY: [&str; 38] = [
    "asBag",
    "asSequence",
    "at",
    "chooseone",
    "concat",
    "contains",
    "count",
    "currTimeMillisecs",
    "currTimeNanosecs",
    "currTimeSecs",
    "floor",
    "getAgent",
    "id",
    "im",
    "indexOf",
    "insertAt",
    "intersection",
    "iszero",
    "length",
    "norm",
    "pre",
    "print",
    "program",
    "pwr",
    "re",
    "replaceAt",
    "round",
    "split",
    "sqrt",
    "subSequence",
    "subString",
    "sum",
    "toChar",
    "toComplex",
    "toInteger",
    "toNatural",
    "toReal",
    "toString",
];

/// Functions that are synonyms of operators.
const OPERATORS: [(&str, BinaryOp); 18] = [
    ("eq", BinaryOp::Eq),
    ("neq", BinaryOp::Ne),
    ("equality", BinaryOp::Eq),
    ("lt", BinaryOp::Lt),
    ("le", BinaryOp::Le),
    ("gt", BinaryOp::Gt),
    ("ge", BinaryOp::Ge),
    ("and", BinaryOp::And),
    ("or", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
    ("implies", BinaryOp::Implies),
    ("iff", BinaryOp::Iff),
    ("plus", BinaryOp::Add),
    ("minus", BinaryOp::Sub),
    ("mult", BinaryOp::Mul),
    ("div", BinaryOp::Div),
    ("idiv", BinaryOp::IntDiv),
    ("mod", BinaryOp::Mod),
];

/// Functions of the library that machines may also declare for their own domains.
const SHARED: [&str; 12] =
    ["abs", "at", "contains", "count", "first", "last", "length", "max", "min", "size", "sum", "toString"];

/// Whether this is a function of the library that machines may also declare.
pub(super) fn is_shared(name: &str) -> bool {
    SHARED.contains(&name) || OPERATORS.iter().any(|(known, _)| *known == name)
}

/// Functions of the library that say something of collections or of other values, and are no names of locations.
const QUERIES: [&str; 12] = [
    "allin",
    "at",
    "indexOf",
    "isDef",
    "isEmpty",
    "isUndef",
    "last",
    "notEmpty",
    "notallin",
    "notin",
    "subSequence",
    "tail",
];

/// Whether a function is one of the library.
pub(super) fn is_library(name: &str) -> bool {
    is_shared(name) || name == "not" || QUERIES.contains(&name) || PARTLY.contains(&name)
}

impl Lowering<'_> {
    pub(super) fn library(&mut self, name: &Ident, args: &[TermId], span: Span, env: &Env) -> Result<Sym, Stop> {
        if self.is_temporal_name(&name.text) {
            return self.temporal(name, args, span, env);
        }
        let args = self.eval_all(args, env)?;
        self.library_of(name, &args, span)
    }

    /// Applies a function of the library.
    fn library_of(&mut self, name: &Ident, args: &[Sym], span: Span) -> Result<Sym, Stop> {
        let text = &*name.text;
        if let ([a, b], Some((_, op))) = (args, OPERATORS.iter().find(|(known, _)| *known == text)) {
            return self.binary(*op, a, b, span);
        }
        match (text, args) {
            ("not", [a]) => return self.negate(a, span),
            ("isDef", [a]) => {
                let defined = self.is_defined(a);
                return Ok(self.truth(defined));
            }
            ("isUndef", [a]) => {
                let defined = self.is_defined(a);
                let none = self.not(defined);
                return Ok(self.truth(none));
            }
            ("size" | "length", [Sym::Either(cases)]) => {
                if let Some(length) = self.length_variable(cases) {
                    return Ok(Sym::One(length));
                }
            }
            ("isEmpty" | "notEmpty", [Sym::Either(cases)]) => {
                // A length of -1 stands for `undef`, whose length is 0.
                if let Some(length) = self.length_variable(cases) {
                    let zero = self.int(0);
                    let some = self.compare(Op::Gt, length.value, zero);
                    let result = if text == "isEmpty" { self.not(some) } else { some };
                    return Ok(self.truth(result));
                }
            }
            ("length", [Sym::Known(Const::Undef)]) => return Ok(Sym::UNDEF),
            _ => {}
        }
        // A value of several kinds or lengths is handled case by case.
        if let Some(at) = args.iter().position(|arg| matches!(arg, Sym::Either(_))) {
            return self.lift(&args[at], span, |lowering, case| {
                let mut args = args.to_vec();
                args[at] = case.clone();
                lowering.library_of(name, &args, span)
            });
        }
        if let Some(result) = self.on_texts(text, args, span)? {
            return Ok(result);
        }
        if let Some(result) = self.on_collections(text, args, span)? {
            return Ok(result);
        }
        match (text, args) {
            ("minus", [a]) => self.arithmetic(BinaryOp::Sub, &Sym::Known(Const::Int(0)), a, span),
            ("rtoi" | "rton" | "floor" | "round", [a @ Sym::Ratio(..)]) => self.whole(text, a, span),
            ("plus" | "itor" | "iton" | "ntoi" | "ntor" | "rtoi" | "rton" | "floor" | "round", [a]) => Ok(a.clone()),
            ("abs", [Sym::Ratio(n, d)]) => Ok(Sym::Ratio(Box::new(self.absolute(n, span)?), d.clone())),
            ("abs", [a]) => self.absolute(a, span),
            ("pwr", [a, b]) => self.arithmetic(BinaryOp::Power, a, b, span),
            ("min" | "max", [a, b]) => {
                let less = self.binary(BinaryOp::Lt, a, b, span)?;
                let less = self.holds(&less, span)?;
                if text == "min" { self.select(less, a, b, span) } else { self.select(less, b, a, span) }
            }
            // The second number is excluded.
            ("range", [a, b]) => {
                let last = self.arithmetic(BinaryOp::Sub, b, &Sym::Known(Const::Int(1)), span)?;
                self.numbers_between(a, &last, 1, span)
            }
            ("sqrt", [a]) => match self.by_value(args, span, &|args| root(args.first()?))? {
                Some(root) => Ok(root),
                None => match a {
                    Sym::Ratio(n, d) => match (n.known().and_then(|n| root(&n)), d.known().and_then(|d| root(&d))) {
                        (Some(n), Some(d)) => self.fraction(BinaryOp::Div, &n, &d, span),
                        _ => Err(self.no_such_function(name, span)),
                    },
                    _ => Err(self.no_such_function(name, span)),
                },
            },
            ("getAgent", [_]) => {
                let names = self.element_names();
                match self.by_value(args, span, &|args| Some(named_element(&names, args.first()?)))? {
                    Some(agent) => Ok(agent),
                    None => Err(self.no_such_function(name, span)),
                }
            }
            _ => Err(self.no_such_function(name, span)),
        }
    }

    pub(super) fn no_such_function(&mut self, name: &Ident, span: Span) -> Stop {
        if PARTLY.contains(&&*name.text) {
            return self.unsupported(span, &format!("`{}` is not supported here", name.text));
        }
        if let Some(library) = ["ag", "g"].iter().position(|known| *known == &*name.text) {
            let library = ["CTLLibrary", "LTLLibrary"][library];
            let message = format!("unknown function `{}`", name.text);
            let help = format!("`import {library}` declares it");
            return self.stop(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).help(help));
        }
        if &*name.text == "mCurrTimeSecs" || &*name.text == "expired" {
            return self.unsupported(span, "timers of the TimeLibrary are not supported: time is unbounded");
        }
        self.unknown("function", &name.text, name.span);
        Stop
    }

    /// The names of the static elements of abstract domains.
    fn element_names(&self) -> Vec<Arc<str>> {
        let functions = self.sig.functions.iter();
        functions.filter(|function| self.is_element(function)).map(|function| function.name.clone()).collect()
    }

    fn absolute(&mut self, a: &Sym, span: Span) -> Result<Sym, Stop> {
        match a {
            Sym::Known(Const::Int(value)) => Ok(Sym::Known(Const::Int(value.saturating_abs()))),
            Sym::Known(Const::Undef) => Ok(Sym::UNDEF),
            Sym::One(Single { value, defined, values: Values::Int(low, high) }) => {
                let values = Values::Int(0, low.saturating_abs().max(high.saturating_abs()));
                let value = self.node(Node::Call(Builtin::Abs, [*value].into()));
                Ok(Sym::One(Single { value, defined: *defined, values }))
            }
            other => Err(self.wrong_kind(span, "a number", other)),
        }
    }

    /// The set of the numbers between two, which may depend on the state.
    pub(super) fn numbers_between(&mut self, first: &Sym, last: &Sym, step: i64, span: Span) -> Result<Sym, Stop> {
        let mut ends = Vec::new();
        for sym in [first, last] {
            let Some(Single { value, defined, values: Values::Int(low, high) }) = self.single(sym) else {
                return Err(self.wrong_kind(span, "a number", sym));
            };
            ends.push((value, defined, low, high));
        }
        let (low, high) = (ends[0].2, ends[1].3);
        if low == i64::MIN || high == i64::MAX {
            let message = "an unbounded set of numbers cannot be enumerated";
            let help = "declare a finite domain for the numbers that bound it";
            return Err(self.stop(Diagnostic::error(codes::UNBOUNDED, span, message).help(help)));
        }
        let known = ends[0].2 == ends[0].3;
        if step <= 0 || high.saturating_sub(low) / step > 1 << 16 {
            return Err(self.too_large(span, "a set of more than 65536 numbers cannot be listed"));
        }
        if !known && step > 1 {
            return Err(self.unsupported(span, "a set of numbers with a step must begin with a constant"));
        }
        let mut items = Vec::new();
        let mut at = low;
        while at <= high {
            let number = Sym::Known(Const::Int(at));
            let after = self.binary(BinaryOp::Le, first, &number, span)?;
            let before = self.binary(BinaryOp::Le, &number, last, span)?;
            let both = self.binary(BinaryOp::And, &after, &before, span)?;
            let guard = self.holds(&both, span)?;
            items.push((number, guard));
            at += step;
        }
        Ok(self.set_of(items))
    }

    /// The possible values with their conditions; `None` if there are too many.
    pub(super) fn spread(&mut self, sym: &Sym) -> Option<Vec<(Const, ExprId)>> {
        let items: Vec<Const> = match sym {
            Sym::Known(value) => return Some(vec![(value.clone(), self.boolean(true))]),
            Sym::One(Single { values, .. }) => match values {
                Values::Bool => vec![Const::Bool(false), Const::Bool(true)],
                Values::Int(low, high) if low.abs_diff(*high) < MAX_VALUES => (*low..=*high).map(Const::Int).collect(),
                Values::Atoms(names) if names.len() as u64 <= MAX_VALUES => {
                    names.iter().cloned().map(Const::Atom).collect()
                }
                _ => return None,
            },
            _ => return None,
        };
        let mut all = Vec::new();
        for item in items.into_iter().chain([Const::Undef]) {
            let same = self.equal(sym, &Sym::Known(item.clone()));
            if self.truth_of(same) != Some(false) {
                all.push((item, same));
            }
        }
        Some(all)
    }
}

/// The square root of a number that is a square.
fn root(value: &Const) -> Option<Sym> {
    let Const::Int(value) = value else { return None };
    let root = u64::try_from(*value).ok()?.isqrt();
    (root.checked_mul(root)? == value.unsigned_abs()).then_some(Sym::Known(Const::Int(i64::try_from(root).ok()?)))
}

/// The element that a text names; `undef` if there is none.
fn named_element(names: &[Arc<str>], text: &Const) -> Sym {
    let Const::Atom(text) = text else { return Sym::UNDEF };
    let element = names.iter().find(|name| format!("\"{name}\"") == **text);
    element.map_or(Sym::UNDEF, |name| Sym::Known(Const::Atom(name.clone())))
}

/// A length as a number of the model.
pub(super) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(super) fn known_seq(items: Vec<Sym>) -> Sym {
    known_if(Sym::Seq(items))
}
