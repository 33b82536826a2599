//! A whole conversion beside `ufbx` loading the same file, for the largest file of the corpus that nothing moves in.
//!
//! Target: 1.3 times what `ufbx` alone takes. `cargo bench -p convert`; `SWIRL_FBX=DIR` names another folder.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench")]

use convert::{Options, Stacks};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let root = std::env::var_os("SWIRL_FBX").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/fbx"),
        PathBuf::from,
    );
    let (mut found, mut folders) = (Vec::new(), vec![root]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
        {
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.retain(|p| p.extension().is_some_and(|e| e.eq_ignore_ascii_case("fbx")));
    found
}

/// The most triangles without animation.
fn largest() -> Option<(PathBuf, Vec<u8>)> {
    let mut best = None;
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(scene) = ufbx::load_memory(&bytes, ufbx::LoadOpts::default()) else {
            continue;
        };
        let still = scene
            .anim_stacks
            .iter()
            .all(|s| s.layers.iter().all(|l| l.anim_props.is_empty()));
        let triangles: usize = scene.meshes.iter().map(|m| m.num_triangles).sum();
        if still && best.as_ref().is_none_or(|(most, _, _)| triangles > *most) {
            best = Some((triangles, path, bytes));
        }
    }
    best.map(|(_, path, bytes)| (path, bytes))
}

fn bench(c: &mut Criterion) {
    let Some((path, bytes)) = largest() else {
        println!("corpus not present, 0 files");
        return;
    };
    let options = Options {
        stacks: Stacks::None,
        ..Options::default()
    };
    let mut group = c.benchmark_group(path.file_name().unwrap().to_string_lossy());
    group
        .throughput(Throughput::Bytes(bytes.len() as u64))
        .sample_size(20);
    group.bench_function("ufbx", |b| {
        b.iter(|| ufbx::load_memory(&bytes, ufbx::LoadOpts::default()).unwrap())
    });
    group.bench_function("convert", |b| {
        b.iter(|| convert::convert(&bytes, &options, &mut |_| None).unwrap())
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
