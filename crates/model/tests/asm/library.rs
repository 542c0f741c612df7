//! Functions of the standard library.

use super::machines::{complaint, history, machine, model, value};

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
