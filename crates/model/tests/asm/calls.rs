//! Calls of rules and functions, recursion and loops.

use super::machines::{history, machine, model, reached};
use specwright_model::lower::asm::{Options, lower};
use specwright_syntax::asm::parse;
use specwright_syntax::span::SourceMap;

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
fn a_turbo_rule_returns_its_result() {
    let gcd = "\tturbo rule r_gcd($p in Integer, $q in Integer) in Integer =\n\t\tseq\n\t\t\tx := $p\n\t\t\ty := $q\n\
               \t\t\twhile x != y do if x > y then x := x - y else y := y - x endif\n\t\t\tresult := x\n\t\tendseq\n";
    let signature =
        "\tcontrolled g: Integer\n\tcontrolled h: Integer\n\tcontrolled x: Integer\n\tcontrolled y: Integer";
    let init = "\tfunction g = 0\n\tfunction h = 0\n\tfunction x = 0\n\tfunction y = 0";
    let one = model(signature, &format!("{gcd}\tmain rule r_Main = g <- r_gcd(6, 4)"), init);
    assert_eq!(history(&one, "g")[..2], ["0", "2"]);
    assert_eq!(one.var_named("result"), None, "the result belongs to the call");
    let rule =
        "\tmain rule r_Main = seq g <- r_gcd(6, 4) h <- r_gcd(9, 6) if g < h - 0 and g <-1 then skip endif endseq";
    let two = model(signature, &format!("{gcd}{rule}"), init);
    assert_eq!(history(&two, "h")[1], "3");
    // Each call has a result of its own.
    let twice = "\trule r_twice($n in Integer) = result := $n + $n\n\
                 \tmain rule r_Main = par g <- r_twice(1) h <- r_twice(2) endpar";
    let both = model("\tcontrolled g: Integer\n\tcontrolled h: Integer", twice, "\tfunction g = 0\n\tfunction h = 0");
    assert_eq!((&*history(&both, "g")[1], &*history(&both, "h")[1]), ("2", "4"));
    assert!(both.source.hazards.is_empty(), "{:?}", both.source.hazards);
}

#[test]
fn a_recursion_on_few_values_ends_where_it_ends_for_each_of_them() {
    let signature = "\tdomain Node subsetof Integer\n\tmonitored jump: Node\n\tcontrolled here: Node\n\tcontrolled fact: Integer\n\
                     \tstatic parent: Node -> Node\n\tderived root: Node -> Node\n\tstatic factorial: Integer -> Integer";
    let definitions = "\tdomain Node = {0 : 4}\n\tfunction parent($n in Node) = if $n = 0 then 0 else $n - 1 endif\n\
         \tfunction root($n in Node) = if parent($n) = $n then $n else root(parent($n)) endif\n\
         \tfunction factorial($n in Integer) = if $n <= 1 then 1 else $n * factorial($n - 1) endif\n\
         \trule r_climb($n in Node) = if parent($n) = $n then here := $n else r_climb[parent($n)] endif\n\
         \tmain rule r_Main = if here = root(here) then par here := jump fact := factorial(jump) endpar else r_climb[here] endif";
    let (found, diagnostics) = machine(signature, definitions, "\tfunction here = 3\n\tfunction fact = 0");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let found = found.expect("there is no error");
    assert_eq!(reached(&found, "here"), ["0", "1", "2", "3", "4"]);
    assert_eq!(reached(&found, "fact"), ["0", "1", "2", "24", "6"]);
}
