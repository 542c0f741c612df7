//! Random small machines, as text.

use specwright_model::interp::Random;
use std::fmt::Write as _;

/// The random machine of a seed.
pub(crate) fn machine(seed: u64) -> String {
    // Every other machine has one of three shared functions; more would give too many states.
    let shared = ["", "hb", "", "hc", "", "hg"][(seed % 6) as usize];
    let mut maker = Maker { random: Random::new(seed), shared, colors: Vec::new(), n_vars: 0 };
    maker.machine()
}

struct Maker {
    random: Random,
    /// The shared function that is used.
    shared: &'static str,
    /// The variables that range over colours.
    colors: Vec<String>,
    n_vars: usize,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(u128::from(n)) as u64
    }

    fn machine(&mut self) -> String {
        let mut text = "asm random\nimport StandardLibrary\nsignature:\n\
            \tenum domain Color = {RED | GREEN | BLUE}\n\tdomain Num subsetof Integer\n\
            \tmonitored mb: Boolean\n\tmonitored mc: Color\n\
            \tcontrolled b: Boolean\n\tcontrolled c: Color\n\tcontrolled n: Num\n\
            \tcontrolled f: Color -> Num\n\tcontrolled g: Color -> Boolean\n\
            \tcontrolled s: Seq(Color)\n\tcontrolled y: Any\n\
            \tshared hb: Boolean\n\tshared hc: Color\n\tshared hg: Boolean -> Boolean\n\tcontrolled z: Rule\n\
            \tderived d: Boolean\n\tderived e: Color -> Boolean\n\
            definitions:\n\tdomain Num = {0 : 3}\n"
            .to_owned();
        // Derived functions refer to earlier ones only.
        let condition = self.plain_truth(2);
        let _ = writeln!(text, "\tfunction d = {condition}");
        self.colors.push("$p".into());
        let condition = self.plain_truth(2);
        self.colors.clear();
        let _ = writeln!(text, "\tfunction e($p in Color) = {condition}");
        let body = self.rule(2, false);
        let _ = writeln!(text, "\trule r_plain = {body}\n\trule r_idle = b := mb");
        self.colors.push("$q".into());
        let body = self.rule(2, false);
        self.colors.clear();
        let _ = writeln!(text, "\trule r_color($q in Color) = {body}");
        let body = self.rule(1, false);
        let _ = writeln!(text, "\trule r_given($t in Boolean) = par $t := mb {body} endpar");
        text += "\trule r_apply($r in Rule(Color), $a in Color) = $r[$a]\n\
                 \trule r_again($r in Rule) = par $r[] if mb then $r endif endpar\n";
        let body = self.rule(4, true);
        let _ = writeln!(text, "\tmain rule r_Main = {body}");
        text += "default init s0:\n";
        let inits = [
            "function b = true",
            "function c = GREEN",
            "function n = 1",
            "function f($x in Color) = if $x = RED then 2 endif",
            "function g($x in Color) = $x = BLUE",
            "function s = [RED, BLUE]",
            "function y = 2",
            "function z = <<r_plain>>",
            "function hb = true",
            "function hg($x in Boolean) = if $x then false endif",
            "function mb = true",
            "function mc = if b then BLUE endif",
        ];
        for init in inits {
            if self.below(4) > 0 {
                let _ = writeln!(text, "\t{init}");
            }
        }
        text
    }

    fn pick(&mut self, options: &[&str]) -> String {
        options[self.below(options.len() as u64) as usize].into()
    }

    fn rule(&mut self, depth: usize, calls: bool) -> String {
        if depth == 0 {
            return self.update();
        }
        match self.below(if calls { 18 } else { 10 }) {
            0 | 1 => format!("par {} {} endpar", self.rule(depth - 1, calls), self.rule(depth - 1, calls)),
            2 => format!("seq {} {} endseq", self.rule(depth - 1, calls), self.rule(depth - 1, calls)),
            3 => format!("if {} then {} endif", self.truth(2), self.rule(depth - 1, calls)),
            4 => format!(
                "if {} then {} else {} endif",
                self.truth(2),
                self.rule(depth - 1, calls),
                self.rule(depth - 1, calls)
            ),
            5 => {
                let scrutinee = self.color(1);
                format!(
                    "switch {scrutinee} case RED: {} case BLUE: {} otherwise {} endswitch",
                    self.rule(depth - 1, calls),
                    self.rule(depth - 1, calls),
                    self.rule(depth - 1, calls)
                )
            }
            6 => {
                let value = self.color(1);
                self.with_color(|maker, var| {
                    format!("let ({var} = {value}) in {} endlet", maker.rule(depth - 1, calls))
                })
            }
            7 => self.with_color(|maker, var| {
                format!("forall {var} in Color with {} do {}", maker.truth(1), maker.rule(depth - 1, calls))
            }),
            8 => {
                let none = if self.below(2) == 0 { format!(" ifnone {}", self.update()) } else { String::new() };
                self.with_color(|maker, var| {
                    format!("choose {var} in Color with {} do {}{none}", maker.truth(1), maker.rule(depth - 1, calls))
                })
            }
            9 => self.update(),
            13 => format!("while n < {} do par n := n + 1 {} endpar", self.below(4), self.flip()),
            10 => "r_plain[]".into(),
            14 => format!("r_apply[<<r_color(Color)>>, {}]", self.color(1)),
            15 => "r_again[<<r_plain>>]".into(),
            16 => format!("r_again[if {} then <<r_plain>> else z endif]", self.truth(1)),
            17 => format!("par z[] z := {} endpar", self.pick(&["<<r_plain>>", "<<r_idle>>", "undef", "z"])),
            11 => format!("r_color[{}]", self.color(1)),
            _ => format!("r_given[{}]", if self.below(2) == 0 { "b".into() } else { format!("g({})", self.color(1)) }),
        }
    }

    fn with_color(&mut self, make: impl FnOnce(&mut Self, &str) -> String) -> String {
        self.n_vars += 1;
        let var = format!("$v{}", self.n_vars);
        self.colors.push(var.clone());
        let text = make(self, &var);
        self.colors.pop();
        text
    }

    fn update(&mut self) -> String {
        match self.below(11) {
            8..=10 => match self.shared {
                "hb" => format!("hb := {}", self.truth(1)),
                "hc" => format!("hc := {}", if self.below(6) == 0 { "undef".into() } else { self.color(1) }),
                "hg" => format!("hg({}) := {}", self.truth(1), self.truth(1)),
                _ => "skip".into(),
            },
            6 => format!("s := {}", self.sequence(2)),
            7 => match self.below(5) {
                0 => "y := undef".into(),
                1 => format!("y := {}", self.truth(1)),
                2 => format!("y := {}", self.color(1)),
                _ => format!("y := {}", self.number(1)),
            },
            0 => format!("b := {}", self.truth(2)),
            1 => format!("c := {}", if self.below(6) == 0 { "undef".into() } else { self.color(2) }),
            2 => format!("n := {}", if self.below(6) == 0 { "undef".into() } else { self.number(2) }),
            3 => format!("f({}) := {}", self.color(1), self.number(2)),
            4 => format!("g({}) := {}", self.color(1), self.truth(2)),
            _ => "skip".into(),
        }
    }

    /// An update of a boolean location.
    fn flip(&mut self) -> String {
        format!("g({}) := {}", self.color(1), self.truth(1))
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => "d".into(),
            1 => format!("e({})", self.color(1)),
            _ => self.plain_truth(depth),
        }
    }

    fn plain_truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match (self.below(6), self.shared) {
                (0, "hb") => "hb".into(),
                (0, "hg") => "hg(mb)".into(),
                _ => self.pick(&["b", "mb", "true", "false"]),
            };
        }
        match self.below(16) {
            15 => self.pick(&["(z = <<r_plain>>)", "isDef(z)", "(z = undef)"]),
            10 => format!("contains(s, {})", self.color(depth - 1)),
            11 => "isEmpty(s)".into(),
            12 => format!("(s = {})", self.sequence(depth - 1)),
            13 => format!("(y = {})", self.color(depth - 1)),
            14 => format!("(y = {})", self.number(depth - 1)),
            0 => format!("({} and {})", self.plain_truth(depth - 1), self.plain_truth(depth - 1)),
            1 => format!("({} or {})", self.plain_truth(depth - 1), self.plain_truth(depth - 1)),
            2 => format!("({} implies {})", self.plain_truth(depth - 1), self.plain_truth(depth - 1)),
            3 => format!("(not {})", self.plain_truth(depth - 1)),
            4 => format!("({} = {})", self.color(depth - 1), self.color(depth - 1)),
            5 => format!(
                "({} {} {})",
                self.number(depth - 1),
                self.pick(&["<", "<=", ">", ">=", "=", "!="]),
                self.number(depth - 1)
            ),
            6 => format!("g({})", self.color(depth - 1)),
            7 => self.with_color(|maker, var| format!("(exist {var} in Color with {})", maker.plain_truth(depth - 1))),
            8 => self.with_color(|maker, var| format!("(forall {var} in Color with {})", maker.plain_truth(depth - 1))),
            _ => format!("isDef({})", if self.below(2) == 0 { self.color(depth - 1) } else { self.number(depth - 1) }),
        }
    }

    fn color(&mut self, depth: usize) -> String {
        if depth > 0 && self.below(5) == 0 {
            return format!(
                "if {} then {} else {} endif",
                self.plain_truth(depth - 1),
                self.color(depth - 1),
                self.color(depth - 1)
            );
        }
        let vars = self.colors.clone();
        let at = self.below(7 + 2 * vars.len() as u64) as usize;
        match at {
            6 if self.shared == "hc" => "hc".into(),
            4 => self.pick(&["first(s)", "last(s)"]),
            5 => format!("at(s, {})", self.number(0)),
            0 | 6 => "c".into(),
            1 => "mc".into(),
            2 | 3 => self.pick(&["RED", "GREEN", "BLUE"]),
            at => vars[(at - 7) / 2].clone(),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth > 0 {
            match self.below(8) {
                0 => return format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
                1 => return format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
                2 => return format!("({} mod {})", self.number(depth - 1), self.number(depth - 1)),
                3 => return format!("f({})", self.color(depth - 1)),
                4 => return format!("count(s, {})", self.color(depth - 1)),
                _ => {}
            }
        }
        self.pick(&["n", "n", "0", "1", "2", "3", "length(s)"])
    }

    fn sequence(&mut self, depth: usize) -> String {
        if depth > 0 && self.below(6) == 0 {
            let (then, otherwise) = (self.sequence(depth - 1), self.sequence(depth - 1));
            return format!("if {} then {then} else {otherwise} endif", self.plain_truth(depth - 1));
        }
        match self.below(10) {
            0 => "[]".into(),
            1 => "undef".into(),
            2 => format!("[{}, {}]", self.color(0), self.color(0)),
            3 => "tail(s)".into(),
            4 => format!("excluding(s, {})", self.color(0)),
            5 => format!("replaceAt(s, {}, {})", self.number(0), self.color(0)),
            6 => format!("subSequence(s, {}, {})", self.number(0), self.number(0)),
            7 => format!("if length(s) < 3 then append(s, {}) else s endif", self.color(0)),
            8 => format!("if length(s) < 2 then prepend({}, s) else [] endif", self.color(0)),
            _ => "s".into(),
        }
    }
}
