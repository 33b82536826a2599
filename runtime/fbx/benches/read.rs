//! Speed of reading records and decoding all arrays, compared with `ufbx` on the same file.
//!
//! Targets: 1,000 MB/s of file bytes on raw arrays, faster than `ufbx` on deflated ones.
//! `cargo bench -p swirl-fbx` prints both.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fbx::{Array, ByteOrder, Document, ElementKind, Elements, Encoding, Property, Record};

const ORDER: ByteOrder = ByteOrder::Little;

/// Vertices of a wavy sheet: numbers as scenes have them.
fn sheet(side: usize) -> Vec<f64> {
    let at = |i: usize| (i as f64 * 0.01, (i as f64 * 0.037).sin());
    (0..side * side)
        .flat_map(|i| [at(i % side).0, at(i % side).1 * at(i / side).1, at(i / side).0])
        .collect()
}

fn squares(side: i32) -> Vec<i32> {
    let square = move |x: i32, y: i32| {
        let corner = y * side + x;
        [corner, corner + 1, corner + side + 1, !(corner + side)]
    };
    (0..side - 1)
        .flat_map(|y| (0..side - 1).flat_map(move |x| square(x, y)))
        .collect()
}

fn record(name: &'static str) -> Record<'static> {
    Record::new(name, ORDER)
}

/// An array that is not compressed.
fn raw(name: &'static str, kind: ElementKind, payload: &[u8]) -> Record<'static> {
    record(name).with(&Property::Array(Array {
        kind,
        length: (payload.len() / kind.size()) as u32,
        encoding: Encoding::Raw,
        payload,
        order: ORDER,
    }))
}

fn deflated(name: &'static str, elements: &Elements) -> Record<'static> {
    let mut made = record(name);
    made.properties.push_elements(elements);
    made
}

/// A scene with one mesh.
fn scene(vertices: Record<'static>, polygons: Record<'static>) -> Vec<u8> {
    let geometry = record("Geometry")
        .with(&Property::I64(1))
        .with(&Property::String(b"sheet\0\x01Geometry"))
        .with(&Property::String(b"Mesh"))
        .with_child(vertices)
        .with_child(polygons);
    let mut document = Document::new(7400, ORDER);
    document.sections[0].records = vec![record("Objects").with_child(geometry)];
    document.write().unwrap()
}

/// Decodes every array; returns their number.
fn decode(records: &[Record<'_>]) -> usize {
    let arrays = |r: &Record<'_>| {
        let own = r.properties.iter().filter(|p| match p {
            Property::Array(array) => array.elements().is_ok(),
            _ => false,
        });
        own.count() + decode(&r.children)
    };
    records.iter().map(arrays).sum()
}

fn read(bytes: &[u8]) -> usize {
    decode(&fbx::read(bytes).unwrap().sections[0].records)
}

fn bench(c: &mut Criterion) {
    let (points, corners) = (sheet(1200), squares(1200));
    let doubles: Vec<u8> = points.iter().flat_map(|p| p.to_le_bytes()).collect();
    let words: Vec<u8> = corners.iter().flat_map(|p| p.to_le_bytes()).collect();
    let file_raw = scene(
        raw("Vertices", ElementKind::F64, &doubles),
        raw("PolygonVertexIndex", ElementKind::I32, &words),
    );
    let file_deflated = scene(
        deflated("Vertices", &Elements::F64(points)),
        deflated("PolygonVertexIndex", &Elements::I32(corners)),
    );
    for (name, file) in [("raw", &file_raw), ("deflated", &file_deflated)] {
        assert_eq!(read(file), 2);
        let mut group = c.benchmark_group(format!("{name} arrays, {} MB", file.len() >> 20));
        group
            .throughput(Throughput::Bytes(file.len() as u64))
            .sample_size(10);
        group.bench_function("fbx", |b| b.iter(|| read(file)));
        group.bench_function("ufbx", |b| {
            b.iter(|| ufbx::load_memory(file, ufbx::LoadOpts::default()).unwrap())
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
