//! The switches: one block each, with the specification's choice and the original library's.

use super::switch::switches;
use super::{PlayChoice, PlaySwitch};
use pvr::settings::Confidence;

switches! {
    /// The base of a highlight's power.
    Highlight "highlight" highlight: Low,
    HalfWay "silent: docs/formats/chunk-model.md 3.7 gives the exponent alone",
    HalfWay "unknown" {
        /// The cosine between normal and half-way vector (Blinn).
        HalfWay = "half-way",
        /// The cosine between view and reflected light (Phong).
        Reflected = "reflected",
        /// No highlights.
        Off = "off",
    }

    /// The effect of chunks that change mipmap adjust (CB_DA) or specular exponent (CB_EXP) alone.
    BitsChunks "bits" bits: Good,
    Applied "docs/formats/chunk-model.md 3.5: CB_EXP is used where the exponent alone changes, CB_DA sets the adjust",
    Skipped "its drawing code skips both chunks" {
        /// They change the exponent or the mipmap adjust.
        Applied = "applied",
        /// They have no effect.
        Skipped = "skipped",
    }

    /// The volume chunks that are drawn as modifier volumes.
    Volumes "volumes" volumes: Medium,
    Original "docs/formats/chunk-model.md 3.9: CO_P3 serves as modifier volume, CO_P4 and CO_ST for collision only; \
        silent about which CO_P3",
    Original "it draws CO_P3 of models whose first vertex chunk is plain CV" {
        /// Triangles (CO_P3) of models whose first vertex chunk is plain CV.
        Original = "original",
        /// Triangles, quadrilaterals and strips of every model.
        All = "all",
        /// None.
        Off = "off",
    }

    /// The order of the four corners of a CO_P4 polygon.
    VolumeQuads "volume-quads" volume_quads: Medium,
    Around "docs/formats/chunk-model.md 3.9: index0, index1, index2, index3 are an independent quadrilateral",
    Around "it never draws them" {
        /// Around the quadrilateral.
        Around = "around",
        /// As in a strip of two triangles: 0 1 2, 2 1 3.
        Strip = "strip",
    }

    /// The polygons that modifier volumes reach.
    VolumeLists "volume-lists" volume_lists: Low,
    Both "silent",
    Both "unknown" {
        /// Opaque and translucent ones, with them the second pass of trilinear filtering.
        Both = "both",
        /// Opaque ones.
        Opaque = "opaque",
    }

    /// Strips with trilinear filter A. The chip filters one of the two mipmap levels a pass.
    Trilinear "trilinear" trilinear: Medium,
    AllPasses "docs/formats/chunk-model.md 3.6: FFM_TF filters trilinearly",
    AllPasses "unknown" {
        /// All passes: A and, added, B; translucent ones through the secondary accumulation buffer.
        AllPasses = "all-passes",
        /// One pass with the filter of the file, for files that hold their second pass themselves.
        AsWritten = "as-written",
    }

    /// The angles of motions whose interpolation is a spline, of models, cameras, lights and sprites.
    SplineAngles "spline-angles" spline_angles: Medium,
    Spline "docs/formats/compact-shape.md 2.1: inp_fn gives one method for all elements of a motion",
    Linear "it takes a control word that no known function sets, and goes straight from key to key without" {
        /// They follow the spline (Catmull-Rom), as positions do.
        Spline = "spline",
        /// They go straight from key to key.
        Linear = "linear",
    }

    /// The effect of BREAK on the children of a node while a motion plays.
    MotionBreak "motion-break" motion_break: Medium,
    Stops "docs/formats/chunk-model.md 2: children of a node with BREAK are not visited",
    Ignored "it visits them while a motion plays" {
        /// They are not drawn. They still take their entries of the motion.
        Stops = "stops",
        /// They are drawn.
        Ignored = "ignored",
    }

    /// The order of a node's angles while a motion plays.
    MotionOrder "motion-order" motion_order: Medium,
    Node "docs/formats/chunk-model.md 2: ZXY_ANG is a flag of each node",
    Root "the root's flag decides for all nodes that take an entry" {
        /// By the flag ZXY_ANG of the node.
        Node = "node",
        /// By the flag ZXY_ANG of the root, for all nodes that take an entry of the motion.
        Root = "root",
    }

    /// The moment at which the chunks of a time stamp run.
    StampRule "stamps" streams.stamps: Medium,
    Reached "docs/formats/cell-sprite.md 4, step 3: when the time equals the waiting stamp's, its data up to the next \
        stamp run, and the next stamp waits",
    Held "it applies the stamp that holds at the present time anew in every step" {
        /// Once, when the stamp's time is reached. Stamps that a step passes run too, in the order of time.
        Reached = "reached",
        /// In each step in which the stamp is the last one not after the time. Stamps that a step passes do
        /// not run.
        Held = "held",
    }

    /// The effect of a stream without a current stamp on the cells where `stamps` is `held`: before its
    /// offset, or after its end. With `reached` it leaves them alone.
    IdleStream "idle-stream" streams.idle: Good,
    Keeps "docs/formats/cell-sprite.md 2: outside timeoffset to timemax + timeoffset nothing is animated",
    Restores "it copies all base cells over the work buffer" {
        /// It leaves them alone.
        Keeps = "keeps",
        /// All cells become those of the sprite again, which undoes earlier streams of the list.
        Restores = "restores",
    }

    /// The chunks that belong to a time stamp.
    StampLength "stamp-length" streams.length: Medium,
    Whole "docs/formats/cell-sprite.md 4, step 3: the data up to the next stamp",
    Counted "it runs the number of words that the stamp gives" {
        /// All up to the next stamp.
        Whole = "whole",
        /// The number of words that the stamp gives.
        Counted = "counted",
    }

    /// The delivery of user events where `stamps` is `held`. With `reached` each is delivered once.
    EventRate "events" streams.events: Good,
    OncePerStamp "docs/formats/cell-sprite.md 4, step 3: a stamp's data run once",
    EveryStep "it applies the current stamp in every step" {
        /// When the stamp becomes current, once in each repetition.
        OncePerStamp = "once",
        /// In every step in which the stamp is current.
        EveryStep = "every-step",
    }

    /// What a cell without NJD_FCA_TR stops outside the first run of a pattern.
    TimeRepeat "time-repeat" streams.repeat: Good,
    Cell "docs/formats/cell-sprite.md 2: NJD_FCA_TR is an attribute of each cell, and repeats the cell's animation",
    Stamp "the rest of the stamp is skipped; bursts to an address and events do not test the flag" {
        /// The writes to that cell. Events repeat if one of the stream's cells repeats.
        Cell = "cell",
        /// Its chunk and the rest of the stamp.
        Stamp = "stamp",
    }

    /// The side of its first run on which a pattern repeats.
    RepeatSpan "repeat-span" streams.span: Good,
    Both "docs/formats/cell-sprite.md 5: FCA_TR repeats the period at all other times, the set span being the centre",
    After "nothing happens before a stream's offset" {
        /// Before its offset and after its end.
        Both = "both",
        /// After its end.
        After = "after",
    }

    /// The reach of a burst to a cell (CBC_ED).
    EntryBurst "entry-burst" streams.entry_burst: Good,
    Cell "docs/formats/cell-sprite.md 3.11: a write over several cells is not possible",
    Buffer "it copies without a check" {
        /// A burst that would leave its cell is an error, and without effect.
        Cell = "cell",
        /// It goes on into the cells behind.
        Buffer = "buffer",
    }

    /// The punch-through attribute of a cell.
    PunchThrough "punch-through" cells.punch_through: Medium,
    List "docs/formats/cell-sprite.md 2: NJD_FCA_PT draws the texture punch-through",
    Ignored "the library of Ninja1 does not read it" {
        /// The cell goes to the punch-through list, even if its texture has alpha.
        List = "list",
        /// No effect.
        Ignored = "ignored",
    }

    /// The parameters that a cell becomes. `exact` shows the same as `strips`.
    QuadForm "cell-form" cells.form: Good,
    Exact "silent",
    Exact "unknown" {
        /// A sprite where it shows the same: four equal colours, and texture coordinates that survive 16
        /// bits. Else a strip.
        Exact = "exact",
        /// A sprite wherever the four colours agree; texture coordinates are cut to 16 bits (8 significant
        /// ones).
        Sprites = "sprites",
        /// Always a strip of two triangles.
        Strips = "strips",
    }
}
