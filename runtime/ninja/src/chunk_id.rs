//! Names of IFF chunks (docs/formats/ninja.md 1.2).

use std::fmt;

/// Four-byte name of an IFF chunk.
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
    /// Light. No public source gives its layout, so its bytes are kept unchanged.
    pub const NJLI: ChunkId = ChunkId(*b"NJLI");
    /// Camera. No public source gives its layout, so its bytes are kept unchanged.
    pub const NJCA: ChunkId = ChunkId(*b"NJCA");
    /// Basic model tree; its bytes are kept unchanged.
    pub const NJBM: ChunkId = ChunkId(*b"NJBM");
    /// List of the pointers in the chunk before it.
    pub const POF0: ChunkId = ChunkId(*b"POF0");
    /// Original file name, in the files of some games.
    pub const NMDL: ChunkId = ChunkId(*b"NMDL");

    /// True if the name consists of letters and digits.
    pub(crate) fn is_plausible(self) -> bool {
        self.0.iter().all(u8::is_ascii_alphanumeric)
    }

    /// True if the specification pairs this chunk with a `POF0`.
    pub(crate) fn needs_pof0(self) -> bool {
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
