//! FBX binary records: a lossless reader and writer.
//!
//! An FBX file is a header, a list of nested named records, and a footer. This crate decodes records and
//! their values. It does not interpret scenes: its users read geometry, skins and animation from the records.
//! The crate supports versions 3000 to 7700 in both byte orders. Files below version 7000 have no arrays, and
//! have a second list of records after the first footer.
//!
//! ```
//! use fbx::{ByteOrder, Document, Elements, Property, Record};
//! let order = ByteOrder::Little;
//! let mut vertices = Record::new("Vertices", order);
//! vertices.properties.push_elements(&Elements::F64(vec![0.0, 1.0, 2.0]));
//! let geometry = Record::new("Geometry", order).with(&Property::I64(7)).with_child(vertices);
//! let mut document = Document::new(7400, order);
//! document.sections[0].records.push(Record::new("Objects", order).with_child(geometry));
//!
//! let bytes = document.write()?;
//! let read = fbx::read(&bytes)?;
//! assert_eq!(read.write()?, bytes);
//! let vertices = read.record("Objects").and_then(|r| r.child("Geometry")?.child("Vertices"));
//! let Some(Property::Array(array)) = vertices.and_then(|r| r.properties.first()) else { panic!() };
//! assert_eq!(array.elements().unwrap(), Elements::F64(vec![0.0, 1.0, 2.0]));
//! # Ok::<(), fbx::Error>(())
//! ```
//!
//! A document that was read is written back byte for byte. Array payloads stay compressed. The document also
//! keeps the choices that the format leaves to the writer: terminators of empty lists, records without
//! EndOffset, and the footer's padding.
//!
//! Source: the format notes of the Blender developers (2013), corrected from 347 real files.
//! docs/formats/fbx.md lists the corrections.

mod array;
mod bytes;
mod error;
mod footer;
mod limits;
mod property;
mod read;
mod record;
mod write;

pub use array::{Array, ArrayError, ElementKind, Elements, Encoding};
pub use bytes::ByteOrder;
pub use error::{Error, Warning};
pub use footer::{Extent, Footer, Padding};
pub use limits::LIMITS;
pub use property::{Properties, Property};
pub use read::{Limits, read, read_with};
pub use record::{Document, Record, Section};
