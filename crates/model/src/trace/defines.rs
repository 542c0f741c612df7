//! The defines whose values traces show.

use crate::interp::{eval_set, support};
use crate::model::{DefineId, Model, TransitionSystem, VarKind};
use crate::state::State;

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

/// Whether a define belongs to steps, because it reads inputs of steps.
pub(super) fn is_of_steps(model: &TransitionSystem, define: DefineId) -> bool {
    support(model, model.body(define)).now.iter().any(|var| model[*var].kind == VarKind::Input)
}

/// The value of a define in a state as text. A choice is shown as its values.
pub fn define_text(model: &TransitionSystem, define: DefineId, state: &State) -> Option<String> {
    /// Maximal number of values of a choice that are shown.
    const MAX_SHOWN: usize = 8;
    let set = eval_set(model, model.body(define), state, None).ok()?;
    let values: Vec<String> = set.iter().take(MAX_SHOWN).map(|value| model.show(value)).collect();
    Some(values.join(", "))
}
