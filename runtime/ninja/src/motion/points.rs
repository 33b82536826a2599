//! Point arrays of simple shape motions.

use super::Motion;
use super::forms::Starts;
use super::keys::{Key, KeyForm, Keys};
use super::value::PointsId;
use crate::error::Error;
use crate::layout::{Part, Recorder};

const POINT_BYTES: u32 = 12;

/// Reads the arrays that simple shape keys point to; each extends to the next structure.
pub(super) fn points(rec: &mut Recorder<'_>, motion: &mut Motion, starts: &Starts) -> Result<(), Error> {
    let body = rec.body;
    let mut targets = Vec::new();
    for (track, piece) in key_pieces(rec, motion) {
        for at in (0..track as u32).map(|i| piece + i * 8 + 4) {
            let target = body.u32(at, "NJS_MKEY_P.key")?;
            rec.pointer(at, target);
            targets.push(target);
        }
    }
    let mut arrays: Vec<u32> = targets.iter().copied().filter(|target| *target != 0).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let starts = Starts::new(&body, starts.0.iter().chain(&arrays).copied());
    for (i, at) in arrays.iter().enumerate() {
        body.aligned(*at, 4, "NJS_MKEY_P.key")?;
        let bytes = starts.room(*at) / POINT_BYTES * POINT_BYTES;
        rec.claim(&body, *at, bytes as usize)?;
        let words = body.words32(*at, bytes as usize / 4, "points")?;
        let points = words
            .as_chunks::<3>()
            .0
            .iter()
            .map(|point| point.map(f32::from_bits));
        motion.points.push(points.collect());
        rec.piece(Part::Points, i, *at, bytes as usize);
    }
    let mut targets = targets.iter();
    let pointer_keys = motion.tracks.iter_mut().filter_map(|track| match track {
        Keys::P(keys) => Some(keys),
        _ => None,
    });
    let all: &mut dyn Iterator<Item = &mut Key<Option<PointsId>>> = &mut pointer_keys.flatten();
    for (key, target) in all.zip(&mut targets) {
        key.value = arrays.binary_search(target).ok().map(|i| PointsId(i as u32));
    }
    Ok(())
}

/// Lengths and offsets of the tables with pointers as keys.
fn key_pieces(rec: &Recorder<'_>, motion: &Motion) -> Vec<(usize, u32)> {
    let tables = rec.pieces.iter().filter(|piece| piece.part == Part::Keys);
    let pointers = tables
        .zip(&motion.tracks)
        .filter(|(_, keys)| keys.form() == KeyForm::P);
    pointers.map(|(piece, keys)| (keys.len(), piece.offset)).collect()
}
