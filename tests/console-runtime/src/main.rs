//! Compares the console runtime with `scene`, word for word.
//!
//! Draws every model, motion, cell sprite and texture of a folder with `runtime/console` on the emulated SH4,
//! and compares its tile accelerator input with the input that the Rust runtime sends. Exit status 1 if
//! anything differs, 2 for bad usage or input.

mod cells;
mod costs;
mod damage;
mod difference;
mod frame_cost;
mod links;
mod player;
mod scenes;
mod sources;
mod textures;
mod views;

use anyhow::{Context, Result};
use clap::Parser;
use difference::difference;
use ninja::{EvalFlags, MotionKind, ObjectTree};
use player::{Layout, Outcome, Player};
use scene::{Motion, Pose, Reference, SceneError, Settings, ShapeMotion, Shapes, TaLists, View, draw};
use sources::{Source, SourceMotion, SourceShapes};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Numbers of compared objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    models: usize,
    /// Motions that move the nodes of models.
    motions: usize,
    /// Pairs of motions linked on models, and motions linked to models at rest.
    links: usize,
    /// Shape motions of models.
    shapes: usize,
    /// Motions of cameras and of lights.
    cameras: usize,
    lights: usize,
    /// Cell sprites, and lists of streams that change their cells.
    sprites: usize,
    lists: usize,
    sprite_motions: usize,
    /// Steps so large that both runtimes skip most repetitions.
    far_steps: usize,
    textures: usize,
    palettes: usize,
    frames: usize,
    blocks: usize,
    /// Models, motions and frames that both runtimes refuse.
    refused: usize,
    /// Frames that need more memory than this program maps.
    too_large: usize,
    differences: usize,
}

/// Compare the console runtime with the Rust runtime on every model of a folder
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    cargo run --release -p swirl-console-runtime -- models/\n  \
    cargo run --release -p swirl-console-runtime -- tests/data --damage 100000 --seed 7\n  \
    cargo run --release -p swirl-console-runtime -- models/ --costs")]
struct Args {
    /// A folder of Ninja files, or one file
    path: PathBuf,
    /// Number of damaged copies of the models to load and draw as well
    #[arg(long, default_value_t = 0, value_name = "COPIES")]
    damage: u64,
    /// Seed of the damage
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the cycles of a frame of each model: kernels, float functions, C code
    #[arg(long)]
    costs: bool,
    /// Console runtime to test instead of roms/runtime.elf (roms/build.sh FOLDER builds one)
    #[arg(long, value_name = "FILE")]
    rom: Option<PathBuf>,
    /// Interpret the runtime instead of compiling it for this host; results are equal
    #[arg(long)]
    interpreter: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("console-runtime: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Reads a whole file.
fn read_file(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}

/// Compares every model and motion of a file or folder. Returns whether all are equal.
fn run(args: &Args) -> Result<bool> {
    let elf = match &args.rom {
        Some(path) => read_file(path)?,
        None => roms::RUNTIME_ELF.to_vec(),
    };
    let mut player = Player::new(&elf, args.interpreter, Layout::APART)?;
    let folder = sources::read(&args.path)?;
    let sources = &folder.sources;
    let mut counts = Counts::default();
    for source in sources {
        let compared = compare_source(&mut player, source, sources, &mut counts);
        compared.with_context(|| source.name.clone())?;
    }
    cells::compare(&mut player, sources, &mut counts)?;
    views::compare(&mut player, sources, &mut counts)?;
    textures::compare(&mut player, &folder.textures, &mut counts)?;
    textures::compare_palettes(&mut player, &folder.palettes, &mut counts)?;
    print(&counts, &player);
    println!("{}", skipped(&folder));
    if args.costs {
        costs::print(&mut Player::new(&elf, args.interpreter, Layout::RAM)?, sources)?;
    }
    let sound = damage::run(&mut player, &folder, args.damage, args.seed)?;
    Ok(counts.differences == 0 && sound)
}

fn print(counts: &Counts, player: &Player) {
    println!(
        "{} models, {} motions and {} shape motions on models, {} frames, {} blocks of 32 bytes, {} \
         differences",
        counts.models, counts.motions, counts.shapes, counts.frames, counts.blocks, counts.differences
    );
    println!(
        "{} links of motions, {} camera motions, {} light motions",
        counts.links, counts.cameras, counts.lights
    );
    println!(
        "{} cell sprites with {} lists of streams and {} motions, {} textures, {} palettes",
        counts.sprites, counts.lists, counts.sprite_motions, counts.textures, counts.palettes
    );
    println!(
        "refused by both {}, too large {}; {} instructions",
        counts.refused, counts.too_large, player.instructions
    );
}

/// Describes the files and views that were not compared, with reasons.
fn skipped(folder: &sources::Folder) -> String {
    let motions = || folder.sources.iter().flat_map(|source| source.file.motions());
    let of = |kind: MotionKind| motions().filter(move |motion| motion.kind == kind);
    let trees: Vec<usize> = folder
        .sources
        .iter()
        .flat_map(|source| source.file.models())
        .map(|tree| sources::taking(tree, EvalFlags::SKIP))
        .collect();
    let lonely = of(MotionKind::Model).filter(|motion| !trees.contains(&motion.nodes.len()));
    format!(
        "skipped: {} motions with entries for the nodes of no model here, {} simple shape motions, which \
         nobody plays, {} files without models, motions, cells or textures",
        lonely.count(),
        of(MotionKind::SimpleShape).count(),
        folder.skipped
    )
}

fn compare_source(player: &mut Player, source: &Source, all: &[Source], counts: &mut Counts) -> Result<()> {
    for (number, tree) in source.file.models().enumerate() {
        counts.models += 1;
        let place = format!("{}, model {number}", source.name);
        match player.load(&source.bytes, number as u32)? {
            Ok(()) => compare_model(player, tree, all, &place, counts)?,
            Err(refusal) => {
                counts.differences += 1;
                println!("{place}: scene reads it, the console runtime refuses it: {refusal}");
            }
        }
    }
    Ok(())
}

/// Compares the loaded model: at rest in all views, and with each of its motions.
fn compare_model(
    player: &mut Player,
    tree: &ObjectTree,
    all: &[Source],
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let views = scenes::views(tree);
    for (name, view) in &views {
        let place = format!("{place}, view '{name}'");
        let state = (tree, &Pose::rest(tree), &Shapes::none());
        compare_frame(player, state, view, &place, counts)?;
    }
    let motions = sources::motions(all, tree);
    for motion in &motions {
        let place = format!("{place}, {}", motion.name);
        let view = &views[counts.motions % 2].1;
        compare_motion(player, tree, motion, view, &place, counts)?;
    }
    player.rest()?;
    for (number, second) in motions.iter().enumerate().take(links::MOST) {
        let place = format!("{place}, link to {}", second.name);
        let first = number.checked_sub(1).and_then(|first| motions.get(first));
        links::compare(
            player,
            (tree, &views[number % 2].1),
            (first, second),
            &place,
            counts,
        )?;
    }
    player.rest()?;
    for shapes in sources::shapes(all, tree) {
        let place = format!("{place}, {}", shapes.name);
        let view = &views[counts.shapes % 2].1;
        compare_shapes(player, tree, &shapes, view, &place, counts)?;
    }
    Ok(())
}

/// Frames at which a motion is compared: the first, the last, and three others on or between keys.
fn moments(length: u32) -> [f32; 5] {
    let length = length as f32;
    [
        0.0,
        length / 3.0,
        (length / 2.0).floor(),
        length * 0.8,
        length - 1.0,
    ]
}

fn compare_motion(
    player: &mut Player,
    tree: &ObjectTree,
    motion: &SourceMotion,
    view: &View,
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    counts.motions += 1;
    let bound = bind(tree, motion.motion);
    let loaded = player.load_motion(&motion.bytes)?;
    let Some(bound) = both(bound, loaded, place, counts) else {
        return Ok(());
    };
    for frame in moments(bound.length()) {
        let place = format!("{place}, frame {frame}");
        let pose = bound.pose(frame, &mut Reference)?;
        let shown = player.move_to(frame)?;
        match (pose, shown) {
            (Some(pose), true) => {
                compare_frame(player, (tree, &pose, &Shapes::none()), view, &place, counts)?
            }
            (None, false) => {}
            (pose, _) => {
                counts.differences += 1;
                println!("{place}: shown is {shown}, expected {}", pose.is_some());
            }
        }
    }
    Ok(())
}

/// Binds a motion to a tree by the rules of the console runtime, which follows the original library.
fn bind(tree: &ObjectTree, motion: &ninja::Motion) -> Result<Motion, scene::MotionError> {
    let bound = Motion::bind(tree, motion)?;
    let Settings {
        motion_break,
        motion_order,
        ..
    } = Settings::original();
    Ok(bound.with_flags(motion_break, motion_order))
}

/// Returns the value that `scene` has bound, if the console runtime has loaded it too. Prints a difference if
/// only one of them accepts it.
fn both<T, E: std::fmt::Display>(
    bound: Result<T, E>,
    loaded: Outcome<()>,
    place: &str,
    counts: &mut Counts,
) -> Option<T> {
    match (bound, loaded) {
        (Ok(bound), Ok(())) => return Some(bound),
        (Err(_), Err(_)) => counts.refused += 1,
        (Ok(_), Err(refusal)) => {
            counts.differences += 1;
            println!("{place}: scene reads it, the console runtime refuses it: {refusal}");
        }
        (Err(error), Ok(())) => {
            counts.differences += 1;
            println!("{place}: the console runtime reads it, scene refuses it: {error}");
        }
    }
    None
}

fn compare_shapes(
    player: &mut Player,
    tree: &ObjectTree,
    shapes: &SourceShapes,
    view: &View,
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    counts.shapes += 1;
    let bound = ShapeMotion::bind(tree, shapes.list, shapes.motion);
    let loaded = player.load_shapes(&shapes.bytes)?;
    let Some(bound) = both(bound, loaded, place, counts) else {
        return Ok(());
    };
    for frame in moments(bound.length()) {
        let place = format!("{place}, frame {frame}");
        let expected = bound.shapes(frame, &mut Reference)?;
        let shown = player.shape_to(frame)?;
        match (expected, shown) {
            (Some(shapes), true) => {
                let state = (tree, &Pose::rest(tree), &shapes);
                compare_frame(player, state, view, &place, counts)?;
            }
            (None, false) => {}
            (expected, _) => {
                counts.differences += 1;
                println!("{place}: shown is {shown}, expected {}", expected.is_some());
            }
        }
    }
    player.rest()
}

fn compare_frame(
    player: &mut Player,
    (tree, pose, shapes): (&ObjectTree, &Pose, &Shapes),
    view: &View,
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let mut lists = TaLists::default();
    let drawn = draw(tree, pose, shapes, view, &mut Reference, &mut lists);
    let expected: Result<Vec<[u32; 8]>, SceneError> = drawn.map(|_| lists.blocks());
    let found: Outcome<Vec<[u32; 8]>> = player.draw(&scenes::words(view))?;
    counts.frames += 1;
    if found.as_ref().is_err_and(|refusal| refusal.is_limit()) {
        counts.too_large += 1;
        return Ok(());
    }
    counts.blocks += expected.as_ref().map_or(0, Vec::len);
    counts.refused += usize::from(expected.is_err() && found.is_err());
    if let Some(difference) = difference(&expected, &found) {
        counts.differences += 1;
        println!("{place}: {difference}");
    }
    Ok(())
}
