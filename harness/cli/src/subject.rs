//! What `render` draws and `view` shows: a model, perhaps with a cell sprite over it, or a cell sprite alone.

use crate::frame::{Picture, Stage};
use crate::motions::Motions;
use crate::pictures::Model;
use crate::shot::Shot;
use crate::views::Views;
use crate::{cells, motions, views};
use anyhow::{Context, Result};
use clap::Args;
use scene::PlayMode;
use sh4_kernels::Kernels;
use std::path::{Path, PathBuf};

/// What is drawn, and what moves.
#[derive(Args, Clone, Debug)]
#[group(id = "subject")]
pub(crate) struct Options {
    #[command(flatten)]
    sprites: cells::Options,
    #[command(flatten)]
    motions: motions::Options,
    #[command(flatten)]
    views: views::Options,
}

/// See the module's head.
pub(crate) struct Subject {
    pub(crate) stage: Stage,
    pub(crate) views: Views,
    pub(crate) layer: Option<cells::Layer>,
    /// What follows a motion's last frame.
    pub(crate) play: PlayMode,
}

impl Subject {
    /// Reads a model or a cell sprite, and what the options name. Warnings go to stderr.
    pub(crate) fn load(path: &Path, options: &Options, shot: &Shot) -> Result<Self> {
        let name = || path.display().to_string();
        if cells::is_sprite(path)? {
            let others = options.sprites.cells.iter().cloned();
            let files: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(others).collect();
            let alone = cells::alone(&files, &options.sprites, shot);
            let (stage, layer) = alone.with_context(name)?;
            return Ok(Self {
                layer: Some(layer),
                ..Self::from(stage)
            });
        }
        let model = Model::load(path, &options.sprites.sources)?;
        let motions: Motions = options.motions.load(path, &model.file)?;
        let mut stage = Stage::new(&model, shot, &motions).with_context(name)?;
        for warning in &stage.warnings {
            eprintln!("{}: warning: {warning}", name());
        }
        let view = &stage.scene.view;
        Ok(Self {
            views: options.views.load(path, &model.file, &motions, view)?,
            layer: cells::Layer::over(&options.sprites, &mut stage.screen)?,
            play: motions.play,
            stage,
        })
    }

    /// Frames until everything has played once; 0 if nothing moves.
    pub(crate) fn length(&self) -> u32 {
        let layer = self.layer.as_ref().map_or(0, cells::Layer::length);
        self.stage.scene.length().max(self.views.length()).max(layer)
    }

    /// Draws `frame`.
    pub(crate) fn draw(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<Picture> {
        let scene = &mut self.stage.scene;
        scene.seek(frame);
        self.views.fly(frame, &mut scene.view, kernels)?;
        self.views.light(frame, &mut scene.view, kernels)?;
        self.draw_as_it_is(Some(frame), kernels)
    }

    /// Draws the scene as it has been set, with the sprite at `frame`, if there is one then.
    pub(crate) fn draw_as_it_is(&mut self, frame: Option<f32>, kernels: &mut dyn Kernels) -> Result<Picture> {
        let layer = self.layer.as_mut().zip(frame);
        self.stage.draw(kernels, |view, kernels, lists| match layer {
            Some((layer, frame)) => layer.draw(frame, view, kernels, lists),
            None => Ok(()),
        })
    }

    /// What was unusual about the sprite.
    pub(crate) fn print_warnings(&self) {
        self.layer.iter().for_each(cells::Layer::print_warnings);
    }
}

/// A stage where nothing is added.
impl From<Stage> for Subject {
    fn from(stage: Stage) -> Self {
        Self {
            views: Views::none(&stage.scene.view),
            stage,
            layer: None,
            play: PlayMode::default(),
        }
    }
}
