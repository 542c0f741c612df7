//! Any text can be parsed as tables and formatted: no panic, spans within the text, idempotent format.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::File;
use specwright_syntax::scr::{format, parse, parse_csv};
use specwright_syntax::span::SourceMap;

const TABLES: [&str; 4] = [
    include_str!("../../../examples/safety-injection/safety_injection.scr"),
    include_str!("../../../examples/cruise-control/literal.scr"),
    include_str!("../../../examples/cruise-control/cruise_control.scr"),
    include_str!("../../../examples/survey-boat/survey_boat.scr"),
];

fn read(text: &str) -> (File, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    sources.add("tables.scr", text).unwrap();
    let source = &sources.files()[0];
    let (_, of_csv) = parse_csv(source);
    let (file, diagnostics) = parse(source);
    for diagnostic in of_csv.iter().chain(&diagnostics) {
        let span = diagnostic.primary.span;
        assert!(span.start <= span.end && span.end <= source.span().end, "{diagnostic:?} lies in the text");
        source.slice(span);
    }
    (file, diagnostics)
}

/// All cells of all tables, and the numbers of other items.
fn content(file: &File) -> (Vec<Vec<String>>, [usize; 6]) {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rows = Vec::new();
    for table in &file.tables {
        let all = table.rows.iter().map(|row| &row.cells).chain([&table.head, &table.values]);
        rows.extend(all.map(|cells| cells.iter().map(|cell| squeezed(&cell.text)).collect()));
    }
    let File { types, constants, vars, assumptions, initially, properties, .. } = file;
    let rest = [types.len(), constants.len(), vars.len(), assumptions.len(), initially.len(), properties.len()];
    (rows, rest)
}

#[test]
fn the_examples_are_formatted() {
    for text in TABLES {
        assert_eq!(format(text), text);
        assert!(read(text).1.is_empty());
    }
}

#[test]
fn mutilated_tables_are_parsed_and_formatted() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % n
    };
    let pieces = [
        "|",
        "--",
        "(",
        "@T",
        "'",
        "\n",
        " WHEN ",
        "é",
        "\"",
        ",",
        "by",
        "-|-",
        "initially",
        "{",
        "\t",
        "99999999999999999999",
    ];
    for round in 0..400 {
        let mut text: Vec<char> = TABLES[round % TABLES.len()].chars().collect();
        for _ in 0..=below(6) {
            let (at, middle) = (below(text.len()), text.len() / 2);
            match below(3) {
                0 => drop(text.drain(at..(at + below(30)).min(text.len()))),
                1 => drop(text.splice(at..at, pieces[below(pieces.len())].chars())),
                _ => text.swap(at, middle),
            }
        }
        let text: String = text.into_iter().collect();
        let (file, _) = read(&text);
        let laid_out = format(&text);
        assert_eq!(format(&laid_out), laid_out, "laying out twice changes nothing more:\n{text}");
        assert_eq!(content(&read(&laid_out).0), content(&file), "{text}\n~~~\n{laid_out}");
    }
}

#[test]
fn arbitrary_bytes_are_parsed() {
    let mut random = 1u32;
    for length in 0..200 {
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(random >> 24).unwrap()
        };
        let text: String = (0..length).map(|_| next()).collect();
        read(&text);
        read(&format!("mode matrix M\n{text}"));
        format(&text);
    }
    for text in [
        "",
        "|",
        "||",
        "mode table",
        "mode matrix M\n|",
        "mode matrix M\n||",
        "event table x by",
        "constants\n=",
        ",,\n,,",
        "a,b,c\n",
    ] {
        read(text);
        format(text);
    }
    let deep = format!("assume\n  {}", "(".repeat(100_000));
    assert_eq!(read(&deep).1[0].code.0, "SCR004");
    let long = format!("assume\n  {}", "a AND ".repeat(100_000));
    assert_eq!(read(&long).1[0].code.0, "SCR004");
}

/// A cell in quotes may hold what separates cells, and line breaks.
#[test]
fn quoted_cells_are_one() {
    let mut sources = SourceMap::default();
    sources.add("matrix.csv", "Old,a,New\n\"Off, Idle\",@T,\"On\n\"\nOn,@F,Off\n").unwrap();
    let (file, diagnostics) = parse_csv(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let cells: Vec<Vec<&str>> =
        file.tables[0].rows.iter().map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect()).collect();
    assert_eq!(cells, [["Off, Idle", "@T", "On"], ["On", "@F", "Off"]]);
}

/// Quotes in cells do not shift spans: every diagnostic lies on character boundaries.
#[test]
fn spans_in_quoted_cells_are_right() {
    let pieces = ["\"", "\"\"", " ", ",", "\n", "é", "Դ x", "@T", "Off", "a = b", "-", "\u{b}"];
    let mut random = 7u32;
    for _ in 0..3000 {
        let mut next = |n: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random as usize / 65_536 % n
        };
        let text: String = (0..next(24)).map(|_| pieces[next(pieces.len())]).collect();
        read(&format!("Old,a,b,New\n{text}"));
        read(&format!("Old,\" é \"\"{text}\",b,New\nOff,@T,-,On\n"));
    }
    let text = "Old,\"  a \"\"é b\",c,New\nOff,@T,-,On\n";
    let mut sources = SourceMap::default();
    sources.add("matrix.csv", text).unwrap();
    let (_, diagnostics) = parse_csv(&sources.files()[0]);
    let places: Vec<&str> = diagnostics.iter().map(|found| sources.files()[0].slice(found.primary.span)).collect();
    assert_eq!(places, ["\"", "é"]);
}

/// The notations of the A-7E requirements are names, and a transition may take several lines.
#[test]
fn notations_of_published_matrices_are_read() {
    let text = "Old,Past(InWdMfsw),/FLY/=0,FLY=$reset$,!Mass Cond!,!far-away!,New\nA,T,,,,t,B\n,,T,,,,\nB,,,T,,f,A\n";
    let mut sources = SourceMap::default();
    sources.add("WD.csv", text.replace("!Mass Cond!", "MassCond")).unwrap();
    let (file, diagnostics) = parse_csv(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let vars: Vec<&str> = file.vars.iter().map(|var| var.name.text.as_str()).collect();
    assert_eq!(vars, ["Past_InWdMfsw", "FLY", "MassCond", "far_away", "WD"]);
    let ends: Vec<(&str, &str)> = file.tables[0]
        .rows
        .iter()
        .map(|row| (row.cells[0].text.as_str(), row.cells[row.cells.len() - 1].text.as_str()))
        .collect();
    assert_eq!(ends, [("A", "B"), ("A", "B"), ("B", "A")]);
}
