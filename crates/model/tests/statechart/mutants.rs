//! Mutants of charts: each one does what the changed chart does.

use super::*;
use specwright_model::model::ChangedPart;
use specwright_syntax::statechart::ast::{Chart, Expr, ExprKind, StateId};
use std::collections::BTreeSet;

/// What a tester sees and controls in a state, for the variables that both models have.
fn seen(model: &Model, state: &State, other: &Model) -> String {
    let shown = model.vars().filter(|(var, info)| {
        model.role(*var) != Role::Internal && other.vars().any(|(_, other)| other.name == info.name)
    });
    let shown = shown.map(|(var, info)| {
        let value = state.get(var).map_or("?".into(), |value| model.show(value));
        format!("{}={value}", info.name)
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether two models can do the same with the events that both have, as far as a number of states tell.
fn assert_same(name: &str, a: &Model, b: &Model) {
    let explorers = [Explorer::new(a), Explorer::new(b)];
    let models = [a, b];
    let starts = models.map(|model| initial_states(model, 1 << 20).expect("it has a start"));
    let mut waiting = vec![starts];
    let mut done: BTreeSet<String> = BTreeSet::new();
    while let Some([of_a, of_b]) = waiting.pop() {
        let list = |states: &[State], model: &Model, other: &Model| -> BTreeSet<String> {
            states.iter().map(|state| seen(model, state, other)).collect()
        };
        let (in_a, in_b) = (list(&of_a, a, b), list(&of_b, b, a));
        // The changed chart may lack an event.
        let common: BTreeSet<&String> = in_a.intersection(&in_b).collect();
        let lacks = |shown: &str| {
            let event = shown.split(' ').find(|part| part.starts_with("event=")).unwrap_or_default();
            !in_b.iter().any(|other| other.split(' ').any(|part| part == event))
        };
        for shown in in_a.symmetric_difference(&in_b) {
            assert!(in_a.contains(shown) && lacks(shown), "{name}: {shown}\n{in_a:#?}\n{in_b:#?}");
        }
        for shown in common {
            let pick = |states: &[State], model: &Model, other: &Model| {
                states.iter().find(|state| seen(model, state, other) == *shown).cloned().expect("it is one of them")
            };
            let (x, y) = (pick(&of_a, a, b), pick(&of_b, b, a));
            if done.len() < 60 && done.insert(format!("{x:?} {y:?}")) {
                let next = |at: usize, state: &State| -> Option<Vec<State>> {
                    let steps = steps_from(&explorers[at], state, 1 << 20).ok()?;
                    Some(steps.into_iter().map(|step| step.next).collect())
                };
                // A mutant may leave the values that the chart has.
                waiting.extend(next(0, &x).zip(next(1, &y)).map(|(a, b)| [a, b]));
            }
        }
    }
}

/// A chart with one change, by the name that its mutant begins with.
fn changed(chart: &Chart, index: usize) -> Vec<(&'static str, Chart)> {
    let mut found = Vec::new();
    let mut add = |operator, change: &dyn Fn(&mut Chart)| {
        let mut copy = chart.clone();
        change(&mut copy);
        found.push((operator, copy));
    };
    let transition = &chart.transitions[index];
    add("MT", &|chart| chart.states[transition.source.index()].transitions.retain(|other| *other != index));
    if let [target] = transition.targets[..]
        && let Some(parent) = chart[target].parent
    {
        let siblings: Vec<StateId> = chart.substates(parent).collect();
        let at = siblings.iter().position(|sibling| *sibling == target).map_or(0, |at| at + 1);
        let wrong = siblings[at % siblings.len()];
        if wrong != target {
            add("WT", &|chart| chart.transitions[index].targets = vec![wrong]);
        }
    }
    if let Some(guard) = &transition.guard {
        add("MG", &|chart| chart.transitions[index].guard = None);
        let negated = Expr { kind: ExprKind::Not(Box::new(guard.clone())), span: guard.span };
        add("NG", &|chart| chart.transitions[index].guard = Some(negated.clone()));
    }
    if transition.actions.len() == 1 {
        add("MA", &|chart| chart.transitions[index].actions.clear());
    }
    found
}

const CHARTS: [(&str, &str); 5] = [
    (
        "regions.js",
        "createMachine({ type: 'parallel', context: { n: 0 }, states: {
            a: { initial: 'x', states: {
                x: { on: { GO: { target: 'y', actions: raise({ type: 'IN' }) } } },
                y: { on: { GO: 'x', BACK: { target: 'x', guard: ({ context }) => context.n > 0 } },
                     entry: assign({ n: ({ context }) => (context.n + 1) % 3 }) } } },
            b: { initial: 'u', states: {
                u: { on: { IN: { target: 'v', guard: ({ context }) => context.n !== 2 }, BACK: 'v' } },
                v: { always: { target: 'w', guard: ({ context }) => context.n === 1 } },
                w: { on: { GO: 'u', '*': 'v' }, exit: assign({ n: 0 }) } } } } })",
    ),
    (
        "history.js",
        "createMachine({ initial: 'p', states: {
            p: { initial: 'a', on: { OUT: 'q' }, states: {
                a: { on: { N: 'b' } }, b: { initial: 'x', on: { N: 'a' }, states: { x: { on: { M: 'y' } }, y: {} } },
                h: { type: 'history', history: 'deep' } } },
            q: { on: { BACK: 'p.h', NEW: 'p' } } } })",
    ),
    (
        "delays.js",
        "createMachine({ type: 'parallel', states: {
            a: { initial: 'x', states: { x: { after: { 100: 'y' } }, y: { after: { 50: 'x' }, on: { E: 'x' } } } },
            b: { initial: 'u', states: { u: { after: { 75: { target: 'v', guard: 'ready' } }, on: { E: 'v' } },
                                         v: { on: { E: 'u' } } } } } })",
    ),
    (
        "actors.js",
        "createMachine({ context: { tries: 0 }, initial: 'idle', states: {
            idle: { on: { LOAD: 'loading' } },
            loading: { invoke: { id: 'k', src: 'k', onDone: 'done', onError: [
                { target: 'loading', reenter: true, guard: ({ context }) => context.tries < 2,
                  actions: assign({ tries: ({ context }) => context.tries + 1 }) },
                { target: 'idle', actions: assign({ tries: 0 }) }] }, on: { CANCEL: 'idle' } },
            done: { type: 'final' } } })",
    ),
    (
        "errors.scxml",
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript"><datamodel><data id="n" expr="0"/></datamodel>
        <parallel id="p"><state id="a"><state id="a1"><transition event="e.*" target="a2"><raise event="f"/></transition></state>
            <state id="a2"><transition event="g" cond="n == 1" target="a1"/><transition event="e" target="a1"/></state></state>
        <state id="b"><state id="b1"><transition event="f" target="b2"><assign location="n" expr="1 - n"/></transition></state>
            <state id="b2"><onentry><if cond="n == 1"><raise event="g"/></if></onentry>
                <transition event="f e" target="b1"/></state></state></parallel></scxml>"#,
    ),
];

#[test]
fn a_mutant_does_what_the_changed_chart_does() {
    let mut n_compared = 0;
    for (name, text) in CHARTS {
        let mut sources = SourceMap::default();
        sources.add(name, text).unwrap();
        let file = &sources.files()[0];
        let (chart, found) = if name.ends_with("js") { parse_script(file) } else { parse_scxml(file) };
        let chart = chart.unwrap_or_else(|| panic!("{found:?}"));
        let options = Options { mutants: true, machine_mutants: true, ..Options::default() };
        let model = lower(&chart, &options).0.unwrap();
        // Each transition has its mutants one after the other, the first of which removes it.
        let mut rewrites = model.source.rewrites.iter().peekable();
        for index in 0..chart.transitions.len() {
            let mut own = Vec::new();
            while let Some(rewrite) = rewrites.next_if(|rewrite| own.is_empty() || !rewrite.name.starts_with("MT ")) {
                own.push(rewrite);
            }
            for (operator, chart) in changed(&chart, index) {
                let Some(rewrite) = own.iter().find(|rewrite| rewrite.name.starts_with(operator)) else { continue };
                let (Some(expected), _) = lower(&chart, &Options::default()) else { continue };
                let mut mutant = model.clone();
                for (part, value) in rewrite.changes.as_ref().unwrap() {
                    let ChangedPart::Assign(at) = part else { panic!("{part:?}") };
                    mutant.assigns[*at].value.expr = *value;
                }
                assert_same(&format!("{name}: {}", rewrite.name), &mutant, &expected);
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 60, "{n_compared}");
}

#[test]
fn the_predicate_of_a_mutant_is_about_what_it_changes() {
    let states: Vec<String> =
        (0..40).map(|at| format!("\"s{at}\": {{\"on\": {{\"E{at}\": \"s{}\"}}}}", (at + 1) % 40)).collect();
    let text = format!("{{\"initial\": \"s0\", \"states\": {{{}}}}}", states.join(","));
    let mut sources = SourceMap::default();
    sources.add("a.json", text).unwrap();
    let chart = parse_json(&sources.files()[0]).0.unwrap();
    let model = lower(&chart, &Options { mutants: true, ..Options::default() }).0.unwrap();
    let mutants: Vec<_> = model.source.elements.iter().filter(|element| element.kind == "mutant").collect();
    assert_eq!(mutants.len(), 120);
    for mutant in mutants {
        let mut waiting = mutant.instances.clone();
        let mut n = 0;
        while let Some(expr) = waiting.pop() {
            n += 1;
            waiting.extend(model[expr].children());
        }
        assert!(n < 20, "{}: {n}", mutant.name);
    }
}
