//! The drawing of a statechart, with what the tests of a suite reach.

use crate::Graded;
use specwright_harness::report::page::{ChartState, ChartTransition, ChartView};
use specwright_model::diagram::DiagramStateKind;
use specwright_model::interp::eval_bool;
use specwright_model::{ExprId, State};
use specwright_testgen::suite::{Validated, validate};

/// The chart; `None` for a specification that is none.
pub(super) fn chart(outcome: &Graded) -> Option<ChartView> {
    let model = &outcome.model;
    let diagram = model.source.diagram.as_ref()?;
    let traces = outcome.read.suite.tests.iter().filter_map(|test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => Some(trace),
        _ => None,
    });
    let mut states: Vec<State> = Vec::new();
    // The last state of an execution has inputs that are never sent.
    let mut left: Vec<State> = Vec::new();
    for trace in traces {
        let n = if trace.loop_start.is_some() { trace.states.len() } else { trace.states.len().saturating_sub(1) };
        left.extend(trace.states[..n].iter().cloned());
        states.extend(trace.states);
    }
    let holds = |expr: ExprId, in_any: &[State]| {
        in_any.iter().any(|state| eval_bool(model, expr, state, None).unwrap_or(false))
    };
    let name = |kind: DiagramStateKind, name: &str| match kind {
        DiagramStateKind::History { deep: true } => "H*".to_owned(),
        DiagramStateKind::History { deep: false } => "H".to_owned(),
        _ => name.to_owned(),
    };
    Some(ChartView {
        states: diagram
            .states
            .iter()
            .enumerate()
            .map(|(at, state)| ChartState {
                name: name(state.kind, &state.name),
                parent: state.parent,
                is_initial: state.parent.is_some_and(|parent| diagram.states[parent].initial == Some(at)),
                is_parallel: state.kind == DiagramStateKind::Parallel,
                reached: state.active.map(|active| holds(active, &states)),
            })
            .collect(),
        transitions: diagram
            .transitions
            .iter()
            .map(|transition| ChartTransition {
                source: transition.source,
                targets: transition.targets.clone(),
                label: transition.label.replace("xstate.", ""),
                is_taken: transition.taken.iter().any(|taken| holds(*taken, &left)),
            })
            .collect(),
    })
}
