//! Constraint rewriting.

use super::{example, keep};
use specwright_model::interp::{Graph, Limits, Verdict, check_property};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::testing::{expr, model};
use specwright_model::{Node, SourcedExpr};
use specwright_syntax::span::Span;
use specwright_testgen::focus::reduce;

fn rewritten(text: &str, logic: Logic, weak: bool) -> String {
    let mut whole =
        model("MODULE main VAR x : integer; p : boolean; q : boolean; ASSIGN init(x) := 0; next(x) := x + 1;");
    let formula = expr(&whole, text, Some(logic));
    let keep = keep(&mut whole, "x in 0..3");
    let reduced = reduce(&whole, &[keep]).unwrap();
    let formula = reduced.rewrite(formula, weak);
    reduced.model.show_expr(formula)
}

#[test]
fn every_operator_of_ctl_is_rewritten_by_polarity() {
    for op in ["AG", "AF", "AX", "EG", "EF", "EX"] {
        assert_eq!(rewritten(&format!("{op} p"), Logic::Ctl, true), format!("{op} (Sound -> p)"));
        assert_eq!(rewritten(&format!("{op} p"), Logic::Ctl, false), format!("{op} (Sound & p)"));
        assert_eq!(rewritten(&format!("!{op} p"), Logic::Ctl, true), format!("Sound -> !{op} (Sound & p)"));
    }
    for op in ["A", "E"] {
        let until = rewritten(&format!("{op} [p U q]"), Logic::Ctl, true);
        assert_eq!(until, format!("{op} [Sound -> p U Sound -> q]"));
        let bounded = rewritten(&format!("{op} [p BU 1..2 q]"), Logic::Ctl, false);
        assert_eq!(bounded, format!("{op} [Sound & p BU 1..2 Sound & q]"));
    }
    assert_eq!(rewritten("EBF 0..3 p", Logic::Ctl, true), "EBF 0..3 (Sound -> p)");
    assert_eq!(rewritten("AG (p -> AX q)", Logic::Ctl, true), "AG (Sound -> p -> AX (Sound -> q))");
    assert_eq!(rewritten("AX p -> EX q", Logic::Ctl, true), "Sound -> AX (Sound & p) -> EX (Sound -> q)");
}

#[test]
fn both_sides_of_an_equivalence_are_rewritten_both_ways_and_in_parentheses() {
    let both = rewritten("AX p <-> AX q", Logic::Ctl, true);
    let there = "(AX (Sound & p) -> AX (Sound -> q))";
    let back = "(AX (Sound & q) -> AX (Sound -> p))";
    assert_eq!(both, format!("Sound -> {there} & {back}"));
}

#[test]
fn formulas_of_linear_time_are_rewritten_alike() {
    assert_eq!(rewritten("G (p -> X q)", Logic::Ltl, true), "G (Sound -> p -> X (Sound -> q))");
    assert_eq!(rewritten("p U q", Logic::Ltl, true), "(Sound -> p) U (Sound -> q)");
    assert_eq!(rewritten("p V q", Logic::Ltl, true), "(Sound -> p) V (Sound -> q)");
    assert_eq!(rewritten("!F p", Logic::Ltl, true), "Sound -> !F (Sound & p)");
    assert_eq!(rewritten("F [1,3] p", Logic::Ltl, true), "F [1, 3] (Sound -> p)");
    // States before a sound state are sound.
    assert_eq!(rewritten("G (p -> O q)", Logic::Ltl, true), "G (Sound -> p -> O q)");
    assert_eq!(rewritten("G (p S q)", Logic::Ltl, true), "G (Sound -> p S q)");
}

/// The published rule does not rewrite the left operand of until, so that a formula can be false because of unsound
/// states: here of two states, the first sound and without `f`, the second unsound and without `p`.
#[test]
fn the_left_side_of_until_does_not_depend_on_unsound_states() {
    let mut whole = model(
        "MODULE main
         VAR x : integer;
         DEFINE p := x = 0; f := FALSE;
         ASSIGN init(x) := 0; next(x) := x + 1;",
    );
    let formula = expr(&whole, "A [(AX p) U f]", Some(Logic::Ctl));
    let keep = keep(&mut whole, "x = 0");
    let reduced = reduce(&whole, &[keep]).unwrap();
    let ours = reduced.rewrite(formula, true);
    let Node::Binary(BinaryOp::AU, left, right) = reduced.model[formula] else { panic!("it is an until") };
    let sound = reduced.model.make(Node::Var(reduced.sound)).unwrap();
    let Node::Unary(UnaryOp::AX, _) = reduced.model[left] else { panic!("its left side is temporal") };
    let right = reduced.model.make(Node::Binary(BinaryOp::Implies, sound, right)).unwrap();
    let published = reduced.model.make(Node::Binary(BinaryOp::AU, left, right)).unwrap();
    let graph = Graph::explore(&reduced.model, Limits::default()).unwrap();
    let holds = [published, ours].map(|expr| {
        let formula = SourcedExpr { expr, spans: [].into() };
        let property = Property { name: None, kind: PropertyKind::Ctl, formula, target: None, span: Span::NONE };
        check_property(&graph, &property).unwrap() == Verdict::Holds
    });
    assert_eq!(holds, [false, true]);
}

#[test]
fn properties_of_the_whole_model_hold_in_focus() {
    let cases: [(&str, &[&str]); 4] = [
        ("account.smv", &["balance in 0..2"]),
        ("card_stack.smv", &["StackSize in 0..3"]),
        ("counter.smv", &["value in 0..4"]),
        ("queue.smv", &["head in 0..3", "tail in 0..3"]),
    ];
    for (name, keeps) in cases {
        let mut whole = example(&format!("finite-focus/{name}"));
        let keeps: Vec<_> = keeps.iter().map(|text| keep(&mut whole, text)).collect();
        let reduced = reduce(&whole, &keeps).unwrap();
        let graph = Graph::explore(&reduced.model, Limits::default()).unwrap();
        for property in &reduced.model.properties {
            assert_eq!(check_property(&graph, property).unwrap(), Verdict::Holds, "{name}: {:?}", property.name);
        }
    }
}
