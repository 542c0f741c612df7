//! An engine that has answers at hand.

use specwright_mc::{Answer, Budget, CompareMachines, ExtendTrace, Image, Query, Search, Sink, SmvExplain};
use specwright_model::{Trace, TransitionSystem, Value, VarId};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Values that witnesses prefer.
type Preference = Vec<(VarId, Vec<Value>)>;

/// Gives the stored answers, and asks another engine for all others.
pub(crate) struct Stored<'a> {
    inner: &'a mut dyn Search,
    answers: HashMap<Query, Answer<Trace>>,
    /// The preference with which the answers were made; others have other witnesses.
    made_with: Preference,
    applies: bool,
}

impl<'a> Stored<'a> {
    pub(crate) fn new(
        inner: &'a mut dyn Search,
        answers: HashMap<Query, Answer<Trace>>,
        made_with: Preference,
    ) -> Stored<'a> {
        let applies = made_with.is_empty();
        Stored { inner, answers, made_with, applies }
    }
}

impl Search for Stored<'_> {
    fn system(&self) -> &TransitionSystem {
        self.inner.system()
    }

    fn set_preference(&mut self, preference: Preference) {
        self.applies = preference == self.made_with;
        self.inner.set_preference(preference);
    }

    fn steps(&self) -> u64 {
        self.inner.steps()
    }

    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()> {
        for (index, query) in queries.iter().enumerate() {
            if sink.is_open(index) {
                let answer = self.answer(*query, budget);
                sink.answer(self, index, answer)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        match self.answers.get(&query).filter(|_| self.applies) {
            Some(answer) => answer.clone(),
            None => self.inner.answer(query, budget),
        }
    }

    /// Other threads would not have the stored answers.
    fn image(&mut self) -> Option<Image> {
        if self.answers.is_empty() { self.inner.image() } else { None }
    }

    fn extending(&mut self) -> Option<&mut dyn ExtendTrace> {
        self.inner.extending()
    }

    fn comparing(&mut self) -> Option<&mut dyn CompareMachines> {
        self.inner.comparing()
    }

    fn explaining(&mut self) -> Option<&mut dyn SmvExplain> {
        self.inner.explaining()
    }
}
