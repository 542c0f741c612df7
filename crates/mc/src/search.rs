//! The seam between test generation and the engines.
//!
//! A [`Search`] answers a batch of queries about one model and reports each answer as it comes, so that thousands of goals
//! share the work of an engine. What only some engines can do stands in small traits beside it.
//!
//! Contract: an answer that decides a query is a function of the model, the query and the preference among values. Whether a
//! query is decided is a function of these and the budget, for an engine that is asked for it alone. What is decided alone is
//! decided in every batch. A batch may decide more, because its queries share lemmas: that depends on the queries that are open
//! during the batch. It never depends on their order, on batches before, on threads or on a clock, unless the user limits the
//! time.
//!
//! Witnesses are canonical. A finite witness is as short as any. Among witnesses of equal length, states are chosen from
//! the last one backwards, each the first in the declared order of variables and values, or in the preferred order. Two
//! engines that find finite witnesses find the same ones.

use crate::answer::{Answer, Reason};
use crate::conform::CompareMachines;
use crate::query::Query;
use crate::symbolic::image::Image;
use specwright_model::{ExprId, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use std::ops::ControlFlow;

/// A way of answering queries about one model.
pub trait Search {
    /// The system. Queries are about the expressions of its context.
    fn system(&self) -> &TransitionSystem;

    /// Orders the values of some variables: witnesses prefer these values, in this order, over others. These variables
    /// are chosen first; values that are not listed come after those that are.
    fn set_preference(&mut self, preference: Vec<(VarId, Vec<Value>)>);

    /// The work so far, in steps of the engine: the same for the same questions, whatever the machine.
    fn steps(&self) -> u64;

    /// Answers the open queries of a batch. Each query has the whole budget. Answers come in the order of the queries,
    /// except that hard ones may come after easier ones, and undecided ones last.
    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()>;

    /// Answers one query within a budget.
    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace>;

    /// An image of this engine, if equal ones can be started on other threads, and these would not all do the same work again.
    fn image(&mut self) -> Option<Image> {
        None
    }

    /// The same engine, if it can extend traces.
    fn extending(&mut self) -> Option<&mut dyn ExtendTrace> {
        None
    }

    /// The same engine, if it can compare mutants with its model.
    fn comparing(&mut self) -> Option<&mut dyn CompareMachines> {
        None
    }

    /// The same engine, if it can explain failures as SMV does.
    fn explaining(&mut self) -> Option<&mut dyn SmvExplain> {
        None
    }
}

/// Takes the answers to a batch of queries.
pub trait Sink {
    /// Whether a query still needs an answer. A test for one goal often covers others. A query that needs none once needs
    /// none later, whatever else is asked in between.
    fn is_open(&mut self, query: usize) -> bool;

    /// Takes the answer to a query, and says whether to go on.
    fn answer(&mut self, search: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()>;

    /// Hears that what is easy is answered, and that these queries are open. It may have them answered by another engine,
    /// and says whether it had.
    fn pause(&mut self, _open: &[usize]) -> ControlFlow<(), bool> {
        ControlFlow::Continue(false)
    }
}

/// The number of a target set of an engine. Equal numbers mean equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TargetId(pub(crate) usize);

/// An engine that extends traces.
pub trait ExtendTrace {
    /// The states or transitions that a query wants to reach. A query that no single state or transition answers is
    /// undecided.
    fn target(&mut self, query: Query, budget: &Budget) -> Answer<TargetId>;

    /// Extends a finite trace, by as few steps as possible and by at most `most`, until it meets one of the targets, and
    /// says which. Of targets that are equally near, the first counts. What the trace meets already does not count.
    fn extend_trace(
        &mut self,
        trace: &Trace,
        targets: &[TargetId],
        most: usize,
        budget: &Budget,
    ) -> Answer<(usize, Trace)>;
}

/// An engine that explains failures as SMV does.
pub trait SmvExplain {
    /// The execution by which SMV would explain that a formula of the shape `AG f` is false; none for other shapes, or
    /// if it holds. It need not show by itself that the formula is false.
    fn explain_failure(&mut self, formula: ExprId, budget: &Budget) -> Answer<Trace>;
}

/// An engine that estimates the state of an implementation: the states of the model that agree with what was observed.
pub trait EstimateState {
    /// A set of states.
    type Estimate;

    /// The initial states that agree with a partly given one.
    fn estimate_initial(&mut self, like: &State, budget: &Budget) -> Result<Self::Estimate, Reason>;

    /// Exactly these states.
    fn estimate_of(&mut self, states: &[State], budget: &Budget) -> Result<Self::Estimate, Reason>;

    /// The states after a step from one that agrees with `now`, inputs of the step included, if they agree with `next`.
    fn estimate_after(
        &mut self,
        from: &Self::Estimate,
        now: &State,
        next: &State,
        budget: &Budget,
    ) -> Result<Self::Estimate, Reason>;

    /// The states of an estimate that agree with a partly given state.
    fn estimate_like(
        &mut self,
        estimate: &Self::Estimate,
        like: &State,
        budget: &Budget,
    ) -> Result<Self::Estimate, Reason>;

    /// The first state of an estimate in the declared order, if there is one.
    fn first_state(&self, estimate: &Self::Estimate) -> Option<State>;
}
