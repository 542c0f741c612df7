//! Reflection of `INIT`, `INVAR` and `TRANS`.
//!
//! A constraint on steps is read as products of literals that never hold together. Each product makes a clause for each
//! of its literals about the state after the step: if all the others hold, that one does not.

use super::clause::{Clause, Origin, Scope, Site};
use super::cx::Cx;
use super::literal::{Literal, Product, Role, When};
use super::relate::Unrelated;
use super::tree::Tree;
use super::{Pending, TooMany};
use crate::reflect::expound::{Condition, Grain};
use specwright_model::op::BinaryOp;
use specwright_model::{Node, SourcedExpr, VarId};

impl Cx<'_> {
    /// The clauses of all constraints, and the clauses that need the engine.
    pub(crate) fn constraints(&mut self) -> (Vec<Clause>, Vec<Pending>) {
        let (mut clauses, mut pending) = (Vec::new(), Vec::new());
        let states = [
            (Origin::InitConstraint, Scope::Initial, self.model.init.clone()),
            (Origin::InvarConstraint, Scope::State, self.model.invar.clone()),
        ];
        for (origin, scope, constraints) in states {
            for (number, constraint) in (1..).zip(&constraints) {
                let site = site(origin, scope, number, constraint);
                let mut found = Vec::new();
                for claim in self.conjuncts(&Tree::of(constraint)) {
                    found.extend(self.clause(&Site { span: claim.span(), ..site.clone() }, Product::new(), claim));
                }
                Cx::number(&mut found);
                clauses.extend(found);
            }
        }
        for (number, constraint) in (1..).zip(self.model.trans.clone()) {
            let site = site(Origin::TransConstraint, Scope::Step, number, &constraint);
            let mut found = Vec::new();
            for conjunct in self.conjuncts(&Tree::of(&constraint)) {
                let site = Site { span: conjunct.span(), ..site.clone() };
                let condition = Condition { tree: conjunct, holds: false, role: Role::Own };
                match self.split(&condition, Grain::Split).or_else(|TooMany| self.split(&condition, Grain::Whole)) {
                    Ok(forbidden) => {
                        for mut product in forbidden {
                            self.simplify(&mut product);
                            found.extend(self.forbid(&site, &product, &mut pending));
                        }
                    }
                    Err(TooMany) => self.note(site.span, format!("{}: it falls into too many clauses", site.name)),
                }
            }
            Cx::number(&mut found);
            clauses.extend(found);
        }
        (clauses, pending)
    }

    /// The conjuncts of a constraint.
    fn conjuncts(&mut self, tree: &Tree) -> Vec<Tree> {
        let (mut conjuncts, mut stack) = (Vec::new(), vec![tree.clone()]);
        while let Some(tree) = stack.pop() {
            match self.model[tree.expr] {
                Node::Binary(BinaryOp::And, ..) => stack.extend(self.parts(&tree).into_iter().rev()),
                _ => conjuncts.push(tree),
            }
        }
        conjuncts
    }

    /// The clauses that state that literals never hold together.
    pub(crate) fn forbid(&mut self, site: &Site, product: &[Literal], pending: &mut Vec<Pending>) -> Vec<Clause> {
        let about_next = product.iter().any(|literal| literal.when != When::Now);
        let mut clauses = Vec::new();
        for at in 0..product.len() {
            if about_next && product[at].when == When::Now {
                continue;
            }
            let mut product = product.to_vec();
            product[at].role = Role::Claim;
            let related = match self.relate(product.clone()) {
                Ok(related) => related,
                Err(Unrelated::Large(var)) if self.changes(&product, var).is_some() => {
                    product[at].role = Role::Own;
                    pending.push(Pending { site: site.clone(), product, var });
                    return clauses;
                }
                Err(why) => {
                    self.note_unrelated(site, why);
                    return clauses;
                }
            };
            let scope = if about_next { Scope::Step } else { Scope::State };
            let site = Site { scope, ..site.clone() };
            for mut product in related {
                let Some(at) = product.iter().position(|literal| literal.role == Role::Claim) else { continue };
                let Literal { tree, when, .. } = product.remove(at);
                // With its values enumerated, a relation may be about one state only.
                if (when == When::Next) == about_next {
                    let claim = self.not(&tree);
                    clauses.extend(self.clause(&site, product, claim));
                }
            }
        }
        clauses
    }

    /// The literal that states that a variable changes, if there is one.
    pub(crate) fn changes(&mut self, product: &[Literal], var: VarId) -> Option<usize> {
        product.iter().position(|literal| {
            literal.when == When::Mixed
                && self.equality(&literal.tree).is_some_and(|(after, before, equal)| {
                    after == var && !equal && matches!(self.model[before.expr], Node::Var(same) if same == var)
                })
        })
    }
}

fn site(origin: Origin, scope: Scope, number: usize, constraint: &SourcedExpr) -> Site {
    let word = origin.word();
    Site { origin, scope, name: format!("{word} {number}"), id: format!("{word}_{number}"), span: constraint.span() }
}
