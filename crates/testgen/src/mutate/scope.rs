//! What is allowed at a site: variables, `next`, and types.
//!
//! A mutant must be a valid model: no inputs in formulas over states, no `next` without a step, and no circular
//! assignments.

use super::site::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::model::{AssignKind, DefineId, PropertyKind, VarKind};
use specwright_model::op::Logic;
use specwright_model::{Domain, ExprId, Model, Node, Ty, VarId};

/// What is allowed at a site.
pub(super) struct Scope {
    pub(super) site: SiteId,
    /// Whether inputs are allowed.
    inputs: bool,
    /// Whether `next` is allowed.
    pub(super) next: bool,
    /// The variables that depend on the value defined here, now or in the next state.
    blocked: FxHashSet<(VarId, bool)>,
    /// For a define, itself: it must not refer to later ones.
    define: Option<DefineId>,
}

impl Scope {
    /// The scope of a site.
    pub(super) fn new(model: &Model, site: SiteId, dependents: &Dependents) -> Scope {
        let root = site.sourced(model).expr;
        let has_next = || model.mentions(root, |node| matches!(node, Node::Next(_)));
        let is_input = |node: &Node| matches!(node, Node::Var(var) if model[*var].kind == VarKind::Input);
        let has_inputs = || model.mentions(root, is_input);
        let (inputs, next) = match site {
            SiteId::Property(index) => match model.properties[index].kind {
                PropertyKind::Ltl | PropertyKind::Psl(Logic::Ltl) => (true, false),
                PropertyKind::Invar => (true, has_next()),
                _ => (false, false),
            },
            // The uses of a define are valid for what its body has already, and perhaps for nothing else.
            SiteId::Define(_) => (has_inputs(), has_next()),
            SiteId::Assign(index) if model.assigns[index].kind == AssignKind::Next => (true, true),
            SiteId::Trans(_) => (true, true),
            SiteId::Fairness(_) => (has_inputs(), false),
            SiteId::Assign(_) | SiteId::Init(_) | SiteId::Invar(_) => (false, false),
        };
        let mut blocked = FxHashSet::default();
        match site {
            SiteId::Assign(index) => {
                let assign = &model.assigns[index];
                dependents.collect(Vertex::Var(assign.var, assign.kind == AssignKind::Next), false, &mut blocked);
                if assign.kind == AssignKind::Always {
                    dependents.collect(Vertex::Var(assign.var, true), true, &mut blocked);
                }
            }
            SiteId::Define(define) => {
                dependents.collect(Vertex::Define(define, false), false, &mut blocked);
                dependents.collect(Vertex::Define(define, true), true, &mut blocked);
            }
            _ => {}
        }
        let define = if let SiteId::Define(define) = site { Some(define) } else { None };
        Scope { site, inputs, next, blocked, define }
    }

    /// Whether a variable is allowed here, below `next` or not.
    pub(super) fn allows(&self, model: &Model, var: VarId, in_next: bool) -> bool {
        let kind_fits = model[var].kind != VarKind::Input || self.inputs && !in_next;
        kind_fits && !self.blocked.contains(&(var, in_next))
    }

    /// Whether a define of a constant is allowed here.
    pub(super) fn allows_define(&self, define: DefineId) -> bool {
        self.define.is_none_or(|own| define < own)
    }

    /// Whether the whole expression may have another type.
    pub(super) fn accepts(&self, model: &Model, ty: &Ty) -> bool {
        match self.site {
            SiteId::Assign(index) => model.var_ty(model.assigns[index].var).accepts(ty),
            _ => model.context.exprs.ty(self.site.sourced(model).expr) == ty,
        }
    }

    /// The variable that the whole expression is assigned to.
    pub(super) fn assigned<'a>(&self, model: &'a Model) -> Option<(VarId, &'a Domain)> {
        match self.site {
            SiteId::Assign(index) => {
                let var = model.assigns[index].var;
                Some((var, &model[var].domain))
            }
            _ => None,
        }
    }
}

/// A vertex of the dependency graph: a variable or define, now (or initially) or in the next state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Vertex {
    Var(VarId, bool),
    Define(DefineId, bool),
}

/// The inverse dependency graph.
pub(super) struct Dependents {
    users: FxHashMap<Vertex, Vec<Vertex>>,
}

impl Dependents {
    /// The dependencies of a model. All processes are merged, which forbids slightly too much.
    pub(super) fn new(model: &Model) -> Dependents {
        let mut users: FxHashMap<Vertex, Vec<Vertex>> = FxHashMap::default();
        for assign in &model.assigns {
            let user = Vertex::Var(assign.var, assign.kind == AssignKind::Next);
            for_each_use(model, assign.value.expr, false, |used| users.entry(used).or_default().push(user));
            if assign.kind == AssignKind::Always {
                // It also holds in the next state.
                let user = Vertex::Var(assign.var, true);
                for_each_use(model, assign.value.expr, true, |used| users.entry(used).or_default().push(user));
            }
        }
        for (id, define) in (0..).map(DefineId).zip(&model.defines) {
            for in_next in [false, true] {
                let user = Vertex::Define(id, in_next);
                for_each_use(model, define.body.expr, in_next, |used| users.entry(used).or_default().push(user));
            }
        }
        Dependents { users }
    }

    /// Adds the variables that depend on a value, with whether it is that of the next state as seen from the site: for
    /// uses below `next`, the next state is the current one.
    fn collect(&self, start: Vertex, shifted: bool, blocked: &mut FxHashSet<(VarId, bool)>) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![start];
        while let Some(vertex) = stack.pop() {
            if !seen.insert(vertex) {
                continue;
            }
            match vertex {
                Vertex::Var(var, in_next) if shifted => {
                    if in_next {
                        blocked.insert((var, false));
                    }
                }
                Vertex::Var(var, in_next) => {
                    blocked.insert((var, in_next));
                }
                Vertex::Define(..) => {}
            }
            stack.extend(self.users.get(&vertex).into_iter().flatten());
        }
    }
}

/// Visits the direct dependencies of an expression.
fn for_each_use(model: &Model, expr: ExprId, in_next: bool, mut visit: impl FnMut(Vertex)) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![(expr, in_next)];
    while let Some((expr, in_next)) = stack.pop() {
        if !seen.insert((expr, in_next)) {
            continue;
        }
        match &model[expr] {
            Node::Var(var) => visit(Vertex::Var(*var, in_next)),
            Node::Define(define) => visit(Vertex::Define(*define, in_next)),
            Node::Next(inner) => stack.push((*inner, true)),
            node => node.for_each_child(|child| stack.push((child, in_next))),
        }
    }
}
