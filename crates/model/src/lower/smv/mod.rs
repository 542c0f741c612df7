//! SMV to [`Model`]: modules are instantiated, names resolved, types checked.
//!
//! Lowering has several passes over the whole file, so that one run reports errors everywhere: `instances` creates the
//! tree of module instances and their names, `types` gives the variables their domains, `defines` orders and lowers the
//! defines, `assigns` and `properties` lower the rest. Expressions are lowered by `exprs`; `names` resolves the names
//! in them. Values are not analysed: whether a `case` is exhaustive and assigned values are in range is checked on the
//! finished model.

mod assigns;
mod coerce;
mod constants;
mod contexts;
mod cycles;
mod defines;
mod equality;
mod exprs;
mod flat;
mod instances;
mod mismatch;
mod names;
mod properties;
mod types;
mod words;

pub use flat::{add_properties, lower_expr_in, parse_expr_in};

use crate::model::{DefineId, Model, VarId, VarKind};
use instances::{Inst, InstId};
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::smv::ast::{self, Dialect, File};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;
use std::sync::Arc;
pub(crate) use types::SELECTOR;

/// Options of the translation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The dialect of the file.
    pub dialect: Dialect,
    /// The main module.
    pub main: String,
    /// The name of the model.
    pub name: String,
    /// The budget, which the model keeps.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { dialect: Dialect::NuSmv, main: "main".into(), name: String::new(), budget: Budget::default() }
    }
}

/// Lowers a file. There is a model unless a diagnostic is an error.
pub fn lower(file: &File, options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    let (model, mut diagnostics) = lower_once(file, options);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    // Only type errors can depend on the dialect.
    if model.is_none() && options.dialect == Dialect::NuSmv && errors.map(|error| error.code).all(is_about_types) {
        let cmu = Options { dialect: Dialect::Cmu, ..options.clone() };
        if let (Some(_), warnings) = lower_once(file, &cmu) {
            advise_dialect(&mut diagnostics, &warnings);
        }
    }
    (model, diagnostics)
}

/// Adds a note that the file is valid in the older dialect.
fn advise_dialect(diagnostics: &mut [Diagnostic], warnings: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let span = diagnostic.primary.span;
        let compared = warnings.iter().any(|warning| {
            let whole = warning.primary.span;
            warning.code == codes::COMPARED_KINDS && whole.start <= span.start && span.end <= whole.end
        });
        if compared {
            diagnostic.help.push("with `--dialect cmu`, such a comparison is false".into());
        } else if is_about_types(diagnostic.code) {
            diagnostic.help.push("`--dialect cmu` reads 0 and 1 as booleans".into());
        }
    }
}

fn is_about_types(code: Code) -> bool {
    [codes::TYPE_MISMATCH, codes::NOT_BOOLEAN, codes::BAD_ASSIGNMENT].contains(&code)
}

fn lower_once(file: &File, options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(file, options.dialect);
    lowering.model.name.clone_from(&options.name);
    lowering.model.budget = options.budget.clone();
    if lowering.instantiate_main(&options.main) {
        lowering.declare_vars();
        lowering.lower_defines();
        lowering.lower_assigns();
        lowering.lower_constraints_and_properties();
        lowering.report_never_equal();
        lowering.warn_about_unused_modules();
    }
    let mut diagnostics = lowering.diagnostics;
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    // Diagnostics of different passes are sorted by position.
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    (if failed { None } else { Some(lowering.model) }, diagnostics)
}

/// Syntactic properties of an expression, as bits: see [`contexts`].
type Traits = u8;

/// The variable of a name, or an array of variables.
#[derive(Clone, Debug)]
enum VarNode {
    One(VarId),
    /// A variable with a single value is a constant.
    Constant(DefId),
    Array(i64, Vec<NodeId>),
    /// Its type has an error that was reported.
    Broken,
}

type NodeId = usize;
type DefId = usize;

/// A define of the source, or a parameter that is not just a name.
struct Def {
    name: String,
    body: ast::ExprId,
    inst: InstId,
    span: Span,
    state: DefState,
    constant: Constancy,
}

/// Whether a define is a constant number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constancy {
    Unknown,
    Number(i64),
    Varies,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DefState {
    New,
    Waiting,
    Done(DefineId),
    Failed,
}

/// A variable declaration of a module instance.
struct Decl<'a> {
    inst: InstId,
    kind: ast::VarKind,
    source: &'a ast::VarDecl,
    /// Its full name.
    name: String,
    node: Option<NodeId>,
}

/// The state of one run.
struct Lowering<'a> {
    file: &'a File,
    dialect: Dialect,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// Errors that were reported; a module is lowered once per instance, but its errors are reported once.
    reported: FxHashSet<(Code, Span, String)>,
    modules: FxHashMap<Arc<str>, usize>,
    used_modules: FxHashSet<usize>,
    insts: Vec<Inst>,
    /// All items of all instances, in the order of NuSMV.
    items: Vec<(InstId, &'a ast::Item)>,
    decls: Vec<Decl<'a>>,
    /// Symbolic constants of `CONSTANTS` sections, each with the number of variables declared before it.
    constants: Vec<(usize, &'a ast::Ident)>,
    /// Declarations of names with dots, which belong to other instances.
    dotted: Vec<(InstId, &'a ast::Ident, instances::EntryKind)>,
    /// The modules that instances have inherited.
    inherited: FxHashSet<(InstId, usize)>,
    nodes: Vec<VarNode>,
    defs: Vec<Def>,
    /// The first occurrences of symbolic constants.
    symbol_spans: FxHashMap<crate::value::Symbol, Span>,
    /// The processes, main first; empty if there are none.
    processes: Vec<InstId>,
    selector: Option<VarId>,
    /// The flags `running` of the processes.
    running: FxHashMap<InstId, DefineId>,
    /// The roles that `INPUT` and `OUTPUT` sections give.
    declared_roles: FxHashMap<VarId, crate::interface::Role>,
    traits: Vec<Traits>,
    /// The spans of the current expression.
    spans: Vec<Span>,
    /// Comparisons by span, with a warning if they were never true in any instance so far.
    never_equal: FxHashMap<Span, Option<Diagnostic>>,
    /// The parameters that are being resolved, to detect circles.
    resolving: FxHashSet<(InstId, ast::ExprId)>,
    /// The names of a finished model, for expressions over these.
    flat: Option<flat::Flat>,
}

impl<'a> Lowering<'a> {
    fn new(file: &'a File, dialect: Dialect) -> Lowering<'a> {
        Lowering {
            file,
            dialect,
            model: Model::default(),
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            modules: FxHashMap::default(),
            used_modules: FxHashSet::default(),
            insts: Vec::new(),
            items: Vec::new(),
            decls: Vec::new(),
            constants: Vec::new(),
            dotted: Vec::new(),
            inherited: FxHashSet::default(),
            nodes: Vec::new(),
            defs: Vec::new(),
            symbol_spans: FxHashMap::default(),
            processes: Vec::new(),
            selector: None,
            running: FxHashMap::default(),
            declared_roles: FxHashMap::default(),
            traits: Vec::new(),
            spans: Vec::new(),
            never_equal: FxHashMap::default(),
            resolving: FxHashSet::default(),
            flat: None,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.code, diagnostic.primary.span, diagnostic.message.clone());
        if self.reported.insert(key) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn span(&self, expr: ast::ExprId) -> Span {
        self.file.exprs[expr].span
    }

    fn warn_about_unused_modules(&mut self) {
        // A module may be unused because its name is misspelled elsewhere.
        if self.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::UNKNOWN_MODULE) {
            return;
        }
        for (index, module) in self.file.modules.iter().enumerate() {
            if !self.used_modules.contains(&index) && self.modules.get(&module.name.text) == Some(&index) {
                let message = format!("module `{}` is never used", module.name.text);
                self.report(
                    Diagnostic::warning(codes::UNUSED_MODULE, module.name.span, message)
                        .note("nothing inside it was checked"),
                );
            }
        }
    }
}

/// The kind of a variable in the model.
fn var_kind(kind: ast::VarKind) -> VarKind {
    match kind {
        ast::VarKind::Input => VarKind::Input,
        ast::VarKind::Frozen => VarKind::Frozen,
        ast::VarKind::State | ast::VarKind::Monitored | ast::VarKind::Controlled => VarKind::State,
    }
}
