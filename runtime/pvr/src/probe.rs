//! Depth tests, volumes and blends at single pixels, for tools: see [`crate::Pvr::render_probed`] and
//! [`crate::Pvr::inspect`].
//!
//! Events come pixel by pixel for each stage of a region entry, in the order in which the chip works: opaque
//! primitives, their modifier volumes, the opaque shade, punch-through candidates near to far, translucent
//! layers far to near.

use crate::param::{DepthMode, IspWord, ListType, TextureWord, TspWord};

/// The kind of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The background plane (ISP_BACKGND_T).
    Background,
    /// A triangle.
    Triangle,
    /// A sprite of four corners.
    Sprite,
}

/// A primitive: a triangle, a sprite or the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Polygon {
    /// Byte address of its ISP word in the 32-bit area.
    pub address: u32,
    /// Place in its strip.
    pub triangle: u32,
    /// What it is.
    pub shape: Shape,
    /// ISP word.
    pub isp: IspWord,
    /// TSP word of volume 0.
    pub tsp: TspWord,
    /// Texture word of volume 0.
    pub tcw: TextureWord,
}

/// The pixel and region entry of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Column of the screen.
    pub x: u32,
    /// Row of the screen.
    pub y: u32,
    /// Number of the entry in the region array.
    pub entry: usize,
}

/// A primitive that covers the pixel was held against the stored depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthTest {
    /// Its list.
    pub list: ListType,
    /// The primitive.
    pub polygon: Polygon,
    /// The comparison in force; sorted lists have their own.
    pub mode: DepthMode,
    /// 1/W of the primitive.
    pub depth: f32,
    /// 1/W stored before.
    pub stored: f32,
    /// Whether it passed. An opaque primitive that passed may still be covered by a later one.
    pub passed: bool,
}

/// A triangle of a modifier volume that covers the pixel was held against a depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeTest {
    /// Its list.
    pub list: ListType,
    /// The triangle.
    pub polygon: Polygon,
    /// 1/W of the triangle.
    pub depth: f32,
    /// 1/W of the pixel or layer.
    pub stored: f32,
    /// Whether it is nearer or equal, and so changes the parity.
    pub passed: bool,
}

/// A primitive was shaded and blended into the pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shading {
    /// Its list; the background counts as opaque.
    pub list: ListType,
    /// The primitive.
    pub polygon: Polygon,
    /// Number of this layer of the list, from 0.
    pub layer: usize,
    /// 1/W of the primitive.
    pub depth: f32,
    /// In area 1 of the modifier volumes.
    pub inside: bool,
    /// The texture's colour, white where untextured.
    pub texel: u32,
    /// The colour that was blended, ARGB.
    pub source: u32,
    /// First and second accumulator before.
    pub before: [u32; 2],
    /// And after.
    pub after: [u32; 2],
    /// Result of the alpha test; `None` where there is none.
    pub alpha_test: Option<bool>,
}

/// Takes what happens; every method does nothing unless it is written.
pub trait Probe {
    /// Whether events are made at all.
    const ACTIVE: bool = true;
    /// A primitive was held against the stored depth.
    fn depth_test(&mut self, _spot: Spot, _event: &DepthTest) {}
    /// A triangle of a modifier volume was held against a depth.
    fn volume_test(&mut self, _spot: Spot, _event: &VolumeTest) {}
    /// A primitive was shaded.
    fn shaded(&mut self, _spot: Spot, _event: &Shading) {}
    /// An entry was flushed with this colour at the pixel, ARGB before it is packed.
    fn flushed(&mut self, _spot: Spot, _colour: u32) {}
}

/// Looks at nothing.
impl Probe for () {
    const ACTIVE: bool = false;
}
