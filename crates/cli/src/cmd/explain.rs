//! `specwright explain`: what a diagnostic code means, by the book's page *Diagnostics*; what a test or a goal is about.

use crate::args::{Explain, ModelArgs, WinnowName};
use crate::cmd::grade;
use crate::cmd::report::subject;
use crate::columns::{Align, Columns};
use crate::console::Console;
use crate::exit_code::ExitCode;
use specwright::GradeSettings;
use specwright_syntax::diagnostic::closest;

const PAGE: &str = include_str!("../../diagnostics.md");

pub fn run(console: &mut Console, args: &Explain) -> anyhow::Result<ExitCode> {
    if let (Some(name), Some(model)) = (&args.what, &args.model) {
        let (mut path, mut suite) = (model.clone(), args.suite.clone());
        let (mut reading, mut judging) = (args.reading.clone(), args.judging.clone());
        if suite.is_none() && subject::is_result(model) {
            let subject = subject::find(model)?;
            (reading, judging) = subject.judged(&args.reading, &args.judging)?;
            let Some((model, tests)) = subject.graded else {
                anyhow::bail!("{} has no tests and goals to explain", path.display())
            };
            (path, suite) = (model, Some(tests));
        }
        let model = ModelArgs { path, reading };
        let only = Some(name.clone());
        let settings = GradeSettings { only, ..grade::settings(&judging, &[WinnowName::Consistent]) };
        let graded = grade::evaluate(console, &model, suite.as_deref(), &judging, &settings)?;
        let options = args.judging.limits.options();
        console.out(match &args.from {
            Some(other) => grade::explain::apart(&graded, name, other, &options)?,
            None => grade::explain::explain(&graded, name, &options)?,
        })?;
        return Ok(ExitCode::Good);
    }
    let Some(code) = &args.what else {
        let mut columns = Columns::new([("", Align::Left), ("", Align::Left)]);
        for section in sections() {
            columns.row([section.code.into(), section.title.into()]);
        }
        console.out(columns)?;
        return Ok(ExitCode::Good);
    };
    let wanted = normal(code);
    let Some(section) = sections().find(|section| section.code == wanted) else {
        let hint = closest(&wanted, sections().map(|section| section.code));
        let hint = hint.map(|code| format!("; did you mean `{code}`?")).unwrap_or_default();
        anyhow::bail!(
            "there is no diagnostic `{code}`{hint} (`specwright explain` lists all; tests and goals need a model or a result)"
        );
    };
    console.out(format_args!("{}: {}\n\n{}", section.code, section.title, plain(section.body)))?;
    Ok(ExitCode::Good)
}

/// Whether something is the code of a diagnostic.
pub fn is_code(what: &str) -> bool {
    sections().any(|section| section.code == normal(what))
}

/// A code as it is written in the book.
fn normal(code: &str) -> String {
    code.trim_matches(['[', ']']).to_uppercase()
}

struct Section {
    code: &'static str,
    title: &'static str,
    body: &'static str,
}

/// The sections of the page that are about a code: `## SMV012: title`.
fn sections() -> impl Iterator<Item = Section> {
    PAGE.split("\n## ").skip(1).filter_map(|section| {
        let (heading, body) = section.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        Some(Section { code, title, body: body.trim() })
    })
}

/// Markdown for the terminal: what is fenced off is indented instead.
fn plain(markdown: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let indent = if fenced && !line.is_empty() { "    " } else { "" };
        text.extend([indent, line, "\n"]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright::Limits;
    use specwright::check::{expectations, hazards, undefined, vacuity};
    use specwright::frontend::Language;
    use specwright_mc::{Options, Symbolic};
    use specwright_model::Model;
    use specwright_syntax::diagnostic::Diagnostic;
    use specwright_syntax::smv::ast::Dialect;
    use specwright_syntax::span::SourceMap;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_explained_and_every_explanation_has_a_code() {
        let catalogues = [
            include_str!("../../../syntax/src/smv/codes.rs"),
            include_str!("../../../syntax/src/asm/codes.rs"),
            include_str!("../../../syntax/src/scr/codes.rs"),
            include_str!("../../../testgen/src/suite/codes.rs"),
            include_str!("../../../specwright/src/text.rs"),
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
            let name = section.code[..3].to_lowercase();
            let block = section.body.split(&format!("```{name}")).nth(1).and_then(|rest| rest.split("```").next());
            let Some((info, example)) = block.and_then(|block| block.split_once('\n')) else {
                wrong.push(format!("{} has no example", section.code));
                continue;
            };
            let dialect = if info.contains("cmu") { Dialect::Cmu } else { Dialect::NuSmv };
            let language = match &*name {
                "scr" => Language::Scr,
                "asm" => Language::Asm { mutants: false },
                _ => Language::Smv(dialect),
            };
            let mut sources = SourceMap::default();
            sources.add("example", example).unwrap();
            let (model, mut diagnostics) = language.understand(&mut sources, 0);
            let examined = model.as_ref().map(|model| expectations::examine(model, &Limits::default()).diagnostics);
            diagnostics.extend(examined.into_iter().flatten());
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
            diagnostics.extend(conditions.map(|conditions| vacuity::warning(model, property, &conditions)));
        }
        diagnostics
    }
}
