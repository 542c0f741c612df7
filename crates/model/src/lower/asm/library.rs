//! The functions of the standard library, and the operators of the libraries for CTL and LTL.

use super::build::{items_of, tuple_of};
use super::value::{Const, Single, Sym, Values};
use super::{Env, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp as Op, Builtin, UnaryOp};
use specwright_syntax::asm::ast::{BinaryOp, Ident, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

/// Functions that are operators under another name.
const OPERATORS: [(&str, BinaryOp); 17] = [
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
    ("idiv", BinaryOp::IntDiv),
    ("mod", BinaryOp::Mod),
];

const CTL: [(&str, UnaryOp); 6] = [
    ("eg", UnaryOp::EG),
    ("ex", UnaryOp::EX),
    ("ef", UnaryOp::EF),
    ("ag", UnaryOp::AG),
    ("ax", UnaryOp::AX),
    ("af", UnaryOp::AF),
];

const LTL: [(&str, UnaryOp); 7] = [
    ("x", UnaryOp::X),
    ("g", UnaryOp::G),
    ("f", UnaryOp::F),
    ("y", UnaryOp::Y),
    ("z", UnaryOp::Z),
    ("h", UnaryOp::H),
    ("o", UnaryOp::O),
];

const LTL_PAIRS: [(&str, Op); 4] = [("u", Op::U), ("v", Op::V), ("s", Op::S), ("t", Op::T)];

const PLACES: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

impl Lowering<'_> {
    pub(super) fn library(&mut self, name: &Ident, args: &[TermId], span: Span, env: &Env) -> Result<Sym, Stop> {
        let text = &*name.text;
        if self.is_temporal_name(text) {
            return self.temporal(name, args, span, env);
        }
        let args = self.eval_all(args, env)?;
        if let ([a, b], Some((_, op))) = (&args[..], OPERATORS.iter().find(|(known, _)| *known == text)) {
            return self.binary(*op, a, b, span);
        }
        let place = PLACES.iter().position(|known| *known == text);
        match (text, &args[..]) {
            ("not", [a]) => self.negate(a, span),
            ("minus", [a]) => self.arithmetic(BinaryOp::Sub, &Sym::Known(Const::Int(0)), a, span),
            ("plus" | "itor" | "iton" | "ntoi" | "ntor" | "rtoi" | "rton", [a]) => Ok(a.clone()),
            ("isDef", [a]) => {
                let defined = self.is_defined(a);
                Ok(self.truth(defined))
            }
            ("isUndef", [a]) => {
                let defined = self.is_defined(a);
                let none = self.not(defined);
                Ok(self.truth(none))
            }
            ("abs", [a]) => self.absolute(a, span),
            ("min" | "max", [a, b]) => {
                let less = self.binary(BinaryOp::Lt, a, b, span)?;
                let less = self.holds(&less, span)?;
                if text == "min" { self.select(less, a, b, span) } else { self.select(less, b, a, span) }
            }
            ("size" | "length", [set]) => self.size(set, span),
            ("isEmpty" | "notEmpty", [set]) => {
                let members = self.members(set, span)?;
                let guards: Vec<ExprId> = members.into_iter().map(|(_, guard)| guard).collect();
                let any = self.any(&guards);
                let result = if text == "isEmpty" { self.not(any) } else { any };
                Ok(self.truth(result))
            }
            ("contains" | "notin", [set, item]) => {
                let members = self.members(set, span)?;
                let inside = self.is_member(item, &members);
                let result = if text == "contains" { inside } else { self.not(inside) };
                Ok(self.truth(result))
            }
            ("allin" | "notallin", [a, b]) => {
                let (a, b) = (self.members(a, span)?, self.members(b, span)?);
                let mut parts = Vec::new();
                for (item, guard) in a {
                    let inside = self.is_member(&item, &b);
                    parts.push(self.implies(guard, inside));
                }
                let all = self.all(&parts);
                let result = if text == "allin" { all } else { self.not(all) };
                Ok(self.truth(result))
            }
            ("union", [Sym::Known(Const::Seq(a)), Sym::Known(Const::Seq(b))]) => {
                Ok(Sym::Known(Const::Seq([&a[..], &b[..]].concat())))
            }
            ("union", [a, b]) => {
                let mut items = self.members(a, span)?;
                items.extend(self.members(b, span)?);
                Ok(self.set_of(items))
            }
            ("intersection" | "difference", [a, b]) => {
                let (a, b) = (self.members(a, span)?, self.members(b, span)?);
                let mut items = Vec::new();
                for (item, guard) in a {
                    let inside = self.is_member(&item, &b);
                    let keep = if text == "intersection" { inside } else { self.not(inside) };
                    items.push((item, self.and(guard, keep)));
                }
                Ok(self.set_of(items))
            }
            ("including", [set, item]) => {
                let yes = self.boolean(true);
                let mut items = self.members(set, span)?;
                items.push((item.clone(), yes));
                Ok(self.set_of(items))
            }
            ("excluding", [Sym::Known(Const::Seq(items)), Sym::Known(item)]) => {
                Ok(Sym::Known(Const::Seq(items.iter().filter(|other| *other != item).cloned().collect())))
            }
            ("excluding", [set, item]) => {
                let mut items = Vec::new();
                for (member, guard) in self.members(set, span)? {
                    let same = self.equal(&member, item);
                    let other = self.not(same);
                    items.push((member, self.and(guard, other)));
                }
                Ok(self.set_of(items))
            }
            ("asSet", [a]) => {
                let members = self.members(a, span)?;
                Ok(self.set_of(members))
            }
            ("asSequence" | "asBag", [Sym::Known(Const::Set(items) | Const::Seq(items))]) => {
                Ok(Sym::Known(Const::Seq(items.clone())))
            }
            ("at", [a, b]) => self.at(a, b, span),
            ("last", [a]) => self.item(a, |n| n.checked_sub(1), span),
            ("tail", [a]) => {
                let items = self.items(a, span)?;
                Ok(Sym::Seq(items.into_iter().skip(1).collect()))
            }
            ("append", [a, item]) => {
                let mut items = self.items(a, span)?;
                items.push(item.clone());
                Ok(known_seq(items))
            }
            ("prepend", [item, a]) => {
                let mut items = self.items(a, span)?;
                items.insert(0, item.clone());
                Ok(known_seq(items))
            }
            ("indexOf", [a, item]) => {
                let items = self.items(a, span)?;
                let mut result = Sym::UNDEF;
                for (at, member) in items.iter().enumerate().rev() {
                    let same = self.equal(member, item);
                    result = self.select(same, &Sym::Known(Const::Int(count(at))), &result, span)?;
                }
                Ok(result)
            }
            ("toString", [Sym::Known(value)]) => {
                let text = value.to_string();
                Ok(Sym::Known(Const::Atom(if text.starts_with('"') { text } else { format!("\"{text}\"") }.into())))
            }
            ("concat", [Sym::Known(Const::Atom(_)), Sym::Known(Const::Atom(_))]) => {
                self.arithmetic(BinaryOp::Add, &args[0], &args[1], span)
            }
            (_, [a]) if place.is_some() => self.item(a, |_| place, span),
            _ => Err(self.no_such_function(name, span)),
        }
    }

    fn no_such_function(&mut self, name: &Ident, span: Span) -> Stop {
        const KNOWN: [&str; 14] = [
            "chooseone",
            "sum",
            "count",
            "toString",
            "print",
            "pwr",
            "sqrt",
            "floor",
            "round",
            "subSequence",
            "insertAt",
            "currTimeNanosecs",
            "currTimeMillisecs",
            "currTimeSecs",
        ];
        let known = KNOWN.contains(&&*name.text) || ["concat", "asSequence", "div", "split"].contains(&&*name.text);
        if known {
            return self.unsupported(span, &format!("`{}` is not supported here", name.text));
        }
        if let Some(library) = ["ag", "g"].iter().position(|known| *known == &*name.text) {
            let library = ["CTLLibrary", "LTLLibrary"][library];
            let message = format!("there is no function `{}`", name.text);
            let help = format!("`import {library}` declares it");
            return self.stop(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).help(help));
        }
        if &*name.text == "mCurrTimeSecs" || &*name.text == "expired" {
            return self.unsupported(span, "timers of the TimeLibrary are not supported: time has no end");
        }
        self.unknown("function", &name.text, name.span);
        Stop
    }

    fn members(&mut self, sym: &Sym, span: Span) -> Result<Vec<(Sym, ExprId)>, Stop> {
        if matches!(sym, Sym::Known(Const::Undef)) {
            return Ok(Vec::new());
        }
        match self.members_of(sym) {
            Some(members) => Ok(members),
            None => Err(self.wrong_kind(span, "a set or a sequence", sym)),
        }
    }

    fn items(&mut self, sym: &Sym, span: Span) -> Result<Vec<Sym>, Stop> {
        match items_of(sym) {
            Some(items) => Ok(items),
            None => Err(self.wrong_kind(span, "a sequence or a tuple", sym)),
        }
    }

    fn item(&mut self, sym: &Sym, place: impl Fn(usize) -> Option<usize>, span: Span) -> Result<Sym, Stop> {
        if matches!(sym, Sym::Known(Const::Undef)) {
            return Ok(Sym::UNDEF);
        }
        let items = self.items(sym, span)?;
        Ok(place(items.len()).and_then(|at| items.get(at).cloned()).unwrap_or(Sym::UNDEF))
    }

    /// `at(map, key)`, `at(sequence, place)`
    fn at(&mut self, collection: &Sym, key: &Sym, span: Span) -> Result<Sym, Stop> {
        let pairs: Vec<(Sym, Sym)> = match collection {
            Sym::Map(pairs) => pairs.clone(),
            Sym::Known(Const::Map(pairs)) => {
                pairs.iter().map(|(key, value)| (Sym::Known(key.clone()), Sym::Known(value.clone()))).collect()
            }
            other => {
                // Places of tuples are counted from 1, those of sequences from 0.
                let first = i64::from(tuple_of(other).is_some());
                let items = self.items(other, span)?;
                (first..).map(|at| Sym::Known(Const::Int(at))).zip(items).collect()
            }
        };
        let mut result = Sym::UNDEF;
        for (known, value) in pairs.iter().rev() {
            let same = self.equal(key, known);
            result = self.select(same, value, &result, span)?;
        }
        Ok(result)
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

    /// How many members there are.
    fn size(&mut self, set: &Sym, span: Span) -> Result<Sym, Stop> {
        if let Some(items) = items_of(set) {
            return Ok(Sym::Known(Const::Int(count(items.len()))));
        }
        let members = self.members(set, span)?;
        let mut counted: Vec<ExprId> = Vec::new();
        for (at, (item, guard)) in members.iter().enumerate() {
            // Members that may be equal count once.
            let mut fresh = *guard;
            for (other, there) in &members[..at] {
                let same = self.equal(item, other);
                let again = self.and(*there, same);
                let new = self.not(again);
                fresh = self.and(fresh, new);
            }
            counted.push(fresh);
        }
        let sure = count(counted.iter().filter(|guard| self.truth_of(**guard) == Some(true)).count());
        counted.retain(|guard| self.truth_of(*guard).is_none());
        if counted.is_empty() {
            return Ok(Sym::Known(Const::Int(sure)));
        }
        let n = count(counted.len());
        let mut value = self.node(Node::Call(Builtin::Count, counted.into()));
        if sure > 0 {
            let sure = self.int(sure);
            value = self.node(Node::Binary(Op::Add, value, sure));
        }
        let defined = self.boolean(true);
        Ok(Sym::One(Single { value, defined, values: Values::Int(sure, sure + n) }))
    }

    fn is_temporal_name(&self, name: &str) -> bool {
        let is = |known: &str| known == name;
        (self.ctl && (CTL.iter().any(|(known, _)| is(known)) || ["eu", "au", "ew", "aw", "exN", "axN"].contains(&name)))
            || (self.ltl && (LTL.iter().any(|(known, _)| is(known)) || LTL_PAIRS.iter().any(|(known, _)| is(known))))
    }

    fn temporal(&mut self, name: &Ident, args: &[TermId], span: Span, env: &Env) -> Result<Sym, Stop> {
        let text = &*name.text;
        if let ("exN" | "axN", [a, n]) = (text, args) {
            let mut formula = self.condition(*a, env)?;
            let Sym::Known(Const::Int(n)) = self.eval(*n, env)? else {
                return Err(self.unsupported(span, "the number of steps must be known"));
            };
            for _ in 0..n.clamp(0, 1000) {
                formula =
                    self.formula(Node::Unary(if text == "exN" { UnaryOp::EX } else { UnaryOp::AX }, formula), span)?;
            }
            return Ok(self.truth(formula));
        }
        let mut parts = Vec::new();
        for arg in args {
            parts.push(self.condition(*arg, env)?);
        }
        let unary = CTL.iter().chain(&LTL).find(|(known, _)| *known == text);
        let formula = match (&parts[..], unary) {
            ([a], Some((_, op))) => self.formula(Node::Unary(*op, *a), span)?,
            ([a, b], None) => match text {
                "eu" => self.formula(Node::Binary(Op::EU, *a, *b), span)?,
                "au" => self.formula(Node::Binary(Op::AU, *a, *b), span)?,
                "ew" => {
                    let until = self.formula(Node::Binary(Op::EU, *a, *b), span)?;
                    let always = self.formula(Node::Unary(UnaryOp::EG, *a), span)?;
                    self.or(until, always)
                }
                "aw" => {
                    let (no_b, either) = (self.not(*b), self.or(*a, *b));
                    let neither = self.not(either);
                    let until = self.formula(Node::Binary(Op::EU, no_b, neither), span)?;
                    self.not(until)
                }
                _ => {
                    let Some((_, op)) = LTL_PAIRS.iter().find(|(known, _)| *known == text) else {
                        return Err(self.no_such_function(name, span));
                    };
                    self.formula(Node::Binary(*op, *a, *b), span)?
                }
            },
            _ => {
                let message = format!("`{text}` takes another number of arguments");
                return Err(self.stop(Diagnostic::error(codes::BAD_ARGUMENTS, span, message)));
            }
        };
        Ok(self.truth(formula))
    }

    /// A temporal formula; its logic may not fit.
    fn formula(&mut self, node: Node, span: Span) -> Result<ExprId, Stop> {
        self.model.make(node).map_err(|error| self.stop(Diagnostic::error(codes::WRONG_KIND, span, error.to_string())))
    }
}

/// A number of things that are in memory.
pub(super) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn known_seq(items: Vec<Sym>) -> Sym {
    let sym = Sym::Seq(items);
    sym.known().map_or(sym, Sym::Known)
}
