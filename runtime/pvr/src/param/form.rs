//! Table of the TA's eighteen vertex forms (`docs/hardware/pvr2.md`, "Vertex forms").

use super::{ColourType, ListType, ParamType, Pcw};

/// Encoding of texture coordinates in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uv {
    /// No coordinates: untextured.
    None,
    /// Two floats.
    Float,
    /// One word, U in the high half, each half the top 16 bits of a float.
    Packed,
}

impl Uv {
    /// Number of words that coordinates of this kind occupy in a parameter and in VRAM.
    #[must_use]
    pub const fn words(self) -> usize {
        match self {
            Self::None => 0,
            Self::Packed => 1,
            Self::Float => 2,
        }
    }
}

/// Object described by a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One vertex of a strip.
    Vertex,
    /// A complete sprite with four corners.
    Sprite,
    /// A complete modifier volume triangle.
    Triangle,
}

/// Word positions in a vertex parameter: coordinates and colours of one volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Set {
    /// First word of the texture coordinates.
    pub uv: usize,
    /// First word of the base colour.
    pub base: usize,
    /// First word of the offset colour, if the polygon has one.
    pub offset: usize,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexForm {
    /// Number of the form, 0 to 17.
    pub number: usize,
    /// Length of the parameter: 8 or 16 words.
    pub words: usize,
    /// Object described by one parameter.
    pub shape: Shape,
    /// Texture coordinates.
    pub uv: Uv,
    /// Encoding of colours: packed, float or intensity.
    pub colour: ColourType,
    /// One set for each volume; the second is `None` for one volume.
    pub sets: [Option<Set>; 2],
}

const fn set(uv: usize, base: usize, offset: usize) -> Option<Set> {
    Some(Set { uv, base, offset })
}

const fn row(
    number: usize,
    words: usize,
    uv: Uv,
    colour: ColourType,
    first: Option<Set>,
    second: Option<Set>,
) -> VertexForm {
    let shape = match number {
        15 | 16 => Shape::Sprite,
        17 => Shape::Triangle,
        _ => Shape::Vertex,
    };
    VertexForm {
        number,
        words,
        shape,
        uv,
        colour,
        sets: [first, second],
    }
}

use ColourType::{Float, Intensity, Packed};

/// All forms; the index is the form's number. Words count from the PCW, which is word 0.
pub const VERTEX_FORMS: [VertexForm; 18] = [
    row(0, 8, Uv::None, Packed, set(0, 6, 0), None),
    row(1, 8, Uv::None, Float, set(0, 4, 0), None),
    row(2, 8, Uv::None, Intensity, set(0, 6, 0), None),
    row(3, 8, Uv::Float, Packed, set(4, 6, 7), None),
    row(4, 8, Uv::Packed, Packed, set(4, 6, 7), None),
    row(5, 16, Uv::Float, Float, set(4, 8, 12), None),
    row(6, 16, Uv::Packed, Float, set(4, 8, 12), None),
    row(7, 8, Uv::Float, Intensity, set(4, 6, 7), None),
    row(8, 8, Uv::Packed, Intensity, set(4, 6, 7), None),
    row(9, 8, Uv::None, Packed, set(0, 4, 0), set(0, 5, 0)),
    row(10, 8, Uv::None, Intensity, set(0, 4, 0), set(0, 5, 0)),
    row(11, 16, Uv::Float, Packed, set(4, 6, 7), set(8, 10, 11)),
    row(12, 16, Uv::Packed, Packed, set(4, 6, 7), set(8, 10, 11)),
    row(13, 16, Uv::Float, Intensity, set(4, 6, 7), set(8, 10, 11)),
    row(14, 16, Uv::Packed, Intensity, set(4, 6, 7), set(8, 10, 11)),
    // Sprites: the set gives the UV words of corner A; B and C follow. Colours come from the header.
    row(15, 16, Uv::None, Packed, set(0, 0, 0), None),
    row(16, 16, Uv::Packed, Packed, set(13, 0, 0), None),
    row(17, 16, Uv::None, Packed, None, None),
];

impl VertexForm {
    /// Returns the form of the vertices after a polygon or sprite parameter `pcw` in `list`.
    #[must_use]
    pub const fn select(pcw: Pcw, list: ListType) -> &'static Self {
        &VERTEX_FORMS[Self::number_for(pcw, list)]
    }

    const fn number_for(pcw: Pcw, list: ListType) -> usize {
        if list.is_modifier() {
            return 17;
        }
        if matches!(pcw.param_type(), ParamType::Sprite) {
            return if pcw.texture() { 16 } else { 15 };
        }
        // Float colour with two volumes is treated as intensity (test vector 2.9.3).
        let intensity = !matches!(pcw.colour(), Packed | Float);
        match (pcw.texture(), pcw.two_volumes()) {
            (false, false) => match pcw.colour() {
                Packed => 0,
                Float => 1,
                _ => 2,
            },
            (true, false) => {
                pcw.uv16() as usize
                    + match pcw.colour() {
                        Packed => 3,
                        Float => 5,
                        _ => 7,
                    }
            }
            (false, true) => 9 + (intensity || matches!(pcw.colour(), Float)) as usize,
            (true, true) => {
                let scaled = intensity || matches!(pcw.colour(), Float);
                11 + 2 * scaled as usize + pcw.uv16() as usize
            }
        }
    }

    /// Number of words of each vertex in VRAM after x, y, z, for one volume: the `skip` field of an object
    /// word.
    #[must_use]
    pub const fn skip(&self, offset: bool) -> usize {
        match self.shape {
            Shape::Triangle => 0,
            _ => self.uv.words() + 1 + (offset && !matches!(self.uv, Uv::None)) as usize,
        }
    }

    /// Number of volumes of a vertex: 1 or 2.
    #[must_use]
    pub const fn volumes(&self) -> usize {
        1 + self.sets[1].is_some() as usize
    }
}
