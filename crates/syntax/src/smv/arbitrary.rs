//! Random syntax trees for tests: every construct of the language, in shapes that the parser can produce.
//!
//! The choices are read from bytes, so that a property test or a fuzzer can supply them and shrink them: fewer and
//! smaller bytes make smaller trees.

use super::ast::{
    AssignDecl, AssignKind, ConstraintKind, DefineDecl, ExprId, ExprKind, Exprs, File, Ident, Item, ItemKind, Module,
    PropertyDecl, PropertyKind, TypeExpr, TypeKind, VarDecl, VarKind, WordLiteral,
};
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, Builtin, UnaryOp};
use crate::span::Span;

const NAMES: [&str; 12] = ["a", "b", "c", "x1", "y_2", "n-1", "p$q", "d#", "running", "main", "\"a b\"", "INPUT"];

const BINARY: [BinaryOp; 28] = [
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Xnor,
    BinaryOp::Implies,
    BinaryOp::Iff,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Concat,
    BinaryOp::Union,
    BinaryOp::In,
    BinaryOp::EU,
    BinaryOp::AU,
    BinaryOp::U,
    BinaryOp::V,
    BinaryOp::S,
    BinaryOp::T,
];

const UNARY: [UnaryOp; 15] = [
    UnaryOp::Not,
    UnaryOp::Neg,
    UnaryOp::EX,
    UnaryOp::AX,
    UnaryOp::EF,
    UnaryOp::AF,
    UnaryOp::EG,
    UnaryOp::AG,
    UnaryOp::X,
    UnaryOp::F,
    UnaryOp::G,
    UnaryOp::Y,
    UnaryOp::Z,
    UnaryOp::H,
    UnaryOp::O,
];

/// The operators to which `PSLSPEC` expands.
const PSL_BINARY: [BinaryOp; 17] = [
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Implies,
    BinaryOp::Iff,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Ge,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mod,
    BinaryOp::Concat,
    BinaryOp::Union,
    BinaryOp::U,
    BinaryOp::EU,
    BinaryOp::AU,
];

const PSL_UNARY: [UnaryOp; 8] =
    [UnaryOp::Not, UnaryOp::Neg, UnaryOp::EX, UnaryOp::AG, UnaryOp::AF, UnaryOp::X, UnaryOp::F, UnaryOp::G];

/// A source of choices; after the last byte, the simplest choice is made.
#[derive(Clone, Debug)]
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Choices from these bytes.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % n.max(1)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A small number, at least `least`.
    fn several(&mut self, least: usize) -> usize {
        least + self.below(4)
    }
}

/// A random expression in a new arena.
pub fn expr(choices: &mut Choices<'_>) -> (Exprs, ExprId) {
    let mut maker = Maker { exprs: Exprs::default(), choices: choices.clone() };
    let id = maker.expr(6);
    *choices = maker.choices;
    (maker.exprs, id)
}

/// A random file. It is well-formed, but seldom well-typed.
pub fn file(choices: &mut Choices<'_>) -> File {
    let mut maker = Maker { exprs: Exprs::default(), choices: choices.clone() };
    let n_modules = maker.choices.several(1);
    let modules = (0..n_modules).map(|_| maker.module()).collect();
    *choices = maker.choices;
    File { exprs: maker.exprs, modules, comments: Vec::new() }
}

struct Maker<'a> {
    exprs: Exprs,
    choices: Choices<'a>,
}

impl Maker<'_> {
    fn add(&mut self, kind: ExprKind) -> ExprId {
        self.exprs.add(kind, Span::NONE)
    }

    fn ident(&mut self) -> Ident {
        Ident { text: self.choices.pick(&NAMES).into(), span: Span::NONE }
    }

    fn int(&mut self) -> ExprId {
        let value = self.choices.pick(&[0, 1, 7, 42, i64::MAX]);
        self.add(ExprKind::Int(value))
    }

    fn signed_int(&mut self) -> ExprId {
        let int = self.int();
        if self.choices.flip() { self.add(ExprKind::Unary(UnaryOp::Neg, int)) } else { int }
    }

    fn leaf(&mut self) -> ExprId {
        let kind = match self.choices.below(5) {
            0 => ExprKind::Name(self.choices.pick(&NAMES).into()),
            1 => ExprKind::Bool(self.choices.flip()),
            2 => return self.int(),
            3 => ExprKind::Word(self.word()),
            _ => ExprKind::SelfRef,
        };
        self.add(kind)
    }

    fn word(&mut self) -> WordLiteral {
        let (signed, base) = (self.choices.flip(), self.choices.pick(&['b', 'o', 'd', 'h']));
        let width = self.choices.pick(&[4, 1, 8, 13, 64]);
        let bits = self.choices.pick(&[0, 1, u64::MAX, 0x5a5a]) & (u64::MAX >> (64 - width));
        let most = 1 << (width - 1);
        WordLiteral { signed, base, width, bits: if signed && base == 'd' { bits.min(most) } else { bits } }
    }

    fn exprs(&mut self, depth: u32, least: usize) -> Vec<ExprId> {
        (0..self.choices.several(least)).map(|_| self.expr(depth)).collect()
    }

    /// A name, a field of an instance, or an element of an array.
    fn place(&mut self, depth: u32) -> ExprId {
        if depth == 0 {
            let name = self.choices.pick(&NAMES);
            return self.add(ExprKind::Name(name.into()));
        }
        match self.choices.below(4) {
            0 => self.place(0),
            1 => {
                let base = self.place(depth - 1);
                let field = self.choices.pick(&["a", "0", "12", "field"]);
                self.add(ExprKind::Field(base, Ident { text: field.into(), span: Span::NONE }))
            }
            2 => {
                let (base, index) = (self.place(depth - 1), self.expr(depth - 1));
                self.add(ExprKind::Index(base, index))
            }
            _ => self.add(ExprKind::SelfRef),
        }
    }

    fn expr(&mut self, depth: u32) -> ExprId {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        let kind = match self.choices.below(16) {
            0 => return self.leaf(),
            1 => return self.place(depth),
            2..=4 => {
                let (left, right) = (self.expr(depth), self.expr(depth));
                ExprKind::Binary(self.choices.pick(&BINARY), left, right)
            }
            5 | 6 => {
                let operand = self.expr(depth);
                ExprKind::Unary(self.choices.pick(&UNARY), operand)
            }
            7 => ExprKind::Slice(self.expr(depth), self.expr(depth), self.expr(depth)),
            8 => ExprKind::Next(self.expr(depth)),
            9 => return self.bounded(depth),
            10 => ExprKind::Ite(self.expr(depth), self.expr(depth), self.expr(depth)),
            11 => {
                let n_branches = self.choices.several(1);
                ExprKind::Case((0..n_branches).map(|_| (self.expr(depth), self.expr(depth))).collect())
            }
            12 => ExprKind::Set(self.exprs(depth, 1)),
            13 => ExprKind::Range(self.expr(depth), self.expr(depth)),
            14 => ExprKind::Index(self.expr(depth), self.expr(depth)),
            _ => return self.call(depth),
        };
        self.add(kind)
    }

    fn call(&mut self, depth: u32) -> ExprId {
        let (_, builtin) = self.choices.pick(&Builtin::ALL);
        let args = match builtin {
            Builtin::Count => self.exprs(depth, 1),
            Builtin::Min | Builtin::Max | Builtin::Extend | Builtin::Resize | Builtin::UwConst | Builtin::SwConst => {
                vec![self.expr(depth), self.expr(depth)]
            }
            _ => vec![self.expr(depth)],
        };
        self.add(ExprKind::Call(builtin, args))
    }

    fn bounded(&mut self, depth: u32) -> ExprId {
        let kind = match self.choices.below(3) {
            0 => {
                let op = self.choices.pick(&[BoundedOp::EBF, BoundedOp::ABF, BoundedOp::EBG, BoundedOp::ABG]);
                ExprKind::Bounded(op, self.signed_int(), self.signed_int(), self.expr(depth))
            }
            1 => {
                let op = self.choices.pick(&[BoundedOp::F, BoundedOp::G, BoundedOp::O, BoundedOp::H]);
                ExprKind::Bounded(op, self.int(), self.int(), self.expr(depth))
            }
            _ => {
                let op = self.choices.pick(&[BoundedUntilOp::EBU, BoundedUntilOp::ABU]);
                let (low, high) = (self.signed_int(), self.signed_int());
                ExprKind::BoundedUntil(op, low, high, self.expr(depth), self.expr(depth))
            }
        };
        self.add(kind)
    }

    fn psl(&mut self, depth: u32) -> ExprId {
        if depth == 0 {
            let name = self.choices.pick(&NAMES[..5]);
            return self.add(ExprKind::Name(name.into()));
        }
        let depth = depth - 1;
        let kind = match self.choices.below(8) {
            0 => return self.psl(0),
            1 => return self.int(),
            2 | 3 => {
                let operand = self.psl(depth);
                ExprKind::Unary(self.choices.pick(&PSL_UNARY), operand)
            }
            4 | 5 => {
                let (left, right) = (self.psl(depth), self.psl(depth));
                ExprKind::Binary(self.choices.pick(&PSL_BINARY), left, right)
            }
            6 => ExprKind::Ite(self.psl(depth), self.psl(depth), self.psl(depth)),
            _ => {
                let (base, high, low) = (self.psl(depth), self.int(), self.int());
                ExprKind::Slice(base, high, low)
            }
        };
        self.add(kind)
    }

    fn array(&mut self, depth: u32) -> ExprId {
        let n_items = self.choices.several(1);
        let nested = depth > 0 && self.choices.flip();
        let items = (0..n_items).map(|_| if nested { self.array(depth - 1) } else { self.expr(1) }).collect();
        self.add(ExprKind::Array(items))
    }

    fn ty(&mut self, depth: u32, instances: bool) -> TypeExpr {
        let kind = match self.choices.below(if depth == 0 { 6 } else { 7 }) {
            1 => TypeKind::Integer,
            2 => {
                let n_values = self.choices.several(1);
                TypeKind::Enum((0..n_values).map(|_| self.enum_value()).collect())
            }
            3 => TypeKind::Range(self.signed_int(), self.expr(2)),
            4 => TypeKind::Word { signed: self.choices.flip(), width: self.expr(1) },
            5 if instances => {
                let (process, args) = (self.choices.flip(), self.choices.below(3));
                TypeKind::Instance { process, module: self.ident(), args: (0..args).map(|_| self.expr(2)).collect() }
            }
            6 => {
                let (low, high) = (self.expr(1), self.expr(1));
                TypeKind::Array(low, high, Box::new(self.ty(depth - 1, false)))
            }
            _ => TypeKind::Boolean,
        };
        TypeExpr { kind, span: Span::NONE }
    }

    fn enum_value(&mut self) -> ExprId {
        match self.choices.below(4) {
            0 => self.place(0),
            1 => self.signed_int(),
            2 => {
                let value = self.choices.flip();
                self.add(ExprKind::Bool(value))
            }
            _ => {
                let (base, field) = (self.place(0), self.ident());
                self.add(ExprKind::Field(base, field))
            }
        }
    }

    fn module(&mut self) -> Module {
        let (name, n_params) = (self.ident(), self.choices.below(3));
        let params = (0..n_params).map(|_| self.ident()).collect();
        let n_items = self.choices.below(8);
        let items = (0..n_items).map(|_| Item { kind: self.item(), span: Span::NONE }).collect();
        Module { name, params, items, span: Span::NONE }
    }

    fn item(&mut self) -> ItemKind {
        match self.choices.below(11) {
            0 => {
                let kinds = [VarKind::State, VarKind::Input, VarKind::Frozen, VarKind::Monitored, VarKind::Controlled];
                let kind = self.choices.pick(&kinds);
                let instances = !matches!(kind, VarKind::Input | VarKind::Frozen);
                // An empty section of the 1990s cannot be distinguished from a name.
                let n_vars = self.choices.several(1);
                ItemKind::Vars(
                    kind,
                    (0..n_vars).map(|_| VarDecl { name: self.ident(), ty: self.ty(2, instances) }).collect(),
                )
            }
            1 => {
                let n_defines = self.choices.several(0);
                ItemKind::Defines((0..n_defines).map(|_| self.define()).collect())
            }
            2 => {
                let n_names = self.choices.several(0);
                ItemKind::Constants((0..n_names).map(|_| self.ident()).collect())
            }
            3 => {
                let n_assigns = self.choices.several(0);
                ItemKind::Assigns((0..n_assigns).map(|_| self.assign()).collect())
            }
            4 | 5 => {
                let kinds =
                    [ConstraintKind::Init, ConstraintKind::Trans, ConstraintKind::Invar, ConstraintKind::Justice];
                ItemKind::Constraint(self.choices.pick(&kinds), self.expr(5))
            }
            6 => ItemKind::Compassion(self.expr(3), self.expr(3)),
            7 => ItemKind::Isa(self.ident()),
            8 | 9 => ItemKind::Property(self.property()),
            _ => match self.choices.below(3) {
                0 => ItemKind::Pred(None, self.expr(3)),
                1 => ItemKind::Pred(Some(self.ident()), self.expr(3)),
                _ => ItemKind::Mirror(self.place(2)),
            },
        }
    }

    fn define(&mut self) -> DefineDecl {
        let name = self.ident();
        DefineDecl { name, body: if self.choices.below(4) == 3 { self.array(2) } else { self.expr(5) } }
    }

    fn assign(&mut self) -> AssignDecl {
        let kind = self.choices.pick(&[AssignKind::Current, AssignKind::Init, AssignKind::Next]);
        AssignDecl { kind, target: self.place(2), value: self.expr(5), span: Span::NONE }
    }

    fn property(&mut self) -> PropertyDecl {
        let kinds = [
            PropertyKind::Ctl,
            PropertyKind::Ltl,
            PropertyKind::Invar,
            PropertyKind::ComputeMin,
            PropertyKind::ComputeMax,
            PropertyKind::Psl,
        ];
        let kind = self.choices.pick(&kinds);
        let name = self.choices.flip().then(|| self.ident());
        let formula = if kind == PropertyKind::Psl { self.psl(5) } else { self.expr(5) };
        let is_compute = matches!(kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax);
        let target = is_compute.then(|| self.expr(4));
        let context = (self.choices.below(4) == 3).then(|| self.place(1));
        PropertyDecl { kind, name, formula, target, context, span: Span::NONE }
    }
}
