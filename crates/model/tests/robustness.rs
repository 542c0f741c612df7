//! Lowering terminates on any text, and its models print as valid SMV.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_model::lower::smv::{Options, lower};
use specwright_model::unparse::print_model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse;
use specwright_syntax::span::SourceMap;

/// A deterministic pseudo-random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).unwrap()
    }
}

#[test]
fn random_changes_are_survived() {
    let seeds: Vec<Vec<String>> = include_str!("data/flat.txt")
        .split("=== ")
        .skip(1)
        .map(|case| words(case.split_once('\n').unwrap().1.split_once("\n---\n").unwrap().0))
        .collect();
    let mut random = Random(88_172_645_463_325_252);
    let mut n_models = 0;
    for _ in 0..3000 {
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(4) {
            let (at, other) = (random.below(text.len()), random.below(text.len()));
            match random.below(4) {
                0 if text.len() > 1 => drop(text.remove(at)),
                1 => text.swap(at, other),
                _ => text[at] = text[other].clone(),
            }
        }
        let text = text.concat();
        for dialect in [Dialect::NuSmv, Dialect::Cmu] {
            if let Some(flat) = flatten(&text, dialect) {
                n_models += 1;
                assert!(flatten(&flat, Dialect::NuSmv).is_some(), "{text}\n---\n{flat}");
            }
        }
    }
    assert!(n_models > 100, "the changes leave some models intact");
}

/// The printed flat model of a text, unless it has errors.
fn flatten(text: &str, dialect: Dialect) -> Option<String> {
    let mut sources = SourceMap::default();
    sources.add("model.smv", text).unwrap();
    let (file, diagnostics) = parse(&sources.files()[0], dialect);
    // A file with syntax errors is lowered as far as it was parsed.
    let (model, _) = lower(&file, &Options { dialect, ..Options::default() });
    model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)).map(|model| print_model(&model))
}

/// Splits a text into names, numbers and single signs.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for sign in text.chars() {
        let belongs = |word: &String| word.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        match words.last_mut().filter(|word| belongs(word)) {
            Some(word) if sign.is_alphanumeric() || sign == '_' => word.push(sign),
            _ => words.push(sign.into()),
        }
    }
    words
}
