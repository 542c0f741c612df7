//! Reflection: the machine restated as properties, so that mutants of the properties tell tests apart.
//!
//! It follows Ammann and Black, "A specification-based coverage metric to evaluate test sets" (2001), sections 2.2
//! and 2.3. Every clause holds on the machine that it came from. What cannot be said in CTL is noted, never guessed.
//!
//! Reading order: [`Clause`], the branches of a value (`leaves`), conditions as products of literals (`literal` and
//! `expound`), relations between two states (`relate`), assignments, constraints, and [`settle`], which
//! needs the engine.

mod assigns;
mod clause;
mod constraints;
pub(crate) mod cx;
mod frames;
mod leaves;
pub(crate) mod literal;
mod relate;
pub(crate) mod tree;

pub use clause::{Clause, Origin};
pub use frames::settle;

pub(crate) use clause::Scope;
use clause::Site;
use cx::Cx;
use literal::Product;
use specwright_model::{Model, VarId};
use specwright_syntax::span::Span;

/// What to restate, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Restate default branches as well.
    pub expound: bool,
    /// Restate `INIT`, `INVAR` and `TRANS` as well.
    pub trans: bool,
    /// How to say something of two states at once.
    pub relate: Relate,
    /// How many values may be listed for one condition.
    pub max_values: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { expound: false, trans: false, relate: Relate::Enumerate, max_values: 64 }
    }
}

/// How to say something of the states before and after a step in a logic that sees one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relate {
    /// A clause for each value.
    #[default]
    Enumerate,
    /// A variable, added to the model, that remembers the previous value.
    Shadow,
}

/// Something that was not restated, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// What and why.
    pub message: String,
}

/// The machine as properties.
#[derive(Clone, Debug)]
pub struct Reflection {
    /// The properties: of assignments in written order, then of defines, then of constraints.
    pub clauses: Vec<Clause>,
    /// What was not restated.
    pub notes: Vec<Note>,
    /// The variables that were added to the model.
    pub shadows: Vec<VarId>,
    options: Options,
    pending: Vec<Pending>,
}

/// Something forbidden that involves a change of a variable with many values: [`settle`] looks for others that
/// change only when that one does.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    site: Site,
    product: Product,
    var: VarId,
}

/// There would be more clauses than anybody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// Restates a machine as properties. New expressions, and shadow variables if they are asked for, are added to the
/// model; nothing else changes.
pub fn reflect(model: &mut Model, options: Options) -> Reflection {
    let mut cx = Cx::new(model, options);
    let mut clauses = cx.assigns();
    clauses.extend(cx.outputs());
    let (constraints, pending) = if options.trans { cx.constraints() } else { (Vec::new(), Vec::new()) };
    clauses.extend(constraints);
    let mut reflection = Reflection { clauses, shadows: cx.shadow_vars(), notes: cx.notes, options, pending };
    reflection.tell_apart();
    reflection
}

impl Reflection {
    /// Makes sure that no two clauses say the same in the same words or have the same identifier.
    pub(crate) fn tell_apart(&mut self) {
        let mut said = rustc_hash::FxHashSet::default();
        self.clauses.retain(|clause| said.insert(clause.formula.expr));
        let mut taken = rustc_hash::FxHashSet::default();
        for clause in &mut self.clauses {
            while !taken.insert(clause.id.clone()) {
                clause.id.push('_');
            }
        }
    }
}
