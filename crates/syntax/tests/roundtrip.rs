//! Printed text parses back to the same tree.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::arbitrary::{self, Choices};
use specwright_syntax::smv::ast::{Dialect, File};
use specwright_syntax::smv::print::{
    Layout, print_expr, print_expr_explicit, print_expr_with, print_file, print_file_with,
};
use specwright_syntax::smv::{parse, parse_expr, same_expr, same_file};
use specwright_syntax::span::{SourceFile, SourceMap};

fn source(text: &str) -> SourceFile {
    let mut sources = SourceMap::default();
    sources.add("random.smv", text).unwrap();
    sources.files()[0].clone()
}

fn read(text: &str) -> Result<File, String> {
    let (file, diagnostics) = parse(&source(text), Dialect::NuSmv);
    match first_error(&diagnostics) {
        Some(message) => Err(format!("{message} in\n{text}")),
        None => Ok(file),
    }
}

fn first_error(diagnostics: &[Diagnostic]) -> Option<String> {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    Some(format!("{:?}: {}", error.primary.span, error.message))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn expressions(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let (exprs, id) = arbitrary::expr(&mut Choices::new(&bytes));
        let layout = Layout { width: 20, ..Layout::default() };
        for text in [print_expr(&exprs, id), print_expr_explicit(&exprs, id), print_expr_with(&exprs, id, &layout)] {
            let (again, root, diagnostics) = parse_expr(&source(&text), Dialect::NuSmv);
            prop_assert_eq!(first_error(&diagnostics), None, "{}", text);
            prop_assert!(same_expr((&exprs, id), (&again, root.unwrap())), "{} became {}", text,
                print_expr_explicit(&again, root.unwrap()));
        }
    }

    #[test]
    fn files(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        let file = arbitrary::file(&mut Choices::new(&bytes));
        let text = print_file(&file);
        let again = read(&text).map_err(TestCaseError::fail)?;
        prop_assert!(same_file(&file, &again), "{} became {}", text, print_file(&again));
        prop_assert_eq!(print_file(&again), text);
        let narrow = print_file_with(&file, &Layout { indent: 4, margin: "  ".into(), width: 30 });
        prop_assert!(same_file(&file, &read(&narrow).map_err(TestCaseError::fail)?), "{}", narrow);
    }

    #[test]
    fn parentheses_are_needed(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let (exprs, id) = arbitrary::expr(&mut Choices::new(&bytes));
        let text = print_expr(&exprs, id);
        // Inside `count`, parentheses are printed for older versions of NuSMV, which allow only simple operands there.
        prop_assume!(!text.contains("count("));
        // Without any one pair, the text is invalid or another expression.
        for (open, close) in pairs(&text) {
            // The parentheses of calls do not count.
            let before = text[..open].trim_end_matches(' ');
            if text[..open].len() == before.len() && before.ends_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            let mut shorter = text.clone();
            shorter.replace_range(close..=close, " ");
            shorter.replace_range(open..=open, " ");
            let (again, root, diagnostics) = parse_expr(&source(&shorter), Dialect::NuSmv);
            let same = first_error(&diagnostics).is_none()
                && root.is_some_and(|root| same_expr((&exprs, id), (&again, root)));
            // NuSMV needs more than we do: sets are no operands, `! !X a` is not `!!X a`, and `AX X a` is not a
            // formula.
            let for_nusmv = text[open + 1..].starts_with(['{', '!', '-', 'X', 'F', 'G', 'Y', 'Z', 'H', 'O'])
                || text[open..close].contains("..")
                || text[open..close].contains('[')
                || text[open..close].contains('?')
                || text.contains("const(");
            prop_assert!(!same || for_nusmv, "{text} is the same as {shorter}");
        }
    }
}

/// The positions of matching parentheses.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs, mut quoted) = (Vec::new(), Vec::new(), false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'(' if !quoted => open.push(at),
            b')' if !quoted => pairs.push((open.pop().unwrap(), at)),
            _ => {}
        }
    }
    pairs
}
