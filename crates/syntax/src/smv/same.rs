//! Equality of syntax trees up to source spans.

use super::ast::{ExprId, ExprKind, Exprs, File, Ident, Item, ItemKind, TypeExpr, TypeKind};

/// Whether two files are equal up to spans and comments.
pub fn same_file(a: &File, b: &File) -> bool {
    let pairs = Pairs { a: &a.exprs, b: &b.exprs };
    a.modules.len() == b.modules.len()
        && a.modules.iter().zip(&b.modules).all(|(a, b)| {
            a.name.text == b.name.text
                && same_names(&a.params, &b.params)
                && a.items.len() == b.items.len()
                && a.items.iter().zip(&b.items).all(|(a, b)| pairs.item(a, b))
        })
}

/// Whether two expressions are equal up to spans.
pub fn same_expr(a: (&Exprs, ExprId), b: (&Exprs, ExprId)) -> bool {
    Pairs { a: a.0, b: b.0 }.expr(a.1, b.1)
}

fn same_names(a: &[Ident], b: &[Ident]) -> bool {
    a.iter().map(|ident| &ident.text).eq(b.iter().map(|ident| &ident.text))
}

fn same_name(a: Option<&Ident>, b: Option<&Ident>) -> bool {
    a.map(|ident| &ident.text) == b.map(|ident| &ident.text)
}

/// The arenas of the two sides.
struct Pairs<'a> {
    a: &'a Exprs,
    b: &'a Exprs,
}

impl Pairs<'_> {
    fn item(&self, a: &Item, b: &Item) -> bool {
        match (&a.kind, &b.kind) {
            (ItemKind::Vars(a_kind, a), ItemKind::Vars(b_kind, b)) => {
                a_kind == b_kind
                    && a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| a.name.text == b.name.text && self.ty(&a.ty, &b.ty))
            }
            (ItemKind::Defines(a), ItemKind::Defines(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| a.name.text == b.name.text && self.expr(a.body, b.body))
            }
            (ItemKind::Constants(a), ItemKind::Constants(b)) => same_names(a, b),
            (ItemKind::Assigns(a), ItemKind::Assigns(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(a, b)| a.kind == b.kind && self.expr(a.target, b.target) && self.expr(a.value, b.value))
            }
            (ItemKind::Constraint(a_kind, a), ItemKind::Constraint(b_kind, b)) => a_kind == b_kind && self.expr(*a, *b),
            (ItemKind::Compassion(a, c), ItemKind::Compassion(b, d)) => self.expr(*a, *b) && self.expr(*c, *d),
            (ItemKind::Isa(a), ItemKind::Isa(b)) => a.text == b.text,
            (ItemKind::Property(a), ItemKind::Property(b)) => {
                a.kind == b.kind
                    && same_name(a.name.as_ref(), b.name.as_ref())
                    && self.expr(a.formula, b.formula)
                    && self.optional(a.target, b.target)
                    && self.optional(a.context, b.context)
            }
            (ItemKind::Pred(a_name, a), ItemKind::Pred(b_name, b)) => {
                same_name(a_name.as_ref(), b_name.as_ref()) && self.expr(*a, *b)
            }
            (ItemKind::Mirror(a), ItemKind::Mirror(b)) => self.expr(*a, *b),
            _ => false,
        }
    }

    fn ty(&self, mut a: &TypeExpr, mut b: &TypeExpr) -> bool {
        while let (TypeKind::Array(a_low, a_high, a_element), TypeKind::Array(b_low, b_high, b_element)) =
            (&a.kind, &b.kind)
        {
            if !self.expr(*a_low, *b_low) || !self.expr(*a_high, *b_high) {
                return false;
            }
            (a, b) = (a_element, b_element);
        }
        match (&a.kind, &b.kind) {
            (TypeKind::Error, TypeKind::Error)
            | (TypeKind::Boolean, TypeKind::Boolean)
            | (TypeKind::Integer, TypeKind::Integer) => true,
            (TypeKind::Enum(a), TypeKind::Enum(b)) => self.all(a, b),
            (TypeKind::Range(a, c), TypeKind::Range(b, d)) => self.expr(*a, *b) && self.expr(*c, *d),
            (TypeKind::Word { signed: a, width: c }, TypeKind::Word { signed: b, width: d }) => {
                a == b && self.expr(*c, *d)
            }
            (
                TypeKind::Instance { process: a_process, module: a_module, args: a_args },
                TypeKind::Instance { process: b_process, module: b_module, args: b_args },
            ) => a_process == b_process && a_module.text == b_module.text && self.all(a_args, b_args),
            _ => false,
        }
    }

    fn optional(&self, a: Option<ExprId>, b: Option<ExprId>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.expr(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    fn all(&self, a: &[ExprId], b: &[ExprId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.expr(*a, *b))
    }

    fn expr(&self, a: ExprId, b: ExprId) -> bool {
        let mut left = vec![(a, b)];
        while let Some((a, b)) = left.pop() {
            let (a, b) = (&self.a[a].kind, &self.b[b].kind);
            if !same_shape(a, b) {
                return false;
            }
            let start = left.len();
            a.for_each_child(|child| left.push((child, child)));
            let mut at = start;
            b.for_each_child(|child| {
                left[at].1 = child;
                at += 1;
            });
        }
        true
    }
}

/// Whether two expressions have the same kind and number of parts.
fn same_shape(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (ExprKind::Field(_, a), ExprKind::Field(_, b)) => a.text == b.text,
        (ExprKind::Case(a), ExprKind::Case(b)) => a.len() == b.len(),
        (ExprKind::Set(a), ExprKind::Set(b)) | (ExprKind::Array(a), ExprKind::Array(b)) => a.len() == b.len(),
        (ExprKind::Call(a_builtin, a), ExprKind::Call(b_builtin, b)) => a_builtin == b_builtin && a.len() == b.len(),
        // The parts are compared by the caller; everything else must be equal.
        (a, b) => a.map_children(|_| ExprId(0)) == b.map_children(|_| ExprId(0)),
    }
}
