//! Volumes: triangles, quadrilaterals or strips without material (docs/formats/ninja.md 1.7,
//! docs/formats/chunk-model.md 3.9).

use super::kind::VolumeKind;
use super::strip::{self, Strip, check_counts};
use crate::error::{Error, counted};

/// A chunk of polygons for collisions or modifier volumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolumeChunk {
    /// Contents of each polygon.
    pub kind: VolumeKind,
    /// The head's high byte, unused.
    pub headbits: u8,
    /// Number of user flag words after each polygon's indices, 0..=3; in strips, after each entry from the
    /// third on.
    pub user_words: u8,
    /// Number of polygons or strips.
    pub count: u16,
    /// All words after the count word, as in the file, including padding.
    pub words: Vec<u16>,
    /// Positions in `words` of the strips of [`VolumeKind::St`]; empty for other kinds.
    pub strips: Vec<Strip>,
}

impl VolumeChunk {
    /// Words per polygon, including user flags; `None` for strips.
    fn polygon_words(&self) -> Option<usize> {
        Some(self.kind.polygon_indices()? + usize::from(self.user_words))
    }

    /// Iterates over the vertex buffer slots of each triangle or quadrilateral; empty for strips.
    pub fn polygons(&self) -> impl Iterator<Item = &[u16]> {
        let indices = self.kind.polygon_indices().unwrap_or(0);
        let count = if indices == 0 { 0 } else { usize::from(self.count) };
        let words = self.polygon_words().unwrap_or(1);
        self.words
            .chunks_exact(words)
            .take(count)
            .filter_map(move |polygon| polygon.get(..indices))
    }

    /// Iterates over the vertex buffer slots of one of the chunk's strips. It panics, like slice indexing,
    /// for a strip of another chunk.
    pub fn indices<'a>(&'a self, strip: &Strip) -> impl Iterator<Item = u16> + 'a {
        let (start, user) = (strip.start, usize::from(self.user_words));
        (0..usize::from(strip.len)).map(move |i| self.words[start + i + i.saturating_sub(2) * user])
    }

    /// Finds the strips or checks the polygons of a chunk that was read. Returns the number of words after
    /// them. The error is the number of words needed or, for strips, the index of the invalid length.
    pub(super) fn complete(&mut self) -> Result<usize, usize> {
        let (count, user) = (usize::from(self.count), usize::from(self.user_words));
        if let Some(words) = self.polygon_words() {
            return self.words.len().checked_sub(count * words).ok_or(count * words);
        }
        self.strips = strip::find(&self.words, count, 1, user)?;
        Ok(strip::tail_words(&self.words, &self.strips, 1, user))
    }

    /// Builds a chunk of triangles or quadrilaterals. `user_words` user flags follow the indices of each. The
    /// chunk is padded to a multiple of 4 bytes.
    ///
    /// # Errors
    /// Fails if the kind is strips, if a polygon has another number of words, or if there are too many.
    pub fn build(kind: VolumeKind, user_words: u8, polygons: &[&[u16]]) -> Result<Self, Error> {
        let mut chunk = VolumeChunk {
            kind,
            headbits: 0,
            user_words,
            count: 0,
            words: polygons.concat(),
            strips: Vec::new(),
        };
        check_counts(user_words, polygons.len(), chunk.words.len() + 1)?;
        chunk.count = polygons.len() as u16;
        let Some(words) = chunk.polygon_words() else {
            return Err(Error::parameter(
                "volume kind",
                "strips",
                "triangles or quadrilaterals",
            ));
        };
        if let Some(odd) = polygons.iter().find(|p| p.len() != words) {
            return Err(Error::parameter(
                "volume polygon",
                odd.len(),
                counted(words, "word"),
            ));
        }
        if chunk.words.len().is_multiple_of(2) {
            chunk.words.push(0);
        }
        Ok(chunk)
    }

    /// Builds a chunk of strips of slots, with negative lengths for reversed ones. The chunk is padded to a
    /// multiple of 4 bytes.
    ///
    /// # Errors
    /// Fails if a strip or the chunk is too long.
    pub fn build_strips(strips: &[(bool, &[u16])]) -> Result<Self, Error> {
        let mut words = Vec::new();
        for (reversed, indices) in strips {
            let len = i16::try_from(indices.len())
                .map_err(|_| Error::parameter("strip length", indices.len(), "at most 32767 entries"))?;
            words.push(if *reversed { -len } else { len } as u16);
            words.extend_from_slice(indices);
        }
        if words.len().is_multiple_of(2) {
            words.push(0);
        }
        check_counts(0, strips.len(), words.len())?;
        let (kind, count) = (VolumeKind::St, strips.len() as u16);
        let mut chunk = VolumeChunk {
            kind,
            headbits: 0,
            user_words: 0,
            count,
            words,
            strips: Vec::new(),
        };
        match chunk.complete() {
            Ok(_) => Ok(chunk),
            Err(at) => Err(Error::parameter(
                "volume strips",
                format!("an overrun at word {at}"),
                "none",
            )),
        }
    }

    /// Checks that the chunk can be written.
    pub(super) fn check(&self) -> Result<(), Error> {
        check_counts(self.user_words, usize::from(self.count), self.words.len())?;
        let mut again = VolumeChunk {
            strips: Vec::new(),
            ..self.clone()
        };
        if again.complete().is_err() || again.strips != self.strips {
            return Err(Error::parameter(
                "volume chunk",
                "polygons that are not those in its words",
                "agreement",
            ));
        }
        Ok(())
    }
}
