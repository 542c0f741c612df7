//! Actors: invoked ones, and those that are sent to.

use super::*;

#[test]
fn actors_report_only_while_they_are_invoked() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"E": "b"}},
        "b": {"invoke": {"id": "load", "src": "load", "onDone": "c", "onError": "a"}}, "c": {}}}"#;
    let model = model("a.json", text);
    assert_eq!(
        walk(&model, &["E", "error.load", "E", "done.load"]),
        ["state=a", "state=b", "state=a", "state=b", "state=c"]
    );
    assert!(std::panic::catch_unwind(|| walk(&model, &["done.load"])).is_err());
}

#[test]
fn what_scxml_invokes_is_played_by_the_tester() {
    let text = scxml(
        "",
        r#"<state id="a"><invoke id="x" type="scxml" src="x.scxml"/>
        <transition event="done.invoke.x" target="b"/></state><state id="b"/>"#,
    );
    assert_eq!(codes("a.scxml", &text), ["SC065"]);
    check("a.scxml", &text, &["done.x"], &["state=a", "state=b"]);
}

#[test]
fn an_actor_tells_of_its_snapshot_when_it_starts() {
    let text = "export const machine = createMachine({
        context: { n: 0 },
        initial: 'a',
        states: {
            a: { on: { GO: 'b', PASS: 'c' } },
            b: {
                invoke: { id: 'k', src: 'k', onSnapshot: { actions: assign({ n: ({ context }) => (context.n + 1) % 4 }) } },
                on: { SEND: { actions: sendTo('k', { type: 'E' }) }, BACK: 'a', AGAIN: { target: 'b', reenter: true } },
            },
            c: { always: 'd', invoke: { id: 'm', src: 'k', onSnapshot: { actions: assign({ n: 3 }) } } },
            d: { on: { BACK: 'a' } },
        },
    });";
    check(
        "a.ts",
        text,
        &["GO", "snapshot.k", "SEND", "AGAIN", "BACK", "PASS"],
        &[
            "state=a context.n=0",
            "state=b context.n=1",
            "state=b context.n=2",
            "state=b context.n=3",
            "state=b context.n=0",
            "state=a context.n=0",
            // The actor of `c` has not started when its state is left.
            "state=d context.n=0",
        ],
    );
}

#[test]
fn an_actor_ends_once() {
    let text = "export const machine = createMachine({
        context: { n: 0 },
        initial: 'a',
        states: {
            a: {
                invoke: { id: 'k', src: 'k', onDone: { actions: assign({ n: 1 }) }, onError: 'b', onSnapshot: {} },
                on: { AGAIN: { target: 'a', reenter: true } },
            },
            b: {},
        },
    });";
    let model = model("a.ts", text);
    assert_eq!(possible(&model, &[]), ["AGAIN", "done.k", "error.k", "snapshot.k"]);
    assert_eq!(possible(&model, &["done.k"]), ["AGAIN"]);
    assert_eq!(possible(&model, &["done.k", "AGAIN"]), ["AGAIN", "done.k", "error.k", "snapshot.k"]);
}

#[test]
fn events_to_actors_that_are_not_running_and_errors_without_a_transition_are_reported() {
    let text = "export const machine = createMachine({
        initial: 'a',
        states: {
            a: { invoke: { id: 'k', src: 'k', onError: { guard: ({ event }) => event.error.final, target: 'b' } }, on: { B: 'b' } },
            b: { on: { E: { actions: sendTo('k', { type: 'E' }) } } },
        },
    });";
    let model = model("a.ts", text);
    let hazards: Vec<_> = model.source.hazards.iter().map(|hazard| hazard.code.0).collect();
    assert_eq!(hazards, ["SC093", "SC094"]);
}

#[test]
fn what_scxml_invokes_fails_where_a_transition_takes_the_error() {
    let text = |events: &str| {
        scxml(
            "",
            &format!(
                r#"<state id="a"><invoke id="x"/><invoke id="y"/><transition event="done.invoke.x" target="b"/>
            <transition event="{events}" target="c"/></state><state id="b"/>
            <state id="c"><transition event="back" target="a"/></state>"#
            ),
        )
    };
    let chart = model("a.scxml", &text("error.communication"));
    assert_eq!(possible(&chart, &[]), ["back", "done.x", "done.y", "error.communication.x", "error.communication.y"]);
    // After the end of one actor, the other one may fail.
    assert_eq!(
        walk(&chart, &["done.y", "error.communication.x", "back", "done.x"]),
        ["state=a", "state=a", "state=c", "state=a", "state=b"]
    );
    assert_eq!(possible(&chart, &["done.y"]), ["back", "done.x", "error.communication.x"]);
    assert!(possible(&model("a.scxml", &text("error")), &[]).contains(&"error.communication.x".into()));
    assert!(possible(&model("a.scxml", &text("error.execution")), &[]).contains(&"error.execution.y".into()));
    assert_eq!(possible(&model("a.scxml", &text("error.custom")), &[]), ["back", "done.x", "done.y", "error.custom"]);
}
