//! The Ninja runtime: object trees to tile accelerator input.
//!
//! [`draw`] walks an [`ninja::ObjectTree`] as the original library does: matrices down the tree, vertex lists into one
//! shared vertex buffer, polygon lists as differences of material and texture, strips out as 32-byte parameters. Every
//! number that the picture depends on comes from [`sh4_kernels::Kernels`]; what is left here is the walk.

mod camera;
mod cells;
mod clip;
mod corners;
mod cull;
mod descent;
mod draw;
mod error;
mod header;
mod light;
mod material;
pub mod matrix;
mod motion;
mod object;
mod output;
mod plist;
mod pose;
mod settings;
mod shading;
mod shape;
mod strips;
mod texture;
mod vertex_buffer;
mod vertices;
mod volumes;

pub use camera::{Camera, FreeCamera, Viewport};
pub use cells::{
    CellSprite, CellStats, CellStream, CellWarning, CellWarnings, CellWords, Event, Events, MAX_STREAMS,
    NotDrawn, SpriteMotion, SpriteSpace, SpriteValue, StreamError, StreamId, StreamList, draw_sprite_2d,
    draw_sprite_3d,
};
pub use draw::{Stats, View, draw};
pub use error::{SceneError, Warning};
pub use light::{Light, Lights, Range, Source};
pub use motion::{
    CameraMotion, LastKey, LightMotion, Link, Motion, MotionError, MotionWarning, PlayMode, Playback,
    frame_of_fixed,
};
pub use object::{Object, Scene};
pub use output::TaLists;
pub use pose::{NodePose, Pose, Rotation};
pub use settings::{
    BitsChunks, CellSettings, ColourMode, EntryBurst, EventRate, Highlight, IdleStream, PRESETS, PlayChoice,
    PlaySwitch, PunchThrough, QuadForm, RepeatSpan, SettingError, Settings, Shadows, SplineAngles,
    StampLength, StampRule, StreamSettings, TimeRepeat, Trilinear, VolumeLists, VolumeQuads, Volumes,
};
pub use sh4_kernels::{Kernels, Reference};
pub use shape::{ShapeError, ShapeFault, ShapeMotion, ShapeWarning, Shapes};
pub use texture::{BoundTexture, Textures};
pub use vertex_buffer::SLOTS;
pub use vertices::{Slots, vertices};
pub use volumes::volume_triangles;
