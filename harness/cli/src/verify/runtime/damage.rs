//! Damaged files on the console runtime: each ends with a result or an error. The file lies at the end of its
//! memory, so that an access behind it stops the machine.

use super::player::Player;
use super::scenes;
use super::sources::Source;
use anyhow::Result;
use sh4_kernels::Rng;

/// Longer files are not damaged: most of their bytes are vertices.
const LONGEST: usize = 60_000;

/// What damaged files did.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    unread: u64,
    refused: u64,
    drawn: u64,
    stopped: u64,
}

/// Loads and draws `count` damaged copies; whether all came back.
pub(super) fn run(player: &mut Player, sources: &[Source], count: u64, seed: u64) -> Result<bool> {
    let has_model = |source: &&Source| source.file.models().next().is_some() && source.bytes.len() <= LONGEST;
    let sources: Vec<&Source> = sources.iter().filter(has_model).collect();
    if count == 0 || sources.is_empty() {
        return Ok(true);
    }
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    for number in 0..count {
        let source = sources[rng.below(sources.len() as u32) as usize];
        let bytes = damaged(&source.bytes, &mut rng);
        if let Err(error) = play(player, source, &bytes, &mut tally) {
            tally.stopped += 1;
            println!("{}, damaged copy {number} of seed {seed}: {error:#}", source.name);
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

fn play(player: &mut Player, source: &Source, bytes: &[u8], tally: &mut Tally) -> Result<()> {
    if player.load(bytes, 0)?.is_err() {
        tally.unread += 1;
        return Ok(());
    }
    let Some(tree) = source.file.models().next() else {
        return Ok(());
    };
    for (_, view) in scenes::views(tree).iter().take(2) {
        match player.draw(&scenes::words(view))? {
            Ok(_) => tally.drawn += 1,
            Err(_) => tally.refused += 1,
        }
    }
    // The file with its damage as motion and shapes of its own model.
    if player.load_motion(bytes)?.is_ok() && player.move_to(1.0)? {
        let _ = player.draw(&scenes::words(&scenes::views(tree)[0].1))?;
    }
    if player.load_shapes(bytes)?.is_ok() && player.shape_to(1.0)? {
        let _ = player.draw(&scenes::words(&scenes::views(tree)[0].1))?;
    }
    Ok(())
}
