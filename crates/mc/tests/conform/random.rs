//! Random roles and random mutants of random models.

use specwright_mc::Place;
use specwright_model::interface::{Observable, Role};
use specwright_model::interp::Random;
use specwright_model::model::{AssignKind, DefineId, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, Ty, Value, VarId};

/// Gives every variable a role.
pub(crate) fn random_roles(model: &mut Model, random: &mut Random) {
    let hidden = *random.pick(&[0, 20, 50]);
    let vars: Vec<(VarId, VarKind)> = model.vars().map(|(id, var)| (id, var.kind)).collect();
    for (var, kind) in vars {
        let role = if random.percent(hidden) {
            Role::Internal
        } else if kind == VarKind::Input || random.percent(25) {
            Role::Input
        } else {
            Role::Output
        };
        model.set_role(var, role);
    }
    for define in (0..model.defines.len() as u32).map(DefineId) {
        let body = model.body(define);
        let reads_step = |node: &Node| match node {
            Node::Next(_) => true,
            Node::Var(var) => model[*var].kind == VarKind::Input,
            _ => false,
        };
        // A mutated define would have to be replaced wherever it is used.
        let machine = model.assigns.iter().map(|assign| &assign.value).chain(&model.init).chain(&model.invar);
        let machine = machine.chain(&model.trans).chain(model.defines.iter().map(|define| &define.body));
        let is_it = |node: &Node| matches!(node, Node::Define(other) if *other == define);
        let is_used = machine.map(|sourced| sourced.expr).any(|expr| model.mentions(expr, is_it));
        if !model.mentions(body, reads_step) && !is_used && random.percent(30) {
            model.interface.set(Observable::Define(define), Role::Output);
        }
    }
}

/// Another expression in one or two places.
pub(crate) fn random_changes(model: &mut Model, random: &mut Random) -> Vec<(Place, ExprId)> {
    let mut places: Vec<Place> = (0..model.assigns.len()).map(Place::Assign).collect();
    places.extend((0..model.init.len()).map(Place::Init));
    places.extend((0..model.invar.len()).map(Place::Invar));
    places.extend((0..model.trans.len()).map(Place::Trans));
    let seen = model.interface.with_role(Role::Output);
    places.extend(seen.filter_map(|of| match of {
        Observable::Define(define) if *model.context.exprs.ty(model.body(define)) == Ty::BOOL => {
            Some(Place::Define(define))
        }
        _ => None,
    }));
    if places.is_empty() {
        return Vec::new();
    }
    let mut changes: Vec<(Place, ExprId)> = Vec::new();
    for _ in 0..=usize::from(random.percent(20)) {
        let place = *random.pick(&places);
        if changes.iter().any(|(other, _)| *other == place) {
            continue;
        }
        let expr = match place {
            Place::Assign(index) => other_value(model, random, index),
            Place::Init(index) => other_condition(model, random, model.init[index].expr, false),
            Place::Invar(index) => other_condition(model, random, model.invar[index].expr, false),
            Place::Trans(index) => other_condition(model, random, model.trans[index].expr, true),
            Place::Fairness(_) => continue,
            Place::Define(define) => other_condition(model, random, model.body(define), false),
        };
        changes.push((place, expr));
    }
    changes
}

fn make(model: &mut Model, node: Node) -> ExprId {
    model.make(node).expect("it is well-typed")
}

/// A variable that has some value, now or next.
pub(crate) fn atom(model: &mut Model, random: &mut Random, may_be_next: bool) -> ExprId {
    let states = model.vars().filter(|(_, var)| var.kind != VarKind::Input);
    let vars: Vec<VarId> = states.map(|(id, _)| id).collect();
    let var = *random.pick(&vars);
    let value = value(model, random, var);
    let mut read = make(model, Node::Var(var));
    if may_be_next && random.percent(50) {
        read = make(model, Node::Next(read));
    }
    let value = make(model, Node::Const(value));
    make(model, Node::Binary(BinaryOp::Eq, read, value))
}

fn value(model: &Model, random: &mut Random, var: VarId) -> Value {
    let values: Vec<Value> = model[var].domain.values().take(8).collect();
    *random.pick(&values)
}

fn other_condition(model: &mut Model, random: &mut Random, old: ExprId, step: bool) -> ExprId {
    let atom = atom(model, random, step);
    match random.index(4) {
        0 => make(model, Node::Unary(UnaryOp::Not, old)),
        1 => make(model, Node::Binary(BinaryOp::And, old, atom)),
        2 => make(model, Node::Binary(BinaryOp::Or, old, atom)),
        _ => make(model, Node::Const(Value::Bool(true))),
    }
}

fn other_value(model: &mut Model, random: &mut Random, index: usize) -> ExprId {
    let (var, old) = (model.assigns[index].var, model.assigns[index].value.expr);
    let [one, other] = [value(model, random, var), value(model, random, var)];
    let (one, other) = (make(model, Node::Const(one)), make(model, Node::Const(other)));
    let choice = Node::Set([one, other].into());
    // A circular assignment in every state is no machine.
    let is_always = model.assigns[index].kind == AssignKind::Always;
    match random.index(if is_always { 2 } else { 4 }) {
        0 => one,
        1 => model.make(choice).unwrap_or(one),
        _ => {
            let when = atom(model, random, false);
            let yes = make(model, Node::Const(Value::Bool(true)));
            let new = if random.percent(70) { one } else { model.make(choice).unwrap_or(one) };
            model.make(Node::Case([(when, new), (yes, old)].into())).unwrap_or(one)
        }
    }
}
