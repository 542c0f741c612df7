//! The defines whose values traces show.

use crate::interp::{Evaluator, support};
use crate::model::{DefineId, Model, TransitionSystem, VarId, VarKind};

/// Which defines traces show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defines {
    /// None.
    None,
    /// Those of the main module that vary.
    #[default]
    Main,
    /// All of them, constants included.
    All,
}

impl Model {
    /// The defines whose values traces show: those that have values in states or steps, and are neither temporal nor built
    /// from next values.
    pub fn shown_defines(&self, which: Defines) -> Vec<DefineId> {
        let reads = self.reads_of_defines();
        let is_shown = |define: &DefineId| {
            let reads = reads[define.0 as usize];
            !reads.next && !reads.temporal && (which == Defines::All || reads.var)
        };
        let chosen = self.defines().map(|(define, _)| define).filter(|define| match which {
            Defines::None => false,
            Defines::Main => self.is_of_main(*define),
            Defines::All => true,
        });
        chosen.filter(is_shown).collect()
    }
}

/// Whether each of these defines belongs to steps, because it reads inputs of steps.
pub(super) fn are_of_steps(model: &TransitionSystem, defines: &[DefineId]) -> Vec<bool> {
    let reads = model.reads_of_defines();
    let is_input = |var: &VarId| model[*var].kind == VarKind::Input;
    // Of an array with a constant index only that element counts.
    let is_of_steps = |define: &DefineId| {
        reads[define.0 as usize].step_input && support(model, model.body(*define)).now.iter().any(is_input)
    };
    defines.iter().map(is_of_steps).collect()
}

/// The value of a define in the state of an evaluator as text. A choice is shown as its values.
pub fn define_text(model: &TransitionSystem, define: DefineId, evaluator: &mut Evaluator<'_>) -> Option<String> {
    /// Maximal number of values of a choice that are shown.
    const MAX_SHOWN: usize = 8;
    let set = evaluator.set(model.body(define)).ok()?;
    let values: Vec<String> = set.iter().take(MAX_SHOWN).map(|value| model.show(value)).collect();
    Some(values.join(", "))
}
