//! Reading what consists of structures that point at each other.

use super::{Layout, Part, Piece};
use crate::bytes::Body;
use crate::error::{Error, Warnings};
use crate::pof0::Pof0;

/// Takes structures from a body and notes where they lay.
pub(crate) struct Recorder<'a> {
    pub(crate) body: Body<'a>,
    /// Bytes that may still be read. Sound files do not overlap, so it never runs out for them; a damaged one
    /// cannot make us read the same bytes over and over.
    left: usize,
    pub(crate) pieces: Vec<Piece>,
    /// Offsets of non-null pointers.
    pub(crate) pointers: Vec<u32>,
}

impl<'a> Recorder<'a> {
    /// `sharing` is how many times over the body's bytes may be read.
    pub(crate) fn new(body: Body<'a>, sharing: usize) -> Self {
        Recorder {
            body,
            left: body.len().saturating_mul(sharing),
            pieces: Vec::new(),
            pointers: Vec::new(),
        }
    }

    /// Takes `bytes` off what the body has left.
    pub(crate) fn claim(&mut self, body: &Body<'_>, at: u32, bytes: usize) -> Result<(), Error> {
        let Some(left) = self.left.checked_sub(bytes) else {
            let found = format!(
                "structures that need {} bytes more than there are",
                bytes - self.left
            );
            let expected = format!("structures that do not overlap in {:#x} bytes", body.len());
            return Err(Error::limit(body.place(at), "body", found, expected));
        };
        self.left = left;
        Ok(())
    }

    /// Notes a pointer field, if it holds one.
    pub(crate) fn pointer(&mut self, at: u32, target: u32) {
        if target != 0 {
            self.pointers.push(at);
        }
    }

    /// Notes a pointer even if it is null, where writing lists it all the same.
    pub(crate) fn listed_pointer(&mut self, at: u32) {
        self.pointers.push(at);
    }

    /// Notes a structure.
    pub(crate) fn piece(&mut self, part: Part, index: usize, offset: u32, size: usize) {
        self.pieces
            .push(Piece::new(part, index as u32, offset, size as u32));
    }

    pub(crate) fn finish(self, pof0: Option<Pof0>, warnings: &mut Warnings) -> Layout {
        Layout::record(&self.body, self.pieces, self.pointers, pof0, warnings)
    }
}
