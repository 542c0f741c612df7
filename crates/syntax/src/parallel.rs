//! Work on many items by several threads, with results that do not depend on their number.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{Scope, ScopedJoinHandle};

/// The stack of a thread in bytes, as of the main one. Memory that is not used is not taken.
const STACK: usize = 256 << 20;

/// The results of `work` on each item, in the order of the items, by at most `jobs` threads. Each thread begins with a state
/// that `begin` makes, and takes the next item when it is done with one; so what `work` returns must not depend on what the
/// state has been used for.
///
/// If `work` panics on an item, that panic goes on here once all threads have ended.
pub fn map_with<T: Sync, S, R: Send>(
    jobs: usize,
    items: &[T],
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let jobs = jobs.min(items.len());
    if jobs <= 1 {
        let mut state = begin();
        return items.iter().map(|item| work(&mut state, item)).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = &|| {
        let mut state = begin();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(&mut state, item)));
        }
    };
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut keep = |done: Vec<(usize, R)>| done.into_iter().for_each(|(index, result)| results[index] = Some(result));
    std::thread::scope(|scope| {
        // The first one works here.
        let workers: Vec<_> = (1..jobs).filter_map(|_| spawn(scope, worker).ok()).collect();
        keep(worker());
        for worker in workers {
            keep(worker.join().unwrap_or_else(|payload| resume_unwind(payload)));
        }
    });
    results.into_iter().map(|result| result.expect("every item was taken")).collect()
}

/// Passes the results of `work` on each item to `take`, in the order of the items and as soon as they are there, while at most
/// `jobs` threads work on the next ones.
pub fn each<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync, mut take: impl FnMut(R)) {
    let jobs = jobs.min(items.len());
    if jobs <= 1 {
        return items.iter().for_each(|item| take(work(item)));
    }
    let next = AtomicUsize::new(0);
    let (done, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let worker = |done: mpsc::Sender<(usize, R)>| {
            let (next, work) = (&next, &work);
            move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let _ = done.send((index, work(item)));
                }
            }
        };
        let workers: Vec<_> = (0..jobs).filter_map(|_| spawn(scope, worker(done.clone())).ok()).collect();
        drop(done);
        if workers.is_empty() {
            return items.iter().for_each(|item| take(work(item)));
        }
        let (mut waiting, mut expected) = (BTreeMap::new(), 0);
        for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&expected) {
                take(result);
                expected += 1;
            }
        }
        for worker in workers {
            worker.join().unwrap_or_else(|payload| resume_unwind(payload));
        }
    });
}

/// Starts a thread with the stack that deep expressions need.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}

/// The same without a state.
pub fn map<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_with(jobs, items, || (), |(), item| work(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
        for jobs in [0, 1, 2, 7, 2000] {
            assert_eq!(map(jobs, &items, |item| item * item), expected, "{jobs} jobs");
        }
        assert_eq!(map(4, &[] as &[u64], |item| *item), [0; 0]);
    }

    #[test]
    fn results_are_taken_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..500).collect();
        for jobs in [0, 1, 2, 7] {
            let mut taken = Vec::new();
            each(jobs, &items, |item| item * 3, |result| taken.push(result));
            assert_eq!(taken, items.iter().map(|item| item * 3).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        map(2, &[1, 2, 3, 4], |item| assert!(*item != 3, "a bug"));
    }
}
