//! Random models, as SMV text.

use super::exprs::{Kind, Name, Scope, Writer};
use crate::interp::Random;
use std::fmt::Write;

/// Options of random models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Maximal number of states, counting all combinations of values.
    pub max_states: u64,
    /// Percentage of models with input variables.
    pub inputs: u32,
    /// Percentage of models with justice constraints.
    pub justice: u32,
    /// Percentage of models with compassion constraints.
    pub compassion: u32,
    /// Whether there are word variables.
    pub words: bool,
    /// Whether to use features of NuSMV 2.6 that 2.5 lacks: bounded operators and next values in LTL, `abs`, `min`,
    /// `max`.
    pub since_2_6: bool,
    /// Percentage of models with properties that may be undefined, such as by a division by zero.
    pub partial: u32,
    /// Number of CTL formulas.
    pub ctl: usize,
    /// Number of LTL formulas.
    pub ltl: usize,
    /// Number of invariants.
    pub invar: usize,
    /// Number of `COMPUTE` properties.
    pub compute: usize,
    /// Nesting depth of temporal operators.
    pub depth: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_states: 200,
            inputs: 50,
            justice: 35,
            compassion: 20,
            words: true,
            since_2_6: true,
            partial: 0,
            ctl: 3,
            ltl: 3,
            invar: 2,
            compute: 1,
            depth: 3,
        }
    }
}

impl Options {
    /// Only features of both NuSMV 2.5 and 2.6.
    pub fn both_versions() -> Options {
        Options { since_2_6: false, ..Options::default() }
    }
}

/// The random model of a seed.
pub fn random_smv(seed: u64) -> String {
    random_smv_with(seed, &Options::default())
}

/// The random model of a seed, with options.
pub fn random_smv_with(seed: u64, options: &Options) -> String {
    let mut random = Random::new(seed);
    let mut model =
        Draft { options, random: &mut random, vars: Vec::new(), array: None, defines: Vec::new(), of_step: None };
    model.declare();
    model.write()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    State,
    Frozen,
    Input,
}

struct DraftVar {
    name: String,
    kind: Kind,
    role: Role,
}

struct DraftDefine {
    name: Name,
    body: String,
    /// Whether it reads inputs.
    input: bool,
}

struct Draft<'a> {
    options: &'a Options,
    random: &'a mut Random,
    /// The variables in dependency order; they are declared in another order.
    vars: Vec<DraftVar>,
    /// The index of the first element of an array of two booleans.
    array: Option<usize>,
    defines: Vec<DraftDefine>,
    /// A define that reads next values, for properties.
    of_step: Option<Name>,
}

impl Draft<'_> {
    /// Chooses the variables.
    fn declare(&mut self) {
        let mut room = 2 + u64::try_from(self.random.below(u128::from(self.options.max_states - 1))).unwrap_or(0);
        for index in 0..=self.random.index(5) {
            let kind = self.kind();
            if kind.size() <= room || index == 0 {
                room /= kind.size();
                let role = if index > 0 && self.random.percent(8) { Role::Frozen } else { Role::State };
                self.vars.push(DraftVar { name: format!("v{index}"), kind, role });
            }
        }
        if room >= 4 && self.random.percent(25) {
            self.array = Some(self.vars.len());
            for element in 0..2 {
                self.vars.push(DraftVar { name: format!("a[{element}]"), kind: Kind::Bool, role: Role::State });
            }
        }
        if self.random.percent(self.options.inputs) {
            for index in 0..=self.random.index(2) {
                let kind = match self.random.index(4) {
                    0 => Kind::Range(0, 2),
                    1 => Kind::Symbols(vec!["red", "green"]),
                    _ => Kind::Bool,
                };
                self.vars.push(DraftVar { name: format!("i{index}"), kind, role: Role::Input });
            }
        }
    }

    fn kind(&mut self) -> Kind {
        match self.random.index(12) {
            0..=3 => Kind::Bool,
            4..=6 => {
                let first = i64::try_from(self.random.index(4)).unwrap_or(0) - 2;
                Kind::Range(first, first + 1 + i64::try_from(self.random.index(4)).unwrap_or(0))
            }
            7 => Kind::Numbers([vec![0, 2], vec![1, 3, 5], vec![-1, 4]][self.random.index(3)].clone()),
            8 => Kind::Symbols(vec!["red", "green", "blue"]),
            9 => Kind::Symbols([vec!["green", "blue"], vec!["red", "3"]][self.random.index(2)].clone()),
            _ if !self.options.words => Kind::Bool,
            10 => Kind::Word { signed: false, width: 1 + self.random.index(3) as u8 },
            _ => Kind::Word { signed: true, width: 1 + self.random.index(3) as u8 },
        }
    }

    /// The first `now` variables in the current state and the first `next` in the next state.
    fn scope(&self, now: usize, next: usize, inputs: bool) -> Scope {
        let mut scope = Scope { new_builtins: self.options.since_2_6, ..Scope::default() };
        let is_state = |var: &&DraftVar| var.role != Role::Input;
        for var in self.vars.iter().take(now).filter(|var| inputs || is_state(var)) {
            scope.names.push(Name { text: var.name.clone(), kind: var.kind.clone() });
        }
        for var in self.vars.iter().take(next).filter(is_state) {
            scope.names.push(Name { text: format!("next({})", var.name), kind: var.kind.clone() });
        }
        if self.array.is_some_and(|first| first + 2 <= now) {
            scope.arrays.push("a".into());
        }
        scope
    }

    /// All state variables and all defines.
    fn full_scope(&self, inputs: bool) -> Scope {
        let mut scope = self.scope(self.vars.len(), 0, inputs);
        let usable = self.defines.iter().filter(|define| inputs || !define.input);
        scope.names.extend(usable.map(|define| define.name.clone()));
        scope
    }

    /// A scope with next values.
    fn step_scope(&self, inputs: bool) -> Scope {
        let mut scope = self.full_scope(inputs);
        scope.names.extend(self.scope(0, self.vars.len(), false).names);
        scope
    }

    /// A scope for formulas over steps: next values of variables and defines, also through a define.
    fn next_scope(&self, inputs: bool) -> Scope {
        let mut scope = self.step_scope(inputs);
        for define in self.defines.iter().filter(|define| !define.input) {
            let Name { text, kind } = &define.name;
            scope.names.push(Name { text: format!("next({text})"), kind: kind.clone() });
        }
        scope.names.extend(self.of_step.clone());
        scope
    }

    fn writer(&mut self) -> Writer<'_> {
        Writer { random: self.random }
    }

    fn write(mut self) -> String {
        let mut text = String::from("MODULE main\n");
        self.write_vars(&mut text);
        self.write_defines(&mut text);
        self.write_assigns(&mut text);
        self.write_constraints(&mut text);
        self.write_properties(&mut text);
        text
    }

    fn write_vars(&mut self, text: &mut String) {
        let mut order: Vec<usize> = (0..self.vars.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.random.index(last + 1));
        }
        for (role, section) in [(Role::State, "VAR"), (Role::Frozen, "FROZENVAR"), (Role::Input, "IVAR")] {
            let chosen = order.iter().filter(|index| self.vars[**index].role == role);
            let mut lines = String::new();
            for index in chosen {
                let var = &self.vars[*index];
                match self.array {
                    Some(first) if *index == first => lines.push_str("  a : array 0..1 of boolean;\n"),
                    Some(first) if *index == first + 1 => {}
                    _ => {
                        let _ = writeln!(lines, "  {} : {};", var.name, var.kind.declaration());
                    }
                }
            }
            if !lines.is_empty() {
                let _ = write!(text, "{section}\n{lines}");
            }
        }
    }

    fn write_defines(&mut self, text: &mut String) {
        for index in 0..self.random.index(3) {
            let input = self.random.percent(30);
            let scope = self.full_scope(input);
            let (kind, body) = match self.random.index(3) {
                // The range of an integer define is not known, so it is used only where any integer is allowed.
                0 => (Kind::Range(-1000, 1000), self.writer().int(&scope, 1)),
                _ => (Kind::Bool, self.writer().bool(&scope, 2)),
            };
            let input = input && self.vars.iter().any(|var| var.role == Role::Input);
            self.defines.push(DraftDefine { name: Name { text: format!("d{index}"), kind }, body, input });
        }
        if !self.defines.is_empty() {
            *text += "DEFINE\n";
            for define in &self.defines {
                let _ = writeln!(text, "  {} := {};", define.name.text, define.body);
            }
        }
    }

    fn write_assigns(&mut self, text: &mut String) {
        let mut lines = String::new();
        for index in 0..self.vars.len() {
            let (name, kind, role) =
                (self.vars[index].name.clone(), self.vars[index].kind.clone(), self.vars[index].role);
            let always = role == Role::State && self.random.percent(8);
            // Values of one state may depend on those of earlier variables.
            let before = self.scope(index, 0, false);
            if always {
                let value = self.writer().within(&kind, &before, 2, true);
                let _ = writeln!(lines, "  {name} := {value};");
            }
            if role != Role::Input && !always && self.random.percent(55) {
                let value = self.writer().within(&kind, &before, 1, true);
                let _ = writeln!(lines, "  init({name}) := {value};");
            }
            if role == Role::State && !always && self.random.percent(85) {
                let mut scope = self.full_scope(true);
                scope.names.extend(self.scope(0, index, false).names);
                let moves = self.random.percent(45);
                let mut writer = self.writer();
                let value =
                    if moves { writer.moves(&name, &kind, &scope) } else { writer.within(&kind, &scope, 2, true) };
                let _ = writeln!(lines, "  next({name}) := {value};");
            }
        }
        if !lines.is_empty() {
            let _ = write!(text, "ASSIGN\n{lines}");
        }
    }

    fn write_constraints(&mut self, text: &mut String) {
        let states = self.full_scope(false);
        let steps = self.step_scope(true);
        if self.random.percent(20) {
            let (a, b) = (self.writer().bool(&states, 1), self.writer().bool(&states, 1));
            let _ = writeln!(text, "INIT ({a}) | ({b});");
        }
        if self.random.percent(15) {
            let (a, b) = (self.writer().bool(&states, 1), self.writer().bool(&states, 1));
            let _ = writeln!(text, "INVAR ({a}) | ({b});");
        }
        if self.random.percent(30) {
            for _ in 0..=self.random.index(2) {
                let [a, b, c] = [0; 3].map(|_| self.writer().bool(&steps, 1));
                // Most constraints are weak, so that most models have states left.
                let constraint = match self.random.index(6) {
                    0 => format!("({a}) & ({b})"),
                    1 => format!("({a}) -> ({b})"),
                    _ => format!("({a}) & ({b}) -> ({c})"),
                };
                let _ = writeln!(text, "TRANS {constraint};");
            }
        }
        let fair = self.full_scope(true);
        if self.random.percent(self.options.justice) {
            for _ in 0..=self.random.index(2) {
                let (a, b) = (self.writer().bool(&fair, 0), self.writer().bool(&fair, 1));
                let constraint = if self.random.percent(60) { a } else { format!("({a}) | ({b})") };
                let _ = writeln!(text, "FAIRNESS {constraint};");
            }
        }
        if self.random.percent(self.options.compassion) {
            let (a, b) = (self.writer().bool(&fair, 1), self.writer().bool(&fair, 1));
            let _ = writeln!(text, "COMPASSION (({a}), ({b}));");
        }
    }

    fn write_properties(&mut self, text: &mut String) {
        if self.options.since_2_6 && self.random.percent(30) {
            let inputs = self.random.percent(50);
            let scope = self.next_scope(inputs);
            let body = self.writer().bool(&scope, 1);
            let _ = writeln!(text, "DEFINE of_step := {body};");
            self.of_step = Some(Name { text: "of_step".into(), kind: Kind::Bool });
        }
        let with_inputs = self.options.since_2_6 && self.random.percent(50);
        let scopes =
            [self.full_scope(false), self.full_scope(true), self.step_scope(true), self.next_scope(with_inputs)];
        let partial = self.options.partial > 0 && self.random.percent(self.options.partial);
        let [states, inputs, steps, nexts] = scopes.map(|scope| Scope { partial, ..scope });
        let (depth, bounded) = (self.options.depth, self.options.since_2_6);
        for _ in 0..self.options.ctl {
            let depth = 1 + self.random.index(depth as usize) as u32;
            let _ = writeln!(text, "SPEC {};", self.writer().ctl(&states, depth));
        }
        for _ in 0..self.options.compute {
            let op = *self.random.pick(&["MIN", "MAX"]);
            let (a, b) = (self.writer().bool(&states, 1), self.writer().bool(&states, 1));
            let _ = writeln!(text, "COMPUTE {op} [({a}), ({b})];");
        }
        for _ in 0..self.options.ltl {
            let depth = 1 + self.random.index(depth as usize) as u32;
            // NuSMV 2.5 has no next values here, and its answers on the models of these seeds are recorded.
            let scope = match bounded {
                false if self.random.percent(50) => &states,
                false => &inputs,
                true => [&states, &states, &inputs, &nexts][self.random.index(4)],
            };
            let _ = writeln!(text, "LTLSPEC {};", self.writer().ltl(scope, depth, bounded));
        }
        for _ in 0..self.options.invar {
            let scope = [&states, &states, &inputs, &steps][self.random.index(4)];
            let _ =
                writeln!(text, "INVARSPEC ({}) | ({});", self.writer().bool(scope, 2), self.writer().bool(scope, 1));
        }
    }
}
