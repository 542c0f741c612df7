//! From updates to next values, and to the steps that the machine cannot take.

use super::holders::{Slot, Undef};
use super::locations::location_name;
use super::rules::{MOST_ROUNDS, Update};
use super::value::Sym;
use super::{Location, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::model::{Assign, AssignKind, Hazard, VarId, VarKind};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::Value;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// With more updates of one location than this, not all pairs of them are looked at on their own.
const MOST_PAIRS: usize = 150;

/// For more choices than this nobody looks at all of them.
const MOST_CHOICES: usize = 1024;

/// Two updates of a function that contradict each other, and when.
pub(super) struct Clash {
    function: usize,
    first: (Span, Arc<str>),
    second: (Span, Arc<str>),
    when: (ExprId, ExprId, ExprId),
}

/// What is left to be said of updates once next values are made of them.
#[derive(Default)]
pub(super) struct Finished {
    /// The updates of each location.
    updates: Vec<Vec<Update>>,
    /// Where a function may be given a value outside of its domain, by which rule, and when.
    outside: IndexMap<(Span, usize), (Arc<str>, Vec<ExprId>)>,
    /// Updates of functions that have no such location.
    lost: Vec<(usize, Span)>,
}

impl Clash {
    /// When it happens.
    pub(super) fn when(&self) -> ExprId {
        self.when.0
    }
}

impl Lowering<'_> {
    /// The next values that updates lead to; gives back the updates of each location.
    pub(super) fn finish(&mut self, updates: &[Update]) -> Finished {
        let mut by_location: IndexMap<Location, Vec<Update>> = IndexMap::new();
        for update in updates {
            by_location.entry(update.location.clone()).or_default().push(update.clone());
        }
        let mut finished = Finished::default();
        for at in 0..self.slots.len() {
            let Some((location, slot)) = self.slots.get_index(at).map(|(key, slot)| (key.clone(), slot.clone())) else {
                continue;
            };
            if self.sig.functions[location.0].is_input() {
                continue;
            }
            let updates = by_location.swap_remove(&location).unwrap_or_default();
            let mut all = updates.clone();
            all.extend(self.kept_from_environment(&location));
            if let Ok(leaving) = self.next_values(&location, &slot, &all) {
                for (update, when) in leaving {
                    let entry = finished.outside.entry((update.span, location.0));
                    entry.or_insert((update.rule.clone(), Vec::new())).1.push(when);
                }
            }
            finished.updates.push(updates);
        }
        finished.lost = by_location.into_values().flatten().map(|update| (update.location.0, update.span)).collect();
        finished
    }

    /// The steps that do not exist, and what choices must satisfy.
    pub(super) fn add_hazards(&mut self, finished: Finished) {
        for (function, span) in finished.lost {
            let name = self.sig.functions[function].name.clone();
            self.unsupported(span, &format!("this updates a location of `{name}` that no variable holds"));
        }
        let mut clashes = std::mem::take(&mut self.hidden);
        for updates in finished.updates {
            if let Ok(found) = self.clashes(&updates) {
                clashes.extend(found);
            }
        }
        self.add_clashes(clashes);
        self.warn_of_cuts();
        self.warn_of_reserves();
        for (span, (rule, when)) in std::mem::take(&mut self.endless) {
            let predicate = self.any(&when);
            if self.truth_of(predicate) == Some(false) {
                continue;
            }
            let message = "nothing shows that this loop comes to an end";
            let note = format!("steps with more than {MOST_ROUNDS} rounds are left out");
            self.report(Diagnostic::warning(codes::CUT, span, message).note(note));
            let sites = vec![(span, format!("by `{rule}`"), predicate)];
            let description = format!("a loop would have more than {MOST_ROUNDS} rounds");
            self.add_hazard(Hazard {
                code: codes::CUT,
                is_contradiction: false,
                description,
                predicate,
                step: predicate,
                sites,
            });
        }
        for ((span, reserve), (rule, when)) in std::mem::take(&mut self.births.over) {
            let predicate = self.any(&when);
            let sites = vec![(span, format!("by `{rule}`"), predicate)];
            let description = self.over_text(reserve);
            self.add_hazard(Hazard {
                code: codes::CUT,
                is_contradiction: false,
                description,
                predicate,
                step: predicate,
                sites,
            });
        }
        for ((span, function), (rule, when)) in finished.outside {
            let predicate = self.any(&when);
            let name = self.sig.functions[function].name.clone();
            let domain = self.domain_text(&self.sig.functions[function].codomain.clone());
            let (code, description) = match self.facts.lengths.get(&function).and_then(|lengths| lengths.cut) {
                Some(most) => (codes::CUT, format!("`{name}` would be given more than {most} values")),
                None => (codes::OUTSIDE, format!("`{name}` would be given a value outside of `{domain}`")),
            };
            let sites = vec![(span, format!("by `{rule}`"), predicate)];
            self.add_hazard(Hazard { code, is_contradiction: false, description, predicate, step: predicate, sites });
        }
        let choices = std::mem::take(&mut self.choices);
        let valid = self.all(&choices);
        for at in 0..self.model.hazards.len() {
            self.model.hazards[at].step = self.and(self.model.hazards[at].step, valid);
        }
        let span = self.files[0].name.as_ref().map_or(Span::NONE, |name| name.span);
        for constraint in choices {
            if self.truth_of(constraint) != Some(true) {
                let written = super::written(constraint, span);
                self.model.trans.push(written);
            }
        }
    }

    /// Says what is followed only so far.
    fn warn_of_cuts(&mut self) {
        for (function, lengths) in self.facts.lengths.clone() {
            let Some(most) = lengths.cut else { continue };
            let function = &self.sig.functions[function];
            let message = format!("there is no end of the sequences that `{}` may hold", function.name);
            let note = format!("steps that make one of more than {most} values are left out");
            let help = "a condition on the length in the rules, such as `length(s) < 8`, gives them an end";
            self.report(Diagnostic::warning(codes::CUT, function.span, message).note(note).help(help));
        }
    }

    fn add_hazard(&mut self, hazard: Hazard) {
        if self.truth_of(hazard.predicate) == Some(false) {
            return;
        }
        let allowed = self.not(hazard.predicate);
        let span = hazard.sites.first().map_or(Span::NONE, |(span, ..)| *span);
        let written = super::written(allowed, span);
        self.model.trans.push(written);
        // The step does not exist, so the question is about the state before it, whatever is chosen there.
        let predicate = self.whatever_chosen(hazard.predicate);
        self.model.hazards.push(Hazard { predicate, ..hazard });
    }

    /// A condition for some choice of the step, as one of the state alone; as it is if there are too many choices.
    fn whatever_chosen(&mut self, predicate: ExprId) -> ExprId {
        let support = crate::interp::support(&self.model, predicate);
        let inputs: Vec<VarId> =
            support.now.into_iter().filter(|var| self.model[*var].kind == VarKind::Input).collect();
        let domains: Vec<Vec<Value>> = inputs.iter().map(|var| self.model[*var].domain.values().collect()).collect();
        let n = domains.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
        if n.is_none_or(|n| n > MOST_CHOICES) {
            return predicate;
        }
        let mut cases = vec![predicate];
        for (var, values) in inputs.into_iter().zip(domains) {
            let mut more = Vec::new();
            for case in cases {
                for value in &values {
                    more.push(self.with_value(case, var, *value));
                }
            }
            more.sort_unstable();
            more.dedup();
            cases = more;
        }
        self.any(&cases)
    }

    /// An expression with a value in place of a variable.
    fn with_value(&mut self, expr: ExprId, var: VarId, value: Value) -> ExprId {
        let mut made: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for part in self.model.exprs.parts([expr]) {
            let node = self.model[part].clone();
            let new = match node {
                Node::Var(other) if other == var => self.node(Node::Const(value)),
                Node::Binary(BinaryOp::And, a, b) => self.and(made[&a], made[&b]),
                Node::Binary(BinaryOp::Or, a, b) => self.or(made[&a], made[&b]),
                Node::Unary(UnaryOp::Not, a) => self.not(made[&a]),
                Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                    let (a, b) = (made[&a], made[&b]);
                    match (&self.model[a], &self.model[b]) {
                        (Node::Const(x), Node::Const(y)) => {
                            let truth = (x == y) == (op == BinaryOp::Eq);
                            self.boolean(truth)
                        }
                        _ => self.node(Node::Binary(op, a, b)),
                    }
                }
                node => {
                    let node = node.map_children(|child| made[&child]);
                    self.node(node)
                }
            };
            made.insert(part, new);
        }
        made[&expr]
    }

    /// Contradictions in a part of a sequence that others follow.
    pub(super) fn note_hidden(&mut self, updates: &[Update]) -> Result<(), Stop> {
        let mut by_location: IndexMap<&Location, Vec<Update>> = IndexMap::new();
        for update in updates {
            by_location.entry(&update.location).or_default().push(update.clone());
        }
        for updates in by_location.values() {
            let found = self.clashes(updates)?;
            self.hidden.extend(found);
        }
        Ok(())
    }

    /// When updates of one location contradict each other.
    pub(super) fn clashes(&mut self, updates: &[Update]) -> Result<Vec<Clash>, Stop> {
        let mut found = Vec::new();
        if updates.len() > MOST_PAIRS {
            return self.clashes_in_turn(updates);
        }
        for (at, second) in updates.iter().enumerate() {
            for first in &updates[..at] {
                if self.exclusive(first.guard, second.guard) {
                    continue;
                }
                let same = self.equal(&first.value, &second.value);
                let differ = self.not(same);
                let both = self.and(first.guard, second.guard);
                let when = self.and(both, differ);
                if self.truth_of(when) != Some(false) {
                    found.push(clash(first, second, (when, first.guard, second.guard)));
                }
            }
        }
        Ok(found)
    }

    /// The same, comparing each update with what those before it come to.
    fn clashes_in_turn(&mut self, updates: &[Update]) -> Result<Vec<Clash>, Stop> {
        let mut found = Vec::new();
        let (mut before, mut value): (ExprId, Sym) = (updates[0].guard, updates[0].value.clone());
        for update in &updates[1..] {
            self.tick(update.span)?;
            let same = self.equal(&update.value, &value);
            let differ = self.not(same);
            let both = self.and(before, update.guard);
            let when = self.and(both, differ);
            if self.truth_of(when) != Some(false) {
                found.push(clash(&updates[0], update, (when, before, update.guard)));
            }
            value = self.select(update.guard, &update.value, &value, update.span)?;
            before = self.or(before, update.guard);
        }
        Ok(found)
    }

    /// One hazard for each pair of places, whatever the locations.
    fn add_clashes(&mut self, clashes: Vec<Clash>) {
        let mut pairs: IndexMap<_, (Clash, [Vec<ExprId>; 3])> = IndexMap::new();
        for clash in clashes {
            let (when, first, second) = clash.when;
            let key = (clash.function, clash.first.0, clash.second.0);
            let (_, lists) = pairs.entry(key).or_insert((clash, Default::default()));
            for (list, expr) in lists.iter_mut().zip([when, first, second]) {
                list.push(expr);
            }
        }
        for (clash, [when, first, second]) in pairs.into_values() {
            let name = &self.sig.functions[clash.function].name;
            let description = format!("`{name}` would be given two different values at once");
            let predicate = self.any(&when);
            let (first, second) = (self.any(&first), self.any(&second));
            let sites = vec![
                (clash.first.0, format!("one by `{}`", clash.first.1), first),
                (clash.second.0, format!("another by `{}`", clash.second.1), second),
            ];
            self.add_hazard(Hazard {
                code: codes::INCONSISTENT,
                is_contradiction: true,
                description,
                predicate,
                step: predicate,
                sites,
            });
        }
    }

    /// The next values of the variables of a location; gives back the updates that may leave its domain, and when.
    fn next_values<'u>(
        &mut self,
        location: &Location,
        slot: &Slot,
        updates: &'u [Update],
    ) -> Result<Vec<(&'u Update, ExprId)>, Stop> {
        let mut leaving = Vec::new();
        let mut branches: IndexMap<VarId, Vec<(ExprId, ExprId)>> = IndexMap::new();
        for var in vars_of(slot) {
            branches.insert(var, Vec::new());
        }
        for update in updates {
            let (fits, written) = self.write_slot(location.0, slot, &update.value, update.span)?;
            let misfit = self.not(fits);
            let leaves = self.and(update.guard, misfit);
            if self.truth_of(leaves) != Some(false) {
                leaving.push((update, leaves));
            }
            let guard = self.and(update.guard, fits);
            for (var, value) in written {
                branches.entry(var).or_default().push((guard, value));
            }
        }
        let function = &self.sig.functions[location.0];
        let span = updates.first().map_or(function.span, |update| update.span);
        debug_assert!(!location_name(&function.name, &location.1).is_empty(), "locations have names");
        for (var, mut branches) in branches {
            let old = self.var_expr(var);
            branches.retain(|(guard, _)| self.truth_of(*guard) != Some(false));
            let value = match branches.first() {
                None => old,
                Some((guard, value)) if self.truth_of(*guard) == Some(true) => *value,
                Some(_) => {
                    let yes = self.boolean(true);
                    branches.push((yes, old));
                    self.node(Node::Case(branches.into()))
                }
            };
            let value = super::written(value, span);
            self.model.assigns.push(Assign { kind: AssignKind::Next, var, value, span });
        }
        Ok(leaving)
    }
}

fn clash(first: &Update, second: &Update, when: (ExprId, ExprId, ExprId)) -> Clash {
    Clash {
        function: first.location.0,
        first: (first.span, first.rule.clone()),
        second: (second.span, second.rule.clone()),
        when,
    }
}

/// The variables of a location.
pub(super) fn vars_of(slot: &Slot) -> Vec<VarId> {
    match slot {
        Slot::Known(_) => Vec::new(),
        Slot::One { var, undef, .. } => match undef {
            Undef::Flag(flag) => vec![*var, *flag],
            _ => vec![*var],
        },
        Slot::Tuple(slots) => slots.iter().flat_map(vars_of).collect(),
        Slot::Set(vars) => vars.iter().map(|(_, var)| *var).collect(),
        Slot::Seq { length, items, .. } => length.iter().copied().chain(items.iter().flat_map(vars_of)).collect(),
        Slot::Mixed { kind, cases, .. } => {
            std::iter::once(*kind).chain(cases.iter().flat_map(|(_, slot)| vars_of(slot))).collect()
        }
    }
}
