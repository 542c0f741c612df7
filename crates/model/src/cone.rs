//! The cone of influence: the part of a model that can matter to some expressions, and the model without the rest.
//!
//! The reduction is exact. A variable is dropped only if nothing that is kept looks at it, and its assignments have a
//! value that it can take in every case: then whatever the kept part does, the dropped part can go along with it, and
//! never stops it. Constraints could stop it. So variables that constraints tie together are dropped together, and only
//! if they are a small machine of their own, of which exploring it shows that it can start and never gets stuck; what
//! fairness speaks of stays. So kept and whole model satisfy the same formulas over kept variables, of CTL as of LTL, fair
//! paths and deadlocks included, and shortest executions are equally long.
//!
//! ```text
//! let cone = Cone::of(&model, formulas);          // of a property: its formula, and its target if it has one
//! if !cone.is_everything() {
//!     let small = cone.reduce(&model);            // the same ids: ask about the same expressions
//!     let trace = …;                              // an execution of the small model
//!     let trace = cone.restore(&model, &trace);   // one of the whole model that does the same
//! }
//! ```

use crate::expr::{ExprId, Written};
use crate::interp::{Demand, Explorer, Graph, Limits, support, support_of};
use crate::model::{Model, VarId, VarKind};
use crate::state::{State, Trace};
use crate::value::Domain;
use std::collections::HashMap;
use std::sync::Arc;

/// More combinations of values than this are not tried to find out whether an assignment can fail.
const MAX_CASES: u128 = 1 << 12;

/// A loop of the whole model may have so many states; one that takes more is not looked for.
const LONGEST_LOOP: usize = 1 << 12;

/// How far a machine that constraints make is explored to see that it never gets stuck.
const MACHINE: Limits = Limits { states: 1 << 10, work: 100_000 };

/// How many values may be tried to find one step of the dropped part.
const MOST_WORK: u64 = 1_000_000;

/// The variables that can matter to some expressions, and those that cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cone {
    /// For each variable whether it matters.
    kept: Vec<bool>,
}

impl Cone {
    /// What can matter to the value of these expressions, temporal or not, in any state or on any path.
    pub fn of(model: &Model, exprs: impl IntoIterator<Item = ExprId>) -> Cone {
        Cone::with(model, exprs, [])
    }

    /// What can matter to the value of these expressions, and to these variables.
    pub fn with(model: &Model, exprs: impl IntoIterator<Item = ExprId>, vars: impl IntoIterator<Item = VarId>) -> Cone {
        let mut growing = Growing::new(model);
        growing.look(exprs);
        vars.into_iter().for_each(|var| growing.keep(var));
        growing.close();
        // What could stop the rest, or has no value somewhere, is part of every question.
        let mut machines = machines(model);
        loop {
            let tied = |machine: &Vec<bool>| machine.iter().zip(&growing.kept).any(|(tied, kept)| *tied && *kept);
            if let Some(at) = machines.iter().position(tied) {
                growing.keep_all(&machines.swap_remove(at));
            } else if let Some(var) = growing.partial() {
                growing.keep(var);
            } else if let Some(at) = machines.iter().position(|machine| !goes_on(model, machine)) {
                growing.keep_all(&machines.swap_remove(at));
            } else {
                break;
            }
            growing.close();
        }
        Cone { kept: growing.kept }
    }

    /// Whether everything matters.
    pub fn is_everything(&self) -> bool {
        self.kept.iter().all(|kept| *kept)
    }

    /// Whether a variable matters.
    pub fn contains(&self, var: VarId) -> bool {
        self.kept[var.0 as usize]
    }

    /// The variables that do not matter, in declared order.
    pub fn dropped(&self) -> impl Iterator<Item = VarId> + '_ {
        (0..).map(VarId).zip(&self.kept).filter(|(_, kept)| !**kept).map(|(var, _)| var)
    }

    /// The model without what does not matter.
    ///
    /// All ids mean what they mean in the whole model. A variable that was dropped is still there, but never changes: it
    /// has one value and no assignments. Only expressions over kept variables may be asked about; properties over others,
    /// and everything that serves people or criteria, are left out.
    pub fn reduce(&self, model: &Model) -> Model {
        let mut reduced = model.clone();
        for var in self.dropped() {
            let domain = &mut reduced.vars[var.0 as usize].domain;
            *domain = match domain.value_at(0) {
                Some(first) => Domain::Enum(Arc::new([first])),
                None => Domain::Range(0, 0),
            };
        }
        reduced.assigns.retain(|assign| self.contains(assign.var));
        // What fairness speaks of is always kept.
        for constraints in [&mut reduced.init, &mut reduced.trans, &mut reduced.invar] {
            constraints.retain(|written| self.covers(model, written.expr));
        }
        reduced.properties.retain(|property| {
            let exprs = [Some(&property.formula), property.target.as_ref()];
            exprs.into_iter().flatten().all(|written| self.covers(model, written.expr))
        });
        reduced.elements.clear();
        reduced.hazards.clear();
        reduced.tables.clear();
        reduced.expectations.clear();
        reduced
    }

    /// Whether an expression speaks of kept variables only.
    pub fn covers(&self, model: &Model, expr: ExprId) -> bool {
        let support = support(model, expr);
        support.now.iter().chain(&support.next).all(|var| self.contains(*var))
    }

    /// An execution of the whole model that does with the kept variables what one of the reduced model does.
    ///
    /// Among several values of the others it takes the first. A loop may have to go round more than once before the
    /// others are where they were; nothing if that takes too long, or if they have too many values to find one.
    pub fn restore(&self, model: &Model, trace: &Trace) -> Option<Trace> {
        let explorer = Explorer::new(model);
        let wanted: Vec<State> = trace.states.iter().map(|state| self.kept_of(model, state)).collect();
        let mut now = explorer.initial().like(wanted.first()?).limit(MOST_WORK).next()?.ok()?.next;
        let mut states: Vec<State> = Vec::new();
        // Where in the loop which state has been.
        let mut seen: HashMap<(usize, State), usize> = HashMap::new();
        let mut at = 0;
        loop {
            if trace.loop_start.is_some_and(|start| at >= start) {
                if let Some(first) = seen.get(&(at, now.clone())) {
                    return Some(Trace { states, loop_start: Some(*first) });
                }
                if seen.len() == LONGEST_LOOP {
                    return None;
                }
                seen.insert((at, now.clone()), states.len());
            }
            // A step takes the inputs of the state that it leaves.
            for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                now.set(var, wanted[at].get(var));
            }
            let Some(next) = trace.next(at) else {
                states.push(now);
                return Some(Trace { states, loop_start: None });
            };
            let step = explorer.steps(&now).like(&wanted[next]).limit(MOST_WORK).next()?.ok()?;
            states.push(step.now);
            (now, at) = (step.next, next);
        }
    }

    /// The values that matter.
    fn kept_of(&self, model: &Model, state: &State) -> State {
        let mut kept = State::empty(model.vars.len());
        for (var, _) in model.vars().filter(|(var, _)| self.contains(*var)) {
            kept.set(var, state.get(var));
        }
        kept
    }
}

/// The variables that constraints on states and steps tie together, with what their values follow from; each variable
/// is part of one such machine at most.
fn machines(model: &Model) -> Vec<Vec<bool>> {
    let mut machines: Vec<Vec<bool>> = Vec::new();
    for written in [&model.init, &model.trans, &model.invar].into_iter().flatten() {
        let mut growing = Growing::new(model);
        growing.kept.fill(false);
        growing.fresh.clear();
        growing.look([written.expr]);
        growing.close();
        let mut machine = growing.kept;
        let (tied, others): (Vec<_>, Vec<_>) =
            machines.into_iter().partition(|other| other.iter().zip(&machine).any(|(a, b)| *a && *b));
        for other in tied {
            machine.iter_mut().zip(other).for_each(|(var, tied)| *var |= tied);
        }
        machines = others;
        machines.push(machine);
    }
    // A constraint without variables is part of every question by itself.
    machines.retain(|machine| machine.contains(&true));
    machines
}

/// Whether some variables are a machine of their own that can start, and never gets stuck; false where that takes too long
/// to find out.
fn goes_on(model: &Model, vars: &[bool]) -> bool {
    let mut alone = Cone { kept: vars.to_vec() }.reduce(model);
    // Constraints without variables are looked at where the rest is.
    let speaks = |written: &Written| {
        let support = support(model, written.expr);
        !(support.now.is_empty() && support.next.is_empty())
    };
    alone.init.retain(speaks);
    alone.trans.retain(speaks);
    alone.invar.retain(speaks);
    alone.justice.clear();
    alone.compassion.clear();
    Graph::explore(&alone, MACHINE).is_ok_and(|graph| !graph.is_empty() && graph.deadlocks().is_empty())
}

/// A cone under construction.
struct Growing<'m> {
    model: &'m Model,
    kept: Vec<bool>,
    /// Those that are kept, but whose assignments were not looked at.
    fresh: Vec<VarId>,
    /// The assignments of each variable, by their places.
    assigns: Vec<Vec<usize>>,
    /// The first variable of which it is not known that its assignments never fail.
    unknown: usize,
}

impl<'m> Growing<'m> {
    fn new(model: &'m Model) -> Growing<'m> {
        let mut assigns = vec![Vec::new(); model.vars.len()];
        for (index, assign) in model.assigns.iter().enumerate() {
            assigns[assign.var.0 as usize].push(index);
        }
        let mut growing =
            Growing { model, kept: vec![false; model.vars.len()], fresh: Vec::new(), assigns, unknown: 0 };
        // Fairness can rule out paths that nothing else does.
        growing.look(model.justice.iter().map(|written| written.expr));
        growing.look(model.compassion.iter().flat_map(|(p, q)| [p.expr, q.expr]));
        growing
    }

    fn keep(&mut self, var: VarId) {
        if !std::mem::replace(&mut self.kept[var.0 as usize], true) {
            self.fresh.push(var);
        }
    }

    fn keep_all(&mut self, vars: &[bool]) {
        (0..).map(VarId).zip(vars).filter(|(_, kept)| **kept).for_each(|(var, _)| self.keep(var));
    }

    /// Keeps what expressions speak of.
    fn look(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        let support = support_of(self.model, exprs);
        for var in support.now.into_iter().chain(support.next) {
            self.keep(var);
        }
    }

    /// Keeps what the assignments of kept variables look at.
    fn close(&mut self) {
        while let Some(var) = self.fresh.pop() {
            let assigns = std::mem::take(&mut self.assigns[var.0 as usize]);
            self.look(assigns.iter().map(|index| self.model.assigns[*index].value.expr).collect::<Vec<_>>());
        }
    }

    /// A variable that is not kept and may be left without a value.
    fn partial(&mut self) -> Option<VarId> {
        while self.unknown < self.kept.len() {
            let at = self.unknown;
            self.unknown += 1;
            let is_total = |index: &usize| {
                let assign = &self.model.assigns[*index];
                Demand { expr: assign.value.expr, var: Some(assign.var) }.is_met(self.model, MAX_CASES) == Some(true)
            };
            if !self.kept[at] && !self.assigns[at].iter().all(is_total) {
                return Some(VarId(u32::try_from(at).expect("variables are counted by 32 bits")));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{Random, check_property, check_trace, ltl_counterexample};
    use crate::model::PropertyKind;
    use crate::testing::{Options, model, random_smv_with};

    fn dropped(model: &Model, property: usize) -> Vec<&str> {
        let cone = Cone::of(model, [model.properties[property].formula.expr]);
        cone.dropped().map(|var| model[var].name.as_str()).collect()
    }

    #[test]
    fn only_what_cannot_stop_the_rest_is_dropped() {
        let model = model(
            "\
MODULE main
VAR a : 0..3; b : boolean; c : 0..3; d : 0..7; e : 0..7; f : boolean; g : 0..9; h : boolean;
FROZENVAR k : 0..3;
IVAR i : boolean; j : boolean;
ASSIGN
  init(a) := 0; next(a) := case b : k; i : 0; TRUE : a; esac;
  init(c) := a; next(c) := (c + a) mod 4;
  next(d) := d + 1; -- may be too large
  next(e) := case e < 7 : e + 1; TRUE : {0, 1}; esac;
TRANS f -> next(f)
INVAR g != 4
SPEC AG a < 3
SPEC AG c < 3
",
        );
        assert_eq!(dropped(&model, 0), ["c", "e", "f", "g", "h", "j"]);
        assert_eq!(dropped(&model, 1), ["e", "f", "g", "h", "j"]);
    }

    #[test]
    fn constraints_are_dropped_if_they_stop_nothing() {
        let dropped = |constraints: &str| {
            let text = format!(
                "MODULE main\nVAR a : boolean; b : 0..3; c : 0..3; d : boolean;\nASSIGN next(a) := !a;\n{constraints}\nSPEC AG a\n"
            );
            let model = model(&text);
            let dropped = dropped(&model, 0);
            dropped.concat()
        };
        assert_eq!(dropped("TRANS next(b) = c INVAR c != 2"), "bcd");
        // It stops at 3.
        assert_eq!(dropped("TRANS next(b) = b + 1 INIT b = 0"), "cd");
        // There is no initial state.
        assert_eq!(dropped("INIT b = c INIT b != c"), "d");
        // It is tied to what matters.
        assert_eq!(dropped("TRANS next(b) = c TRANS a | c = 0"), "d");
        // Fairness stays.
        assert_eq!(dropped("INVAR b != c FAIRNESS b = 1"), "d");
        // What is false of everything is never dropped.
        assert_eq!(dropped("INVAR FALSE INVAR b < 2"), "bcd");
    }

    #[test]
    fn loops_go_round_until_all_is_where_it_was() {
        let model = model(
            "\
MODULE main
VAR a : boolean; n : 0..2;
ASSIGN init(a) := FALSE; next(a) := !a; init(n) := 0; next(n) := (n + 1) mod 3;
LTLSPEC F G a
",
        );
        let cone = Cone::of(&model, [model.properties[0].formula.expr]);
        let small = cone.reduce(&model);
        let graph = Graph::explore(&small, Limits::default()).unwrap();
        let trace = ltl_counterexample(&graph, small.properties[0].formula.expr).unwrap().unwrap();
        let restored = cone.restore(&model, &trace).unwrap();
        assert_eq!(check_trace(&model, &restored), Ok(()));
        assert_eq!(restored.folded().states.len(), 6);
    }

    /// Verdicts, deadlocks and executions are those of the whole model, for all properties of random models.
    #[test]
    fn nothing_that_matters_is_lost() {
        let (mut n_dropped, mut n_traces, mut n_constraints) = (0, 0, 0);
        let n_of = |model: &Model| model.init.len() + model.trans.len() + model.invar.len();
        // Constraints hold everything together, so some models have few.
        let many = Options::default();
        let few = Options { justice: 10, compassion: 5, ctl: 4, ltl: 4, invar: 3, ..Options::default() };
        for seed in 0..400 {
            let whole = model(&random_smv_with(seed, if seed % 2 == 0 { &few } else { &many }));
            let Ok(graph) = Graph::explore(&whole, Limits::default()) else { continue };
            for property in &whole.properties {
                let exprs = [Some(&property.formula), property.target.as_ref()].into_iter().flatten();
                let cone = Cone::of(&whole, exprs.map(|written| written.expr));
                if cone.is_everything() {
                    continue;
                }
                n_dropped += 1;
                let small = cone.reduce(&whole);
                n_constraints += usize::from(n_of(&small) < n_of(&whole));
                let small_graph = Graph::explore(&small, Limits::default()).unwrap();
                assert!(small_graph.len() <= graph.len(), "seed {seed}");
                assert_eq!(small_graph.deadlocks().is_empty(), graph.deadlocks().is_empty(), "seed {seed}");
                let name = whole.show_expr(property.formula.expr);
                let (ours, theirs) = (check_property(&small_graph, property), check_property(&graph, property));
                assert_eq!(ours, theirs, "seed {seed}: {name}");
                let mut traces = vec![walk(&small, seed)];
                if property.kind == PropertyKind::Ltl {
                    traces.push(ltl_counterexample(&small_graph, property.formula.expr).unwrap());
                }
                for trace in traces.into_iter().flatten() {
                    let restored = cone.restore(&whole, &trace).unwrap_or_else(|| panic!("seed {seed}: {trace:?}"));
                    assert_eq!(check_trace(&whole, &restored), Ok(()), "seed {seed}: {name}");
                    same_on_kept(&cone, &whole, &trace, &restored);
                    n_traces += 1;
                }
            }
        }
        assert!(n_dropped > 300 && n_traces > 300, "{n_dropped} cones, {n_traces} traces");
        assert!(n_constraints > 30, "{n_constraints} cones without some constraint");
    }

    fn walk(model: &Model, seed: u64) -> Option<Trace> {
        let explorer = Explorer::new(model);
        let random = |step| Random::new(seed.wrapping_mul(100) + step);
        let mut state = explorer.initial().shuffled(random(0)).next()?.ok()?.next;
        let mut states = Vec::new();
        for step in 1..8 {
            let Some(Ok(taken)) = explorer.steps(&state).shuffled(random(step)).next() else { break };
            states.push(taken.now);
            state = taken.next;
        }
        states.push(state);
        Some(Trace { states, loop_start: None })
    }

    fn same_on_kept(cone: &Cone, model: &Model, small: &Trace, whole: &Trace) {
        let (mut at, mut small_at) = (0, 0);
        for _ in 0..=small.states.len().max(whole.states.len()) {
            let (ours, theirs) = (&small.states[small_at], &whole.states[at]);
            let kept = model.vars().filter(|(var, _)| cone.contains(*var));
            assert!(kept.map(|(var, _)| var).all(|var| ours.get(var) == theirs.get(var)));
            let (Some(next), Some(small_next)) = (whole.next(at), small.next(small_at)) else {
                assert_eq!(whole.next(at), small.next(small_at));
                break;
            };
            (at, small_at) = (next, small_next);
        }
    }
}
