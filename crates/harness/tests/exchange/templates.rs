//! Templates of users: what they may write, and that all of them terminate.

use specwright_harness::export::export_with;
use specwright_model::testing::model;
use specwright_model::{State, Trace, Value};
use specwright_testgen::suite::{Suite, Test};

/// The output of a template for one test with an odd name.
fn render(template: &str) -> Result<String, String> {
    let model = model("MODULE main VAR go : boolean; state : {ready, busy};");
    let mut state = State::empty(2);
    state.set(specwright_model::VarId(0), Value::Bool(true));
    let mut test = Test::new("it's \"*/\" `${x}`\n\u{2028}", Trace { states: vec![state], loop_start: None });
    test.notes = vec!["plain".into()];
    let suite = Suite { model: "lamp.smv".into(), model_hash: None, tests: vec![test], goals: None };
    export_with(&model, &suite, template).map_err(|error| error.to_string())
}

#[test]
fn plain_text_and_code_are_written() {
    let check = |template: &str, expected: &str| assert_eq!(render(template).as_deref(), Ok(expected), "{template}");
    check("{{ model }} {{ tests | length }} {{ tests[0].steps[0].note }}", "lamp.smv 1 plain");
    check("{% for variable in variables %}{{ variable.name }},{% endfor %}", "go,state,");
    check("{{ tests[0].name | quoted('python') }}", r#""it's \"*/\" `${x}`\n\u2028""#);
    check("{{ tests[0].name | quoted('java') }}", r#""it's \"*/\" `${x}`\n\u2028""#);
    check("{{ tests[0].name | json }}", r#""it's \"*/\" `${x}`\n\u2028""#);
    check("/* {{ tests[0].name | comment }} */", "/* it's \"* /\" `${x}`/u{a}/u{2028} */");
    check("{{ tests[0].name | line }}", "it's \"*/\" `${x}`\\u{a}\\u{2028}");
    check("{{ tests[0].name | snake }}", "it_s_x");
    check("{{ tests[0].name | raw }}", "it's \"*/\" `${x}`\n\u{2028}");
    // The standard operators work as usual.
    check("{{ 'a' ~ 1 ~ 'b' }}{{ 1 + 2 }}{{ 'x' + 'y' }}{{ ([1] + [2]) | length }}", "a1b3xy2");
    check("{% set x = 'a' %}{% set y %}{{ x }}{{ x }}{% endset %}{{ y ~ x }}", "aaa");
    check("{% macro twice(x) %}<{{ x }}|{{ x }}>{% endmacro %}{{ twice('a') }}{{ twice(2) }}", "<a|a><2|2>");
    check("{% for a in [1, 2] %}{% if a == 2 %}two{% else %}one {% endif %}{% endfor %}!\n", "one two!\n");
    check("{{ 'x' | pad(3) }}|{{ ['a', 'bcd'] | widest }}", "x  |3");
    check("{{ 'a-b' | replace('-', '+') | upper }}{{ [1, 2] | join(', ') }}", "A+B1, 2");
}

#[test]
fn special_text_must_be_quoted() {
    for template in ["{{ tests[0].name }}", "{{ 'a' ~ tests[0].name }}", "{{ tests }}", "{{ tests[0].name | upper }}"] {
        let message = render(template).unwrap_err();
        assert!(message.contains("line 1") && message.contains("is not plain text"), "{message}");
    }
    let message = render("{{ tests[0].name | quoted }}").unwrap_err();
    assert!(message.contains("must know the language"), "{message}");
    let message = render("\n{{ tests[0].name | quoted('perl') }}").unwrap_err();
    assert!(message.contains("line 2") && message.contains("there is no language `perl`"), "{message}");
}

#[test]
fn every_template_terminates_with_a_message() {
    let doubled = format!("{{% set x = 'xxxxxxxxxx' %}}{}{{{{ x }}}}", "{% set x = x ~ x %}".repeat(60));
    let added = format!("{{% set x = 'xxxxxxxxxx' %}}{}{{{{ x }}}}", "{% set x = x + x %}".repeat(60));
    let lists = format!("{{% set x = [1] %}}{}{{{{ x | length }}}}", "{% set x = x + x %}".repeat(60));
    let nested = format!("{{% set x = [1] %}}{}{{{{ x }}}}", "{% set x = [x, x] %}".repeat(60));
    let blocks = format!("{{% set x = 'xxx' %}}{}", "{% set x %}{{ x }}{{ x }}{% endset %}".repeat(60));
    let text = format!(
        "{{% set y %}}{{% for a in range(99999) %}}{{% for b in range(99999) %}}{}{{% endfor %}}{{% endfor %}}{{% endset %}}",
        "raw ".repeat(10_000)
    );
    let outside = text.replace("{% set y %}", "").replace("{% endset %}", "");
    let templates = [
        doubled.as_str(),
        &added,
        &lists,
        &nested,
        &blocks,
        &text,
        &outside,
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        "{% macro f(x) %}{{ f(x ~ x) }}{% endmacro %}{{ f('x') }}",
        "{% set ns = namespace(x='xx') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "{{ '%99999999999d' | format(1) }}",
        "{{ '%*d' | format(99999999999, 1) }}",
        "{{ 2 ** 99999 }}",
        "{{ 1 // 0 }}",
        "{{ 'a\nb' | indent(99999999999) }}",
        "{{ 'a' | center(999999999999) }}",
        "{{ [1] | batch(99999999999, 'x') | list }}",
        "{{ [1] | slice(99999999999) | list }}",
        "{{ 'x' * 99999999999 }}",
        "{% set x = 'x' * 1000000 %}{{ x | replace('x', x) }}",
        "{% set x = 'x' * 1000000 %}{{ range(100000) | join(x) }}",
    ];
    for template in templates {
        let message = render(template).unwrap_err();
        assert!(message.starts_with("the template cannot be used: "), "{message}");
    }
    assert_eq!(render("{{ 'x' | pad(70000) }}|").map(|text| text.len()), Ok(1001));
}
