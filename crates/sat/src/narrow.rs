//! A solver for many small questions about one large graph: it looks only at the variables that a question depends on.
//!
//! Property-directed reachability asks hundreds of thousands of questions, most of them about a few gates. A general solver
//! gives values to all variables before it says that there is a solution. This one gives values to the domain of the
//! question: the assumptions, what they are defined by, and the variables of clauses that define nothing. Gates outside
//! have the values of their definitions, so a solution on the domain extends to all variables.
//!
//! It is a solver with conflict-driven learning in the style of `MiniSat`; the domain follows Su, Yang, Ci and Huang (2024).
//! The search for proofs is all that it serves: what it proves is checked by another solver.

mod arena;
mod conflict;
mod heap;

use crate::solver::{Lit, Outcome, Solver};
use arena::{Arena, ClauseRef};
use heap::Heap;
use std::rc::Rc;

/// Conflicts of the first run; the others follow the Luby sequence.
const RUN: u64 = 64;

/// Learnt clauses above which the worse half of them is deleted.
const MAX_LEARNT: usize = 4000;

/// Decisions between two questions whether to stop.
const POLL_INTERVAL: u32 = 1024;

/// The solver.
#[derive(Clone)]
pub struct Narrow {
    arena: Arena,
    /// For each literal the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    learnt: Vec<ClauseRef>,
    /// For each literal: 1 if it is true, -1 if it is false.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<Option<ClauseRef>>,
    phases: Vec<bool>,
    activity: Vec<f64>,
    /// What a variable gains by a conflict.
    gain: f64,
    heap: Heap,
    trail: Vec<Lit>,
    /// For each decision level the length of the trail before it.
    marks: Vec<usize>,
    /// The part of the trail that was propagated.
    head: usize,
    /// For each variable those by which it is defined.
    operands: Vec<Vec<u32>>,
    /// The domain of all questions, closed under definitions; and whether a variable is in it.
    always: Vec<u32>,
    is_always: Vec<bool>,
    /// The domain of this question: the variables with this stamp.
    domain: Vec<u32>,
    stamps: Vec<u32>,
    stamp: u32,
    /// Stands in the clause of a question, and in what is learnt from that: these clauses go with the question.
    asked: Lit,
    temporary: Vec<ClauseRef>,
    /// For conflict analysis.
    is_seen: Vec<bool>,
    /// The assumptions that exclude each other.
    core: Vec<Lit>,
    /// The values of all variables in the solution.
    solution: Vec<i8>,
    is_contradictory: bool,
    /// Whether variables are decided by their activity.
    by_activity: bool,
    /// The clause of this question is false for good. Its mark is free again for the next question.
    is_refuted: bool,
    conflicts: u64,
    propagations: u64,
    max_conflicts: Option<u64>,
    stop: Option<Rc<dyn Fn() -> bool>>,
    patience: u32,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseRef,
    /// Another literal of the clause. If it is true, the clause need not be looked at.
    blocker: Lit,
}

impl Default for Narrow {
    fn default() -> Narrow {
        let mut solver = Narrow {
            arena: Arena::default(),
            watches: Vec::new(),
            learnt: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            activity: Vec::new(),
            gain: 1.0,
            heap: Heap::default(),
            trail: Vec::new(),
            marks: Vec::new(),
            head: 0,
            operands: Vec::new(),
            always: Vec::new(),
            is_always: Vec::new(),
            domain: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
            asked: Lit::new(0, false),
            temporary: Vec::new(),
            is_seen: Vec::new(),
            core: Vec::new(),
            solution: Vec::new(),
            is_contradictory: false,
            by_activity: false,
            is_refuted: false,
            conflicts: 0,
            propagations: 0,
            max_conflicts: None,
            stop: None,
            patience: 0,
        };
        solver.asked = solver.new_var(true);
        solver
    }
}

impl Narrow {
    /// Takes note that a variable has no meaning without another one.
    pub fn depend(&mut self, defined: Lit, on: Lit) {
        let (var, on) = (defined.var() as usize, on.var());
        self.operands[var].push(on);
        if self.is_always[var] {
            self.keep(on);
        }
    }

    /// Looks for a solution in which all assumptions hold, and one literal of a clause that counts for this question only.
    pub fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Outcome {
        self.backtrack(0);
        for clause in std::mem::take(&mut self.temporary) {
            self.arena.delete(clause);
        }
        self.core.clear();
        self.is_refuted = false;
        self.patience = 0;
        if self.is_contradictory || self.propagate().is_some() {
            self.is_contradictory = true;
            return Outcome::Unsat;
        }
        self.clean();
        self.enter_domain(clause.iter().chain(assumptions));
        let mut all = Vec::with_capacity(assumptions.len() + 1);
        if !clause.is_empty() {
            let mut with_mark: Vec<Lit> = clause.to_vec();
            with_mark.push(!self.asked);
            all.push(self.asked);
            if !self.add_temporary(&with_mark) {
                return Outcome::Unsat;
            }
        }
        all.extend_from_slice(assumptions);
        let outcome = self.search(&all);
        self.by_activity = false;
        if outcome == Outcome::Sat {
            self.solution.clone_from(&self.values);
        }
        self.backtrack(0);
        outcome
    }

    /// Adds the clause of a question, with its mark; false if none of its literals can hold.
    fn add_temporary(&mut self, clause: &[Lit]) -> bool {
        let Some(clause) = self.simplified(clause) else { return true };
        if clause.len() == 1 {
            return false;
        }
        let place = self.arena.add(&clause, None);
        self.attach(place);
        self.temporary.push(place);
        true
    }

    /// The literals of a clause that are not false for good; nothing if it is true for good. Only at level zero.
    fn simplified(&self, clause: &[Lit]) -> Option<Vec<Lit>> {
        let mut clause: Vec<Lit> = clause.iter().copied().filter(|lit| self.value(*lit) >= 0).collect();
        clause.sort_unstable_by_key(|lit| lit.code());
        clause.dedup();
        let is_true = clause.iter().any(|lit| self.value(*lit) > 0);
        (!is_true && !clause.windows(2).any(|pair| pair[0] == !pair[1])).then_some(clause)
    }

    /// The domain of a question: these literals, what they are defined by, and what every question is about.
    fn enter_domain<'l>(&mut self, roots: impl Iterator<Item = &'l Lit>) {
        self.stamp += 1;
        self.domain.clear();
        for lit in roots.copied().chain([self.asked]) {
            self.enter(lit.var());
        }
        let mut at = 0;
        while at < self.domain.len() {
            let var = self.domain[at] as usize;
            at += 1;
            for place in 0..self.operands[var].len() {
                self.enter(self.operands[var][place]);
            }
        }
    }

    /// A variable of the domain without a value. Until the first conflict, activities say nothing about the question.
    fn next_var(&mut self, place: &mut usize) -> Option<u32> {
        if self.by_activity {
            while let Some(var) = self.heap.pop(&self.activity) {
                if self.values[2 * var as usize] == 0 {
                    return Some(var);
                }
            }
            return None;
        }
        loop {
            let n_first = self.domain.len();
            let var = self.domain.get(*place).or_else(|| self.always.get(*place - n_first)).copied()?;
            *place += 1;
            if self.values[2 * var as usize] == 0 {
                return Some(var);
            }
        }
    }

    fn enter(&mut self, var: u32) {
        let place = var as usize;
        if !self.is_always[place] && self.stamps[place] != self.stamp {
            self.stamps[place] = self.stamp;
            self.domain.push(var);
        }
    }

    fn is_in_domain(&self, var: u32) -> bool {
        self.is_always[var as usize] || self.stamps[var as usize] == self.stamp
    }

    /// Makes a variable part of all domains.
    fn keep(&mut self, var: u32) {
        let mut open = vec![var];
        while let Some(var) = open.pop() {
            if !std::mem::replace(&mut self.is_always[var as usize], true) {
                self.always.push(var);
                open.extend(&self.operands[var as usize]);
            }
        }
    }

    fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code() as usize]
    }

    fn level(&self) -> usize {
        self.marks.len()
    }

    fn attach(&mut self, clause: ClauseRef) {
        let (a, b) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        self.watches[a.code() as usize].push(Watch { clause, blocker: b });
        self.watches[b.code() as usize].push(Watch { clause, blocker: a });
    }

    /// Adds a clause at level zero.
    fn add(&mut self, clause: &[Lit]) {
        self.backtrack(0);
        let Some(clause) = self.simplified(clause) else { return };
        match clause[..] {
            [] => self.is_contradictory = true,
            [only] => self.enqueue(only, None),
            _ => {
                let place = self.arena.add(&clause, None);
                self.attach(place);
            }
        }
    }

    fn enqueue(&mut self, lit: Lit, reason: Option<ClauseRef>) {
        let var = lit.var() as usize;
        self.values[lit.code() as usize] = 1;
        self.values[(!lit).code() as usize] = -1;
        self.levels[var] = self.marks.len() as u32;
        self.reasons[var] = reason;
        self.trail.push(lit);
    }

    fn decide(&mut self, lit: Lit) {
        self.marks.push(self.trail.len());
        self.enqueue(lit, None);
    }

    fn backtrack(&mut self, level: usize) {
        let Some(mark) = self.marks.get(level).copied() else { return };
        for lit in self.trail.drain(mark..).rev() {
            let var = lit.var();
            self.values[lit.code() as usize] = 0;
            self.values[(!lit).code() as usize] = 0;
            self.phases[var as usize] = !lit.is_negated();
            if self.by_activity && (self.is_always[var as usize] || self.stamps[var as usize] == self.stamp) {
                self.heap.insert(var, &self.activity);
            }
        }
        self.marks.truncate(level);
        self.head = mark;
    }

    /// Draws all conclusions; the clause that is false, if one is.
    fn propagate(&mut self) -> Option<ClauseRef> {
        // What holds for good counts for all questions, not only for those with this domain.
        let is_wide = self.level() == 0;
        while let Some(lit) = self.trail.get(self.head).copied() {
            self.head += 1;
            self.propagations += 1;
            let falsified = !lit;
            let mut list = std::mem::take(&mut self.watches[falsified.code() as usize]);
            let (mut from, mut to) = (0, 0);
            let mut conflict = None;
            'watches: while from < list.len() {
                let watch = list[from];
                from += 1;
                if self.value(watch.blocker) > 0 || !is_wide && !self.is_in_domain(watch.blocker.var()) {
                    list[to] = watch;
                    to += 1;
                    continue;
                }
                let clause = watch.clause;
                if self.arena.is_deleted(clause) {
                    continue;
                }
                if self.arena.lit(clause, 0) == falsified {
                    self.arena.swap(clause, 0, 1);
                }
                let first = self.arena.lit(clause, 0);
                list[to] = Watch { clause, blocker: first };
                to += 1;
                if first != watch.blocker && self.value(first) > 0 {
                    continue;
                }
                for place in 2..self.arena.len(clause) {
                    let other = self.arena.lit(clause, place);
                    if self.value(other) >= 0 {
                        self.arena.swap(clause, 1, place);
                        self.watches[other.code() as usize].push(Watch { clause, blocker: first });
                        to -= 1;
                        continue 'watches;
                    }
                }
                if self.value(first) < 0 {
                    conflict = Some(clause);
                    while from < list.len() {
                        list[to] = list[from];
                        to += 1;
                        from += 1;
                    }
                } else if is_wide && first == !self.asked {
                    self.is_refuted = true;
                } else {
                    self.enqueue(first, Some(clause));
                }
            }
            list.truncate(to);
            self.watches[falsified.code() as usize] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    fn is_stopped(&mut self) -> bool {
        if self.max_conflicts.is_some_and(|most| self.conflicts >= most) {
            return true;
        }
        if self.patience > 0 {
            self.patience -= 1;
            return false;
        }
        self.patience = POLL_INTERVAL;
        self.stop.as_ref().is_some_and(|stop| stop())
    }

    fn search(&mut self, assumptions: &[Lit]) -> Outcome {
        let (mut run, mut left, mut place) = (1, RUN, 0);
        loop {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.level() == 0 {
                    self.is_contradictory = true;
                    return Outcome::Unsat;
                }
                if !self.by_activity {
                    self.by_activity = true;
                    self.heap.fill(self.always.iter().chain(&self.domain).copied(), &self.activity);
                }
                if !self.learn(conflict) {
                    return Outcome::Unsat;
                }
                left = left.saturating_sub(1);
                continue;
            }
            if self.is_refuted {
                return Outcome::Unsat;
            }
            if self.is_stopped() {
                return Outcome::Unknown;
            }
            if left == 0 {
                run += 1;
                left = RUN * luby(run);
                if self.learnt.len() > MAX_LEARNT {
                    self.backtrack(0);
                    self.clean();
                } else {
                    self.backtrack(assumptions.len());
                }
                continue;
            }
            if let Some(assumption) = assumptions.get(self.level()).copied() {
                match self.value(assumption) {
                    // A level of its own, so that levels count assumptions.
                    1.. => self.marks.push(self.trail.len()),
                    0 => self.decide(assumption),
                    _ => {
                        self.find_core(assumption);
                        return Outcome::Unsat;
                    }
                }
                continue;
            }
            let Some(var) = self.next_var(&mut place) else { return Outcome::Sat };
            self.decide(Lit::new(var, !self.phases[var as usize]));
        }
    }

    /// Deletes what is not needed any more. Only at level zero.
    fn clean(&mut self) {
        if self.learnt.len() > MAX_LEARNT {
            let mut learnt = std::mem::take(&mut self.learnt);
            learnt.retain(|clause| !self.arena.is_deleted(*clause));
            // Of clauses with the same glue, those that were learnt last stay.
            learnt.sort_by_key(|clause| (self.arena.glue(*clause), std::cmp::Reverse(*clause)));
            for clause in learnt.drain(learnt.len() / 2..) {
                self.arena.delete(clause);
            }
            self.learnt = learnt;
        }
        if self.arena.is_wasteful() {
            self.collect();
        }
    }

    /// Makes a new arena without deleted clauses, and without literals and clauses that are decided for good.
    fn collect(&mut self) {
        let old = std::mem::take(&mut self.arena);
        self.watches.iter_mut().for_each(Vec::clear);
        self.learnt.clear();
        let temporary: Vec<ClauseRef> = std::mem::take(&mut self.temporary);
        for lit in &self.trail {
            self.reasons[lit.var() as usize] = None;
        }
        for clause in old.iter() {
            if old.lits(clause).any(|lit| self.value(lit) > 0) {
                continue;
            }
            let lits: Vec<Lit> = old.lits(clause).filter(|lit| self.value(*lit) == 0).collect();
            let place = self.arena.add(&lits, old.glue(clause));
            self.attach(place);
            if old.glue(clause).is_some() {
                self.learnt.push(place);
            }
            if temporary.binary_search(&clause).is_ok() {
                self.temporary.push(place);
            }
        }
    }
}

/// The Luby sequence from one on: 1, 1, 2, 1, 1, 2, 4, ...
fn luby(mut place: u64) -> u64 {
    loop {
        let size = (place + 1).next_power_of_two();
        if size == place + 1 {
            return size / 2;
        }
        place -= size / 2 - 1;
    }
}

impl Solver for Narrow {
    fn new_var(&mut self, phase: bool) -> Lit {
        let var = self.phases.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(None);
        self.phases.push(phase);
        self.activity.push(0.0);
        self.heap.grow();
        self.operands.push(Vec::new());
        self.is_always.push(false);
        self.stamps.push(0);
        self.is_seen.push(false);
        Lit::new(var, false)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.keep(lit.var());
        }
        self.add(clause);
    }

    fn add_definition(&mut self, defined: Lit, clause: &[Lit]) {
        for lit in clause.iter().filter(|lit| lit.var() != defined.var()) {
            self.depend(defined, *lit);
        }
        self.add(clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        self.solve_with(&[], assumptions)
    }

    fn value(&self, lit: Lit) -> bool {
        self.solution.get(lit.code() as usize).is_some_and(|value| *value > 0)
    }

    fn has_failed(&self, assumption: Lit) -> bool {
        self.core.contains(&assumption)
    }

    fn conflicts(&self) -> u64 {
        self.conflicts
    }

    fn propagations(&self) -> u64 {
        self.propagations
    }

    fn set_max_conflicts(&mut self, conflicts: Option<u64>) {
        self.max_conflicts = conflicts;
    }

    fn set_stop(&mut self, stop: Box<dyn Fn() -> bool>) {
        self.stop = Some(Rc::from(stop));
    }
}
