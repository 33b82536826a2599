//! Cell sprites with their streams, motion, textures and palettes.

mod alone;
mod files;
mod motion;

use crate::frame::motions::MotionOptions;
use crate::frame::options::RenderOptions;
use crate::frame::screen::Screen;
use crate::frame::textures::{TextureSet, TextureSources};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use files::Files;
use motion::SpriteMotions;
use scene::{
    CellSprite, CellStats, CellWarnings, Events, Settings, Shadows, SpriteSpace, StreamList, TaLists,
    Textures, View, draw_sprite_2d, draw_sprite_3d,
};
use sh4_kernels::Kernels;
use std::collections::BTreeSet;
use std::path::PathBuf;

pub(crate) use alone::alone;
pub(crate) use files::is_sprite;

/// The sprites of a command.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "sprites")]
pub(crate) struct SpriteOptions {
    #[command(flatten)]
    pub(crate) sources: TextureSources,
    /// Cell sprites, streams and sprite motions (.spj .csj .spa .csa), drawn over the model; may be given
    /// several times. Where FILE itself is a cell sprite, they are its streams and its motion.
    #[arg(long, value_name = "FILE")]
    pub(crate) cells: Vec<PathBuf>,
    /// Where cells are.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) cell_space: CellSpace,
}

/// `--cell-space`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CellSpace {
    /// In pixels of the screen, before everything that lies behind their priority.
    #[default]
    #[value(name = "2d")]
    Screen,
    /// At the sprite's position in the space of the model, facing the screen; alone, before a camera that
    /// looks there.
    #[value(name = "3d")]
    World,
}

/// A sprite that plays.
pub(crate) struct SpriteLayer {
    name: String,
    sprite: CellSprite,
    list: StreamList,
    motion: SpriteMotions,
    settings: Settings,
    textures: Textures,
    place: CellSpace,
    length: u32,
    /// Where the list stands; before the first frame nowhere.
    shown: Option<i32>,
    stats: CellStats,
    warnings: BTreeSet<String>,
}

impl SpriteLayer {
    /// A layer over a model; `None` without files.
    pub(crate) fn over(
        options: &SpriteOptions,
        motions: &MotionOptions,
        render: &RenderOptions,
        screen: &mut Screen,
    ) -> Result<Option<Self>> {
        if options.cells.is_empty() {
            return Ok(None);
        }
        let rules = motions.rules(&render.play)?;
        Self::load(&options.cells, options, None, render, screen).map(|mut layer| {
            layer.motion.play(rules);
            Some(layer)
        })
    }

    /// Reads the files, and puts textures and palettes into `screen`. `motions` choose the sprite's motions;
    /// without them it has the one in its files.
    fn load(
        files: &[PathBuf],
        options: &SpriteOptions,
        motions: Option<&MotionOptions>,
        render: &RenderOptions,
        screen: &mut Screen,
    ) -> Result<Self> {
        let settings = render.settings(Shadows::default())?;
        let Files {
            name,
            whole,
            sprite,
            list,
            length,
        } = Files::read(files, &settings)?;
        let mut motion = SpriteMotions::find(&files[0], &whole, motions).with_context(|| name.clone())?;
        if let Some(motions) = motions {
            motion.play(motions.rules(&render.play)?);
        }
        let pictures = TextureSet::of_files(files, &whole, &options.sources)?;
        let (textures, warnings) = screen.bind(&pictures).with_context(|| name.clone())?;
        Ok(Self {
            name,
            sprite,
            list,
            textures,
            place: options.cell_space,
            length: length.max(motion.length()),
            settings,
            motion,
            shown: None,
            stats: CellStats::default(),
            warnings: warnings.into_iter().collect(),
        })
    }

    /// Frames until everything has played once.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// Whether its motion asks for splines and moves angles.
    pub(crate) fn has_spline_angles(&self) -> bool {
        self.motion.has_spline_angles()
    }

    /// Frames of its motion; 0 without one.
    pub(crate) fn motion_length(&self) -> u32 {
        self.motion.length()
    }

    /// Draws the sprite as it is at a whole frame, in the space of `view` if it was asked to be there. User
    /// events on the way are printed.
    pub(crate) fn draw(
        &mut self,
        frame: f32,
        view: &View,
        kernels: &mut dyn Kernels,
        lists: &mut TaLists,
    ) -> Result<()> {
        let space = SpriteSpace {
            to_view: view.camera.view(kernels)?,
            viewport: view.viewport,
            far: f32::INFINITY,
        };
        self.play(frame as i32)?;
        let Some(value) = self.motion.value(frame.trunc(), self.sprite.value, kernels)? else {
            self.stats = CellStats::default();
            return Ok(());
        };
        let (words, textures, settings) = (self.list.words(), &self.textures, self.settings.cells);
        let stats = match self.place {
            CellSpace::Screen => draw_sprite_2d(words, &value, textures, &settings, kernels, lists)?,
            CellSpace::World => draw_sprite_3d(words, &value, &space, textures, &settings, kernels, lists)?,
        };
        let lines = lines(&stats.warnings);
        self.stats = stats;
        self.warnings.extend(lines);
        Ok(())
    }

    /// Moves the streams to `time`, from the time before so that the events of this one are delivered.
    fn play(&mut self, time: i32) -> Result<()> {
        if self.shown == Some(time) {
            return Ok(());
        }
        let mut print = Events::new();
        print.on_any(|event| {
            let words: Vec<String> = event.words.iter().map(|word| format!("{word:#010x}")).collect();
            println!(
                "time {}, stream {}: event {} [{}]",
                event.time,
                event.stream,
                event.id,
                words.join(", ")
            );
        });
        if time <= 0 {
            self.list.reset();
            self.list.advance(0, &mut print);
        } else {
            if self.shown != Some(time - 1) {
                self.list.seek(time - 1)?;
            }
            self.list.advance(1, &mut print);
        }
        self.shown = Some(time);
        Ok(())
    }

    /// All warnings, once each.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut all = lines(self.list.warnings());
        all.extend(self.motion.warnings());
        all.extend(self.warnings.iter().cloned());
        all
    }

    pub(crate) fn print_warnings(&self) {
        for warning in self.warnings() {
            eprintln!("{}: warning: {warning}", self.name);
        }
    }

    /// Counts of the last frame.
    pub(crate) fn summary(&self) -> String {
        let CellStats {
            sprites,
            strips,
            hidden,
            outside,
            ..
        } = self.stats;
        let cells = if sprites == 1 { "cell" } else { "cells" };
        let sprite = if sprites == 1 { "a sprite" } else { "sprites" };
        let strip = if strips == 1 { "a strip" } else { "strips" };
        format!("{sprites} {cells} as {sprite}, {strips} as {strip}, {hidden} hidden, {outside} outside")
    }
}

fn lines(warnings: &CellWarnings) -> Vec<String> {
    let line = |(warning, times): (&scene::CellWarning, &usize)| match times {
        1 => warning.to_string(),
        times => format!("{warning} ({times} times)"),
    };
    warnings.iter().map(line).collect()
}
