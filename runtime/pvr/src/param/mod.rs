//! Bit layouts of TA and TSP parameters. Only this module defines them.

mod build;
mod enums;
mod form;
mod words;

pub use build::{Argb, PolygonFlags, end_of_list, polygon_header, user_clip, vertex};
pub use enums::{
    BlendFactor, ColourType, CullMode, DepthMode, Filter, FogMode, ListType, ParamType, PixelFormat, Shading,
    UserClip,
};
pub use form::{Set, Shape, Uv, VERTEX_FORMS, VertexForm};
pub use words::{IspWord, Pcw, TextureWord, TspWord};
