//! AsmetaL to [`Model`]: an Abstract State Machine is unfolded into locations with next values.
//!
//! A location is a function with arguments; it becomes one or several variables. The main rule is executed symbolically
//! once: `forall` and calls are unfolded, `seq` is composed, `choose` becomes an input of the step. The result is a
//! list of guarded updates of locations. From them follow the next values, the steps that do not exist because updates
//! are inconsistent or leave their domains, and the elements for coverage criteria.
//!
//! Range analysis finds the locations that may be `undef` and the values of infinite domains by repeating this until a
//! fixpoint.

mod apply;
mod assume;
mod build;
mod calls;
mod choose;
mod collections;
mod conditions;
mod domains;
mod either;
mod elements;
mod exclusive;
mod finish;
mod fractions;
mod library;
mod location_access;
mod location_layout;
mod locations;
mod machine_mutants;
mod mentions;
mod merge;
mod mutants;
mod observe;
mod operators;
mod properties;
mod range_analysis;
mod reserve;
mod rules;
mod scenarios;
mod shared;
mod signature;
mod structures;
mod temporal;
mod terms;
mod texts;
mod value;

pub use scenarios::{Demands, ExecutedRule};
pub use value::Const;

use crate::expr::{ExprId, Node, SourcedExpr};
use crate::model::{Model, TransitionSystem, VarId};
use crate::value::Value;
use build::UNDEF;
use elements::{BlockId, Coverage};
use indexmap::IndexMap;
use location_layout::Layout;
use range_analysis::{Facts, RangeAnalysis};
use rustc_hash::{FxHashMap, FxHashSet};
use signature::Signature;
use specwright_syntax::asm::ast::{File, RuleId, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use value::Sym;

/// Maximal number of terms and rules that are visited; larger machines are rejected.
const MAX_STEPS: u64 = 20_000_000;

/// Maximal number of expressions of the model.
const MAX_EXPRESSIONS: usize = 3_000_000;

/// Maximal depth of references between definitions.
const MAX_CALL_DEPTH: usize = 150;

/// The greatest bound that can be asked for: beyond it, machines are too large in any case.
const MAX_BOUND: usize = 1000;

/// Bounds of what has no end in a machine. Steps that exceed one are left out, and are reported as hazards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Length of sequences that grow without an end, unless they are longer initially.
    pub sequence: usize,
    /// Number of elements by which `extend` may extend a domain.
    pub extend: usize,
    /// Number of rounds of a loop within a step.
    pub rounds: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { sequence: 4, extend: 3, rounds: 16 }
    }
}

impl Bounds {
    /// The same bounds, but none that is zero or too large.
    fn limited(self) -> Bounds {
        let [sequence, extend, rounds] = [self.sequence, self.extend, self.rounds].map(|n| n.clamp(1, MAX_BOUND));
        Bounds { sequence, extend, rounds }
    }
}

/// Options of the translation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the model.
    pub name: String,
    /// Whether to attach elements that distinguish mutants of rules.
    pub mutants: bool,
    /// Whether to attach the machines of these mutants, too.
    pub machine_mutants: bool,
    /// The derived functions, or locations of them, that a tester observes.
    pub observed: Vec<String>,
    /// The bounds of what has no end.
    pub bounds: Bounds,
    /// What scenarios ask of the machine. The rules that they execute are in files after those of the machine.
    pub demands: Demands,
    /// The budget, which the model keeps.
    pub budget: Budget,
}

/// Lowers a machine. There is a model unless a diagnostic is an error.
///
/// The first file is the machine itself; the others are its imports, except for the libraries, which are built in.
pub fn lower(files: &[File], options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    let mut analysis = RangeAnalysis::default();
    let mut pass = Pass::Ranges;
    loop {
        let mut lowering = Lowering { pass, ..Lowering::new(files, options, &analysis) };
        lowering.run(options, &analysis);
        let is_fixpoint = analysis.correct(&lowering.facts, &lowering.given, lowering.bounds);
        if !is_fixpoint || pass == Pass::Ranges {
            pass = if is_fixpoint { Pass::Model } else { Pass::Ranges };
            continue;
        }
        if !lowering.has_errors() {
            lowering.observe(&options.observed);
        }
        let Lowering { mut model, mut diagnostics, .. } = lowering;
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        if failed {
            return (None, diagnostics);
        }
        let machine = conditions::Machine { files: files.to_vec(), options: options.clone(), analysis };
        model.source.conditions = Some(Arc::new(machine));
        return (Some(model), diagnostics);
    }
}

/// An error that was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stop;

/// What a step may have too many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// Rounds of a loop.
    Rounds,
    /// Calls of rules inside of each other.
    Calls,
    /// Numbers that say which location is meant.
    Indices,
}

/// The elements of a domain; `None` if it is infinite.
type Elements = Result<Option<Rc<[Const]>>, Stop>;

/// A location: a function and its arguments.
type Location = (usize, Vec<Const>);

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// It finds the values of functions, and leaves out what does not matter for these.
    Ranges,
    /// It makes the model.
    Model,
}

/// The state of one pass.
struct Lowering<'a> {
    files: &'a [File],
    model: Model,
    diagnostics: Vec<Diagnostic>,
    reported: FxHashSet<(Code, Span, String)>,
    sig: Signature<'a>,
    bounds: Bounds,
    pass: Pass,
    facts: Facts,
    /// The functions whose numbers are unbounded in this pass.
    open: BTreeSet<usize>,
    /// The numbers that were assigned to functions in this pass.
    given: BTreeMap<usize, (i64, i64)>,
    layouts: IndexMap<Location, Layout>,
    /// Shared locations that rules update: the input that says whether the environment changes them, and the layout of
    /// the new value.
    shared: IndexMap<Location, (VarId, Layout)>,
    /// The names of the variables.
    var_names: FxHashSet<String>,
    /// The function of each location, by the name of the location.
    named: FxHashMap<String, usize>,
    /// Results of defined functions for constant arguments, for each agent if they depend on `self`.
    applied: FxHashMap<(Location, Option<Const>), Result<Sym, Stop>>,
    /// Whether `self` was evaluated.
    saw_self: bool,
    elements_memo: FxHashMap<usize, Elements>,
    /// The domains whose elements are being enumerated, to detect circles.
    listing: Vec<usize>,
    /// For each `forall`, which of its variables its body does not use.
    unused: FxHashMap<(usize, RuleId), Arc<[bool]>>,
    n_calls: usize,
    /// The functions and rules whose definitions are being evaluated.
    active_functions: Vec<usize>,
    active_rules: Vec<(usize, Arc<str>)>,
    /// Number of conditions on the state under which the current term or rule is evaluated.
    n_conditions: usize,
    n_steps: u64,
    coverage: Coverage,
    /// Constraints on choices.
    choices: Vec<ExprId>,
    n_choices: FxHashMap<String, usize>,
    /// Loops and calls that may exceed a bound: rule and conditions.
    endless: IndexMap<Span, (Arc<str>, Vec<ExprId>, Bound)>,
    /// The new elements of this step so far.
    new_elements: reserve::NewElements,
    /// The updates of the rules that scenarios execute before a step.
    executed: Vec<rules::Update>,
    /// The monitored functions that scenarios set before the first step.
    set_first: Vec<String>,
    /// Inconsistent updates inside of sequences, which later updates may overwrite.
    hidden: Vec<finish::InconsistentPair>,
    /// The change of the current mutant, if any, and its choices.
    mutation: Option<mutants::Mutation>,
    world: Option<mutants::ChoicePath>,
    /// The changes of all mutants of the model, in their order.
    mutations: Vec<mutants::Mutation>,
    /// The choices of the machine that the current mutant has taken over.
    taken: Vec<VarId>,
    /// Whether the libraries for CTL and LTL are imported.
    ctl: bool,
    ltl: bool,
}

impl<'a> Lowering<'a> {
    fn new(files: &'a [File], options: &Options, analysis: &RangeAnalysis) -> Lowering<'a> {
        let imports = |library: &str| {
            let stem = |path: &str| path.rsplit('/').next().is_some_and(|stem| stem.eq_ignore_ascii_case(library));
            files.iter().flat_map(|file| &file.imports).any(|import| stem(&import.path.text))
        };
        Lowering {
            files,
            model: Model {
                name: options.name.clone(),
                system: TransitionSystem { budget: options.budget.clone(), ..TransitionSystem::default() },
                ..Model::default()
            },
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            sig: Signature::default(),
            bounds: options.bounds.limited(),
            pass: Pass::Model,
            facts: analysis.facts.clone(),
            open: analysis.facts.seen.keys().copied().filter(|function| analysis.is_open(*function)).collect(),
            given: BTreeMap::new(),
            layouts: IndexMap::new(),
            shared: IndexMap::new(),
            var_names: FxHashSet::default(),
            named: FxHashMap::default(),
            applied: FxHashMap::default(),
            saw_self: false,
            elements_memo: FxHashMap::default(),
            listing: Vec::new(),
            unused: FxHashMap::default(),
            n_calls: 0,
            active_functions: Vec::new(),
            active_rules: Vec::new(),
            n_conditions: 0,
            n_steps: 0,
            coverage: Coverage::default(),
            choices: Vec::new(),
            n_choices: FxHashMap::default(),
            endless: IndexMap::new(),
            new_elements: reserve::NewElements::default(),
            executed: Vec::new(),
            set_first: options.demands.set_first.clone(),
            hidden: Vec::new(),
            mutation: None,
            world: None,
            mutations: Vec::new(),
            taken: Vec::new(),
            ctl: imports("CTLLibrary"),
            ltl: imports("LTLLibrary"),
        }
    }

    fn run(&mut self, options: &Options, analysis: &RangeAnalysis) {
        self.declare();
        let Some(main) = self.files[0].main else {
            let span = self.files[0].name.as_ref().map_or(Span::NONE, |name| name.span);
            let message = if self.files[0].module { "a module has no main rule" } else { "there is no main rule" };
            self.report(Diagnostic::error(codes::NO_MAIN, span, message));
            return;
        };
        if self.has_errors() {
            return;
        }
        self.note_mentions();
        self.make_reserves();
        self.make_layouts();
        if self.has_errors() {
            return;
        }
        self.lower_inits();
        // The first pass analyses initial values only: rules applied to empty ranges would give wrong ranges.
        if analysis.is_first() && self.facts != analysis.facts {
            return;
        }
        let rule = &self.files[0].rules[main];
        let mut env = Env::new(self, 0);
        env.rule = rule.name.text.clone();
        let Ok(env) = self.after_demanded(&options.demands.rules, env) else { return };
        let before = self.n_steps;
        if let Ok(updates) = self.step(rule.body, &env) {
            let work = self.n_steps - before;
            let by_location = self.finish(&updates);
            // The rest is needed only after the fixpoint.
            if self.pass == Pass::Model && (self.facts == analysis.facts || analysis.is_last()) {
                self.add_hazards(by_location);
                self.attach_elements();
                if options.mutants && !self.has_errors() {
                    self.attach_mutants(rule.body, &env, &updates, work);
                }
            }
        }
        self.lower_properties();
        // Last, so that nothing else depends on whether they were asked for.
        if options.machine_mutants && self.pass == Pass::Model && !self.has_errors() {
            self.attach_machines(rule.body, &env);
        }
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.code, diagnostic.primary.span, diagnostic.message.clone());
        if self.reported.insert(key) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn stop(&mut self, diagnostic: Diagnostic) -> Stop {
        self.report(diagnostic);
        Stop
    }

    fn unsupported(&mut self, span: Span, message: &str) -> Stop {
        self.stop(Diagnostic::error(codes::UNSUPPORTED, span, message))
    }

    fn too_large(&mut self, span: Span, message: &str) -> Stop {
        self.stop(Diagnostic::error(codes::TOO_LARGE, span, message))
    }

    /// Counts the visited terms and rules and reports machines that are too large.
    fn tick(&mut self, span: Span) -> Result<(), Stop> {
        self.model.budget.look();
        self.n_steps += 1;
        if self.n_steps > MAX_STEPS || self.model.context.exprs.len() > MAX_EXPRESSIONS {
            let message = "the machine is too large once all its rules are unfolded";
            if !self.diagnostics.iter().any(|diagnostic| diagnostic.message == message) {
                let help = "make the domains smaller over which `forall`, `choose` and functions range";
                self.report(Diagnostic::error(codes::TOO_LARGE, span, message).help(help));
            }
            return Err(Stop);
        }
        Ok(())
    }

    fn value(&mut self, value: &Const) -> Option<Value> {
        Some(match value {
            Const::Bool(value) => Value::Bool(*value),
            Const::Int(value) => Value::Int(*value),
            Const::Atom(name) => Value::Symbol(self.model.context.symbols.intern(name)),
            Const::Undef => Value::Symbol(self.model.context.symbols.intern(UNDEF)),
            _ => return None,
        })
    }

    fn var_expr(&mut self, var: VarId) -> ExprId {
        self.node(Node::Var(var))
    }
}

/// The meaning of a variable of the language.
#[derive(Clone)]
enum Binding {
    Value(Sym),
    /// A parameter of a rule: a term and the environment of the call.
    Term(Env, TermId),
}

/// A bound variable and the enclosing ones.
struct Frame {
    name: Arc<str>,
    binding: Binding,
    outer: Option<Rc<Frame>>,
}

/// The environment of a term or rule.
#[derive(Clone)]
struct Env {
    file: usize,
    vars: Option<Rc<Frame>>,
    /// The value of `self`.
    agent: Option<Const>,
    /// The values that earlier parts of a sequence have changed.
    overlay: Rc<std::collections::BTreeMap<Location, Sym>>,
    /// The path condition.
    path: ExprId,
    /// Narrower bounds of numbers that follow from the path condition.
    bounds: Rc<FxHashMap<ExprId, (i64, i64)>>,
    block: BlockId,
    /// The name of the enclosing rule.
    rule: Arc<str>,
}

impl Env {
    fn new(lowering: &mut Lowering<'_>, file: usize) -> Env {
        Env {
            file,
            vars: None,
            agent: None,
            overlay: Rc::default(),
            path: lowering.boolean(true),
            bounds: Rc::default(),
            block: BlockId::ROOT,
            rule: "".into(),
        }
    }

    fn bind(&mut self, name: &Arc<str>, binding: Binding) {
        self.vars = Some(Rc::new(Frame { name: name.clone(), binding, outer: self.vars.take() }));
    }

    fn lookup(&self, name: &str) -> Option<&Binding> {
        let mut frame = self.vars.as_deref();
        while let Some(here) = frame {
            if &*here.name == name {
                return Some(&here.binding);
            }
            frame = here.outer.as_deref();
        }
        None
    }
}

/// An expression with one span for the whole and none for its parts.
fn sourced(expr: ExprId, span: Span) -> SourcedExpr {
    SourcedExpr { expr, spans: [span].into() }
}
