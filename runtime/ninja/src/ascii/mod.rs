//! The ASCII forms: `.nja`, `.nad`, `.nam`, `.nas`, `.nat`, `.spa` and `.csa`.
//!
//! These texts are C initialisers made of macros, written for a compiler (docs/formats, docs/formats/ninja.md
//! 3). The reader does the work of compiler and linker: it computes the numbers of each definition, turns
//! names into offsets, and builds one body for each top structure. The binary reader then reads these bodies
//! into the same types as for a binary file. [`read`] accepts the official form of Ninja1 and Ninja2, and
//! variants from other tools and authors. It warns where a compiler would interpret a text differently.
//! [`write()`] writes the corrected Ninja2 form, and [`c_header`] the header that makes it C.
//!
//! ```
//! let text = b"CNKOBJECT object_box[] START EvalFlags(FEV_UT|FEV_UR|FEV_US), CNKModel NULL,
//!     OPosition(0.0F, 0.0F, 0.0F), OAngle(0.0F, 90.0F, 0.0F), OScale(1.0F, 1.0F, 1.0F),
//!     Child NULL, Sibling NULL, END";
//! let read = ninja::ascii::read(text)?;
//! let tree = read.file.models().next().expect("a model");
//! assert_eq!(tree.objects[0].ang[1].0, 0x4000);
//! # Ok::<(), ninja::ascii::TextError>(())
//! ```

mod compile;
mod corrections;
mod error;
mod header;
mod lex;
mod link;
mod table;
mod write;

pub use error::{TextError, TextPlace, TextWarning, TextWarningKind};
pub use header::c_header;
pub use write::{WriteOptions, write};

use crate::File;
use crate::chunk_id::ChunkId;
use crate::pof0::Pof0;
use compile::Unit;
use error::{Fail, Failable, Lines};
use link::Linked;

/// The library that a text was written for. Some macros of the two libraries share a name and differ in value
/// (docs/formats/ninja.md 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Key angles: 65535 to the turn. Cell angles: binary angles. Sprite colours: 0 to 255.
    Ninja1,
    /// Angles: degrees. Sprite colours: 0 to 1.
    #[default]
    Ninja2,
}

/// Options for reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// `None` detects the dialect: Ninja1 if the header comment has a version below 2 and does not contain
    /// `Ninja2Ascii`, otherwise Ninja2 (docs/formats/ninja.md 3.3, confidence medium).
    pub dialect: Option<Dialect>,
}

/// A text after reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Contents of the text; little-endian, without warnings in the file itself.
    pub file: File,
    /// Dialect used for reading.
    pub dialect: Dialect,
    /// Warnings in text order.
    pub warnings: Vec<TextWarning>,
}

/// Reads a text with the default [`Settings`].
///
/// # Errors
/// Fails if the text uses macros of other formats, refers to undefined names, or defines a structure that no
/// file can represent. For basic models, cameras, lights and plain C, the error names the unsupported format.
pub fn read(text: &[u8]) -> Result<Text, TextError> {
    read_with(text, &Settings::default())
}

/// Reads a text.
///
/// # Errors
/// Fails under the conditions of [`read`].
pub fn read_with(text: &[u8], settings: &Settings) -> Result<Text, TextError> {
    let dialect = settings.dialect.unwrap_or_else(|| detect(text));
    let located = |fail: Box<Fail>| TextError {
        place: Lines::new(text).place(fail.at),
        what: fail.what,
        found: fail.found,
        expected: fail.expected,
    };
    let (unit, file) = assemble(text, dialect).map_err(located)?;
    let warnings = match unit.warnings.is_empty() {
        true => Vec::new(),
        false => unit.warnings.finish(&Lines::new(text)),
    };
    Ok(Text {
        file,
        dialect,
        warnings,
    })
}

/// True if bytes look like ASCII Ninja data instead of a binary file. In such a file the first 512 bytes
/// contain no control characters except blanks.
pub fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.get(..512).unwrap_or(bytes);
    !start.is_empty()
        && start
            .iter()
            .all(|b| *b >= 0x20 || matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1A))
}

fn assemble(text: &[u8], dialect: Dialect) -> Failable<(Unit<'_>, File)> {
    if text.len() > i32::MAX as usize {
        return error::fail(0, "text", format!("{} bytes", text.len()), "less than 2 GiB");
    }
    let mut unit = compile::compile(text, dialect)?;
    let resolved = link::resolve(&mut unit)?;
    corrections::correct(&mut unit, &resolved);
    let chunks = link::link(&mut unit, &resolved)?;
    default_names(&mut unit);
    if chunks.is_empty() {
        return error::fail(
            0,
            "text",
            "no definition that a file can store",
            "an object, a motion, a list",
        );
    }
    let file = read_back(&mut unit, &chunks)?;
    Ok((unit, file))
}

/// Warns of undefined default names.
fn default_names(unit: &mut Unit<'_>) {
    for [name, value] in std::mem::take(&mut unit.defines) {
        let is_default = unit.slice(name).starts_with(b"DEFAULT_");
        let known = unit
            .symbols
            .iter()
            .any(|s| unit.slice(s.name) == unit.slice(value));
        if is_default && !known {
            let kind = TextWarningKind::DefaultName(unit.string(value));
            unit.warnings.push(value.0, kind);
        }
    }
}

/// Reads the chunks with the binary reader and maps its errors and warnings back to positions in the text.
fn read_back(unit: &mut Unit<'_>, chunks: &[Linked]) -> Failable<File> {
    let (mut bytes, mut bases) = (Vec::new(), Vec::with_capacity(chunks.len()));
    for chunk in chunks {
        bases.push(bytes.len() + 8);
        put(&mut bytes, chunk.id, &chunk.body);
        if let Some(pof0) = Pof0::from_offsets(&chunk.pointers) {
            put(&mut bytes, ChunkId::POF0, pof0.bytes());
        }
    }
    let text_of = |unit: &Unit<'_>, offset: Option<usize>| {
        let offset = offset.unwrap_or(0);
        let i = bases.partition_point(|base| *base <= offset).saturating_sub(1);
        let (Some(chunk), Some(base)) = (chunks.get(i), bases.get(i)) else {
            return 0;
        };
        let within = offset.saturating_sub(*base);
        let piece = chunk
            .pieces
            .partition_point(|(at, _)| *at as usize <= within)
            .saturating_sub(1);
        let (at, data) = chunk.pieces.get(piece).copied().unwrap_or((0, 0));
        unit.text_of(data + within.saturating_sub(at as usize))
    };
    match crate::read(&bytes) {
        Ok(mut file) => {
            for warning in std::mem::take(&mut file.warnings) {
                let at = text_of(unit, warning.place.offset);
                unit.warnings.push(at, TextWarningKind::Reader(warning.kind));
            }
            Ok(file)
        }
        Err(e) => error::fail(text_of(unit, e.place.offset), e.what, e.found, e.expected),
    }
}

fn put(out: &mut Vec<u8>, id: ChunkId, body: &[u8]) {
    out.extend_from_slice(&id.0);
    out.extend_from_slice(&(body.len() as u32).to_le_bytes());
    out.extend_from_slice(body);
}

/// Detects the dialect from the header comment, such as `/* NAM 0.98alpha1 NinjaAsciiMotion */`.
fn detect(text: &[u8]) -> Dialect {
    let start = text.get(..text.len().min(4096)).unwrap_or_default();
    let at = |word: &[u8]| start.windows(word.len()).position(|w| w == word);
    let version = at(b"NinjaAscii").and_then(|end| {
        let before = start.get(..end)?.trim_ascii_end();
        let word = before.rsplit(|b| b.is_ascii_whitespace()).next()?;
        word.first()
            .filter(|b| b.is_ascii_digit())
            .map(|b| (*b, word.get(1)))
    });
    match version {
        Some((b'0' | b'1', None | Some(b'.'))) if at(b"Ninja2Ascii").is_none() => Dialect::Ninja1,
        _ => Dialect::Ninja2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_comment_decides_the_dialect() {
        use Dialect::{Ninja1, Ninja2};
        let cases: [(&[u8], Dialect); 5] = [
            (b"/* NAM 0.98alpha1 NinjaAsciiMotion */", Ninja1),
            (b"/* NAM 2.00.00 NinjaAsciiMotion (SI) */", Ninja2),
            (b"/* SPA 1.00 Ninja2AsciiCellSprite */", Ninja2),
            (b"/* NAM 12.0 NinjaAsciiMotion */", Ninja2),
            (b"CNKOBJECT_START", Ninja2),
        ];
        for (text, dialect) in cases {
            assert_eq!(detect(text), dialect, "{}", String::from_utf8_lossy(text));
        }
    }
}
