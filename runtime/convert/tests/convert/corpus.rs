//! Converts the real files of the corpus, if present, with all stacks. Reads the results back and compares
//! them with the source.

use convert::{Ambient, Options, Plain, Stacks};
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

/// Three quarters of these files contain black ambient colours, the default of exporters. Unchanged, they
/// would make everything black that faces away from the light.
#[test]
fn every_file_is_lit_on_the_side_away_from_the_light() {
    let files = files();
    if files.is_empty() {
        corpus::absent("fbx");
        return;
    }
    let dark = |ambient: Ambient, bytes: &[u8]| {
        let options = Options {
            ambient,
            ..Options::default()
        };
        let conversion = convert_bytes(bytes, &options).ok()?;
        let chunks = conversion.model.models().flat_map(|tree| &tree.plists);
        let materials = chunks
            .flat_map(|list| &list.chunks)
            .filter_map(|chunk| match chunk {
                ninja::PolyChunk::Material(material) => Some(*material),
                _ => None,
            });
        let is_dark = |m: ninja::Material| {
            m.ambient.is_some_and(|a| a.0 << 8 == 0) && m.diffuse.is_none_or(|d| d.0 << 8 != 0)
        };
        let materials: Vec<_> = materials.collect();
        (!materials.is_empty()).then(|| materials.into_iter().any(is_dark))
    };
    let (mut lit, mut before) = (0, 0);
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        if let Some(is_dark) = dark(Ambient::Auto, &bytes) {
            assert!(!is_dark, "{}", path.display());
            lit += 1;
            before += usize::from(dark(Ambient::File, &bytes) == Some(true));
        }
    }
    println!("{lit} files with materials, all lit; {before} black by their own ambient colours");
    assert!(before * 2 > lit, "{before} of {lit}");
}
