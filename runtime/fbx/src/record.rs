//! Records and documents in memory.

use std::borrow::Cow;

use crate::bytes::ByteOrder;
use crate::error::Warning;
use crate::footer::Footer;
use crate::property::{Properties, Property};

/// Names whose nested list has a terminator even when it is empty, in what exporters write
/// (docs/formats/fbx.md, 1.2).
const ALWAYS_TERMINATED: [&[u8]; 4] = [
    b"References",
    b"Properties70",
    b"AnimationStack",
    b"AnimationLayer",
];

/// A named record: properties, then nested records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Raw bytes, at most 255.
    pub name: Cow<'a, [u8]>,
    /// Its values.
    pub properties: Properties<'a>,
    /// Nested records in file order.
    pub children: Vec<Record<'a>>,
    /// Whether a null record ends the nested list. Empty lists are written with and without one, so it is
    /// kept.
    pub terminated: bool,
    /// Whether the head's EndOffset is 0: such a record is a leaf that ends with its properties.
    pub zero_end: bool,
}

impl<'a> Record<'a> {
    /// A record without properties or children, with a terminator where exporters write one.
    pub fn new(name: &'a str, order: ByteOrder) -> Self {
        Record {
            name: Cow::Borrowed(name.as_bytes()),
            properties: Properties::new(order),
            children: Vec::new(),
            terminated: ALWAYS_TERMINATED.contains(&name.as_bytes()),
            zero_end: false,
        }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, value: &Property<'_>) -> Self {
        self.properties.push(value);
        self
    }

    /// The same with one more nested record, and so a terminator.
    #[must_use]
    pub fn with_child(mut self, child: Record<'a>) -> Self {
        self.children.push(child);
        self.terminated = true;
        self
    }

    /// The name with anything that is not UTF-8 replaced.
    pub fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }

    /// The first nested record of that name.
    pub fn child(&self, name: &str) -> Option<&Record<'a>> {
        self.children.iter().find(|c| *c.name == *name.as_bytes())
    }

    /// This record and all below it.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Record::count).sum::<usize>()
    }
}

/// A list of top-level records and the footer behind it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section<'a> {
    /// Top-level records in file order.
    pub records: Vec<Record<'a>>,
    /// `None` where the file has none that can be recognised.
    pub footer: Option<Footer>,
}

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document<'a> {
    /// Of every number in the file.
    pub order: ByteOrder,
    /// The header's version, such as 7400; see [`Document::true_version`].
    pub version: u32,
    /// One section; files below version 7000 have a second, with the summary (docs/formats/fbx.md, 1.6).
    pub sections: Vec<Section<'a>>,
    /// Bytes behind the last recognised footer.
    pub trailing: Cow<'a, [u8]>,
    /// What was unusual.
    pub warnings: Vec<Warning>,
}

impl<'a> Document<'a> {
    /// A document without records, with the footer that Blender writes.
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

    /// All top-level records, of both sections.
    pub fn records(&self) -> impl Iterator<Item = &Record<'a>> {
        self.sections.iter().flat_map(|s| &s.records)
    }

    /// The first top-level record of that name.
    pub fn record(&self, name: &str) -> Option<&Record<'a>> {
        self.records().find(|r| *r.name == *name.as_bytes())
    }

    /// The version that FBXHeaderExtension/FBXVersion or the footer states, where it is above the header's:
    /// below 6000 the header understates it (docs/formats/fbx.md, 1.1).
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

    /// Whether record heads hold 64-bit fields.
    pub(crate) fn wide(version: u32) -> bool {
        version >= 7500
    }
}
