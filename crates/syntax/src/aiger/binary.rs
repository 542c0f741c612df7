//! The binary format as ASCII text.

use super::MAX_VARIABLES;
use std::fmt::Write;

/// The ASCII form of a file in the binary format, or why it is none. Files in ASCII format come back as they are.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    if !bytes.starts_with(b"aig ") {
        return String::from_utf8(bytes.to_vec()).map_err(|error| {
            format!("the file is neither binary AIGER nor UTF-8 text: offset {}", error.utf8_error().valid_up_to())
        });
    }
    let mut reader = Reader { bytes, at: 0 };
    let header = reader.line()?;
    let numbers: Option<Vec<u64>> = header.split(' ').skip(1).map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| (5..=9).contains(&numbers.len()));
    let Some(numbers) = numbers else {
        return Err(format!("the header `{header}` is not `aig M I L O A`, optionally followed by B, C, J and F"));
    };
    let count = |at: usize| numbers.get(at).copied().unwrap_or(0);
    let (max, inputs, latches, gates) = (count(0), count(1), count(2), count(4));
    if numbers.iter().any(|number| *number > MAX_VARIABLES) {
        return Err(format!("the header asks for more than {MAX_VARIABLES} variables or lines"));
    }
    if inputs + latches + gates != max {
        return Err(format!(
            "the header counts {inputs} inputs, {latches} latches and {gates} gates as {max} variables"
        ));
    }
    let mut text = format!("aag{}\n", &header["aig".len()..]);
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for latch in inputs + 1..=inputs + latches {
        let _ = writeln!(text, "{} {}", 2 * latch, reader.line()?);
    }
    // Outputs, bad states and constraints; then the sizes of the justice sets and their signals; then fairness.
    for _ in 0..count(3) + count(5) + count(6) {
        let _ = writeln!(text, "{}", reader.line()?);
    }
    let mut signals: u64 = 0;
    for _ in 0..count(7) {
        let line = reader.line()?;
        signals = signals.saturating_add(line.parse().unwrap_or(0));
        let _ = writeln!(text, "{line}");
    }
    for _ in 0..signals.saturating_add(count(8)) {
        let _ = writeln!(text, "{}", reader.line()?);
    }
    for gate in inputs + latches + 1..=max {
        let place = reader.at;
        let low = (2 * gate).checked_sub(reader.delta()?).filter(|low| *low < 2 * gate);
        let lower = low.and_then(|low| reader.delta().map(|delta| low.checked_sub(delta)).transpose());
        let (Some(low), Some(lower)) = (low, lower.transpose()?) else {
            return Err(format!("the gate at offset {place} reads a literal that does not come before it"));
        };
        let _ = writeln!(text, "{} {low} {lower}", 2 * gate);
    }
    text.push_str(&String::from_utf8_lossy(&bytes[reader.at..]));
    Ok(text)
}

/// A reader of the bytes of a file.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// The text up to the end of the line.
    fn line(&mut self) -> Result<&'a str, String> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
            return Err(format!("the file ends at offset {} in the middle of a section", self.bytes.len()));
        };
        let line = std::str::from_utf8(&rest[..length]).ok().filter(|line| line.bytes().all(|byte| byte != 0));
        let line = line.ok_or_else(|| format!("the line at offset {} is not text", self.at))?;
        self.at += length + 1;
        Ok(line.trim_end_matches('\r'))
    }

    /// A number in groups of seven bits, the lowest first.
    fn delta(&mut self) -> Result<u64, String> {
        let (start, mut number) = (self.at, 0);
        for shift in (0..35).step_by(7) {
            let Some(byte) = self.bytes.get(self.at) else {
                return Err(format!("the file ends at offset {start} among the gates"));
            };
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(format!("the number at offset {start} is too large"))
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn both_formats_are_one_circuit() {
        // An and-gate and an or-gate of two inputs.
        let binary = b"aig 4 2 0 2 2\n6\n9\n\x02\x02\x03\x02i0 x\ni1 y\n";
        let ascii = "aag 4 2 0 2 2\n2\n4\n6\n9\n6 4 2\n8 5 3\ni0 x\ni1 y\n";
        assert_eq!(decode(binary).as_deref(), Ok(ascii));
        assert_eq!(decode(ascii.as_bytes()).as_deref(), Ok(ascii));
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_refused() {
        let whole = b"aig 4 2 0 2 2\n6\n9\n\x02\x02\x03\x02";
        for length in 4..whole.len() {
            assert!(decode(&whole[..length]).is_err(), "{length}");
        }
        assert!(decode(b"aig 99999999999 99999999999 0 0 0\n").is_err());
        assert!(decode(b"aig 1 0 0 0 1\n\x00\x00").is_err(), "a gate that reads itself");
        assert!(decode(b"aig 1 0 0 0 1\n\xff\xff\xff\xff\xff\xff").is_err());
        assert!(decode(b"aig 0 0 0 0 0 0 0 1\n99999999999999999999\n").is_ok_and(|text| text.lines().count() == 2));
    }
}
