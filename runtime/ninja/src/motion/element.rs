//! Elements of a motion: the bits of NJS_MOTION.type, the order of their tables, and the keys of each
//! (docs/formats/ninja.md 1.9).

use super::keys::KeyForm;
use crate::chunk_id::ChunkId;
use crate::error::Error;

/// Purpose of a motion. It determines the chunk's name and the meaning of some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum MotionKind {
    /// `NMDM`: the nodes of a model.
    #[default]
    Model,
    /// `NLIM`: a light.
    Light,
    /// `NCAM`: a camera.
    Camera,
    /// `NCSM`: a cell sprite.
    CellSprite,
    /// `NSSM`: Ninja1's simple shape motion. Its keys point to arrays of vertices and normals.
    SimpleShape,
}

impl MotionKind {
    /// All kinds.
    pub const ALL: [MotionKind; 5] = [
        MotionKind::Model,
        MotionKind::Light,
        MotionKind::Camera,
        MotionKind::CellSprite,
        MotionKind::SimpleShape,
    ];

    /// Name of the chunk.
    pub fn chunk_id(self) -> ChunkId {
        match self {
            MotionKind::Model => ChunkId::NMDM,
            MotionKind::Light => ChunkId::NLIM,
            MotionKind::Camera => ChunkId::NCAM,
            MotionKind::CellSprite => ChunkId::NCSM,
            MotionKind::SimpleShape => ChunkId::NSSM,
        }
    }

    /// Returns the kind with this chunk name.
    pub fn from_chunk_id(id: ChunkId) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.chunk_id() == id)
    }
}

/// NJS_MOTION.type: one bit for each animated element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MotionType(pub u16);

impl MotionType {
    /// True if the element's bit is set.
    pub fn contains(self, element: Element) -> bool {
        self.0 & element.bit() != 0
    }
}

impl std::ops::BitOr<Element> for MotionType {
    type Output = MotionType;

    fn bitor(self, element: Element) -> MotionType {
        MotionType(self.0 | element.bit())
    }
}

struct Row {
    element: Element,
    shift: u32,
    number: u8,
    name: &'static str,
    /// Key layouts; the first is the newest specification's. See [`Element::forms`].
    forms: &'static [KeyForm],
}

macro_rules! elements {
    ($($element:ident = $shift:literal, $number:literal, $name:literal, $forms:expr;)*) => {
        /// An animated element, named after its NJD_MTYPE_ define. Bits 4 and 5 have another meaning in
        /// simple shape motions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Element {
            $(#[doc = concat!("Bit ", $shift, ", ", $name, ".")] $element,)*
        }

        const ROWS: &[Row] = &[$(Row {
            element: Element::$element,
            shift: $shift,
            number: $number,
            name: $name,
            forms: &$forms,
        },)*];
    };
}

use KeyForm::{A, A1, F, F1, F2, P, Quat, Sa, Sa1, ShapeId, Spot, Ui16, Ui32};

// The forms after the first are older: 16-bit angles for ANG_1 are from PSO's model motions, the others from
// Ninja1 (docs/formats/ninja.md 1.9).
elements! {
    Pos = 0, 0, "POS_0", [F];
    Ang = 1, 1, "ANG_1", [A, Sa];
    Scl = 2, 2, "SCL_2", [F];
    Vec3 = 3, 3, "VEC_3", [F];
    Vec0 = 4, 0, "VEC_0", [F];
    Sang = 5, 1, "SANG_1", [Sa];
    Target = 6, 3, "TARGET_3", [F];
    Roll = 7, 6, "ROLL_6", [Sa1, A1];
    Angle = 8, 7, "ANGLE_7", [Sa1, A1];
    Rgb = 9, 8, "RGB_8", [F, Ui32];
    Intensity = 10, 9, "INTENSITY_9", [F2, F1];
    Spot = 11, 10, "SPOT_10", [Spot];
    Point = 12, 9, "POINT_9", [F2];
    Quat = 13, 1, "QUAT_1", [Quat];
    ShapeId = 14, 0, "SHAPEID", [ShapeId];
    Event = 15, 4, "EVENT_4", [Ui16];
    Vert = 4, 4, "VERT_4", [P];
    Norm = 5, 5, "NORM_5", [P];
}

impl Element {
    /// Iterates over all elements.
    pub fn all() -> impl Iterator<Item = Element> {
        ROWS.iter().map(|row| row.element)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Bit of the element in the type.
    pub fn bit(self) -> u16 {
        1 << self.row().shift
    }

    /// Number in the name; it determines the order of the tables.
    pub fn number(self) -> u8 {
        self.row().number
    }

    /// Name of the define without its `NJD_MTYPE_`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Key layouts used for the element in motions of a kind, the expected one first.
    pub fn forms(self, kind: MotionKind) -> &'static [KeyForm] {
        match (kind, self) {
            (MotionKind::CellSprite, Element::Ang) => &[A1],
            (MotionKind::CellSprite, Element::Scl) => &[F2],
            (MotionKind::CellSprite, Element::Rgb) => &[Ui32],
            (MotionKind::Model, Element::Ang) => &[A, Sa],
            (_, Element::Ang) => &[A],
            _ => self.row().forms,
        }
    }

    fn belongs_to(self, kind: MotionKind) -> bool {
        match self {
            Element::Vert | Element::Norm => kind == MotionKind::SimpleShape,
            Element::Vec0 | Element::Sang => kind != MotionKind::SimpleShape,
            _ => true,
        }
    }

    /// Returns the elements of a type in the order of their tables. The number in the name determines the
    /// order, not the bit (docs/formats/ninja.md 1.9; all 1,427 tables of one game, and the runtime).
    ///
    /// # Errors
    /// Fails if two elements have the same number, because docs/formats/compact-shape.md 3.1 makes them
    /// mutually exclusive. INTENSITY and POINT may occur together: POINT is POINT_10 in Ninja1.
    pub fn in_table_order(kind: MotionKind, bits: MotionType) -> Result<Vec<Element>, Error> {
        let intensity = bits.contains(Element::Intensity);
        let number = |element: Element| match element {
            Element::Point if intensity => 10,
            _ => element.number(),
        };
        // The samples of docs/formats/cell-sprite.md 5.3 use bit 8 for RGB_8, which is bit 9. Bit 8 cannot
        // mean ANGLE_7 here, because sprites have no angle of view.
        let is_colour = kind == MotionKind::CellSprite && !bits.contains(Element::Rgb);
        let mut elements: Vec<Element> = Element::all()
            .filter(|element| element.belongs_to(kind) && bits.contains(*element))
            .map(|element| match element {
                Element::Angle if is_colour => Element::Rgb,
                element => element,
            })
            .collect();
        elements.sort_by_key(|element| number(*element));
        match elements
            .windows(2)
            .find(|pair| number(pair[0]) == number(pair[1]))
        {
            Some(pair) => Err(Error::parameter(
                "NJS_MOTION.type",
                format!("{} with {}", pair[0].name(), pair[1].name()),
                "one of them: elements of the same number exclude each other",
            )),
            None => Ok(elements),
        }
    }
}

/// NJS_MOTION.inp_fn: interpolation method and number of tables of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct InpFn(pub u16);

/// Interpolation method, bits 6 and 7 of an [`InpFn`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Interpolation {
    /// NJD_MTYPE_LINER, 0.
    #[default]
    Linear,
    /// NJD_MTYPE_SPLINE, 0x40.
    Spline,
    /// NJD_MTYPE_USER, 0x80: a function supplied by the program.
    User,
    /// 0xC0, unassigned.
    Unassigned,
}

impl InpFn {
    /// Creates the value from its fields; `tables` is 1 to 5.
    pub fn new(method: Interpolation, tables: u16) -> Self {
        InpFn((method as u16) << 6 | tables & 0xF)
    }

    /// Interpolation method.
    pub fn method(self) -> Interpolation {
        match self.0 >> 6 & 3 {
            0 => Interpolation::Linear,
            1 => Interpolation::Spline,
            2 => Interpolation::User,
            _ => Interpolation::Unassigned,
        }
    }

    /// The n of NJS_MDATAn, bits 0 to 3. 0 means one table for each bit of the type (docs/formats/ninja.md
    /// 2.5).
    pub fn tables(self) -> u16 {
        self.0 & 0xF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_element() {
        assert!(Element::all().all(|element| element.row().element == element));
    }

    /// docs/formats/ninja.md 1.9: type 0x25 is POS, SANG, SCL although SCL is bit 2 and SANG bit 5.
    #[test]
    fn tables_ascend_by_the_number_in_the_name() {
        let names = |kind, bits| {
            let elements = Element::in_table_order(kind, MotionType(bits)).unwrap();
            elements.into_iter().map(Element::name).collect::<Vec<_>>()
        };
        assert_eq!(names(MotionKind::Model, 0x25), ["POS_0", "SANG_1", "SCL_2"]);
        assert_eq!(names(MotionKind::Model, 0x2005), ["POS_0", "QUAT_1", "SCL_2"]);
        assert_eq!(names(MotionKind::SimpleShape, 0x30), ["VERT_4", "NORM_5"]);
        assert_eq!(
            names(MotionKind::Camera, 0x1C1),
            ["POS_0", "TARGET_3", "ROLL_6", "ANGLE_7"]
        );
        assert_eq!(
            names(MotionKind::Light, 0x1600),
            ["RGB_8", "INTENSITY_9", "POINT_9"]
        );
        assert_eq!(
            names(MotionKind::CellSprite, 0x107),
            ["POS_0", "ANG_1", "SCL_2", "RGB_8"]
        );
        assert_eq!(names(MotionKind::CellSprite, 0x102), ["ANG_1", "RGB_8"]);
        assert_eq!(
            names(MotionKind::CellSprite, 0x302),
            ["ANG_1", "ANGLE_7", "RGB_8"]
        );
        assert!(Element::in_table_order(MotionKind::Model, MotionType(0x2002)).is_err());
    }
}
