//! Compiles cell streams. Counts the data words for the size fields (docs/formats/cell-sprite.md 5.4).

use super::super::error::{Failable, TextWarningKind};
use super::super::table::Role;
use super::Compiler;
use super::vlist::Open;
use crate::{BlockBits, CellChunk};

/// Chunks with data, identified by the top four bits of the head.
const TE: u32 = 0;
const TS: u32 = 1;
const CE: u32 = 2;
const UE: u32 = 7;
const AD: u32 = 14;
const ED: u32 = 15;

impl Compiler<'_> {
    /// Compiles chunks up to END.
    pub(super) fn cell_stream(&mut self) -> Failable<()> {
        let (mut stamp, mut chunk, mut blocks, mut ended) = (None, None, 0, false);
        while !self.end("CELLSTREAMDATA")? {
            let at = self.next.start;
            let before = self.unit.data.len();
            match self.word_item("CELLSTREAMDATA")? {
                Some(role @ (Role::Head | Role::End)) => {
                    self.close_chunk(chunk, before, blocks);
                    let head = Open {
                        data: before,
                        text: at,
                    };
                    (chunk, blocks) = (Some(head), 0);
                    if matches!(self.unit.u32(before) >> 28, TE | TS) {
                        self.close_stamp(stamp, before);
                        stamp = Some(head);
                    }
                    ended = role == Role::End;
                }
                Some(Role::Block(bits)) => blocks |= bits,
                _ => {}
            }
            self.comma()?;
        }
        let end = self.unit.data.len();
        if !ended && self.ends_with_a_word(chunk, end, blocks) {
            self.close_chunk(chunk, end - 4, blocks);
            self.close_stamp(stamp, end - 4);
            return Ok(());
        }
        self.close_chunk(chunk, end, blocks);
        if !ended {
            self.close_stamp(stamp, end);
            self.warn(
                self.taken,
                TextWarningKind::Structure("the stream has no CCnk_TE at its end".into()),
            );
        }
        Ok(())
    }

    /// True if the array ends with an end chunk that is written as a plain number. The last word is then the
    /// head of a chunk for a binary reader, and its top four bits are 0.
    fn ends_with_a_word(&self, open: Option<Open>, end: usize, blocks: u32) -> bool {
        let Some(Open { data, .. }) = open else {
            return false;
        };
        let (head, last) = (self.unit.u32(data), end - 4);
        let stated = match head >> 28 {
            CE => words(self.cell_blocks(data, last, blocks)),
            UE | AD => (head >> 16 & 0xFFF) as usize,
            ED => (head >> 24 & 0xF) as usize,
            _ => 0,
        };
        self.unit.u32(last) >> 28 == TE && self.are_chunks(data + 4 * (stated + 1), last)
    }

    /// True if the words from `at` to `end` are complete chunks, none of them an end chunk. Chunks without a
    /// macro are plain words in a text.
    fn are_chunks(&self, mut at: usize, end: usize) -> bool {
        while at < end && self.unit.u32(at) >> 28 != TE {
            at += 4 * (1 + CellChunk::data_words(self.unit.u32(at)));
        }
        at == end
    }

    /// Returns the block bits (23-16) of the cell with its head at `data`, according to its macros. If plain
    /// words supply the rest of the data, optionally followed by complete chunks, returns the bits in the
    /// head.
    fn cell_blocks(&self, data: usize, end: usize, macros: u32) -> u32 {
        let stated = self.unit.u32(data) & 0x00FF_0000;
        if macros == 0 || macros & !stated == 0 && self.are_chunks(data + 4 + 4 * words(stated), end) {
            stated
        } else {
            macros
        }
    }

    /// Stores the number of data words in the head; for a cell, the blocks give that number.
    fn close_chunk(&mut self, open: Option<Open>, end: usize, blocks: u32) {
        let Some(Open { data, text }) = open else { return };
        let head = self.unit.u32(data);
        let mut found = ((end - data) / 4 - 1) as u32;
        let (shift, mask) = match head >> 28 {
            UE | AD => (16, 0xFFF),
            CE | ED => (24, 0xF),
            _ => (0, 0),
        };
        let blocks = self.cell_blocks(data, end, blocks);
        if head >> 28 == CE && head & 0x00FF_0000 != blocks {
            let (stated, found) = (head >> 16 & 0xFF, blocks >> 16);
            let what = "the blocks of the cell";
            self.warn(text, TextWarningKind::Count { what, stated, found });
            self.unit.set_u32(data, head & !0x00FF_0000 | blocks);
        }
        let head = self.unit.u32(data);
        let stated = head >> shift & mask;
        // A plain number after the data may be a reserved chunk, which has no macro. The blocks of a cell
        // determine its data; other chunks state the number of words.
        let data_words = if head >> 28 == CE {
            words(blocks) as u32
        } else {
            stated
        };
        if data_words < found && is_reserved(self.unit.u32(data + 4 + 4 * data_words as usize)) {
            found = data_words;
        }
        if mask != 0 && stated != found & mask {
            let what = "the number of data words";
            self.warn(text, TextWarningKind::Count { what, stated, found });
            self.unit
                .set_u32(data, head & !(mask << shift) | (found & mask) << shift);
        }
        if mask == 0 && found > 0 && head >> 28 > CE || mask == 0xFFF && found > mask {
            let text_at = text;
            let note = format!("{found} data words do not fit the chunk that begins here");
            self.warn(text_at, TextWarningKind::Structure(note));
        }
    }

    /// Stores the number of words from one time stamp to the next.
    fn close_stamp(&mut self, open: Option<Open>, end: usize) {
        let Some(Open { data, text }) = open else { return };
        let head = self.unit.u32(data);
        let (stated, found) = (head >> 16 & 0xFFF, ((end - data) / 4 - 1) as u32);
        if head >> 28 != TS || stated == found & 0xFFF {
            return;
        }
        let what = "the number of words up to the next time stamp";
        self.warn(text, TextWarningKind::Count { what, stated, found });
        self.unit
            .set_u32(data, head & !0x0FFF_0000 | (found & 0xFFF) << 16);
    }
}

/// True if a chunk with this head has no macro.
fn is_reserved(head: u32) -> bool {
    matches!(
        CellChunk::from_words(head, Vec::new()),
        CellChunk::Reserved { .. }
    )
}

/// Number of data words of these blocks.
fn words(blocks: u32) -> usize {
    BlockBits((blocks >> 16) as u8).words()
}
