//! Conversion of cells to tile accelerator input.

use super::material::{CellMaterial, Form, material};
use super::visible::VisibleCells;
use super::warning::{CellWarning, CellWarnings};
use super::{CellWords, SpriteValue};
use crate::output::TaLists;
use crate::{CellSettings, SceneError, Textures, Viewport};
use sh4_kernels::cell_billboards::cell_billboards;
use sh4_kernels::cell_colours::{Colours, cell_colours};
use sh4_kernels::cell_corners::{cell_corners, placed_corners};
use sh4_kernels::cell_depths::cell_depths;
use sh4_kernels::submit_cell_sprites::submit_cell_sprites;
use sh4_kernels::submit_cell_strips::{Quads, submit_cell_strips};
use sh4_kernels::transform_points::transform_points;
use sh4_kernels::{Kernels, Matrix, Place};

/// Drawing statistics of a sprite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellStats {
    /// Number of cells sent as sprites.
    pub sprites: usize,
    /// Number of cells sent as strips.
    pub strips: usize,
    /// Number of cells with NJD_FCA_HI.
    pub hidden: usize,
    /// Number of cells omitted for their depth: in 2D a z that is not negative, in 3D a depth outside the
    /// near and far planes.
    pub outside: usize,
    /// Warnings with the number of cells.
    pub warnings: CellWarnings,
}

/// Space of a 3D sprite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpriteSpace {
    /// Transforms from the sprite's position to view space.
    pub to_view: Matrix,
    /// Projection; cells nearer than its near plane are omitted.
    pub viewport: Viewport,
    /// Distance beyond which cells are omitted; the chip itself has no far plane.
    pub far: f32,
}

/// Draws cells in screen pixels, y down. The position's z is the priority: -1 is usual, and values closer to
/// 0 are nearer. A cell's own priority adds up to 1. Cells with a z that is not negative are omitted.
///
/// `cells` are [`StreamList::words`](crate::StreamList::words) or, without a stream,
/// [`CellSprite::words`](crate::CellSprite::words).
///
/// ```
/// use ninja::{Cell, CellAttr};
/// use scene::{BoundTexture, CellSettings, CellSprite, TaLists, Textures, draw_sprite_2d};
///
/// // A 64x32 cell around (100, 50) of the screen.
/// let cell = Cell { size: [64.0, 32.0], ..Cell::default() };
/// let mut sprite = CellSprite::new(vec![cell]);
/// sprite.value.pos = [100.0, 50.0, -1.0];
/// let checker = BoundTexture { word: pvr::TextureWord(0), width: 8, height: 8 };
/// let textures = Textures { bound: vec![Some(checker)], checker };
///
/// let mut lists = TaLists::default();
/// let kernels = &mut sh4_kernels::Reference;
/// let settings = CellSettings::default();
/// let stats = draw_sprite_2d(&sprite.words(), &sprite.value, &textures, &settings, kernels, &mut lists)?;
/// assert_eq!(stats.sprites, 1);
/// // A sprite parameter, its 64-byte vertex parameter, the end of the list.
/// let blocks = lists.blocks();
/// assert_eq!(blocks.len(), 4);
/// let top_left = [blocks[1][1], blocks[1][2]].map(f32::from_bits);
/// assert_eq!(top_left, [68.0, 34.0]);
/// # Ok::<(), scene::SceneError>(())
/// ```
///
/// # Errors
/// See [`SceneError`].
pub fn draw_sprite_2d(
    cells: &[CellWords],
    value: &SpriteValue,
    textures: &Textures,
    settings: &CellSettings,
    kernels: &mut dyn Kernels,
    lists: &mut TaLists,
) -> Result<CellStats, SceneError> {
    kernels.enter(Place::Cells);
    let mut shown = VisibleCells::of(cells, value, true);
    let mut stats = CellStats {
        hidden: shown.hidden_count(),
        ..CellStats::default()
    };
    let sprite = value.words();
    shown.corners = cell_corners(kernels, &sprite, &shown.cells)?;
    shown.depths = cell_depths(kernels, &sprite, &shown.cells)?;
    stats.outside = shown.keep(|depth| depth >= 0.0);
    shown.send(&sprite, textures, settings, kernels, lists, &mut stats)?;
    Ok(stats)
}

/// Draws cells as billboards at a point in space: they face the screen and shrink with distance. Their
/// offsets, sizes and rotations are in the plane of the screen, y down. A positive priority moves a cell
/// nearer, as in 2D. The direction in the original library is unknown for 3D (confidence low).
///
/// # Errors
/// See [`SceneError`].
pub fn draw_sprite_3d(
    cells: &[CellWords],
    value: &SpriteValue,
    space: &SpriteSpace,
    textures: &Textures,
    settings: &CellSettings,
    kernels: &mut dyn Kernels,
    lists: &mut TaLists,
) -> Result<CellStats, SceneError> {
    kernels.enter(Place::Cells);
    let mut shown = VisibleCells::of(cells, value, false);
    let mut stats = CellStats {
        hidden: shown.hidden_count(),
        ..CellStats::default()
    };
    let mut at = [[0.0; 4]];
    let pos = value.pos.map(f32::to_bits);
    transform_points(kernels, &space.to_view, &pos, 3, 1.0, &mut at)?;
    let [[x, y, z, _]] = at;
    let mut in_view = *value;
    in_view.pos = [x, y, z];
    let sprite = in_view.words();
    let viewport = &space.viewport;
    let placings = cell_billboards(kernels, &sprite, &viewport.words, &shown.cells)?;
    shown.corners = placed_corners(kernels, &placings, &shown.cells)?;
    shown.depths = placings.iter().map(|words| f32::from_bits(words[4])).collect();
    let nearest = if viewport.near > 0.0 {
        1.0 / viewport.near
    } else {
        f32::INFINITY
    };
    let farthest = 1.0 / space.far;
    stats.outside = shown.keep(|depth| depth > 0.0 && depth < nearest && depth >= farthest);
    shown.send(&sprite, textures, settings, kernels, lists, &mut stats)?;
    Ok(stats)
}

impl VisibleCells {
    fn send(
        &self,
        sprite: &[u32; 16],
        textures: &Textures,
        settings: &CellSettings,
        kernels: &mut dyn Kernels,
        lists: &mut TaLists,
        stats: &mut CellStats,
    ) -> Result<(), SceneError> {
        let (colours, offset) = cell_colours(kernels, sprite, &self.cells)?;
        let mut missing = Vec::new();
        let materials: Vec<CellMaterial> = self
            .cells
            .iter()
            .zip(&colours)
            .map(|(cell, colours)| {
                let (material, is_missing) = material(cell, colours, offset, textures, settings);
                if is_missing {
                    missing.push(cell[0] as i16);
                }
                material
            })
            .collect();
        if let Some(&first) = missing.first() {
            stats
                .warnings
                .insert(CellWarning::MissingTexture { first }, missing.len());
        }
        let mut start = 0;
        for run in materials.chunk_by(|a, b| a == b) {
            let end = start + run.len();
            self.send_run(start..end, run[0], &colours, offset, kernels, lists)?;
            match run[0].form {
                Form::Sprite => stats.sprites += run.len(),
                Form::Strip => stats.strips += run.len(),
            }
            start = end;
        }
        self.explain(&colours, &mut stats.warnings);
        Ok(())
    }

    /// Sends cells of the same material.
    fn send_run(
        &self,
        run: std::ops::Range<usize>,
        material: CellMaterial,
        colours: &[Colours],
        offset: u32,
        kernels: &mut dyn Kernels,
        lists: &mut TaLists,
    ) -> Result<(), SceneError> {
        let quads = Quads {
            corners: &self.corners[run.clone()],
            depths: &self.depths[run.clone()],
            cells: &self.cells[run.clone()],
        };
        lists.strip(material.list, material.header, |blocks| match material.form {
            Form::Sprite => submit_cell_sprites(kernels, &quads, blocks),
            Form::Strip => submit_cell_strips(kernels, &quads, &colours[run], offset, blocks),
        })?;
        Ok(())
    }
}
