//! `swirl render`: draws frames of a model or a scene into pictures.

mod inspect;

use crate::exit::ExitStatus;
use crate::frame::assets::{AssetOptions, open, print_warnings};
use crate::frame::effects::InputKind;
use crate::frame::options::RenderOptions;
use crate::frame::writer::{self, FrameOptions, FrameWriter};
use crate::frame::{chip_scene, cycles};
use crate::kernel_backend::{KernelBackend, RunningBackend};
use crate::plural::plural;
use crate::progress::Progress;
use crate::{input, kernel_backend, kernel_call, output};
use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use player::{Input, Picture, Player};
use scene::CellStats;
use sh4_kernels::Kernels;
use std::path::PathBuf;

/// Draw a model, scene, sprite, texture or text scene into a PNG, numbered PNGs, or an animated PNG or GIF.
///
/// Textures come from --textures, or from the model's folder: an archive with the model's name (.pvm), and
/// files with the names in its texture list (.pvr). Palettes (.pvp) come from --palette, or from the model's
/// folder by the names of the model and its textures. A missing texture is drawn as a checkerboard.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl render model.nj -o model.png --yaw 45 --kernels checked\n  \
    swirl render model.nj -o model.png --kernels sh4 --cycles\n  \
    swirl render model.nj -o walk.gif --motion walk.njm\n  \
    swirl render model.nj -o frame.png --motion :2 --shape face.njs --frames 0..29\n  \
    swirl render model.nj -o start.gif --motion walk.njm --link run.njm --share 0.25\n  \
    swirl render model.nj -o flight.gif --camera camera.njm\n  \
    swirl render model.nj -o model.png --textures model.pvm --palette model.pvp --size 320x240 --ta-dump \
    model.ta\n  \
    swirl render star.spa -o star.png --cell-space 3d --yaw 20\n  \
    swirl render walk.spa --cells walk.csa -o walk.gif --textures walk.pvp --textures walk.pvr\n  \
    swirl render walk.spa --cells walk.csa -o walk.gif --motion jump.njm --play once --set play=original\n  \
    swirl render scene.txt -o scene.png --inspect 32,40 --overdraw overdraw.png --stats")]
pub(crate) struct Args {
    /// File to draw: a model (.nj), a scene (.fbx, .gltf, .glb, .obj), a texture (.pvr, .pvm), a picture
    /// (.png, .tga, .bmp, .jpg, .dds), or a scene for the PowerVR2 (.txt). - is standard input.
    pub(crate) file: PathBuf,
    /// Picture to write: a .png, several with numbers in their names, or an animation (.gif, .apng). - is a
    /// PNG on standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Implementation of the kernels that compute the frame.
    #[arg(long, value_enum, default_value_t)]
    kernels: KernelBackend,
    /// Print the SH4 cycles of the frame's kernels, by kernel and by node. For several frames, print the
    /// mean.
    #[arg(long)]
    cycles: bool,
    /// Write the tile accelerator's input: 32-byte parameters, little-endian words.
    #[arg(long, value_name = "FILE")]
    ta_dump: Option<PathBuf>,
    #[command(flatten)]
    assets: AssetOptions,
    #[command(flatten)]
    frames: FrameOptions,
    #[command(flatten)]
    looking: inspect::Options,
    #[command(flatten)]
    render: RenderOptions,
}

impl Args {
    /// Replaces `-` by a PNG on standard output. Returns whether the output is standard output.
    pub(crate) fn resolve_output(&mut self) -> bool {
        if self.output.as_os_str() == "-" {
            self.output = PathBuf::from("-.png");
        }
        let dump = self.ta_dump.as_deref().is_some_and(input::is_standard);
        input::is_standard(&self.output) || dump
    }
}

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    if input::kind(&args.file)? == Input::PvrScene {
        InputKind::default().warn(matches, &args.render);
        return scene(args);
    }
    let kind = InputKind {
        is_animation: writer::is_animation(&args.output),
        ..args.assets.kind("render", &args.file)?
    };
    kind.warn(matches, &args.render);
    let name = args.file.display().to_string();
    let options = args.assets.add_to(args.render.options(kind.is_scene)?)?;
    let mut player = open(&args.assets.assets(&args.file), &options)?;
    let (moves, told) = (player.moves(), player.warnings().count());
    kind.warn_still(matches, &args.render.play, moves);
    if kind.is_animation && !moves.anything && player.motions().next().is_some() {
        eprintln!("{name}: warning: the file has motions, but none plays: --motion :0 plays the first");
    }
    let mut writer = FrameWriter::new(&args.output, &args.frames, player.length(), args.render.size)?;
    if writer.frames().len() > 1 && (args.looking.is_asked_for() || args.ta_dump.is_some()) {
        bail!("{name}: --ta-dump and the inspection options apply to one frame: use --frame");
    }
    let mut kernels = args.kernels.start(args.cycles)?;
    let frames = writer.frames().len() as u64;
    match draw(args, &name, &mut player, kernels.kernels(), &mut writer) {
        Err(error) if kernel_backend::is_mismatch(&error) => {
            return differed(args, &name, &error, &kernels);
        }
        drawn => drawn.with_context(|| name.clone())?,
    }
    print_warnings(&player, told);
    println!("{}: {}", writer.finish()?, summary(&player, args));
    print_cycles(&kernels, frames);
    if args.looking.is_asked_for() {
        inspect::run(&args.looking, player.chip()?, args.render.size.into())?;
    }
    Ok(ExitStatus::Done)
}

/// Describes the drawn contents.
fn summary(player: &Player, args: &Args) -> String {
    if let Some(stats) = player.sprite_stats() {
        let CellStats {
            sprites,
            strips,
            hidden,
            outside,
            ..
        } = stats;
        let cells = if *sprites == 1 {
            "cell as a sprite"
        } else {
            "cells as sprites"
        };
        let strip = if *strips == 1 { "a strip" } else { "strips" };
        return format!("{sprites} {cells}, {strips} as {strip}, {hidden} hidden, {outside} outside");
    }
    let total = player.total();
    format!(
        "{}x{}, {}, {}, {}",
        args.render.size[0],
        args.render.size[1],
        plural(total.nodes, "node"),
        plural(total.strips, "strip"),
        plural(total.triangles, "triangle")
    )
}

/// Draws every frame into `writer`. Prints the events of cell streams.
fn draw(
    args: &Args,
    name: &str,
    player: &mut Player,
    kernels: &mut dyn Kernels,
    writer: &mut FrameWriter,
) -> Result<()> {
    let frames = writer.frames();
    let progress = Progress::new(frames.len() as u64);
    for frame in frames {
        let picture = player.draw(frame, kernels);
        let picture = picture.with_context(|| format!("frame {frame}"))?;
        print_events(&picture);
        dump(args, &picture.blocks)?;
        writer.add(frame, &picture.image)?;
        progress.tick(name);
    }
    progress.finish();
    Ok(())
}

/// Prints the events of cell streams.
pub(crate) fn print_events(picture: &Picture) {
    for event in &picture.events {
        let words: Vec<String> = event.words.iter().map(|word| format!("{word:#010x}")).collect();
        println!(
            "time {}, stream {}: event {} [{}]",
            event.time,
            event.stream,
            event.id,
            words.join(", ")
        );
    }
}

/// Reports where the frame stopped, and writes the failing kernel call next to the picture.
fn differed(args: &Args, name: &str, error: &anyhow::Error, kernels: &RunningBackend) -> Result<ExitStatus> {
    eprintln!("swirl: {name}: {error:#}");
    if let Some(failed) = kernels.failed() {
        let path = args.output.with_extension("call.toml");
        kernel_call::write(&path, failed)?;
        eprintln!(
            "swirl: to repeat this call: swirl verify --call {}",
            path.display()
        );
    }
    Ok(ExitStatus::CheckFailed)
}

fn print_cycles(kernels: &RunningBackend, frames: u64) {
    if let Some(metered) = kernels.metered() {
        print!("{}", cycles::report(metered, frames));
    }
}

/// Draws a text scene.
fn scene(args: &Args) -> Result<ExitStatus> {
    let (threads, chip) = (args.render.threads, &args.render.play.chip);
    let mut outcome = chip_scene::draw(&args.file, threads, chip, args.ta_dump.is_some())?;
    for warning in &outcome.warnings {
        eprintln!("{}: warning: {warning}", args.file.display());
    }
    dump(args, &outcome.blocks)?;
    output::write_png(&args.output, &outcome.image)?;
    let (width, height) = (outcome.image.width, outcome.image.height);
    println!("{}: {width}x{height}", args.output.display());
    inspect::run(&args.looking, &mut outcome.pvr, outcome.frame)?;
    Ok(ExitStatus::Done)
}

/// Writes the input of the tile accelerator, if requested.
fn dump(args: &Args, blocks: &[[u32; 8]]) -> Result<()> {
    let Some(path) = &args.ta_dump else {
        return Ok(());
    };
    let bytes: Vec<u8> = blocks
        .iter()
        .flatten()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    output::write(path, &bytes)
}
