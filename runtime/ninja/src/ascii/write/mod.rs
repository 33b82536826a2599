//! Writer from chunks to text, in the corrected Ninja2 form (docs/formats/ninja.md 3.4, "Write").

mod cells;
mod cshape;
mod motion;
mod num;
mod plist;
mod tree;
mod vlist;

use crate::error::Error;
use crate::motion::MotionKind;
use crate::{Chunk, File, Texlist};
use num::{flag_list, string};
use std::fmt::Write as _;

/// Options for writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Suffix of all names, as in `object_NAME`. docs/formats/compact-shape.md and cell-sprite.md use scene
    /// and model. Underscores replace characters that C does not allow.
    pub name: String,
    /// Writes the values of float words of vertex lists in comments (docs/formats/chunk-model.md 4). Cell
    /// streams always have such comments (docs/formats/cell-sprite.md 5.4).
    pub float_comments: bool,
    /// Marks a file with only a model (.nad). The header comment then says NAD instead of NJA, which has data
    /// of several kinds.
    pub model_alone: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            name: "ninja".to_owned(),
            float_comments: false,
            model_alone: false,
        }
    }
}

/// Writes a file's chunks as text for [`read`](super::read) or, with [`c_header`](super::c_header), for a C
/// compiler. Equal chunks give equal text.
///
/// The writer invents names, since binary files have none. It writes infinite floats and NaNs by their bits.
/// The text loses:
/// - offsets, gaps and the order of structures in a body: the reader creates them again in drawing order;
/// - sizes in a cell stream: stamps get the number of words up to the next stamp, cells the number of their
///   words modulo 16;
/// - the vertex count of a chunk with surplus words: the reader counts the vertices;
/// - a table count of 0 in a motion, which then has a table for each bit of its type: the text contains that
///   number;
/// - the chunk name of 56-byte nodes in `NJCM`: the text has the form of `N2CM` and is read as `N2CM`.
///
/// # Errors
/// Fails if a chunk has no text form (raw chunks, lights, simple shape motions) or no file form
/// ([`File::write`]).
pub fn write(file: &File, options: &WriteOptions) -> Result<String, Error> {
    let mut writer = Writer {
        out: String::new(),
        options,
        counts: Vec::new(),
    };
    let mut body = String::new();
    let (mut comments, mut defaults) = (Vec::new(), Vec::new());
    for chunk in &file.chunks {
        let top = writer.chunk(chunk).map_err(|e| e.within(chunk.id(), None))?;
        comments.push(format!("/* {:<13} : {}{} */\n", top.title, top.name, top.note));
        // The first chunk of a kind is the default.
        if !defaults.iter().any(|(name, _)| *name == top.default) {
            defaults.push((top.default, top.name));
        }
        body.push_str(&std::mem::take(&mut writer.out));
    }
    let mut text = format!("/* {} (swirl) */\n", kind(file, options.model_alone));
    comments.iter().for_each(|comment| text.push_str(comment));
    text.push_str(&body);
    text.push_str("\nDEFAULT_START\n\n");
    for (name, value) in defaults {
        // Writing to a string cannot fail.
        let _ = write!(text, "#ifndef {name}\n#define {name} {value}\n#endif\n\n");
    }
    text.push_str("DEFAULT_END\n");
    Ok(text)
}

/// Returns extension, version and kind for the header comment. The most specific content decides: a .spa may
/// contain a texture list, a .csa a motion (docs/formats/cell-sprite.md 5).
fn kind(file: &File, model_alone: bool) -> &'static str {
    let has = |wanted: fn(&Chunk) -> bool| file.chunks.iter().any(wanted);
    if has(|c| matches!(c, Chunk::CellStream(_))) {
        "CSA 2.00.00 Ninja2AsciiCellStream"
    } else if has(|c| matches!(c, Chunk::CellSprite(_))) {
        "SPA 2.00.00 Ninja2AsciiCellSprite"
    } else if has(|c| matches!(c, Chunk::Model(_))) && model_alone {
        "NAD 2.00.00 NinjaAsciiModel CnkModel"
    } else if has(|c| matches!(c, Chunk::Model(_))) {
        "NJA 2.00.00 NinjaAsciiDataMix CnkModel"
    } else if has(|c| matches!(c, Chunk::ShapeList(_))) {
        "NAS 2.00.00 Ninja2AsciiCompactShape"
    } else if has(|c| matches!(c, Chunk::Motion(m) if m.kind == MotionKind::CellSprite)) {
        "CSNAM 2.00.00 Ninja2AsciiCellSpriteMotion"
    } else if has(|c| matches!(c, Chunk::Texlist(_))) {
        "NAT 2.00.00 Ninja2AsciiTexture"
    } else {
        "NAM 2.00.00 NinjaAsciiMotion"
    }
}

/// Names of a chunk's top structure, for comments and defaults.
struct Top {
    title: &'static str,
    name: String,
    note: String,
    default: &'static str,
}

struct Writer<'a> {
    out: String,
    options: &'a WriteOptions,
    /// Number of chunks with each title up to now.
    counts: Vec<(&'static str, usize)>,
}

impl Writer<'_> {
    fn chunk(&mut self, chunk: &Chunk) -> Result<Top, Error> {
        match chunk {
            Chunk::Texlist(list) => self.texlist(list),
            Chunk::Model(tree) => self.tree(tree),
            Chunk::Motion(motion) => self.motion(motion),
            Chunk::ShapeList(list) => self.shape_list(list),
            Chunk::ShapeMotion(motion) => self.shape_motion(motion),
            Chunk::CellSprite(sprite) => self.cell_sprite(sprite),
            Chunk::CellStream(stream) => self.cell_stream(stream),
            Chunk::Raw(raw) => Err(Error::parameter("chunk", raw.id, "one that ASCII files can hold")),
        }
    }

    /// Returns the suffix for all names of a chunk: the name of the options, numbered from the second chunk
    /// of a kind on.
    fn scope(&mut self, title: &'static str) -> String {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = self.options.name.chars().map(clean).collect();
        let count = match self.counts.iter_mut().find(|(known, _)| *known == title) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((title, 1));
                1
            }
        };
        if count == 1 {
            name
        } else {
            format!("{name}_c{count}")
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes `TYPE name[]` and START; `name` includes its brackets.
    fn open(&mut self, ty: &str, name: &str) {
        let _ = write!(self.out, "\n{ty:<11} {name}\nSTART\n");
    }

    fn close(&mut self) {
        self.put("END\n");
    }

    fn texlist(&mut self, list: &Texlist) -> Result<Top, Error> {
        let scope = self.scope("TEXLIST");
        self.put("\nTEXTURE_START\n");
        if !list.names.is_empty() {
            self.texture_names(list, &scope)?;
        }
        let name = format!("texlist_{scope}");
        self.open("TEXTURELIST", &name);
        let count = list.names.len();
        match count {
            0 => self.put("TextureList NULL,\nTextureNum  0,\n"),
            _ => {
                let _ = write!(self.out, "TextureList textures_{scope},\nTextureNum  {count},\n");
            }
        }
        self.close();
        self.put("\nTEXTURE_END\n");
        Ok(Top {
            title: "TEXLIST",
            name,
            note: format!(" n({count})"),
            default: "DEFAULT_TEXLIST_NAME",
        })
    }

    fn texture_names(&mut self, list: &Texlist, scope: &str) -> Result<(), Error> {
        self.open("TEXTURENAME", &format!("textures_{scope}[]"));
        for texture in &list.names {
            if texture.name.contains(&0) {
                return Err(Error::parameter("texture name", "a NUL", "none"));
            }
            let name = if texture.name.is_empty() {
                "NULL".to_owned()
            } else {
                string(&texture.name)
            };
            let (attr, address) = (texture.attr, texture.texaddr);
            let palette = attr & !(1 << 16) == 0 && address << 6 == 0;
            let _ = match (attr, address) {
                (0, 0) => writeln!(self.out, " TEXN( {name} ),"),
                _ if palette => writeln!(self.out, " PTEXN( {name}, {}, {} ),", attr >> 16, address >> 26),
                _ => writeln!(self.out, " TEXN3( {name}, {attr:#x}, {address:#x} ),"),
            };
        }
        self.close();
        Ok(())
    }
}

/// Joins the names of flags with `|`, from pairs of (bits, name). The remaining bits follow in hexadecimal.
fn flags(value: u32, names: &[(u32, &str)]) -> String {
    let mut left = value;
    let mut list = Vec::new();
    for (bits, name) in names {
        if *bits != 0 && left & bits == *bits {
            list.push(*name);
            left &= !bits;
        }
    }
    flag_list(&list, left)
}
