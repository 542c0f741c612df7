//! Operators on the rules of a machine. What they change is text, so the front end of the language applies them and
//! attaches the mutants to the model; here they have their names.

/// A kind of mistake in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOperator {
    /// Its short name: the first word of the name of each of its mutants.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
}

/// All operators on rules, in the order in which they are listed.
#[rustfmt::skip]
pub static RULE_OPERATORS: [RuleOperator; 8] = [
    RuleOperator { name: "RR", summary: "a rule left out" },
    RuleOperator { name: "CN", summary: "a condition negated" },
    RuleOperator { name: "CR", summary: "a condition left out" },
    RuleOperator { name: "P2S", summary: "`seq` for `par`" },
    RuleOperator { name: "S2P", summary: "`par` for `seq`" },
    RuleOperator { name: "CASE", summary: "a case left out" },
    RuleOperator { name: "CHOOSE", summary: "a choice from others" },
    RuleOperator { name: "VALUE", summary: "an update to another value" },
];

/// The operator of that name, whatever its case.
pub fn rule_operator(name: &str) -> Option<&'static RuleOperator> {
    RULE_OPERATORS.iter().find(|operator| operator.name.eq_ignore_ascii_case(name))
}
