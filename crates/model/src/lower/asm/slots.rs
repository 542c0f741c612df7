//! Reading and writing locations.

use super::build::UNDEF;
use super::locations::{Slot, Undef};
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::ExprId;
use crate::model::VarId;
use crate::op::BinaryOp;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    /// What is in a slot.
    pub(super) fn read_slot(&mut self, slot: &Slot) -> Sym {
        match slot {
            Slot::Known(value) => Sym::Known(value.clone()),
            Slot::One { var, values, undef, .. } => {
                let value = self.var_expr(*var);
                let defined = match undef {
                    Undef::Never => self.boolean(true),
                    Undef::Symbol => {
                        let none = self.atom(UNDEF);
                        self.compare(BinaryOp::Ne, value, none)
                    }
                    Undef::Flag(flag) => self.var_expr(*flag),
                };
                Sym::One(Single { value, defined, values: values.clone() })
            }
            Slot::Tuple(slots) => Sym::Tuple(slots.iter().map(|slot| self.read_slot(slot)).collect()),
            Slot::Set(vars) => {
                let members: Vec<(Sym, ExprId)> =
                    vars.iter().map(|(item, var)| (Sym::Known(item.clone()), self.var_expr(*var))).collect();
                Sym::Set(members)
            }
        }
    }

    /// What the variables of a slot become if it is given a value, and when that value fits.
    pub(super) fn write_slot(
        &mut self,
        function: usize,
        slot: &Slot,
        value: &Sym,
        span: Span,
    ) -> Result<(ExprId, Vec<(VarId, ExprId)>), Stop> {
        match slot {
            Slot::Known(known) => {
                self.note_values(function, value, span);
                Ok((self.equal(value, &Sym::Known(known.clone())), Vec::new()))
            }
            Slot::Tuple(slots) => {
                let n = slots.len();
                let items = match super::build::tuple_of(value) {
                    Some(items) if items.len() == n => items,
                    _ if matches!(value, Sym::Known(Const::Undef)) => vec![Sym::UNDEF; n],
                    _ => return Err(self.wrong_kind(span, "a tuple of as many parts", value)),
                };
                let (mut fits, mut written) = (Vec::new(), Vec::new());
                for (slot, item) in slots.iter().zip(&items) {
                    let (fit, vars) = self.write_slot(function, slot, item, span)?;
                    fits.push(fit);
                    written.extend(vars);
                }
                Ok((self.all(&fits), written))
            }
            Slot::Set(vars) => {
                let members = match value {
                    // A set that is not there is empty.
                    Sym::Known(Const::Undef) => Vec::new(),
                    _ => match self.members_of(value) {
                        Some(members) => members,
                        None => return Err(self.wrong_kind(span, "a set", value)),
                    },
                };
                let mut written = Vec::new();
                for (item, var) in vars {
                    let inside = self.is_member(&Sym::Known(item.clone()), &members);
                    written.push((*var, inside));
                }
                let yes = self.boolean(true);
                let allowed: Vec<(Sym, ExprId)> =
                    vars.iter().map(|(item, _)| (Sym::Known(item.clone()), yes)).collect();
                let mut fits = Vec::new();
                for (member, guard) in &members {
                    let fit = self.is_member(member, &allowed);
                    fits.push(self.implies(*guard, fit));
                }
                Ok((self.all(&fits), written))
            }
            Slot::One { var, values, allowed, undef } => {
                self.note_values(function, value, span);
                let like = Single { value: ExprId(0), defined: ExprId(0), values: values.clone() };
                let single = match value {
                    Sym::Known(Const::Undef) => self.undefined_like(&like),
                    _ => match self.single(value) {
                        Some(single) => single,
                        None => return Err(self.wrong_kind(span, "a single value", value)),
                    },
                };
                if std::mem::discriminant(&single.values) != std::mem::discriminant(values) {
                    let wanted = match values {
                        Values::Bool => "a truth value",
                        Values::Int(..) => "a number",
                        Values::Atoms(_) => "an element of the domain",
                    };
                    return Err(self.wrong_kind(span, wanted, value));
                }
                let inside = self.fits(&single, values, allowed.as_deref());
                let outside = self.not(single.defined);
                let fits = self.or(outside, inside);
                let none = self.undefined_like(&like);
                let mut written = Vec::new();
                match undef {
                    Undef::Never => written.push((*var, single.value)),
                    Undef::Symbol => written.push((*var, self.choose(single.defined, single.value, none.value))),
                    Undef::Flag(flag) => {
                        written.push((*var, self.choose(single.defined, single.value, none.value)));
                        written.push((*flag, single.defined));
                    }
                }
                Ok((fits, written))
            }
        }
    }

    /// When a value that is there is one of those that a location may hold.
    fn fits(&mut self, single: &Single, values: &Values, allowed: Option<&[Const]>) -> ExprId {
        match (&single.values, values) {
            (Values::Int(low, high), Values::Int(first, last)) if allowed.is_none() => {
                let mut parts = Vec::new();
                if low < first {
                    let first = self.int(*first);
                    parts.push(self.compare(BinaryOp::Ge, single.value, first));
                }
                if high > last {
                    let last = self.int(*last);
                    parts.push(self.compare(BinaryOp::Le, single.value, last));
                }
                self.all(&parts)
            }
            (Values::Atoms(names), _)
                if names
                    .iter()
                    .all(|name| allowed.is_some_and(|allowed| allowed.contains(&Const::Atom(name.clone())))) =>
            {
                self.boolean(true)
            }
            (Values::Bool, _) => self.boolean(true),
            _ => {
                let yes = self.boolean(true);
                let sym = Sym::One(Single { defined: yes, ..single.clone() });
                let cases: Vec<ExprId> = allowed
                    .unwrap_or_default()
                    .iter()
                    .map(|item| self.equal(&sym, &Sym::Known(item.clone())))
                    .collect();
                self.any(&cases)
            }
        }
    }
}
