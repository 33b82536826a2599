//! The row of chunks that a file is made of (docs/formats/ninja.md 1.2).

use std::fmt;

use crate::bytes::ByteOrder;
use crate::error::{Error, Place};

/// The four bytes that name an IFF chunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkId(pub [u8; 4]);

impl ChunkId {
    /// Texture list.
    pub const NJTL: ChunkId = ChunkId(*b"NJTL");
    /// Chunk-model tree with 52-byte nodes.
    pub const NJCM: ChunkId = ChunkId(*b"NJCM");
    /// Ninja2 chunk-model tree with 56-byte nodes.
    pub const N2CM: ChunkId = ChunkId(*b"N2CM");
    /// Model motion.
    pub const NMDM: ChunkId = ChunkId(*b"NMDM");
    /// Light motion.
    pub const NLIM: ChunkId = ChunkId(*b"NLIM");
    /// Camera motion.
    pub const NCAM: ChunkId = ChunkId(*b"NCAM");
    /// Cell sprite motion.
    pub const NCSM: ChunkId = ChunkId(*b"NCSM");
    /// Ninja1 simple shape motion.
    pub const NSSM: ChunkId = ChunkId(*b"NSSM");
    /// CompactShape list.
    pub const NJSL: ChunkId = ChunkId(*b"NJSL");
    /// CompactShape motion.
    pub const CPSM: ChunkId = ChunkId(*b"CPSM");
    /// Cell sprite.
    pub const NJSP: ChunkId = ChunkId(*b"NJSP");
    /// Cell stream.
    pub const NJCS: ChunkId = ChunkId(*b"NJCS");
    /// Light, of a layout that no public source gives: kept as bytes.
    pub const NJLI: ChunkId = ChunkId(*b"NJLI");
    /// Camera, likewise.
    pub const NJCA: ChunkId = ChunkId(*b"NJCA");
    /// Basic model tree, kept as bytes.
    pub const NJBM: ChunkId = ChunkId(*b"NJBM");
    /// List of the pointers in the chunk before it.
    pub const POF0: ChunkId = ChunkId(*b"POF0");
    /// PSO extra: the original file name.
    pub const NMDL: ChunkId = ChunkId(*b"NMDL");

    /// Whether a chunk may carry this name: letters and digits only.
    fn is_plausible(self) -> bool {
        self.0.iter().all(u8::is_ascii_alphanumeric)
    }

    /// Whether the specification pairs this chunk with a `POF0`.
    pub(crate) fn wants_pof0(self) -> bool {
        const PAIRED: [&[u8; 4]; 14] = [
            b"NJTL", b"NJCM", b"N2CM", b"NJBM", b"NMDM", b"NJSL", b"CPSM", b"NSSM", b"NJSP", b"NJCS",
            b"NCSM", b"NLIM", b"NCAM", b"NJLI",
        ];
        PAIRED.iter().any(|id| **id == self.0)
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{}", b.escape_ascii()))
    }
}

impl fmt::Debug for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkId({self})")
    }
}

/// One chunk as it lies in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a> {
    pub(crate) id: ChunkId,
    pub(crate) body: &'a [u8],
    /// File offset of the first body byte.
    pub(crate) base: usize,
}

/// What [`split`] finds.
#[derive(Debug)]
pub(crate) struct Spans<'a> {
    pub(crate) chunks: Vec<Span<'a>>,
    /// Bytes after the last chunk: all zero, as archives pad their members.
    pub(crate) tail: &'a [u8],
    /// Order of the size fields.
    pub(crate) order: ByteOrder,
}

const HEAD: usize = 8;

/// Cuts a file into chunks. The size fields are little-endian even in GameCube files (docs/formats/ninja.md
/// 1.1), so big-endian sizes are taken only if little-endian ones do not lead to the end of the file and they
/// do.
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
