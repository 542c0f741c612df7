//! Answers to queries that do not depend on each other, by several threads.
//!
//! Each thread revives an image of the engine and takes a few queries at a time. Answers are functions of their queries, and
//! are passed on in the order of the queries, so the results are those of one thread.

use crate::answer::Answer;
use crate::policy::{PARALLEL_CHUNK, PARALLEL_SAMPLE, PARALLEL_STEPS};
use crate::query::Query;
use crate::search::{Search, Sink, one_by_one};
use specwright_model::Trace;
use specwright_syntax::budget::Budget;
use specwright_syntax::parallel::spawn;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

/// Answers the queries that are open now, each on its own and in their order. The answer to one must not close another.
pub fn answer_each(
    search: &mut dyn Search,
    queries: &[Query],
    budget: &Budget,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let open: Vec<usize> = (0..queries.len()).filter(|query| sink.is_open(*query)).collect();
    if budget.jobs() == 1 || open.len() <= PARALLEL_SAMPLE {
        return one_by_one(search, queries, budget, sink);
    }
    // Threads begin with what the engine has found by now, which takes some time: it must be worth it.
    let (sample, rest) = open.split_at(PARALLEL_SAMPLE);
    let before = search.steps();
    for query in sample {
        let answer = search.answer(queries[*query], budget);
        sink.answer(search, *query, answer)?;
    }
    let expected = (search.steps() - before) / PARALLEL_SAMPLE as u64 * rest.len() as u64;
    let Some(image) = search.image().filter(|_| expected >= PARALLEL_STEPS) else {
        return one_by_one(search, queries, budget, sink);
    };
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = |answers: Sender<(usize, Answer<Trace>)>| {
        // Without room for a further engine, others do the work.
        let Ok(mut engine) = image.revive() else { return };
        while let Some(chunk) = rest.chunks(PARALLEL_CHUNK).nth(next.fetch_add(1, Ordering::Relaxed)) {
            for query in chunk {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                let answer = engine.answer(queries[*query], budget);
                if answers.send((*query, answer)).is_err() {
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, answers) = channel();
        let worker = &worker;
        let threads: Vec<_> = (0..budget.jobs())
            .filter_map(|_| {
                let sender = sender.clone();
                spawn(scope, move || worker(sender)).ok()
            })
            .collect();
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut pass_on = || {
            for query in rest {
                let answer = loop {
                    if let Some(answer) = waiting.remove(query) {
                        break answer;
                    }
                    match answers.recv() {
                        Ok((other, answer)) => drop(waiting.insert(other, answer)),
                        // No thread is left.
                        Err(_) => break search.answer(queries[*query], budget),
                    }
                };
                sink.answer(search, *query, answer)?;
            }
            ControlFlow::Continue(())
        };
        let result = pass_on();
        is_over.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().unwrap_or_else(|payload| resume_unwind(payload));
        }
        result
    })
}
