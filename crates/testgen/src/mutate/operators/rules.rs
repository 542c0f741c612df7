//! Operators on the rules of a machine and on statecharts. What they change is text, so the front end of the language applies them and
//! attaches the mutants to the model; here they have their names.

/// A kind of mistake in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOperator {
    /// Its short name: the first word of the name of each of its mutants.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Whether it is about statecharts, not about rules.
    pub of_charts: bool,
}

const fn rule(name: &'static str, summary: &'static str) -> RuleOperator {
    RuleOperator { name, summary, of_charts: false }
}

const fn chart(name: &'static str, summary: &'static str) -> RuleOperator {
    RuleOperator { name, summary, of_charts: true }
}

/// All operators on rules, in the order in which they are listed.
#[rustfmt::skip]
pub static RULE_OPERATORS: [RuleOperator; 15] = [
    rule("RR", "a rule left out"),
    rule("CN", "a condition negated"),
    rule("CR", "a condition left out"),
    rule("P2S", "`seq` for `par`"),
    rule("S2P", "`par` for `seq`"),
    rule("CASE", "a case left out"),
    rule("CHOOSE", "a choice from others"),
    rule("VALUE", "an update to another value"),
    chart("MT", "a transition left out"),
    chart("WT", "a wrong target"),
    chart("LH", "a history that is lost"),
    chart("MG", "a guard left out"),
    chart("NG", "a guard negated"),
    chart("WE", "a wrong event"),
    chart("MA", "an action left out"),
];

/// The operator of that name, whatever its case.
pub fn rule_operator(name: &str) -> Option<&'static RuleOperator> {
    RULE_OPERATORS.iter().find(|operator| operator.name.eq_ignore_ascii_case(name))
}
