//! Reflection: the machine restated as properties, whose mutants distinguish tests.
//!
//! It follows Ammann and Black, "A specification-based coverage metric to evaluate test sets" (2001), sections 2.2 and
//! 2.3. Every clause holds on its machine. What cannot be expressed in CTL is noted.
//!
//! Reading order: [`Clause`], the branches of a value (`leaves`), conditions as products of literals (`literal` and
//! `expound`), relations between two states (`relate`), assignments, constraints, and [`settle`], which needs the
//! engine.

mod assigns;
mod clause;
mod constraints;
pub(crate) mod cx;
pub(crate) mod expound;
mod frames;
mod leaves;
pub(crate) mod literal;
mod relate;
pub mod shorten;
pub(crate) mod tree;

pub use clause::{Clause, Origin};
pub use frames::settle;

pub(crate) use clause::Scope;
use clause::Site;
use cx::Cx;
use literal::Product;
use specwright_model::{Model, VarId};
use specwright_syntax::span::Span;

/// Options of reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to restate default branches.
    pub expound: bool,
    /// Whether to restate `INIT`, `INVAR` and `TRANS`.
    pub trans: bool,
    /// How to relate two states.
    pub relate: Relate,
    /// Maximal number of values that are enumerated for one condition.
    pub max_values: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { expound: false, trans: false, relate: Relate::Enumerate, max_values: 64 }
    }
}

/// How to relate the states before and after a step in a logic over single states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relate {
    /// One clause for each value.
    #[default]
    Enumerate,
    /// A variable, added to the model, with the previous value.
    Shadow,
}

/// A note on something that was not restated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The source span.
    pub span: Span,
    /// What was not restated and why.
    pub message: String,
}

/// The machine as properties.
#[derive(Clone, Debug)]
pub struct Reflection {
    /// The properties: of assignments in source order, then of defines, then of constraints.
    pub clauses: Vec<Clause>,
    /// Notes on what was not restated.
    pub notes: Vec<Note>,
    /// The variables that were added to the model.
    pub shadows: Vec<VarId>,
    options: Options,
    pending: Vec<Pending>,
}

/// A forbidden product with a change of a variable with many values: [`settle`] searches variables that change only
/// when that one does.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    site: Site,
    product: Product,
    var: VarId,
}

/// Too many clauses would result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// Restates a machine as properties. New expressions, and shadow variables if selected, are added to the model; nothing
/// else changes.
pub fn reflect(model: &mut Model, options: Options) -> Reflection {
    let mut cx = Cx::new(model, options);
    let mut clauses = cx.assigns();
    clauses.extend(cx.outputs());
    let (constraints, pending) = if options.trans { cx.constraints() } else { (Vec::new(), Vec::new()) };
    clauses.extend(constraints);
    let mut reflection = Reflection { clauses, shadows: cx.shadow_vars(), notes: cx.notes, options, pending };
    reflection.make_unique();
    reflection
}

impl Reflection {
    /// Removes duplicate clauses and makes identifiers unique.
    pub(crate) fn make_unique(&mut self) {
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
