//! Compound and parallel states, histories, eventless transitions and their order.

use super::*;

#[test]
fn compound_states_start_in_their_initial_states_and_inner_transitions_come_first() {
    let text = r#"{"initial": "green", "states": {
        "green": {"on": {"T": "red"}},
        "red": {"initial": "walk", "on": {"T": "green", "P": "green"}, "states": {
            "walk": {"on": {"P": "wait"}}, "wait": {}}}}}"#;
    check(
        "a.json",
        text,
        &["T", "P", "P", "P"],
        &["state=green", "state=red.walk", "state=red.wait", "state=green", "state=green"],
    );
}

#[test]
fn parallel_regions_react_together_and_a_final_state_in_each_completes_the_parent() {
    let text = r#"{"initial": "p", "states": {"q": {"type": "final"}, "p": {"type": "parallel", "onDone": "q", "states": {
        "a": {"initial": "x", "states": {"x": {"on": {"E": "y"}}, "y": {"type": "final"}}},
        "b": {"initial": "u", "states": {"u": {"on": {"E": "v"}}, "v": {"on": {"F": "w"}}, "w": {"type": "final"}}}}}}}"#;
    check(
        "a.json",
        text,
        &["E", "F", "E"],
        &[
            "state=p state.p.a=x state.p.b=u",
            "state=p state.p.a=y state.p.b=v",
            "state=q state.p.a=inactive state.p.b=inactive",
            "state=q state.p.a=inactive state.p.b=inactive",
        ],
    );
}

#[test]
fn eventless_transitions_and_raised_events_are_part_of_the_step() {
    let text = "createMachine({ context: { n: 0 }, initial: 'a', states: {
        a: { on: { E: { target: 'b', actions: raise({ type: 'R' }) } } },
        b: { always: { guard: ({context}) => context.n < 5, actions: assign({ n: ({context}) => context.n + 1 }) }, on: { R: 'c' } },
        c: { on: { E: 'a' } } } })";
    check(
        "a.js",
        text,
        &["E", "E", "E"],
        &["state=a context.n=0", "state=c context.n=5", "state=a context.n=5", "state=c context.n=5"],
    );
}

#[test]
fn histories_remember_children_or_leaves() {
    let text = |kind: &str| {
        format!(
            r#"{{"initial": "p", "states": {{
        "p": {{"initial": "a", "on": {{"OUT": "q"}}, "states": {{
            "h": {{"type": "history", "history": "{kind}"}},
            "a": {{"on": {{"N": "b"}}}},
            "b": {{"initial": "x", "states": {{"x": {{"on": {{"N": "y"}}}}, "y": {{}}}}}}}}}},
        "q": {{"on": {{"BACK": "p.h"}}}}}}}}"#
        )
    };
    let events = ["OUT", "BACK", "N", "N", "OUT", "BACK"];
    let start = ["state=p.a", "state=q", "state=p.a", "state=p.b.x", "state=p.b.y", "state=q"];
    for (kind, last) in [("shallow", "state=p.b.x"), ("deep", "state=p.b.y")] {
        let mut expected = start.to_vec();
        expected.push(last);
        check("a.json", &text(kind), &events, &expected);
    }
}

#[test]
fn mutants_change_the_chart_and_nothing_else() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"E": {"target": "b", "guard": "ok"}, "F": "c"}}, "b": {}, "c": {}}}"#;
    let mut sources = SourceMap::default();
    sources.add("a.json", text).unwrap();
    let chart = parse_json(&sources.files()[0]).0.unwrap();
    let options = Options { mutants: true, machine_mutants: true, ..Options::default() };
    let model = lower(&chart, &options).0.unwrap();
    let names: Vec<&str> = model.source.rewrites.iter().map(|rewrite| rewrite.name.as_str()).collect();
    let expected = ["MT a E b", "WT a E b", "MG a E b", "NG a E b", "WE a E b", "MT a F c", "WT a F c", "WE a F c"];
    assert_eq!(names, expected);
    assert!(model.source.rewrites.iter().all(|rewrite| rewrite.changes.as_ref().is_some_and(|list| !list.is_empty())));
    assert_eq!(model.source.elements.iter().filter(|element| element.kind == "mutant").count(), expected.len());
}

#[test]
fn transitions_after_one_without_a_guard_are_never_taken() {
    let text =
        r#"{"initial": "a", "states": {"a": {"on": {"E": ["b", {"target": "c", "guard": "ok"}]}}, "b": {}, "c": {}}}"#;
    assert_eq!(codes("a.json", text), ["SC091"]);
}

#[test]
fn eventless_transitions_of_regions_are_taken_in_the_order_of_entry() {
    // `a.y` is entered after `b.u`, so its transition reads what that of `b` assigns. After the start it is the other way round.
    let text = "createMachine({ type: 'parallel', context: { n: 0, m: 0 }, states: {
        a: { initial: 'y', on: { GO: { target: '.y', actions: assign({ m: 0 }) } }, states: {
            x: {},
            y: { always: { target: 'x', actions: assign({ m: ({context}) => context.n }) } } } },
        b: { initial: 'u', on: { GO: { actions: assign({ n: 0 }) } }, states: {
            u: { always: { guard: ({context}) => context.n === 0, actions: assign({ n: 1 }) } } } } } })";
    check(
        "a.js",
        text,
        &["GO"],
        &["state.a=x state.b=u context.n=1 context.m=0", "state.a=x state.b=u context.n=1 context.m=1"],
    );
}

#[test]
fn eventless_transitions_of_an_outer_state_come_where_their_first_region_is_asked() {
    // No transition of `a` is possible, so `a` takes that of the parallel state before `b` takes its own.
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
        <datamodel><data id="n" expr="0"/><data id="m" expr="0"/></datamodel>
        <parallel id="p"><transition event="E"><assign location="n" expr="1"/></transition>
            <state id="a"/>
            <state id="b"><transition event="E"><assign location="m" expr="n"/></transition></state></parallel></scxml>"#;
    check("a.scxml", text, &["E"], &["state=p data.n=0 data.m=0", "state=p data.n=1 data.m=1"]);
}

#[test]
fn histories_of_regions_with_as_many_leaves_as_the_chart_remember_what_was_left() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="null">
        <state id="out"><transition event="IN" target="p"/></state>
        <parallel id="p"><transition event="OUT" target="out"/>
            <state id="c" initial="h"><history id="h"><transition target="c1"/></history>
                <state id="c1"><state id="x"><transition event="N" target="c2"/></state><state id="y"/></state>
                <state id="c2"><state id="z"/></state></state>
            <state id="d"/></parallel></scxml>"#;
    let events = ["IN", "N", "OUT", "IN"];
    let expected = ["out c=inactive", "p c=c1.x", "p c=c2.z", "out c=inactive", "p c=c2.z"];
    let expected: Vec<String> =
        expected.iter().map(|text| format!("state={}", text.replace(" c=", " state.p.c="))).collect();
    assert_eq!(walk(&model("a.scxml", text), &events), expected);
}

#[test]
fn steps_that_count_may_have_many_microsteps() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
        <datamodel><data id="i" expr="0"/></datamodel>
        <state id="a"><transition event="t" target="b"/></state>
        <state id="b"><transition target="c" cond="i === 100"/>
            <transition><assign location="i" expr="i + 1"/></transition></state>
        <state id="c"/></scxml>"#;
    check("a.scxml", text, &["t"], &["state=a data.i=0", "state=c data.i=100"]);
}

#[test]
fn conditions_in_actions_see_the_states_before_and_delays_start_after_entry_actions() {
    let text = "export const machine = createMachine({
        context: { n: 0 },
        initial: 'a',
        states: {
            a: { on: { E: 'b' } },
            b: {
                entry: [
                    enqueueActions(({ enqueue, check }) => { if (check(stateIn('a'))) enqueue.assign({ n: 1 }); else enqueue.assign({ n: 2 }); }),
                    raise({ type: 'T' }, { delay: 10 }),
                ],
                after: { 10: { actions: assign({ n: 3 }) } },
                on: { T: { actions: assign({ n: 4 }) } },
            },
        },
    });";
    let model = model("a.ts", text);
    // Both delays end in one step: the event that is sent first comes first.
    assert_eq!(possible(&model, &["E"]), ["E", "T", "delayed.10.T"]);
    let expected = ["state=a context.n=0", "state=b context.n=1", "state=b context.n=3"];
    assert_eq!(walk(&model, &["E", "delayed.10.T"]), expected);
}

#[test]
fn a_history_of_regions_enters_them_without_their_initial_actions_and_its_default_only_before_they_were_left() {
    let text = |history: &str| {
        format!(
            "export const machine = createMachine({{ context: {{ x: 0 }}, initial: 'a', states: {{
                a: {{ on: {{ IN: 'b.hist' }} }},
                b: {{ type: 'parallel', on: {{ OUT: 'a' }}, states: {{
                    r: {{ initial: {{ target: 'one', actions: assign({{ x: ({{ context }}) => context.x < 2 ? context.x + 1 : 2 }}) }}, states: {{ one: {{}}, two: {{}} }} }},
                    s: {{ initial: 'one', states: {{ one: {{}}, two: {{}} }} }},
                    hist: {{ type: 'history' {history} }},
                }} }},
            }} }});"
        )
    };
    let shown = |r: &str, x: &str| match r {
        "" => format!("state=a state.b.r=inactive state.b.s=inactive context.x={x}"),
        _ => format!("state=b state.b.r={r} state.b.s=one context.x={x}"),
    };
    let events = ["IN", "OUT", "IN"];
    let seen = |history: &str| walk(&model("a.js", &text(history)), &events);
    assert_eq!(seen(""), [shown("", "0"), shown("one", "1"), shown("", "1"), shown("one", "1")]);
    assert_eq!(seen(", target: 'r.two'"), [shown("", "0"), shown("two", "0"), shown("", "0"), shown("one", "0")]);
}

#[test]
fn states_that_nothing_can_start_are_reported() {
    assert_eq!(codes("a.json", r#"{"initial": "h", "states": {"h": {"type": "history"}}}"#), ["SC032", "SC032"]);
    assert_eq!(codes("a.json", r#"{"initial": "h", "states": {"h": {"type": "history"}, "a": {}}}"#), ["SC032"]);
    let text = scxml(
        "",
        r#"<state id="p" initial="h"><history id="h"><transition target="k"/></history>
        <history id="k"><transition target="h"/></history><state id="a"/></state>"#,
    );
    assert_eq!(codes("a.scxml", &text), ["SC032", "SC032"]);
}

#[test]
fn large_charts_are_read_and_larger_ones_have_one_diagnostic() {
    let chain = |n: usize| {
        let states = (0..n).map(|at| format!(r#""s{at}": {{"on": {{"NEXT": "s{}", "BACK": "s0"}}}}"#, (at + 1) % n));
        format!(r#"{{"initial": "s0", "states": {{{}}}}}"#, states.collect::<Vec<_>>().join(", "))
    };
    check("a.json", &chain(700), &["NEXT", "NEXT", "BACK"], &["state=s0", "state=s1", "state=s2", "state=s0"]);
    assert_eq!(codes("a.json", &chain(6000)), ["SC002"]);
}

#[test]
fn a_key_that_is_given_twice_has_a_warning_with_both_places() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"E": "b"}, "on": {"F": "b"}}, "b": {}}}"#;
    let (model, found) = read("a.json", text);
    let [found] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((found.code.0, found.secondary.len()), ("SC006", 1));
    assert!(found.secondary[0].span.start < found.primary.span.start);
    assert_eq!(possible(&model.unwrap(), &[]), ["F"]);
    let script = "const colours = { red: 1, red: 2 }; const common = { on: { E: 'b' } };
        createMachine({ initial: 'a', states: { a: { ...common, on: { F: 'b' } }, b: {} }, initial: 'b' })";
    assert_eq!(codes("a.js", script), ["SC006"]);
}
