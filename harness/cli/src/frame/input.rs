//! The input of `render` and `view`: a model, with an optional cell sprite over it, or a cell sprite alone.

use super::effects::{InputKind, Moves};
use super::motions::{MotionSource, Motions};
use super::options::RenderOptions;
use super::textures::TexturedModel;
use super::view_motions::{ViewMotionOptions, ViewMotions};
use super::viewport::{DrawnFrame, SceneViewport};
use super::{cells, direct, motions, view_motions};
use anyhow::{Context, Result};
use clap::Args;
use ninja::MotionKind;
use scene::{Motion, PlayMode};
use sh4_kernels::Kernels;
use std::path::{Path, PathBuf};

/// Options of a model, its motions and its sprites.
#[derive(Args, Clone, Debug)]
#[group(id = "render_input")]
pub(crate) struct InputOptions {
    #[command(flatten)]
    sprites: cells::SpriteOptions,
    #[command(flatten)]
    motions: motions::MotionOptions,
    #[command(flatten)]
    views: view_motions::ViewMotionOptions,
}

impl InputOptions {
    /// What an input is, as far as options go.
    pub(crate) fn kind(&self, path: &Path) -> Result<InputKind> {
        let alone = !direct::is_texture(path) && cells::is_sprite(path)?;
        let has_sprite = alone || !self.sprites.cells.is_empty();
        // The motion of a sprite may be in any of its files.
        let has_motion = has_sprite || self.motions.moves() || self.views.moves();
        Ok(InputKind {
            has_sprite,
            has_model: !alone,
            in_space: self.sprites.cell_space == cells::CellSpace::World,
            has_motion,
            is_animation: false,
        })
    }

    /// The same options for another file: without motions and sprites, which belong to this one.
    pub(crate) fn without_motions(&self) -> Self {
        Self {
            sprites: cells::SpriteOptions {
                cells: Vec::new(),
                ..self.sprites.clone()
            },
            motions: self.motions.without_motions(),
            views: ViewMotionOptions::none(),
        }
    }

    /// The same options with another motion, or with none.
    pub(crate) fn with_motion(&self, motion: Option<MotionSource>) -> Self {
        Self {
            motions: self.motions.with_motion(motion),
            ..self.clone()
        }
    }

    /// The motion that is named.
    pub(crate) fn motion(&self) -> Option<&MotionSource> {
        self.motions.motion.as_ref()
    }
}

/// A model with its motions and sprites, or a sprite alone.
pub(crate) struct RenderInput {
    pub(crate) viewport: SceneViewport,
    pub(crate) views: ViewMotions,
    pub(crate) layer: Option<cells::SpriteLayer>,
    /// What follows a motion's last frame.
    pub(crate) play: PlayMode,
    /// The motions of nodes that the model's file holds.
    pub(crate) motions: Vec<ninja::Motion>,
    /// A texture on a square, which is looked at from its front.
    pub(crate) is_flat: bool,
}

impl RenderInput {
    /// Reads a model or a cell sprite, and what the options name. Warnings go to stderr.
    pub(crate) fn load(path: &Path, options: &InputOptions, render: &RenderOptions) -> Result<Self> {
        let name = || path.display().to_string();
        let is_flat = direct::is_texture(path);
        let mut render = render.clone();
        if is_flat && !render.has_angles() {
            (render.yaw, render.pitch) = (Some(0.0), Some(0.0));
        }
        let render = &render;
        if !is_flat && cells::is_sprite(path)? {
            let others = options.sprites.cells.iter().cloned();
            let files: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(others).collect();
            let alone = cells::alone(&files, &options.sprites, &options.motions, render);
            let (viewport, layer) = alone.with_context(name)?;
            return Ok(Self {
                layer: Some(layer),
                play: render.play.mode(),
                ..Self::from(viewport)
            });
        }
        let model = TexturedModel::load(path, &options.sprites.sources)?;
        let motions: Motions = options.motions.load(path, &model.file, &render.play)?;
        let mut viewport = SceneViewport::new(&model, render, &motions).with_context(name)?;
        for warning in &viewport.warnings {
            eprintln!("{}: warning: {warning}", name());
        }
        let view = &viewport.scene.view;
        Ok(Self {
            views: options.views.load(path, &model.file, &motions, view)?,
            layer: cells::SpriteLayer::over(
                &options.sprites,
                &options.motions,
                render,
                &mut viewport.screen,
            )?,
            play: motions.rules.mode,
            viewport,
            motions: model_motions(&model.file),
            is_flat,
        })
    }

    /// Whether a motion of nodes can play on one of the models.
    pub(crate) fn fits(&self, motion: &ninja::Motion) -> bool {
        let mut objects = self.viewport.scene.objects.iter();
        objects.any(|object| Motion::bind(object.tree(), motion).is_ok())
    }

    /// Frames until everything has played once; 0 if nothing moves.
    pub(crate) fn length(&self) -> u32 {
        let layer = self.layer.as_ref().map_or(0, cells::SpriteLayer::length);
        self.viewport.scene.length().max(self.views.length()).max(layer)
    }

    /// What moves.
    pub(crate) fn moves(&self) -> Moves {
        let sprite = self.layer.as_ref().map_or(0, cells::SpriteLayer::motion_length);
        let by_keys = self.viewport.scene.length().max(self.views.length()).max(sprite) > 0;
        Moves {
            anything: by_keys || self.length() > 0,
            by_keys,
            has_spline_angles: self.has_spline_angles(),
        }
    }

    fn has_spline_angles(&self) -> bool {
        let of_objects = self.viewport.scene.objects.iter().any(|object| {
            let linked = object.link.as_ref().map(|link| &link.motion);
            object
                .motion
                .iter()
                .chain(linked)
                .any(|motion| motion.spline_angles().is_some())
        });
        let of_sprite = self
            .layer
            .as_ref()
            .is_some_and(cells::SpriteLayer::has_spline_angles);
        of_objects || of_sprite || self.views.has_spline_angles()
    }

    /// Draws `frame`.
    pub(crate) fn draw(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<DrawnFrame> {
        let scene = &mut self.viewport.scene;
        scene.seek(frame);
        self.views.move_camera(frame, &mut scene.view, kernels)?;
        self.views.move_lights(frame, &mut scene.view, kernels)?;
        self.draw_as_it_is(Some(frame), kernels)
    }

    /// Draws the scene as it has been set, with the sprite at `frame`, if there is one then.
    pub(crate) fn draw_as_it_is(
        &mut self,
        frame: Option<f32>,
        kernels: &mut dyn Kernels,
    ) -> Result<DrawnFrame> {
        let layer = self.layer.as_mut().zip(frame);
        self.viewport.draw(kernels, |view, kernels, lists| match layer {
            Some((layer, frame)) => layer.draw(frame, view, kernels, lists),
            None => Ok(()),
        })
    }

    /// Prints the warnings of the sprite.
    pub(crate) fn print_warnings(&self) {
        self.layer.iter().for_each(cells::SpriteLayer::print_warnings);
    }
}

fn model_motions(file: &ninja::File) -> Vec<ninja::Motion> {
    let motions = file.motions().filter(|motion| motion.kind == MotionKind::Model);
    motions.cloned().collect()
}

/// A viewport without sprites or view motions.
impl From<SceneViewport> for RenderInput {
    fn from(viewport: SceneViewport) -> Self {
        Self {
            views: ViewMotions::none(&viewport.scene.view),
            viewport,
            layer: None,
            play: PlayMode::default(),
            motions: Vec::new(),
            is_flat: false,
        }
    }
}
