//! What XState and SCXML do differently.

use super::*;

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
