//! What crosses threads: models, queries, answers and the explicit search. The symbolic engine stays on its thread.

use specwright_mc::{Answer, Explicit, Options, Query, Reason, Witness};
use specwright_model::{Model, Trace};
use specwright_syntax::budget::Budget;

fn crosses_threads<T: Send>() {}

#[test]
fn models_queries_and_answers_cross_threads() {
    crosses_threads::<Model>();
    crosses_threads::<Query>();
    crosses_threads::<Answer<Trace>>();
    crosses_threads::<Answer<Witness>>();
    crosses_threads::<Reason>();
    crosses_threads::<Budget>();
    crosses_threads::<Options>();
    crosses_threads::<Explicit>();
}
