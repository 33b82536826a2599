//! Reading a file needs at most 8 times its size plus 64 MiB. This test has a program of its own, because it
//! measures the program's peak (Linux only): tests of the same program would add to the peak.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{chunk, le16, le32, node, one_list};

/// Peak resident memory in bytes, if the system reports it.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<usize>()
        .ok()
        .map(|kib| kib * 1024)
}

/// Files with minimal structures, so that their representation in memory is large in comparison.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    const WORDS: usize = 1 << 20;
    let nulls = [vec![0; WORDS], vec![0xFF]].concat();
    let mut strips = Vec::new();
    for _ in 0..32 {
        strips.extend([0x40u16, 0x3FFF + 1, 0x3FFF]);
        strips.extend([0; 0x3FFF]);
    }
    strips.push(0xFF);
    let mut vertices: Vec<u32> = [1 << 16 | 34, 0].repeat(WORDS / 4);
    vertices.push(0xFF);
    let nodes = 20_000u32;
    let tree: Vec<u32> = (0..nodes)
        .flat_map(|i| node(0, 0, if i + 1 < nodes { 52 * (i + 1) } else { 0 }, 0))
        .collect();
    // Null tables with stray counts; data shared by three nodes; one word for each chunk; chunks without
    // vertices.
    let motion: Vec<u32> = [&[12, 1, 1 << 16 | 1][..], &[0, 1].repeat(250_000)].concat();
    let rows = 100_000;
    let data = [36, rows].repeat(3);
    let shapes = [
        &[12, 1, 1 << 16 | 0x4000][..],
        &data,
        &[0, 0].repeat(rows as usize),
    ]
    .concat();
    let stream = [&[16, 16, 0, 0][..], &[3 << 28].repeat(WORDS), &[0]].concat();
    let vlist = [&[8, 1, 16, 0, 20][..], &[0x4022].repeat(WORDS), &[0xFF]].concat();
    let names: Vec<u32> = [&[8, 100_000][..], &[0, 0, 0].repeat(100_000)].concat();
    vec![
        // The smallest files come first, because the peak never falls.
        ("raw chunks", chunk(b"NJIN", &[]).repeat(1 << 16)),
        ("warnings", chunk(b"POF0", &[]).repeat(1 << 16)),
        ("null chunks", one_list(&le16(&nulls), true)),
        ("empty strips", one_list(&le16(&strips), true)),
        ("empty vertex chunks", one_list(&le32(&vertices), false)),
        ("nodes", chunk(b"NJCM", &le32(&tree))),
        ("texture names", chunk(b"NJTL", &le32(&names))),
        ("motion nodes", chunk(b"NMDM", &le32(&motion))),
        ("shape data", chunk(b"CPSM", &le32(&shapes))),
        ("cell chunks", chunk(b"NJCS", &le32(&stream))),
        ("shape chunks", chunk(b"NJSL", &le32(&vlist))),
    ]
}

#[test]
fn peak_memory() {
    let samples = samples();
    let Some(start) = peak() else {
        println!("not measured: no /proc/self/status");
        return;
    };
    for (name, bytes) in samples {
        let outcome = ninja::read(&bytes);
        // The peak includes this sample and all earlier ones: it never falls.
        let grown = peak().unwrap_or(start) - start;
        let limit = 8 * bytes.len() + (64 << 20);
        println!(
            "{name}: {} bytes, peak grew by {grown}, limit {limit}",
            bytes.len()
        );
        assert!(outcome.is_ok(), "{name}: {:?}", outcome.err());
        assert!(grown <= limit, "{name}");
    }
}
