//! Texture lists, `NJTL`: NJS_TEXLIST and NJS_TEXNAME (docs/formats/ninja.md 1.4).

use crate::limits::TEXLIST_SHARING as MAX_SHARING;
use std::borrow::Cow;

use crate::bytes::{Body, ByteOrder};
use crate::error::{Error, Warnings};
use crate::layout::{Layout, Part, Piece, PieceOut, Places, Recorder, StructureEntry, Structures, Written};
use crate::pof0::Pof0;

/// Texture names of a model; a [`Tiny`](crate::Tiny) chunk refers to them by number.
#[derive(Debug, Clone, Default)]
pub struct Texlist {
    /// NJS_TEXNAME entries, in order.
    pub names: Vec<TextureName>,
    /// Recorded positions of entries and names, and of null name pointers.
    layout: Option<Box<Layout>>,
}

impl PartialEq for Texlist {
    /// Compares the names and ignores the layout.
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

/// One texture name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextureName {
    /// Bytes before the NUL, in files without extension; often ASCII, otherwise Shift-JIS. Empty for a null
    /// pointer. A name must not contain NUL.
    pub name: Vec<u8>,
    /// Attributes: bit 16 texture of the entry before, bits 0-15 archive entry, 23 GLOBALINDEX, 24
    /// PALGLOBALINDEX, 28 frame buffer, 30 memory, 31 cache. 0 in every known file.
    pub attr: u32,
    /// Texture address: bits 26-31 are the palette bank; 0 in every known file.
    pub texaddr: u32,
}

impl TextureName {
    /// Creates a name with attributes 0.
    pub fn new(name: impl Into<Vec<u8>>) -> Self {
        TextureName {
            name: name.into(),
            attr: 0,
            texaddr: 0,
        }
    }

    /// Creates the name of a paletted texture: `PTEXN(name, same_as_previous, bank)` in ASCII files
    /// (docs/formats/cell-sprite.md 5.1). `bank` is 0 to 63; higher bits are dropped.
    pub fn with_bank(name: impl Into<Vec<u8>>, same_as_previous: bool, bank: u8) -> Self {
        let mut name = TextureName::new(name);
        name.set_same_as_previous(same_as_previous);
        name.set_bank(bank);
        name
    }

    const SAME_AS_PREVIOUS: u32 = 1 << 16;

    /// True if the entry uses the previous entry's texture with another palette bank; it is not loaded again
    /// (attr bit 16).
    pub fn same_as_previous(&self) -> bool {
        self.attr & Self::SAME_AS_PREVIOUS != 0
    }

    /// Sets attr bit 16.
    pub fn set_same_as_previous(&mut self, same: bool) {
        self.attr = self.attr & !Self::SAME_AS_PREVIOUS | u32::from(same) << 16;
    }

    /// Palette bank, 0 to 63 (texaddr bits 31 to 26).
    pub fn bank(&self) -> u8 {
        (self.texaddr >> 26) as u8
    }

    /// Sets the palette bank; only the lowest six bits of `bank` are used.
    pub fn set_bank(&mut self, bank: u8) {
        self.texaddr = self.texaddr & 0x03FF_FFFF | u32::from(bank) << 26;
    }

    /// Returns the name as text; invalid UTF-8 is replaced.
    pub fn name_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

const HEAD_BYTES: usize = 8;
const ENTRY_BYTES: usize = 12;

impl Texlist {
    /// Creates a list. It is written as head, entries, then names in sequence.
    pub fn new(names: Vec<TextureName>) -> Self {
        Texlist { names, layout: None }
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
    }

    pub(crate) fn recorded(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }

    pub(crate) fn read(body: Body<'_>, pof0: Option<Pof0>, warnings: &mut Warnings) -> Result<Self, Error> {
        let textures = body.u32(0, "NJS_TEXLIST.textures")?;
        let count = body.u32(4, "NJS_TEXLIST.nbTexture")?;
        let entry_bytes = (count as usize).saturating_mul(ENTRY_BYTES);
        if textures != 0 || count > 0 {
            body.aligned(textures, 4, "NJS_TEXLIST.textures")?;
            body.slice(textures, entry_bytes, "NJS_TEXLIST.textures")?;
        }
        if textures == 0 && count > 0 {
            return Err(body.fail(
                0,
                "NJS_TEXLIST.textures",
                "NULL".into(),
                format!("{count} entries"),
            ));
        }
        let mut list = Texlist::new(Vec::with_capacity(count as usize));
        let mut rec = Recorder::new(body, MAX_SHARING);
        rec.piece(Part::TexHead, 0, 0, HEAD_BYTES);
        if textures != 0 {
            rec.pointer(0, textures);
            rec.piece(Part::TexEntries, 0, textures, entry_bytes);
        }
        for i in 0..count {
            let at = textures + i * ENTRY_BYTES as u32;
            let [filename, attr, texaddr] = body.block(at, "NJS_TEXNAME")?;
            let mut name = Vec::new();
            if filename != 0 {
                name = read_name(&mut rec, at, filename)?;
                rec.pointer(at, filename);
                rec.piece(Part::TexName, i as usize, filename, name.len() + 1);
            }
            list.names.push(TextureName { name, attr, texaddr });
        }
        list.layout = Some(Box::new(rec.finish(pof0, warnings)));
        Ok(list)
    }

    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        self.write_body(order)
    }

    fn check(&self) -> Result<(), Error> {
        match self.names.iter().position(|n| n.name.contains(&0)) {
            Some(i) => Err(Error::parameter(
                "texture name",
                format!("a NUL in name {i}"),
                "no NUL",
            )),
            None => Ok(()),
        }
    }
}

/// Order: head, entries, and the names in sequence without padding.
impl Structures for Texlist {
    fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    fn structures(&self) -> Vec<StructureEntry> {
        let named = (0..).zip(&self.names).filter(|(_, name)| !name.name.is_empty());
        let entries = self.names.len() * ENTRY_BYTES;
        [(Part::TexHead, 0, HEAD_BYTES, 4)]
            .into_iter()
            .chain((entries > 0).then_some((Part::TexEntries, 0, entries, 4)))
            .chain(named.map(|(i, name)| (Part::TexName, i, name.name.len() + 1, 1)))
            .collect()
    }

    fn put(&self, piece: &Piece, places: &Places, out: &mut PieceOut<'_>) -> Result<(), Error> {
        match piece.part {
            Part::TexEntries => {
                for (i, name) in (0..).zip(&self.names) {
                    out.pointer(places.of(Part::TexName, i));
                    out.words32(&[name.attr, name.texaddr]);
                }
            }
            Part::TexName => {
                let name = self.names.get(piece.index as usize);
                out.out.bytes.extend(name.map_or(&[][..], |n| &n.name));
                out.out.bytes.push(0);
            }
            _ => {
                out.pointer(places.of(Part::TexEntries, 0));
                out.u32(self.names.len() as u32);
            }
        }
        Ok(())
    }
}

fn read_name(rec: &mut Recorder<'_>, at: u32, filename: u32) -> Result<Vec<u8>, Error> {
    let body = rec.body;
    let tail = body.tail(filename, "NJS_TEXNAME.filename")?;
    let Some(len) = tail.iter().position(|b| *b == 0) else {
        let found = format!("no NUL from {filename:#x} to the end of the body");
        return Err(body.fail(at, "NJS_TEXNAME.filename", found, "a NUL-terminated name".into()));
    };
    rec.claim(&body, at, len + 1)?;
    Ok(tail[..len].to_vec())
}
