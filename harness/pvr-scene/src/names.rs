//! Names of coded values, by field.

use pvr::{
    BlendFactor, ColourType, CullMode, DepthMode, Filter, FogMode, ListType, PixelFormat, Shading, UserClip,
};

pub(crate) const LISTS: &[(&str, ListType)] = &[
    ("opaque", ListType::Opaque),
    ("opaque_modifier", ListType::OpaqueModifier),
    ("translucent", ListType::Translucent),
    ("translucent_modifier", ListType::TranslucentModifier),
    ("punch_through", ListType::PunchThrough),
];

pub(crate) const DEPTHS: &[(&str, DepthMode)] = &[
    ("never", DepthMode::Never),
    ("less", DepthMode::Less),
    ("equal", DepthMode::Equal),
    ("less_equal", DepthMode::LessEqual),
    ("greater", DepthMode::Greater),
    ("not_equal", DepthMode::NotEqual),
    ("greater_equal", DepthMode::GreaterEqual),
    ("always", DepthMode::Always),
];

pub(crate) const CULLS: &[(&str, CullMode)] = &[
    ("none", CullMode::None),
    ("small", CullMode::Small),
    ("negative", CullMode::Negative),
    ("positive", CullMode::Positive),
];

pub(crate) const FACTORS: &[(&str, BlendFactor)] = &[
    ("zero", BlendFactor::Zero),
    ("one", BlendFactor::One),
    ("other", BlendFactor::Other),
    ("inverse_other", BlendFactor::InverseOther),
    ("src_alpha", BlendFactor::SrcAlpha),
    ("inverse_src_alpha", BlendFactor::InverseSrcAlpha),
    ("dst_alpha", BlendFactor::DstAlpha),
    ("inverse_dst_alpha", BlendFactor::InverseDstAlpha),
];

pub(crate) const FOGS: &[(&str, FogMode)] = &[
    ("table", FogMode::Table),
    ("vertex", FogMode::Vertex),
    ("none", FogMode::None),
    ("table2", FogMode::Table2),
];

pub(crate) const FILTERS: &[(&str, Filter)] = &[
    ("point", Filter::Point),
    ("bilinear", Filter::Bilinear),
    ("trilinear_a", Filter::TrilinearA),
    ("trilinear_b", Filter::TrilinearB),
];

pub(crate) const SHADINGS: &[(&str, Shading)] = &[
    ("decal", Shading::Decal),
    ("modulate", Shading::Modulate),
    ("decal_alpha", Shading::DecalAlpha),
    ("modulate_alpha", Shading::ModulateAlpha),
];

pub(crate) const COLOURS: &[(&str, ColourType)] = &[
    ("packed", ColourType::Packed),
    ("float", ColourType::Float),
    ("intensity", ColourType::Intensity),
    ("previous", ColourType::PreviousIntensity),
];

pub(crate) const CLIPS: &[(&str, UserClip)] = &[
    ("off", UserClip::Off),
    ("reserved", UserClip::Reserved),
    ("inside", UserClip::Inside),
    ("outside", UserClip::Outside),
];

pub(crate) const FORMATS: &[(&str, PixelFormat)] = &[
    ("1555", PixelFormat::Argb1555),
    ("565", PixelFormat::Rgb565),
    ("4444", PixelFormat::Argb4444),
    ("yuv422", PixelFormat::Yuv422),
    ("bump", PixelFormat::Bump),
    ("pal4", PixelFormat::Pal4),
    ("pal8", PixelFormat::Pal8),
];

/// U and V as bits 1 and 0.
pub(crate) const AXES: &[(&str, u32)] = &[("none", 0), ("v", 1), ("u", 2), ("uv", 3)];

/// Codes of FB_W_CTRL 2:0.
pub(crate) const PACKS: &[(&str, u32)] = &[
    ("0555", 0),
    ("565", 1),
    ("4444", 2),
    ("1555", 3),
    ("888", 4),
    ("0888", 5),
    ("8888", 6),
];

/// Codes of a strip length in triangles.
pub(crate) const STRIPS: &[(&str, u32)] = &[("1", 0), ("2", 1), ("4", 2), ("6", 3)];

/// Codes of a volume instruction.
pub(crate) const VOLUMES: &[(&str, u32)] = &[("normal", 0), ("inside", 1), ("outside", 2)];
