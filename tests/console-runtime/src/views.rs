//! Compares motions of cameras and lights, frame by frame.

use super::player::Player;
use super::sources::{self, Source};
use super::{Counts, both, moments, scenes};
use anyhow::Result;
use ninja::{Bams, Motion, MotionKind, ObjectTree};
use scene::{
    CameraMotion, FreeCamera, Light, LightMotion, Range, Reference, Source as LightSource, Viewport,
};

/// A camera next to the origin.
const CAMERA: FreeCamera = FreeCamera {
    position: [3.0, 4.0, 12.0],
    target: [0.0, 1.0, -0.5],
    roll: Bams(0x123),
    angle: Bams(0x2000),
};

/// Returns one light of each kind.
fn lights() -> [Light; 3] {
    let range = Range { near: 2.0, far: 50.0 };
    let sources = [
        LightSource::Directional {
            direction: [0.0, 0.6, 0.8],
        },
        LightSource::Point {
            position: [1.0, -2.0, 3.0],
            range,
        },
        LightSource::Spot {
            position: [-4.0, 5.0, 6.0],
            beam: [0.6, -0.8, 0.0],
            range,
            inner: Bams(0x800),
            outer: Bams(0x1000),
        },
    ];
    sources.map(|source| Light {
        source,
        colour: [0.5, 0.25, 0.75],
        specular: [0.125, 1.0, 0.3],
    })
}

/// Compares every motion of a camera or a light.
pub(super) fn compare(player: &mut Player, sources: &[Source], counts: &mut Counts) -> Result<()> {
    for source in sources {
        for (number, motion) in source.file.motions().enumerate() {
            let place = format!("{}, motion {number}", source.name);
            match motion.kind {
                MotionKind::Camera => compare_camera(player, motion, &place, counts)?,
                MotionKind::Light => compare_light(player, motion, &place, counts)?,
                _ => {}
            }
        }
    }
    Ok(())
}

fn compare_camera(player: &mut Player, motion: &Motion, place: &str, counts: &mut Counts) -> Result<()> {
    counts.cameras += 1;
    let Some(bytes) = sources::motion_file(motion) else {
        return Ok(());
    };
    let bound = CameraMotion::bind(CAMERA, motion);
    let loaded = player.load_camera(&bytes)?;
    let Some(bound) = both(bound, loaded, place, counts) else {
        return Ok(());
    };
    let Some((_, mut view)) = scenes::views(&ObjectTree::new()).into_iter().next() else {
        return Ok(());
    };
    let before = scenes::words(&view);
    let [width, height] = view.viewport.size.map(|side| side as u32);
    for frame in frames(bound.length()) {
        let expected = bound.camera(frame, &mut Reference)?.map(|camera| {
            view.camera = camera.camera();
            view.viewport = Viewport::across(width, height, camera.angle, view.viewport.near);
            (
                camera_words(&camera),
                scenes::words(&view)[..scenes::CAMERA_WORDS].to_vec(),
            )
        });
        let rest = camera_words(&CAMERA);
        let found = player.camera(&rest, &before, frame, scenes::CAMERA_WORDS as u32)?;
        check(expected, found, place, frame, counts);
    }
    Ok(())
}

fn compare_light(player: &mut Player, motion: &Motion, place: &str, counts: &mut Counts) -> Result<()> {
    counts.lights += 1;
    let Some(bytes) = sources::motion_file(motion) else {
        return Ok(());
    };
    for rest in lights() {
        let bound = LightMotion::bind(rest, motion);
        let loaded = player.load_light(&bytes)?;
        let Some(bound) = both(bound, loaded, place, counts) else {
            return Ok(());
        };
        for frame in frames(bound.length()) {
            let expected = bound.light(frame, &mut Reference)?.map(|(light, ambient)| {
                let mut words = scenes::light(&light);
                words.extend(ambient.map(f32::to_bits));
                words
            });
            let found = player.light(&scenes::light(&rest), frame)?;
            check(expected, found, place, frame, counts);
        }
    }
    Ok(())
}

/// Returns frames of a motion, and two frames outside of it.
fn frames(length: u32) -> impl Iterator<Item = f32> {
    moments(length).into_iter().chain([length as f32, -1.0])
}

fn check<T: PartialEq + std::fmt::Debug>(
    expected: Option<T>,
    found: Option<T>,
    place: &str,
    frame: f32,
    counts: &mut Counts,
) {
    counts.frames += 1;
    if expected != found {
        counts.differences += 1;
        println!("{place}, frame {frame}: {found:x?}, expected {expected:x?}");
    }
}

/// struct swr_free_camera.
fn camera_words(camera: &FreeCamera) -> Vec<u32> {
    let places = camera.position.iter().chain(&camera.target);
    let angles = [camera.roll, camera.angle].map(|angle| angle.0 as u32);
    places.map(|c| c.to_bits()).chain(angles).collect()
}
