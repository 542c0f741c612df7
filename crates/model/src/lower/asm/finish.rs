//! From updates to next values and inconsistent steps.

use super::location_layout::{Layout, Undef};
use super::locations::location_name;
use super::rules::Update;
use super::value::Sym;
use super::{Bound, Location, Lowering, MAX_CALL_DEPTH, Pass, Stop};
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

/// Number of updates of one location beyond which they are not compared pair by pair: the comparison is quadratic.
const MAX_UPDATES_BY_PAIRS: usize = 150;

/// Number of choices beyond which they are not quantified out.
const MAX_CHOICES: usize = 1024;

/// A pair of inconsistent updates, with its conditions.
pub(super) struct InconsistentPair {
    function: usize,
    first: (Span, Arc<str>),
    second: (Span, Arc<str>),
    when: (ExprId, ExprId, ExprId),
}

/// The result of turning updates into next values.
#[derive(Default)]
pub(super) struct Finished {
    /// The updates of each location.
    updates: Vec<Vec<Update>>,
    /// Updates that may assign a value outside of the domain: span and rule, function, and conditions.
    outside: IndexMap<(Span, usize), (Arc<str>, Vec<ExprId>)>,
    /// Updates of functions at arguments without a location.
    lost: Vec<(usize, Span)>,
}

impl InconsistentPair {
    /// The condition under which both happen.
    pub(super) fn when(&self) -> ExprId {
        self.when.0
    }
}

impl Lowering<'_> {
    /// Defines next values from updates; returns the updates of each location.
    pub(super) fn finish(&mut self, updates: &[Update]) -> Finished {
        let mut by_location: IndexMap<Location, Vec<Update>> = IndexMap::new();
        for update in updates {
            by_location.entry(update.location.clone()).or_default().push(update.clone());
        }
        let mut finished = Finished::default();
        for at in 0..self.layouts.len() {
            let Some((location, layout)) =
                self.layouts.get_index(at).map(|(key, layout)| (key.clone(), layout.clone()))
            else {
                continue;
            };
            if self.sig.functions[location.0].is_input() {
                continue;
            }
            let updates = by_location.swap_remove(&location).unwrap_or_default();
            let mut all = updates.clone();
            all.extend(self.kept_from_environment(&location));
            if let Ok(leaving) = self.next_values(&location, &layout, &all) {
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

    /// Excludes inconsistent steps, and constrains choices.
    pub(super) fn add_hazards(&mut self, finished: Finished) {
        for (function, span) in finished.lost {
            let name = self.sig.functions[function].name.clone();
            self.unsupported(span, &format!("this updates a location of `{name}` that no variable holds"));
        }
        let mut inconsistent_pairs = std::mem::take(&mut self.hidden);
        for updates in finished.updates {
            if let Ok(found) = self.inconsistent_pairs(&updates) {
                inconsistent_pairs.extend(found);
            }
        }
        self.add_inconsistent_pairs(inconsistent_pairs);
        self.warn_of_cuts();
        self.warn_of_initial();
        self.warn_of_reserves();
        for (span, (rule, when, bound)) in std::mem::take(&mut self.endless) {
            let predicate = self.any(&when);
            if self.truth_of(predicate) == Some(false) {
                continue;
            }
            let (what, over) = match bound {
                Bound::Rounds => ("loop", format!("more than {} rounds", self.bounds.rounds)),
                Bound::Calls => ("recursion", format!("more than {MAX_CALL_DEPTH} nested calls")),
                Bound::Indices => ("argument", "a number that the machine does not mention".into()),
            };
            let message = match bound {
                Bound::Indices => "the argument of this location can be any number".into(),
                _ => format!("it is not known whether this {what} terminates"),
            };
            let note = format!("steps with {over} are left out");
            let mut diagnostic = Diagnostic::warning(codes::CUT, span, message).note(note);
            if bound == Bound::Rounds {
                diagnostic = diagnostic.help("`--max-rounds` changes this bound");
            }
            self.report(diagnostic);
            let sites = vec![(span, format!("by `{rule}`"), predicate)];
            let description = match bound {
                Bound::Indices => format!("the argument of a location is {over}"),
                _ => format!("a {what} has {over}"),
            };
            self.add_hazard(Hazard {
                code: codes::CUT,
                is_contradiction: false,
                is_bound: true,
                description,
                predicate,
                step: predicate,
                sites,
            });
        }
        for ((span, reserve), (rule, when)) in std::mem::take(&mut self.new_elements.over) {
            let predicate = self.any(&when);
            let sites = vec![(span, format!("by `{rule}`"), predicate)];
            let description = self.over_text(reserve);
            self.add_hazard(Hazard {
                code: codes::CUT,
                is_contradiction: false,
                is_bound: true,
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
                Some(most) => (codes::CUT, format!("`{name}` gets more than {most} values")),
                None => (codes::OUTSIDE, format!("`{name}` gets a value outside of `{domain}`")),
            };
            let sites = vec![(span, format!("by `{rule}`"), predicate)];
            let is_bound = code == codes::CUT;
            self.add_hazard(Hazard {
                code,
                is_contradiction: false,
                is_bound,
                description,
                predicate,
                step: predicate,
                sites,
            });
        }
        let choices = std::mem::take(&mut self.choices);
        let valid = self.all(&choices);
        for at in 0..self.model.source.hazards.len() {
            self.model.source.hazards[at].step = self.and(self.model.source.hazards[at].step, valid);
        }
        let span = self.files[0].name.as_ref().map_or(Span::NONE, |name| name.span);
        for constraint in choices {
            if self.truth_of(constraint) != Some(true) {
                let sourced = super::sourced(constraint, span);
                self.model.trans.push(sourced);
            }
        }
    }

    /// Warns of infinite structures that were bounded.
    fn warn_of_cuts(&mut self) {
        for (function, lengths) in self.facts.lengths.clone() {
            let Some(most) = lengths.cut else { continue };
            let function = &self.sig.functions[self.facts.owner(function)];
            let message = format!("the sequences in `{}` are unbounded", function.name);
            let note = format!("steps that lead to one with more than {most} values are left out");
            let help = "a condition on the length in the rules, such as `length(s) < 8`, bounds them; \
                        `--max-sequence` changes this bound";
            self.report(Diagnostic::warning(codes::CUT, function.span, message).note(note).help(help));
        }
    }

    fn add_hazard(&mut self, hazard: Hazard) {
        if self.truth_of(hazard.predicate) == Some(false) {
            return;
        }
        let allowed = self.not(hazard.predicate);
        let span = hazard.sites.first().map_or(Span::NONE, |(span, ..)| *span);
        let sourced = super::sourced(allowed, span);
        self.model.trans.push(sourced);
        // The step does not exist, so the hazard is a predicate of the state before it, for any choice.
        let predicate = self.for_any_choice(hazard.predicate);
        self.model.source.hazards.push(Hazard { predicate, ..hazard });
    }

    /// Quantifies out the choices of the step; leaves the predicate unchanged if there are too many.
    fn for_any_choice(&mut self, predicate: ExprId) -> ExprId {
        if self.model.vars.iter().all(|var| var.kind != VarKind::Input) {
            return predicate;
        }
        let support = crate::interp::support(&self.model, predicate);
        let inputs: Vec<VarId> =
            support.now.into_iter().filter(|var| self.model[*var].kind == VarKind::Input).collect();
        let domains: Vec<Vec<Value>> = inputs.iter().map(|var| self.model[*var].domain.values().collect()).collect();
        let n = domains.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
        if n.is_none_or(|n| n > MAX_CHOICES) {
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

    /// An expression with a variable replaced by a value.
    fn with_value(&mut self, expr: ExprId, var: VarId, value: Value) -> ExprId {
        let mut made: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for part in self.model.context.exprs.parts([expr]) {
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

    /// Inconsistent updates in a part of a sequence that is not the last one.
    pub(super) fn note_hidden(&mut self, updates: &[Update]) -> Result<(), Stop> {
        if self.pass == Pass::Ranges {
            return Ok(());
        }
        let mut by_location: IndexMap<&Location, Vec<Update>> = IndexMap::new();
        for update in updates {
            by_location.entry(&update.location).or_default().push(update.clone());
        }
        for updates in by_location.values() {
            let found = self.inconsistent_pairs(updates)?;
            self.hidden.extend(found);
        }
        Ok(())
    }

    /// The inconsistent pairs among updates of one location.
    pub(super) fn inconsistent_pairs(&mut self, updates: &[Update]) -> Result<Vec<InconsistentPair>, Stop> {
        let mut found = Vec::new();
        if updates.len() > MAX_UPDATES_BY_PAIRS {
            return self.inconsistent_in_turn(updates);
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

    /// The same, but each update is compared with the combined effect of the previous ones.
    fn inconsistent_in_turn(&mut self, updates: &[Update]) -> Result<Vec<InconsistentPair>, Stop> {
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

    /// Adds one hazard for each pair of source spans, whatever the locations.
    fn add_inconsistent_pairs(&mut self, inconsistent_pairs: Vec<InconsistentPair>) {
        let mut pairs: IndexMap<_, (InconsistentPair, [Vec<ExprId>; 3])> = IndexMap::new();
        for clash in inconsistent_pairs {
            let (when, first, second) = clash.when;
            let key = (clash.function, clash.first.0, clash.second.0);
            let (_, lists) = pairs.entry(key).or_insert((clash, Default::default()));
            for (list, expr) in lists.iter_mut().zip([when, first, second]) {
                list.push(expr);
            }
        }
        for (clash, [when, first, second]) in pairs.into_values() {
            let name = &self.sig.functions[clash.function].name;
            let description = format!("`{name}` gets two different values at once");
            let predicate = self.any(&when);
            let (first, second) = (self.any(&first), self.any(&second));
            let sites = vec![
                (clash.first.0, format!("one by `{}`", clash.first.1), first),
                (clash.second.0, format!("another by `{}`", clash.second.1), second),
            ];
            self.add_hazard(Hazard {
                code: codes::INCONSISTENT,
                is_contradiction: true,
                is_bound: false,
                description,
                predicate,
                step: predicate,
                sites,
            });
        }
    }

    /// The next values of the variables of a location; returns the updates that may leave its domain, with conditions.
    fn next_values<'u>(
        &mut self,
        location: &Location,
        layout: &Layout,
        updates: &'u [Update],
    ) -> Result<Vec<(&'u Update, ExprId)>, Stop> {
        let mut leaving = Vec::new();
        let mut branches: IndexMap<VarId, Vec<(ExprId, ExprId)>> = IndexMap::new();
        for var in vars_of(layout) {
            branches.insert(var, Vec::new());
        }
        for update in updates {
            let (fits, writes) = self.write_location(location.0, layout, &update.value, update.span)?;
            let misfit = self.not(fits);
            let leaves = self.and(update.guard, misfit);
            if self.truth_of(leaves) != Some(false) {
                leaving.push((update, leaves));
            }
            let guard = self.and(update.guard, fits);
            for (var, value) in writes {
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
            let value = super::sourced(value, span);
            self.model.assigns.push(Assign { kind: AssignKind::Next, var, value, span });
        }
        Ok(leaving)
    }
}

fn clash(first: &Update, second: &Update, when: (ExprId, ExprId, ExprId)) -> InconsistentPair {
    InconsistentPair {
        function: first.location.0,
        first: (first.span, first.rule.clone()),
        second: (second.span, second.rule.clone()),
        when,
    }
}

/// The variables of a location.
pub(super) fn vars_of(layout: &Layout) -> Vec<VarId> {
    match layout {
        Layout::Known(_) => Vec::new(),
        Layout::One { var, undef, .. } => match undef {
            Undef::Flag(flag) => vec![*var, *flag],
            _ => vec![*var],
        },
        Layout::Tuple(layouts) => layouts.iter().flat_map(vars_of).collect(),
        Layout::Set(vars) => vars.iter().map(|(_, var)| *var).collect(),
        Layout::Seq { length, items, .. } => length.iter().copied().chain(items.iter().flat_map(vars_of)).collect(),
        Layout::Part(_, layout) | Layout::Fraction(_, layout) => vars_of(layout),
        Layout::Mixed { kind, cases, .. } => {
            std::iter::once(*kind).chain(cases.iter().flat_map(|(_, layout)| vars_of(layout))).collect()
        }
    }
}
