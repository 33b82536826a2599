//! Types of definitions, and the brackets around them (docs/formats/ninja.md 1.4, 3.1, 3.2).

use super::Scalar::{self, F32, Ptr, S16, S32, U16, U32};

/// Types that are lists of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ascii) enum Stream {
    Vlist,
    Plist,
    Cells,
}

/// Kind of top structure, which selects the IFF chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ascii) enum Top {
    Texlist,
    Object,
    /// Model, camera or CompactShape motion, depending on elements and tables.
    Motion,
    SpriteMotion,
    ShapeList,
    Sprite,
    Stream,
    /// A known type that no binary file contains.
    NotInFiles,
}

/// A type of definitions: `NAME name[] START .. END`.
#[derive(Debug)]
pub(in crate::ascii) struct Type {
    pub(in crate::ascii) name: &'static str,
    /// Name of the C type.
    pub(in crate::ascii) c: &'static str,
    /// Numbers of an element; empty for lists of words.
    pub(in crate::ascii) layout: &'static [Scalar],
    /// Number of optional numbers at the end of an element.
    pub(in crate::ascii) optional: usize,
    pub(in crate::ascii) stream: Option<Stream>,
    pub(in crate::ascii) top: Option<Top>,
    /// Member macros with their index in `layout`; empty for rows.
    pub(in crate::ascii) members: &'static [(&'static str, usize)],
    /// Pointers and their counts, as indices in `layout`.
    pub(in crate::ascii) counts: &'static [(usize, usize)],
    /// Order among the structures of a body.
    pub(in crate::ascii) rank: u8,
}

impl Type {
    /// Size of an element in bytes.
    pub(in crate::ascii) fn element_bytes(&self) -> usize {
        match self.stream {
            Some(Stream::Plist) => 2,
            Some(_) => 4,
            None => self.layout.iter().map(|s| s.bytes()).sum(),
        }
    }

    /// Byte offset of number `i` of the layout.
    pub(in crate::ascii) fn offset(&self, i: usize) -> usize {
        self.layout.iter().take(i).map(|s| s.bytes()).sum()
    }

    /// Number of tables, for MDATA1 to MDATA5.
    pub(in crate::ascii) fn tables(&self) -> Option<usize> {
        self.name.starts_with("MDATA").then_some(self.counts.len())
    }

    pub(in crate::ascii) fn is_object(&self) -> bool {
        self.top == Some(Top::Object)
    }
}

const LIST: Type = Type {
    name: "",
    c: "",
    layout: &[],
    optional: 0,
    stream: None,
    top: None,
    members: &[],
    counts: &[],
    rank: 0,
};

const fn words(name: &'static str, c: &'static str, stream: Stream, rank: u8) -> Type {
    Type {
        name,
        c,
        stream: Some(stream),
        rank,
        ..LIST
    }
}

const fn rows(name: &'static str, c: &'static str, layout: &'static [Scalar]) -> Type {
    Type {
        name,
        c,
        layout,
        rank: 4,
        ..LIST
    }
}

const F3: &[Scalar] = &[U32, F32, F32, F32];
const MOTION: Type = Type {
    name: "MOTION",
    c: "NJS_MOTION",
    layout: &[Ptr, U32, U16, U16],
    top: Some(Top::Motion),
    members: &[
        ("MdataArray", 0),
        ("MFrameNum", 1),
        ("MotionBit", 2),
        ("MotionBitF", 2),
        ("InterpolFct", 3),
        ("InterpolFctF", 3),
    ],
    ..LIST
};

const fn mdata(
    name: &'static str,
    c: &'static str,
    layout: &'static [Scalar],
    counts: &'static [(usize, usize)],
) -> Type {
    Type {
        name,
        c,
        layout,
        counts,
        rank: 1,
        ..LIST
    }
}

/// All types. `rank` gives the order in a body: top structure, nodes or heads of key tables, then the
/// structures that they refer to.
pub(super) const TYPES: &[Type] = &[
    words("PLIST", "Sint16", Stream::Plist, 4),
    words("VLIST", "Sint32", Stream::Vlist, 3),
    words("CELLSTREAMDATA", "Sint32", Stream::Cells, 3),
    Type {
        name: "CNKMODEL",
        c: "NJS_CNK_MODEL",
        layout: &[Ptr, Ptr, F32, F32, F32, F32],
        members: &[("VList", 0), ("PList", 1), ("Center", 2), ("Radius", 5)],
        rank: 2,
        ..LIST
    },
    Type {
        name: "CNKOBJECT",
        c: "NJS_CNK_OBJECT",
        layout: &[
            U32, Ptr, F32, F32, F32, S32, S32, S32, F32, F32, F32, Ptr, Ptr, F32,
        ],
        optional: 1,
        top: Some(Top::Object),
        members: &[
            ("EvalFlags", 0),
            ("CNKModel", 1),
            ("OPosition", 2),
            ("OAngle", 5),
            ("OQuatIm", 5),
            ("OScale", 8),
            ("Child", 11),
            ("Sibling", 12),
            ("OQuatRe", 13),
        ],
        rank: 1,
        ..LIST
    },
    Type {
        name: "TEXTURENAME",
        c: "NJS_TEXNAME",
        layout: &[Ptr, U32, U32],
        rank: 1,
        ..LIST
    },
    Type {
        name: "TEXTURELIST",
        c: "NJS_TEXLIST",
        layout: &[Ptr, U32],
        top: Some(Top::Texlist),
        members: &[("TextureList", 0), ("TextureNum", 1)],
        counts: &[(0, 1)],
        ..LIST
    },
    rows("POSITION", "NJS_MKEY_F", F3),
    rows("ROTATION", "NJS_MKEY_A", &[U32, S32, S32, S32]),
    rows("SROTATION", "NJS_MKEY_SA", &[U16, S16, S16, S16]),
    rows("QROTATION", "NJS_MKEY_QUAT", &[U32, F32, F32, F32, F32]),
    rows("XROTATION", "NJS_MKEY_AX", &[U32, S32, F32, F32, F32]),
    rows("AXEVECT", "NJS_MKEY_AX", &[U32, S32, F32, F32, F32]),
    rows("SCALE", "NJS_MKEY_F", F3),
    rows("SCALE2D", "NJS_MKEY_F2", &[U32, F32, F32]),
    rows("EVENTBITS", "NJS_MKEY_UI16", &[U16, U16]),
    rows("POINTER", "NJS_MKEY_P", &[U32, Ptr]),
    rows("CPOSITION", "NJS_MKEY_F", F3),
    rows("CTARGET", "NJS_MKEY_F", F3),
    rows("CVECTOR", "NJS_MKEY_F", F3),
    rows("CROLL", "NJS_MKEY_SA1", &[U16, S16]),
    rows("CANGLE", "NJS_MKEY_SA1", &[U16, S16]),
    rows("CSPOSITION", "NJS_MKEY_F", F3),
    rows("CSANGLE", "NJS_MKEY_A1", &[U32, S32]),
    rows("CSSCALE", "NJS_MKEY_F2", &[U32, F32, F32]),
    rows("CSCOLOR", "NJS_MKEY_UI32", &[U32, U32]),
    mdata("MDATA1", "NJS_MDATA1", &[Ptr, U32], &[(0, 1)]),
    mdata("MDATA2", "NJS_MDATA2", &[Ptr, Ptr, U32, U32], &[(0, 2), (1, 3)]),
    mdata(
        "MDATA3",
        "NJS_MDATA3",
        &[Ptr, Ptr, Ptr, U32, U32, U32],
        &[(0, 3), (1, 4), (2, 5)],
    ),
    mdata(
        "MDATA4",
        "NJS_MDATA4",
        &[Ptr, Ptr, Ptr, Ptr, U32, U32, U32, U32],
        &[(0, 4), (1, 5), (2, 6), (3, 7)],
    ),
    mdata(
        "MDATA5",
        "NJS_MDATA5",
        &[Ptr, Ptr, Ptr, Ptr, Ptr, U32, U32, U32, U32, U32],
        &[(0, 5), (1, 6), (2, 7), (3, 8), (4, 9)],
    ),
    MOTION,
    Type {
        name: "CSMOTION",
        top: Some(Top::SpriteMotion),
        ..MOTION
    },
    Type {
        name: "ACTION",
        c: "NJS_ACTION",
        layout: &[Ptr, Ptr],
        top: Some(Top::NotInFiles),
        members: &[("ObjectHead", 0), ("Motion", 1)],
        ..LIST
    },
    Type {
        name: "CVLIST",
        c: "NJS_CSHAPECV",
        layout: &[Ptr],
        rank: 2,
        ..LIST
    },
    Type {
        name: "CSHAPEKGLIST",
        c: "NJS_CSHAPE_KEYGROUP",
        layout: &[Ptr, U16, U16],
        rank: 1,
        ..LIST
    },
    Type {
        name: "CSHAPELIST",
        c: "NJS_CSHAPELIST",
        layout: &[Ptr, U32],
        top: Some(Top::ShapeList),
        members: &[("CShapeKgList", 0), ("CShapeNum", 1)],
        counts: &[(0, 1)],
        ..LIST
    },
    rows("CSHAPE", "NJS_MKEY_SHAPEID", &[U32, U32]),
    Type {
        name: "CSHAPEDATA",
        c: "NJS_CSHAPEDATA",
        layout: &[Ptr, U16, U16],
        counts: &[(0, 1)],
        rank: 2,
        ..LIST
    },
    Type {
        name: "CELLLISTNAME",
        c: "NJS_CELL",
        layout: &[
            S16, S16, F32, F32, F32, F32, S16, S16, F32, F32, U32, U32, U32, U32, F32, F32, F32, F32,
        ],
        members: &[
            ("CellTexId", 0),
            ("CellAttr", 1),
            ("CellOffset", 2),
            ("CellSize", 4),
            ("CellZAng", 6),
            ("CellPriority", 7),
            ("CellCenter", 8),
            ("CellVColor0", 10),
            ("CellVColor1", 11),
            ("CellVColor2", 12),
            ("CellVColor3", 13),
            ("CellUV0", 14),
            ("CellUV2", 16),
        ],
        rank: 1,
        ..LIST
    },
    Type {
        name: "CELLSPRITE",
        c: "NJS_CELL_SPRITE",
        layout: &[
            Ptr, S32, F32, F32, F32, S32, F32, F32, F32, F32, F32, F32, F32, F32, F32, F32,
        ],
        // CSSpecular exists only in Ninja2.
        optional: 4,
        top: Some(Top::Sprite),
        members: &[
            ("CellList", 0),
            ("CellNum", 1),
            ("CSPosition", 2),
            ("CSZAngle", 5),
            ("CSScale", 6),
            ("CSDiffuse", 8),
            ("CSSpecular", 12),
        ],
        counts: &[(0, 1)],
        ..LIST
    },
    Type {
        name: "CELLSTREAM",
        c: "NJS_CELL_STREAM",
        layout: &[Ptr, Ptr, S32, S32],
        top: Some(Top::Stream),
        members: &[
            ("CStreamData", 0),
            ("CSCurrent", 1),
            ("CSTimeOffset", 2),
            ("CSTimeMax", 3),
        ],
        ..LIST
    },
];

/// A pair of words that enclose definitions.
#[derive(Debug)]
pub(in crate::ascii) struct Bracket {
    pub(in crate::ascii) open: &'static str,
    pub(in crate::ascii) close: &'static str,
    /// Replacements for C.
    pub(in crate::ascii) c: [&'static str; 2],
}

const fn block(open: &'static str, close: &'static str) -> Bracket {
    let c = ["", ""];
    Bracket { open, close, c }
}

/// Brackets of definitions and cells, then of blocks; C replaces block brackets with empty text.
pub(super) const BRACKETS: &[Bracket] = &[
    Bracket {
        open: "START",
        close: "END",
        c: ["= {", "};"],
    },
    Bracket {
        open: "CELLSTART",
        close: "CELLEND",
        c: ["{", "},"],
    },
    block("CNKOBJECT_START", "CNKOBJECT_END"),
    block("TEXTURE_START", "TEXTURE_END"),
    block("MOTION_START", "MOTION_END"),
    block("CSHAPE_LIST_START", "CSHAPE_LIST_END"),
    block("CSHAPE_MOTION_START", "CSHAPE_MOTION_END"),
    block("CSPRITE_START", "CSPRITE_END"),
    block("CSPRITE_MOTION_START", "CSPRITE_MOTION_END"),
    block("CSTREAM_START", "CSTREAM_END"),
    block("DEFAULT_START", "DEFAULT_END"),
];

const KEYS: &[&str] = &[
    "POSITION",
    "ROTATION",
    "SROTATION",
    "QROTATION",
    "SCALE",
    "SCALE2D",
    "EVENTBITS",
    "CPOSITION",
    "CTARGET",
    "CVECTOR",
    "CROLL",
    "CANGLE",
    "CSPOSITION",
    "CSANGLE",
    "CSSCALE",
    "CSCOLOR",
    "CSHAPEDATA",
];

impl Type {
    /// Types that the pointer at `place` may refer to.
    pub(in crate::ascii) fn targets(&self, place: usize) -> &'static [&'static str] {
        match (self.name, place) {
            ("CNKMODEL", 0) | ("CVLIST", _) => &["VLIST"],
            ("CNKMODEL", _) => &["PLIST"],
            ("CNKOBJECT", 1) => &["CNKMODEL"],
            ("CNKOBJECT", _) | ("ACTION", 0) => &["CNKOBJECT"],
            ("ACTION", _) => &["MOTION"],
            ("TEXTURELIST", _) => &["TEXTURENAME"],
            ("MOTION" | "CSMOTION", _) => &["MDATA1", "MDATA2", "MDATA3", "MDATA4", "MDATA5"],
            ("CSHAPEKGLIST", _) => &["CVLIST"],
            ("CSHAPELIST", _) => &["CSHAPEKGLIST"],
            ("CSHAPEDATA", _) => &["CSHAPE"],
            ("CELLSPRITE", _) => &["CELLLISTNAME"],
            ("CELLSTREAM", _) => &["CELLSTREAMDATA"],
            _ if self.tables().is_some() => KEYS,
            _ => &[],
        }
    }

    /// True if only cameras have keys of this type.
    pub(in crate::ascii) fn is_camera_key(&self) -> bool {
        matches!(
            self.name,
            "CPOSITION" | "CTARGET" | "CVECTOR" | "CROLL" | "CANGLE"
        )
    }
}
