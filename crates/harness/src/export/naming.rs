//! Identifiers for programming languages.

use std::collections::BTreeSet;

/// The words of a name: `CruiseControl`, `left.queue[2]` and `in_push1` have two, three and two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    let chars: Vec<char> = name.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            fresh = true;
            continue;
        }
        let after_lower = index > 0 && (chars[index - 1].is_ascii_lowercase() || chars[index - 1].is_ascii_digit());
        let before_lower = chars.get(index + 1).is_some_and(char::is_ascii_lowercase);
        let after_upper = index > 0 && chars[index - 1].is_ascii_uppercase();
        if fresh || (c.is_ascii_uppercase() && (after_lower || (after_upper && before_lower))) {
            words.push(String::new());
        }
        fresh = false;
        if let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
    }
    if words.is_empty() {
        words.push("x".into());
    }
    words
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
}

/// Prefixes a name that starts with a digit.
fn started(name: String) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("v{name}") } else { name }
}

/// `cruise_control`
pub(crate) fn snake(name: &str) -> String {
    started(words(name).join("_"))
}

/// `CRUISE_CONTROL`
pub(crate) fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// `CruiseControl`
pub(crate) fn pascal(name: &str) -> String {
    capital(&started(words(name).iter().map(|word| capital(word)).collect()))
}

/// `cruiseControl`
pub(crate) fn camel(name: &str) -> String {
    let pascal = pascal(name);
    let mut chars = pascal.chars();
    chars.next().map(|first| first.to_ascii_lowercase().to_string() + chars.as_str()).unwrap_or_default()
}

/// A name that is short enough for compilers, linkers and file systems.
pub(crate) fn short(mut name: String) -> String {
    const LONGEST: usize = 120;
    let end = name.char_indices().nth(LONGEST).map_or(name.len(), |(at, _)| at);
    name.truncate(end);
    name
}

/// Unique names that are not reserved.
pub(crate) fn unique<'a>(
    names: impl IntoIterator<Item = &'a str>,
    convert: fn(&str) -> String,
    reserved: &[&str],
) -> Vec<String> {
    let mut taken: BTreeSet<String> = reserved.iter().map(|&word| word.to_owned()).collect();
    unique_among(names.into_iter().map(|name| short(convert(name))), &mut taken, reserved)
}

/// The same for names that follow their convention already; they are added to the names in use.
pub(crate) fn unique_among(
    names: impl IntoIterator<Item = String>,
    taken: &mut BTreeSet<String>,
    reserved: &[&str],
) -> Vec<String> {
    let mut chosen = Vec::new();
    for name in names {
        let wanted = name;
        let mut candidate = wanted.clone();
        let mut n = 1;
        while !taken.insert(candidate.clone()) {
            n += 1;
            candidate =
                if n == 2 && reserved.contains(&&*wanted) { format!("{wanted}_") } else { format!("{wanted}_{n}") };
        }
        chosen.push(candidate);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words_and_joined() {
        assert_eq!(snake("CruiseControl"), "cruise_control");
        assert_eq!(snake("left.queue[2]"), "left_queue_2");
        assert_eq!(snake("HTTPServer2Go"), "http_server2_go");
        assert_eq!(pascal("in_push1"), "InPush1");
        assert_eq!(pascal("7up"), "V7up");
        assert_eq!(camel("EngRun"), "engRun");
        assert_eq!(screaming("EngRun"), "ENG_RUN");
        assert_eq!(snake("…"), "x");
        assert_eq!(unique(["a-b", "a_b", "loop"], snake, &["loop"]), ["a_b", "a_b_2", "loop_"]);
    }
}
