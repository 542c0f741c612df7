//! Delays and delayed events.

use super::*;

#[test]
fn delays_end_in_the_order_of_their_durations() {
    let text = r#"{"initial": "a", "states": {
        "a": {"on": {"E": "b"}},
        "b": {"after": {"1000": {"target": "c", "guard": "ok"}, "3000": "d"}},
        "c": {}, "d": {}}}"#;
    let model = model("a.json", text);
    assert_eq!(walk(&model, &["E", "after.1000.b", "after.3000.b"]), ["state=a", "state=b", "state=b", "state=d"]);
    assert_eq!(walk(&model, &["E", "after.1000.b guard.ok"]), ["state=a", "state=b", "state=c"]);
    let refused = std::panic::catch_unwind(|| walk(&model, &["E", "after.3000.b"]));
    assert!(refused.is_err(), "the shorter delay ends first");
    let refused = std::panic::catch_unwind(|| walk(&model, &["E", "after.1000.b", "after.1000.b"]));
    assert!(refused.is_err(), "a delay ends once");
}

#[test]
fn delays_of_regions_that_end_together_are_one_step() {
    let text = r#"{"type": "parallel", "states": {
        "a": {"initial": "x", "states": {"x": {"after": {"100": "y"}}, "y": {"after": {"100": "x"}}}},
        "b": {"initial": "u", "states": {"u": {"after": {"200": "v"}}, "v": {"on": {"E": "u"}}}}}}"#;
    check(
        "a.json",
        text,
        &["after.100.a.x", "after.200.b.u", "E", "after.100.a.x"],
        &[
            "state.a=x state.b=u",
            "state.a=y state.b=u",
            "state.a=x state.b=v",
            "state.a=x state.b=u",
            "state.a=y state.b=u",
        ],
    );
}

#[test]
fn a_wildcard_of_another_region_may_take_the_end_of_a_delay() {
    // The transition of `a` wins, so `b` stays, and its delay has ended.
    let text = r#"{"id": "m", "type": "parallel", "states": {
        "a": {"on": {"*": {"target": "a", "reenter": true}}},
        "b": {"initial": "x", "states": {"x": {"after": {"10": "\u0023m.b.y"}}, "y": {}}}}}"#;
    let model = model("a.json", text);
    assert!(model.vars().any(|(_, var)| var.name.starts_with("timer.")));
}

#[test]
fn equal_delays_end_in_the_order_in_which_they_were_started() {
    // The order matters, because the root could take both events.
    let text = r#"{"type": "parallel", "on": {"*": {}}, "states": {
        "a": {"initial": "i", "states": {"i": {"on": {"A": "w"}}, "w": {"after": {"10": "d"}},
            "d": {}}},
        "b": {"initial": "i", "states": {"i": {"on": {"B": "w"}}, "w": {"after": {"10": "d"}}, "d": {}}}}}"#;
    // Both delays end in one step; the one that was started first is the one to wait for.
    let model = model("a.json", text);
    for (events, expected) in [(["A", "B", "after.10.a.w"], true), (["B", "A", "after.10.b.w"], true)] {
        let seen = walk(&model, &events);
        assert_eq!(seen.last().is_some_and(|last| last.contains("state.b=d")), expected, "{seen:?}");
    }
    let explorer = Explorer::new(&model);
    let waits = |events: [&str; 2]| -> Vec<String> {
        let mut states = initial_states(&model, 1 << 20).unwrap();
        let event = model.vars().find(|(_, var)| var.name == "event").unwrap().0;
        for name in events {
            let now = states.into_iter().find(|state| model.show(state.get(event).unwrap()) == name).unwrap();
            states = steps_from(&explorer, &now, 1 << 20).unwrap().into_iter().map(|step| step.next).collect();
        }
        let mut after: Vec<String> = states.iter().map(|state| model.show(state.get(event).unwrap())).collect();
        after.retain(|name| name.starts_with("after."));
        after.sort();
        after.dedup();
        after
    };
    assert_eq!(waits(["A", "B"]), ["after.10.a.w"]);
    assert_eq!(waits(["B", "A"]), ["after.10.b.w"]);
}

#[test]
fn delayed_events_of_actions_come_after_their_delay_and_can_be_cancelled() {
    let text = "import { createMachine, raise, cancel } from 'xstate';
        export const machine = createMachine({ initial: 'a', states: {
            a: { on: { GO: 'b' } },
            b: { entry: raise({ type: 'LATE' }, { delay: 500, id: 'late' }), exit: cancel('late'),
                 on: { LATE: 'c', BACK: 'a' }, after: { 1000: 'never' } },
            c: {}, never: {} } });";
    check("a.ts", text, &["GO", "delayed.500.LATE"], &["state=a", "state=b", "state=c"]);
    let seen = walk(&model("a.ts", text), &["GO", "BACK", "LATE"]);
    assert_eq!(seen.last().unwrap(), "state=a");
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" initial="a">
        <state id="a"><onentry><send event="slow" delay="1.5s" id="s"/><send event="fast" delayexpr="'20ms'"/></onentry>
            <transition event="fast" target="b"><cancel sendid="s"/></transition><transition event="slow" target="c"/></state>
        <state id="b"/><state id="c"/></scxml>"#;
    check("a.scxml", text, &["delayed.20.fast"], &["state=a", "state=b"]);
}

#[test]
fn a_delayed_event_that_is_sent_again_while_it_waits_is_reported() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" initial="a"><state id="a">
        <onentry><send event="e" delay="1s"/><send event="e" delay="1s"/></onentry></state></scxml>"#;
    assert_eq!(codes("a.scxml", text), ["SC092"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" initial="a"><state id="a">
        <transition event="t"><send event="e" delay="1s"/></transition></state></scxml>"#;
    let hazards: Vec<&str> = model("a.scxml", text).source.hazards.iter().map(|hazard| hazard.code.0).collect();
    assert_eq!(hazards, ["SC092"]);
}

#[test]
fn a_delayed_event_with_the_id_of_one_that_waits_is_reported_where_the_id_is_cancelled() {
    let text = |cancel: &str| {
        format!(
            "export const machine = createMachine({{ on: {{
                SOON: {{ actions: raise({{ type: 'T' }}, {{ delay: 10, id: 'timeout' }}) }},
                LATE: {{ actions: raise({{ type: 'T' }}, {{ delay: 20, id: 'timeout' }}) }},
                {cancel} }}, initial: 'a', states: {{ a: {{}} }} }});"
        )
    };
    let model_of = |cancel: &str| model("a.js", &text(cancel));
    let hazards = |cancel: &str| model_of(cancel).source.hazards.len();
    assert_eq!((hazards(""), hazards("STOP: { actions: cancel('timeout') }")), (1, 1));
    let goes_on = |cancel: &str, events: &[&str]| !possible(&model_of(cancel), events).is_empty();
    assert!(goes_on("", &["SOON", "LATE"]));
    assert!(!goes_on("STOP: { actions: cancel('timeout') }", &["SOON", "LATE"]));
    assert!(goes_on("STOP: { actions: cancel('timeout') }", &["SOON", "STOP", "LATE"]));
}

#[test]
fn regions_with_many_delays_are_lowered() {
    let region = |at: usize| {
        let time = 100 + 37 * at;
        format!(
            r#""r{at}": {{"initial": "a", "states": {{"a": {{"after": {{"{time}": "b"}}}}, "b": {{"on": {{"E{at}": "a"}}}}}}}}"#
        )
    };
    let regions: Vec<String> = (0..12).map(region).collect();
    let model = model("a.json", &format!(r#"{{"type": "parallel", "states": {{{}}}}}"#, regions.join(", ")));
    assert_eq!(possible(&model, &["after.100.r0.a"])[12..], ["after.137.r1.a"]);
}

#[test]
fn the_order_of_delays_that_end_together_is_part_of_the_model_where_it_matters() {
    let chart = |action: &str, always: &str| {
        format!(
            "createMachine({{ type: 'parallel', context: {{ n: 0, m: 0 }}, states: {{
            a: {{ initial: 'x', states: {{ x: {{ on: {{ A: 'y' }} }}, y: {{ after: {{ 100: {{ target: 'x', actions: assign({{ n: 1 }}) }} }} }} }} }},
            b: {{ initial: 'u', states: {{ u: {{ on: {{ B: 'v' }} }}, v: {{ after: {{ 100: {{ target: 'u', {action} }} }} }} }} }},
            c: {{ initial: 'p', states: {{ p: {{ {always} }}, q: {{}} }} }} }} }})"
        )
    };
    let orders = |action: &str, always: &str| {
        let model = model("a.js", &chart(action, always));
        model.vars().filter(|(_, var)| var.name.starts_with("started.")).count()
    };
    assert_eq!(orders("actions: assign({ m: 1 })", ""), 0);
    assert_eq!(orders("actions: assign({ n: 2 })", ""), 1);
    assert_eq!(orders("actions: raise({ type: 'A' })", ""), 1);
    assert_eq!(orders("guard: ({ context }) => context.n === 0", ""), 1);
    assert_eq!(orders("guard: stateIn({ a: 'x' })", ""), 1);
    assert_eq!(orders("", "always: { target: 'q', guard: ({ context }) => context.n === 1 }"), 1);
    assert_eq!(orders("", "always: { target: 'q', guard: ({ context }) => context.m === 1 }"), 0);
    // Both end in one step, whichever the tester waits for.
    check(
        "a.js",
        &chart("actions: assign({ m: 1 })", ""),
        &["A", "B", "after.100.a.y"],
        &[
            "state.a=x state.b=u state.c=p context.n=0 context.m=0",
            "state.a=y state.b=u state.c=p context.n=0 context.m=0",
            "state.a=y state.b=v state.c=p context.n=0 context.m=0",
            "state.a=x state.b=u state.c=p context.n=1 context.m=1",
        ],
    );
}
