//! Vertex chunk kinds of shapes, one row each (docs/formats/ninja.md 1.10).

struct Row {
    kind: ShapeKind,
    id: u8,
    name: &'static str,
    position: bool,
    normal: bool,
    diffuse: bool,
}

macro_rules! kinds {
    ($($kind:ident = $id:literal, $name:literal, $position:literal, $normal:literal, $diffuse:literal;)*) => {
        /// Kinds of vertex chunks in shape lists, named after their NJD_ defines.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ShapeKind {
            $(#[doc = concat!("Id ", $id, ", ", $name, ".")] $kind,)*
        }

        const ROWS: &[Row] = &[$(Row {
            kind: ShapeKind::$kind,
            id: $id,
            name: $name,
            position: $position,
            normal: $normal,
            diffuse: $diffuse,
        },)*];
    };
}

kinds! {
    Cv = 34, "CV", true, false, false;
    CvD8 = 35, "CV_D8", true, false, true;
    CvVn = 41, "CV_VN", true, true, false;
    CvVnD8 = 42, "CV_VN_D8", true, true, true;
    Vn = 128, "VN", false, true, false;
    VnD8 = 129, "VN_D8", false, true, true;
    D8 = 130, "D8", false, false, true;
}

impl ShapeKind {
    /// Iterates over all kinds by ascending id.
    pub fn all() -> impl Iterator<Item = ShapeKind> {
        ROWS.iter().map(|row| row.kind)
    }

    /// Returns the kind with this id, the low byte of a chunk's head.
    pub fn from_id(id: u8) -> Option<Self> {
        ROWS.iter().find(|row| row.id == id).map(|row| row.kind)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Id of the kind.
    pub fn id(self) -> u8 {
        self.row().id
    }

    /// Name of the define without its `NJD_`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Number of 32-bit words per vertex.
    pub fn stride(self) -> usize {
        let row = self.row();
        3 * usize::from(row.position) + 3 * usize::from(row.normal) + usize::from(row.diffuse)
    }

    /// Index of the first word of x, y, z.
    pub fn position(self) -> Option<usize> {
        self.row().position.then_some(0)
    }

    /// Index of the first word of the normal.
    pub fn normal(self) -> Option<usize> {
        self.row().normal.then(|| 3 * usize::from(self.row().position))
    }

    /// Index of the word with the diffuse colour, ARGB8888.
    pub fn diffuse(self) -> Option<usize> {
        self.row().diffuse.then(|| self.stride() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copied by hand from docs/formats/ninja.md 1.6 and 1.10.
    #[test]
    fn strides() {
        let found: Vec<_> = ShapeKind::all().map(|kind| (kind.id(), kind.stride())).collect();
        assert_eq!(
            found,
            [(34, 3), (35, 4), (41, 6), (42, 7), (128, 3), (129, 4), (130, 1)]
        );
        assert!(
            ShapeKind::all()
                .all(|kind| kind.row().kind == kind && ShapeKind::from_id(kind.id()) == Some(kind))
        );
        assert_eq!(ShapeKind::from_id(36), None);
    }
}
