//! Mutation: a specification is turned into many slightly wrong ones.
//!
//! An [`Operator`] stands for a kind of mistake that people make, and knows the places where it can be made. Applied
//! to all properties or to the whole machine, the selected operators give the [`Mutants`]: one small change each,
//! well-typed, never the original again. They are produced one by one and share everything but the change with the
//! model, so there may be very many of them.
//!
//! To add an operator: one file here, one line in [`OPERATORS`], one section in the book. Operators on the rules of machines
//! are listed in [`RULE_OPERATORS`].

mod cx;
mod scope;
mod site;
mod totality;
mod tree;
mod units;
mod vocabulary;

mod arithmetic;
mod aso;
mod branch;
mod eno;
mod initial;
mod lro;
mod mco;
mod next_current;
mod off_by_one;
mod oro;
mod rro;
mod rules;
mod sno;
mod sro;
mod sto;
mod temporal;

mod identity;
mod ignore;
mod in_diff;
mod mutant;
mod mutants;
mod sample;
mod selection;
mod text;

pub use ignore::{Ignore, IgnoreError, parse_ignores};
pub use in_diff::{ChangedFile, DiffError, parse_diff};
pub use mutant::{Change, Mutant, MutantId, Origin};
pub use mutants::{Guard, GuardMode, Mutants, Options, Targets};
pub use rules::{RULE_OPERATORS, RuleOperator, rule_operator};
pub use sample::sample;
pub use selection::{NAMES, Part, Selection, UnknownOperator};
pub use site::SiteId;
pub use text::{Text, file_diff};

use cx::Cx;
use tree::At;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is described in the table below")]
pub enum Operator {
    Oro,
    Sno,
    Eno,
    Lro,
    Rro,
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
}

/// Where an operator comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Black, Okun and Yesha, "Mutation operators for specifications", 2000.
    BlackOkunYesha,
    /// This project.
    Specwright,
}

/// What there is to know about an operator.
pub struct Info {
    /// The operator.
    pub operator: Operator,
    /// Its short name, as the papers have it.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// Whether it is applied unless the user says otherwise.
    pub default: bool,
    /// Proposes changes of the expression at a place.
    mutate: fn(&mut Cx<'_>, At),
}

/// All operators, in the order in which they are applied and listed.
#[rustfmt::skip]
pub static OPERATORS: [Info; 15] = {
    use Source::{BlackOkunYesha, Specwright};
    [
        info(Operator::Oro, "ORO", "operand replacement", BlackOkunYesha, true, oro::mutate),
        info(Operator::Sno, "SNO", "simple expression negation", BlackOkunYesha, true, sno::mutate),
        info(Operator::Eno, "ENO", "expression negation", BlackOkunYesha, true, eno::mutate),
        info(Operator::Lro, "LRO", "logical operator replacement", BlackOkunYesha, true, lro::mutate),
        info(Operator::Rro, "RRO", "relational operator replacement", BlackOkunYesha, true, rro::mutate),
        info(Operator::Mco, "MCO", "missing condition", BlackOkunYesha, true, mco::mutate),
        info(Operator::Sto, "STO", "simple expression stuck at false or true", BlackOkunYesha, true, sto::mutate),
        info(Operator::Aso, "ASO", "associative shift", BlackOkunYesha, true, aso::mutate),
        info(Operator::Sro, "SRO", "simple expression replacement", BlackOkunYesha, false, sro::mutate),
        info(Operator::Tro, "TRO", "temporal operator replacement", Specwright, false, temporal::mutate),
        info(Operator::Obo, "OBO", "off by one in numbers, ranges and bounds", Specwright, false, off_by_one::mutate),
        info(Operator::Nco, "NCO", "next and current value confused", Specwright, false, next_current::mutate),
        info(Operator::Cbo, "CBO", "case branch missing or swapped", Specwright, false, branch::mutate),
        info(Operator::Aro, "ARO", "arithmetic operator replacement", Specwright, false, arithmetic::mutate),
        info(Operator::Ivo, "IVO", "wrong initial value", Specwright, false, initial::mutate),
    ]
};

const fn info(
    operator: Operator,
    name: &'static str,
    summary: &'static str,
    source: Source,
    default: bool,
    mutate: fn(&mut Cx<'_>, At),
) -> Info {
    Info { operator, name, summary, source, default, mutate }
}

impl Operator {
    /// What there is to know about it.
    pub fn info(self) -> &'static Info {
        &OPERATORS[self as usize]
    }

    /// Its short name.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

#[cfg(test)]
mod tests;
