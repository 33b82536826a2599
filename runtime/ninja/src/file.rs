//! Whole files.

use crate::bytes::{Body, ByteOrder};
use crate::cell::{CellSprite, CellStream};
use crate::cshape::{CShapeList, CShapeMotion};
use crate::error::{Error, Place, Warning, WarningKind, Warnings};
use crate::iff::{self, ChunkId, Span};
use crate::layout::{Layout, Written};
use crate::motion::{self, Motion, MotionKind};
use crate::pof0::Pof0;
use crate::settings::Settings;
use crate::texlist::Texlist;
use crate::tree::{EvalFlags, ObjectTree};

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
    /// Order of the bytes in the chunk sizes: little, even in GameCube files (facts 1.1, confidence medium).
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

/// A data chunk and the pointer list behind it.
struct Pair<'a> {
    data: Span<'a>,
    /// File offset of its body, and the list.
    pof0: Option<(usize, Pof0)>,
}

/// A `POF0` belongs to the chunk right before it (seed 001 section 4.2).
fn pair_up<'a>(spans: &[Span<'a>]) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'a>> = Vec::with_capacity(spans.len());
    for span in spans {
        match pairs.last_mut() {
            Some(pair)
                if span.id == ChunkId::POF0 && pair.pof0.is_none() && pair.data.id != ChunkId::POF0 =>
            {
                pair.pof0 = Some((span.base, Pof0::from_bytes(span.body.to_vec())));
            }
            _ => pairs.push(Pair {
                data: *span,
                pof0: None,
            }),
        }
    }
    pairs
}

/// How well bodies read in either order: pointers that lie inside their body and, to settle a draw, other
/// fields that look sound (facts 1.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Votes {
    pointers: usize,
    fields: usize,
}

/// Little, unless the other order makes more sense of all chunks together.
fn byte_order(votes: &[[Votes; 2]]) -> ByteOrder {
    let sum = |order: usize| {
        votes.iter().fold(Votes::default(), |sum, votes| Votes {
            pointers: sum.pointers + votes[order].pointers,
            fields: sum.fields + votes[order].fields,
        })
    };
    if sum(1) > sum(0) {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    }
}

impl<'a> Pair<'a> {
    fn body(&self, order: ByteOrder) -> Body<'a> {
        Body {
            bytes: self.data.body,
            order,
            base: self.data.base,
            chunk: self.data.id,
            node: None,
        }
    }

    fn family(&self) -> Family {
        Family::of(self.data.id)
    }

    /// For little and big.
    fn votes(&self) -> [Votes; 2] {
        let family = self.family();
        [ByteOrder::Little, ByteOrder::Big].map(|order| {
            let body = self.body(order);
            let inside = |at: &u32| {
                body.u32(*at, "pointer")
                    .is_ok_and(|v| v != 0 && v as usize <= body.len())
            };
            let listed = self.pof0.iter().flat_map(|(_, pof0)| pof0.offsets());
            let fixed = family.pointers().iter().copied();
            let pointers = fixed.chain(listed).filter(inside).count();
            Votes {
                pointers,
                fields: family.sound_fields(&body),
            }
        })
    }

    /// `agrees` tells whether the chunk's own pointers speak for `order`.
    fn read(
        self,
        order: ByteOrder,
        agrees: bool,
        settings: &Settings,
        warnings: &mut Warnings,
    ) -> Result<Chunk, Error> {
        let body = self.body(order);
        self.check_pof0(&body, warnings);
        let mixed = !agrees && self.family() != Family::Other;
        if mixed {
            warnings.push(body.warning(0, WarningKind::MixedByteOrder));
        }
        let pof0 = self.pof0.map(|(_, pof0)| pof0);
        let family = if mixed {
            Family::Other
        } else {
            Family::of(self.data.id)
        };
        match family {
            Family::Texlist => Texlist::read(body, pof0, warnings).map(Chunk::Texlist),
            Family::Tree => ObjectTree::read(body, pof0, settings, warnings).map(Chunk::Model),
            Family::Motion => Motion::read(body, pof0, settings, warnings).map(Chunk::Motion),
            Family::ShapeList => CShapeList::read(body, pof0, warnings).map(Chunk::ShapeList),
            Family::ShapeMotion => CShapeMotion::read(body, pof0, warnings).map(Chunk::ShapeMotion),
            Family::CellSprite => CellSprite::read(body, pof0, warnings).map(Chunk::CellSprite),
            Family::CellStream => CellStream::read(body, pof0, warnings).map(Chunk::CellStream),
            Family::Other => Ok(Chunk::Raw(RawChunk {
                id: self.data.id,
                body: self.data.body.to_vec(),
                pof0,
                byte_order: order,
            })),
        }
    }

    fn check_pof0(&self, body: &Body<'_>, warnings: &mut Warnings) {
        let kind = match &self.pof0 {
            Some((_, pof0)) => pof0.irregular(body.len()).map(WarningKind::Pof0Irregular),
            None if self.data.id == ChunkId::POF0 => Some(WarningKind::StrayPof0),
            None => self.data.id.wants_pof0().then_some(WarningKind::MissingPof0),
        };
        if let Some(kind) = kind {
            let base = self.pof0.as_ref().map_or(self.data.base, |(base, _)| *base);
            let place = Place {
                offset: Some(base),
                ..body.place(0)
            };
            warnings.push(Warning { kind, place });
        }
    }
}

/// What is in a chunk, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Texlist,
    Tree,
    Motion,
    ShapeList,
    ShapeMotion,
    CellSprite,
    CellStream,
    Other,
}

impl Family {
    fn of(id: ChunkId) -> Self {
        match id {
            ChunkId::NJTL => Family::Texlist,
            ChunkId::NJCM | ChunkId::N2CM => Family::Tree,
            ChunkId::NJSL => Family::ShapeList,
            ChunkId::CPSM => Family::ShapeMotion,
            ChunkId::NJSP => Family::CellSprite,
            ChunkId::NJCS => Family::CellStream,
            id if MotionKind::from_chunk_id(id).is_some() => Family::Motion,
            _ => Family::Other,
        }
    }

    /// Offsets of the top structure's pointers.
    fn pointers(self) -> &'static [u32] {
        match self {
            Family::Tree => &[4, 44, 48],
            Family::CellStream => &[0, 4],
            Family::Other => &[],
            _ => &[0],
        }
    }

    /// How many fields of the top structure look as they do in files.
    fn sound_fields(self, body: &Body<'_>) -> usize {
        let word = |at: u32| body.u32(at, "field");
        let small = |at: u32| usize::from(word(at).is_ok_and(|v| v < 0x1_0000));
        let half = |at: u32, most: u16| usize::from(body.u16(at, "field").is_ok_and(|v| v <= most));
        // Between a millionth and a million.
        let scale = |at: u32| {
            let scale = word(at).map(|bits| f32::from_bits(bits).abs());
            usize::from(scale.is_ok_and(|scale| scale == 0.0 || (1e-6..1e6).contains(&scale)))
        };
        match self {
            Family::Tree => {
                let flags = word(0).is_ok_and(|flags| flags & !EvalFlags::KNOWN.0 == 0);
                usize::from(flags) + scale(32) + scale(36) + scale(40)
            }
            Family::Motion | Family::ShapeMotion => small(4) + half(10, 0xFF),
            Family::Texlist | Family::ShapeList => small(4),
            Family::CellSprite => small(4) + scale(24) + scale(28),
            Family::CellStream => small(12),
            Family::Other => 0,
        }
    }
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
    /// beyond its field, strips that are not those in their words.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        if self.container == Container::PsoMotion {
            return match self.chunks.as_slice() {
                [Chunk::Motion(motion)] => motion::pso::write(motion, self.byte_order),
                chunks => {
                    let found = format!("{} chunks", chunks.len());
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
        Ok(out)
    }

    fn put(&self, out: &mut Vec<u8>, id: ChunkId, body: &[u8], pof0: Option<&Pof0>) -> Result<(), Error> {
        iff::put(out, id, body, self.size_order)?;
        match pof0 {
            Some(pof0) => iff::put(out, ChunkId::POF0, pof0.bytes(), self.size_order),
            None => Ok(()),
        }
    }

    /// Forgets where everything lay: [`File::write`] then lays all of it out anew, in canonical order. Bytes that no
    /// structure refers to are lost with it.
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
