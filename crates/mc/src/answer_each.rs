//! Answers to the queries of a batch, by several threads.
//!
//! Each thread revives an image of the engine and answers a few queries at a time, ahead of the sink. Answers are functions
//! of their queries, and are passed on in the order of the queries, so the results are those of one thread. An answer to
//! a query that an earlier answer has closed is dropped.

use crate::answer::Answer;
use crate::policy::{PARALLEL_AHEAD, PARALLEL_CHUNK, PARALLEL_SAMPLE, PARALLEL_STEPS};
use crate::query::Query;
use crate::search::{Search, Sink};
use specwright_model::Trace;
use specwright_syntax::budget::Budget;
use specwright_syntax::parallel::spawn;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Answers the open queries, each on its own and in their order.
pub fn answer_each(
    search: &mut dyn Search,
    queries: &[Query],
    budget: &Budget,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let mut rest = 0..queries.len();
    if budget.jobs() == 1 {
        return one_by_one(search, queries, rest, budget, sink);
    }
    // Threads begin with what the engine has found by now, which takes some time: it must be worth it.
    let (mut n_answered, mut steps) = (0, 0);
    while n_answered < PARALLEL_SAMPLE {
        let Some(query) = rest.next() else { return ControlFlow::Continue(()) };
        if sink.is_open(query) {
            let before = search.steps();
            let answer = search.answer(queries[query], budget);
            (n_answered, steps) = (n_answered + 1, steps + search.steps() - before);
            sink.answer(search, query, answer)?;
        }
    }
    let expected = steps / PARALLEL_SAMPLE as u64 * rest.len() as u64;
    let image = if expected >= PARALLEL_STEPS { search.image() } else { None };
    let Some(image) = image else {
        return one_by_one(search, queries, rest, budget, sink);
    };
    let (work, chunks) = channel::<Vec<usize>>();
    let (chunks, is_over) = (Mutex::new(chunks), AtomicBool::new(false));
    let closed: Vec<AtomicBool> = queries.iter().map(|_| AtomicBool::new(false)).collect();
    let worker = |answers: Sender<(usize, Answer<Trace>)>| {
        // Without room for a further engine, others do the work.
        let Ok(mut engine) = image.revive() else { return };
        while let Some(chunk) = next_chunk(&chunks) {
            for query in chunk {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                if closed[query].load(Ordering::Relaxed) {
                    continue;
                }
                let answer = engine.answer(queries[query], budget);
                if answers.send((query, answer)).is_err() {
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
        let ahead = threads.len().max(1) * PARALLEL_CHUNK * PARALLEL_AHEAD;
        let mut consumer = Consumer { queries, budget, answers, waiting: BTreeMap::new(), closed: &closed };
        let result = consumer.pass_on(search, sink, rest, (work, ahead));
        is_over.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().unwrap_or_else(|payload| resume_unwind(payload));
        }
        result
    })
}

/// Answers the open queries of a range one by one.
pub(crate) fn one_by_one(
    search: &mut dyn Search,
    queries: &[Query],
    range: std::ops::Range<usize>,
    budget: &Budget,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    for query in range {
        if sink.is_open(query) {
            let answer = search.answer(queries[query], budget);
            sink.answer(search, query, answer)?;
        }
    }
    ControlFlow::Continue(())
}

/// The next queries for a thread; none if there are no more.
fn next_chunk(chunks: &Mutex<Receiver<Vec<usize>>>) -> Option<Vec<usize>> {
    chunks.lock().ok()?.recv().ok()
}

/// The thread of the sink: it hands out queries and takes their answers.
struct Consumer<'a> {
    queries: &'a [Query],
    budget: &'a Budget,
    answers: Receiver<(usize, Answer<Trace>)>,
    /// Answers that came before their turn.
    waiting: BTreeMap<usize, Answer<Trace>>,
    /// Queries that need no answer any more.
    closed: &'a [AtomicBool],
}

impl Consumer<'_> {
    /// Passes answers to the sink, and keeps at most `ahead` queries handed out.
    fn pass_on(
        &mut self,
        search: &mut dyn Search,
        sink: &mut dyn Sink,
        mut rest: std::ops::Range<usize>,
        (work, ahead): (Sender<Vec<usize>>, usize),
    ) -> ControlFlow<()> {
        let mut handed_out: VecDeque<usize> = VecDeque::new();
        loop {
            while handed_out.len() < ahead && !rest.is_empty() {
                let chunk: Vec<usize> =
                    rest.by_ref().filter(|query| sink.is_open(*query)).take(PARALLEL_CHUNK).collect();
                handed_out.extend(&chunk);
                // The receiver lives as long as this function.
                let _ = work.send(chunk);
            }
            let Some(query) = handed_out.pop_front() else { break };
            if !sink.is_open(query) {
                self.close(query);
                continue;
            }
            let answer = self.answer(search, query);
            let may_close_others = answer.is_found();
            sink.answer(search, query, answer)?;
            if may_close_others {
                handed_out.iter().filter(|query| !sink.is_open(**query)).for_each(|query| self.close(*query));
            }
        }
        ControlFlow::Continue(())
    }

    fn close(&mut self, query: usize) {
        self.closed[query].store(true, Ordering::Relaxed);
        self.waiting.remove(&query);
    }

    /// The answer of a thread, or one found here if no thread is left.
    fn answer(&mut self, search: &mut dyn Search, query: usize) -> Answer<Trace> {
        loop {
            if let Some(answer) = self.waiting.remove(&query) {
                return answer;
            }
            match self.answers.recv() {
                Ok((other, answer)) => drop(self.waiting.insert(other, answer)),
                Err(_) => return search.answer(self.queries[query], self.budget),
            }
        }
    }
}
