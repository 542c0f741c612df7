//! The counting identities of the papers on random formulas, compared with an independent count.

use super::*;
use proptest::prelude::*;

const DECLARATIONS: &str = "\
MODULE main
VAR a : boolean; b : boolean; c : boolean; x : {on, off, idle}; y : {on, off, idle}; n : 0..7;
DEFINE Low := 2; High := 5;
SPEC
";

#[derive(Clone, Debug)]
enum Formula {
    /// Text, number of possible operand replacements, and whether it is a relation between numbers.
    Simple(&'static str, usize, bool),
    Not(Box<Formula>),
    Binary(&'static str, Box<Formula>, Box<Formula>),
    Temporal(&'static str, Box<Formula>),
}

const SIMPLE: [(&str, usize, bool); 7] = [
    ("a", 2, false),
    ("b", 2, false),
    ("x = on", 2 + 1, false),
    ("off = y", 2 + 1, false),
    ("x = y", 0, false),
    ("n < Low", 1, true),
    ("n != 3", 0, true),
];

fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = (0..SIMPLE.len()).prop_map(|index| {
        let (text, n_operands, is_number) = SIMPLE[index];
        Formula::Simple(text, n_operands, is_number)
    });
    leaf.prop_recursive(6, 40, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            1 => boxed.clone().prop_map(Formula::Not),
            4 => (prop::sample::select(vec!["&", "|", "->"]), boxed.clone(), boxed.clone())
                .prop_map(|(op, left, right)| Formula::Binary(op, left, right)),
            1 => (prop::sample::select(vec!["AX", "AF", "AG", "EX", "EF", "EG"]), boxed)
                .prop_map(|(op, inner)| Formula::Temporal(op, inner)),
        ]
    })
}

impl Formula {
    fn text(&self) -> String {
        match self {
            Formula::Simple(text, ..) => format!("({text})"),
            Formula::Not(inner) => format!("!({})", inner.text()),
            Formula::Binary(op, left, right) => format!("({} {op} {})", left.text(), right.text()),
            Formula::Temporal(op, inner) => format!("({op} {})", inner.text()),
        }
    }

    fn parts(&self) -> Vec<&Formula> {
        let mut parts = vec![self];
        match self {
            Formula::Simple(..) => {}
            Formula::Not(inner) | Formula::Temporal(_, inner) => parts.extend(inner.parts()),
            Formula::Binary(_, left, right) => parts.extend(left.parts().into_iter().chain(right.parts())),
        }
        parts
    }

    fn count(&self, wanted: impl Fn(&Formula) -> usize) -> usize {
        self.parts().into_iter().map(wanted).sum()
    }

    /// Whether it is a simple expression, perhaps negated.
    fn is_simple(&self) -> bool {
        match self {
            Formula::Simple(..) => true,
            Formula::Not(inner) => inner.is_simple(),
            _ => false,
        }
    }

    fn n_shifts(&self) -> usize {
        let is_chain = |formula: &Formula| matches!(formula, Formula::Binary("&" | "|", ..));
        match self {
            Formula::Binary("->", left, right) => usize::from(is_chain(left)) + usize::from(is_chain(right)),
            _ => 0,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_identities_hold(formula in formulas()) {
        let text = format!("{DECLARATIONS}{}\n", formula.text());
        let mut model = load(&text).0;
        let counts = counts(&mut model, Options::default());
        let n = |operator| counts.get(&operator).copied().unwrap_or(0);
        let n_simple = formula.count(|part| usize::from(matches!(part, Formula::Simple(..))));
        let n_compound = formula.count(|part| usize::from(matches!(part, Formula::Binary(..))));
        let n_conditions = formula.count(|part| match part {
            Formula::Binary(_, left, right) => usize::from(left.is_simple()) + usize::from(right.is_simple()),
            _ => 0,
        });
        let n_operands = formula.count(|part| if let Formula::Simple(_, n, _) = part { *n } else { 0 });
        let n_numbers = formula.count(|part| usize::from(matches!(part, Formula::Simple(_, _, true))));
        prop_assert_eq!(n(Operator::Sno), n_simple);
        prop_assert_eq!(n(Operator::Eno), n_simple + n_compound);
        prop_assert_eq!(n(Operator::Sno) - n_compound, 1, "one formula");
        prop_assert_eq!(n(Operator::Lro), 2 * n_compound);
        prop_assert_eq!(n(Operator::Sto), 2 * n_simple);
        prop_assert_eq!(n(Operator::Mco), n_conditions);
        prop_assert_eq!(n(Operator::Oro), n_operands);
        prop_assert_eq!(n(Operator::Rro), 4 * n_numbers);
        prop_assert_eq!(n(Operator::Aso), formula.count(Formula::n_shifts));
    }

    #[test]
    fn mutants_are_distinct_and_none_is_the_original(formula in formulas()) {
        let (model, _) = load(&format!("{DECLARATIONS}{}\n", formula.text()));
        let mutants: Vec<Mutant> = Mutants::new(&model, operators(&["all", "LRO-iff", "RRO-5"])).collect();
        let mut trees = vec![model.properties[0].formula.expr];
        trees.extend(mutants.iter().map(|mutant| mutant.mutated(&model)));
        let n_trees = trees.len();
        trees.sort_unstable();
        trees.dedup();
        prop_assert_eq!(trees.len(), n_trees);
        prop_assert!(mutants.iter().all(|mutant| mutant.span.is_some()));
    }
}
