//! Mutants of charts: the tree is changed, its steps are unfolded again, and the condition under which they differ is
//! attached as an element.

use super::{Lowering, run};
use crate::expr::ExprId;
use crate::model::{AssignKind, ChangedPart, Element, Rewrite};
use indexmap::IndexMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Action, ActionKind, Chart, Expr, ExprKind, StateId};
use specwright_syntax::statechart::codes;

/// A mutant: its operator, what it is about, its place and the changed chart.
struct Mutant {
    operator: &'static str,
    about: String,
    span: Span,
    chart: Chart,
}

impl Lowering<'_> {
    /// Attaches the mutants of the chart.
    pub(super) fn attach_mutants(&mut self, with_machines: bool) {
        let mut counts: IndexMap<String, usize> = IndexMap::new();
        // A mutant may reach other states.
        self.prune.reset();
        for mutant in self.mutants() {
            if self.model.context.exprs.len() > run::MAX_EXPRESSIONS / 2 {
                let span = self.chart[StateId::ROOT].key.span;
                let message = "the chart is too large: further mutants are left out";
                self.diagnostics.push(Diagnostic::warning(codes::TOO_MANY_STEPS, span, message));
                return;
            }
            let Some(changes) = self.changes(&mutant.chart) else { continue };
            let base = format!("{} {}", mutant.operator, mutant.about);
            let number = counts.entry(base.clone()).or_default();
            *number += 1;
            let name = if *number == 1 { base } else { format!("{base} ({number})") };
            let predicate = self.difference(&changes);
            // The change is one of the tree: its text depends on the notation.
            let edits = Vec::new();
            let changes = with_machines.then_some(changes);
            self.model.source.rewrites.push(Rewrite { name: name.clone(), span: mutant.span, edits, changes });
            let instances = vec![predicate];
            self.model.source.elements.push(Element { kind: "mutant", name, span: mutant.span, instances });
        }
    }

    /// The assignments in which a mutant differs; nothing if it has no meaning or does not come to rest.
    fn changes(&mut self, chart: &Chart) -> Option<Vec<(ChangedPart, ExprId)>> {
        let mut other = Lowering {
            compared: std::mem::take(&mut self.compared),
            chart,
            model: self.model.clone(),
            diagnostics: Vec::new(),
            layout: self.layout.clone(),
            data: self.data.clone(),
            facts: self.facts.clone(),
            events: self.events.clone(),
            js_of_symbol: self.js_of_symbol.clone(),
            path: None,
            unread: self.unread.clone(),
            thrown: Vec::new(),
            failed_guards: Vec::new(),
            is_start: false,
            is_incomplete: false,
            domains: Vec::new(),
            post_order: Vec::new(),
            prune: std::mem::take(&mut self.prune),
            coverage: super::Coverage::default(),
            now: self.now.clone(),
            constraints: Vec::new(),
        };
        other.find_domains();
        let n_vars = other.model.vars.len();
        let mut found = None;
        if !other.has_errors() {
            let (start, step) = (other.unfold_start(), other.unfold_step());
            let rests = [start.endless, step.endless].into_iter().all(|endless| other.truth_of(endless) == Some(false));
            if rests && !other.is_incomplete && other.model.vars.len() == n_vars {
                found = Some((other.values(&start.config), other.values(&step.config)));
            }
        }
        self.prune = other.prune;
        let (start, step) = found?;
        let mut changes = Vec::new();
        for (at, assign) in self.model.assigns.iter().enumerate() {
            let values = if assign.kind == AssignKind::Init { &start } else { &step };
            let new = values.iter().find(|(var, _)| *var == assign.var).map(|(_, value)| *value);
            changes.extend(new.filter(|new| *new != assign.value.expr).map(|new| (ChangedPart::Assign(at), new)));
        }
        Some(changes)
    }

    /// The condition under which a step of a mutant differs.
    fn difference(&mut self, changes: &[(ChangedPart, ExprId)]) -> ExprId {
        let mut parts = Vec::new();
        for (part, new) in changes {
            let ChangedPart::Assign(at) = part else { continue };
            let assign = &self.model.assigns[*at];
            // A mutant that starts differently differs in every step.
            if assign.kind == AssignKind::Init {
                return self.boolean(true);
            }
            let old = assign.value.expr;
            let differs = self.differs(old, *new);
            parts.push(self.pruned(differs));
        }
        self.any(&parts)
    }

    /// All mutants, in document order.
    fn mutants(&self) -> Vec<Mutant> {
        let chart = self.chart;
        let mut mutants = Vec::new();
        let user_events: Vec<_> =
            self.layout.externals.iter().filter(|(external, _)| external.owner.is_none()).collect();
        for (index, transition) in chart.transitions.iter().enumerate() {
            let about = self.transition_name(index);
            let mut add = |operator, span, change: &dyn Fn(&mut Chart)| {
                let mut changed = chart.clone();
                change(&mut changed);
                mutants.push(Mutant { operator, about: about.clone(), span, chart: changed });
            };
            add("MT", transition.span, &|chart| {
                chart.states[transition.source.index()].transitions.retain(|other| *other != index);
            });
            for (at, target) in transition.targets.iter().enumerate() {
                if let Some(wrong) = sibling(chart, *target) {
                    add("WT", transition.span, &|chart| chart.transitions[index].targets[at] = wrong);
                }
                if chart[*target].is_history()
                    && let Some(parent) = chart[*target].parent
                {
                    let instead =
                        chart[*target].initial.as_ref().map_or(vec![parent], |initial| initial.targets.clone());
                    add("LH", transition.span, &|chart| {
                        chart.transitions[index].targets.splice(at..=at, instead.clone());
                    });
                }
            }
            if let Some(guard) = &transition.guard {
                add("MG", guard.span, &|chart| chart.transitions[index].guard = None);
                let negated = Expr { kind: ExprKind::Not(Box::new(guard.clone())), span: guard.span };
                add("NG", guard.span, &|chart| {
                    chart.transitions[index].guard = Some(negated.clone());
                });
            }
            let own = transition.events.first();
            if let Some(at) = user_events.iter().position(|(external, _)| Some(&external.event) == own) {
                let (wrong, _) = user_events[(at + 1) % user_events.len()];
                if Some(&wrong.event) != own {
                    add("WE", transition.event_span, &|chart| {
                        chart.transitions[index].events[0] = wrong.event.clone();
                    });
                }
            }
            for at in relevant(&transition.actions) {
                add("MA", transition.actions[at].span, &|chart| {
                    chart.transitions[index].actions.remove(at);
                });
            }
        }
        for (state, node) in chart.states() {
            let about = chart.path(state).join(".");
            for (is_entry, actions) in [(true, &node.entry), (false, &node.exit)] {
                for at in relevant(actions) {
                    let mut changed = chart.clone();
                    let node = &mut changed.states[state.index()];
                    if is_entry {
                        node.entry.remove(at)
                    } else {
                        node.exit.remove(at)
                    };
                    let about = format!("{} of {about}", if is_entry { "entry" } else { "exit" });
                    let span = actions[at].span;
                    mutants.push(Mutant { operator: "MA", about, span, chart: changed });
                }
            }
        }
        mutants
    }
}

/// The actions that change something in the chart.
fn relevant(actions: &[Action]) -> impl Iterator<Item = usize> {
    let is_relevant = |action: &Action| !matches!(action.kind, ActionKind::Effect(_) | ActionKind::SendTo(_));
    actions.iter().enumerate().filter(move |(_, action)| is_relevant(action)).map(|(at, _)| at)
}

/// The next sibling of a state that can be a target.
fn sibling(chart: &Chart, state: StateId) -> Option<StateId> {
    let parent = chart[state].parent?;
    let siblings: Vec<StateId> = chart.substates(parent).collect();
    let at = siblings.iter().position(|other| *other == state).map_or(0, |at| at + 1);
    let next = *siblings.get(at % siblings.len().max(1))?;
    (next != state).then_some(next)
}
