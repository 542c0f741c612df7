//! Whether a mutant still says something in every case.
//!
//! A `case` without a branch, a number outside of its range, a division by zero: NuSMV refuses a model in which these
//! can happen, and so a mutant in which they can happen, but could not before, is no mutant. Whether they can is found
//! out as NuSMV does it: for all values of all variables, whether reachable or not. Where these are too many, the
//! mutant is given the benefit of the doubt.

use super::site::SiteId;
use specwright_model::interp::{Evaluator, support};
use specwright_model::model::DefineId;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, ExprId, Model, Node, State, Ty, Value, VarId};

/// More combinations of values than this are not tried.
const MAX_CASES: u128 = 1 << 13;

/// An expression that must have a value in every case and, if it is assigned, one that its variable can have.
#[derive(Clone, Copy)]
struct Unit {
    expr: ExprId,
    var: Option<VarId>,
}

/// What is known about a site before it is mutated.
pub(super) struct Totality {
    site: SiteId,
    /// The expressions elsewhere that depend on the site and may fail.
    dependents: Vec<Unit>,
    /// Whether something in the site or in what depends on it may fail, so that mutants must be looked at.
    may_fail: bool,
    /// Whether it already fails, so that no mutant is worse. Found out when it is first needed.
    fails: Option<bool>,
}

impl Totality {
    /// What is known about a site.
    pub(super) fn new(model: &Model, site: SiteId) -> Totality {
        let dependents = match site {
            SiteId::Define(define) => dependents_of(model, define),
            _ => Vec::new(),
        };
        let own = units(model, site, site.written(model).expr);
        let may_fail = own.into_iter().chain(dependents.iter().copied()).any(|unit| may_fail(model, unit));
        Totality { site, dependents, may_fail, fails: None }
    }

    /// Whether a change may make a difference, which goes by what the place gets.
    pub(super) fn is_concerned(&self, model: &Model, replacement: ExprId) -> bool {
        self.may_fail || matches!(&model[replacement], Node::Case(branches) if !catches_all(model, branches))
    }

    /// Whether the site, with `mutated` in the place of what is there, has a value in every case. Nothing if there
    /// are too many cases to try.
    pub(super) fn holds(&mut self, model: &mut Model, mutated: ExprId) -> Option<bool> {
        let original = self.site.written(model).expr;
        let fails = match self.fails {
            Some(fails) => fails,
            None => self.fails(model, original) == Some(true),
        };
        self.fails = Some(fails);
        if fails {
            return Some(true);
        }
        self.site.written_mut(model).expr = mutated;
        let fails = self.fails(model, mutated);
        self.site.written_mut(model).expr = original;
        fails.map(|fails| !fails)
    }

    fn fails(&self, model: &Model, expr: ExprId) -> Option<bool> {
        let mut answer = Some(false);
        for unit in units(model, self.site, expr).into_iter().chain(self.dependents.iter().copied()) {
            match fails(model, unit) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = None,
            }
        }
        answer
    }
}

/// The expressions of a site that are evaluated on their own.
fn units(model: &Model, site: SiteId, expr: ExprId) -> Vec<Unit> {
    match site {
        SiteId::Assign(index) => vec![Unit { expr, var: Some(model.assigns[index].var) }],
        // Nobody evaluates a define by itself.
        SiteId::Define(_) => Vec::new(),
        SiteId::Init(_) | SiteId::Invar(_) => vec![Unit { expr, var: None }],
        SiteId::Trans(_) | SiteId::Property(_) => {
            let mut units = Vec::new();
            let mut stack = vec![expr];
            while let Some(expr) = stack.pop() {
                match &model[expr] {
                    node if is_split(site, node) => node.for_each_child(|child| stack.push(child)),
                    _ => units.push(Unit { expr, var: None }),
                }
            }
            units
        }
    }
}

/// Whether the parts of a node are evaluated on their own.
fn is_split(site: SiteId, node: &Node) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    match node {
        Node::Binary(And, ..) => true,
        _ if !site.is_property() => false,
        Node::Unary(op, _) => *op != UnaryOp::Neg,
        Node::Binary(op, ..) => op.logic().is_some() || matches!(op, Or | Implies | Iff | Xor | Xnor),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// The expressions that look at a define and may fail.
fn dependents_of(model: &Model, define: DefineId) -> Vec<Unit> {
    let sites = super::site::machine(model).into_iter().chain(super::site::properties(model));
    let units = sites.flat_map(|site| units(model, site, site.written(model).expr));
    let uses = |unit: &Unit| model.mentions(unit.expr, |node| *node == Node::Define(define));
    units.filter(|unit| uses(unit) && may_fail(model, *unit)).collect()
}

/// Whether an expression may fail, as far as can be seen at a glance.
fn may_fail(model: &Model, unit: Unit) -> bool {
    let is_partial = |node: &Node| match node {
        Node::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr, ..) | Node::Index(..) => true,
        Node::Case(branches) => !catches_all(model, branches),
        _ => false,
    };
    let leaves = || unit.var.is_some_and(|var| !stays_within(model, unit.expr, &model[var].domain));
    model.mentions(unit.expr, is_partial) || leaves()
}

/// Whether the values of an expression can be seen to belong to a domain.
fn stays_within(model: &Model, expr: ExprId, domain: &Domain) -> bool {
    if matches!(domain, Domain::Bool | Domain::Word { .. } | Domain::Integer) {
        return true;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let is_within = match &model[expr] {
            Node::Const(value) => domain.contains(*value),
            Node::Var(var) => is_subset(&model[*var].domain, domain),
            Node::Define(define) => {
                stack.push(model.body(*define));
                true
            }
            Node::Next(inner) => {
                stack.push(*inner);
                true
            }
            Node::Ite(_, a, b) | Node::Binary(BinaryOp::Union, a, b) => {
                stack.extend([a, b]);
                true
            }
            Node::Case(branches) => {
                stack.extend(branches.iter().map(|(_, value)| value));
                true
            }
            Node::Set(items) => {
                stack.extend(items.iter());
                true
            }
            Node::Range(a, b) => {
                stack.extend([a, b]);
                matches!((&model[*a], &model[*b]), (Node::Const(_), Node::Const(_)))
                    && matches!(domain, Domain::Range(..))
            }
            _ => false,
        };
        if !is_within {
            return false;
        }
    }
    true
}

fn is_subset(inner: &Domain, outer: &Domain) -> bool {
    match (inner, outer) {
        (inner, outer) if inner == outer => true,
        (Domain::Range(low, high), Domain::Range(first, last)) => first <= low && high <= last,
        (Domain::Enum(values), outer) => values.iter().all(|value| outer.contains(*value)),
        _ => false,
    }
}

fn catches_all(model: &Model, branches: &[(ExprId, ExprId)]) -> bool {
    branches.iter().any(|(guard, _)| model[*guard] == Node::Const(Value::Bool(true)))
}

/// Whether an expression fails for some values of its variables. Nothing if there are too many to try.
fn fails(model: &Model, unit: Unit) -> Option<bool> {
    if !may_fail(model, unit) {
        return Some(false);
    }
    let support = support(model, unit.expr);
    let now = support.now.iter().map(|var| (*var, false));
    let places: Vec<(VarId, bool)> = now.chain(support.next.iter().map(|var| (*var, true))).collect();
    let n_cases = places.iter().try_fold(1u128, |n, (var, _)| n.checked_mul(model[*var].domain.size()?))?;
    if n_cases > MAX_CASES {
        return None;
    }
    let mut states = [State::empty(model.vars.len()), State::empty(model.vars.len())];
    let mut odometer = vec![0u64; places.len()];
    loop {
        for ((var, next), index) in places.iter().zip(&odometer) {
            states[usize::from(*next)].set(*var, model[*var].domain.value_at(*index));
        }
        let [now, next] = &states;
        if fails_in(model, unit, &mut Evaluator::new(model, now, Some(next))) {
            return Some(true);
        }
        let mut wheels = odometer.iter_mut().zip(&places);
        let turned = wheels.find_map(|(index, (var, _))| {
            *index += 1;
            if u128::from(*index) < model[*var].domain.size().unwrap_or(0) {
                return Some(());
            }
            *index = 0;
            None
        });
        if turned.is_none() {
            return Some(false);
        }
    }
}

fn fails_in(model: &Model, unit: Unit, evaluator: &mut Evaluator<'_>) -> bool {
    match unit.var {
        Some(var) => {
            let domain = &model[var].domain;
            !evaluator.set(unit.expr).is_ok_and(|set| set.iter().all(|value| domain.contains(value)))
        }
        None if matches!(model.exprs.ty(unit.expr), Ty::One(_)) => evaluator.value(unit.expr).is_err(),
        None => false,
    }
}
