//! Literals that relate the states before and after a step, in a logic over single states.
//!
//! Either the values of one state are enumerated, one product for each, or a shadow variable has them.

use super::Relate;
use super::cx::Cx;
use super::literal::{Literal, Product, Role, Sum, When};
use super::tree::Tree;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, Model, Node, Value, VarId};
use std::collections::BTreeSet;

/// Why a relation cannot be expressed in clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unrelated {
    /// It reads an input.
    Input(VarId),
    /// It has too many values to enumerate.
    Large(VarId),
    /// It is too long once its definitions are written out.
    Long,
}

/// A value for each of some variables.
type Valuation = Vec<(VarId, Value)>;

impl Cx<'_> {
    /// The product without mixed literals; several products if values are enumerated.
    pub(crate) fn relate(&mut self, product: Product) -> Result<Vec<Product>, Unrelated> {
        let (mut done, mut open) = (Sum::default(), vec![product]);
        while let Some(product) = open.pop() {
            let Some(at) = product.iter().position(|literal| literal.when == When::Mixed) else {
                self.add_product(&mut done, product);
                continue;
            };
            let mut related = self.relate_one(&product, at)?;
            // The stack reverses the order.
            related.reverse();
            open.extend(related);
        }
        Ok(done.into_products())
    }

    fn relate_one(&mut self, product: &Product, at: usize) -> Result<Vec<Product>, Unrelated> {
        let literal = &product[at];
        if self.is_too_long(literal.tree.expr, true) {
            return Err(Unrelated::Long);
        }
        if self.options.relate == Relate::Shadow {
            let tree = self.shadowed(&literal.tree);
            let related = Literal { tree, when: When::Next, ..literal.clone() };
            return Ok(vec![replace(product, at, vec![related])]);
        }
        if let Some(input) = self.input(literal.tree.expr) {
            return Err(Unrelated::Input(input));
        }
        if let Some(products) = self.relate_equality(product, at)? {
            return Ok(products);
        }
        let support = self.support(literal.tree.expr);
        let now = self.valuations(product, &support.now, When::Now);
        let next = self.valuations(product, &support.next, When::Next);
        // The claim of a clause is about the state after the step.
        let by_now = match (&now, &next) {
            (Ok(now), Ok(next)) => literal.role == Role::Claim || now.len() <= next.len(),
            (Ok(_), Err(_)) => true,
            (Err(_), _) => false,
        };
        let valuations = if by_now || literal.role == Role::Claim { now? } else { next? };
        let (named, left) = if by_now { (When::Now, When::Next) } else { (When::Next, When::Now) };
        let mut products = Vec::new();
        for valuation in valuations {
            let value = |var: VarId| {
                let found = valuation.iter().find(|(other, _)| *other == var);
                found.map(|(_, value)| Node::Const(*value))
            };
            let in_now = |var| if by_now { value(var) } else { None };
            let in_next = |var| if by_now { None } else { value(var) };
            // Where the expression is undefined, the machine has no step.
            let Ok(tree) = self.shift(&literal.tree, &in_now, &in_next) else { continue };
            let mut literals = self.name(&valuation, literal, named);
            literals.push(Literal { tree, when: left, ..literal.clone() });
            products.push(replace(product, at, literals));
        }
        Ok(products)
    }

    /// `next(x) = e` with `e` over the state before: for each value of `x`, `e` has that value before and `x` has it
    /// after.
    fn relate_equality(&mut self, product: &Product, at: usize) -> Result<Option<Vec<Product>>, Unrelated> {
        let literal = &product[at];
        let Some((var, value, holds)) = self.equality(&literal.tree) else { return Ok(None) };
        let values = match self.model[value.expr] {
            Node::Var(same) if self.model[same].domain == self.model[var].domain => {
                let values = self.valuations(product, &BTreeSet::from([same]), When::Now)?;
                values.into_iter().flatten().map(|(_, value)| value).collect()
            }
            _ => self.listed(var)?,
        };
        let mut products = Vec::new();
        for constant in values {
            let after = self.leaf(Node::Var(var), literal.tree.span()).expect("variables have types");
            let (Some(before), Some(after)) = (self.is_value(&value, constant), self.is_value(&after, constant)) else {
                continue;
            };
            let after = if holds { after } else { self.not(&after) };
            let before = Literal { tree: before, when: When::Now, role: Role::Valued, ..literal.clone() };
            let after = Literal { tree: after, when: When::Next, ..literal.clone() };
            products.push(replace(product, at, vec![before, after]));
        }
        Ok(Some(products))
    }

    /// The variable and the value of `next(x) = e`, and whether it is an equality or an inequality.
    pub(crate) fn equality(&mut self, tree: &Tree) -> Option<(VarId, Tree, bool)> {
        let mut parts = self.parts(tree);
        match self.model[tree.expr] {
            Node::Unary(UnaryOp::Not, _) => {
                let (var, value, holds) = self.equality(&parts[0])?;
                Some((var, value, !holds))
            }
            Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Iff | BinaryOp::Xor), ..) => {
                let holds = matches!(op, BinaryOp::Eq | BinaryOp::Iff);
                for side in [0, 1] {
                    if let Node::Next(inner) = self.model[parts[side].expr]
                        && let Node::Var(var) = self.model[inner]
                        && self.support(parts[1 - side].expr).next.is_empty()
                    {
                        return Some((var, parts.swap_remove(1 - side), holds));
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The values of a variable, if they are few.
    pub(crate) fn listed(&self, var: VarId) -> Result<Vec<Value>, Unrelated> {
        let domain: &Domain = &self.model[var].domain;
        match domain.size() {
            Some(size) if size <= self.options.max_values as u128 => Ok(domain.values().collect()),
            _ => Err(Unrelated::Large(var)),
        }
    }

    /// All combinations of values that a product leaves for some variables, if they are few.
    pub(crate) fn valuations(
        &mut self,
        product: &[Literal],
        vars: &BTreeSet<VarId>,
        when: When,
    ) -> Result<Vec<Valuation>, Unrelated> {
        let left = self.values(product);
        let mut valuations = vec![Valuation::new()];
        for &var in vars {
            let values: Vec<Value> = match left.get(&(var, when)) {
                Some(left) => {
                    let values = self.model[var].domain.values().zip(left);
                    values.filter(|(_, left)| **left).map(|(value, _)| value).collect()
                }
                None => self.listed(var)?,
            };
            if valuations.len().saturating_mul(values.len()) > self.options.max_values {
                return Err(Unrelated::Large(var));
            }
            let extend = |known: Valuation| {
                values.iter().map(move |value| [known.as_slice(), &[(var, *value)]].concat()).collect::<Vec<_>>()
            };
            valuations = valuations.into_iter().flat_map(extend).collect();
        }
        Ok(valuations)
    }

    /// Literals that state that variables have these values.
    pub(crate) fn name(&mut self, valuation: &Valuation, origin: &Literal, when: When) -> Vec<Literal> {
        let mut literals = Vec::new();
        for (var, value) in valuation {
            let tree = self.leaf(Node::Var(*var), origin.tree.span()).expect("variables have types");
            if let Some(tree) = self.is_value(&tree, *value) {
                literals.push(Literal { tree, when, role: Role::Valued, order: origin.order });
            }
        }
        literals
    }

    /// Moves all conditions behind the step if the claim is undefined without them: formulas are evaluated in every
    /// state, and `x / prev_y` is undefined in some, unless `prev_y != 0` stands beside it.
    pub(crate) fn guard(&mut self, product: &mut Product, claim: &Tree) {
        let behind = product.iter().filter(|literal| literal.when == When::Next).map(|literal| literal.tree.expr);
        let mut exprs = behind.chain([claim.expr]);
        if self.options.relate == Relate::Shadow
            && exprs.any(|expr| self.model.mentions(expr, |node| is_partial(self.model, node)))
        {
            for literal in product.iter_mut().filter(|literal| literal.when == When::Now) {
                literal.tree = self.shadowed(&literal.tree);
                literal.when = When::Next;
            }
        }
    }

    /// The same expression over the state after the step, with shadow variables for the state before.
    pub(crate) fn shadowed(&mut self, tree: &Tree) -> Tree {
        let support = self.support(tree.expr);
        let shadows: Vec<(VarId, VarId)> = support.now.iter().map(|var| (*var, self.shadow(*var))).collect();
        let shadow = |var: VarId| shadows.iter().find(|(of, _)| *of == var).map(|(_, shadow)| Node::Var(*shadow));
        self.shift(tree, &shadow, &|_| None).expect("a shadow has the type of its variable")
    }
}

/// Whether an operator is undefined for some operands.
fn is_partial(model: &Model, node: &Node) -> bool {
    match node {
        Node::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr, _, by) => {
            !matches!(model[*by], Node::Const(_))
        }
        Node::Index(_, at) => !matches!(model[*at], Node::Const(_)),
        Node::Case(branches) => {
            !branches.last().is_some_and(|(guard, _)| matches!(model[*guard], Node::Const(Value::Bool(true))))
        }
        _ => false,
    }
}

/// A product with one literal replaced by several.
fn replace(product: &Product, at: usize, literals: Vec<Literal>) -> Product {
    let (before, after) = (&product[..at], &product[at + 1..]);
    before.iter().cloned().chain(literals).chain(after.iter().cloned()).collect()
}
