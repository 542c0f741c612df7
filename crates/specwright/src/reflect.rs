//! The properties that restate the machine.

use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::session::Session;
use specwright_model::Model;
use specwright_model::unparse::try_print_model;
use specwright_syntax::span::SourceMap;
pub use specwright_testgen::reflect::Relate;
pub use specwright_testgen::reflect::shorten::Shortening;
use specwright_testgen::reflect::shorten::shorten;
use specwright_testgen::reflect::{Options, Origin, Reflection, reflect, settle};

/// What is restated, and how.
#[derive(Clone, Debug)]
pub struct ReflectSettings {
    /// Whether default branches are restated, with the negations of all earlier guards.
    pub expound: bool,
    /// Whether INIT, INVAR and TRANS are restated.
    pub trans: bool,
    /// Which conditions are dropped where the machine implies them.
    pub shorten: Option<Shortening>,
    /// How two states are related in a logic that sees one.
    pub relate: Relate,
    /// How many values may be listed for one condition.
    pub max_values: usize,
    /// How far work may go.
    pub limits: Limits,
}

impl Default for ReflectSettings {
    fn default() -> ReflectSettings {
        let Options { expound, trans, relate, max_values } = Options::default();
        ReflectSettings { expound, trans, shorten: None, relate, max_values, limits: Limits::default() }
    }
}

impl ReflectSettings {
    /// Whether an engine is needed. It finds out by the way whether all expressions have values.
    pub fn needs_engine(&self) -> bool {
        self.shorten.is_some() || self.trans
    }
}

/// The properties that restate a machine.
#[derive(Clone, Debug)]
pub struct Reflected {
    /// The texts that the model came from.
    pub sources: SourceMap,
    /// The model, with the expressions of the properties.
    pub model: Model,
    /// The properties.
    pub reflection: Reflection,
}

impl Session {
    /// Restates the machine as properties.
    pub fn reflect(&self, settings: &ReflectSettings, events: &mut dyn Events) -> Result<Reflected, Failure> {
        let mut session = self.clone();
        let ReflectSettings { expound, trans, relate, max_values, .. } = *settings;
        let mut reflection = reflect(&mut session.model, Options { expound, trans, relate, max_values });
        if settings.needs_engine() {
            let mut engine = session.engine(events, &settings.limits.options())?;
            settle(&mut session.model, &mut engine, &mut reflection);
            if let Some(how) = settings.shorten {
                let mut progress = events.progress(reflection.clauses.len());
                shorten(&mut session.model, &mut engine, &mut reflection, how, &mut |done| {
                    progress.at(done, "shortening");
                });
                progress.finish();
            }
        }
        Ok(Reflected { sources: session.sources, model: session.model, reflection })
    }
}

impl Reflected {
    /// How many properties there are of each origin, without those of which there are none.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        let of = |origin: Origin| self.reflection.clauses.iter().filter(|clause| clause.origin == origin).count();
        Origin::ALL.into_iter().map(|origin| (origin.word(), of(origin))).filter(|(_, n)| *n > 0).collect()
    }

    /// The machine with these properties as SMV, beside those that it has or instead of them.
    pub fn machine(&self, keep: bool) -> Result<String, Failure> {
        try_print_model(&with_clauses(&self.model, &self.reflection, keep)).map_err(Failure::message)
    }
}

/// The machine with the clauses as its properties.
fn with_clauses(model: &Model, reflection: &Reflection, keep: bool) -> Model {
    let mut model = model.clone();
    if !keep {
        model.properties.clear();
    }
    let taken: Vec<String> = model.properties.iter().filter_map(|property| property.name.clone()).collect();
    for clause in &reflection.clauses {
        let mut property = clause.property();
        while property.name.as_ref().is_some_and(|name| taken.contains(name)) {
            property.name = property.name.map(|name| name + "_");
        }
        model.properties.push(property);
    }
    model
}
