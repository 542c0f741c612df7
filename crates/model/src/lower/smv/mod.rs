//! SMV to [`Model`]: modules are instantiated, names resolved, types checked.
//!
//! The work goes in steps, each over the whole file, so that one run reports what is wrong everywhere:
//! `instances` lays out the tree of module instances and their names, `types` gives the variables their domains,
//! `defines` orders and lowers what is defined, `assigns` and `properties` lower the rest. Expressions are
//! lowered by `exprs`; `names` says what a name in them stands for. Values are not looked at: whether a `case`
//! covers everything and assigned values are in range is found out by whoever can evaluate the model.

mod assigns;
mod coerce;
mod constants;
mod cycles;
mod defines;
mod equality;
mod exprs;
mod flat;
mod instances;
mod mismatch;
mod names;
mod places;
mod properties;
mod types;
mod words;

pub use flat::{lower_expr_in, parse_expr_in};

use crate::model::{DefineId, Model, VarId, VarKind};
use instances::{Inst, InstId};
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::smv::ast::{self, Dialect, File};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// How a file is to be read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which language it is written in.
    pub dialect: Dialect,
    /// The module to start from.
    pub main: String,
    /// The name of the model, for people.
    pub name: String,
    /// Whether reading may go on. The model keeps it.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { dialect: Dialect::NuSmv, main: "main".into(), name: String::new(), budget: Budget::default() }
    }
}

/// The model that a file describes, and what there is to say about it. There is a model unless there is an error.
pub fn lower(file: &File, options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    let (model, mut diagnostics) = lower_once(file, options);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    // Only errors of types can be those of a dialect.
    if model.is_none() && options.dialect == Dialect::NuSmv && errors.map(|error| error.code).all(is_about_types) {
        let cmu = Options { dialect: Dialect::Cmu, ..options.clone() };
        if let (Some(_), warnings) = lower_once(file, &cmu) {
            advise_dialect(&mut diagnostics, &warnings);
        }
    }
    (model, diagnostics)
}

/// Says that the older dialect would take a file that this one does not.
fn advise_dialect(diagnostics: &mut [Diagnostic], warnings: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let span = diagnostic.primary.span;
        let compared = warnings.iter().any(|warning| {
            let whole = warning.primary.span;
            warning.code == codes::COMPARED_KINDS && whole.start <= span.start && span.end <= whole.end
        });
        if compared {
            diagnostic.help.push("`--dialect cmu` takes such a comparison for false".into());
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
    // What is found step by step reads better in the order of the file; errors keep their place among warnings.
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    (if failed { None } else { Some(lowering.model) }, diagnostics)
}

/// What is known about an expression besides its type, in bits: see [`places`].
type Traits = u8;

/// What a variable name stands for: one variable, or an array of such.
#[derive(Clone, Debug)]
enum VarNode {
    One(VarId),
    /// A variable that can only have one value is no variable but a constant.
    Constant(DefId),
    Array(i64, Vec<NodeId>),
    /// Its type is wrong, which was reported.
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
    /// Modules are lowered once per instance; their mistakes are reported once.
    reported: FxHashSet<(Code, Span, String)>,
    modules: FxHashMap<Arc<str>, usize>,
    used_modules: FxHashSet<usize>,
    insts: Vec<Inst>,
    /// All pieces of all instances, in the order in which NuSMV goes through them.
    items: Vec<(InstId, &'a ast::Item)>,
    decls: Vec<Decl<'a>>,
    /// Symbolic constants on their own, each with the number of variables that were declared before it.
    constants: Vec<(usize, &'a ast::Ident)>,
    /// Declarations of names with dots, which belong to other instances.
    dotted: Vec<(InstId, &'a ast::Ident, instances::EntryKind)>,
    /// Which instances have inherited which modules.
    inherited: FxHashSet<(InstId, usize)>,
    nodes: Vec<VarNode>,
    defs: Vec<Def>,
    /// Where symbolic constants were first mentioned.
    symbol_spans: FxHashMap<crate::value::Symbol, Span>,
    /// The process names, main first; empty if nothing runs as a process.
    processes: Vec<InstId>,
    selector: Option<VarId>,
    /// The flags `running` of the processes.
    running: FxHashMap<InstId, DefineId>,
    /// The roles that `INPUT` and `OUTPUT` sections give.
    declared_roles: FxHashMap<VarId, crate::model::Role>,
    traits: Vec<Traits>,
    /// The places of the expression that is being lowered.
    spans: Vec<Span>,
    /// Comparisons by their places, with a warning if they were never true in any instance so far.
    never_equal: FxHashMap<Span, Option<Diagnostic>>,
    /// The parameters whose values are being looked for.
    resolving: FxHashSet<(InstId, ast::ExprId)>,
    /// For expressions against the names of a finished model.
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
        // A module may be unused because its name was misspelt.
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
