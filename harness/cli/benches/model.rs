//! A frame of the largest model that has a motion at 640x480: tree to pixels on two threads, reference kernels.
//!
//! Target: 3 ms or less on two cores. The models are the real files of the corpus, or those below the folder that
//! `SWIRL_NINJA` names; without them there is nothing to measure, and the bench says so.

#![allow(missing_docs, reason = "a bench")]

use criterion::{Criterion, criterion_group, criterion_main};
use ninja::{Bams, MotionKind};
use pvr::{Frame, TextureWord, reg};
use scene::{
    BoundTexture, Camera, Lights, Motion, Object, Reference, Scene, Settings, Stats, TaLists, Textures, View,
    Viewport,
};
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    std::env::var_os("SWIRL_NINJA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/ninja"),
        PathBuf::from,
    )
}

/// All Ninja files below a folder.
fn read(folder: &Path, found: &mut Vec<ninja::File>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(&path, found);
        } else if path.extension().is_some_and(|e| e == "nj" || e == "njm") {
            found.extend(
                std::fs::read(path)
                    .ok()
                    .and_then(|bytes| ninja::read(&bytes).ok()),
            );
        }
    }
}

/// A scene that looks at an object from four radii away.
fn scene(object: Object) -> Scene {
    let checker = BoundTexture {
        word: TextureWord(0),
        width: 64,
        height: 64,
    };
    let view = View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams::from_degrees(30.0),
            pitch: Bams::from_degrees(15.0),
            distance: 0.0,
            roll: Bams(0),
        },
        viewport: Viewport::new(640, 480, std::f32::consts::FRAC_PI_4, f32::NEG_INFINITY),
        lights: Lights::default(),
        settings: Settings::default(),
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
    };
    let mut scene = Scene::new(view);
    scene.objects.push(object);
    scene
}

/// Puts the camera where the picture is filled; gives what is drawn from there.
fn aim(scene: &mut Scene) -> Option<Stats> {
    let seen = scene.draw(&mut Reference, &mut TaLists::default()).ok()?;
    let [low, high] = seen.bounds?;
    let half = [0, 1, 2].map(|k| (high[k] - low[k]) / 2.0);
    let radius = half.iter().map(|c| c * c).sum::<f32>().sqrt();
    scene.view.camera.target = [0, 1, 2].map(|k| low[k] + half[k]);
    scene.view.camera.distance = radius * 2.5;
    scene.view.viewport.near = radius * 0.1;
    scene.draw(&mut Reference, &mut TaLists::default()).ok()
}

/// The model of the most triangles among those that a motion of the files fits.
fn largest(files: &[ninja::File]) -> Option<(usize, Scene)> {
    let motions: Vec<_> = files
        .iter()
        .flat_map(ninja::File::motions)
        .filter(|motion| motion.kind == MotionKind::Model)
        .collect();
    let fitting = files.iter().flat_map(ninja::File::models).filter_map(|tree| {
        let fits = |motion: &&ninja::Motion| {
            Motion::bind(tree, motion)
                .ok()
                .filter(|bound| bound.warnings().is_empty() && bound.length() > 1)
        };
        let mut object = Object::new(tree.clone());
        object.motion = Some(motions.iter().find_map(fits)?);
        let mut scene = scene(object);
        Some((aim(&mut scene)?.triangles, scene))
    });
    fitting.max_by_key(|(triangles, _)| *triangles)
}

fn frame(c: &mut Criterion) {
    let mut files = Vec::new();
    read(&corpus(), &mut files);
    let Some((triangles, mut scene)) = largest(&files) else {
        println!(
            "no model with a motion below {}: nothing measured",
            corpus().display()
        );
        return;
    };
    let Ok(mut frame) = Frame::new(640, 480, pvr::Settings::default()) else {
        return;
    };
    println!("{triangles} triangles; target: 3 ms a frame");
    let mut group = c.benchmark_group("model frame");
    group
        .sample_size(20)
        .measurement_time(std::time::Duration::from_secs(5));
    group.bench_function("reference", |b| {
        b.iter(|| {
            scene.advance(1.0);
            let mut lists = TaLists::default();
            let drawn = scene.draw(&mut Reference, &mut lists);
            frame.begin();
            let shadows = scene.view.settings.shadows.register();
            frame.pvr_mut().write_register(reg::FPU_SHAD_SCALE, shadows);
            for block in lists.blocks() {
                frame.block(&block);
            }
            (drawn.is_ok(), frame.render(2).is_ok())
        });
    });
}

criterion_group!(benches, frame);
criterion_main!(benches);
