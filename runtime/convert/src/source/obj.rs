//! Wavefront OBJ files: their MTL files, the attributes that their faces lack, and their exporter.

use super::Exporter;
use crate::error::{Error, Warnings, plural};
use crate::math::{Vec3, add, cross, normalized, sub};
use std::borrow::Cow;
use std::ops::Range;

/// Computes the normals that are `None`: the face's, or for a smooth face the mean of the smooth faces at the
/// vertex, weighted by area. `faces` has the corners of each face, and whether it is smooth.
///
/// The OBJ specification forbids faces that have normals at some corners only, but exporters write them.
/// Blender computes the missing ones too.
pub(super) fn complete_normals(
    given: Vec<Option<Vec3>>,
    faces: &[(Range<usize>, bool)],
    vertices: &[u32],
    positions: &[Vec3],
) -> Vec<Vec3> {
    let at = |corner: usize| {
        positions
            .get(vertices[corner] as usize)
            .copied()
            .unwrap_or_default()
    };
    let area = |corners: &Range<usize>| {
        let first = at(corners.start);
        let pairs = (corners.start + 1..corners.end).zip(corners.start + 2..corners.end);
        pairs.fold([0.0; 3], |sum, (n, next)| {
            add(sum, cross(sub(at(n), first), sub(at(next), first)))
        })
    };
    let mut sums = vec![[0.0; 3]; positions.len()];
    for (corners, _) in faces.iter().filter(|(_, smooth)| *smooth) {
        let area = area(corners);
        for vertex in &vertices[corners.clone()] {
            if let Some(sum) = sums.get_mut(*vertex as usize) {
                *sum = add(*sum, area);
            }
        }
    }
    let mut normals: Vec<Vec3> = given.iter().map(|normal| normal.unwrap_or_default()).collect();
    for (corners, smooth) in faces {
        let own = area(corners);
        for corner in corners.clone().filter(|corner| given[*corner].is_none()) {
            let sum = sums.get(vertices[corner] as usize).filter(|_| *smooth);
            normals[corner] = normalized(*sum.unwrap_or(&own)).unwrap_or_default();
        }
    }
    normals
}

/// Reports corners without a normal in a mesh where others have one.
pub(super) fn report_missing(given: &[Option<Vec3>], place: &str, warnings: &mut Warnings) {
    let missing = given.iter().filter(|normal| normal.is_none()).count();
    if missing > 0 && missing < given.len() {
        let corners = plural(missing, "corner", "corners");
        warnings.add(
            place,
            format!("{corners} of its faces without a normal: computed from the faces"),
        );
    }
}

/// Removes from the faces the numbers of texture coordinates and normals that the file does not have, with a
/// warning. Some public files have such numbers, and other programs read these files.
pub(super) fn without_absent<'a>(bytes: &'a [u8], warnings: &mut Warnings) -> Cow<'a, [u8]> {
    let lines = || bytes.split_inclusive(|b| *b == b'\n');
    let keyword = |line: &'a [u8]| line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    let count = |name: &[u8]| lines().filter(|line| keyword(line) == Some(name)).count() as i64;
    let all = [count(b"vt"), count(b"vn")];
    let (mut before, mut removed, mut is_face) = ([0; 2], 0, false);
    let mut whole = Vec::with_capacity(bytes.len());
    for line in lines() {
        let keyword = keyword(line);
        for (before, name) in before.iter_mut().zip([b"vt", b"vn"]) {
            *before += i64::from(keyword == Some(name));
        }
        is_face |= keyword == Some(b"f");
        if !is_face {
            whole.extend(line);
            continue;
        }
        for word in line.split_inclusive(u8::is_ascii_whitespace) {
            let mut parts = word.split(|b| *b == b'/');
            whole.extend(parts.next().unwrap_or_default());
            for (k, part) in parts.enumerate() {
                whole.push(b'/');
                let number = std::str::from_utf8(part.trim_ascii_end()).ok();
                let number = number.and_then(|text| text.parse::<i64>().ok());
                let is_absent = |number: i64| k < 2 && (number > all[k] || number < -before[k]);
                if number.is_some_and(is_absent) {
                    removed += 1;
                    whole.extend(&part[part.trim_ascii_end().len()..]);
                } else {
                    whole.extend(part);
                }
            }
        }
        is_face = line.trim_ascii_end().ends_with(b"\\");
    }
    if removed == 0 {
        return Cow::Borrowed(bytes);
    }
    let numbers = plural(
        removed,
        "number of a texture coordinate or normal",
        "numbers of texture coordinates and normals",
    );
    warnings.add(
        "",
        format!("{numbers} in faces left out: the file has no such values"),
    );
    whole.into()
}

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
