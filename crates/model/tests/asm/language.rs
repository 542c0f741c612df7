//! Semantics of single constructs, on minimal machines.

use super::{single, whole};
use specwright_model::Model;
use specwright_model::interp::{Explorer, initial_states, steps_from};
use specwright_model::lower::asm::{Bounds, Options, lower};
use specwright_model::model::VarKind;
use specwright_syntax::asm::parse;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;

/// A machine from a signature, definitions with a main rule, and initial values.
fn machine(signature: &str, definitions: &str, init: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let text = format!(
        "asm small\nimport StandardLibrary\nsignature:\n{signature}\ndefinitions:\n{definitions}\n\
         default init s0:\n{init}\n"
    );
    let mut sources = SourceMap::default();
    sources.add("small.asm", text.as_str()).expect("it is small");
    let (file, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    lower(std::slice::from_ref(&file), &Options { name: "small".into(), mutants: true, ..Options::default() })
}

fn model(signature: &str, definitions: &str, init: &str) -> Model {
    let (model, diagnostics) = machine(signature, definitions, init);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn complaint(signature: &str, definitions: &str, init: &str) -> String {
    let (_, diagnostics) = machine(signature, definitions, init);
    diagnostics.first().map(|diagnostic| format!("{}: {}", diagnostic.code.0, diagnostic.message)).unwrap_or_default()
}

/// The values of a location along the only execution, until there is no step.
fn history(model: &Model, location: &str) -> Vec<String> {
    let explorer = Explorer::new(model);
    let mut state = initial_states(model, 100_000).expect("initial states are found").remove(0);
    let mut seen = Vec::new();
    for _ in 0..8 {
        let compound = model.source.compounds.iter().find(|compound| compound.name == location);
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

/// The values of a location in all reachable states.
fn reached(model: &Model, location: &str) -> Vec<String> {
    let explorer = Explorer::new(model);
    let var = model.var_named(location).expect("it is a variable");
    let mut open = initial_states(model, 100_000).expect("initial states are found");
    let mut known = open.clone();
    while let Some(state) = open.pop() {
        for step in steps_from(&explorer, &state, 100_000).expect("steps are found") {
            if !known.contains(&step.next) {
                known.push(step.next.clone());
                open.push(step.next);
            }
        }
    }
    let mut values: Vec<String> = known.iter().map(|state| single(model, state, var).to_string()).collect();
    values.sort();
    values.dedup();
    values
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
fn chooseone_is_a_choice_of_the_step() {
    let rule = "\tmain rule r_Main = par x := chooseone({1, n}) n := n + 0 endpar";
    let model = model("\tcontrolled n: Integer\n\tcontrolled x: Integer", rule, "\tfunction n = 2\n\tfunction x = 0");
    assert_eq!(reached(&model, "x"), ["0", "1", "2"]);
}

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
fn recursion_on_structures_has_an_end() {
    let signature = "\tstatic least: Seq(Integer) -> Integer\n\tcontrolled list: Seq(Integer)\n\tcontrolled x: Integer";
    let definitions = "\tfunction least($s in Seq(Integer)) = if length($s) = 1 then first($s) else \
                       min(first($s), least(tail($s))) endif\n\
                       \tmain rule r_Main = if length(list) < 3 then par list := append(list, 3 - length(list)) \
                       x := least(list) endpar endif";
    let (model, diagnostics) = machine(signature, definitions, "\tfunction list = [7]\n\tfunction x = 0");
    assert!(diagnostics.iter().all(|found| found.code.0 == "ASM063"), "{diagnostics:?}");
    let model = model.expect("it is read");
    assert_eq!(history(&model, "x")[..3], ["0", "7", "2"]);
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
        ("size(range(1, n))", "1"),
        ("sqrt(n + 2)", "2"),
        ("rtoi(sqrt(6.25) * 2)", "5"),
        ("indexOf([5, n], 2)", "1"),
        ("indexOf((5, n), 2)", "2"),
        ("count(union(<5, n, 2>, {2, n}), 2)", "3"),
        ("count(intersection(<n, 2, 2>, <2, 2, 5>), 2)", "2"),
        ("length(asSequence(intersection(<n, 2, 5>, {2})))", "2"),
        ("toReal(\"-2.5\") < n", "true"),
        ("toChar(\"a\") < toChar(\"b\")", "true"),
        ("isUndef(getAgent(\"other\"))", "true"),
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
    for term in ["sqrt(n)", "print(n)", "split(\"a.b\", \".\")"] {
        let rule = format!("\tmain rule r_Main = par x := {term} n := n + 0 endpar");
        let message = complaint("\tcontrolled n: Integer\n\tcontrolled x: Any", &rule, "\tfunction n = 2");
        assert!(message.starts_with("ASM062: ") && message.ends_with("is not supported here"), "{term}: {message}");
    }
}

/// A term of a domain, as the signature of the standard library writes it.
fn term_of(domain: &str) -> &'static str {
    let head = domain.split('(').next().unwrap_or_default().trim();
    match head {
        "Powerset" => "{1, n}",
        "Seq" => "[1, n]",
        "Bag" => "<1, n>",
        "Map" => "{1 -> n}",
        "Prod" => "(1, n, 3, 4, 5, 6, 7, 8, 9)",
        "Real" => "2.5",
        "String" => "\"4\"",
        "Char" => "'a'",
        "Boolean" => "(n = 2)",
        "Agent" => "robot",
        _ => "n",
    }
}

#[test]
fn every_function_of_the_standard_library_is_supported_or_refused_by_its_name() {
    let Some(root) = specwright_syntax::testing::shared("asm") else { return };
    let text = String::from_utf8_lossy(&std::fs::read(root.join("STDL/StandardLibrary.asm")).expect("it is there"))
        .into_owned();
    let mut refused = std::collections::BTreeSet::new();
    let mut n_functions = 0;
    for line in text.lines() {
        let Some((name, domains)) = line.trim().strip_prefix("static ").and_then(|line| line.split_once(':')) else {
            continue;
        };
        // These are written between their operands.
        if ["and", "or", "xor", "not", "implies", "iff", "div", "mod", "notin"].contains(&name.trim()) {
            continue;
        }
        let (args, _) = domains.rsplit_once("->").unwrap_or(("", domains));
        let args = args.trim();
        let inside = args.strip_prefix("Prod").map_or(args, |rest| {
            let rest = rest.trim();
            &rest[1..rest.len() - 1]
        });
        // Commas inside of brackets do not separate arguments.
        let (mut depth, mut parts, mut part) = (0, Vec::new(), String::new());
        for c in inside.chars().chain([',']) {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if c == ',' && depth == 0 {
                parts.push(std::mem::take(&mut part));
            } else {
                part.push(c);
            }
        }
        let is_product = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
        let terms: Vec<&str> = match (name.trim(), args) {
            (_, "") => Vec::new(),
            (name, _) if is_product.contains(&name) => vec!["(1, n, 3, 4, 5, 6, 7, 8, 9)"],
            _ => parts.iter().map(|part| term_of(part.trim())).collect(),
        };
        n_functions += 1;
        let call =
            if terms.is_empty() { name.trim().to_owned() } else { format!("{}({})", name.trim(), terms.join(", ")) };
        let signature =
            "\tcontrolled n: Integer\n\tdomain Robot subsetof Agent\n\tstatic robot: Robot\n\tcontrolled x: Boolean";
        let rule = format!("\tmain rule r_Main = par x := isDef({call}) n := n + 0 endpar");
        let (found, diagnostics) = machine(signature, &rule, "\tfunction n = 2");
        if found.is_none() {
            let message = diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default();
            assert!(!message.contains("there is no") && !message.contains("unknown"), "{call}: {message}");
            if !message.ends_with("is not supported here") {
                continue;
            }
            refused.insert(name.trim().to_owned());
        }
    }
    // The last three are refused for these arguments: roots that are not whole, places outside of a text, texts of fractions.
    let expected = [
        "currTimeMillisecs",
        "currTimeNanosecs",
        "currTimeSecs",
        "im",
        "iszero",
        "norm",
        "pre",
        "print",
        "program",
        "re",
        "toComplex",
        "sqrt",
        "subString",
        "toString",
    ];
    assert!(n_functions > 140, "{n_functions}");
    let others: Vec<&String> = refused.iter().filter(|name| !expected.contains(&name.as_str())).collect();
    assert!(others.is_empty(), "{others:?} are refused, too");
}

#[test]
fn a_function_may_be_declared_for_several_domains() {
    let signature = "\tenum domain Color = {RED | GREEN}\n\tabstract domain Thing\n\tstatic box: Thing\n\
                     \tcontrolled size: Color -> Integer\n\tcontrolled size: Thing -> Integer\n\
                     \tderived twice: Color -> Integer\n\tderived twice: Thing -> Integer";
    let definitions = "\tfunction twice($c in Color) = 2 * size($c)\n\tfunction twice($t in Thing) = 20 * size($t)\n\
                       \tmain rule r_Main = par size(RED) := twice(RED) mod 7 size(box) := twice(box) mod 7 endpar";
    let init = "\tfunction size($c in Color) = 1\n\tfunction size($t in Thing) = 2";
    let model = model(signature, definitions, init);
    assert_eq!(history(&model, "size.RED")[..4], ["1", "2", "4", "1"]);
    assert_eq!(history(&model, "size.box")[..4], ["2", "5", "2", "5"]);
    let overlap = "\tenum domain Color = {RED | GREEN}\n\tdomain Some subsetof Color\n\
                   \tcontrolled f: Color -> Boolean\n\tcontrolled f: Some -> Boolean";
    let message = complaint(overlap, "\tmain rule r_Main = f(RED) := true", "");
    assert!(message.starts_with("ASM062: `f` is declared for domains that have an element in common"), "{message}");
}

#[test]
fn a_machine_may_declare_a_function_of_the_library_for_its_own_domains() {
    let definitions = "\tfunction min($s in Seq(Integer)) = if length($s) = 1 then first($s) else \
                       min(first($s), min(tail($s))) endif\n\tmain rule r_Main = n := min([5, n, 7])";
    let model =
        model("\tcontrolled n: Integer\n\tstatic min: Seq(Integer) -> Integer", definitions, "\tfunction n = 6");
    assert_eq!(history(&model, "n")[..3], ["6", "5", "5"]);
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
fn loops_are_unfolded_up_to_a_limit() {
    let rule = "\tmain rule r_Main = seq n := 0 sum := 0 while n < 4 do seq n := n + 1 sum := sum + n endseq endseq";
    let model =
        model("\tcontrolled n: Integer\n\tcontrolled sum: Integer", rule, "\tfunction n = 0\n\tfunction sum = 0");
    assert!(model.source.hazards.is_empty(), "{:?}", model.source.hazards);
    assert_eq!(history(&model, "sum")[..3], ["0", "10", "10"]);
    let rule = "\tmain rule r_Main = iterate if n < 3 then n := n + 1 endif enditerate";
    let definitions = format!("\tdomain Num = {{0 : 5}}\n{rule}");
    let (model, diagnostics) =
        machine("\tdomain Num subsetof Integer\n\tcontrolled n: Num", &definitions, "\tfunction n = 0");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let model = model.expect("it is read");
    assert_eq!(history(&model, "n")[..3], ["0", "3", "3"]);
    let (model, diagnostics) =
        machine("\tcontrolled b: Boolean", "\tmain rule r_Main = while true do b := not b", "\tfunction b = true");
    assert_eq!(diagnostics[0].code.0, "ASM063");
    assert_eq!(history(&model.expect("it is read"), "b"), ["true"], "there is no step");
}

#[test]
fn rules_are_values_that_locations_can_hold() {
    let definitions = "\trule r_up = par n := n + 1 if n = 2 then todo := <<r_down>> endif endpar\n\
                       \trule r_down = par n := n - 1 if n = 1 then todo := <<r_up>> endif endpar\n\
                       \tmain rule r_Main = todo";
    let init = "\tfunction n = 0\n\tfunction todo = <<r_up>>";
    let model = model(
        "\tdomain Num subsetof Integer\n\tcontrolled n: Num\n\tcontrolled todo: Rule",
        &format!("\tdomain Num = {{0 : 5}}\n{definitions}"),
        init,
    );
    assert_eq!(history(&model, "n")[..8], ["0", "1", "2", "3", "2", "1", "0", "1"]);
}

#[test]
fn a_derived_function_depends_on_the_agent() {
    let signature = "\tdomain Clock subsetof Agent\n\tstatic a: Clock\n\tstatic b: Clock\n\
                     \tcontrolled time: Agent -> Integer\n\tderived mine: Integer";
    let definitions = "\tfunction mine = time(self) + 1\n\trule r_tick = time(self) := mine mod 5\n\
                       \tmain rule r_Main = forall $c in Clock do program($c)";
    let init = "\tfunction time($c in Agent) = if $c = a then 0 else 3 endif\n\tagent Clock: r_tick[]";
    let model = model(signature, definitions, init);
    assert_eq!(history(&model, "time.a")[..4], ["0", "1", "2", "3"]);
    assert_eq!(history(&model, "time.b")[..4], ["3", "4", "0", "1"]);
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
fn a_rule_that_is_passed_to_a_rule_is_called() {
    let signature = "\tdomain Small subsetof Integer\n\tcontrolled n: Small\n\tcontrolled last: Rule(Small)";
    let rules = "\tdomain Small = {0 : 9}\n\trule r_add($x in Small) = if n < 7 then n := n + $x endif\n\
                 \trule r_set($x in Small) = n := $x\n\
                 \trule r_apply($r in Rule(Small), $v in Small) = par $r[$v] last := $r endpar\n\
                 \trule r_twice($r in Rule(Small)) = seq r_apply[$r, 1] $r[2] endseq\n\
                 \tmain rule r_Main = if n < 6 then r_twice[<<r_add(Small)>>] else \
                 r_apply[if last = <<r_add>> then <<r_set>> else <<r_add>> endif, 5] endif";
    let model = model(signature, rules, "\tfunction n = 0");
    assert_eq!(history(&model, "n")[..5], ["0", "3", "6", "5", "8"]);
    assert_eq!(history(&model, "last")[..4], ["undef", "<<r_add>>", "<<r_add>>", "<<r_set>>"]);
    let executed = |name: &str| {
        let element = model.source.elements.iter().find(|element| element.kind == "node" && element.name == name);
        element.is_some_and(|element| !element.instances.is_empty())
    };
    assert!(executed("r_add.2 update") && executed("r_set.1 update") && executed("r_apply.2 call"));
    assert!(model.source.elements.iter().any(|element| element.kind == "mutant" && element.name == "RR r_add.1"));
}

#[test]
fn a_rule_of_another_file_may_update_a_location_that_is_passed_to_it() {
    let machine = "asm small\nimport other\nsignature:\n\tcontrolled x: Boolean\ndefinitions:\n\
                   \tmain rule r_Main = r_flip[x]\ndefault init s0:\n\tfunction x = false\n";
    let other = "module other\nsignature:\ndefinitions:\n\trule r_flip($t in Boolean) = $t := not $t\n";
    let mut sources = SourceMap::default();
    for text in [machine, other] {
        sources.add("file.asm", text).expect("it is small");
    }
    let trees: Vec<_> = sources.files().iter().map(|file| parse(file).0).collect();
    let (model, diagnostics) = lower(&trees, &Options { name: "small".into(), ..Options::default() });
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    assert_eq!(history(&model, "x")[..3], ["false", "true", "false"]);
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
fn a_monitored_sequence_is_followed_up_to_a_length() {
    let small = model(
        "enum domain Color = {RED | BLUE}\nmonitored list: Seq(Color)\ncontrolled n: Integer",
        "main rule r_Main = if isEmpty(list) then n := 0 else if last(list) = RED then n := length(list) endif endif",
        "function n = 0",
    );
    assert_eq!(reached(&small, "n"), ["0", "1", "2", "3", "4"]);
    assert!(small.source.hazards.iter().any(|hazard| hazard.is_bound && hazard.description.contains("more than 4")));
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
