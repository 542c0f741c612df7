//! What each criterion asks for, goal by goal, on models that a reader can keep in mind.

use super::{engine, goals};
use specwright_model::testing::model;

/// What the goals of a criterion say.
fn asked(criterion: &str, text: &str) -> Vec<String> {
    let model = model(text);
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, criterion);
    goals.iter().map(|goal| model.show_expr(goal.target.expr())).collect()
}

#[test]
fn states_and_transitions_are_all_values_and_all_changes() {
    let text = "MODULE main IVAR go : boolean; VAR c : {red, green, blue};";
    assert_eq!(asked("states", text), ["!go", "go", "c = red", "c = green", "c = blue"]);
    let changes = [
        "c = red & next(c) = green",
        "c = red & next(c) = blue",
        "c = green & next(c) = red",
        "c = green & next(c) = blue",
        "c = blue & next(c) = red",
        "c = blue & next(c) = green",
    ];
    assert_eq!(asked("transitions", text), changes);
}

/// A constant counts on either side of a comparison, and under a name. Its neighbours count as far as there are such values.
#[test]
fn boundaries_are_the_ends_of_ranges_and_constants_with_their_neighbours() {
    let text = "MODULE main VAR x : 0..20; DEFINE most := 15;
        ASSIGN next(x) := case x < 5 : x; 10 = x : 0; most >= x : 1; x != 20 : 2; TRUE : x; esac;";
    let numbers = [0, 20, 4, 5, 6, 9, 10, 11, 14, 15, 16, 19];
    assert_eq!(asked("boundary", text), numbers.map(|number| format!("x = {number}")));
}

#[test]
fn pairs_are_all_combinations_of_values_of_each_two_inputs() {
    let text = "MODULE main IVAR a : boolean; b : {on, off, idle}; c : boolean; VAR x : boolean; ASSIGN next(x) := a;";
    let pairs = [
        "!a & b = on",
        "!a & b = off",
        "!a & b = idle",
        "a & b = on",
        "a & b = off",
        "a & b = idle",
        "!a & !c",
        "!a & c",
        "a & !c",
        "a & c",
        "b = on & !c",
        "b = on & c",
        "b = off & !c",
        "b = off & c",
        "b = idle & !c",
        "b = idle & c",
    ];
    assert_eq!(asked("pairs", text), pairs);
}

/// A guard decides where none of the guards before it holds, and a decision of a step is made when a step is taken.
#[test]
fn decisions_and_conditions_count_where_they_are_made() {
    let text = "MODULE main IVAR go : boolean; VAR x : 0..3; b : boolean;
        ASSIGN next(x) := case go & (b | x = 0) : 1; x < 2 : b ? 2 : 3; TRUE : x; esac;";
    let step = "next(x) = next(x)";
    let first = "(go & (b | x = 0))";
    let decisions = [
        format!("go & (b | x = 0) & {step}"),
        format!("!{first} & {step}"),
        format!("!{first} & x < 2 & {step}"),
        format!("!{first} & !(x < 2) & {step}"),
        format!("!{first} & x < 2 & b & {step}"),
        format!("!{first} & x < 2 & !b & {step}"),
    ];
    assert_eq!(asked("decision", text), decisions);
    let conditions = ["go", "!go", "b", "!b", "x = 0", "!(x = 0)"].map(|condition| format!("{condition} & {step}"));
    assert_eq!(asked("condition", text), [&conditions[..], &decisions[2..]].concat());
}
