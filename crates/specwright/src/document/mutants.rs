//! The mutants of a model.

use crate::failure::Failure;
use crate::mutate::{MutantView, Mutated, Mutating, Of, rules};
use serde::{Deserialize, Serialize};
use specwright_testgen::mutate::Operator;

const SCHEMA: &str = "specwright/mutants/1";

/// A mutant.
#[derive(Debug, Serialize, Deserialize)]
pub struct MutantEntry {
    id: String,
    operator: String,
    operators: Vec<String>,
    kind: String,
    site: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    description: String,
    text: String,
}

impl MutantEntry {
    pub(crate) fn new(view: &MutantView<'_>) -> MutantEntry {
        let located = view.sources.locate(view.span());
        let (line, column) = (located.map(|(_, line, _)| line), located.map(|(_, _, column)| column));
        let id = view.id();
        match &view.of {
            Of::Expression(mutant, model, _) => MutantEntry {
                id,
                operator: mutant.operator().name().into(),
                operators: mutant.operators().into_iter().map(|operator| Operator::name(operator).into()).collect(),
                kind: mutant.site.kind(model).into(),
                site: mutant.site.name(model),
                line,
                column,
                description: mutant.description(model),
                text: mutant.text(model),
            },
            Of::Rule(mutant) => {
                let operator = rules::operator(mutant);
                let name = mutant.name.split_once(' ').map_or("", |(_, name)| name);
                MutantEntry {
                    id,
                    operator: operator.into(),
                    operators: vec![operator.into()],
                    kind: "rule".into(),
                    site: name.rsplit_once('.').map(|(rule, _)| rule.to_owned()),
                    line,
                    column,
                    description: format!("{} in {name}", rules::summary(operator)),
                    text: view.diff().unwrap_or_default(),
                }
            }
        }
    }
}

/// The mutants of rules, of which there are few.
#[derive(Serialize)]
struct Rules {
    schema: &'static str,
    model: String,
    mutants: Vec<MutantEntry>,
    counts: serde_json::Map<String, serde_json::Value>,
    total: usize,
}

/// Writes the document of mutants part by part: of expressions there may be more than fit into memory.
pub struct MutantsDocument {
    model: String,
    n_mutants: usize,
    rules: Option<Vec<MutantEntry>>,
}

impl MutantsDocument {
    /// The document of these mutants.
    pub fn new(mutating: &Mutating<'_>) -> MutantsDocument {
        let model = mutating.model_name().to_owned();
        MutantsDocument { model, n_mutants: 0, rules: mutating.is_of_rules().then(Vec::new) }
    }

    /// Its beginning.
    pub fn begin(&self) -> Result<String, Failure> {
        if self.rules.is_some() {
            return Ok(String::new());
        }
        let name = serde_json::to_string(&self.model).map_err(Failure::message)?;
        Ok(format!("{{\n  \"schema\": \"{SCHEMA}\",\n  \"model\": {name},\n  \"mutants\": ["))
    }

    /// Another mutant.
    pub fn mutant(&mut self, entry: MutantEntry) -> Result<String, Failure> {
        self.n_mutants += 1;
        if let Some(rules) = &mut self.rules {
            rules.push(entry);
            return Ok(String::new());
        }
        let comma = if self.n_mutants > 1 { "," } else { "" };
        let entry = serde_json::to_string(&entry).map_err(Failure::message)?;
        Ok(format!("{comma}\n    {entry}"))
    }

    /// Its end.
    pub fn end(self, mutated: &Mutated) -> Result<String, Failure> {
        let Mutated { counts, n_mutants: total, .. } = mutated;
        if let Some(mutants) = self.rules {
            let counts = counts.iter().map(|count| (count.name.to_owned(), count.n.into())).collect();
            return super::json(&Rules { schema: SCHEMA, model: self.model, mutants, counts, total: *total });
        }
        let end = if self.n_mutants > 0 { "\n  ]" } else { "]" };
        let counts: Vec<String> = counts.iter().map(|count| format!("\n    \"{}\": {}", count.name, count.n)).collect();
        Ok(format!("{end},\n  \"counts\": {{{}\n  }},\n  \"total\": {total}\n}}\n", counts.join(",")))
    }
}
