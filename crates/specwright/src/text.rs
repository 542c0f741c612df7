//! Text from files, in one place for everything that is read: UTF-8, or else the older Latin-1.
//!
//! Many models and scenarios are older than UTF-8 is usual, and have Latin-1 in their comments. As every browser does,
//! bytes that Latin-1 leaves to control characters are read as Windows-1252 has them.

use crate::failure::Failure;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::{SourceMap, Span};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file that is not valid UTF-8.
const NOT_UTF8: Code = Code("TXT001");

/// No model that a person wrote comes near this; what does is a mistake in the path.
const MAX_BYTES: u64 = 256 << 20;

/// What Windows-1252 has in the place of the control characters 0x80 to 0x9f.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// The text of a file.
pub struct Text {
    /// All of it.
    pub text: String,
    /// The first byte that is not part of valid UTF-8, and where it stands in the text.
    foreign: Option<(usize, u8)>,
}

impl Text {
    /// Reads a file, or says in one line why there is nothing to read.
    pub fn read(path: &Path, name: &str) -> Result<Text, String> {
        Text::read_by(path, name, decode)
    }

    /// Reads a file whose text a function makes of its bytes.
    pub(crate) fn read_by(
        path: &Path,
        name: &str,
        decode: impl FnOnce(Vec<u8>) -> Result<Text, String>,
    ) -> Result<Text, String> {
        decode(bytes(path, name)?).map_err(|reason| format!("cannot read {name}: {reason}"))
    }

    /// Adds the text to the sources. Returns its place among them, and what there is to say about its encoding.
    pub fn add_to(self, sources: &mut SourceMap, name: &str) -> Result<(usize, Option<Diagnostic>), String> {
        let index = sources.add(name, self.text).map_err(|_| format!("{name} is too large"))?;
        let diagnostic = self.foreign.map(|(offset, byte)| {
            let file = &sources.files()[index];
            let place = file.start + u32::try_from(offset).expect("sources are smaller than 4 GiB");
            let read_as = file.text[offset..].chars().next().unwrap_or_default();
            let span = Span::new(place, place + u32::try_from(read_as.len_utf8()).unwrap_or(1));
            Diagnostic::warning(NOT_UTF8, span, format!("{name} is not valid UTF-8, so it is read as Latin-1"))
                .label(format!("byte 0x{byte:02x}, read as `{read_as}`"))
                .help("save the file as UTF-8")
        });
        Ok((index, diagnostic))
    }

    /// Whether the text is not written as UTF-8.
    pub fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text { text, foreign: None }
    }
}

/// The text of a file that is UTF-8 or wrong: a document, a list, a template.
pub fn read(path: &Path, name: &str) -> Result<String, Failure> {
    let Text { text, foreign } = Text::read(path, name).map_err(Failure::Message)?;
    match foreign {
        Some((offset, byte)) => {
            let place = place(text.as_bytes(), offset, byte);
            Err(Failure::Message(format!("cannot read {name}: it is not valid UTF-8: {place}")))
        }
        None => Ok(text),
    }
}

/// Whether a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bytes(path: &Path, name: &str) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("cannot read {name}: {}", reason(&error));
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(format!("cannot read {name}: it is a directory, not a model"));
        }
        if metadata.len() <= MAX_BYTES {
            file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        }
        if metadata.len() > MAX_BYTES {
            return Err(too_large(name));
        }
    }
    if bytes.len() as u64 > MAX_BYTES { Err(too_large(name)) } else { Ok(bytes) }
}

/// Text from bytes; where there is a zero byte it is none.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<Text, String> {
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(format!("it is not a text file: {}", place(&bytes, offset, 0)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text { text, foreign: None }),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            // What comes before may be longer in UTF-8 than it was.
            let before: usize = bytes[..offset].iter().map(|byte| latin_1(*byte).len_utf8()).sum();
            let text = bytes.iter().map(|byte| latin_1(*byte)).collect();
            Ok(Text { text, foreign: Some((before, bytes[offset])) })
        }
    }
}

fn latin_1(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn place(bytes: &[u8], offset: usize, byte: u8) -> String {
    let line = bytes[..offset].split(|byte| *byte == b'\n').count();
    format!("byte 0x{byte:02x} at offset {offset} (line {line})")
}

fn too_large(name: &str) -> String {
    format!("cannot read {name}: it is larger than {} MiB", MAX_BYTES >> 20)
}

/// The reason of an error in a few words, without the number that the operating system gives it.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory, not a model".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_reading() {
        for byte in 1..=255_u8 {
            let text = decode(vec![b'a', byte, b'b']).expect("no zero byte");
            assert_eq!(text.text.chars().count(), 3, "{byte:#x}");
            assert_eq!(text.is_foreign(), byte >= 0x80);
            assert!(byte < 0x80 || !text.text.contains(char::is_control), "{byte:#x} is read as a control character");
        }
        assert_eq!(decode(b"caf\xe9 \x93x\x94".to_vec()).expect("text").text, "café “x”");
        assert_eq!(decode("café".into()).expect("text").foreign, None);
    }

    #[test]
    fn the_place_is_the_one_of_the_text() {
        // Valid UTF-8 first, which as Latin-1 is two characters.
        let text = decode(b"\xc3\xa9\xe9".to_vec()).expect("text");
        assert_eq!((text.text.as_str(), text.foreign), ("Ã©é", Some((4, 0xe9))));
    }

    #[test]
    fn a_zero_byte_is_no_text() {
        assert_eq!(
            decode(b"a\nb\0".to_vec()).err(),
            Some("it is not a text file: byte 0x00 at offset 3 (line 2)".to_owned())
        );
    }
}
