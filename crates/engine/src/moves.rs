//! Steps as moves: each changes a few variables and leaves all others as they are.
//!
//! Where tasks take turns, the relation is a choice between such moves. One at a time they are small, know nothing of the
//! variables that they leave alone, and can be made one after the other (chaining): the reachable states are found in few
//! rounds, without the large sets that lie between one step of everybody and the next.

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::encode::{Encoder, Layout, Time};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use specwright_model::model::{AssignKind, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Model, Node, Ty, VarId};
use std::collections::BTreeSet;

/// A variable is tried as the one that says whose turn it is if it has at most this many values.
const MOST_TURNS: u64 = 128;

/// A relation that is a choice between moves.
#[derive(Clone)]
pub(crate) struct Moves {
    manager: Manager,
    list: Vec<Move>,
    /// What moves do not see to by themselves: the invariants of all states.
    invar: Bdd,
}

#[derive(Clone)]
struct Move {
    /// What holds before the move, and what it changes.
    relation: Bdd,
    /// The current-state variables of what it changes.
    changed: Bdd,
    /// What is forgotten when it is made: these and the inputs.
    before: Bdd,
    /// What is forgotten when it is taken back: their next-state partners and the inputs.
    after: Bdd,
}

impl Move {
    fn image(&self, manager: &Manager, states: &Bdd) -> Result<Bdd, Limit> {
        manager.next_as_current(&manager.and_exists(states, &self.relation, &self.before)?)
    }

    fn preimage(&self, manager: &Manager, states: &Bdd) -> Result<Bdd, Limit> {
        let targets = manager.current_as_next(states, &self.changed)?;
        manager.and_exists(&targets, &self.relation, &self.after)
    }
}

impl Moves {
    /// The states after one move from `states`.
    pub(crate) fn image(&self, states: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let after = self
            .list
            .iter()
            .try_fold(manager.constant(false), |all, it| manager.or(&all, &it.image(manager, states)?))?;
        manager.and(&after, &self.invar)
    }

    /// The states of `within` from which one move leads into `states`.
    pub(crate) fn preimage(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let states = manager.and(states, &self.invar)?;
        self.list.iter().try_fold(manager.constant(false), |all, it| {
            manager.or(&all, &manager.and(&it.preimage(manager, &states)?, within)?)
        })
    }

    /// Everything that moves reach from `start`. The observer hears of every round.
    pub(crate) fn reachable(&self, start: &Bdd, observe: &mut dyn FnMut(usize)) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let (mut all, mut fresh) = (start.clone(), start.clone());
        for round in 1.. {
            observe(round);
            let mut found = fresh;
            for it in &self.list {
                let after = manager.and(&it.image(manager, &found)?, &self.invar)?;
                found = manager.or(&found, &after)?;
            }
            fresh = manager.diff(&found, &all)?;
            if fresh.is_false() {
                break;
            }
            all = manager.or(&all, &fresh)?;
        }
        Ok(all)
    }

    /// Where moves start that stay in `stay` and then reach `goal`.
    pub(crate) fn until(&self, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut all = goal.clone();
        loop {
            let before = all.clone();
            for it in &self.list {
                let new = manager.and(&it.preimage(manager, &all)?, stay)?;
                all = manager.or(&all, &new)?;
            }
            if all == before {
                return Ok(all);
            }
        }
    }
}

/// The moves of a model, if its steps are a choice between moves that leave most variables alone.
pub(crate) fn find(encoder: &mut Encoder<'_>, invar: &Bdd) -> Result<Option<Moves>, Limit> {
    let model = encoder.model;
    let assigned = model.assigns.iter().any(|assign| assign.kind == AssignKind::Next);
    let choices = match (&model.trans[..], assigned) {
        ([trans], false) => by_disjunction(encoder, trans.expr)?,
        ([], true) => by_turn(encoder)?,
        _ => None,
    };
    let Some(choices) = choices else { return Ok(None) };
    let manager = encoder.manager.clone();
    let layout: &Layout = encoder.layout;
    let mut inputs: Vec<Var> = Vec::new();
    let mut valid_inputs = manager.constant(true);
    for (id, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
        inputs.extend(layout.bits(id));
        valid_inputs = manager.and(&valid_inputs, &layout.valid(&manager, id, Time::Now)?)?;
    }
    let mut moves = Vec::new();
    for (changed, mut relation) in choices {
        let bits: Vec<Var> = changed.iter().flat_map(|var| layout.bits(*var).iter().copied()).collect();
        for var in &changed {
            relation = manager.and(&relation, &layout.valid(&manager, *var, Time::Next)?)?;
        }
        relation = manager.and(&relation, &valid_inputs)?;
        // The next value of what stays is its current one.
        for bit in relation.support().into_iter().filter(|bit| bit % 2 == 1 && !bits.contains(&(bit - 1))) {
            let same = manager.not(&manager.xor(&manager.var(bit - 1)?, &manager.var(bit)?)?);
            relation = manager.and_exists(&relation, &same, &manager.cube(&[bit])?)?;
        }
        if relation.is_false() {
            continue;
        }
        let before: Vec<Var> = bits.iter().chain(&inputs).copied().collect();
        let after: Vec<Var> = bits.iter().map(|bit| bit + 1).chain(inputs.iter().copied()).collect();
        moves.push(Move {
            relation,
            changed: manager.cube(&bits)?,
            before: manager.cube(&before)?,
            after: manager.cube(&after)?,
        });
    }
    // Valid codes stay valid, so only what the model says of states must be looked after.
    let restricted = !model.invar.is_empty() || model.assigns.iter().any(|assign| assign.kind == AssignKind::Always);
    let invar = if restricted { invar.clone() } else { manager.constant(true) };
    Ok(Some(Moves { manager, list: moves, invar }))
}

/// What some moves change, and what they demand.
type Choices = Vec<(BTreeSet<VarId>, Bdd)>;

/// Whether moves leave alone most of what they could change. With larger shares, chaining has been slower than to take
/// all steps at once.
fn is_worth_it(n_vars: usize, n_moves: usize, n_changed: usize) -> bool {
    n_moves > 1 && 4 * n_changed <= n_moves * n_vars
}

/// The moves of a constraint `a | b | …`, each of which says `next(x) = x` of most variables.
fn by_disjunction(encoder: &mut Encoder<'_>, trans: ExprId) -> Result<Option<Choices>, Limit> {
    let model = encoder.model;
    let movable: BTreeSet<VarId> =
        model.vars().filter(|(_, var)| var.kind == VarKind::State).map(|(id, _)| id).collect();
    let mut found: IndexMap<BTreeSet<VarId>, Vec<Vec<ExprId>>> = IndexMap::new();
    for choice in operands(model, trans, BinaryOp::Or) {
        let mut changed = movable.clone();
        let mut demands = Vec::new();
        for part in operands(model, choice, BinaryOp::And) {
            match unchanged(model, part) {
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

/// The operands of a disjunction of disjunctions, or of conjunctions, through defines.
fn operands(model: &Model, expr: ExprId, joint: BinaryOp) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    // Saying it twice adds nothing, and defines that share defines would be walked for ever.
    let mut seen = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match model[expr] {
            Node::Binary(op, a, b) if op == joint && *model.exprs.ty(expr) == Ty::BOOL => open.extend([b, a]),
            Node::Define(define) if *model.exprs.ty(expr) == Ty::BOOL => open.push(model.body(define)),
            _ => found.push(expr),
        }
    }
    found
}

/// The variable of which an expression says `next(x) = x`.
fn unchanged(model: &Model, expr: ExprId) -> Option<VarId> {
    let Node::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) = model[expr] else { return None };
    match (&model[a], &model[b]) {
        (Node::Next(next), Node::Var(now)) | (Node::Var(now), Node::Next(next)) if model[*next] == Node::Var(*now) => {
            Some(*now)
        }
        _ => None,
    }
}

/// The moves of assignments that depend on whose turn it is: for each value of some variable, most others stay.
fn by_turn(encoder: &mut Encoder<'_>) -> Result<Option<Choices>, Limit> {
    let model = encoder.model;
    let manager = encoder.manager.clone();
    let movable: Vec<VarId> = model.vars().filter(|(_, var)| var.kind == VarKind::State).map(|(id, _)| id).collect();
    let mut parts: Vec<(VarId, Bdd)> = Vec::new();
    for assign in model.assigns.iter().filter(|assign| assign.kind == AssignKind::Next) {
        let mut faults = Vec::new();
        let offers = encoder.offers(assign.value.expr, Time::Now, &mut faults)?;
        let target = encoder.var(assign.var, Time::Next)?;
        parts.push((assign.var, encoder.is_offered(&target, &offers)?));
    }
    let supports: Vec<Vec<Var>> = parts.iter().map(|(_, part)| part.support()).collect();
    let mut best: Option<(usize, VarId)> = None;
    for (turn, _) in model.vars() {
        let bits = encoder.layout.bits(turn);
        let users = supports.iter().filter(|support| bits.iter().any(|bit| support.contains(bit))).count();
        // Whoever waits for a turn asks whose turn it is.
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
        let mut relation = literals(&manager, &code)?;
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
    (0..size.filter(|size| *size <= MOST_TURNS).unwrap_or(0)).map(code).collect()
}

/// Whether an assignment leaves its variable as it is while another one has a value.
fn stays(encoder: &mut Encoder<'_>, (var, part): (VarId, &Bdd), code: &[(Var, bool)]) -> Result<bool, Limit> {
    let manager = &encoder.manager.clone();
    let (now, next) = (encoder.var(var, Time::Now)?, encoder.var(var, Time::Next)?);
    let same = now.equals(&next, manager)?;
    let differs = manager.xor(part, &same)?;
    Ok(manager.and(&differs, &literals(manager, code)?)?.is_false())
}

/// The states in which bits have values.
fn literals(manager: &Manager, code: &[(Var, bool)]) -> Result<Bdd, Limit> {
    code.iter().try_fold(manager.constant(true), |all, (bit, value)| {
        let bit = manager.var(*bit)?;
        manager.and(&all, &if *value { bit } else { manager.not(&bit) })
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::{Engine, Options};
    use specwright_model::testing::{model, random_tasks};

    /// Forty defines, each of which says the one before it twice, are one disjunct, not 2^40.
    #[test]
    fn defines_that_share_defines_are_walked_once() {
        let chain: Vec<String> = (1..40).map(|n| format!("d{n} := d{m} | d{m};", m = n - 1)).collect();
        let chain = chain.join("\n");
        let text =
            format!("MODULE main\nVAR x : boolean; y : boolean;\nDEFINE d0 := next(x) = x;\n{chain}\nTRANS d39\n");
        let mut engine = Engine::new(model(&text), &Options::default()).unwrap();
        engine.explore(&mut |_| ()).unwrap();
        assert_eq!(engine.n_states().and_then(|count| count.exact), Some(4));
    }

    /// Moves and clusters are the same steps, forwards and backwards.
    #[test]
    fn moves_are_the_steps_of_the_relation() {
        for seed in 0..20 {
            let text = random_tasks(seed);
            let mut engine = Engine::new(model(&text), &Options::default()).unwrap();
            let mut relation = engine.machine.relation.clone();
            let moves = relation.moves.take().unwrap_or_else(|| panic!("no moves found in\n{text}"));
            let mut states = engine.machine.init.clone();
            for _ in 0..4 {
                let after = relation.image(&states).unwrap();
                assert_eq!(moves.image(&states).unwrap(), after, "seed {seed}\n{text}");
                states = engine.manager.or(&states, &after).unwrap();
                let before = relation.preimage(&after).unwrap();
                let invar = &engine.machine.invar;
                let before = engine.manager.and(&before, invar).unwrap();
                assert_eq!(moves.preimage(&after, invar).unwrap(), before, "seed {seed}\n{text}");
            }
            engine.explore(&mut |_| ()).unwrap();
            let closure = engine.reached();
            let mut rings = crate::reach::Reach::new(&engine.machine.init);
            rings.complete(&engine.manager, &relation, &mut |_| ()).unwrap();
            assert_eq!(rings.known(), Some(&closure), "seed {seed}\n{text}");
        }
    }
}
