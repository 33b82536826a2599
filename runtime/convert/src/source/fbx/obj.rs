//! Wavefront OBJ files read with ufbx: y up, counter-clockwise, one unit per metre.

use crate::error::Error;
use std::borrow::Cow;

/// Adds a placeholder of zeros to the end of the file for texture coordinates, and one for normals. A corner
/// without texture coordinates or normal gets the placeholder's number, if other corners of its shape have
/// one. ufbx would use the last values of the file.
pub(super) fn with_placeholders(bytes: &[u8]) -> Cow<'_, [u8]> {
    let (mut counts, mut shapes) = ([0; 2], Vec::<[[bool; 2]; 2]>::new());
    for (shape, word) in corners(bytes, &mut counts) {
        shapes.resize(shapes.len().max(shape + 1), [[false; 2]; 2]);
        for (k, part) in attributes(word).into_iter().enumerate() {
            shapes[shape][k][usize::from(part.is_empty())] = true;
        }
    }
    let lacks_some = |shape: usize| shapes[shape].map(|has_and_lacks| has_and_lacks == [true; 2]);
    if (0..shapes.len()).all(|shape| lacks_some(shape) == [false; 2]) {
        return Cow::Borrowed(bytes);
    }
    let mut whole = Vec::with_capacity(bytes.len());
    let mut end = 0;
    for (shape, word) in corners(bytes, &mut [0; 2]) {
        let start = word.as_ptr() as usize - bytes.as_ptr() as usize;
        whole.extend(&bytes[end..start]);
        whole.extend(word.split(|b| *b == b'/').next().unwrap_or_default());
        for (k, part) in attributes(word).into_iter().enumerate() {
            whole.push(b'/');
            match part.is_empty() && lacks_some(shape)[k] {
                true => whole.extend((counts[k] + 1).to_string().bytes()),
                false => whole.extend(part),
            }
        }
        end = start + word.len();
    }
    whole.extend(&bytes[end..]);
    whole.extend(b"\nvt 0 0\nvn 0 0 0\n");
    whole.into()
}

/// Returns the numbers of texture coordinates and normal of a corner; empty if it lacks them.
fn attributes(word: &[u8]) -> [&[u8]; 2] {
    let mut parts = word.split(|b| *b == b'/').skip(1);
    [(); 2].map(|()| parts.next().unwrap_or_default())
}

/// Returns the corners of all faces, with the numbers of their shapes. Counts texture coordinates and normals
/// in `counts`.
fn corners<'a>(bytes: &'a [u8], counts: &mut [usize; 2]) -> impl Iterator<Item = (usize, &'a [u8])> {
    let (mut is_face, mut has_object, mut shape) = (false, false, 0);
    let of_line = move |line: &'a [u8]| {
        let words = line.split(u8::is_ascii_whitespace);
        let mut words = words.filter(|word| !word.is_empty());
        let continues = is_face;
        let keyword = if continues { None } else { words.next() };
        counts[0] += usize::from(keyword == Some(b"vt"));
        counts[1] += usize::from(keyword == Some(b"vn"));
        has_object |= keyword == Some(b"o");
        // A group begins a shape only in files without objects.
        shape += usize::from(keyword == Some(b"o") || keyword == Some(b"g") && !has_object);
        let is_corner = continues || keyword == Some(b"f");
        is_face = is_corner && line.trim_ascii_end().ends_with(b"\\");
        let words = words.filter(move |word| is_corner && *word != b"\\");
        words.map(move |word| (shape, word))
    };
    bytes.split(|b| *b == b'\n').flat_map(of_line)
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
