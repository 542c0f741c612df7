//! Names and values of other tools, and what they are called in the model; the schema is `schemas/mapping.schema.json`.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What is called how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    #[serde(default)]
    schema: Option<String>,
    /// For a name in the file, the variable of the model; nothing for one that does not matter.
    #[serde(default)]
    variables: BTreeMap<String, Option<String>>,
    /// For a variable of the model, its values by what the file calls them.
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, String>>,
    /// For wave forms: a state is taken where this rises, and not wherever something changes.
    #[serde(default)]
    pub(super) clock: Option<String>,
}

impl Mapping {
    /// Reads a mapping, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Mapping, String> {
        let mapping: Mapping = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match &mapping.schema {
            Some(schema) if schema != "specwright/mapping/1" => {
                Err(format!("its schema is {schema}, not specwright/mapping/1"))
            }
            _ => Ok(mapping),
        }
    }

    /// What a name stands for: a variable, or nothing if it does not matter.
    pub(super) fn variable<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self.variables.get(name) {
            Some(ours) => ours.as_deref(),
            // Quint writes these beside the variables.
            None if name.starts_with("mbt::") || Some(name) == self.clock.as_deref() => None,
            None => Some(name),
        }
    }

    /// The value that is meant.
    pub(super) fn value<'a>(&'a self, variable: &str, value: &'a str) -> &'a str {
        self.values.get(variable).and_then(|values| values.get(value)).map_or(value, String::as_str)
    }
}
