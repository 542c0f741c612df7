//! What single constructs of the language mean, on machines that do one thing.

use super::{single, whole};
use specwright_model::Model;
use specwright_model::interp::{Explorer, initial_states, steps_from};
use specwright_model::lower::asm::{Options, lower};
use specwright_syntax::asm::parse;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;

/// A machine of a signature, definitions with a main rule, and initial values.
fn machine(signature: &str, definitions: &str, init: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let text = format!(
        "asm small\nimport StandardLibrary\nsignature:\n{signature}\ndefinitions:\n{definitions}\n\
         default init s0:\n{init}\n"
    );
    let mut sources = SourceMap::default();
    sources.add("small.asm", text.as_str()).expect("it is small");
    let (file, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    lower(std::slice::from_ref(&file), &Options { name: "small".into(), mutants: true })
}

fn model(signature: &str, definitions: &str, init: &str) -> Model {
    let (model, diagnostics) = machine(signature, definitions, init);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn complaint(signature: &str, definitions: &str, init: &str) -> String {
    let (_, diagnostics) = machine(signature, definitions, init);
    diagnostics.first().map(|diagnostic| format!("{}: {}", diagnostic.code.0, diagnostic.message)).unwrap_or_default()
}

/// What is at a location in the beginning and after each step of the only execution, until there is no step.
fn history(model: &Model, location: &str) -> Vec<String> {
    let explorer = Explorer::new(model);
    let mut state = initial_states(model, 100_000).expect("initial states are found").remove(0);
    let mut seen = Vec::new();
    for _ in 0..8 {
        let compound = model.compounds.iter().find(|compound| compound.name == location);
        let value = match compound {
            Some(compound) => whole(model, &state, &compound.shape),
            None => single(model, &state, model.var_named(location).expect("it is a variable")),
        };
        seen.push(value.to_string());
        match steps_from(&explorer, &state, 100_000).expect("steps are found").into_iter().next() {
            Some(step) => state = step.next,
            None => break,
        }
    }
    seen
}

/// The value of a term.
fn value(term: &str) -> String {
    let given = "\tenum domain Color = {RED | GREEN | BLUE}\n\tcontrolled n: Integer\n\tcontrolled x: Any\n\
                 \tcontrolled c: Color\n\tcontrolled t: String";
    let rule = format!("\tmain rule r_Main = par x := {term} n := n + 0 c := c t := t endpar");
    let model = model(given, &rule, "\tfunction n = 2\n\tfunction c = GREEN\n\tfunction t = \"ab\"");
    history(&model, "x").get(1).cloned().unwrap_or_default()
}

#[test]
fn a_sequence_grows_and_shrinks_in_its_location() {
    let sum = "\tcontrolled list: Seq(Integer)\n\tcontrolled up: Boolean";
    let rule = "\tmain rule r_Main = if up then if length(list) < 3 then list := append(list, length(list)) \
                else par list := tail(list) up := false endpar endif else list := tail(list) endif";
    let model = model(sum, rule, "\tfunction list = []\n\tfunction up = true");
    assert!(model.hazards.is_empty(), "the condition keeps it short: {:?}", model.hazards);
    assert_eq!(history(&model, "list"), ["[]", "[0]", "[0,1]", "[0,1,2]", "[1,2]", "[2]", "[]", "[]"]);
}

#[test]
fn a_sequence_of_one_length_needs_no_variable_for_it() {
    let model = model(
        "\tcontrolled list: Seq(Boolean)",
        "\tmain rule r_Main = list := replaceAt(list, 1, not at(list, 1))",
        "\tfunction list = [true, false]",
    );
    assert_eq!(model.vars.len(), 2);
    assert_eq!(history(&model, "list")[..3], ["[true,false]", "[true,true]", "[true,false]"]);
}

#[test]
fn a_sequence_that_is_not_there_is_not_an_empty_one() {
    let rule = "\tmain rule r_Main = if isUndef(list) then list := [] else if isEmpty(list) then list := [true] \
                else list := undef endif endif";
    let model = model("\tcontrolled list: Seq(Boolean)", rule, "");
    assert_eq!(history(&model, "list")[..5], ["undef", "[]", "[true]", "undef", "[]"]);
}

#[test]
fn a_sequence_without_end_is_followed_so_far_and_that_is_said() {
    let (model, diagnostics) = machine(
        "\tcontrolled list: Seq(Boolean)",
        "\tmain rule r_Main = list := append(list, true)",
        "\tfunction list = []",
    );
    let model = model.expect("it is read");
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].code.0, "ASM063");
    assert_eq!(model.hazards.len(), 1);
    assert_eq!(history(&model, "list").last().map(String::as_str), Some("[true,true,true,true]"));
}

#[test]
fn a_location_of_any_kind_holds_values_of_several_kinds() {
    let rule = "\tmain rule r_Main = if x = undef then x := 3 else if x = 3 then x := RED else if x = RED then \
                x := true else x := undef endif endif endif";
    let model = model("\tenum domain Color = {RED | GREEN}\n\tcontrolled x: Any", rule, "");
    assert_eq!(history(&model, "x")[..5], ["undef", "3", "RED", "true", "undef"]);
    let message = complaint("\tcontrolled x: Any", "\tmain rule r_Main = x := {1, 2}", "");
    assert!(message.starts_with("ASM034: expected a single value"), "{message}");
}

#[test]
fn fractions_are_computed_exactly() {
    for (term, expected) in [
        ("rtoi(3.6 * 2.5)", "9"),
        ("rtoi(itor(n) / 0.5)", "4"),
        ("floor(0.0 - itor(n) / 4.0)", "-1"),
        ("rtoi(0.0 - itor(n) / 4.0)", "0"),
        ("round(itor(n) / 4.0)", "1"),
        ("round(0.0 - 1.0 / 4.0)", "0"),
        ("n / 4 = 1 / 2", "true"),
        ("n / 4 < 0.51", "true"),
        ("0.1 + 0.2 = 0.3", "true"),
        ("isUndef(1 / (n - 2))", "true"),
        ("if n = 2 then 1.5 else 2.5 endif > 2", "false"),
        ("rtoi(2.0 * (if n = 2 then 1.5 else 4.0 endif))", "3"),
        ("1 / (0 - n) < 0", "true"),
    ] {
        assert_eq!(value(term), expected, "{term}");
    }
    let message = complaint("\tcontrolled x: Real", "\tmain rule r_Main = x := x / 2", "\tfunction x = 1.0");
    assert!(message.starts_with("ASM060: a location can hold no number with a fraction"), "{message}");
}

#[test]
fn functions_of_the_standard_library() {
    for (term, expected) in [
        ("sum({1, n, 4, 4})", "7"),
        ("sum([1, n, 4, 4])", "11"),
        ("count([n, 1, 2], 2)", "2"),
        ("pwr(n, 3)", "8"),
        ("n ^ n", "4"),
        ("size({1, n, 2})", "2"),
        ("size(symmetricDifference({1, 2}, {n, 3}))", "2"),
        ("at(insertAt([5, 6], 1, n), 1)", "2"),
        ("at(union([5], [n, 7]), n)", "7"),
        ("last(subSequence([5, 6, 7], 0, n))", "6"),
        ("length([$i in {1 : 5} | $i > n : $i])", "3"),
        ("length(asSequence({1, n, 3}))", "3"),
        ("size(range(1, n))", "2"),
        ("size({1 : n})", "2"),
        ("at(assign({1 -> 5}, n, 6), 2)", "6"),
        ("chooseone({n})", "2"),
        ("isUndef(chooseone({}))", "true"),
        ("toString(n)", "\"2\""),
        ("\"n is \" + toString(n)", "\"n is 2\""),
        ("toUpper(t)", "\"AB\""),
        ("size(t)", "2"),
        ("contains(t, \"b\")", "true"),
        ("subString(\"hello\", 1, 3)", "\"el\""),
        ("toInteger(\"12\") + n", "14"),
        ("length(split(\"a,b,c\", \",\"))", "3"),
        ("toString(c)", "\"GREEN\""),
    ] {
        assert_eq!(value(term), expected, "{term}");
    }
    for term in ["chooseone({1, n})", "sqrt(n)", "print(n)", "split(\"a.b\", \".\")"] {
        let rule = format!("\tmain rule r_Main = par x := {term} n := n + 0 endpar");
        let message = complaint("\tcontrolled n: Integer\n\tcontrolled x: Any", &rule, "\tfunction n = 2");
        assert!(message.starts_with("ASM062: ") && message.ends_with("is not supported here"), "{term}: {message}");
    }
}
