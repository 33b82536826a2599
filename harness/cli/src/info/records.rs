//! `swirl info file.fbx`: the record tree of an FBX file.

use crate::console;
use crate::exit::ExitStatus;
use anyhow::{Context, Result};
use fbx::{Document, Property, Record};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Values of a property list and elements of an array that are shown.
const SHOWN: usize = 6;

/// Bytes of a string that are shown.
const SHOWN_TEXT: usize = 60;

/// Prints the records of a binary FBX file. Long lists and texts are cut; `count` is the number of all
/// values.
pub(crate) fn run(path: &Path, bytes: &[u8], as_json: bool) -> Result<ExitStatus> {
    let name = path.display();
    let document = fbx::read(bytes).with_context(|| name.to_string())?;
    for warning in &document.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    if as_json {
        println!(
            "{}",
            serde_json::to_string_pretty(&as_value(&name.to_string(), bytes, &document))?
        );
        return Ok(ExitStatus::Done);
    }
    let order = format!("{:?}", document.order).to_lowercase();
    let count: usize = document.records().map(Record::count).sum();
    println!(
        "{name}: {} bytes, FBX {}, {order}-endian, {count} records",
        bytes.len(),
        document.version
    );
    console::write_long(|out| document.records().try_for_each(|record| print(record, out)));
    Ok(ExitStatus::Done)
}

fn print(top: &Record<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    // A stack and not recursion: records nest as deep as the reader's limit.
    let mut pending = vec![(0, top)];
    while let Some((depth, record)) = pending.pop() {
        let mut values: Vec<String> = record.properties.iter().take(SHOWN).map(|p| text(&p)).collect();
        if record.properties.count() > SHOWN as u64 {
            values.push(format!("... {} values", record.properties.count()));
        }
        let name = record.name().escape_debug().to_string();
        writeln!(
            out,
            "{:indent$}{name}: {}",
            "",
            values.join(", "),
            indent = 2 * depth
        )?;
        pending.extend(record.children.iter().rev().map(|child| (depth + 1, child)));
    }
    Ok(())
}

fn text(property: &Property<'_>) -> String {
    match property {
        Property::String(bytes) => format!("{:?}", cut(bytes)),
        other => match value(other) {
            Value::String(text) => text,
            value => value.to_string(),
        },
    }
}

fn value(property: &Property<'_>) -> Value {
    match *property {
        Property::I16(v) => v.into(),
        Property::Char(v) | Property::Byte(v) => v.into(),
        Property::I8(v) => v.into(),
        Property::I32(v) => v.into(),
        Property::I64(v) => v.into(),
        Property::F32(v) => number(v.into()),
        Property::F64(v) => number(v),
        Property::String(v) => cut(v).into(),
        Property::Raw(v) => format!("{} bytes", v.len()).into(),
        Property::Array(array) => {
            let kind = format!("{:?}", array.kind).to_lowercase();
            let stored = match array.encoding {
                fbx::Encoding::Raw => String::new(),
                fbx::Encoding::Zlib => format!(", {} bytes of zlib", array.payload.len()),
            };
            format!("{} x {kind}{stored}", array.length).into()
        }
    }
}

/// JSON has no infinities.
fn number(v: f64) -> Value {
    serde_json::Number::from_f64(v).map_or_else(|| v.to_string().into(), Value::Number)
}

fn cut(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(SHOWN_TEXT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

fn as_value(name: &str, bytes: &[u8], document: &Document<'_>) -> Value {
    let records: Vec<Value> = document.records().map(record_value).collect();
    let warnings: Vec<String> = document.warnings.iter().map(ToString::to_string).collect();
    json!({
        "file": name,
        "bytes": bytes.len(),
        "version": document.version,
        "byte_order": format!("{:?}", document.order).to_lowercase(),
        "records": records,
        "warnings": warnings,
    })
}

/// Recursive; the reader bounds how deep records nest.
fn record_value(record: &Record<'_>) -> Value {
    let values = record.properties.iter().take(SHOWN);
    let values: Vec<Value> = values
        .map(|p| json!({ "code": (p.code() as char).to_string(), "value": value(&p) }))
        .collect();
    let children: Vec<Value> = record.children.iter().map(record_value).collect();
    json!({
        "name": record.name(),
        "values": values,
        "count": record.properties.count(),
        "children": children,
    })
}
