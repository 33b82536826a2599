//! Writer for cell sprites and cell streams (docs/formats/cell-sprite.md 5.2 and 5.4).

use super::num::{degrees, float, floats, hex_lines, hex32};
use super::plist::cell_blend;
use super::{Top, Writer, flags};
use crate::cell::{BlockBits, Cell, CellAttr, CellChange, CellChunk, CellSprite, CellStream};
use crate::color::Argb;
use crate::error::Error;
use std::fmt::Write as _;

const ATTR: [(u32, &str); 7] = [
    (0x80, "FCA_VC"),
    (0x40, "FCA_AL"),
    (0x20, "FCA_PT"),
    (0x10, "FCA_HF"),
    (0x08, "FCA_VF"),
    (0x04, "FCA_HI"),
    (0x02, "FCA_TR"),
];

const BLOCKS: [(u32, &str); 6] = [
    (0x80, "FCB_IA0"),
    (0x40, "FCB_MO1"),
    (0x20, "FCB_PR2"),
    (0x10, "FCB_CE3"),
    (0x08, "FCB_VC4"),
    (0x04, "FCB_UV5"),
];

impl Writer<'_> {
    pub(super) fn cell_sprite(&mut self, sprite: &CellSprite) -> Result<Top, Error> {
        let scope = self.scope("CELLSPRITE");
        self.put("\nCSPRITE_START\n");
        if !sprite.cells.is_empty() {
            self.open("CELLLISTNAME", &format!("cell_{scope}[]"));
            sprite.cells.iter().for_each(|cell| self.cell(cell));
            self.close();
        }
        let (name, count) = (format!("csprite_{scope}"), sprite.cells.len());
        self.open("CELLSPRITE", &name);
        let cells = if count == 0 {
            "NULL".to_owned()
        } else {
            format!("cell_{scope}")
        };
        let _ = write!(
            self.out,
            "CellList      {cells},\nCellNum       {count},\n\
             CSPosition    ( {} ),\nCSZAngle      ( {} ),\nCSScale       ( {} ),\n\
             CSDiffuse     ( {} ),\nCSSpecular    ( {} ),\n",
            floats(&sprite.pos),
            degrees(sprite.zang.0),
            floats(&sprite.scale),
            floats(&sprite.diffuse),
            floats(&sprite.specular)
        );
        self.close();
        self.put("\nCSPRITE_END\n");
        Ok(Top {
            title: "CELLSPRITE",
            name,
            note: format!(" c({count})"),
            default: "DEFAULT_CSPRITE_NAME",
        })
    }

    fn cell(&mut self, cell: &Cell) {
        let _ = write!(
            self.out,
            "CELLSTART\nCellTexId     ( {} ),\nCellAttr      ( {} ),\nCellOffset    ( {} ),\nCellSize      ( {} ),\n\
             CellZAng      ( {} ),\nCellPriority  ( {} ),\nCellCenter    ( {} ),\n",
            cell.tex_id,
            attr(cell.attr),
            floats(&cell.offset),
            floats(&cell.size),
            degrees(cell.zang.into()),
            cell.priority,
            floats(&cell.center)
        );
        for (i, color) in cell.argb.iter().enumerate() {
            let _ = writeln!(self.out, "CellVColor{i}   ( {} ),", channels(*color));
        }
        let (uv0, uv2) = (floats(&cell.uv0), floats(&cell.uv2));
        let _ = write!(
            self.out,
            "CellUV0       ( {uv0} ),\nCellUV2       ( {uv2} ),\nCELLEND\n"
        );
    }

    pub(super) fn cell_stream(&mut self, stream: &CellStream) -> Result<Top, Error> {
        let scope = self.scope("CELLSTREAM");
        let current = match stream.current {
            None if !stream.chunks.is_empty() => "NULL".to_owned(),
            Some(0) => format!("csdata_{scope}"),
            other => {
                let found = other.map_or("NULL".to_owned(), |word| format!("word {word}"));
                return Err(Error::parameter(
                    "current stamp",
                    found,
                    "the beginning of the stream or NULL",
                ));
            }
        };
        // Each stamp gets the number of words up to the next stamp. Each cell gets its number of words modulo
        // 16 (docs/formats/cell-sprite.md 5.4). Other sizes in a binary file are lost.
        let mut stream = stream.clone();
        stream.count_stamps()?;
        self.put("\nCSTREAM_START\n");
        self.open("CELLSTREAMDATA", &format!("csdata_{scope}[]"));
        stream.chunks.iter().for_each(|chunk| self.cell_chunk(chunk));
        self.close();
        let name = format!("cstream_{scope}");
        self.open("CELLSTREAM", &name);
        let _ = write!(
            self.out,
            "CStreamData   csdata_{scope},\nCSCurrent     {current},\nCSTimeOffset  {},\nCSTimeMax     {},\n",
            stream.time_offset, stream.time_max
        );
        self.close();
        self.put("\nCSTREAM_END\n");
        Ok(Top {
            title: "CELLSTREAM",
            name,
            note: String::new(),
            default: "DEFAULT_CSTREAM_NAME",
        })
    }

    fn cell_chunk(&mut self, chunk: &CellChunk) {
        let (out, words) = (&mut self.out, chunk.data().len());
        let _ = match chunk {
            CellChunk::End { dummy: 0, time } => writeln!(out, "    CCnk_TE( {time} ),"),
            // The macro has no field for bits 27-16. A plain word is also valid as the end, if it is the last
            // of the array.
            CellChunk::End { dummy, time } => {
                let word = u32::from(*dummy) << 16 | u32::from(*time);
                writeln!(out, "    {word:#010x}, /* end, time {time} */")
            }
            CellChunk::Stamp { words, time } => {
                writeln!(out, "    CCnk_TS( {time}, {words} ), /* time {time} */")
            }
            CellChunk::Change(change) => return self.change(change),
            CellChunk::Texture { entry, tex_id } => writeln!(out, "    CCnk_TD( {entry}, {tex_id} ),"),
            CellChunk::Attr { entry, attr: bits } => {
                writeln!(out, "    CCnk_AT( {entry}, {} ),", attr(*bits))
            }
            CellChunk::ZAngle { entry, zang } => {
                writeln!(out, "    CCnk_CZ( {entry}, {} ),", degrees((*zang).into()))
            }
            CellChunk::Priority { entry, priority } => writeln!(out, "    CCnk_CP( {entry}, {priority} ),"),
            CellChunk::Event { event, .. } => writeln!(out, "    CCnk_UE( {words}, {event} ),"),
            CellChunk::Address { address, .. } => writeln!(out, "    CBCnk_AD( {address}, {words} ),"),
            CellChunk::Entry { entry, offset, .. } => {
                writeln!(out, "    CBCnk_ED( {entry}, {offset}, {words} ),")
            }
            CellChunk::Reserved { head, .. } => writeln!(out, "    {head:#010x},"),
        };
        hex_lines(&mut self.out, "        ", chunk.data());
    }

    /// Writes the blocks of a cell. Words with bits that the blocks do not use are written as plain words.
    fn change(&mut self, change: &CellChange) {
        let (entry, size) = (change.entry, change.words.len());
        let left = u32::from(change.blocks.0 & 3) << 16;
        let mut blocks = flags(u32::from(change.blocks.0 & 0xFC), &BLOCKS);
        if left != 0 {
            let _ = write!(blocks, "|{left:#x}");
        }
        let _ = writeln!(self.out, "    CCnk_CE( {entry}, {size}, {blocks} ),");
        let mut words = change.words.as_slice();
        let mut take = |n: usize| {
            let (head, rest) = words.split_at(n.min(words.len()));
            words = rest;
            head
        };
        let has = |bits| change.blocks.contains(bits);
        if has(BlockBits::IA0)
            && let [word] = take(1)
        {
            let (texture, bits) = ((word >> 16) as i16, attr(CellAttr(*word as u16)));
            let _ = writeln!(self.out, "        Bk_IA0( {texture}, {bits} ),");
        }
        if has(BlockBits::MO1)
            && let [place @ .., turn] = take(5)
        {
            self.block_motion(place, *turn, has(BlockBits::PR2));
        } else if has(BlockBits::PR2)
            && let [word] = take(1)
        {
            let _ = match word >> 16 {
                0 => writeln!(self.out, "        Bk_PR2( {} ),", *word as i16),
                _ => writeln!(self.out, "        {word:#010x},"),
            };
        }
        if has(BlockBits::CE3) {
            self.float_words("Bk_CE3", take(2), "");
        }
        if has(BlockBits::VC4) {
            for (i, color) in take(4).iter().enumerate() {
                let _ = writeln!(self.out, "        Bk_VC4_{i}( {} ),", channels(Argb(*color)));
            }
        }
        if has(BlockBits::UV5) {
            self.float_words("Bk_UV5", take(4), "");
        }
        hex_lines(&mut self.out, "        ", words);
    }

    fn block_motion(&mut self, place: &[u32], turn: u32, with_priority: bool) {
        let low = degrees((turn as u16 as i16).into());
        match (with_priority, turn >> 16) {
            (true, high) => {
                let tail = format!(", {}, {}", degrees((high as u16 as i16).into()), turn as i16);
                self.float_words("Bk_MO1PR2", place, &tail);
            }
            (false, 0) => self.float_words("Bk_MO1", place, &format!(", {low}")),
            (false, _) => {
                hex_lines(&mut self.out, "        ", place);
                hex_lines(&mut self.out, "        ", &[turn]);
            }
        }
    }

    /// Writes a block of float words, with their values in a comment after it.
    fn float_words(&mut self, name: &str, words: &[u32], tail: &str) {
        let _ = write!(self.out, "        {name}( ");
        for (i, word) in words.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            hex32(&mut self.out, *word);
        }
        let values: Vec<String> = words.iter().map(|w| float(f32::from_bits(*w))).collect();
        let _ = writeln!(self.out, "{tail} ), /* {} */", values.join(", "));
    }
}

fn attr(attr: CellAttr) -> String {
    let [source, destination] = cell_blend(attr.0);
    let rest = flags(u32::from(attr.0 & !0x3F00), &ATTR);
    match rest.as_str() {
        "0x0" => format!("{source}|{destination}"),
        _ => format!("{source}|{destination}|{rest}"),
    }
}

fn channels(color: Argb) -> String {
    format!("{}, {}, {}, {}", color.a(), color.r(), color.g(), color.b())
}
