//! Vertex chunk kinds, one row each (docs/formats/ninja.md 1.5, 1.6; docs/formats/chunk-model.md 3.8).

/// Position of the normal in a vertex, as a word index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Normal {
    /// No normal.
    None,
    /// Three floats from this word on.
    Float(usize),
    /// One word of three signed 10-bit components, x in bits 29-20, y 19-10, z 9-0, each divided by 512.
    Packed(usize),
}

/// Further attribute of a vertex, with its word index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// No attribute.
    None,
    /// Constant 1.0 in word 3 and, with normals, 0.0 in word 7, for 128-bit loads.
    Sh,
    /// Diffuse, ARGB8888.
    D8(usize),
    /// User flags.
    User(usize),
    /// NinjaFlags, `weight << 16 | index`.
    Ninja(usize),
    /// Diffuse RGB565 in the high half, specular RGB565 in the low half.
    S5(usize),
    /// Diffuse ARGB4444 in the high half, specular RGB565 in the low half.
    S4(usize),
    /// Diffuse intensity in the high half, specular intensity in the low half.
    Intensity(usize),
    /// Diffuse and then specular, ARGB8888 (Ninja2).
    D8S8(usize),
    /// NinjaFlags and then diffuse ARGB8888 (Ninja2).
    NinjaD8(usize),
}

struct Row {
    kind: VertexKind,
    name: &'static str,
    stride: usize,
    normal: Normal,
    attribute: Attribute,
}

macro_rules! kinds {
    ($($kind:ident = $id:literal, $name:literal, $stride:literal, $normal:expr, $attribute:expr;)*) => {
        /// Kinds of vertex chunks, named after their NJD_ defines.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum VertexKind {
            $(#[doc = concat!("Id ", $id, ", ", $name, ", ", $stride, " words per vertex.")] $kind = $id,)*
        }

        const ROWS: &[Row] = &[$(Row {
            kind: VertexKind::$kind,
            name: $name,
            stride: $stride,
            normal: $normal,
            attribute: $attribute,
        },)*];
    };
}

use Attribute::{D8, D8S8, Intensity, Ninja, NinjaD8, S4, S5, Sh, User};
use Normal::{Float, Packed};

// Ids are consecutive from 32 (VERTOFF), so the id gives the row.
kinds! {
    CvSh = 32, "CV_SH", 4, Normal::None, Sh;
    CvVnSh = 33, "CV_VN_SH", 8, Float(4), Sh;
    Cv = 34, "CV", 3, Normal::None, Attribute::None;
    CvD8 = 35, "CV_D8", 4, Normal::None, D8(3);
    CvUf = 36, "CV_UF", 4, Normal::None, User(3);
    CvNf = 37, "CV_NF", 4, Normal::None, Ninja(3);
    CvS5 = 38, "CV_S5", 4, Normal::None, S5(3);
    CvS4 = 39, "CV_S4", 4, Normal::None, S4(3);
    CvIn = 40, "CV_IN", 4, Normal::None, Intensity(3);
    CvVn = 41, "CV_VN", 6, Float(3), Attribute::None;
    CvVnD8 = 42, "CV_VN_D8", 7, Float(3), D8(6);
    CvVnUf = 43, "CV_VN_UF", 7, Float(3), User(6);
    CvVnNf = 44, "CV_VN_NF", 7, Float(3), Ninja(6);
    CvVnS5 = 45, "CV_VN_S5", 7, Float(3), S5(6);
    CvVnS4 = 46, "CV_VN_S4", 7, Float(3), S4(6);
    CvVnIn = 47, "CV_VN_IN", 7, Float(3), Intensity(6);
    CvVnx = 48, "CV_VNX", 4, Packed(3), Attribute::None;
    CvVnxD8 = 49, "CV_VNX_D8", 5, Packed(3), D8(4);
    CvVnxUf = 50, "CV_VNX_UF", 5, Packed(3), User(4);
    CvD8S8 = 51, "CV_D8_S8", 5, Normal::None, D8S8(3);
    CvNfD8 = 52, "CV_NF_D8", 5, Normal::None, NinjaD8(3);
}

impl VertexKind {
    /// Iterates over all kinds by ascending id.
    pub fn all() -> impl Iterator<Item = VertexKind> {
        ROWS.iter().map(|row| row.kind)
    }

    /// Returns the kind with this id, the low byte of a vertex chunk's head.
    pub fn from_id(id: u8) -> Option<Self> {
        let row = id.checked_sub(ROWS[0].kind as u8)?;
        ROWS.get(usize::from(row)).map(|row| row.kind)
    }

    /// Id of the kind.
    pub fn id(self) -> u8 {
        self as u8
    }

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self as u8 - ROWS[0].kind as u8)]
    }

    /// Name of the define without its `NJD_`, such as `CV_VN_NF`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Number of 32-bit words per vertex. The position is always in words 0 to 2.
    pub fn stride(self) -> usize {
        self.row().stride
    }

    /// Position of the normal.
    pub fn normal(self) -> Normal {
        self.row().normal
    }

    /// Further attribute of a vertex.
    pub fn attribute(self) -> Attribute {
        self.row().attribute
    }

    /// Word index of the NinjaFlags. Vertices with NinjaFlags name their own slot and weight.
    pub fn ninja_word(self) -> Option<usize> {
        match self.attribute() {
            Ninja(word) | NinjaD8(word) => Some(word),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words per vertex of ids 32..52, copied by hand from the table in docs/formats/ninja.md 1.6.
    #[test]
    fn strides() {
        let expected = [4, 8, 3, 4, 4, 4, 4, 4, 4, 6, 7, 7, 7, 7, 7, 7, 4, 5, 5, 5, 5];
        let found: Vec<_> = (32..=52)
            .map(|id| VertexKind::from_id(id).unwrap().stride())
            .collect();
        assert_eq!(found, expected);
        assert_eq!(VertexKind::from_id(31), None);
        assert_eq!(VertexKind::from_id(53), None);
        assert!(VertexKind::all().all(|kind| VertexKind::from_id(kind.id()) == Some(kind)));
    }
}
