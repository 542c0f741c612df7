//! Word constants: parsing and printing.

use super::ast::WordLiteral;

/// Width of the widest supported word, in bits: values are `u64`.
pub(crate) const MAX_WIDTH: u32 = 64;

/// Parses a word constant that the lexer recognised; the error is a message.
pub(crate) fn parse_word(text: &str) -> Result<WordLiteral, String> {
    let rest = &text[1..];
    let signed = rest.starts_with('s');
    let rest = rest.trim_start_matches(['u', 's']);
    let base = rest.chars().next().map_or('d', |base| base.to_ascii_lowercase());
    let (width, digits) = rest[1..].split_once('_').unwrap_or((&rest[1..], ""));
    let radix = radix(base);
    let mut bits = 0u64;
    let mut n_digits = 0u32;
    let mut overflow = false;
    for digit in digits.chars().filter(|digit| *digit != '_') {
        let value = digit.to_digit(radix).ok_or_else(|| {
            format!("`{digit}` is not {} digit", if radix == 8 { "an octal" } else { base_name(radix) })
        })?;
        n_digits = n_digits.saturating_add(1);
        let next = bits.checked_mul(u64::from(radix)).and_then(|bits| bits.checked_add(u64::from(value)));
        overflow |= next.is_none();
        bits = next.unwrap_or(bits);
    }
    let width = match (width, base) {
        ("", 'd') => return Err("a decimal word constant needs a width, as in `0ud8_5`".into()),
        ("", 'b') => n_digits,
        ("", 'o') => n_digits.saturating_mul(3),
        ("", _) => n_digits.saturating_mul(4),
        (width, _) => width.parse().unwrap_or(u32::MAX),
    };
    if !(1..=MAX_WIDTH).contains(&width) {
        return Err(format!("a word has from 1 to {MAX_WIDTH} bits"));
    }
    let most = u64::MAX >> (MAX_WIDTH - width);
    if overflow || bits > most {
        return Err(format!("the value does not fit into {width} bits"));
    }
    if signed && base == 'd' && bits > most / 2 + 1 {
        return Err(format!("the value does not fit into {width} bits with sign"));
    }
    Ok(WordLiteral { signed, base, width, bits })
}

/// Prints a word constant.
pub(crate) fn word_text(word: &WordLiteral) -> String {
    let WordLiteral { signed, base, width, bits } = *word;
    let sign = if signed { 's' } else { 'u' };
    let digits = match base {
        'b' => format!("{bits:0>width$b}", width = width as usize),
        'o' => format!("{bits:o}"),
        'h' => format!("{bits:0>digits$x}", digits = width.div_ceil(4) as usize),
        _ => bits.to_string(),
    };
    format!("0{sign}{base}{width}_{digits}")
}

fn radix(base: char) -> u32 {
    match base {
        'b' => 2,
        'o' => 8,
        'h' => 16,
        _ => 10,
    }
}

fn base_name(radix: u32) -> &'static str {
    if radix == 2 { "a binary" } else { "a decimal" }
}

#[cfg(test)]
mod tests {
    use super::{parse_word, word_text};

    #[test]
    fn word_constants_round_trip() {
        let check = |text: &str, expect: &str| {
            assert_eq!(parse_word(text).map(|word| word_text(&word)), Ok(expect.to_string()), "{text}");
        };
        check("0ud8_255", "0ud8_255");
        check("0d8_5", "0ud8_5");
        check("0sd8_128", "0sd8_128");
        check("0b_01_01", "0ub4_0101");
        check("0B8_1_", "0ub8_00000001");
        check("0uo_17", "0uo6_17");
        check("0sh8_FF", "0sh8_ff");
        check("0uh6_3f", "0uh6_3f");
        check("0ud64_18446744073709551615", "0ud64_18446744073709551615");
    }

    #[test]
    fn invalid_word_constants_are_explained() {
        let check = |text: &str, expect: &str| assert_eq!(parse_word(text), Err(expect.to_string()), "{text}");
        check("0ud_5", "a decimal word constant needs a width, as in `0ud8_5`");
        check("0ud3_8", "the value does not fit into 3 bits");
        check("0ub3_1000", "the value does not fit into 3 bits");
        check("0sd8_129", "the value does not fit into 8 bits with sign");
        check("0ud65_0", "a word has from 1 to 64 bits");
        check("0ud0_0", "a word has from 1 to 64 bits");
        check("0ud99999999999_0", "a word has from 1 to 64 bits");
        check("0ub4_0102", "`2` is not a binary digit");
        check("0uo3_8", "`8` is not an octal digit");
        check("0ud8_a", "`a` is not a decimal digit");
        check("0ud64_18446744073709551616", "the value does not fit into 64 bits");
    }
}
