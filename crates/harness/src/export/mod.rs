//! Export of suites: test code in several languages, and traces in several formats.
//!
//! Code is generated from templates, both built-in and the user's; `context` is the data that they see. Data formats
//! have one file each, and `import` reads them back. [`FORMATS`] registers all of them: names on the command line, help and
//! the lists of tests come from there.

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

use language::Language;
use specwright_model::Model;
use specwright_testgen::suite::{Suite, Test, write_json, write_text};

/// Names of files, each with its template in `templates/`.
macro_rules! template {
    [$($file:literal => $template:literal),+] => {
        &[$(($file, include_str!(concat!("templates/", $template, ".j2")))),+]
    };
}

/// A format of export: one entry of [`FORMATS`].
pub struct Format {
    /// The name under which it is asked for.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Whether it can represent what follows after the departure of a negative test.
    carries_departures: bool,
    content: Content,
}

/// What a format writes. In the names of files, `{model}` is the name of the model, and `{Model}` that name in Pascal case.
enum Content {
    /// Test code: for each file its name and its template.
    Code(Language, &'static [(&'static str, &'static str)]),
    /// One file with all tests.
    One(&'static str, fn(&Model, &Suite) -> String),
    /// A file for each test, whose name ends in this.
    Each(&'static str, fn(&Model, &Suite, usize) -> String),
}

/// All formats. An entry here is all that it takes to make a format known.
pub static FORMATS: [Format; 19] = [
    Format::code("pytest", "Python, for pytest", Language::Python, template!["test_{model}.py" => "pytest.py"]),
    Format::code(
        "junit5",
        "Java, for JUnit 5",
        Language::Java,
        template!["Subject.java" => "Subject.java", "{Model}Test.java" => "junit5.java"],
    ),
    Format::code("rust", "Rust, for `cargo test`", Language::Rust, template!["{model}.rs" => "rust.rs"]),
    Format::code(
        "c",
        "C99, without a framework",
        Language::C,
        template!["subject.h" => "subject.h", "test_{model}.c" => "c.c"],
    ),
    Format::code("go", "Go, for `go test`", Language::Go, template!["{model}_test.go" => "go.go"]),
    Format::code("jest", "JavaScript, for Jest", Language::JavaScript, template!["{model}.test.js" => "jest.js"]),
    Format::code("vitest", "JavaScript, for Vitest", Language::JavaScript, template!["{model}.test.js" => "vitest.js"]),
    Format::code(
        "xstate-vitest",
        "Tests of an XState actor, for Vitest",
        Language::JavaScript,
        template!["{model}.test.js" => "xstate-vitest.js", "statechart.js" => "statechart.js"],
    ),
    Format::code(
        "xstate-jest",
        "Tests of an XState actor, for Jest",
        Language::JavaScript,
        template!["{model}.test.js" => "xstate-jest.js", "statechart.js" => "statechart.js"],
    ),
    Format::code(
        "playwright",
        "A statechart's events and states on a system, for Playwright",
        Language::JavaScript,
        template!["{model}.spec.js" => "playwright.js", "driver.example.js" => "driver.js"],
    ),
    Format::code(
        "gherkin",
        "Gherkin scenarios for Cucumber",
        Language::Plain,
        template!["{model}.feature" => "gherkin.feature"],
    ),
    Format::traces("csv", "A table with a line for each state", Content::One("{model}.csv", csv::write)),
    Format::traces("itf", "The JSON traces of Apalache and Quint", Content::Each("itf.json", itf::write)).whole(),
    Format::traces("nusmv-xml", "The XML traces of NuSMV", Content::Each("xml", nusmv::test_xml)),
    Format::traces("nusmv-text", "Traces as NuSMV prints them", Content::One("{model}.txt", nusmv::text)),
    Format::traces("vcd", "Value change dumps, for wave form viewers", Content::Each("vcd", vcd::write)),
    Format::traces("avalla", "Avalla scenarios of ASMETA", Content::Each("avalla", avalla::write)),
    Format::traces("json", "A suite as JSON", Content::One("suite.json", write_json)).whole(),
    Format::traces("text", "A suite as text", Content::One("tests.suite", write_text)).whole(),
];

impl Format {
    const fn code(
        name: &'static str,
        description: &'static str,
        language: Language,
        files: &'static [(&'static str, &'static str)],
    ) -> Format {
        Format { name, description, carries_departures: false, content: Content::Code(language, files) }
    }

    const fn traces(name: &'static str, description: &'static str, content: Content) -> Format {
        Format { name, description, carries_departures: false, content }
    }

    /// The same, for a format that carries departures.
    const fn whole(self) -> Format {
        Format { carries_departures: true, ..self }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Whether it is test code. What is not carries tests as they are, and can be imported.
    pub fn is_code(&self) -> bool {
        matches!(self.content, Content::Code(..))
    }

    /// What the names of its files end in.
    pub fn extensions(&self) -> Vec<&'static str> {
        let end = |name: &'static str| name.split_once('.').map_or("", |(_, end)| end);
        match self.content {
            Content::Code(_, files) => files.iter().map(|(name, _)| end(name)).collect(),
            Content::One(name, _) => vec![end(name)],
            Content::Each(extension, _) => vec![extension],
        }
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
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

/// Exports a suite. The interface of the model says when inputs are sent.
pub fn export(model: &Model, suite: &Suite, format: &Format) -> Result<Vec<Exported>, ExportError> {
    let suite = if format.carries_departures { suite.clone() } else { ended(suite) };
    match &format.content {
        Content::Code(language, files) => {
            let stem = match language {
                Language::Rust => module(&suite.model, *language),
                Language::Go => for_every_system(module(&suite.model, *language)),
                _ => file_stem(&suite.model),
            };
            let named = |(name, template): &(&str, &'static str)| (file_name(name, &stem), *template);
            render::code(model, &suite, *language, &files.iter().map(named).collect::<Vec<_>>())
        }
        Content::One(name, write) => {
            Ok(vec![Exported { name: file_name(name, &file_stem(&suite.model)), text: write(model, &suite) }])
        }
        Content::Each(extension, write) => Ok(each(&suite, extension, |test| write(model, &suite, test))),
    }
}

/// The name of a file, from one with the placeholders `{model}` and `{Model}`.
fn file_name(pattern: &str, stem: &str) -> String {
    pattern.replace("{model}", stem).replace("{Model}", &naming::pascal(stem))
}

/// The name of a model as part of the name of a file.
fn file_stem(model: &str) -> String {
    naming::short(naming::snake(&stem(model)))
}

/// Renders a suite with the template of a user.
pub fn export_with(model: &Model, suite: &Suite, template: &str) -> Result<String, ExportError> {
    render::template(model, &ended(suite), template)
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
