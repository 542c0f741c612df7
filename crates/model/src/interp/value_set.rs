//! Sets of values in source order without repetition. Ranges are kept as ranges, so that `0..1000000000` takes constant
//! space.

use crate::value::{Domain, Value};

/// The values of a nondeterministic choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueSet {
    /// Disjoint parts, in source order.
    parts: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Segment {
    One(Value),
    /// The numbers from the first to the last.
    Range(i64, i64),
}

impl ValueSet {
    /// The set of one value.
    pub fn one(value: Value) -> ValueSet {
        ValueSet { parts: vec![Segment::One(value)] }
    }

    /// Adds a value unless it is a member already.
    pub fn insert(&mut self, value: Value) {
        if !self.contains(value) {
            self.parts.push(Segment::One(value));
        }
    }

    /// Adds the numbers from the first to the last that are not members yet.
    pub fn insert_range(&mut self, first: i64, last: i64) {
        let mut taken: Vec<(i64, i64)> = self.parts.iter().filter_map(Segment::range).collect();
        taken.sort_unstable();
        let mut from = Some(first);
        for (low, high) in taken {
            let Some(start) = from.filter(|start| *start <= last) else { return };
            if high < start || last < low {
                continue;
            }
            if start < low {
                self.parts.push(Segment::Range(start, low - 1));
            }
            from = high.checked_add(1);
        }
        if let Some(start) = from.filter(|start| *start <= last) {
            self.parts.push(Segment::Range(start, last));
        }
    }

    /// Adds the values of another set.
    pub fn extend(&mut self, other: &ValueSet) {
        for part in &other.parts {
            match *part {
                Segment::One(value) => self.insert(value),
                Segment::Range(first, last) => self.insert_range(first, last),
            }
        }
    }

    /// Whether a value is a member.
    pub fn contains(&self, value: Value) -> bool {
        self.parts.iter().any(|part| match (part, value) {
            (Segment::One(one), value) => *one == value,
            (Segment::Range(first, last), Value::Int(number)) => (*first..=*last).contains(&number),
            _ => false,
        })
    }

    /// Whether all members belong to a domain.
    pub fn is_within(&self, domain: &Domain) -> bool {
        self.parts.iter().all(|part| match (part, domain) {
            (Segment::One(value), _) => domain.contains(*value),
            (Segment::Range(first, last), Domain::Range(..) | Domain::Integer) => {
                [*first, *last].into_iter().all(|end| domain.contains(Value::Int(end)))
            }
            (Segment::Range(first, last), _) => {
                let fits = domain.size().is_some_and(|size| part.len() <= size);
                fits && (*first..=*last).all(|number| domain.contains(Value::Int(number)))
            }
        })
    }

    /// The number of members.
    pub fn len(&self) -> u128 {
        self.parts.iter().map(Segment::len).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The member at an index.
    pub fn get(&self, mut index: u128) -> Option<Value> {
        for part in &self.parts {
            if index < part.len() {
                return Some(match *part {
                    Segment::One(value) => value,
                    // The index is below the length, so the sum is in the range.
                    Segment::Range(first, _) => Value::Int(first.wrapping_add_unsigned(index as u64)),
                });
            }
            index -= part.len();
        }
        None
    }

    /// The index of a member.
    pub fn index_of(&self, value: Value) -> Option<u128> {
        let mut before = 0;
        for part in &self.parts {
            match (part, value) {
                (Segment::One(one), value) if *one == value => return Some(before),
                (Segment::Range(first, last), Value::Int(number)) if (*first..=*last).contains(&number) => {
                    return Some(before + u128::from(number.abs_diff(*first)));
                }
                _ => before += part.len(),
            }
        }
        None
    }

    /// All members in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..).map_while(|index| self.get(index))
    }

    /// Whether all members are members of the other set.
    pub fn is_subset(&self, other: &ValueSet) -> bool {
        self.parts.iter().all(|part| match *part {
            Segment::One(value) => other.contains(value),
            Segment::Range(first, last) => {
                let mut both = other.clone();
                both.insert_range(first, last);
                both.parts.len() == other.parts.len()
            }
        })
    }
}

impl Segment {
    fn len(&self) -> u128 {
        match self {
            Segment::One(_) => 1,
            Segment::Range(first, last) => u128::from(last.abs_diff(*first)) + 1,
        }
    }

    fn range(&self) -> Option<(i64, i64)> {
        match *self {
            Segment::One(Value::Int(number)) => Some((number, number)),
            Segment::One(_) => None,
            Segment::Range(first, last) => Some((first, last)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(set: &ValueSet) -> Vec<Value> {
        set.iter().collect()
    }

    #[test]
    fn source_order_without_repetition() {
        let mut set = ValueSet::one(Value::Int(3));
        set.insert_range(1, 5);
        set.insert(Value::Int(5));
        set.insert(Value::Int(0));
        set.insert_range(0, 6);
        assert_eq!(ints(&set), [3, 1, 2, 4, 5, 0, 6].map(Value::Int));
        assert_eq!(set.len(), 7);
        let mut twice = ValueSet::one(Value::Bool(true));
        twice.extend(&set);
        assert!(set.is_subset(&twice) && !twice.is_subset(&set));
    }

    #[test]
    fn large_ranges_are_not_enumerated() {
        let mut set = ValueSet::default();
        set.insert_range(i64::MIN, i64::MAX);
        set.insert_range(0, i64::MAX);
        assert_eq!(set.len(), 1 << 64);
        assert_eq!(set.get((1 << 64) - 1), Some(Value::Int(i64::MAX)));
        assert_eq!(set.get(1 << 64), None);
        assert!(set.contains(Value::Int(7)));
        set.insert_range(5, 4);
        assert_eq!(set.len(), 1 << 64);
    }
}
