//! Random CTL and LTL formulas, as SMV text.

use super::exprs::{Scope, Writer};

impl Writer<'_> {
    /// A CTL formula with at most `depth` levels of operators.
    pub(super) fn ctl(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 || self.random.percent(5) {
            let levels = self.random.index(2) as u32;
            return format!("({})", self.bool(scope, levels));
        }
        let depth = depth - 1;
        match self.random.index(20) {
            0..=8 => {
                let op = *self.random.pick(&["EX", "AX", "EF", "AF", "EG", "AG"]);
                format!("{op} ({})", self.ctl(scope, depth))
            }
            9..=11 => {
                let op = *self.random.pick(&["E", "A"]);
                format!("{op} [({}) U ({})]", self.ctl(scope, depth), self.ctl(scope, depth))
            }
            12 | 13 => {
                let op = *self.random.pick(&["EBF", "ABF", "EBG", "ABG"]);
                let low = self.random.index(3);
                let high = low + self.random.index(4);
                format!("{op} {low}..{high} ({})", self.ctl(scope, depth))
            }
            14 => {
                let op = *self.random.pick(&["E", "A"]);
                let low = self.random.index(3);
                let high = low + self.random.index(4);
                format!("{op} [({}) BU {low}..{high} ({})]", self.ctl(scope, depth), self.ctl(scope, depth))
            }
            15 => format!("!({})", self.ctl(scope, depth)),
            _ => self.connective(|writer| writer.ctl(scope, depth)),
        }
    }

    /// An LTL formula with at most `depth` levels of operators.
    pub(super) fn ltl(&mut self, scope: &Scope, depth: u32, bounded: bool) -> String {
        if depth == 0 || self.random.percent(5) {
            let levels = self.random.index(2) as u32;
            return format!("({})", self.bool(scope, levels));
        }
        let depth = depth - 1;
        match self.random.index(20) {
            0..=7 => {
                let op = *self.random.pick(&["X", "F", "G", "X", "F", "G", "Y", "Z", "O", "H"]);
                format!("{op} ({})", self.ltl(scope, depth, bounded))
            }
            8..=12 => {
                let op = *self.random.pick(&["U", "U", "V", "S", "T"]);
                format!("(({}) {op} ({}))", self.ltl(scope, depth, bounded), self.ltl(scope, depth, bounded))
            }
            13 if bounded => {
                let op = *self.random.pick(&["F", "G", "O", "H"]);
                let low = self.random.index(2);
                let high = low + self.random.index(3);
                format!("{op} [{low},{high}] ({})", self.ltl(scope, depth, bounded))
            }
            14 => format!("!({})", self.ltl(scope, depth, bounded)),
            _ => self.connective(|writer| writer.ltl(scope, depth, bounded)),
        }
    }

    fn connective(&mut self, mut part: impl FnMut(&mut Self) -> String) -> String {
        let op = *self.random.pick(&["&", "|", "->", "->", "<->", "xor"]);
        format!("(({}) {op} ({}))", part(self), part(self))
    }
}
