//! Values and domains.

use crate::context::Interner;
use std::convert::Infallible;
use std::sync::Arc;

/// A symbolic constant. Its name is in the model's [`SymbolTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// The names of the symbolic constants of a context.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    names: Interner<Box<str>>,
}

impl SymbolTable {
    /// The symbol with this name, which is added if it is new.
    pub fn intern(&self, name: &str) -> Symbol {
        let Ok(number) = self.names.intern::<Infallible>(name.into(), |_| Ok(()));
        Symbol(number)
    }

    /// The symbol with this name, if it exists.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.names.get(name, |other| **other == *name).map(Symbol)
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0].0
    }

    /// All names, in the order of their addition.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, ())| &**name)
    }
}

/// A fixed-width bit vector, unsigned or in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    /// Whether it is in two's complement.
    pub signed: bool,
    /// The number of bits, 1 to 64.
    pub width: u8,
    /// The bits; unused upper bits are zero.
    pub bits: u64,
}

impl Word {
    /// Width of the widest supported word, in bits.
    pub const MAX_WIDTH: u32 = 64;

    /// A word of the given type with the low bits of `bits`.
    pub fn new(signed: bool, width: u8, bits: u64) -> Word {
        Word { signed, width, bits: bits & Word::mask(width) }
    }

    /// A mask of the low `width` bits.
    pub fn mask(width: u8) -> u64 {
        u64::MAX >> (64 - u32::from(width))
    }

    /// Its numeric value.
    pub fn to_int(self) -> i128 {
        let negative = self.signed && self.bits >> (self.width - 1) & 1 == 1;
        i128::from(self.bits) - if negative { 1i128 << self.width } else { 0 }
    }
}

impl std::fmt::Display for Word {
    /// The format of NuSMV traces, such as `0ud8_255` and `-0sd8_1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.to_int();
        let (sign, letter) = (if value < 0 { "-" } else { "" }, if self.signed { 's' } else { 'u' });
        write!(f, "{sign}0{letter}d{}_{}", self.width, value.unsigned_abs())
    }
}

/// The value of a variable or expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A symbolic constant.
    Symbol(Symbol),
    /// A word.
    Word(Word),
}

/// The set of values of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// `boolean`
    Bool,
    /// An enumeration of symbols, numbers or both, in declared order, without repetition.
    Enum(Arc<[Value]>),
    /// The integers from the first to the last, inclusive; never empty.
    Range(i64, i64),
    /// All words of a type.
    Word {
        /// Whether they are signed.
        signed: bool,
        /// The number of bits.
        width: u8,
    },
    /// All integers: an infinite domain. Finite focus replaces it by a finite one.
    Integer,
}

impl Domain {
    /// The number of values; `None` if infinite.
    pub fn size(&self) -> Option<u128> {
        match self {
            Domain::Bool => Some(2),
            Domain::Enum(values) => Some(values.len() as u128),
            Domain::Range(first, last) => Some(u128::from(last.abs_diff(*first)) + 1),
            Domain::Word { width, .. } => Some(1 << width),
            Domain::Integer => None,
        }
    }

    /// The number of bits that encode its values; `None` if infinite.
    pub fn bits(&self) -> Option<u32> {
        self.size().map(|size| 128 - (size - 1).leading_zeros())
    }

    /// Whether a value belongs to it.
    pub fn contains(&self, value: Value) -> bool {
        self.index_of(value).is_some() || matches!((self, value), (Domain::Integer, Value::Int(_)))
    }

    /// The index of a value in declared order: false before true, numbers and words in ascending order of their bits.
    pub fn index_of(&self, value: Value) -> Option<u64> {
        match (self, value) {
            (Domain::Bool, Value::Bool(value)) => Some(u64::from(value)),
            (Domain::Enum(values), value) => values.iter().position(|v| *v == value).map(|index| index as u64),
            (Domain::Range(first, last), Value::Int(value)) if (*first..=*last).contains(&value) => {
                Some(value.abs_diff(*first))
            }
            (Domain::Word { signed, width }, Value::Word(word)) if (word.signed, word.width) == (*signed, *width) => {
                Some(word.bits)
            }
            _ => None,
        }
    }

    /// The value at an index of the declared order.
    pub fn value_at(&self, index: u64) -> Option<Value> {
        if u128::from(index) >= self.size()? {
            return None;
        }
        Some(match self {
            Domain::Bool => Value::Bool(index == 1),
            Domain::Enum(values) => values[index as usize],
            Domain::Range(first, _) => Value::Int(first.wrapping_add_unsigned(index)),
            Domain::Word { signed, width } => Value::Word(Word::new(*signed, *width, index)),
            Domain::Integer => return None,
        })
    }

    /// All values in declared order; none for an infinite domain.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        (0..).map_while(|index| self.value_at(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_list_their_values_in_declared_order() {
        let range = Domain::Range(-1, 2);
        assert_eq!(range.values().collect::<Vec<_>>(), [-1, 0, 1, 2].map(Value::Int));
        assert_eq!((range.size(), range.bits()), (Some(4), Some(2)));
        assert_eq!(Domain::Range(5, 5).bits(), Some(0));
        assert_eq!(Domain::Word { signed: false, width: 64 }.bits(), Some(64));
        assert_eq!(Domain::Integer.values().count(), 0);
        assert!(Domain::Integer.contains(Value::Int(7)));
        assert_eq!(Domain::Range(i64::MIN, i64::MAX).value_at(u64::MAX), Some(Value::Int(i64::MAX)));
    }

    #[test]
    fn words_print_in_smv_notation() {
        assert_eq!(Word::new(true, 8, 255).to_string(), "-0sd8_1");
        assert_eq!(Word::new(false, 8, 255).to_string(), "0ud8_255");
        assert_eq!(Word::new(true, 64, 1 << 63).to_int(), i128::from(i64::MIN));
    }
}
