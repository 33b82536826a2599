//! A sprite and a screen of its own.

use super::{Layer, Options, space};
use crate::frame::{FIELD_OF_VIEW, Fit};
use crate::screen::{Rendered, Screen};
use crate::shot::Shot;
use anyhow::Result;
use ninja::Bams;
use scene::{Camera, CellSprite, Kernels, Shadows, TaLists, Viewport};
use std::path::PathBuf;

/// A sprite that is drawn alone: on the screen, or in space before a camera that looks at its position.
pub(crate) struct SpriteStage {
    pub(crate) layer: Layer,
    pub(crate) screen: Screen,
    camera: Camera,
    viewport: Viewport,
}

impl SpriteStage {
    /// `files` are the sprite, its streams and its motion.
    pub(crate) fn new(files: &[PathBuf], options: &Options, shot: &Shot) -> Result<Self> {
        let mut screen = Screen::new(shot)?;
        let layer = Layer::load(files, options, &mut screen)?;
        let camera = camera(&layer.sprite, shot);
        let (size, near) = (shot.size, camera.distance * 0.01);
        Ok(Self {
            viewport: Viewport::new(size.width, size.height, FIELD_OF_VIEW, near),
            layer,
            screen,
            camera,
        })
    }

    pub(crate) fn draw(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<Rendered> {
        let mut lists = TaLists::default();
        let space = space(&self.camera, self.viewport, kernels)?;
        self.layer.draw(frame, &space, kernels, &mut lists)?;
        let rendered = self.screen.render(&lists, Shadows::default())?;
        let chip = rendered.warnings.iter().map(ToString::to_string);
        self.layer.warnings.extend(chip);
        Ok(rendered)
    }
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
