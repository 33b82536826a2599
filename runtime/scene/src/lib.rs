//! The Ninja runtime: it converts object trees, motions and cell sprites to tile accelerator input.
//!
//! [`draw`] traverses an [`ninja::ObjectTree`]. It computes matrices down the tree, stores vertex lists in
//! one shared vertex buffer, and applies polygon lists as changes of material and texture. It sends strips as
//! 32-byte parameters. [`sh4_kernels::Kernels`] computes every number that affects the image. [`Settings`]
//! names every uncertain rule of drawing and playing.
//!
//! ```
//! use ninja::{Bams, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk, StripEntry, StripFlags, StripKind};
//! use ninja::{StripSource, Vertex, VertexChunk, VertexKind, Vlist};
//! use scene::{BoundTexture, Camera, Lights, Pose, Reference, Settings, Shapes, TaLists, Textures, View, Viewport};
//!
//! // A model of one triangle.
//! let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
//! let vertices = corners.map(|position| Vertex { position, ..Vertex::default() });
//! let entries = (0..3).map(|index| StripEntry { index, ..StripEntry::default() }).collect();
//! let strip = StripSource { reversed: false, entries };
//! let strips = StripChunk::build(StripKind::Cs, StripFlags(0), &[strip])?;
//! let mut tree = ObjectTree::new();
//! let vlist = tree.push_vlist(Vlist { chunks: vec![VertexChunk::build(VertexKind::Cv, 0, 0, &vertices)?] });
//! let plist = tree.push_plist(Plist { chunks: vec![PolyChunk::Strip(strips)] });
//! let model = Model { vlist: Some(vlist), plist: Some(plist), center: [0.0; 3], radius: 2.0 };
//! let model = Some(tree.push_model(model));
//! tree.push_object(Object { model, ..Object::default() });
//!
//! // Ten units in front of the camera, on a screen of 640 by 480 pixels.
//! let camera = Camera { target: [0.0; 3], yaw: Bams(0), pitch: Bams(0), distance: 10.0, roll: Bams(0) };
//! let checker = BoundTexture { word: pvr::TextureWord(0), width: 8, height: 8 };
//! let view = View {
//!     camera,
//!     viewport: Viewport::new(640, 480, 1.0, 0.5),
//!     lights: Lights::default(),
//!     textures: Textures { bound: Vec::new(), checker },
//!     settings: Settings::default(),
//! };
//! let mut lists = TaLists::default();
//! let stats = scene::draw(&tree, &Pose::rest(&tree), &Shapes::none(), &view, &mut Reference, &mut lists)?;
//! assert_eq!((stats.strips, stats.triangles), (1, 1));
//! // A polygon header, three vertex parameters, the end of the list.
//! assert_eq!(lists.blocks().len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod camera;
mod cells;
mod clip;
mod corners;
mod cull;
mod descent;
mod draw;
mod error;
mod geometry;
mod header;
mod light;
mod limits;
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
mod turn;
mod vertex_buffer;
mod vertices;
mod volumes;

pub use crate::settings::{
    BitsChunks, CellSettings, ColourMode, EntryBurst, EventRate, Highlight, IdleStream, MotionBreak,
    MotionOrder, PRESETS, Preset, PunchThrough, QuadForm, RepeatSpan, SettingError, Settings, Shadows,
    SplineAngles, StampLength, StampRule, StreamSettings, Table, TimeRepeat, Trilinear, VolumeLists,
    VolumeQuads, Volumes,
};
pub use camera::{Camera, FreeCamera, Viewport};
pub use cells::{
    CellSprite, CellStats, CellStream, CellWarning, CellWarnings, CellWords, Event, Events, MAX_STREAMS,
    NotDrawn, SpriteMotion, SpriteSpace, SpriteValue, StreamError, StreamId, StreamList, draw_sprite_2d,
    draw_sprite_3d,
};
pub use draw::{Stats, View, draw};
pub use error::{SceneError, Warning};
pub use geometry::{Geometry, GeometryTriangle};
pub use light::{Light, Lights, Range, Source};
pub use limits::LIMITS;
pub use motion::{
    CameraMotion, LastKey, LightMotion, Link, Motion, MotionError, MotionWarning, PlayMode, Playback,
    frame_of_fixed,
};
pub use object::{Object, Scene};
pub use output::TaLists;
pub use pose::{NodePose, Pose, Rotation};
pub use sh4_kernels::{Kernels, Reference};
pub use shape::{ShapeError, ShapeFault, ShapeMotion, ShapeWarning, Shapes};
pub use texture::{BoundTexture, Textures};
pub use vertex_buffer::SLOTS;
pub use vertices::{Slots, vertices};
pub use volumes::volume_triangles;
