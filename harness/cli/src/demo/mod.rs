//! `swirl demo`: the project's own model, every stage run by the SH4 and compared with the references.

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

/// Draw the project's own model, every number computed by SH4 assembly in the emulated SH4 and compared, bit
/// for bit, with the Rust references.
///
/// Writes a picture and prints a table: for each kernel the calls of this frame, the generated cases run
/// besides, and mismatches. Where there is a display it then shows the model in a window.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl demo\n  swirl demo --output shark.png --no-window\n  swirl demo \
        --frame 7 --output 7.png\n  swirl demo --assets shark/"
)]
pub(crate) struct Args {
    /// The picture to write; - is standard output.
    #[arg(short, long, default_value = "swirl-demo.png", value_name = "PNG")]
    output: PathBuf,
    /// The frame of the shark's stroke to draw, 0 to 59. roms/demo.elf prints the number of each picture.
    #[arg(long, default_value_t = FRAME, value_parser = frames(), value_name = "NUMBER")]
    frame: u16,
    /// Generated cases of each kernel, besides those of the frame.
    #[arg(long, default_value_t = 200)]
    cases: u64,
    /// What runs the generated cases; both engines come to the same results. The frame, whose cycles are
    /// counted call by call, is the interpreter's.
    #[arg(long, value_enum, default_value_t)]
    engine: CpuEngine,
    /// Do not open a window.
    #[arg(long)]
    no_window: bool,
    /// Also write the model, its motions, shapes, cells and textures into this folder.
    #[arg(long, value_name = "FOLDER")]
    assets: Option<PathBuf>,
    #[command(flatten)]
    chip: SetOptions,
}

impl Args {
    /// Makes `-` a PNG on standard output; whether standard output takes it.
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
            eprintln!("swirl: the frame stopped at its first difference: {error:#}");
            return Ok(ExitStatus::CheckFailed);
        }
        picture => picture?,
    };
    print_warnings(&demo.player, 0);
    output::write_png(&args.output, &picture.image)?;
    println!(
        "{}: {}x{}, {} triangles, every number from the emulated SH4, checked bit for bit",
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

/// The demo's model as the bytes of a `.nj` file.
///
/// # Errors
/// If the model cannot be written; not on any machine, unless something is broken.
pub fn demo_model() -> Result<Vec<u8>> {
    Ok(shark::file()?.write()?)
}

/// The demo's motions as the bytes of a `.njm` and a `.njs` file: how the model swims, and the shapes of its
/// mouth.
///
/// # Errors
/// As [`demo_model`].
pub fn demo_motions() -> Result<[Vec<u8>; 2]> {
    let tree = shark::tree()?;
    Ok([motion::motions(&tree).write()?, motion::shapes(&tree).write()?])
}

/// The demo's cells as the bytes of a `.spj` and a `.csj` file: the sprite, and both streams.
///
/// # Errors
/// As [`demo_model`].
pub fn demo_cells() -> Result<[Vec<u8>; 2]> {
    Ok([cells::sprite_file().write()?, cells::stream_file()?.write()?])
}

/// The demo's textures as the bytes of `.pvr` files, in the order of the model's list.
///
/// # Errors
/// As [`demo_model`].
pub fn demo_textures() -> Result<[Vec<u8>; 3]> {
    let [skin, sand, swirl] = textures::all()?;
    Ok([write_pvr(&skin)?, write_pvr(&sand)?, write_pvr(&swirl)?])
}

/// The demo's scene, ready to be drawn.
pub struct Demo {
    player: Player,
    options: Options,
    layer: Layer,
    /// User events of the layer's streams up to the frame.
    events: Vec<String>,
}

impl Demo {
    /// Makes the model, its motions and its textures as files in memory, and opens them like any other.
    ///
    /// # Errors
    /// If the model cannot be made; not on any machine, unless something is broken.
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
        // The camera in front of the shark, and the lights.
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
        // The last texture of the model's list.
        let swirl = player.scene.view.textures.bound.iter().flatten().last();
        let layer = Layer::new(*swirl.context("no texture of the swirl")?)?;
        let mut demo = Self {
            player,
            options,
            layer,
            events: Vec::new(),
        };
        demo.seek(FRAME);
        Ok(demo)
    }

    /// Goes to a frame of the stroke.
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

/// What the camera looks at: the shark's middle.
const TARGET: [f32; 3] = [0.0, -0.918_735_6, 0.0];

/// The frame of the stroke that the picture shows by default: the mouth is open.
const FRAME: u16 = 18;

/// The frames of the stroke but its last, which is the first again.
fn frames() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(..i64::from(motion::LENGTH) - 1)
}

/// Prints a row for each kernel; false if anything differs.
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
        "\nThis frame: {} cycles with empty caches at each call, {} with the caches as the same call left \
            them: {:.1} and {:.1} % of\n\
         1/60 s at 200 MHz. Calls and words compared are the frame's, cases those and generated inputs \
         together.",
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
            "{}: the buffers exceed the operand cache of 16 KiB. A warm call misses as a cold one does, and \
             also writes back the dirty lines of the call before.",
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
