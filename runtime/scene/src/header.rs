//! Conversion of material and texture state to polygon headers.

use crate::material::{MaterialState, VolumeMaterial};
use crate::settings::{Shadows, Trilinear};
use crate::texture::tsp;
use crate::{BoundTexture, View, Warning};
use ninja::{BlendMode, Filter, StripFlags, StripKind, Tiny};
use pvr::{
    BlendFactor, ColourType, CullMode, DepthMode, FogMode, IspWord, ListType, Pcw, PolygonFlags, Shading,
    TextureWord, TspWord, polygon_header,
};

/// One drawing pass of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pass {
    pub(crate) list: ListType,
    pub(crate) header: [u32; 8],
}

/// State with which the strips of a chunk are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StripStyle {
    pub(crate) flags: StripFlags,
    pub(crate) textured: bool,
    /// True if some vertex has an offset colour.
    pub(crate) offset: bool,
    pub(crate) two_volumes: bool,
    /// True if vertices have intensities and the header has the colour.
    pub(crate) intensity: bool,
}

/// A texture and its sampling parameters.
type Sampled = (Tiny, BoundTexture);

impl MaterialState<'_> {
    /// True if strips of a kind currently have a texture.
    pub(crate) fn textured(&self, kind: StripKind, flags: StripFlags) -> bool {
        let has_uv = kind.uv_pairs() > 0 || flags.contains(StripFlags::ENVIRONMENT);
        has_uv && self.materials[0].tiny.is_some()
    }
}

/// Returns the passes for strips of `style`, and a warning if the texture is missing.
pub(crate) fn passes(
    view: &View,
    materials: &[VolumeMaterial; 2],
    style: &StripStyle,
) -> (Vec<Pass>, Option<Warning>) {
    let (sampled, mut warning) = find_texture(view, materials[0].tiny.filter(|_| style.textured));
    let list = if style.flags.contains(StripFlags::USE_ALPHA) {
        ListType::Translucent
    } else {
        ListType::Opaque
    };
    let (word, texture) = words(&materials[0], sampled, style);
    if style.two_volumes {
        let tiny = materials[1].tiny.or(materials[0].tiny).filter(|_| style.textured);
        let (second, missing) = find_texture(view, tiny);
        warning = warning.or(missing);
        let mut header = header(view, list, word, texture, style);
        let (word, texture) = words(&materials[1], second, style);
        (header[4], header[5]) = (word.0, texture.map_or(0, |texture| texture.0));
        return (vec![Pass { list, header }], warning);
    }
    let pass = |list, word| {
        let mut header = header(view, list, word, texture, style);
        if style.intensity {
            header = with_face(header, materials[0].diffuse, style.flags);
        }
        Pass { list, header }
    };
    let split = sampled.is_some_and(|(tiny, texture)| {
        tiny.filter == Filter::TrilinearA
            && texture.word.mip()
            && view.settings.trilinear == Trilinear::AllPasses
    });
    let passes = match (split, list) {
        (false, _) => vec![pass(list, word)],
        (true, ListType::Opaque) => {
            let added = word
                .with_filter(pvr::Filter::TrilinearB)
                .with_dst(BlendFactor::One);
            vec![pass(list, word), pass(ListType::Translucent, added)]
        }
        (true, _) => trilinear_passes(word).map(|word| pass(list, word)).to_vec(),
    };
    (passes, warning)
}

/// Returns the three passes of a translucent trilinear polygon: both mip levels into the secondary
/// accumulation buffer, then that buffer into the image with the material's blending.
fn trilinear_passes(word: TspWord) -> [TspWord; 3] {
    let into_secondary = word.with_src(BlendFactor::One).with_dst_second(true);
    [
        into_secondary.with_dst(BlendFactor::Zero),
        into_secondary
            .with_dst(BlendFactor::One)
            .with_filter(pvr::Filter::TrilinearB),
        word.with_src_second(true),
    ]
}

fn find_texture(view: &View, tiny: Option<Tiny>) -> (Option<Sampled>, Option<Warning>) {
    let Some(mut tiny) = tiny else {
        return (None, None);
    };
    let texture = view.textures.get(tiny.texture);
    let warning = texture
        .is_none()
        .then_some(Warning::MissingTexture { first: tiny.texture });
    let texture = texture.unwrap_or(view.textures.checker);
    // Without mipmaps there are no levels for filtering.
    if !texture.word.mip()
        && view.settings.trilinear == Trilinear::AllPasses
        && tiny.filter == Filter::TrilinearA
    {
        tiny.filter = Filter::Bilinear;
    }
    (Some((tiny, texture)), warning)
}

/// Returns the TSP and texture control words of one volume.
fn words(
    material: &VolumeMaterial,
    sampled: Option<Sampled>,
    style: &StripStyle,
) -> (TspWord, Option<TextureWord>) {
    let use_alpha = style.flags.contains(StripFlags::USE_ALPHA);
    let mut word = TspWord::default()
        .with_use_alpha(use_alpha)
        .with_fog(FogMode::None);
    word = if use_alpha {
        word.with_src(factor(material.blend.src))
            .with_dst(factor(material.blend.dst))
            .with_src_second(material.blend.src_select)
            .with_dst_second(material.blend.dst_select)
    } else {
        word.with_src(BlendFactor::One).with_dst(BlendFactor::Zero)
    };
    let Some((tiny, texture)) = sampled else {
        return (word, None);
    };
    let shading = if use_alpha {
        Shading::ModulateAlpha
    } else {
        Shading::Modulate
    };
    let word = tsp(word, &tiny, &texture)
        .with_shading(shading)
        .with_ignore_texture_alpha(!use_alpha);
    (word, Some(texture.word))
}

fn header(
    view: &View,
    list: ListType,
    word: TspWord,
    texture: Option<TextureWord>,
    style: &StripStyle,
) -> [u32; 8] {
    // Strips wind counter-clockwise with y up; rows count downwards, so front faces have a negative area on
    // screen.
    let cull = if style.flags.contains(StripFlags::DOUBLE_SIDE) {
        CullMode::None
    } else {
        CullMode::Positive
    };
    let isp = IspWord::default()
        .with_depth_mode(DepthMode::GreaterEqual)
        .with_cull(cull);
    let flags = PolygonFlags {
        gouraud: !style.flags.contains(StripFlags::FLAT),
        offset: style.offset,
        ..PolygonFlags::default()
    };
    let mut header = polygon_header(list, isp, word, texture, flags);
    let cheap = matches!(view.settings.shadows, Shadows::Cheap { .. });
    header[0] = Pcw(header[0])
        .with_shadow(style.two_volumes || cheap)
        .with_volume(style.two_volumes)
        .0;
    header
}

/// Creates a header of global parameter type 1: intensity colours, with the face colour as floats A, R, G, B.
/// The tile accelerator converts them to bytes by `256 * c - 1` (docs/hardware, PowerVR2).
fn with_face(mut header: [u32; 8], diffuse: u32, flags: StripFlags) -> [u32; 8] {
    let opaque = !flags.contains(StripFlags::USE_ALPHA);
    let [alpha, red, green, blue] = diffuse.to_be_bytes();
    let alpha = if opaque { 255 } else { alpha };
    header[0] = Pcw(header[0]).with_colour(ColourType::Intensity).0;
    for (word, byte) in header[4..].iter_mut().zip([alpha, red, green, blue]) {
        *word = ((f32::from(byte) + 1.0) / 256.0).to_bits();
    }
    header
}

/// Converts a blend code; models and chip use the same codes.
fn factor(mode: BlendMode) -> BlendFactor {
    BlendFactor::from_code(mode as u32)
}
