//! From settings to what is compared.

use super::CompareSettings;
use crate::failure::Failure;
use crate::goals;
use crate::words::hint;
use specwright_mc::Symbolic;
use specwright_model::Model;
use specwright_testgen::compare::Way;
use specwright_testgen::criteria::{self, MACHINE_MUTATION, Mutation, Note};
use specwright_testgen::goal::Goal;
use specwright_testgen::mutate::{NAMES, OPERATORS, Operator, Part, Selection};
use std::collections::BTreeMap;

/// What the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Mutation operators.
    Operators,
    /// Criteria.
    Criteria,
    /// Sets of properties.
    Sets,
}

impl Kind {
    /// The heading of their names, as in machine-readable results.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Operators => "operator",
            Kind::Criteria => "criterion",
            Kind::Sets => "set",
        }
    }
}

/// What is compared.
pub(super) struct Wanted {
    pub(super) kind: Kind,
    pub(super) options: criteria::Options,
    /// The operators of each row.
    operators: Vec<(String, Selection)>,
    /// The names of the properties of each set, with wildcards.
    sets: Vec<(String, Vec<String>)>,
}

/// What the settings stand for.
pub(super) fn wanted(model: &Model, settings: &CompareSettings) -> Result<Wanted, Failure> {
    if settings.criteria.iter().any(|name| name.eq_ignore_ascii_case(MACHINE_MUTATION)) {
        return Err(Failure::Message(format!(
            "`{MACHINE_MUTATION}` compares whole machines, which `compare` cannot do"
        )));
    }
    let chosen = goals::operators("--operators", &settings.operators)?;
    let mut mutation = Mutation {
        selection: if settings.operators.is_empty() { Selection::default() } else { chosen },
        properties: settings.properties,
        guard: goals::guard(model, settings.guard.as_deref(), settings.visible_guards)?,
        relate: settings.relate,
    };
    let mut wanted = Wanted {
        kind: Kind::Operators,
        options: criteria::Options::default(),
        operators: Vec::new(),
        sets: Vec::new(),
    };
    let silent = settings.operators.is_empty() && settings.set.is_empty();
    let mut default = criteria::default_for(model);
    default.retain(|name| name != MACHINE_MUTATION);
    let chosen_criteria =
        if settings.criteria.is_empty() && silent && default.len() > 1 { &default } else { &settings.criteria };
    if !chosen_criteria.is_empty() {
        wanted.kind = Kind::Criteria;
        wanted.options.criteria = goals::named_criteria("--criteria", chosen_criteria)?;
    } else if !settings.set.is_empty() {
        wanted.kind = Kind::Sets;
        mutation.properties = criteria::Properties::Own;
        for text in &settings.set {
            let Some((name, patterns)) = text.split_once('=') else {
                return Err(Failure::Message(format!("--set: `{text}` is not of the form `NAME=PROPERTY,…`")));
            };
            let patterns: Vec<String> = patterns.split(',').map(|pattern| pattern.trim().to_owned()).collect();
            for pattern in &patterns {
                if !names(model).any(|name| matches(pattern, &name)) {
                    let known: Vec<String> = names(model).collect();
                    let hint = hint(pattern, known.iter().map(String::as_str));
                    return Err(Failure::Message(format!(
                        "--set: unknown property `{pattern}` in {}{hint}",
                        model.name
                    )));
                }
            }
            wanted.sets.push((name.trim().to_owned(), patterns));
        }
    } else if settings.operators.is_empty() {
        let on = OPERATORS.iter().filter(|info| info.default).map(|info| info.name.to_owned());
        wanted.operators = on.filter_map(|name| Some((name.clone(), Selection::named(&name).ok()?))).collect();
    } else {
        for name in &settings.operators {
            let known = NAMES.iter().map(|(known, ..)| *known).find(|known| known.eq_ignore_ascii_case(name));
            let selection = goals::operators("--operators", std::slice::from_ref(name))?;
            wanted.operators.push((known.unwrap_or(name).to_owned(), selection));
        }
    }
    wanted.options.mutation = mutation;
    Ok(wanted)
}

impl Wanted {
    /// The goals of all rows, and which belong to which.
    pub(super) fn collect(&self, model: &Model, engine: &mut Symbolic) -> (Vec<Goal>, Vec<Way>, Vec<Note>) {
        let (goals, notes) = criteria::collect(model, Some(engine), &self.options);
        let chosen = |name: &str, belongs: &dyn Fn(&Goal) -> bool| Way {
            name: name.to_owned(),
            goals: (0..goals.len()).filter(|goal| belongs(&goals[*goal])).collect(),
        };
        let ways: Vec<Way> = match self.kind {
            Kind::Criteria => {
                let row = |name: &String| chosen(name, &|goal| goal.criterion.eq_ignore_ascii_case(name));
                self.options.criteria.iter().map(row).collect()
            }
            Kind::Sets => {
                let known: Vec<String> = names(model).collect();
                let row = |(name, patterns): &(String, Vec<String>)| {
                    chosen(name, &|goal| {
                        let property = goal.property.map_or("", |index| known[index].as_str());
                        patterns.iter().any(|pattern| matches(pattern, property))
                    })
                };
                self.sets.iter().map(row).collect()
            }
            Kind::Operators => {
                let row = |(name, selection): &(String, Selection)| {
                    if self.is_made_of_whole_operators(*selection) {
                        let operators: Vec<&str> = selection.operators().map(Operator::name).collect();
                        chosen(name, &|goal| goal.groups.iter().any(|group| operators.contains(&group.as_str())))
                    } else {
                        self.part(model, engine, &goals, name, *selection)
                    }
                };
                self.operators.iter().map(row).collect()
            }
        };
        (goals, ways, notes)
    }

    /// Whether no other row applies more of the operators of a row than that row does.
    fn is_made_of_whole_operators(&self, selection: Selection) -> bool {
        let all = self.options.mutation.selection;
        let parts = NAMES.iter().flat_map(|(_, _, parts)| parts.iter().copied());
        let operators: Vec<Operator> = selection.operators().collect();
        parts
            .filter(|part: &Part| operators.contains(&part.operator()))
            .all(|part| all.has(part) == selection.has(part))
    }

    /// The goals that some operators alone would give, found among those of all.
    fn part(&self, model: &Model, engine: &mut Symbolic, all: &[Goal], name: &str, selection: Selection) -> Way {
        let mutation = Mutation { selection, ..self.options.mutation.clone() };
        let (part, _) = criteria::collect(model, Some(engine), &criteria::Options { mutation, ..self.options.clone() });
        let key = |goal: &Goal| (goal.property, goal.span.start, goal.span.end, format!("{:?}", goal.target));
        let mut places: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, goal) in all.iter().enumerate().rev() {
            places.entry(key(goal)).or_default().push(index);
        }
        let mut goals: Vec<usize> = part.iter().filter_map(|goal| places.get_mut(&key(goal))?.pop()).collect();
        goals.sort_unstable();
        Way { name: name.to_owned(), goals }
    }
}

/// What properties are called: by their names, or else by their numbers.
fn names(model: &Model) -> impl Iterator<Item = String> + '_ {
    let name = |(index, property): (usize, &specwright_model::model::Property)| {
        property.name.clone().unwrap_or_else(|| (index + 1).to_string())
    };
    model.properties.iter().enumerate().map(name)
}

/// Whether a name is as a pattern says, in which `*` stands for any letters and `?` for any letter.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // `fits[i]`: what was read of the pattern so far fits the first `i` letters.
    let mut fits = vec![false; name.len() + 1];
    fits[0] = true;
    for letter in pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match letter {
                '*' => fits[at] || (at > 0 && next[at - 1]),
                '?' => at > 0 && fits[at - 1],
                _ => at > 0 && fits[at - 1] && name[at - 1] == letter,
            };
        }
        fits = next;
    }
    fits[name.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn wildcards() {
        assert!(matches("c*", "c") && matches("c*", "c12e1") && matches("*", "") && matches("c?e?", "c4e1"));
        assert!(!matches("c?", "c12") && !matches("c?", "c") && !matches("c*x", "c12") && !matches("", "c"));
        assert!(matches("*_on_*", "reset_on_low") && !matches("*_on_*", "reset_off_low"));
    }
}
