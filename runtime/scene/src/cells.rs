//! Cells of a CellSprite as quads over the picture.
//!
//! Only the placing is here: cell attributes, streams and sprite motions are read and played elsewhere, when they are.

use crate::output::TaLists;
use crate::{BoundTexture, SceneError};
use pvr::{
    BlendFactor, CullMode, DepthMode, FogMode, IspWord, ListType, PolygonFlags, Shading, TspWord,
    polygon_header,
};
use sh4_kernels::Kernels;
use sh4_kernels::cell_corners::{Cell, Sprite, cell_corners};
use sh4_kernels::project_points::project_points;
use sh4_kernels::submit_strip::{Strip, submit_strip};

/// A cell and what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellQuad {
    /// Where it is.
    pub cell: Cell,
    /// The texture, shown whole.
    pub texture: BoundTexture,
    /// Colours of the corners: top left, bottom left, top right, bottom right; ARGB.
    pub colours: [u32; 4],
}

/// The four corners as strip entries: index, U, V in units of 1/256; a unit square of texture.
const ENTRIES: [u16; 12] = [0, 0, 0, 1, 0, 256, 2, 256, 0, 3, 256, 256];

/// Draws `quads` as cells of `sprite`, blended by alpha, in pixels of the screen. The sprite's z is its priority:
/// negative, nearer to 0 is nearer.
///
/// # Errors
/// See [`SceneError`].
pub fn draw_cells(
    sprite: &Sprite,
    quads: &[CellQuad],
    kernels: &mut dyn Kernels,
    lists: &mut TaLists,
) -> Result<(), SceneError> {
    let cells: Vec<Cell> = quads.iter().map(|quad| quad.cell).collect();
    let corners = cell_corners(kernels, sprite, &cells)?;
    // The depth of a 2D sprite is 1/w = -1/z, which is what projecting a point of that z gives.
    let mut depth = [[0.0; 4]];
    project_points(kernels, &[0.0; 4], &[[0.0, 0.0, sprite.pos[2], 1.0]], &mut depth)?;
    let [[_, _, inverse, w]] = depth;
    for (quad, corners) in quads.iter().zip(corners) {
        let screen = corners.map(|[x, y]| [x, y, inverse, w]);
        let strip = Strip {
            entries: &ENTRIES,
            n: 4,
            entry_halfwords: 3,
            uv_scale: 1.0 / 256.0,
            offset_colour: 0,
            doubled: false,
        };
        lists.strip(ListType::Translucent, header(quad), |blocks| {
            submit_strip(kernels, &screen, &quad.colours, 0, &strip, blocks)
        })?;
    }
    Ok(())
}

fn header(quad: &CellQuad) -> [u32; 8] {
    let isp = IspWord::default()
        .with_depth_mode(DepthMode::GreaterEqual)
        .with_cull(CullMode::None);
    let tsp = TspWord::default()
        .with_src(BlendFactor::SrcAlpha)
        .with_dst(BlendFactor::InverseSrcAlpha)
        .with_use_alpha(true)
        .with_fog(FogMode::None)
        .with_size(quad.texture.width, quad.texture.height)
        .with_clamp_u(true)
        .with_clamp_v(true)
        .with_filter(pvr::Filter::Bilinear)
        .with_shading(Shading::ModulateAlpha);
    let flags = PolygonFlags {
        gouraud: true,
        ..PolygonFlags::default()
    };
    polygon_header(ListType::Translucent, isp, tsp, Some(quad.texture.word), flags)
}
