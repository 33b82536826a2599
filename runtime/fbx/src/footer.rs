//! The footer: an id, zeros, the version again, zeros, a constant (docs/formats/fbx.md, 1.5). Blender's
//! format notes of 2013 do not define it.
//!
//! Files below version 7000 have two footers. In the second footer, the last four bytes of the first run of
//! zeros hold a number. The number is the distance in bytes from the start of the second list to the number
//! itself. Measured on the three such files of the test corpus.

use crate::bytes::{ByteOrder, Number};

/// The last 16 bytes of every footer.
const CONSTANT: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];
/// The id that Blender writes into every file. Autodesk's exporters derive theirs from the creation time.
const BLENDER_ID: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
/// Zeros between the version and the constant.
const ZEROS: usize = 120;
/// Maximum number of zeros after the id: 16 to align and 4 more.
const MAX_PAD: usize = 20;

/// Number of zeros between the id and the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding {
    /// 1 to 16 zeros, up to a file offset that is a multiple of 16, then 4 zeros.
    Autodesk,
    /// 4 zeros, then 1 to 16 zeros up to a file offset that is a multiple of 16.
    Blender,
    /// Any other number of zeros.
    Fixed(usize),
}

impl Padding {
    /// Number of zeros after an id that ends at file offset `at`.
    fn length(self, at: usize) -> usize {
        match self {
            Padding::Autodesk => 16 - at % 16 + 4,
            Padding::Blender => 4 + 16 - (at + 4) % 16,
            Padding::Fixed(length) => length,
        }
    }

    /// Returns the rule that gives `length` at `at`. The two rules never give the same length.
    fn recognise(length: usize, at: usize) -> Self {
        [Padding::Autodesk, Padding::Blender]
            .into_iter()
            .find(|p| p.length(at) == length)
            .unwrap_or(Padding::Fixed(length))
    }
}

/// Number stored in the last four bytes before the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// 0.
    Zero,
    /// Bytes from the start of the footer's list up to this number.
    List,
    /// Any other number.
    Fixed(u32),
}

impl Extent {
    /// Returns the number stored at `at`, for a list that starts at file offset `list`.
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

/// Footer after a list of top-level records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footer {
    /// 16 bytes that readers ignore.
    pub id: [u8; 16],
    /// Number of bytes between id and version, including the bytes of `extent`.
    pub padding: Padding,
    /// Last four bytes of the padding.
    pub extent: Extent,
    /// Format version. Below 6000 it is higher than the header's version.
    pub version: u32,
}

impl Footer {
    /// Creates a footer with Blender's layout and id.
    pub fn new(version: u32) -> Self {
        Footer {
            id: BLENDER_ID,
            padding: Padding::Blender,
            extent: Extent::Zero,
            version,
        }
    }

    /// Reads the footer at file offset `at` of the list that starts at `list`. Returns it with its end
    /// offset.
    pub(crate) fn read(file: &[u8], list: usize, at: usize, order: ByteOrder) -> Option<(Footer, usize)> {
        let id: [u8; 16] = file.get(at..at + 16)?.try_into().ok()?;
        let id_end = at + 16;
        let (pad, extent, version) = (0..=MAX_PAD).find_map(|pad| {
            let (extent, version) = extent_and_version(file, id_end, pad, order)?;
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

/// Returns extent and version if all other fields match a footer with `pad` bytes between id and version.
fn extent_and_version(file: &[u8], id_end: usize, pad: usize, order: ByteOrder) -> Option<(u32, u32)> {
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
