//! Mapping of the names and values of other tools to those of the model; the schema is `schemas/mapping.schema.json`.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A mapping of names and values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    #[serde(default)]
    schema: Option<String>,
    /// For a name in the file, the variable of the model; `None` for an ignored one.
    #[serde(default)]
    variables: BTreeMap<String, Option<String>>,
    /// For a variable of the model, its values by their names in the file.
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, String>>,
    /// For value change dumps: a state is taken at the rising edges of this signal, instead of at every change.
    #[serde(default)]
    pub(super) clock: Option<String>,
}

impl Mapping {
    /// Parses a mapping; the error is a message.
    pub fn parse(text: &str) -> Result<Mapping, String> {
        let mapping: Mapping = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match &mapping.schema {
            Some(schema) if schema != "specwright/mapping/1" => {
                Err(format!("its schema is {schema}, not specwright/mapping/1"))
            }
            _ => Ok(mapping),
        }
    }

    /// The variable of a name; `None` if it is ignored.
    pub(super) fn variable<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self.variables.get(name) {
            Some(ours) => ours.as_deref(),
            // Quint adds these to the variables.
            None if name.starts_with("mbt::") || Some(name) == self.clock.as_deref() => None,
            None => Some(name),
        }
    }

    /// The value of the model for a value in the file.
    pub(super) fn value<'a>(&'a self, variable: &str, value: &'a str) -> &'a str {
        self.values.get(variable).and_then(|values| values.get(value)).map_or(value, String::as_str)
    }
}
