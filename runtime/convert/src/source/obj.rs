//! Wavefront OBJ files with their MTL files, read with ufbx: y up, counter-clockwise, one unit per metre.

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

/// Returns the options of ufbx for such a file.
pub(super) fn options<'a>(options: ufbx::LoadOpts<'a>, materials: &'a [u8]) -> ufbx::LoadOpts<'a> {
    ufbx::LoadOpts {
        file_format: ufbx::FileFormat::Obj,
        obj_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        obj_unit_meters: 1.0,
        obj_mtl_data: ufbx::BlobOpt::Ref(materials),
        ..options
    }
}

/// Adds the line to an error, which ufbx does not report: finds the shortest prefix of the file that fails,
/// and returns its last line.
pub(super) fn with_line<'a>(error: Error, bytes: &[u8], options: impl Fn() -> ufbx::LoadOpts<'a>) -> Error {
    let Error::Load { kind, cause } = error else {
        return error;
    };
    let mut ends: Vec<usize> = vec![0];
    ends.extend((1..).zip(bytes).filter(|(_, b)| **b == b'\n').map(|(end, _)| end));
    ends.push(bytes.len());
    let refused = |lines: usize| ufbx::load_memory(&bytes[..ends[lines]], options()).is_err();
    let (mut good, mut bad) = (0, ends.len() - 1);
    if refused(good) || !refused(bad) {
        return Error::Load { kind, cause };
    }
    while good + 1 < bad {
        let middle = (good + bad) / 2;
        match refused(middle) {
            true => bad = middle,
            false => good = middle,
        }
    }
    Error::Load {
        kind,
        cause: format!("line {bad}: {cause}"),
    }
}
