//! Reader and writer for cell sprites and streams (docs/formats/ninja.md 1.4, 1.11).

use super::chunk::is_lost_angle;
use super::{BlockBits, Cell, CellAttr, CellChunk, CellSprite, CellStream};
use crate::bytes::{Body, ByteOrder};
use crate::color::Argb;
use crate::error::{Error, WarningKind, Warnings, counted};
use crate::layout::{Layout, Part, Piece, PieceOut, Places, Recorder, StructureEntry, Structures, Written};
use crate::pof0::Pof0;
use crate::tree::Bams;

const CELL_BYTES: usize = 64;
const SPRITE_BYTES: usize = 64;
const STREAM_BYTES: usize = 16;

impl CellSprite {
    pub(crate) fn read(body: Body<'_>, pof0: Option<Pof0>, warnings: &mut Warnings) -> Result<Self, Error> {
        let mut rec = Recorder::new(body, 1);
        let [cells, count, px, py, pz, zang, sx, sy, rest @ ..]: [u32; 16] =
            body.block(0, "NJS_CELL_SPRITE")?;
        let [a, r, g, b, exponent, sr, sg, sb] = rest.map(f32::from_bits);
        rec.claim(&body, 0, SPRITE_BYTES)?;
        rec.piece(Part::CellSprite, 0, 0, SPRITE_BYTES);
        let mut sprite = CellSprite {
            cells: read_cells(&mut rec, cells, count as i32)?,
            pos: [px, py, pz].map(f32::from_bits),
            zang: Bams(zang as i32),
            scale: [sx, sy].map(f32::from_bits),
            diffuse: [a, r, g, b],
            specular: [exponent, sr, sg, sb],
            layout: None,
        };
        sprite.layout = Some(Box::new(rec.finish(pof0, warnings)));
        Ok(sprite)
    }

    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.write_body(order)
    }
}

fn read_cells(rec: &mut Recorder<'_>, cells: u32, count: i32) -> Result<Vec<Cell>, Error> {
    let body = rec.body;
    let Ok(count) = u32::try_from(count) else {
        return Err(body.fail(4, "NJS_CELL_SPRITE.nbCell", count.to_string(), "0 or more".into()));
    };
    if cells == 0 {
        return match count {
            0 => Ok(Vec::new()),
            _ => Err(body.fail(
                0,
                "NJS_CELL_SPRITE.cells",
                "NULL".into(),
                counted(count as usize, "cell"),
            )),
        };
    }
    let bytes = count as usize * CELL_BYTES;
    body.aligned(cells, 4, "NJS_CELL_SPRITE.cells")?;
    body.slice(cells, bytes, "NJS_CELL_SPRITE.cells")?;
    rec.claim(&body, cells, bytes)?;
    rec.pointer(0, cells);
    rec.piece(Part::Cells, 0, cells, bytes);
    (0..count)
        .map(|i| read_cell(&body, cells + i * CELL_BYTES as u32))
        .collect()
}

fn read_cell(body: &Body<'_>, at: u32) -> Result<Cell, Error> {
    let words: [u32; Cell::WORDS] = body.block(at, "NJS_CELL")?;
    let half = |field: u32| body.u16(at + field, "NJS_CELL");
    let float = |i: usize| f32::from_bits(words[i]);
    Ok(Cell {
        tex_id: half(0)? as i16,
        attr: CellAttr(half(2)?),
        offset: [float(1), float(2)],
        size: [float(3), float(4)],
        zang: half(20)? as i16,
        priority: half(22)? as i16,
        center: [float(6), float(7)],
        argb: [words[8], words[9], words[10], words[11]].map(Argb),
        uv0: [float(12), float(13)],
        uv2: [float(14), float(15)],
    })
}

fn put_cell(cell: &Cell, out: &mut PieceOut<'_>) {
    let words = cell.words();
    out.u16(cell.tex_id as u16);
    out.u16(cell.attr.0);
    out.words32(&words[1..5]);
    out.u16(cell.zang as u16);
    out.u16(cell.priority as u16);
    out.words32(&words[6..]);
}

/// Layout: the sprite and its array of cells.
impl Structures for CellSprite {
    fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let cells = self.cells.len() * CELL_BYTES;
        [(Part::CellSprite, 0, SPRITE_BYTES, 4)]
            .into_iter()
            .chain((cells > 0).then_some((Part::Cells, 0, cells, 4)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        if piece.part == Part::Cells {
            self.cells.iter().for_each(|cell| put_cell(cell, out));
            return Ok(());
        }
        let count = i32::try_from(self.cells.len())
            .map_err(|_| Error::parameter("cells", self.cells.len(), "at most 2147483647"))?;
        out.pointer(places.of(Part::Cells, 0));
        out.u32(count as u32);
        out.words32(&self.placing_words());
        Ok(())
    }
}

impl CellStream {
    pub(crate) fn read(body: Body<'_>, pof0: Option<Pof0>, warnings: &mut Warnings) -> Result<Self, Error> {
        let mut rec = Recorder::new(body, 1);
        let [start, current, offset, max] = body.block(0, "NJS_CELL_STREAM")?;
        rec.claim(&body, 0, STREAM_BYTES)?;
        rec.piece(Part::CellStream, 0, 0, STREAM_BYTES);
        let mut stream = CellStream {
            time_offset: offset as i32,
            time_max: max as i32,
            ..CellStream::default()
        };
        rec.pointer(0, start);
        rec.pointer(4, current);
        if start != 0 {
            stream.chunks = read_chunks(&mut rec, start, warnings)?;
            stream.check_against_head(&body, start, warnings);
        }
        stream.current = current_word(&body, start, current, stream.words())?;
        stream.layout = Some(Box::new(rec.finish(pof0, warnings)));
        Ok(stream)
    }

    fn check_against_head(&self, body: &Body<'_>, start: u32, warnings: &mut Warnings) {
        let Some(CellChunk::End { time, .. }) = self.chunks.last() else {
            return;
        };
        if i32::from(*time) != self.time_max {
            let (end, max) = (*time, self.time_max);
            warnings.push(body.warning(12, WarningKind::StreamEnd { end, max }));
        }
        // Iterate backwards to sum the words after every stamp in one pass.
        let mut at = start + 4 * self.words() as u32;
        let mut after = 0;
        for chunk in self.chunks.iter().rev() {
            at -= 4 * chunk.words() as u32;
            match chunk {
                CellChunk::Stamp { words, .. } if usize::from(*words) != after => {
                    let found = *words;
                    warnings.push(body.warning(
                        at,
                        WarningKind::StampWords {
                            found,
                            expected: after,
                        },
                    ));
                    after = 0;
                }
                CellChunk::Stamp { .. } | CellChunk::End { .. } => after = 0,
                _ => after += chunk.words(),
            }
        }
    }

    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        self.write_body(order)
    }

    fn check(&self) -> Result<(), Error> {
        let is_end = |chunk: &CellChunk| matches!(chunk, CellChunk::End { .. });
        let ends = self.chunks.iter().filter(|chunk| is_end(chunk)).count();
        if !self.chunks.is_empty() && (ends != 1 || !self.chunks.last().is_some_and(is_end)) {
            return Err(Error::parameter(
                "cell stream",
                format!("{ends} end chunks"),
                "one, at the end",
            ));
        }
        match self.current {
            Some(word) if word as usize >= self.words() => {
                let found = format!("word {word} of {}", self.words());
                Err(Error::parameter("current stamp", found, "a word of the stream"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the word of the stream that cur_stamp_p points to.
fn current_word(body: &Body<'_>, start: u32, current: u32, words: usize) -> Result<Option<u32>, Error> {
    if current == 0 {
        return Ok(None);
    }
    body.aligned(current, 4, "NJS_CELL_STREAM.cur_stamp_p")?;
    let word = current.checked_sub(start).map(|bytes| bytes / 4);
    match word.filter(|word| (*word as usize) < words) {
        Some(word) => Ok(Some(word)),
        None => {
            let found = format!("pointer {current:#x}");
            let expected = format!("a word of the stream at {start:#x}");
            Err(body.fail(4, "NJS_CELL_STREAM.cur_stamp_p", found, expected))
        }
    }
}

fn read_chunks(rec: &mut Recorder<'_>, start: u32, warnings: &mut Warnings) -> Result<Vec<CellChunk>, Error> {
    let body = rec.body;
    body.aligned(start, 4, "NJS_CELL_STREAM.cellstream")?;
    let (mut chunks, mut at) = (Vec::new(), start);
    loop {
        let head = body.u32(at, "cell chunk")?;
        let words = CellChunk::data_words(head);
        let chunk = CellChunk::from_words(head, body.words32(at + 4, words, "cell chunk data")?);
        rec.claim(&body, at, 4 + 4 * words)?;
        check_chunk(&body, at, &chunk, warnings);
        let is_end = matches!(chunk, CellChunk::End { .. });
        chunks.push(chunk);
        at += 4 + 4 * words as u32;
        if is_end {
            rec.piece(Part::StreamWords, 0, start, (at - start) as usize);
            return Ok(chunks);
        }
    }
}

fn check_chunk(body: &Body<'_>, at: u32, chunk: &CellChunk, warnings: &mut Warnings) {
    let kind = match chunk {
        CellChunk::Change(change) if change.blocks.0 & !BlockBits::KNOWN.0 != 0 => {
            WarningKind::CellBlocks(change.blocks.0)
        }
        CellChunk::Change(change) if usize::from(change.size) != change.words.len() % 16 => {
            WarningKind::CellSize {
                found: change.size,
                expected: change.words.len(),
            }
        }
        CellChunk::Reserved { head, .. } if is_lost_angle(*head) => WarningKind::LostAngle(*head as i16),
        CellChunk::Reserved { head, .. } => WarningKind::ReservedCellChunk((head >> 28) as u8),
        CellChunk::Entry { offset, data, .. } if usize::from(*offset) + data.len() > Cell::WORDS => {
            WarningKind::BurstEnd {
                offset: *offset,
                words: data.len(),
            }
        }
        _ => return,
    };
    warnings.push(body.warning(at, kind));
}

/// Layout: the stream's head and its words.
impl Structures for CellStream {
    fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let words = self.words() * 4;
        [(Part::CellStream, 0, STREAM_BYTES, 4)]
            .into_iter()
            .chain((words > 0).then_some((Part::StreamWords, 0, words, 4)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        if piece.part == Part::StreamWords {
            for chunk in &self.chunks {
                out.u32(chunk.head()?);
                out.words32(chunk.data());
            }
            return Ok(());
        }
        let start = places.of(Part::StreamWords, 0);
        out.pointer(start);
        out.pointer(start.zip(self.current).map(|(start, word)| start + 4 * word));
        out.words32(&[self.time_offset as u32, self.time_max as u32]);
        Ok(())
    }
}
