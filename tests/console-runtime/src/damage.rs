//! Runs the console runtime on damaged files: each must end with a result or an error. The end of the file is
//! the end of its memory, so an access after the file stops the machine.

use super::player::Player;
use super::scenes;
use super::sources::{self, Folder, Source, SourceMotion, SourceShapes, TextureSource};
use anyhow::Result;
use ninja::{Motion, MotionKind, ObjectTree};
use sh4_kernels::Rng;

/// Maximum size in bytes of files that are damaged. Most bytes of longer files are vertices or texels.
const LONGEST: usize = 60_000;
/// Steps of a list of damaged streams, in frames.
const STEPS: [u32; 5] = [0, 1, 1, 5, 60];

/// Results of the damaged files.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    unread: u64,
    refused: u64,
    drawn: u64,
    stopped: u64,
}

/// A file to damage.
#[derive(Clone, Copy)]
enum Victim<'a> {
    Model(&'a Source, &'a ObjectTree),
    Sprite(&'a Source),
    /// Cell streams, and the file with the sprite that they change.
    Streams(&'a Source, &'a Source),
    /// A motion, and the file with its cell sprite.
    SpriteMotion(&'a Source, &'a Source),
    /// A motion or a shape motion, and the file with its model.
    Motion(&'a SourceMotion<'a>, &'a Source, &'a ObjectTree),
    Shapes(&'a SourceShapes<'a>, &'a Source, &'a ObjectTree),
    /// A motion of a camera or a light.
    View(&'a Source, MotionKind),
    Textures(&'a TextureSource),
    Palette(&'a TextureSource),
}

/// The motions, shape motions and streams of a folder, each as a separate file.
struct Movers<'a> {
    motions: Vec<(SourceMotion<'a>, &'a Source, &'a ObjectTree)>,
    shapes: Vec<(SourceShapes<'a>, &'a Source, &'a ObjectTree)>,
}

/// Maximum number of damaged motions of each kind for one model; a folder may have hundreds.
const MOST: usize = 4;

fn movers(folder: &Folder) -> Movers<'_> {
    let all = &folder.sources;
    let models = || {
        all.iter()
            .filter_map(|source| Some((source, source.file.models().next()?)))
    };
    let motions = |(source, tree)| {
        let found = sources::motions(all, tree).into_iter().take(MOST);
        found.map(move |motion| (motion, source, tree))
    };
    let shapes = |(source, tree)| {
        let found = sources::shapes(all, tree).into_iter().take(MOST);
        found.map(move |shapes| (shapes, source, tree))
    };
    Movers {
        motions: models().flat_map(motions).collect(),
        shapes: models().flat_map(shapes).collect(),
    }
}

impl Victim<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Model(source, _)
            | Self::Sprite(source)
            | Self::Streams(source, _)
            | Self::SpriteMotion(source, _)
            | Self::View(source, _) => &source.name,
            Self::Motion(motion, ..) => &motion.name,
            Self::Shapes(shapes, ..) => &shapes.name,
            Self::Textures(source) | Self::Palette(source) => &source.name,
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Model(source, _)
            | Self::Sprite(source)
            | Self::Streams(source, _)
            | Self::SpriteMotion(source, _)
            | Self::View(source, _) => &source.bytes,
            Self::Motion(motion, ..) => &motion.bytes,
            Self::Shapes(shapes, ..) => &shapes.bytes,
            Self::Textures(source) | Self::Palette(source) => &source.bytes,
        }
    }
}

fn victims<'a>(folder: &'a Folder, movers: &'a Movers<'_>) -> Vec<Victim<'a>> {
    let holds_sprite = |source: &&Source| sources::sprites(source).next().is_some();
    let sprite = folder.sources.iter().find(holds_sprite);
    let mut found = Vec::new();
    for source in &folder.sources {
        found.extend(
            source
                .file
                .models()
                .next()
                .map(|tree| Victim::Model(source, tree)),
        );
        found.extend(holds_sprite(&source).then_some(Victim::Sprite(source)));
        let streams = sources::streams_of(source).next().and(sprite);
        found.extend(streams.map(|sprite| Victim::Streams(source, sprite)));
        let of_sprite = |motion: &Motion| motion.kind == MotionKind::CellSprite;
        let moves = sprite.filter(|_| source.file.motions().any(of_sprite));
        found.extend(moves.map(|sprite| Victim::SpriteMotion(source, sprite)));
        let views = source.file.motions().map(|motion| motion.kind);
        let views = views.filter(|kind| matches!(kind, MotionKind::Camera | MotionKind::Light));
        found.extend(views.map(|kind| Victim::View(source, kind)));
    }
    found.extend(
        movers
            .motions
            .iter()
            .map(|(motion, source, tree)| Victim::Motion(motion, source, tree)),
    );
    found.extend(
        movers
            .shapes
            .iter()
            .map(|(shapes, source, tree)| Victim::Shapes(shapes, source, tree)),
    );
    found.extend(folder.textures.iter().map(Victim::Textures));
    found.extend(folder.palettes.iter().map(Victim::Palette));
    found.retain(|victim| (1..=LONGEST).contains(&victim.bytes().len()));
    found
}

/// Loads and draws `count` damaged copies. Returns whether every call ended with a result or an error.
pub(super) fn run(player: &mut Player, folder: &Folder, count: u64, seed: u64) -> Result<bool> {
    let movers = movers(folder);
    let victims = victims(folder, &movers);
    if count == 0 || victims.is_empty() {
        return Ok(true);
    }
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    for number in 0..count {
        let victim = victims[rng.below(victims.len() as u32) as usize];
        let bytes = damaged(victim.bytes(), &mut rng);
        if let Err(error) = play(player, victim, &bytes, &mut tally) {
            tally.stopped += 1;
            println!(
                "{}, damaged copy {number} of seed {seed}: {error:#}",
                victim.name()
            );
        }
    }
    println!(
        "{count} damaged copies: {} not loaded, {} not drawn, {} drawn, {} stopped the machine",
        tally.unread, tally.refused, tally.drawn, tally.stopped
    );
    Ok(tally.stopped == 0)
}

/// Returns a copy with one to four bytes changed. Every eighth copy is also shortened.
fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] = bytes[at].wrapping_add(1 + rng.below(255) as u8);
    }
    if rng.below(8) == 0 {
        bytes.truncate(1 + rng.below(bytes.len() as u32) as usize);
    }
    bytes
}

fn play(player: &mut Player, victim: Victim<'_>, bytes: &[u8], tally: &mut Tally) -> Result<()> {
    match victim {
        Victim::Model(_, tree) => play_model(player, tree, bytes, tally),
        Victim::Sprite(_) => {
            if player.load_sprite(bytes, 0)?.is_err() || player.load_streams(&[], 0)?.is_err() {
                tally.unread += 1;
                return Ok(());
            }
            play_cells(player, tally)
        }
        Victim::Streams(source, sprite) => {
            let count = sources::streams_of(source).count() as u32;
            let sprite = player.load_sprite(&sprite.bytes, 0)?;
            if sprite.is_err() || player.load_streams(bytes, count)?.is_err() {
                tally.unread += 1;
                return Ok(());
            }
            play_cells(player, tally)
        }
        Victim::SpriteMotion(_, sprite) => {
            let sprite = player.load_sprite(&sprite.bytes, 0)?;
            if sprite.is_err() || player.load_sprite_motion(bytes)?.is_err() {
                tally.unread += 1;
                return Ok(());
            }
            for frame in [0.0, 1.5, 3.0e9] {
                player.move_sprite(frame)?;
            }
            tally.drawn += 1;
            Ok(())
        }
        Victim::Motion(_, source, tree) => {
            if player.load(&source.bytes, 0)?.is_err() || player.load_motion(bytes)?.is_err() {
                tally.unread += 1;
                return Ok(());
            }
            for frame in [0.0, 1.5, 7.0] {
                draw_moved(player, tree, |player| player.move_to(frame), tally)?;
            }
            Ok(())
        }
        Victim::Shapes(_, source, tree) => {
            if player.load(&source.bytes, 0)?.is_err() || player.load_shapes(bytes)?.is_err() {
                tally.unread += 1;
                return Ok(());
            }
            for frame in [0.0, 1.5, 7.0] {
                draw_moved(player, tree, |player| player.shape_to(frame), tally)?;
            }
            player.rest()
        }
        Victim::View(_, kind) => play_view(player, kind, bytes, tally),
        Victim::Palette(_) => {
            match player.load_palette(bytes)? {
                Ok(_) => tally.drawn += 1,
                Err(_) => tally.unread += 1,
            }
            Ok(())
        }
        Victim::Textures(_) => {
            match player.load_textures(bytes)? {
                Ok(_) => tally.drawn += 1,
                Err(_) => tally.unread += 1,
            }
            Ok(())
        }
    }
}

fn play_model(player: &mut Player, tree: &ObjectTree, bytes: &[u8], tally: &mut Tally) -> Result<()> {
    if player.load(bytes, 0)?.is_err() {
        tally.unread += 1;
        return Ok(());
    }
    let views = scenes::views(tree);
    for (_, view) in views.iter().take(2) {
        match player.draw(&scenes::words(view))? {
            Ok(_) => tally.drawn += 1,
            Err(_) => tally.refused += 1,
        }
    }
    // Uses the damaged file also as a motion and shapes of its own model.
    if player.load_motion(bytes)?.is_ok() && player.move_to(1.0)? {
        let _ = player.draw(&scenes::words(&views[0].1))?;
    }
    if player.load_shapes(bytes)?.is_ok() && player.shape_to(1.0)? {
        let _ = player.draw(&scenes::words(&views[0].1))?;
    }
    Ok(())
}

/// Moves the loaded model and draws it from the first view.
fn draw_moved(
    player: &mut Player,
    tree: &ObjectTree,
    moves: impl Fn(&mut Player) -> Result<bool>,
    tally: &mut Tally,
) -> Result<()> {
    if !moves(player)? {
        return Ok(());
    }
    let Some((_, view)) = scenes::views(tree).into_iter().next() else {
        return Ok(());
    };
    match player.draw(&scenes::words(&view))? {
        Ok(_) => tally.drawn += 1,
        Err(_) => tally.refused += 1,
    }
    Ok(())
}

fn play_view(player: &mut Player, kind: MotionKind, bytes: &[u8], tally: &mut Tally) -> Result<()> {
    let is_camera = kind == MotionKind::Camera;
    let loaded = if is_camera {
        player.load_camera(bytes)?
    } else {
        player.load_light(bytes)?
    };
    if loaded.is_err() {
        tally.unread += 1;
        return Ok(());
    }
    for frame in [0.0, 1.5, 3.0e9] {
        if is_camera {
            player.camera(&[0; 8], &[0; scenes::CAMERA_WORDS], frame, 0)?;
        } else {
            player.light(&[0; scenes::LIGHT_WORDS], frame)?;
        }
    }
    tally.drawn += 1;
    Ok(())
}

/// Plays the loaded list and draws it.
fn play_cells(player: &mut Player, tally: &mut Tally) -> Result<()> {
    for step in STEPS {
        player.advance(step, 0)?;
    }
    for (far, view) in scenes::cell_views([320.0, 240.0, -1.0]) {
        match player.draw_cells(&scenes::words(&view), &[0; 3], far)? {
            Ok(_) => tally.drawn += 1,
            Err(_) => tally.refused += 1,
        }
    }
    Ok(())
}
