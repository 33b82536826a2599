//! A sprite drawn without a model.

use super::{SpriteLayer, SpriteOptions};
use crate::frame::camera::FIELD_OF_VIEW;
use crate::frame::motions::MotionOptions;
use crate::frame::options::RenderOptions;
use crate::frame::screen::Screen;
use crate::frame::viewport::SceneViewport;
use anyhow::Result;
use ninja::Bams;
use scene::{Camera, CellSprite, Viewport};
use std::path::PathBuf;

/// A sprite that is drawn alone: on the screen, or in space before a camera that looks at its position.
/// `files` are the sprite, its streams and its motion.
pub(crate) fn alone(
    files: &[PathBuf],
    options: &SpriteOptions,
    motions: &MotionOptions,
    render: &RenderOptions,
) -> Result<(SceneViewport, SpriteLayer)> {
    let mut screen = Screen::new(render)?;
    let layer = SpriteLayer::load(files, options, Some(motions), render, &mut screen)?;
    let camera = camera(&layer.sprite, render);
    let (size, near) = (render.size, camera.distance * 0.01);
    let viewport = Viewport::new(size.width, size.height, FIELD_OF_VIEW, near);
    let scene = SceneViewport::empty(screen, camera, viewport, layer.textures.clone(), render)?;
    Ok((scene, layer))
}

/// The picture's smaller side, as a multiple of what the cells reach as they turn.
const ROOM: f32 = 1.06;

/// A camera that has all of a sprite in the picture, however its cells turn.
fn camera(sprite: &CellSprite, render: &RenderOptions) -> Camera {
    let [scale_x, scale_y] = sprite.value.scale;
    let reach = |cell: &ninja::Cell| {
        let ([x, y], [w, h]) = (cell.offset, cell.size);
        ((x.abs() + w.abs()) * scale_x).hypot((y.abs() + h.abs()) * scale_y)
    };
    let radius = sprite.cells.iter().map(reach).fold(f32::MIN_POSITIVE, f32::max);
    let [yaw, pitch] = render.angles().map(|angle| Bams::from_degrees(f64::from(angle)));
    Camera {
        target: sprite.value.pos,
        yaw,
        pitch,
        distance: render
            .distance
            .unwrap_or(ROOM * (radius / (FIELD_OF_VIEW / 2.0).tan())),
        roll: Bams(0),
    }
}
