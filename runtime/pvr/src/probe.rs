//! Reports of depth tests, volumes and blends at single pixels, for tools: see [`crate::Pvr::render_probed`]
//! and [`crate::Pvr::inspect`].
//!
//! Events are reported pixel by pixel for each stage of a region entry, in the order of the chip's work:
//! opaque primitives, their modifier volumes, the opaque shade, punch-through candidates near to far,
//! translucent layers far to near.

use crate::param::{DepthMode, IspWord, ListType, TextureWord, TspWord};

/// Kind of a primitive.
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
    /// Byte address of the ISP word in the 32-bit area.
    pub address: u32,
    /// Index in the strip.
    pub triangle: u32,
    /// Kind of primitive.
    pub shape: Shape,
    /// ISP word.
    pub isp: IspWord,
    /// TSP word of volume 0.
    pub tsp: TspWord,
    /// Texture word of volume 0.
    pub tcw: TextureWord,
}

/// Pixel and region entry of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Column of the screen.
    pub x: u32,
    /// Row of the screen.
    pub y: u32,
    /// Index of the entry in the region array.
    pub entry: usize,
}

/// A comparison of the stored depth with a primitive that covers the pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthTest {
    /// List of the primitive.
    pub list: ListType,
    /// The primitive.
    pub polygon: Polygon,
    /// Applied comparison; in sorted lists it may differ from the mode in the ISP word.
    pub mode: DepthMode,
    /// 1/W of the primitive.
    pub depth: f32,
    /// Stored 1/W before the test.
    pub stored: f32,
    /// True if the test passed. A later opaque primitive may still cover this one.
    pub passed: bool,
}

/// A comparison of a depth with a modifier volume triangle that covers the pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeTest {
    /// List of the triangle.
    pub list: ListType,
    /// The triangle.
    pub polygon: Polygon,
    /// 1/W of the triangle.
    pub depth: f32,
    /// 1/W of the pixel or layer.
    pub stored: f32,
    /// True if the triangle is nearer or equal, and therefore inverts the parity.
    pub passed: bool,
}

/// A primitive that was shaded and blended into the pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shading {
    /// List of the primitive; the background counts as opaque.
    pub list: ListType,
    /// The primitive.
    pub polygon: Polygon,
    /// Number of this layer at the pixel in drawing order, from 0.
    pub layer: usize,
    /// 1/W of the primitive.
    pub depth: f32,
    /// True if the pixel is in area 1 of the modifier volumes.
    pub inside: bool,
    /// Colour of the texture; white if untextured.
    pub texel: u32,
    /// Blended colour, ARGB.
    pub source: u32,
    /// First and second accumulator before blending.
    pub before: [u32; 2],
    /// First and second accumulator after blending.
    pub after: [u32; 2],
    /// Result of the alpha test; `None` if there is no test.
    pub alpha_test: Option<bool>,
}

/// Receiver of events. The default methods ignore them.
pub trait Probe {
    /// False disables the creation of events.
    const ACTIVE: bool = true;
    /// Reports a depth test of a primitive.
    fn depth_test(&mut self, _spot: Spot, _event: &DepthTest) {}
    /// Reports a test of a modifier volume triangle.
    fn volume_test(&mut self, _spot: Spot, _event: &VolumeTest) {}
    /// Reports a shaded primitive.
    fn shaded(&mut self, _spot: Spot, _event: &Shading) {}
    /// Reports that an entry was flushed, with the ARGB colour of the pixel before packing.
    fn flushed(&mut self, _spot: Spot, _colour: u32) {}
}

/// Probe that ignores all events.
impl Probe for () {
    const ACTIVE: bool = false;
}
