//! Cursor for container files: little-endian, bounds-checked, with the offset in every error.

use super::error::ContainerError;

/// A four-character chunk id.
pub(crate) type Id = [u8; 4];

/// A reading position in a file.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn at(bytes: &'a [u8], offset: usize) -> Self {
        Self { bytes, offset }
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// Reads `length` bytes.
    pub(crate) fn take(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], ContainerError> {
        let rest = self.bytes.get(self.offset..).unwrap_or(&[]);
        let taken = rest.get(..length).ok_or(ContainerError::Truncated {
            what,
            offset: self.offset,
            expected: length,
            found: rest.len(),
        })?;
        self.offset += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ContainerError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8, ContainerError> {
        self.array::<1>(what).map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16, ContainerError> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, ContainerError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(crate) fn id(&mut self, what: &'static str) -> Result<Id, ContainerError> {
        self.array(what)
    }

    /// Reads a chunk id that must be `expected`.
    pub(crate) fn expect(&mut self, expected: &Id, what: &'static str) -> Result<(), ContainerError> {
        let offset = self.offset;
        let found = self.id(what)?;
        if &found == expected {
            Ok(())
        } else {
            Err(ContainerError::id(what, offset, found, expected))
        }
    }
}

/// Returns the id at an offset, if the data contains four bytes there.
pub(crate) fn id_at(bytes: &[u8], offset: usize) -> Option<Id> {
    bytes.get(offset..)?.first_chunk().copied()
}

/// Returns the first offset in `range` with one of `ids`.
pub(crate) fn find_id(bytes: &[u8], range: std::ops::Range<usize>, ids: &[Id]) -> Option<usize> {
    range
        .take_while(|&i| i + 4 <= bytes.len())
        .find(|&i| id_at(bytes, i).is_some_and(|id| ids.contains(&id)))
}

/// Appends a chunk: id, size of the body, body.
pub(crate) fn push_chunk(out: &mut Vec<u8>, id: &Id, body: &[u8]) {
    out.extend(id);
    out.extend((body.len() as u32).to_le_bytes());
    out.extend(body);
}
