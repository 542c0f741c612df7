//! Mutation adequacy: a test for every mutant of a property that is inconsistent with the model.
//!
//! The properties are those of the model and those that restate its machine ([`crate::reflect`]), without which a model
//! with few properties would have few mutants.

use super::builder::Builder;
use crate::focus::{Keep, OverApproximation};
use crate::mutate::{self, Chains, Guard, Mutants, Selection, Targets};
use crate::reflect::shorten::{Shortening, shorten};
use crate::reflect::{self, Relate, reflect, settle};
use rustc_hash::FxHashSet;
use specwright_mc::Options as Limits;
use specwright_model::model::Property;
use specwright_model::{Domain, ExprId, Model, VarId};

/// What to mutate, and how.
#[derive(Clone, Debug, Default)]
pub struct Mutation {
    /// The operators to apply.
    pub selection: Selection,
    /// The properties to mutate.
    pub properties: Properties,
    /// The variable of soundness guards, if the properties have them.
    pub guard: Option<Guard>,
    /// How the properties that restate the machine relate two states. The model must have the shadow variables that
    /// they need: see [`add_shadows`].
    pub relate: Relate,
}

/// Options of reflection: as complete as CTL allows.
fn restating(relate: Relate) -> reflect::Options {
    reflect::Options { expound: true, trans: true, relate, ..reflect::Options::default() }
}

/// Adds the shadow variables that restating the machine needs.
pub fn add_shadows(model: &mut Model) {
    reflect(model, restating(Relate::Shadow));
}

/// The properties to mutate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Properties {
    /// Those of the model and those that restate its machine.
    #[default]
    All,
    /// Those of the model.
    Own,
    /// Those that restate the machine.
    Reflected,
}

pub(super) fn goals(builder: &mut Builder<'_>) {
    let Mutation { selection, properties, guard, .. } = builder.options.mutation;
    let clauses = if properties == Properties::Own { Vec::new() } else { clauses(builder) };
    // The clauses are properties of the model while they are mutated.
    let mut model = builder.model.clone();
    let n_own = model.properties.len();
    model.properties.extend(clauses);
    let chosen = match properties {
        Properties::All => Targets::Properties,
        Properties::Own => Targets::PropertiesAt((0..n_own).collect()),
        Properties::Reflected => Targets::PropertiesAt((n_own..model.properties.len()).collect()),
    };
    let options = mutate::Options { selection, targets: chosen, guard, ..mutate::Options::default() };
    let mutants: Vec<_> = Mutants::new(&model, options).collect();
    let mut chains = Chains::default();
    for mutant in mutants {
        let Some(mut goal) = mutant.goal(&model, &mut chains) else { continue };
        if let Some(index) = goal.property.filter(|index| *index >= n_own) {
            let clause = model.properties[index].name.as_deref().unwrap_or_default();
            goal.description = format!("{clause}: {}", goal.description);
            goal.property = None;
        }
        builder.push(goal);
    }
}

/// The machine as properties, without superfluous conditions.
fn clauses(builder: &mut Builder<'_>) -> Vec<Property> {
    let options = restating(builder.options.mutation.relate);
    let mut reflection = if let Some(engine) = &mut builder.engine {
        // Clauses are about all values of inputs.
        let mut whole = builder.model.clone();
        if let Some(quantized) = &builder.options.quantized {
            whole.vars.clone_from(&quantized.whole.vars);
        }
        let mut reflection = reflect(&mut whole, options);
        settle(&mut whole, engine, &mut reflection);
        shorten(&mut builder.model, engine, &mut reflection, Shortening::All, &mut |_| ());
        reflection
    } else {
        let mut reflection = reflect_focus(builder, options);
        if !builder.options.focus.is_empty() {
            shorten_from_afar(&mut builder.model, &mut reflection);
        }
        reflection
    };
    for note in std::mem::take(&mut reflection.notes) {
        builder.note(note.span, note.message);
    }
    let properties = &builder.model().properties;
    let mut taken: FxHashSet<String> = properties.iter().filter_map(|property| property.name.clone()).collect();
    let mut said: FxHashSet<_> = properties.iter().map(|property| property.formula.expr).collect();
    let mut clauses = Vec::new();
    for clause in &reflection.clauses {
        let mut property = clause.property();
        // A clause that equals a property of the model is mutated once.
        if !said.insert(property.formula.expr) {
            continue;
        }
        let mut name = property.name.unwrap_or_default();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        property.name = Some(name);
        clauses.push(property);
    }
    clauses
}

/// The machine as properties for the values in focus, not simplified.
fn reflect_focus(builder: &mut Builder<'_>, options: reflect::Options) -> reflect::Reflection {
    // Enumerations keep their domains: their values are enumerated anyway, and mutants with values outside of the focus
    // are useful.
    let is_number = |keep: &&Keep| matches!(keep.values, Domain::Range(..));
    let focus = builder.options.focus.iter().filter(is_number);
    let mut kept: Vec<(VarId, Domain)> = focus.map(|keep| (keep.var, keep.values.clone())).collect();
    swap(&mut builder.model, &mut kept);
    let reflection = reflect(&mut builder.model, options);
    swap(&mut builder.model, &mut kept);
    reflection
}

/// Simplifies clauses of an unbounded model: what holds in its over-approximation holds in it.
fn shorten_from_afar(model: &mut Model, reflection: &mut reflect::Reflection) {
    let exprs: Vec<ExprId> = reflection.clauses.iter().map(|clause| clause.formula.expr).collect();
    let Some(overview) = OverApproximation::new(model, &exprs).filter(|overview| overview.understands(&exprs)) else {
        return;
    };
    let Some(mut engine) = overview.engine(&Limits::default()) else { return };
    shorten(model, &mut engine, reflection, Shortening::All, &mut |_| ());
}

/// Exchanges the domains of variables.
fn swap(model: &mut Model, domains: &mut [(VarId, Domain)]) {
    for (var, domain) in domains {
        std::mem::swap(&mut model.vars[var.0 as usize].domain, domain);
    }
}
