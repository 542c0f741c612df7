//! Export of suites: test code in several languages, and traces in several formats.
//!
//! Code is generated from templates, both built-in and the user's; `context` is the data that they see. Data formats
//! have one file each, and `import` reads them back.

mod avalla;
mod context;
mod csv;
mod itf;
mod language;
mod limits;
mod naming;

mod nusmv;
mod quoting;
mod render;
mod vcd;

pub(crate) use csv::starts_formula;
pub use nusmv::xml as nusmv_xml;

use crate::run::protocol::Timing;
use language::Language;
use specwright_model::Model;
use specwright_testgen::suite::{Suite, Test};

/// The formats of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Python, for pytest.
    Pytest,
    /// Java, for JUnit 5.
    Junit5,
    /// Rust, for `cargo test`.
    Rust,
    /// C, with plain `assert`.
    C,
    /// Go, for `go test`.
    Go,
    /// JavaScript, for Jest.
    Jest,
    /// JavaScript, for Vitest.
    Vitest,
    /// Gherkin scenarios for Cucumber.
    Gherkin,
    /// CSV, a row for each state.
    Csv,
    /// The JSON traces of Apalache and Quint.
    Itf,
    /// The XML traces of NuSMV.
    NusmvXml,
    /// The traces of NuSMV in its text format.
    NusmvText,
    /// Value change dumps.
    Vcd,
    /// Avalla scenarios of ASMETA.
    Avalla,
}

/// An exported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Its name, without a folder.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Why a suite cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// A test lacks a value that the format needs.
    Open {
        /// The test.
        test: String,
        /// Index of the state.
        state: usize,
        /// The variable.
        variable: String,
    },
    /// The template has an error.
    Template(String),
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExportError::Open { test, state, variable } => {
                write!(f, "test `{test}`, state {}: `{variable}` has no value, and this format needs one", state + 1)
            }
            ExportError::Template(message) => write!(f, "the template cannot be used: {message}"),
        }
    }
}

/// Exports a suite.
pub fn export(model: &Model, suite: &Suite, format: Format, timing: Timing) -> Result<Vec<Exported>, ExportError> {
    let stem = match format {
        Format::Rust => module(&suite.model, Language::Rust),
        Format::Go => for_every_system(module(&suite.model, Language::Go)),
        _ => naming::short(naming::snake(&stem(&suite.model))),
    };
    // Only ITF can represent states after the departure.
    let ended = if format == Format::Itf { suite.clone() } else { ended(suite) };
    let suite = &ended;
    let one = |name: String, text: String| Ok(vec![Exported { name, text }]);
    match format {
        Format::Pytest => {
            render::code(model, suite, Language::Python, timing, &[(format!("test_{stem}.py"), "pytest.py")])
        }
        Format::Junit5 => {
            let class = naming::pascal(&stem);
            let files = [("Subject.java".to_owned(), "Subject.java"), (format!("{class}Test.java"), "junit5.java")];
            render::code(model, suite, Language::Java, timing, &files)
        }
        Format::Rust => render::code(model, suite, Language::Rust, timing, &[(format!("{stem}.rs"), "rust.rs")]),
        Format::C => {
            let files = [("subject.h".to_owned(), "subject.h"), (format!("test_{stem}.c"), "c.c")];
            render::code(model, suite, Language::C, timing, &files)
        }
        Format::Go => render::code(model, suite, Language::Go, timing, &[(format!("{stem}_test.go"), "go.go")]),
        Format::Jest => {
            render::code(model, suite, Language::JavaScript, timing, &[(format!("{stem}.test.js"), "jest.js")])
        }
        Format::Vitest => {
            render::code(model, suite, Language::JavaScript, timing, &[(format!("{stem}.test.js"), "vitest.js")])
        }
        Format::Gherkin => {
            render::code(model, suite, Language::Plain, timing, &[(format!("{stem}.feature"), "gherkin.feature")])
        }
        Format::Csv => one(format!("{stem}.csv"), csv::write(model, suite)),
        Format::NusmvText => one(format!("{stem}.txt"), nusmv::text(model, suite)),
        Format::Itf => Ok(each(suite, "itf.json", |test| itf::write(model, suite, test))),
        Format::NusmvXml => Ok(each(suite, "xml", |test| nusmv::test_xml(model, suite, test))),
        Format::Vcd => Ok(each(suite, "vcd", |test| vcd::write(model, suite, test))),
        Format::Avalla => Ok(each(suite, "avalla", |test| avalla::write(model, suite, test))),
    }
}

/// Renders a suite with the template of a user.
pub fn export_with(model: &Model, suite: &Suite, template: &str, timing: Timing) -> Result<String, ExportError> {
    render::template(model, &ended(suite), template, timing)
}

/// The suite with negative tests cut at the departure.
fn ended(suite: &Suite) -> Suite {
    let mut suite = suite.clone();
    suite.tests.iter_mut().for_each(Test::end_at_departure);
    suite
}

/// A file for each test, named by its index and its name.
fn each(suite: &Suite, extension: &str, write: impl Fn(usize) -> String) -> Vec<Exported> {
    let width = suite.tests.len().to_string().len().max(3);
    let file = |index: usize| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name: String = suite.tests[index].name.chars().take(80).collect();
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        Exported { name: format!("{:0width$}-{name}.{extension}", index + 1), text: write(index) }
    };
    (0..suite.tests.len()).map(file).collect()
}

/// The name of a model as that of a module.
fn module(model: &str, language: Language) -> String {
    naming::unique([stem(model).as_str()], naming::snake, language.reserved()).remove(0)
}

/// The name of a Go file that does not end in the name of a system or processor, so that the file is used on all of
/// them.
fn for_every_system(stem: String) -> String {
    const SYSTEMS: [&str; 20] = [
        "aix", "android", "darwin", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd", "plan9",
        "solaris", "wasip1", "windows", "amd64", "arm", "arm64", "386", "riscv64", "wasm",
    ];
    let is_system = stem.rsplit('_').next().is_some_and(|last| SYSTEMS.contains(&last));
    if is_system { format!("{stem}_suite") } else { stem }
}

/// The name of a model without its folder and extension.
pub(crate) fn stem(model: &str) -> String {
    let file = model.rsplit(['/', '\\']).next().unwrap_or(model);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem.chars().any(char::is_alphanumeric) { stem.to_owned() } else { "model".into() }
}
