//! Conversion between bytes and numbers; no other module does it.

use crate::chunk_id::ChunkId;
use crate::error::{Error, NodePlace, Place, Warning, WarningKind};

/// Byte order of numbers.
///
/// Dreamcast and PC files are little-endian; GameCube bodies are big-endian (docs/formats/ninja.md 1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteOrder {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

impl ByteOrder {
    pub(crate) fn u16(self, b: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(b),
            ByteOrder::Big => u16::from_be_bytes(b),
        }
    }

    pub(crate) fn u32(self, b: [u8; 4]) -> u32 {
        match self {
            ByteOrder::Little => u32::from_le_bytes(b),
            ByteOrder::Big => u32::from_be_bytes(b),
        }
    }

    pub(crate) fn put_u32(self, v: u32) -> [u8; 4] {
        match self {
            ByteOrder::Little => v.to_le_bytes(),
            ByteOrder::Big => v.to_be_bytes(),
        }
    }

    /// Returns the opposite byte order.
    pub fn other(self) -> Self {
        match self {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        }
    }
}

/// Body of one IFF chunk. Offsets count from its first byte, which is address 0 of the format.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) order: ByteOrder,
    /// File offset of the first body byte, for messages.
    pub(crate) base: usize,
    pub(crate) chunk: ChunkId,
    /// Node being read, for messages.
    pub(crate) node: Option<NodePlace>,
}

impl<'a> Body<'a> {
    pub(crate) fn for_node(self, index: usize, offset: u32) -> Self {
        Body {
            node: Some(NodePlace { index, offset }),
            ..self
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn place(&self, at: u32) -> Place {
        Place {
            offset: Some(self.base + at as usize),
            chunk: Some(self.chunk),
            node: self.node,
        }
    }

    pub(crate) fn warning(&self, at: u32, kind: WarningKind) -> Warning {
        Warning {
            kind,
            place: self.place(at),
        }
    }

    #[cold]
    pub(crate) fn fail(&self, at: u32, what: &'static str, found: String, expected: String) -> Error {
        Error::format(self.place(at), what, found, expected)
    }

    /// Returns `len` bytes at `at`. The error states the range and the size of the body.
    pub(crate) fn slice(&self, at: u32, len: usize, what: &'static str) -> Result<&'a [u8], Error> {
        let start = at as usize;
        start
            .checked_add(len)
            .and_then(|end| self.bytes.get(start..end))
            .ok_or_else(|| {
                let found = format!("{len} bytes at {start:#x}");
                self.fail(
                    at,
                    what,
                    found,
                    format!("all of it inside a body of {:#x} bytes", self.len()),
                )
            })
    }

    /// Returns all bytes from `at` on, at least one.
    pub(crate) fn tail(&self, at: u32, what: &'static str) -> Result<&'a [u8], Error> {
        self.slice(at, 1, what)?;
        Ok(self.bytes.get(at as usize..).unwrap_or_default())
    }

    fn array<const N: usize>(&self, at: u32, what: &'static str) -> Result<[u8; N], Error> {
        let bytes = self.slice(at, N, what)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    pub(crate) fn u16(&self, at: u32, what: &'static str) -> Result<u16, Error> {
        Ok(self.order.u16(self.array(at, what)?))
    }

    pub(crate) fn u32(&self, at: u32, what: &'static str) -> Result<u32, Error> {
        Ok(self.order.u32(self.array(at, what)?))
    }

    /// Reads `N` consecutive 32-bit words.
    pub(crate) fn block<const N: usize>(&self, at: u32, what: &'static str) -> Result<[u32; N], Error> {
        let (words, _) = self.slice(at, N * 4, what)?.as_chunks::<4>();
        let mut block = [0; N];
        for (to, from) in block.iter_mut().zip(words) {
            *to = self.order.u32(*from);
        }
        Ok(block)
    }

    pub(crate) fn words16(&self, at: u32, n: usize, what: &'static str) -> Result<Vec<u16>, Error> {
        let (words, _) = self.slice(at, n * 2, what)?.as_chunks::<2>();
        Ok(match self.order {
            ByteOrder::Little => words.iter().map(|w| u16::from_le_bytes(*w)).collect(),
            ByteOrder::Big => words.iter().map(|w| u16::from_be_bytes(*w)).collect(),
        })
    }

    pub(crate) fn words32(&self, at: u32, n: usize, what: &'static str) -> Result<Vec<u32>, Error> {
        let (words, _) = self.slice(at, n * 4, what)?.as_chunks::<4>();
        Ok(match self.order {
            ByteOrder::Little => words.iter().map(|w| u32::from_le_bytes(*w)).collect(),
            ByteOrder::Big => words.iter().map(|w| u32::from_be_bytes(*w)).collect(),
        })
    }

    /// Checks that a pointer's value is a multiple of `align`.
    pub(crate) fn aligned(&self, value: u32, align: u32, what: &'static str) -> Result<(), Error> {
        if value.is_multiple_of(align) {
            return Ok(());
        }
        Err(self.fail(
            value,
            what,
            format!("pointer {value:#x}"),
            format!("a multiple of {align}"),
        ))
    }
}

/// Body under construction; its length is the offset of the next byte.
#[derive(Debug)]
pub(crate) struct Out {
    pub(crate) bytes: Vec<u8>,
    pub(crate) order: ByteOrder,
}

impl Out {
    pub(crate) fn new(order: ByteOrder, capacity: usize) -> Self {
        Out {
            bytes: Vec::with_capacity(capacity),
            order,
        }
    }

    pub(crate) fn u16(&mut self, v: u16) {
        self.bytes.extend_from_slice(&match self.order {
            ByteOrder::Little => v.to_le_bytes(),
            ByteOrder::Big => v.to_be_bytes(),
        });
    }

    pub(crate) fn u32(&mut self, v: u32) {
        self.bytes.extend_from_slice(&self.order.put_u32(v));
    }

    pub(crate) fn vec3(&mut self, v: [f32; 3]) {
        v.iter().for_each(|c| self.u32(c.to_bits()));
    }

    pub(crate) fn words16(&mut self, words: &[u16]) {
        let start = self.bytes.len();
        self.bytes.resize(start + words.len() * 2, 0);
        let (to, _) = self.bytes[start..].as_chunks_mut::<2>();
        match self.order {
            ByteOrder::Little => to.iter_mut().zip(words).for_each(|(t, w)| *t = w.to_le_bytes()),
            ByteOrder::Big => to.iter_mut().zip(words).for_each(|(t, w)| *t = w.to_be_bytes()),
        }
    }

    pub(crate) fn words32(&mut self, words: &[u32]) {
        let start = self.bytes.len();
        self.bytes.resize(start + words.len() * 4, 0);
        let (to, _) = self.bytes[start..].as_chunks_mut::<4>();
        match self.order {
            ByteOrder::Little => to.iter_mut().zip(words).for_each(|(t, w)| *t = w.to_le_bytes()),
            ByteOrder::Big => to.iter_mut().zip(words).for_each(|(t, w)| *t = w.to_be_bytes()),
        }
    }
}
