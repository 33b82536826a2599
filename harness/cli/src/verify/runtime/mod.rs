//! `swirl verify --runtime`: the console runtime against `scene`, word for word.

mod player;
mod scenes;

use super::Args;
use crate::exit::ExitStatus;
use crate::input;
use anyhow::{Context, Result};
use ninja::{ByteOrder, ObjectTree};
use player::{Outcome, Player};
use scene::{Pose, Reference, SceneError, Shapes, TaLists, View, draw};
use std::path::{Path, PathBuf};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    models: usize,
    frames: usize,
    blocks: usize,
    /// Frames that both refuse.
    refused: usize,
    /// Frames that need more memory than the test bench has.
    too_large: usize,
    /// Files that are no little-endian Ninja files of a sound format.
    skipped: usize,
    differences: usize,
}

/// Runs every model of a file or folder.
pub(super) fn run(args: &Args, path: &Path) -> Result<ExitStatus> {
    let mut player = Player::new(roms::RUNTIME_ELF, args.engine)?;
    let mut counts = Counts::default();
    for file in files(path)? {
        let bytes = input::read(&file)?;
        let name = file.display().to_string();
        compare_file(&mut player, &bytes, &name, &mut counts).with_context(|| name.clone())?;
    }
    println!(
        "{} models, {} frames, {} blocks of 32 bytes: {} frames differ; refused by both {}, too large {}, files skipped {}; \
         {} instructions",
        counts.models,
        counts.frames,
        counts.blocks,
        counts.differences,
        counts.refused,
        counts.too_large,
        counts.skipped,
        player.instructions
    );
    Ok(if counts.differences == 0 {
        ExitStatus::Done
    } else {
        ExitStatus::CheckFailed
    })
}

/// The files below a folder, sorted; or the file itself.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let (mut pending, mut found) = (vec![path.to_owned()], Vec::new());
    while let Some(path) = pending.pop() {
        if !path.is_dir() {
            found.push(path);
            continue;
        }
        let entries = std::fs::read_dir(&path).with_context(|| path.display().to_string())?;
        for entry in entries {
            pending.push(entry?.path());
        }
    }
    found.sort();
    Ok(found)
}

fn compare_file(player: &mut Player, bytes: &[u8], name: &str, counts: &mut Counts) -> Result<()> {
    let file = ninja::read(bytes).ok();
    let Some(file) = file.filter(|file| file.byte_order == ByteOrder::Little) else {
        counts.skipped += 1;
        return Ok(());
    };
    for (number, tree) in file.models().enumerate() {
        counts.models += 1;
        let place = format!("{name}, model {number}");
        if let Err(refusal) = player.load(bytes, number as u32)? {
            counts.differences += 1;
            println!("{place}: scene reads it, the console runtime refuses it: {refusal}");
            continue;
        }
        for (view_name, view) in scenes::views(tree) {
            let place = format!("{place}, view '{view_name}'");
            compare_frame(player, tree, &view, &place, counts)?;
        }
    }
    Ok(())
}

fn compare_frame(
    player: &mut Player,
    tree: &ObjectTree,
    view: &View,
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let mut lists = TaLists::default();
    let pose = Pose::rest(tree);
    let drawn = draw(tree, &pose, &Shapes::none(), view, &mut Reference, &mut lists);
    let expected = drawn.map(|_| lists.blocks());
    let found = player.draw(&scenes::words(view))?;
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

/// What differs first, if anything does.
fn difference(expected: &Result<Vec<[u32; 8]>, SceneError>, found: &Outcome<Vec<[u32; 8]>>) -> Option<String> {
    match (expected, found) {
        (Ok(expected), Ok(found)) => first_word(expected, found),
        (Err(_), Err(_)) => None,
        (Ok(_), Err(refusal)) => Some(format!("scene draws it, the console runtime refuses it: {refusal}")),
        (Err(error), Ok(_)) => Some(format!("the console runtime draws it, scene refuses it: {error}")),
    }
}

fn first_word(expected: &[[u32; 8]], found: &[[u32; 8]]) -> Option<String> {
    let block = expected.iter().zip(found).position(|(a, b)| a != b);
    let Some(block) = block else {
        let (wanted, given) = (expected.len(), found.len());
        return (wanted != given).then(|| format!("{given} blocks, expected {wanted}"));
    };
    let word = (0..8).find(|word| expected[block][*word] != found[block][*word])?;
    Some(format!(
        "block {block} word {word} is {:08x}, expected {:08x}\n  found    {:08x?}\n  expected {:08x?}",
        found[block][word], expected[block][word], found[block], expected[block]
    ))
}

#[cfg(test)]
mod tests {
    use super::first_word;

    #[test]
    fn the_first_difference_has_its_place() {
        let (a, mut b) = (vec![[7; 8]; 3], vec![[7; 8]; 3]);
        assert_eq!(first_word(&a, &b), None);
        b[1][5] = 8;
        let text = first_word(&a, &b).unwrap_or_default();
        assert!(text.starts_with("block 1 word 5 is 00000008, expected 00000007"), "{text}");
        assert_eq!(first_word(&a, &b[..1]), Some("1 blocks, expected 3".into()));
    }
}
