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

#[test]
fn parameters_may_have_defaults() {
    let text = "import { createMachine, assign } from 'xstate';
        const step = 5;
        const add = (n, step = 1) => n + step;
        const grow = ({ by = 2, most = by + 6 } = {}) => assign({ n: ({ context }) => Math.min(context.n + by, most) });
        const stage = (next, time = 100, extra = {}) => ({ after: { [time]: next }, ...extra });
        export const machine = createMachine({ context: { n: 0 }, initial: 'a', states: {
            a: stage('b', 100, { on: { E: { actions: assign({ n: ({ context }) => context.n < 3 ? add(context.n) : 0 }) } } }),
            b: stage('a', undefined, { on: { E: { actions: grow() }, F: { actions: grow({ by: 3, most: 7 }) } } }) } });";
    check(
        "a.js",
        text,
        &["E", "after.100.a", "E", "E", "F", "E", "after.100.b"],
        &[
            "state=a context.n=0",
            "state=a context.n=1",
            "state=b context.n=1",
            "state=b context.n=3",
            "state=b context.n=5",
            "state=b context.n=7",
            "state=b context.n=8",
            "state=a context.n=8",
        ],
    );
}

#[test]
fn names_of_functions_hide_those_of_the_script() {
    // What these functions use is none of the constants, and is not known.
    for function in [
        "({ context }, n = 1) => n",
        "({ context }, { n = 1 }) => n",
        "({ context }, ...[n]) => n",
        "({ context }, [n]) => n",
        "({ context }, { m, ...n }) => n.m",
        "({ event: { type: n = 1 } }) => n",
    ] {
        let text = format!(
            "import {{ createMachine, assign }} from 'xstate';
            const n = {{ m: 7 }};
            export const machine = createMachine({{ context: {{ n: 0 }}, initial: 'a', states: {{
                a: {{ on: {{ E: {{ actions: assign({{ n: {function} }}) }} }} }} }} }});"
        );
        assert!(codes("a.js", &text).contains(&"SC061"), "{function}");
    }
    let text = "import { createMachine } from 'xstate';
        const n = 7;
        export const machine = createMachine({ context: ({ input: { n } }) => ({ n, m: 1 }), initial: 'a', states: {
            a: { on: { E: { guard: ({ context }) => context.n === 7, target: 'b' } } }, b: {} } });";
    assert_eq!(codes("a.js", text), ["SC061", "SC061"]);
}

#[test]
fn a_name_that_is_declared_without_a_value_is_undefined() {
    let text = "import { createMachine, assign } from 'xstate';
        const label = 'none';
        const name = (n) => { let label; if (n > 1) label = 'many'; return label ?? 'few'; };
        export const machine = createMachine({ context: { n: 0, label: 'few' }, initial: 'a', states: {
            a: { on: { E: { guard: ({ context }) => context.n < 2, actions: [
                assign({ n: ({ context }) => context.n + 1 }), assign({ label: ({ context }) => name(context.n) })] } } } } });";
    check(
        "a.js",
        text,
        &["E", "E"],
        &[
            "state=a context.n=0 context.label=few",
            "state=a context.n=1 context.label=few",
            "state=a context.n=2 context.label=many",
        ],
    );
}

#[test]
fn arguments_that_a_list_has_are_not_known() {
    let text = "import { createMachine, assign } from 'xstate';
        const both = [1, 2];
        const second = (a, b = 5) => b;
        export const machine = createMachine({ context: { n: 0 }, initial: 'a', states: {
            a: { on: { E: { actions: assign({ n: () => second(...both) }) } } } } });";
    assert_eq!(codes("a.js", text), ["SC061"]);
}

#[test]
fn initial_values_may_be_made_by_functions() {
    let text = "import { createMachine, assign } from 'xstate';
        const EMPTY = null;
        const row = (n = 2) => n === 2 ? [EMPTY, EMPTY] : [];
        const initial = () => { const first = 3; return { row: row(), n: first + 1, size: [EMPTY].length }; };
        export const machine = createMachine({ context: initial(), initial: 'a', states: {
            a: { on: { E: { guard: ({ context }) => context.row[0] === null && context.row.length === 2,
                actions: assign({ n: ({ context }) => Math.min(context.n + context.size, 5) }) } } } } });";
    check(
        "a.js",
        text,
        &["E"],
        &[
            "state=a context.row=[null,null] context.n=4 context.size=1",
            "state=a context.row=[null,null] context.n=5 context.size=1",
        ],
    );
    // What depends on the input of the machine is not known.
    let text = "import { createMachine } from 'xstate';
        export const machine = createMachine({ context: ({ input }) => ({ n: input.n }), initial: 'a', states: { a: {} } });";
    assert_eq!(codes("a.js", text), ["SC061"]);
}

#[test]
fn a_machine_comes_before_functions_that_make_one() {
    let text = "import { createMachine } from 'xstate';
        export const create = (initial = 'a') => createMachine({ initial, states: { a: {}, b: {} } });
        export const machine = create('b');";
    assert!(codes("a.js", text).is_empty());
    check("a.js", text, &[], &["state=b"]);
}

#[test]
fn parameters_of_functions_that_make_machines_hide_constants() {
    for function in [
        "export function make(limit) { return MACHINE; }",
        "export function make({ n: [limit] }) { return MACHINE; }",
        "export function make(n) { let limit = n; console.log(n); return MACHINE; }",
        "export const make = (limit) => MACHINE;",
    ] {
        let machine = "createMachine({ context: { n: 0 }, initial: 'a', states: { a: { on: { E: {
            guard: ({ context }) => context.n < limit, actions: assign({ n: ({ context }) => Math.min(context.n + 1, 3) }) } } } } })";
        let text = format!(
            "import {{ createMachine, assign }} from 'xstate'; const limit = 2; {}",
            function.replace("MACHINE", machine)
        );
        assert_eq!(codes("a.js", &text), ["SC061"], "{function}");
    }
}

#[test]
fn objects_that_code_makes_are_called_unreadable() {
    let text = |states: &str, on: &str| {
        format!("createMachine({{ initial: 'a', states: {{ a: {{ on: {on}, after: {states} }}, b: {{}} }} }})")
    };
    assert_eq!(codes("a.js", &text("{}", "Object.fromEntries([['E', 'b']])")), ["SC061"]);
    assert_eq!(codes("a.js", &text("delays", "{ E: 'b' }")), ["SC061"]);
    assert_eq!(codes("a.js", &text("{}", "'E'")), ["SC004"]);
}
