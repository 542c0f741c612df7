//! The symbols of an SMV file.
//!
//! A module is looked at once, whatever the number of its instances. A parameter stands for what instances pass, so a part
//! of a parameter may be a symbol of several modules.

use super::{Call, Index, Kind, Outline, SymbolId, Use};
use specwright::syntax::smv::ast::{
    AssignKind, ConstraintKind, ExprId, ExprKind, File, Ident, Item, ItemKind, Module, PropertyKind, TypeExpr,
    TypeKind, VarKind,
};
use specwright::syntax::span::{SourceFile, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The symbols of a file.
pub(crate) fn index(file: &File, source: &SourceFile) -> Index {
    let mut indexer = Indexer {
        file,
        source,
        index: Index::default(),
        modules: BTreeMap::new(),
        own: Vec::new(),
        actuals: BTreeMap::new(),
    };
    for module in &file.modules {
        indexer.declare(module);
    }
    for number in 0..file.modules.len() {
        indexer.instances(number);
    }
    indexer.parameters();
    for number in 0..file.modules.len() {
        indexer.module(number);
    }
    let mut index = indexer.index;
    index.finish();
    index
}

struct Indexer<'a> {
    file: &'a File,
    source: &'a SourceFile,
    index: Index,
    /// The modules by name; of two with one name the first.
    modules: BTreeMap<&'a str, usize>,
    /// For each module its symbol and the symbols of its names.
    own: Vec<(SymbolId, BTreeMap<&'a str, SymbolId>)>,
    /// What instances pass for a parameter: the expressions and the modules in which they stand.
    actuals: BTreeMap<SymbolId, Vec<(usize, ExprId)>>,
}

impl<'a> Indexer<'a> {
    fn declare(&mut self, module: &'a Module) {
        let id = self.index.declare(Kind::Module, "module", &module.name.text, module.name.span, module.span);
        let number = self.own.len();
        self.modules.entry(&module.name.text).or_insert(number);
        self.index.globals.push(id);
        self.index.folds.push(module.span);
        let mut names = BTreeMap::new();
        for param in &module.params {
            let symbol = self.index.declare(Kind::Parameter, "parameter", &param.text, param.span, param.span);
            self.index.symbol(symbol).parent = Some(id);
            self.index.symbol(id).params.push(param.span);
            names.entry(&*param.text).or_insert(symbol);
        }
        let mut outline = Vec::new();
        for item in &module.items {
            if let Some(part) = self.item(id, item, &mut names) {
                outline.push(part);
            }
        }
        let visible: Vec<SymbolId> = names.values().copied().collect();
        self.index.scopes.push((self.reach(module), visible));
        self.index.outline.push(Outline {
            name: module.name.text.to_string(),
            detail: Self::list(&module.params),
            kind: Kind::Module,
            whole: module.span,
            selection: module.name.span,
            children: outline,
        });
        self.own.push((id, names));
    }

    /// Where the names of a module are seen: up to the next module, so that what is being typed at its end counts.
    fn reach(&self, module: &Module) -> Span {
        let next = self.file.modules.iter().map(|other| other.span.start).filter(|start| *start > module.span.start);
        Span {
            start: module.span.start,
            end: next.min().unwrap_or(self.source.start + self.source.text.len() as u32 + 1) - 1,
        }
    }

    fn list(params: &[Ident]) -> String {
        let names: Vec<&str> = params.iter().map(|param| &*param.text).collect();
        if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) }
    }

    /// Declares the names of an item. Returns its part of the outline.
    fn item(&mut self, module: SymbolId, item: &'a Item, names: &mut BTreeMap<&'a str, SymbolId>) -> Option<Outline> {
        self.index.folds.push(item.span);
        let mut children = Vec::new();
        let title = match &item.kind {
            ItemKind::Vars(kind, vars) => {
                let (title, word) = var_words(*kind);
                for var in vars {
                    let is_instance = matches!(var.ty.kind, TypeKind::Instance { .. });
                    let (kind, word) = if is_instance { (Kind::Instance, "instance") } else { (Kind::Variable, word) };
                    let whole = var.name.span.to(var.ty.span);
                    let symbol = self.declare_name(module, (kind, word), &var.name, whole, names);
                    let values = self.values(&var.ty);
                    let declared = self.index.symbol(symbol);
                    declared.ty = Some(var.ty.span);
                    declared.values = values;
                    children.push(self.entry(symbol, self.text(var.ty.span)));
                }
                title
            }
            ItemKind::Defines(defines) => {
                for define in defines {
                    let body = self.file.exprs[define.body].span;
                    let whole = define.name.span.to(body);
                    let symbol = self.declare_name(module, (Kind::Define, "define"), &define.name, whole, names);
                    self.index.symbol(symbol).body = Some(body);
                    children.push(self.entry(symbol, self.text(body)));
                }
                "DEFINE"
            }
            ItemKind::Constants(constants) => {
                for constant in constants {
                    let symbol = self.index.constant("symbolic constant", &constant.text, constant.span);
                    children.push(self.entry_at(symbol, constant.span, String::new()));
                }
                "CONSTANTS"
            }
            ItemKind::Assigns(assigns) => {
                for assign in assigns {
                    let target = self.text(self.file.exprs[assign.target].span);
                    let name = match assign.kind {
                        AssignKind::Current => target,
                        AssignKind::Init => format!("init({target})"),
                        AssignKind::Next => format!("next({target})"),
                    };
                    let (whole, selection) = (assign.span, self.file.exprs[assign.target].span);
                    children.push(leaf(name, Kind::Function, whole, selection));
                    self.index.folds.push(assign.span);
                }
                "ASSIGN"
            }
            ItemKind::Property(property) => {
                let formula = self.file.exprs[property.formula].span;
                let (name, selection) = match &property.name {
                    Some(name) => {
                        let symbol =
                            self.index.declare(Kind::Property, "property", &name.text, name.span, property.span);
                        self.index.symbol(symbol).parent = Some(module);
                        self.index.symbol(symbol).body = Some(formula);
                        (name.text.to_string(), name.span)
                    }
                    None => (self.text(formula), formula),
                };
                let mut outline = leaf(name, Kind::Property, property.span, selection);
                property_word(property.kind).clone_into(&mut outline.detail);
                return Some(outline);
            }
            ItemKind::Constraint(kind, formula) => {
                let span = self.file.exprs[*formula].span;
                let mut outline = leaf(self.text(span), Kind::Rule, item.span, span);
                constraint_word(*kind).clone_into(&mut outline.detail);
                return Some(outline);
            }
            ItemKind::Pred(name, _) => {
                if let Some(name) = name {
                    self.declare_name(module, (Kind::Define, "predicate"), name, item.span, names);
                }
                return None;
            }
            ItemKind::Compassion(..) | ItemKind::Isa(_) | ItemKind::Mirror(_) => return None,
        };
        let selection = Span::new(item.span.start, item.span.start + title.len() as u32);
        let kind = children.first().map_or(Kind::Define, |child| child.kind);
        let mut outline = leaf(title.to_owned(), kind, item.span, selection);
        outline.children = children;
        Some(outline)
    }

    fn declare_name(
        &mut self,
        module: SymbolId,
        (kind, word): (Kind, &'static str),
        name: &'a Ident,
        whole: Span,
        names: &mut BTreeMap<&'a str, SymbolId>,
    ) -> SymbolId {
        let symbol = self.index.declare(kind, word, &name.text, name.span, whole);
        self.index.symbol(symbol).parent = Some(module);
        names.entry(&*name.text).or_insert(symbol);
        symbol
    }

    fn entry(&self, symbol: SymbolId, detail: String) -> Outline {
        let Some(span) = self.index[symbol].definitions.first() else {
            return leaf(String::new(), Kind::Constant, Span::NONE, Span::NONE);
        };
        self.entry_at(symbol, *span, detail)
    }

    fn entry_at(&self, symbol: SymbolId, selection: Span, detail: String) -> Outline {
        let symbol = &self.index[symbol];
        let whole = if symbol.kind == Kind::Constant { selection } else { symbol.whole };
        Outline { detail, ..leaf(symbol.name.clone(), symbol.kind, whole, selection) }
    }

    /// A short text of a span, on one line.
    fn text(&self, span: Span) -> String {
        super::one_line(self.source.slice(span))
    }

    /// Declares the values of an enumeration.
    fn values(&mut self, ty: &'a TypeExpr) -> Vec<SymbolId> {
        match &ty.kind {
            TypeKind::Enum(values) => {
                let mut symbols = Vec::new();
                for value in values {
                    let expr = &self.file.exprs[*value];
                    if let ExprKind::Name(name) = &expr.kind {
                        symbols.push(self.index.constant("symbolic constant", name, expr.span));
                    }
                }
                symbols
            }
            TypeKind::Array(_, _, element) => self.values(element),
            _ => Vec::new(),
        }
    }

    /// Records what instances pass, and what their parts are.
    fn instances(&mut self, number: usize) {
        let file = self.file;
        for item in &file.modules[number].items {
            match &item.kind {
                ItemKind::Vars(_, vars) => {
                    for var in vars {
                        self.instance(number, &var.name, &var.ty);
                    }
                }
                ItemKind::Isa(module) => {
                    if let Some(other) = self.modules.get(&*module.text).copied() {
                        self.index.mention(module.span, self.own[other].0, false);
                        let inherited: Vec<(&str, SymbolId)> =
                            self.own[other].1.iter().map(|(name, symbol)| (*name, *symbol)).collect();
                        for (name, symbol) in inherited {
                            self.own[number].1.entry(name).or_insert(symbol);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn instance(&mut self, number: usize, name: &Ident, ty: &'a TypeExpr) {
        match &ty.kind {
            TypeKind::Array(_, _, element) => self.instance(number, name, element),
            TypeKind::Instance { module, args, .. } => {
                let Some(inner) = self.modules.get(&*module.text).copied() else { return };
                let symbol = self.own[inner].0;
                self.index.mention(module.span, symbol, false);
                if let Some(own) = self.own[number].1.get(&*name.text).copied() {
                    self.index.symbol(own).members = vec![symbol];
                }
                let arguments = args.iter().map(|argument| self.file.exprs[*argument].span).collect();
                self.index.calls.push(Call { symbol, arguments });
                for (param, actual) in self.file.modules[inner].params.iter().zip(args) {
                    if let Some(param) = self.own[inner].1.get(&*param.text).copied() {
                        self.actuals.entry(param).or_default().push((number, *actual));
                    }
                }
            }
            _ => {}
        }
    }

    /// Gives parameters the parts of what instances pass for them.
    fn parameters(&mut self) {
        let params: Vec<SymbolId> = self.actuals.keys().copied().collect();
        for param in params {
            let modules = self.parts_of(param, &mut BTreeSet::new());
            let members = modules.into_iter().map(|module| self.own[module].0).collect();
            self.index.symbol(param).members = members;
        }
    }

    /// Resolves the names of a module.
    fn module(&mut self, number: usize) {
        let file = self.file;
        for item in &file.modules[number].items {
            match &item.kind {
                ItemKind::Vars(_, vars) => vars.iter().for_each(|var| self.ty(number, &var.ty)),
                ItemKind::Defines(defines) => defines.iter().for_each(|define| self.expr(number, define.body)),
                ItemKind::Assigns(assigns) => {
                    for assign in assigns {
                        self.path(number, assign.target, true);
                        self.expr(number, assign.value);
                    }
                }
                ItemKind::Constraint(_, formula) | ItemKind::Pred(_, formula) | ItemKind::Mirror(formula) => {
                    self.expr(number, *formula);
                }
                ItemKind::Compassion(first, second) => {
                    self.expr(number, *first);
                    self.expr(number, *second);
                }
                ItemKind::Property(property) => {
                    let context = property.context.map(|context| {
                        self.expr(number, context);
                        self.modules_of(number, context)
                    });
                    // The names of a formula `IN` an instance are those of its module.
                    let within = context.and_then(|modules| modules.first().copied()).unwrap_or(number);
                    self.expr(within, property.formula);
                    if let Some(target) = property.target {
                        self.expr(within, target);
                    }
                }
                ItemKind::Constants(_) | ItemKind::Isa(_) => {}
            }
        }
    }

    fn ty(&mut self, number: usize, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Error | TypeKind::Boolean | TypeKind::Integer => {}
            // Names among the values of an enumeration are declared there.
            TypeKind::Enum(values) => {
                for value in values {
                    if !matches!(self.file.exprs[*value].kind, ExprKind::Name(_)) {
                        self.expr(number, *value);
                    }
                }
            }
            TypeKind::Range(first, last) => {
                self.expr(number, *first);
                self.expr(number, *last);
            }
            TypeKind::Word { width, .. } => self.expr(number, *width),
            TypeKind::Array(first, last, element) => {
                self.expr(number, *first);
                self.expr(number, *last);
                self.ty(number, element);
            }
            TypeKind::Instance { args, .. } => args.iter().for_each(|argument| self.expr(number, *argument)),
        }
    }

    /// Resolves all names of an expression, without recursion: expressions may be deep.
    fn expr(&mut self, number: usize, root: ExprId) {
        let mut waiting = vec![root];
        while let Some(expr) = waiting.pop() {
            self.source.budget.look();
            let kind = &self.file.exprs[expr].kind;
            if let ExprKind::Case(_) = kind {
                self.index.folds.push(self.file.exprs[expr].span);
            }
            match kind {
                ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                    self.path(number, expr, false);
                    let mut inner = expr;
                    // Indices are expressions of their own; a base that is no name is, too.
                    loop {
                        match &self.file.exprs[inner].kind {
                            ExprKind::Field(base, _) => inner = *base,
                            ExprKind::Index(base, index) => {
                                waiting.push(*index);
                                inner = *base;
                            }
                            ExprKind::Name(_) | ExprKind::SelfRef => break,
                            _ => {
                                waiting.push(inner);
                                break;
                            }
                        }
                    }
                }
                kind => kind.for_each_child(|child| waiting.push(child)),
            }
        }
    }

    /// Records the uses of a path, and returns what it stands for.
    fn path(&mut self, number: usize, path: ExprId, is_write: bool) -> Vec<SymbolId> {
        let (found, uses) = self.resolve(number, path, is_write);
        self.index.uses.extend(uses);
        found
    }

    /// What a path stands for, and the uses on the way.
    fn resolve(&self, number: usize, path: ExprId, is_write: bool) -> (Vec<SymbolId>, Vec<Use>) {
        // From the outermost part to the name at the start.
        let mut parts = Vec::new();
        let mut at = path;
        let start = loop {
            match &self.file.exprs[at].kind {
                ExprKind::Field(base, field) => {
                    parts.push(Part::Field(field));
                    at = *base;
                }
                ExprKind::Index(base, index) => {
                    parts.push(Part::Index(*index));
                    at = *base;
                }
                _ => break at,
            }
        };
        parts.reverse();
        let span = self.file.exprs[start].span;
        let (mut scopes, mut name, mut name_span) = match &self.file.exprs[start].kind {
            ExprKind::Name(name) => (vec![number], name.to_string(), span),
            ExprKind::SelfRef => (vec![number], String::new(), span),
            _ => return (Vec::new(), Vec::new()),
        };
        let mut uses = Vec::new();
        let mut found: Vec<SymbolId> = if name.is_empty() { Vec::new() } else { self.lookup(&scopes, &name) };
        let mention = |uses: &mut Vec<Use>, span: Span, found: &[SymbolId], is_write: bool| {
            uses.extend(found.iter().map(|symbol| Use { span, symbol: *symbol, is_definition: false, is_write }));
        };
        let n_fields = parts.len();
        mention(&mut uses, name_span, &found, is_write && parts.iter().all(|part| matches!(part, Part::Index(_))));
        for (position, part) in parts.iter().enumerate() {
            let is_last = parts[position + 1..].iter().all(|part| matches!(part, Part::Index(_)));
            match part {
                Part::Field(field) => {
                    let modules: Vec<usize> = if name.is_empty() {
                        scopes.clone()
                    } else {
                        found.iter().flat_map(|symbol| self.parts_of(*symbol, &mut BTreeSet::new())).collect()
                    };
                    if modules.is_empty() {
                        // A name such as `a.b` may be declared as such.
                        name = format!("{name}.{}", field.text);
                        name_span = name_span.to(field.span);
                        found = self.lookup(&scopes, &name);
                        mention(&mut uses, name_span, &found, is_write && is_last);
                    } else {
                        (scopes, name, name_span) = (modules, field.text.to_string(), field.span);
                        found = self.members(&scopes, &name);
                        mention(&mut uses, name_span, &found, is_write && is_last);
                    }
                }
                Part::Index(index) => {
                    // A name such as `a[3]` may be declared as such.
                    let index = self.source.slice(self.file.exprs[*index].span);
                    let compound = format!("{name}[{index}]");
                    let declared = self.lookup(&scopes, &compound);
                    if !declared.is_empty() && found.is_empty() {
                        name_span = Span::new(name_span.start, self.file.exprs[path].span.end);
                        mention(&mut uses, name_span, &declared, is_write && position + 1 == n_fields);
                        (name, found) = (compound, declared);
                    }
                }
            }
        }
        if name.is_empty() {
            found = scopes.iter().map(|module| self.own[*module].0).collect();
        }
        (found, uses)
    }

    /// The meanings of a name in some modules; a constant if there is no other.
    fn lookup(&self, modules: &[usize], name: &str) -> Vec<SymbolId> {
        let found = self.members(modules, name);
        if found.is_empty() { self.index.constant_named(name).into_iter().collect() } else { found }
    }

    fn members(&self, modules: &[usize], name: &str) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> =
            modules.iter().filter_map(|module| self.own[*module].1.get(name)).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The modules whose names are parts of a symbol. A parameter has the parts of what instances pass for it.
    fn parts_of(&self, symbol: SymbolId, seen: &mut BTreeSet<SymbolId>) -> Vec<usize> {
        if !seen.insert(symbol) {
            return Vec::new();
        }
        let own = &self.index[symbol];
        let mut modules: Vec<usize> =
            own.members.iter().filter_map(|module| self.modules.get(&*self.index[*module].name)).copied().collect();
        if own.kind == Kind::Module {
            modules.extend(self.modules.get(&*own.name));
        }
        for (outer, actual) in self.actuals.get(&symbol).into_iter().flatten() {
            let (found, _) = self.resolve_within(*outer, *actual, seen);
            for symbol in found {
                modules.extend(self.parts_of(symbol, seen));
            }
        }
        modules.sort_unstable();
        modules.dedup();
        modules
    }

    /// Resolves an actual parameter while parameters are being looked at.
    fn resolve_within(&self, number: usize, path: ExprId, seen: &mut BTreeSet<SymbolId>) -> (Vec<SymbolId>, Vec<Use>) {
        match &self.file.exprs[path].kind {
            ExprKind::SelfRef => (vec![self.own[number].0], Vec::new()),
            ExprKind::Name(name) => (self.lookup(&[number], name), Vec::new()),
            ExprKind::Index(base, _) => self.resolve_within(number, *base, seen),
            ExprKind::Field(base, field) => {
                let (bases, _) = self.resolve_within(number, *base, seen);
                let modules: Vec<usize> = bases.iter().flat_map(|base| self.parts_of(*base, seen)).collect();
                (self.members(&modules, &field.text), Vec::new())
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// The modules of an instance.
    fn modules_of(&self, number: usize, path: ExprId) -> Vec<usize> {
        let (found, _) = self.resolve(number, path, false);
        found.iter().flat_map(|symbol| self.parts_of(*symbol, &mut BTreeSet::new())).collect()
    }
}

enum Part<'a> {
    Field(&'a Ident),
    Index(ExprId),
}

fn leaf(name: String, kind: Kind, whole: Span, selection: Span) -> Outline {
    Outline { name, detail: String::new(), kind, whole, selection, children: Vec::new() }
}

fn var_words(kind: VarKind) -> (&'static str, &'static str) {
    match kind {
        VarKind::State => ("VAR", "state variable"),
        VarKind::Input => ("IVAR", "input variable"),
        VarKind::Frozen => ("FROZENVAR", "frozen variable"),
        VarKind::Monitored => ("INPUT", "monitored variable"),
        VarKind::Controlled => ("OUTPUT", "controlled variable"),
    }
}

fn property_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Ctl => "CTLSPEC",
        PropertyKind::Ltl => "LTLSPEC",
        PropertyKind::Invar => "INVARSPEC",
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => "COMPUTE",
        PropertyKind::Psl => "PSLSPEC",
    }
}

fn constraint_word(kind: ConstraintKind) -> &'static str {
    match kind {
        ConstraintKind::Init => "INIT",
        ConstraintKind::Trans => "TRANS",
        ConstraintKind::Invar => "INVAR",
        ConstraintKind::Justice => "JUSTICE",
    }
}
