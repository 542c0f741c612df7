//! Formatting: the whole document, if that changes nothing but its layout.

use super::View;
use crate::lexis::Language;
use gen_lsp_types::TextEdit;
use specwright::syntax::{scr, smv};

/// The change that lays the document out; none if it is laid out already, or if its language has no layout.
pub(super) fn format(view: &View<'_>) -> Vec<TextEdit> {
    let lines = &view.syntax.lines[0];
    let text = lines.text();
    let laid_out = match view.syntax.language {
        Language::Smv => smv::format(text),
        Language::Scr => scr::format(text),
        Language::Asm | Language::Statechart | Language::Other => return Vec::new(),
    };
    if laid_out == **text {
        return Vec::new();
    }
    vec![TextEdit { range: lines.range(0, text.len()), new_text: laid_out }]
}
