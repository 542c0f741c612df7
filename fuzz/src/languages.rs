//! Specifications: text to tree to model, and back.

use specwright_model::Model;
use specwright_model::lower;
use specwright_model::unparse::print_model;
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::arbitrary::{self, Choices};
use specwright_syntax::smv::ast::{Dialect, File};
use specwright_syntax::smv::print::print_file;
use specwright_syntax::smv::{self, same_file};
use specwright_syntax::span::{SourceFile, SourceMap};
use specwright_syntax::{aiger, asm, scr, statechart};

/// Any text is read; a tree without errors is printed and read again as the same tree; a model likewise.
pub(crate) fn smv(input: &[u8]) {
    let Some(source) = text(input).map(|text| source("fuzz.smv", text)) else { return };
    smv::parse_expr(&source, Dialect::NuSmv);
    for dialect in [Dialect::NuSmv, Dialect::Cmu] {
        let (file, diagnostics) = smv::parse(&source, dialect);
        in_bounds(&source, &diagnostics);
        if has_errors(&diagnostics) {
            continue;
        }
        reads_back(&file);
        let (model, diagnostics) = lower::smv::lower(&file, &lower::smv::Options { dialect, ..Default::default() });
        in_bounds(&source, &diagnostics);
        if let Some(model) = model {
            is_stable(&model);
        }
    }
}

/// The same for trees that are right by construction.
pub(crate) fn smv_tree(input: &[u8]) {
    let file = arbitrary::file(&mut Choices::new(input));
    reads_back(&file);
    let printed = source("fuzz.smv", &print_file(&file));
    let (file, _) = smv::parse(&printed, Dialect::NuSmv);
    if let (Some(model), _) = lower::smv::lower(&file, &lower::smv::Options::default()) {
        is_stable(&model);
    }
}

/// Tables are read; what is valid is aligned without a change of its meaning, and aligning it again changes nothing.
pub(crate) fn scr(input: &[u8]) {
    let Some(text) = text(input) else { return };
    let read = |text: &str| {
        let source = source("fuzz.scr", text);
        let (file, diagnostics) = scr::parse(&source);
        in_bounds(&source, &diagnostics);
        let model = (!has_errors(&diagnostics)).then(|| lower::scr::lower(&file, &lower::scr::Options::default()).0);
        model.flatten().map(|model| print_model(&model))
    };
    let formatted = scr::format(text);
    let (before, after) = (read(text), read(&formatted));
    if before.is_some() {
        assert_eq!(after, before, "formatting keeps the meaning: {text:?}\n{formatted:?}");
        assert_eq!(scr::format(&formatted), formatted, "formatting is stable: {text:?}");
    }
}

/// Circuits are read in both formats; what is valid is written and read again as the same circuit, and gets a model.
pub(crate) fn aiger(input: &[u8]) {
    let Ok(text) = aiger::decode(input) else { return };
    let written = source("fuzz.aag", &text);
    let (circuit, diagnostics) = aiger::parse(&written);
    in_bounds(&written, &diagnostics);
    let n_variables = circuit.inputs.len() + circuit.latches.len() + circuit.gates.len();
    if has_errors(&diagnostics) || n_variables > 1_000 {
        return;
    }
    let again = aiger::decode(&aiger::binary(&circuit)).expect("what was written can be read");
    let (renumbered, diagnostics) = aiger::parse(&source("fuzz.aag", &again));
    assert!(!has_errors(&diagnostics), "{diagnostics:?} in {again}");
    assert_eq!(aiger::binary(&renumbered), aiger::binary(&circuit));
    is_stable(&lower::aiger::lower(&circuit, "fuzz", &Budget::default()));
}

/// A mode matrix as CSV.
pub(crate) fn matrix(input: &[u8]) {
    let Some(source) = text(input).map(|text| source("fuzz.csv", text)) else { return };
    let (file, diagnostics) = scr::parse_csv(&source);
    in_bounds(&source, &diagnostics);
    if !has_errors(&diagnostics)
        && let (Some(model), _) = lower::scr::lower(&file, &lower::scr::Options::default())
    {
        is_stable(&model);
    }
}

/// Machines are read; those without errors get a model, or a diagnostic that says why not.
pub(crate) fn asm(input: &[u8]) {
    let Some(source) = text(input).map(|text| source("fuzz.asm", text)) else { return };
    let (_, _, diagnostics) = asm::parse_term(&source);
    in_bounds(&source, &diagnostics);
    let (file, diagnostics) = asm::parse(&source);
    in_bounds(&source, &diagnostics);
    if has_errors(&diagnostics) {
        return;
    }
    for mutants in [false, true] {
        let options = lower::asm::Options { mutants, ..Default::default() };
        let (model, diagnostics) = lower::asm::lower(std::slice::from_ref(&file), &options);
        in_bounds(&source, &diagnostics);
        assert_eq!(model.is_none(), has_errors(&diagnostics), "an invalid machine has an error: {diagnostics:?}");
        if let Some(model) = model.filter(|_| !mutants) {
            is_stable(&model);
        }
    }
}

/// Text, if the bytes are.
pub(crate) fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

pub(crate) fn source(name: &str, text: &str) -> SourceFile {
    let mut sources = SourceMap::default();
    sources.add(name, text).expect("the fuzzer's texts are small");
    sources.files()[0].clone()
}

pub(crate) fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// Everything that is said has its place in the text, between characters.
pub(crate) fn in_bounds(source: &SourceFile, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let span = diagnostic.primary.span;
        let (start, end) = (span.start.wrapping_sub(source.start), span.end.wrapping_sub(source.start));
        let is_place = source.text.get(start as usize..end as usize).is_some();
        assert!(is_place || !span.is_some(), "{diagnostic:?} is outside of {} bytes", source.text.len());
    }
}

/// A tree is printed and read again as the same tree.
fn reads_back(file: &File) {
    let printed = print_file(file);
    let (again, diagnostics) = smv::parse(&source("printed.smv", &printed), Dialect::NuSmv);
    assert!(!has_errors(&diagnostics), "{diagnostics:?} in {printed}");
    assert!(same_file(file, &again), "{printed}");
}

/// A model is printed and read again as a model that is printed in the same way.
fn is_stable(model: &Model) {
    let printed = print_model(model);
    let (file, diagnostics) = smv::parse(&source("flat.smv", &printed), Dialect::NuSmv);
    assert!(!has_errors(&diagnostics), "{diagnostics:?} in {printed}");
    let (again, diagnostics) = lower::smv::lower(&file, &lower::smv::Options::default());
    let again = again.unwrap_or_else(|| panic!("{diagnostics:?} in {printed}"));
    assert_eq!(print_model(&again), printed);
}

/// Statecharts are read in all notations; what is valid becomes a model.
pub(crate) fn statechart(input: &[u8]) {
    let Some(text) = text(input) else { return };
    type Parse = fn(&specwright_syntax::span::SourceFile) -> statechart::Read;
    let notations: [(&str, Parse); 3] = [
        ("fuzz.json", statechart::parse_json),
        ("fuzz.ts", statechart::parse_script),
        ("fuzz.scxml", statechart::parse_scxml),
    ];
    for (name, parse) in notations {
        let source = source(name, text);
        let (chart, diagnostics) = parse(&source);
        in_bounds(&source, &diagnostics);
        if let Some(chart) = chart
            && let (Some(model), diagnostics) = lower::statechart::lower(&chart, &lower::statechart::Options::default())
        {
            in_bounds(&source, &diagnostics);
            is_stable(&model);
        }
    }
}
