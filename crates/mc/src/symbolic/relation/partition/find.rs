//! Finding events: in a constraint that is a choice, and in assignments that ask whose turn it is.

use super::{DisjunctivePartition, Event};
use crate::bdd::{Bdd, Limit, Var};
use crate::encode::{Encoder, Time};
use crate::policy::MAX_TURNS;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{conjunction, operands};
use indexmap::IndexMap;
use specwright_model::model::{AssignKind, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, TransitionSystem, VarId};
use std::collections::BTreeSet;

/// The events of a model, if its steps are a choice between events that leave most variables alone. `invar` is what every
/// state satisfies, and `init` what every initial state does, in parts.
pub(crate) fn find(
    encoder: &mut Encoder<'_>,
    invar: &[Bdd],
    init: &[Bdd],
) -> Result<Option<DisjunctivePartition>, Limit> {
    let system = encoder.system;
    let assigned = system.assigns.iter().any(|assign| assign.kind == AssignKind::Next);
    let (choices, constraints) = match (&system.trans[..], assigned) {
        ([trans], false) => (by_disjunction(encoder, trans.expr)?, Some(Constraints::default())),
        (_, true) => match by_turn(encoder)? {
            Some(choices) => (Some(choices), constraints(encoder, invar, init)?),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let (Some(choices), Some(constraints)) = (choices, constraints) else { return Ok(None) };
    let stand_alone = !assigned;
    let manager = encoder.manager.clone();
    let layout: &Layout = encoder.layout;
    let mut inputs: Vec<Var> = Vec::new();
    let mut valid_inputs = manager.constant(true);
    for (id, _) in system.vars().filter(|(_, var)| var.kind == VarKind::Input) {
        inputs.extend(layout.bits(id));
        valid_inputs = manager.and(&valid_inputs, &layout.valid(&manager, id, Time::Now)?)?;
    }
    let invar: Vec<&Bdd> = invar.iter().chain(&constraints.states).collect();
    let invar_supports: Vec<Vec<Var>> = invar.iter().map(|part| part.support()).collect();
    let mut list = Vec::new();
    for (changed_vars, relation) in choices {
        let bits: Vec<Var> = changed_vars.iter().flat_map(|var| layout.bits(*var).iter().copied()).collect();
        let changed = manager.cube(&bits)?;
        let mut relation = manager.and(&relation, &valid_inputs)?;
        for constraint in &constraints.steps {
            relation = manager.and(&relation, constraint)?;
        }
        // The next value of what stays is its current one.
        for bit in relation.support().into_iter().filter(|bit| bit % 2 == 1 && !bits.contains(&(bit - 1))) {
            let same = manager.iff(&manager.var(bit - 1)?, &manager.var(bit)?)?;
            relation = manager.and_exists(&relation, &same, &manager.cube(&[bit])?)?;
        }
        // What an event does not touch holds afterwards as it did before.
        for (part, support) in invar.iter().zip(&invar_supports) {
            if support.iter().any(|bit| bits.contains(bit)) {
                relation = manager.and(&relation, &manager.current_as_next(part, &changed)?)?;
            }
        }
        if relation.is_false() {
            continue;
        }
        let mut vars: Vec<Var> = relation.support().iter().map(|bit| bit & !1).chain(bits.iter().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.retain(|var| !inputs.contains(var));
        let before: Vec<Var> = bits.iter().chain(&inputs).copied().collect();
        let after: Vec<Var> = bits.iter().map(|bit| bit + 1).chain(inputs.iter().copied()).collect();
        list.push(Event { relation, vars, changed, before: manager.cube(&before)?, after: manager.cube(&after)? });
    }
    let domain = conjunction(&manager, constraints.states)?;
    Ok(Some(DisjunctivePartition { manager, list, stand_alone, domain }))
}

/// Constraints on steps, beside assignments.
#[derive(Default)]
struct Constraints {
    /// Those on steps.
    steps: Vec<Bdd>,
    /// Those on the states after steps that initial states satisfy: then all states do that are reached.
    states: Vec<Bdd>,
}

/// The constraints on steps of a model; nothing if they do not have values everywhere.
fn constraints(encoder: &mut Encoder<'_>, invar: &[Bdd], init: &[Bdd]) -> Result<Option<Constraints>, Limit> {
    let system = encoder.system;
    let manager = encoder.manager.clone();
    let inputs = system.vars().filter(|(_, var)| var.kind == VarKind::Input);
    let inputs: Vec<Var> = inputs.flat_map(|(id, _)| encoder.layout.bits(id).iter().copied()).collect();
    let start: Vec<(Vec<Var>, &Bdd)> = init.iter().chain(invar).map(|part| (part.support(), part)).collect();
    let mut found = Constraints::default();
    for conjunct in system.trans.iter().flat_map(|trans| operands(system, trans.expr, BinaryOp::And)) {
        let (holds, faults) = encoder.condition(conjunct, Time::Now)?;
        if !faults.is_empty() {
            return Ok(None);
        }
        let support = holds.support();
        if support.iter().all(|bit| bit % 2 == 1 && !inputs.contains(bit)) {
            let states = manager.next_as_current(&holds)?;
            let support = states.support();
            let near = start.iter().filter(|(bits, _)| bits.iter().any(|bit| support.contains(bit)));
            let near = conjunction(&manager, near.map(|(_, part)| Bdd::clone(part)).collect())?;
            if manager.is_subset(&near, &states)? {
                found.states.push(states);
                continue;
            }
        }
        found.steps.push(holds);
    }
    Ok(Some(found))
}

/// What some events change, and what they demand.
type Choices = Vec<(BTreeSet<VarId>, Bdd)>;

/// Whether events leave alone most of what they could change. With larger shares, chaining has been slower than to take
/// all steps at once.
fn is_worth_it(n_vars: usize, n_events: usize, n_changed: usize) -> bool {
    n_events > 1 && 4 * n_changed <= n_events * n_vars
}

/// The events of a constraint `a | b | …`, each of which says `next(x) = x` of most variables.
fn by_disjunction(encoder: &mut Encoder<'_>, trans: ExprId) -> Result<Option<Choices>, Limit> {
    let system = encoder.system;
    let movable: BTreeSet<VarId> =
        system.vars().filter(|(_, var)| var.kind == VarKind::State).map(|(id, _)| id).collect();
    let mut found: IndexMap<BTreeSet<VarId>, Vec<Vec<ExprId>>> = IndexMap::new();
    for choice in operands(system, trans, BinaryOp::Or) {
        let mut changed = movable.clone();
        let mut demands = Vec::new();
        for part in operands(system, choice, BinaryOp::And) {
            match unchanged(system, part) {
                Some(var) => drop(changed.remove(&var)),
                None => demands.push(part),
            }
        }
        found.entry(changed).or_default().push(demands);
    }
    if !is_worth_it(movable.len(), found.len(), found.keys().map(BTreeSet::len).sum()) {
        return Ok(None);
    }
    let manager = encoder.manager.clone();
    let mut choices = Vec::new();
    for (changed, ways) in found {
        let mut relation = manager.constant(false);
        for demands in ways {
            let mut way = manager.constant(true);
            for part in demands {
                let (holds, faults) = encoder.condition(part, Time::Now)?;
                if !faults.is_empty() {
                    // What has no value somewhere is judged as a whole.
                    return Ok(None);
                }
                way = manager.and(&way, &holds)?;
            }
            relation = manager.or(&relation, &way)?;
        }
        choices.push((changed, relation));
    }
    Ok(Some(choices))
}

/// The variable of which an expression says `next(x) = x`.
fn unchanged(system: &TransitionSystem, expr: ExprId) -> Option<VarId> {
    let Node::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) = system[expr] else { return None };
    match (&system[a], &system[b]) {
        (Node::Next(next), Node::Var(now)) | (Node::Var(now), Node::Next(next)) if system[*next] == Node::Var(*now) => {
            Some(*now)
        }
        _ => None,
    }
}

/// The events of assignments that depend on whose turn it is: for each value of some variable, most others stay.
fn by_turn(encoder: &mut Encoder<'_>) -> Result<Option<Choices>, Limit> {
    let system = encoder.system;
    let manager = encoder.manager.clone();
    let movable: Vec<VarId> = system.vars().filter(|(_, var)| var.kind == VarKind::State).map(|(id, _)| id).collect();
    let mut parts: Vec<(VarId, Bdd)> = Vec::new();
    for assign in system.assigns.iter().filter(|assign| assign.kind == AssignKind::Next) {
        let mut faults = Vec::new();
        let offers = encoder.offers(assign.value.expr, Time::Now, &mut faults)?;
        let target = encoder.var(assign.var, Time::Next)?;
        parts.push((assign.var, encoder.is_offered(&target, &offers)?));
    }
    let supports: Vec<Vec<Var>> = parts.iter().map(|(_, part)| part.support()).collect();
    let mut best: Option<(usize, VarId)> = None;
    for (turn, _) in system.vars() {
        let bits = encoder.layout.bits(turn);
        let users = supports.iter().filter(|support| bits.iter().any(|bit| support.contains(bit))).count();
        // At least half of the assignments read the scheduling variable.
        if 2 * users < parts.len() {
            continue;
        }
        let codes = codes(encoder, turn);
        let mut n_changed = 0;
        for code in &codes {
            n_changed += movable.len();
            for (var, part) in &parts {
                n_changed -= usize::from(stays(encoder, (*var, part), code)?);
            }
        }
        if is_worth_it(movable.len(), codes.len(), n_changed)
            && best.is_none_or(|(least, _)| n_changed / codes.len() < least)
        {
            best = Some((n_changed / codes.len(), turn));
        }
    }
    let Some((_, turn)) = best else { return Ok(None) };
    let mut choices = Choices::new();
    for code in codes(encoder, turn) {
        let mut changed: BTreeSet<VarId> = movable.iter().copied().collect();
        let mut relation = manager.minterm(&code)?;
        for (var, part) in &parts {
            if stays(encoder, (*var, part), &code)? {
                changed.remove(var);
            } else {
                relation = manager.and(&relation, part)?;
            }
        }
        choices.push((changed, relation));
    }
    Ok(Some(choices))
}

/// The values of a variable, as bits; none if there are too many.
fn codes(encoder: &Encoder<'_>, var: VarId) -> Vec<Vec<(Var, bool)>> {
    let size = encoder.layout.domain(var).size().and_then(|size| u64::try_from(size).ok());
    let bits = encoder.layout.bits(var);
    let code = |value: u64| {
        let places = (0..bits.len()).rev();
        bits.iter().copied().zip(places.map(|place| value >> place & 1 == 1)).collect()
    };
    (0..size.filter(|size| *size <= MAX_TURNS).unwrap_or(0)).map(code).collect()
}

/// Whether an assignment leaves its variable as it is while another one has a value.
fn stays(encoder: &mut Encoder<'_>, (var, part): (VarId, &Bdd), code: &[(Var, bool)]) -> Result<bool, Limit> {
    let manager = &encoder.manager.clone();
    let (now, next) = (encoder.var(var, Time::Now)?, encoder.var(var, Time::Next)?);
    let same = now.equals(&next, manager)?;
    let differs = manager.xor(part, &same)?;
    Ok(manager.and(&differs, &manager.minterm(code)?)?.is_false())
}
