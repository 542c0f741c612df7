//! Duplicates: equivalence classes of goals.

use super::compare::Winnower;
use rustc_hash::FxHashMap;
use specwright_mc::Answer;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The equivalence relation of goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    /// Every path fragment from a reachable state reaches both or neither: no test distinguishes them.
    #[default]
    Paths,
    /// They are reached in the same states, as `AG (m1 <-> m2)` states in branching time. This identifies goals that
    /// tests can distinguish, and exists for comparison with the literature.
    Branching,
}

/// Equivalence classes of goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// Pairs of a goal and the first equivalent goal, in the given order.
    pub of: Vec<(usize, usize)>,
    /// Number of goals that could not be compared with a candidate. They count as distinct.
    pub n_unknown: usize,
}

impl Classes {
    /// The first goal of each class.
    pub fn distinct(&self) -> Vec<usize> {
        self.of.iter().filter(|(goal, first)| goal == first).map(|(goal, _)| *goal).collect()
    }

    /// The size of each class, in the order of [`Classes::distinct`].
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: indexmap::IndexMap<usize, usize> = indexmap::IndexMap::new();
        for (_, first) in &self.of {
            *sizes.entry(*first).or_default() += 1;
        }
        sizes.into_values().collect()
    }
}

/// Finds the equivalence classes of some goals. After each goal, `observe` gets the number of processed goals and
/// returns whether to go on; the remaining goals count as distinct.
pub fn classes(
    winnower: &mut Winnower<'_>,
    goals: &[usize],
    sameness: Sameness,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Classes {
    let mut classes = Classes { of: Vec::with_capacity(goals.len()), n_unknown: 0 };
    let mut distinct: Vec<usize> = Vec::new();
    let mut by_states = FxHashMap::default();
    // The distinct goals by their violation keys, and those without a key.
    let (mut by_key, mut others) = (FxHashMap::default(), Vec::new());
    let mut goes_on = true;
    for (n_done, goal) in goals.iter().copied().enumerate() {
        let first = match sameness {
            Sameness::Branching => match winnower.states(goal) {
                Some(states) => *by_states.entry(states).or_insert(goal),
                None => goal,
            },
            Sameness::Paths => {
                let mut unknown = false;
                let key = if goes_on { winnower.key(goal) } else { None };
                let known = key.as_ref().and_then(|key| by_key.get(key).copied());
                // Goals with keys are equivalent exactly if their keys are equal; all others are compared.
                let candidates = match key {
                    _ if !goes_on => &[][..],
                    Some(_) => &others,
                    None => &distinct,
                };
                let equivalent = known.or_else(|| {
                    candidates.iter().copied().find(|other| {
                        winnower.seem_equivalent(goal, *other)
                            && match winnower.differ(goal, *other) {
                                Answer::Impossible(_) => true,
                                Answer::Found(()) => false,
                                Answer::Undecided(_) => {
                                    unknown = true;
                                    false
                                }
                            }
                    })
                });
                match (equivalent, key) {
                    (Some(_), _) => {}
                    (None, Some(key)) => drop(by_key.insert(key, goal)),
                    (None, None) => others.push(goal),
                }
                classes.n_unknown += usize::from(equivalent.is_none() && (unknown || !goes_on));
                equivalent.unwrap_or(goal)
            }
        };
        if first == goal {
            distinct.push(goal);
        }
        classes.of.push((goal, first));
        goes_on &= observe(n_done + 1) && !winnower.is_spent();
    }
    classes
}

/// Whether duplicates distort a score: the chi-square test of Ammann and Black on the sizes of classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// The number of goals.
    pub n_goals: usize,
    /// The number of classes.
    pub n_classes: usize,
    /// `n N` times the squared distance between the shares of the classes and equal shares, summed over the classes.
    pub statistic: f64,
    /// The value that the statistic exceeds by chance with probability 0.05.
    pub quantile: f64,
}

impl Distribution {
    /// The test for classes of these sizes; `None` if there are fewer than two classes.
    pub fn new(sizes: &[usize]) -> Option<Distribution> {
        let (n, n_classes) = (sizes.iter().sum::<usize>(), sizes.len());
        if n_classes < 2 {
            return None;
        }
        let expected = float(n) / float(n_classes);
        let statistic = sizes.iter().map(|size| (float(*size) - expected).powi(2) / expected).sum();
        let quantile = ChiSquared::new(float(n_classes - 1)).ok()?.inverse_cdf(0.95);
        Some(Distribution { n_goals: n, n_classes, statistic, quantile })
    }

    /// Whether the sizes of the classes differ significantly.
    pub fn is_distorting(&self) -> bool {
        self.statistic > self.quantile
    }
}

#[expect(clippy::cast_precision_loss, reason = "no suite has 2^52 goals")]
fn float(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_distort_where_one_class_outweighs_the_others() {
        // The example of the paper: 100 distinct mutants, one of which occurs 201 times.
        let mut sizes = vec![1; 99];
        sizes.push(201);
        let test = Distribution::new(&sizes).unwrap();
        // Sum of (r - 3)^2 / 3 over all classes.
        assert!((test.statistic - (99.0 * 4.0 + 198.0 * 198.0) / 3.0).abs() < 1e-9);
        assert!((test.quantile - 123.225).abs() < 1e-3, "{}", test.quantile);
        assert!(test.is_distorting());
        assert!(!Distribution::new(&[3, 4, 3, 4]).unwrap().is_distorting());
        assert_eq!(Distribution::new(&[7]), None);
    }
}
