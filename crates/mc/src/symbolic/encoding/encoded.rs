//! A machine as decision diagrams, built in an order of its variables that makes it cheap.
//!
//! No static order is good for all models. The order by dependency keeps related variables close; a variable that most
//! cases ask for, such as a mode or a program counter, is sometimes far better on top, where it separates the cases. The steps
//! that it takes to build the machine tell very good orders from bad ones, so a few orders are tried with few steps each. The
//! order by dependency stays unless another one takes less than half of its steps.

use crate::bdd::{Config, Limit, Limits, Manager, Reordering, Var};
use crate::encode::{Encoder, Memo};
use crate::policy::{CHEAP_MACHINE, ORDER_TRIAL};
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::{self, Machine, SiteFault};
use crate::symbolic::encoding::order::{self, Orders};
use crate::symbolic::{Options, limits};
use specwright_model::TransitionSystem;

/// A machine with the diagrams that it consists of.
pub(crate) struct Encoded {
    pub(crate) manager: Manager,
    pub(crate) memo: Memo,
    pub(crate) machine: Machine,
    /// What is wrong with the system. With faults, the machine means nothing.
    pub(crate) faults: Vec<SiteFault>,
}

impl Encoded {
    /// Builds the machine in the order that is given by names or was found before, or else in the best of a few orders.
    pub(crate) fn new(
        system: &TransitionSystem,
        layout: &Layout,
        options: &Options,
        found: Option<Vec<Var>>,
    ) -> Result<Encoded, Limit> {
        let given = found.or_else(|| options.order.as_ref().map(|names| order::bits(system, layout, Some(names))));
        if let Some(order) = given {
            let manager = manager(layout, options, &order);
            manager.trust_order();
            return Encoded::build(system, layout, options, manager);
        }
        let orders = Orders::new(system, layout);
        let first = orders.by_dependency();
        if options.reordering != Reordering::Always {
            if let Some(cheap) = Encoded::within(system, layout, options, &first)? {
                return cheap.with_hubs(&first);
            }
            if let Some(better) = better_order(system, layout, options, &orders, &first)? {
                return Encoded::build(system, layout, options, manager(layout, options, &better));
            }
        }
        Encoded::build(system, layout, options, manager(layout, options, &first))?.with_hubs(&first)
    }

    /// Builds the machine, if that takes few steps.
    fn within(
        system: &TransitionSystem,
        layout: &Layout,
        options: &Options,
        order: &[Var],
    ) -> Result<Option<Encoded>, Limit> {
        let manager = manager(layout, options, order);
        let scope = manager.enter(&Limits { steps: Some(CHEAP_MACHINE), ..Limits::default() });
        let built = Encoded::build(system, layout, options, manager.clone());
        drop(scope);
        match built {
            Err(Limit::Steps | Limit::Nodes) => Ok(None),
            built => built.map(Some),
        }
    }

    fn build(
        system: &TransitionSystem,
        layout: &Layout,
        options: &Options,
        manager: Manager,
    ) -> Result<Encoded, Limit> {
        let _limits = manager.enter(&limits(&options.budget.for_query()));
        let mut memo = Memo::default();
        let (machine, faults) = machine::build(&mut Encoder::new(system, layout, &manager, &mut memo))?;
        Ok(Encoded { manager, memo, machine, faults })
    }

    /// The same with hubs placed as the relation wants them, where it is a choice of events.
    fn with_hubs(self, order: &[Var]) -> Result<Encoded, Limit> {
        if self.faults.is_empty()
            && let Some(partition) = &self.machine.relation.partition
        {
            partition.place_hubs(order)?;
        }
        Ok(self)
    }
}

/// An order by use in which the machine takes less than half of the steps that it takes in the order by dependency.
fn better_order(
    system: &TransitionSystem,
    layout: &Layout,
    options: &Options,
    orders: &Orders<'_>,
    first: &[Var],
) -> Result<Option<Vec<Var>>, Limit> {
    let attempt = |order: &[Var], steps: u64| -> Result<Option<Encoded>, Limit> {
        let manager = manager(layout, options, order);
        manager.attempt(steps, || Encoded::build(system, layout, options, manager.clone()))
    };
    let mut steps = ORDER_TRIAL;
    if let Some(encoded) = attempt(first, steps)? {
        // Where steps are a choice of events, the order matters in another way.
        if !encoded.faults.is_empty() || encoded.machine.relation.partition.is_some() {
            return Ok(None);
        }
        steps = encoded.manager.statistics().steps;
    }
    steps /= 2;
    let mut best = None;
    for order in orders.by_use() {
        if let Some(better) = attempt(&order, steps)? {
            steps = better.manager.statistics().steps;
            best = Some(order);
        }
    }
    Ok(best)
}

fn manager(layout: &Layout, options: &Options, order: &[Var]) -> Manager {
    Manager::new(&Config {
        n_vars: layout.n_diagram_vars(),
        memory: options.max_memory,
        max_nodes: options.max_nodes,
        reordering: options.reordering,
        order: Some(order.to_vec()),
    })
}
