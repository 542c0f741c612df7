//! The marks of the A-7E requirements: `/input/`, `//output//`, `!term!`, `$value$` and `*mode*` are names, and so is
//! `Past(InOffMfsw)`.

use super::parse::expr::is_reserved;
use std::borrow::Cow;

/// The text with names instead of marked ones; what is not marked keeps its place.
///
/// A mark touches its name, and no other name touches it: so `a/b/c` and `2 * b * c` are arithmetic. A name may have spaces, but
/// no word that is an operator.
pub(super) fn plain_names(text: &str) -> Cow<'_, str> {
    if !text.contains(['/', '!', '$', '*']) && !text.contains(PAST) {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(PAST.as_bytes()) && (at == 0 || !is_word(bytes[at - 1])) {
            at = name_past(&mut bytes, at);
            continue;
        }
        let mark = bytes[at];
        let start = at + bytes[at..].iter().take_while(|byte| **byte == mark).count();
        let is_alone = at == 0 || !is_word(bytes[at - 1]);
        match end_of_name(&bytes, mark, start).filter(|_| is_alone) {
            Some(end) => {
                let marks = start - at;
                let close = end..end + marks;
                let is_closed = bytes.get(close.clone()).is_some_and(|found| found.iter().all(|byte| *byte == mark));
                let ends = bytes.get(close.end).is_none_or(|next| *next != mark && !is_word(*next));
                if is_closed && ends {
                    bytes[at..start].fill(b' ');
                    bytes[close.clone()].fill(b' ');
                    let name = bytes[start..end].iter_mut();
                    name.filter(|byte| matches!(**byte, b'-' | b'.' | b' ')).for_each(|byte| *byte = b'_');
                    at = close.end;
                } else {
                    at = start;
                }
            }
            None => at = start,
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// How an earlier mode is written in published headings.
const PAST: &str = "Past(";

/// Makes `Past_Mode` of `Past(Mode)`; returns the place after it.
fn name_past(bytes: &mut [u8], at: usize) -> usize {
    let start = at + PAST.len();
    let length = bytes[start..].iter().take_while(|byte| is_word(**byte) || matches!(byte, b'-' | b'.')).count();
    let end = start + length;
    if length == 0 || bytes.get(end) != Some(&b')') {
        return start;
    }
    bytes[start - 1] = b'_';
    bytes[end] = b' ';
    bytes[start..end].iter_mut().filter(|byte| !is_word(**byte)).for_each(|byte| *byte = b'_');
    end + 1
}

/// The end of the name after a mark, if there is one.
fn end_of_name(bytes: &[u8], mark: u8, start: usize) -> Option<usize> {
    let most = match mark {
        b'/' | b'$' | b'*' => 2,
        b'!' => 1,
        _ => return None,
    };
    let first = bytes.get(start)?;
    let n_marks = bytes[..start].iter().rev().take_while(|byte| **byte == mark).count();
    let is_part = |byte: &u8| is_word(*byte) || matches!(byte, b'-' | b'.' | b' ');
    let end = start + bytes[start..].iter().take_while(|byte| is_part(byte)).count();
    let is_name = is_word(*first) && bytes[end - 1] != b' ' && !bytes[start..end].windows(2).any(|pair| pair == b"--");
    let has_operator =
        bytes[start..end].split(|byte| *byte == b' ').any(|word| str::from_utf8(word).is_ok_and(is_reserved));
    let is_one_word = !bytes[start..end].contains(&b' ');
    (is_name && n_marks <= most && (is_one_word || !has_operator)).then_some(end)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::plain_names;

    #[test]
    fn marked_names_are_names_and_arithmetic_stays() {
        for (text, expected) in [
            ("@T(/ACAIRB/) WHEN /IMSMODE/=$Gndal$", "@T( ACAIRB ) WHEN  IMSMODE = Gndal "),
            ("event table //FLY-TO// by M", "event table   FLY_TO   by M"),
            ("NOT !Data stable! AND *DIG*", "NOT  Data_stable  AND  DIG "),
            ("a/b/c + 2*b*c", "a/b/c + 2*b*c"),
            ("a / b / c", "a / b / c"),
            ("!a OR !b", "!a OR !b"),
            ("x /= y", "x /= y"),
            ("/Radar Alt/ < 5 AND //Fly-to Light// = $Not Set$", " Radar_Alt  < 5 AND   Fly_to_Light   =  Not_Set "),
            ("from | Past(In-Mfsw) | Past(a) ", "from | Past_In_Mfsw  | Past_a  "),
            ("Past() Past( a ) xPast(a)", "Past() Past( a ) xPast(a)"),
            ("x /a AND b/ y", "x /a AND b/ y"),
            ("x *a + b* y", "x *a + b* y"),
            ("///x///", "///x///"),
            ("/", "/"),
            ("!", "!"),
            ("ä /x/", "ä  x "),
        ] {
            assert_eq!(plain_names(text), expected, "{text}");
            assert_eq!(plain_names(text).len(), text.len(), "places are kept");
        }
    }
}
