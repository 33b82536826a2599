//! Construction of 32-byte blocks for the TA.

use super::{IspWord, ListType, ParamType, Pcw, TextureWord, TspWord};

/// A packed colour of the TA: alpha in bits 31:24, red 23:16, green 15:8, blue 7:0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Argb(pub u32);

impl Argb {
    /// Creates a colour from the four channels.
    #[must_use]
    pub const fn new(a: u8, r: u8, g: u8, b: u8) -> Self {
        Self(u32::from_be_bytes([a, r, g, b]))
    }

    /// Returns the channels in the order A, R, G, B.
    #[must_use]
    pub const fn channels(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }
}

/// Flags of [`polygon_header`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PolygonFlags {
    /// Gouraud shading instead of flat.
    pub gouraud: bool,
    /// Vertices have an offset colour.
    pub offset: bool,
    /// Texture coordinates are packed into one word.
    pub uv16: bool,
}

/// Creates a polygon parameter for packed colours and one volume (global parameter type 0), with the longest
/// strips (six triangles) and no user clip. With `tcw` the polygon is textured.
#[must_use]
pub fn polygon_header(
    list: ListType,
    isp: IspWord,
    tsp: TspWord,
    tcw: Option<TextureWord>,
    flags: PolygonFlags,
) -> [u32; 8] {
    let pcw = Pcw(0)
        .with_param_type(ParamType::Polygon)
        .with_list(list)
        .with_group_enable(true)
        .with_strip_code(3)
        .with_texture(tcw.is_some())
        .with_offset(flags.offset && tcw.is_some())
        .with_gouraud(flags.gouraud)
        .with_uv16(flags.uv16 && tcw.is_some());
    [pcw.0, isp.0, tsp.0, tcw.unwrap_or_default().0, 0, 0, 0, 0]
}

/// Creates a vertex of a textured or untextured polygon with packed colours (forms 0 and 3): position in
/// pixels with `z` = 1/W, texture coordinates (1.0 is the texture's size), base and offset colour.
pub fn vertex(last: bool, position: [f32; 3], uv: [f32; 2], base: Argb, offset: Argb) -> [u32; 8] {
    let pcw = Pcw(0).with_param_type(ParamType::Vertex).with_end_of_strip(last);
    let [x, y, z] = position.map(f32::to_bits);
    let [u, v] = uv.map(f32::to_bits);
    [pcw.0, x, y, z, u, v, base.0, offset.0]
}

/// Creates the user tile clip parameter: inclusive tile coordinates of the rectangle.
#[must_use]
pub fn user_clip(x_min: u32, y_min: u32, x_max: u32, y_max: u32) -> [u32; 8] {
    let pcw = Pcw(0).with_param_type(ParamType::UserClip);
    [pcw.0, 0, 0, 0, x_min, y_min, x_max, y_max]
}

/// Creates the parameter that closes the open list.
#[must_use]
pub fn end_of_list() -> [u32; 8] {
    [0; 8]
}
