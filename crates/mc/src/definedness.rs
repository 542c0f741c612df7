//! Whether all parts of a model have values everywhere, looked at part by part: one that is too large to be evaluated hides
//! nothing that is wrong with the others.

use crate::bdd::{Config, Limit, Manager};
use crate::encode::{Encoder, Memo};
use crate::policy::{ALL_DEFINEDNESS, DEFINEDNESS};
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{Place, SiteFault, faults_of, places};
use crate::symbolic::encoding::order;
use crate::symbolic::{Options, Undefined, example, limits};
use rustc_hash::FxHashSet;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::ty::Ty;
use specwright_model::{Domain, ExprId, Node, TransitionSystem};

/// What is known about the values of the parts of a model.
pub struct Definedness {
    /// The parts that have no value somewhere.
    pub undefined: Vec<Undefined>,
    /// Whether all parts were looked at.
    pub is_complete: bool,
}

/// Looks for parts of a model that have no value somewhere, as [`Symbolic::new`](crate::Symbolic::new) does, with an effort
/// that does not depend on the machine's speed. A model without bounds is not looked at.
pub fn definedness(system: &TransitionSystem, options: &Options) -> Definedness {
    let mut known = Definedness { undefined: Vec::new(), is_complete: true };
    if system.vars().any(|(_, var)| var.domain.size().is_none()) {
        return known;
    }
    let places = places(system);
    if is_boolean(system, &places) {
        return known;
    }
    let layout = Layout::new(system);
    let manager = Manager::new(&Config {
        n_vars: layout.n_diagram_vars(),
        memory: options.max_memory,
        max_nodes: options.max_nodes,
        reordering: options.reordering,
        order: Some(order::bits(system, &layout, options.order.as_deref())),
    });
    let _limits = manager.enter(&limits(&options.budget));
    let mut memo = Memo::default();
    let mut found: Vec<Option<Vec<SiteFault>>> = vec![None; places.len()];
    for steps in DEFINEDNESS {
        for (place, found) in places.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let steps = steps.min(ALL_DEFINEDNESS.saturating_sub(manager.statistics().steps));
            let mut encoder = Encoder::new(system, &layout, &manager, &mut memo);
            let look = || -> Result<_, Limit> { faults_of(&mut encoder, *place) };
            *found = manager.attempt(steps, look).ok().flatten();
        }
    }
    known.is_complete = found.iter().all(Option::is_some);
    let faults = found.iter().flatten().flatten();
    known.undefined = faults.map(|fault| example(system, &layout, fault)).collect();
    known
}

/// Whether nothing but truth values and connectives occurs, as in a circuit: then everything has a value.
fn is_boolean(system: &TransitionSystem, places: &[Place<'_>]) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    let expr = |place: &Place<'_>| match place {
        Place::Assign(assign) => assign.value.expr,
        Place::Condition(written) | Place::Trans(written) => written.expr,
    };
    let mut open: Vec<ExprId> = places.iter().map(expr).collect();
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let is_connective = match &system[expr] {
            Node::Define(define) => {
                open.push(system.body(*define));
                true
            }
            Node::Const(_) | Node::Var(_) | Node::Next(_) | Node::Unary(UnaryOp::Not, _) | Node::Ite(..) => true,
            Node::Binary(op, ..) => matches!(op, And | Or | Xor | Xnor | Implies | Iff),
            _ => false,
        };
        if !is_connective || *system.context.exprs.ty(expr) != Ty::BOOL {
            return false;
        }
        system[expr].for_each_child(|child| open.push(child));
    }
    // An assigned truth value needs a variable that can have it.
    system.vars().all(|(_, var)| var.domain == Domain::Bool)
}
