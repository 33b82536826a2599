//! Reader and writer for polygon lists.

use super::kind::{Form, StripKind, VolumeKind, form};
use super::state::{Blend, Bump, Exponent, Material, MipmapAdjust, Tiny};
use super::strip::{self, StripChunk, StripFlags};
use super::volume::VolumeChunk;
use super::{Plist, PolyChunk, ReservedChunk};
use crate::bytes::{Body, Out};
use crate::error::{Error, WarningKind, Warnings, counted};
use crate::layout::END;

/// Returns the size in bytes of the chunk at `at`, including head and size word; `None` at the end word.
fn chunk_bytes(body: &Body<'_>, at: u32) -> Result<Option<(u16, u32)>, Error> {
    let head = body.u16(at, "polygon chunk head")?;
    let bytes = match head as u8 {
        0..8 => 2,
        8..16 => 4,
        16..128 => 4 + 2 * u32::from(body.u16(at + 2, "polygon chunk size")?),
        255 => return Ok(None),
        id => {
            let expected = "0 to 127, or 255 for the end".into();
            return Err(body.fail(at, "polygon chunk id", id.to_string(), expected));
        }
    };
    Ok(Some((head, bytes)))
}

/// Finds the end of the list at `start`. Returns the number of chunks, and the list's size in bytes including
/// the end word.
pub(crate) fn measure(body: &Body<'_>, start: u32) -> Result<(usize, u32), Error> {
    body.aligned(start, 2, "plist pointer")?;
    let (mut chunks, mut at) = (0, start);
    while let Some((_, bytes)) = chunk_bytes(body, at)? {
        body.slice(at, bytes as usize, "polygon chunk")?;
        at += bytes;
        chunks += 1;
    }
    Ok((chunks, at + 2 - start))
}

/// Reads the list of `chunks` chunks at `start`; also returns its end word.
pub(crate) fn read(
    body: &Body<'_>,
    start: u32,
    chunks: usize,
    warnings: &mut Warnings,
) -> Result<(Plist, u32), Error> {
    if !start.is_multiple_of(4) {
        warnings.push(body.warning(start, WarningKind::PlistAlignment(start)));
    }
    let mut list = Plist {
        chunks: Vec::with_capacity(chunks),
    };
    let mut at = start;
    while let Some((head, bytes)) = chunk_bytes(body, at)? {
        list.chunks.push(
            Chunk {
                body,
                at,
                head,
                bytes,
            }
            .read(warnings)?,
        );
        at += bytes;
    }
    let end = u32::from(body.u16(at, "plist end")?);
    if end != END {
        warnings.push(body.warning(at, WarningKind::OddEnd(end)));
    }
    Ok((list, end))
}

/// A chunk in the file.
struct Chunk<'a> {
    body: &'a Body<'a>,
    at: u32,
    head: u16,
    /// Size in bytes, including the head.
    bytes: u32,
}

impl Chunk<'_> {
    fn headbits(&self) -> u8 {
        (self.head >> 8) as u8
    }

    /// Number of words after the size word.
    fn sized_words(&self) -> usize {
        (self.bytes as usize - 4) / 2
    }

    fn read(&self, warnings: &mut Warnings) -> Result<PolyChunk, Error> {
        let bits = self.headbits();
        Ok(match form(self.head) {
            Form::Null if bits == 0 => PolyChunk::Null,
            Form::Blend => PolyChunk::Blend(Blend::from_headbits(bits)),
            Form::MipmapAdjust => PolyChunk::MipmapAdjust(MipmapAdjust(bits)),
            Form::Exponent => PolyChunk::Exponent(Exponent(bits)),
            Form::CachePolygons => PolyChunk::CachePolygons(bits),
            Form::DrawPolygons => PolyChunk::DrawPolygons(bits),
            Form::Tiny(second) => {
                let word = self.body.u16(self.at + 2, "texture word")?;
                PolyChunk::Texture(Tiny::from_words(second, self.head, word))
            }
            Form::Material(colors, second) => self.material(colors, second, warnings)?,
            Form::Bump => self.bump(warnings)?,
            Form::Volume(kind) => PolyChunk::Volume(self.volume(kind, warnings)?),
            Form::Strip(kind) => PolyChunk::Strip(self.strip(kind, warnings)?),
            Form::Null | Form::Reserved | Form::Unknown | Form::End => {
                let kind = WarningKind::ReservedChunk {
                    id: self.head as u8,
                    head: self.head,
                };
                warnings.push(self.body.warning(self.at, kind));
                self.reserved()?
            }
        })
    }

    fn reserved(&self) -> Result<PolyChunk, Error> {
        let heads = if self.head as u8 >= 16 { 4 } else { 2 };
        let n = (self.bytes - heads) as usize / 2;
        let words = self.body.words16(self.at + heads, n, "polygon chunk")?;
        Ok(PolyChunk::Reserved(ReservedChunk {
            head: self.head,
            words,
        }))
    }

    /// Returns `Ok(None)` if the chunk is longer than its id allows; such a chunk is kept without decoding.
    fn fixed_words(&self, expected: usize, warnings: &mut Warnings) -> Result<Option<Vec<u16>>, Error> {
        let (id, found) = (self.head as u8, self.sized_words());
        if found < expected {
            let (found, expected) = (
                format!("{} for id {id}", counted(found, "word")),
                counted(expected, "word"),
            );
            return Err(self.body.fail(self.at + 2, "polygon chunk size", found, expected));
        }
        if found > expected {
            warnings.push(
                self.body
                    .warning(self.at, WarningKind::ChunkSize { id, found, expected }),
            );
            return Ok(None);
        }
        self.body
            .words16(self.at + 4, expected, "polygon chunk")
            .map(Some)
    }

    fn material(&self, colors: u8, second: bool, warnings: &mut Warnings) -> Result<PolyChunk, Error> {
        let expected = 2 * colors.count_ones() as usize;
        match self.fixed_words(expected, warnings)? {
            Some(words) => Ok(PolyChunk::Material(Material::from_words(
                second,
                colors,
                self.headbits(),
                &words,
            ))),
            None => self.reserved(),
        }
    }

    fn bump(&self, warnings: &mut Warnings) -> Result<PolyChunk, Error> {
        let words = self.fixed_words(Bump::WORDS, warnings)?;
        let Some([dx, dy, dz, ux, uy, uz]) = words.as_deref() else {
            return self.reserved();
        };
        let (direction, up) = (
            [*dx, *dy, *dz].map(|w| w as i16),
            [*ux, *uy, *uz].map(|w| w as i16),
        );
        Ok(PolyChunk::Bump(Bump {
            headbits: self.headbits(),
            direction,
            up,
        }))
    }

    /// Returns the two fields of the count word (user flag words and count) and the words after it.
    fn counted(&self) -> Result<(u8, u16, Vec<u16>), Error> {
        let Some(words) = self.sized_words().checked_sub(1) else {
            let expected = "1 or more words".into();
            return Err(self
                .body
                .fail(self.at + 2, "polygon chunk size", "0 words".into(), expected));
        };
        let count = self.body.u16(self.at + 4, "polygon chunk count")?;
        Ok((
            (count >> 14) as u8,
            count & 0x3FFF,
            self.body.words16(self.at + 6, words, "polygon chunk")?,
        ))
    }

    fn strip(&self, kind: StripKind, warnings: &mut Warnings) -> Result<StripChunk, Error> {
        let (user_words, count, words) = self.counted()?;
        let (entry, user) = (kind.entry_words(), usize::from(user_words));
        let strips = strip::find(&words, usize::from(count), entry, user)
            .map_err(|at| self.overrun(kind.name(), count, &words, at))?;
        self.check_tail(strip::tail_words(&words, &strips, entry, user), warnings);
        for strip in strips.iter().filter(|strip| strip.len < 3) {
            let at = self.at + 4 + 2 * strip.start as u32;
            warnings.push(self.body.warning(at, WarningKind::ShortStrip(strip.len)));
        }
        Ok(StripChunk {
            kind,
            flags: StripFlags(self.headbits()),
            user_words,
            words,
            strips,
        })
    }

    fn volume(&self, kind: VolumeKind, warnings: &mut Warnings) -> Result<VolumeChunk, Error> {
        let (user_words, count, words) = self.counted()?;
        let (headbits, strips) = (self.headbits(), Vec::new());
        let mut volume = VolumeChunk {
            kind,
            headbits,
            user_words,
            count,
            words,
            strips,
        };
        let tail = volume
            .complete()
            .map_err(|at| self.overrun("volume", count, &volume.words, at))?;
        self.check_tail(tail, warnings);
        Ok(volume)
    }

    #[cold]
    fn overrun(&self, name: &str, count: u16, words: &[u16], at: usize) -> Error {
        let length = words.get(at).map_or(0, |w| *w as i16);
        let found =
            format!("{count} of {name}, of which one of length {length} at word {at} exceeds the chunk");
        let at = self.at + 6 + 2 * at.min(words.len()) as u32;
        self.body.fail(
            at,
            "strips or polygons",
            found,
            format!("all of them in {} words", words.len()),
        )
    }

    /// Warns of surplus words. Real chunks end exactly or have one or two words more (docs/formats/ninja.md
    /// 1.7).
    fn check_tail(&self, words: usize, warnings: &mut Warnings) {
        if words > 2 {
            warnings.push(self.body.warning(self.at, WarningKind::StripTail(words)));
        }
    }
}

/// Size of the list in bytes, including its end word.
pub(crate) fn size(list: &Plist) -> usize {
    2 + 2 * list.chunks.iter().map(PolyChunk::file_words).sum::<usize>()
}

/// Writes the list and its end word.
pub(crate) fn write(list: &Plist, end: u32, out: &mut Out) -> Result<(), Error> {
    for chunk in &list.chunks {
        write_chunk(chunk, out)?;
    }
    out.u16(end as u16);
    Ok(())
}

fn write_chunk(chunk: &PolyChunk, out: &mut Out) -> Result<(), Error> {
    let head = |bits: u8| u16::from(bits) << 8 | u16::from(chunk.id());
    match chunk {
        PolyChunk::Null => out.u16(head(0)),
        PolyChunk::Blend(blend) => out.u16(head(blend.headbits())),
        PolyChunk::MipmapAdjust(adjust) => out.u16(head(adjust.0)),
        PolyChunk::Exponent(exponent) => out.u16(head(exponent.0)),
        PolyChunk::CachePolygons(n) | PolyChunk::DrawPolygons(n) => out.u16(head(*n)),
        PolyChunk::Texture(tiny) => out.words16(&checked(tiny)?.words()),
        PolyChunk::Material(material) => {
            if material.bits() == 0 {
                return Err(Error::parameter(
                    "material",
                    "no colour",
                    "diffuse, ambient or specular",
                ));
            }
            out.words16(&[head(material.blend.headbits()), material.data_words() as u16]);
            material.words().for_each(|word| out.u16(word));
        }
        PolyChunk::Bump(bump) => {
            out.words16(&[head(bump.headbits), Bump::WORDS as u16]);
            out.words16(&bump.direction.map(|c| c as u16));
            out.words16(&bump.up.map(|c| c as u16));
        }
        PolyChunk::Volume(volume) => {
            volume.check()?;
            let count = u16::from(volume.user_words) << 14 | volume.count;
            out.words16(&[head(volume.headbits), volume.words.len() as u16 + 1, count]);
            out.words16(&volume.words);
        }
        PolyChunk::Strip(strip) => {
            strip.check()?;
            let count = u16::from(strip.user_words) << 14 | strip.strips.len() as u16;
            out.words16(&[head(strip.flags.0), strip.size() as u16, count]);
            out.words16(&strip.words);
        }
        PolyChunk::Reserved(reserved) => write_reserved(reserved, out)?,
    }
    Ok(())
}

fn checked(tiny: &Tiny) -> Result<Tiny, Error> {
    if tiny.texture > Tiny::MAX_TEXTURE {
        return Err(Error::parameter("texture number", tiny.texture, "at most 8191"));
    }
    if tiny.mipmap_adjust > 15 {
        return Err(Error::parameter(
            "mipmap adjust",
            tiny.mipmap_adjust,
            "at most 15",
        ));
    }
    Ok(*tiny)
}

fn write_reserved(reserved: &ReservedChunk, out: &mut Out) -> Result<(), Error> {
    out.u16(reserved.head);
    let words = reserved.words.len();
    let fits = match reserved.head as u8 {
        0..8 => words == 0,
        8..16 => words == 1,
        16..128 => words <= usize::from(u16::MAX),
        _ => false,
    };
    if !fits {
        let found = format!("id {} with {words} words", reserved.head as u8);
        return Err(Error::parameter(
            "reserved chunk",
            found,
            "a length that its id allows",
        ));
    }
    if reserved.head as u8 >= 16 {
        out.u16(words as u16);
    }
    out.words16(&reserved.words);
    Ok(())
}
