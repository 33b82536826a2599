//! Options that name the files of a model, its motions and its sprites.

use super::effects::InputKind;
use super::scenes::SceneOptions;
use crate::input::{self, HostFiles};
use anyhow::{Context, Result};
use clap::{Args, Parser, ValueEnum};
use player::{Assets, CellSpace, Input, MotionSource, Options, Player};
use scene::LastKey;
use std::path::{Path, PathBuf};

/// The files of a command.
#[derive(Args, Clone, Debug)]
#[group(id = "render_input")]
pub(crate) struct AssetOptions {
    /// Archives (.pvm), textures (.pvr), palettes (.pvp) or folders of them; of a scene, folders where its
    /// pictures are looked for, too. May be given several times.
    #[arg(long, value_name = "PATH")]
    textures: Vec<PathBuf>,
    /// Palettes (.pvp) of textures; may be given several times.
    #[arg(long, value_name = "FILE")]
    palette: Vec<PathBuf>,
    /// Cell sprites, streams and sprite motions (.spj .csj .spa .csa), drawn over the model; may be given
    /// several times. Where FILE itself is a cell sprite, they are its streams and its motion.
    #[arg(long, value_name = "FILE")]
    cells: Vec<PathBuf>,
    /// Where cells are.
    #[arg(long, value_enum, default_value_t)]
    cell_space: Space,
    /// Motion of the model's nodes: a file, and which of its motions, from 0; without a file one of the
    /// model's own.
    #[arg(long, value_name = "FILE[:N]")]
    motion: Option<MotionSource>,
    /// A second motion, mixed into the first, or into the model at rest.
    #[arg(long, value_name = "FILE[:N]")]
    link: Option<MotionSource>,
    /// How much of the second motion is seen: 0 none, 1 it alone.
    #[arg(long, requires = "link", default_value_t = 0.5, value_parser = share)]
    share: f32,
    /// Shapes of its vertices: a file with a shape list, and which shape motion of this file, or of the
    /// motion's or the model's where it has none.
    #[arg(long, value_name = "FILE[:N]")]
    shape: Option<MotionSource>,
    /// What follows a table's last key, where that is before the motion's last frame.
    #[arg(long, value_enum, default_value_t)]
    last_key: Last,
    /// Motion of the camera: a file, and which of its camera motions (NCAM), from 0; without a file one of
    /// the model's own.
    #[arg(long, value_name = "FILE[:N]")]
    camera: Option<MotionSource>,
    /// A light that moves, instead of the usual one: a file, and which of its light motions (NLIM); may be
    /// given several times.
    #[arg(long, value_name = "FILE[:N]")]
    light_motion: Vec<MotionSource>,
    #[command(flatten)]
    scenes: SceneOptions,
}

/// The options of files as a command of their own.
#[derive(Parser)]
struct AssetCommand {
    #[command(flatten)]
    options: AssetOptions,
}

/// `--cell-space`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Space {
    /// In pixels of the screen, before everything that lies behind their priority.
    #[default]
    #[value(name = "2d")]
    Screen,
    /// At the sprite's position in the space of the model, facing the screen; alone, before a camera that
    /// looks there.
    #[value(name = "3d")]
    World,
}

/// `--last-key`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Last {
    /// The first key after one frame, as by the original.
    #[default]
    Original,
    /// The last key stays.
    Hold,
    /// The first key at the motion's end.
    Wrap,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

impl AssetOptions {
    /// Parses options of the command line.
    pub(crate) fn parse(options: impl IntoIterator<Item = String>) -> Result<Self> {
        let options = ["files".to_owned()].into_iter().chain(options);
        let command = AssetCommand::try_parse_from(options);
        Ok(command.context("options of files")?.options)
    }

    /// The files of a model.
    pub(crate) fn assets(&self, model: &Path) -> Assets {
        Assets {
            model: model.to_owned(),
            textures: self.textures.clone(),
            palettes: self.palette.clone(),
            motion: self.motion.clone(),
            link: self.link.clone().map(|link| (link, self.share)),
            shape: self.shape.clone(),
            camera: self.camera.clone(),
            lights: self.light_motion.clone(),
            cells: self.cells.clone(),
        }
    }

    /// Adds the rules of playing and of converting scenes to `options`.
    ///
    /// # Errors
    /// As [`SceneOptions::options`].
    pub(crate) fn add_to(&self, options: Options) -> Result<Options> {
        Ok(Options {
            scene: convert::Options {
                ambient: options.scene.ambient,
                ..self.scenes.options()?
            },
            last_key: match self.last_key {
                Last::Original => LastKey::Original,
                Last::Hold => LastKey::Hold,
                Last::Wrap => LastKey::Wrap,
            },
            cell_space: match self.cell_space {
                Space::Screen => CellSpace::Screen,
                Space::World => CellSpace::World,
            },
            ..options
        })
    }

    /// The input of `verb`, as far as options go.
    pub(crate) fn kind(&self, verb: &str, path: &Path) -> Result<InputKind> {
        let input = input::expect(verb, path)?;
        let has_sprite = input == Input::Cells || !self.cells.is_empty();
        let moves_model = self.motion.is_some() || self.link.is_some() || self.shape.is_some();
        let moves_view = self.camera.is_some() || !self.light_motion.is_empty();
        Ok(InputKind {
            has_sprite,
            has_model: input != Input::Cells,
            is_scene: input.is_scene(),
            in_space: matches!(self.cell_space, Space::World),
            // The motion of a sprite may be in any of its files.
            has_motion: has_sprite || moves_model || moves_view,
            is_animation: false,
        })
    }
}

/// Opens a model of the command line, and prints the warnings of its files.
pub(crate) fn open(assets: &Assets, options: &Options) -> Result<Player> {
    let player = Player::open(&HostFiles, assets, options)?;
    print_warnings(&player, 0);
    Ok(player)
}

/// Prints the warnings of a player after the first `told`.
pub(crate) fn print_warnings(player: &Player, told: usize) {
    player
        .warnings()
        .skip(told)
        .for_each(|warning| eprintln!("{warning}"));
}
