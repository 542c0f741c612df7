//! Statecharts: XState machines as JSON, JavaScript and TypeScript, and SCXML.

use super::{Frontend, Understood, lowered};
use crate::session::ReadSettings;
use specwright_model::formula::add_properties;
use specwright_model::lower::statechart::{Options, lower};
use specwright_syntax::span::{SourceFile, SourceMap, Span};
use specwright_syntax::statechart::{Read, parse_json, parse_script, parse_scxml};

/// Reads a chart in the notation that the name of its file ends in.
pub fn parse(file: &SourceFile) -> Read {
    match file.name.rsplit('.').next().unwrap_or_default() {
        "json" => parse_json(file),
        "scxml" => parse_scxml(file),
        _ => parse_script(file),
    }
}

/// Statecharts.
pub(super) struct Statecharts;

impl Frontend for Statecharts {
    fn name(&self) -> &'static str {
        "statechart"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["scxml", "json", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"]
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, settings: &ReadSettings) -> Understood {
        let file = &sources.files()[file];
        let (chart, diagnostics) = parse(file);
        let options = Options {
            name: file.name.clone(),
            mutants: settings.mutants,
            machine_mutants: settings.machine_mutants,
            budget: file.budget.clone(),
        };
        lowered(diagnostics, || {
            let Some(chart) = chart else { return (None, Vec::new()) };
            let (mut model, mut diagnostics) = lower(&chart, &options);
            let places: Vec<Span> = chart.properties.iter().map(|property| property.span).collect();
            if let Some(model) = &mut model
                && !places.is_empty()
            {
                diagnostics.extend(add_properties(model, &file.only(&places), settings.dialect));
            }
            (model, diagnostics)
        })
    }
}
