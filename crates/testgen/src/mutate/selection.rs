//! Selection of operators by name.

use super::{OPERATORS, Operator};

/// The smallest unit of selection: an operator or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names below say it")]
pub enum Part {
    OroConstants,
    /// Constants that are assigned.
    OroResults,
    OroVariables,
    Sno,
    Eno,
    Lro,
    /// `->` as a logical operator.
    LroImplies,
    /// `<->`, `xor` and `xnor` as logical operators.
    LroIff,
    Rro,
    /// Replacement of a relational operator by its opposite.
    RroOpposite,
    Mco,
    Sto,
    Aso,
    Sro,
    Tro,
    Obo,
    Nco,
    Cbo,
    Aro,
    Ivo,
    Gso,
}

impl Part {
    /// The operator that it is a part of.
    pub fn operator(self) -> Operator {
        match self {
            Part::OroConstants | Part::OroResults | Part::OroVariables => Operator::Oro,
            Part::Sno => Operator::Sno,
            Part::Eno => Operator::Eno,
            Part::Lro | Part::LroImplies | Part::LroIff => Operator::Lro,
            Part::Rro | Part::RroOpposite => Operator::Rro,
            Part::Mco => Operator::Mco,
            Part::Sto => Operator::Sto,
            Part::Aso => Operator::Aso,
            Part::Sro => Operator::Sro,
            Part::Tro => Operator::Tro,
            Part::Obo => Operator::Obo,
            Part::Nco => Operator::Nco,
            Part::Cbo => Operator::Cbo,
            Part::Aro => Operator::Aro,
            Part::Ivo => Operator::Ivo,
            Part::Gso => Operator::Gso,
        }
    }
}

/// All names with their meanings: the operators, and the selections of them that the papers name.
#[rustfmt::skip]
pub const NAMES: [(&str, &str, &[Part]); 30] = {
    use Part::{
        Aro, Aso, Cbo, Eno, Gso, Ivo, Lro, LroIff, LroImplies, Mco, Nco, Obo, OroConstants, OroResults, OroVariables, Rro,
        RroOpposite, Sno, Sro, Sto, Tro,
    };
    [
        ("ORO", "operand replacement", &[OroConstants, OroResults, OroVariables]),
        ("SNO", "simple expression negation", &[Sno]),
        ("ENO", "expression negation", &[Eno]),
        ("LRO", "logical operator replacement", &[Lro, LroImplies]),
        ("RRO", "relational operator replacement", &[Rro]),
        ("MCO", "missing condition", &[Mco]),
        ("STO", "stuck at false or true", &[Sto]),
        ("ASO", "associative shift", &[Aso]),
        ("SRO", "simple expression replacement", &[Sro]),
        ("TRO", "temporal operator replacement", &[Tro]),
        ("OBO", "off by one", &[Obo]),
        ("NCO", "next and current value confused", &[Nco]),
        ("CBO", "case branch missing or swapped", &[Cbo]),
        ("ARO", "arithmetic operator replacement", &[Aro]),
        ("IVO", "wrong initial value", &[Ivo]),
        ("GSO", "gate stuck at false or true", &[Gso]),
        ("gates", "faults of circuits: STO, GSO, SNO, ENO, LRO-or, MCO and IVO", &[Sto, Gso, Sno, Eno, Lro, Mco, Ivo]),
        ("ORO+", "ORO and RRO", &[OroConstants, OroResults, OroVariables, Rro]),
        ("LRO-iff", "LRO with `<->`, `xor` and `xnor` among the operators", &[Lro, LroImplies, LroIff]),
        ("LRO-or", "LRO between `&` and `|` only", &[Lro]),
        ("RRO-5", "RRO with the opposite relation as well", &[Rro, RroOpposite]),
        ("replace_constant", "ORO of constants", &[OroConstants, OroResults]),
        ("replace_vars", "ORO of variables", &[OroVariables]),
        ("replace_oper", "LRO and RRO-5", &[Lro, LroImplies, Rro, RroOpposite]),
        ("remove_expr", "MCO", &[Mco]),
        ("CRO", "ORO of constants", &[OroConstants, OroResults]),
        ("CRO-if", "ORO of constants in conditions only", &[OroConstants]),
        ("VRO", "ORO of variables", &[OroVariables]),
        ("LRRO", "LRO and RRO", &[Lro, LroImplies, Rro]),
        ("all", "every operator but SRO", &[
            OroConstants, OroResults, OroVariables, Sno, Eno, Lro, LroImplies, Rro, Mco, Sto, Aso, Tro, Obo, Nco, Cbo,
            Aro, Ivo, Gso,
        ]),
    ]
};

/// A set of operators, or of parts of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection(u32);

impl Selection {
    /// The empty selection.
    pub const NONE: Selection = Selection(0);

    /// The selection with this name, in any case.
    pub fn named(name: &str) -> Result<Selection, UnknownOperator> {
        let found = NAMES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        let (_, _, parts) = found.ok_or_else(|| UnknownOperator(name.into()))?;
        Ok(parts.iter().fold(Selection::NONE, |selection, part| selection.with(*part)))
    }

    /// The selection with one more part.
    #[must_use]
    pub fn with(self, part: Part) -> Selection {
        Selection(self.0 | 1 << part as u32)
    }

    /// The union.
    #[must_use]
    pub fn and(self, other: Selection) -> Selection {
        Selection(self.0 | other.0)
    }

    /// The difference.
    #[must_use]
    pub fn without(self, other: Selection) -> Selection {
        Selection(self.0 & !other.0)
    }

    /// Whether a part is selected.
    pub fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u32 != 0
    }

    /// The operators of which a part is selected, in order.
    pub fn operators(self) -> impl Iterator<Item = Operator> {
        let parts_of = |operator| {
            let parts = NAMES.iter().flat_map(|(_, _, parts)| parts.iter().copied());
            parts.filter(move |part| part.operator() == operator)
        };
        let operators = OPERATORS.iter().map(|info| info.operator);
        operators.filter(move |operator| parts_of(*operator).any(|part| self.has(part)))
    }
}

impl Default for Selection {
    /// The operators that are applied by default.
    fn default() -> Selection {
        let on = OPERATORS.iter().filter(|info| info.default);
        on.filter_map(|info| Selection::named(info.name).ok()).fold(Selection::NONE, Selection::and)
    }
}

/// An unknown name of an operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown operator `{0}`")]
pub struct UnknownOperator(pub String);
