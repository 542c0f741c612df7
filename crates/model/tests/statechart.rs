//! Statecharts, step by step: what the lowered model does for events, and what is reported.

use specwright_model::interp::{Explorer, initial_states, steps_from};
use specwright_model::lower::statechart::{Options, lower};
use specwright_model::model::VarKind;
use specwright_model::{Model, Role, State, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_syntax::statechart::{parse_json, parse_script, parse_scxml};

/// The model of a chart, and all diagnostics.
fn read(name: &str, text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    sources.add(name, text).expect("it is small");
    let file = &sources.files()[0];
    let (chart, mut diagnostics) = match name.rsplit('.').next() {
        Some("json") => parse_json(file),
        Some("scxml") => parse_scxml(file),
        _ => parse_script(file),
    };
    let Some(chart) = chart else { return (None, diagnostics) };
    let (model, found) = lower(&chart, &Options::default());
    diagnostics.extend(found);
    (model, diagnostics)
}

fn model(name: &str, text: &str) -> Model {
    let (model, diagnostics) = read(name, text);
    model.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// The outputs of a state, such as `state=red context.n=1`.
fn outputs(model: &Model, state: &State) -> String {
    let shown = model.vars().filter(|(var, _)| model.role(*var) == Role::Output).map(|(var, info)| {
        let value = state.get(var).map_or("?".into(), |value| model.show(value));
        format!("{}={value}", info.name)
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether a state has these values of inputs; those that are not given are false.
fn has_inputs(model: &Model, state: &State, wanted: &[(&str, &str)]) -> bool {
    model.vars().filter(|(var, _)| model.role(*var) == Role::Input).all(|(var, info)| {
        let value = state.get(var).map(|value| model.show(value)).unwrap_or_default();
        match wanted.iter().find(|(name, _)| *name == info.name) {
            Some((_, wanted)) => value == *wanted,
            None => state.get(var) == Some(Value::Bool(false)) || info.name == "event",
        }
    })
}

/// The outputs after the start and after each event. An event is its name, then the guards that hold.
fn walk(model: &Model, events: &[&str]) -> Vec<String> {
    assert!(model.vars().all(|(_, var)| var.kind != VarKind::Input));
    let explorer = Explorer::new(model);
    let wanted = |at: usize| -> Vec<(&str, &str)> {
        let mut words = events.get(at).copied().unwrap_or_default().split(' ').filter(|word| !word.is_empty());
        let event = words.next().map(|event| ("event", event));
        event.into_iter().chain(words.map(|guard| (guard, "TRUE"))).collect()
    };
    let mut states = initial_states(model, 1 << 20).expect("it has a start");
    let mut seen = Vec::new();
    for at in 0..=events.len() {
        let found = states.into_iter().find(|state| has_inputs(model, state, &wanted(at)));
        let Some(state) = found else { panic!("no state with {:?} after {seen:?}", wanted(at)) };
        seen.push(outputs(model, &state));
        if at == events.len() {
            break;
        }
        states =
            steps_from(&explorer, &state, 1 << 20).expect("it has steps").into_iter().map(|step| step.next).collect();
    }
    seen
}

fn check(name: &str, text: &str, events: &[&str], expected: &[&str]) {
    assert_eq!(walk(&model(name, text), events), expected);
}

/// What is reported for a text: codes in order.
fn codes(name: &str, text: &str) -> Vec<&'static str> {
    read(name, text).1.into_iter().map(|diagnostic| diagnostic.code.0).collect()
}

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

/// A parallel parent with a targetless transition, and another one inside of a region.
#[test]
fn profile_targetless_transition_on_a_parallel_parent() {
    let text = "createMachine({ type: 'parallel', context: { inner: 0, outer: 0 },
        on: { E: { actions: assign({ outer: 1 }) } },
        states: { a: { on: { E: { actions: assign({ inner: 1 }) } } }, b: {} } })";
    check("a.js", text, &["E"], &["context.inner=0 context.outer=0", "context.inner=1 context.outer=0"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
        <datamodel><data id="inner" expr="0"/><data id="outer" expr="0"/></datamodel>
        <parallel id="p"><transition event="E"><assign location="outer" expr="1"/></transition>
            <state id="a"><transition event="E"><assign location="inner" expr="1"/></transition></state>
            <state id="b"/></parallel></scxml>"#;
    check("a.scxml", text, &["E"], &["state=p data.inner=0 data.outer=0", "state=p data.inner=1 data.outer=1"]);
}

#[test]
fn profile_descriptor_of_the_first_words() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"foo": "b", "foo.bar.x": "c"}}, "b": {}, "c": {}}}"#;
    check("a.json", text, &["foo.bar.x"], &["state=a", "state=c"]);
    let text = r#"{"initial": "a", "states": {"a": {"on": {"foo": "b"}}, "b": {"on": {"foo.bar": "a"}}}}"#;
    check("a.json", text, &["foo.bar"], &["state=a", "state=a"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a"><transition event="foo" target="b"/></state>
        <state id="b"><transition event="foo.bar" target="a"/></state></scxml>"#;
    check("a.scxml", text, &["foo.bar"], &["state=a", "state=b"]);
}

#[test]
fn profile_wildcard_before_an_event() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"*": "b", "E": "c"}}, "b": {}, "c": {}}}"#;
    check("a.json", text, &["E"], &["state=a", "state=c"]);
    check("a.json", text, &["other"], &["state=a", "state=b"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a"><transition event="*" target="b"/>
        <transition event="E" target="c"/></state><state id="b"/><state id="c"/></scxml>"#;
    check("a.scxml", text, &["E"], &["state=a", "state=b"]);
}

#[test]
fn profile_target_that_is_the_source_or_its_child() {
    let text = |reenter: bool| {
        format!("createMachine({{ context: {{ n: 0 }}, initial: 'a', states: {{
        a: {{ initial: 'x', entry: assign({{ n: ({{context}}) => context.n < 3 ? context.n + 1 : 3 }}), states: {{ x: {{}}, y: {{}} }},
             on: {{ E: {{ target: '.y', reenter: {reenter} }}, S: {{ target: 'a', reenter: {reenter} }} }} }} }} }})")
    };
    check(
        "a.js",
        &text(false),
        &["E", "S"],
        &["state=a.x context.n=1", "state=a.y context.n=1", "state=a.x context.n=1"],
    );
    check(
        "a.js",
        &text(true),
        &["E", "S"],
        &["state=a.x context.n=1", "state=a.y context.n=2", "state=a.x context.n=3"],
    );
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml"><datamodel><data id="n" expr="0"/></datamodel>
        <state id="a"><onentry><assign location="n" expr="n &lt; 3 ? n + 1 : 3"/></onentry>
            <transition event="E" target="y"/><transition event="I" type="internal" target="x"/>
            <state id="x"/><state id="y"/></state></scxml>"#;
    check("a.scxml", text, &["E", "I"], &["state=a.x data.n=1", "state=a.y data.n=2", "state=a.x data.n=2"]);
}

#[test]
fn profile_targetless_eventless_transition_that_changes_nothing() {
    let text = r#"{"initial": "a", "states": {"a": {"on": {"E": "b"}}, "b": {"always": {"actions": "log"}}}}"#;
    check("a.json", text, &["E"], &["state=a", "state=b"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a"><transition event="E" target="b"/></state>
        <state id="b"><transition><log/></transition></state></scxml>"#;
    let model = model("a.scxml", text);
    assert_eq!(model.source.hazards.len(), 1, "it continues forever");
}

#[test]
fn profile_history_without_a_default() {
    let text = r#"{"initial": "q", "states": {"p": {"initial": "b", "states": {"a": {}, "b": {}, "h": {"type": "history"}}},
        "q": {"on": {"E": "p.h"}}}}"#;
    check("a.json", text, &["E"], &["state=q", "state=p.b"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="p"><state id="a"/><history id="h"/></state></scxml>"#;
    assert_eq!(codes("a.scxml", text), ["SC032"]);
}

#[test]
fn profile_keys_like_integers() {
    let text = "createMachine({ type: 'parallel', context: { last: 0 }, states: {
        b: { on: { E: { actions: assign({ last: 9 }) } } },
        2: { on: { E: { actions: assign({ last: 2 }) } } },
        1: { on: { E: { actions: assign({ last: 1 }) } } } } })";
    check("a.js", text, &["E"], &["context.last=0", "context.last=9"]);
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml"><datamodel><data id="last" expr="0"/></datamodel><parallel id="p">
        <state id="b"><transition event="E"><assign location="last" expr="9"/></transition></state>
        <state id="s2"><transition event="E"><assign location="last" expr="2"/></transition></state></parallel></scxml>"#;
    check("a.scxml", text, &["E"], &["state=p data.last=0", "state=p data.last=2"]);
}

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

/// An SCXML chart with data and states.
fn scxml(data: &str, states: &str) -> String {
    format!(
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript" name="chart">
        <datamodel>{data}</datamodel>{states}</scxml>"#
    )
}

#[test]
fn scxml_that_is_not_supported_has_a_diagnostic() {
    let chart = |content: &str| {
        scxml(
            r#"<data id="v"/>"#,
            &format!(r#"<state id="a"><transition event="e" target="a">{content}</transition></state>"#),
        )
    };
    for (content, code) in [
        (r#"<script src="a.js"/>"#, "SC060"),
        ("<script>while (true) {}</script>", "SC061"),
        (r#"<send event="x" type="http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"/>"#, "SC060"),
        (r#"<send event="x" delay="soon"/>"#, "SC004"),
        (r#"<foreach array="[]"/>"#, "SC004"),
        (r#"<send event="x"><content><a xmlns="http://a"/></content></send>"#, "SC060"),
    ] {
        assert_eq!(codes("a.scxml", &chart(content)), [code], "{content}");
    }
    for expr in ["{p: 1", "1 2", "(1) 2"] {
        let text = chart("").replace(r#"<data id="v"/>"#, &format!(r#"<data id="v" expr="{expr}"/>"#));
        assert_eq!(codes("a.scxml", &text), ["SC001"], "{expr}");
    }
}

#[test]
fn errors_in_scxml_are_events_and_end_their_block() {
    let errors = r#"<transition event="error.execution" target="execution"/>
        <transition event="error.communication" target="communication"/></state>
        <state id="execution"/><state id="communication"/>"#;
    for (content, state) in [
        (r#"<send event="x" target="baz"/>"#, "execution"),
        (r##"<send event="x" target="#_scxml_foo"/>"##, "communication"),
        (r#"<send event="x" type="27"/>"#, "execution"),
        (r#"<assign location="none" expr="1"/>"#, "execution"),
        (r#"<assign location="v" expr="v.a.b"/>"#, "execution"),
        (r#"<assign location="v" expr="none"/>"#, "execution"),
        (r#"<foreach array="7" item="v"/>"#, "execution"),
        (r#"<if cond="none"><raise event="x"/></if>"#, "execution"),
    ] {
        let states = format!(r#"<state id="a"><onentry>{content}<assign location="w" expr="1"/></onentry>{errors}"#);
        let model = model("a.scxml", &scxml(r#"<data id="v"/><data id="w" expr="0"/>"#, &states));
        let w = i32::from(content.starts_with("<if"));
        let found = walk(&model, &[]);
        assert!(
            found[0].starts_with(&format!("state={state} ")) && found[0].ends_with(&format!("w={w}")),
            "{content}: {found:?}"
        );
    }
    // A guard that throws is false. Blocks are apart from each other.
    let states = format!(
        r#"<state id="a"><onentry><assign location="none" expr="1"/></onentry><onentry><assign location="w" expr="2"/></onentry>
        <transition cond="v.a" target="communication"/>{errors}"#
    );
    check(
        "a.scxml",
        &scxml(r#"<data id="v"/><data id="w" expr="0"/>"#, &states),
        &[],
        &["state=execution data.v=undefined data.w=2"],
    );
}

#[test]
fn scxml_events_carry_data_between_actions() {
    let states = r#"<state id="a"><transition event="go" target="b">
          <send event="found"><param name="n" expr="v + 1"/><param name="s" expr="'x' + v"/></send></transition></state>
        <state id="b">
          <transition event="found" cond="_event.data.n === 3 &amp;&amp; _event.data.s == 'x2' &amp;&amp; _event.type == 'external'"
            target="c"><assign location="w" expr="_event.data.n"/></transition></state>
        <state id="c"><transition event="*" cond="_event.name == 'again'" target="d"/></state><state id="d"/>"#;
    let data = r#"<data id="v" expr="2"/><data id="w" expr="0"/>"#;
    let (before, after) = ("state=a data.v=2 data.w=0", "state=c data.v=2 data.w=3");
    check("a.scxml", &scxml(data, states), &["go", "other"], &[before, after, after]);
    // What the tester sends with an event is not known, so a guard that reads it is an input.
    let states =
        r#"<state id="a"><transition event="go" cond="_event.data.n === 3" target="b"/></state><state id="b"/>"#;
    check("a.scxml", &scxml("", states), &["go", "go guard.a.go.1"], &["state=a", "state=a", "state=b"]);
}

#[test]
fn scxml_data_has_lists_objects_and_values_of_several_types() {
    let states = r#"<state id="a"><transition event="add"><script>list.push('x'); point.y += 1;</script></transition>
        <transition event="sum"><assign location="n" expr="0"/><foreach array="[1, 2, 3]" item="i" index="at">
          <assign location="n" expr="n + i * at"/></foreach></transition>
        <transition event="end" cond="list.length == 2 &amp;&amp; typeof n == 'number' &amp;&amp; point.y > 1" target="b"/></state>
        <state id="b"/>"#;
    let data = r#"<data id="list" expr="[]"/><data id="point" expr="{x: 1, y: 0}"/><data id="n"/>"#;
    let text = scxml(data, states)
        .replace(r#"event="add""#, r#"event="add" cond="list.length &lt; 3 &amp;&amp; point.y &lt; 3""#);
    let model = model("a.scxml", &text);
    let seen = walk(&model, &["end", "add", "sum", "add", "end"]);
    assert_eq!(
        seen[0],
        "state=a data.list=[] data.point={x:1,y:0} data.n=undefined data.i=undefined data.at=undefined"
    );
    assert_eq!(seen[1], seen[0]);
    assert_eq!(seen[3], "state=a data.list=[x] data.point={x:1,y:1} data.n=8 data.i=3 data.at=2");
    assert!(seen[5].starts_with("state=b data.list=[x,x] data.point={x:1,y:2}"), "{seen:?}");
}

#[test]
fn computed_sends_have_their_names_targets_and_delays() {
    let states = r#"<state id="a"><transition event="go" target="b">
          <send eventexpr="name" delayexpr="wait + 'ms'" idlocation="id"/><send event="now" targetexpr="'#_internal'"/></transition></state>
        <state id="b"><transition event="now"/><transition event="later" target="c"/>
          <transition event="stop"><cancel sendidexpr="id"/></transition></state><state id="c"/>"#;
    let data = r#"<data id="name" expr="'later'"/><data id="wait" expr="10"/><data id="id"/>"#;
    let model = model("a.scxml", &scxml(data, states));
    let seen = walk(&model, &["go", "delayed.10.later"]);
    assert!(seen[1].starts_with("state=b") && seen[2].starts_with("state=c"), "{seen:?}");
    let timer =
        model.vars().find(|(_, var)| var.name.starts_with("timer.")).map(|(var, _)| var).expect("there is a timer");
    let explorer = Explorer::new(&model);
    let start = initial_states(&model, 100).expect("it starts");
    let start = start.iter().find(|state| has_inputs(&model, state, &[("event", "go")])).expect("go");
    let waits = steps_from(&explorer, start, 100).expect("steps");
    let stops = waits.iter().map(|step| &step.next).find(|state| has_inputs(&model, state, &[("event", "stop")]));
    let after = steps_from(&explorer, stops.expect("stop"), 100).expect("steps");
    assert!(after.iter().all(|step| step.next.get(timer) == Some(Value::Int(-1))));
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
fn a_wildcard_of_another_region_may_take_the_end_of_a_delay() {
    // The transition of `a` wins, so `b` stays, and its delay has ended.
    let text = r#"{"id": "m", "type": "parallel", "states": {
        "a": {"on": {"*": {"target": "a", "reenter": true}}},
        "b": {"initial": "x", "states": {"x": {"after": {"10": "\u0023m.b.y"}}, "y": {}}}}}"#;
    let model = model("a.json", text);
    assert!(model.vars().any(|(_, var)| var.name.starts_with("timer.")));
}

#[test]
fn scxml_data_that_is_no_expression_is_a_text_with_single_blanks() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
        <datamodel><data id="v"> this  is
            a text </data></datamodel>
        <state id="a"><transition cond="v == 'this is a text'" target="b"/></state><state id="b"/></scxml>"#;
    let model = model("a.scxml", text);
    assert!(walk(&model, &[])[0].starts_with("state=b"), "{:?}", walk(&model, &[]));
}

#[test]
fn equal_delays_end_in_the_order_in_which_they_were_started() {
    let text = r#"{"type": "parallel", "states": {
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
fn scripts_of_assignments_are_executed() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" initial="a"><datamodel><data id="x" expr="1"/></datamodel>
        <script>x = x + 1;</script>
        <state id="a"><transition event="t" cond="x == 2" target="b"><script>x *= 3; x++;</script></transition></state>
        <state id="b"/></scxml>"#;
    check("a.scxml", text, &["t"], &["state=a data.x=2", "state=b data.x=7"]);
    let text = text.replace("x *= 3;", "foo();");
    assert_eq!(codes("a.scxml", &text), ["SC061"]);
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

/// A machine with these guards, actions and constants: `E` goes from `a` to `b` if `guard` holds, and `F` executes `action`.
fn machine(constants: &str, context: &str, guard: &str, action: &str) -> String {
    format!(
        "import {{ assign, createMachine, enqueueActions }} from 'xstate';
        {constants}
        export const machine = createMachine({{ context: {context}, initial: 'a', states: {{
            a: {{ on: {{ E: {{ target: 'b', guard: {guard} }}, F: {{ actions: {action} }} }} }}, b: {{}} }} }});"
    )
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

/// The values of the input `event` that are possible in the states after some events.
fn possible(model: &Model, events: &[&str]) -> Vec<String> {
    let explorer = Explorer::new(model);
    let event = model.vars().find(|(_, info)| info.name == "event").expect("it has events").0;
    let value = |state: &State| state.get(event).map(|value| model.show(value)).unwrap_or_default();
    let mut states = initial_states(model, 1 << 20).expect("it has a start");
    for wanted in events {
        let state = states.into_iter().find(|state| value(state) == *wanted).expect("the event is possible");
        let steps = steps_from(&explorer, &state, 1 << 20).expect("it has steps");
        states = steps.into_iter().map(|step| step.next).collect();
    }
    let mut found: Vec<String> = states.iter().map(value).collect();
    found.sort();
    found.dedup();
    found
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
fn guards_that_are_inputs_have_values_of_their_own_at_the_start() {
    let text = r#"{"initial": "a", "states": {
        "a": {"always": [{"guard": "ready", "target": "b"}, "c"]}, "b": {"on": {"E": "a"}}, "c": {"on": {"E": "a"}}}}"#;
    let model = model("a.json", text);
    let kinds: Vec<_> = model.vars().map(|(_, var)| (var.name.as_str(), var.kind)).collect();
    assert!(kinds.contains(&("start.guard.ready", VarKind::Frozen)), "{kinds:?}");
    assert_eq!(walk(&model, &["E guard.ready", "E"]), ["state=c", "state=b", "state=c"]);
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
