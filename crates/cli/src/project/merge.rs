//! From the text of a project's file to what would have been typed. It knows no command of ours, only those that it is given.

use clap::{Arg, ArgAction, Command};
use specwright::words::hint;
use std::ffi::OsString;
use toml_edit::{Document, Item, Table, Value};

/// The command line with what a file says; nothing if it names no command.
pub(crate) fn completed(mut cli: Command, typed: &[OsString], text: &str) -> Result<Option<Vec<OsString>>, String> {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    cli.build();
    check(&cli, document.as_table())?;
    let is_command = |typed: &OsString| typed.to_str().and_then(|name| cli.find_subcommand(name));
    let Some((at, command)) = typed.iter().enumerate().skip(1).find_map(|(at, word)| Some((at, is_command(word)?)))
    else {
        return Ok(None);
    };
    let words = typed[at + 1..].iter().take_while(|word| *word != "--").filter_map(|word| word.to_str());
    let words: Vec<&str> = words.collect();
    let own = document.as_table().get(command.get_name()).and_then(Item::as_table);
    // A flag may have the name of a command, whose table is then not meant.
    // And of `safety`, criteria are ways of danger, not what tests are to show.
    let is_other = |name: &str| command.get_name() == "safety" && name == "criterion";
    let shared = |name: &str| document.as_table().get(name).filter(|item| !item.is_table() && !is_other(name));
    let said = |name: &str| own.and_then(|own| own.get(name)).or_else(|| shared(name));

    let mut arguments = typed[..=at].to_vec();
    for arg in command.get_arguments() {
        if arg.get_long() == Some(IGNORE) && !is_typed(arg, IGNORE, &words) {
            arguments.extend(ignores(document.as_table())?.into_iter().map(|line| format!("--{IGNORE}={line}").into()));
        }
        if arg.get_long() == Some(THRESHOLDS) && !is_typed(arg, THRESHOLDS, &words) {
            arguments.extend(thresholds(document.as_table())?.map(|text| format!("--{THRESHOLDS}={text}").into()));
        }
        let Some((long, item)) = arg.get_long().and_then(|long| Some((long, said(long)?))) else { continue };
        if !is_typed(arg, long, &words) {
            arguments.extend(values(long, item)?.into_iter().map(|value| match value {
                Some(value) => format!("--{long}={value}").into(),
                None => format!("--{long}").into(),
            }));
        }
    }
    let mut named = Vec::new();
    // Of an argument that can be repeated, such as further models, the file says nothing.
    let is_one = |arg: &&Arg| !arg.is_last_set() && !matches!(arg.get_action(), ArgAction::Append);
    for arg in command.get_positionals().filter(is_one) {
        let name = positional(arg);
        match said(&name) {
            Some(item) => named.extend(values(&name, item)?.into_iter().flatten().map(OsString::from)),
            None if !arg.is_required_set() => {}
            None => return Err(format!("`{}` needs a {name}, and none is named", command.get_name())),
        }
    }
    // A test that is to be explained comes before its model and its suite.
    let (before, after) = if command.get_name() == "explain" { (Vec::new(), named) } else { (named, Vec::new()) };
    arguments.extend(before);
    arguments.extend_from_slice(&typed[at + 1..]);
    arguments.extend(after);
    let last = command.get_positionals().find(|arg| arg.is_last_set()).map(positional);
    if let Some((name, item)) = last.and_then(|name| said(&name).map(|item| (name, item)))
        && !typed.iter().any(|word| word == "--")
    {
        arguments.push("--".into());
        arguments.extend(values(&name, item)?.into_iter().flatten().map(OsString::from));
    }
    Ok(Some(arguments))
}

/// What a positional argument is called in the file: `model`, `suite`, `program`.
fn positional(arg: &Arg) -> String {
    arg.get_value_names().and_then(|names| names.first()).map(|name| name.to_lowercase()).unwrap_or_default()
}

/// Whether a flag is on the command line, which then counts.
fn is_typed(arg: &Arg, long: &str, words: &[&str]) -> bool {
    let short = arg.get_short().map(|short| format!("-{short}"));
    words.iter().any(|word| {
        let is_long = word.strip_prefix("--").is_some_and(|rest| rest.split('=').next() == Some(long));
        is_long || short.as_ref().is_some_and(|short| word.starts_with(short.as_str()))
    })
}

/// The values of a flag; one without a value stands for itself.
fn values(name: &str, item: &Item) -> Result<Vec<Option<String>>, String> {
    let one = |value: &Value| match value {
        Value::String(text) => Ok(Some(text.value().clone())),
        Value::Integer(number) => Ok(Some(number.value().to_string())),
        Value::Float(number) => Ok(Some(number.value().to_string())),
        _ => Err(format!("`{name}` must be a string, a number, a boolean or a list of these")),
    };
    match item.as_value() {
        Some(Value::Boolean(truth)) => Ok(if *truth.value() { vec![None] } else { Vec::new() }),
        Some(Value::Array(array)) => array.iter().map(one).collect(),
        Some(value) => Ok(vec![one(value)?]),
        None => Err(format!("`{name}` must be a value")),
    }
}

/// The table of what is to be ignored: names and reasons.
const IGNORE: &str = "ignore";

/// The goals that are to be ignored, each with its reason, as the flag takes them.
fn ignores(document: &Table) -> Result<Vec<String>, String> {
    let line = |(name, item): (&str, &Item)| match item.as_str().map(str::trim) {
        Some(reason) if !reason.is_empty() => Ok(format!("{name} {reason}")),
        _ => Err(format!("`{name}` needs a reason, which is a string")),
    };
    document.get(IGNORE).and_then(Item::as_table).into_iter().flat_map(Table::iter).map(line).collect()
}

/// The table of thresholds of scores.
const THRESHOLDS: &str = "thresholds";

/// The thresholds, as the flag takes them, if there are any.
fn thresholds(document: &Table) -> Result<Option<String>, String> {
    let Some(table) = document.get(THRESHOLDS).and_then(Item::as_table) else { return Ok(None) };
    let part = |(name, item): (&str, &Item)| {
        let number = match item.as_value() {
            Some(Value::Integer(number)) => number.value().to_string(),
            Some(Value::Float(number)) => number.value().to_string(),
            _ => return Err(format!("the threshold `{name}` must be a number")),
        };
        if !["high", "low", "break"].contains(&name) {
            return Err(format!("unknown threshold `{name}`: use high, low or break"));
        }
        Ok(format!("{name}={number}"))
    };
    let parts: Result<Vec<String>, String> = table.iter().map(part).collect();
    Ok(Some(parts?.join(",")))
}

/// Whether everything in a file means something to some command.
fn check(cli: &Command, table: &Table) -> Result<(), String> {
    let names = |command: &Command| -> Vec<String> {
        let name = |arg: &Arg| if arg.is_positional() { Some(positional(arg)) } else { arg.get_long().map(Into::into) };
        command.get_arguments().filter_map(name).collect()
    };
    let knows = |command: &Command, key: &str| names(command).iter().any(|name| name == key);
    for (key, item) in table {
        let Some(own) = item.as_table() else {
            if !cli.get_subcommands().any(|command| knows(command, key)) {
                let all: Vec<String> = cli.get_subcommands().flat_map(names).collect();
                return Err(format!("no command has an option `{key}`{}", hint(key, all.iter().map(String::as_str))));
            }
            continue;
        };
        if key == IGNORE {
            ignores(table)?;
            continue;
        }
        if key == THRESHOLDS {
            thresholds(table)?;
            continue;
        }
        let commands = || cli.get_subcommands().map(Command::get_name);
        let unknown = || format!("unknown command `{key}`{}", hint(key, commands().chain([IGNORE, THRESHOLDS])));
        let command = cli.find_subcommand(key).ok_or_else(unknown)?;
        if let Some((unknown, _)) = own.iter().find(|(name, _)| !knows(command, name)) {
            let known = names(command);
            let hint = hint(unknown, known.iter().map(String::as_str));
            return Err(format!("`{key}` has no option `{unknown}`{hint}"));
        }
    }
    Ok(())
}
