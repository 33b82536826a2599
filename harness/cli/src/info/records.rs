//! `swirl info file.fbx`: prints the record tree of an FBX file.

use crate::console;
use crate::exit::ExitStatus;
use crate::plural::plural;
use anyhow::{Context, Result};
use fbx::{Document, Elements, Property, Record};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Maximum number of values of a property list, and of elements of an array, to print.
const SHOWN: usize = 6;

/// Maximum number of bytes of a string to print.
const SHOWN_TEXT: usize = 60;

/// Prints the top records of a binary FBX file, or all with `tree` or `whole`. Without `whole`, shortens long
/// lists and texts; `count` is the number of all values.
pub(crate) fn run(path: &Path, bytes: &[u8], as_json: bool, tree: bool, whole: bool) -> Result<ExitStatus> {
    let name = path.display();
    let document = fbx::read(bytes).with_context(|| name.to_string())?;
    for warning in &document.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    if as_json {
        println!(
            "{}",
            serde_json::to_string_pretty(&as_value(&name.to_string(), bytes, &document, whole))?
        );
        return Ok(ExitStatus::Done);
    }
    let order = format!("{:?}", document.order).to_lowercase();
    let count: usize = document.records().map(Record::count).sum();
    println!(
        "{name}: {} bytes, FBX {}, {order}-endian, {}",
        bytes.len(),
        document.version,
        plural(count, "record")
    );
    if !tree && !whole {
        document.records().for_each(print_top);
        return Ok(ExitStatus::Done);
    }
    console::write_long(|out| {
        document
            .records()
            .try_for_each(|record| print(record, whole, out))
    });
    Ok(ExitStatus::Done)
}

/// Prints a top record with the number and the kinds of records in it.
fn print_top(record: &Record<'_>) {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for child in &record.children {
        *kinds.entry(child.name().escape_debug().to_string()).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let name = record.name().escape_debug().to_string();
    let count = plural(record.count(), "record");
    match kinds.is_empty() {
        true => println!("{name:<24} {count}"),
        false => println!("{name:<24} {count}: {}", kinds.join(", ")),
    }
}

fn print(top: &Record<'_>, whole: bool, out: &mut dyn Write) -> std::io::Result<()> {
    // Uses a stack instead of recursion, because records can be nested up to the reader's limit.
    let mut pending = vec![(0, top)];
    while let Some((depth, record)) = pending.pop() {
        let most = if whole { usize::MAX } else { SHOWN };
        let shown = record.properties.iter().take(most);
        let mut values: Vec<String> = shown.map(|p| text(&p, whole)).collect();
        if record.properties.count() > most as u64 {
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

fn text(property: &Property<'_>, whole: bool) -> String {
    match property {
        Property::String(bytes) => format!("{:?}", cut(bytes, whole)),
        other => match value(other, whole) {
            Value::String(text) => text,
            value => value.to_string(),
        },
    }
}

fn value(property: &Property<'_>, whole: bool) -> Value {
    match *property {
        Property::I16(v) => v.into(),
        Property::Char(v) | Property::Byte(v) => v.into(),
        Property::I8(v) => v.into(),
        Property::I32(v) => v.into(),
        Property::I64(v) => v.into(),
        Property::F32(v) => number(v.into()),
        Property::F64(v) => number(v),
        Property::String(v) => cut(v, whole).into(),
        Property::Array(ref array) if whole => elements(array),
        Property::Raw(v) if whole => v.into(),
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

/// Returns all elements of an array, or the reason why they cannot be decoded.
fn elements(array: &fbx::Array<'_>) -> Value {
    match array.elements() {
        Ok(Elements::F32(v)) => v.into_iter().map(|v| number(v.into())).collect(),
        Ok(Elements::F64(v)) => v.into_iter().map(number).collect(),
        Ok(Elements::I32(v)) => v.into(),
        Ok(Elements::I64(v)) => v.into(),
        Ok(Elements::Bool(v) | Elements::Byte(v)) => v.into(),
        Err(error) => error.to_string().into(),
    }
}

/// Converts a number; JSON has no infinities.
fn number(v: f64) -> Value {
    serde_json::Number::from_f64(v).map_or_else(|| v.to_string().into(), Value::Number)
}

fn cut(bytes: &[u8], whole: bool) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(SHOWN_TEXT).filter(|_| !whole) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

fn as_value(name: &str, bytes: &[u8], document: &Document<'_>, whole: bool) -> Value {
    let records: Vec<Value> = document
        .records()
        .map(|record| record_value(record, whole))
        .collect();
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

/// Recursive; the reader limits the nesting of records.
fn record_value(record: &Record<'_>, whole: bool) -> Value {
    let most = if whole { usize::MAX } else { SHOWN };
    let values = record.properties.iter().take(most);
    let values: Vec<Value> = values
        .map(|p| json!({ "code": (p.code() as char).to_string(), "value": value(&p, whole) }))
        .collect();
    let children: Vec<Value> = record
        .children
        .iter()
        .map(|child| record_value(child, whole))
        .collect();
    json!({
        "name": record.name(),
        "values": values,
        "count": record.properties.count(),
        "children": children,
    })
}
