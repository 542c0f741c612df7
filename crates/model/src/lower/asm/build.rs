//! Expressions of the model, made without saying what is plain: constants are folded.

use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::Value;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

/// The name of the symbol that stands for no value.
pub(super) const UNDEF: &str = "undef";

impl Lowering<'_> {
    pub(super) fn node(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("what is lowered is well-typed")
    }

    pub(super) fn truth_of(&self, expr: ExprId) -> Option<bool> {
        match self.model[expr] {
            Node::Const(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }

    pub(super) fn boolean(&mut self, value: bool) -> ExprId {
        self.node(Node::Const(Value::Bool(value)))
    }

    pub(super) fn int(&mut self, value: i64) -> ExprId {
        self.node(Node::Const(Value::Int(value)))
    }

    pub(super) fn atom(&mut self, name: &str) -> ExprId {
        let symbol = self.model.symbols.intern(name);
        self.node(Node::Const(Value::Symbol(symbol)))
    }

    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        match self.model[a] {
            Node::Const(Value::Bool(value)) => self.boolean(!value),
            Node::Unary(UnaryOp::Not, inner) => inner,
            Node::Binary(BinaryOp::Eq, x, y) => self.node(Node::Binary(BinaryOp::Ne, x, y)),
            Node::Binary(BinaryOp::Ne, x, y) => self.node(Node::Binary(BinaryOp::Eq, x, y)),
            _ => self.node(Node::Unary(UnaryOp::Not, a)),
        }
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) | (_, Some(false)) => b,
            (_, Some(true)) | (Some(false), _) => a,
            _ if a == b => a,
            _ if self.not(a) == b => self.boolean(false),
            _ => self.node(Node::Binary(BinaryOp::And, a, b)),
        }
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(false), _) | (_, Some(true)) => b,
            (_, Some(false)) | (Some(true), _) => a,
            _ if a == b => a,
            _ if self.not(a) == b => self.boolean(true),
            _ => self.node(Node::Binary(BinaryOp::Or, a, b)),
        }
    }

    /// All of these, as a balanced tree: a chain of thousands would be deeper than any stack.
    pub(super) fn all(&mut self, items: &[ExprId]) -> ExprId {
        match items {
            [] => self.boolean(true),
            [one] => *one,
            _ => {
                let (left, right) = items.split_at(items.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    /// Any of these.
    pub(super) fn any(&mut self, items: &[ExprId]) -> ExprId {
        match items {
            [] => self.boolean(false),
            [one] => *one,
            _ => {
                let (left, right) = items.split_at(items.len() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }

    pub(super) fn implies(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) => b,
            (Some(false), _) | (_, Some(true)) => self.boolean(true),
            (_, Some(false)) => self.not(a),
            _ => self.node(Node::Binary(BinaryOp::Implies, a, b)),
        }
    }

    pub(super) fn iff(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ if a == b => self.boolean(true),
            _ => self.node(Node::Binary(BinaryOp::Iff, a, b)),
        }
    }

    /// `c ? a : b`
    pub(super) fn choose(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(c), self.truth_of(a), self.truth_of(b)) {
            (Some(true), ..) => a,
            (Some(false), ..) => b,
            _ if a == b => a,
            (_, Some(true), _) => self.or(c, b),
            (_, _, Some(false)) => self.and(c, a),
            (_, Some(false), _) => {
                let c = self.not(c);
                self.and(c, b)
            }
            (_, _, Some(true)) => {
                let c = self.not(c);
                self.or(c, a)
            }
            _ => self.node(Node::Ite(c, a, b)),
        }
    }

    /// A truth value that depends on the state.
    pub(super) fn truth(&mut self, value: ExprId) -> Sym {
        if let Some(value) = self.truth_of(value) {
            return Sym::bool(value);
        }
        let defined = self.boolean(true);
        Sym::One(Single { value, defined, values: Values::Bool })
    }

    /// A value as a single one of the model, unless it is made of several.
    pub(super) fn single(&mut self, sym: &Sym) -> Option<Single> {
        let yes = self.boolean(true);
        Some(match sym {
            Sym::One(single) => single.clone(),
            Sym::Known(Const::Bool(value)) => {
                Single { value: self.boolean(*value), defined: yes, values: Values::Bool }
            }
            Sym::Known(Const::Int(value)) => {
                Single { value: self.int(*value), defined: yes, values: Values::Int(*value, *value) }
            }
            Sym::Known(Const::Atom(name)) => {
                Single { value: self.atom(name), defined: yes, values: Values::Atoms([name.clone()].into()) }
            }
            _ => return None,
        })
    }

    /// Whether something holds: it has a value, and that is true.
    pub(super) fn holds(&mut self, sym: &Sym, span: Span) -> Result<ExprId, Stop> {
        match sym {
            Sym::Known(Const::Bool(value)) => Ok(self.boolean(*value)),
            Sym::Known(Const::Undef) => Ok(self.boolean(false)),
            Sym::One(Single { value, defined, values: Values::Bool }) => {
                let (value, defined) = (*value, *defined);
                Ok(self.and(defined, value))
            }
            _ => Err(self.wrong_kind(span, "a truth value", sym)),
        }
    }

    pub(super) fn wrong_kind(&mut self, span: Span, wanted: &str, found: &Sym) -> Stop {
        let found = match found {
            Sym::Known(value) => format!("`{value}`"),
            Sym::One(Single { values: Values::Bool, .. }) => "a truth value".into(),
            Sym::One(Single { values: Values::Int(..), .. }) => "a number".into(),
            Sym::One(Single { values: Values::Atoms(_), .. }) => "an element of a domain".into(),
            Sym::Tuple(_) => "a tuple".into(),
            Sym::Set(_) => "a set".into(),
            Sym::Seq(_) => "a sequence".into(),
            Sym::Map(_) => "a map".into(),
        };
        self.stop(Diagnostic::error(codes::WRONG_KIND, span, format!("expected {wanted}, found {found}")))
    }

    /// Whether something has a value.
    pub(super) fn is_defined(&mut self, sym: &Sym) -> ExprId {
        match sym {
            Sym::One(single) => single.defined,
            Sym::Known(Const::Undef) => self.boolean(false),
            // A tuple without any component is what `undef` is to a location that holds tuples.
            Sym::Tuple(items) => {
                let defined: Vec<ExprId> = items.iter().map(|item| self.is_defined(item)).collect();
                self.any(&defined)
            }
            _ => self.boolean(true),
        }
    }

    /// Whether two values are the same; no value is the same as no value.
    pub(super) fn equal(&mut self, a: &Sym, b: &Sym) -> ExprId {
        match (a, b) {
            (Sym::Known(a), Sym::Known(b)) => {
                let same = a == b;
                self.boolean(same)
            }
            (Sym::Known(Const::Undef), other) | (other, Sym::Known(Const::Undef)) => {
                let defined = self.is_defined(other);
                self.not(defined)
            }
            _ => {
                if let (Some(a), Some(b)) = (self.single(a), self.single(b)) {
                    return self.equal_singles(&a, &b);
                }
                self.equal_structures(a, b)
            }
        }
    }

    fn equal_structures(&mut self, a: &Sym, b: &Sym) -> ExprId {
        if let (Some(a), Some(b)) = (items_of(a), items_of(b)) {
            if a.len() != b.len() {
                return self.boolean(false);
            }
            let parts: Vec<ExprId> = a.iter().zip(&b).map(|(a, b)| self.equal(a, b)).collect();
            return self.all(&parts);
        }
        if let (true, Some(a), Some(b)) = (are_sets(a, b), self.members_of(a), self.members_of(b)) {
            let mut parts = Vec::new();
            for (one, other) in [(&a, &b), (&b, &a)] {
                for (item, guard) in one {
                    let inside = self.is_member(item, other);
                    parts.push(self.implies(*guard, inside));
                }
            }
            return self.all(&parts);
        }
        self.boolean(false)
    }

    fn equal_singles(&mut self, a: &Single, b: &Single) -> ExprId {
        let same = match (&a.values, &b.values) {
            (Values::Bool, Values::Bool) => self.iff(a.value, b.value),
            (Values::Int(first, last), Values::Int(low, high)) if first <= high && low <= last => {
                if first == last && (first, last) == (low, high) {
                    self.boolean(true)
                } else {
                    self.compare(BinaryOp::Eq, a.value, b.value)
                }
            }
            (Values::Atoms(xs), Values::Atoms(ys)) if xs.iter().any(|x| ys.contains(x)) => {
                self.compare(BinaryOp::Eq, a.value, b.value)
            }
            _ => self.boolean(false),
        };
        let both = self.and(a.defined, b.defined);
        let (no_a, no_b) = (self.not(a.defined), self.not(b.defined));
        let neither = self.and(no_a, no_b);
        // An atom that is equal to another is not `undef`, so one that is always there speaks for both.
        let yes = Some(true);
        let told = self.truth_of(a.defined) == yes || self.truth_of(b.defined) == yes;
        let same = if matches!(a.values, Values::Atoms(_)) && told { same } else { self.and(both, same) };
        self.or(same, neither)
    }

    /// A comparison; of something with itself, it is known.
    pub(super) fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.boolean(matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge));
        }
        self.node(Node::Binary(op, a, b))
    }

    /// One of two values.
    pub(super) fn select(&mut self, c: ExprId, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        match self.truth_of(c) {
            Some(true) => return Ok(a.clone()),
            Some(false) => return Ok(b.clone()),
            None => {}
        }
        if let (Sym::Known(one), Sym::Known(other)) = (a, b)
            && one == other
        {
            return Ok(a.clone());
        }
        let undef = |sym: &Sym| matches!(sym, Sym::Known(Const::Undef));
        if let (Some(items), Some(others)) = (items_of(a), items_of(b))
            && items.len() == others.len()
        {
            let mut parts = Vec::new();
            for (a, b) in items.iter().zip(&others) {
                parts.push(self.select(c, a, b, span)?);
            }
            return Ok(if matches!(a, Sym::Seq(_) | Sym::Known(Const::Seq(_))) {
                Sym::Seq(parts)
            } else {
                Sym::Tuple(parts)
            });
        }
        if let Some(items) = tuple_of(a).filter(|_| undef(b)) {
            let mut parts = Vec::new();
            for item in &items {
                parts.push(self.select(c, item, &Sym::UNDEF, span)?);
            }
            return Ok(Sym::Tuple(parts));
        }
        if undef(a) && tuple_of(b).is_some() {
            let no = self.not(c);
            return self.select(no, b, a, span);
        }
        if let (true, Some(items), Some(others)) = (are_sets(a, b), self.members_of(a), self.members_of(b)) {
            let no = self.not(c);
            let mut all = Vec::new();
            for (items, when) in [(items, c), (others, no)] {
                for (item, guard) in items {
                    let guard = self.and(guard, when);
                    all.push((item, guard));
                }
            }
            return Ok(self.set_of(all));
        }
        // A set that is not there is empty.
        if let (Some(items), true) = (self.members_of(a).filter(|_| is_set(a)), undef(b)) {
            let items = items.into_iter().map(|(item, guard)| (item, self.and(guard, c))).collect();
            return Ok(self.set_of(items));
        }
        if undef(a) && is_set(b) {
            let no = self.not(c);
            return self.select(no, b, a, span);
        }
        let one = if undef(a) { self.single(b).map(|b| self.undefined_like(&b)) } else { self.single(a) };
        let other = if undef(b) { self.single(a).map(|a| self.undefined_like(&a)) } else { self.single(b) };
        let (Some(one), Some(other)) = (one, other) else {
            return Err(self.wrong_kind(span, "a value of the same kind as the other branch", b));
        };
        let values = match (&one.values, &other.values) {
            (Values::Bool, Values::Bool) => Values::Bool,
            (Values::Int(a, b), Values::Int(low, high)) => Values::Int(*a.min(low), *b.max(high)),
            (Values::Atoms(names), Values::Atoms(others)) => {
                let mut all = names.to_vec();
                all.extend(others.iter().filter(|other| !names.contains(other)).cloned());
                Values::Atoms(all.into())
            }
            _ => return Err(self.wrong_kind(span, "a value of the same kind as the other branch", b)),
        };
        let value = self.choose(c, one.value, other.value);
        let defined = self.choose(c, one.defined, other.defined);
        Ok(Sym::One(Single { value, defined, values }))
    }

    /// No value, of the same kind as another.
    pub(super) fn undefined_like(&mut self, other: &Single) -> Single {
        let defined = self.boolean(false);
        match &other.values {
            Values::Bool => Single { value: defined, defined, values: Values::Bool },
            Values::Int(first, _) => {
                let any = if *first == i64::MIN { 0 } else { *first };
                Single { value: self.int(any), defined, values: Values::Int(any, any) }
            }
            Values::Atoms(_) => Single { value: self.atom(UNDEF), defined, values: Values::Atoms([].into()) },
        }
    }

    /// What may be in a set or sequence, and when.
    pub(super) fn members_of(&mut self, sym: &Sym) -> Option<Vec<(Sym, ExprId)>> {
        let yes = self.boolean(true);
        match sym {
            Sym::Set(items) => Some(items.clone()),
            Sym::Known(Const::Set(items) | Const::Seq(items)) => {
                Some(items.iter().map(|item| (Sym::Known(item.clone()), yes)).collect())
            }
            Sym::Seq(items) => Some(items.iter().map(|item| (item.clone(), yes)).collect()),
            _ => None,
        }
    }

    /// A set of these, known if it can be.
    pub(super) fn set_of(&mut self, items: Vec<(Sym, ExprId)>) -> Sym {
        let mut known = Vec::new();
        let mut merged: Vec<(Sym, ExprId)> = Vec::new();
        for (item, guard) in items {
            if self.truth_of(guard) == Some(false) {
                continue;
            }
            let value = item.known();
            let place = value.as_ref().and_then(|value| {
                merged.iter().position(|(other, _)| matches!(other, Sym::Known(other) if other == value))
            });
            match (place, value) {
                (Some(at), _) => merged[at].1 = self.or(merged[at].1, guard),
                (None, Some(value)) => merged.push((Sym::Known(value), guard)),
                (None, None) => merged.push((item, guard)),
            }
        }
        for (item, guard) in &merged {
            match item {
                Sym::Known(value) if self.truth_of(*guard) == Some(true) => known.push(value.clone()),
                _ => return Sym::Set(merged),
            }
        }
        Sym::Known(Const::set(known))
    }

    /// Whether a value is among these.
    pub(super) fn is_member(&mut self, item: &Sym, members: &[(Sym, ExprId)]) -> ExprId {
        let mut cases = Vec::new();
        for (member, guard) in members {
            let same = self.equal(item, member);
            cases.push(self.and(*guard, same));
        }
        self.any(&cases)
    }
}

/// The items of a tuple or sequence.
pub(super) fn items_of(sym: &Sym) -> Option<Vec<Sym>> {
    match sym {
        Sym::Tuple(items) | Sym::Seq(items) => Some(items.clone()),
        Sym::Known(Const::Tuple(items) | Const::Seq(items)) => {
            Some(items.iter().map(|item| Sym::Known(item.clone())).collect())
        }
        _ => None,
    }
}

fn is_set(sym: &Sym) -> bool {
    matches!(sym, Sym::Set(_) | Sym::Known(Const::Set(_)))
}

fn are_sets(a: &Sym, b: &Sym) -> bool {
    is_set(a) && is_set(b)
}

/// The components of a tuple.
pub(super) fn tuple_of(sym: &Sym) -> Option<Vec<Sym>> {
    match sym {
        Sym::Tuple(_) | Sym::Known(Const::Tuple(_)) => items_of(sym),
        _ => None,
    }
}
