//! Expounding: conditions as disjunctions of products of literals; each product makes a clause.
//!
//! A clause states "these hold before the step, and those after it". A disjunction over both states has to be split. A
//! default branch, which stands for "none of the above", is split down to literals: its mutants are the most useful
//! ones. All other conditions keep the form of the source.

use crate::policy::EXPOUND_PRODUCTS;
use crate::reflect::cx::Cx;
use crate::reflect::literal::{Literal, Product, Role, Sum, When};
use crate::reflect::tree::Tree;
use crate::reflect::{Relate, TooMany};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Node, Ty, Value};

/// How finely conditions are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Only where a clause needs it.
    Whole,
    /// Down to literals.
    Split,
}

/// A condition and its required truth value.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) tree: Tree,
    pub(crate) holds: bool,
    pub(crate) role: Role,
}

/// A part of a condition: its required truth value, and whether it is below `next`.
#[derive(Clone, Debug)]
struct Part {
    tree: Tree,
    holds: bool,
    shifted: bool,
    /// The negation around it, if it is in the source.
    negation: Option<Tree>,
}

/// The structure of a part, for splitting.
enum Shape {
    All(Vec<Part>),
    Any(Vec<Part>),
    Literal,
}

impl Cx<'_> {
    /// Products that state, together with what is given, that all conditions have their required values. The negated
    /// guards of a default branch are split down to literals, unless there are too many products.
    pub(crate) fn products(
        &mut self,
        given: &Product,
        conditions: &[(usize, &Condition)],
    ) -> Result<Vec<Product>, TooMany> {
        let split = self.products_at(given, conditions, Grain::Split);
        split.or_else(|TooMany| self.products_at(given, conditions, Grain::Whole))
    }

    fn products_at(
        &mut self,
        given: &Product,
        conditions: &[(usize, &Condition)],
        expounded: Grain,
    ) -> Result<Vec<Product>, TooMany> {
        let mut all = vec![given.clone()];
        // Literals of the source are always kept, and literals that they imply are removed at the end. In long tables
        // these are nearly all: `x = 7` implies everything about the other values.
        let own: Product = given.iter().filter(|literal| literal.role == Role::Own).cloned().collect();
        for (order, condition) in conditions {
            let grain = if condition.role == Role::Expounded { expounded } else { Grain::Whole };
            let mut more = self.split(condition, grain)?;
            let says_nothing = |cx: &mut Self, product: &Product| {
                product.iter().all(|literal| literal.when != When::Mixed && cx.implies(&own, literal))
            };
            if condition.role != Role::Own && !own.is_empty() && more.iter().any(|product| says_nothing(self, product))
            {
                continue;
            }
            more.iter_mut().flatten().for_each(|literal| literal.order = *order);
            all = self.conjoin(&all, &more)?;
        }
        Ok(all)
    }

    /// A condition as products.
    pub(crate) fn split(&mut self, condition: &Condition, grain: Grain) -> Result<Vec<Product>, TooMany> {
        let Condition { tree, holds, role } = condition.clone();
        self.split_part(&Part { tree, holds, shifted: false, negation: None }, role, grain)
    }

    fn split_part(&mut self, part: &Part, role: Role, grain: Grain) -> Result<Vec<Product>, TooMany> {
        if let Node::Const(Value::Bool(truth)) = self.model[part.tree.expr] {
            return Ok(if truth == part.holds { vec![Product::new()] } else { Vec::new() });
        }
        match self.shape(part) {
            Shape::All(parts) => {
                let mut all = vec![Product::new()];
                for part in parts {
                    let more = self.split_part(&part, role, grain)?;
                    all = self.conjoin(&all, &more)?;
                }
                Ok(all)
            }
            Shape::Any(parts) if grain == Grain::Split => {
                let mut any = Sum::default();
                for part in parts {
                    for product in self.split_part(&part, role, grain)? {
                        self.add_product(&mut any, product);
                    }
                    if any.len() > EXPOUND_PRODUCTS {
                        return Err(TooMany);
                    }
                }
                Ok(any.into_products())
            }
            Shape::Any(parts) if self.when(part) == When::Mixed && self.options.relate == Relate::Enumerate => {
                self.split_by_side(parts, role)
            }
            _ => {
                let literal = self.literal(part, role);
                Ok(vec![vec![literal]])
            }
        }
    }

    /// A disjunction over both states of a step: the disjuncts of each state are kept together.
    fn split_by_side(&mut self, parts: Vec<Part>, role: Role) -> Result<Vec<Product>, TooMany> {
        let mut sides: [Option<Literal>; 2] = [None, None];
        let mut any = Sum::default();
        for part in parts {
            let side = match self.when(&part) {
                When::Now => 0,
                When::Next => 1,
                When::Mixed => {
                    for product in self.split_part(&part, role, Grain::Whole)? {
                        self.add_product(&mut any, product);
                    }
                    continue;
                }
            };
            let literal = self.literal(&part, role);
            sides[side] = Some(match sides[side].take() {
                None => literal,
                Some(first) => Literal { tree: self.connect(BinaryOp::Or, &first.tree, &literal.tree), ..first },
            });
        }
        for literal in sides.into_iter().flatten() {
            self.add_product(&mut any, vec![literal]);
        }
        if any.len() > EXPOUND_PRODUCTS { Err(TooMany) } else { Ok(any.into_products()) }
    }

    /// All conjunctions of a product of the one and a product of the other, without redundant ones.
    fn conjoin(&mut self, some: &[Product], others: &[Product]) -> Result<Vec<Product>, TooMany> {
        let mut all = Sum::default();
        for a in some {
            for b in others {
                let product = a.iter().chain(b).cloned().collect();
                self.add_product(&mut all, product);
                if all.len() > EXPOUND_PRODUCTS {
                    return Err(TooMany);
                }
            }
        }
        Ok(all.into_products())
    }

    fn shape(&mut self, part: &Part) -> Shape {
        if *self.model.context.exprs.ty(part.tree.expr) != Ty::BOOL {
            return Shape::Literal;
        }
        let sub = |tree, holds| Part { tree, holds, shifted: part.shifted, negation: None };
        let node = self.model[part.tree.expr].clone();
        let mut parts = self.parts(&part.tree).into_iter();
        let (first, second) = (parts.next(), parts.next());
        match (node, first, second) {
            (Node::Next(_), Some(inner), _) => {
                Shape::All(vec![Part { tree: inner, holds: part.holds, shifted: true, negation: None }])
            }
            (Node::Unary(UnaryOp::Not, _), Some(inner), _) => {
                let negation = part.holds.then(|| part.tree.clone());
                Shape::All(vec![Part { negation, ..sub(inner, !part.holds) }])
            }
            (Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), ..), Some(a), Some(b)) => {
                let first_holds = if op == BinaryOp::Implies { !part.holds } else { part.holds };
                let subs = vec![sub(a, first_holds), sub(b, part.holds)];
                if (op == BinaryOp::And) == part.holds {
                    return Shape::All(subs);
                }
                // Nested disjunctions are flattened.
                let mut any = Vec::new();
                for sub in subs {
                    match self.shape_below(&sub) {
                        Shape::Any(more) => any.extend(more),
                        _ => any.push(sub),
                    }
                }
                Shape::Any(any)
            }
            // A define is expanded only if it mixes present and next values.
            (Node::Define(define), ..) if !part.shifted && !self.support(part.tree.expr).next.is_empty() => {
                let body = Tree::of(&self.model[define].body.clone());
                Shape::All(vec![sub(body, part.holds)])
            }
            _ => Shape::Literal,
        }
    }

    /// The structure of a part below its negations.
    fn shape_below(&mut self, part: &Part) -> Shape {
        match self.shape(part) {
            Shape::All(mut parts) if parts.len() == 1 => self.shape_below(&parts.remove(0)),
            shape => shape,
        }
    }

    fn when(&mut self, part: &Part) -> When {
        let support = self.support(part.tree.expr);
        match (part.shifted, support.now.is_empty(), support.next.is_empty()) {
            _ if self.input(part.tree.expr).is_some() => When::Mixed,
            (true, true, _) | (false, _, true) => When::Now,
            (true, false, _) | (false, true, false) => When::Next,
            (false, false, false) => When::Mixed,
        }
    }

    /// A part as a literal. A literal over the state after the step has no `next`.
    fn literal(&mut self, part: &Part, role: Role) -> Literal {
        // The guards of early branches are parts of the conditions of all later ones.
        let source = part.negation.as_ref().unwrap_or(&part.tree);
        let key = (source.key(), part.negation.is_some() || part.holds, part.shifted);
        if let Some((_, tree, when)) = self.literals.get(&key) {
            return Literal { tree: tree.clone(), when: *when, role, order: usize::MAX };
        }
        let (tree, when) = self.literal_of(part);
        self.literals.insert(key, (source.clone(), tree.clone(), when));
        Literal { tree, when, role, order: usize::MAX }
    }

    fn literal_of(&mut self, part: &Part) -> (Tree, When) {
        let when = self.when(part);
        let tree = match &part.negation {
            Some(negation) => negation.clone(),
            None if part.holds => part.tree.clone(),
            None => self.not(&part.tree),
        };
        let tree = match when {
            When::Now | When::Next if self.model.mentions(tree.expr, |node| matches!(node, Node::Next(_))) => {
                if self.is_too_long(tree.expr, false) {
                    // It stays what it is, and is not restated.
                    return (tree, When::Mixed);
                }
                self.shift(&tree, &|_| None, &|_| None).expect("the same expression about another state")
            }
            _ => tree,
        };
        (tree, when)
    }
}
