//! Converts FBX, glTF and OBJ scenes to Ninja chunk models, motions, CompactShapes and textures.
//!
//! ```no_run
//! let bytes = std::fs::read("model.fbx")?;
//! let conversion = convert::convert(&bytes, &convert::Options::default(), &mut |_| None)?;
//! std::fs::write("model.nj", conversion.model.write()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Steps of a conversion: `source` reads the file into plain data (no other module knows ufbx). `nodes`
//! selects the nodes and decides where scale goes. `mesh` turns polygons into welded vertices and corners.
//! `skin` assigns vertices to bones and to slots of the vertex buffer. `strip` makes strips, and `emit`
//! writes the object tree. `motion` and `shape` sample the animation. `check` plays the written files and
//! compares them with the source.
//!
//! The coordinate system is right-handed with y up and counter-clockwise front faces, as in Ninja
//! (docs/formats/ninja.md, 1.7, 2.1).

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
pub use texture::{picture_size, read_picture, read_picture_within};
pub use views::{ViewFile, ViewRow};
