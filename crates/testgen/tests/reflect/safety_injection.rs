//! The published clauses of the safety injection system (Ammann and Black 2001, appendix A) compared with ours.
//!
//! They are compared on all pairs of states, reachable or not: on the machine itself all clauses are true. The
//! properties of the example are those of the appendix, with `Pressure = Permit` corrected to `Pressure = Permitted` in
//! eight clauses.

use crate::{broken, engine, load, repository};
use specwright_mc::{Answer, Proof, Symbolic};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, SourcedExpr, TransitionSystem};
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::Span;
use specwright_testgen::reflect::shorten::{Shortening, shorten};
use specwright_testgen::reflect::{Options, Origin, Reflection, reflect, settle};

fn example() -> Model {
    load(&repository().join("examples/safety-injection/safety_injection.smv"), Dialect::NuSmv).expect("an example")
}

/// The reflected machine with clauses as short as the published ones.
fn reflected(options: Options) -> (Model, Symbolic, Reflection) {
    let mut model = example();
    let mut reflection = reflect(&mut model, options);
    let mut engine = engine(&model);
    settle(&mut model, &mut engine, &mut reflection);
    shorten(&mut model, &mut engine, &mut reflection, Shortening::Subtracted, &mut |_| ());
    (model, engine, reflection)
}

fn count(reflection: &Reflection, origin: Origin) -> usize {
    reflection.clauses.iter().filter(|clause| clause.origin == origin).count()
}

/// The published clauses by their kind: reflected, expounded, from the constraint.
fn published(model: &Model) -> [Vec<Property>; 3] {
    let mut published = [Vec::new(), Vec::new(), Vec::new()];
    for property in &model.properties {
        let name = property.name.as_deref().expect("all have names");
        let is_numbered = name.strip_prefix('c').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let kind = if is_numbered { usize::from(name.contains('e')) } else { 2 };
        published[kind].push(property.clone());
    }
    published
}

fn make(model: &TransitionSystem, node: Node) -> ExprId {
    model.make(node).expect("well-typed")
}

/// The steps that violate `AG (p -> AX q)`, as an expression.
fn violation(model: &TransitionSystem, formula: ExprId) -> ExprId {
    let Node::Unary(UnaryOp::AG, inner) = model[formula] else { panic!("{}", model.show_expr(formula)) };
    let (condition, step) = match model[inner] {
        Node::Binary(BinaryOp::Implies, condition, step) => (Some(condition), step),
        _ => (None, inner),
    };
    let Node::Unary(UnaryOp::AX, after) = model[step] else { panic!("{}", model.show_expr(formula)) };
    let after = make(model, Node::Next(after));
    let broken = make(model, Node::Unary(UnaryOp::Not, after));
    condition.map_or(broken, |condition| make(model, Node::Binary(BinaryOp::And, condition, broken)))
}

/// The published clauses that are equivalent to none of ours.
fn missing(reflection: &Reflection, model: &Model, published: &[Property]) -> Vec<String> {
    // A machine without constraints has all steps.
    let mut free = model.clone();
    free.assigns.clear();
    free.trans.clear();
    free.init.clear();
    let mut free = crate::engine(&free);
    let ours: Vec<ExprId> = reflection
        .clauses
        .iter()
        .filter(|clause| matches!(clause.origin, Origin::Next | Origin::TransConstraint))
        .map(|clause| violation(free.system(), clause.formula.expr))
        .collect();
    let mut missing = Vec::new();
    for property in published {
        let theirs = violation(free.system(), property.formula.expr);
        let mut same = |ours: &ExprId| {
            let expr = make(free.system(), Node::Binary(BinaryOp::Iff, *ours, theirs));
            let formula = SourcedExpr { expr, spans: [].into() };
            let kind = PropertyKind::Invar;
            let property = Property { name: None, kind, formula, target: None, span: Span::NONE };
            matches!(free.check(&property), Answer::Impossible(Proof::Infeasible))
        };
        if !ours.iter().any(&mut same) {
            missing.extend(property.name.clone());
        }
    }
    missing
}

#[test]
fn reflection_gives_the_eleven_published_clauses() {
    let (model, mut engine, reflection) = reflected(Options::default());
    let [plain, ..] = published(&model);
    assert_eq!(plain.len(), 11);
    assert_eq!(count(&reflection, Origin::Next), 11);
    assert_eq!(missing(&reflection, &model, &plain), [""; 0]);
    assert_eq!(broken(&mut engine, &reflection), [""; 0]);
}

#[test]
fn expounding_gives_the_thirty_published_clauses() {
    let (model, mut engine, reflection) = reflected(Options { expound: true, ..Options::default() });
    let [plain, expounded, _] = published(&model);
    assert_eq!(plain.len() + expounded.len(), 30);
    // The paper leaves out two vacuous clauses, though it keeps others like them: `Pressure` is permitted, yet the
    // water pressure is below `Low`, or not below `Permit`.
    assert_eq!(count(&reflection, Origin::Next), 32);
    assert_eq!(missing(&reflection, &model, &[plain, expounded].concat()), [""; 0]);
    assert_eq!(broken(&mut engine, &reflection), [""; 0]);
}

#[test]
fn the_constraint_gives_the_rest_of_the_sixty_two_published_clauses() {
    let (model, mut engine, reflection) = reflected(Options { expound: true, trans: true, ..Options::default() });
    let published = published(&model).concat();
    assert_eq!(published.len(), 62);
    assert_eq!(count(&reflection, Origin::TransConstraint), 32);
    assert_eq!(missing(&reflection, &model, &published), [""; 0]);
    assert_eq!(broken(&mut engine, &reflection), [""; 0]);
}
