//! `swirl info file.fbx`: prints the record tree of an FBX file.

use crate::console;
use crate::exit::ExitStatus;
use crate::plural::plural;
use anyhow::{Context, Result};
use fbx::{Elements, Property, Record};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;
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
        let records = document.records();
        let value = DocumentJson {
            byte_order: format!("{:?}", document.order).to_lowercase(),
            bytes: bytes.len(),
            file: name.to_string(),
            records: records.map(|record| RecordJson { record, whole }).collect(),
            version: document.version,
            warnings: document.warnings.iter().map(ToString::to_string).collect(),
        };
        console::write_long(|out| {
            serde_json::to_writer_pretty(&mut *out, &value)?;
            writeln!(out)
        });
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
        let name = record.name().escape_debug().to_string();
        write!(out, "{:indent$}{name}:", "", indent = 2 * depth)?;
        let mut separator = " ";
        for property in record.properties.iter().take(most) {
            write!(out, "{separator}")?;
            print_value(&property, whole, out)?;
            separator = ", ";
        }
        if record.properties.count() > most as u64 {
            write!(out, "{separator}... {} values", record.properties.count())?;
            separator = ", ";
        }
        // A record without values ends with a space.
        writeln!(out, "{}", if separator == " " { " " } else { "" })?;
        pending.extend(record.children.iter().rev().map(|child| (depth + 1, child)));
    }
    Ok(())
}

/// Prints a value. Long arrays are not converted to text as a whole: it takes several times their memory.
fn print_value(property: &Property<'_>, whole: bool, out: &mut dyn Write) -> std::io::Result<()> {
    match property {
        Property::String(bytes) => write!(out, "{:?}", cut(bytes, whole)),
        Property::Array(array) if whole => match array.elements() {
            Ok(elements) => Ok(serde_json::to_writer(out, &ElementsJson(&elements))?),
            Err(error) => write!(out, "{error}"),
        },
        Property::Raw(bytes) if whole => Ok(serde_json::to_writer(out, bytes)?),
        other => match value(other) {
            Value::String(text) => write!(out, "{text}"),
            value => write!(out, "{value}"),
        },
    }
}

/// Returns a value, and for arrays and binary data a summary.
fn value(property: &Property<'_>) -> Value {
    match *property {
        Property::I16(v) => v.into(),
        Property::Char(v) | Property::Byte(v) => v.into(),
        Property::I8(v) => v.into(),
        Property::I32(v) => v.into(),
        Property::I64(v) => v.into(),
        Property::F32(v) => number(v.into()),
        Property::F64(v) => number(v),
        Property::String(v) => cut(v, false).into(),
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

/// Elements of an array as JSON.
struct ElementsJson<'a>(&'a Elements);

impl Serialize for ElementsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Elements::F32(v) => serializer.collect_seq(v.iter().map(|v| number((*v).into()))),
            Elements::F64(v) => serializer.collect_seq(v.iter().map(|v| number(*v))),
            Elements::I32(v) => v.serialize(serializer),
            Elements::I64(v) => v.serialize(serializer),
            Elements::Bool(v) | Elements::Byte(v) => v.serialize(serializer),
        }
    }
}

/// Value of a record as JSON. With `whole`, arrays have all elements, or the reason why they cannot be
/// decoded.
struct ValueJson<'a> {
    property: Property<'a>,
    whole: bool,
}

impl Serialize for ValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("value", 2)?;
        fields.serialize_field("code", &(self.property.code() as char))?;
        match &self.property {
            Property::Array(array) if self.whole => match array.elements() {
                Ok(elements) => fields.serialize_field("value", &ElementsJson(&elements))?,
                Err(error) => fields.serialize_field("value", &error.to_string())?,
            },
            Property::String(v) => fields.serialize_field("value", &cut(v, self.whole))?,
            Property::Raw(v) if self.whole => fields.serialize_field("value", v)?,
            other => fields.serialize_field("value", &value(other))?,
        }
        fields.end()
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

/// Fields in alphabetical order, like all JSON of this verb.
#[derive(serde::Serialize)]
struct DocumentJson<'a> {
    byte_order: String,
    bytes: usize,
    file: String,
    records: Vec<RecordJson<'a>>,
    version: u32,
    warnings: Vec<String>,
}

struct RecordJson<'a> {
    record: &'a Record<'a>,
    whole: bool,
}

/// Recursive; the reader limits the nesting of records.
impl Serialize for RecordJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = self.whole;
        let most = if whole { usize::MAX } else { SHOWN };
        let properties = self.record.properties.iter().take(most);
        let values: Vec<ValueJson<'_>> = properties.map(|property| ValueJson { property, whole }).collect();
        let children = self.record.children.iter();
        let children: Vec<RecordJson<'_>> = children.map(|record| RecordJson { record, whole }).collect();
        let mut fields = serializer.serialize_struct("record", 4)?;
        fields.serialize_field("children", &children)?;
        fields.serialize_field("count", &self.record.properties.count())?;
        fields.serialize_field("name", &self.record.name())?;
        fields.serialize_field("values", &values)?;
        fields.end()
    }
}
