//! The meaning of the bytes of one body: its structures in the order of their offsets, field by field.

use super::Note;
use crate::bytes::Body;
use crate::file::Chunk;
use crate::layout::{Part, Piece};
use crate::motion::{Element, Keys, Motion};
use crate::plist::{PolyChunk, poly_name};
use crate::tree::{Bams, EvalFlags};
use crate::vlist::VertexKind;

/// Display format of a field.
#[derive(Clone, Copy)]
enum Form {
    Pointer,
    Hex,
    Number,
    Float,
    Angle,
    Half,
    HalfAngle,
    Flags,
}

use Form::{Angle, Flags, Float, Half, HalfAngle, Hex, Number, Pointer};

type Fields = &'static [(&'static str, Form)];

const OBJECT: Fields = &[
    ("evalflags", Flags),
    ("model", Pointer),
    ("pos x", Float),
    ("pos y", Float),
    ("pos z", Float),
    ("ang x", Angle),
    ("ang y", Angle),
    ("ang z", Angle),
    ("scl x", Float),
    ("scl y", Float),
    ("scl z", Float),
    ("child", Pointer),
    ("sibling", Pointer),
];
const MODEL: Fields = &[
    ("vlist", Pointer),
    ("plist", Pointer),
    ("center x", Float),
    ("center y", Float),
    ("center z", Float),
    ("r", Float),
];
const MOTION: Fields = &[
    ("mdata", Pointer),
    ("nbFrame", Number),
    ("type", Half),
    ("inp_fn", Half),
];
const KEY_GROUP: Fields = &[("cvlist", Pointer), ("groupId", Half), ("reserved", Half)];
const SHAPE_DATA: Fields = &[("keys", Pointer), ("nbKey", Half), ("entryId", Half)];
const SPRITE: Fields = &[
    ("cells", Pointer),
    ("nbCell", Number),
    ("pos x", Float),
    ("pos y", Float),
    ("pos z", Float),
    ("zang", Angle),
    ("sx", Float),
    ("sy", Float),
    ("diffuse a", Float),
    ("diffuse r", Float),
    ("diffuse g", Float),
    ("diffuse b", Float),
    ("specular exponent", Float),
    ("specular r", Float),
    ("specular g", Float),
    ("specular b", Float),
];
const CELL: Fields = &[
    ("texId", Half),
    ("attr", Half),
    ("cox", Float),
    ("coy", Float),
    ("csx", Float),
    ("csy", Float),
    ("czang", HalfAngle),
    ("cp", Half),
    ("cent_x", Float),
    ("cent_y", Float),
    ("argb[0]", Hex),
    ("argb[1]", Hex),
    ("argb[2]", Hex),
    ("argb[3]", Hex),
    ("u0", Float),
    ("v0", Float),
    ("u2", Float),
    ("v2", Float),
];
const STREAM: Fields = &[
    ("cellstream", Pointer),
    ("cur_stamp_p", Pointer),
    ("timeoffset", Number),
    ("timemax", Number),
];

/// Writes the notes of one body.
pub(super) fn annotate(body: &Body<'_>, chunk: &Chunk, notes: &mut Vec<Note>) {
    let pieces = chunk.layout().map_or(&[][..], |layout| layout.pieces());
    let mut cursor = Cursor { body, at: 0, notes };
    for piece in pieces {
        if cursor.at < piece.offset {
            let gap = piece.offset - cursor.at;
            cursor.note(gap, "not referenced by any structure");
        }
        let end = cursor.at.max(piece.offset + piece.size);
        cursor.at = piece.offset;
        cursor.piece(piece, chunk);
        cursor.at = end;
    }
    let rest = body.len() as u32 - cursor.at.min(body.len() as u32);
    if rest > 0 {
        let meaning = match chunk {
            Chunk::Raw(_) => "kept as bytes",
            _ => "not referenced by any structure",
        };
        cursor.note(rest, meaning);
    }
}

struct Cursor<'a> {
    body: &'a Body<'a>,
    /// Body offset of the next byte.
    at: u32,
    notes: &'a mut Vec<Note>,
}

impl Cursor<'_> {
    fn note(&mut self, len: u32, meaning: impl Into<String>) {
        self.notes.push(Note {
            offset: self.body.base + self.at as usize,
            len: len as usize,
            meaning: meaning.into(),
        });
        self.at += len;
    }

    /// Reads a word for display. An earlier read has checked the range; a failure would only show 0.
    fn word(&self) -> u32 {
        self.body.u32(self.at, "field").unwrap_or(0)
    }

    fn half(&self) -> u16 {
        self.body.u16(self.at, "field").unwrap_or(0)
    }

    fn field(&mut self, name: &str, form: Form) {
        let (word, half) = (self.word(), self.half());
        let (len, value) = match form {
            Pointer if word == 0 => (4, "NULL".to_owned()),
            Pointer => (4, format!("-> {word:#x}")),
            Hex => (4, format!("{word:#010x}")),
            Number => (4, (word as i32).to_string()),
            Float => (4, format!("{:?}", f32::from_bits(word))),
            Angle => (
                4,
                format!("{word:#x} ({:.3} degrees)", Bams(word as i32).degrees()),
            ),
            Flags => (4, format!("{word:#x} {}", EvalFlags(word).names().join(" "))),
            Half => (2, format!("{half:#x} ({})", half as i16)),
            HalfAngle => (
                2,
                format!(
                    "{half:#x} ({:.3} degrees)",
                    Bams(i32::from(half as i16)).degrees()
                ),
            ),
        };
        self.note(len, format!("{name}: {}", value.trim_end()));
    }

    fn fields(&mut self, structure: &str, fields: Fields) {
        for (name, form) in fields {
            self.field(&format!("{structure}.{name}"), *form);
        }
    }

    /// Annotates the structure `fields` repeatedly up to the end of the piece.
    fn array(&mut self, structure: &str, fields: Fields, end: u32) {
        let mut i = 0;
        while self.at < end {
            self.fields(&format!("{structure}[{i}]"), fields);
            i += 1;
        }
    }

    fn words(&mut self, name: &str, form: Form, end: u32) {
        let mut i = 0;
        while self.at + 4 <= end {
            self.field(&format!("{name}[{i}]"), form);
            i += 1;
        }
    }

    fn piece(&mut self, piece: &Piece, chunk: &Chunk) {
        let (i, end) = (piece.index, piece.offset + piece.size);
        match (piece.part, chunk) {
            (Part::Object, _) => {
                self.fields(&format!("object {i}"), OBJECT);
                if self.at < end {
                    self.field(&format!("object {i}.re_quat"), Float);
                }
            }
            (Part::Model, _) => self.fields(&format!("model {i}"), MODEL),
            (Part::Vlist, _) => self.vlist(i, end),
            (Part::Plist, Chunk::Model(tree)) => {
                let chunks = tree.plists.get(i as usize).map_or(&[][..], |list| &list.chunks);
                self.plist(i, chunks);
            }
            (Part::TexHead, _) => self.fields("NJS_TEXLIST", &[("textures", Pointer), ("nbTexture", Number)]),
            (Part::TexEntries, _) => {
                let entry: Fields = &[("filename", Pointer), ("attr", Hex), ("texaddr", Hex)];
                self.array("NJS_TEXNAME", entry, end);
            }
            (Part::TexName, Chunk::Texlist(list)) => {
                let name = list
                    .names
                    .get(i as usize)
                    .map(|name| name.name_lossy().into_owned());
                self.note(piece.size, format!("name {i}: {:?}", name.unwrap_or_default()));
            }
            (Part::Motion, _) => self.fields("NJS_MOTION", MOTION),
            (Part::Mdata, Chunk::Motion(motion)) => self.mdata(motion),
            (Part::Mdata, _) => self.array("NJS_MDATA1", &[("p", Pointer), ("nb", Number)], end),
            (Part::Keys, Chunk::Motion(motion)) => self.keys(motion, i),
            (Part::Keys, _) => self.array(
                &format!("keys {i}"),
                &[("frame", Number), ("shapeId", Number)],
                end,
            ),
            (Part::Points, _) => self.words(&format!("points {i}"), Float, end),
            (Part::Action, _) => self.fields("NJS_ACTION", &[("object", Pointer), ("motion", Pointer)]),
            (Part::ActionPointer, _) => self.field("address of the NJS_ACTION", Pointer),
            (Part::ShapeList, _) => {
                self.fields("NJS_CSHAPELIST", &[("shapes", Pointer), ("nbShape", Number)])
            }
            (Part::KeyGroups, _) => self.array("NJS_CSHAPE_KEYGROUP", KEY_GROUP, end),
            (Part::Cvlist, _) => self.words(&format!("cvlist {i}"), Pointer, end),
            (Part::ShapeVlist, Chunk::ShapeList(list)) => {
                for chunk in list.vlists.get(i as usize).map_or(&[][..], |list| &list.chunks) {
                    let head = format!("vlist {i}: {}, {} words", chunk.kind.name(), chunk.words.len());
                    self.note(4, head);
                    self.vertices(chunk.kind.stride() as u32, chunk.count() as u32, i);
                }
                self.note(4, format!("vlist {i}: end"));
            }
            (Part::ShapeData, _) => self.array(&format!("NJS_CSHAPEDATA of node {i}"), SHAPE_DATA, end),
            (Part::CellSprite, _) => self.fields("NJS_CELL_SPRITE", SPRITE),
            (Part::Cells, _) => self.array("cell", CELL, end),
            (Part::CellStream, _) => self.fields("NJS_CELL_STREAM", STREAM),
            (Part::StreamWords, Chunk::CellStream(stream)) => {
                for chunk in &stream.chunks {
                    self.note(4 * chunk.words() as u32, chunk.to_string());
                }
            }
            // A chunk contains only pieces of its own kind.
            _ => self.note(piece.size, "structure"),
        }
    }

    fn vlist(&mut self, list: u32, end: u32) {
        while self.at + 4 < end {
            let head = self.word();
            let (words, kind) = (head >> 16, VertexKind::from_id(head as u8));
            let name = kind.map_or("unknown", VertexKind::name);
            let bits = head >> 8 & 0xFF;
            self.note(
                4,
                format!("vlist {list}: {name}, {words} words, headbits {bits:#04x}"),
            );
            let (count, stride) = (self.word() >> 16, kind.map_or(1, VertexKind::stride) as u32);
            let offset = self.word() & 0xFFFF;
            self.note(
                4,
                format!("vlist {list}: {count} vertices for the slots from {offset}"),
            );
            self.vertices(stride, count, list);
            let tail = (words - 1).saturating_sub(count * stride);
            if tail > 0 {
                self.note(tail * 4, format!("vlist {list}: words after the last vertex"));
            }
        }
        self.note(4, format!("vlist {list}: end"));
    }

    /// Shows words as floats if they look like coordinates, otherwise as hexadecimal numbers.
    fn vertices(&mut self, stride: u32, count: u32, list: u32) {
        for i in 0..count {
            let words = self
                .body
                .words32(self.at, stride as usize, "vertex")
                .unwrap_or_default();
            let shown: Vec<String> = words.iter().map(|word| shown(*word)).collect();
            self.note(
                stride * 4,
                format!("vlist {list}: vertex {i}: {}", shown.join(" ")),
            );
        }
    }

    fn plist(&mut self, list: u32, chunks: &[PolyChunk]) {
        for chunk in chunks {
            let name = poly_name(chunk.id()).map_or_else(|| format!("id {}", chunk.id()), str::to_owned);
            let words = chunk.file_words() as u32;
            let what = format!("plist {list}: {name}");
            match chunk {
                PolyChunk::Strip(strips) => {
                    let end = self.at + 2 * words;
                    let (flags, n) = (strips.flags.0, strips.strips.len());
                    self.note(
                        6,
                        format!("{what}, flags {flags:#04x}, {} words, {n} strips", strips.size()),
                    );
                    for (s, strip) in strips.strips.iter().enumerate() {
                        let turn = if strip.reversed { ", reversed" } else { "" };
                        self.note(2, format!("{what}: strip {s} of {} entries{turn}", strip.len));
                        let user = usize::from(strips.user_words) * strip.triangles();
                        let words = usize::from(strip.len) * strips.entry_words() + user;
                        let indices: Vec<String> = strips.indices(strip).map(|i| i.to_string()).collect();
                        self.note(2 * words as u32, format!("indices {}", indices.join(" ")));
                    }
                    if self.at < end {
                        self.note(end - self.at, format!("{what}: words after the last strip"));
                    }
                }
                PolyChunk::Reserved(_) => self.note(2 * words, format!("{what}, not understood")),
                PolyChunk::Null | PolyChunk::Volume(_) => self.note(2 * words, what),
                chunk => self.note(2 * words, format!("{what}: {chunk:?}")),
            }
        }
        self.note(2, format!("plist {list}: end"));
    }

    fn mdata(&mut self, motion: &Motion) {
        let elements = motion.elements();
        let name = |slot: usize| elements.get(slot).copied().map_or("spare", Element::name);
        for node in 0..motion.nodes.len() {
            for (field, form) in [("p", Pointer), ("nb", Number)] {
                for slot in 0..motion.tables() {
                    self.field(&format!("node {node}.{field}[{slot}] {}", name(slot)), form);
                }
            }
        }
    }

    fn keys(&mut self, motion: &Motion, track: u32) {
        let Some(keys) = motion.tracks.get(track as usize) else {
            return;
        };
        let (form, n) = (keys.form(), keys.len());
        for i in 0..n {
            let value = keys.value_text(i);
            self.note(
                form.bytes() as u32,
                format!("table {track} (MKEY_{}) key {i} of {n}: {value}", form.name()),
            );
        }
    }
}

fn shown(word: u32) -> String {
    let float = f32::from_bits(word);
    match float == 0.0 || (1e-6..1e6).contains(&float.abs()) {
        true if word != 0x8000_0000 => format!("{float:?}"),
        _ => format!("{word:#010x}"),
    }
}

impl Keys {
    /// Returns a key as text.
    fn value_text(&self, i: usize) -> String {
        macro_rules! text {
            ($($form:ident),*) => {
                match self {
                    $(Keys::$form(keys) => {
                        keys.get(i).map(|key| format!("frame {}, {:?}", key.frame, key.value))
                    })*
                }
            };
        }
        let text = text!(
            F, A, Sa, Quat, Ax, F1, F2, A1, Sa1, Spot, Ui32, Si32, Ui16, P, ShapeId
        );
        text.unwrap_or_default()
    }
}
