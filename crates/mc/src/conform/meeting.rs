//! Violations that outputs can show, by the interpreter: all points at which a tester may be, with what is known there.
//!
//! The symbolic engine answers this question only where inputs determine the initial state and the steps of a model. Here the
//! model may choose. A *meeting* is a step of the model, after inputs and outputs that lead to a state estimate.

use super::explicit::{Label, Set, Tester, sources};
use super::machine::Machine;
use super::search::Search;
use super::{Certainty, Claim, Kill, with_values};
use crate::answer::{Answer, Proof, Reason};
use crate::bdd::Limit;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use specwright_model::interp::eval_bool;
use specwright_model::{State, Trace};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Meetings for each state of the limit.
const MEETINGS_PER_STATE: usize = 16;

/// Pairs of a state estimate and a candidate that all questions together may look at, for each state of the limit; and how often
/// they may look.
const PAIRS_PER_STATE: usize = 100;
const LOOKS_PER_STATE: usize = 1000;

/// What is known of meetings and candidates.
#[derive(Default)]
pub(super) struct Meetings {
    all: Option<Result<Rc<All>, Reason>>,
    /// The pairs of a state estimate and a candidate that some inputs tell apart, and those that none does.
    apart: FxHashMap<(Set, Set), Certainty>,
    alike: FxHashSet<(Set, Set)>,
    n_pairs: usize,
    n_looks: usize,
}

/// All meetings.
#[derive(Default)]
struct All {
    estimates: IndexSet<Set, FxBuildHasher>,
    /// For each of them, the estimates after inputs and outputs.
    after: Vec<BTreeMap<(Label, Label), usize>>,
    /// States of estimates, by the numbers of both.
    nodes: IndexSet<(usize, usize), FxBuildHasher>,
    /// The first meeting that leads to each of them.
    first: Vec<usize>,
    meetings: Vec<Meeting>,
}

/// A step of the model, or the start.
struct Meeting {
    /// The state estimate before it.
    estimate: usize,
    /// The state before it.
    before: Option<usize>,
    input: Label,
    after: usize,
}

impl Tester<'_> {
    /// A test that shows a violation of a claim: at the first point at which outputs can tell a state that violates it from its
    /// candidates, but for those that never behave differently. At most `most` candidates of a state are tried. Without such a
    /// test, outputs show the violation in no execution.
    pub fn show_violation(&mut self, claim: &Claim, most: u128) -> Answer<Trace> {
        self.violation(claim, most).unwrap_or_else(Answer::Undecided)
    }

    fn violation(&mut self, claim: &Claim, most: u128) -> Result<Answer<Trace>, Reason> {
        let all = self.all()?;
        let mut unknown = None;
        let mut seen = FxHashSet::default();
        // The candidates of states that violate the claim.
        let mut violated: FxHashMap<usize, Option<Rc<[State]>>> = FxHashMap::default();
        for (index, meeting) in all.meetings.iter().enumerate() {
            let state_of = |node: usize| all.nodes[node].1;
            if !self.is_asked(claim, meeting.before.map(state_of)) {
                continue;
            }
            let after = state_of(meeting.after);
            if let std::collections::hash_map::Entry::Vacant(entry) = violated.entry(after) {
                entry.insert(self.candidates(claim, after, most)?);
            }
            let Some(candidates) = violated[&after].clone() else { continue };
            if candidates.is_empty() {
                return Ok(Answer::Found(self.execution(&all, index)?));
            }
            // Whichever state was before, the tester knows the same.
            if !seen.insert((meeting.estimate, &meeting.input, after)) {
                continue;
            }
            let (mut telling, mut is_known) = (None, true);
            for candidate in candidates.iter() {
                match self.told(&all, meeting, candidate) {
                    Ok(Some(Certainty::Certain)) => telling = telling.or(Some(candidate)),
                    Ok(None) => {}
                    Ok(Some(Certainty::Possible)) => (unknown, is_known) = (Some(Reason::PossibleKill), false),
                    Err(reason) => (unknown, is_known) = (Some(reason), false),
                }
            }
            let Some(candidate) = telling.filter(|_| is_known) else { continue };
            let test = self.execution(&all, index)?;
            match self.tell_apart(&test, test.states.len() - 1, candidate) {
                Answer::Found(Kill { trace, .. }) => return Ok(Answer::Found(trace)),
                Answer::Undecided(reason) => unknown = Some(reason),
                Answer::Impossible(_) => {}
            }
        }
        Ok(unknown.map_or(Answer::Impossible(Proof::Infeasible), Answer::Undecided))
    }

    /// Whether a claim says something of the states after this one, or of those at the start.
    fn is_asked(&self, claim: &Claim, before: Option<usize>) -> bool {
        match (claim.is_step, claim.before, before) {
            (false, ..) | (true, None, Some(_)) => true,
            (true, _, None) => false,
            (true, Some(condition), Some(state)) => {
                eval_bool(self.own.model, condition, &self.own.states[state], None) == Ok(true)
            }
        }
    }

    /// The candidates of a state, if it violates a claim.
    fn candidates(&self, claim: &Claim, state: usize, most: u128) -> Result<Option<Rc<[State]>>, Reason> {
        let (model, state) = (self.own.model, &self.own.states[state]);
        if eval_bool(model, claim.expr, state, None) != Ok(false) {
            return Ok(None);
        }
        let candidates = claim.candidates(model, state, most).ok_or(Reason::Limit(Limit::Steps))?;
        Ok(Some(candidates.iter().map(|values| with_values(state, values)).collect()))
    }

    /// How sure some inputs tell the state after an input from a candidate; nothing if none do.
    fn told(&mut self, all: &All, meeting: &Meeting, candidate: &State) -> Result<Option<Certainty>, Reason> {
        let output = self.own.output(candidate)?;
        let Some(estimate) = all.after[meeting.estimate].get(&(meeting.input.clone(), output)) else {
            return Ok(Some(Certainty::Certain));
        };
        let estimate = all.estimates[*estimate].clone();
        let start = (estimate, self.other.set(candidate));
        let Meetings { apart, alike, n_pairs, n_looks, .. } = &mut self.meetings;
        *n_looks += 1;
        if let Some(known) = apart.get(&start) {
            return Ok(Some(*known));
        }
        let most = self.own.limits.states;
        if alike.contains(&start) {
            return Ok(None);
        }
        if *n_pairs > PAIRS_PER_STATE * most || *n_looks > LOOKS_PER_STATE * most {
            return Err(Reason::Limit(Limit::Steps));
        }
        let mut search = Search::from(&mut self.own, &mut self.other, start.clone(), most);
        let found = search.run(|_, _| Ok(Trace { states: Vec::new(), loop_start: None }));
        *n_pairs += search.nodes().len();
        match found? {
            Answer::Found(kill) => {
                apart.insert(start, kill.certainty);
                Ok(Some(kill.certainty))
            }
            Answer::Impossible(_) => {
                alike.extend(search.nodes().cloned());
                Ok(None)
            }
            Answer::Undecided(reason) => Err(reason),
        }
    }

    /// An execution that ends with a meeting.
    fn execution(&mut self, all: &All, meeting: usize) -> Result<Trace, Reason> {
        let mut way = vec![&all.meetings[meeting]];
        while let Some(before) = way[way.len() - 1].before {
            way.push(&all.meetings[all.first[before]]);
        }
        let mut states: Vec<State> = Vec::new();
        for Meeting { before, input, after, .. } in way.into_iter().rev() {
            let next = self.own.states[all.nodes[*after].1].clone();
            if let Some(node) = before {
                let steps = self.own.steps(Some(all.nodes[*node].1), Some(input))?.into_iter();
                let through = steps.filter(|step| step.next == next).map(|step| step.now);
                states.pop();
                states.extend(through.min_by_key(|now| now.rank(self.own.model)));
            }
            states.push(next);
        }
        Ok(Trace { states, loop_start: None })
    }

    /// All meetings, in breadth-first order of estimates.
    fn all(&mut self) -> Result<Rc<All>, Reason> {
        if self.meetings.all.is_none() {
            self.meetings.all = Some(self.meet().map(Rc::new));
        }
        self.meetings.all.clone().expect("it was made")
    }

    fn meet(&mut self) -> Result<All, Reason> {
        let most = self.own.limits.states;
        let mut all = All { estimates: std::iter::once(self.own.start()).collect(), ..All::default() };
        let mut at = 0;
        while at < all.estimates.len() {
            let estimate = all.estimates[at].clone();
            let mut after: BTreeMap<(Label, Label), usize> = BTreeMap::new();
            for step in self.own.moves(&estimate)? {
                for (output, set) in step.outcomes {
                    after.insert((step.input.clone(), output), all.estimates.insert_full(set).0);
                }
            }
            for from in sources(&estimate) {
                let before = from.and_then(|from| all.nodes.get_index_of(&(at, from)));
                for edge in self.own.edges(from, None)?.iter() {
                    let to = after[&(edge.input.clone(), edge.output.clone())];
                    let (node, is_new) = all.nodes.insert_full((to, edge.to));
                    if is_new {
                        all.first.push(all.meetings.len());
                    }
                    all.meetings.push(Meeting { estimate: at, before, input: edge.input.clone(), after: node });
                }
            }
            if all.estimates.len() > most || all.meetings.len() > MEETINGS_PER_STATE * most {
                return Err(Reason::Limit(Limit::Steps));
            }
            all.after.push(after);
            at += 1;
        }
        Ok(all)
    }
}
