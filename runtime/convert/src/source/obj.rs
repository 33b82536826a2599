//! Wavefront OBJ files: their MTL files, and the program that wrote them.

use super::Exporter;
use crate::error::{Error, Warnings};

/// Returns the bytes of all material libraries that a file names, in order.
///
/// # Errors
/// If they exceed the memory limit. A short file can name a large library many times.
pub(super) fn materials(
    bytes: &[u8],
    limit: usize,
    files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    for line in bytes.split(|b| *b == b'\n') {
        let Some(rest) = line.trim_ascii().strip_prefix(b"mtllib") else {
            continue;
        };
        let text = String::from_utf8_lossy(rest).replace('\\', "/");
        // A line can contain one name with spaces, or several names separated by spaces.
        let name = text.trim();
        let mut library = |name: &str| -> Result<bool, Error> {
            let Some(file) = files(name) else {
                return Ok(false);
            };
            if all.len() + file.len() >= limit {
                let cause =
                    format!("its material libraries take more than the memory limit of {limit} bytes");
                return Err(Error::Load { kind: "OBJ", cause });
            }
            all.extend(file);
            all.push(b'\n');
            Ok(true)
        };
        let mut missing = Vec::new();
        if !library(name)? {
            for part in name.split_whitespace() {
                if !library(part)? {
                    missing.push(part);
                }
            }
        }
        if !missing.is_empty() {
            let missing = missing.join(" ");
            warnings.add(
                "",
                format!("the material library {missing:?} was not found: its materials are grey"),
            );
        }
    }
    Ok(all)
}

/// Detects Blender, which starts its files with a comment containing its name.
pub(super) fn exporter(scene: &[u8], materials: &[u8]) -> Exporter {
    match [scene, materials]
        .iter()
        .any(|file| file.starts_with(b"# Blender"))
    {
        true => Exporter::Blender,
        false => Exporter::Other,
    }
}
