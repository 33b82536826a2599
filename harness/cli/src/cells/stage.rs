//! A sprite and a stage with nothing else on it.

use super::{Layer, Options};
use crate::frame::{FIELD_OF_VIEW, Fit, Stage};
use crate::screen::Screen;
use crate::shot::Shot;
use anyhow::Result;
use ninja::Bams;
use scene::{Camera, CellSprite, Viewport};
use std::path::PathBuf;

/// A sprite that is drawn alone: on the screen, or in space before a camera that looks at its position. `files` are the
/// sprite, its streams and its motion.
pub(crate) fn alone(files: &[PathBuf], options: &Options, shot: &Shot) -> Result<(Stage, Layer)> {
    let mut screen = Screen::new(shot)?;
    let layer = Layer::load(files, options, &mut screen)?;
    let camera = camera(&layer.sprite, shot);
    let (size, near) = (shot.size, camera.distance * 0.01);
    let viewport = Viewport::new(size.width, size.height, FIELD_OF_VIEW, near);
    let stage = Stage::empty(screen, camera, viewport, layer.textures.clone(), shot);
    Ok((stage, layer))
}

/// A camera that has all of a sprite in the picture, however its cells turn.
fn camera(sprite: &CellSprite, shot: &Shot) -> Camera {
    let [scale_x, scale_y] = sprite.value.scale;
    let reach = |cell: &ninja::Cell| {
        let ([x, y], [w, h]) = (cell.offset, cell.size);
        ((x.abs() + w.abs()) * scale_x).hypot((y.abs() + h.abs()) * scale_y)
    };
    let radius = sprite.cells.iter().map(reach).fold(f32::MIN_POSITIVE, f32::max);
    let box_around = [[-radius, -radius, 0.0], [radius, radius, 0.0]];
    let facing = Shot {
        yaw: 0.0,
        pitch: 0.0,
        ..shot.clone()
    };
    let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
    Camera {
        target: sprite.value.pos,
        yaw: degrees(shot.yaw),
        pitch: degrees(shot.pitch),
        distance: shot
            .distance
            .unwrap_or(Fit::new(box_around, shot.size, &facing).distance),
        roll: Bams(0),
    }
}
