//! Compares a whole conversion with `ufbx` loading the same file. Uses two files of the corpus without
//! animation: the one with the most bytes and the one with the most triangles.
//!
//! Target: 1.3 times the time of `ufbx`. Run `cargo bench -p swirl-convert`; `SWIRL_FBX=DIR` names another
//! folder.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench")]

use convert::{Options, Stacks};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::path::PathBuf;

/// Files without animation: bytes, triangles, name, contents.
fn still() -> Vec<(usize, usize, String, Vec<u8>)> {
    let still = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let scene = ufbx::load_memory(&bytes, ufbx::LoadOpts::default()).ok()?;
        let mut layers = scene.anim_stacks.iter().flat_map(|s| &s.layers);
        let triangles = scene.meshes.iter().map(|m| m.num_triangles).sum();
        let name = path.file_name()?.to_string_lossy().into_owned();
        layers
            .all(|l| l.anim_props.is_empty())
            .then_some((bytes.len(), triangles, name, bytes))
    };
    let files = corpus::files(&corpus::folder_or("SWIRL_FBX", "fbx"), &["fbx"]);
    files.into_iter().filter_map(still).collect()
}

fn bench(c: &mut Criterion) {
    let files = still();
    let sizes = [
        files.iter().max_by_key(|(bytes, ..)| *bytes),
        files.iter().max_by_key(|(_, triangles, ..)| *triangles),
    ];
    println!("{} files without animation", files.len());
    for (_, triangles, name, bytes) in sizes.into_iter().flatten() {
        compare(c, &format!("{name}, {triangles} triangles"), bytes);
    }
}

fn compare(c: &mut Criterion, name: &str, bytes: &[u8]) {
    let options = Options {
        stacks: Stacks::None,
        ..Options::default()
    };
    let mut group = c.benchmark_group(name);
    group
        .throughput(Throughput::Bytes(bytes.len() as u64))
        .sample_size(20);
    group.bench_function("ufbx", |b| {
        b.iter(|| ufbx::load_memory(bytes, ufbx::LoadOpts::default()).unwrap())
    });
    group.bench_function("convert", |b| {
        b.iter(|| convert::convert(bytes, &options, &mut |_| None).unwrap())
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
