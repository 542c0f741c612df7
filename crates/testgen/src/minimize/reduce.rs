//! Reductions of set cover problems that preserve optimality.

use super::cover::Cover;
use crate::grade::Bits;
use rustc_hash::FxHashSet;

/// Reduces a problem until a fixpoint; returns the tests that are certainly needed.
pub(super) fn reduce(cover: &mut Cover) -> Vec<usize> {
    let mut needed = Vec::new();
    loop {
        let before = (cover.goals.len(), cover.goals.iter().map(Bits::count).sum::<usize>());
        needed.extend(take_essential(cover));
        drop_dominated_goals(cover);
        drop_dominated_tests(cover);
        if before == (cover.goals.len(), cover.goals.iter().map(Bits::count).sum::<usize>()) {
            return needed;
        }
    }
}

/// Takes the essential tests: those that alone reach a goal.
fn take_essential(cover: &mut Cover) -> Vec<usize> {
    let alone = |tests: &Bits| tests.iter().next().filter(|_| tests.count() == 1);
    let essential: std::collections::BTreeSet<usize> = cover.goals.iter().filter_map(alone).collect();
    cover.goals.retain(|tests| tests.iter().all(|test| !essential.contains(&test)));
    essential.into_iter().collect()
}

/// Drops goals that every cover of another goal reaches, too.
fn drop_dominated_goals(cover: &mut Cover) {
    let distinct: indexmap::IndexSet<Bits> = std::mem::take(&mut cover.goals).into_iter().collect();
    let mut goals: Vec<Bits> = distinct.into_iter().collect();
    goals.sort_by_key(Bits::count);
    for tests in goals {
        if !cover.goals.iter().any(|kept| kept.is_subset(&tests)) {
            cover.goals.push(tests);
        }
    }
}

/// Drops tests that reach no more goals than another one and do not cost less.
fn drop_dominated_tests(cover: &mut Cover) {
    let tests = cover.tests();
    let mut alive: Vec<usize> = (0..tests.len()).filter(|test| !tests[*test].is_empty()).collect();
    // Sorted by number of goals (descending), cost, and index.
    alive.sort_by_key(|test| (std::cmp::Reverse(tests[*test].count()), cover.costs[*test], *test));
    let mut kept: Vec<usize> = Vec::new();
    let mut dropped = Bits::new(tests.len());
    for test in alive {
        let dominates =
            |other: &usize| cover.costs[*other] <= cover.costs[test] && tests[test].is_subset(&tests[*other]);
        if kept.iter().any(dominates) {
            dropped.insert(test);
        } else {
            kept.push(test);
        }
    }
    cover.goals.iter_mut().for_each(|tests| tests.subtract(&dropped));
}

/// The connected components: they have no test in common.
pub(super) fn components(cover: &Cover) -> Vec<Cover> {
    let mut part: Vec<usize> = (0..cover.costs.len()).collect();
    for tests in &cover.goals {
        let mut tests = tests.iter();
        let Some(first) = tests.next() else { continue };
        for other in tests {
            let (a, b) = (root(&mut part, first), root(&mut part, other));
            part[a.max(b)] = a.min(b);
        }
    }
    let mut seen = FxHashSet::default();
    let mut parts: Vec<(usize, Cover)> = Vec::new();
    for tests in &cover.goals {
        let Some(first) = tests.iter().next() else { continue };
        let root = root(&mut part, first);
        if seen.insert(root) {
            parts.push((root, Cover { costs: cover.costs.clone(), goals: Vec::new() }));
        }
        let place = parts.iter().position(|(known, _)| *known == root).unwrap_or(0);
        parts[place].1.goals.push(tests.clone());
    }
    parts.into_iter().map(|(_, cover)| cover).collect()
}

/// The representative of the component of a test.
fn root(part: &mut [usize], test: usize) -> usize {
    let mut at = test;
    while part[at] != at {
        part[at] = part[part[at]];
        at = part[at];
    }
    at
}
