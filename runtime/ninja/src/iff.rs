//! Sequence of IFF chunks in a file (docs/formats/ninja.md 1.2).

use crate::bytes::ByteOrder;
use crate::chunk_id::ChunkId;
use crate::error::{Error, Place};
use crate::limits::CHUNKS;

/// One chunk as stored in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a> {
    pub(crate) id: ChunkId,
    pub(crate) body: &'a [u8],
    /// File offset of the first body byte.
    pub(crate) base: usize,
}

/// Result of [`split`].
#[derive(Debug)]
pub(crate) struct Spans<'a> {
    pub(crate) chunks: Vec<Span<'a>>,
    /// Bytes after the last chunk. They are all zero: archives pad their members.
    pub(crate) tail: &'a [u8],
    /// Byte order of the size fields.
    pub(crate) order: ByteOrder,
}

const HEAD: usize = 8;

/// Cuts a file into chunks. The size fields are little-endian even in GameCube files (docs/formats/ninja.md
/// 1.1). Big-endian sizes are used only if they lead to the end of the file and little-endian ones do not.
pub(crate) fn split(bytes: &[u8]) -> Result<Spans<'_>, Error> {
    split_in(bytes, ByteOrder::Little).or_else(|error| split_in(bytes, ByteOrder::Big).map_err(|_| error))
}

fn split_in(bytes: &[u8], order: ByteOrder) -> Result<Spans<'_>, Error> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        if at > 0 && rest.iter().all(|b| *b == 0) {
            break;
        }
        let span = chunk_at(rest, at, order)?;
        if chunks.len() == CHUNKS {
            let place = Place {
                offset: Some(at),
                ..Place::default()
            };
            let expected = format!("at most {CHUNKS} chunks");
            return Err(Error::format(place, "file", "one more chunk".into(), expected));
        }
        at = span.base + span.body.len();
        chunks.push(span);
    }
    if chunks.is_empty() {
        let place = Place {
            offset: Some(0),
            ..Place::default()
        };
        return Err(Error::format(
            place,
            "file",
            "0 bytes".into(),
            "at least one chunk".into(),
        ));
    }
    Ok(Spans {
        chunks,
        tail: bytes.get(at..).unwrap_or_default(),
        order,
    })
}

fn chunk_at(rest: &[u8], at: usize, order: ByteOrder) -> Result<Span<'_>, Error> {
    let place = Place {
        offset: Some(at),
        ..Place::default()
    };
    let Some((head, data)) = rest.split_first_chunk::<HEAD>() else {
        let found = crate::error::counted(rest.len(), "byte");
        return Err(Error::format(
            place,
            "chunk head",
            found,
            "4 bytes of name and 4 of size".into(),
        ));
    };
    let [a, b, c, d, size @ ..] = *head;
    let id = ChunkId([a, b, c, d]);
    if !id.is_plausible() {
        return Err(Error::format(
            place,
            "chunk name",
            format!("\"{id}\""),
            "four letters or digits".into(),
        ));
    }
    let place = Place {
        chunk: Some(id),
        ..place
    };
    let size = order.u32(size);
    let Some(body) = data.get(..size as usize) else {
        let expected = format!("at most the {} bytes left in the file", data.len());
        return Err(Error::format(
            place,
            "chunk size",
            format!("{size} bytes"),
            expected,
        ));
    };
    Ok(Span {
        id,
        body,
        base: at + HEAD,
    })
}

/// Appends a chunk.
pub(crate) fn put(out: &mut Vec<u8>, id: ChunkId, body: &[u8], sizes: ByteOrder) -> Result<(), Error> {
    let size = u32::try_from(body.len()).map_err(|_| {
        Error::parameter("chunk size", body.len(), "at most 4294967295 bytes").within(id, None)
    })?;
    out.extend_from_slice(&id.0);
    out.extend_from_slice(&sizes.put_u32(size));
    out.extend_from_slice(body);
    Ok(())
}
