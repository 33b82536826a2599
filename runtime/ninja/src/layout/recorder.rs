//! Reader for chunk bodies made of structures that point to each other.

use super::{Layout, Part, Piece};
use crate::bytes::Body;
use crate::error::{Error, Warnings};
use crate::pof0::Pof0;

/// Reads structures from a body and records their positions.
pub(crate) struct Recorder<'a> {
    pub(crate) body: Body<'a>,
    /// Remaining budget of bytes to read. Structures of regular files do not overlap, so they stay within it.
    /// The budget keeps a damaged file from causing repeated reads of the same bytes.
    left: usize,
    pub(crate) pieces: Vec<Piece>,
    /// Offsets of non-null pointers.
    pub(crate) pointers: Vec<u32>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder. `sharing` limits how many times the body's size may be read in total.
    pub(crate) fn new(body: Body<'a>, sharing: usize) -> Self {
        Recorder {
            body,
            left: body.len().saturating_mul(sharing),
            pieces: Vec::new(),
            pointers: Vec::new(),
        }
    }

    /// Subtracts `bytes` from the remaining budget.
    pub(crate) fn claim(&mut self, body: &Body<'_>, at: u32, bytes: usize) -> Result<(), Error> {
        let Some(left) = self.left.checked_sub(bytes) else {
            let found = format!(
                "overlapping structures that exceed the limit by {} bytes",
                bytes - self.left
            );
            let expected = format!("structures that do not overlap in {:#x} bytes", body.len());
            return Err(Error::limit(body.place(at), "body", found, expected));
        };
        self.left = left;
        Ok(())
    }

    /// Records a pointer field if it is not null.
    pub(crate) fn pointer(&mut self, at: u32, target: u32) {
        if target != 0 {
            self.pointers.push(at);
        }
    }

    /// Records a pointer even if it is null, because exporters list the null pointers of some structures.
    pub(crate) fn listed_pointer(&mut self, at: u32) {
        self.pointers.push(at);
    }

    /// Records a structure.
    pub(crate) fn piece(&mut self, part: Part, index: usize, offset: u32, size: usize) {
        self.pieces
            .push(Piece::new(part, index as u32, offset, size as u32));
    }

    pub(crate) fn finish(self, pof0: Option<Pof0>, warnings: &mut Warnings) -> Layout {
        Layout::record(&self.body, self.pieces, self.pointers, pof0, warnings)
    }
}
