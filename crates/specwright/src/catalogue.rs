//! What `explain` knows: diagnostic codes, mutation operators and criteria, by the pages of the book.

const PAGE: &str = include_str!("../diagnostics.md");
const OPERATORS: &str = include_str!("../operators.md");
const CRITERIA: &str = include_str!("../criteria.md");

/// The explanation of a diagnostic code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The code.
    pub code: &'static str,
    /// What is wrong, in a line.
    pub title: &'static str,
    /// What that means and what to do, with an example, as Markdown.
    pub body: &'static str,
}

/// All sections, in the order of the book: `## SMV012: title`.
pub fn sections() -> impl Iterator<Item = Section> {
    PAGE.split("\n## ").skip(1).filter_map(|section| {
        let (heading, body) = section.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        Some(Section { code, title, body: body.trim() })
    })
}

/// The section of a code, however it is written: `smv012`, `[SMV012]`.
pub fn section(code: &str) -> Option<Section> {
    let wanted = normal(code);
    sections().find(|section| section.code == wanted)
}

/// A mutation operator or a criterion: its heading in the book, and the text below it, as Markdown.
pub fn topic(name: &str) -> Option<(&'static str, &'static str)> {
    operator(&name.to_uppercase()).or_else(|| criterion(&name.to_lowercase()))
}

/// The section of an operator: `### ORO: operand replacement`.
fn operator(name: &str) -> Option<(&'static str, &'static str)> {
    let sections = OPERATORS.split("\n### ").skip(1).filter_map(|section| section.split_once('\n'));
    let (heading, body) = sections.into_iter().find(|(heading, _)| heading.split(':').next() == Some(name))?;
    Some((heading, body.split("\n## ").next().unwrap_or(body).trim()))
}

/// The section of a criterion, which may be one of several in its heading: ``## `w`, `wp` and `hsi` ``. A variant such as
/// `mcdc-masking` is explained with the criterion that it is a variant of.
fn criterion(name: &str) -> Option<(&'static str, &'static str)> {
    let named = |heading: &'static str| heading.split('`').skip(1).step_by(2);
    let sections = || CRITERIA.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    let is_variant = |of: &str| name.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let best = |heading| named(heading).filter(|of| is_variant(of)).map(str::len).max();
    let (heading, body) =
        sections().max_by_key(|(heading, _)| best(heading)).filter(|(heading, _)| best(heading).is_some())?;
    Some((heading, body.trim()))
}

/// The names of all mutation operators and criteria that have a section.
pub fn topics() -> impl Iterator<Item = &'static str> {
    let operators = OPERATORS.split("\n### ").skip(1).filter_map(|section| Some(section.split_once(':')?.0));
    let headings = CRITERIA.split("\n## ").skip(1).filter_map(|section| section.lines().next());
    operators.chain(headings.flat_map(|heading| heading.split('`').skip(1).step_by(2)))
}

/// A code as it is written in the book.
pub fn normal(code: &str) -> String {
    code.trim_matches(['[', ']']).to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{expectations, hazards, undefined, vacuity};
    use crate::frontend;
    use crate::limits::Limits;
    use crate::session::ReadSettings;
    use specwright_mc::{Options, Symbolic};
    use specwright_model::Model;
    use specwright_model::unparse::Unparser;
    use specwright_syntax::diagnostic::Diagnostic;
    use specwright_syntax::smv::ast::Dialect;
    use specwright_syntax::span::SourceMap;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn operators_and_criteria_are_explained() {
        assert!(topic("eno").is_some_and(|(heading, body)| heading.starts_with("ENO: ") && !body.contains("LRO:")));
        assert!(topic("mcdc-masking").is_some_and(|(heading, _)| heading == "`mcdc`"));
        assert!(topic("hsi").is_some_and(|(heading, _)| heading.contains("`wp`")));
        assert_eq!(topic("nothing"), None);
        // What users ask for by `--goal` and `--trap` has no section of its own.
        let criteria = specwright_testgen::criteria::CRITERIA.iter();
        for criterion in criteria.filter(|criterion| !["goal", "trap"].contains(&criterion.name)) {
            assert!(topic(criterion.name).is_some(), "`{}` has no section in the book", criterion.name);
        }
    }

    #[test]
    fn every_code_is_explained_and_every_explanation_has_a_code() {
        let catalogues = [
            include_str!("../../syntax/src/smv/codes.rs"),
            include_str!("../../syntax/src/asm/codes.rs"),
            include_str!("../../syntax/src/scr/codes.rs"),
            include_str!("../../syntax/src/aiger/codes.rs"),
            include_str!("../../syntax/src/statechart/codes.rs"),
            include_str!("../../testgen/src/suite/codes.rs"),
            include_str!("text.rs"),
        ];
        let catalogues = catalogues.iter().flat_map(|catalogue| catalogue.split("Code(\"").skip(1));
        let codes = catalogues.filter_map(|rest| rest.split('"').next());
        let codes: BTreeSet<&str> = codes.collect();
        let explained: BTreeSet<&str> = sections().map(|section| section.code).collect();
        assert_eq!(codes, explained);
    }

    #[test]
    fn every_example_shows_what_its_section_is_about() {
        let mut wrong = Vec::new();
        // What is about suites, or about the encoding of a file, has no model to show it.
        for section in sections().filter(|section| !section.code.starts_with("SUI") && !section.code.starts_with("TXT"))
        {
            // Statecharts have several notations.
            let notations = [("json", "json"), ("js", "js"), ("xml", "scxml")];
            let notation = notations.iter().find(|(fence, _)| section.body.contains(&format!("```{fence}")));
            let (name, extension) = match notation.filter(|_| section.code.starts_with("SC0")) {
                Some((fence, extension)) => ((*fence).to_owned(), (*extension).to_owned()),
                None => (section.code[..3].to_lowercase(), section.code[..3].to_lowercase()),
            };
            let block = section.body.split(&format!("```{name}")).nth(1).and_then(|rest| rest.split("```").next());
            let Some((info, example)) = block.and_then(|block| block.split_once('\n')) else {
                wrong.push(format!("{} has no example", section.code));
                continue;
            };
            let dialect = if info.contains("cmu") { Dialect::Cmu } else { Dialect::NuSmv };
            let frontend = frontend::of(Path::new(&format!("example.{extension}")));
            let settings = ReadSettings { dialect, ..ReadSettings::default() };
            let mut sources = SourceMap::default();
            sources.add(format!("example.{extension}"), example).unwrap();
            let (model, mut diagnostics) = frontend.understand(&mut sources, 0, &settings);
            let examine = |model: &Model, fills_gaps| expectations::examine(model, fills_gaps, &Limits::default());
            let examined = model.as_ref().map(|model| examine(model, false));
            if examined.as_ref().is_some_and(|found| found.has_gaps) {
                let settings = ReadSettings { fills_gaps: true, ..settings };
                let filled = frontend.understand(&mut sources, 0, &settings).0.map(|model| examine(&model, true));
                diagnostics.extend(filled.into_iter().flat_map(|found| found.diagnostics));
            }
            diagnostics.extend(examined.into_iter().flat_map(|found| found.diagnostics));
            diagnostics.extend(model.map(|model| evaluated(&model)).unwrap_or_default());
            let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
            if !info.contains("ignore") && !codes.contains(&section.code) {
                wrong.push(format!("{} shows {codes:?}", section.code));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// What `check` finds in a model besides its verdicts.
    fn evaluated(model: &Model) -> Vec<Diagnostic> {
        let mut engine = match Symbolic::new(model.system.clone(), &Options::default()) {
            Ok(engine) => engine,
            Err(error) => return undefined::build_error(model, &error),
        };
        let mut diagnostics = undefined::sanity(model, &engine.sanity());
        let hazards = hazards::find(model, |expr| engine.reach(expr), |_| String::new());
        diagnostics.extend(hazards::diagnostics(model, &hazards));
        for property in &model.properties {
            let verdict = engine.check(property);
            let conditions = vacuity::vacuous(model, property, &verdict, |conditions| engine.reaches_all(conditions));
            let unparser = &mut Unparser::new(model);
            diagnostics.extend(conditions.map(|conditions| vacuity::warning(unparser, property, &conditions)));
        }
        diagnostics
    }
}
