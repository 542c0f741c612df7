//! Which transitions an event can take, without a look at every state.

use super::events::matches;
use rustc_hash::FxHashMap;
use specwright_syntax::statechart::ast::{Chart, Profile, StateId};
use std::sync::Arc;

/// The transitions of a chart by their descriptors.
#[derive(Default)]
pub(super) struct Takers {
    /// By descriptor, without what its notation leaves out.
    by_descriptor: FxHashMap<Arc<str>, Vec<usize>>,
    /// The position of each transition among those of its source.
    ranks: Vec<usize>,
    /// The states with transitions that need no event, in document order.
    eventless: Vec<StateId>,
}

/// The key of a descriptor.
fn key(profile: Profile, descriptor: &Arc<str>) -> Arc<str> {
    match profile {
        Profile::XState => descriptor.clone(),
        Profile::Scxml => descriptor.strip_suffix(".*").unwrap_or(descriptor).trim_end_matches('.').into(),
    }
}

impl Takers {
    pub(super) fn new(chart: &Chart) -> Takers {
        let mut takers = Takers { ranks: vec![0; chart.transitions.len()], ..Takers::default() };
        for (state, node) in chart.states() {
            for (rank, index) in node.transitions.iter().enumerate() {
                takers.ranks[*index] = rank;
                takers.insert(chart, *index);
            }
            if node.transitions.iter().any(|index| chart.transitions[*index].events.is_empty()) {
                takers.eventless.push(state);
            }
        }
        takers
    }

    pub(super) fn insert(&mut self, chart: &Chart, index: usize) {
        for descriptor in &chart.transitions[index].events {
            self.by_descriptor.entry(key(chart.profile, descriptor)).or_default().push(index);
        }
    }

    pub(super) fn remove(&mut self, chart: &Chart, index: usize) {
        for descriptor in &chart.transitions[index].events {
            if let Some(list) = self.by_descriptor.get_mut(&key(chart.profile, descriptor)) {
                list.retain(|other| *other != index);
            }
        }
    }

    /// The states with transitions that an event can take, each with these in the order of their priority.
    pub(super) fn of(&self, chart: &Chart, event: &str) -> Vec<(StateId, Vec<usize>)> {
        let ends = event.match_indices('.').map(|(at, _)| at).chain([event.len()]);
        let mut found: Vec<usize> = Vec::new();
        let mut add = |descriptor: &str| found.extend(self.by_descriptor.get(descriptor).into_iter().flatten());
        add("*");
        match chart.profile {
            Profile::XState => {
                add(event);
                for end in ends {
                    add(&format!("{}.*", &event[..end]));
                }
            }
            Profile::Scxml => {
                for end in ends {
                    add(&event[..end]);
                }
            }
        }
        let of = |index: &usize| &chart.transitions[*index];
        found.retain(|index| of(index).events.iter().any(|descriptor| matches(chart.profile, descriptor, event)));
        found.sort_unstable_by_key(|index| (of(index).source, self.ranks[*index]));
        found.dedup();
        let mut lists: Vec<(StateId, Vec<usize>)> = Vec::new();
        for index in found {
            let source = of(&index).source;
            match lists.last_mut() {
                Some((state, list)) if *state == source => list.push(index),
                _ => lists.push((source, vec![index])),
            }
        }
        if chart.profile == Profile::XState {
            // The event itself first, then the longer descriptors. The sort is stable.
            for (_, list) in &mut lists {
                list.sort_by_key(|index| {
                    let descriptor = of(index).events.first().map_or("", |descriptor| descriptor);
                    if descriptor == event { (0, 0) } else { (1, usize::MAX - descriptor.len()) }
                });
            }
        }
        lists
    }

    /// The states with transitions that need no event, in document order.
    pub(super) fn eventless(&self) -> &[StateId] {
        &self.eventless
    }
}
