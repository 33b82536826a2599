//! Wavefront OBJ files read with ufbx: y up, counter-clockwise, one unit per metre.

use crate::error::Error;

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
