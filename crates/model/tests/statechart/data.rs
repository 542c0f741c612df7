//! The context: values, ranges, functions of scripts, constants.

use super::*;

#[test]
fn numbers_that_only_reachable_states_bound_are_found_by_exploration() {
    let text = "createMachine({ context: { n: 0, score: 0 }, initial: 'a', states: {
        a: { on: { RIGHT: { guard: ({context}) => context.n < 2,
                            actions: assign({ n: ({context}) => context.n + 1, score: ({context}) => context.score + 1 }) },
                   WRONG: { guard: ({context}) => context.n < 2, actions: assign({ n: ({context}) => context.n + 1 }) } } } } })";
    check(
        "a.js",
        text,
        &["RIGHT", "WRONG", "RIGHT"],
        &[
            "state=a context.n=0 context.score=0",
            "state=a context.n=1 context.score=1",
            "state=a context.n=2 context.score=1",
            "state=a context.n=2 context.score=1",
        ],
    );
    assert_eq!(codes("a.js", text), [""; 0]);
    let text = "createMachine({ context: { n: 0 }, initial: 'a', states: { a: {
        on: { E: { actions: assign({ n: ({context}) => context.n + 1 }) } } } } })";
    assert_eq!(codes("a.js", text), ["SC062"]);
}

#[test]
fn a_context_may_have_lists_and_values_of_several_types() {
    let text = "import { createMachine, assign } from 'xstate';
        export const machine = createMachine({ context: { error: null, tries: 0, items: ['a'] }, initial: 'a', states: {
            a: { on: { FAIL: { actions: assign({ error: ({ context }) => context.tries + 400, tries: 1 }) },
                       OK: { guard: ({ context }) => context.error == null && context.items.length === 1, target: 'b' },
                       MORE: { guard: ({ context }) => !context.items.includes('b'),
                               actions: assign({ items: ({ context }) => context.items.concat('b') }) } } },
            b: {} } });";
    check(
        "a.ts",
        text,
        &["FAIL", "OK", "FAIL"],
        &[
            "state=a context.error=null context.tries=0 context.items=[a]",
            "state=a context.error=400 context.tries=1 context.items=[a]",
            "state=a context.error=400 context.tries=1 context.items=[a]",
            "state=a context.error=401 context.tries=1 context.items=[a]",
        ],
    );
    check(
        "a.ts",
        text,
        &["MORE", "OK"],
        &[
            "state=a context.error=null context.tries=0 context.items=[a]",
            "state=a context.error=null context.tries=0 context.items=[a,b]",
            "state=a context.error=null context.tries=0 context.items=[a,b]",
        ],
    );
}

#[test]
fn constants_may_stand_for_parts_of_a_configuration() {
    let text = "import { createMachine } from 'xstate';
        const EVENTS = { GO: 'GO', BACK: 'BACK' } as const;
        const common = { RESET: '#m.a' };
        const shared = { ...common, [EVENTS.BACK]: 'a' };
        export const machine = createMachine({ id: 'm', initial: 'a', states: {
            a: { on: { ...common, [EVENTS.GO]: 'b' } }, b: { on: { ...shared, GO: 'c' } }, c: { on: { ...common } } } });";
    check(
        "a.ts",
        text,
        &["GO", "BACK", "GO", "GO", "RESET"],
        &["state=a", "state=b", "state=a", "state=b", "state=c", "state=a"],
    );
    // What is not known is reported, never guessed.
    let text = text.replace("const common = { RESET: '#m.a' };", "const common = load();");
    assert!(codes("a.ts", &text).contains(&"SC061"));
}

#[test]
fn functions_of_the_script_are_read_with_their_arguments() {
    let constants = "enum Limit { None, Some = 2 }
        const isHigh = (n: number) => n >= Limit.Some;
        const clamp = (n: number, high: number) => { const up = n + 1; if (up > high) return 0; return up; };
        function next({ n }: { n: number }) { return clamp(n, 3); }";
    let text = machine(
        constants,
        "{ n: 0 }",
        "({ context }) => isHigh(context.n)",
        "assign({ n: ({ context }) => next(context) })",
    );
    check(
        "a.ts",
        &text,
        &["E", "F", "F", "F", "F", "F", "F", "E"],
        &[
            "state=a context.n=0",
            "state=a context.n=0",
            "state=a context.n=1",
            "state=a context.n=2",
            "state=a context.n=3",
            "state=a context.n=0",
            "state=a context.n=1",
            "state=a context.n=2",
            "state=b context.n=2",
        ],
    );
    // A name of the function is not the constant of the same name.
    let shadowed = machine(
        "const n = 7;",
        "{ n: 0 }",
        "({ context: { n } }) => n === 1",
        "assign(({ context: { n } }) => ({ n: 1 - n }))",
    );
    check("a.ts", &shadowed, &["F", "E"], &["state=a context.n=0", "state=a context.n=1", "state=b context.n=1"]);
    // Functions that call each other without an end are not followed.
    let endless = machine("const f = (n) => f(n) + f(n);", "{ n: 0 }", "({ context }) => f(context.n) > 0", "[]");
    check(
        "a.ts",
        &endless,
        &["E", "E guard.a.E"],
        &["state=a context.n=0", "state=a context.n=0", "state=b context.n=0"],
    );
}

#[test]
fn objects_lists_and_texts_are_read_with_spreads_and_templates() {
    let context = "{ pair: { a: 1, b: false }, list: [], name: 'x', user: null }";
    let action = "[assign({ pair: ({ context }) => ({ ...context.pair, b: !context.pair.b }) }),
        assign({ list: ({ context }) => [...context.list, 'i'].slice(-2) }),
        assign(({ context }) => ({ ...context, name: `n${context.list.length}` })),
        assign({ user: ({ context }) => (context.user === null ? { id: 1 } : null) })]";
    let guard = "({ context }) => (context.user?.id ?? 0) === 1 && context.pair.b && context.list.length > 0";
    let text = machine("", context, guard, action);
    let shown = |state: &str, b: &str, list: &str, name: &str, user: &str| {
        format!(
            "state={state} context.pair.a=1 context.pair.b={b} context.list={list} context.name={name} context.user={user}"
        )
    };
    assert_eq!(
        walk(&model("a.ts", &text), &["E", "F", "F", "F", "E"]),
        [
            shown("a", "FALSE", "[]", "x", "null"),
            shown("a", "FALSE", "[]", "x", "null"),
            shown("a", "TRUE", "[i]", "n1", "{id:1}"),
            shown("a", "FALSE", "[i,i]", "n2", "null"),
            shown("a", "TRUE", "[i,i]", "n2", "{id:1}"),
            shown("b", "TRUE", "[i,i]", "n2", "{id:1}"),
        ]
    );
}

#[test]
fn the_type_of_an_event_is_known_where_a_transition_names_it() {
    let action =
        "assign(({ context, event }) => { if (event.type !== 'F') throw new Error(); return { n: context.n + 1 }; })";
    let text =
        machine("", "{ n: 0 }", "({ context, event }) => event.type === 'G' ? event.ok : context.n === 1", action);
    check("a.ts", &text, &["F", "E"], &["state=a context.n=0", "state=a context.n=1", "state=b context.n=1"]);
}

#[test]
fn variables_without_bounds_leave_the_bounds_of_others_alone() {
    let text = "export const machine = createMachine({
        context: { score: 0, rounds: 0 },
        initial: 'playing',
        states: {
            playing: {
                on: {
                    WIN: { target: 'next', actions: assign({ score: ({ context }) => context.score + 1 }) },
                    DRAW: 'next',
                },
            },
            next: {
                entry: assign({ rounds: ({ context }) => context.rounds + 1 }),
                always: [{ guard: ({ context }) => context.score === 3, target: 'over' }, 'playing'],
            },
            over: { type: 'final' },
        },
    });";
    let model = model("a.ts", text);
    let domain = |name: &str| model.vars().find(|(_, var)| var.name == name).map(|(_, var)| var.domain.clone());
    assert_eq!(domain("context.score"), Some(specwright_model::Domain::Range(0, 3)));
    assert_eq!(domain("context.rounds"), Some(specwright_model::Domain::Integer));
}
