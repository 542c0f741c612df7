//! Mutants of properties, of the machine, or of its rules, one after the other.

pub(crate) mod rules;
mod wanted;

use crate::document::MutantEntry;
use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::session::{ReadSettings, Session};
use crate::shard::{self, Decided, Sharding};
use crate::words::count;
use serde::{Deserialize, Serialize};
use specwright_model::Model;
use specwright_model::hash::model_hash;
use specwright_model::model::Rewrite;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::{SourceMap, Span};
use specwright_testgen::mutate::{Mutant, Mutants, Operator, Options, Text, file_diff, sample};
use std::ops::ControlFlow;
use std::path::PathBuf;
pub(crate) use wanted::{options as expression_options, variables};

/// Which mutants are wanted.
#[derive(Clone, Debug, Default)]
pub struct MutateSettings {
    /// Whether the properties are mutated.
    pub properties: bool,
    /// Whether the machine is mutated: assignments, defines and constraints. If neither is said, the rules of a machine
    /// are, or else the properties.
    pub machine: bool,
    /// Only these properties, by name or by number.
    pub property: Vec<String>,
    /// Only what is said about these variables.
    pub variable: Vec<String>,
    /// Only what a change touched: the file of a unified diff; `-` is standard input.
    pub in_diff: Option<PathBuf>,
    /// Mutants to leave out: each a line `NAME REASON`, or a file of such lines.
    pub ignore: Vec<String>,
    /// The variable of soundness guards, which are not mutated.
    pub guard: Option<String>,
    /// Whether guards are mutated as the literature did.
    pub visible_guards: bool,
    /// The mutation operators, by their names; the default ones if none are given.
    pub operators: Vec<String>,
    /// Mutation operators not to apply.
    pub exclude: Vec<String>,
    /// The size of a random sample of the mutants; all of them if it is not given.
    pub sample: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
    /// Whether only a shard is made, or shards are merged.
    pub sharding: Sharding,
    /// How far work may go.
    pub limits: Limits,
}

impl MutateSettings {
    /// How to read a model of which these mutants are wanted.
    #[must_use]
    pub fn reading(&self, settings: ReadSettings) -> ReadSettings {
        // Machines are made of rules, so these are what is mutated, unless something else is wanted.
        ReadSettings { mutants: !self.machine && !self.properties && self.property.is_empty(), ..settings }
    }

    /// Whether only some of the mutants are made, so that nothing can be said about the others.
    fn is_partial(&self) -> bool {
        let MutateSettings { property, variable, operators, exclude, .. } = self;
        let is_restricted = [property, variable, operators, exclude].iter().any(|names| !names.is_empty());
        is_restricted || self.in_diff.is_some() || self.guard.is_some() || self.limits.is_cancelled()
    }
}

/// The mutants of a model, which are made one after the other: there may be more of them than fit into memory.
#[derive(Clone)]
pub struct Mutating<'a> {
    settings: &'a MutateSettings,
    session: Session,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    /// Changes of expressions.
    Expressions(Box<Options>),
    /// Changes of rules, by these operators.
    Rules(Vec<&'static str>),
}

/// How often an operator applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorCount {
    /// The name of the operator.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The number of its mutants.
    pub n: usize,
}

/// What was mutated.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// How often each operator applies.
    pub counts: Vec<OperatorCount>,
    /// The number of mutants. A mutant that several operators make counts once.
    pub n_mutants: usize,
    /// The changes that are no mutants, because something would have no value.
    n_undefined: usize,
    /// The mutants of which that is not known.
    n_unchecked: usize,
    /// The names of mutants to be ignored that do not exist.
    unmet: Vec<String>,
}

impl Mutated {
    /// Says what is not among the mutants.
    pub fn tell(&self, events: &mut dyn Events) {
        if self.n_undefined > 0 {
            let changes = count(self.n_undefined, "more change");
            events.note(format_args!("{changes} left out: an expression would have no value"));
        }
        if self.n_unchecked > 0 {
            let n_unchecked = count(self.n_unchecked, "mutant");
            events.note(format_args!(
                "{n_unchecked} kept, although an expression may have no value: too many cases to try"
            ));
        }
        for id in &self.unmet {
            events.note(format_args!("there is no mutant {id} to ignore"));
        }
    }
}

impl Session {
    /// Begins to make mutants of the model.
    pub fn mutate<'a>(&self, settings: &'a MutateSettings, events: &mut dyn Events) -> Result<Mutating<'a>, Failure> {
        let kind = if self.model.source.rewrites.is_empty() {
            Kind::Expressions(Box::new(wanted::options(events, self, settings)?))
        } else {
            Kind::Rules(rules::operators(settings)?)
        };
        Ok(Mutating { settings, session: self.clone(), kind })
    }
}

impl Mutating<'_> {
    /// Whether the mutants are changes of rules.
    pub fn is_of_rules(&self) -> bool {
        matches!(self.kind, Kind::Rules(_))
    }

    /// The name of the model.
    pub fn model_name(&self) -> &str {
        &self.session.model.name
    }

    /// Makes one mutant after the other in the wanted form, until there are no more, or the receiver wants no more.
    pub fn render<E: From<Failure>>(
        self,
        form: Form,
        receive: &mut dyn FnMut(Rendered) -> Result<ControlFlow<()>, E>,
    ) -> Result<Made, E> {
        let sharding = &self.settings.sharding;
        if matches!(sharding, Sharding::Whole) {
            return self.each(&mut |view| receive(view.rendered(form))).map(Made::All);
        }
        let mut ids = Vec::new();
        let mutated = self.clone().each(&mut |view| {
            ids.push(view.id());
            Ok::<_, E>(ControlFlow::Continue(()))
        })?;
        let mut settings = self.session.reading.recorded();
        settings.push(format!("{form:?}"));
        let identity = shard::Identity { hash: model_hash(&self.session.model), settings, ids };
        if let Some(mut writer) = sharding.writer(&identity)? {
            let mut place = 0;
            self.each(&mut |view| {
                if writer.wants(place) {
                    writer.write(place, Stored { answer: "mutant".into(), rendered: view.rendered(form) })?;
                }
                place += 1;
                Ok::<_, E>(ControlFlow::Continue(()))
            })?;
            return Ok(Made::Shard(if place < identity.ids.len() { writer.stopped() } else { writer.complete()? }));
        }
        let mut merged = sharding.merged(&identity, &mut |_, stored: Stored| Ok(stored.rendered))?;
        for (place, id) in identity.ids.iter().enumerate() {
            let missing = || Failure::message(format_args!("cannot merge: no shard has the mutant {id}"));
            if receive(merged.remove(&place).ok_or_else(missing)?)?.is_break() {
                break;
            }
        }
        Ok(Made::All(mutated))
    }

    /// Makes one mutant after the other, until there are no more, or the receiver wants no more. Shards do not matter.
    pub fn each<E>(
        mut self,
        receive: &mut dyn FnMut(&MutantView<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Mutated, E> {
        match std::mem::replace(&mut self.kind, Kind::Rules(Vec::new())) {
            Kind::Expressions(options) => self.expressions(*options, receive),
            Kind::Rules(operators) => self.rules(&operators, receive),
        }
    }

    fn expressions<E>(
        self,
        options: Options,
        receive: &mut dyn FnMut(&MutantView<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Mutated, E> {
        let Mutating { settings, session, .. } = self;
        let Session { sources, model, reading } = session;
        let counted = options.selection.operators();
        let mut counts: Vec<(Operator, usize)> = counted.map(|operator| (operator, 0)).collect();
        let mut n_mutants = 0;
        let mut mutants = Mutants::new(&model, options);
        let is_nusmv = reading.dialect == Dialect::NuSmv;
        let mut tell = |mutant: &Mutant, model: &Model| {
            for origin in &mutant.origins {
                if let Some((_, n)) = counts.iter_mut().find(|(operator, _)| *operator == origin.operator) {
                    *n += 1;
                }
            }
            n_mutants += 1;
            receive(&MutantView { sources: &sources, of: Of::Expression(mutant, model, is_nusmv) })
        };
        if let Some(n) = settings.sample {
            let all = mutants.by_ref().take_while(|_| !settings.limits.is_cancelled());
            for mutant in sample(all, n, settings.seed) {
                if tell(&mutant, mutants.model())?.is_break() {
                    break;
                }
            }
        } else {
            while let Some(mutant) = mutants.next() {
                if tell(&mutant, mutants.model())?.is_break() || settings.limits.is_cancelled() {
                    break;
                }
            }
        }
        let unmet = if settings.is_partial() {
            Vec::new()
        } else {
            let unmet = mutants.unmet_ignores().filter(|ignore| !ignore.id.contains(':'));
            unmet.map(|ignore| ignore.id.clone()).collect()
        };
        let (n_undefined, n_unchecked) = (mutants.n_undefined(), mutants.n_unchecked());
        let count = |(operator, n): (Operator, usize)| OperatorCount {
            name: operator.name(),
            summary: operator.info().summary,
            n,
        };
        let counts = counts.into_iter().map(count).collect();
        Ok(Mutated { counts, n_mutants, n_undefined, n_unchecked, unmet })
    }

    fn rules<E>(
        self,
        operators: &[&'static str],
        receive: &mut dyn FnMut(&MutantView<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Mutated, E> {
        let Session { sources, model, .. } = &self.session;
        let mutants = rules::chosen(model, operators, self.settings);
        let counts = rules::counts(operators, &mutants);
        for mutant in &mutants {
            if receive(&MutantView { sources, of: Of::Rule(mutant) })?.is_break() {
                break;
            }
        }
        Ok(Mutated { counts, n_mutants: mutants.len(), n_undefined: 0, n_unchecked: 0, unmet: Vec::new() })
    }
}

/// What became of the mutants.
pub enum Made {
    /// They were all made.
    All(Mutated),
    /// A shard was made, if only that was asked.
    Shard(Decided),
}

/// In which forms mutants are wanted.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each form is wanted or not")]
pub struct Form {
    /// As a line: place, summary and id.
    pub line: bool,
    /// As a unified diff.
    pub diff: bool,
    /// As the changed specification.
    pub file: bool,
    /// As an entry of the JSON document.
    pub entry: bool,
}

/// A mutant in the wanted forms.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rendered {
    /// Place, summary and id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// A unified diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The changed specification: the name and the text of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<(String, String)>,
    /// An entry of the JSON document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<MutantEntry>,
}

/// A mutant as a shard stores it.
#[derive(Serialize, Deserialize)]
struct Stored {
    answer: String,
    rendered: Rendered,
}

/// One mutant.
pub struct MutantView<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) of: Of<'a>,
}

/// What is mutated.
pub(crate) enum Of<'a> {
    /// An expression of the model, whose text is NuSMV or not.
    Expression(&'a Mutant, &'a Model, bool),
    /// A rule.
    Rule(&'a Rewrite),
}

impl MutantView<'_> {
    /// The mutant in the wanted forms.
    fn rendered(&self, form: Form) -> Rendered {
        Rendered {
            line: form.line.then(|| format!("{}: {} ({})\n", self.place(), self.summary(), self.id())),
            diff: form.diff.then(|| self.diff()).flatten(),
            file: form.file.then(|| self.file()).flatten(),
            entry: form.entry.then(|| MutantEntry::new(self)),
        }
    }

    /// Its stable id.
    pub fn id(&self) -> String {
        match &self.of {
            Of::Expression(mutant, ..) => mutant.id.to_string(),
            Of::Rule(mutant) => mutant.name.clone(),
        }
    }

    /// What it changes, in a few words.
    pub fn summary(&self) -> String {
        match &self.of {
            Of::Expression(mutant, model, _) => mutant.description(model),
            Of::Rule(mutant) => rules::summary(rules::operator(mutant)).into(),
        }
    }

    /// The place of what it changes.
    pub fn span(&self) -> Span {
        match &self.of {
            Of::Expression(mutant, ..) => mutant.span,
            Of::Rule(mutant) => mutant.span,
        }
    }

    /// File, line and column, as compilers write them.
    pub fn place(&self) -> String {
        match self.sources.locate(self.span()) {
            Some((file, line, column)) => format!("{}:{line}:{column}", file.name),
            None => "?".into(),
        }
    }

    /// The change as a unified diff.
    pub fn diff(&self) -> Option<String> {
        let sources = self.sources;
        match &self.of {
            Of::Expression(mutant, model, is_nusmv) => Some(mutant.diff(model, Text { sources, is_nusmv: *is_nusmv })),
            Of::Rule(mutant) => {
                let (file, new) = rules::changed(sources, mutant)?;
                Some(file_diff(file, &new, &mutant.name))
            }
        }
    }

    /// The changed specification as a file: its name and its text.
    pub fn file(&self) -> Option<(String, String)> {
        let sources = self.sources;
        match &self.of {
            Of::Expression(mutant, model, is_nusmv) => {
                Some((format!("{}.smv", mutant.id), mutant.file(model, Text { sources, is_nusmv: *is_nusmv })))
            }
            Of::Rule(mutant) => {
                let (_, new) = rules::changed(sources, mutant)?;
                Some((format!("{}.asm", mutant.name.replace(' ', "-")), new))
            }
        }
    }
}
