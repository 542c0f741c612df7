//! Circuits that are read, and what is said about those that cannot be.

use specwright_syntax::aiger::{ascii, ast::Circuit, binary, codes, decode, parse};
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::SourceMap;

fn read(text: &str) -> (Circuit, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    sources.add("test.aag", text).expect("it is small");
    parse(&sources.files()[0])
}

#[test]
fn every_section_is_read() {
    let text = "aag 5 1 2 1 2 1 1 1 1\n2\n4 8 1\n6 10 6\n8\n10\n3\n2\n4\n6\n4\n10 8 3\n8 5 2\n\
                i0 the input\nl0 x\no0 y\nb0 never\nc0 assume\nj0 live\nf0 fair\nc\nanything at all\n";
    let (circuit, diagnostics) = read(text);
    assert_eq!(diagnostics, []);
    assert_eq!(circuit.inputs[0].name.as_deref(), Some("the input"));
    assert_eq!((circuit.latches[0].reset, circuit.latches[1].reset), (Some(true), None));
    assert_eq!(circuit.justice[0].signals.len(), 2);
    assert_eq!(circuit.fairness[0].name.as_deref(), Some("fair"));
    let order: Vec<u32> = circuit.gates.iter().map(|gate| gate.signal.literal).collect();
    assert_eq!(order, [8, 10], "a gate comes after those that it reads");
}

#[test]
fn every_mistake_has_its_code() {
    let cases: [(&str, Code); 15] = [
        ("", codes::BAD_HEADER),
        ("aag 1 2\n", codes::BAD_HEADER),
        ("aag 1 1 1 0 0\n2\n4 2\n", codes::BAD_HEADER),
        ("aag 1 1 0 0 0\n", codes::BAD_LINE),
        ("aag 1 1 0 0 0\n2 3\n", codes::BAD_LINE),
        ("aag 1 1 0 0 0\nx\n", codes::BAD_LINE),
        ("aag 1 1 0 1 0\n2\n4\n", codes::LARGE_LITERAL),
        ("aag 1 1 0 0 0\n3\n", codes::BAD_DEFINITION),
        ("aag 2 1 0 0 1\n2\n2 2 2\n", codes::DUPLICATE),
        ("aag 2 1 0 1 0\n2\n4\n", codes::UNDEFINED),
        ("aag 2 0 0 0 2\n2 4 4\n4 3 3\n", codes::CIRCULAR),
        ("aag 1 0 1 0 0\n2 2 3\n", codes::BAD_RESET),
        ("aag 99999999 99999999 0 0 0\n", codes::TOO_LARGE),
        ("aag 3000000 1 2999999 0 0\n", codes::TOO_LARGE),
        ("aag 0 0 0 0 0\ni0 x\n", codes::BAD_SYMBOL),
    ];
    for (text, code) in cases {
        let (_, diagnostics) = read(text);
        assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), [code], "{text:?}");
    }
}

#[test]
fn long_chains_and_large_circles_need_no_deep_stack() {
    let n = 200_000;
    // The last gate first, so that the order has to be found.
    let gates = (2..n + 2).rev().map(|gate| format!("{} {} {}\n", 2 * gate, 2 * gate - 2, 2 * gate - 1));
    let chain = format!("aag {} 1 0 0 {n}\n2\n{}", n + 1, gates.collect::<String>());
    let (circuit, diagnostics) = read(&chain);
    assert!(diagnostics.is_empty());
    assert!(circuit.gates.is_sorted_by_key(|gate| gate.signal.literal));
    let circle = chain.replacen("\n4 2 3\n", &format!("\n4 {} 3\n", 2 * n + 2), 1);
    assert_eq!(read(&circle).1[0].code, codes::CIRCULAR);
}

#[test]
fn no_change_of_a_file_makes_the_reader_panic() {
    let binary: &[u8] = b"aig 5 1 2 1 2 1 1 1 1\n8 1\n10 6\n8\n10\n3\n2\n4\n6\n4\n\x01\x03\x02\x05i0 x\nc\n";
    let text = "aag 5 1 2 1 2 1 1 1 1\n2\n4 8 1\n6 10 6\n8\n10\n3\n2\n4\n6\n4\n10 8 3\n8 5 2\ni0 x\n";
    for original in [binary, text.as_bytes()] {
        for at in 0..original.len() {
            for byte in [0, b' ', b'\n', b'0', b'9', b'-', 0xff] {
                let mut changed = original.to_vec();
                changed[at] = byte;
                if let Ok(text) = decode(&changed) {
                    read(&text);
                }
                if let Ok(text) = decode(&original[..at]) {
                    read(&text);
                }
            }
        }
    }
}

#[test]
fn what_is_printed_is_read_again() {
    let text = "aag 5 1 2 1 2 1 1 1 1\n2\n4 8 1\n6 10 6\n8\n10\n3\n2\n4\n6\n4\n8 5 2\n10 8 3\n\
                i0 the input\nl0 x\no0 y\nb0 never\nc0 assume\nj0 live\nf0 fair\n";
    let (circuit, _) = read(text);
    assert_eq!(ascii(&circuit), text);
    assert_eq!(decode(&binary(&circuit)).as_deref(), Ok(text));
}
