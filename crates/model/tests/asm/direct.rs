//! A direct interpreter of machines, as in the textbook: rules are executed on states of values.
//!
//! It shares only the tree and the type of values with the lowering, so that the two can be compared.

use specwright_model::lower::asm::Const;
use specwright_syntax::asm::ast::{BinaryOp, Binder, File, RuleId, RuleKind, TermId, TermKind};
use specwright_syntax::span::Span;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Location = (String, Vec<Const>);
pub(crate) type Values = BTreeMap<Location, Const>;
type Vars = Vec<(String, Bound)>;

/// The meaning of a variable: a value, or a term of the caller's environment.
#[derive(Clone)]
enum Bound {
    Value(Const),
    Term(TermId, Vars),
}

/// One possible execution of a rule.
#[derive(Clone, Default)]
pub(crate) struct Outcome {
    pub(crate) updates: BTreeMap<Location, Const>,
    /// Whether updates are inconsistent.
    pub(crate) clash: bool,
    /// The spans of the executed rules, and of the updates that changed a value.
    pub(crate) executed: BTreeSet<Span>,
    pub(crate) changed: BTreeSet<Span>,
}

pub(crate) struct Machine<'a> {
    pub(crate) file: &'a File,
}

impl Machine<'_> {
    /// The possible executions of a step.
    pub(crate) fn outcomes(&self, state: &Values) -> Vec<Outcome> {
        let main = self.file.main.expect("there is a main rule");
        self.execute(self.file.rules[main].body, state, &Vec::new())
    }

    /// Whether a value is in the domain of a location.
    pub(crate) fn fits(&self, location: &Location, value: &Const) -> bool {
        let decl = self.file.functions.iter().find(|decl| *decl.name.text == *location.0).expect("declared");
        let anything = ["Seq", "Any", "Rule"].contains(&&*decl.codomain.name.text);
        anything || *value == Const::Undef || self.domain(&decl.codomain.name.text).contains(value)
    }

    pub(crate) fn domain(&self, name: &str) -> Vec<Const> {
        use specwright_syntax::asm::ast::DomainKind;
        if name == "Boolean" {
            return vec![Const::Bool(false), Const::Bool(true)];
        }
        let decl = self.file.domains.iter().find(|decl| &*decl.name.text == name).expect("declared");
        if let DomainKind::Enum(items) = &decl.kind {
            items.iter().map(|item| Const::Atom(item.text.clone())).collect()
        } else {
            let def = self.file.domain_defs.iter().find(|def| &*def.name.text == name).expect("defined");
            match self.eval(def.body, &Values::new(), &Vec::new()) {
                Const::Set(items) => items,
                other => panic!("{other} is no set"),
            }
        }
    }

    /// The initial value of a location; the values that it depends on are given.
    pub(crate) fn initial(&self, location: &Location, state: &Values) -> Const {
        let def = self.file.inits[0].function_defs.iter().find(|def| *def.name.text == *location.0);
        let Some(def) = def else { return Const::Undef };
        let params = def.params.iter().zip(&location.1);
        let vars = params.map(|(param, arg)| (param.var.text.to_string(), Bound::Value(arg.clone()))).collect();
        self.eval(def.body, state, &vars)
    }

    fn execute(&self, rule: RuleId, state: &Values, vars: &Vars) -> Vec<Outcome> {
        let node = &self.file[rule];
        let mut outcomes = match &node.kind {
            RuleKind::Skip => vec![Outcome::default()],
            RuleKind::Update(location, value) => {
                let (location, value) = (self.location(*location, state, vars), self.eval(*value, state, vars));
                let mut outcome = Outcome::default();
                if location.1.iter().all(|arg| *arg != Const::Undef) {
                    let old = state.get(&location).cloned().unwrap_or(Const::Undef);
                    if old != value {
                        outcome.changed.insert(node.span);
                    }
                    outcome.updates.insert(location, value);
                }
                vec![outcome]
            }
            RuleKind::Par(rules) => {
                let all: Vec<Vec<Outcome>> = rules.iter().map(|rule| self.execute(*rule, state, vars)).collect();
                together(all)
            }
            RuleKind::Seq(rules) => {
                let mut outcomes = vec![Outcome::default()];
                for rule in rules {
                    let mut more = Vec::new();
                    for before in &outcomes {
                        let mut state = state.clone();
                        state.extend(before.updates.clone());
                        for after in self.execute(*rule, &state, vars) {
                            let mut both = before.clone();
                            both.clash |= after.clash;
                            both.executed.extend(after.executed);
                            both.changed.extend(after.changed);
                            both.updates.extend(after.updates);
                            more.push(both);
                        }
                    }
                    outcomes = more;
                }
                outcomes
            }
            RuleKind::While(condition, body) => self.repeat(*condition, *body, 16, state, vars),
            RuleKind::If(condition, then, otherwise) => {
                if self.eval(*condition, state, vars) == Const::Bool(true) {
                    self.execute(*then, state, vars)
                } else {
                    otherwise.map_or_else(|| vec![Outcome::default()], |rule| self.execute(rule, state, vars))
                }
            }
            RuleKind::Switch(scrutinee, cases, otherwise) => {
                let scrutinee = self.eval(*scrutinee, state, vars);
                let taken = cases.iter().find(|(value, _)| self.eval(*value, state, vars) == scrutinee);
                let taken = taken.map(|(_, rule)| *rule).or(*otherwise);
                taken.map_or_else(|| vec![Outcome::default()], |rule| self.execute(rule, state, vars))
            }
            RuleKind::Let(bindings, body) => {
                let mut vars = vars.clone();
                for (var, term) in bindings {
                    let value = self.eval(*term, state, &vars);
                    vars.push((var.text.to_string(), Bound::Value(value)));
                }
                self.execute(*body, state, &vars)
            }
            RuleKind::Forall(binders, condition, body) => {
                let cases = self.cases(binders, *condition, state, vars);
                together(cases.iter().map(|vars| self.execute(*body, state, vars)).collect())
            }
            RuleKind::Choose(binders, condition, body, none) => {
                let cases = self.cases(binders, *condition, state, vars);
                if cases.is_empty() {
                    none.map_or_else(|| vec![Outcome::default()], |rule| self.execute(rule, state, vars))
                } else {
                    cases.iter().flat_map(|vars| self.execute(*body, state, vars)).collect()
                }
            }
            RuleKind::Call(name, args) => self.call(&name.text, args, state, vars),
            RuleKind::Term(term, args) => match self.eval(*term, state, vars) {
                Const::Undef => vec![Outcome::default()],
                rule => {
                    let name = rule.to_string();
                    self.call(name.trim_start_matches("<<").trim_end_matches(">>"), args, state, vars)
                }
            },
            other => panic!("{other:?} is not made at random"),
        };
        for outcome in &mut outcomes {
            outcome.executed.insert(node.span);
        }
        outcomes
    }

    fn call(&self, name: &str, args: &[TermId], state: &Values, vars: &Vars) -> Vec<Outcome> {
        let def = self.file.rules.iter().find(|def| &*def.name.text == name).expect("declared");
        let params = def.params.iter().zip(args);
        let inner = params.map(|(param, arg)| (param.var.text.to_string(), Bound::Term(*arg, vars.clone())));
        self.execute(def.body, state, &inner.collect())
    }

    /// The possible executions of a loop, while a condition holds and there are updates.
    fn repeat(&self, condition: TermId, body: RuleId, left: usize, state: &Values, vars: &Vars) -> Vec<Outcome> {
        if self.eval(condition, state, vars) != Const::Bool(true) {
            return vec![Outcome::default()];
        }
        // A loop that does not end is no step.
        if left == 0 {
            return vec![Outcome { clash: true, ..Outcome::default() }];
        }
        let mut outcomes = Vec::new();
        for before in self.execute(body, state, vars) {
            if before.updates.is_empty() {
                outcomes.push(before);
                continue;
            }
            let mut state = state.clone();
            state.extend(before.updates.clone());
            for after in self.repeat(condition, body, left - 1, &state, vars) {
                let mut both = before.clone();
                both.clash |= after.clash;
                both.executed.extend(after.executed);
                both.changed.extend(after.changed);
                both.updates.extend(after.updates);
                outcomes.push(both);
            }
        }
        outcomes
    }

    fn location(&self, term: TermId, state: &Values, vars: &Vars) -> Location {
        match &self.file[term].kind {
            TermKind::Apply(name, args) => {
                (name.text.to_string(), args.iter().map(|arg| self.eval(*arg, state, vars)).collect())
            }
            TermKind::Var(name) => match lookup(vars, name) {
                Bound::Term(term, vars) => self.location(term, state, &vars),
                Bound::Value(value) => panic!("{value} is no location"),
            },
            other => panic!("{other:?} is no location"),
        }
    }

    fn cases(&self, binders: &[Binder], condition: Option<TermId>, state: &Values, vars: &Vars) -> Vec<Vars> {
        let mut cases = vec![vars.clone()];
        for binder in binders {
            let mut more = Vec::new();
            for vars in cases {
                let TermKind::Apply(domain, _) = &self.file[binder.range].kind else { panic!("a domain") };
                for item in self.domain(&domain.text) {
                    let mut vars = vars.clone();
                    vars.push((binder.var.text.to_string(), Bound::Value(item)));
                    more.push(vars);
                }
            }
            cases = more;
        }
        cases.retain(|vars| condition.is_none_or(|condition| self.eval(condition, state, vars) == Const::Bool(true)));
        cases
    }

    fn eval(&self, term: TermId, state: &Values, vars: &Vars) -> Const {
        let eval = |term: TermId| self.eval(term, state, vars);
        match &self.file[term].kind {
            TermKind::Bool(value) => Const::Bool(*value),
            TermKind::Int(value) => Const::Int(*value),
            TermKind::Undef => Const::Undef,
            TermKind::Rule(name) => Const::Atom(format!("<<{}>>", name.text).into()),
            TermKind::Var(name) => match lookup(vars, name) {
                Bound::Value(value) => value,
                Bound::Term(term, vars) => self.eval(term, state, &vars),
            },
            TermKind::Apply(name, args) => self.apply(&name.text, args, state, vars),
            TermKind::Not(a) => match eval(*a) {
                Const::Bool(value) => Const::Bool(!value),
                _ => Const::Undef,
            },
            TermKind::Binary(op, a, b) => binary(*op, &eval(*a), &eval(*b)),
            TermKind::Seq(items) => Const::Seq(items.iter().map(|item| eval(*item)).collect()),
            TermKind::Range(first, last, _) => match (eval(*first), eval(*last)) {
                (Const::Int(first), Const::Int(last)) => Const::Set((first..=last).map(Const::Int).collect()),
                _ => panic!("known bounds"),
            },
            TermKind::If(condition, then, otherwise) => {
                if eval(*condition) == Const::Bool(true) {
                    eval(*then)
                } else {
                    otherwise.map_or(Const::Undef, eval)
                }
            }
            TermKind::Exists { binders, condition, .. } => {
                Const::Bool(!self.cases(binders, *condition, state, vars).is_empty())
            }
            TermKind::Forall(binders, condition) => {
                let all = self.cases(binders, None, state, vars);
                let holds =
                    |vars: &Vars| condition.is_none_or(|term| self.eval(term, state, vars) == Const::Bool(true));
                Const::Bool(all.iter().all(holds))
            }
            other => panic!("{other:?} is not made at random"),
        }
    }

    fn apply(&self, name: &str, args: &[TermId], state: &Values, vars: &Vars) -> Const {
        let args: Vec<Const> = args.iter().map(|arg| self.eval(*arg, state, vars)).collect();
        match name {
            "isDef" => return Const::Bool(args[0] != Const::Undef),
            "isUndef" => return Const::Bool(args[0] == Const::Undef),
            _ => {}
        }
        if let Some(result) = sequence_function(name, &args) {
            return result;
        }
        if let Some(def) = self.file.function_defs.iter().find(|def| &*def.name.text == name) {
            let params = def.params.iter().zip(args);
            let inner = params.map(|(param, arg)| (param.var.text.to_string(), Bound::Value(arg))).collect();
            return self.eval(def.body, state, &inner);
        }
        if self.file.functions.iter().any(|decl| &*decl.name.text == name) {
            return state.get(&(name.to_owned(), args)).cloned().unwrap_or(Const::Undef);
        }
        Const::Atom(name.into())
    }
}

/// Functions of the standard library on sequences; `None` for others.
fn sequence_function(name: &str, args: &[Const]) -> Option<Const> {
    const ALL: [&str; 12] = [
        "contains",
        "isEmpty",
        "length",
        "count",
        "first",
        "last",
        "at",
        "tail",
        "excluding",
        "replaceAt",
        "subSequence",
        "append",
    ];
    let (seq, args) = match (name, args) {
        ("prepend", [item, seq]) => (seq, std::slice::from_ref(item)),
        (_, [seq, args @ ..]) if ALL.contains(&name) => (seq, args),
        _ => return None,
    };
    let items = match seq {
        Const::Seq(items) => items.clone(),
        _ => Vec::new(),
    };
    let there = |value: Const| if *seq == Const::Undef { Const::Undef } else { value };
    let int = |n: usize| Const::Int(i64::try_from(n).expect("sequences are short"));
    let place = |at: usize| if let Const::Int(n) = args[at] { usize::try_from(n).ok() } else { None };
    Some(match name {
        "contains" => Const::Bool(items.contains(&args[0])),
        "isEmpty" => Const::Bool(items.is_empty()),
        "length" => there(int(items.len())),
        "count" => int(items.iter().filter(|item| **item == args[0]).count()),
        "first" => items.first().cloned().unwrap_or(Const::Undef),
        "last" => items.last().cloned().unwrap_or(Const::Undef),
        "at" => place(0).and_then(|at| items.get(at).cloned()).unwrap_or(Const::Undef),
        "tail" => there(Const::Seq(items.into_iter().skip(1).collect())),
        "excluding" => there(Const::Seq(items.into_iter().filter(|item| *item != args[0]).collect())),
        "append" => there(Const::Seq(items.into_iter().chain(args.to_vec()).collect())),
        "prepend" => there(Const::Seq(args.iter().cloned().chain(items).collect())),
        "replaceAt" => match place(0).filter(|at| *at < items.len()) {
            Some(at) => {
                let mut items = items;
                items[at] = args[1].clone();
                Const::Seq(items)
            }
            None => Const::Undef,
        },
        _ => match (place(0), place(1)) {
            (Some(first), Some(last)) if first <= last && last <= items.len() => {
                there(Const::Seq(items[first..last].to_vec()))
            }
            _ => Const::Undef,
        },
    })
}

fn lookup(vars: &Vars, name: &str) -> Bound {
    vars.iter().rev().find(|(known, _)| known == name).expect("variables are bound").1.clone()
}

/// All combinations of one outcome of each.
fn together(all: Vec<Vec<Outcome>>) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::default()];
    for options in all {
        let mut more = Vec::new();
        for so_far in &outcomes {
            for option in &options {
                let mut both = so_far.clone();
                both.clash |= option.clash;
                both.executed.extend(option.executed.iter().copied());
                both.changed.extend(option.changed.iter().copied());
                for (location, value) in &option.updates {
                    let old = both.updates.insert(location.clone(), value.clone());
                    both.clash |= old.is_some_and(|old| old != *value);
                }
                more.push(both);
            }
        }
        outcomes = more;
    }
    outcomes
}

fn binary(op: BinaryOp, a: &Const, b: &Const) -> Const {
    let truth = |value: &Const| *value == Const::Bool(true);
    match op {
        BinaryOp::Eq => return Const::Bool(a == b),
        BinaryOp::Ne => return Const::Bool(a != b),
        BinaryOp::And => return Const::Bool(truth(a) && truth(b)),
        BinaryOp::Or => return Const::Bool(truth(a) || truth(b)),
        BinaryOp::Xor => return Const::Bool(truth(a) != truth(b)),
        BinaryOp::Implies => return Const::Bool(!truth(a) || truth(b)),
        BinaryOp::Iff => return Const::Bool(truth(a) == truth(b)),
        _ => {}
    }
    let (Const::Int(a), Const::Int(b)) = (a, b) else { return Const::Undef };
    match op {
        BinaryOp::Lt => Const::Bool(a < b),
        BinaryOp::Le => Const::Bool(a <= b),
        BinaryOp::Gt => Const::Bool(a > b),
        BinaryOp::Ge => Const::Bool(a >= b),
        BinaryOp::Add => Const::Int(a + b),
        BinaryOp::Sub => Const::Int(a - b),
        BinaryOp::Mul => Const::Int(a * b),
        BinaryOp::Mod => b.checked_abs().filter(|b| *b != 0).map_or(Const::Undef, |_| Const::Int(a % b)),
        other => panic!("{other:?} is not made at random"),
    }
}
