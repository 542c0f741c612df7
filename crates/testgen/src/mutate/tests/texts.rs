//! Printed mutants have the intended meaning.

use super::*;
use specwright_model::lower::smv::parse_expr_in;
use specwright_model::model::PropertyKind;
use specwright_model::op::Logic;
use specwright_model::unparse::print_model;

/// Modules, processes, inputs, arrays, words, all kinds of properties.
const MIXED: &str = "\
MODULE main
IVAR go : boolean;
VAR
  left : side(go, right.on);
  right : side(!go, FALSE);
  a : array 0..2 of 0..3;
  w : signed word[4];
  m : {off, 1, 2};
DEFINE sum := a[0] + a[1]; big := sum > 4;
ASSIGN
  init(a[0]) := 1;
  next(a[0]) := case left.on & a[0] < 3 : a[0] + 1; big : {0, 1}; TRUE : a[1]; esac;
  next(a[1]) := go ? next(a[0]) : 0..2;
  next(m) := m = off ? {1, 2} : off;
INIT left.on | right.on
INVAR a[2] in {0, 1, 2} union 3
TRANS next(w) = w + 0sd4_1 | !(go & next(left.on))
SPEC AG (left.on -> A [!right.on U a[a[2] mod 3] = 1])
LTLSPEC G (go -> F [0, 3] (left.on | Y right.on)) <-> (left.on V right.on)
INVARSPEC NAME bound := count(left.on, right.on) <= 2 xor w > -0sd4_3
SPEC !EF (a[0] - a[1] * 2 = sum) & ABG 0..2 m != off
MODULE side(push, stuck)
VAR on : boolean;
ASSIGN init(on) := FALSE; next(on) := case stuck : on; push : !on; TRUE : {on, TRUE}; esac;
SPEC AG (on -> EF !on)
";

fn all(targets: Targets) -> Options {
    Options { targets, ..operators(&["all", "LRO-iff", "RRO-5"]) }
}

fn logic(model: &Model, site: SiteId) -> Option<Logic> {
    match site {
        SiteId::Property(index) => match model.properties[index].kind {
            PropertyKind::Ctl => Some(Logic::Ctl),
            PropertyKind::Ltl => Some(Logic::Ltl),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn printed_mutants_parse_back_to_the_mutated_tree() {
    let examples = EXAMPLES.map(example);
    for text in examples.iter().map(String::as_str).chain([MIXED]) {
        for targets in [Targets::Properties, Targets::Machine] {
            let (model, _) = load(text);
            let mutants: Vec<Mutant> = Mutants::new(&model, all(targets)).collect();
            assert!(mutants.len() > 10);
            for mutant in mutants {
                let mutated = mutant.mutated(&model);
                assert_ne!(mutated, mutant.site.sourced(&model).expr);
                let printed = mutant.text(&model);
                let mut sources = SourceMap::default();
                sources.add("mutant", printed.as_str()).unwrap();
                let logic = logic(&model, mutant.site);
                let (read, diagnostics) = parse_expr_in(&model, &sources.files()[0], Dialect::NuSmv, logic);
                assert_eq!(read.map(|read| read.expr), Some(mutated), "{printed}\n{diagnostics:?}");
            }
        }
    }
}

#[test]
fn files_of_mutants_are_the_mutated_models() {
    let examples = EXAMPLES.map(example);
    for text in examples.iter().map(String::as_str).chain([MIXED]) {
        for targets in [Targets::Properties, Targets::Machine] {
            let (model, sources) = load(text);
            let mutants: Vec<Mutant> = Mutants::new(&model, all(targets)).collect();
            let source = Text { sources: &sources, is_nusmv: true };
            // Every mutant takes a while, so only some are checked.
            for mutant in mutants.iter().step_by(5) {
                let file = mutant.file(&model, source);
                let expected = print_model(&mutant.apply(&model));
                assert_eq!(print_model(&load(&file).0), expected, "{}\n{file}", mutant.description(&model));
            }
        }
    }
}

#[test]
fn files_of_mutants_keep_the_source_text_around_the_change() {
    let text =
        "MODULE main -- a comment\nVAR a : boolean; b : boolean;\n\nSPEC AG (a ->\n  AX ( b ) ) -- (so be it)\n\n";
    let (model, sources) = load(text);
    let mutants: Vec<Mutant> = Mutants::new(&model, operators(&["SNO", "LRO"])).collect();
    let source = Text { sources: &sources, is_nusmv: true };
    let files: Vec<String> = mutants.iter().map(|mutant| mutant.file(&model, source)).collect();
    assert_eq!(files[0], text.replace("a ->\n  AX ( b )", "a & AX b"));
    assert_eq!(files[2], text.replace("(a ->", "(!a ->"));
    assert_eq!(files[3], text.replace("( b )", "( !b )"));
    let diff = mutants[3].diff(&model, source);
    let expected = format!(
        "--- model.smv\n+++ model.smv ({})\n@@ -2,5 +2,5 @@\n VAR a : boolean; b : boolean;\n \n SPEC AG (a ->\n-  AX ( b ) ) -- (so be it)\n+  AX ( !b ) ) -- (so be it)\n \n",
        mutants[3].id
    );
    assert_eq!(diff, expected);
}

#[test]
fn a_change_in_one_of_several_instances_is_printed_flat() {
    let (model, sources) = load(MIXED);
    let mutants: Vec<Mutant> =
        Mutants::new(&model, Options { targets: Targets::Machine, ..operators(&["SNO"]) }).collect();
    let source = Text { sources: &sources, is_nusmv: true };
    let mutant = mutants.iter().find(|mutant| mutant.site.name(&model).as_deref() == Some("next(right.on)")).unwrap();
    let diff = mutant.diff(&model, source);
    assert!(diff.starts_with("--- next(right.on)\n+++ next(right.on) (SNO-"), "{diff}");
}

#[test]
fn applied_mutants_have_one_span_for_each_node() {
    let (model, _) = load(MIXED);
    for mutant in Mutants::new(&model, all(Targets::Machine)).collect::<Vec<_>>() {
        let applied = mutant.apply(&model);
        // Building the tree checks that there is one span for each node.
        let again = Mutants::new(&applied.clone(), all(Targets::Machine)).count();
        assert!(again > 0);
    }
}
