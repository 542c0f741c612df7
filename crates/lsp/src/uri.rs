//! Addresses of documents and paths of files.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The path of a `file:` address. Other addresses name documents that are in no file.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = decode(rest.find('/').map_or("", |at| &rest[at..]));
    let host = &rest[..rest.find('/').unwrap_or(rest.len())];
    if cfg!(windows) {
        let drive = path.strip_prefix('/').filter(|path| path.as_bytes().get(1) == Some(&b':'));
        let path = match drive {
            Some(path) => path.to_owned(),
            None if !host.is_empty() => format!("//{host}{path}"),
            None => path,
        };
        return Some(PathBuf::from(path.replace('/', "\\")));
    }
    Some(PathBuf::from(path))
}

/// The `file:` address of a path.
pub(crate) fn from_path(path: &Path) -> String {
    let text = path.display().to_string().replace(std::path::MAIN_SEPARATOR, "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    let mut uri = format!("file://{slash}");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// The last part of an address, for people.
pub(crate) fn file_name(uri: &str) -> String {
    let last = uri.trim_end_matches('/').rsplit('/').next().unwrap_or(uri);
    decode(last)
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if bytes[at] == b'%' => {
                decoded.push(byte);
                at += 3;
            }
            _ => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_come_back_from_their_addresses() {
        for path in ["/a/b.smv", "/with space/ü%.scr", "/a:b/c#d?.asm"] {
            assert_eq!(to_path(&from_path(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(to_path("file:///a%20b/c"), Some("/a b/c".into()));
        assert_eq!(to_path("untitled:Untitled-1"), None);
        assert_eq!(file_name("file:///x/a%20b.smv"), "a b.smv");
        assert_eq!(decode("%zz%4"), "%zz%4", "what is no escape stays");
    }
}
