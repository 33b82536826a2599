//! Pointer list that follows a chunk (docs/formats/ninja.md 1.3, docs/formats/compact-shape.md 4.3).

/// A `POF0` body: offsets of the pointers in the preceding body.
///
/// The bytes are kept unchanged: the encoding may be longer than necessary and may end in padding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pof0 {
    bytes: Vec<u8>,
}

/// Statistics on the encoding of a [`Pof0`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pof0Stats {
    /// Number of entries of 1, 2 and 4 bytes.
    pub widths: [u64; 3],
    /// Number of bytes after the last entry.
    pub padding: u64,
}

const MASK: u8 = 0xC0;
const CHAR: u8 = 0x40;
const SHORT: u8 = 0x80;
const LONG: u8 = 0xC0;

impl Pof0 {
    /// Wraps a chunk body unchanged.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Pof0 { bytes }
    }

    /// Returns the shortest encoding of `offsets`, padded with zeros to a multiple of 4 bytes. `offsets` are
    /// byte offsets in the body. `None` if they are not ascending multiples of 4.
    pub fn from_offsets(offsets: &[u32]) -> Option<Self> {
        let mut bytes = Vec::with_capacity(offsets.len() + 4);
        let mut last = 0;
        for offset in offsets {
            let delta = offset.checked_sub(last)?;
            if !delta.is_multiple_of(4) {
                return None;
            }
            last = *offset;
            match delta / 4 {
                words @ 0..0x40 => bytes.push(CHAR | words as u8),
                words @ 0x40..0x4000 => bytes.extend(((SHORT as u16) << 8 | words as u16).to_be_bytes()),
                words => bytes.extend(((LONG as u32) << 24 | words).to_be_bytes()),
            }
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        Some(Pof0 { bytes })
    }

    /// Bytes of the chunk body.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Iterates over the byte offsets in list order. It stops if the list ends within an entry, or if the sum
    /// exceeds 32 bits; [`Pof0::irregular`] reports this.
    pub fn offsets(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries().map(|(offset, _)| offset)
    }

    /// Iterates over offset and width in bytes of each entry.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let mut entries = Entries {
            rest: &self.bytes,
            sum: 0,
        };
        std::iter::from_fn(move || entries.next_entry())
    }

    /// Counts entries by width.
    pub fn stats(&self) -> Pof0Stats {
        let mut entries = Entries {
            rest: &self.bytes,
            sum: 0,
        };
        let mut stats = Pof0Stats::default();
        while let Some((_, width)) = entries.next_entry() {
            stats.widths[width / 2] += 1;
        }
        stats.padding = entries.rest.len() as u64;
        stats
    }

    /// Returns a problem that a loader may have with the list, given the length of its body: entries outside
    /// the body, repeated entries, or padding that is long or not zero.
    pub fn irregular(&self, body: usize) -> Option<&'static str> {
        let mut entries = Entries {
            rest: &self.bytes,
            sum: 0,
        };
        let mut last = None;
        while let Some((offset, _)) = entries.next_entry() {
            if offset as usize + 4 > body {
                return Some("an offset is outside the body");
            }
            if last.replace(offset) == Some(offset) {
                return Some("an offset is listed twice");
            }
        }
        match entries.rest {
            rest if rest.iter().any(|b| *b != 0) => Some("the list continues after its end"),
            rest if rest.len() > 3 => Some("more than three bytes of padding"),
            _ => None,
        }
    }
}

struct Entries<'a> {
    rest: &'a [u8],
    sum: u32,
}

impl Entries<'_> {
    /// Returns the next offset and its width in bytes; stops before padding or unreadable bytes.
    fn next_entry(&mut self) -> Option<(u32, usize)> {
        let (words, width) = match *self.rest {
            [a, ..] if a & MASK == CHAR => (u32::from(a & !MASK), 1),
            [a, b, ..] if a & MASK == SHORT => (u32::from_be_bytes([0, 0, a & !MASK, b]), 2),
            [a, b, c, d, ..] if a & MASK == LONG => (u32::from_be_bytes([a & !MASK, b, c, d]), 4),
            _ => return None,
        };
        self.sum = self.sum.checked_add(words.checked_mul(4)?)?;
        self.rest = self.rest.get(width..)?;
        Some((self.sum, width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked example of docs/formats/ninja.md 1.3.
    #[test]
    fn worked_example() {
        let offsets = [0x4, 0x100, 0x200, 0x10200];
        let bytes = [0x41, 0x7F, 0x80, 0x40, 0xC0, 0x00, 0x40, 0x00];
        let pof0 = Pof0::from_offsets(&offsets).unwrap();
        assert_eq!(pof0.bytes(), bytes);
        assert_eq!(pof0.offsets().collect::<Vec<_>>(), offsets);
        assert_eq!(
            pof0.stats(),
            Pof0Stats {
                widths: [2, 1, 1],
                padding: 0
            }
        );
    }

    #[test]
    fn padding_is_0_to_3_bytes() {
        for (n, padding) in [(0, 0), (1, 3), (2, 2), (3, 1), (4, 0)] {
            let offsets: Vec<u32> = (0..n).map(|i| i * 8).collect();
            assert_eq!(
                Pof0::from_offsets(&offsets).unwrap().stats().padding,
                padding,
                "{n} offsets"
            );
        }
    }

    #[test]
    fn width_limits() {
        for (words, bytes) in [
            (0x3Fu32, vec![0x7F, 0, 0, 0]),
            (0x40, vec![0x80, 0x40, 0, 0]),
            (0x3FFF, vec![0xBF, 0xFF, 0, 0]),
            (0x4000, vec![0xC0, 0, 0x40, 0]),
        ] {
            assert_eq!(Pof0::from_offsets(&[words * 4]).unwrap().bytes(), bytes);
        }
        assert_eq!(Pof0::from_offsets(&[8, 4]), None);
        assert_eq!(Pof0::from_offsets(&[2]), None);
    }

    #[test]
    fn irregular_lists_are_named() {
        let said = |bytes: &[u8]| Pof0::from_bytes(bytes.to_vec()).irregular(16);
        assert_eq!(said(&[0x40, 0x41, 0, 0]), None);
        assert_eq!(said(&[0x44, 0, 0, 0]), Some("an offset is outside the body"));
        assert_eq!(said(&[0x41, 0x40, 0, 0]), Some("an offset is listed twice"));
        assert_eq!(
            said(&[0x41, 0, 0x41, 0]),
            Some("the list continues after its end")
        );
        assert_eq!(said(&[0xC0]), Some("the list continues after its end"));
    }
}
