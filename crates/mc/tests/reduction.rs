//! Reductions: what is lifted is replayed, and a broken promise is noticed.

use specwright_mc::reduction::{
    ConeOfInfluence, Extent, Lifted, NotLifted, Reduction, lift, lift_through, project_through,
};
use specwright_mc::{Options, Proof, Query, Symbolic};
use specwright_model::cone::Cone;
use specwright_model::interp::check_trace;
use specwright_model::testing::{model, random_smv};
use specwright_model::{Model, Trace, TransitionSystem, Value, VarId};
use std::sync::Arc;

/// A reduction that lifts every trace to one in which the first variable never changes.
struct Wrong {
    system: TransitionSystem,
    promises: bool,
}

impl Reduction for Wrong {
    fn system(&self) -> &TransitionSystem {
        &self.system
    }

    fn promises_executions(&self) -> bool {
        self.promises
    }

    fn preserves(&self, _: &TransitionSystem, _: Query, _: &Proof) -> bool {
        false
    }

    fn lift(&self, _: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted> {
        let mut trace = trace.clone();
        trace.states.iter_mut().for_each(|state| state.set(VarId(0), Value::Bool(false)));
        let origins = (0..trace.states.len()).map(Some).collect();
        Ok(Lifted { trace, origins, extent: Extent::Same })
    }

    fn project(&self, trace: &Trace) -> Trace {
        trace.clone()
    }
}

fn light() -> (Model, Trace) {
    let model = model("MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on; INVARSPEC !on");
    let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("it is small");
    let trace = engine.falsify(model.properties[0].formula.expr).found().expect("the light goes on");
    (model, trace)
}

#[test]
#[should_panic(expected = "the interpreter rejects")]
fn a_reduction_that_breaks_its_promise_is_a_bug() {
    let (model, trace) = light();
    let _ = lift(&Wrong { system: model.system.clone(), promises: true }, &model, &trace);
}

#[test]
fn spurious_executions_of_an_over_approximation_are_dropped() {
    let (model, trace) = light();
    let wrong = Wrong { system: model.system.clone(), promises: false };
    assert_eq!(lift(&wrong, &model, &trace).map(|lifted| lifted.trace), Err(NotLifted::Spurious));
}

/// Executions of a cone inside of a cone become executions of the whole system, and come back.
#[test]
fn executions_are_lifted_through_a_stack() {
    let mut n_traces = 0;
    for seed in 0..300 {
        let whole = model(&random_smv(seed));
        let formulas: Vec<_> = whole.properties.iter().map(|property| property.formula.expr).collect();
        let (Some(first), Some(second)) = (formulas.first(), formulas.get(1)) else { continue };
        let outer = ConeOfInfluence::new(&whole, Cone::of(&whole, [*first, *second]));
        let inner = ConeOfInfluence::new(outer.system(), Cone::of(outer.system(), [*first]));
        let Ok(mut engine) = Symbolic::new(inner.system().clone(), &Options::default()) else { continue };
        let Some(trace) = engine.falsify(*first).found() else { continue };
        let stack: [Arc<dyn Reduction>; 2] = [Arc::new(outer), Arc::new(inner)];
        let Ok(lifted) = lift_through(&stack, &whole, &trace) else { continue };
        assert_eq!(check_trace(&whole, &lifted.trace), Ok(()), "seed {seed}");
        assert_eq!(lifted.origins.len(), lifted.trace.states.len(), "seed {seed}");
        if lifted.trace.states.len() == trace.states.len() {
            assert_eq!(project_through(&stack, &lifted.trace), trace, "seed {seed}");
        }
        n_traces += 1;
    }
    assert!(n_traces > 50, "only {n_traces}");
}
