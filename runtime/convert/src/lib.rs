//! Artist files to Ninja: an FBX scene becomes a chunk model, motions, CompactShapes and textures.
//!
//! ```no_run
//! let bytes = std::fs::read("model.fbx")?;
//! let conversion = convert::convert(&bytes, &convert::Options::default(), &mut |_| None)?;
//! std::fs::write("model.nj", conversion.model.write()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a scene: `source` reads the file (the only module that knows ufbx) into plain data; `nodes`
//! decides which nodes stay and where scale goes; `mesh` turns polygons into welded vertices and corners;
//! `skin` gives vertices to bones and slots of the vertex buffer; `strip` makes strips; `emit` writes the
//! object tree; `motion` and `shape` sample the animation. `check` evaluates what was written and holds it
//! against the source.
//!
//! Space: right-handed, y up, counter-clockwise faces in front, as Ninja has it (docs/formats/ninja.md, 1.7,
//! 2.1).

mod check;
mod dual;
mod emit;
mod error;
mod export;
mod math;
mod mesh;
mod motion;
mod nodes;
mod notices;
mod onto;
mod options;
mod parts;
mod play;
mod report;
mod search;
mod settings;
mod shape;
mod skin;
mod source;
mod strip;
mod texture;
mod views;

mod convert;
mod limits;

pub use check::{Checked, Deviation, Evaluator, Held, Plain, VolumeCheck, Wanted, Written, checked_frames};
pub use convert::{Conversion, MotionFile, Positions, convert};
pub use error::{Error, Warning};
pub use export::{Counts, ExportOptions, Exported, export};
pub use limits::LIMITS;
pub use onto::{JointRow, Retargeted, Skeleton, onto};
pub use options::{
    Ambient, AngleBits, Keep, Normals, Options, QuadOrder, Rotation, SceneFormat, Specular, Stacks, UvKind,
};
pub use report::{Loss, MotionRow, NodeRow, Report, StripCount, TextureRow};
pub use search::Search;
pub use settings::{Sidecar, SidecarError};
pub use texture::{read_picture, read_picture_within};
pub use views::{ViewFile, ViewRow};
