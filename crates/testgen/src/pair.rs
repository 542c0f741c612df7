//! Pairs of goals: two executions that together show the independent effect of a condition, for MC/DC.
//!
//! Each half is a goal, and both are covered only together: the other conditions must have the same values in both.
//! [`settle`] chooses these values: those of a pair that a suite has already, otherwise the first for which the engine
//! reaches both halves. Afterwards a half is an ordinary goal.

use crate::goal::Goal;
use crate::grade::{Grader, Quantifiers};
use crate::policy::{COMPLETED_PAIRS, SHOWN_CONDITIONS};
use rustc_hash::FxHashMap;
use specwright_mc::{Agreement, Query, Symbolic};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, Trace, TransitionSystem, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The pair that a goal is a half of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The possible forms, each with alternative ways, of which one is enough: a rule with parameters has one for each
    /// of their values. A form is used if the previous ones are impossible.
    pub forms: Forms,
    /// Whether the goal is the second half, in which the condition is false.
    pub second: bool,
    /// The description of the goal without the values of other conditions.
    pub about: String,
    /// Whether all ways and values were considered.
    pub settled: bool,
}

/// The alternative ways for each form.
pub type Forms = Arc<[Vec<Way>]>;

/// A way to form a pair.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// The conditions of the two halves, without the values of the other conditions.
    pub halves: [ExprId; 2],
    /// The expressions that must have the same values in both halves.
    pub same: Vec<ExprId>,
    /// Whether the other conditions may change as long as they have no effect.
    pub masking: bool,
}

/// The index of a form, the index of a way, and the values that are the same in both halves.
pub type Choice = (usize, usize, Vec<bool>);

/// The answer for a pair.
#[derive(Clone, Debug)]
enum Known {
    Chosen(Choice),
    /// No two executions form it.
    Impossible,
    /// A limit was reached.
    Undecided,
}

/// The numbers of settled pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Goals without a pair of the first form (proved), but with one of a later form.
    pub n_later: usize,
    /// Goals without any pair (proved).
    pub n_impossible: usize,
}

/// Chooses the values of all pairs among the goals, by tests and by the engine.
///
/// The choice depends on the model, the goals and the tests only.
pub fn settle(mut ground: Ground<'_>, goals: &mut [Goal], tests: &[Trace]) -> Settled {
    let mut known: FxHashMap<(Forms, bool), Known> = FxHashMap::default();
    let mut settled = Settled::default();
    for goal in goals.iter_mut() {
        let Some(pair) = goal.pair.clone() else { continue };
        let initial = matches!(goal.target, Query::Show(_));
        let found =
            known.entry((pair.forms.clone(), initial)).or_insert_with(|| ground.decide(&pair.forms, initial, tests));
        let model = ground.model();
        match found.clone() {
            Known::Chosen(choice) => {
                settled.n_later += usize::from(choice.0 > 0);
                goal.choose(model, &choice, true);
            }
            Known::Impossible => {
                settled.n_impossible += 1;
                let half = match pair.forms.last().map(Vec::as_slice) {
                    // If the halves are independent, one of them may be feasible; then it is the target.
                    Some([Way { halves, same, .. }]) if same.is_empty() => halves[usize::from(pair.second)],
                    _ => make(model, Node::Const(Value::Bool(false))),
                };
                goal.target = goal.target.with(half);
                goal.description = format!("{} (no two executions form a pair)", pair.about);
                goal.pair = Some(Pair { settled: true, ..pair });
            }
            Known::Undecided => {}
        }
    }
    settled
}

impl Goal {
    /// Sets the target and the description for a way and values.
    pub(crate) fn choose(&mut self, model: &TransitionSystem, (form, way, values): &Choice, settled: bool) {
        let Some(pair) = &mut self.pair else { return };
        let Way { halves, same, masking } = &pair.forms[*form][*way];
        let mut all = halves[usize::from(pair.second)];
        let mut words = Vec::new();
        for (expr, value) in same.iter().zip(values) {
            let part = if *value { *expr } else { not(model, *expr) };
            all = make(model, Node::Binary(BinaryOp::And, all, part));
            if words.len() < SHOWN_CONDITIONS {
                words.push(format!("`{}` {value}", model.show_expr(*expr)));
            }
        }
        if let Some(n_more @ 1..) = same.len().checked_sub(words.len()) {
            words.push(format!("and {n_more} more"));
        }
        let others = match *masking {
            true if *form > 0 => ", the other conditions masked".to_owned(),
            true => String::new(),
            false => format!(", paired with {}", words.join(", ")),
        };
        pair.settled = settled;
        self.target = self.target.with(all);
        self.description = format!("{}{others}", pair.about);
    }
}

/// For each way and valuation that tests show: the tests that show the first half, and the second.
type Rows = BTreeMap<(usize, Vec<bool>), [BTreeSet<usize>; 2]>;

/// What tests show of a pair.
fn rows(model: &TransitionSystem, ways: &[Way], initial: bool, tests: &[Trace]) -> Rows {
    let mut rows = Rows::new();
    if tests.is_empty() {
        return rows;
    }
    for (index, way) in ways.iter().enumerate() {
        let target = |expr| if initial { Query::Show(expr) } else { Query::Reach(expr) };
        let targets = way.halves.iter().chain(&way.same).map(|expr| target(*expr));
        let mut grader = Grader::new(model, targets, Quantifiers::Branching);
        for (test, trace) in tests.iter().enumerate() {
            let exposures = grader.exposures(model, trace);
            for state in 0..trace.states.len() {
                let value = |(met, missed): &(crate::grade::Bits, crate::grade::Bits)| {
                    if met.limit() <= state {
                        None
                    } else if met.contains(state) {
                        Some(true)
                    } else {
                        missed.contains(state).then_some(false)
                    }
                };
                let Some(values) = exposures[2..].iter().map(value).collect::<Option<Vec<bool>>>() else { continue };
                for (half, exposures) in exposures[..2].iter().enumerate() {
                    if value(exposures) == Some(true) {
                        rows.entry((index, values.clone())).or_default()[half].insert(test);
                    }
                }
            }
        }
    }
    rows
}

/// The pair that the tests have: preferably one within a single test, and the first of these.
fn complete(rows: &Rows) -> Option<(usize, Vec<bool>)> {
    let pairs = || rows.iter().filter(|(_, halves)| halves.iter().all(|tests| !tests.is_empty()));
    let together = pairs().find(|(_, [first, second])| !first.is_disjoint(second));
    together.or_else(|| pairs().next()).map(|(choice, _)| choice.clone())
}

/// A limit was reached, or there is no engine.
struct Undecided;

/// The model of the goals, with or without an engine. New expressions are added to it.
pub enum Ground<'a> {
    /// A model with an engine.
    Engine(&'a mut Symbolic),
    /// A model with fewer executions than that of the goals: what it does not reach may still be feasible.
    Part(&'a mut Symbolic),
    /// A model alone: only tests can settle a pair.
    Model(&'a TransitionSystem),
}

impl Ground<'_> {
    fn model(&mut self) -> &TransitionSystem {
        match self {
            Ground::Engine(engine) | Ground::Part(engine) => engine.system(),
            Ground::Model(model) => model,
        }
    }

    /// Decides a pair, one form after the other.
    fn decide(&mut self, forms: &[Vec<Way>], initial: bool, tests: &[Trace]) -> Known {
        for (form, ways) in forms.iter().enumerate() {
            let rows = rows(self.model(), ways, initial, tests);
            if let Some((way, values)) = complete(&rows) {
                return Known::Chosen((form, way, values));
            }
            match self.ask(ways, initial, &rows) {
                Ok(Some((way, values))) => return Known::Chosen((form, way, values)),
                Ok(None) => {}
                Err(Undecided) => return Known::Undecided,
            }
        }
        Known::Impossible
    }

    /// The first feasible pair, preferably one of which the tests have a half.
    fn ask(&mut self, ways: &[Way], initial: bool, rows: &Rows) -> Result<Option<(usize, Vec<bool>)>, Undecided> {
        let (engine, mut undecided) = match self {
            Ground::Engine(engine) => (engine, false),
            Ground::Part(engine) => (engine, true),
            Ground::Model(_) => return Err(Undecided),
        };
        for (way, values) in rows.keys().take(COMPLETED_PAIRS) {
            let Way { halves, same, .. } = &ways[*way];
            let mut predicates = *halves;
            for (expr, value) in same.iter().zip(values) {
                let model = engine.system();
                let part = if *value { *expr } else { not(model, *expr) };
                predicates = predicates.map(|half| make(model, Node::Binary(BinaryOp::And, half, part)));
            }
            if engine.agree(Agreement { predicates, same: &[], initial }).is_ok_and(|found| found.is_some()) {
                return Ok(Some((*way, values.clone())));
            }
        }
        for (index, way) in ways.iter().enumerate() {
            match engine.agree(Agreement { predicates: way.halves, same: &way.same, initial }) {
                Ok(Some(values)) => return Ok(Some((index, values))),
                Ok(None) => {}
                Err(_) => undecided = true,
            }
        }
        if undecided { Err(Undecided) } else { Ok(None) }
    }
}

fn make(model: &TransitionSystem, node: Node) -> ExprId {
    model.make(node).expect("conditions are truth values")
}

fn not(model: &TransitionSystem, expr: ExprId) -> ExprId {
    match model[expr] {
        Node::Unary(UnaryOp::Not, inner) => inner,
        _ => make(model, Node::Unary(UnaryOp::Not, expr)),
    }
}
