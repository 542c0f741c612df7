//! Duplicates: goals that are the same although they were made differently.

use super::winnower::Winnower;
use rustc_hash::FxHashMap;
use specwright_mc::Answer;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// When two goals are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    /// Every path fragment from a reachable state reaches both or neither: no test tells them apart.
    #[default]
    Paths,
    /// They are reached in the same states, as `AG (m1 <-> m2)` says in branching time. This takes for the same what a
    /// test can tell apart, and is there for comparison with the literature.
    Branching,
}

/// Goals by what they ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// For each goal that was looked at, the first goal that is the same; in the order in which they were given.
    pub of: Vec<(usize, usize)>,
    /// How many goals could not be compared with one that looks the same. They count as different.
    pub n_unknown: usize,
}

impl Classes {
    /// The first goal of each class.
    pub fn distinct(&self) -> Vec<usize> {
        self.of.iter().filter(|(goal, first)| goal == first).map(|(goal, _)| *goal).collect()
    }

    /// How many goals each class has, in the order of [`Classes::distinct`].
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: indexmap::IndexMap<usize, usize> = indexmap::IndexMap::new();
        for (_, first) in &self.of {
            *sizes.entry(*first).or_default() += 1;
        }
        sizes.into_values().collect()
    }
}

/// Finds the duplicates among some goals. After each goal, `observe` is told how many are done, and says whether to go
/// on; those that come after that count as different.
pub fn classes(
    winnower: &mut Winnower<'_>,
    goals: &[usize],
    sameness: Sameness,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Classes {
    let mut classes = Classes { of: Vec::with_capacity(goals.len()), n_unknown: 0 };
    let mut distinct: Vec<usize> = Vec::new();
    let mut by_states = FxHashMap::default();
    // The distinct goals by where they are reached, and those of which that cannot be said.
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
                // Two goals with keys need no question; any other two do.
                let candidates = match key {
                    _ if !goes_on => &[][..],
                    Some(_) => &others,
                    None => &distinct,
                };
                let same = known.or_else(|| {
                    candidates.iter().copied().find(|other| {
                        winnower.looks_same(goal, *other)
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
                match (same, key) {
                    (Some(_), _) => {}
                    (None, Some(key)) => drop(by_key.insert(key, goal)),
                    (None, None) => others.push(goal),
                }
                classes.n_unknown += usize::from(same.is_none() && (unknown || !goes_on));
                same.unwrap_or(goal)
            }
        };
        if first == goal {
            distinct.push(goal);
        }
        classes.of.push((goal, first));
        goes_on &= observe(n_done + 1) && !winnower.is_over();
    }
    classes
}

/// Whether duplicates distort a score, by the chi-square test of Ammann and Black on how many goals each class has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// The number of goals.
    pub n_goals: usize,
    /// The number of classes.
    pub n_classes: usize,
    /// `n N` times the squared distance between the shares of the classes and equal shares, summed over the classes.
    pub statistic: f64,
    /// The value that the statistic exceeds by chance in one case of twenty.
    pub quantile: f64,
}

impl Distribution {
    /// The test for classes of these sizes; none if there are fewer than two classes.
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

    /// Whether the classes are of so different sizes that it cannot be chance.
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
