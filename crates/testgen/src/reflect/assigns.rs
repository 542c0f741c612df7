//! Reflection of assignments and defines, branch by branch.

use super::Relate;
use super::TooMany;
use super::clause::{Clause, Origin, Scope, Site};
use super::cx::Cx;
use super::leaves::Leaf;
use super::literal::{Literal, Product, Role, Sum, When};
use super::relate::Unrelated;
use super::tree::Tree;
use crate::reflect::expound::{Condition, Grain};
use specwright_model::model::{AssignKind, DefineId};
use specwright_model::op::BinaryOp;
use specwright_model::{Node, Scalar, Ty, Value};

/// A claim, with the conditions that it needs in addition to those of its branch.
type Claim = (Product, Tree);

impl Cx<'_> {
    /// The clauses of all assignments, in source order.
    pub(crate) fn assigns(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        for assign in self.model.assigns.clone() {
            let var = self.model[assign.var].name.clone();
            let (origin, scope, name) = match assign.kind {
                AssignKind::Init => (Origin::Init, Scope::Initial, format!("init({var})")),
                AssignKind::Always => (Origin::Always, Scope::State, var.clone()),
                AssignKind::Next => (Origin::Next, Scope::Step, format!("next({var})")),
            };
            let site =
                Site { origin, scope, id: format!("{}_{}", origin.word(), plain(&var)), name, span: assign.span };
            clauses.extend(self.branches(&site, &Node::Var(assign.var), &Tree::of(&assign.value)));
        }
        clauses
    }

    /// The clauses of the defines that the machine itself does not use.
    pub(crate) fn outputs(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        for define in self.unused_defines() {
            let (name, body) = (self.model[define].name.clone(), Tree::of(&self.model[define].body.clone()));
            let support = self.support(body.expr);
            let is_single = matches!(self.model.context.exprs.ty(body.expr), Ty::One(_));
            // Constants are trivial, and inputs and next values cannot be observed in a state.
            if !is_single || support.temporal || !support.next.is_empty() || support.now.is_empty() {
                continue;
            }
            if self.input(body.expr).is_some() {
                continue;
            }
            let span = self.model[define].span;
            let id = format!("define_{}", plain(&name));
            let site = Site { origin: Origin::Define, scope: Scope::State, name, id, span };
            clauses.extend(self.branches(&site, &Node::Define(define), &body));
        }
        clauses
    }

    fn unused_defines(&self) -> Vec<DefineId> {
        let model = &*self.model;
        let constraints = [&model.init, &model.trans, &model.invar, &model.justice];
        let machine = (model.assigns.iter().map(|assign| &assign.value))
            .chain(model.defines.iter().map(|define| &define.body))
            .chain(constraints.into_iter().flatten())
            .chain(model.compassion.iter().flat_map(|(p, q)| [p, q]));
        let mut used = vec![false; model.defines.len()];
        for part in model.context.exprs.parts(machine.map(|sourced| sourced.expr)) {
            if let Node::Define(define) = model[part] {
                used[define.0 as usize] = true;
            }
        }
        (0..).map(DefineId).zip(used).filter(|(_, used)| !used).map(|(define, _)| define).collect()
    }

    /// The clauses of a value, branch by branch.
    fn branches(&mut self, site: &Site, target: &Node, value: &Tree) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let leaves = self.leaves(value);
        let single = leaves.len() == 1;
        for (number, leaf) in (1..).zip(leaves) {
            if leaf.default && !self.options.expound {
                continue;
            }
            let mut site = site.clone();
            if !single {
                site.name = format!("{} branch {number}", site.name);
                site.id = format!("{}_{number}", site.id);
            }
            if leaf.value.span().is_some() {
                site.span = leaf.conditions.last().map_or(leaf.value.span(), |last| {
                    if leaf.default { leaf.value.span() } else { last.tree.span().to(leaf.value.span()) }
                });
            }
            let target = self.leaf(target.clone(), leaf.value.span()).expect("names have types");
            let mut found = self.branch(&site, &target, &leaf);
            Cx::number(&mut found);
            clauses.extend(found);
        }
        clauses
    }

    fn branch(&mut self, site: &Site, target: &Tree, leaf: &Leaf) -> Vec<Clause> {
        let mut clauses = Vec::new();
        // The own guard of the branch comes first: it determines which of the earlier guards matter.
        let (own, others): (Vec<_>, Vec<_>) =
            leaf.conditions.iter().enumerate().partition(|(_, condition)| condition.role == Role::Own);
        for product in self.related(site, &Product::new(), &own) {
            match self.claims(site, &product, target, &leaf.value) {
                Ok(claims) => {
                    for (more, claim) in claims {
                        let product: Product = product.iter().chain(&more).cloned().collect();
                        if self.is_contradiction(&product) {
                            continue;
                        }
                        for mut product in self.related(site, &product, &others) {
                            if site.scope == Scope::Step {
                                self.guard(&mut product, &claim);
                            }
                            clauses.extend(self.clause(site, product, claim.clone()));
                        }
                    }
                }
                Err(why) => self.note_unrelated(site, why),
            }
        }
        clauses
    }

    /// Products of what is given and all conditions, without relations between two states.
    fn related(&mut self, site: &Site, given: &Product, conditions: &[(usize, &Condition)]) -> Vec<Product> {
        let mut products = Sum::default();
        match self.products(given, conditions) {
            Err(TooMany) => self.note(site.span, format!("{}: its conditions fall into too many clauses", site.name)),
            Ok(split) => {
                for product in split {
                    match self.relate(product) {
                        Ok(related) => related.into_iter().for_each(|product| self.add_product(&mut products, product)),
                        Err(why) => self.note_unrelated(site, why),
                    }
                }
            }
        }
        products.into_products()
    }

    pub(crate) fn note_unrelated(&mut self, site: &Site, why: Unrelated) {
        let message = match why {
            Unrelated::Input(var) => {
                let var = &self.model[var].name;
                format!(
                    "{}: depends on the input `{var}`, which a formula cannot name; a shadow variable can",
                    site.name
                )
            }
            Unrelated::Large(var) => {
                let var = &self.model[var].name;
                format!("{}: `{var}` has too many values to list; a shadow variable needs no list", site.name)
            }
            Unrelated::Long => {
                format!(
                    "{}: an expression over the next state is too long once its definitions are written out",
                    site.name
                )
            }
        };
        self.note(site.span, message);
    }

    /// The claims of a branch with this value about the target.
    fn claims(
        &mut self,
        site: &Site,
        product: &[Literal],
        target: &Tree,
        value: &Tree,
    ) -> Result<Vec<Claim>, Unrelated> {
        let support = self.support(value.expr);
        if site.scope != Scope::Step || support.now.is_empty() {
            if site.scope == Scope::Step && self.is_too_long(value.expr, false) {
                return Err(Unrelated::Long);
            }
            let value = if site.scope == Scope::Step {
                self.shift(value, &|_| None, &|_| None).expect("the same expression about another state")
            } else {
                value.clone()
            };
            return Ok(vec![(Product::new(), self.equals(target, &value))]);
        }
        if self.options.relate == Relate::Shadow {
            if self.is_too_long(value.expr, true) {
                return Err(Unrelated::Long);
            }
            let value = self.shadowed(value);
            return Ok(vec![(Product::new(), self.equals(target, &value))]);
        }
        if let Some(input) = self.input(value.expr) {
            return Err(Unrelated::Input(input));
        }
        let now_only = support.next.is_empty();
        match self.model.context.exprs.ty(value.expr) {
            Ty::One(Scalar::Bool) if now_only => Ok(self.truths(target, value)),
            Ty::One(_) if now_only => {
                let Node::Var(var) = self.model[target.expr] else { unreachable!("only variables have next values") };
                match self.listed(var) {
                    Ok(values) => Ok(self.listed_claims(target, value, &values)),
                    Err(large) => self.substituted(product, target, value).map_err(|_| large),
                }
            }
            _ => self.substituted(product, target, value),
        }
    }

    /// A boolean target: it is true if the condition is, and false if not.
    fn truths(&mut self, target: &Tree, value: &Tree) -> Vec<Claim> {
        let mut claims = Vec::new();
        for truth in [true, false] {
            let claim = if truth { target.clone() } else { self.not(target) };
            let condition = Condition { tree: value.clone(), holds: truth, role: Role::Own };
            let whole = |cx: &mut Self| {
                let tree = if truth { value.clone() } else { cx.not(value) };
                vec![vec![Literal { tree, when: When::Now, role: Role::Own, order: usize::MAX }]]
            };
            let products = self.split(&condition, Grain::Whole).unwrap_or_else(|TooMany| whole(self));
            claims.extend(products.into_iter().map(|product| (product, claim.clone())));
        }
        claims
    }

    /// For each value of the target: if the expression has it, the target gets it.
    fn listed_claims(&mut self, target: &Tree, value: &Tree, constants: &[Value]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for constant in constants {
            if let (Some(before), Some(after)) = (self.is_value(value, *constant), self.is_value(target, *constant)) {
                let before = Literal { tree: before, when: When::Now, role: Role::Valued, order: usize::MAX };
                claims.push((vec![before], after));
            }
        }
        claims
    }

    /// For all values of the variables in the expression: the target gets the resulting value.
    fn substituted(&mut self, product: &[Literal], target: &Tree, value: &Tree) -> Result<Vec<Claim>, Unrelated> {
        if self.is_too_long(value.expr, true) {
            return Err(Unrelated::Long);
        }
        let support = self.support(value.expr);
        let mut claims = Vec::new();
        for valuation in self.valuations(product, &support.now, When::Now)? {
            let constant = |var| valuation.iter().find(|(of, _)| *of == var).map(|(_, value)| Node::Const(*value));
            // Where the expression is undefined, the machine has no step.
            let Ok(tree) = self.shift(value, &constant, &|_| None) else { continue };
            let origin = Literal { tree: value.clone(), when: When::Now, role: Role::Valued, order: usize::MAX };
            let named = self.name(&valuation, &origin, When::Now);
            let claim = self.equals(target, &tree);
            claims.push((named, claim));
        }
        Ok(claims)
    }

    /// `target = value`, or `target in value` for a set; for booleans the literal itself.
    fn equals(&mut self, target: &Tree, value: &Tree) -> Tree {
        if let Node::Const(constant) = self.model[value.expr]
            && let Some(claim) = self.is_value(target, constant)
        {
            return claim;
        }
        let op = match self.model.context.exprs.ty(value.expr) {
            Ty::Set(_) => BinaryOp::In,
            Ty::One(Scalar::Bool) => BinaryOp::Iff,
            _ => BinaryOp::Eq,
        };
        let node = Node::Binary(op, target.expr, value.expr);
        self.join(node, value.span(), &[target.clone(), value.clone()]).expect("an assigned value fits its variable")
    }
}

/// A name as part of an identifier.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}
