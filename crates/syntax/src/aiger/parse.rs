//! The parser of the ASCII format.

use super::ast::{Circuit, Gate, Justice, Latch, Named, Signal};
use super::codes;
use super::names::{self, Wrong};
use super::order;
use super::{MAX_LEAVES, MAX_VARIABLES};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};

/// The largest number of diagnostics for one file.
const MAX_DIAGNOSTICS: usize = 50;

/// Parses a circuit. It is complete unless a diagnostic is an error.
pub fn parse(file: &SourceFile) -> (Circuit, Vec<Diagnostic>) {
    let mut parser = Parser { file, at: 0, max: 0, circuit: Circuit::default(), diagnostics: Vec::new() };
    // An error that leaves the rest without structure ends the parse.
    if parser.sections().is_some() {
        parser.symbols();
        parser.check();
    }
    (parser.circuit, parser.diagnostics)
}

struct Parser<'a> {
    file: &'a SourceFile,
    /// The offset of the next line.
    at: usize,
    /// The number of the last variable.
    max: u64,
    circuit: Circuit,
    diagnostics: Vec<Diagnostic>,
}

/// A number and its span.
type Number = (u64, Span);

impl<'a> Parser<'a> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<&mut Diagnostic> {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return None;
        }
        self.diagnostics.push(Diagnostic::error(code, span, message));
        self.diagnostics.last_mut()
    }

    /// The next line with its span, unless the text has ended.
    fn line(&mut self) -> Option<(&'a str, Span)> {
        let file = self.file;
        let rest = &file.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let start = file.start + self.at as u32;
        let (line, end) = rest.find('\n').map_or((rest, rest.len()), |end| (&rest[..end], end + 1));
        self.at += end;
        let line = line.trim_end_matches('\r');
        Some((line, Span::new(start, start + line.len() as u32)))
    }

    /// The header and all sections of literals.
    fn sections(&mut self) -> Option<()> {
        let counts = self.header()?;
        let count = |at: usize| counts.get(at).copied().unwrap_or(0);
        self.circuit.is_version_1_0 = counts.len() == 5;
        for _ in 0..count(1) {
            let ([literal], _) = self.numbers("an input", "its literal")?;
            let signal = self.signal(literal)?;
            self.circuit.inputs.push(Named { signal, name: None });
        }
        for _ in 0..count(2) {
            let latch = self.latch()?;
            self.circuit.latches.push(latch);
        }
        self.circuit.outputs = self.signals("an output", count(3))?;
        self.circuit.bad = self.signals("a bad state", count(5))?;
        self.circuit.constraints = self.signals("a constraint", count(6))?;
        let mut sizes = Vec::new();
        for _ in 0..count(7) {
            let ([(size, _)], span) = self.numbers("a justice property", "the number of its literals")?;
            sizes.push((size, span));
        }
        for (size, span) in sizes {
            let signals = self.signals("a literal of a justice property", size)?;
            let signals = signals.into_iter().map(|named| named.signal).collect();
            self.circuit.justice.push(Justice { signals, span, name: None });
        }
        self.circuit.fairness = self.signals("a fairness constraint", count(8))?;
        for _ in 0..count(4) {
            let ([gate, left, right], span) = self.numbers("a gate", "its literal and those of its two operands")?;
            let (signal, operands) = (self.signal(gate)?, [self.signal(left)?, self.signal(right)?]);
            self.circuit.gates.push(Gate { signal, operands, span });
        }
        Some(())
    }

    /// The numbers of the header.
    fn header(&mut self) -> Option<Vec<u64>> {
        let (line, span) = self.line().unwrap_or(("", self.file.span()));
        let words: Vec<&str> = line.split(' ').collect();
        let counts: Option<Vec<u64>> = words[1..].iter().map(|word| word.parse().ok()).collect();
        let counts = counts.filter(|counts| words[0] == "aag" && (5..=9).contains(&counts.len()));
        let Some(counts) = counts else {
            self.error(codes::BAD_HEADER, span, "the first line is not the header of a circuit")?
                .help
                .push("write `aag M I L O A`, optionally followed by B, C, J and F".into());
            return None;
        };
        self.max = counts[0];
        if counts.iter().any(|count| *count > MAX_VARIABLES) {
            let message = format!("a circuit has at most {MAX_VARIABLES} variables");
            self.error(codes::TOO_LARGE, span, message);
            return None;
        }
        if counts[1] + counts[2] > MAX_LEAVES {
            let message = format!("a circuit has at most {MAX_LEAVES} inputs and latches");
            self.error(codes::TOO_LARGE, span, message);
            return None;
        }
        if counts[1] + counts[2] + counts[4] > counts[0] {
            let message = format!(
                "{} inputs, {} latches and {} gates are more than {} variables",
                counts[1], counts[2], counts[4], counts[0]
            );
            self.error(codes::BAD_HEADER, span, message);
            return None;
        }
        Some(counts)
    }

    /// A line of exactly this number of numbers.
    fn numbers<const N: usize>(&mut self, what: &str, content: &str) -> Option<([Number; N], Span)> {
        let (numbers, span) = self.any_numbers(what, content)?;
        match <[Number; N]>::try_from(numbers) {
            Ok(numbers) => Some((numbers, span)),
            Err(_) => self.bad_line(what, content, span),
        }
    }

    fn any_numbers(&mut self, what: &str, content: &str) -> Option<(Vec<Number>, Span)> {
        let Some((line, span)) = self.line() else {
            let end = self.file.span().end;
            self.error(codes::BAD_LINE, Span::new(end, end), format!("the file ends where {what} is expected"));
            return None;
        };
        let mut numbers = Vec::new();
        let mut start = span.start;
        for word in line.split(' ') {
            let end = start + word.len() as u32;
            let Ok(number) = word.parse() else { return self.bad_line(what, content, Span::new(start, end)) };
            numbers.push((number, Span::new(start, end)));
            start = end + 1;
        }
        Some((numbers, span))
    }

    fn bad_line<T>(&mut self, what: &str, content: &str, span: Span) -> Option<T> {
        self.error(codes::BAD_LINE, span, format!("a line for {what} has {content}"));
        None
    }

    fn signal(&mut self, (literal, span): Number) -> Option<Signal> {
        if let Some(literal) = u32::try_from(literal).ok().filter(|literal| u64::from(*literal) <= 2 * self.max + 1) {
            return Some(Signal { literal, span });
        }
        let last = 2 * self.max + 1;
        let message = format!("the largest literal is {last}, because the header has {} variables", self.max);
        self.error(codes::LARGE_LITERAL, span, message);
        None
    }

    fn signals(&mut self, what: &str, count: u64) -> Option<Vec<Named>> {
        let mut signals = Vec::new();
        for _ in 0..count {
            let ([literal], _) = self.numbers(what, "its literal")?;
            signals.push(Named { signal: self.signal(literal)?, name: None });
        }
        Some(signals)
    }

    fn latch(&mut self) -> Option<Latch> {
        let (what, content) = ("a latch", "its literal, its next value and optionally its reset value");
        let (numbers, span) = self.any_numbers(what, content)?;
        let (current, next, reset) = match numbers[..] {
            [current, next] => (current, next, None),
            [current, next, reset] => (current, next, Some(reset)),
            _ => return self.bad_line(what, content, span),
        };
        let signal = self.signal(current)?;
        let next = self.signal(next)?;
        let reset = match reset {
            None | Some((0, _)) => Some(false),
            Some((1, _)) => Some(true),
            Some((value, _)) if value == u64::from(signal.literal) => None,
            Some((_, span)) => {
                let help = format!("write {} for a latch that starts with any value", signal.literal);
                self.error(codes::BAD_RESET, span, "a reset value is 0, 1 or the literal of the latch")?
                    .help
                    .push(help);
                return None;
            }
        };
        Some(Latch { signal, next, reset, span, name: None })
    }

    /// The symbol table, up to the comment.
    fn symbols(&mut self) {
        while let Some((line, span)) = self.line() {
            if line == "c" {
                return;
            }
            let message = match names::assign(&mut self.circuit, line) {
                Ok(()) => continue,
                Err(Wrong::NoSymbol) => "expected a symbol such as `i0 request`, or `c` before a comment".to_owned(),
                Err(Wrong::NoSuch(what)) => format!("the circuit has no {what} with this number"),
            };
            self.error(codes::BAD_SYMBOL, span, message);
        }
    }

    /// Every variable is defined once and before it is used.
    fn check(&mut self) {
        let circuit = std::mem::take(&mut self.circuit);
        let defined = circuit.inputs.iter().map(|input| input.signal);
        let defined = defined.chain(circuit.latches.iter().map(|latch| latch.signal));
        let defined = defined.chain(circuit.gates.iter().map(|gate| gate.signal));
        let mut places: Vec<Option<Span>> = vec![None; self.max as usize + 1];
        for signal in defined {
            if signal.is_inverted() || signal.variable() == 0 {
                self.error(codes::BAD_DEFINITION, signal.span, "only an even literal above 0 can be defined");
                continue;
            }
            match &mut places[signal.variable() as usize] {
                Some(first) => {
                    let message = format!("literal {} is defined twice", signal.literal);
                    let first = *first;
                    if let Some(diagnostic) = self.error(codes::DUPLICATE, signal.span, message) {
                        *diagnostic = diagnostic.clone().also(first, "first definition");
                    }
                }
                place => *place = Some(signal.span),
            }
        }
        let used = circuit.latches.iter().map(|latch| latch.next);
        let used = used.chain(circuit.gates.iter().flat_map(|gate| gate.operands));
        let named = [&circuit.outputs, &circuit.bad, &circuit.constraints, &circuit.fairness];
        let used = used.chain(named.into_iter().flatten().map(|named| named.signal));
        let used = used.chain(circuit.justice.iter().flat_map(|justice| justice.signals.iter().copied()));
        for signal in used {
            if signal.variable() != 0 && places[signal.variable() as usize].is_none() {
                let message = format!("nothing defines literal {}", signal.literal - signal.literal % 2);
                self.error(codes::UNDEFINED, signal.span, message);
            }
        }
        self.circuit = circuit;
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        match order::sort(&self.circuit.gates, places.len()) {
            Ok(sorted) => self.circuit.gates = sorted,
            Err(cycle) => {
                let literals: Vec<String> = cycle.iter().take(8).map(|gate| gate.signal.literal.to_string()).collect();
                let more = if cycle.len() > 8 { " …" } else { "" };
                let message = format!("gates depend on each other in a cycle: {}{more}", literals.join(", "));
                self.error(codes::CIRCULAR, cycle[0].span, message);
            }
        }
    }
}
