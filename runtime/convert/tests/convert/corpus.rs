//! Real files, when they are there: converted with all stacks, read again, compared with the reader.

use convert::{Options, Plain, Stacks};
use std::path::PathBuf;

use crate::convert_bytes;

/// `SWIRL_FBX=DIR` names another directory.
fn files() -> Vec<PathBuf> {
    corpus::files(&corpus::folder_or("SWIRL_FBX", "fbx"), &["fbx"])
}

#[test]
fn every_file_is_converted_or_refused_for_a_reason() {
    let files = files();
    if files.is_empty() {
        corpus::absent("fbx");
        return;
    }
    let options = Options {
        stacks: Stacks::All,
        ..Options::default()
    };
    let (mut converted, mut refused, mut worst) = (0, 0, (0.0, PathBuf::new()));
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut conversion = match convert_bytes(&bytes, &options) {
            Ok(conversion) => conversion,
            Err(error) => {
                refused += 1;
                println!("{name}: {error}");
                continue;
            }
        };
        converted += 1;
        let checked = conversion.check(&mut Plain::default()).unwrap();
        let deviations = checked.motions.iter().map(|(_, d)| d).chain([&checked.rest]);
        for deviation in deviations {
            assert!(deviation.relative <= 1.0 / 2000.0, "{name}: {deviation:?}");
            if deviation.relative > worst.0 {
                worst = (deviation.relative, path.clone());
            }
        }
    }
    println!(
        "{converted} converted, {refused} refused; largest distance {:.3e} of the size, {}",
        worst.0,
        worst.1.display()
    );
    assert_eq!(converted + refused, files.len());
}
