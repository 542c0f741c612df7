//! Import of suites: the formats of [`crate::export`], and the native output of other tools.
//!
//! Every format is read into the same raw form (`raw`): names and values as text, each with its span. Then they are
//! resolved in the model, through a [`Mapping`] if they differ.

mod avalla;
mod csv;
mod itf;
mod mapping;
mod nusmv_text;
mod nusmv_xml;
mod raw;
mod scenario;
mod vcd;

pub use mapping::Mapping;

use raw::{RawTest, resolve};
use specwright_model::Model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::{SourceFile, Span};
use specwright_testgen::suite::{Read, Suite, codes, read_suite};

/// A format of import, beside our own suites.
struct Format {
    /// The extensions of its files, where these alone tell.
    extensions: &'static [&'static str],
    /// Whether a text is in it, where the extension does not tell.
    is_text: fn(&str) -> bool,
    read: fn(&mut Reader<'_>) -> Vec<RawTest>,
    /// Whether it has escapes of ours. Tables and JSON have escapes of their own.
    has_escapes: bool,
    /// Whether it has the values of the translated model: integers, of which a real variable has multiples.
    is_translated: bool,
}

/// All formats but our own, in the order in which texts are tried.
static FORMATS: [Format; 6] = [
    Format {
        extensions: &["csv", "tsv"],
        is_text: |_| false,
        read: |reader| reader.csv(),
        has_escapes: false,
        is_translated: false,
    },
    Format {
        extensions: &["avalla"],
        is_text: |_| false,
        read: |reader| reader.avalla(),
        has_escapes: true,
        is_translated: false,
    },
    Format {
        extensions: &[],
        is_text: |text| text.starts_with('<'),
        read: |reader| reader.nusmv_xml(),
        has_escapes: true,
        is_translated: true,
    },
    Format {
        extensions: &[],
        is_text: itf::is_itf,
        read: |reader| reader.itf(),
        has_escapes: false,
        is_translated: true,
    },
    Format {
        extensions: &[],
        is_text: nusmv_text::is_nusmv,
        read: |reader| reader.nusmv_text(),
        has_escapes: true,
        is_translated: true,
    },
    Format {
        extensions: &["vcd"],
        is_text: |text| text.starts_with('$') && text.contains("$enddefinitions"),
        read: |reader| reader.vcd(),
        has_escapes: true,
        is_translated: true,
    },
];

/// The format of a file, by its name and its beginning; none for our own suites, as JSON or as text.
fn detect(file: &SourceFile) -> Option<&'static Format> {
    let extension = file.name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let extension = extension.as_deref().unwrap_or_default();
    if extension == "suite" {
        return None;
    }
    let text = file.text.trim_start_matches('\u{feff}').trim_start();
    let by_name = FORMATS.iter().find(|format| format.extensions.contains(&extension));
    by_name.or_else(|| FORMATS.iter().find(|format| (format.is_text)(text)))
}

/// The files that a text refers to: other scenarios whose blocks it executes.
pub fn references(file: &SourceFile) -> Vec<String> {
    let words = file.text.split("execblock").skip(1).filter(|_| is_scenario(file));
    words.filter_map(|rest| Some(format!("{}.avalla", rest.split(';').next()?.split_once(':')?.0.trim()))).collect()
}

/// What scenarios ask of a machine before it is read.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// The rules that they execute before a step.
    pub rules: Vec<String>,
    /// The monitored functions that they set before the first step.
    pub set_first: Vec<String>,
}

/// What the scenarios among several files ask of a machine. They may refer to files in `others`.
pub fn demands(files: &[SourceFile], others: &[SourceFile]) -> Demands {
    let mut demands = Demands::default();
    let mapping = Mapping::default();
    for file in files.iter().filter(|file| is_scenario(file)) {
        let mut reader = Reader { file, others, mapping: &mapping, diagnostics: Vec::new() };
        for test in reader.avalla() {
            for (at, state) in test.states.iter().enumerate() {
                for value in &state.values {
                    if value.name == raw::EXECUTE && !demands.rules.contains(&value.text) {
                        demands.rules.push(value.text.clone());
                    } else if at == 0 && value.by_environment {
                        demands.set_first.extend(value.name.split('(').next().map(str::to_owned));
                    }
                }
            }
        }
    }
    demands
}

/// Whether a file is a scenario in Avalla.
pub fn is_scenario(file: &SourceFile) -> bool {
    file.name.to_ascii_lowercase().ends_with(".avalla")
}

/// Reads a suite from several files. They may refer to those in `others`.
pub fn read(model: &Model, files: &[SourceFile], others: &[SourceFile], mapping: &Mapping) -> (Read, Vec<Diagnostic>) {
    let suite = Suite { model: model.name.clone(), model_hash: None, tests: Vec::new(), goals: None };
    let mut all = Read { suite, places: Vec::new() };
    let mut diagnostics = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let (read, found) = match detect(file) {
            None => read_suite(model, file),
            Some(format) => {
                let mut reader = Reader { file, others, mapping, diagnostics: Vec::new() };
                let mut tests = reader.tests(format);
                if format.is_translated {
                    for test in &mut tests {
                        test.make_decimal(model, mapping);
                    }
                }
                let (read, found) = resolve(model, tests, mapping);
                reader.diagnostics.extend(found);
                (read, reader.diagnostics)
            }
        };
        diagnostics.extend(found);
        if index == 0 {
            all.suite.model_hash = read.suite.model_hash;
            all.suite.model = read.suite.model;
            all.suite.goals = read.suite.goals;
        }
        for (test, places) in read.suite.tests.into_iter().zip(read.places) {
            if let Some(first) = all.suite.tests.iter().position(|other| other.name == test.name) {
                let message = format!("two tests have the name `{}`", test.name);
                let wrong = Diagnostic::error(codes::TWICE, places.test, message);
                diagnostics.push(wrong.also(all.places[first].test, "the first one"));
                continue;
            }
            all.suite.tests.push(test);
            all.places.push(places);
        }
    }
    (all, diagnostics)
}

/// The common state of the readers.
struct Reader<'a> {
    file: &'a SourceFile,
    /// Files that it may refer to.
    others: &'a [SourceFile],
    mapping: &'a Mapping,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn tests(&mut self, format: &Format) -> Vec<RawTest> {
        let mut tests = (format.read)(self);
        if format.has_escapes {
            tests.iter_mut().for_each(RawTest::unescape);
        }
        let stem = crate::export::stem(&self.file.name);
        let stem = stem.strip_suffix(".itf").unwrap_or(&stem).to_owned();
        let n = tests.len();
        for (index, test) in tests.iter_mut().enumerate().filter(|(_, test)| test.name.is_empty()) {
            test.name = if n == 1 { stem.clone() } else { format!("{stem}-{}", index + 1) };
        }
        tests
    }

    /// A span in the file: at character boundaries, and within the file.
    fn span(&self, from: usize, to: usize) -> Span {
        let place = |at: usize| self.file.start + self.file.text.ceil_char_boundary(at) as u32;
        Span::new(place(from), place(to))
    }

    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, span, message));
    }
}
