//! Time of a frame of the largest model with a motion at 640x480, from tree to pixels on two threads with
//! reference kernels. The walk from tree to lists is also measured separately.
//!
//! Target: 3 ms or less on two cores, with cost linear in vertices (1,000, 4,000 and 16,000 below). The
//! models are the real files of the corpus, or those below the folder in `SWIRL_NINJA`. Without them the
//! benchmark prints a message and measures only generated models.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ninja::{
    Bams, Model, MotionKind, ObjectId, ObjectTree, Plist, PolyChunk, StripChunk, StripEntry, StripFlags,
    StripKind, StripSource, Vertex, VertexChunk, VertexKind, Vlist,
};
use pvr::{Frame, TextureWord, reg};
use scene::{
    BoundTexture, Camera, Lights, Motion, Object, Reference, Scene, Settings, Stats, TaLists, Textures, View,
    Viewport,
};
use std::path::PathBuf;

/// A scene that views an object from a distance of four radii.
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

/// Moves the camera so that the model fills the image; returns the drawing statistics.
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

/// Returns the model with the most triangles among those that a motion of the files fits.
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
    let folder = corpus::folder_or("SWIRL_NINJA", "ninja");
    let read = |path: PathBuf| ninja::read(&std::fs::read(path).ok()?).ok();
    let paths = corpus::files(&folder, &["nj", "njm"]);
    let files: Vec<_> = paths.into_iter().filter_map(read).collect();
    let Some((triangles, mut scene)) = largest(&files) else {
        println!(
            "no model with a motion below {}: nothing measured",
            folder.display()
        );
        return;
    };
    let mut frame = Frame::new(640, 480, pvr::Settings::default()).unwrap();
    println!("{triangles} triangles; target: 3 ms a frame");
    let mut group = c.benchmark_group("model");
    group.sample_size(20);
    group.bench_function("frame", |b| {
        b.iter(|| {
            scene.advance(1.0);
            let mut lists = TaLists::default();
            scene.draw(&mut Reference, &mut lists).unwrap();
            frame.begin();
            let shadows = scene.view.settings.shadows.register();
            frame.pvr_mut().write_register(reg::FPU_SHAD_SCALE, shadows);
            for block in lists.blocks() {
                frame.block(&block);
            }
            frame.render(2).unwrap()
        });
    });
    group.bench_function("walk", |b| {
        b.iter(|| {
            scene.advance(1.0);
            let mut lists = TaLists::default();
            scene.draw(&mut Reference, &mut lists).unwrap();
            lists.blocks().len()
        });
    });
    group.finish();
}

/// Number of rows and columns of a patch.
const SIDE: [u16; 2] = [25, 40];

/// A patch of 1,000 lit vertices in 24 strips, from slot `first` on.
fn patch(tree: &mut ObjectTree, first: u16) {
    let [rows, columns] = SIDE;
    let at = |row: u16, column: u16| Vertex {
        position: [f32::from(column) * 0.1 - 2.0, f32::from(row) * 0.1 - 1.25, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..Vertex::default()
    };
    let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let vertices: Vec<Vertex> = grid.map(|(row, column)| at(row, column)).collect();
    let entry = |index| StripEntry {
        index,
        ..StripEntry::default()
    };
    let strips: Vec<StripSource> = (0..rows - 1)
        .map(|row| StripSource {
            reversed: false,
            entries: (0..columns)
                .flat_map(|column| [row + 1, row].map(|row| entry(first + row * columns + column)))
                .collect(),
        })
        .collect();
    let chunk = VertexChunk::build(VertexKind::CvVn, 0x80, first, &vertices).unwrap();
    let strips = StripChunk::build(StripKind::Cs, StripFlags(0), &strips).unwrap();
    let vlist = Some(tree.push_vlist(Vlist { chunks: vec![chunk] }));
    let chunks = vec![PolyChunk::Strip(strips)];
    let plist = Some(tree.push_plist(Plist { chunks }));
    let model = Some(tree.push_model(Model {
        vlist,
        plist,
        center: [0.0; 3],
        radius: 3.0,
    }));
    let object = ninja::Object {
        model,
        ..ninja::Object::default()
    };
    if tree.objects.is_empty() {
        tree.push_object(object);
    } else {
        tree.push_child(ObjectId(0), object).unwrap();
    }
}

fn vertices(c: &mut Criterion) {
    let mut group = c.benchmark_group("walk of vertices");
    group.sample_size(20);
    for patches in [1_u16, 4, 16] {
        let mut tree = ObjectTree::new();
        (0..patches).for_each(|i| patch(&mut tree, i * 1000));
        let mut scene = scene(Object::new(tree));
        aim(&mut scene).unwrap();
        let vertices = u64::from(patches) * 1000;
        group.throughput(Throughput::Elements(vertices));
        group.bench_function(BenchmarkId::from_parameter(vertices), |b| {
            b.iter(|| {
                let mut lists = TaLists::default();
                scene.draw(&mut Reference, &mut lists).unwrap();
                lists.blocks().len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, frame, vertices);
criterion_main!(benches);
