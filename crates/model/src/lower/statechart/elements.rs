//! Elements for coverage criteria: transitions, guards and assignments.

use super::Lowering;
use crate::expr::ExprId;
use crate::model::Element;
use crate::op::BinaryOp;
use indexmap::IndexMap;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// The condition of an assignment, the old value and the new one.
type Change = (ExprId, ExprId, ExprId);

/// What was recorded while steps were unfolded.
#[derive(Default)]
pub(super) struct Coverage {
    /// Whether to record: only steps count, not the start.
    pub(super) is_on: bool,
    taken: IndexMap<usize, Vec<ExprId>>,
    /// For each transition: the condition under which its guard is evaluated, and the guard.
    guards: IndexMap<usize, Vec<(ExprId, ExprId)>>,
    assigned: IndexMap<(Span, Arc<str>), Vec<Change>>,
}

impl Coverage {
    pub(super) fn taken(&mut self, index: usize, when: ExprId) {
        if self.is_on {
            push_new(self.taken.entry(index).or_default(), when);
        }
    }

    pub(super) fn evaluated(&mut self, index: usize, when: ExprId, guard: ExprId) {
        if self.is_on {
            push_new(self.guards.entry(index).or_default(), (when, guard));
        }
    }

    pub(super) fn assigned(&mut self, span: Span, name: &Arc<str>, when: ExprId, old: ExprId, new: ExprId) {
        if self.is_on {
            push_new(self.assigned.entry((span, name.clone())).or_default(), (when, old, new));
        }
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

impl Lowering<'_> {
    /// The name of a transition: its source, its event and its targets.
    pub(super) fn transition_name(&self, index: usize) -> String {
        let chart = self.chart;
        let transition = &chart.transitions[index];
        let source = chart.path(transition.source).join(".");
        let source = if source.is_empty() { "root".to_owned() } else { source };
        let event = transition.events.join(" ");
        let event = if event.is_empty() { "always".to_owned() } else { event };
        let targets: Vec<String> = transition.targets.iter().map(|target| chart.path(*target).join(".")).collect();
        let name = if targets.is_empty() {
            format!("{source} {event}")
        } else {
            format!("{source} {event} {}", targets.join(","))
        };
        let same = chart[transition.source]
            .transitions
            .iter()
            .filter(|other| {
                let other = &chart.transitions[**other];
                (&other.events, &other.targets) == (&transition.events, &transition.targets)
            })
            .position(|other| *other == index);
        match same {
            Some(0) | None => name,
            Some(number) => format!("{name} {}", number + 1),
        }
    }

    pub(super) fn attach_elements(&mut self) {
        let coverage = std::mem::take(&mut self.coverage);
        for index in 0..self.chart.transitions.len() {
            let instances = coverage.taken.get(&index).cloned().unwrap_or_default();
            let (name, span) = (self.transition_name(index), self.chart.transitions[index].span);
            self.model.source.elements.push(Element { kind: "node", name, span, instances });
        }
        for (index, looks) in &coverage.guards {
            let Some(guard) = &self.chart.transitions[*index].guard else { continue };
            let span = guard.span;
            let name = self.transition_name(*index);
            for (kind, outcome) in [("rule", true), ("guard", true), ("guard-false", false)] {
                let mut instances = Vec::new();
                for (when, guard) in looks {
                    let wanted = if outcome { *guard } else { self.not(*guard) };
                    let both = self.and(*when, wanted);
                    let both = self.pruned(both);
                    if self.truth_of(both) != Some(false) {
                        push_new(&mut instances, both);
                    }
                }
                self.model.source.elements.push(Element { kind, name: name.clone(), span, instances });
            }
        }
        let mut numbers: IndexMap<Arc<str>, usize> = IndexMap::new();
        for ((span, name), changes) in coverage.assigned {
            let mut instances = Vec::new();
            for (when, old, new) in changes {
                let differs = self.differs(old, new);
                push_new(&mut instances, self.and(when, differs));
            }
            let number = numbers.entry(name.clone()).or_default();
            *number += 1;
            let name = format!("{name}.{number}");
            self.model.source.elements.push(Element { kind: "update", name, span, instances });
        }
    }

    /// Whether two values of the same type differ.
    pub(super) fn differs(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if *self.model.context.exprs.ty(a) == crate::ty::Ty::BOOL {
            let not = self.not(b);
            return self.choose(a, not, b);
        }
        self.binary(BinaryOp::Ne, a, b)
    }
}
