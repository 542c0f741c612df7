//! Certificates: proofs that other programs can check, and their check.

mod goals;

pub use goals::{CertifiedGoals, GoalCertificate, left_out_text};

use crate::check::choose;
use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::session::Session;
use crate::text::Text;
pub use specwright_mc::Refused;
use specwright_mc::{Embedded, Reason, SafetyClaim, Sat, check_certificate};
use specwright_syntax::aiger::ast::Circuit;
use specwright_syntax::aiger::{ascii, binary, decode, parse};
use specwright_syntax::span::SourceMap;
use std::path::Path;

/// A certificate, and what it is about.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The witness circuit; none if no property was proved.
    pub circuit: Option<Circuit>,
    /// The properties that it certifies, by index.
    pub certified: Vec<usize>,
    /// The properties that were asked for and are not part of it.
    pub others: Vec<(usize, Reason)>,
}

/// What a certificate certifies.
#[derive(Clone, Debug)]
pub struct Certified {
    /// For each property that was asked for, by index, whether it is certified.
    pub properties: Vec<(usize, bool)>,
    /// Why nothing is certified, if the certificate is wrong.
    pub refused: Option<Refused>,
}

impl Session {
    /// Proves properties, given by index, by one inductive invariant, and gives it as a witness circuit.
    ///
    /// # Panics
    ///
    /// If the certificate does not pass the check: the proof is wrong.
    pub fn certify(
        &self,
        properties: &[usize],
        limits: &Limits,
        events: &mut dyn Events,
    ) -> Result<Certificate, Failure> {
        let budget = limits.budget();
        let mut sat = self.sat(limits, events)?;
        let model = self.embedded(&mut sat, events)?;
        let claims: Vec<SafetyClaim<'_>> =
            properties.iter().map(|index| SafetyClaim::from(&self.model.properties[*index])).collect();
        let (mut certified, mut bad, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (index, outcome) in properties.iter().zip(sat.prove_claims(&claims, &budget)) {
            match (outcome, model.bad[*index]) {
                (Ok(()), Some(state)) => {
                    certified.push(*index);
                    bad.push(state);
                }
                (Ok(()), None) => others.push((*index, Reason::Unsupported)),
                (Err(reason), _) => others.push((*index, reason)),
            }
        }
        if certified.is_empty() {
            return Ok(Certificate { circuit: None, certified, others });
        }
        let witness = sat.certificate(&model, &bad);
        match check_certificate(&self.circuit(events)?, &witness, &bad, &budget) {
            Ok(excluded) => assert!(excluded.into_iter().all(|is| is), "a certificate does not cover its properties"),
            Err(Refused::Limit(limit)) => {
                others.extend(certified.drain(..).map(|index| (index, limit.into())));
                return Ok(Certificate { circuit: None, certified, others });
            }
            Err(refused) => panic!("a certificate of ours is refused: {refused}"),
        }
        Ok(Certificate { circuit: Some(witness), certified, others })
    }

    /// Checks a certificate in a file for some properties, given by names or numbers; all if none are given.
    pub fn check_certificate(
        &self,
        path: &Path,
        properties: &[String],
        limits: &Limits,
        events: &mut dyn Events,
    ) -> Result<Certified, Failure> {
        let chosen = choose(&self.model, properties)?;
        let witness = read(path, limits, events)?;
        let mut sat = self.sat(limits, events)?;
        let bad = self.embedded(&mut sat, events)?.bad;
        let asked: Vec<(usize, Option<usize>)> = chosen.iter().map(|index| (*index, bad[*index])).collect();
        let numbers: Vec<usize> = asked.iter().filter_map(|(_, bad)| *bad).collect();
        match check_certificate(&self.circuit(events)?, &witness, &numbers, &limits.budget()) {
            Ok(excluded) => {
                let mut excluded = excluded.into_iter();
                let properties = asked.into_iter().map(|(index, bad)| {
                    (index, bad.is_some() && excluded.next().is_some_and(|is_excluded| is_excluded))
                });
                Ok(Certified { properties: properties.collect(), refused: None })
            }
            Err(refused) => {
                let properties = chosen.into_iter().map(|index| (index, false)).collect();
                Ok(Certified { properties, refused: Some(refused) })
            }
        }
    }

    /// A certificate as a file: binary if its name ends with `.aig`, with a comment that says what it is about.
    pub fn certificate_file(&self, certificate: &Certificate, path: &Path) -> Option<Vec<u8>> {
        let circuit = certificate.circuit.as_ref()?;
        let is_binary = path.extension().is_some_and(|name| name == "aig");
        let mut bytes = if is_binary { binary(circuit) } else { ascii(circuit).into_bytes() };
        let name = |index: &usize| {
            let property = &self.model.properties[*index];
            property.name.clone().unwrap_or_else(|| format!("property {}", index + 1))
        };
        let names: Vec<String> = certificate.certified.iter().map(name).collect();
        let comment = format!("c\nWITNESS {} {}\n", names.join(", "), self.model.name).replace(['\r'], " ");
        bytes.extend(comment.into_bytes());
        Some(bytes)
    }

    /// The model as a circuit: the one that was read, or a translation.
    fn circuit(&self, events: &mut dyn Events) -> Result<Circuit, Failure> {
        if self.is_circuit() {
            return Ok(parse(&self.sources.files()[0]).0);
        }
        let mut sat = self.sat(&self.reading.limits, events)?;
        let translated = sat.to_aiger(&self.claims(), &self.outputs());
        Ok(translated.map_err(Failure::because("no circuit"))?.circuit)
    }

    fn claims(&self) -> Vec<SafetyClaim<'_>> {
        self.model.properties.iter().map(SafetyClaim::from).collect()
    }

    fn sat(&self, limits: &Limits, events: &mut dyn Events) -> Result<Sat, Failure> {
        Sat::new(self.model.system.clone(), &limits.options()).map_err(|error| self.refuse(events, &error))
    }

    fn embedded(&self, sat: &mut Sat, events: &mut dyn Events) -> Result<Embedded, Failure> {
        if self.is_circuit() {
            return Ok(Embedded::circuit(self.circuit(events)?, self.model.properties.len()));
        }
        sat.embed(&self.claims(), &self.outputs()).map_err(Failure::because("no circuit"))
    }
}

/// Reads a witness circuit.
fn read(path: &Path, limits: &Limits, events: &mut dyn Events) -> Result<Circuit, Failure> {
    let name = path.display().to_string();
    let text = Text::read_by(path, &name, |bytes| decode(&bytes).map(Text::from)).map_err(Failure::Message)?;
    let mut sources = SourceMap::within(limits.budget());
    let (index, _) = text.add_to(&mut sources, &name).map_err(Failure::Message)?;
    let (circuit, diagnostics) = parse(&sources.files()[index]);
    if events.report(&sources, &diagnostics) { Err(Failure::Invalid) } else { Ok(circuit) }
}
