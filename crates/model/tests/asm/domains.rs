//! Domains, names, and what is not supported.

use super::machines::{complaint, history, machine, model};
use specwright_model::lower::asm::{Bounds, Options, lower};
use specwright_model::model::VarKind;
use specwright_syntax::asm::parse;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;

#[test]
fn bounds_of_what_has_no_end_are_options() {
    let text = "asm small\nimport StandardLibrary\nsignature:\n\tabstract domain Item\n\tcontrolled list: Seq(Boolean)\n\
                \tcontrolled n: Integer\n\tcontrolled last: Item\ndefinitions:\n\
                \tmain rule r_Main = par list := append(list, true) extend Item with $i do last := $i \
                while n < 20 do n := n + 1 endpar\ndefault init s0:\n\tfunction list = []\n\tfunction n = 0\n";
    let lower_with = |bounds| {
        let mut sources = SourceMap::default();
        let at = sources.add("small.asm", text).unwrap();
        let (file, diagnostics) = parse(&sources.files()[at]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let options = Options { bounds, ..Options::default() };
        let (model, diagnostics) = lower(std::slice::from_ref(&file), &options);
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let described = |word: &str| {
            model.source.hazards.iter().find(|hazard| hazard.description.contains(word) && hazard.is_bound)
        };
        let hazards = ["`list` gets", "new elements", "rounds"]
            .map(|word| described(word).map(|hazard| (hazard.is_bound, hazard.description.clone())));
        hazards.map(|hazard| hazard.map_or_else(String::new, |(is_bound, text)| format!("{is_bound} {text}")))
    };
    let [values, elements, rounds] = lower_with(Bounds::default());
    assert_eq!(values, "true `list` gets more than 4 values");
    assert_eq!(elements, "true there are more than 3 new elements of `Item`");
    assert_eq!(rounds, "true a loop has more than 16 rounds");
    let [values, elements, rounds] = lower_with(Bounds { sequence: 6, extend: 2, rounds: 30 });
    assert_eq!(values, "true `list` gets more than 6 values");
    assert_eq!(elements, "true there are more than 2 new elements of `Item`");
    assert_eq!(rounds, "", "20 rounds are enough");
}

#[test]
fn a_location_of_any_kind_holds_values_of_several_kinds() {
    let rule = "\tmain rule r_Main = if x = undef then x := 3 else if x = 3 then x := RED else if x = RED then \
                x := true else x := undef endif endif endif";
    let model = model("\tenum domain Color = {RED | GREEN}\n\tcontrolled x: Any", rule, "");
    assert_eq!(history(&model, "x")[..5], ["undef", "3", "RED", "true", "undef"]);
    let rule = "\tmain rule r_Main = if isUndef(x) then x := (1, RED) else if x = (1, RED) then x := {1, 2} else \
                if x = {1, 2} then x := [GREEN, RED] else if x = [GREEN, RED] then x := ((2, true), RED, 5) else \
                x := undef endif endif endif endif";
    let model = self::model("\tenum domain Color = {RED | GREEN}\n\tcontrolled x: Any", rule, "");
    let expected = ["undef", "(1,RED)", "{1,2}", "[GREEN,RED]", "((2,true),RED,5)", "undef"];
    assert_eq!(history(&model, "x")[..6], expected);
    let message = complaint("\tcontrolled x: Any", "\tmain rule r_Main = x := (1, x)", "");
    assert!(message.starts_with("ASM062: values of `Any` with structures"), "{message}");
}

#[test]
fn a_variable_outside_of_its_scope_is_undef() {
    let rule = "\tmain rule r_Main = par forall $y in {1, 2} with $y = n do n := 1 b := isUndef($y) endpar";
    let (model, diagnostics) =
        machine("\tcontrolled n: Integer\n\tcontrolled b: Boolean", rule, "\tfunction n = 1\n\tfunction b = false");
    let codes: Vec<&str> = diagnostics.iter().map(|found| found.code.0).collect();
    assert_eq!(codes, ["ASM040"], "{diagnostics:?}");
    assert_eq!(history(&model.expect("it is read"), "b")[..2], ["false", "true"]);
}

#[test]
fn inputs_range_over_strings_of_the_source_and_others() {
    let signature = "\tmonitored input: String\n\tcontrolled last: String\n\tcontrolled same: Boolean";
    let definitions =
        "\tmain rule r_Main = par same := input = last last := input if input = \"go\" then skip endif endpar";
    let model = model(signature, definitions, "\tfunction same = false");
    let input = model.var_named("input").expect("it is an input");
    // One other string for the input, and one for the location that stores it.
    assert_eq!(model[input].domain.size(), Some(3));
    let definitions = "\tmain rule r_Main = same := input + \"!\" = last";
    let message = complaint(signature, definitions, "");
    assert!(message.starts_with("ASM062: `plus` of a text from the environment"), "{message}");
}

/// The codes of all diagnostics of some files; the first file is the machine.
fn codes_of(files: &[&str]) -> Vec<String> {
    let mut sources = SourceMap::default();
    for (at, text) in files.iter().enumerate() {
        sources.add(format!("{at}.asm"), *text).expect("it is small");
    }
    let (trees, diagnostics): (Vec<_>, Vec<_>) = sources.files().iter().map(parse).unzip();
    let mut diagnostics: Vec<Diagnostic> = diagnostics.into_iter().flatten().collect();
    if diagnostics.is_empty() {
        diagnostics = lower(&trees, &Options { name: "small".into(), mutants: true, ..Options::default() }).1;
    }
    diagnostics.iter().map(|diagnostic| diagnostic.code.0.to_owned()).collect()
}

#[test]
fn unsupported_constructs_are_reported_and_never_dropped() {
    let signature = "\tmonitored m: Boolean\n\tcontrolled x: Boolean\n\tstatic s: Boolean\n\tderived d: Boolean";
    let text = |signature: &str, definitions: &str, init: &str| {
        format!(
            "asm small\nimport StandardLibrary\nimport CTLLibrary\nsignature:\n{signature}\ndefinitions:\n\
             \tfunction s = true\n\tfunction d = not x\n{definitions}\ndefault init s0:\n{init}\n"
        )
    };
    let main = "\tmain rule r_Main = x := m and s and d";
    let no_codes: [String; 0] = [];
    assert_eq!(codes_of(&[&text(signature, main, "\tfunction x = true\n\tfunction m = false")]), no_codes);
    for (definitions, init, code) in [
        // Two main rules: one of them would be lost.
        (format!("{main}\n\tmain rule r_Other = skip"), "", "ASM032"),
        (format!("\tfunction s = false\n{main}"), "", "ASM032"),
        (main.into(), "\tfunction x = true\n\tfunction x = false", "ASM032"),
        (main.into(), "default init s1:\n\tfunction x = true", "ASM032"),
        // Initial values of static functions, and definitions of controlled ones.
        (main.into(), "\tfunction s = false", "ASM039"),
        (main.into(), "\tfunction d = false", "ASM039"),
        (format!("\tfunction x = true\n{main}"), "", "ASM039"),
        (format!("\tfunction m = true\n{main}"), "", "ASM039"),
        // Rules as values.
        ("\tmain rule r_Main = r_not[<<r_missing>>]\n\trule r_not($r in Rule) = $r".into(), "", "ASM031"),
        ("\tmain rule r_Main = let ($r = m) in $r endlet".into(), "", "ASM034"),
        (
            "\tmain rule r_Main = r_not[<<r_is>>]\n\trule r_is = skip\n\trule r_not($r in Rule) = $r[x]".into(),
            "",
            "ASM033",
        ),
        // Unspecified elements and unsupported numbers of steps.
        ("\tmain rule r_Main = x := isEmpty({$a in Boolean, $b in Boolean | $a})".into(), "", "ASM004"),
        (format!("\tCTLSPEC exN(x, 5000)\n{main}"), "", "ASM062"),
        ("\tmain rule r_Main = try x := true catch x : skip".into(), "", "ASM062"),
    ] {
        let found = codes_of(&[&text(signature, &definitions, init)]);
        assert_eq!(found.first().map(String::as_str), Some(code), "{found:?} for\n{definitions}\n{init}");
    }
}

#[test]
fn modules_have_functions_of_their_own_with_the_same_name() {
    let machine = "asm small\nimport one\nimport two\nsignature:\ndefinitions:\n\tmain rule r_Main = par r_one[] r_two[] endpar\n\
                   default init s0:\n";
    let one = "module one\nsignature:\n\tdomain N subsetof Integer\n\tcontrolled value: N\ndefinitions:\n\tdomain N = {0 : 3}\n\
               \trule r_one = value := 2\n";
    let two =
        "module two\nsignature:\n\tcontrolled value: Boolean\ndefinitions:\n\trule r_two = value := isDef(value)\n";
    let mut sources = SourceMap::default();
    for text in [machine, one, two] {
        sources.add("file.asm", text).expect("it is small");
    }
    let trees: Vec<_> = sources.files().iter().map(|file| parse(file).0).collect();
    let (model, diagnostics) = lower(&trees, &Options { name: "small".into(), ..Options::default() });
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    assert_eq!(history(&model, "value")[..2], ["undef", "2"]);
    assert_eq!(history(&model, "two.value")[..4], ["undef", "false", "true", "true"]);
}

#[test]
fn a_static_function_without_a_definition_is_a_parameter() {
    let (signature, definitions) = (
        "domain Num subsetof Integer\nstatic limit: Num\nstatic allowed: Num -> Boolean\ncontrolled n: Num",
        "domain Num = {1 : 4}\nmain rule r_Main = if n < limit and allowed(n) then n := n + 1 endif",
    );
    let small = model(signature, definitions, "function n = 1");
    let kinds: Vec<_> = ["limit", "allowed[1]", "n"].map(|name| small[small.var_named(name).unwrap()].kind).into();
    assert_eq!(kinds, [VarKind::Frozen, VarKind::Frozen, VarKind::State]);
    assert_eq!(complaint(signature, definitions, "function n = 1"), "ASM036: `limit` has no definition");
    // What can be anything is no parameter.
    assert_eq!(
        complaint("static f: Integer -> Boolean\ncontrolled b: Boolean", "main rule r_Main = b := f(1)", ""),
        "ASM036: `f` has no definition"
    );
}

#[test]
fn locations_of_sets_of_sets_have_names_of_their_own() {
    let model = model(
        "\tenum domain D = {A | B}\n\tmonitored chosen: Powerset(Powerset(D))\n\tcontrolled n: Powerset(D) -> Integer",
        "\tmain rule r_Main = if isEmpty(chosen) then n({A, B}) := 1 else n({A}) := 2 endif",
        "\tfunction n($s in Powerset(D)) = 0",
    );
    let mut names: Vec<&str> = model.vars.iter().map(|var| var.name.as_str()).collect();
    let n_all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n_all, "{names:?}");
}
