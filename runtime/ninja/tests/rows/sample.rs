//! Sample files. Each section has a row's name in brackets, the wrapping of bytes and text, the bytes, the
//! text and the values.

use crate::common::{chunk, le32, one_list};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Sample files, one for each table of the README.
pub(crate) const FILES: [&str; 8] = [
    "iff",
    "structures",
    "vertices",
    "polygons",
    "motions",
    "cells",
    "flags",
    "read_only",
];

/// One sample of a row.
#[derive(Default)]
pub(crate) struct Sample {
    /// File and line of the row's name.
    pub(crate) place: String,
    pub(crate) row: String,
    /// Bytes of the whole file; empty for samples with only text.
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: Option<String>,
    pub(crate) values: Vec<String>,
    /// Keys have the older layout (`keys older`).
    pub(crate) has_older_keys: bool,
    /// The bytes are in another order than the writer's (`moved`).
    pub(crate) is_moved: bool,
    /// The text contains definitions that no chunk has (`unused`).
    pub(crate) has_unused: bool,
    /// Part of the error message for an invalid text (`refused TEXT`).
    pub(crate) refused: Option<String>,
}

/// Samples of a file.
pub(crate) fn samples(file: &str) -> Vec<Sample> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/rows")
        .join(format!("{file}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<&str> = text.lines().collect();
    let starts = (0..lines.len()).filter(|i| lines[*i].starts_with('['));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let pairs = starts.iter().zip(ends);
    pairs
        .map(|(start, end)| section(&format!("{file}.txt:{}", start + 1), &lines[*start..end]))
        .collect()
}

fn section(place: &str, lines: &[&str]) -> Sample {
    let mut sample = Sample {
        place: place.to_owned(),
        row: lines[0].trim_matches(['[', ']']).to_owned(),
        ..Sample::default()
    };
    let (mut part, mut wrap) = ("", "");
    let (mut bytes, mut text) = (Vec::new(), Vec::new());
    for line in lines.iter().skip(1).filter(|line| !line.is_empty()) {
        match (line.strip_prefix(' '), part) {
            (Some(line), "bytes") => bytes.push(line),
            (Some(line), "text") => text.push(line),
            (Some(line), _) => sample.values.push(line.to_owned()),
            (None, _) => match *line {
                "bytes" | "text" | "values" => part = line,
                "keys older" => sample.has_older_keys = true,
                "moved" => sample.is_moved = true,
                "unused" => sample.has_unused = true,
                _ => match line.split_once(' ') {
                    Some(("wrap", kind)) => wrap = kind,
                    Some(("refused", text)) => sample.refused = Some(text.to_owned()),
                    _ => panic!("{place}: {line}"),
                },
            },
        }
    }
    sample.bytes = file_of(wrap, &bytes);
    sample.text = (!text.is_empty()).then(|| text_of(wrap, &text.join("\n")));
    sample
}

/// Bytes of lines of hexadecimal numbers. `zeros N` means N zeros, and a comment follows a semicolon.
fn hex(lines: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        let line = line.split(';').next().unwrap_or_default();
        match line.strip_prefix("zeros ") {
            Some(count) => bytes.resize(bytes.len() + count.trim().parse::<usize>().unwrap(), 0),
            None => bytes.extend(
                line.split_whitespace()
                    .map(|byte| u8::from_str_radix(byte, 16).unwrap()),
            ),
        }
    }
    bytes
}

/// Chunks built from lines that follow their names.
fn chunks(lines: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in lines.chunk_by(|_, next| !next.ends_with(':')) {
        let id = part[0].trim_end_matches(':').as_bytes();
        bytes.extend(chunk(id.first_chunk().unwrap(), &hex(&part[1..])));
    }
    bytes
}

fn numbers(wrap: &str) -> Vec<u32> {
    wrap.split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect()
}

fn file_of(wrap: &str, lines: &[&str]) -> Vec<u8> {
    match wrap.split_whitespace().next() {
        Some("vlist") => one_list(&hex(lines), false),
        Some("plist") => one_list(&hex(lines), true),
        Some("raw") => hex(lines),
        Some("text") => Vec::new(),
        Some("shape") => {
            // NJS_CSHAPELIST of one NJS_CSHAPE_KEYGROUP of one NJS_CSHAPECV.
            let body = [le32(&[8, 1, 16, 0, 20]), hex(lines)].concat();
            [chunk(b"NJSL", &body), chunk(b"POF0", &[0x40, 0x42, 0x42, 0])].concat()
        }
        Some("stream") => {
            let numbers = numbers(wrap);
            let body = [le32(&[16, 16, numbers[0], numbers[1]]), hex(lines)].concat();
            [chunk(b"NJCS", &body), chunk(b"POF0", &[0x40, 0x41, 0, 0])].concat()
        }
        _ => chunks(lines),
    }
}

/// Definitions around a list.
fn text_of(wrap: &str, list: &str) -> String {
    const OBJECT: &str = "CNKOBJECT o[] START EvalFlags( 0x0 ), CNKModel m, OPosition( 0.0F, 0.0F, 0.0F ), \
        OAngle( 0.0F, 0.0F, 0.0F ), OScale( 1.0F, 1.0F, 1.0F ), Child NULL, Sibling NULL, END";
    let model = |kind: &str, lists: &str| {
        format!(
            "{kind} l[] START\n{list}\nEND\n\
             CNKMODEL m[] START {lists}, Center 0.0F, 0.0F, 0.0F, Radius 1.0F, END\n{OBJECT}"
        )
    };
    let mut text = String::new();
    let _ = match wrap.split_whitespace().next() {
        Some("vlist") => write!(text, "{}", model("VLIST", "VList l, PList NULL")),
        Some("plist") => write!(text, "{}", model("PLIST", "VList NULL, PList l")),
        Some("shape") => write!(
            text,
            "VLIST l[] START\n{list}\nEND CVLIST v[] START l, END\n\
             CSHAPEKGLIST g[] START CSHAPEKG( v, 0 ), END\n\
             CSHAPELIST s[] START CShapeKgList g, CShapeNum 1, END"
        ),
        Some("stream") => {
            let numbers = numbers(wrap);
            write!(
                text,
                "CELLSTREAMDATA d[] START\n{list}\nEND\n\
                 CELLSTREAM s START CStreamData d, CSCurrent d, CSTimeOffset {}, \
                 CSTimeMax {}, END",
                numbers[0], numbers[1]
            )
        }
        _ => write!(text, "{list}"),
    };
    text
}
