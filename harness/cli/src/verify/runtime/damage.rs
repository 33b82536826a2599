//! Damaged files on the console runtime: each ends with a result or an error. The file lies at the end of its
//! memory, so that an access behind it stops the machine.

use super::player::Player;
use super::scenes;
use super::sources::{self, Folder, Source, TextureSource};
use anyhow::Result;
use ninja::{Motion, MotionKind, ObjectTree};
use sh4_kernels::Rng;

/// Longer files are not damaged: most of their bytes are vertices or texels.
const LONGEST: usize = 60_000;
/// Steps of a list of damaged streams.
const STEPS: [u32; 5] = [0, 1, 1, 5, 60];

/// What damaged files did.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    unread: u64,
    refused: u64,
    drawn: u64,
    stopped: u64,
}

/// A file that is damaged.
#[derive(Clone, Copy)]
enum Victim<'a> {
    Model(&'a Source, &'a ObjectTree),
    Sprite(&'a Source),
    /// Streams for the sprite of another file.
    Streams(&'a Source, &'a Source),
    /// A motion for it.
    SpriteMotion(&'a Source, &'a Source),
    Textures(&'a TextureSource),
}

impl Victim<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Model(source, _)
            | Self::Sprite(source)
            | Self::Streams(source, _)
            | Self::SpriteMotion(source, _) => &source.name,
            Self::Textures(source) => &source.name,
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Model(source, _)
            | Self::Sprite(source)
            | Self::Streams(source, _)
            | Self::SpriteMotion(source, _) => &source.bytes,
            Self::Textures(source) => &source.bytes,
        }
    }
}

fn victims(folder: &Folder) -> Vec<Victim<'_>> {
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
    }
    found.extend(folder.textures.iter().map(Victim::Textures));
    found.retain(|victim| (1..=LONGEST).contains(&victim.bytes().len()));
    found
}

/// Loads and draws `count` damaged copies; whether all came back.
pub(super) fn run(player: &mut Player, folder: &Folder, count: u64, seed: u64) -> Result<bool> {
    let victims = victims(folder);
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

/// A copy with one to four bytes changed; every eighth is cut, too.
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
    // The file with its damage as motion and shapes of its own model.
    if player.load_motion(bytes)?.is_ok() && player.move_to(1.0)? {
        let _ = player.draw(&scenes::words(&views[0].1))?;
    }
    if player.load_shapes(bytes)?.is_ok() && player.shape_to(1.0)? {
        let _ = player.draw(&scenes::words(&views[0].1))?;
    }
    Ok(())
}

/// Plays the list that is loaded, and draws it.
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
