//! The steps of changed charts. A variant is unfolded only for the states and events for which it looks at what was changed;
//! everywhere else it does what the chart does.

use super::domain::Domain;
use super::touches::{Permitted, permitted};
use super::{Lowering, elements};
use crate::expr::{ExprId, Node};
use crate::model::VarId;
use specwright_syntax::statechart::ast::{Chart, StateId, StateKind};

/// The values of all variables.
pub(super) type Values = Vec<(VarId, ExprId)>;

/// A changed chart.
pub(super) struct Variant<'a> {
    pub(super) chart: &'a Chart,
    pub(super) patch: Patch,
    /// Whether it can start in another way.
    pub(super) at_start: bool,
    /// The condition of the steps that can differ.
    pub(super) steps: ExprId,
}

/// What is known of a chart, where a variant differs. It is exchanged with what is known.
#[derive(Default)]
pub(super) struct Patch {
    /// The domain of a transition.
    pub(super) domain: Option<(usize, Domain)>,
    /// A transition that is removed.
    pub(super) removed: Option<usize>,
    /// A transition with other events.
    pub(super) renamed: Option<usize>,
    pub(super) is_applied: bool,
}

/// What a variant does in other ways than its chart.
pub(super) struct Difference {
    /// The first values, if they can differ.
    pub(super) start: Option<Values>,
    /// The condition of the steps that can differ.
    pub(super) steps: ExprId,
    /// The next values in these steps, where they are not those of the chart.
    pub(super) step: Values,
    /// The condition under which a step differs.
    pub(super) predicate: ExprId,
}

/// What the chart does in the steps that the last variant could change.
pub(super) type Known = Option<(ExprId, Values)>;

impl Lowering<'_> {
    /// What a changed chart does in other ways; nothing if it has no meaning or does not come to rest.
    pub(super) fn difference(&mut self, mut variant: Variant<'_>, known: &mut Known) -> Option<Difference> {
        let checkpoint = self.prune.checkpoint();
        let unrestricted = self.now.clone();
        let difference = self.difference_within(&mut variant, known);
        self.now = unrestricted;
        self.prune.return_to(checkpoint);
        difference
    }

    fn difference_within(&mut self, variant: &mut Variant<'_>, known: &mut Known) -> Option<Difference> {
        let start =
            if variant.at_start { Some(self.of_variant(variant, |lowering| lowering.values_of(None))?) } else { None };
        let steps = self.pruned(variant.steps);
        if self.truth_of(steps) == Some(false) {
            return Some(Difference { start, steps, step: Vec::new(), predicate: steps });
        }
        self.prune.assume(&self.model, steps);
        let yes = self.boolean(true);
        self.prune.stand_for_all(yes);
        let permitted = permitted(&self.model, steps);
        self.restrict(&permitted);
        let old = match known {
            Some((condition, values)) if *condition == variant.steps => values.clone(),
            _ => {
                let values = self.of_chart(self.chart, |lowering| lowering.values_of(Some(&permitted)))?;
                *known = Some((variant.steps, values.clone()));
                values
            }
        };
        let new = self.of_variant(variant, |lowering| lowering.values_of(Some(&permitted)))?;
        let mut parts = Vec::new();
        for ((_, old), (_, new)) in old.iter().zip(&new) {
            let differs = self.differs(*old, *new);
            parts.push(self.pruned(differs));
        }
        let differs = self.any(&parts);
        let predicate = self.and(steps, differs);
        let step = old.iter().zip(&new).filter(|(old, new)| old != new).map(|(_, new)| *new).collect();
        Some(Difference { start, steps, step, predicate })
    }

    fn of_variant<T>(
        &mut self,
        variant: &mut Variant<'_>,
        what: impl FnOnce(&mut Lowering<'_>) -> Option<T>,
    ) -> Option<T> {
        self.exchange(variant);
        let found = self.of_chart(variant.chart, what);
        self.exchange(variant);
        found
    }

    /// Exchanges what is known of the chart with what is known of a variant.
    fn exchange(&mut self, variant: &mut Variant<'_>) {
        let patch = &mut variant.patch;
        if let Some((index, domain)) = &mut patch.domain {
            std::mem::swap(&mut self.domains[*index], domain);
        }
        if let Some(index) = patch.removed {
            if patch.is_applied {
                self.takers.insert(self.chart, index);
            } else {
                self.takers.remove(self.chart, index);
            }
        }
        if let Some(index) = patch.renamed {
            let (old, new) = if patch.is_applied { (variant.chart, self.chart) } else { (self.chart, variant.chart) };
            self.takers.remove(old, index);
            self.takers.insert(new, index);
        }
        patch.is_applied = !patch.is_applied;
    }

    /// The next values by the events that are permitted; the first values if no step is asked for.
    pub(super) fn values_of(&mut self, step: Option<&Permitted>) -> Option<Values> {
        let unfolded = if let Some(permitted) = step {
            let mut currents = self.currents.clone();
            if let Some(events) = self.layout.event.and_then(|event| permitted.get(&event)) {
                currents
                    .retain(|(_, value)| matches!(self.model[*value], Node::Const(value) if events.contains(&value)));
            }
            self.unfold_step_by(&currents)
        } else {
            self.unfold_start()
        };
        (self.truth_of(unfolded.endless) == Some(false)).then(|| self.values(&unfolded.config))
    }

    /// What another chart over the same variables does.
    pub(super) fn of_chart<T>(
        &mut self,
        chart: &Chart,
        what: impl FnOnce(&mut Lowering<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut other = Lowering {
            chart,
            model: std::mem::take(&mut self.model),
            diagnostics: Vec::new(),
            layout: std::mem::take(&mut self.layout),
            data: std::mem::take(&mut self.data),
            facts: std::mem::take(&mut self.facts),
            events: std::mem::take(&mut self.events),
            js_of_symbol: std::mem::take(&mut self.js_of_symbol),
            path: None,
            unread: std::collections::BTreeSet::new(),
            thrown: Vec::new(),
            failed_guards: Vec::new(),
            is_start: false,
            is_incomplete: false,
            domains: std::mem::take(&mut self.domains),
            post_order: std::mem::take(&mut self.post_order),
            extents: std::mem::take(&mut self.extents),
            takers: std::mem::take(&mut self.takers),
            prune: std::mem::take(&mut self.prune),
            coverage: elements::Coverage::default(),
            touches: super::Touches::default(),
            is_variant: true,
            currents: std::mem::take(&mut self.currents),
            now: self.now.clone(),
            constraints: Vec::new(),
            compared: std::mem::take(&mut self.compared),
        };
        let n_opaque = other.facts.opaque.len();
        let found = what(&mut other);
        let is_whole = !other.has_errors() && !other.is_incomplete && other.facts.opaque.len() == n_opaque;
        self.model = other.model;
        self.layout = other.layout;
        self.data = other.data;
        self.facts = other.facts;
        self.events = other.events;
        self.js_of_symbol = other.js_of_symbol;
        self.domains = other.domains;
        self.post_order = other.post_order;
        self.extents = other.extents;
        self.takers = other.takers;
        self.prune = other.prune;
        self.currents = other.currents;
        self.compared = other.compared;
        found.filter(|_| is_whole)
    }

    /// Restricts the states before a step to those of interest.
    fn restrict(&mut self, permitted: &Permitted) {
        let chart = self.chart;
        let (yes, no) = (self.boolean(true), self.boolean(false));
        let mut active = self.now.active.clone();
        for region in &self.layout.regions {
            let Some(values) = permitted.get(&region.var) else { continue };
            for (leaf, name) in &region.leaves {
                let is_permitted = matches!(self.model[*name], Node::Const(name) if values.contains(&name));
                if !is_permitted {
                    active[leaf.index()] = no;
                } else if values.len() == 1 {
                    active[leaf.index()] = yes;
                }
            }
        }
        for (state, node) in chart.states().rev() {
            if node.kind == StateKind::Compound {
                let is = |child: StateId, wanted: bool| self.truth_of(active[child.index()]) == Some(wanted);
                if chart.substates(state).all(|child| is(child, false)) {
                    active[state.index()] = no;
                } else if chart.substates(state).any(|child| is(child, true)) {
                    active[state.index()] = yes;
                }
            }
        }
        for (state, node) in chart.states() {
            if node.parent.is_some_and(|parent| self.truth_of(active[parent.index()]) == Some(false)) {
                active[state.index()] = no;
            }
            if self.truth_of(active[state.index()]).is_none()
                && let Some(truth) = self.prune.truth_in_all(&self.model, active[state.index()])
            {
                active[state.index()] = if truth { yes } else { no };
            }
        }
        self.now.active = active;
        self.now.done = no;
        self.now.done = self.is_final(StateId::ROOT, &self.now.clone());
    }
}
