//! GBIX: global index and palette bank of a texture.

use super::cursor::{Cursor, Id};
use super::error::{ContainerError, ContainerWarning};

pub(crate) const GBIX: Id = *b"GBIX";

/// Forms of a GBIX chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GbixForm {
    /// Index and bank, 8 bytes: the form of the specification (docs/formats/cell-sprite.md 5). Without a
    /// palette the bank is 0.
    #[default]
    IndexAndBank,
    /// The index, 4 bytes.
    Index,
    /// A size of 0, followed by 8 bytes of zeros, as written by some programs.
    Empty,
}

/// Contents of a GBIX chunk.
pub(crate) struct Gbix {
    pub(super) index: u32,
    pub(super) bank: Option<u32>,
    pub(super) extra: Vec<u8>,
    pub(super) form: GbixForm,
}

impl Gbix {
    /// Reads the chunk at `offset`. Returns it and the offset after it.
    pub(crate) fn read(
        bytes: &[u8],
        offset: usize,
        warnings: &mut Vec<ContainerWarning>,
    ) -> Result<(Self, usize), ContainerError> {
        let mut cursor = Cursor::at(bytes, offset);
        cursor.expect(&GBIX, "global index")?;
        let size = cursor.u32("GBIX size")? as usize;
        let body_offset = cursor.offset();
        if size == 0 && bytes.get(body_offset..body_offset + 8) == Some(&[0; 8]) {
            warnings.push(ContainerWarning::ChunkSize {
                what: "GBIX",
                offset: body_offset - 4,
                found: 0,
                used: 8,
            });
            let empty = Self {
                index: 0,
                bank: None,
                extra: Vec::new(),
                form: GbixForm::Empty,
            };
            return Ok((empty, body_offset + 8));
        }
        let body = cursor.take(size, "GBIX body")?;
        let mut fields = Cursor::at(body, 0);
        let truncated = ContainerError::Truncated {
            what: "GBIX body",
            offset: body_offset,
            expected: 4,
            found: size,
        };
        let index = fields.u32("global index").map_err(|_| truncated)?;
        let bank = if size >= 8 {
            Some(fields.u32("palette bank")?)
        } else {
            None
        };
        if let Some(found) = bank.filter(|&b| b > 63) {
            warnings.push(ContainerWarning::Bank {
                offset: body_offset + 4,
                found,
            });
        }
        let extra = body[fields.offset()..].to_vec();
        let form = match bank {
            Some(_) => GbixForm::IndexAndBank,
            None => GbixForm::Index,
        };
        Ok((
            Self {
                index,
                bank,
                extra,
                form,
            },
            cursor.offset(),
        ))
    }
}
