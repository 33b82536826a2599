//! Options that name the files of a model, its motions and its sprites.

use super::effects::InputKind;
use super::scenes::SceneOptions;
use crate::input::{self, HostFiles};
use anyhow::{Context, Result};
use clap::{Args, Parser, ValueEnum};
use player::{Assets, CellSpace, Input, MotionSource, Options, Player};
use scene::LastKey;
use std::path::{Path, PathBuf};

/// Options for the files of a model.
#[derive(Args, Clone, Debug)]
#[group(id = "render_input")]
pub(crate) struct AssetOptions {
    /// Archives (.pvm), textures (.pvr), palettes (.pvp) or folders of them.
    ///
    /// For a scene also folders in which to search for its pictures. May be given several times.
    #[arg(long, value_name = "PATH")]
    textures: Vec<PathBuf>,
    /// Palettes (.pvp) of textures. May be given several times.
    #[arg(long, value_name = "FILE")]
    palette: Vec<PathBuf>,
    /// Cell sprites, streams and sprite motions (.spj .csj .spa .csa), drawn over the model.
    ///
    /// If FILE itself is a cell sprite, they are its streams and its motion. May be given several times.
    #[arg(long, value_name = "FILE")]
    cells: Vec<PathBuf>,
    /// Position of cell sprites.
    #[arg(long, value_enum, default_value_t)]
    cell_space: Space,
    /// Motion of the model's nodes: a file, and the number of one of its motions, from 0.
    ///
    /// Without FILE, N selects one of the motions in the model's file.
    #[arg(long, value_name = "FILE[:N]")]
    motion: Option<MotionSource>,
    /// Second motion, blended with the first one, or with the model at rest.
    #[arg(long, value_name = "FILE[:N]")]
    link: Option<MotionSource>,
    /// Weight of the second motion, from 0 (none) to 1 (only the second).
    #[arg(long, requires = "link", default_value_t = 0.5, value_parser = share)]
    share: f32,
    /// Shapes of the model's vertices: a file with a shape list, and the number of a shape motion in it.
    ///
    /// If it has none, the motion's file and the model's file are searched.
    #[arg(long, value_name = "FILE[:N]")]
    shape: Option<MotionSource>,
    /// Interpolation after the last key of a table, if it is before the motion's last frame.
    #[arg(long, value_enum, default_value_t)]
    last_key: Last,
    /// Motion of the camera: a file, and the number of one of its camera motions (NCAM), from 0.
    ///
    /// Without FILE, N selects one of the motions in the model's file.
    #[arg(long, value_name = "FILE[:N]")]
    camera: Option<MotionSource>,
    /// Moving light that replaces the default one: a file, and the number of one of its light motions (NLIM).
    /// May be given several times.
    #[arg(long, value_name = "FILE[:N]")]
    light_motion: Vec<MotionSource>,
    #[command(flatten)]
    scenes: SceneOptions,
}

/// Parser for the options of files.
#[derive(Parser)]
struct AssetCommand {
    #[command(flatten)]
    options: AssetOptions,
}

/// `--cell-space`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Space {
    /// Screen pixels; drawn in front of sprites with a lower priority.
    #[default]
    #[value(name = "2d")]
    Screen,
    /// At the sprite's position in the space of the model, facing the screen. Without a model, centred in
    /// view.
    #[value(name = "3d")]
    World,
}

/// `--last-key`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Last {
    /// Interpolate to the first key over one frame, as the original runtime does.
    #[default]
    Original,
    /// Keep the last key.
    Hold,
    /// Interpolate to the first key at the motion's end.
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

    /// Returns the files of a model.
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

    /// Adds the options for motions, sprites and scenes to `options`.
    ///
    /// # Errors
    /// Fails as [`SceneOptions::options`] does.
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

    /// Returns the kind of `verb`'s input, for checking options.
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
            // The motion of a sprite can be in any of its files.
            has_motion: has_sprite || moves_model || moves_view,
            is_animation: false,
        })
    }
}

/// Opens a model and prints the warnings about its files.
pub(crate) fn open(assets: &Assets, options: &Options) -> Result<Player> {
    let player = Player::open(&HostFiles, assets, options)?;
    print_warnings(&player, 0);
    Ok(player)
}

/// Prints the warnings of a player, except the first `printed` ones.
pub(crate) fn print_warnings(player: &Player, printed: usize) {
    player
        .warnings()
        .skip(printed)
        .for_each(|warning| eprintln!("{warning}"));
}
