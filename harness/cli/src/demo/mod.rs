//! `swirl demo`: draws the project's own model. SH4 kernels on the emulated SH4 compute every stage; Rust
//! reference code checks their results.

mod cells;
mod motion;
mod shape;
mod shark;
mod textures;

use crate::cpu_engine::CpuEngine;
use crate::exit::ExitStatus;
use crate::frame::assets::print_warnings;
use crate::frame::cycles;
use crate::setting_options::SetOptions;
use crate::{input, output, view};
use anyhow::{Context, Result};
use cells::Layer;
use player::{Assets, MotionSource, Options, Picture, Player};
use pvr::container::write_pvr;
use scene::Lights;
use sh4_kernels::{KERNELS, Kernels};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use verify::{Checked, Costs, Emulated, Metered, SH4, Verifier};

/// Draw the project's own model by SH4 assembly, compared bit for bit with Rust code.
///
/// The emulated SH4 computes every number of the picture.
///
/// Writes a picture, and prints a table of kernels: calls in this frame, additional generated cases, and
/// mismatches. If there is a display, it then shows the model in a window.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl demo\n  swirl demo --output shark.png --no-window\n  swirl demo \
        --frame 7 --output 7.png\n  swirl demo --assets shark/"
)]
pub(crate) struct Args {
    /// Picture to write; - is standard output.
    #[arg(short, long, default_value = "swirl-demo.png", value_name = "PNG")]
    output: PathBuf,
    /// Frame of the shark's stroke to draw, 0 to 59. roms/demo.elf prints the number of each picture.
    #[arg(long, default_value_t = FRAME, value_parser = frames(), value_name = "NUMBER")]
    frame: u16,
    /// Number of generated cases per kernel, in addition to the calls of the frame.
    #[arg(long, default_value_t = 200)]
    cases: u64,
    /// Engine for the generated cases; both engines give the same results. The frame itself, with its cycle
    /// counts, always uses the interpreter.
    #[arg(long, value_enum, default_value_t)]
    engine: CpuEngine,
    /// Open no window.
    #[arg(long)]
    no_window: bool,
    /// Write the model, its motions, shapes, cells and textures into this folder, too.
    #[arg(long, value_name = "FOLDER")]
    assets: Option<PathBuf>,
    #[command(flatten)]
    chip: SetOptions,
}

impl Args {
    /// Replaces `-` by a PNG on standard output. Returns whether the output is standard output.
    pub(crate) fn resolve_output(&mut self) -> bool {
        if self.output.as_os_str() == "-" {
            self.output = PathBuf::from("-.png");
        }
        input::is_standard(&self.output)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    if let Some(folder) = &args.assets {
        write_assets(folder)?;
    }
    let mut demo = Demo::with_chip(args.chip.pvr(Options::default().chip)?)?;
    demo.seek(args.frame);
    let mut kernels: Checked<Metered> = Metered::new()?.into();
    let picture = match demo.draw(&mut kernels) {
        Err(error) if error.mismatch().is_some() => {
            let error = anyhow::Error::from(error);
            eprintln!("swirl: error: the frame differs from the reference, and stopped there: {error:#}");
            return Ok(ExitStatus::CheckFailed);
        }
        picture => picture?,
    };
    print_warnings(&demo.player, 0);
    output::write_png(&args.output, &picture.image)?;
    println!(
        "{}: {}x{}, {} triangles; SH4 code computed every number, compared bit for bit with Rust",
        args.output.display(),
        picture.image.width,
        picture.image.height,
        picture.stats.triangles
    );
    for event in &demo.events {
        println!("{event}");
    }
    let passed = table(&kernels, args)?;
    if view::has_display() && !args.no_window {
        let mut kernels = sh4_kernels::Reference;
        view::show("demo", demo.player, None, &demo.options, &mut kernels)?;
    }
    Ok(if passed {
        ExitStatus::Done
    } else {
        ExitStatus::CheckFailed
    })
}

/// Returns the demo's model as the bytes of a `.nj` file.
///
/// # Errors
/// If the model cannot be written, which would be an internal error.
pub fn demo_model() -> Result<Vec<u8>> {
    Ok(shark::file()?.write()?)
}

/// Returns the demo's motions as the bytes of a `.njm` and a `.njs` file: the swimming motion, and the shapes
/// of the mouth.
///
/// # Errors
/// Fails as [`demo_model`] does.
pub fn demo_motions() -> Result<[Vec<u8>; 2]> {
    let tree = shark::tree()?;
    Ok([motion::motions(&tree).write()?, motion::shapes(&tree).write()?])
}

/// Returns the demo's cells as the bytes of a `.spj` and a `.csj` file: the sprite, and both streams.
///
/// # Errors
/// Fails as [`demo_model`] does.
pub fn demo_cells() -> Result<[Vec<u8>; 2]> {
    Ok([cells::sprite_file().write()?, cells::stream_file()?.write()?])
}

/// Returns the demo's textures as the bytes of `.pvr` files, in the order of the model's list.
///
/// # Errors
/// Fails as [`demo_model`] does.
pub fn demo_textures() -> Result<[Vec<u8>; 3]> {
    let [skin, sand, swirl] = textures::all()?;
    Ok([write_pvr(&skin)?, write_pvr(&sand)?, write_pvr(&swirl)?])
}

/// The demo's scene, ready for drawing.
pub struct Demo {
    player: Player,
    options: Options,
    layer: Layer,
    /// User events that the streams of `layer` send up to the current frame.
    events: Vec<String>,
}

impl Demo {
    /// Creates the model, its motions and its textures as files in memory, and opens them like any other
    /// files.
    ///
    /// # Errors
    /// If the model cannot be created, which would be an internal error.
    pub fn new() -> Result<Self> {
        Self::with_chip(Options::default().chip)
    }

    fn with_chip(chip: pvr::Settings) -> Result<Self> {
        let [motions, shapes] = demo_motions()?;
        let textures = shark::TEXTURES.iter().map(|name| format!("{name}.pvr"));
        let names = ["shark.nj", "shark.njm", "shark.njs"]
            .map(str::to_owned)
            .into_iter();
        let bytes = [demo_model()?, motions, shapes]
            .into_iter()
            .chain(demo_textures()?);
        let names = names.chain(textures).map(PathBuf::from);
        let files: BTreeMap<PathBuf, Vec<u8>> = names.zip(bytes).collect();
        let source = |name: &str| {
            Some(MotionSource {
                file: Some(PathBuf::from(name)),
                number: 0,
            })
        };
        let assets = Assets {
            motion: source("shark.njm"),
            shape: source("shark.njs"),
            ..Assets::new("shark.nj")
        };
        // Camera in front of the shark, and lights.
        let options = Options {
            yaw: Some(55.0),
            pitch: Some(12.0),
            distance: Some(22.0),
            background: pvr::Argb(0xFF0B_3A5E),
            lights: Lights::default(),
            chip,
            ..Options::default()
        };
        let mut player = Player::open(&files, &assets, &options)?;
        player.scene.view.camera.target = TARGET;
        // The swirl is the last texture of the model's list.
        let swirl = player.scene.view.textures.bound.iter().flatten().last();
        let layer = Layer::new(*swirl.context("the texture of the swirl is missing")?)?;
        let mut demo = Self {
            player,
            options,
            layer,
            events: Vec::new(),
        };
        demo.seek(FRAME);
        Ok(demo)
    }

    /// Sets the frame of the swimming motion.
    pub fn seek(&mut self, frame: u16) {
        self.player.scene.seek(f32::from(frame));
        self.events = self.layer.play(i32::from(frame));
    }

    /// Draws the demo's frame and returns its pixels, 8 bits of red, green, blue, alpha.
    ///
    /// # Errors
    /// If a kernel fails, or its results differ from the reference.
    pub fn frame(&mut self, kernels: &mut dyn Kernels) -> Result<Vec<u8>> {
        Ok(self.draw(kernels)?.image.rgba)
    }

    fn draw(&mut self, kernels: &mut dyn Kernels) -> player::Result<Picture> {
        let layer = &self.layer;
        let player = &mut self.player;
        player.draw_over(kernels, |_, kernels, lists| layer.draw(kernels, lists))
    }
}

/// Target of the camera: the middle of the shark.
const TARGET: [f32; 3] = [0.0, -0.918_735_6, 0.0];

/// Default frame of the stroke, with the mouth open.
const FRAME: u16 = 18;

/// Parses a frame of the stroke. The last frame equals the first, so it is excluded.
fn frames() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(..i64::from(motion::LENGTH) - 1)
}

/// Prints a row per kernel. Returns false if any result differs.
fn table(frame: &Checked<Metered>, args: &Args) -> Result<bool> {
    println!(
        "\n{:<28} {:>6} {:>7} {:>8} {:>9} {:>9} {:>8} {:>11}",
        "kernel", "calls", "words", "cases", "cold", "warm", "share", "mismatches"
    );
    let mut emulated = Emulated::open(&SH4)?;
    args.engine.prepare_kernels(&mut emulated)?;
    let mut verifier = Verifier::from(emulated);
    let costs = cycles::by_kernel(frame.candidate());
    let mut passed = true;
    for kernel in KERNELS {
        let report = verifier.run(kernel, args.cases, 1, |_| {});
        let tally = frame.tally(kernel.name);
        let cost = costs.get(kernel.name).copied().unwrap_or_default();
        println!(
            "{:<28} {:>6} {:>7} {:>8} {:>9} {:>9} {:>6.2} % {:>11}",
            kernel.name,
            tally.calls,
            tally.words,
            tally.calls + report.cases,
            cost.cold,
            cost.warm,
            cycles::share(cost.cold),
            report.mismatches + report.out_of_bound
        );
        if let Some(problem) = &report.first_problem {
            println!("  {problem}");
        }
        passed &= report.passed();
    }
    let all: Costs = costs.values().copied().sum();
    println!(
        "\nThis frame: {} cycles if caches are empty at each call, {} if each call runs again with filled \
        caches: {:.1} and {:.1} % of\n1/60 s at 200 MHz. Calls and words compared are the frame's, cases \
        those and generated inputs together.",
        all.cold,
        all.warm,
        cycles::share(all.cold),
        cycles::share(all.warm)
    );
    let slower: Vec<&str> = costs
        .iter()
        .filter(|(_, cost)| cost.warm > cost.cold)
        .map(|(name, _)| *name)
        .collect();
    if !slower.is_empty() {
        println!(
            "{}: the buffers exceed the operand cache of 16 KiB. A warm call has the misses of a cold call, \
            and also writes back dirty lines of the call before.",
            slower.join(", ")
        );
    }
    Ok(passed)
}

fn write_assets(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    output::write(&folder.join("shark.nj"), &demo_model()?)?;
    for (name, bytes) in ["shark.njm", "shark.njs"].iter().zip(demo_motions()?) {
        output::write(&folder.join(name), &bytes)?;
    }
    let [sprite, streams] = demo_cells()?;
    output::write(&folder.join("swirl.spj"), &sprite)?;
    output::write(&folder.join("swirl.csj"), &streams)?;
    let textures = textures::all()?;
    for (name, texture) in shark::TEXTURES.iter().zip(&textures) {
        output::write(&folder.join(format!("{name}.pvr")), &write_pvr(texture)?)?;
    }
    println!(
        "{}: shark.nj, shark.njm, shark.njs, swirl.spj, swirl.csj and {} textures",
        folder.display(),
        textures.len()
    );
    Ok(())
}
