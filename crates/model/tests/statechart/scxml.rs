//! SCXML: data, errors, events with data, what is not supported.

use super::*;

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
fn scxml_data_that_is_no_expression_is_a_text_with_single_blanks() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
        <datamodel><data id="v"> this  is
            a text </data></datamodel>
        <state id="a"><transition cond="v == 'this is a text'" target="b"/></state><state id="b"/></scxml>"#;
    let model = model("a.scxml", text);
    assert!(walk(&model, &[])[0].starts_with("state=b"), "{:?}", walk(&model, &[]));
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
fn functions_of_a_chart_are_what_they_return_or_do() {
    let chart = |functions: &str, action: &str, condition: &str| {
        format!(
            r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript"><datamodel><data id="n" expr="1"/></datamodel>
            <script>{functions}</script>
            <state id="a"><transition event="e" target="a">{action}</transition>
                <transition event="f" cond="{condition}" target="b"/></state><state id="b"/></scxml>"#
        )
    };
    let functions = "function twice(x) { return x + x; }
        var next = function (x, by = 1) { var sum = x + by; if (sum &gt; 5) { return 0; } return sum; };
        const isSmall = (x) =&gt; { switch (x) { case 1: case 2: return true; default: return false; } };
        function grow() { console.log('grow'); n = next(twice(n)); }
        function reset(to) { n = to; }";
    let grow = "<script>grow();</script>";
    let expected = ["state=a data.n=1", "state=a data.n=3", "state=a data.n=0", "state=a data.n=1", "state=b data.n=1"];
    check("a.scxml", &chart(functions, grow, "isSmall(n)"), &["e", "e", "e", "f"], &expected);
    let assign = r#"<assign location="n" expr="next(n, twice(1))"/>"#;
    check(
        "a.scxml",
        &chart(functions, assign, "n == 5"),
        &["e", "e", "f"],
        &["state=a data.n=1", "state=a data.n=3", "state=a data.n=5", "state=b data.n=5"],
    );
    check(
        "a.scxml",
        &chart(functions, "<script>reset(n + 1); reset(n + 1)</script>", "n == 3"),
        &["e", "f"],
        &["state=a data.n=1", "state=a data.n=3", "state=b data.n=3"],
    );
    // One that does something else, one that calls itself, and one of another script cannot be read.
    for function in ["function bad(x) { n = 2; return x; }", "function bad(x) { return bad(x); }"] {
        assert_eq!(codes("a.scxml", &chart(function, r#"<assign location="n" expr="bad(1)"/>"#, "true")), ["SC061"]);
        assert!(codes("a.scxml", &chart(function, "", "bad(1)")).contains(&"SC061"));
    }
    let inner = "<script>function inner() { return 1; }</script>";
    assert_eq!(codes("a.scxml", &chart("", inner, "true")), ["SC061"]);
}
