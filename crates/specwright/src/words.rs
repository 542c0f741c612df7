//! Words that messages are made of.

use specwright_model::model::{Property, PropertyKind};
use specwright_model::unparse::Unparser;
use specwright_model::{Domain, Model};
use specwright_syntax::columns::shorten;
use specwright_syntax::diagnostic::closest;
use specwright_testgen::mutate::{OPERATORS, RULE_OPERATORS};

/// A number with its noun.
pub fn count(n: usize, noun: &str) -> String {
    let plural = match noun.strip_suffix('y') {
        Some(stem) if n != 1 => format!("{stem}ies"),
        _ if n != 1 => format!("{noun}s"),
        _ => noun.to_owned(),
    };
    format!("{n} {plural}")
}

/// A share as a percentage, rounded down, so that 100 % means all; a share of nothing has none.
pub fn percent(part: usize, whole: usize) -> String {
    match (part * 1000).checked_div(whole) {
        Some(tenths) => format!("{}.{} %", tenths / 10, tenths % 10),
        None => "–".into(),
    }
}

/// A mutation operator in words, with its acronym: `expression negation (ENO)`. Other groups of goals keep their names.
pub fn operator_in_words(group: &str) -> String {
    let of_formulas = OPERATORS.iter().map(|operator| (operator.name, operator.summary));
    let of_rules = RULE_OPERATORS.iter().map(|operator| (operator.name, operator.summary));
    let known = of_formulas.chain(of_rules).find(|(name, _)| *name == group);
    known.map_or_else(|| group.to_owned(), |(name, summary)| format!("{summary} ({name})"))
}

/// What the chi-square test says about duplicates: unevenly distributed ones distort scores.
pub fn distribution(distorts: bool, statistic: f64, quantile: f64) -> String {
    if distorts {
        format!("the distribution of duplicates is not uniform (χ² = {statistic:.1} > {quantile:.1}, p < 0.05)")
    } else {
        format!("the distribution of duplicates is uniform (χ² = {statistic:.1} ≤ {quantile:.1})")
    }
}

/// What was perhaps meant by a name that is not known, to be put behind a message.
pub fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    closest(name, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
}

/// The kind of a property, as programs see it.
pub fn kind_text(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Ctl => "ctl",
        PropertyKind::Ltl => "ltl",
        PropertyKind::Invar => "invar",
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => "compute",
        PropertyKind::Psl(_) => "psl",
    }
}

/// A property as SMV writes it, without the keyword.
pub fn property_text(model: &Model, property: &Property) -> String {
    unparsed(&mut Unparser::new(model), property)
}

/// The same, for one property after another.
pub fn unparsed(unparser: &mut Unparser<'_>, property: &Property) -> String {
    let formula = unparser.text(property.formula.expr);
    match (property.kind, &property.target) {
        (PropertyKind::ComputeMin, Some(target)) => format!("MIN [{formula}, {}]", unparser.text(target.expr)),
        (PropertyKind::ComputeMax, Some(target)) => format!("MAX [{formula}, {}]", unparser.text(target.expr)),
        _ => formula,
    }
}

/// The start of that text, cut to a number of columns.
pub fn unparsed_start(unparser: &mut Unparser<'_>, property: &Property, columns: usize) -> String {
    let text = match property.kind {
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => unparsed(unparser, property),
        _ => unparser.text_start(property.formula.expr, columns),
    };
    shorten(text, columns)
}

/// A domain as SMV writes it.
pub fn domain_text(model: &Model, domain: &Domain) -> String {
    match domain {
        Domain::Bool => "boolean".into(),
        Domain::Enum(values) => {
            let values: Vec<String> = values.iter().map(|value| model.show(*value)).collect();
            format!("{{{}}}", values.join(", "))
        }
        Domain::Range(first, last) => format!("{first}..{last}"),
        Domain::Word { signed, width } => format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" }),
        Domain::Integer => "integer".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, percent};

    #[test]
    fn nouns_are_put_in_the_plural() {
        assert_eq!(
            [count(1, "error"), count(2, "property"), count(0, "error")],
            ["1 error", "2 properties", "0 errors"]
        );
    }

    #[test]
    fn percentages_are_rounded_down() {
        assert_eq!([percent(1999, 2000), percent(3, 3), percent(0, 0)], ["99.9 %", "100.0 %", "–"]);
    }
}
