//! From a path to a model: reads the file, parses and lowers it, and reports what is wrong with it.

use crate::args::{ModelArgs, ReadingArgs};
use crate::console::{self, Console};
use crate::diagnostics;
use crate::exit_code::ExitCode;
use crate::expectations;
use crate::findings;
use crate::language::Language;
use crate::memory;
use crate::text::{Text, is_stdin};
use specwright_mc::{BuildError, Definedness, Options, Symbolic, definedness};
use specwright_model::Model;
use specwright_model::model::Role;
use specwright_syntax::diagnostic::closest;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria::add_shadows;

/// A model, and the text it came from.
pub struct Loaded {
    pub sources: SourceMap,
    pub model: Model,
}

/// Reads a model. What is wrong with it goes to stderr; with an error there is no model.
///
/// Part of that is whether every expression has a value everywhere, as far as that shows with little work. A command that
/// makes an engine finds out anyway, and asks for [`load_unevaluated`].
pub fn load(console: &mut Console, args: &ModelArgs) -> Result<Loaded, ExitCode> {
    let loaded = load_unevaluated(console, args)?;
    let max_memory = memory::for_diagrams().min(1 << 30);
    let options = Options { max_memory, interrupt: Some(console::cancel_flag()), ..Default::default() };
    let Definedness { undefined, is_complete } = definedness(&loaded.model, &options);
    if !undefined.is_empty() {
        let error = BuildError::Undefined(undefined);
        diagnostics::report(console, &loaded.sources, &findings::build_error(&loaded.model, &error));
        return Err(ExitCode::Invalid);
    }
    if !is_complete && console.verbose() {
        console.note("whether all expressions have values everywhere takes longer to find out: try `check`");
    }
    Ok(loaded)
}

/// The same, without a look at values.
pub fn load_unevaluated(console: &mut Console, args: &ModelArgs) -> Result<Loaded, ExitCode> {
    let mut invalid = |message: String| {
        console.error(message);
        ExitCode::Invalid
    };
    let name = if is_stdin(&args.path) { "<stdin>".to_owned() } else { args.path.display().to_string() };
    let language = Language::of(&args.path, args.reading.dialect.into());
    let mut sources = SourceMap::within(console::budget());
    let text = Text::read(&args.path, &name).map_err(&mut invalid)?;
    console::catch_interrupts();
    let (index, encoding) = text.add_to(&mut sources, &name).map_err(&mut invalid)?;

    let language = match language {
        Language::Asm { .. } => Language::Asm { mutants: args.mutants },
        other => other,
    };
    let (model, mut diagnostics) = language.understand(&mut sources, index);
    diagnostics.splice(0..0, encoding);
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
    if args.shadows {
        add_shadows(&mut model);
    }
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
pub fn engine(console: &mut Console, loaded: &Loaded, options: &Options) -> Result<Symbolic, ExitCode> {
    engine_of(console, loaded, loaded.model.clone(), options)
}

/// An engine for a part of the model that has its ids. What keeps it from being built is reported.
pub fn engine_of(
    console: &mut Console,
    loaded: &Loaded,
    model: Model,
    options: &Options,
) -> Result<Symbolic, ExitCode> {
    Symbolic::new(model, options).map_err(|error| refuse(console, loaded, &error))
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
