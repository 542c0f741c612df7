//! Conditions in AsmetaL that are written beside a machine, such as those of scenarios.

use super::library::is_library;
use super::range_analysis::RangeAnalysis;
use super::{Env, Lowering, Options};
use crate::expr::ExprId;
use crate::model::Model;
use crate::source::ReadConditions;
use specwright_syntax::asm::ast::{File, TermId};
use specwright_syntax::asm::parse_term;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;

/// A machine as it was read.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) files: Vec<File>,
    pub(super) options: Options,
    /// The fixpoint of range analysis, so that one pass is enough.
    pub(super) analysis: RangeAnalysis,
}

impl ReadConditions for Machine {
    fn read(&self, texts: &[String]) -> (Model, Vec<Result<ExprId, String>>) {
        let first = self.files.len();
        let mut files = self.files.clone();
        let mut terms: Vec<Result<TermId, String>> = Vec::new();
        for text in texts {
            let mut sources = SourceMap::default();
            let (file, term) = match sources.add("condition", text.as_str()) {
                Ok(_) => {
                    let (file, term, found) = parse_term(&sources.files()[0]);
                    let wrong = found.into_iter().find(Diagnostic::is_error).map(|wrong| wrong.message);
                    (file, wrong.map_or_else(|| term.ok_or_else(|| "it is empty".into()), Err))
                }
                Err(_) => (File::default(), Err("it is too long".into())),
            };
            files.push(file);
            terms.push(term);
        }
        let options = Options { mutants: false, machine_mutants: false, observed: Vec::new(), ..self.options.clone() };
        let mut lowering = Lowering::new(&files[..first], &options, &self.analysis);
        lowering.run(&options, &self.analysis);
        // Conditions come after the machine, so that its variables are what they were.
        lowering.files = &files;
        let exprs =
            terms.into_iter().enumerate().map(|(at, term)| lowering.read_condition(first + at, term?)).collect();
        (lowering.model, exprs)
    }

    fn declares(&self, name: &str) -> bool {
        let declared = self.files.iter().flat_map(|file| &file.functions).any(|function| &*function.name.text == name);
        declared || is_library(name)
    }
}

impl Lowering<'_> {
    fn read_condition(&mut self, file: usize, term: TermId) -> Result<ExprId, String> {
        let (n_before, n_vars) = (self.diagnostics.len(), self.model.vars.len());
        let env = Env::new(self, file);
        let found = self.condition(term, &env);
        let wrong = self.diagnostics[n_before..].iter().find(|diagnostic| diagnostic.is_error());
        match (found, wrong) {
            // A choice, which only a step can make.
            (Ok(_), None) if self.model.vars.len() > n_vars => Err("it makes a choice".into()),
            (Ok(expr), None) => Ok(expr),
            (_, Some(wrong)) => Err(wrong.message.clone()),
            (Err(_), None) => Err("it cannot be read".into()),
        }
    }
}
