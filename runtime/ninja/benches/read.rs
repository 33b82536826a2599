//! Speed of reading and writing binary files.
//!
//! Targets on one core: reading 200 MB/s, 500 MB/s with strips found if possible; writing 300 MB/s. `cargo
//! bench -p swirl-ninja` measures the largest real model below `../shared/corpus/ninja`, if available. It
//! also measures a generated model of 256 nodes with the structure of real ones.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninja::{
    Argb, Chunk, FV_CONT, File, Material, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk,
    StripEntry, StripFlags, StripKind, StripSource, Tiny, Vertex, VertexChunk, VertexKind, Vlist,
};

/// 256 nodes, each with 40 vertices with normals and twelve strips of 7 entries.
fn made() -> Vec<u8> {
    let mut tree = ObjectTree::new();
    let root = tree.push_object(Object::default());
    for node in 0..256u16 {
        let vertices = [Vertex {
            normal: [0.0, 1.0, 0.0],
            ..Vertex::default()
        }; 40];
        let vertices =
            VertexChunk::build(VertexKind::CvVn, FV_CONT, node * 40, &vertices).expect("sizes fit");
        let strips = (0..12u16).map(|s| StripSource {
            reversed: s % 3 == 0,
            entries: (0..7)
                .map(|i| StripEntry {
                    index: node * 40 + s + i,
                    uv: [128, -64],
                    ..StripEntry::default()
                })
                .collect(),
        });
        let strips: Vec<_> = strips.collect();
        let plist = Plist::aligned([
            PolyChunk::Material(Material {
                diffuse: Some(Argb(!0)),
                ..Material::default()
            }),
            PolyChunk::Texture(Tiny::default()),
            PolyChunk::Strip(StripChunk::build(StripKind::CsUvn, StripFlags(0), &strips).expect("sizes fit")),
        ]);
        let vlist = Some(tree.push_vlist(Vlist {
            chunks: vec![vertices],
        }));
        let plist = Some(tree.push_plist(plist));
        let model = Some(tree.push_model(Model {
            vlist,
            plist,
            ..Model::default()
        }));
        tree.push_child(
            root,
            Object {
                model,
                ..Object::default()
            },
        )
        .expect("the root exists");
    }
    File::new(vec![Chunk::Model(tree)])
        .write()
        .expect("the tree is sound")
}

fn largest(dir: &Path) -> Option<Vec<u8>> {
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    fs::read(corpus::files(dir, &["nj"]).into_iter().max_by_key(size)?).ok()
}

fn bench(c: &mut Criterion) {
    let real = largest(&corpus::folder("ninja"));
    let samples = [("made", Some(made())), ("real", real)];
    for (name, bytes) in samples {
        let Some(bytes) = bytes else {
            println!("{name}: corpus not present, not measured");
            continue;
        };
        let mut group = c.benchmark_group(format!("{name} ({} bytes)", bytes.len()));
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("read", |b| b.iter(|| ninja::read(black_box(&bytes))));
        let file = ninja::read(&bytes).expect("the sample reads");
        group.bench_function("write", |b| b.iter(|| black_box(&file).write()));
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
