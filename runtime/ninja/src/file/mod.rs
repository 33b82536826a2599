//! Whole files.

mod family;
mod pair;

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
    /// The chunks in order, each with the pointer list that follows it.
    pub chunks: Vec<Chunk>,
    /// What was unusual when reading.
    pub warnings: Vec<Warning>,
    /// Order of the bytes in the bodies. May be changed before writing, but not while there are raw chunks
    /// that were read in the other order: nobody knows what in them to turn around.
    pub byte_order: ByteOrder,
    /// Order of the bytes in the chunk sizes: little, even in GameCube files (docs/formats/ninja.md 1.1,
    /// confidence medium).
    pub size_order: ByteOrder,
    /// Zero bytes after the last chunk.
    pub trailing: usize,
    /// What holds the chunks.
    pub container: Container,
}

/// What a file's chunks are held by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Container {
    /// IFF: a row of chunks with their pointer lists.
    #[default]
    Iff,
    /// No chunks but one model motion, with a pointer list of 16-bit deltas and a trailer, as Phantasy Star
    /// Online has it.
    PsoMotion,
}

/// One chunk.
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
    /// Any other.
    Raw(RawChunk),
}

/// A chunk kept as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawChunk {
    /// Its name.
    pub id: ChunkId,
    /// Its bytes.
    pub body: Vec<u8>,
    /// The pointer list that follows, if one does.
    pub pof0: Option<Pof0>,
    /// The file's byte order when it was read.
    pub byte_order: ByteOrder,
}

impl Chunk {
    /// The chunk's name.
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

    /// Where its structures lay.
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

    /// The pointer list that followed the chunk when it was read.
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

/// Where a chunk lies in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Its name.
    pub id: ChunkId,
    /// File offset of its first body byte.
    pub offset: usize,
    /// Bytes of its body.
    pub bytes: usize,
}

/// The chunks of a file in order, pointer lists included, without looking into them.
///
/// # Errors
/// If the bytes are no row of chunks.
pub fn directory(bytes: &[u8]) -> Result<Vec<DirectoryEntry>, Error> {
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
/// If the bytes are no row of chunks, or a chunk that is understood breaks its format; the error names the
/// byte, the chunk and the node. What is merely unusual becomes a warning.
pub fn read(bytes: &[u8]) -> Result<File, Error> {
    read_with(bytes, &Settings::default())
}

/// Reads a file.
///
/// # Errors
/// As [`read`].
pub fn read_with(bytes: &[u8], settings: &Settings) -> Result<File, Error> {
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

/// A motion file without chunks; `None` if it is none.
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
    /// A little-endian file of the given chunks.
    pub fn new(chunks: Vec<Chunk>) -> Self {
        File {
            chunks,
            ..File::default()
        }
    }

    /// Writes the file.
    ///
    /// What was read and not changed comes out byte for byte. A tree or texture list whose values were
    /// changed, but not the size of any of its structures, keeps its layout. One with more or fewer
    /// structures, or of another size, or made in code, is laid out anew: objects, models, vlists, plists,
    /// or list head, entries, names; each in arena order, on multiples of 4 (names are packed), with the
    /// shortest pointer list.
    ///
    /// # Errors
    /// If something has no file form: an id out of range, a node reached twice or not at all, a count or size
    /// beyond its field, strips that are not those in their words, chunks that would read in the other byte
    /// order.
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

    /// Reading guesses the byte order from what it finds; without pointers it has little to go by.
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

    /// Forgets where everything lay: [`File::write`] then lays all of it out anew, in canonical order. Bytes
    /// that no structure refers to are lost with it.
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

    /// The object trees.
    pub fn models(&self) -> impl Iterator<Item = &ObjectTree> {
        self.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Model(tree) => Some(tree),
            _ => None,
        })
    }

    /// The motions, CompactShape's not among them.
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
