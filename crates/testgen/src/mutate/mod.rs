//! Mutation: many slightly wrong versions of a specification.
//!
//! An [`Operator`] models a kind of mistake and knows where it can be made. Applied to all properties or to the whole
//! machine, the selected operators give the [`Mutants`]: one small change each, well-typed, different from the
//! original. They are produced lazily and share everything but the change with the model, so there may be very many of
//! them.
//!
//! To add an operator: one file in `operators`, one line in [`OPERATORS`], one section in the book. Operators on the rules of machines
//! are listed in [`RULE_OPERATORS`].

mod chains;
mod cx;
mod operators;
mod scope;
mod site;
mod totality;
mod tree;
mod units;
mod vocabulary;

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
pub use operators::rules::{RULE_OPERATORS, RuleOperator, rule_operator};
pub use sample::{sample, sample_by};
pub use selection::{NAMES, Part, Selection, UnknownOperator};
pub use site::SiteId;
pub use text::{Text, file_diff};

pub(crate) use chains::Chains;
use cx::Cx;
pub(crate) use cx::with_child;
pub(crate) use identity::Contents;
use operators::{
    arithmetic, aso, branch, eno, gso, initial, lro, mco, next_current, off_by_one, oro, rro, sno, sro, sto, temporal,
};
use tree::At;

/// A mutation operator.
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
    Gso,
}

/// The source of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Black, Okun and Yesha, "Mutation operators for specifications", 2000.
    BlackOkunYesha,
    /// This project.
    Specwright,
}

/// The description of an operator.
pub struct Info {
    /// The operator.
    pub operator: Operator,
    /// Its short name, as in the papers.
    pub name: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Its source.
    pub source: Source,
    /// Whether it is applied by default.
    pub default: bool,
    /// Proposes changes of the expression at a node.
    mutate: fn(&mut Cx<'_>, At),
}

/// All operators, in the order of application and listing.
#[rustfmt::skip]
pub static OPERATORS: [Info; 16] = {
    use Source::{BlackOkunYesha, Specwright};
    [
        info(Operator::Oro, "ORO", "operand replacement", BlackOkunYesha, true, oro::mutate),
        info(Operator::Sno, "SNO", "simple expression negation", BlackOkunYesha, true, sno::mutate),
        info(Operator::Eno, "ENO", "expression negation", BlackOkunYesha, true, eno::mutate),
        info(Operator::Lro, "LRO", "logical operator replacement", BlackOkunYesha, true, lro::mutate),
        info(Operator::Rro, "RRO", "relational operator replacement", BlackOkunYesha, true, rro::mutate),
        info(Operator::Mco, "MCO", "missing condition", BlackOkunYesha, true, mco::mutate),
        info(Operator::Sto, "STO", "stuck at false or true", BlackOkunYesha, true, sto::mutate),
        info(Operator::Aso, "ASO", "associative shift", BlackOkunYesha, true, aso::mutate),
        info(Operator::Sro, "SRO", "simple expression replacement", BlackOkunYesha, false, sro::mutate),
        info(Operator::Tro, "TRO", "temporal operator replacement", Specwright, false, temporal::mutate),
        info(Operator::Obo, "OBO", "off by one in numbers, ranges and bounds", Specwright, false, off_by_one::mutate),
        info(Operator::Nco, "NCO", "next and current value confused", Specwright, false, next_current::mutate),
        info(Operator::Cbo, "CBO", "case branch missing or swapped", Specwright, false, branch::mutate),
        info(Operator::Aro, "ARO", "arithmetic operator replacement", Specwright, false, arithmetic::mutate),
        info(Operator::Ivo, "IVO", "wrong initial value", Specwright, false, initial::mutate),
        info(Operator::Gso, "GSO", "gate stuck at false or true", Specwright, false, gso::mutate),
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
    /// Its description.
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
