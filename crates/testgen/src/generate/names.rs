//! Names of tests, by what they show: a property, a rule, a transition, or another goal.

use crate::goal::Goal;
use crate::suite::Test;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::Model;

/// Maximal length of each of the two parts of a name, in characters.
const MAX_PART: usize = 56;

/// Names tests by their goals, and says what each of them shows.
///
/// The goal that gives the name is the first one that no earlier test covers, so a test keeps its name when goals are
/// added after it. Tests without goals keep their names.
pub fn name_tests(model: &Model, goals: &[Goal], tests: &mut [Test]) {
    let by_id: FxHashMap<&str, usize> =
        goals.iter().enumerate().map(|(index, goal)| (goal.id.as_str(), index)).collect();
    let mut covered = FxHashSet::default();
    let mut taken: FxHashSet<String> =
        tests.iter().filter(|test| test.goals.is_empty()).map(|test| test.name.clone()).collect();
    for test in tests {
        let mut own: Vec<usize> = test.goals.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect();
        own.sort_unstable();
        let Some(index) = own.iter().find(|goal| !covered.contains(*goal)).or(own.first()) else {
            taken.insert(test.name.clone());
            continue;
        };
        let goal = &goals[*index];
        test.name = free(&name(model, goal), goal, &mut taken);
        test.shows = shows(model, goal);
        covered.extend(own);
    }
}

/// A name that is not taken: the name itself, with the digest in the id of its goal, or with a number.
fn free(name: &str, goal: &Goal, taken: &mut FxHashSet<String>) -> String {
    let digest = goal.id.rsplit([':', '-']).next().filter(|key| key.len() == 8 && u32::from_str_radix(key, 16).is_ok());
    let digested = digest.map(|digest| format!("{name}-{digest}"));
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(digested).chain(numbered);
    candidates.find(|candidate| taken.insert(candidate.clone())).expect("numbers do not end")
}

/// The name of a test for a goal.
fn name(model: &Model, goal: &Goal) -> String {
    let name = match property(model, goal) {
        // The part of the property that is changed is clear from the property.
        Some(property) => {
            let change = goal.description.split_once("` in `").map_or(&*goal.description, |(change, _)| change);
            format!("{}-against-{}", slug(&property), slug(change))
        }
        None => slug(&goal.description),
    };
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("test-{name}").trim_end_matches('-').into()
    }
}

/// What a test for a goal shows, in one line.
fn shows(model: &Model, goal: &Goal) -> String {
    let verb = if goal.criterion.ends_with("mutation") { "Kills" } else { "Shows" };
    match property(model, goal) {
        Some(property) => format!("{verb} a mutant of {property}: {}", goal.description),
        None => format!("{verb}: {}", goal.description),
    }
}

/// The name or the text of the property that a goal was made from.
fn property(model: &Model, goal: &Goal) -> Option<String> {
    let property = model.properties.get(goal.property?)?;
    Some(property.name.clone().unwrap_or_else(|| model.show_expr(property.formula.expr)))
}

/// A text in lower-case words that are joined by hyphens, at most [`MAX_PART`] characters of whole words. Words that need
/// another one do not end it.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for word in words(text) {
        let length = slug.len() + word.len() + usize::from(!slug.is_empty());
        if length > MAX_PART && !slug.is_empty() {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().take(MAX_PART));
    }
    while let Some((start, "is" | "not" | "and" | "or" | "implies" | "iff" | "at" | "least" | "most" | "plus")) =
        slug.rsplit_once('-')
    {
        slug.truncate(start.len());
    }
    slug
}

/// The words of a text. Operators are words, too.
fn words(text: &str) -> Vec<String> {
    const OPERATORS: [(&str, &str); 14] = [
        ("<->", "iff"),
        ("->", "implies"),
        ("!=", "is not"),
        (">=", "at least"),
        ("<=", "at most"),
        ("=", "is"),
        (">", "above"),
        ("<", "below"),
        ("!", "not"),
        ("&", "and"),
        ("|", "or"),
        ("+", "plus"),
        ("*", "times"),
        ("…", ""),
    ];
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_alphanumeric() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            add_identifier(&rest[..end], &mut words);
            rest = &rest[end..];
        } else if let Some((operator, meaning)) = OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator)) {
            words.extend(meaning.split(' ').filter(|word| !word.is_empty()).map(Into::into));
            rest = &rest[operator.len()..];
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    words
}

/// Adds the words of an identifier: `TooLow` has two. Temporal operators are spelled out.
fn add_identifier(identifier: &str, words: &mut Vec<String>) {
    let spelled = match identifier {
        "AG" | "G" => "always",
        "AF" | "F" => "eventually",
        "AX" | "X" => "next",
        "EX" => "possibly-next",
        "EF" => "possibly",
        "EG" => "possibly-always",
        "U" => "until",
        _ => "",
    };
    if !spelled.is_empty() {
        words.push(spelled.into());
        return;
    }
    let mut before = 'A';
    let mut word = String::new();
    for c in identifier.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push(std::mem::take(&mut word));
        }
        word.push(c.to_ascii_lowercase());
        before = c;
    }
    words.push(word);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criteria::{Options, collect};
    use specwright_model::testing::model;
    use specwright_model::{State, Trace};

    fn named(text: &str, criteria: &[&str], covers: &[&[usize]]) -> Vec<Test> {
        let model = model(text);
        let options =
            Options { criteria: criteria.iter().map(|name| (*name).to_owned()).collect(), ..Options::default() };
        let goals = collect(&model, None, &options).0;
        let test = |(number, covers): (usize, &&[usize])| {
            let trace = Trace { states: vec![State::empty(model.vars.len())], loop_start: None };
            let goals = covers.iter().map(|goal| goals[*goal].id.clone()).collect();
            Test { goals, ..Test::new(format!("test-{}", number + 1), trace) }
        };
        let mut tests: Vec<Test> = covers.iter().enumerate().map(test).collect();
        name_tests(&model, &goals, &mut tests);
        tests
    }

    const DOOR: &str = "MODULE main VAR push : boolean; door : {shut, wideOpen};
        ASSIGN init(door) := shut; next(door) := push ? wideOpen : shut;
        SPEC NAME opens := AG (push -> AX door = wideOpen)
        SPEC AG (!push -> AX door = shut)";

    #[test]
    fn tests_are_named_by_the_first_goal_that_is_new() {
        let tests = named(DOOR, &["transitions"], &[&[0, 2], &[0, 1, 2, 3], &[0], &[]]);
        let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "push-changes-from-false-to-true",
                "push-changes-from-true-to-false",
                "push-changes-from-false-to-true-2",
                "test-4"
            ]
        );
        assert_eq!(tests[1].shows, "Shows: `push` changes from TRUE to FALSE");
        assert_eq!(tests[3].shows, "");
    }

    #[test]
    fn tests_that_kill_mutants_are_named_by_their_property() {
        let own: Vec<[usize; 1]> = (0..12).map(|goal| [goal]).collect();
        let own: Vec<&[usize]> = own.iter().map(<[usize; 1]>::as_slice).collect();
        let tests = named(DOOR, &["mutation"], &own);
        let mut names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        assert!(names.iter().all(|name| name.starts_with("opens-against-") || name.starts_with("always-not-push")));
        assert!(tests[0].shows.starts_with("Kills a mutant of opens: "), "{}", tests[0].shows);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 12, "names are unique");
    }

    #[test]
    fn texts_become_words() {
        assert_eq!(
            slug("next(Pressure): `Pressure = TooLow & !(x >= 3)…` is true"),
            "next-pressure-pressure-is-too-low-and-not-x-at-least-3"
        );
        assert_eq!(slug("AG (a -> AX b != c)"), "always-a-implies-next-b-is-not-c");
        assert_eq!(slug("ä…ö"), "");
        assert_eq!(slug(&"x".repeat(200)).len(), MAX_PART);
    }
}
