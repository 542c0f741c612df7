//! Functions that are read or updated anywhere; the others need no variables.

use super::Lowering;
use specwright_syntax::asm::ast::{File, RuleKind, TermId, TermKind};

impl Lowering<'_> {
    pub(super) fn note_mentions(&mut self) {
        let mut updated = Vec::new();
        let mut mentioned = Vec::new();
        // A rule may update a location that is passed to it, so functions in arguments of rules count as updated.
        let by_parameter = self.files.iter().any(|file| {
            file.rule_nodes.iter().any(|rule| {
                matches!(rule.kind, RuleKind::Update(location, _) if matches!(file[location].kind, TermKind::Var(_)))
            })
        });
        for file in self.files {
            for rule in &file.rule_nodes {
                match &rule.kind {
                    RuleKind::Update(location, _) | RuleKind::Return(location, ..) => {
                        updated.extend(applied(file, *location));
                    }
                    RuleKind::Call(_, args) | RuleKind::Term(_, args) if by_parameter => {
                        updated.extend(args.iter().filter_map(|arg| applied(file, *arg)));
                    }
                    _ => {}
                }
            }
            for (at, _) in file.terms.iter().enumerate() {
                mentioned.extend(applied(file, TermId(at as u32)));
            }
        }
        for function in &mut self.sig.functions {
            let key = |(name, n): &(std::sync::Arc<str>, usize)| *name == function.name && *n == function.params.len();
            function.updated = updated.iter().any(key);
            function.mentioned = mentioned.iter().any(key);
        }
    }
}

/// The function that a term applies and its number of arguments.
fn applied(file: &File, term: TermId) -> Option<(std::sync::Arc<str>, usize)> {
    match &file[term].kind {
        TermKind::Apply(name, args) => Some((name.text.clone(), args.len())),
        _ => None,
    }
}
