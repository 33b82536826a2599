//! Draws a model with a motion from memory and from disk.

#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use player::{Assets, Disk, Files, Options, Player, Reference};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ARM: &str = "tests/data/arm.nja";
const SPLINE: &str = "tests/data/spline.nam";

fn options() -> Options {
    Options {
        size: [64, 48],
        ..Options::default()
    }
}

fn bending() -> Assets {
    Assets {
        motion: Some(SPLINE.parse().unwrap()),
        ..Assets::new(ARM)
    }
}

fn picture(files: &dyn Files, frame: f32) -> Vec<u8> {
    let mut player = Player::open(files, &bending(), &options()).unwrap();
    player.draw(frame, &mut Reference).unwrap().image.rgba
}

#[test]
fn memory_and_disk_give_the_same_pictures() {
    let paths = [ARM, SPLINE].map(PathBuf::from);
    let files: BTreeMap<PathBuf, Vec<u8>> = paths
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .into();
    assert!(picture(&files, 10.0) == picture(&Disk, 10.0));
    assert!(picture(&files, 10.0) != picture(&files, 20.0));
    let nothing = BTreeMap::<PathBuf, Vec<u8>>::new();
    let error = Player::open(&nothing, &bending(), &options()).err().unwrap();
    assert_eq!(error.to_string(), format!("{ARM}: no such file"));
}

#[test]
fn unusual_files_give_warnings() {
    let mut player = Player::open(&Disk, &bending(), &options()).unwrap();
    let spline = |player: &Player| {
        player
            .warnings()
            .filter(|w| w.text.contains("spline-angles"))
            .count()
    };
    assert_eq!(spline(&player), usize::from(player.moves().has_spline_angles));
    player.draw(0.0, &mut Reference).unwrap();
    assert_eq!(player.total().nodes, 5);
    // The model has no motion of its own.
    assert_eq!(player.motions().count(), 0);
}

#[test]
fn models_that_cannot_be_drawn_are_errors() {
    let motion_alone = Player::open(&Disk, &Assets::new(SPLINE), &options());
    let error = motion_alone.err().unwrap();
    let expected = format!("{SPLINE}: the file holds no chunk model (NJCM or N2CM)");
    assert_eq!(error.to_string(), expected);
    let huge = Options {
        size: [4096, 4096],
        ..options()
    };
    assert!(Player::open(&Disk, &bending(), &huge).is_err());
    assert!(Path::new(ARM).exists());
}
