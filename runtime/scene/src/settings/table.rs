//! Table of the settings, with one block for each. The first choice in a block follows the specification.

use super::{ColourMode, PRESETS, Shadows};

settings::settings! {
    /// Rules for playing and drawing models and cell sprites.
    ///
    /// ```
    /// use scene::{IdleStream, Settings, Table};
    ///
    /// let mut settings = Settings::default();
    /// settings.set_preset("original")?;
    /// assert_eq!(settings.streams.idle, IdleStream::Restores);
    /// settings.set("idle-stream", "keeps")?;
    /// assert_eq!(settings.streams.idle, IdleStream::Keeps);
    /// let error = settings.set("idle-stream", "waits").unwrap_err();
    /// assert_eq!(error.to_string(), "idle-stream: found 'waits', expected one of keeps, restores");
    /// # Ok::<(), scene::SettingError>(())
    /// ```
    pub struct Settings;

    choices:
    /// The base of a highlight's power.
    Highlight highlight: Low,
    section "silent: docs/formats/chunk-model.md 3.7 gives only the exponent",
    "unknown" {
        /// The cosine between normal and half-way vector (Blinn).
        HalfWay = "half-way",
        /// The cosine between view and reflected light (Phong).
        Reflected = "reflected",
        /// No highlights.
        Off = "off",
    }

    /// Effect of chunks that change only the mipmap adjust (CB_DA) or only the specular exponent (CB_EXP).
    BitsChunks bits: High,
    section "docs/formats/chunk-model.md 3.5: CB_EXP is used where only the exponent changes, CB_DA sets \
    the adjust",
    "its drawing code skips both chunks" {
        /// The chunks change the exponent or the mipmap adjust.
        Applied = "applied",
        /// The chunks have no effect.
        Skipped = "skipped",
    }

    /// Volume chunks that are drawn as modifier volumes.
    Volumes volumes: Medium,
    section "docs/formats/chunk-model.md 3.9: CO_P3 serves as modifier volume, CO_P4 and CO_ST for \
    collision only; silent about which CO_P3",
    "it draws CO_P3 of models with a plain CV as their first vertex chunk" {
        /// Triangles (CO_P3) of models with a plain CV as their first vertex chunk.
        Original = "original",
        /// Triangles, quadrilaterals and strips of every model.
        All = "all",
        /// None.
        Off = "off",
    }

    /// Order of the four corners of a CO_P4 polygon.
    VolumeQuads "volume-quads" volume_quads: Medium,
    section "docs/formats/chunk-model.md 3.9: index0, index1, index2, index3 are an independent \
    quadrilateral",
    "it never draws them" {
        /// In order around the quadrilateral.
        Around = "around",
        /// In strip order, as two triangles: 0 1 2, 2 1 3.
        Strip = "strip",
    }

    /// Polygons that modifier volumes affect.
    VolumeLists "volume-lists" volume_lists: Low,
    section "silent",
    "unknown" {
        /// Opaque and translucent polygons, including the second pass of trilinear filtering.
        Both = "both",
        /// Only opaque polygons.
        Opaque = "opaque",
    }

    /// Passes for strips with trilinear filter A. The chip filters one of the two mipmap levels in each pass.
    Trilinear trilinear: Medium,
    section "docs/formats/chunk-model.md 3.6: FFM_TF filters trilinearly",
    "unknown" {
        /// All passes: A, then B added to it. Translucent strips use the secondary accumulation buffer.
        AllPasses = "all-passes",
        /// One pass with the filter of the file, for files that contain the second pass themselves.
        AsWritten = "as-written",
    }

    /// Interpolation of angles in spline motions of models, cameras, lights and sprites.
    SplineAngles "spline-angles" spline_angles: Medium,
    section "docs/formats/compact-shape.md 2.1: inp_fn gives one method for all elements of a motion",
    "it takes a control word that no known function sets, and interpolates linearly without it" {
        /// Angles follow the spline (Catmull-Rom), like positions.
        Spline = "spline",
        /// Angles are interpolated linearly between keys.
        Linear = "linear",
    }

    /// Effect of BREAK on the children of a node while a motion plays.
    MotionBreak "motion-break" motion_break: Medium,
    section "docs/formats/chunk-model.md 2: children of a node with BREAK are not visited",
    "it visits them while a motion plays" {
        /// The children are not drawn, but still use their entries of the motion.
        Stops = "stops",
        /// The children are drawn.
        Ignored = "ignored",
    }

    /// Order of a node's angles while a motion plays.
    MotionOrder "motion-order" motion_order: Medium,
    section "docs/formats/chunk-model.md 2: ZXY_ANG is a flag of each node",
    "the root's flag decides for all nodes with an entry" {
        /// The flag ZXY_ANG of the node decides.
        Node = "node",
        /// The flag ZXY_ANG of the root decides for all nodes with an entry of the motion.
        Root = "root",
    }

    parts:
    /// Playing of cell streams.
    streams: StreamSettings;
    /// Drawing of cells.
    cells: CellSettings;

    rest:
    /// Effect of modifier volumes on the polygons inside them.
    shadows: Shadows;
    /// Encoding of the colours of lit strips.
    colours: ColourMode;
    /// Omits models with a bounding sphere out of sight, if this does not change the picture. Nodes with the
    /// CLIP flag are always culled, together with their children.
    cull: bool = true;

    presets PRESETS;
}

settings::settings! {
    /// Playing of cell streams.
    pub struct StreamSettings;

    choices:
    /// Time at which the chunks of a time stamp run.
    StampRule stamps: Medium,
    section "docs/formats/cell-sprite.md 4, step 3: when the time equals the waiting stamp's, its data up \
    to the next stamp run, and the next stamp waits",
    "it applies the current stamp again in every step" {
        /// Once, when the stamp's time is reached. If a step passes several stamps, all run in order of time.
        Reached = "reached",
        /// In every step, for the current stamp: the last one that is not later than the time. Stamps that a
        /// step passes do not run.
        Held = "held",
    }

    /// Effect of a stream on the cells before its offset and after its end, if `stamps` is `held`. With
    /// `reached` it does not change them.
    IdleStream "idle-stream" idle: High,
    section "docs/formats/cell-sprite.md 2: only timeoffset to timemax + timeoffset is animated",
    "it copies all base cells over the work buffer" {
        /// The cells do not change.
        Keeps = "keeps",
        /// All cells are reset to the sprite's, which undoes earlier streams of the list.
        Restores = "restores",
    }

    /// Chunks that belong to a time stamp.
    StampLength "stamp-length" length: Medium,
    section "docs/formats/cell-sprite.md 4, step 3: the data up to the next stamp",
    "it runs the number of words that the stamp gives" {
        /// All chunks up to the next stamp.
        Whole = "whole",
        /// The number of words stated by the stamp.
        Counted = "counted",
    }

    /// Delivery of user events if `stamps` is `held`. With `reached`, each event is delivered once.
    EventRate events: High,
    section "docs/formats/cell-sprite.md 4, step 3: a stamp's data run once",
    "it applies the current stamp in every step" {
        /// When the stamp becomes current, once in each repetition.
        OncePerStamp = "once",
        /// In every step in which the stamp is current.
        EveryStep = "every-step",
    }

    /// Writes that a cell without NJD_FCA_TR blocks outside the first run of a pattern.
    TimeRepeat "time-repeat" repeat: High,
    section "docs/formats/cell-sprite.md 2: NJD_FCA_TR is an attribute of each cell, and repeats the cell's \
    animation",
    "the rest of the stamp is skipped; bursts to an address and events do not test the flag" {
        /// The writes to that cell. Events repeat if one of the stream's cells repeats.
        Cell = "cell",
        /// The chunk for that cell, and the rest of the stamp.
        Stamp = "stamp",
    }

    /// Times at which a pattern repeats, relative to its first run.
    RepeatSpan "repeat-span" span: High,
    section "docs/formats/cell-sprite.md 5: FCA_TR repeats the period at all other times, the set span \
    being the centre",
    "a stream has no effect before its offset" {
        /// Before the pattern's offset and after its end.
        Both = "both",
        /// After the pattern's end.
        After = "after",
    }

    /// Limit of a burst to a cell (CBC_ED).
    EntryBurst "entry-burst" entry_burst: High,
    section "docs/formats/cell-sprite.md 3.11: a write over several cells is not possible",
    "it copies without a check" {
        /// A burst past the end of its cell is an error and has no effect.
        Cell = "cell",
        /// The burst continues into the following cells.
        Buffer = "buffer",
    }
}

settings::settings! {
    /// Drawing of cells.
    pub struct CellSettings;

    choices:
    /// Effect of a cell's punch-through attribute.
    PunchThrough "punch-through" punch_through: Medium,
    section "docs/formats/cell-sprite.md 2: NJD_FCA_PT draws the texture punch-through",
    "the library of Ninja1 does not read it" {
        /// The cell goes to the punch-through list, even if its texture has alpha.
        List = "list",
        /// The attribute has no effect.
        Ignored = "ignored",
    }

    /// Parameters that represent a cell. `exact` and `strips` give the same picture.
    QuadForm "cell-form" form: High,
    section "silent",
    "unknown" {
        /// A sprite if it gives the same picture as a strip, otherwise a strip. It requires four equal
        /// colours and texture coordinates that fit into 16 bits exactly.
        Exact = "exact",
        /// A sprite if the four colours are equal. Texture coordinates are truncated to 16 bits (8
        /// significant bits).
        Sprites = "sprites",
        /// Always a strip of two triangles.
        Strips = "strips",
    }

    rest:
    /// Texture filter. Cells have no flag for it; the original library uses its current state. Default:
    /// bilinear.
    filter: pvr::Filter = pvr::Filter::Bilinear;
}
