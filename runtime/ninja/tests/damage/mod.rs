//! Damaged files give an error with its location, or a warning; never a panic.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

mod made;

use std::fs;

use made::{corpus_samples, own_samples};

use crate::common::{ONE, Random, chunk, hex_samples, le16, le32, node, one_list};
use ninja::{Chunk, Error, Fault, NodePlace};

fn error_of(bytes: &[u8]) -> Error {
    match ninja::read(bytes) {
        Err(error) => error,
        Ok(file) => panic!("read as {file:?}"),
    }
}

/// A tree of `words` without lists and without POF0.
fn bare_tree(words: &[u32]) -> Vec<u8> {
    chunk(b"NJCM", &le32(words))
}

/// Calls every operation that a user can apply to a file after reading.
fn exercise(bytes: &[u8]) -> Result<usize, Error> {
    let mut file = ninja::read(bytes)?;
    file.census();
    std::hint::black_box(file.advice());
    if bytes.len() < 2000 {
        let notes = ninja::annotate(bytes, &ninja::Settings::default())?;
        assert!(notes.iter().all(|note| note.offset + note.len <= bytes.len()));
    }
    for tree in file.models() {
        for chunk in tree.vlists.iter().flat_map(|l| &l.chunks) {
            (0..usize::from(chunk.count)).for_each(|i| {
                std::hint::black_box((
                    chunk.position(i),
                    chunk.normal(i),
                    chunk.diffuse(i),
                    chunk.specular(i),
                    chunk.slot(i),
                ));
            });
        }
        for chunk in tree.plists.iter().flat_map(|l| &l.chunks) {
            if let ninja::PolyChunk::Strip(chunk) = chunk {
                chunk
                    .strips
                    .iter()
                    .for_each(|strip| assert!(chunk.entries(strip).count() > 0 || strip.len == 0));
            }
        }
    }
    for chunk in &file.chunks {
        exercise_chunk(chunk);
    }
    // A file that was read can be written and reads back equal.
    let written = file.write()?;
    assert_eq!(written, bytes, "a file that reads is written back byte for byte");
    // Some damaged files have no canonical form or do not read back: the canonical order separates overlaps.
    file.forget_layout();
    if let Ok(anew) = file.write() {
        std::hint::black_box(ninja::read(&anew).is_ok());
    }
    Ok(file.warnings.len())
}

fn exercise_chunk(chunk: &Chunk) {
    match chunk {
        Chunk::Motion(motion) => {
            for element in motion.elements() {
                let tables = (0..motion.nodes.len()).filter_map(|node| motion.keys(node, element));
                std::hint::black_box(tables.flat_map(|keys| keys.frames().last()).count());
            }
        }
        Chunk::ShapeList(list) => {
            for chunk in list.vlists.iter().flat_map(|list| &list.chunks) {
                (0..chunk.count()).for_each(|i| {
                    std::hint::black_box((chunk.position(i), chunk.normal(i), chunk.diffuse(i)));
                });
            }
        }
        Chunk::CellStream(stream) => {
            for chunk in &stream.chunks {
                if let ninja::CellChunk::Change(change) = chunk {
                    assert_eq!(change.words.len(), change.blocks.words());
                    std::hint::black_box(change.decode());
                }
            }
        }
        _ => {}
    }
}

#[test]
fn circles_and_shared_nodes() {
    // The child's child is the root's child: a cycle through node 1.
    let words = [node(0, 0, 52, 0), node(0, 0, 104, 0), node(0, 0, 52, 0)].concat();
    let error = error_of(&bare_tree(&words));
    assert_eq!(error.found, "a cycle back to node 1 at 0x34");
    assert_eq!(
        error.place.node,
        Some(NodePlace {
            index: 2,
            offset: 104
        })
    );
    assert_eq!(error.place.offset, Some(8 + 104));
    // A node that is its own sibling.
    let words = [node(0, 0, 52, 0), node(0, 0, 0, 52)].concat();
    assert_eq!(
        error_of(&bare_tree(&words)).found,
        "a cycle back to node 1 at 0x34"
    );
    // A node with two parents.
    let words = [
        node(0, 0, 52, 0),
        node(0, 0, 156, 104),
        node(0, 0, 156, 0),
        node(0, 0, 0, 0),
    ]
    .concat();
    assert_eq!(
        error_of(&bare_tree(&words)).found,
        "node 2 at 0x9c for the second time"
    );
}

#[test]
fn pointers() {
    let outside = error_of(&bare_tree(&node(0, 0, 0x1000, 0)));
    assert_eq!(
        outside.to_string(),
        "NJCM at 0x1008 (node 0 at 0x0 of the body): NJS_CNK_OBJECT: found 52 bytes at 0x1000, expected all of it \
         inside a body of 0x34 bytes"
    );
    assert!(
        error_of(&bare_tree(&node(0, 0, 50, 0)))
            .to_string()
            .contains("multiple of 4")
    );
    assert!(
        error_of(&bare_tree(&node(0, 50, 0, 0)))
            .to_string()
            .contains("model pointer")
    );
    assert!(
        error_of(&bare_tree(&node(0, u32::MAX - 3, 0, 0)))
            .to_string()
            .contains("NJS_CNK_MODEL")
    );
    let model = |vlist, plist| [&node(0, 52, 0, 0)[..], &[vlist, plist, 0, 0, 0, ONE, 0xFF]].concat();
    assert!(
        error_of(&bare_tree(&model(78, 0)))
            .to_string()
            .contains("vlist pointer")
    );
    assert!(
        error_of(&bare_tree(&model(80, 0)))
            .to_string()
            .contains("vertex chunk head")
    );
    assert!(
        error_of(&bare_tree(&model(0, 77)))
            .to_string()
            .contains("plist pointer")
    );
    assert!(
        error_of(&bare_tree(&model(0, 80)))
            .to_string()
            .contains("polygon chunk head")
    );
}

#[test]
fn vertex_chunks() {
    let said = |words: &[u32]| error_of(&one_list(&le32(words), false)).to_string();
    // Two vertices in the space of one.
    let message = said(&[4 << 16 | 34, 2 << 16, 0, 0, 0, 0xFF]);
    assert_eq!(
        message,
        "NJCM at 0x54 (node 0 at 0x0 of the body): vertex chunk size: found 2 vertices of 3 words in 3 words (CV), \
         expected 6 words"
    );
    assert!(said(&[0xFFFF << 16 | 34, 0, 0xFF]).contains("vertex chunk: found"));
    assert!(said(&[34, 0xFF]).contains("0 words"));
    assert!(said(&[1 << 16 | 53, 0, 0xFF]).contains("found 53"));
    assert!(said(&[4 << 16 | 34, 1 << 16, 0, 0, 0]).contains("vertex chunk head"));
}

#[test]
fn polygon_chunks() {
    let said = |words: &[u16]| error_of(&one_list(&le16(words), true)).to_string();
    let overrun = said(&[0x40, 5, 1, 4, 0, 1, 2, 0xFF]);
    assert_eq!(
        overrun,
        "NJCM at 0x5a (node 0 at 0x0 of the body): strips or polygons: found 1 of CS, of which one of length 4 at \
         word 0 exceeds the chunk, expected all of them in 4 words"
    );
    assert!(said(&[0x40, 5, 0x3FFF, 3, 0, 1, 2, 0xFF]).contains("16383 of CS"));
    assert!(said(&[0x41, 5, 1, 3, 0, 1, 2, 0xFF]).contains("CS_UVN"));
    assert!(said(&[0x40, 0, 0xFF]).contains("polygon chunk size"));
    assert!(said(&[0x38, 3, 1, 0, 1, 0xFF]).contains("strips or polygons"));
    assert!(said(&[0x17, 4, 0, 0, 0, 0, 0xFF]).contains("found 4 words for id 23, expected 6 words"));
    assert!(said(&[0x80, 0xFF]).contains("polygon chunk id"));
    assert!(said(&[0, 0]).contains("polygon chunk head"));
    assert!(said(&[0x41, 0xFFFF, 1]).contains("polygon chunk"));
}

#[test]
fn texture_lists() {
    let said = |words: &[u32], rest: &[u8]| {
        error_of(&chunk(b"NJTL", &[&le32(words)[..], rest].concat())).to_string()
    };
    assert!(said(&[8], b"").contains("nbTexture"));
    assert!(said(&[8, 0x4000_0000], b"").contains("NJS_TEXLIST.textures"));
    assert!(said(&[0, 1, 0, 0, 0], b"").contains("NULL"));
    assert!(said(&[8, 1, 20, 0, 0], b"abc").contains("no NUL"));
    assert!(said(&[8, 1, 99, 0, 0], b"abc\0").contains("NJS_TEXNAME.filename"));
    assert!(said(&[10, 1, 22, 0, 0], b"abc\0").contains("multiple of 4"));
}

#[test]
fn chunk_heads() {
    let cases: [(&[u8], &str); 6] = [
        (b"", "at least one chunk"),
        (b"NJC", "chunk head"),
        (b"NJCM\x01\x00\x00\x00", "chunk size"),
        (b"\x00\x01\x02\x03\x00\x00\x00\x00", "chunk name"),
        (b"NJIN\0\0\0\0NJ", "chunk head"),
        (b"NJCM\0\0\0\0", "NJS_CNK_OBJECT"),
    ];
    for (bytes, expected) in cases {
        let message = error_of(bytes).to_string();
        assert!(message.contains(expected), "{message}");
    }
}

/// Structures may overlap in unusual files, but the total of shared bytes is limited.
#[test]
fn overlaps() {
    // Models of two nodes; the second model is inside the first one's vlist. It is kept, with a warning.
    let mut words = [node(0, 104, 52, 0), node(0, 136, 0, 0)].concat();
    words.extend([128, 0, 0, 0, 0, ONE]);
    words.extend([
        8 << 16 | 34,
        2 << 16,
        0,
        0,
        0,
        0,
        0,
        0,
        7,
        0xFF,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
    ]);
    let bytes = bare_tree(&words);
    let warnings = ninja::read(&bytes).unwrap().warnings;
    assert!(
        warnings
            .iter()
            .any(|w| w.to_string().contains("begin inside another")),
        "{warnings:?}"
    );
    assert!(exercise(&bytes).unwrap() > 0);
    // A hundred siblings, two words apart.
    let mut words = vec![0; 2 * 99 + 13];
    for i in 0..99usize {
        words[2 * i + 12] = 8 * (i as u32 + 1);
    }
    assert_eq!(error_of(&bare_tree(&words)).fault, Fault::Limit);
    // One long name, pointed at by a thousand entries.
    let entries: Vec<u32> = std::iter::repeat_n([12_008, 0, 0], 1000).flatten().collect();
    let body = [le32(&[8, 1000]), le32(&entries), vec![b'a'; 4000], vec![0]].concat();
    assert_eq!(error_of(&chunk(b"NJTL", &body)).fault, Fault::Limit);
}

/// Long sequences of children or siblings are walked without recursion.
#[test]
fn a_hundred_thousand_nodes() {
    for child in [true, false] {
        let nodes = 100_000u32;
        let mut words = Vec::new();
        for i in 0..nodes {
            let next = if i + 1 < nodes { 52 * (i + 1) } else { 0 };
            let (down, along) = if child || i == 0 { (next, 0) } else { (0, next) };
            words.extend(node(0, 0, down, along));
        }
        let bytes = bare_tree(&words);
        let file = ninja::read(&bytes).unwrap();
        let census = file.census();
        assert_eq!(
            (census.nodes, census.depth),
            (u64::from(nodes), if child { u64::from(nodes) } else { 2 })
        );
        assert_eq!(file.write().unwrap(), bytes);
        // A cycle at the very end is found, too.
        let at = words.len() - if child { 2 } else { 1 };
        words[at] = 52;
        assert!(error_of(&bare_tree(&words)).found.contains("cycle"));
    }
}

#[test]
fn own_samples_are_sound() {
    for bytes in own_samples() {
        exercise(&bytes).unwrap();
    }
}

/// Every prefix gives an error or a warning, unless it ends right after a pair of chunks.
#[test]
fn prefixes() {
    let mut samples = own_samples();
    samples.extend(corpus_samples(6000).into_iter().take(12));
    let (mut prefixes, mut whole) = (0, 0);
    for bytes in &samples {
        for len in 0..bytes.len() {
            prefixes += 1;
            if let Ok(0) = exercise(&bytes[..len]) {
                // The prefix has only whole chunks and ends with a POF0.
                let last = (0..len)
                    .rev()
                    .find(|at| bytes[*at..].starts_with(b"POF0"))
                    .unwrap();
                let size = u32::from_le_bytes(bytes[last + 4..last + 8].try_into().unwrap());
                assert_eq!(last + 8 + size as usize, len);
                whole += 1;
            }
        }
    }
    println!(
        "{} files, {prefixes} prefixes, of which {whole} are whole files",
        samples.len()
    );
}

/// Number of changed files for each family of samples: `SWIRL_NINJA_MUTATIONS`, or 5,000.
fn mutations() -> usize {
    let count = std::env::var("SWIRL_NINJA_MUTATIONS").ok();
    count.map_or(5000, |count| count.parse().unwrap())
}

/// Makes one to four changes: a byte, a word set to an extreme, a word copied from elsewhere.
fn mutate(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let word = at / 4 * 4;
        match random.below(4) {
            0 if word + 4 <= bytes.len() => {
                let extremes = [
                    0u32,
                    1,
                    0xFF,
                    0x7FFF_FFFF,
                    0x8000_0000,
                    u32::MAX,
                    0xFFFF,
                    0x1_0000,
                ];
                bytes[word..word + 4].copy_from_slice(&extremes[random.below(8)].to_le_bytes());
            }
            1 if word + 4 <= bytes.len() => {
                let from = random.below(bytes.len() / 4) * 4;
                bytes.copy_within(from..from + 4, word);
            }
            _ => bytes[at] ^= 1 + random.below(255) as u8,
        }
    }
}

/// Files with changed bytes and words, equal on every run. Some still read without error, since most bytes
/// are coordinates.
#[test]
fn seeded_changes() {
    let own = [own_samples(), Vec::new()].concat();
    for (family, samples) in [("own", own), ("corpus", corpus_samples(40_000))] {
        if samples.is_empty() {
            continue;
        }
        let mut random = Random(0x5EED_0001);
        let (mut errors, mut warned) = (0, 0);
        for _ in 0..mutations() {
            let mut bytes = samples[random.below(samples.len())].clone();
            mutate(&mut bytes, &mut random);
            match exercise(&bytes) {
                Ok(warnings) => warned += usize::from(warnings > 0),
                Err(_) => errors += 1,
            }
        }
        println!(
            "{family}: {} files, {} changes: {errors} errors, {warned} warned",
            samples.len(),
            mutations()
        );
        assert!(errors > mutations() / 20 && warned > mutations() / 200);
    }
}

/// Excessive counts in every structure that has one give an error at once.
#[test]
fn huge_counts() {
    for (name, bytes) in hex_samples()
        .into_iter()
        .filter(|(name, _)| name.ends_with(".le"))
    {
        for at in (8..bytes.len() - 4).step_by(4) {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&0x7FFF_FFF0u32.to_le_bytes());
            if let Err(error) = exercise(&changed) {
                assert!(error.place.offset.is_some(), "{name}: {error}");
            }
        }
    }
}

/// Nodes that share one table, and tables that share keys: time and memory stay within the file's size.
#[test]
fn shared_tables() {
    // 10,000 nodes with the same 1,000 keys share one table.
    let (nodes, keys) = (10_000u32, 1000u32);
    let first = 12 + nodes * 8;
    let mut words = vec![12, keys, 1 << 16 | 1];
    words.extend((0..nodes).flat_map(|_| [first, keys]));
    words.extend((0..keys).flat_map(|frame| [frame, 0, 0, 0]));
    let file = ninja::read(&chunk(b"NMDM", &le32(&words))).unwrap();
    let Chunk::Motion(motion) = &file.chunks[0] else {
        panic!()
    };
    assert_eq!((motion.nodes.len(), motion.tracks.len()), (nodes as usize, 1));
    // With a different length for each node, there are too many keys.
    for node in 0..nodes as usize {
        words[4 + 2 * node] = keys - node as u32 % 500;
    }
    assert_eq!(error_of(&chunk(b"NMDM", &le32(&words))).fault, Fault::Limit);
    // Data of shape motions: 10,000 nodes with 1,000 entries each.
    let mut words = vec![12, 1, 1 << 16 | 0x4000];
    words.extend((0..nodes).flat_map(|_| [first, 1000]));
    words.extend([0; 2000]);
    assert_eq!(error_of(&chunk(b"CPSM", &le32(&words))).fault, Fault::Limit);
}
