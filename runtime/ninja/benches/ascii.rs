//! Speed of reading and writing the ASCII forms, in bytes of text per second.
//!
//! Target: reading 80 MB/s. The texts are a generated model and, if available, the largest real one.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninja::ascii::{WriteOptions, read, write};
use ninja::{
    Chunk, File, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk, StripEntry, StripFlags, StripKind,
    StripSource, VertexChunk, VertexKind, Vlist,
};
use std::hint::black_box;
use std::path::PathBuf;

/// A generated tree of one node: 6,000 vertices with normals, 6,000 strip entries with texture coordinates.
fn made() -> File {
    let mut tree = ObjectTree::new();
    let words = (0..36_000u32).map(|i| (i as f32 * 0.37).to_bits()).collect();
    let chunk = VertexChunk::from_parts(VertexKind::CvVn, 0x80, 0, words).expect("a chunk");
    let vlist = Some(tree.push_vlist(Vlist { chunks: vec![chunk] }));
    let entry = |index: u16| StripEntry {
        index,
        uv: [(index % 256) as i16, -100],
        ..StripEntry::default()
    };
    let strip = |n: u16| StripSource {
        reversed: n % 2 == 1,
        entries: (n * 10..n * 10 + 10).map(entry).collect(),
    };
    let strips: Vec<_> = (0..600).map(strip).collect();
    let strips = StripChunk::build(StripKind::CsUvn, StripFlags(0), &strips).expect("strips");
    let plist = Some(tree.push_plist(Plist::aligned([PolyChunk::Strip(strips)])));
    let model = tree.push_model(Model {
        vlist,
        plist,
        ..Model::default()
    });
    tree.push_object(Object {
        model: Some(model),
        ..Object::default()
    });
    File::new(vec![Chunk::Model(tree)])
}

/// The largest `.nj` file in the corpus, if available.
fn real() -> Option<File> {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |file| file.len());
    let largest = corpus::files(&corpus::folder("ninja"), &["nj"])
        .into_iter()
        .max_by_key(size)?;
    ninja::read(&std::fs::read(largest).ok()?).ok()
}

fn bench(c: &mut Criterion) {
    for (name, file) in [("made", Some(made())), ("real", real())] {
        let Some(file) = file else {
            println!("{name}: not present");
            continue;
        };
        let text = write(&file, &WriteOptions::default()).expect("text");
        let mut group = c.benchmark_group(format!("ascii_{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("read", |b| {
            b.iter(|| read(black_box(text.as_bytes())).expect("sound"))
        });
        group.bench_function("write", |b| {
            b.iter(|| write(black_box(&file), &WriteOptions::default()))
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
