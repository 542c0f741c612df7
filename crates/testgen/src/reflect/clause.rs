//! Clauses: claims about initial states, all states, or all steps.

use super::cx::Cx;
use super::literal::{Literal, Product, Role, When};
use super::tree::Tree;
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Node, SourcedExpr};
use specwright_syntax::span::Span;

/// The part of the machine that a clause restates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// `next(x) := …`
    Next,
    /// `init(x) := …`
    Init,
    /// `x := …`
    Always,
    /// A define that the machine itself does not use: an output.
    Define,
    /// `INIT`
    InitConstraint,
    /// `INVAR`
    InvarConstraint,
    /// `TRANS`
    TransConstraint,
}

impl Origin {
    /// All origins, in the order of a reflection.
    pub const ALL: [Origin; 7] = [
        Origin::Next,
        Origin::Init,
        Origin::Always,
        Origin::Define,
        Origin::InitConstraint,
        Origin::InvarConstraint,
        Origin::TransConstraint,
    ];

    /// Its name in JSON documents.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Next => "next",
            Origin::Init => "init",
            Origin::Always => "assign",
            Origin::Define => "define",
            Origin::InitConstraint => "INIT",
            Origin::InvarConstraint => "INVAR",
            Origin::TransConstraint => "TRANS",
        }
    }
}

/// The states that a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Initial,
    State,
    Step,
}

/// A property that restates a part of the machine.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it restates, such as `next(x) branch 3`.
    pub name: String,
    /// The same as a unique identifier, such as `next_x_3`.
    pub id: String,
    /// The part of the machine.
    pub origin: Origin,
    /// The source span of that part.
    pub span: Span,
    /// The property, a CTL formula. Its literals have the spans of what they restate.
    pub formula: SourcedExpr,
    /// Whether its conditions are unsatisfiable; known only after a query to the engine.
    pub vacuous: Option<bool>,
    pub(crate) scope: Scope,
    pub(crate) product: Product,
    pub(crate) claim: Tree,
}

impl Clause {
    /// The clause as a property of a model.
    pub fn property(&self) -> Property {
        let (name, formula) = (Some(self.id.clone()), self.formula.clone());
        Property { name, kind: PropertyKind::Ctl, formula, target: None, span: self.span }
    }
}

/// The common data of the clauses of one part.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) origin: Origin,
    pub(crate) scope: Scope,
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) span: Span,
}

impl Cx<'_> {
    /// The clause that a claim holds under conditions; `None` if it is trivial.
    pub(crate) fn clause(&mut self, site: &Site, mut product: Product, claim: Tree) -> Option<Clause> {
        if self.is_contradiction(&product) {
            return None;
        }
        product.sort_by_key(|literal| literal.order);
        self.simplify(&mut product);
        let when = if site.scope == Scope::Step { When::Next } else { When::Now };
        let claimed = Literal { tree: claim.clone(), when, role: Role::Claim, order: usize::MAX };
        // A claim of a define follows from its definition, so it is not trivial there.
        if site.origin != Origin::Define && self.implies(&product, &claimed) {
            return None;
        }
        let formula = self.formula(site.scope, &product, &claim);
        let Site { origin, scope, name, id, span } = site.clone();
        Some(Clause { name, id, origin, span, formula, vacuous: None, scope, product, claim })
    }

    /// `AG (now -> AX (next -> claim))`, without missing parts.
    pub(crate) fn formula(&mut self, scope: Scope, product: &[Literal], claim: &Tree) -> SourcedExpr {
        let side = |when| product.iter().filter(move |literal| literal.when == when).map(|literal| &literal.tree);
        let (now, next) = (self.all(side(When::Now)), self.all(side(When::Next)));
        let mut formula = claim.clone();
        if let Some(next) = next {
            formula = self.connect(BinaryOp::Implies, &next, &formula);
        }
        if scope == Scope::Step {
            formula = self.temporal(UnaryOp::AX, &formula);
        }
        if let Some(now) = now {
            formula = self.connect(BinaryOp::Implies, &now, &formula);
        }
        if scope != Scope::Initial {
            formula = self.temporal(UnaryOp::AG, &formula);
        }
        self.sourced(&formula)
    }

    fn temporal(&mut self, op: UnaryOp, tree: &Tree) -> Tree {
        let node = Node::Unary(op, tree.expr);
        self.join(node, Span::NONE, std::slice::from_ref(tree)).expect("clauses are boolean")
    }

    /// Numbers the clauses of a part if there are several.
    pub(crate) fn number(clauses: &mut [Clause]) {
        if clauses.len() > 1 {
            for (at, clause) in (1..).zip(clauses) {
                clause.name = format!("{} part {at}", clause.name);
                clause.id = format!("{}_{at}", clause.id);
            }
        }
    }
}
