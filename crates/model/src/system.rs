//! The transition system: variables, defines, assignments and constraints.
//!
//! A system is what engines get: its variables, how they start and step, and which paths are fair. It is flat, typed and
//! independent of its language. Expressions are kept in their source form.

use crate::context::Context;
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::state::State;
use crate::value::{Domain, Value};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::Span;
use std::collections::BTreeSet;
use std::ops::Index;
use std::sync::Arc;

/// A variable of a model, in declared order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A define of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefineId(pub u32);

/// How long a variable keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VarKind {
    /// Part of the state.
    State,
    /// Part of the state, and never changes.
    Frozen,
    /// Belongs to a step, not to a state.
    Input,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its full name, such as `left.queue[2]`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Its kind.
    pub kind: VarKind,
    /// The span of its declaration.
    pub span: Span,
}

/// A named expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// Its full name.
    pub name: String,
    /// Its expression.
    pub body: SourcedExpr,
    /// The span of its declaration.
    pub span: Span,
}

/// Which value of a variable an assignment defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignKind {
    /// In every state.
    Always,
    /// In initial states.
    Init,
    /// After every step.
    Next,
}

/// An assignment. A set is a nondeterministic choice of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// Its kind.
    pub kind: AssignKind,
    /// The variable.
    pub var: VarId,
    /// The value.
    pub value: SourcedExpr,
    /// The whole assignment.
    pub span: Span,
}

/// A transition system. Clones share their context.
///
/// Invariants: expressions are well-typed; a define refers only to earlier defines; a variable has at most one
/// assignment of each kind, and not both `Always` and another; assignments have no circular dependencies.
#[derive(Clone, Debug, Default)]
pub struct TransitionSystem {
    /// The budget for work on the system.
    pub budget: Budget,
    /// The expressions and symbols.
    pub context: Arc<Context>,
    /// The variables, in declared order.
    pub vars: Vec<Var>,
    /// The defines, each after those that it uses.
    pub defines: Vec<Define>,
    /// The assignments, in written order.
    pub assigns: Vec<Assign>,
    /// Constraints on initial states.
    pub init: Vec<SourcedExpr>,
    /// Constraints on steps.
    pub trans: Vec<SourcedExpr>,
    /// Constraints on all states.
    pub invar: Vec<SourcedExpr>,
    /// Justice: conditions that hold infinitely often on fair paths.
    pub justice: Vec<SourcedExpr>,
    /// Compassion: pairs of conditions; if the first holds infinitely often on a fair path, so does the second.
    pub compassion: Vec<(SourcedExpr, SourcedExpr)>,
    /// Variables that were added for past operators in properties, after all others: the second of each pair has the
    /// previous value of the first. They are not part of the specification, and tests do not mention them.
    pub shadows: Vec<(VarId, VarId)>,
    /// The variables that stand for real numbers, each with the denominator of its multiples.
    pub denominators: Vec<(VarId, i64)>,
}

impl TransitionSystem {
    /// Whether a variable was added to store the previous value of another one.
    pub fn is_shadow(&self, var: VarId) -> bool {
        self.shadows.iter().any(|(_, shadow)| *shadow == var)
    }

    /// All variables with their ids.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, &Var)> {
        (0..).map(VarId).zip(&self.vars)
    }

    /// The variable with this full name.
    pub fn var_named(&self, name: &str) -> Option<VarId> {
        self.vars().find(|(_, var)| var.name == name).map(|(id, _)| id)
    }

    /// The define with this full name.
    pub fn define_named(&self, name: &str) -> Option<DefineId> {
        (0..).map(DefineId).zip(&self.defines).find(|(_, define)| define.name == name).map(|(id, _)| id)
    }

    /// The expression of a define.
    pub fn body(&self, define: DefineId) -> ExprId {
        self.defines[define.0 as usize].body.expr
    }

    /// The assignment of a kind to a variable.
    pub fn assign(&self, kind: AssignKind, var: VarId) -> Option<&Assign> {
        self.assigns.iter().find(|assign| assign.kind == kind && assign.var == var)
    }

    /// All parts of the machine: of its constraints, defines and assignments.
    pub fn parts(&self) -> Vec<ExprId> {
        let constraints = [&self.init, &self.trans, &self.invar].into_iter().flatten().map(|sourced| sourced.expr);
        let defines = self.defines.iter().map(|define| define.body.expr);
        let assigns = self.assigns.iter().map(|assign| assign.value.expr);
        self.context.exprs.parts(constraints.chain(defines).chain(assigns))
    }

    /// The numbers among some expressions, and those next to them.
    pub fn numbers_in(&self, exprs: &[ExprId]) -> BTreeSet<i64> {
        let numbers = exprs.iter().filter_map(|expr| match self[*expr] {
            Node::Const(Value::Int(number)) => Some(number),
            _ => None,
        });
        numbers.flat_map(|number| [number.saturating_sub(1), number, number.saturating_add(1)]).collect()
    }

    /// A state without the inputs of the step that leaves it.
    #[must_use]
    pub fn without_step_inputs(&self, state: &State) -> State {
        let mut state = state.clone();
        for (var, _) in self.vars().filter(|(_, var)| var.kind == VarKind::Input) {
            state.set(var, None);
        }
        state
    }

    /// The text of a value.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Bool(true) => "TRUE".into(),
            Value::Bool(false) => "FALSE".into(),
            Value::Int(number) => number.to_string(),
            Value::Symbol(symbol) => self.context.symbols.name(symbol).into(),
            Value::Word(word) => word.to_string(),
        }
    }
}

impl Index<VarId> for TransitionSystem {
    type Output = Var;

    fn index(&self, var: VarId) -> &Var {
        &self.vars[var.0 as usize]
    }
}

impl Index<DefineId> for TransitionSystem {
    type Output = Define;

    fn index(&self, define: DefineId) -> &Define {
        &self.defines[define.0 as usize]
    }
}

impl Index<ExprId> for TransitionSystem {
    type Output = Node;

    fn index(&self, expr: ExprId) -> &Node {
        &self.context.exprs[expr]
    }
}
