//! `specwright.toml`: what would be typed every time in the folder of a project.
//!
//! It is looked at only where a command is typed without its model or suite. What it says is put into the command line, so
//! that there is one definition of what can be said, and one place that checks it.

mod merge;

use crate::args::{Cli, Command};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use merge::completed;
use std::ffi::OsString;
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "specwright.toml";

/// What was typed, completed by the file of the project if there is need for it.
pub fn parse(typed: &[OsString]) -> Result<Cli, clap::Error> {
    let parsed = Cli::try_parse_from(typed);
    let is_incomplete = match &parsed {
        Ok(cli) => matches!(&cli.command, Command::Explain(explain) if explain.needs_suite()),
        Err(error) => error.kind() == ErrorKind::MissingRequiredArgument,
    };
    if !is_incomplete || !Path::new(FILE).is_file() {
        return parsed;
    }
    let wrong = |message: String| Cli::command().error(ErrorKind::InvalidValue, format!("{FILE}: {message}"));
    let text = std::fs::read_to_string(FILE).map_err(|error| wrong(error.to_string()))?;
    match (completed(Cli::command(), typed, &text).map_err(wrong)?, parsed) {
        // What is too much now was typed in the place of something else, and then that is missing.
        (Some(arguments), Err(error)) => Cli::try_parse_from(arguments)
            .map_err(|other| if other.kind() == ErrorKind::UnknownArgument { error } else { other }),
        (Some(arguments), Ok(_)) => Cli::try_parse_from(arguments),
        (None, parsed) => parsed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(typed: &str, file: &str) -> Result<String, String> {
        let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let words = completed(Cli::command(), &typed, file)?.unwrap_or_default();
        Ok(words.iter().map(|word| word.to_str().unwrap_or_default()).collect::<Vec<_>>().join(" "))
    }

    const PROJECT: &str = "model = 'm.smv'\nsuite = 's.json'\ninput = ['a', 'b']\n\
        [generate]\ncriterion = ['mutation', 'mcdc']\nout = 's.json'\n[run]\nprogram = ['python3', 'a b.py']\nshrink = true\n";

    #[test]
    fn what_is_said_is_typed() {
        let generate =
            "specwright generate --input=a --input=b --criterion=mutation --criterion=mcdc --out=s.json m.smv";
        assert_eq!(complete("specwright generate", PROJECT).as_deref(), Ok(generate));
        let run = "specwright -q run --model=m.smv --shrink s.json --junit x.xml -- python3 a b.py";
        assert_eq!(complete("specwright -q run --junit x.xml", PROJECT).as_deref(), Ok(run));
        assert_eq!(complete("specwright run -- ./other", PROJECT).unwrap().matches("--").count(), 3);
    }

    #[test]
    fn what_is_typed_counts() {
        let typed = complete("specwright generate --criterion states -o x", PROJECT);
        assert_eq!(typed.as_deref(), Ok("specwright generate --input=a --input=b m.smv --criterion states -o x"));
    }

    #[test]
    fn what_is_ignored_has_a_reason_and_criteria_of_danger_are_others() {
        let text = "model = 'm'\ncriterion = 'mcdc'\n[ignore]\n'mcdc:1' = 'never so'\n";
        let ignored = complete("specwright grade", &format!("suite = 's'\n{text}"));
        assert_eq!(ignored.as_deref(), Ok("specwright grade --criterion=mcdc --ignore=mcdc:1 never so m s"));
        assert_eq!(complete("specwright safety", text).as_deref(), Ok("specwright safety --ignore=mcdc:1 never so m"));
        assert_eq!(complete("specwright check", text).as_deref(), Ok("specwright check m"));
    }

    #[test]
    fn a_report_has_the_suite_of_the_project_and_so_has_an_explanation() {
        let text = "model = 'm'\nsuite = 's'\n[report]\nout = 'r'\n";
        assert_eq!(complete("specwright report", text).as_deref(), Ok("specwright report --out=r m s"));
        assert_eq!(complete("specwright explain t", text).as_deref(), Ok("specwright explain t m s"));
    }

    #[test]
    fn thresholds_are_for_commands_with_scores() {
        let text = "model = 'm'\nsuite = 's'\n[thresholds]\nhigh = 80\nbreak = 49.5\n";
        let grade = complete("specwright grade --min-score 3", text);
        assert_eq!(grade.as_deref(), Ok("specwright grade --thresholds=high=80,break=49.5 m s --min-score 3"));
        assert_eq!(complete("specwright check", text).as_deref(), Ok("specwright check m"));
        assert!(complete("specwright check", "[thresholds]\nhihg = 3").unwrap_err().contains("`hihg`"));
        assert!(complete("specwright check", "[thresholds]\nlow = 'x'").unwrap_err().contains("`low`"));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(complete("specwright generate", "modle = 'm.smv'").unwrap_err().contains("`modle`"));
        assert!(complete("specwright generate", "[generate]\ncritrion = 'x'").unwrap_err().contains("`critrion`"));
        assert!(complete("specwright generate", "[generrate]").unwrap_err().contains("`generrate`"));
        assert!(complete("specwright generate", "").unwrap_err().contains("needs a model"));
        assert!(complete("specwright generate", "model = {}").unwrap_err().contains("must be a string"));
        assert!(complete("specwright generate", "model = ").is_err());
        assert!(complete("specwright generate", "model = 'm'\n[ignore]\nORO-1 = ''").unwrap_err().contains("reason"));
    }
}
