//! JavaScript and TypeScript: enqueued actions, and functions that make machines.

use super::*;

#[test]
fn conditions_of_enqueued_actions_are_evaluated_before_all_of_them() {
    let text = "import { setup, assign, enqueueActions } from 'xstate';
        export const machine = setup({ guards: { one: ({ context }) => context.n === 1 }, actions: {
            more: enqueueActions(({ context, enqueue, check }) => {
                enqueue.assign({ n: context.n + 1 });
                if (check('one')) { enqueue.raise({ type: 'NEXT' }); } else if (context.n > 1) { enqueue('clear'); }
            }),
            clear: assign({ n: 0 }),
        } }).createMachine({ context: { n: 0 }, initial: 'a', states: {
            a: { on: { E: { actions: 'more' }, NEXT: 'b' } }, b: { on: { E: { actions: 'more' } } } } });";
    check(
        "a.ts",
        text,
        &["E", "E", "E"],
        &["state=a context.n=0", "state=a context.n=1", "state=b context.n=2", "state=b context.n=0"],
    );
}

#[test]
fn an_event_that_the_actor_sends_to_itself_comes_after_the_raised_ones() {
    let text = "import { createMachine, raise, sendTo } from 'xstate';
        export const machine = createMachine({ initial: 'a', states: {
            a: { on: { E: { actions: [sendTo(({ self }) => self, { type: 'S' }), raise({ type: 'R' })] }, S: 'c', R: 'b' } },
            b: { on: { S: 'd' } }, c: {}, d: {} } });";
    check("a.ts", text, &["E"], &["state=a", "state=d"]);
}

#[test]
fn functions_that_enqueue_may_declare_names_and_return_early() {
    let action = "enqueueActions(({ context, event, enqueue }) => {
        const next = context.n + 1;
        if (next > 2) return;
        enqueue.assign({ n: next });
        if (event.ok) { enqueue.assign({ seen: 1 }); }
    })";
    let text = machine("", "{ n: 0, seen: 0 }", "({ context }) => context.n === 2", action);
    check(
        "a.ts",
        &text,
        &["F", "F", "F", "E"],
        &[
            "state=a context.n=0",
            "state=a context.n=1",
            "state=a context.n=2",
            "state=a context.n=2",
            "state=b context.n=2",
        ],
    );
    // Whether the event is raised is not known.
    assert!(
        codes("a.ts", &text.replace("enqueue.assign({ seen: 1 })", "enqueue.raise({ type: 'E' })")).contains(&"SC061")
    );
    assert!(read("a.ts", &text.replace("enqueue.assign({ seen: 1 })", "enqueue.raise({ type: 'E' })")).0.is_none());
}

#[test]
fn functions_make_parts_of_machines() {
    let text = "const step = (next, guard) => ({ on: { NEXT: { target: next, guard } } });
        const set = (n) => assign({ n });
        const atLeast = (least) => ({ context }) => context.n >= least;
        function add(by) {
            const change = by + 1;
            return assign({ n: ({ context }) => Math.min(context.n + change, 9) });
        }
        export const machine = createMachine({
            context: { n: 0 },
            initial: 'a',
            states: { a: step('b', atLeast(3)), b: { ...step('a'), entry: set(7) } },
            on: { ADD: { actions: add(1) } },
        });";
    check(
        "a.ts",
        text,
        &["NEXT", "ADD", "ADD", "NEXT", "NEXT"],
        &[
            "state=a context.n=0",
            "state=a context.n=0",
            "state=a context.n=2",
            "state=a context.n=4",
            "state=b context.n=7",
            "state=a context.n=7",
        ],
    );
}

#[test]
fn cases_lists_in_parts_and_computed_parameters_are_read() {
    let text = "function next(mode) {
            switch (mode) {
                case 'off':
                case 'low': {
                    return mode === 'off' ? 'low' : 'high';
                }
                default:
                    return 'off';
            }
        }
        export const machine = setup({
            guards: { below: (_, params) => params.n < params.max },
            actions: { add: assign({ n: ({ context }, params) => context.n + params.by }) },
        }).createMachine({
            context: { mode: 'off', n: 0, list: ['x', 'y'] },
            initial: 'a',
            states: { a: {} },
            on: {
                MODE: { actions: assign({ mode: ({ context }) => next(context.mode) }) },
                ADD: {
                    guard: { type: 'below', params: ({ context }) => ({ n: context.n, max: 2 }) },
                    actions: { type: 'add', params: () => ({ by: 2 }) },
                },
                TAKE: { actions: assign(({ context }) => { const [first, ...list] = context.list; return { list }; }) },
            },
        });";
    check(
        "a.ts",
        text,
        &["MODE", "MODE", "MODE", "ADD", "ADD", "TAKE"],
        &[
            "state=a context.mode=off context.n=0 context.list=[x,y]",
            "state=a context.mode=low context.n=0 context.list=[x,y]",
            "state=a context.mode=high context.n=0 context.list=[x,y]",
            "state=a context.mode=off context.n=0 context.list=[x,y]",
            "state=a context.mode=off context.n=2 context.list=[x,y]",
            "state=a context.mode=off context.n=2 context.list=[x,y]",
            "state=a context.mode=off context.n=2 context.list=[y]",
        ],
    );
}

#[test]
fn loops_in_enqueued_actions_have_effects_only() {
    let text = |body: &str| {
        format!(
            "export const machine = createMachine({{ context: {{ n: 0, list: [] }}, initial: 'a', states: {{ a: {{}} }}, on: {{
                E: {{ actions: enqueueActions(({{ context, enqueue }}) => {{ {body} }}) }} }} }});"
        )
    };
    let harmless =
        text("for (const item of context.list) { enqueue.sendTo(item.ref, { type: 'X' }); } enqueue.assign({ n: 1 });");
    check("a.ts", &harmless, &["E"], &["state=a context.n=0 context.list=[]", "state=a context.n=1 context.list=[]"]);
    let harmless = text("context.list.forEach((item) => enqueue.emit({ type: 'X', item }));");
    assert_eq!(codes("a.ts", &harmless), [""; 0]);
    for body in [
        "context.list.forEach(() => enqueue.raise({ type: 'X' }));",
        "help(enqueue);",
        "while (ready()) enqueue.raise({ type: 'X' });",
    ] {
        assert_eq!(codes("a.ts", &text(body)), ["SC061"], "{body}");
    }
}

#[test]
fn the_exported_machine_is_read() {
    let text = "const child = createMachine({ initial: 'no', states: { no: {} } });
        const make = () => createMachine({ initial: 'neither', states: { neither: {} } });
        const base = createMachine({ initial: 'yes', states: { yes: {} } });
        export const machine = base.provide({});";
    check("a.ts", text, &[], &["state=yes"]);
    let text = "const child = createMachine({ initial: 'no', states: { no: {} } });
        const parent = createMachine({ initial: 'yes', states: { yes: {} } });
        module.exports = { parent };";
    check("a.cjs", text, &[], &["state=yes"]);
    let two = "export const b = createMachine({ initial: 'b', states: { b: {} } });
        export const a = createMachine({ initial: 'a', states: { a: {} } });";
    check("a.ts", two, &[], &["state=a"]);
    assert_eq!(codes("a.ts", two), ["SC003"]);
}

#[test]
fn conditions_and_numbers_of_constants_are_computed() {
    let text = "import { createMachine } from 'xstate';
        const SECOND = 1_000;
        const DEBUG = false;
        const step = (next, back) => ({ on: { NEXT: next, ...(back ? { BACK: back } : {}), ...(DEBUG && { DUMP: 'c' }) } });
        export const machine = createMachine({ initial: 'a', states: {
            a: step('b'), b: { ...step('c', 'a'), after: { [1.5 * SECOND]: 'c', [2 * SECOND]: 'a' } }, c: {} } });";
    let model = model("a.js", text);
    assert_eq!(possible(&model, &["NEXT"]), ["BACK", "NEXT", "after.1500.b"]);
}

#[test]
fn a_delay_that_is_no_whole_number_may_end_at_any_time() {
    let text = r#"{"initial": "a", "states": {"a": {"after": {"0.5": "b", "2.25": "c", "10": "d"}}, "b": {}, "c": {}, "d": {}}}"#;
    assert_eq!(codes("a.json", text), ["SC064", "SC064"]);
    assert_eq!(possible(&model("a.json", text), &[]), ["after.0.5.a", "after.10.a", "after.2.25.a", "none"]);
}
