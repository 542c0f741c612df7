//! The model with the missing properties.

use super::{Missing, Strength};
use crate::failure::Failure;
use specwright_model::unparse::try_print_model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::{smv, span::SourceMap};
use std::fmt::Write;

impl Strength {
    /// The missing properties that are enough, in the order of how many survivors each kills.
    pub fn suggested(&self) -> impl Iterator<Item = &Missing> {
        self.fewest.tests.iter().map(|place| &self.missing[*place])
    }

    /// The declarations of the missing properties that are enough, as SMV. Their names are none of the model.
    pub fn declarations(&self) -> String {
        let mut taken: Vec<String> =
            self.model.properties.iter().filter_map(|property| property.name.clone()).collect();
        taken.extend(self.model.vars().map(|(_, var)| var.name.clone()));
        taken.extend(self.model.defines.iter().map(|define| define.name.clone()));
        let mut text = String::new();
        for missing in self.suggested() {
            let mut name = missing.name.clone();
            while taken.contains(&name) {
                name.push('_');
            }
            let _ = writeln!(text, "{}", missing.declaration(&self.model, &name));
            taken.push(name);
        }
        text
    }

    /// The model with the missing properties: the text of the file with declarations at the end of `main`, or the model in one
    /// module where these cannot be read there. For other languages than SMV, the declarations alone.
    pub fn fixed(&self, is_smv: bool) -> Result<String, Failure> {
        let declarations = self.declarations();
        if !is_smv {
            return Ok(declarations);
        }
        if let Some(file) = self.sources.files().first()
            && let Some(text) = insert(&file.text, &declarations)
        {
            return Ok(text);
        }
        let mut model = self.model.clone();
        model.properties.extend(self.suggested().map(|missing| missing.property.clone()));
        try_print_model(&model).map_err(Failure::message)
    }
}

/// The text with declarations at the end of the module `main`, if it can still be read.
fn insert(text: &str, declarations: &str) -> Option<String> {
    let parse = |text: &str| {
        let mut sources = SourceMap::default();
        sources.add("fixed.smv", text).ok()?;
        let (file, found) = smv::parse(&sources.files()[0], Dialect::NuSmv);
        let has_error = found.iter().any(Diagnostic::is_error);
        (!has_error).then_some((file, sources.files()[0].start))
    };
    let (file, start) = parse(text)?;
    let main = file.modules.iter().find(|module| &*module.name.text == "main")?;
    let end = (main.span.end - start) as usize;
    let (before, after) = text.split_at_checked(end)?;
    let before = before.trim_end();
    let changed = format!("{before}\n\n-- The audit misses these properties.\n{declarations}{after}");
    parse(&changed)?;
    Some(changed)
}
