//! From a path to a model: reads the file, parses and lowers it, and reports what is wrong with it.

use crate::args::{ModelArgs, ReadingArgs};
use crate::console::Console;
use crate::diagnostics;
use crate::exit_code::ExitCode;
use crate::expectations;
use crate::findings;
use crate::language::Language;
use specwright_engine::{BuildError, Engine, Options};
use specwright_model::Model;
use specwright_model::model::Role;
use specwright_syntax::diagnostic::closest;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

/// No model that a person wrote comes near this; what does is a mistake in the path.
const MAX_BYTES: u64 = 256 << 20;

/// So long the values of a model are looked at before it is shown.
const MOMENT: Duration = Duration::from_secs(1);

/// A model, and the text it came from.
pub struct Loaded {
    pub sources: SourceMap,
    pub model: Model,
}

/// Reads a model. What is wrong with it goes to stderr; with an error there is no model.
///
/// Part of that is whether every expression has a value everywhere, which takes an engine. Here one tries for a moment;
/// whoever makes an engine anyway asks for [`load_unevaluated`].
pub fn load(console: &mut Console, args: &ModelArgs) -> Result<Loaded, ExitCode> {
    let loaded = load_unevaluated(console, args)?;
    let options = Options { max_memory: 1 << 30, timeout: Some(MOMENT), ..Default::default() };
    match Engine::new(loaded.model.clone(), &options) {
        Ok(_) | Err(BuildError::Unbounded(_)) => Ok(loaded),
        Err(BuildError::Limit(_)) => {
            if console.verbose() {
                console.note("whether all expressions have values everywhere takes longer to find out: try `check`");
            }
            Ok(loaded)
        }
        Err(error @ BuildError::Undefined(_)) => {
            diagnostics::report(console, &loaded.sources, &findings::build_error(&loaded.model, &error));
            Err(ExitCode::Invalid)
        }
    }
}

/// The same, without a look at values.
pub fn load_unevaluated(console: &mut Console, args: &ModelArgs) -> Result<Loaded, ExitCode> {
    let mut invalid = |message: String| {
        console.error(message);
        ExitCode::Invalid
    };
    let name = if is_stdin(&args.path) { "<stdin>".to_owned() } else { args.path.display().to_string() };
    let language = Language::of(&args.path, args.reading.dialect.into());
    let text = read(&args.path, &name).map_err(&mut invalid)?;
    let mut sources = SourceMap::default();
    let too_large = |_| invalid(format!("{name} is too large"));
    let index = sources.add(&name, text).map_err(too_large)?;

    let language = match language {
        Language::Asm { .. } => Language::Asm { mutants: args.mutants },
        other => other,
    };
    let (model, diagnostics) = language.understand(&mut sources, index);
    let failed = diagnostics::report(console, &sources, &diagnostics);
    let already_said =
        diagnostics.iter().any(|diagnostic| diagnostic.help.iter().any(|help| help.contains("--dialect")));
    let nusmv = language == Language::Smv(Dialect::NuSmv);
    if failed && nusmv && !already_said && Language::Smv(Dialect::Cmu).understand(&mut sources, index).0.is_some() {
        console.note("the file is valid in the SMV of the 1990s: `--dialect cmu` reads it");
    }
    let mut model = model.filter(|_| !failed).ok_or(ExitCode::Invalid)?;
    examine(console, &sources, &model)?;
    assign_roles(&mut model, args).map_err(|message| {
        console.error(message);
        ExitCode::Invalid
    })?;
    Ok(Loaded { sources, model })
}

/// Reports where the model is not what its author takes for granted.
fn examine(console: &mut Console, sources: &SourceMap, model: &Model) -> Result<(), ExitCode> {
    if model.expectations.is_empty() {
        return Ok(());
    }
    let found = expectations::examine(model);
    let failed = diagnostics::report(console, sources, &found.diagnostics);
    if found.open > 0 {
        console.warning(format_args!("{} about the consistency of the tables took too long to answer", {
            diagnostics::count(found.open, "question")
        }));
    }
    if failed { Err(ExitCode::Invalid) } else { Ok(()) }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The text of a file, or one line on why there is none.
pub fn read(path: &Path, name: &str) -> Result<String, String> {
    let failed = |error: io::Error| format!("cannot read {name}: {}", reason(&error));
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(format!("cannot read {name}: it is a directory, not a model"));
        }
        if metadata.len() <= MAX_BYTES {
            file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        }
        if metadata.len() > MAX_BYTES {
            return Err(too_large(name));
        }
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large(name));
    }
    let place = |offset: usize| {
        let line = bytes[..offset].split(|byte| *byte == b'\n').count();
        format!("byte 0x{:02x} at offset {offset} (line {line})", bytes[offset])
    };
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(format!("cannot read {name}: it is not a text file: {}", place(offset)));
    }
    let is_asm = path.extension().is_some_and(|extension| extension == "asm");
    if let Err(error) = std::str::from_utf8(&bytes) {
        if is_asm {
            // Many machines are older than UTF-8 is usual, and have comments in Latin-1.
            return Ok(bytes.into_iter().map(char::from).collect());
        }
        return Err(format!("cannot read {name}: it is not valid UTF-8: {}", place(error.valid_up_to())));
    }
    Ok(String::from_utf8(bytes).expect("just checked"))
}

fn too_large(name: &str) -> String {
    format!("cannot read {name}: it is larger than {} MiB", MAX_BYTES >> 20)
}

/// The reason of an error in a few words, without the number that the operating system gives it.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory, not a model".into(),
        _ => error.to_string(),
    }
}

/// Gives variables the roles that the user wants. A name also stands for the parts of what it names.
fn assign_roles(model: &mut Model, args: &ModelArgs) -> Result<(), String> {
    let ReadingArgs { input, output, internal, .. } = &args.reading;
    let wanted = [(input, Role::Input), (output, Role::Output), (internal, Role::Internal)];
    let mut taken: Vec<(&str, Role)> = Vec::new();
    for (names, role) in wanted {
        for name in names {
            if let Some((_, other)) = taken.iter().find(|(taken, other)| taken == name && *other != role) {
                return Err(format!("`{name}` cannot be both {} and {}", flag(*other), flag(role)));
            }
            taken.push((name, role));
            let is_part = |full: &str| {
                full.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            let mut found = false;
            for var in model.vars.iter_mut().filter(|var| is_part(&var.name)) {
                (var.role, found) = (role, true);
            }
            if !found {
                let known = model.vars.iter().map(|var| var.name.as_str());
                let hint = closest(name, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                return Err(format!("{}: there is no variable `{name}` in {}{hint}", flag(role), model.name));
            }
        }
    }
    Ok(())
}

fn flag(role: Role) -> &'static str {
    match role {
        Role::Input => "--input",
        Role::Output => "--output",
        Role::Internal => "--internal",
    }
}

/// An engine for a model, with everything reported that stands against it.
pub fn engine(console: &mut Console, loaded: &Loaded, options: &Options) -> Result<Engine, ExitCode> {
    engine_of(console, loaded, loaded.model.clone(), options)
}

/// An engine for a part of the model that has its ids. What keeps it from being built is reported.
pub fn engine_of(console: &mut Console, loaded: &Loaded, model: Model, options: &Options) -> Result<Engine, ExitCode> {
    Engine::new(model, options).map_err(|error| refuse(console, loaded, &error))
}

/// Says why there is no engine for a model.
pub fn refuse(console: &mut Console, loaded: &Loaded, error: &BuildError) -> ExitCode {
    if let BuildError::Limit(limit) = error {
        console.error(format_args!("{}: {limit} before the model was built", loaded.model.name));
        return ExitCode::Unknown;
    }
    diagnostics::report(console, &loaded.sources, &findings::build_error(&loaded.model, error));
    ExitCode::Invalid
}
