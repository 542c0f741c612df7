//! What a certificate certifies.

use crate::certificate::{Certified, CertifiedGoals};
use crate::session::Session;
use crate::words::property_text;
use serde::Serialize;
use std::path::Path;

/// What a certificate certifies.
#[derive(Serialize)]
pub struct CertificateDocument {
    schema: &'static str,
    model: String,
    certificate: String,
    /// Why nothing is certified, if the certificate is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// What was asked for: properties, or goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Vec<Entry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<Vec<GoalEntry>>,
}

#[derive(Serialize)]
struct GoalEntry {
    id: String,
    description: String,
    certified: bool,
}

#[derive(Serialize)]
struct Entry {
    number: usize,
    name: Option<String>,
    text: String,
    certified: bool,
}

impl CertificateDocument {
    /// The document of the check of a certificate.
    pub fn new(session: &Session, path: &Path, certified: &Certified) -> CertificateDocument {
        let entry = |(index, is_certified): &(usize, bool)| {
            let property = &session.model.properties[*index];
            Entry {
                number: index + 1,
                name: property.name.clone(),
                text: property_text(&session.model, property),
                certified: *is_certified,
            }
        };
        CertificateDocument {
            schema: "specwright/certificate/1",
            model: session.model.name.clone(),
            certificate: path.display().to_string(),
            refused: certified.refused.as_ref().map(ToString::to_string),
            properties: Some(certified.properties.iter().map(entry).collect()),
            goals: None,
        }
    }

    /// The document of the check of a certificate of infeasible goals.
    pub fn of_goals(session: &Session, folder: &Path, certified: &CertifiedGoals) -> CertificateDocument {
        let goals = certified.goals.iter().map(|(goal, is_certified)| GoalEntry {
            id: goal.id.clone(),
            description: goal.description.clone(),
            certified: *is_certified,
        });
        CertificateDocument {
            schema: "specwright/certificate/1",
            model: session.model.name.clone(),
            certificate: folder.display().to_string(),
            refused: certified.refused.clone(),
            properties: None,
            goals: Some(goals.collect()),
        }
    }
}
