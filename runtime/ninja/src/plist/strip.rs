//! Triangle strips (docs/formats/ninja.md 1.7).

use super::kind::{StripKind, UvScale};
use crate::color::Argb;
use crate::error::Error;

/// Flags of a strip chunk: the high byte of the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct StripFlags(pub u8);

impl StripFlags {
    /// IL: ignore light.
    pub const IGNORE_LIGHT: StripFlags = StripFlags(0x01);
    /// IS: ignore specular.
    pub const IGNORE_SPECULAR: StripFlags = StripFlags(0x02);
    /// IA: ignore ambient.
    pub const IGNORE_AMBIENT: StripFlags = StripFlags(0x04);
    /// UA: use alpha; the strips go to the translucent list.
    pub const USE_ALPHA: StripFlags = StripFlags(0x08);
    /// DB: double sided.
    pub const DOUBLE_SIDE: StripFlags = StripFlags(0x10);
    /// FL: flat shading.
    pub const FLAT: StripFlags = StripFlags(0x20);
    /// ENV: environment mapping; the normals give the texture coordinates.
    pub const ENVIRONMENT: StripFlags = StripFlags(0x40);
    /// A bit without a name in Ninja1; sources disagree on its later meaning ("no alpha test" in one,
    /// confidence low).
    pub const BIT_7: StripFlags = StripFlags(0x80);

    /// True if all bits of `other` are set.
    pub const fn contains(self, other: StripFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for StripFlags {
    type Output = StripFlags;

    fn bitor(self, other: StripFlags) -> StripFlags {
        StripFlags(self.0 | other.0)
    }
}

/// A chunk of strips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripChunk {
    /// Contents of each entry.
    pub kind: StripKind,
    /// Drawing flags of the strips.
    pub flags: StripFlags,
    /// Number of user flag words after each entry from a strip's third on, 0..=3; the runtime skips them.
    pub user_words: u8,
    /// All words after the count word, as in the file: lengths, entries, user flags, and the words after the
    /// last strip. Those are mostly padding and not always zero.
    pub words: Vec<u16>,
    /// Positions of the strips in `words`.
    pub strips: Vec<Strip>,
}

/// A strip within [`StripChunk::words`]. The word before `start` is its length, negative if reversed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strip {
    /// True if the first triangle is (1, 0, 2) instead of (0, 1, 2). The order (0, 1, 2) is counter-clockwise
    /// from outside in right-handed coordinates.
    pub reversed: bool,
    /// Index of the first entry's first word.
    pub start: usize,
    /// Number of entries; there are two triangles fewer.
    pub len: u16,
}

impl Strip {
    /// Number of triangles, including degenerate ones.
    pub fn triangles(&self) -> usize {
        usize::from(self.len).saturating_sub(2)
    }

    /// Number of words in a strip's entries, with `entry_words` each and `user_words` from the third on.
    fn data_words(len: usize, entry_words: usize, user_words: usize) -> usize {
        len * entry_words + len.saturating_sub(2) * user_words
    }

    /// Index of the first word of entry `i`.
    fn entry_start(&self, i: usize, entry_words: usize, user_words: usize) -> usize {
        self.start + Self::data_words(i, entry_words, user_words)
    }
}

/// Finds `count` strips in `words`. If the words end too early, the error is the index of the first
/// incomplete strip's length word, or the number of words.
pub(super) fn find(
    words: &[u16],
    count: usize,
    entry_words: usize,
    user_words: usize,
) -> Result<Vec<Strip>, usize> {
    // Each strip takes at least one word. Reject a larger count before allocating memory.
    if count > words.len() {
        return Err(words.len());
    }
    let mut strips = Vec::with_capacity(count);
    let mut at = 0;
    for _ in 0..count {
        let length = *words.get(at).ok_or(at)? as i16;
        let strip = Strip {
            reversed: length < 0,
            start: at + 1,
            len: length.unsigned_abs(),
        };
        let next = at + 1 + Strip::data_words(usize::from(strip.len), entry_words, user_words);
        if next > words.len() {
            return Err(at);
        }
        strips.push(strip);
        at = next;
    }
    Ok(strips)
}

/// Number of words after the last strip.
pub(super) fn tail_words(words: &[u16], strips: &[Strip], entry_words: usize, user_words: usize) -> usize {
    let end = strips
        .last()
        .map_or(0, |s| s.entry_start(usize::from(s.len), entry_words, user_words));
    words.len().saturating_sub(end)
}

/// One entry of a strip; fields that the kind lacks are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StripEntry {
    /// Slot of the vertex buffer.
    pub index: u16,
    /// Texture coordinates, to be multiplied by [`UvScale::factor`].
    pub uv: [i16; 2],
    /// Texture coordinates of the second parameter.
    pub uv2: [i16; 2],
    /// Normal, each component over 32767.
    pub normal: [i16; 3],
    /// Colour. The low half comes first in real files; docs/formats/chunk-model.md draws the other order (see
    /// [`Argb::halves_swapped`]).
    pub color: Argb,
    /// User flags; the file contains the first `user_words`, from the third entry on.
    pub user: [u16; 3],
}

impl StripEntry {
    /// Returns texture coordinates in which 1.0 is the texture's width.
    pub fn uv_f32(&self, scale: UvScale) -> [f32; 2] {
        self.uv.map(|c| f32::from(c) * scale.factor())
    }

    /// Returns the normal with each component clamped to -1..=1.
    pub fn normal_f32(&self) -> [f32; 3] {
        self.normal.map(|c| (f32::from(c) / 32767.0).max(-1.0))
    }

    /// Appends the entry's words without user flags, in file order.
    fn push(&self, kind: StripKind, words: &mut Vec<u16>) {
        words.push(self.index);
        for uv in [self.uv, self.uv2].iter().take(kind.uv_pairs()) {
            words.extend(uv.map(|c| c as u16));
        }
        if kind.has_normal() {
            words.extend(self.normal.map(|c| c as u16));
        }
        if kind.has_color() {
            words.extend(self.color.halves());
        }
    }
}

/// A strip to build.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StripSource {
    /// See [`Strip::reversed`].
    pub reversed: bool,
    /// Entries, at most 32,767.
    pub entries: Vec<StripEntry>,
}

/// Access to entries. `strip` must belong to the chunk; otherwise these functions panic, like slice indexing.
impl StripChunk {
    /// Number of 16-bit words per entry, without user flags.
    pub fn entry_words(&self) -> usize {
        self.kind.entry_words()
    }

    fn entry_at(&self, strip: &Strip, i: usize) -> usize {
        strip.entry_start(i, self.entry_words(), usize::from(self.user_words))
    }

    /// Iterates over the vertex buffer slots of a strip.
    pub fn indices<'a>(&'a self, strip: &Strip) -> impl ExactSizeIterator<Item = u16> + 'a {
        let strip = *strip;
        (0..usize::from(strip.len)).map(move |i| self.words[self.entry_at(&strip, i)])
    }

    /// Iterates over the entries of a strip.
    pub fn entries<'a>(&'a self, strip: &Strip) -> impl ExactSizeIterator<Item = StripEntry> + 'a {
        let strip = *strip;
        (0..usize::from(strip.len)).map(move |i| self.entry(&strip, i))
    }

    /// Returns entry `i` of a strip.
    pub fn entry(&self, strip: &Strip, i: usize) -> StripEntry {
        let at = self.entry_at(strip, i);
        let words = &self.words[at..];
        let mut entry = StripEntry {
            index: words[0],
            ..StripEntry::default()
        };
        let mut next = 1;
        let mut take = || {
            next += 1;
            words[next - 1]
        };
        for uv in [&mut entry.uv, &mut entry.uv2]
            .into_iter()
            .take(self.kind.uv_pairs())
        {
            *uv = [take() as i16, take() as i16];
        }
        if self.kind.has_normal() {
            entry.normal = [take() as i16, take() as i16, take() as i16];
        }
        if self.kind.has_color() {
            entry.color = Argb::from_halves([take(), take()]);
        }
        if i >= 2 {
            entry
                .user
                .iter_mut()
                .take(usize::from(self.user_words))
                .for_each(|user| *user = take());
        }
        entry
    }

    /// Changes entry `i` of a strip in place, including the user flags that the chunk has.
    pub fn set_entry(&mut self, strip: &Strip, i: usize, entry: &StripEntry) {
        let at = self.entry_at(strip, i);
        let mut words = Vec::with_capacity(8);
        entry.push(self.kind, &mut words);
        if i >= 2 {
            words.extend(entry.user.iter().take(usize::from(self.user_words)));
        }
        self.words[at..at + words.len()].copy_from_slice(&words);
    }

    /// Words after the last strip.
    pub fn tail(&self) -> &[u16] {
        let n = tail_words(
            &self.words,
            &self.strips,
            self.entry_words(),
            usize::from(self.user_words),
        );
        &self.words[self.words.len() - n..]
    }

    /// Size word of the chunk in the file: the number of 16-bit words after it.
    pub fn size(&self) -> usize {
        1 + self.words.len()
    }

    /// Builds a chunk of the given strips. A zero word pads it to a multiple of 4 bytes.
    ///
    /// # Errors
    /// Fails if a strip has more than 32,767 entries, if there are more than 16,383 strips, or if the chunk
    /// exceeds the size field (65,535 words).
    pub fn build(kind: StripKind, flags: StripFlags, strips: &[StripSource]) -> Result<Self, Error> {
        StripChunk::build_with_user(kind, flags, 0, strips)
    }

    /// Builds a chunk with `user_words` (0..=3) user flags per entry from the third on.
    ///
    /// # Errors
    /// Fails under the conditions of [`StripChunk::build`], or if `user_words` is over 3.
    pub fn build_with_user(
        kind: StripKind,
        flags: StripFlags,
        user_words: u8,
        strips: &[StripSource],
    ) -> Result<Self, Error> {
        let mut chunk = StripChunk {
            kind,
            flags,
            user_words,
            words: Vec::new(),
            strips: Vec::new(),
        };
        for source in strips {
            let len = i16::try_from(source.entries.len()).map_err(|_| {
                Error::parameter("strip length", source.entries.len(), "at most 32767 entries")
            })?;
            chunk
                .words
                .push(if source.reversed { len.wrapping_neg() } else { len } as u16);
            chunk.strips.push(Strip {
                reversed: source.reversed && len > 0,
                start: chunk.words.len(),
                len: len as u16,
            });
            for (i, entry) in source.entries.iter().enumerate() {
                entry.push(kind, &mut chunk.words);
                if i >= 2 {
                    chunk
                        .words
                        .extend(entry.user.iter().take(usize::from(user_words)));
                }
            }
        }
        // Head, size and count are three words.
        if chunk.words.len().is_multiple_of(2) {
            chunk.words.push(0);
        }
        chunk.check()?;
        Ok(chunk)
    }

    /// Checks that the chunk can be written.
    pub(super) fn check(&self) -> Result<(), Error> {
        check_counts(self.user_words, self.strips.len(), self.words.len())?;
        let found = find(
            &self.words,
            self.strips.len(),
            self.entry_words(),
            usize::from(self.user_words),
        );
        if found.as_ref() != Ok(&self.strips) {
            return Err(Error::parameter(
                "strip chunk",
                "strips that differ from the strips in its words",
                "agreement",
            ));
        }
        Ok(())
    }
}

/// Checks the limits of the size and count words of strips and volumes.
pub(super) fn check_counts(user_words: u8, count: usize, words: usize) -> Result<(), Error> {
    if user_words > 3 {
        return Err(Error::parameter("user flag words", user_words, "0 to 3"));
    }
    if count > 0x3FFF {
        return Err(Error::parameter("strip or polygon count", count, "at most 16383"));
    }
    if words + 1 > usize::from(u16::MAX) {
        return Err(Error::parameter("chunk size", words + 1, "at most 65535 words"));
    }
    Ok(())
}
