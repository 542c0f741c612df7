//! The specification languages: from a file to a model.
//!
//! A [`Frontend`] is one language. [`FRONTENDS`] lists all of them; the extension of a file says which one reads it. Nothing
//! else in this crate and none to its right knows a language.

mod aiger;
pub mod asm;
mod scr;
mod smv;
pub mod statechart;

use crate::session::ReadSettings;
use crate::text::{Text, decode};
use specwright_model::Model;
pub use specwright_model::lower::asm::Bounds;
pub use specwright_model::lower::scr::Overlap;
use specwright_syntax::diagnostic::Diagnostic;
pub use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use std::path::Path;

/// All languages. A file with an extension that none of them has is read by the first.
pub static FRONTENDS: [&dyn Frontend; 6] =
    [&smv::Smv, &scr::Tables, &scr::Matrix, &asm::AsmetaL, &aiger::Circuits, &statechart::Statecharts];

/// The model that a file describes, unless it is invalid, and everything there is to say about it.
pub type Understood = (Option<Model>, Vec<Diagnostic>);

/// A specification language.
pub trait Frontend: Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// The extensions of its files, in lower case and without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// The text of a file; if there is none, the reason in a few words. A binary format gives the text of the same
    /// specification.
    fn text(&self, bytes: Vec<u8>) -> Result<Text, String> {
        decode(bytes)
    }

    /// The model that a file describes. Files that it refers to are added to the sources.
    fn understand(&self, sources: &mut SourceMap, file: usize, settings: &ReadSettings) -> Understood;

    /// What the user could try with a file that is invalid for the given reasons.
    fn advice(
        &self,
        _sources: &mut SourceMap,
        _file: usize,
        _settings: &ReadSettings,
        _reasons: &[Diagnostic],
    ) -> Option<&'static str> {
        None
    }
}

/// The language of a file, by its extension.
pub fn of(path: &Path) -> &'static dyn Frontend {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let found = FRONTENDS.iter().find(|frontend| frontend.extensions().contains(&extension));
    *found.unwrap_or(&FRONTENDS[0])
}

/// Goes on to the meaning of a file, unless something is wrong with the way it is written.
fn lowered(mut diagnostics: Vec<Diagnostic>, lower: impl FnOnce() -> Understood) -> Understood {
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (model, found) = lower();
    diagnostics.extend(found);
    (model, diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_belongs_to_one_language() {
        let all: Vec<&str> = FRONTENDS.iter().flat_map(|frontend| frontend.extensions()).copied().collect();
        for (at, extension) in all.iter().enumerate() {
            assert!(!all[..at].contains(extension), "`{extension}` is registered twice");
            let file = format!("model.{extension}");
            assert!(of(Path::new(&file)).extensions().contains(extension));
        }
        assert_eq!(of(Path::new("-")).name(), "smv");
        assert_eq!(of(Path::new("model.ord")).name(), "smv");
    }
}
