//! As much of XML as traces need: elements, attributes, text, entities; comments and declarations are passed over.

use std::ops::Range;

/// What is met on the way through a document.
pub(super) enum Event {
    Start(String, Vec<(String, String)>),
    End(String),
    Text(String),
}

/// An event and its place.
pub(super) type Placed = (Event, Range<usize>);

/// All events with their places, or what is wrong and where.
pub(super) fn events(text: &str) -> Result<Vec<Placed>, (String, usize)> {
    let mut events = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(tag) = rest.strip_prefix('<') else {
            let length = rest.find('<').unwrap_or(rest.len());
            let inner = &rest[..length];
            if !inner.trim().is_empty() {
                if open.is_empty() && !inner.trim_start_matches('\u{feff}').trim().is_empty() {
                    return Err(("text outside of all elements".into(), at));
                }
                let start = at + (inner.len() - inner.trim_start().len());
                events.push((Event::Text(unescape(inner)), start..start + inner.trim().len()));
            }
            at += length;
            continue;
        };
        let skipped = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")];
        if let Some((start, end)) = skipped.iter().find(|(start, _)| rest.starts_with(start)) {
            let Some(length) = rest.find(end) else { return Err((format!("`{start}` without an end"), at)) };
            if *start == "<![CDATA[" {
                events.push((Event::Text(rest[start.len()..length].into()), at..at + length));
            }
            at += length + end.len();
            continue;
        }
        let Some(length) = tag.find('>') else { return Err(("a tag that does not end".into(), at)) };
        let (inner, place) = (&tag[..length], at..at + length + 2);
        at += length + 2;
        if let Some(name) = inner.strip_prefix('/') {
            let name = name.trim();
            if open.pop().as_deref() != Some(name) {
                return Err((format!("`</{name}>` closes nothing"), place.start));
            }
            events.push((Event::End(name.into()), place));
            continue;
        }
        let (inner, closed) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
        let (name, attributes) = inner.split_at(inner.find(char::is_whitespace).unwrap_or(inner.len()));
        let Some(attributes) = self::attributes(attributes) else {
            return Err(("an attribute that is not of the form `name=\"value\"`".into(), place.start));
        };
        if name.is_empty() {
            return Err(("a tag without a name".into(), place.start));
        }
        events.push((Event::Start(name.into(), attributes), place.clone()));
        if closed {
            events.push((Event::End(name.into()), place));
        } else {
            open.push(name.into());
        }
    }
    match open.pop() {
        Some(name) => Err((format!("`<{name}>` is not closed"), text.len().saturating_sub(1))),
        None => Ok(events),
    }
}

fn attributes(text: &str) -> Option<Vec<(String, String)>> {
    let (mut attributes, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        attributes.push((name.trim().into(), unescape(value)));
        rest = after.trim_start();
    }
    Some(attributes)
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest.find(';').filter(|end| *end < 12).map(|end| (&rest[1..end], end));
        let meant = entity.and_then(|(name, end)| {
            let meant = match name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => {
                    let number = name.strip_prefix('#')?;
                    let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
                    char::from_u32(hex.unwrap_or_else(|| number.parse()).ok()?)?
                }
            };
            Some((meant, end))
        });
        // What is no entity stands for itself.
        let (c, end) = meant.unwrap_or(('&', 0));
        plain.push(c);
        rest = &rest[end + 1..];
    }
    plain + rest
}
