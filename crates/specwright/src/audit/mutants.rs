//! The mutants that an audit judges.

use super::AuditSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::mutate::{MutateSettings, expression_options, rules, variables};
use crate::session::{ReadSettings, Session};
use crate::words::count;
use specwright_model::model::AssignKind;
use specwright_model::{Model, VarId};
use specwright_testgen::audit::MachineMutant;
use specwright_testgen::mutate::{Mutant, Mutants, Options, SiteId, sample, sample_by};

impl AuditSettings {
    /// How to read a model that is audited.
    #[must_use]
    pub fn reading(&self, settings: ReadSettings) -> ReadSettings {
        // Machines are made of rules, so these are what is mutated.
        ReadSettings { mutants: true, machine_mutants: true, ..settings }
    }

    /// Which mutants of expressions are wanted.
    fn of_expressions(&self) -> MutateSettings {
        MutateSettings {
            machine: true,
            variable: self.variable.clone(),
            in_diff: self.in_diff.clone(),
            ignore: self.ignore.clone(),
            operators: self.operators.clone(),
            exclude: self.exclude.clone(),
            ..MutateSettings::default()
        }
    }
}

/// How mutants are made. What is wrong with the settings shows before any work is done.
pub(super) enum Recipe {
    /// Expressions of the machine are changed.
    Expressions(Box<Options>),
    /// Rules are changed by these operators; and if all of them are wanted, the expressions of initial states too.
    Rules { operators: Vec<&'static str>, options: Box<Options> },
}

impl Recipe {
    pub(super) fn new(events: &mut dyn Events, session: &Session, settings: &AuditSettings) -> Result<Recipe, Failure> {
        let wanted = settings.of_expressions();
        if session.model.source.rewrites.is_empty() {
            return Ok(Recipe::Expressions(Box::new(expression_options(events, session, &wanted)?)));
        }
        let names = MutateSettings {
            operators: settings.operators.clone(),
            exclude: settings.exclude.clone(),
            ..MutateSettings::default()
        };
        let operators = rules::operators(&names)?;
        let wanted = MutateSettings { operators: Vec::new(), exclude: Vec::new(), ..wanted };
        Ok(Recipe::Rules { operators, options: Box::new(expression_options(events, session, &wanted)?) })
    }

    /// The mutants of a model, or a sample of them.
    pub(super) fn mutants(
        self,
        events: &mut dyn Events,
        model: &Model,
        settings: &AuditSettings,
    ) -> Result<Vec<MachineMutant>, Failure> {
        let expressions = |options: Options, is_wanted: &dyn Fn(&Mutant) -> bool| -> Vec<Mutant> {
            let mutants = Mutants::new(model, options);
            mutants.take_while(|_| !settings.limits.is_cancelled()).filter(is_wanted).collect()
        };
        let as_machines = |mutants: Vec<Mutant>| -> Vec<MachineMutant> {
            mutants.iter().map(|mutant| MachineMutant::of_expression(model, mutant)).collect()
        };
        let (operators, options) = match self {
            Recipe::Expressions(options) => {
                let all = expressions(*options, &|_| true);
                return Ok(as_machines(match settings.sample {
                    Some(n) => sample(all, n, settings.seed),
                    None => all,
                }));
            }
            Recipe::Rules { operators, options } => (operators, options),
        };
        let chosen = variables(model, &settings.variable)?;
        let mut found = Vec::new();
        if settings.operators.is_empty() && settings.exclude.is_empty() {
            let is_initial = |mutant: &Mutant| match mutant.site {
                SiteId::Assign(index) => model.assigns[index].kind == AssignKind::Init,
                SiteId::Init(_) => true,
                _ => false,
            };
            found = as_machines(expressions((*options).clone(), &is_initial));
        }
        let mut n_left_out = 0;
        for rewrite in model.source.rewrites.iter().filter(|mutant| operators.contains(&rules::operator(mutant))) {
            match MachineMutant::of_rule(rewrite) {
                Some(mutant) if is_wanted(model, &options, &chosen, &mutant) => found.push(mutant),
                Some(_) => {}
                None => n_left_out += 1,
            }
        }
        if n_left_out > 0 {
            let mutants = count(n_left_out, "mutant");
            let why = "they have choices or values that the machine does not have";
            events.note(format_args!("{mutants} of rules left out: {why}"));
        }
        Ok(match settings.sample {
            Some(n) => sample_by(found, n, settings.seed, |mutant| mutant.id.as_str()),
            None => found,
        })
    }
}

/// Whether a mutant of a rule is one of those that are asked for.
fn is_wanted(model: &Model, options: &Options, chosen: &[VarId], mutant: &MachineMutant) -> bool {
    let overlaps =
        |place: &specwright_syntax::span::Span| place.start < mutant.span.end && mutant.span.start < place.end;
    let is_touched = options.places.as_ref().is_none_or(|places| places.iter().any(overlaps));
    let is_chosen = chosen.is_empty() || mutant.variables(model).iter().any(|var| chosen.contains(var));
    is_touched && is_chosen && !options.ignores.iter().any(|ignore| ignore.id == mutant.id)
}
