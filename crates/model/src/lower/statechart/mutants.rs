//! Mutants of charts: a part of the tree is changed, the steps that look at it are unfolded again, and the condition under
//! which they differ is attached as an element. One mutant exists at a time.

use super::touches::{Permitted, Touches};
use super::variants::{Difference, Known, Patch, Values, Variant};
use super::{Lowering, run};
use crate::expr::ExprId;
use crate::model::{AssignKind, ChangedPart, Element, Rewrite, VarId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Action, ActionKind, Chart, Expr, ExprKind, StateId};
use specwright_syntax::statechart::codes;
use std::sync::Arc;

/// A mutant: its operator, what it is about, its place, what it changes and where that is looked at.
struct Mutant {
    operator: &'static str,
    about: String,
    span: Span,
    edit: Edit,
    seen: Seen,
}

/// A new part of a chart. It is exchanged with the old one.
enum Edit {
    Transitions(StateId, Vec<usize>),
    Targets(usize, Vec<StateId>),
    Guard(usize, Option<Expr>),
    Events(usize, Vec<Arc<str>>),
    Actions(usize, Vec<Action>),
    Entry(StateId, Vec<Action>),
    Exit(StateId, Vec<Action>),
}

/// Where a change is looked at.
enum Seen {
    /// Where a transition is evaluated.
    Transition(usize),
    /// There, and where its source is active while another event occurs.
    Event(usize, Arc<str>),
    Entry(StateId),
    Exit(StateId),
}

impl Edit {
    /// Exchanges the new part with the old one.
    fn exchange(&mut self, chart: &mut Chart) {
        match self {
            Edit::Transitions(state, own) => std::mem::swap(&mut chart.states[state.index()].transitions, own),
            Edit::Targets(index, own) => std::mem::swap(&mut chart.transitions[*index].targets, own),
            Edit::Guard(index, own) => std::mem::swap(&mut chart.transitions[*index].guard, own),
            Edit::Events(index, own) => std::mem::swap(&mut chart.transitions[*index].events, own),
            Edit::Actions(index, own) => std::mem::swap(&mut chart.transitions[*index].actions, own),
            Edit::Entry(state, own) => std::mem::swap(&mut chart.states[state.index()].entry, own),
            Edit::Exit(state, own) => std::mem::swap(&mut chart.states[state.index()].exit, own),
        }
    }
}

/// The mutants while they are attached.
struct Attaching {
    /// The chart, in which one part at a time is changed.
    chart: Chart,
    with_machines: bool,
    /// What the start and the steps of the chart look at.
    looks: [Touches; 2],
    /// The next values in all states, where the assignments of the model are those of the reachable ones.
    steps: Option<Values>,
    known: Known,
    /// The number of mutants of each name.
    counts: IndexMap<String, usize>,
    /// The events that a tester sends, with their positions.
    events: Vec<Arc<str>>,
    places: FxHashMap<Arc<str>, usize>,
}

impl Lowering<'_> {
    /// Attaches the mutants of the chart.
    pub(super) fn attach_mutants(&mut self, with_machines: bool, at_start: Touches, in_step: Touches) {
        let mut looks = [at_start, in_step];
        let mut steps = None;
        // A mutant may reach other states.
        self.prune.reset();
        if self.facts.reachable.is_some() {
            let Some([at_start, in_step]) = self.looks_in_all_states() else { return };
            looks = [at_start.0, in_step.0];
            steps = Some(in_step.1);
        }
        let externals = self.layout.externals.iter().filter(|(external, _)| external.owner.is_none());
        let events: Vec<Arc<str>> = externals.map(|(external, _)| external.event.clone()).collect();
        let places = events.iter().enumerate().rev().map(|(at, event)| (event.clone(), at)).collect();
        let chart = self.chart.clone();
        let mut attaching =
            Attaching { chart, with_machines, looks, steps, known: None, counts: IndexMap::new(), events, places };
        for index in 0..self.chart.transitions.len() {
            for mutant in self.mutants_of_transition(index, &attaching) {
                if !self.attach(mutant, &mut attaching) {
                    return;
                }
            }
        }
        for (state, _) in self.chart.states() {
            for mutant in self.mutants_of_state(state) {
                if !self.attach(mutant, &mut attaching) {
                    return;
                }
            }
        }
    }

    /// What the chart looks at and does in all states, also in those that it does not reach: a mutant may reach them.
    fn looks_in_all_states(&mut self) -> Option<[(Touches, Values); 2]> {
        let mut found = Vec::new();
        for is_start in [true, false] {
            found.push(self.of_chart(self.chart, |lowering| {
                lowering.touches = Touches::on();
                let everything = Permitted::default();
                let values = lowering.values_of((!is_start).then_some(&everything));
                Some((std::mem::take(&mut lowering.touches), values?))
            })?);
        }
        found.try_into().ok()
    }

    /// Attaches a mutant, unless it has no meaning. Whether there may be more.
    fn attach(&mut self, mut mutant: Mutant, attaching: &mut Attaching) -> bool {
        self.model.budget.look();
        if self.model.context.exprs.len() > run::MAX_EXPRESSIONS / 2 {
            let span = self.chart[StateId::ROOT].key.span;
            let message = "the chart is too large: further mutants are left out";
            self.diagnostics.push(Diagnostic::warning(codes::TOO_MANY_STEPS, span, message));
            return false;
        }
        let at_start = self.looked_at(&attaching.looks[0], &mutant.seen);
        let at_start = self.truth_of(at_start) != Some(false);
        let steps = self.looked_at(&attaching.looks[1], &mutant.seen);
        let Some(difference) = self.difference_of(&mut mutant.edit, attaching, at_start, steps) else { return true };
        let base = format!("{} {}", mutant.operator, mutant.about);
        let number = attaching.counts.entry(base.clone()).or_default();
        *number += 1;
        let name = if *number == 1 { base } else { format!("{base} ({number})") };
        let (predicate, changes) = self.changes(&difference, attaching.steps.as_ref());
        // The change is one of the tree: its text depends on the notation.
        let edits = Vec::new();
        let changes = attaching.with_machines.then_some(changes);
        self.model.source.rewrites.push(Rewrite { name: name.clone(), span: mutant.span, edits, changes });
        let instances = vec![predicate];
        self.model.source.elements.push(Element { kind: "mutant", name, span: mutant.span, instances });
        true
    }

    /// The condition under which a change is looked at.
    fn looked_at(&mut self, looks: &Touches, seen: &Seen) -> ExprId {
        let conditions = match seen {
            Seen::Transition(index) => looks.of_transition(*index),
            Seen::Event(index, event) => {
                let other = self.where_event(looks, self.chart.transitions[*index].source, event);
                [looks.of_transition(*index), other].concat()
            }
            Seen::Entry(state) => looks.of_entry(*state),
            Seen::Exit(state) => looks.of_exit(*state),
        };
        self.any(&conditions)
    }

    /// What a mutant does in other ways.
    fn difference_of(
        &mut self,
        edit: &mut Edit,
        attaching: &mut Attaching,
        at_start: bool,
        steps: ExprId,
    ) -> Option<Difference> {
        edit.exchange(&mut attaching.chart);
        let chart = &attaching.chart;
        let patch = match edit {
            Edit::Targets(index, _) => {
                let domain = self.of_chart(chart, |lowering| Some(lowering.domain(*index)));
                domain.map(|domain| Patch { domain: Some((*index, domain)), ..Patch::default() })
            }
            Edit::Events(index, _) => Some(Patch { renamed: Some(*index), ..Patch::default() }),
            Edit::Transitions(state, all) => {
                let removed = all.iter().copied().find(|index| !chart[*state].transitions.contains(index));
                Some(Patch { removed, ..Patch::default() })
            }
            _ => Some(Patch::default()),
        };
        let found =
            patch.and_then(|patch| self.difference(Variant { chart, patch, at_start, steps }, &mut attaching.known));
        edit.exchange(&mut attaching.chart);
        found
    }

    /// The condition under which a step of a mutant differs, and its assignments that do.
    fn changes(&mut self, difference: &Difference, steps: Option<&Values>) -> (ExprId, Vec<(ChangedPart, ExprId)>) {
        let value =
            |values: &Values, var: VarId| values.iter().find(|(other, _)| *other == var).map(|(_, value)| *value);
        let mut changes = Vec::new();
        let mut predicate = difference.predicate;
        for at in 0..self.model.assigns.len() {
            let (kind, var, old) = {
                let assign = &self.model.assigns[at];
                (assign.kind, assign.var, assign.value.expr)
            };
            let new = if kind == AssignKind::Init {
                difference.start.as_ref().and_then(|start| value(start, var))
            } else {
                let elsewhere = steps.and_then(|steps| value(steps, var)).unwrap_or(old);
                let new = value(&difference.step, var);
                Some(new.map_or(elsewhere, |new| self.choose(difference.steps, new, elsewhere)))
            };
            let Some(new) = new.filter(|new| *new != old) else { continue };
            if kind == AssignKind::Init {
                // A mutant that starts differently differs in every step.
                predicate = self.boolean(true);
            }
            changes.push((ChangedPart::Assign(at), new));
        }
        if self.truth_of(predicate) == Some(false) {
            changes.clear();
        }
        (predicate, changes)
    }

    /// The mutants of a transition.
    fn mutants_of_transition(&self, index: usize, attaching: &Attaching) -> Vec<Mutant> {
        let chart = self.chart;
        let transition = &chart.transitions[index];
        let about = self.transition_name(index);
        let mut mutants = Vec::new();
        let mut add = |operator, span, edit| {
            mutants.push(Mutant { operator, about: about.clone(), span, edit, seen: Seen::Transition(index) });
        };
        let others = chart[transition.source].transitions.iter().copied().filter(|other| *other != index);
        add("MT", transition.span, Edit::Transitions(transition.source, others.collect()));
        for (at, target) in transition.targets.iter().enumerate() {
            if let Some(wrong) = sibling(chart, *target) {
                let mut targets = transition.targets.clone();
                targets[at] = wrong;
                add("WT", transition.span, Edit::Targets(index, targets));
            }
            if chart[*target].is_history()
                && let Some(parent) = chart[*target].parent
            {
                let instead = chart[*target].initial.as_ref().map_or(vec![parent], |initial| initial.targets.clone());
                let mut targets = transition.targets.clone();
                targets.splice(at..=at, instead);
                add("LH", transition.span, Edit::Targets(index, targets));
            }
        }
        if let Some(guard) = &transition.guard {
            add("MG", guard.span, Edit::Guard(index, None));
            let negated = Expr { kind: ExprKind::Not(Box::new(guard.clone())), span: guard.span };
            add("NG", guard.span, Edit::Guard(index, Some(negated)));
        }
        let own = transition.events.first();
        let wrong = own.and_then(|own| attaching.places.get(own)).map(|at| {
            let next = (at + 1) % attaching.events.len();
            attaching.events[next].clone()
        });
        for at in relevant(&transition.actions) {
            add("MA", transition.actions[at].span, Edit::Actions(index, without(&transition.actions, at)));
        }
        if let Some(wrong) = wrong.filter(|wrong| Some(wrong) != own) {
            let mut events = transition.events.clone();
            events[0] = wrong.clone();
            let (edit, seen) = (Edit::Events(index, events), Seen::Event(index, wrong));
            let mutant = Mutant { operator: "WE", about: about.clone(), span: transition.event_span, edit, seen };
            let place = mutants.iter().position(|mutant| mutant.operator == "MA").unwrap_or(mutants.len());
            mutants.insert(place, mutant);
        }
        mutants
    }

    /// The mutants of the actions of a state.
    fn mutants_of_state(&self, state: StateId) -> Vec<Mutant> {
        let chart = self.chart;
        let path = chart.path(state).join(".");
        let mut mutants = Vec::new();
        for at in relevant(&chart[state].entry) {
            let entry = &chart[state].entry;
            let edit = Edit::Entry(state, without(entry, at));
            let (about, span) = (format!("entry of {path}"), entry[at].span);
            mutants.push(Mutant { operator: "MA", about, span, edit, seen: Seen::Entry(state) });
        }
        for at in relevant(&chart[state].exit) {
            let exit = &chart[state].exit;
            let edit = Edit::Exit(state, without(exit, at));
            let (about, span) = (format!("exit of {path}"), exit[at].span);
            mutants.push(Mutant { operator: "MA", about, span, edit, seen: Seen::Exit(state) });
        }
        mutants
    }
}

/// Actions without one of them.
fn without(actions: &[Action], at: usize) -> Vec<Action> {
    [&actions[..at], &actions[at + 1..]].concat()
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
