//! The footer: an id, zeros, the version again, zeros, a constant (docs/formats/fbx.md, 1.5; the notes of
//! 2013 call it undefinable).
//!
//! The last four of the first zeros are a number in the second footer of files below version 7000: the bytes
//! from the start of the second list up to that number. Measured on the three such files of the test corpus.

use crate::bytes::{ByteOrder, Number};

/// The last 16 bytes of every footer.
const CONSTANT: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];
/// The id that Blender writes into every file; Autodesk's are derived from the creation time.
const BLENDER_ID: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
/// Zeros between the version and the constant.
const ZEROS: usize = 120;
/// The longest run of zeros behind the id: 16 to align and 4 more.
const MAX_PAD: usize = 20;

/// How many zeros lie between the id and the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding {
    /// 1 to 16 up to a multiple of 16 in the file, then 4.
    Autodesk,
    /// 4, then 1 to 16 up to a multiple of 16 in the file.
    Blender,
    /// So many; neither rule gives it.
    Fixed(usize),
}

impl Padding {
    /// Zeros behind an id that ends at file offset `at`.
    fn length(self, at: usize) -> usize {
        match self {
            Padding::Autodesk => 16 - at % 16 + 4,
            Padding::Blender => 4 + 16 - (at + 4) % 16,
            Padding::Fixed(length) => length,
        }
    }

    /// The rule that gives `length` at `at`; the two rules never give the same.
    fn recognise(length: usize, at: usize) -> Self {
        [Padding::Autodesk, Padding::Blender]
            .into_iter()
            .find(|p| p.length(at) == length)
            .unwrap_or(Padding::Fixed(length))
    }
}

/// The number between the padding and the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// 0, in every first footer.
    Zero,
    /// Bytes from the start of the footer's list up to this number.
    List,
    /// Something else.
    Fixed(u32),
}

impl Extent {
    /// The number for a list that starts at file offset `list`, when it lies at `at` itself.
    fn number(self, list: usize, at: usize) -> u32 {
        match self {
            Extent::Zero => 0,
            Extent::List => u32::try_from(at - list).unwrap_or(u32::MAX),
            Extent::Fixed(number) => number,
        }
    }

    fn recognise(number: u32, list: usize, at: usize) -> Self {
        [Extent::Zero, Extent::List]
            .into_iter()
            .find(|e| e.number(list, at) == number)
            .unwrap_or(Extent::Fixed(number))
    }
}

/// What follows a list of top-level records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footer {
    /// 16 bytes that readers ignore.
    pub id: [u8; 16],
    /// The zeros behind the id, those of a zero [`Extent`] counted in.
    pub padding: Padding,
    /// The last four bytes of the padding.
    pub extent: Extent,
    /// The version, which below 6000 is above the header's.
    pub version: u32,
}

impl Footer {
    /// Blender's layout and id.
    pub fn new(version: u32) -> Self {
        Footer {
            id: BLENDER_ID,
            padding: Padding::Blender,
            extent: Extent::Zero,
            version,
        }
    }

    /// The footer at file offset `at` behind the list that starts at `list`, and where it ends.
    pub(crate) fn read(file: &[u8], list: usize, at: usize, order: ByteOrder) -> Option<(Footer, usize)> {
        let id: [u8; 16] = file.get(at..at + 16)?.try_into().ok()?;
        let id_end = at + 16;
        let (pad, extent, version) = (0..=MAX_PAD).find_map(|pad| {
            let (extent, version) = numbers_behind(file, id_end, pad, order)?;
            Some((pad, extent, version))
        })?;
        let version_at = id_end + pad;
        let footer = Footer {
            id,
            padding: Padding::recognise(pad, id_end),
            extent: Extent::recognise(extent, list, version_at.saturating_sub(4)),
            version,
        };
        Some((footer, version_at + 4 + ZEROS + CONSTANT.len()))
    }

    /// Appends the footer of the list that starts at file offset `list`.
    pub(crate) fn write(&self, list: usize, order: ByteOrder, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.id);
        let version_at = out.len() + self.padding.length(out.len());
        if self.extent == Extent::Zero {
            out.resize(version_at, 0);
        } else {
            let extent_at = version_at.saturating_sub(4).max(out.len());
            out.resize(extent_at, 0);
            self.extent.number(list, extent_at).put(order, out);
        }
        self.version.put(order, out);
        out.resize(out.len() + ZEROS, 0);
        out.extend_from_slice(&CONSTANT);
    }
}

/// The extent and version of a footer with `pad` bytes between its id and its version, if everything else
/// fits.
fn numbers_behind(file: &[u8], id_end: usize, pad: usize, order: ByteOrder) -> Option<(u32, u32)> {
    let rest = file.get(id_end..)?;
    let tail = rest.get(pad..pad + 4 + ZEROS + CONSTANT.len())?;
    let (zeros, extent) = match pad.checked_sub(4) {
        Some(start) => (&rest[..start], u32::get(order, &rest[start..pad])),
        None => (&rest[..pad], 0),
    };
    let zero = |range: &[u8]| range.iter().all(|&b| b == 0);
    let fits = zero(zeros) && zero(&tail[4..4 + ZEROS]) && tail[4 + ZEROS..] == CONSTANT;
    fits.then(|| (extent, u32::get(order, &tail[..4])))
}
