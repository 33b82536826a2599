//! Real files, if available: each is written back byte for byte.

use std::path::{Path, PathBuf};

use fbx::{Property, Record, read};

/// Lists the FBX files; `SWIRL_FBX=DIR` names another directory.
pub(crate) fn files() -> Vec<PathBuf> {
    corpus::files(&corpus::folder_or("SWIRL_FBX", "fbx"), &["fbx"])
}

/// True if the file's name says that the file is broken.
fn meant_to_fail(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.contains("fuzz") || name.contains("_fail")
}

#[derive(Default)]
struct Totals {
    exact: usize,
    ascii: usize,
    refused: usize,
    records: usize,
    properties: u64,
    arrays: usize,
    elements: usize,
    second_lists: usize,
    warnings: usize,
}

fn tally(record: &Record<'_>, damaged_is_fine: bool, totals: &mut Totals) {
    totals.records += 1;
    totals.properties += record.properties.count();
    for property in record.properties.iter() {
        if let Property::Array(array) = property {
            totals.arrays += 1;
            match array.elements() {
                Ok(elements) => totals.elements += elements.len(),
                Err(error) => assert!(damaged_is_fine, "{}: {error}", record.name()),
            }
        }
    }
    record
        .children
        .iter()
        .for_each(|c| tally(c, damaged_is_fine, totals));
}

#[test]
fn real_files_round_trip() {
    let files = files();
    let mut totals = Totals::default();
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let document = match read(&bytes) {
            Ok(document) => document,
            Err(error) if error.found == "an ASCII FBX file" => {
                totals.ascii += 1;
                continue;
            }
            Err(error) if meant_to_fail(path) => {
                println!("{}: refused: {error}", path.display());
                totals.refused += 1;
                continue;
            }
            Err(error) => panic!("{}: {error}", path.display()),
        };
        assert!(
            document.write().unwrap() == bytes,
            "{} is written back differently",
            path.display()
        );
        totals.exact += 1;
        totals.second_lists += document.sections.len() - 1;
        totals.warnings += document.warnings.len();
        document
            .warnings
            .iter()
            .for_each(|w| println!("{}: {w}", path.display()));
        document
            .records()
            .for_each(|r| tally(r, meant_to_fail(path), &mut totals));
    }
    println!(
        "fbx: {} files: {} byte-exact, {} ASCII (not this layer's), {} refused that are meant to fail; {} records, {} \
         properties, {} arrays with {} elements, {} second lists, {} warnings",
        files.len(),
        totals.exact,
        totals.ascii,
        totals.refused,
        totals.records,
        totals.properties,
        totals.arrays,
        totals.elements,
        totals.second_lists,
        totals.warnings
    );
}
