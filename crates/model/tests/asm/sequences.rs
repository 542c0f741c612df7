//! Sequences in locations.

use super::machines::{history, machine, model, reached};

#[test]
fn a_sequence_grows_and_shrinks_in_its_location() {
    let sum = "\tcontrolled list: Seq(Integer)\n\tcontrolled up: Boolean";
    let rule = "\tmain rule r_Main = if up then if length(list) < 3 then list := append(list, length(list)) \
                else par list := tail(list) up := false endpar endif else list := tail(list) endif";
    let model = model(sum, rule, "\tfunction list = []\n\tfunction up = true");
    assert!(model.source.hazards.is_empty(), "the condition keeps it short: {:?}", model.source.hazards);
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
fn an_undefined_sequence_differs_from_an_empty_one() {
    let rule = "\tmain rule r_Main = if isUndef(list) then list := [] else if isEmpty(list) then list := [true] \
                else list := undef endif endif";
    let model = model("\tcontrolled list: Seq(Boolean)", rule, "");
    assert_eq!(history(&model, "list")[..5], ["undef", "[]", "[true]", "undef", "[]"]);
}

#[test]
fn an_unbounded_sequence_is_cut_with_a_warning() {
    let (model, diagnostics) = machine(
        "\tcontrolled list: Seq(Boolean)",
        "\tmain rule r_Main = list := append(list, true)",
        "\tfunction list = []",
    );
    let model = model.expect("it is read");
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].code.0, "ASM063");
    assert_eq!(model.source.hazards.len(), 1);
    assert_eq!(history(&model, "list").last().map(String::as_str), Some("[true,true,true,true]"));
}

#[test]
fn a_monitored_sequence_is_followed_up_to_a_length() {
    let small = model(
        "enum domain Color = {RED | BLUE}\nmonitored list: Seq(Color)\ncontrolled n: Integer",
        "main rule r_Main = if isEmpty(list) then n := 0 else if last(list) = RED then n := length(list) endif endif",
        "function n = 0",
    );
    assert_eq!(reached(&small, "n"), ["0", "1", "2", "3", "4"]);
    assert!(small.source.hazards.iter().any(|hazard| hazard.is_bound && hazard.description.contains("more than 4")));
}
