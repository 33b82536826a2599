//! Strips that cannot be sent directly from the polygon list.

use crate::SceneError;
use crate::clip::{Clipped, clip_strip, in_front};
use crate::draw::Walk;
use crate::shading::{Shading, Vertices};
use crate::strips::{StripBatch, StripRange, entry_words};
use ninja::{StripChunk, StripFlags};
use sh4_kernels::Matrix;
use sh4_kernels::clip_near::Corner;
use sh4_kernels::project_points::project_points;
use sh4_kernels::shorts_to_floats::shorts_to_floats;
use sh4_kernels::submit_vertices::submit_vertices;
use sh4_kernels::transform_points::transform_points;

/// Sends a strip corner by corner.
pub(crate) fn draw(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    range: &StripRange<'_>,
    batch: &StripBatch<'_>,
) -> Result<(), SceneError> {
    let mut corners = corners(walk, chunk, range, batch)?;
    let near = walk.view.viewport.near;
    if corners.iter().all(|corner| in_front(&corner.position, near)) {
        for (corner, slot) in corners.iter_mut().zip(&range.slots) {
            corner.position = walk.buffer.screen_position(*slot);
        }
        return send(walk, batch, &corners, range.reversed);
    }
    let clipped = clip_strip(walk.kernels, corners, range.reversed, near)?;
    send_pieces(walk, batch, clipped)
}

fn send_pieces(walk: &mut Walk<'_>, batch: &StripBatch<'_>, mut clipped: Clipped) -> Result<(), SceneError> {
    let view: Vec<[f32; 4]> = clipped.corners.iter().map(|corner| corner.position).collect();
    let mut screen = vec![[0.0; 4]; view.len()];
    project_points(walk.kernels, &walk.view.viewport.words, &view, &mut screen)?;
    for (corner, position) in clipped.corners.iter_mut().zip(screen) {
        corner.position = position;
    }
    if batch.intensity {
        for corner in &mut clipped.corners {
            corner.colours[0] = corner.uv[2].to_bits();
        }
    }
    for piece in &clipped.pieces {
        let mut corners: Vec<Corner> = piece.indices.iter().map(|k| clipped.corners[*k]).collect();
        if let Some(flat) = piece.flat.filter(|_| batch.flags.contains(StripFlags::FLAT)) {
            let colours = clipped.corners[flat].colours;
            corners.iter_mut().for_each(|corner| corner.colours = colours);
        }
        send(walk, batch, &corners, piece.reversed)?;
    }
    Ok(())
}

fn send(
    walk: &mut Walk<'_>,
    batch: &StripBatch<'_>,
    corners: &[Corner],
    reversed: bool,
) -> Result<(), SceneError> {
    let kernels = &mut *walk.kernels;
    walk.lists.passes(&batch.passes, |blocks| {
        submit_vertices(kernels, corners, batch.form, reversed, blocks)
    })?;
    walk.stats.sent(corners.len());
    Ok(())
}

/// Returns the corners of a strip with positions in view space.
fn corners(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    range: &StripRange<'_>,
    batch: &StripBatch<'_>,
) -> Result<Vec<Corner>, SceneError> {
    let slots = &range.slots[..];
    let mut corners: Vec<Corner> = slots
        .iter()
        .map(|slot| Corner {
            position: walk.buffer.position(*slot),
            ..Corner::default()
        })
        .collect();
    let own = own_normals(walk, chunk, range, batch.matrix)?;
    texture_coordinates(walk, chunk, range, batch, own.as_deref(), &mut corners)?;
    for (volume, shading) in batch.shadings.iter().enumerate() {
        let [base, offset] = match &own {
            Some(normals) if shading.lit => lit(walk, shading, normals, slots)?,
            _ => buffered(walk, volume, slots),
        };
        for (corner, (base, offset)) in corners.iter_mut().zip(base.into_iter().zip(offset)) {
            corner.colours[2 * volume] = base;
            corner.colours[2 * volume + 1] = offset;
        }
    }
    if batch.intensity {
        // Store the colour as a float in the second volume's coordinates, so that clipping interpolates it as
        // a float.
        for corner in &mut corners {
            corner.uv[2] = f32::from_bits(corner.colours[0]);
        }
    }
    if chunk.kind.has_color() {
        for (corner, entry) in corners
            .iter_mut()
            .zip(chunk.entries(range.strip).skip(range.start))
        {
            corner.colours[..2].copy_from_slice(&[entry.color.0, 0]);
        }
    }
    Ok(corners)
}

/// Returns the normals in a strip's own data, in view space. The node of the polygon list determines their
/// matrix.
fn own_normals(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    range: &StripRange<'_>,
    matrix: &Matrix,
) -> Result<Option<Vec<[f32; 4]>>, SceneError> {
    if !chunk.kind.has_normal() {
        return Ok(None);
    }
    // -32768 is treated as -32767: normals are clamped to -1 to 1 (docs/formats/ninja.md 1.7).
    let words: Vec<u16> = chunk
        .entries(range.strip)
        .skip(range.start)
        .take(range.slots.len())
        .flat_map(|entry| entry.normal.map(|axis| axis.max(-32767) as u16))
        .collect();
    let mut normals = vec![[0.0; 4]; range.slots.len()];
    shorts_to_floats(walk.kernels, &words, 3, 3, 1.0 / 32767.0, &mut normals)?;
    Ok(Some(transformed(walk, matrix, &normals, 0.0)?))
}

fn transformed(
    walk: &mut Walk<'_>,
    matrix: &Matrix,
    vectors: &[[f32; 4]],
    w: f32,
) -> Result<Vec<[f32; 4]>, SceneError> {
    let words: Vec<u32> = vectors.iter().flatten().map(|axis| axis.to_bits()).collect();
    let mut out = vec![[0.0; 4]; vectors.len()];
    transform_points(walk.kernels, matrix, &words, 4, w, &mut out)?;
    Ok(out)
}

/// u = 1/2 + nx / 2, v = 1/2 - ny / 2, for normals in view space with y up (docs/formats/ninja.md 2.4).
const ENVIRONMENT: Matrix = [
    [0.5, 0.0, 0.0, 0.0],
    [0.0, -0.5, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0],
    [0.5, 0.5, 0.0, 0.0],
];

fn texture_coordinates(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    range: &StripRange<'_>,
    batch: &StripBatch<'_>,
    own: Option<&[[f32; 4]]>,
    corners: &mut [Corner],
) -> Result<(), SceneError> {
    let pairs = chunk.kind.uv_pairs();
    let mut uv = vec![[0.0; 4]; corners.len()];
    if batch.flags.contains(StripFlags::ENVIRONMENT) {
        let normals: Vec<[f32; 4]> = match own {
            Some(own) => own.to_vec(),
            None => range.slots.iter().map(|slot| walk.buffer.normal(*slot)).collect(),
        };
        uv = transformed(walk, &ENVIRONMENT, &normals, 1.0)?;
    } else if pairs > 0 {
        let entries = entry_words(chunk, range);
        let (size, scale) = (chunk.entry_words(), chunk.kind.uv().factor());
        shorts_to_floats(walk.kernels, &entries[1..], 2 * pairs, size, scale, &mut uv)?;
    }
    for (corner, uv) in corners.iter_mut().zip(uv) {
        corner.uv = uv;
    }
    Ok(())
}

/// Returns the colours for the normals in a strip's own data.
fn lit(
    walk: &mut Walk<'_>,
    shading: &Shading,
    normals: &[[f32; 4]],
    slots: &[u16],
) -> Result<[Vec<u32>; 2], SceneError> {
    let positions: Vec<[f32; 4]> = slots.iter().map(|slot| walk.buffer.position(*slot)).collect();
    let mut colours = [vec![0; slots.len()], vec![0; slots.len()]];
    let [base, offset] = &mut colours;
    let vertices = Vertices {
        positions: &positions,
        normals,
        diffuse: &vec![shading.diffuse; slots.len()],
        specular: &vec![shading.specular; slots.len()],
    };
    shading.light(walk.kernels, &walk.material.lights, &vertices, base, offset)?;
    Ok(colours)
}

fn buffered(walk: &Walk<'_>, volume: usize, slots: &[u16]) -> [Vec<u32>; 2] {
    [0, 1].map(|k| {
        slots
            .iter()
            .flat_map(|slot| walk.buffer.colours(volume, *slot, *slot)[k].iter().copied())
            .collect()
    })
}
