//! Real files: all are read without a warning and written back byte for byte, and their statistics match.
//!
//! `SWIRL_NINJA=DIR cargo test -p swirl-ninja --test tests corpus:: -- --nocapture` does the same for any
//! folder.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use std::fs;
use std::path::{Path, PathBuf};

use ninja::{Argb, Census, Chunk, Container, Element, EvalFlags, File, Key, Keys, PolyChunk};

struct Outcome {
    census: Census,
    exact: usize,
    /// Motions with a node count that differs from the file's tree.
    mismatched: usize,
    failures: Vec<String>,
}

fn run(files: &[PathBuf]) -> Outcome {
    let mut outcome = Outcome {
        census: Census::default(),
        exact: 0,
        mismatched: 0,
        failures: Vec::new(),
    };
    for path in files {
        let bytes = fs::read(path).unwrap();
        match ninja::read(&bytes) {
            Ok(file) => {
                file.warnings
                    .iter()
                    .for_each(|w| println!("{}: {w}", path.display()));
                outcome.mismatched += mismatched_motions(&file);
                outcome.census += &file.census();
                match file.write() {
                    Ok(written) if written == bytes => outcome.exact += 1,
                    Ok(_) => outcome
                        .failures
                        .push(format!("{}: written differently", path.display())),
                    Err(error) => outcome.failures.push(format!("{}: {error}", path.display())),
                }
            }
            Err(error) => outcome.failures.push(format!("{}: {error}", path.display())),
        }
    }
    outcome
}

/// Expected number of NJS_MDATAn: one for every node without SKIP (docs/formats/ninja.md 1.9).
fn mismatched_motions(file: &File) -> usize {
    let Some(tree) = file.models().next() else {
        return 0;
    };
    let moved = tree
        .objects
        .iter()
        .filter(|o| !o.evalflags.contains(EvalFlags::SKIP))
        .count();
    file.motions()
        .filter(|motion| motion.nodes.len() != moved)
        .count()
}

fn report(name: &str, files: usize, outcome: &Outcome) {
    let Outcome { census, exact, .. } = outcome;
    println!("{name}: {files} files, {exact} written back byte for byte\n{census:#?}");
    outcome.failures.iter().for_each(|failure| println!("{failure}"));
}

/// Reads, rewrites and resolves all files below a folder; `None` for an empty folder.
fn check(name: &str, dir: Option<&Path>) -> Option<Census> {
    let files = dir.map(common::nj_files).unwrap_or_default();
    if files.is_empty() {
        corpus::absent(name);
        return None;
    }
    let outcome = run(&files);
    report(name, files.len(), &outcome);
    assert_eq!(outcome.failures, [""; 0], "{name}");
    assert_eq!(outcome.exact, files.len(), "{name}");
    println!("{name}: {} motions do not match their tree", outcome.mismatched);
    assert_eq!(outcome.mismatched, 0, "{name}");
    let census = outcome.census;
    assert_eq!(
        (census.unresolved, census.bad_draws, census.cut_short),
        (0, 0, 0),
        "{name}"
    );
    assert_eq!(
        census.resolved_directly + census.resolved_through_dp,
        census.indices,
        "{name}"
    );
    Some(census)
}

/// A separate program in another language counted these numbers.
#[test]
fn pso() {
    let Some(c) = check("pso", common::corpus("pso").as_deref()) else {
        return;
    };
    // The warnings concern the one motion with overlapping tables.
    assert_eq!((c.files, c.warnings), (71 + 58, 2));
    let m = c.motions;
    assert_eq!(m.types.into_iter().collect::<Vec<_>>(), [((3, 2), 58)]);
    assert_eq!((m.nodes, m.frames), (3712, 1833));
    // The first table of every file is at address 0: the root's positions or, in two files, its angles.
    let tables = [(Element::Pos, 56), (Element::Ang, 928)];
    assert_eq!(m.tables.into_iter().collect::<Vec<_>>(), tables);
    let keys = [(Element::Pos, 1076), (Element::Ang, 16164)];
    assert_eq!(m.keys.into_iter().collect::<Vec<_>>(), keys);
    assert_eq!((m.descending, m.early), (1, 0));
    assert_eq!(
        (c.nodes, c.max_nodes, c.depth, c.wide_angles),
        (1931, 124, 19, 47)
    );
    assert_eq!(c.evalflags[..6], [535, 664, 1919, 1130, 769, 0]);
    assert_eq!((c.models, c.with_vlist, c.with_plist), (801, 740, 285));
    assert_eq!(
        c.vertex_chunks.into_iter().collect::<Vec<_>>(),
        [(35, 2), (41, 619), (44, 762)]
    );
    assert_eq!(
        c.vertices.into_iter().collect::<Vec<_>>(),
        [(35, 60), (41, 12729), (44, 7928)]
    );
    assert_eq!(
        c.weight_heads.into_iter().collect::<Vec<_>>(),
        [(0, 5), (0x80, 306), (0x81, 63), (0x82, 388)]
    );
    assert_eq!(c.index_offsets, 762);
    let poly = [
        (0, 55),
        (1, 2),
        (4, 55),
        (5, 55),
        (8, 337),
        (17, 13),
        (18, 6),
        (19, 195),
        (20, 13),
        (22, 1),
        (23, 33),
        (64, 5),
        (65, 394),
        (255, 285),
    ];
    assert_eq!(c.poly_chunks.into_iter().collect::<Vec<_>>(), poly);
    assert_eq!(
        (c.strips, c.reversed, c.indices, c.triangles),
        (5880, 635, 39808, 28048)
    );
    assert_eq!(c.strip_tails, [132, 223, 44, 0]);
    assert_eq!((c.resolved_directly, c.resolved_through_dp), (13424, 26384));
    assert_eq!(
        (c.texture_names, c.pof0_widths, c.pof0_padding),
        (89, [3158, 640, 0], 94)
    );
}

/// Counted like the files above.
#[test]
fn ikaruga() {
    let Some(c) = check("ikaruga", common::corpus("ikaruga").as_deref()) else {
        return;
    };
    assert_eq!((c.files, c.warnings), (40, 0));
    let m = c.motions;
    assert_eq!(
        m.types.into_iter().collect::<Vec<_>>(),
        [((0x25, 3), 1), ((0x25, 0x43), 14)]
    );
    assert_eq!((m.nodes, m.descending, m.early), (68, 0, 0));
    assert_eq!((c.nodes, c.max_nodes, c.depth, c.wide_angles), (139, 20, 3, 10));
    assert_eq!(c.evalflags[..6], [72, 103, 137, 3, 118, 139]);
    assert_eq!((c.models, c.with_vlist, c.with_plist), (136, 136, 136));
    assert_eq!(
        (c.distinct_models, c.distinct_vlists, c.distinct_plists),
        (114, 114, 114)
    );
    assert_eq!(
        c.vertex_chunks.into_iter().collect::<Vec<_>>(),
        [(35, 72), (41, 64)]
    );
    assert_eq!(
        c.vertices.into_iter().collect::<Vec<_>>(),
        [(35, 10091), (41, 2232)]
    );
    let poly = [
        (1, 1),
        (8, 672),
        (17, 80),
        (19, 1),
        (20, 43),
        (22, 1),
        (23, 61),
        (64, 5),
        (65, 670),
        (255, 136),
    ];
    assert_eq!(c.poly_chunks.into_iter().collect::<Vec<_>>(), poly);
    assert_eq!(
        (c.strips, c.reversed, c.indices, c.triangles),
        (3864, 1285, 24044, 16316)
    );
    assert_eq!((c.resolved_directly, c.resolved_through_dp), (24044, 0));
    assert_eq!(c.chunks.values().sum::<u64>(), 40 + 40 + 15 + 95);
    assert_eq!(
        (c.texture_names, c.pof0_widths, c.pof0_padding),
        (479, [1096, 105, 0], 126)
    );
}

/// Runs the checks on any other folder.
#[test]
fn folder_of_the_environment() {
    match std::env::var_os("SWIRL_NINJA") {
        Some(dir) => drop(check("SWIRL_NINJA", Some(Path::new(&dir)))),
        None => println!("not run: SWIRL_NINJA is not set"),
    }
}

/// The canonical order of a real file reads back equal in both byte orders, unless the file has raw chunks.
#[test]
fn canonical_order_reads_back_equal() {
    let files = common::corpus("")
        .as_deref()
        .map(common::nj_files)
        .unwrap_or_default();
    let (mut chunks, mut same) = (0, 0);
    for path in &files {
        let bytes = fs::read(path).unwrap();
        let mut fresh = ninja::read(&bytes).unwrap();
        fresh.forget_layout();
        fresh.chunks.retain(|chunk| !matches!(chunk, Chunk::Raw(_)));
        same += usize::from(fresh.write().unwrap() == bytes);
        for order in [ninja::ByteOrder::Little, ninja::ByteOrder::Big] {
            fresh.byte_order = order;
            let again = ninja::read(&fresh.write().unwrap()).unwrap();
            assert_eq!(again.byte_order, order, "{}", path.display());
            assert_eq!(again.chunks, fresh.chunks, "{}", path.display());
        }
        chunks += fresh.chunks.len();
    }
    println!(
        "{} files, {chunks} chunks laid out anew; {same} files were in canonical order",
        files.len()
    );
}

/// Every byte of a real file has a meaning, and few bytes are outside all structures.
#[test]
fn every_byte_has_its_meaning() {
    let files = common::corpus("")
        .as_deref()
        .map(common::nj_files)
        .unwrap_or_default();
    let (mut total, mut loose) = (0, 0);
    for path in &files {
        let bytes = fs::read(path).unwrap();
        let mut at = 0;
        for note in ninja::annotate(&bytes, &ninja::Settings::default()).unwrap() {
            assert!(note.offset <= at, "{}: gap at {at:#x}", path.display());
            at = at.max(note.offset + note.len);
            loose += if note.meaning.starts_with("not referenced") {
                note.len
            } else {
                0
            };
        }
        assert_eq!(at, bytes.len(), "{}", path.display());
        total += bytes.len();
    }
    println!(
        "{} files, {total} bytes, of which {loose} belong to no structure",
        files.len()
    );
    assert!(loose * 20 <= total);
}

/// Returns the range of bytes in which two files of equal length differ.
fn changed(before: &[u8], after: &[u8]) -> Option<std::ops::Range<usize>> {
    assert_eq!(before.len(), after.len());
    let differs = |i: &usize| before[*i] != after[*i];
    let first = (0..before.len()).find(differs)?;
    Some(first..(0..before.len()).rfind(differs)? + 1)
}

/// An edit of a file; returns whether the file had something to edit.
type Edit = fn(&mut File) -> bool;

fn edit_material(file: &mut File) -> bool {
    let plists = trees(file).flat_map(|tree| &mut tree.plists);
    for chunk in plists.flat_map(|list| &mut list.chunks) {
        if let PolyChunk::Material(material) = chunk
            && let Some(diffuse) = &mut material.diffuse
        {
            *diffuse = Argb(!diffuse.0);
            return true;
        }
    }
    false
}

fn edit_vertex(file: &mut File) -> bool {
    let mut vlists = trees(file).flat_map(|tree| &mut tree.vlists);
    match vlists.find_map(|list| list.chunks.iter_mut().find(|chunk| chunk.count > 0)) {
        Some(chunk) => {
            let [x, y, z] = chunk.position(0);
            chunk.set_position(0, [x + 1.0, y - 2.0, z * 2.0 + 0.5]);
            true
        }
        None => false,
    }
}

fn edit_strip(file: &mut File) -> bool {
    let plists = trees(file).flat_map(|tree| &mut tree.plists);
    for chunk in plists.flat_map(|list| &mut list.chunks) {
        if let PolyChunk::Strip(chunk) = chunk
            && chunk.kind.uv_pairs() > 0
            && let Some(strip) = chunk.strips.first().copied()
        {
            let mut entry = chunk.entry(&strip, 1);
            entry.uv = entry.uv.map(|c| !c);
            chunk.set_entry(&strip, 1, &entry);
            return true;
        }
    }
    false
}

fn edit_key(file: &mut File) -> bool {
    let motions = file.chunks.iter_mut().filter_map(|chunk| match chunk {
        Chunk::Motion(motion) => Some(motion),
        _ => None,
    });
    for keys in motions.flat_map(|motion| &mut motion.tracks) {
        if let Keys::F(keys) = keys
            && let [.., Key { value, .. }] = &mut keys[..]
        {
            value[1] += 1.0;
            return true;
        }
    }
    false
}

fn trees(file: &mut File) -> impl Iterator<Item = &mut ninja::ObjectTree> {
    file.chunks.iter_mut().filter_map(|chunk| match chunk {
        Chunk::Model(tree) => Some(tree),
        _ => None,
    })
}

/// An edit of one value changes only the bytes of that value.
#[test]
fn edits_leave_all_other_bytes() {
    let files = common::corpus("")
        .as_deref()
        .map(common::nj_files)
        .unwrap_or_default();
    let edits: [(&str, Edit, usize); 4] = [
        ("material", edit_material, 4),
        ("vertex", edit_vertex, 12),
        ("strip entry", edit_strip, 4),
        ("motion key", edit_key, 4),
    ];
    for (name, edit, most) in edits {
        let mut edited = 0;
        for path in &files {
            let bytes = fs::read(path).unwrap();
            let mut file = ninja::read(&bytes).unwrap();
            if !edit(&mut file) {
                continue;
            }
            edited += 1;
            let range = changed(&bytes, &file.write().unwrap());
            let len = range.map_or(0, |range| range.len());
            assert!(
                (1..=most).contains(&len),
                "{}: {name}: {len} bytes changed",
                path.display()
            );
        }
        println!("{name}: {edited} of {} files edited", files.len());
        assert!(files.is_empty() || edited > 20);
    }
}

/// Files without chunks become files with chunks, and back.
#[test]
fn motions_change_their_container() {
    let files = common::corpus("pso")
        .as_deref()
        .map(common::nj_files)
        .unwrap_or_default();
    let (mut motions, mut same) = (0, 0);
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let mut file = ninja::read(&bytes).unwrap();
        if file.container == Container::Iff {
            continue;
        }
        motions += 1;
        file.container = Container::Iff;
        let mut again = ninja::read(&file.write().unwrap()).unwrap();
        assert_eq!(again.chunks, file.chunks, "{}", path.display());
        again.container = Container::PsoMotion;
        same += usize::from(again.write().unwrap() == bytes);
    }
    println!("{motions} motions with chunks and without, {same} of them the same bytes in the end");
    // The differing file has overlapping tables.
    assert!(motions == 0 || same + 1 == motions);
}
