//! `swirl render`: frames of a model, or a scene, into pictures.

use crate::engine::{Engine, Running};
use crate::film::{self, Film};
use crate::frame::{Picture, Stage, print_warnings};
use crate::pictures::Model;
use crate::shot::Shot;
use crate::verify::Progress;
use crate::{Outcome, call_file, cells, frame_costs, inspect, motions, output, scenes, views};
use anyhow::{Context, Result, bail};
use scene::SceneError;
use sh4_kernels::Kernels;
use std::path::PathBuf;

/// Draw frames of a model, or a scene for the PowerVR2 as text (.txt), into a PNG, numbered PNGs, or an animated PNG or
/// GIF.
///
/// Textures are taken from --textures, or from beside the model: an archive of its own name (.pvm) and files named as
/// its texture list says (.pvr); palettes likewise (.pvp), from --palette or by the names of the model and of its textures.
/// What is missing is drawn with a checker.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl render model.nj -o model.png --yaw 45 --kernels checked\n  \
    swirl render model.nj -o model.png --kernels sh4 --cycles\n  \
    swirl render model.nj -o walk.gif --motion walk.njm\n  \
    swirl render model.nj -o frame.png --motion :2 --shape face.njs --frames 0..29\n  \
    swirl render model.nj -o start.gif --motion walk.njm --link run.njm --share 0.25\n  \
    swirl render model.nj -o flight.gif --camera camera.njm\n  \
    swirl render model.nj -o model.png --textures model.pvm --palette model.pvp --size 320x240 --ta-dump model.ta\n  \
    swirl render star.spa -o star.png --cell-space 3d --yaw 20\n  \
    swirl render walk.spa --cells walk.csa -o walk.gif --textures walk.pvp --textures walk.pvr\n  \
    swirl render scene.txt -o scene.png --inspect 32,40 --overdraw overdraw.png --stats")]
pub(crate) struct Args {
    /// The model, .nj, or the scene, .txt.
    file: PathBuf,
    /// The picture to write: a .png, or several with numbers in their names, or an animation, .gif or .apng.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What computes the frame.
    #[arg(long, value_enum, default_value_t)]
    kernels: Engine,
    /// Print what the frame's kernels cost the SH4, by kernel and by node; the mean of several frames.
    #[arg(long)]
    cycles: bool,
    /// Write the tile accelerator's input: 32-byte parameters, little-endian words.
    #[arg(long, value_name = "FILE")]
    ta_dump: Option<PathBuf>,
    #[command(flatten)]
    sprites: cells::Options,
    #[command(flatten)]
    motions: motions::Options,
    #[command(flatten)]
    views: views::Options,
    #[command(flatten)]
    frames: film::Options,
    #[command(flatten)]
    looking: inspect::Options,
    #[command(flatten)]
    shot: Shot,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if scenes::is_scene(&args.file) {
        return scene(args);
    }
    let name = args.file.display().to_string();
    if cells::is_sprite(&args.file)? {
        return sprite(args, &name);
    }
    let model = Model::load(&args.file, &args.sprites.sources)?;
    let motions = args.motions.load(&args.file, &model.file)?;
    let mut stage = Stage::new(&model, &args.shot, &motions).with_context(|| name.clone())?;
    for warning in &stage.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    let views = args
        .views
        .load(&args.file, &model.file, &motions, &stage.scene.view)?;
    let mut layer = cells::Layer::over(&args.sprites, &mut stage.screen)?;
    let length = stage
        .scene
        .length()
        .max(views.length())
        .max(layer.as_ref().map_or(0, cells::Layer::length));
    let mut film = Film::new(&args.output, &args.frames, length, args.shot.size)?;
    if film.frames().len() > 1 && (args.looking.is_asked_for() || args.ta_dump.is_some()) {
        bail!("the tile accelerator's input and what is behind a picture are of one frame: use --frame");
    }
    let mut kernels = args.kernels.start(args.cycles)?;
    let frames = film.frames().len() as u64;
    let drawn = draw(
        args,
        &name,
        &mut stage,
        &views,
        layer.as_mut(),
        kernels.kernels(),
        &mut film,
    );
    let total = match drawn {
        Err(error) if is_mismatch(&error) => {
            return differed(args, &name, &error, &kernels);
        }
        drawn => drawn.with_context(|| name.clone())?,
    };
    print_warnings(&name, &total);
    println!(
        "{}: {}x{}, {} nodes, {} strips, {} triangles",
        film.finish()?,
        total.rendered.image.width,
        total.rendered.image.height,
        total.stats.nodes,
        total.stats.strips,
        total.stats.triangles
    );
    print_cycles(&kernels, frames);
    if args.looking.is_asked_for() {
        let (pvr, size) = stage.screen.chip()?;
        inspect::run(&args.looking, pvr, size)?;
    }
    Ok(Outcome::Done)
}

/// Draws every frame into `film`. Of what is given back, counts and warnings are of all frames.
fn draw(
    args: &Args,
    name: &str,
    stage: &mut Stage,
    views: &views::Views,
    mut layer: Option<&mut cells::Layer>,
    kernels: &mut dyn Kernels,
    film: &mut Film,
) -> Result<Picture> {
    let frames = film.frames();
    let progress = Progress::new(frames.len() as u64);
    let mut total: Option<Picture> = None;
    for frame in frames {
        stage.scene.seek(frame);
        views.set(frame, &mut stage.scene.view, kernels)?;
        let picture = stage
            .draw(kernels, |view, kernels, lists| match &mut layer {
                Some(layer) => {
                    let space = cells::space(&view.camera, view.viewport, kernels)?;
                    layer.draw(frame, &space, kernels, lists)
                }
                None => Ok(()),
            })
            .with_context(|| format!("frame {frame}"))?;
        dump(args, &picture.rendered.blocks)?;
        film.add(frame, &picture.rendered.image)?;
        total = Some(match total {
            None => picture,
            Some(before) => before.and(picture),
        });
        progress.tick(name);
    }
    progress.finish();
    if let Some(layer) = layer {
        layer.print_warnings();
    }
    total.context("no frames")
}

/// Draws a cell sprite alone.
fn sprite(args: &Args, name: &str) -> Result<Outcome> {
    let files: Vec<PathBuf> = std::iter::once(&args.file)
        .chain(&args.sprites.cells)
        .cloned()
        .collect();
    let mut stage =
        cells::SpriteStage::new(&files, &args.sprites, &args.shot).with_context(|| name.to_owned())?;
    let mut film = Film::new(&args.output, &args.frames, stage.layer.length(), args.shot.size)?;
    if film.frames().len() > 1 && (args.looking.is_asked_for() || args.ta_dump.is_some()) {
        bail!("the tile accelerator's input and what is behind a picture are of one frame: use --frame");
    }
    let mut kernels = args.kernels.start(args.cycles)?;
    let frames = film.frames().len() as u64;
    for frame in film.frames() {
        let picture = match stage.draw(frame, kernels.kernels()) {
            Err(error) if is_mismatch(&error) => {
                return differed(args, name, &error, &kernels);
            }
            picture => picture.with_context(|| name.to_owned())?,
        };
        dump(args, &picture.blocks)?;
        film.add(frame, &picture.image)?;
    }
    stage.layer.print_warnings();
    println!("{}: {}", film.finish()?, stage.layer.summary());
    print_cycles(&kernels, frames);
    if args.looking.is_asked_for() {
        let (pvr, size) = stage.screen.chip()?;
        inspect::run(&args.looking, pvr, size)?;
    }
    Ok(Outcome::Done)
}

/// Tells where the frame stopped, and leaves the call that stopped it beside the picture that was not made.
fn differed(args: &Args, name: &str, error: &anyhow::Error, kernels: &Running) -> Result<Outcome> {
    eprintln!("swirl: {name}: {error:#}");
    if let Some(failed) = kernels.failed() {
        let path = args.output.with_extension("call.toml");
        call_file::write(&path, failed)?;
        eprintln!("swirl: this call alone: swirl verify --call {}", path.display());
    }
    Ok(Outcome::CheckFailed)
}

fn print_cycles(kernels: &Running, frames: u64) {
    if let Some(metered) = kernels.metered() {
        print!("{}", frame_costs::report(metered, frames));
    }
}

/// Draws a scene as text.
fn scene(args: &Args) -> Result<Outcome> {
    let mut outcome = scenes::draw(&args.file, args.shot.threads, &args.shot.chip)?;
    for warning in &outcome.warnings {
        eprintln!("{}: warning: {warning}", args.file.display());
    }
    dump(args, &outcome.blocks)?;
    output::write_png(&args.output, &outcome.image)?;
    let (width, height) = (outcome.image.width, outcome.image.height);
    println!("{}: {width}x{height}", args.output.display());
    inspect::run(&args.looking, &mut outcome.pvr, outcome.frame)?;
    Ok(Outcome::Done)
}

/// The input of the tile accelerator, if it was asked for.
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

/// Whether the SH4 and the reference disagreed, which is a failed check and not bad input.
pub(crate) fn is_mismatch(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<SceneError>()
            .is_some_and(|e| e.mismatch().is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sh4_kernels::{KernelError, Mismatch};

    #[test]
    fn a_difference_is_told_from_bad_input_through_all_its_context() {
        let at = |cause| SceneError::At {
            node: 1,
            offset: 52,
            list: "plist",
            chunk: 2,
            cause: Box::new(cause),
        };
        let wrap = |error: SceneError| {
            let result: std::result::Result<(), _> = Err(error);
            result
                .context("NJCM, model 0")
                .context("file.nj")
                .expect_err("an error")
        };
        let mismatch = Mismatch {
            kernel: "sincos",
            call: 3,
            argument: 2,
            name: "out",
            index: 1,
            reference: 1,
            candidate: 2,
        };
        let error = wrap(at(SceneError::Kernel(KernelError::Mismatch(mismatch))));
        assert!(is_mismatch(&error));
        let text = format!("{error:#}");
        assert_eq!(text.matches("sincos").count(), 1, "{text}");
        assert!(text.contains("node 1 at 0x34, plist chunk 2"), "{text}");
        assert!(!is_mismatch(&wrap(at(SceneError::EmptySlot { slot: 7 }))));
    }
}
