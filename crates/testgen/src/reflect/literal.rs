//! Literals and their products: the conditions of a clause before and after a step.

use super::cx::{Cx, Known};
use super::tree::Tree;
use rustc_hash::FxHashMap;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, VarId};
use std::collections::BTreeMap;

/// The state that a literal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum When {
    /// The state before the step.
    Now,
    /// The state after the step. The literal itself has no `next`.
    Next,
    /// Both states, or the inputs of the step; the literal has `next`.
    Mixed,
}

/// The origin of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    /// The claim of a clause; only while a clause is made.
    Claim,
    /// The guard of this branch in the source.
    Own,
    /// A part of an expounded default branch.
    Expounded,
    /// The negated guard of an earlier branch.
    Subtracted,
    /// The value that the rest of the clause is about.
    Valued,
}

impl Role {
    /// The order in which simplification and shortening drop literals: a value says more than an excluded value, and
    /// the source says most.
    pub(crate) const SUPERFLUOUS_FIRST: [Role; 4] = [Role::Subtracted, Role::Expounded, Role::Valued, Role::Own];
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub(crate) tree: Tree,
    pub(crate) when: When,
    pub(crate) role: Role,
    /// The index of its condition, by which the literals of a clause are sorted; literals without a condition come
    /// last.
    pub(crate) order: usize,
}

/// A conjunction of literals, in source order.
pub(crate) type Product = Vec<Literal>;

/// For each variable before and after the step, the values that are left.
type Values = BTreeMap<(VarId, When), Vec<bool>>;

/// A canonical form of a literal, and its sign.
type Statement = ((ExprId, ExprId, When), bool);

/// A variable before or after the step, with the place of the only value that is left.
type Fixed = (VarId, When, usize);

/// A set of what products fix, by numbers; different ones may have the same number.
type Mask = [u64; 4];

/// A disjunction of products, none of which absorbs another.
#[derive(Default)]
pub(crate) struct Sum {
    products: Vec<Product>,
    /// The facts of each product, since each new product is compared with all of them.
    facts: Vec<Facts>,
    /// What each of them fixes: a product absorbs only products that fix what it fixes. This settles most comparisons.
    masks: Vec<Mask>,
    numbers: FxHashMap<Fixed, usize>,
}

impl Sum {
    pub(crate) fn len(&self) -> usize {
        self.products.len()
    }

    pub(crate) fn into_products(self) -> Vec<Product> {
        self.products
    }

    /// What a product with these facts fixes.
    fn mask(&mut self, facts: &Facts) -> Mask {
        let mut mask = Mask::default();
        for fixed in facts.fixed() {
            let next = self.numbers.len();
            let number = *self.numbers.entry(fixed).or_insert(next) % (64 * mask.len());
            mask[number / 64] |= 1 << (number % 64);
        }
        mask
    }
}

/// Whether a product that fixes `wide` may absorb one that fixes `narrow`.
fn may_absorb(wide: &Mask, narrow: &Mask) -> bool {
    wide.iter().zip(narrow).all(|(wide, narrow)| wide & !narrow == 0)
}

/// The facts of a product.
struct Facts {
    values: Values,
    statements: Vec<Statement>,
}

impl Facts {
    /// The variables of which one value of several is left.
    fn fixed(&self) -> Vec<Fixed> {
        let only = |left: &[bool]| {
            let mut places = (0..left.len()).filter(|place| left[*place]);
            places.next().filter(|_| left.len() > 1 && places.next().is_none())
        };
        self.values.iter().filter_map(|((var, when), left)| Some((*var, *when, only(left)?))).collect()
    }
}

impl Cx<'_> {
    /// The values that a product leaves for each variable that single literals restrict.
    pub(crate) fn values(&mut self, product: &[Literal]) -> Values {
        let mut values = Values::new();
        for literal in product {
            if let Known::Over(var, truths) = self.known_literal(literal) {
                let key = (var, self.side(literal.when, var));
                let left = values.entry(key).or_insert_with(|| vec![true; truths.len()]);
                left.iter_mut().zip(truths.iter()).for_each(|(left, truth)| *left &= truth);
            }
        }
        values
    }

    fn known_literal(&mut self, literal: &Literal) -> Known {
        if literal.when == When::Mixed { Known::Opaque } else { self.known(literal.tree.expr) }
    }

    /// The state of a literal; for a frozen variable both states are the same.
    fn side(&self, when: When, var: VarId) -> When {
        if self.model[var].kind == specwright_model::model::VarKind::Frozen { When::Now } else { when }
    }

    fn facts(&mut self, product: &[Literal]) -> Facts {
        let statements = product.iter().map(|literal| self.statement(literal)).collect();
        Facts { values: self.values(product), statements }
    }

    fn statement(&self, literal: &Literal) -> Statement {
        let (mut expr, mut holds) = (literal.tree.expr, true);
        while let Node::Unary(UnaryOp::Not, inner) = self.model[expr] {
            (expr, holds) = (inner, !holds);
        }
        let (a, b) = match self.model[expr] {
            Node::Binary(BinaryOp::Eq, a, b) => (a.min(b), a.max(b)),
            Node::Binary(BinaryOp::Ne, a, b) => {
                holds = !holds;
                (a.min(b), a.max(b))
            }
            _ => (expr, expr),
        };
        ((a, b, literal.when), holds)
    }

    /// Whether the literals are contradictory, judged for each variable separately.
    pub(crate) fn is_contradiction(&mut self, product: &[Literal]) -> bool {
        let facts = self.facts(product);
        self.contradicts_itself(product, &facts)
    }

    fn contradicts_itself(&mut self, product: &[Literal], facts: &Facts) -> bool {
        let mut said = BTreeMap::new();
        facts
            .statements
            .iter()
            .any(|(statement, holds)| said.insert(*statement, *holds).is_some_and(|old| old != *holds))
            || facts.values.values().any(|left| !left.contains(&true))
            || product.iter().any(|literal| matches!(self.known_literal(literal), Known::Constant(false)))
    }

    /// Whether a product implies a literal.
    pub(crate) fn implies(&mut self, product: &[Literal], literal: &Literal) -> bool {
        let facts = self.facts(product);
        self.follows(&facts, literal)
    }

    fn follows(&mut self, facts: &Facts, literal: &Literal) -> bool {
        self.model.budget.look();
        match self.known_literal(literal) {
            Known::Constant(truth) => return truth,
            Known::Over(var, truths) => {
                let key = (var, self.side(literal.when, var));
                return match facts.values.get(&key) {
                    Some(left) => left.iter().zip(truths.iter()).all(|(left, truth)| !left || *truth),
                    None => truths.iter().all(|truth| *truth),
                };
            }
            Known::Opaque => {}
        }
        if facts.statements.contains(&self.statement(literal)) {
            return true;
        }
        match self.alternatives(&literal.tree, true) {
            Some(alternatives) => alternatives.into_iter().any(|tree| {
                let alternative = Literal { tree, ..literal.clone() };
                self.follows(facts, &alternative)
            }),
            None => false,
        }
    }

    /// The two alternatives of a condition with the required truth value, if it is a disjunction.
    fn alternatives(&mut self, tree: &Tree, holds: bool) -> Option<[Tree; 2]> {
        let parts = self.parts(tree);
        match (&self.model[tree.expr], holds) {
            (Node::Unary(UnaryOp::Not, _), _) => self.alternatives(&parts[0], !holds),
            (Node::Binary(BinaryOp::Or, ..), true) => Some([parts[0].clone(), parts[1].clone()]),
            (Node::Binary(BinaryOp::And, ..), false) => Some([self.not(&parts[0]), self.not(&parts[1])]),
            (Node::Binary(BinaryOp::Implies, ..), true) => Some([self.not(&parts[0]), parts[1].clone()]),
            _ => None,
        }
    }

    /// Drops implied literals, the last before the first. Of the source only duplicates are dropped.
    pub(crate) fn simplify(&mut self, product: &mut Product) {
        for role in Role::SUPERFLUOUS_FIRST {
            for at in (0..product.len()).rev() {
                if product[at].role != role {
                    continue;
                }
                let literal = product.remove(at);
                let drop = match role {
                    Role::Own => {
                        let statement = self.statement(&literal);
                        product.iter().any(|other| self.statement(other) == statement)
                    }
                    _ => self.implies(product, &literal),
                };
                if !drop {
                    product.insert(at, literal);
                }
            }
        }
    }

    /// Whether a product allows everything that a product with these facts allows.
    fn absorbs(&mut self, wide: &[Literal], narrow: &Facts) -> bool {
        wide.iter().all(|literal| self.follows(narrow, literal))
    }

    /// Adds a product unless another one absorbs it; drops those that it absorbs.
    pub(crate) fn add_product(&mut self, sum: &mut Sum, product: Product) {
        let facts = self.facts(&product);
        if self.contradicts_itself(&product, &facts) {
            return;
        }
        let mask = sum.mask(&facts);
        let mut wider = sum.products.iter().zip(&sum.masks).filter(|(_, wide)| may_absorb(wide, &mask));
        if wider.any(|(wide, _)| self.absorbs(wide, &facts)) {
            return;
        }
        let stays = sum.facts.iter().zip(&sum.masks);
        let stays = stays.map(|(narrow, other)| !(may_absorb(&mask, other) && self.absorbs(&product, narrow)));
        let stays: Vec<bool> = stays.collect();
        if stays.contains(&false) {
            retain(&mut sum.products, &stays);
            retain(&mut sum.facts, &stays);
            retain(&mut sum.masks, &stays);
        }
        sum.products.push(product);
        sum.facts.push(facts);
        sum.masks.push(mask);
    }
}

/// Keeps the items that are to stay.
fn retain<T>(items: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    items.retain(|_| stays.next() == Some(&true));
}
