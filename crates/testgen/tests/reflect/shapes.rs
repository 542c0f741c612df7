//! One small machine for each shape of assignment or constraint, and its clauses.

use specwright_model::testing::model;
use specwright_testgen::reflect::shorten::{Shortening, shorten};
use specwright_testgen::reflect::{Options, Reflection, Relate, reflect, settle};

/// The clauses and notes of a machine as lines.
fn lines(text: &str, options: Options) -> Vec<String> {
    let mut model = model(&format!("MODULE main\n{text}"));
    let mut reflection: Reflection = reflect(&mut model, options);
    let mut engine = crate::engine(&model);
    settle(&mut model, &mut engine, &mut reflection);
    let clauses = reflection.clauses.iter();
    let mut lines: Vec<String> =
        clauses.map(|clause| format!("{}: {}", clause.name, engine.system().show_sourced(&clause.formula))).collect();
    lines.extend(reflection.notes.iter().map(|note| format!("note: {}", note.message)));
    assert_eq!(crate::broken(&mut engine, &reflection), [""; 0]);
    lines
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(lines(text, Options { expound: true, trans: true, ..Options::default() }), expected, "{text}");
}

fn check_shadow(text: &str, expected: &[&str]) {
    let options = Options { expound: true, trans: true, relate: Relate::Shadow, ..Options::default() };
    assert_eq!(lines(text, options), expected, "{text}");
}

#[test]
fn earlier_guards_are_subtracted() {
    check(
        "VAR a : boolean; b : boolean; x : 0..3;
         ASSIGN next(x) := case a : 1; b : {2, 3}; TRUE : 0; esac;",
        &[
            "next(x) branch 1: AG (a -> AX x = 1)",
            "next(x) branch 2: AG (!a & b -> AX x in {2, 3})",
            "next(x) branch 3: AG (!a & !b -> AX x = 0)",
        ],
    );
}

#[test]
fn in_long_tables_rows_are_short() {
    use std::fmt::Write;
    let n = 150;
    let mut text = format!("VAR on : boolean; x : 0..{n}; ASSIGN next(x) := case\n");
    let mut expected = Vec::new();
    for x in 0..=n {
        let next = if x == n { 0 } else { x + 1 };
        let _ = write!(text, "on & x = {x} : {next};\n!on & x = {x} : {{0, {next}}};\n");
        expected.push(format!("next(x) branch {}: AG (on & x = {x} -> AX x = {next})", 2 * x + 1));
        expected.push(format!("next(x) branch {}: AG (!on & x = {x} -> AX x in {{0, {next}}})", 2 * x + 2));
    }
    text.push_str("esac;");
    let mut model = model(&format!("MODULE main\n{text}"));
    let reflection = reflect(&mut model, Options { expound: true, ..Options::default() });
    let clauses = reflection.clauses.iter();
    let lines: Vec<String> =
        clauses.map(|clause| format!("{}: {}", clause.name, model.show_sourced(&clause.formula))).collect();
    assert_eq!(lines, expected);
}

#[test]
fn default_branches_wait_for_expounding() {
    let text = "VAR a : boolean; x : 0..3; ASSIGN next(x) := case a : 1; TRUE : 0; esac;";
    assert_eq!(lines(text, Options::default()), ["next(x) branch 1: AG (a -> AX x = 1)"]);
}

#[test]
fn guards_about_the_next_state_are_below_ax() {
    check(
        "VAR x : 0..5; y : 0..3;
         ASSIGN next(x) := case x = 2 & next(y) = 3 : 5; TRUE : 0; esac;",
        &[
            "next(x) branch 1: AG (x = 2 -> AX (y = 3 -> x = 5))",
            "next(x) branch 2 part 1: AG (!(x = 2) -> AX x = 0)",
            "next(x) branch 2 part 2: AG AX (!(y = 3) -> x = 0)",
        ],
    );
}

#[test]
fn relations_between_two_states_list_values_or_use_a_shadow() {
    let text = "VAR x : 0..5; y : 1..2;
                ASSIGN next(x) := case x = 2 & y = next(y) : 4; TRUE : {1, 2}; esac;";
    check(
        text,
        &[
            "next(x) branch 1 part 1: AG (x = 2 & y = 1 -> AX (y = 1 -> x = 4))",
            "next(x) branch 1 part 2: AG (x = 2 & y = 2 -> AX (y = 2 -> x = 4))",
            "next(x) branch 2 part 1: AG (!(x = 2) -> AX x in {1, 2})",
            "next(x) branch 2 part 2: AG (y = 1 -> AX (!(y = 1) -> x in {1, 2}))",
            "next(x) branch 2 part 3: AG (y = 2 -> AX (!(y = 2) -> x in {1, 2}))",
        ],
    );
    check_shadow(
        text,
        &[
            "next(x) branch 1: AG (x = 2 -> AX (prev_y = y -> x = 4))",
            "next(x) branch 2 part 1: AG (!(x = 2) -> AX x in {1, 2})",
            "next(x) branch 2 part 2: AG AX (!(prev_y = y) -> x in {1, 2})",
        ],
    );
}

#[test]
fn values_of_the_present_state_are_named_in_the_condition() {
    check(
        "VAR a : boolean; b : boolean; x : 0..2; y : boolean;
         ASSIGN next(x) := (x + 1) mod 3; next(y) := a & b;",
        &[
            "next(x) part 1: AG ((x + 1) mod 3 = 0 -> AX x = 0)",
            "next(x) part 2: AG ((x + 1) mod 3 = 1 -> AX x = 1)",
            "next(x) part 3: AG ((x + 1) mod 3 = 2 -> AX x = 2)",
            "next(y) part 1: AG (a & b -> AX y)",
            "next(y) part 2: AG (!(a & b) -> AX !y)",
        ],
    );
    check("VAR x : 0..1; ASSIGN next(x) := {x, 1};", &["next(x): AG (x = 1 -> AX x in {1, 1})"]);
}

#[test]
fn large_domains_are_noted_and_shadowed() {
    let text = "VAR x : 0..999; ASSIGN next(x) := (x + 1) mod 1000;";
    check(text, &["note: next(x): `x` has too many values to list; a shadow variable needs no list"]);
    check_shadow(text, &["next(x): AG AX x = (prev_x + 1) mod 1000"]);
}

#[test]
fn inputs_are_noted_and_shadowed() {
    let text = "IVAR i : boolean; VAR x : 0..1; ASSIGN next(x) := case i : 1; TRUE : 0; esac;";
    let note = |branch| {
        format!(
            "note: next(x) branch {branch}: depends on the input `i`, which a formula cannot name; a shadow variable can"
        )
    };
    check(text, &[&note(1), &note(2)]);
    check_shadow(text, &["next(x) branch 1: AG AX (prev_i -> x = 1)", "next(x) branch 2: AG AX (!prev_i -> x = 0)"]);
}

#[test]
fn processes_are_identified_by_the_selector() {
    let text = "VAR x : boolean; p : process flip(x); MODULE flip(x) ASSIGN next(x) := !x;";
    check_shadow(
        text,
        &[
            "next(x) branch 1: AG AX (prev__process_selector_ = p -> x <-> !prev_x)",
            "next(x) branch 2: AG AX (!(prev__process_selector_ = p) -> x <-> prev_x)",
        ],
    );
}

#[test]
fn initial_values_assignments_and_outputs_are_about_states() {
    check(
        "VAR a : boolean; x : 0..3; y : 0..3;
         ASSIGN init(x) := {0, 1}; y := a ? x : 0;
         DEFINE warm := y > 2; unused := 7;",
        &[
            "init(x): x in {0, 1}",
            "y branch 1: AG (a -> y = x)",
            "y branch 2: AG (!a -> y = 0)",
            "warm: AG (warm <-> y > 2)",
        ],
    );
}

#[test]
fn trivial_clauses_are_left_out() {
    check("VAR x : {on, off}; ASSIGN next(x) := {on, off};", &[]);
}

#[test]
fn nested_cases_are_flattened() {
    check(
        "VAR m : {p, q}; a : boolean; x : 0..3;
         ASSIGN next(x) := case m = p : case a : 1; TRUE : 2; esac; m = q : a ? 3 : 0; esac;",
        &[
            "next(x) branch 1: AG (m = p & a -> AX x = 1)",
            "next(x) branch 2: AG (m = p & !a -> AX x = 2)",
            "next(x) branch 3: AG (m = q & a -> AX x = 3)",
            "next(x) branch 4: AG (m = q & !a -> AX x = 0)",
        ],
    );
}

#[test]
fn constraints_are_read_as_what_they_forbid() {
    check(
        "VAR a : boolean; b : boolean; c : boolean;
         INIT a & !b; INVAR a -> c; TRANS (a & b -> next(c)) & (next(a) = a | next(b) = b);",
        &[
            "INIT 1 part 1: a",
            "INIT 1 part 2: !b",
            "INVAR 1: AG (a -> c)",
            "TRANS 1 part 1: AG (a & b -> AX c)",
            "TRANS 1 part 2: AG (!a & !b -> AX (b -> !a))",
            "TRANS 1 part 3: AG (!a & b -> AX (!b -> !a))",
            "TRANS 1 part 4: AG (a & !b -> AX (b -> a))",
            "TRANS 1 part 5: AG (a & b -> AX (!b -> a))",
            "TRANS 1 part 6: AG (!a & !b -> AX (a -> !b))",
            "TRANS 1 part 7: AG (!a & b -> AX (a -> b))",
            "TRANS 1 part 8: AG (a & !b -> AX (!a -> !b))",
            "TRANS 1 part 9: AG (a & b -> AX (!a -> b))",
        ],
    );
}

/// What changes only with a variable of many values stands for its change; what never changes stands for nothing.
#[test]
fn followers_are_told_from_what_never_changes() {
    let text = "VAR mode : boolean; level : 0..9999; alarm : boolean; fixed : boolean;
        ASSIGN next(fixed) := fixed;
        TRANS (next(level) = level -> next(alarm) = alarm) & (next(mode) = mode | next(level) = level);";
    let lines = lines(text, Options { expound: true, trans: true, ..Options::default() });
    let of = |name: &str| lines.iter().filter(|line| line.contains(name)).map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("alarm")[0], "TRANS 1 part 1: AG (!mode & !alarm -> AX (alarm -> !mode))");
    assert_eq!(of("alarm").len(), 8, "{lines:?}");
    let kept = ["next(fixed) part 1: AG (fixed -> AX fixed)", "next(fixed) part 2: AG (!fixed -> AX !fixed)"];
    assert_eq!(of("fixed"), kept);
}

#[test]
fn clauses_whose_conditions_are_never_met_are_vacuous() {
    let mut model = model(
        "MODULE main VAR x : 0..3;
         ASSIGN init(x) := 0; next(x) := case x = 3 : 0; x = 0 : 1; x = 2 : 2; TRUE : 0; esac;",
    );
    let mut reflection = reflect(&mut model, Options { expound: true, ..Options::default() });
    let mut engine = crate::engine(&model);
    shorten(&mut model, &mut engine, &mut reflection, Shortening::Subtracted, &mut |_| ());
    let clauses: Vec<_> = reflection.clauses.iter().map(|clause| (clause.name.as_str(), clause.vacuous)).collect();
    let expected = [
        ("init(x)", None),
        ("next(x) branch 1", Some(true)),
        ("next(x) branch 2", Some(false)),
        ("next(x) branch 3", Some(true)),
        ("next(x) branch 4", Some(false)),
    ];
    assert_eq!(clauses, expected);
}

#[test]
fn literals_have_the_spans_of_what_they_restate() {
    let text = "MODULE main VAR a : boolean; x : 0..3; ASSIGN next(x) := case !a : 1; TRUE : 0; esac;";
    let mut model = model(text);
    let reflection = reflect(&mut model, Options::default());
    let spans: Vec<&str> = (reflection.clauses[0].formula.spans.iter().filter(|span| span.is_some()))
        .map(|span| &text[span.start as usize..span.end as usize])
        .collect();
    assert_eq!(spans, ["!a", "a", "1", "1", "1"]);
}
