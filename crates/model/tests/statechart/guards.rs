//! Guards: read ones, and those that are inputs.

use super::*;

#[test]
fn guards_and_assignments_of_a_script_are_read() {
    let text = "import { setup, assign } from 'xstate';
        export const machine = setup({
            guards: { more: ({ context }) => context.n < 2 },
            actions: { add: assign({ n: ({ context }) => context.n + 1 }) },
        }).createMachine({
            context: { n: 0, on: false },
            initial: 'a',
            states: {
                a: { on: { E: [{ guard: 'more', actions: 'add' }, { target: 'b' }] } },
                b: { entry: assign({ on: true, n: 0 }), exit: assign(({ context }) => ({ on: !context.on })), on: { E: 'a' } },
            },
        });";
    check(
        "a.ts",
        text,
        &["E", "E", "E", "E"],
        &[
            "state=a context.n=0 context.on=FALSE",
            "state=a context.n=1 context.on=FALSE",
            "state=a context.n=2 context.on=FALSE",
            "state=b context.n=0 context.on=TRUE",
            "state=a context.n=0 context.on=FALSE",
        ],
    );
}

#[test]
fn guards_that_cannot_be_read_are_inputs_by_their_names() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"E": {"target": "b", "guard": "ok"}}}, "b": {}}}"#;
    check("a.json", text, &["E", "E guard.ok"], &["state=a", "state=a", "state=b"]);
}

#[test]
fn a_guard_that_reads_what_is_left_out_is_an_input_wherever_it_stands() {
    let text = "import { setup, assign, not } from 'xstate';
        export const machine = setup({ guards: { isEmpty: ({ context }) => context.items.length === 0 } }).createMachine({
            context: { items: [] }, initial: 'a', states: {
            a: { on: { ADD: { actions: assign({ items: ({ context, event }) => [...context.items, event.item] }) },
                GO: { guard: not('isEmpty'), target: 'b' },
                ALL: [{ guard: ({ context }) => context.items.length > 9, target: 'c' }, { guard: ({ event }) => event.ok, target: 'b' }] } },
            b: { always: { guard: 'isEmpty', target: 'a' } }, c: {} } });";
    let expected = ["state=a", "state=a", "state=b"];
    check("a.ts", text, &["GO guard.isEmpty", "GO"], &expected);
    check("a.ts", text, &["ALL", "ALL guard.a.ALL.2"], &expected);
    check("a.ts", text, &["ALL", "ALL guard.a.ALL"], &["state=a", "state=a", "state=c"]);
}

#[test]
fn a_guard_that_is_an_input_for_one_event_is_one_for_all() {
    let text = "import { setup } from 'xstate';
        export const machine = setup({ guards: { ok: ({ event }) => event.type === 'E' && event.ok } }).createMachine({
            initial: 'a', states: { a: { on: { E: { guard: 'ok', target: 'b' }, F: { guard: 'ok', target: 'b' } } }, b: {} } });";
    check("a.ts", text, &["F", "F guard.ok"], &["state=a", "state=a", "state=b"]);
}

#[test]
fn guards_that_are_inputs_have_values_of_their_own_at_the_start() {
    let text = r#"{"initial": "a", "states": {
        "a": {"always": [{"guard": "ready", "target": "b"}, "c"]}, "b": {"on": {"E": "a"}}, "c": {"on": {"E": "a"}}}}"#;
    let model = model("a.json", text);
    let kinds: Vec<_> = model.vars().map(|(_, var)| (var.name.as_str(), var.kind)).collect();
    assert!(kinds.contains(&("start.guard.ready", VarKind::Frozen)), "{kinds:?}");
    assert_eq!(walk(&model, &["E guard.ready", "E"]), ["state=c", "state=b", "state=c"]);
}

#[test]
fn guards_in_states_that_are_never_left_at_rest_are_read_where_they_are_evaluated() {
    // Of the events of a tester, `sendid` is not known; of those that the chart raises, it is.
    let text = scxml(
        "",
        r#"<state id="a"><onentry><raise event="foo"/></onentry>
        <transition event="foo" cond="'sendid' in _event" target="b"/><transition event="*" target="c"/></state>
        <state id="b"/><state id="c"/>"#,
    );
    assert_eq!(codes("a.scxml", &text), [""; 0]);
    check("a.scxml", &text, &["foo"], &["state=b", "state=b"]);
}
