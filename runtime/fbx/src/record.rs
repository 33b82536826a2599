//! Records and documents in memory.

use std::borrow::Cow;

use crate::bytes::ByteOrder;
use crate::error::Warning;
use crate::footer::Footer;
use crate::property::{Properties, Property};

/// Records that get a terminator even for an empty nested list, as in exporters (docs/formats/fbx.md, 1.2).
const ALWAYS_TERMINATED: [&[u8]; 4] = [
    b"References",
    b"Properties70",
    b"AnimationStack",
    b"AnimationLayer",
];

/// A named record with properties and nested records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Raw bytes of the name, at most 255.
    pub name: Cow<'a, [u8]>,
    /// Values of the record.
    pub properties: Properties<'a>,
    /// Nested records in file order.
    pub children: Vec<Record<'a>>,
    /// True if a null record ends the nested list. Some writers end empty lists with one and others do not,
    /// so the reader records it.
    pub terminated: bool,
    /// True if EndOffset in the head is 0. Such a record is a leaf that ends with its properties.
    pub zero_end: bool,
}

impl<'a> Record<'a> {
    /// Creates a record without properties or children. It gets a terminator where exporters write one.
    pub fn new(name: &'a str, order: ByteOrder) -> Self {
        Record {
            name: Cow::Borrowed(name.as_bytes()),
            properties: Properties::new(order),
            children: Vec::new(),
            terminated: ALWAYS_TERMINATED.contains(&name.as_bytes()),
            zero_end: false,
        }
    }

    /// Returns the record with one more value.
    #[must_use]
    pub fn with(mut self, value: &Property<'_>) -> Self {
        self.properties.push(value);
        self
    }

    /// Returns the record with one more nested record, and therefore with a terminator.
    #[must_use]
    pub fn with_child(mut self, child: Record<'a>) -> Self {
        self.children.push(child);
        self.terminated = true;
        self
    }

    /// Returns the name; invalid UTF-8 is replaced.
    pub fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }

    /// Returns the first nested record named `name`.
    pub fn child(&self, name: &str) -> Option<&Record<'a>> {
        self.children.iter().find(|c| *c.name == *name.as_bytes())
    }

    /// Number of records in this subtree, including this one.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Record::count).sum::<usize>()
    }
}

/// A list of top-level records and the footer that follows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section<'a> {
    /// Top-level records in file order.
    pub records: Vec<Record<'a>>,
    /// `None` if the reader recognises no footer.
    pub footer: Option<Footer>,
}

/// A complete FBX file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document<'a> {
    /// Byte order of every number in the file.
    pub order: ByteOrder,
    /// Version in the header, such as 7400; see [`Document::true_version`].
    pub version: u32,
    /// One section; files below version 7000 have a second one with the summary (docs/formats/fbx.md, 1.6).
    pub sections: Vec<Section<'a>>,
    /// Bytes after the last recognised footer.
    pub trailing: Cow<'a, [u8]>,
    /// Unusual features of the file that the reader found.
    pub warnings: Vec<Warning>,
}

impl<'a> Document<'a> {
    /// Creates a document without records, with the footer that Blender writes.
    pub fn new(version: u32, order: ByteOrder) -> Self {
        Document {
            order,
            version,
            sections: vec![Section {
                records: Vec::new(),
                footer: Some(Footer::new(version)),
            }],
            trailing: Cow::Borrowed(&[]),
            warnings: Vec::new(),
        }
    }

    /// Iterates over the top-level records of all sections.
    pub fn records(&self) -> impl Iterator<Item = &Record<'a>> {
        self.sections.iter().flat_map(|s| &s.records)
    }

    /// Returns the first top-level record named `name`.
    pub fn record(&self, name: &str) -> Option<&Record<'a>> {
        self.records().find(|r| *r.name == *name.as_bytes())
    }

    /// Returns the highest of the versions in the header, in FBXHeaderExtension/FBXVersion and in the footer.
    /// Below 6000 the header understates it (docs/formats/fbx.md, 1.1).
    pub fn true_version(&self) -> u32 {
        let stated = self
            .record("FBXHeaderExtension")
            .and_then(|r| r.child("FBXVersion"))
            .and_then(|r| r.properties.first()?.as_i64())
            .and_then(|v| u32::try_from(v).ok());
        let footer = self
            .sections
            .iter()
            .filter_map(|s| s.footer.as_ref())
            .map(|f| f.version);
        stated.into_iter().chain(footer).fold(self.version, u32::max)
    }

    /// True if record heads have 64-bit fields.
    pub(crate) fn wide(version: u32) -> bool {
        version >= 7500
    }
}
