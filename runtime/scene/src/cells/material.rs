//! Conversion of a cell's attributes to the parameter for its quad.

use super::CellWords;
use crate::{BoundTexture, CellSettings, PunchThrough, QuadForm, Textures};
use ninja::{Blend, BlendMode, Cell, CellAttr};
use pvr::{
    BlendFactor, CullMode, DepthMode, FogMode, IspWord, ListType, ParamType, Pcw, PolygonFlags, Shading,
    TspWord, polygon_header,
};

/// Representation of a cell in tile accelerator input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Strip,
    Sprite,
}

/// State common to the cells under one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellMaterial {
    pub(super) form: Form,
    pub(super) list: ListType,
    pub(super) header: [u32; 8],
}

/// Returns the material of a cell with these corner colours, and whether its texture is missing.
pub(super) fn material(
    words: &CellWords,
    colours: &[u32; 4],
    offset_colour: u32,
    textures: &Textures,
    settings: &CellSettings,
) -> (CellMaterial, bool) {
    let cell = Cell::from_words(words);
    let bound = u16::try_from(cell.tex_id)
        .ok()
        .and_then(|number| textures.get(number));
    let form = form(&cell, colours, settings.form);
    let list = list(cell.attr, settings.punch_through);
    let texture = bound.unwrap_or(textures.checker);
    let isp = IspWord::default()
        .with_depth_mode(DepthMode::GreaterEqual)
        .with_cull(CullMode::None);
    let tsp = tsp(&cell, list, &texture, settings.filter);
    let header = match form {
        Form::Strip => {
            let flags = PolygonFlags {
                gouraud: true,
                offset: true,
                ..PolygonFlags::default()
            };
            polygon_header(list, isp, tsp, Some(texture.word), flags)
        }
        Form::Sprite => {
            let pcw = Pcw(0)
                .with_param_type(ParamType::Sprite)
                .with_list(list)
                .with_texture(true)
                .with_offset(true)
                .with_uv16(true);
            let [base, ..] = *colours;
            [pcw.0, isp.0, tsp.0, texture.word.0, base, offset_colour, 0, 0]
        }
    };
    (CellMaterial { form, list, header }, bound.is_none())
}

fn form(cell: &Cell, colours: &[u32; 4], wanted: QuadForm) -> Form {
    let agree = colours.iter().all(|colour| *colour == colours[0]);
    let mut uv = cell.uv0.iter().chain(&cell.uv2);
    let sprite = match wanted {
        QuadForm::Exact => agree && uv.all(|c| c.to_bits() & 0xFFFF == 0),
        QuadForm::Sprites => agree,
        QuadForm::Strips => false,
    };
    if sprite { Form::Sprite } else { Form::Strip }
}

fn list(attr: CellAttr, punch_through: PunchThrough) -> ListType {
    let punched = punch_through == PunchThrough::List && attr.contains(CellAttr::PUNCH_THROUGH);
    match (punched, attr.contains(CellAttr::ALPHA)) {
        (true, _) => ListType::PunchThrough,
        (false, true) => ListType::Translucent,
        (false, false) => ListType::Opaque,
    }
}

fn tsp(cell: &Cell, list: ListType, texture: &BoundTexture, filter: pvr::Filter) -> TspWord {
    let alpha = list != ListType::Opaque;
    let Blend { src, dst, .. } = cell.attr.blend();
    // Only the translucent list uses the cell's blending. In the punch-through list, texels that fail the
    // test are still blended, with alpha 0, so the blending must ignore them.
    let (src, dst) = match list {
        ListType::Translucent => (factor(src), factor(dst)),
        ListType::PunchThrough => (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha),
        _ => (BlendFactor::One, BlendFactor::Zero),
    };
    // Cells have no clamp flags. Clamps an axis only if its coordinates are inside the texture: filtering at
    // the edge must not show the opposite edge, but coordinates outside mean that the texture repeats.
    let inside = |axis: usize| {
        [cell.uv0[axis], cell.uv2[axis]]
            .iter()
            .all(|c| (0.0..=1.0).contains(c))
    };
    TspWord::default()
        .with_src(src)
        .with_dst(dst)
        .with_use_alpha(alpha)
        .with_ignore_texture_alpha(!alpha)
        .with_fog(FogMode::None)
        .with_size(texture.width, texture.height)
        .with_clamp_u(inside(0))
        .with_clamp_v(inside(1))
        .with_filter(filter)
        .with_shading(if alpha {
            Shading::ModulateAlpha
        } else {
            Shading::Modulate
        })
}

/// Converts a blend code; cells and chip use the same codes.
fn factor(mode: BlendMode) -> BlendFactor {
    BlendFactor::from_code(mode as u32)
}
