//! Witnesses in AIGER's format, and their replay gate by gate.
//!
//! A witness shows that a property fails: the values of the latches at the start, then those of the inputs, a line for
//! each step. That of a justice property goes on forever: it ends where a state comes again.

use super::ast::{Circuit, Signal};

/// The property that a witness is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The bad state with this number is reached.
    Bad(usize),
    /// All signals of the justice property with this number are true infinitely often.
    Justice(usize),
}

/// An execution on which a property fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The property.
    pub claim: Claim,
    /// The first values of the latches.
    pub latches: Vec<bool>,
    /// The values of the inputs in each step, the last one included.
    pub inputs: Vec<Vec<bool>>,
}

impl Witness {
    /// The witness as text.
    pub fn print(&self) -> String {
        let (kind, number) = match self.claim {
            Claim::Bad(number) => ('b', number),
            Claim::Justice(number) => ('j', number),
        };
        let mut text = format!("1\n{kind}{number}\n");
        for bits in std::iter::once(&self.latches).chain(&self.inputs) {
            text.extend(bits.iter().map(|bit| if *bit { '1' } else { '0' }));
            text.push('\n');
        }
        text.push_str(".\n");
        text
    }

    /// A witness from its text, or what is wrong with it. Values that are left open (`x`) are 0.
    pub fn parse(text: &str) -> Result<Witness, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with(['u', 'c']));
        if lines.next() != Some("1") {
            return Err("a witness begins with the line `1`".into());
        }
        let property = lines.next().unwrap_or_default();
        let number = |text: &str| text.parse().map_err(|_| format!("`{property}` is not a property such as `b0`"));
        let claim = match property.split_at_checked(1) {
            Some(("b", rest)) => Claim::Bad(number(rest)?),
            Some(("j", rest)) => Claim::Justice(number(rest)?),
            _ => return Err(format!("`{property}` is not a property such as `b0`")),
        };
        let mut rows = Vec::new();
        for line in lines {
            if line == "." {
                let mut rows = rows.into_iter();
                let latches = rows.next().ok_or("the values of the latches are missing")?;
                return Ok(Witness { claim, latches, inputs: rows.collect() });
            }
            let bits: Option<Vec<bool>> = line.chars().map(|c| "01x".contains(c).then_some(c == '1')).collect();
            rows.push(bits.ok_or_else(|| format!("`{line}` is not a line of 0, 1 and x"))?);
        }
        Err("a witness ends with the line `.`".into())
    }

    /// Replays the witness on the circuit; if it shows nothing, says why.
    pub fn replay(&self, circuit: &Circuit) -> Result<(), String> {
        if self.latches.len() != circuit.latches.len() {
            return Err(format!("{} values for {} latches", self.latches.len(), circuit.latches.len()));
        }
        let starts_right =
            circuit.latches.iter().zip(&self.latches).all(|(latch, bit)| latch.reset.is_none_or(|reset| reset == *bit));
        if !starts_right {
            return Err("a latch does not start with its reset value".into());
        }
        let mut values = Values::of(circuit);
        let mut states = Vec::new();
        let mut latches = self.latches.clone();
        for (step, inputs) in self.inputs.iter().enumerate() {
            if inputs.len() != circuit.inputs.len() {
                return Err(format!("{} values for {} inputs in step {step}", inputs.len(), circuit.inputs.len()));
            }
            values.compute(circuit, inputs, &latches);
            if let Some(broken) = circuit.constraints.iter().position(|named| !values.get(named.signal)) {
                return Err(format!("constraint {broken} is violated in step {step}"));
            }
            let next = circuit.latches.iter().map(|latch| values.get(latch.next)).collect();
            states.push((std::mem::replace(&mut latches, next), values.clone()));
        }
        match self.claim {
            Claim::Bad(number) => {
                let bad =
                    circuit.bad.get(number).or_else(|| circuit.outputs.get(number).filter(|_| circuit.is_version_1_0));
                let bad = bad.ok_or_else(|| format!("the circuit has no bad state {number}"))?.signal;
                let is_reached = states.last().is_some_and(|(_, values)| values.get(bad));
                if is_reached { Ok(()) } else { Err("the last state is not bad".into()) }
            }
            Claim::Justice(number) => {
                let justice = circuit
                    .justice
                    .get(number)
                    .ok_or_else(|| format!("the circuit has no justice property {number}"))?;
                let start = states.iter().position(|(state, _)| *state == latches);
                let start = start.ok_or("no state comes again")?;
                let mut often =
                    justice.signals.iter().copied().chain(circuit.fairness.iter().map(|named| named.signal));
                let is_seen = |signal: Signal| states[start..].iter().any(|(_, values)| values.get(signal));
                if often.all(is_seen) { Ok(()) } else { Err("a signal is never true in the loop".into()) }
            }
        }
    }
}

/// The values of all variables of a circuit in one state.
#[derive(Clone)]
struct Values(Vec<bool>);

impl Values {
    fn of(circuit: &Circuit) -> Values {
        let last = circuit.variables().map(Signal::variable).max().unwrap_or(0);
        Values(vec![false; last as usize + 1])
    }

    fn get(&self, signal: Signal) -> bool {
        self.0[signal.variable() as usize] != signal.is_inverted()
    }

    fn compute(&mut self, circuit: &Circuit, inputs: &[bool], latches: &[bool]) {
        for (input, bit) in circuit.inputs.iter().zip(inputs) {
            self.0[input.signal.variable() as usize] = *bit;
        }
        for (latch, bit) in circuit.latches.iter().zip(latches) {
            self.0[latch.signal.variable() as usize] = *bit;
        }
        for gate in &circuit.gates {
            let [left, right] = gate.operands;
            self.0[gate.signal.variable() as usize] = self.get(left) && self.get(right);
        }
    }
}

impl std::fmt::Display for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aiger::parse;
    use crate::span::SourceMap;

    fn circuit(text: &str) -> Circuit {
        let mut sources = SourceMap::default();
        sources.add("test.aag", text).expect("it is small");
        let (circuit, diagnostics) = parse(&sources.files()[0]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        circuit
    }

    #[test]
    fn a_witness_is_replayed_gate_by_gate() {
        // A latch that remembers its input; bad if both are true. The input may not be true twice before.
        let circuit = circuit("aag 3 1 1 0 1 1\n2\n4 2\n6\n6 2 4\n");
        let witness = |inputs: &str| {
            let rows: Vec<String> = inputs.chars().map(String::from).collect();
            let text = [&["1", "b0", "0"], &*rows.iter().map(String::as_str).collect::<Vec<_>>(), &[".", ""]].concat();
            let text = text.join("\n");
            let witness = Witness::parse(&text).expect("it is well-formed");
            assert_eq!(witness.print(), text);
            witness.replay(&circuit)
        };
        assert_eq!(witness("11"), Ok(()));
        assert_eq!(witness("011"), Ok(()));
        assert!(witness("10").is_err());
        assert!(witness("").is_err());
    }

    #[test]
    fn a_loop_shows_that_justice_fails() {
        // A latch that toggles: it is true infinitely often, and so is its negation.
        let circuit = circuit("aag 1 0 1 0 0 0 0 1 1\n2 3\n1\n2\n3\n");
        let witness = Witness { claim: Claim::Justice(0), latches: vec![false], inputs: vec![Vec::new(); 2] };
        assert_eq!(witness.replay(&circuit), Ok(()));
        let short = Witness { inputs: vec![Vec::new()], ..witness };
        assert!(short.replay(&circuit).is_err(), "no state comes again");
    }

    #[test]
    fn what_is_no_witness_is_refused() {
        for text in ["", "0\nb0\n.\n", "1\nx0\n0\n.\n", "1\nb0\n.\n", "1\nb0\n0\n", "1\nb0\n2\n.\n", "1\nbé\n0\n.\n"] {
            assert!(Witness::parse(text).is_err(), "{text:?}");
        }
    }
}
