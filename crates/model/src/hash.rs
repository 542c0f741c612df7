//! The content hash of a model: the same for every text that means the same flat machine, whatever its layout,
//! comments and file name, and the same in every version of the program.
//!
//! `sw1:` names the scheme: FNV-1a with 128 bits over the bytes below. Another encoding needs another name. Numbers are
//! eight bytes, the lowest first; texts are their length and their bytes in UTF-8; lists are their length and their items;
//! choices begin with a byte that tells them apart.
//!
//! 1. The variables in declared order: name, kind, domain.
//! 2. The defines: name and body. Then the assignments: kind, variable, value. Then initial constraints, those on steps,
//!    those on states, justice, and the pairs of compassion, all in written order.
//!
//! Variables and defines are written as their positions. An expression is written where it first occurs, behind its parts,
//! and numbered; afterwards its number stands for it. So neither the order in which expressions and symbols are interned
//! counts, nor where anything stands in a file, and what shares its parts stays short.
//!
//! Properties do not count, nor what was added for their sake, and neither do roles: they do not change what an execution
//! is. The hash tells versions of a model apart; it is no seal against forgery.

use crate::expr::{ExprId, Node};
use crate::model::{AssignKind, Model, VarKind};
use crate::op::{BinaryOp, BoundedUntilOp};
use crate::value::{Domain, Value};
use rustc_hash::FxHashMap;

/// What hashes of this scheme begin with.
const SCHEME: &str = "sw1:";

/// The content hash of a model, such as `sw1:0123456789abcdef0123456789abcdef`.
pub fn model_hash(model: &Model) -> String {
    let mut encoder = Encoder { model, hash: Fnv::new(), numbers: FxHashMap::default() };
    encoder.model();
    format!("{SCHEME}{:032x}", encoder.hash.0)
}

/// Whether a recorded hash is that of today's model; nothing if an earlier version of the program wrote it, by another
/// scheme.
pub fn is_same(recorded: &str, today: &str) -> Option<bool> {
    recorded.starts_with(SCHEME).then(|| recorded == today)
}

/// FNV-1a with 128 bits.
struct Fnv(u128);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME));
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes(text.as_bytes());
    }
}

struct Encoder<'a> {
    model: &'a Model,
    hash: Fnv,
    /// The numbers of the expressions that are written.
    numbers: FxHashMap<ExprId, u64>,
}

impl Encoder<'_> {
    fn model(&mut self) {
        let model = self.model;
        self.hash.length(model.vars.len() - model.shadows.len());
        for (_, var) in model.vars().filter(|(id, _)| !model.is_shadow(*id)) {
            self.hash.text(&var.name);
            self.hash.bytes(&[match var.kind {
                VarKind::State => 0,
                VarKind::Frozen => 1,
                VarKind::Input => 2,
            }]);
            self.domain(&var.domain);
        }
        let specified = &model.defines[..model.defines.len() - model.interface.n_added()];
        self.hash.length(specified.len());
        for define in specified {
            self.hash.text(&define.name);
            self.expr(define.body.expr);
        }
        let assigns: Vec<_> = model.assigns.iter().filter(|assign| !model.is_shadow(assign.var)).collect();
        self.hash.length(assigns.len());
        for assign in assigns {
            self.hash.bytes(&[match assign.kind {
                AssignKind::Always => 0,
                AssignKind::Init => 1,
                AssignKind::Next => 2,
            }]);
            self.hash.number(assign.var.0.into());
            self.expr(assign.value.expr);
        }
        for constraints in [&model.init, &model.trans, &model.invar, &model.justice] {
            self.hash.length(constraints.len());
            for constraint in constraints {
                self.expr(constraint.expr);
            }
        }
        self.hash.length(model.compassion.len());
        for (p, q) in &model.compassion {
            self.expr(p.expr);
            self.expr(q.expr);
        }
    }

    fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Bool => self.hash.bytes(&[0]),
            Domain::Enum(values) => {
                self.hash.bytes(&[1]);
                self.hash.length(values.len());
                for value in values.iter() {
                    self.value(*value);
                }
            }
            Domain::Range(first, last) => {
                self.hash.bytes(&[2]);
                self.hash.bytes(&first.to_le_bytes());
                self.hash.bytes(&last.to_le_bytes());
            }
            Domain::Word { signed, width } => self.hash.bytes(&[3, u8::from(*signed), *width]),
            Domain::Integer => self.hash.bytes(&[4]),
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Bool(truth) => self.hash.bytes(&[0, u8::from(truth)]),
            Value::Int(number) => {
                self.hash.bytes(&[1]);
                self.hash.bytes(&number.to_le_bytes());
            }
            Value::Symbol(symbol) => {
                self.hash.bytes(&[2]);
                self.hash.text(self.model.context.symbols.name(symbol));
            }
            Value::Word(word) => {
                self.hash.bytes(&[3, u8::from(word.signed), word.width]);
                self.hash.number(word.bits);
            }
        }
    }

    /// Writes what is new of an expression, and the number of the whole. Expressions may be too deep to recur on.
    fn expr(&mut self, root: ExprId) {
        let mut stack = vec![(root, false)];
        while let Some((expr, parts_are_written)) = stack.pop() {
            if self.numbers.contains_key(&expr) {
                continue;
            }
            let node = &self.model[expr];
            if parts_are_written {
                self.node(node);
                self.numbers.insert(expr, self.numbers.len() as u64);
            } else {
                stack.push((expr, true));
                stack.extend(node.children().into_iter().rev().map(|child| (child, false)));
            }
        }
        // No node begins with this byte, so what follows is no part of an expression.
        self.hash.bytes(&[u8::MAX]);
        self.hash.number(self.numbers[&root]);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Const(value) => {
                self.hash.bytes(&[0]);
                self.value(*value);
            }
            Node::Var(var) => {
                self.hash.bytes(&[1]);
                self.hash.number(var.0.into());
            }
            Node::Define(define) => {
                self.hash.bytes(&[2]);
                self.hash.number(define.0.into());
            }
            Node::Next(_) => self.hash.bytes(&[3]),
            Node::Unary(op, _) => {
                self.hash.bytes(&[4]);
                self.hash.text(op.symbol());
            }
            Node::Binary(op, ..) => {
                self.hash.bytes(&[5]);
                self.hash.text(match op {
                    BinaryOp::EU => "EU",
                    BinaryOp::AU => "AU",
                    op => op.symbol(),
                });
            }
            Node::Bounded(op, low, high, _) => {
                self.hash.bytes(&[6, u8::from(high.is_some())]);
                self.hash.text(op.symbol());
                self.hash.number(*low);
                self.hash.number(high.unwrap_or(0));
            }
            Node::BoundedUntil(op, low, high, ..) => {
                self.hash.bytes(&[7]);
                self.hash.text(match op {
                    BoundedUntilOp::EBU => "EBU",
                    BoundedUntilOp::ABU => "ABU",
                });
                self.hash.number(*low);
                self.hash.number(*high);
            }
            Node::Ite(..) => self.hash.bytes(&[8]),
            Node::Case(_) => self.hash.bytes(&[9]),
            Node::Set(_) => self.hash.bytes(&[10]),
            Node::Range(..) => self.hash.bytes(&[11]),
            Node::Array(first, _) => {
                self.hash.bytes(&[12]);
                self.hash.bytes(&first.to_le_bytes());
            }
            Node::Index(..) => self.hash.bytes(&[13]),
            Node::Slice(_, high, low) => self.hash.bytes(&[14, *high, *low]),
            Node::Call(builtin, _) => {
                self.hash.bytes(&[15]);
                self.hash.text(builtin.name());
            }
        }
        let parts = node.children();
        self.hash.length(parts.len());
        for part in parts {
            self.hash.number(self.numbers[&part]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::expr::{Exprs, SourcedExpr};
    use crate::testing::{model, random_model};
    use crate::value::SymbolTable;
    use std::convert::Infallible;
    use std::sync::Arc;

    #[test]
    fn the_hash_is_the_published_one() {
        let hash = |bytes: &[u8]| {
            let mut hash = Fnv::new();
            hash.bytes(bytes);
            hash.0
        };
        assert_eq!(hash(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(hash(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    /// Suites name these hashes: they must never change.
    #[test]
    fn hashes_stay_what_they_are() {
        let all = "MODULE main VAR a : boolean; b : {x, 3, y}; c : -2..9; d : unsigned word[8]; FROZENVAR f : boolean;
            IVAR i : boolean; DEFINE e := case a : 1; TRUE : c; esac;
            ASSIGN init(b) := {x, y}; next(b) := i ? 3 : b; next(c) := min(c + 1, 9); next(d) := d[7:4] :: 0ud4_3;
            INIT f = a; TRANS next(a) = !a xor i; INVAR c > -2 | e in {1, 2}; FAIRNESS a; COMPASSION (a, !f)";
        assert_eq!(model_hash(&model(all)), "sw1:a82195b390b2c344080a7ec61aff4ba6");
    }

    #[test]
    fn the_hash_sees_the_machine_and_nothing_else() {
        let hash = |text: &str| model_hash(&model(text));
        let one = hash("MODULE main VAR x : boolean; ASSIGN next(x) := !x; SPEC AG x");
        assert_eq!(one, hash("MODULE main -- words\nVAR\n  x : boolean;\nASSIGN\n  next(x) := (!x);\n"));
        assert_ne!(one, hash("MODULE main VAR x : boolean; ASSIGN next(x) := x;"));
    }

    #[test]
    fn what_shares_its_parts_is_not_written_out() {
        let large = |last: &str| {
            let mut model = model(&format!("MODULE main VAR x : boolean; ASSIGN next(x) := {last};"));
            let mut expr = model.assigns[0].value.expr;
            for _ in 0..100_000 {
                expr = model.make(Node::Binary(BinaryOp::Implies, expr, expr)).unwrap();
            }
            model.assigns[0].value.expr = expr;
            model_hash(&model)
        };
        assert_eq!(large("!x"), large("!x"));
        assert_ne!(large("!x"), large("x"));
    }

    /// All expressions of the machine.
    fn roots(model: &mut Model) -> Vec<&mut SourcedExpr> {
        let model = &mut model.system;
        let constraints = [&mut model.init, &mut model.trans, &mut model.invar, &mut model.justice];
        let mut roots: Vec<&mut SourcedExpr> = constraints.into_iter().flatten().collect();
        roots.extend(model.defines.iter_mut().map(|define| &mut define.body));
        roots.extend(model.assigns.iter_mut().map(|assign| &mut assign.value));
        roots.extend(model.compassion.iter_mut().flat_map(|(p, q)| [p, q]));
        roots
    }

    /// The same machine with its symbols in the opposite order, and its expressions in another one.
    fn interned_otherwise(model: &Model) -> Model {
        let mut other = model.clone();
        let symbols = SymbolTable::default();
        for name in model.context.symbols.names().collect::<Vec<_>>().into_iter().rev() {
            symbols.intern(name);
        }
        let value = |value: Value| match value {
            Value::Symbol(symbol) => Value::Symbol(symbols.intern(model.context.symbols.name(symbol))),
            value => value,
        };
        for var in &mut other.vars {
            if let Domain::Enum(values) = &mut var.domain {
                *values = values.iter().map(|v| value(*v)).collect();
            }
        }
        let exprs = Exprs::default();
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for root in roots(&mut other).into_iter().rev() {
            for part in model.context.exprs.parts([root.expr]) {
                let node = match &model[part] {
                    Node::Const(v) => Node::Const(value(*v)),
                    node => node.map_children(|child| known[&child]),
                };
                let ty = |_: &Node| Ok::<_, Infallible>(model.context.exprs.ty(part).clone());
                let Ok(new) = exprs.intern(node, ty);
                known.insert(part, new);
            }
            root.expr = known[&root.expr];
        }
        other.system.context = Arc::new(Context { symbols, exprs });
        other
    }

    #[test]
    fn the_order_of_interning_does_not_count() {
        for seed in 0..200 {
            let model = random_model(seed);
            assert_eq!(model_hash(&model), model_hash(&interned_otherwise(&model)), "{seed}");
        }
    }

    #[test]
    fn every_change_gives_another_hash() {
        for seed in 0..60 {
            let model = random_model(seed);
            let original = model_hash(&model);
            let mut known = std::collections::BTreeSet::from([original]);
            let mut differs = |change: &dyn Fn(&mut Model)| {
                let mut changed = model.clone();
                change(&mut changed);
                let is_new = known.insert(model_hash(&changed));
                assert!(is_new, "{seed}");
            };
            for at in 0..model.vars.len() {
                differs(&|model| model.vars[at].name.push('_'));
                differs(&|model| model.vars[at].domain = Domain::Range(-17, 12345));
                differs(&|model| model.vars[at].kind = other_kind(model.vars[at].kind));
            }
            for at in 0..model.defines.len() {
                differs(&|model| model.defines[at].name.push('_'));
            }
            for at in 0..roots(&mut model.clone()).len() {
                differs(&|model| {
                    let expr = model.make(Node::Const(Value::Int(4711))).unwrap();
                    roots(model)[at].expr = expr;
                });
                // A change deep inside of it: its first constant or variable becomes another.
                differs(&|model| {
                    let root = roots(model)[at].expr;
                    let leaf = model.context.exprs.parts([root])[0];
                    let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
                    for part in model.context.exprs.parts([root]) {
                        let ty = model.context.exprs.ty(part).clone();
                        let same = model[part].map_children(|child| known[&child]);
                        let node = if part == leaf { Node::Const(Value::Int(-4711)) } else { same };
                        let Ok(new) = model.context.exprs.intern(node, |_| Ok::<_, Infallible>(ty));
                        known.insert(part, new);
                    }
                    roots(model)[at].expr = known[&root];
                });
            }
            for at in 0..model.assigns.len() {
                differs(&|model| drop(model.assigns.remove(at)));
            }
            let sections: [fn(&mut Model) -> &mut Vec<SourcedExpr>; 4] = [
                |model| &mut model.init,
                |model| &mut model.trans,
                |model| &mut model.invar,
                |model| &mut model.justice,
            ];
            for (from, section) in sections.iter().enumerate() {
                if section(&mut model.clone()).is_empty() {
                    continue;
                }
                differs(&|model| drop(section(model).pop()));
                differs(&|model| {
                    let moved = section(model).pop().unwrap();
                    sections[(from + 1) % 4](model).push(moved);
                });
            }
        }
    }

    fn other_kind(kind: VarKind) -> VarKind {
        if kind == VarKind::Frozen { VarKind::Input } else { VarKind::Frozen }
    }
}
