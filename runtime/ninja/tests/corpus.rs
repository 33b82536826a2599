//! Real files: all are read without a warning and written back byte for byte, and what they hold adds up.
//!
//! `SWIRL_NINJA=DIR cargo test -p ninja --test corpus -- --nocapture` does the same for any folder.

// A failed unwrap or panic in a helper, too, is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use ninja::Census;

struct Outcome {
    census: Census,
    exact: usize,
    failures: Vec<String>,
}

fn run(files: &[PathBuf]) -> Outcome {
    let mut outcome = Outcome {
        census: Census::default(),
        exact: 0,
        failures: Vec::new(),
    };
    for path in files {
        let bytes = fs::read(path).unwrap();
        match ninja::read(&bytes) {
            Ok(file) => {
                file.warnings
                    .iter()
                    .for_each(|w| println!("{}: {w}", path.display()));
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

fn report(name: &str, files: usize, outcome: &Outcome) {
    let Outcome { census, exact, .. } = outcome;
    println!("{name}: {files} files, {exact} written back byte for byte\n{census:#?}");
    outcome.failures.iter().for_each(|failure| println!("{failure}"));
}

/// Reads, rewrites and resolves everything below a folder; `None` when there is nothing.
fn check(name: &str, dir: Option<&Path>) -> Option<Census> {
    let files = dir.map(common::nj_files).unwrap_or_default();
    if files.is_empty() {
        println!("{name}: corpus not present, 0 files");
        return None;
    }
    let outcome = run(&files);
    report(name, files.len(), &outcome);
    assert_eq!(outcome.failures, [""; 0], "{name}");
    assert_eq!(outcome.exact, files.len(), "{name}");
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

/// The numbers were counted by a separate program in another language.
#[test]
fn pso() {
    let Some(c) = check("pso", common::corpus("pso").as_deref()) else {
        return;
    };
    assert_eq!((c.files, c.warnings), (71, 0));
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

/// Likewise.
#[test]
fn ikaruga() {
    let Some(c) = check("ikaruga", common::corpus("ikaruga").as_deref()) else {
        return;
    };
    assert_eq!((c.files, c.warnings), (40, 0));
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

/// Any other folder.
#[test]
fn folder_of_the_environment() {
    match std::env::var_os("SWIRL_NINJA") {
        Some(dir) => drop(check("SWIRL_NINJA", Some(Path::new(&dir)))),
        None => println!("SWIRL_NINJA is not set, 0 files"),
    }
}

/// Laying everything out anew keeps the content: the canonical order of a real tree reads back equal, in
/// both byte orders.
#[test]
fn canonical_order_reads_back_equal() {
    let dir = common::corpus("");
    let files = dir.as_deref().map(common::nj_files).unwrap_or_default();
    let mut trees = 0;
    for path in &files {
        let file = ninja::read(&fs::read(path).unwrap()).unwrap();
        for order in [ninja::ByteOrder::Little, ninja::ByteOrder::Big] {
            let mut fresh = ninja::File {
                byte_order: order,
                ..Default::default()
            };
            for tree in file.models() {
                let mut copy = ninja::ObjectTree::new();
                (copy.objects, copy.models) = (tree.objects.clone(), tree.models.clone());
                (copy.vlists, copy.plists) = (tree.vlists.clone(), tree.plists.clone());
                fresh.chunks.push(ninja::Chunk::Model(copy));
                trees += 1;
            }
            let again = ninja::read(&fresh.write().unwrap()).unwrap();
            assert_eq!(again.byte_order, order, "{}", path.display());
            assert_eq!(again.chunks, fresh.chunks, "{}", path.display());
            assert_eq!(again.warnings, [], "{}", path.display());
        }
    }
    println!("{} files, {trees} trees laid out anew", files.len());
}
