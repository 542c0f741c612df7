//! The context: the expressions and the symbols of one or more systems.
//!
//! A context only grows, and what it holds never moves or changes. Systems, engines and criteria share one context. Each
//! may add expressions to it, and all others can read them at once. Adding takes a lock; reading takes none.
//!
//! Systems that share a context agree on the types of their variables and defines. A system that changes these gets a
//! context of its own by [`Context::fork`].

use crate::expr::Exprs;
use crate::value::SymbolTable;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, Mutex, PoisonError};

/// Interned expressions and symbols.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The names of symbolic constants.
    pub symbols: SymbolTable,
    /// All expressions.
    pub exprs: Exprs,
}

impl Context {
    /// A context that starts with the same expressions and symbols, and grows on its own.
    #[must_use]
    pub fn fork(&self) -> Arc<Context> {
        Arc::new(self.clone())
    }
}

/// An append-only table of different items, each with a number and with further information.
pub(crate) struct Interner<T, Info = ()> {
    items: boxcar::Vec<(T, Info)>,
    /// The numbers of the items, by hash.
    numbers: Mutex<HashTable<u32>>,
}

impl<T: Eq + Hash, Info> Interner<T, Info> {
    /// The number of an item, if it is there.
    pub(crate) fn get<Q: Hash + ?Sized>(&self, item: &Q, is_it: impl Fn(&T) -> bool) -> Option<u32> {
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.find(hash(item), |number| is_it(&self[*number].0)).copied()
    }

    /// The number of an item, which is added with this information if it is new. The information must not add items.
    pub(crate) fn intern<E>(&self, item: T, info: impl FnOnce(&T) -> Result<Info, E>) -> Result<u32, E> {
        let hashed = hash(&item);
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.find(hashed, |number| self[*number].0 == item) {
            return Ok(*number);
        }
        let info = info(&item)?;
        let number =
            u32::try_from(self.items.push((item, info))).expect("memory ends before four thousand million items do");
        numbers.insert_unique(hashed, number, |number| hash(&self[*number].0));
        Ok(number)
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.count()
    }

    /// All items, in the order of their addition.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(T, Info)> {
        self.items.iter().map(|(_, item)| item)
    }
}

fn hash<Q: Hash + ?Sized>(item: &Q) -> u64 {
    FxBuildHasher.hash_one(item)
}

impl<T, Info> std::ops::Index<u32> for Interner<T, Info> {
    type Output = (T, Info);

    fn index(&self, number: u32) -> &(T, Info) {
        &self.items[number as usize]
    }
}

impl<T, Info> Default for Interner<T, Info> {
    fn default() -> Interner<T, Info> {
        Interner { items: boxcar::Vec::new(), numbers: Mutex::default() }
    }
}

impl<T: Clone, Info: Clone> Clone for Interner<T, Info> {
    fn clone(&self) -> Interner<T, Info> {
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Interner { items: self.items.clone(), numbers: Mutex::new(numbers) }
    }
}

impl<T: std::fmt::Debug, Info> std::fmt::Debug for Interner<T, Info> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.items.iter().map(|(_, (item, _))| item)).finish()
    }
}
