//! Statecharts to [`Model`]: a step of the model is a macrostep of the chart.
//!
//! The input `event` has the events that a tester can cause. A step is executed symbolically once: the transitions that the
//! event takes, then eventless transitions and internal events until there are none, each with the condition under which it
//! happens. The result is a next value for each variable, see `layout`.
//!
//! What differs between XState and SCXML is decided by the profile of the chart, where it matters: in `events`, `select`,
//! `domain`, `enter`, `step` and `run`.

mod actors;
mod build;
mod cases;
mod config;
mod data;
mod diagram;
mod domain;
mod ecma;
mod elements;
mod enter;
mod events;
mod execute;
mod exprs;
mod finish;
mod independent;
mod intervals;
mod layout;
mod mutants;
mod nearby;
mod order;
mod prune;
mod run;
mod select;
mod send;
mod shadowed;
mod step;
mod takers;
mod timers;
mod touches;
mod variants;

use crate::expr::{ExprId, SourcedExpr};
use crate::model::{Model, TransitionSystem};
use crate::op::BinaryOp;
use crate::value::Value;
use config::Config;
use data::{Facts, Variable};
use ecma::Js;
use elements::Coverage;
use events::Event;
use indexmap::IndexSet;
use layout::Layout;
use prune::Prune;
use rustc_hash::FxHashMap;
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Chart, Expr, ExprKind, StateId};
use specwright_syntax::statechart::codes;
use std::collections::BTreeSet;
use std::sync::Arc;
use takers::Takers;
use touches::Touches;

/// Options of the translation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the model.
    pub name: String,
    /// Whether to attach elements that distinguish mutants of the chart.
    pub mutants: bool,
    /// Whether to attach the machines of these mutants, too.
    pub machine_mutants: bool,
    /// The budget, which the model keeps.
    pub budget: Budget,
}

/// Maximal number of passes that find the ranges of numbers.
const MAX_PASSES: usize = 60;

/// Lowers a chart. There is a model unless a diagnostic is an error.
pub fn lower(chart: &Chart, options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    let mut facts = Facts::default();
    let mut n_passes = 0;
    loop {
        n_passes += 1;
        let mut lowering = Lowering::new(chart, options, facts.clone());
        let hold = lowering.run(options);
        // What cannot be read may be part of states only that are never reached. Where states that are never reached make
        // conditions too large, they are left out as well.
        let is_lost = hold && lowering.has_unreadable() || lowering.is_too_large();
        if is_lost && facts.reachable.is_none() && !facts.is_all {
            facts = Facts { reachable: Some(Vec::new()), ..Facts::default() };
            n_passes = 0;
            continue;
        }
        if !hold && n_passes < MAX_PASSES {
            facts = lowering.facts;
            continue;
        }
        if !hold && facts.reachable.is_some() {
            facts = Facts { is_all: true, ..Facts::default() };
            n_passes = 0;
            continue;
        }
        if !hold {
            let message = "the variables have too many values";
            let span = chart[StateId::ROOT].key.span;
            lowering.diagnostics.push(Diagnostic::error(codes::TOO_MANY_STEPS, span, message));
        }
        // Few states may have bounds that the analysis of single steps cannot find.
        if !lowering.facts.unbounded.is_empty() && !lowering.facts.is_explored && !lowering.has_errors() {
            facts = lowering.facts.clone();
            facts.is_explored = true;
            for (at, range) in lowering.explored_ranges() {
                facts.exact.insert(at, range);
                facts.unbounded.remove(&at);
            }
            continue;
        }
        let mut diagnostics = lowering.diagnostics;
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        diagnostics.dedup();
        return (if failed { None } else { Some(lowering.model) }, diagnostics);
    }
}

/// The state of one pass.
struct Lowering<'a> {
    chart: &'a Chart,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    layout: Layout,
    data: Vec<Variable>,
    facts: Facts,
    events: IndexSet<Event>,
    /// The values of ECMAScript that symbols stand for in variables of several types.
    js_of_symbol: FxHashMap<Value, Js>,
    /// The condition under which expressions are evaluated; nothing if it does not matter.
    path: Option<ExprId>,
    /// The guards that this pass found to be inputs.
    unread: BTreeSet<Arc<str>>,
    /// Where expressions that were evaluated since the last look throw errors.
    thrown: Vec<ExprId>,
    /// Where guards have thrown errors since the last look.
    failed_guards: Vec<ExprId>,
    /// Whether the start is being unfolded.
    is_start: bool,
    /// Whether a delayed event has no timer yet.
    is_incomplete: bool,
    /// For each transition the state whose descendants it leaves.
    domains: Vec<domain::Domain>,
    /// The position of each state if children come before parents.
    post_order: Vec<usize>,
    /// For each state its last descendant in document order, or itself.
    extents: Vec<usize>,
    takers: Takers,
    prune: Prune,
    coverage: Coverage,
    touches: Touches,
    /// Whether a changed chart is lowered, which must not have more variables.
    is_variant: bool,
    /// The events that a tester can cause, with their values.
    currents: Vec<(usize, ExprId)>,
    /// The configuration before a step.
    now: Config,
    /// What holds in all steps.
    constraints: Vec<ExprId>,
    /// Comparisons of choices with constants.
    compared: FxHashMap<(BinaryOp, ExprId, ExprId), ExprId>,
}

impl<'a> Lowering<'a> {
    fn new(chart: &'a Chart, options: &Options, facts: Facts) -> Lowering<'a> {
        let system = TransitionSystem { budget: options.budget.clone(), ..TransitionSystem::default() };
        let mut lowering = Lowering {
            chart,
            model: Model { name: options.name.clone(), system, ..Model::default() },
            diagnostics: Vec::new(),
            layout: Layout::default(),
            data: Vec::new(),
            facts,
            events: IndexSet::new(),
            js_of_symbol: FxHashMap::default(),
            path: None,
            unread: BTreeSet::new(),
            thrown: Vec::new(),
            failed_guards: Vec::new(),
            is_start: false,
            is_incomplete: false,
            domains: Vec::new(),
            post_order: Vec::new(),
            extents: Vec::new(),
            takers: Takers::default(),
            prune: Prune::default(),
            coverage: Coverage::default(),
            touches: Touches::default(),
            is_variant: false,
            currents: Vec::new(),
            now: Config {
                active: Vec::new(),
                seen: None,
                data: Vec::new(),
                memories: Vec::new(),
                event: Vec::new(),
                queue: Vec::new(),
                sent: Vec::new(),
                actors: Vec::new(),
                sent_nowhere: ExprId(0),
                unhandled: ExprId(0),
                timers: Vec::new(),
                due: Vec::new(),
                ties: Vec::new(),
                sent_again: ExprId(0),
                order: Vec::new(),
                done: ExprId(0),
            },
            constraints: Vec::new(),
            compared: FxHashMap::default(),
        };
        lowering.facts.unread.extend(unknown_guards(chart));
        lowering.now.done = lowering.boolean(false);
        lowering.now.sent_again = lowering.now.done;
        lowering.now.sent_nowhere = lowering.now.done;
        lowering.now.unhandled = lowering.now.done;
        lowering
    }

    /// One pass. Whether the ranges of numbers were large enough.
    fn run(&mut self, options: &Options) -> bool {
        self.find_domains();
        if self.has_errors() {
            return true;
        }
        self.make_layout(events::externals(self.chart, &self.facts.sent));
        self.make_timers();
        self.make_actors();
        self.make_order();
        self.make_data();
        self.set_now();
        let has_mutants = options.mutants || options.machine_mutants;
        self.touches = if has_mutants { Touches::on() } else { Touches::default() };
        let start = self.unfold_start();
        let at_start =
            std::mem::replace(&mut self.touches, if has_mutants { Touches::on() } else { Touches::default() });
        let is_reached = self.reach(&start.config);
        if !self.ranges_hold(&start.config.data.clone()) || std::mem::take(&mut self.is_incomplete) || !is_reached {
            return false;
        }
        self.coverage.is_on = true;
        let mut step = self.unfold_step();
        self.coverage.is_on = false;
        let in_step = std::mem::take(&mut self.touches);
        let is_reached = self.reach(&step.config);
        if !self.ranges_hold(&step.config.data.clone()) || std::mem::take(&mut self.is_incomplete) || !is_reached {
            return false;
        }
        // A guard that is an input in one place is one in all.
        let n_unread = self.facts.unread.len();
        self.facts.unread.append(&mut self.unread);
        if self.facts.unread.len() > n_unread {
            return false;
        }
        self.keep_ranges(true, &mut step.config);
        self.finish(&start, &step);
        self.report_unbounded();
        self.report_shadowed();
        self.attach_elements();
        self.model.source.diagram = Some(self.diagram());
        if has_mutants && !self.has_errors() {
            self.attach_mutants(options.machine_mutants, at_start, in_step);
        }
        true
    }

    /// Whether something cannot be part of the model, beside the guards that the parser cannot read.
    fn has_unreadable(&self) -> bool {
        let unknown: BTreeSet<Arc<str>> = unknown_guards(self.chart).into_iter().collect();
        !self.facts.opaque.is_empty() || self.has_errors() || self.facts.unread.len() > unknown.len()
    }

    /// Whether conditions are too large to be decided, and fewer states would make them smaller.
    fn is_too_large(&self) -> bool {
        self.prune.is_full() && self.facts.reachable.is_none() && !self.facts.is_all
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Says that a guard is an input because it reads what is not part of the model. The parser has named those that cannot be
    /// read at all.
    fn note_unread(&mut self, name: &Arc<str>, span: Span) {
        self.unread.insert(name.clone());
        let message = "this guard reads a variable that is not part of the model: it becomes an input";
        let diagnostic = Diagnostic::warning(codes::UNREADABLE, span, message)
            .note(format!("the input is `guard.{}`", layout::plain(name)));
        if !self.diagnostics.contains(&diagnostic) && !unknown_guards(self.chart).contains(name) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// An input for a condition that reads what is not part of the model.
    fn unknown_condition(&mut self, span: Span) -> ExprId {
        let name: Arc<str> = format!("condition.{}", span.start).into();
        let message = "this condition reads a variable that is not part of the model: it becomes an input";
        let diagnostic =
            Diagnostic::warning(codes::UNREADABLE, span, message).note(format!("the input is `guard.{name}`"));
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
        self.unknown(&name, span)
    }
}

/// The names of guards that cannot be read somewhere.
fn unknown_guards(chart: &Chart) -> Vec<Arc<str>> {
    let mut waiting: Vec<&Expr> = chart.transitions.iter().filter_map(|transition| transition.guard.as_ref()).collect();
    waiting.extend(chart.actions().into_iter().flat_map(|action| action.kind.expressions()));
    let mut found = Vec::new();
    while let Some(expr) = waiting.pop() {
        if let ExprKind::Unknown(name) = &expr.kind {
            found.push(name.clone());
        }
        waiting.extend(expr.parts());
    }
    found
}

/// An expression with one span for the whole and none for its parts.
fn sourced(expr: ExprId, span: Span) -> SourcedExpr {
    SourcedExpr { expr, spans: [span].into() }
}
