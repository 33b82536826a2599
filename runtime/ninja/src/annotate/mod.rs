//! Annotation of every byte of a file, for `swirl info --chunks` and for authors of readers.

mod body;

use crate::bytes::{Body, ByteOrder};
use crate::chunk_id::ChunkId;
use crate::error::Error;
use crate::file::{Chunk, Container, File, read_with};
use crate::iff::{self, Span};
use crate::pof0::Pof0;
use crate::settings::Settings;

/// A range of bytes and their meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// File offset of the first byte.
    pub offset: usize,
    /// Length in bytes.
    pub len: usize,
    /// Meaning of the bytes.
    pub meaning: String,
}

/// Annotates every byte of a file, in file order. Where structures overlap, each of them gets a note for the
/// shared bytes.
///
///
/// # Errors
/// Fails under the conditions of [`read`](crate::read).
pub fn annotate(bytes: &[u8], settings: &Settings) -> Result<Vec<Note>, Error> {
    let file = read_with(bytes, settings)?;
    let mut notes = Vec::new();
    if file.container == Container::PsoMotion {
        let span = Span {
            id: ChunkId::NMDM,
            body: bytes,
            base: 0,
        };
        if let Some(chunk) = file.chunks.first() {
            body::annotate(&body_of(&span, file.byte_order), chunk, &mut notes);
        }
        return Ok(notes);
    }
    annotate_chunks(bytes, &file, &mut notes)?;
    Ok(notes)
}

fn body_of<'a>(span: &Span<'a>, order: ByteOrder) -> Body<'a> {
    Body {
        bytes: span.body,
        order,
        base: span.base,
        chunk: span.id,
        node: None,
    }
}

fn annotate_chunks(bytes: &[u8], file: &File, notes: &mut Vec<Note>) -> Result<(), Error> {
    let spans = iff::split(bytes)?;
    let mut chunks = file.chunks.iter();
    let mut before: Option<(&Chunk, Span<'_>)> = None;
    for span in &spans.chunks {
        let size = span.body.len();
        notes.push(Note {
            offset: span.base - 8,
            len: 8,
            meaning: format!("chunk {}, {size} bytes", span.id),
        });
        match before {
            // The list belongs to the chunk before it, unless that chunk already has one.
            Some((chunk, of)) if span.id == ChunkId::POF0 && chunk.pof0().is_some() => {
                annotate_pof0(span, &of, file.byte_order, notes);
                before = None;
            }
            _ => {
                let Some(chunk) = chunks.next() else { break };
                body::annotate(&body_of(span, file.byte_order), chunk, notes);
                before = Some((chunk, *span));
            }
        }
    }
    if !spans.tail.is_empty() {
        notes.push(Note {
            offset: bytes.len() - spans.tail.len(),
            len: spans.tail.len(),
            meaning: "zeros after the last chunk".into(),
        });
    }
    Ok(())
}

fn annotate_pof0(span: &Span<'_>, of: &Span<'_>, order: ByteOrder, notes: &mut Vec<Note>) {
    let pof0 = Pof0::from_bytes(span.body.to_vec());
    let body = body_of(of, order);
    let mut at = 0;
    for (offset, len) in pof0.entries() {
        let value = body
            .u32(offset, "pointer")
            .map_or("outside".into(), |value| format!("{value:#x}"));
        notes.push(Note {
            offset: span.base + at,
            len,
            meaning: format!("pointer at {offset:#x} of {}: {value}", of.id),
        });
        at += len;
    }
    if at < span.body.len() {
        notes.push(Note {
            offset: span.base + at,
            len: span.body.len() - at,
            meaning: "padding".into(),
        });
    }
}
