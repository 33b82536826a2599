//! Polygon chunk kinds, one row each (docs/formats/ninja.md 1.5, 1.7; docs/formats/chunk-model.md 3.3 to
//! 3.10).

/// Form of a chunk, determined by the low byte of its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One word without data.
    Null,
    Blend,
    MipmapAdjust,
    Exponent,
    CachePolygons,
    DrawPolygons,
    /// Two words; the flag means "second parameter".
    Tiny(bool),
    /// Colours by bit: 1 diffuse, 2 ambient, 4 specular. The flag means "second parameter".
    Material(u8, bool),
    Bump,
    Volume(VolumeKind),
    Strip(StripKind),
    End,
    /// A form without known meaning but with known size: one word, two words, or a size word that follows.
    Reserved,
    /// A form of unknown meaning and size.
    Unknown,
}

/// Scale of the UV words in a strip (docs/formats/ninja.md 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UvScale {
    /// No texture coordinates.
    None,
    /// 256 is one texture width (UVN).
    Over256,
    /// 1024 is one texture width (UVH).
    Over1024,
}

impl UvScale {
    /// Factor for a UV word; 0 without texture coordinates.
    pub fn factor(self) -> f32 {
        match self {
            UvScale::None => 0.0,
            UvScale::Over256 => 1.0 / 256.0,
            UvScale::Over1024 => 1.0 / 1024.0,
        }
    }
}

/// Kinds of volume chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum VolumeKind {
    /// Triangles. Only these volumes are drawn, as modifier volumes.
    P3 = 56,
    /// Quadrilaterals.
    P4 = 57,
    /// Strips.
    St = 58,
}

impl VolumeKind {
    /// Low byte of the head.
    pub fn id(self) -> u8 {
        self as u8
    }

    /// Number of indices per polygon; `None` for strips.
    pub fn polygon_indices(self) -> Option<usize> {
        match self {
            VolumeKind::P3 => Some(3),
            VolumeKind::P4 => Some(4),
            VolumeKind::St => None,
        }
    }
}

/// One row of the strip table: the words after the index of an entry, in this order.
struct StripRow {
    kind: StripKind,
    name: &'static str,
    uv: UvScale,
    /// Number of UV pairs.
    pairs: usize,
    normal: bool,
    color: bool,
}

macro_rules! strips {
    ($($kind:ident = $id:literal, $name:literal, $uv:ident, $pairs:literal, $normal:literal, $color:literal;)*) => {
        /// Kinds of strip chunks, named after their NJD_ defines.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum StripKind {
            $(#[doc = concat!("Id ", $id, ", ", $name, ".")] $kind = $id,)*
        }

        const STRIPS: &[StripRow] = &[$(StripRow {
            kind: StripKind::$kind,
            name: $name,
            uv: UvScale::$uv,
            pairs: $pairs,
            normal: $normal,
            color: $color,
        },)*];
    };
}

// Ids are consecutive from 64 (STRIPOFF), so the id gives the row.
strips! {
    Cs = 64, "CS", None, 0, false, false;
    CsUvn = 65, "CS_UVN", Over256, 1, false, false;
    CsUvh = 66, "CS_UVH", Over1024, 1, false, false;
    CsVn = 67, "CS_VN", None, 0, true, false;
    CsUvnVn = 68, "CS_UVN_VN", Over256, 1, true, false;
    CsUvhVn = 69, "CS_UVH_VN", Over1024, 1, true, false;
    CsD8 = 70, "CS_D8", None, 0, false, true;
    CsUvnD8 = 71, "CS_UVN_D8", Over256, 1, false, true;
    CsUvhD8 = 72, "CS_UVH_D8", Over1024, 1, false, true;
    Cs2 = 73, "CS_2", None, 0, false, false;
    CsUvn2 = 74, "CS_UVN2", Over256, 2, false, false;
    CsUvh2 = 75, "CS_UVH2", Over1024, 2, false, false;
}

impl StripKind {
    /// Iterates over all kinds by ascending id.
    pub fn all() -> impl Iterator<Item = StripKind> {
        STRIPS.iter().map(|row| row.kind)
    }

    /// Returns the kind with this id, the low byte of a strip chunk's head.
    pub const fn from_id(id: u8) -> Option<Self> {
        let first = STRIPS[0].kind as u8;
        if id < first || (id - first) as usize >= STRIPS.len() {
            return None;
        }
        Some(STRIPS[(id - first) as usize].kind)
    }

    fn row(self) -> &'static StripRow {
        &STRIPS[usize::from(self as u8 - STRIPS[0].kind as u8)]
    }

    /// Low byte of the head.
    pub fn id(self) -> u8 {
        self as u8
    }

    /// Name of the define without its `NJD_`, such as `CS_UVN`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Number of 16-bit words per entry without user flags: index, UV pairs, normal, colour.
    pub fn entry_words(self) -> usize {
        let row = self.row();
        1 + 2 * row.pairs + 3 * usize::from(row.normal) + 2 * usize::from(row.color)
    }

    /// Scale of the texture coordinates.
    pub fn uv(self) -> UvScale {
        self.row().uv
    }

    /// UV pairs per entry, 0 to 2.
    pub fn uv_pairs(self) -> usize {
        self.row().pairs
    }

    /// True if entries have a normal.
    pub fn has_normal(self) -> bool {
        self.row().normal
    }

    /// True if entries have a colour.
    pub fn has_color(self) -> bool {
        self.row().color
    }

    /// True if the chunk has two parameters, for use with modifier volumes.
    pub fn two_parameter(self) -> bool {
        self as u8 >= StripKind::Cs2 as u8
    }
}

const fn form_of(id: u8) -> Form {
    if let Some(kind) = StripKind::from_id(id) {
        return Form::Strip(kind);
    }
    match id {
        0 => Form::Null,
        1 => Form::Blend,
        2 => Form::MipmapAdjust,
        3 => Form::Exponent,
        4 => Form::CachePolygons,
        5 => Form::DrawPolygons,
        8 => Form::Tiny(false),
        9 => Form::Tiny(true),
        17..=23 => Form::Material(id - 16, false),
        24 => Form::Bump,
        25..=31 => Form::Material(id - 24, true),
        56 => Form::Volume(VolumeKind::P3),
        57 => Form::Volume(VolumeKind::P4),
        58 => Form::Volume(VolumeKind::St),
        255 => Form::End,
        6..=127 => Form::Reserved,
        128..=254 => Form::Unknown,
    }
}

const FORMS: [Form; 256] = {
    let mut forms = [Form::Unknown; 256];
    let mut id = 0;
    while id < 256 {
        forms[id] = form_of(id as u8);
        id += 1;
    }
    forms
};

/// Returns the form for the low byte of a head word.
pub(crate) fn form(head: u16) -> Form {
    FORMS[usize::from(head as u8)]
}

/// Name of the define for a polygon chunk's id, without its `NJD_`, such as `CM_DAS` for 23. `None` for ids
/// without a meaning.
pub fn poly_name(id: u8) -> Option<&'static str> {
    const MATERIAL: [&str; 8] = ["", "CM_D", "CM_A", "CM_DA", "CM_S", "CM_DS", "CM_AS", "CM_DAS"];
    const MATERIAL2: [&str; 8] = [
        "", "CM_D2", "CM_A2", "CM_DA2", "CM_S2", "CM_DS2", "CM_AS2", "CM_DAS2",
    ];
    Some(match form(u16::from(id)) {
        Form::Null => "CN",
        Form::Blend => "CB_BA",
        Form::MipmapAdjust => "CB_DA",
        Form::Exponent => "CB_EXP",
        Form::CachePolygons => "CB_CP",
        Form::DrawPolygons => "CB_DP",
        Form::Tiny(false) => "CT_TID",
        Form::Tiny(true) => "CT_TID2",
        Form::Material(bits, false) => MATERIAL[usize::from(bits)],
        Form::Material(bits, true) => MATERIAL2[usize::from(bits)],
        Form::Bump => "CM_BU",
        Form::Volume(VolumeKind::P3) => "CO_P3",
        Form::Volume(VolumeKind::P4) => "CO_P4",
        Form::Volume(VolumeKind::St) => "CO_ST",
        Form::Strip(kind) => kind.name(),
        Form::End => "CE",
        Form::Reserved | Form::Unknown => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words per entry of ids 64..75, copied by hand from docs/formats/ninja.md 1.7.
    #[test]
    fn entry_words() {
        let expected = [1, 3, 3, 4, 6, 6, 3, 5, 5, 1, 5, 5];
        let found: Vec<_> = (64..=75)
            .map(|id| StripKind::from_id(id).unwrap().entry_words())
            .collect();
        assert_eq!(found, expected);
        assert_eq!(StripKind::from_id(63), None);
        assert_eq!(StripKind::from_id(76), None);
    }

    #[test]
    fn names() {
        let some = [
            (17, "CM_D"),
            (23, "CM_DAS"),
            (24, "CM_BU"),
            (31, "CM_DAS2"),
            (57, "CO_P4"),
            (66, "CS_UVH"),
        ];
        assert!(some.iter().all(|(id, name)| poly_name(*id) == Some(name)));
        assert!(
            [6, 7, 10, 16, 55, 76, 127, 128, 254]
                .iter()
                .all(|id| poly_name(*id).is_none())
        );
    }
}
