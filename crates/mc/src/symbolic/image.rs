//! Images of engines: what it takes to start an equal engine on another thread.

use crate::bdd;
use crate::symbolic::reachability::Reach;
use crate::symbolic::{BuildError, Options, Symbolic};
use specwright_model::{TransitionSystem, Value, VarId};

/// An image of an engine: the system, the order of the diagram variables and the reachable states as far as they are known.
/// What single queries have computed is left out. It can be sent to another thread and revived there, any number of times.
#[derive(Clone, Debug)]
pub struct Image {
    system: TransitionSystem,
    options: Options,
    preference: Vec<(VarId, Vec<Value>)>,
    /// The rings of reachable states, then all of them together if they were found before the rings.
    sets: bdd::Image,
    n_rings: usize,
    is_complete: bool,
}

impl Symbolic {
    /// An image of this engine. Its context is a fork: expressions that are made later are unknown to it.
    pub fn image(&self) -> Image {
        let mut system = self.system.clone();
        system.context = system.context.fork();
        let n_vars = self.layout.n_diagram_vars();
        let mut sets = self.manager.image(&self.reach.sets().collect::<Vec<_>>());
        // Variables that queries have added are of no use to other engines.
        sets.order.retain(|var| *var < n_vars);
        Image {
            system,
            options: self.options.clone(),
            preference: self.witnesses.preference.clone(),
            sets,
            n_rings: self.reach.rings.len(),
            is_complete: self.reach.is_complete,
        }
    }
}

impl Image {
    /// An engine that answers every query as the one of the image. Its context is a fork of its own: expressions that it
    /// makes do not depend on other threads.
    pub fn revive(&self) -> Result<Symbolic, BuildError> {
        let mut system = self.system.clone();
        system.context = system.context.fork();
        let mut engine = Symbolic::with_order(system, &self.options, Some(self.sets.order.clone()))?;
        let clock = engine.start_clock();
        let sets = engine.manager.revive(&self.sets)?;
        engine.reach = Reach::from_sets(&engine.manager, sets, self.n_rings, self.is_complete)?;
        drop(clock);
        engine.witnesses.preference.clone_from(&self.preference);
        Ok(engine)
    }
}
