//! `swirl render`: frames of a model, or a scene, into pictures.

use crate::engine::{Engine, Running};
use crate::film::{self, Film};
use crate::frame::{Picture, print_warnings};
use crate::shot::Shot;
use crate::subject::{self, Subject};
use crate::verify::Progress;
use crate::{Outcome, call_file, frame_costs, inspect, output, scenes};
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
    subject: subject::Options,
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
    let mut subject = Subject::load(&args.file, &args.subject, &args.shot)?;
    let mut film = Film::new(&args.output, &args.frames, subject.length(), args.shot.size)?;
    if film.frames().len() > 1 && (args.looking.is_asked_for() || args.ta_dump.is_some()) {
        bail!("the tile accelerator's input and what is behind a picture are of one frame: use --frame");
    }
    let mut kernels = args.kernels.start(args.cycles)?;
    let frames = film.frames().len() as u64;
    let total = match draw(args, &name, &mut subject, kernels.kernels(), &mut film) {
        Err(error) if is_mismatch(&error) => {
            return differed(args, &name, &error, &kernels);
        }
        drawn => drawn.with_context(|| name.clone())?,
    };
    print_warnings(&name, &total);
    subject.print_warnings();
    println!("{}: {}", film.finish()?, summary(&subject, &total));
    print_cycles(&kernels, frames);
    if args.looking.is_asked_for() {
        let (pvr, size) = subject.stage.screen.chip()?;
        inspect::run(&args.looking, pvr, size)?;
    }
    Ok(Outcome::Done)
}

/// What was drawn.
fn summary(subject: &Subject, total: &Picture) -> String {
    if let Some(layer) = subject
        .layer
        .as_ref()
        .filter(|_| subject.stage.scene.objects.is_empty())
    {
        return layer.summary();
    }
    format!(
        "{}x{}, {} nodes, {} strips, {} triangles",
        total.rendered.image.width,
        total.rendered.image.height,
        total.stats.nodes,
        total.stats.strips,
        total.stats.triangles
    )
}

/// Draws every frame into `film`. Of what is given back, counts and warnings are of all frames.
fn draw(
    args: &Args,
    name: &str,
    subject: &mut Subject,
    kernels: &mut dyn Kernels,
    film: &mut Film,
) -> Result<Picture> {
    let frames = film.frames();
    let progress = Progress::new(frames.len() as u64);
    let mut total: Option<Picture> = None;
    for frame in frames {
        let picture = subject.draw(frame, kernels);
        let picture = picture.with_context(|| format!("frame {frame}"))?;
        dump(args, &picture.rendered.blocks)?;
        film.add(frame, &picture.rendered.image)?;
        total = Some(match total {
            None => picture,
            Some(before) => before.and(picture),
        });
        progress.tick(name);
    }
    progress.finish();
    total.context("no frames")
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
    let mut outcome = scenes::draw(&args.file, args.shot.threads, &args.shot.chip, args.ta_dump.is_some())?;
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
