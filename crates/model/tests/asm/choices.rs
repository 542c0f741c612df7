//! Choices, cases, and rules for many elements.

use super::machines::{history, machine, model, reached};
use super::single;
use specwright_model::interp::{Explorer, initial_states, steps_from};

#[test]
fn chooseone_is_a_choice_of_the_step() {
    let rule = "\tmain rule r_Main = par x := chooseone({1, n}) n := n + 0 endpar";
    let model = model("\tcontrolled n: Integer\n\tcontrolled x: Integer", rule, "\tfunction n = 2\n\tfunction x = 0");
    assert_eq!(reached(&model, "x"), ["0", "1", "2"]);
}

#[test]
fn only_the_first_case_that_fits_is_executed() {
    let cases = |scrutinee: &str| {
        let rule = format!(
            "\tmain rule r_Main = switch {scrutinee} case 2: x := 1 case n: x := 2 case n + 1: x := 3 otherwise x := 4 endswitch"
        );
        history(
            &model("\tcontrolled n: Integer\n\tcontrolled x: Integer", &rule, "\tfunction n = 2\n\tfunction x = 0"),
            "x",
        )
    };
    for (scrutinee, expected) in [("n", "1"), ("2", "1"), ("n + 1", "3"), ("n + 2", "4")] {
        assert_eq!(cases(scrutinee).get(1).map(String::as_str), Some(expected), "{scrutinee}");
    }
}

#[test]
fn new_elements_are_distinct_and_exist_from_the_next_step_on() {
    let signature = "\tdynamic abstract domain Person\n\tstatic eve: Person\n\tcontrolled age: Person -> Integer\n\
                     \tcontrolled oldest: Integer\n\tcontrolled n: Integer";
    let definitions = "\tmain rule r_Main = par n := size(Person) \
        extend Person with $a do par age($a) := 1 extend Person with $b do age($b) := 2 endpar endpar";
    let (model, diagnostics) = machine(signature, definitions, "\tfunction n = 0\n\tfunction age($p in Person) = 9");
    let model = model.expect("it is read");
    assert_eq!(diagnostics[0].code.0, "ASM063", "the reserve has an end");
    assert_eq!(history(&model, "age.Person#1")[..], ["undef", "1"], "the second step would make four");
    assert_eq!(history(&model, "age.Person#2")[..], ["undef", "2"]);
    assert_eq!(history(&model, "Person#3.exists")[..], ["false", "false"]);
    assert_eq!(history(&model, "n")[..], ["0", "1"]);
    // In a sequence, an element created before exists.
    let definitions = "\tmain rule r_Main = if n = 0 then seq extend Person with $a do age($a) := 1 n := size(Person) \
        forall $p in Person do age($p) := age($p) + 1 endseq endif";
    let model = self::model(signature, definitions, "\tfunction n = 0\n\tfunction age($p in Person) = 9");
    assert_eq!(history(&model, "n")[..3], ["0", "2", "2"]);
    assert_eq!(history(&model, "age.Person#1")[..3], ["undef", "2", "2"]);
    assert_eq!(history(&model, "age.eve")[..3], ["9", "10", "10"]);
}

#[test]
fn a_choice_among_many_numbers_is_unfolded_once() {
    let small = model(
        "enum domain Color = {RED | BLUE}\ndomain Num subsetof Integer\ncontrolled n: Num\ncontrolled c: Color\n\
         controlled f: Num -> Num",
        "domain Num = {1 : 20}\n\
         main rule r_Main = choose $x in {1 : 20} with $x != 7 and ($x != 3 or c = RED) do par\n\
         if $x <= 9 then choose $c in Color with true do par n := $x c := $c endpar endif f($x) := $x endpar",
        "function n = 20\nfunction c = BLUE\nfunction f($x in Num) = 1",
    );
    let choices: Vec<&str> =
        small.vars().map(|(_, var)| &*var.name).filter(|name| name.starts_with("choice")).collect();
    assert_eq!(choices, ["choice.x", "choice.c"]);
    let explorer = Explorer::new(&small);
    let first = initial_states(&small, 100_000).expect("initial states are found").remove(0);
    let n = small.var_named("n").expect("it is a variable");
    let after = |from: &specwright_model::State| -> std::collections::BTreeSet<String> {
        let steps = steps_from(&explorer, from, 1_000_000).expect("steps are found");
        steps.iter().map(|step| single(&small, &step.next, n).to_string()).collect()
    };
    let expected = |list: &[i64]| list.iter().map(ToString::to_string).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(after(&first), expected(&[1, 2, 4, 5, 6, 8, 9, 20]));
    // Each number changes its own location, and no other one.
    for step in steps_from(&explorer, &first, 1_000_000).expect("steps are found") {
        let chosen = single(&small, &step.now, small.var_named("choice.x").expect("it is a variable")).to_string();
        for place in 1..=20 {
            let var = small.var_named(&format!("f[{place}]")).expect("it is a variable");
            let value = single(&small, &step.next, var).to_string();
            assert_eq!(value, if chosen == place.to_string() { chosen.clone() } else { "1".into() }, "f({place})");
        }
    }
}

#[test]
fn a_rule_that_ignores_its_variable_is_unfolded_once() {
    let (signature, init) = (
        "domain Num subsetof Integer\nenum domain Color = {RED | BLUE}\nmonitored level: Num\ncontrolled n: Num\n\
         controlled hit: Color -> Boolean",
        "function n = 1\nfunction hit($c in Color) = false",
    );
    let rules = "domain Num = {1 : 9}\nrule r_count($unused in Num, $by in Num) = if n + $by <= 9 then n := n + $by endif\n\
                 main rule r_Main = forall $x in Num with $x < level do ";
    let small = model(signature, &format!("{rules} r_count[$x, 2]"), init);
    assert_eq!(reached(&small, "n"), ["1", "3", "5", "7", "9"]);
    let element = small.source.elements.iter().find(|element| element.kind == "update").expect("there is an update");
    assert_eq!(element.instances.len(), 1, "one update stands for all numbers");
    // A choice is made for each number, so this rule is executed for each.
    let chooses = model(signature, &format!("{rules} choose $c in Color with true do hit($c) := true"), init);
    let n_choices = chooses.vars().filter(|(_, var)| var.name.starts_with("choice")).count();
    assert!(n_choices > 1, "{n_choices}");
    assert_eq!(reached(&chooses, "hit.RED"), ["false", "true"]);
}
