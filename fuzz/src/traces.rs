//! Traces of other tools: what is read without errors is written in the same format, and read again as the same.

use crate::languages::{has_errors, in_bounds, text};
use crate::suites::MODEL;
use specwright_harness::export::{Exported, Format, export};
use specwright_harness::import::{self, Mapping};
use specwright_model::Trace;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::{Expect, Suite, Test};

pub(crate) fn csv(input: &[u8]) {
    again(input, "fuzz.csv", "csv");
}

pub(crate) fn itf(input: &[u8]) {
    again(input, "fuzz.itf.json", "itf");
}

pub(crate) fn nusmv_xml(input: &[u8]) {
    again(input, "fuzz.xml", "nusmv-xml");
}

pub(crate) fn nusmv_text(input: &[u8]) {
    again(input, "fuzz.txt", "nusmv-text");
}

pub(crate) fn vcd(input: &[u8]) {
    again(input, "fuzz.vcd", "vcd");
}

pub(crate) fn avalla(input: &[u8]) {
    again(input, "fuzz.avalla", "avalla");
}

/// A mapping of names, and a trace that it is for.
pub(crate) fn mapping(input: &[u8]) {
    let Some(text) = text(input) else { return };
    let Ok(mapping) = Mapping::parse(text) else { return };
    let mut sources = SourceMap::default();
    sources.add("fuzz.csv", "mode,level,x,y\noff,1,2,3\non,2,3,4\n").expect("it is small");
    let (read, found) = import::read(&MODEL, sources.files(), sources.files(), &mapping);
    in_bounds(&sources.files()[0], &found);
    assert_eq!(read.suite.tests.len(), read.places.len());
}

fn again(input: &[u8], name: &str, format: &str) {
    let Some(format) = Format::named(format) else { return };
    let Some(text) = text(input) else { return };
    let mut sources = SourceMap::default();
    sources.add(name, text).expect("the fuzzer's texts are small");
    let (read, found) = import::read(&MODEL, sources.files(), sources.files(), &Mapping::default());
    in_bounds(&sources.files()[0], &found);
    assert_eq!(read.suite.tests.len(), read.places.len());
    if has_errors(&found) || read.suite.tests.is_empty() {
        return;
    }
    let Ok(files) = export(&MODEL, &read.suite, format) else { return };
    let (back, found) = read_files(&files);
    assert!(!has_errors(&found), "{found:?}\n{}", files[0].text);
    assert_eq!(essence(&back), essence(&read.suite), "{}", files[0].text);
}

/// Reads what was exported.
pub(crate) fn read_files(files: &[Exported]) -> (Suite, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    for file in files {
        sources.add(file.name.clone(), file.text.as_str()).expect("it is small");
    }
    let (read, found) = import::read(&MODEL, sources.files(), sources.files(), &Mapping::default());
    (read.suite, found)
}

/// What every format carries: names, verdicts, executions up to what must not happen.
pub(crate) fn essence(suite: &Suite) -> Vec<(String, Expect, Trace)> {
    let mut suite = suite.clone();
    suite.tests.iter_mut().for_each(Test::end_at_departure);
    suite.tests.into_iter().map(|test| (test.name, test.expect, test.trace)).collect()
}
