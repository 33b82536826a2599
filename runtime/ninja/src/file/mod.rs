//! Whole files.

mod family;
mod pair;
mod sa_tools;

use pair::{Pair, byte_order, pair_up};

use crate::bytes::ByteOrder;
use crate::cell::{CellSprite, CellStream};
use crate::chunk_id::ChunkId;
use crate::cshape::{CShapeList, CShapeMotion};
use crate::error::{Error, Place, Warning, WarningKind, Warnings, counted};
use crate::iff;
use crate::layout::{Layout, Written};
use crate::motion::{self, Motion};
use crate::pof0::Pof0;
use crate::settings::Settings;
use crate::texlist::Texlist;
use crate::tree::ObjectTree;

/// A Ninja file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct File {
    /// Chunks in order, each with the pointer list that follows it.
    pub chunks: Vec<Chunk>,
    /// Warnings from reading.
    pub warnings: Vec<Warning>,
    /// Byte order of the bodies. It can be changed before writing, unless a raw chunk was read in the other
    /// order: its fields are unknown, so it cannot be converted.
    pub byte_order: ByteOrder,
    /// Byte order of the chunk sizes: little-endian, even in GameCube files (docs/formats/ninja.md 1.1,
    /// confidence medium).
    pub size_order: ByteOrder,
    /// Number of zero bytes after the last chunk.
    pub trailing: usize,
    /// Container of the chunks.
    pub container: Container,
}

/// Container formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Container {
    /// IFF: a sequence of chunks with their pointer lists.
    #[default]
    Iff,
    /// A model motion without chunks, with a pointer list of 16-bit deltas and a trailer. Phantasy Star
    /// Online uses this form.
    PsoMotion,
}

/// One chunk of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Chunk {
    /// `NJTL`.
    Texlist(Texlist),
    /// `NJCM` or `N2CM`.
    Model(ObjectTree),
    /// `NMDM`, `NLIM`, `NCAM`, `NCSM` or `NSSM`.
    Motion(Motion),
    /// `NJSL`.
    ShapeList(CShapeList),
    /// `CPSM`.
    ShapeMotion(CShapeMotion),
    /// `NJSP`.
    CellSprite(CellSprite),
    /// `NJCS`.
    CellStream(CellStream),
    /// Any other chunk.
    Raw(RawChunk),
}

/// A chunk kept as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawChunk {
    /// Name of the chunk.
    pub id: ChunkId,
    /// Bytes of the body.
    pub body: Vec<u8>,
    /// Pointer list after the chunk, if there is one.
    pub pof0: Option<Pof0>,
    /// Byte order of the file from which the chunk was read.
    pub byte_order: ByteOrder,
}

impl Chunk {
    /// Name of the chunk.
    pub fn id(&self) -> ChunkId {
        match self {
            Chunk::Texlist(_) => ChunkId::NJTL,
            Chunk::Model(tree) => tree.kind.chunk_id(),
            Chunk::Motion(motion) => motion.kind.chunk_id(),
            Chunk::ShapeList(_) => ChunkId::NJSL,
            Chunk::ShapeMotion(_) => ChunkId::CPSM,
            Chunk::CellSprite(_) => ChunkId::NJSP,
            Chunk::CellStream(_) => ChunkId::NJCS,
            Chunk::Raw(raw) => raw.id,
        }
    }

    fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        match self {
            Chunk::Texlist(list) => list.write(order),
            Chunk::Model(tree) => tree.write(order),
            Chunk::Motion(motion) => motion.write(order),
            Chunk::ShapeList(list) => list.write(order),
            Chunk::ShapeMotion(motion) => motion.write(order),
            Chunk::CellSprite(sprite) => sprite.write(order),
            Chunk::CellStream(stream) => stream.write(order),
            Chunk::Raw(raw) => raw.write(order),
        }
    }

    /// Recorded positions of the chunk's structures.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        match self {
            Chunk::Texlist(list) => list.recorded(),
            Chunk::Model(tree) => tree.recorded(),
            Chunk::Motion(motion) => motion.recorded(),
            Chunk::ShapeList(list) => list.recorded(),
            Chunk::ShapeMotion(motion) => motion.recorded(),
            Chunk::CellSprite(sprite) => sprite.recorded(),
            Chunk::CellStream(stream) => stream.recorded(),
            Chunk::Raw(_) => None,
        }
    }

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        match self {
            Chunk::Raw(raw) => raw.pof0.as_ref(),
            chunk => chunk.layout().and_then(Layout::pof0),
        }
    }
}

impl RawChunk {
    fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        if self.byte_order != order && self.pof0.is_some() {
            let found = format!("{order:?} for a raw chunk read as {:?}", self.byte_order);
            return Err(Error::parameter("byte order", found, "the same"));
        }
        Ok((self.body.clone(), self.pof0.clone()))
    }
}

/// Position of a chunk in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Name of the chunk.
    pub id: ChunkId,
    /// File offset of the first body byte.
    pub offset: usize,
    /// Size of the body in bytes.
    pub bytes: usize,
}

/// Lists the chunks of a file in order, including pointer lists, without parsing their bodies.
///
/// # Errors
/// Fails if the bytes are not a sequence of chunks.
pub fn directory(bytes: &[u8]) -> Result<Vec<DirectoryEntry>, Error> {
    if sa_tools::is_model(bytes) {
        return Ok(vec![DirectoryEntry {
            id: ChunkId::NJCM,
            offset: 0,
            bytes: bytes.len(),
        }]);
    }
    let spans = iff::split(bytes)?.chunks.into_iter();
    Ok(spans
        .map(|span| DirectoryEntry {
            id: span.id,
            offset: span.base,
            bytes: span.body.len(),
        })
        .collect())
}

/// Reads a file with the default [`Settings`].
///
/// # Errors
/// Fails if the bytes are not a sequence of chunks, or if a known chunk violates its format. The error names
/// the byte, the chunk and the node. Unusual but readable content gives warnings.
pub fn read(bytes: &[u8]) -> Result<File, Error> {
    read_with(bytes, &Settings::default())
}

/// Reads a file.
///
/// # Errors
/// Fails under the conditions of [`read`].
pub fn read_with(bytes: &[u8], settings: &Settings) -> Result<File, Error> {
    if let Some(file) = sa_tools::read(bytes, settings) {
        return file;
    }
    let mut warnings = Warnings::default();
    let spans = match iff::split(bytes) {
        Ok(spans) => spans,
        Err(error) => return read_bare_motion(bytes, settings, warnings).unwrap_or(Err(error)),
    };
    let here = |offset: usize, kind| Warning {
        kind,
        place: Place {
            offset: Some(offset),
            ..Place::default()
        },
    };
    if spans.order == ByteOrder::Big {
        warnings.push(here(4, WarningKind::BigEndianSizes));
    }
    if !spans.tail.is_empty() {
        let kind = WarningKind::TrailingBytes(spans.tail.len());
        warnings.push(here(bytes.len() - spans.tail.len(), kind));
    }
    let pairs = pair_up(&spans.chunks);
    let votes: Vec<_> = pairs.iter().map(Pair::votes).collect();
    let byte_order = byte_order(&votes);
    let mut chunks = Vec::with_capacity(pairs.len());
    for (pair, [little, big]) in pairs.into_iter().zip(votes) {
        let agrees = match byte_order {
            ByteOrder::Little => little.pointers >= big.pointers,
            ByteOrder::Big => big.pointers >= little.pointers,
        };
        chunks.push(pair.read(byte_order, agrees, settings, &mut warnings)?);
    }
    let (warnings, trailing) = (warnings.finish(), spans.tail.len());
    Ok(File {
        chunks,
        warnings,
        byte_order,
        size_order: spans.order,
        trailing,
        container: Container::Iff,
    })
}

/// Reads a motion file without chunks; `None` if the bytes are not such a file.
fn read_bare_motion(
    bytes: &[u8],
    settings: &Settings,
    mut warnings: Warnings,
) -> Option<Result<File, Error>> {
    let motion = motion::pso::read(bytes, settings, &mut warnings)?;
    Some(motion.map(|(motion, byte_order)| File {
        chunks: vec![Chunk::Motion(motion)],
        warnings: warnings.finish(),
        byte_order,
        container: Container::PsoMotion,
        ..File::default()
    }))
}

impl File {
    /// Creates a little-endian file of the given chunks.
    pub fn new(chunks: Vec<Chunk>) -> Self {
        File {
            chunks,
            ..File::default()
        }
    }

    /// Writes the file.
    ///
    /// A chunk that was read and not changed is written byte for byte. If only values change, the chunk keeps
    /// its layout. If a structure was added, removed or resized, or if the chunk was made in code, it gets
    /// the canonical layout. For trees this is: objects, models, vlists, plists. For texture lists: list
    /// head, entries, names. Structures of one type are in the order of their arena. They begin at multiples
    /// of 4, but names are packed. The pointer list has the shortest encoding.
    ///
    /// # Errors
    /// Fails if the format cannot represent the data: an id out of range, a node that the tree contains twice
    /// or not at all, a count or size beyond its field, strips that contradict their words, or chunks that a
    /// reader would take for the other byte order.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        if self.container == Container::PsoMotion {
            return match self.chunks.as_slice() {
                [Chunk::Motion(motion)] => motion::pso::write(motion, self.byte_order),
                chunks => {
                    let found = counted(chunks.len(), "chunk");
                    Err(Error::parameter("file without chunks", found, "one motion"))
                }
            };
        }
        let mut out = Vec::new();
        for chunk in &self.chunks {
            let id = chunk.id();
            let (body, pof0) = chunk.write(self.byte_order).map_err(|e| e.within(id, None))?;
            self.put(&mut out, id, &body, pof0.as_ref())?;
        }
        out.resize(out.len() + self.trailing, 0);
        self.check_order(&out)?;
        Ok(out)
    }

    /// Checks that a reader would detect the right byte order. Without pointers, the detection relies on
    /// field values.
    fn check_order(&self, written: &[u8]) -> Result<(), Error> {
        let chunks = match self.chunks.is_empty() {
            true => Vec::new(),
            false => iff::split(written)?.chunks,
        };
        let votes: Vec<_> = pair_up(&chunks).iter().map(Pair::votes).collect();
        if self.byte_order == ByteOrder::Little && byte_order(&votes) == ByteOrder::Big {
            return Err(Error::parameter(
                "little-endian file",
                "values that look big-endian, and no pointers",
                "values that show their byte order",
            ));
        }
        Ok(())
    }

    fn put(&self, out: &mut Vec<u8>, id: ChunkId, body: &[u8], pof0: Option<&Pof0>) -> Result<(), Error> {
        iff::put(out, id, body, self.size_order)?;
        match pof0 {
            Some(pof0) => iff::put(out, ChunkId::POF0, pof0.bytes(), self.size_order),
            None => Ok(()),
        }
    }

    /// Discards the recorded layout: [`File::write`] then uses the canonical layout. This loses bytes that no
    /// structure refers to.
    pub fn forget_layout(&mut self) {
        for chunk in &mut self.chunks {
            match chunk {
                Chunk::Texlist(list) => list.forget_layout(),
                Chunk::Model(tree) => tree.forget_layout(),
                Chunk::Motion(motion) => motion.forget_layout(),
                Chunk::ShapeList(list) => list.forget_layout(),
                Chunk::ShapeMotion(motion) => motion.forget_layout(),
                Chunk::CellSprite(sprite) => sprite.forget_layout(),
                Chunk::CellStream(stream) => stream.forget_layout(),
                Chunk::Raw(_) => {}
            }
        }
    }

    /// Iterates over the object trees.
    pub fn models(&self) -> impl Iterator<Item = &ObjectTree> {
        self.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Model(tree) => Some(tree),
            _ => None,
        })
    }

    /// Iterates over the motions, without CompactShape motions.
    pub fn motions(&self) -> impl Iterator<Item = &Motion> {
        self.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Motion(motion) => Some(motion),
            _ => None,
        })
    }

    /// The first texture list.
    pub fn texlist(&self) -> Option<&Texlist> {
        self.chunks.iter().find_map(|chunk| match chunk {
            Chunk::Texlist(list) => Some(list),
            _ => None,
        })
    }
}
