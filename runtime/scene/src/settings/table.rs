//! Table of the settings, one block each. The first choice is the specification's.

use super::{ColourMode, PRESETS, Shadows};

settings::settings! {
    /// Rules by which models and cell sprites are played and drawn.
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
    section "silent: docs/formats/chunk-model.md 3.7 gives the exponent alone",
    "unknown" {
        /// The cosine between normal and half-way vector (Blinn).
        HalfWay = "half-way",
        /// The cosine between view and reflected light (Phong).
        Reflected = "reflected",
        /// No highlights.
        Off = "off",
    }

    /// The effect of chunks that change mipmap adjust (CB_DA) or specular exponent (CB_EXP) alone.
    BitsChunks bits: High,
    section "docs/formats/chunk-model.md 3.5: CB_EXP is used where the exponent alone changes, CB_DA sets \
    the adjust",
    "its drawing code skips both chunks" {
        /// They change the exponent or the mipmap adjust.
        Applied = "applied",
        /// They have no effect.
        Skipped = "skipped",
    }

    /// The volume chunks that are drawn as modifier volumes.
    Volumes volumes: Medium,
    section "docs/formats/chunk-model.md 3.9: CO_P3 serves as modifier volume, CO_P4 and CO_ST for \
    collision only; silent about which CO_P3",
    "it draws CO_P3 of models whose first vertex chunk is plain CV" {
        /// Triangles (CO_P3) of models whose first vertex chunk is plain CV.
        Original = "original",
        /// Triangles, quadrilaterals and strips of every model.
        All = "all",
        /// None.
        Off = "off",
    }

    /// The order of the four corners of a CO_P4 polygon.
    VolumeQuads "volume-quads" volume_quads: Medium,
    section "docs/formats/chunk-model.md 3.9: index0, index1, index2, index3 are an independent \
    quadrilateral",
    "it never draws them" {
        /// Around the quadrilateral.
        Around = "around",
        /// As in a strip of two triangles: 0 1 2, 2 1 3.
        Strip = "strip",
    }

    /// The polygons that modifier volumes reach.
    VolumeLists "volume-lists" volume_lists: Low,
    section "silent",
    "unknown" {
        /// Opaque and translucent ones, with them the second pass of trilinear filtering.
        Both = "both",
        /// Opaque ones.
        Opaque = "opaque",
    }

    /// Strips with trilinear filter A. The chip filters one of the two mipmap levels a pass.
    Trilinear trilinear: Medium,
    section "docs/formats/chunk-model.md 3.6: FFM_TF filters trilinearly",
    "unknown" {
        /// All passes: A and, added, B; translucent ones through the secondary accumulation buffer.
        AllPasses = "all-passes",
        /// One pass with the filter of the file, for files that hold their second pass themselves.
        AsWritten = "as-written",
    }

    /// The angles of motions whose interpolation is a spline, of models, cameras, lights and sprites.
    SplineAngles "spline-angles" spline_angles: Medium,
    section "docs/formats/compact-shape.md 2.1: inp_fn gives one method for all elements of a motion",
    "it takes a control word that no known function sets, and goes straight from key to key without" {
        /// They follow the spline (Catmull-Rom), as positions do.
        Spline = "spline",
        /// They go straight from key to key.
        Linear = "linear",
    }

    /// The effect of BREAK on the children of a node while a motion plays.
    MotionBreak "motion-break" motion_break: Medium,
    section "docs/formats/chunk-model.md 2: children of a node with BREAK are not visited",
    "it visits them while a motion plays" {
        /// They are not drawn. They still take their entries of the motion.
        Stops = "stops",
        /// They are drawn.
        Ignored = "ignored",
    }

    /// The order of a node's angles while a motion plays.
    MotionOrder "motion-order" motion_order: Medium,
    section "docs/formats/chunk-model.md 2: ZXY_ANG is a flag of each node",
    "the root's flag decides for all nodes that take an entry" {
        /// By the flag ZXY_ANG of the node.
        Node = "node",
        /// By the flag ZXY_ANG of the root, for all nodes that take an entry of the motion.
        Root = "root",
    }

    parts:
    /// Playing of cell streams.
    streams: StreamSettings;
    /// Drawing of cells.
    cells: CellSettings;

    rest:
    /// The effect of modifier volumes on the polygons inside them.
    shadows: Shadows;
    /// The form in which the colours of lit strips are sent.
    colours: ColourMode;
    /// Leave out models whose bounding sphere is out of sight. The runtime culls only where the picture stays
    /// the same. Nodes with the CLIP flag are culled with their children whatever this says.
    cull: bool = true;

    presets PRESETS;
}

settings::settings! {
    /// Playing of cell streams.
    pub struct StreamSettings;

    choices:
    /// The moment at which the chunks of a time stamp run.
    StampRule stamps: Medium,
    section "docs/formats/cell-sprite.md 4, step 3: when the time equals the waiting stamp's, its data up \
    to the next stamp run, and the next stamp waits",
    "it applies the stamp that holds at the present time anew in every step" {
        /// Once, when the stamp's time is reached. Stamps that a step passes run too, in the order of time.
        Reached = "reached",
        /// In each step in which the stamp is the last one not after the time. Stamps that a step passes do
        /// not run.
        Held = "held",
    }

    /// The effect of a stream without a current stamp on the cells where `stamps` is `held`: before its
    /// offset, or after its end. With `reached` it leaves them alone.
    IdleStream "idle-stream" idle: High,
    section "docs/formats/cell-sprite.md 2: outside timeoffset to timemax + timeoffset nothing is animated",
    "it copies all base cells over the work buffer" {
        /// It leaves them alone.
        Keeps = "keeps",
        /// All cells become those of the sprite again, which undoes earlier streams of the list.
        Restores = "restores",
    }

    /// The chunks that belong to a time stamp.
    StampLength "stamp-length" length: Medium,
    section "docs/formats/cell-sprite.md 4, step 3: the data up to the next stamp",
    "it runs the number of words that the stamp gives" {
        /// All up to the next stamp.
        Whole = "whole",
        /// The number of words that the stamp gives.
        Counted = "counted",
    }

    /// The delivery of user events where `stamps` is `held`. With `reached` each is delivered once.
    EventRate events: High,
    section "docs/formats/cell-sprite.md 4, step 3: a stamp's data run once",
    "it applies the current stamp in every step" {
        /// When the stamp becomes current, once in each repetition.
        OncePerStamp = "once",
        /// In every step in which the stamp is current.
        EveryStep = "every-step",
    }

    /// What a cell without NJD_FCA_TR stops outside the first run of a pattern.
    TimeRepeat "time-repeat" repeat: High,
    section "docs/formats/cell-sprite.md 2: NJD_FCA_TR is an attribute of each cell, and repeats the cell's \
    animation",
    "the rest of the stamp is skipped; bursts to an address and events do not test the flag" {
        /// The writes to that cell. Events repeat if one of the stream's cells repeats.
        Cell = "cell",
        /// Its chunk and the rest of the stamp.
        Stamp = "stamp",
    }

    /// The side of its first run on which a pattern repeats.
    RepeatSpan "repeat-span" span: High,
    section "docs/formats/cell-sprite.md 5: FCA_TR repeats the period at all other times, the set span \
    being the centre",
    "nothing happens before a stream's offset" {
        /// Before its offset and after its end.
        Both = "both",
        /// After its end.
        After = "after",
    }

    /// The reach of a burst to a cell (CBC_ED).
    EntryBurst "entry-burst" entry_burst: High,
    section "docs/formats/cell-sprite.md 3.11: a write over several cells is not possible",
    "it copies without a check" {
        /// A burst that would leave its cell is an error, and without effect.
        Cell = "cell",
        /// It goes on into the cells behind.
        Buffer = "buffer",
    }
}

settings::settings! {
    /// Drawing of cells.
    pub struct CellSettings;

    choices:
    /// The punch-through attribute of a cell.
    PunchThrough "punch-through" punch_through: Medium,
    section "docs/formats/cell-sprite.md 2: NJD_FCA_PT draws the texture punch-through",
    "the library of Ninja1 does not read it" {
        /// The cell goes to the punch-through list, even if its texture has alpha.
        List = "list",
        /// No effect.
        Ignored = "ignored",
    }

    /// The parameters that a cell becomes. `exact` shows the same as `strips`.
    QuadForm "cell-form" form: High,
    section "silent",
    "unknown" {
        /// A sprite where it shows the same: four equal colours, and texture coordinates that survive 16
        /// bits. Else a strip.
        Exact = "exact",
        /// A sprite wherever the four colours agree; texture coordinates are cut to 16 bits (8 significant
        /// ones).
        Sprites = "sprites",
        /// Always a strip of two triangles.
        Strips = "strips",
    }

    rest:
    /// Texture filter. Cells have no flag for it, the original library takes it from its state. Default:
    /// bilinear.
    filter: pvr::Filter = pvr::Filter::Bilinear;
}
