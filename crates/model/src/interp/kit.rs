//! Small models, built by hand for the tests of this folder.

use crate::expr::{ExprId, Node, Written};
use crate::model::{Assign, AssignKind, Define, DefineId, Model, Role, Var, VarId, VarKind};
use crate::op::{BinaryOp, UnaryOp};
use crate::state::State;
use crate::ty::{Scalar, Ty};
use crate::value::{Domain, Value};
use specwright_syntax::span::Span;

#[derive(Default)]
pub(crate) struct Kit(pub(crate) Model);

pub(crate) fn written(expr: ExprId) -> Written {
    Written { expr, spans: [Span::NONE].into() }
}

impl Kit {
    pub(crate) fn var(&mut self, name: &str, domain: Domain, kind: VarKind) -> ExprId {
        let id = VarId(self.0.vars.len() as u32);
        self.0.vars.push(Var { name: name.into(), domain, kind, role: Role::Internal, span: Span::NONE });
        self.node(Node::Var(id))
    }

    pub(crate) fn boolean(&mut self, name: &str) -> ExprId {
        self.var(name, Domain::Bool, VarKind::State)
    }

    pub(crate) fn range(&mut self, name: &str, first: i64, last: i64) -> ExprId {
        self.var(name, Domain::Range(first, last), VarKind::State)
    }

    pub(crate) fn input(&mut self, name: &str) -> ExprId {
        self.var(name, Domain::Bool, VarKind::Input)
    }

    pub(crate) fn define(&mut self, name: &str, body: ExprId) -> ExprId {
        let id = DefineId(self.0.defines.len() as u32);
        self.0.defines.push(Define { name: name.into(), body: written(body), span: Span::NONE });
        self.node(Node::Define(id))
    }

    pub(crate) fn assign(&mut self, kind: AssignKind, var: ExprId, value: ExprId) {
        let Node::Var(var) = self.0[var] else { panic!("only variables are assigned") };
        self.0.assigns.push(Assign { kind, var, value: written(value), span: Span::NONE });
    }

    pub(crate) fn int(&mut self, number: i64) -> ExprId {
        self.node(Node::Const(Value::Int(number)))
    }

    pub(crate) fn truth(&mut self, truth: bool) -> ExprId {
        self.node(Node::Const(Value::Bool(truth)))
    }

    pub(crate) fn un(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        self.node(Node::Unary(op, a))
    }

    pub(crate) fn bin(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.node(Node::Binary(op, a, b))
    }

    pub(crate) fn eq(&mut self, a: ExprId, number: i64) -> ExprId {
        let number = self.int(number);
        self.bin(BinaryOp::Eq, a, number)
    }

    pub(crate) fn set(&mut self, items: &[ExprId]) -> ExprId {
        self.node(Node::Set(items.into()))
    }

    pub(crate) fn next(&mut self, a: ExprId) -> ExprId {
        self.node(Node::Next(a))
    }

    pub(crate) fn state(&self, values: &[Value]) -> State {
        let mut state = State::empty(self.0.vars.len());
        for (var, value) in (0..).map(VarId).zip(values) {
            state.set(var, *value);
        }
        state
    }

    pub(crate) fn node(&mut self, node: Node) -> ExprId {
        let ty = |expr: &ExprId| self.0.exprs.ty(*expr).clone();
        let ty = match &node {
            Node::Var(var) => match &self.0[*var].domain {
                Domain::Range(..) | Domain::Integer => Ty::INT,
                Domain::Enum(_) => Ty::One(Scalar::Symbol),
                _ => Ty::BOOL,
            },
            Node::Define(define) => ty(&self.0.body(*define)),
            Node::Next(a) | Node::Ite(_, a, _) => ty(a),
            Node::Case(branches) => ty(&branches[0].1),
            Node::Set(items) => Ty::Set(ty(&items[0]).scalar().expect("a set of values")),
            Node::Range(..) => Ty::Set(Scalar::Int),
            Node::Const(Value::Int(_))
            | Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod, ..) => {
                Ty::INT
            }
            Node::Array(first, items) => Ty::Array(*first, *first, ty(&items[0]).into()),
            Node::Index(array, _) => match ty(array) {
                Ty::Array(_, _, element) => (*element).clone(),
                other => other,
            },
            _ => Ty::BOOL,
        };
        self.0.exprs.intern(node, ty)
    }
}
