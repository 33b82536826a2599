//! Vertex lists: words of 32 bits (docs/formats/ninja.md 1.6, 1.10).

use super::super::error::{Failable, TextWarningKind, fail};
use super::super::lex::Token;
use super::super::table::{Conv, Entry, Role, Scalar};
use super::Compiler;
use super::args::Args;
use crate::vlist::{FV_SHAPE, VertexKind};

/// A chunk under construction: its head is written, its words are being counted.
#[derive(Clone, Copy)]
pub(super) struct Open {
    /// Position of the head in the data.
    pub(super) data: usize,
    /// Position of the head in the text.
    pub(super) text: usize,
}

impl Compiler<'_> {
    /// Chunks up to END.
    pub(super) fn vlist(&mut self) -> Failable<()> {
        let (mut open, mut ended) = (None, false);
        while !self.end("VLIST")? {
            let at = self.next.start;
            if let Some(role @ (Role::Head | Role::End)) = self.word_item("VLIST")? {
                let head = self.unit.data.len() - 4;
                self.close_vertices(open, head)?;
                ended = role == Role::End;
                open = (role == Role::Head).then_some(Open { data: head, text: at });
            }
            self.comma()?;
        }
        self.close_vertices(open, self.unit.data.len())?;
        if !ended {
            self.warn(self.taken, TextWarningKind::NoListEnd);
            self.unit.data.extend_from_slice(&255u32.to_le_bytes());
        }
        Ok(())
    }

    /// Writes a macro or a number of a list of 32-bit words. Returns the role of a macro. Records the origin
    /// of heads.
    pub(super) fn word_item(&mut self, ty: &'static str) -> Failable<Option<Role>> {
        let name = self.next;
        if name.token == Token::Name {
            match self.entry() {
                Some(Entry::Macro(row))
                    if row
                        .out
                        .iter()
                        .all(|o| matches!(o.scalar, Scalar::S32 | Scalar::Unit)) =>
                {
                    self.bump()?;
                    let mut args = Args::new();
                    self.args(row, name, &mut args)?;
                    if matches!(row.role, Role::Head | Role::End) {
                        self.warn_of_floats();
                        self.mark(name.start);
                    }
                    for i in 0..row.out.len() {
                        let word = self.number(row, i, &args)?;
                        self.unit.data.extend_from_slice(&word.to_le_bytes());
                    }
                    return Ok(Some(row.role));
                }
                Some(Entry::Constant(_)) => {}
                entry => return self.no_item(name, entry, ty),
            }
        }
        let value = self.value()?;
        let word = self.convert(Conv::Int(32), value, name.start)?;
        self.unit.data.extend_from_slice(&word.to_le_bytes());
        Ok(None)
    }

    /// Compares a chunk's size and count with its words up to `end`, and corrects them.
    fn close_vertices(&mut self, open: Option<Open>, end: usize) -> Failable<()> {
        let Some(Open { data, text }) = open else {
            return Ok(());
        };
        let head = self.unit.u32(data);
        let words = (end - data) / 4 - 1;
        let Some(kind) = VertexKind::from_id(head as u8) else {
            // CompactShape's own kinds have no count.
            return self.set_size(data, text, head, words);
        };
        if head >> 8 & u32::from(FV_SHAPE) != 0 {
            return self.set_size(data, text, head, words);
        }
        if words == 0 {
            return fail(text, "vertex chunk", "no data", "OffnbIdx and vertices");
        }
        let (stated, count_word) = (head >> 16, self.unit.u32(data + 4));
        let (count, held) = ((count_word >> 16) as usize, words - 1);
        // Words beyond the size are further chunks in plain numbers, if the size itself is plausible.
        let sound = stated as usize <= words && stated as usize == 1 + count * kind.stride();
        if sound {
            return Ok(());
        }
        let whole = held / kind.stride();
        if count * kind.stride() > held || held.is_multiple_of(kind.stride()) && whole != count {
            if whole > usize::from(u16::MAX) {
                return fail(text, "vertex chunk", format!("{whole} vertices"), "at most 65535");
            }
            let (stated, found) = (count as u32, whole as u32);
            let what = "the number of vertices";
            self.warn(text, TextWarningKind::Count { what, stated, found });
            self.unit.set_u32(data + 4, found << 16 | count_word & 0xFFFF);
        }
        self.set_size(data, text, head, words)
    }

    fn set_size(&mut self, data: usize, text: usize, head: u32, words: usize) -> Failable<()> {
        if words > usize::from(u16::MAX) {
            return fail(text, "vertex chunk", format!("{words} words"), "at most 65535");
        }
        let (stated, found) = (head >> 16, words as u32);
        if stated != found {
            let what = "the size of the chunk";
            self.warn(text, TextWarningKind::Count { what, stated, found });
            self.unit.set_u32(data, found << 16 | head & 0xFFFF);
        }
        Ok(())
    }
}
