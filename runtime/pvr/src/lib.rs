#![doc = include_str!("../README.md")]

pub mod container;
mod core;
mod effect;
pub mod event;
mod frame;
mod limits;
pub mod param;
mod pixel_map;
pub mod probe;
mod pvr;
pub mod regs;
mod scan_out;
pub mod settings;
mod sort_dma;
mod ta;
pub mod texture;
pub mod vram;
mod yuv;

pub use self::core::RenderStats;
pub use crate::settings::Settings;
pub use effect::Effect;
pub use event::{Event, Events, Warning, Warnings};
pub use frame::{Frame, FrameError, Image};
pub use limits::LIMITS;
pub use param::{
    Argb, BlendFactor, ColourType, CullMode, DepthMode, Filter, FogMode, IspWord, ListType, ParamType, Pcw,
    PixelFormat, PolygonFlags, Set, Shading, Shape, TextureWord, TspWord, UserClip, Uv, VERTEX_FORMS,
    VertexForm, end_of_list, polygon_header, user_clip, vertex,
};
pub use pixel_map::PixelMap;
pub use pvr::Pvr;
pub use regs::{Registers, reg};
pub use scan_out::{Border, Field};
pub use sort_dma::{SortDma, SortDmaMoved};
pub use vram::{Area, VRAM_BYTES, Vram};
