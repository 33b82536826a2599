//! Writer for vertex lists and the chunks of shapes.

use super::num::{flag_list, float, hex_lines, hex32, percent};
use super::{Writer, flags};
use crate::cshape::{ShapeChunk, ShapeVlist};
use crate::error::Error;
use crate::vlist::{Attribute, FV_SHAPE, NinjaFlags, Normal, VertexChunk, VertexKind, Vlist};
use std::fmt::Write as _;

const HEAD: [(u32, &str); 2] = [(0x8000, "FV_CONT"), (0x4000, "FV_SHAPE")];

impl Writer<'_> {
    pub(super) fn vlist(&mut self, name: &str, list: &Vlist) {
        self.open("VLIST", name);
        for chunk in &list.chunks {
            self.vertices(chunk);
        }
        self.put("    CnkEnd()\n");
        self.close();
    }

    fn vertices(&mut self, chunk: &VertexChunk) {
        let size = 1 + chunk.words.len() + chunk.tail.len();
        let (offset, count) = (chunk.index_offset, chunk.count);
        // The macro for CV_VN is CnkV_VN.
        let name = chunk.kind.name().trim_start_matches("CV");
        let head = head_flags(chunk.headbits, chunk.kind.ninja_word().is_some());
        let _ = write!(
            self.out,
            "    CnkV{name}( {head}, {size} ),\n    OffnbIdx( {offset}, {count} ),\n"
        );
        for vertex in chunk.words.chunks_exact(chunk.stride()) {
            self.vertex(chunk, vertex);
        }
        hex_lines(&mut self.out, "    ", &chunk.tail);
    }

    fn vertex(&mut self, chunk: &VertexChunk, words: &[u32]) {
        if chunk.kind.attribute() == Attribute::Sh {
            return self.sh_vertex(words);
        }
        self.triple("VERT", words.get(..3));
        match chunk.kind.normal() {
            Normal::None => {}
            Normal::Float(word) => self.triple("NORM", words.get(word..word + 3)),
            Normal::Packed(word) => self.packed_normal(words.get(word).copied().unwrap_or(0)),
        }
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        match chunk.kind.attribute() {
            Attribute::None | Attribute::Sh => {}
            Attribute::D8(i) => self.color(word(i)),
            Attribute::User(i) => self.flag_word("UFlags", word(i)),
            Attribute::Ninja(i) => self.ninja_flags(word(i)),
            Attribute::S5(i) => self.fields(
                "D565S565",
                word(i),
                &[(27, 5), (21, 6), (16, 5), (11, 5), (5, 6), (0, 5)],
            ),
            Attribute::S4(i) => {
                let fields = [(28, 4), (24, 4), (20, 4), (16, 4), (11, 5), (5, 6), (0, 5)];
                self.fields("D4444S565", word(i), &fields);
            }
            Attribute::Intensity(i) => self.fields("D16S16", word(i), &[(16, 16), (0, 16)]),
            Attribute::D8S8(i) => {
                self.color(word(i));
                self.color(word(i + 1));
            }
            Attribute::NinjaD8(i) => {
                self.ninja_flags(word(i));
                self.color(word(i + 1));
            }
        }
    }

    /// Writes a vertex for 128-bit loads. If its fourth words are not the usual constants, it is written as
    /// plain words.
    fn sh_vertex(&mut self, words: &[u32]) {
        let (position, normal) = words.split_at(4.min(words.len()));
        let constants = position.get(3) == Some(&1.0f32.to_bits()) && normal.get(3).is_none_or(|w| *w == 0);
        if !constants {
            return hex_lines(&mut self.out, "    ", words);
        }
        self.triple("VERT_SH", position.get(..3));
        if !normal.is_empty() {
            self.triple("NORM_SH", normal.get(..3));
        }
    }

    /// Writes three floats by their bits.
    fn triple(&mut self, name: &str, words: Option<&[u32]>) {
        let [x, y, z] = words.and_then(|w| w.first_chunk()).copied().unwrap_or_default();
        self.out.push_str("    ");
        self.out.push_str(name);
        self.out.push_str("( ");
        hex32(&mut self.out, x);
        self.out.push_str(", ");
        hex32(&mut self.out, y);
        self.out.push_str(", ");
        hex32(&mut self.out, z);
        self.out.push_str(" ),");
        if self.options.float_comments {
            let [x, y, z] = [x, y, z].map(|w| float(f32::from_bits(w)));
            let _ = write!(self.out, " /* {x}, {y}, {z} */");
        }
        self.out.push('\n');
    }

    fn packed_normal(&mut self, word: u32) {
        if word >> 30 != 0 {
            return hex_lines(&mut self.out, "    ", &[word]);
        }
        let [x, y, z] = [20, 10, 0].map(|shift| (word << (22 - shift)) as i32 >> 22);
        let _ = writeln!(self.out, "    NORM32( {x}, {y}, {z} ),");
    }

    fn color(&mut self, word: u32) {
        let [a, r, g, b] = word.to_be_bytes();
        let _ = writeln!(self.out, "    D8888( {a}, {r}, {g}, {b} ),");
    }

    fn flag_word(&mut self, name: &str, word: u32) {
        let _ = write!(self.out, "    {name}( ");
        hex32(&mut self.out, word);
        self.out.push_str(" ),\n");
    }

    fn ninja_flags(&mut self, word: u32) {
        let flags = NinjaFlags::from(word);
        match percent(flags.weight, 255).filter(|_| flags.weight <= 255) {
            Some(percent) => {
                let _ = writeln!(self.out, "    NFlagsW( {}, {percent} ),", flags.index);
            }
            None => self.flag_word("NFlags", word),
        }
    }

    /// Writes fields of a word, given by (shift, bits).
    fn fields(&mut self, name: &str, word: u32, fields: &[(u32, u32)]) {
        let list: Vec<String> = fields
            .iter()
            .map(|(shift, bits)| (word >> shift & ((1 << bits) - 1)).to_string())
            .collect();
        let _ = writeln!(self.out, "    {name}( {} ),", list.join(", "));
    }

    pub(super) fn shape_vlist(&mut self, name: &str, list: &ShapeVlist) -> Result<(), Error> {
        self.open("VLIST", name);
        for chunk in &list.chunks {
            check_shape_flag(chunk)?;
            let size = chunk.words.len();
            let kind = chunk.kind;
            let head = flags(u32::from(chunk.headbits) << 8, &HEAD);
            let prefix = if kind.position().is_some() { "CnkV" } else { "Cnk" };
            let suffix = kind.name().trim_start_matches("CV");
            let _ = writeln!(self.out, "    {prefix}{suffix}( {head}, {size} ),");
            let vertices = chunk.words.chunks_exact(kind.stride());
            let rest = vertices.remainder();
            for vertex in vertices {
                for (name, word) in [("VERT", kind.position()), ("NORM", kind.normal())] {
                    if let Some(word) = word {
                        self.triple(name, vertex.get(word..word + 3));
                    }
                }
                if let Some(word) = kind.diffuse() {
                    self.color(vertex.get(word).copied().unwrap_or(0));
                }
            }
            hex_lines(&mut self.out, "    ", rest);
        }
        self.put("    CnkEnd()\n");
        self.close();
        Ok(())
    }
}

/// Checks for FV_SHAPE. Without it, the text means a chunk of a model, which has an index offset and a count.
fn check_shape_flag(chunk: &ShapeChunk) -> Result<(), Error> {
    let of_models = VertexKind::from_id(chunk.kind.id()).is_some();
    if of_models && chunk.headbits & FV_SHAPE == 0 {
        let found = format!("{:#04x}", chunk.headbits);
        return Err(Error::parameter(
            "head flags of a shape's chunk",
            found,
            "FV_SHAPE (0x40)",
        ));
    }
    Ok(())
}

/// Returns the flags in a vertex chunk's head; the weight status has a name only in chunks with weights.
fn head_flags(headbits: u8, weighted: bool) -> String {
    let mut names: Vec<&str> = HEAD
        .iter()
        .filter(|(bits, _)| u32::from(headbits) << 8 & bits != 0)
        .map(|(_, name)| *name)
        .collect();
    let mut left = u32::from(headbits & 0x3F) << 8;
    if weighted {
        let status = ["FW_START", "FW_MIDDLE", "FW_END"].get(usize::from(headbits & 3));
        if let Some(status) = status {
            names.push(status);
            left &= !0x300;
        }
    }
    flag_list(&names, left)
}
