//! Numbers: fractions, operators, and values outside of domains.

use super::machines::{complaint, history, machine, model, reached, value};

#[test]
fn locations_of_real_hold_multiples_of_the_smallest_fraction() {
    let rule = "\tmain rule r_Main = if r = 0.0 then r := 0.5 else if r < 1.25 then r := r + 0.75 else r := undef \
                endif endif";
    let model = model("\tcontrolled r: Real", rule, "\tfunction r = 0.0");
    assert_eq!(history(&model, "r")[..5], ["0.0", "0.5", "1.25", "undef", "undef"]);
    let signature = "\tdomain Level subsetof Real\n\tmonitored level: Level\n\tout high: Boolean";
    let definitions = "\tdomain Level = {-0.5 : 0.5}\n\tmain rule r_Main = high := level > 0.1";
    let (model, diagnostics) = machine(signature, definitions, "\tfunction high = false");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(reached(&model.expect("it is read"), "high"), ["false", "true"]);
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
    assert!(
        message.starts_with("ASM060: this number may have smaller fractions than a location can hold"),
        "{message}"
    );
}

#[test]
fn operators_are_read_from_the_side_that_they_should() {
    for (term, expected) in [
        ("10 - n - 3", "5"),
        ("10 - n + 3", "11"),
        ("24 div n div 3", "4"),
        ("24 div n * 3", "36"),
        ("n - 3 * n", "-4"),
        ("false implies true implies false", "true"),
        ("(false implies true) implies false", "false"),
        ("not false and false", "false"),
        ("not n = 3", "true"),
        ("true or true and false", "true"),
        ("false implies false or false", "true"),
    ] {
        assert_eq!(value(term), expected, "{term}");
    }
}

#[test]
fn an_initial_value_outside_of_the_domain_is_one_more_value() {
    let (signature, definitions) = (
        "domain Level subsetof Integer\ncontrolled level: Level",
        "domain Level = {1 : 3}\nmain rule r_Main = if level < 3 then level := level + 1 endif",
    );
    let (found, diagnostics) = machine(signature, definitions, "function level = 0");
    let found = found.unwrap_or_else(|| panic!("{diagnostics:?}"));
    assert_eq!(history(&found, "level")[..5], ["0", "1", "2", "3", "3"]);
    assert_eq!(
        complaint(signature, definitions, "function level = 0"),
        "ASM091: an initial value of `level` is not in `Level`"
    );
    assert_eq!(complaint(signature, definitions, "function level = 1"), "");
}

#[test]
fn a_number_without_end_may_say_which_location_is_meant() {
    let small = model(
        "monitored passed: Integer -> Boolean\ncontrolled wait: Integer\ncontrolled done: Boolean",
        "main rule r_Main = par if passed(wait) then done := true endif wait := wait + 1 if passed(7) then done := false endif endpar",
        "function wait = 0\nfunction done = false",
    );
    // The numbers that the machine mentions, and a few small ones.
    for name in ["passed[0]", "passed[3]", "passed[7]"] {
        assert!(small.var_named(name).is_some(), "{name}");
    }
    let bound = small.source.hazards.iter().find(|hazard| hazard.is_bound).expect("other numbers are left out");
    assert_eq!(bound.description, "the argument of a location is a number that the machine does not mention");
}

#[test]
fn a_location_that_gets_smaller_fractions_holds_them() {
    let model = model(
        "\tcontrolled x: Real\n\tcontrolled y: Real\n\tcontrolled n: Integer",
        "\tmain rule r_Main = seq\n\t\ty := x / 8\n\t\tx := x + 0.5\n\t\tif x > 1.5 then x := 0.0 endif\n\tendseq",
        "\tfunction x = 0.5\n\tfunction y = 0.0",
    );
    assert_eq!(history(&model, "x")[..3], ["0.5", "1.0", "1.5"]);
    assert_eq!(history(&model, "y")[..4], ["0.0", "0.0625", "0.125", "0.1875"]);
    let denominators: Vec<i64> = model.denominators.iter().map(|(_, denominator)| *denominator).collect();
    assert!(denominators.contains(&4) && denominators.contains(&32), "{denominators:?}");
}

#[test]
fn real_variables_are_shown_as_decimal_numbers() {
    let model = model(
        "\tmonitored x: Real\n\tcontrolled b: Boolean",
        "\tmain rule r_Main = b := x > 1.25",
        "\tfunction b = false",
    );
    let var = model.var_named("x").expect("it is a variable");
    assert_eq!(model.denominator(var), Some(8));
    assert_eq!(model.show_of(var, specwright_model::Value::Int(11)), "1.375");
    assert_eq!(model.number_kind(var), "real number");
}

#[test]
fn a_condition_bounds_the_location_that_the_state_selects() {
    let model = model(
        "\tenum domain P = {A | B}\n\tmonitored p: P\n\tcontrolled stock: P -> Integer",
        "\tmain rule r_Main = if stock(p) > 0 then stock(p) := stock(p) - 1 endif",
        "\tfunction stock($q in P) = if $q = A then 1 else 2 endif",
    );
    assert_eq!(reached(&model, "stock.A"), ["0", "1"]);
    assert_eq!(reached(&model, "stock.B"), ["0", "1", "2"]);
}
