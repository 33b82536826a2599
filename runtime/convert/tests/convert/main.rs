//! Converts scenes, reads the results back and compares them with the source.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

mod blender;
mod check;
mod corpus;
mod damage;
mod export;
mod format;
mod glb;
mod gltf_limits;
mod gltf_roots;
mod gltf_scenes;
mod materials;
mod obj_scenes;
mod onto;
mod pictures;
mod rig;
mod rigs;
mod scene;
mod settings;
mod traps;
mod truth;

use convert::{Conversion, Error, Options};
use std::path::{Path, PathBuf};

/// Returns the path of one of our own scenes, made by `data/generate.py` with Blender.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// Converts one of our own scenes, with textures from its folder.
fn converted(name: &str, options: &Options) -> Conversion {
    let bytes = std::fs::read(data(name)).unwrap();
    convert::convert(&bytes, options, &mut |path| std::fs::read(data(path)).ok()).unwrap()
}

/// Converts bytes without any textures.
fn convert_bytes(bytes: &[u8], options: &Options) -> Result<Conversion, Error> {
    convert::convert(bytes, options, &mut |_| None)
}

/// Returns the warnings as one text.
fn warnings(conversion: &Conversion) -> String {
    conversion.warnings.iter().map(|w| format!("{w}\n")).collect()
}
