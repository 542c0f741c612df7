//! Values of symbolic execution: constants, and values that depend on the state.

use crate::expr::ExprId;
use std::sync::Arc;

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Const {
    /// `undef`
    Undef,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A constant of an enumeration, an element of an abstract domain, a quoted string, or a rule: `<<r_x>>`.
    Atom(Arc<str>),
    /// A tuple.
    Tuple(Vec<Const>),
    /// A set, sorted and without repetition.
    Set(Vec<Const>),
    /// A sequence.
    Seq(Vec<Const>),
    /// A map, in source order.
    Map(Vec<(Const, Const)>),
}

impl Const {
    /// A set of these.
    pub fn set(mut items: Vec<Const>) -> Const {
        items.sort_unstable();
        items.dedup();
        Const::Set(items)
    }
}

impl std::fmt::Display for Const {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |f: &mut std::fmt::Formatter<'_>, items: &[Const]| {
            for (at, item) in items.iter().enumerate() {
                write!(f, "{}{item}", if at > 0 { "," } else { "" })?;
            }
            Ok(())
        };
        match self {
            Const::Undef => f.write_str("undef"),
            Const::Bool(value) => write!(f, "{value}"),
            Const::Int(value) => write!(f, "{value}"),
            Const::Atom(name) => f.write_str(name),
            Const::Tuple(items) => {
                f.write_str("(")?;
                list(f, items)?;
                f.write_str(")")
            }
            Const::Set(items) => {
                f.write_str("{")?;
                list(f, items)?;
                f.write_str("}")
            }
            Const::Seq(items) => {
                f.write_str("[")?;
                list(f, items)?;
                f.write_str("]")
            }
            Const::Map(pairs) => {
                f.write_str("{")?;
                for (at, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key}->{value}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// The possible values of an expression, besides `undef`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Bool,
    /// The integers from the first to the last.
    Int(i64, i64),
    Atoms(Arc<[Arc<str>]>),
}

/// A scalar value that depends on the state.
///
/// If it is undefined, an atom has the value `undef`, while a number or boolean is arbitrary: only `defined` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Single {
    pub(super) value: ExprId,
    /// The condition that it is defined.
    pub(super) defined: ExprId,
    pub(super) values: Values,
}

/// The symbolic value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sym {
    Known(Const),
    One(Single),
    /// A fraction: numerator and positive denominator.
    Ratio(Box<Sym>, Box<Sym>),
    Tuple(Vec<Sym>),
    /// The possible members, with their conditions.
    Set(Vec<(Sym, ExprId)>),
    Seq(Vec<Sym>),
    Map(Vec<(Sym, Sym)>),
    /// Alternatives of different kinds or lengths; exactly one of the conditions holds.
    Either(Vec<(Sym, ExprId)>),
}

impl Sym {
    pub(super) const UNDEF: Sym = Sym::Known(Const::Undef);

    pub(super) fn bool(value: bool) -> Sym {
        Sym::Known(Const::Bool(value))
    }

    pub(super) fn known(&self) -> Option<Const> {
        let all = |items: &[Sym]| items.iter().map(Sym::known).collect::<Option<Vec<Const>>>();
        Some(match self {
            Sym::Known(value) => value.clone(),
            Sym::One(_) | Sym::Ratio(..) | Sym::Set(_) | Sym::Either(_) => return None,
            Sym::Tuple(items) => Const::Tuple(all(items)?),
            Sym::Seq(items) => Const::Seq(all(items)?),
            Sym::Map(pairs) => Const::Map(
                pairs.iter().map(|(key, value)| Some((key.known()?, value.known()?))).collect::<Option<Vec<_>>>()?,
            ),
        })
    }
}
