//! Cell sprites (`NJSP`) and cell streams (`NJCS`) (docs/formats/cell-sprite.md, docs/formats/ninja.md 1.4,
//! 1.11). The motions of cell sprites (`NCSM`) are [`Motion`](crate::Motion)s.

mod attr;
mod change;
mod chunk;
mod io;

pub use attr::CellAttr;
pub use change::{BlockBits, BlockMotion, CellBlocks, CellChange};
pub use chunk::CellChunk;

use crate::color::Argb;
use crate::layout::Layout;
use crate::pof0::Pof0;
use crate::tree::Bams;

/// A group of cells that moves as a unit: NJS_CELL_SPRITE. Comparison ignores the layout.
#[derive(Debug, Clone)]
pub struct CellSprite {
    /// The cells in drawing order.
    pub cells: Vec<Cell>,
    /// x, y, z; without perspective x, y, priority.
    pub pos: [f32; 3],
    /// Rotation about z.
    pub zang: Bams,
    /// Scale in x and y.
    pub scale: [f32; 2],
    /// Material colour: alpha, red, green, blue; 1.0 is full.
    pub diffuse: [f32; 4],
    /// Exponent, red, green, blue.
    pub specular: [f32; 4],
    layout: Option<Box<Layout>>,
}

/// One part of a sprite: NJS_CELL, 64 bytes. Comparison is by bits.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// Number in the texture list.
    pub tex_id: i16,
    /// Blending, flips and so on.
    pub attr: CellAttr,
    /// cox, coy: place within the sprite.
    pub offset: [f32; 2],
    /// csx, csy: width and height.
    pub size: [f32; 2],
    /// czang: rotation in BAMS.
    pub zang: i16,
    /// cp: priority among the sprite's cells; 32767 is 1.0 in z.
    pub priority: i16,
    /// cent_x, cent_y: centre of rotation as a share of the size; 0.5 is the middle.
    pub center: [f32; 2],
    /// Vertex colours: top left, bottom left, top right, bottom right.
    pub argb: [Argb; 4],
    /// u0, v0: texture coordinates of the top left corner.
    pub uv0: [f32; 2],
    /// u2, v2: texture coordinates of the bottom right corner.
    pub uv2: [f32; 2],
}

/// An animation pattern: NJS_CELL_STREAM. Comparison ignores the layout.
#[derive(Debug, Clone, Default)]
pub struct CellStream {
    /// Chunks, including the last one, which ends the stream ([`CellChunk::End`]).
    pub chunks: Vec<CellChunk>,
    /// cur_stamp_p, as an index of a word in the stream. A normal file has 0, the first word; `None` means a
    /// null pointer.
    pub current: Option<u32>,
    /// Start time of the pattern.
    pub time_offset: i32,
    /// Last time of the pattern, as in the end chunk.
    pub time_max: i32,
    layout: Option<Box<Layout>>,
}

impl Default for Cell {
    /// A white cell of size 0 that shows the whole texture and rotates about its middle.
    fn default() -> Self {
        Cell {
            tex_id: 0,
            attr: CellAttr::default(),
            offset: [0.0; 2],
            size: [0.0; 2],
            zang: 0,
            priority: 0,
            center: [0.5; 2],
            argb: [Argb(u32::MAX); 4],
            uv0: [0.0; 2],
            uv2: [1.0; 2],
        }
    }
}

impl Cell {
    /// Number of 32-bit words of a cell.
    pub const WORDS: usize = 16;

    /// Returns the cell's words as seen by the SH4: where two 16-bit fields share a word, the first is the
    /// low half. Burst chunks of a stream write these words ([`CellChunk::Entry`]).
    pub fn words(&self) -> [u32; Self::WORDS] {
        let halves = |first: u16, second: u16| u32::from(second) << 16 | u32::from(first);
        let [ox, oy] = self.offset.map(f32::to_bits);
        let [sx, sy] = self.size.map(f32::to_bits);
        let [cx, cy] = self.center.map(f32::to_bits);
        let [c0, c1, c2, c3] = self.argb.map(|c| c.0);
        let [u0, v0] = self.uv0.map(f32::to_bits);
        let [u2, v2] = self.uv2.map(f32::to_bits);
        let texture = halves(self.tex_id as u16, self.attr.0);
        let turn = halves(self.zang as u16, self.priority as u16);
        [
            texture, ox, oy, sx, sy, turn, cx, cy, c0, c1, c2, c3, u0, v0, u2, v2,
        ]
    }

    /// Decodes a cell; the inverse of [`Cell::words`].
    pub fn from_words(words: &[u32; Self::WORDS]) -> Self {
        let [
            texture,
            ox,
            oy,
            sx,
            sy,
            turn,
            cx,
            cy,
            c0,
            c1,
            c2,
            c3,
            u0,
            v0,
            u2,
            v2,
        ] = *words;
        let pair = |x: u32, y: u32| [f32::from_bits(x), f32::from_bits(y)];
        Cell {
            tex_id: texture as i16,
            attr: CellAttr((texture >> 16) as u16),
            offset: pair(ox, oy),
            size: pair(sx, sy),
            zang: turn as i16,
            priority: (turn >> 16) as i16,
            center: pair(cx, cy),
            argb: [c0, c1, c2, c3].map(Argb),
            uv0: pair(u0, v0),
            uv2: pair(u2, v2),
        }
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Default for CellSprite {
    /// A sprite without cells, at the origin, with scale 1, white, without highlight.
    fn default() -> Self {
        CellSprite {
            cells: Vec::new(),
            pos: [0.0; 3],
            zang: Bams(0),
            scale: [1.0; 2],
            diffuse: [1.0; 4],
            specular: [0.0; 4],
            layout: None,
        }
    }
}

impl PartialEq for CellSprite {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells && self.placing_words() == other.placing_words()
    }
}

impl CellSprite {
    /// Creates a sprite of the given cells with default values otherwise.
    pub fn new(cells: Vec<Cell>) -> Self {
        CellSprite {
            cells,
            ..CellSprite::default()
        }
    }

    /// Returns the words after the cell count, in file order.
    pub(crate) fn placing_words(&self) -> [u32; 14] {
        let [px, py, pz] = self.pos.map(f32::to_bits);
        let [sx, sy] = self.scale.map(f32::to_bits);
        let [a, r, g, b] = self.diffuse.map(f32::to_bits);
        let [e, sr, sg, sb] = self.specular.map(f32::to_bits);
        [px, py, pz, self.zang.0 as u32, sx, sy, a, r, g, b, e, sr, sg, sb]
    }

    /// Size in bytes of the work buffer that a stream list needs for the sprite.
    pub fn work_bytes(&self) -> usize {
        self.cells.len() * Cell::WORDS * 4
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
    }

    pub(crate) fn recorded(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }
}

impl PartialEq for CellStream {
    fn eq(&self, other: &Self) -> bool {
        let head = |s: &CellStream| (s.current, s.time_offset, s.time_max);
        head(self) == head(other) && self.chunks == other.chunks
    }
}

impl CellStream {
    /// Creates a stream of the given chunks. The end chunk gives its length, and the current stamp is the
    /// first word.
    pub fn new(chunks: Vec<CellChunk>) -> Self {
        let end = chunks.iter().rev().find_map(|chunk| match chunk {
            CellChunk::End { time, .. } => Some(i32::from(*time)),
            _ => None,
        });
        CellStream {
            chunks,
            current: Some(0),
            time_offset: 0,
            time_max: end.unwrap_or(0),
            layout: None,
        }
    }

    /// Length of the stream in 32-bit words.
    pub fn words(&self) -> usize {
        self.chunks.iter().map(CellChunk::words).sum()
    }

    /// Sets the word count of every time stamp to the number of words up to the next stamp. The runtime stops
    /// there (docs/formats/ninja.md 2.7).
    ///
    /// # Errors
    /// Fails if a stamp is followed by more than 4,095 words. Later stamps have been set by then.
    pub fn count_stamps(&mut self) -> Result<(), crate::Error> {
        chunk::count_stamps(&mut self.chunks)
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
    }

    pub(crate) fn recorded(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }
}
