//! Texture lists, `NJTL`: NJS_TEXLIST and NJS_TEXNAME (facts 1.4).

use std::borrow::Cow;

use crate::bytes::{Body, ByteOrder, Out};
use crate::error::{Error, Warnings};
use crate::layout::{END, Emitted, Layout, Part, Piece, Written};
use crate::pof0::Pof0;

/// The names of a model's textures; a [`Tiny`](crate::Tiny) chunk refers to them by number.
#[derive(Debug, Clone, Default)]
pub struct Texlist {
    /// NJS_TEXNAME entries, in order.
    pub names: Vec<TextureName>,
    /// Where entries and names lay, and which name pointers were null.
    layout: Option<Box<Layout>>,
}

impl PartialEq for Texlist {
    /// Compares the names; where they lay in a file does not count.
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

/// One texture name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextureName {
    /// The bytes before the NUL, in files without extension; often ASCII, Shift-JIS otherwise. Empty for a
    /// null pointer. Must hold no NUL.
    pub name: Vec<u8>,
    /// Attributes: bit 16 same texture as the entry before, bits 0-15 archive entry, 23 GLOBALINDEX,
    /// 24 PALGLOBALINDEX, 28 frame buffer, 30 memory, 31 cache. 0 in every file seen.
    pub attr: u32,
    /// Bits 26-31 are the palette bank; 0 in every file seen.
    pub texaddr: u32,
}

impl TextureName {
    /// A name with attributes 0.
    pub fn new(name: impl Into<Vec<u8>>) -> Self {
        TextureName {
            name: name.into(),
            attr: 0,
            texaddr: 0,
        }
    }

    /// A paletted texture's name: `PTEXN(name, same_as_previous, bank)` in ASCII files (seed 003 section 5.1).
    /// `bank` is 0 to 63; higher bits are dropped.
    pub fn with_bank(name: impl Into<Vec<u8>>, same_as_previous: bool, bank: u8) -> Self {
        let mut name = TextureName::new(name);
        name.set_same_as_previous(same_as_previous);
        name.set_bank(bank);
        name
    }

    const SAME_AS_PREVIOUS: u32 = 1 << 16;

    /// Whether the entry is the texture of the one before it with another palette bank, not to be loaded
    /// again (attr bit 16).
    pub fn same_as_previous(&self) -> bool {
        self.attr & Self::SAME_AS_PREVIOUS != 0
    }

    /// Sets attr bit 16.
    pub fn set_same_as_previous(&mut self, same: bool) {
        self.attr = self.attr & !Self::SAME_AS_PREVIOUS | u32::from(same) << 16;
    }

    /// The palette bank, 0 to 63 (texaddr bits 31 to 26).
    pub fn bank(&self) -> u8 {
        (self.texaddr >> 26) as u8
    }

    /// Sets the palette bank; bits of `bank` above the lowest six are dropped.
    pub fn set_bank(&mut self, bank: u8) {
        self.texaddr = self.texaddr & 0x03FF_FFFF | u32::from(bank) << 26;
    }

    /// The name as text, with replacement characters for what is not UTF-8.
    pub fn name_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

const HEAD_BYTES: u32 = 8;
const ENTRY_BYTES: u32 = 12;
/// Names may share their bytes. Together they may be this many times as long as the body, so that a small
/// file cannot fill the memory by pointing at one long name over and over.
const MOST_SHARING: usize = 16;

impl Texlist {
    /// A list made in code. It is written head first, then the entries, then the names one after the other.
    pub fn new(names: Vec<TextureName>) -> Self {
        Texlist { names, layout: None }
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
    }

    /// The pointer list that followed the chunk.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.layout.as_ref().and_then(|l| l.pof0())
    }

    pub(crate) fn read(body: Body<'_>, pof0: Option<Pof0>, warnings: &mut Warnings) -> Result<Self, Error> {
        let textures = body.u32(0, "NJS_TEXLIST.textures")?;
        let count = body.u32(4, "NJS_TEXLIST.nbTexture")?;
        let entry_bytes = (count as usize).saturating_mul(ENTRY_BYTES as usize);
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
        let mut list = Texlist {
            names: Vec::with_capacity(count as usize),
            layout: None,
        };
        let mut pieces = vec![Piece {
            offset: 0,
            size: HEAD_BYTES,
            end: END,
            part: Part::TexHead,
        }];
        let mut pointers = Vec::new();
        if textures != 0 {
            pointers.push(0);
            pieces.push(Piece {
                offset: textures,
                size: entry_bytes as u32,
                end: END,
                part: Part::TexEntries,
            });
        }
        let mut left = body.len().saturating_mul(MOST_SHARING);
        for i in 0..count {
            let at = textures + i * ENTRY_BYTES;
            let [filename, attr, texaddr] = body.block(at, "NJS_TEXNAME")?;
            let mut name = Vec::new();
            if filename != 0 {
                name = read_name(&body, at, filename, &mut left)?;
                pointers.push(at);
                let size = name.len() as u32 + 1;
                pieces.push(Piece {
                    offset: filename,
                    size,
                    end: END,
                    part: Part::TexName(i),
                });
            }
            list.names.push(TextureName { name, attr, texaddr });
        }
        list.layout = Some(Box::new(Layout::record(&body, pieces, pointers, pof0, warnings)));
        Ok(list)
    }

    pub(crate) fn write(&self, order: ByteOrder) -> Result<Written, Error> {
        self.check()?;
        if let Some(layout) = self.layout.as_ref().filter(|l| l.order() == order)
            && let Some((body, pointers)) = self.emit(layout)?
        {
            let pof0 = layout.pof0_for(&pointers);
            return Ok((body, pof0));
        }
        let names = self.names.iter().enumerate().filter(|(_, n)| !n.name.is_empty());
        let parts = [(Part::TexHead, HEAD_BYTES as usize, true)]
            .into_iter()
            .chain((!self.names.is_empty()).then_some((
                Part::TexEntries,
                self.names.len() * ENTRY_BYTES as usize,
                true,
            )))
            .chain(names.map(|(i, n)| (Part::TexName(i as u32), n.name.len() + 1, false)));
        let layout = Layout::canonical(order, parts)?;
        let (body, pointers) = self
            .emit(&layout)?
            .ok_or_else(|| Error::parameter("texture list", "sizes that changed", "a stable list"))?;
        Ok((body, Pof0::from_offsets(&pointers)))
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

    fn emit(&self, layout: &Layout) -> Result<Emitted, Error> {
        let (mut entries, mut names) = (0, vec![0; self.names.len()]);
        for piece in &layout.pieces {
            match piece.part {
                Part::TexEntries => entries = piece.offset,
                Part::TexName(i) => match names.get_mut(i as usize) {
                    Some(name) => *name = piece.offset,
                    None => return Ok(None),
                },
                _ => {}
            }
        }
        // A name given to an entry that had a null pointer has no place in a recorded layout.
        if self
            .names
            .iter()
            .zip(&names)
            .any(|(name, at)| *at == 0 && !name.name.is_empty())
        {
            return Ok(None);
        }
        layout.emit(|piece, out, pointers| {
            self.put(piece, entries, &names, out, pointers);
            Ok(())
        })
    }

    fn put(&self, piece: &Piece, entries: u32, names: &[u32], out: &mut Out, pointers: &mut Vec<u32>) {
        match piece.part {
            Part::TexEntries => {
                for (i, (name, at)) in self.names.iter().zip(names).enumerate() {
                    if *at != 0 {
                        pointers.push(piece.offset + i as u32 * ENTRY_BYTES);
                    }
                    out.words32(&[*at, name.attr, name.texaddr]);
                }
            }
            Part::TexName(i) => {
                out.bytes
                    .extend(self.names.get(i as usize).map_or(&[][..], |n| &n.name));
                out.bytes.push(0);
            }
            _ => {
                if entries != 0 {
                    pointers.push(piece.offset);
                }
                out.words32(&[entries, self.names.len() as u32]);
            }
        }
    }
}

fn read_name(body: &Body<'_>, at: u32, filename: u32, left: &mut usize) -> Result<Vec<u8>, Error> {
    let tail = body.tail(filename, "NJS_TEXNAME.filename")?;
    let Some(len) = tail.iter().position(|b| *b == 0) else {
        let found = format!("no NUL from {filename:#x} to the end of the body");
        return Err(body.fail(at, "NJS_TEXNAME.filename", found, "a NUL-terminated name".into()));
    };
    *left = left.checked_sub(len + 1).ok_or_else(|| {
        let expected = format!("at most {MOST_SHARING} times the body");
        Error::limit(
            body.place(at),
            "texture names",
            "names that share too many bytes".into(),
            expected,
        )
    })?;
    Ok(tail[..len].to_vec())
}
