//! Any text is read without a panic; what is read without errors is printed and read again as the same tree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::print::print_file;
use specwright_syntax::smv::{parse, parse_expr, same_file};
use specwright_syntax::span::{SourceFile, SourceMap};

fuzz_target!(|text: &str| {
    let source = source(text);
    parse_expr(&source, Dialect::NuSmv);
    for dialect in [Dialect::NuSmv, Dialect::Cmu] {
        let (file, diagnostics) = parse(&source, dialect);
        if diagnostics.iter().any(Diagnostic::is_error) {
            continue;
        }
        let printed = print_file(&file);
        let (again, diagnostics) = parse(&self::source(&printed), Dialect::NuSmv);
        assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:?} in {printed}");
        assert!(same_file(&file, &again), "{printed}");
    }
});

fn source(text: &str) -> SourceFile {
    let mut sources = SourceMap::default();
    sources.add("fuzz.smv", text).expect("the fuzzer's texts are small");
    sources.files()[0].clone()
}
