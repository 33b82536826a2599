//! Conversion of volume chunks to modifier volumes.
//!
//! At each pixel the chip counts the volume's triangles in front of the drawn surface: an odd number means
//! inside. Clipping at the near plane opens a volume, so the hole must be closed. For each clipped triangle,
//! a new triangle connects its cut edge with a fixed point of the plane. Together the new triangles cover the
//! hole an odd number of times, and all other areas an even number of times.

use crate::clip::{cut_triangle, in_front, triangle_corners};
use crate::draw::Walk;
use crate::{SceneError, VolumeQuads, Volumes, Warning};
use ninja::{ModelId, ObjectTree, VertexKind, VolumeChunk, VolumeKind};
use pvr::{ListType, ParamType, Pcw};
use sh4_kernels::clip_near::{Corner, clip_near};
use sh4_kernels::project_points::project_points;
use sh4_kernels::submit_volume::submit_volume;

/// True if the volume chunks of a model are drawn.
fn is_drawn(volumes: Volumes, tree: &ObjectTree, model: ModelId, kind: VolumeKind) -> bool {
    let plain = || {
        let vlist = tree.model(model)?.vlist?;
        let first = tree.vlist(vlist)?.chunks.first()?;
        Some(first.kind)
    };
    match volumes {
        Volumes::Off => false,
        Volumes::All => true,
        Volumes::Original => kind == VolumeKind::P3 && plain() == Some(VertexKind::Cv),
    }
}

/// Sends a volume chunk of `model`.
pub(crate) fn draw(walk: &mut Walk<'_>, model: ModelId, chunk: &VolumeChunk) -> Result<(), SceneError> {
    if walk.gather.is_some() {
        return Ok(());
    }
    if !is_drawn(walk.view.settings.volumes, walk.tree, model, chunk.kind) {
        walk.warn(Warning::Volume);
        return Ok(());
    }
    let triangles = volume_triangles(chunk, walk.view.settings.volume_quads);
    if let Some(&slot) = triangles
        .iter()
        .flatten()
        .find(|slot| !walk.buffer.is_filled(**slot))
    {
        if walk.hidden == 0 {
            return Err(SceneError::EmptySlot { slot });
        }
        walk.warn(Warning::HiddenVertices);
        return Ok(());
    }
    let ClosedVolume { positions, triangles } = closed(walk, &triangles)?;
    let mut screen = vec![[0.0; 4]; positions.len()];
    project_points(walk.kernels, &walk.view.viewport.words, &positions, &mut screen)?;
    let Some((last, others)) = triangles.split_last() else {
        return Ok(());
    };
    let (mut before, mut closing) = (Vec::new(), Vec::new());
    if !others.is_empty() {
        submit_volume(walk.kernels, &screen, others, &mut before)?;
    }
    submit_volume(walk.kernels, &screen, &[*last], &mut closing)?;
    for &list in walk.view.settings.volume_lists.lists() {
        if !before.is_empty() {
            walk.lists.volume(list, header(list, false), &before);
        }
        walk.lists.volume(list, header(list, true), &closing);
    }
    walk.stats.volumes += 1;
    Ok(())
}

/// Returns a modifier volume's global parameter: no culling; for the last triangle, bits 31 to 29 contain
/// volume instruction 1 (inside).
fn header(list: ListType, last: bool) -> [u32; 8] {
    let control = Pcw(0)
        .with_param_type(ParamType::Polygon)
        .with_list(list)
        .with_volume(last);
    [control.0, u32::from(last) << 29, 0, 0, 0, 0, 0, 0]
}

/// Returns the slots of a volume chunk's triangles; a quadrilateral gives two triangles.
pub fn volume_triangles(chunk: &VolumeChunk, quads: VolumeQuads) -> Vec<[u16; 3]> {
    let polygons = chunk.polygons().flat_map(|slots| match (slots, quads) {
        (&[a, b, c], _) => vec![[a, b, c]],
        (&[a, b, c, d], VolumeQuads::Around) => vec![[a, b, c], [a, c, d]],
        (&[a, b, c, d], VolumeQuads::Strip) => vec![[a, b, c], [c, b, d]],
        _ => Vec::new(),
    });
    let strips = chunk.strips.iter().flat_map(|strip| {
        let slots: Vec<u16> = chunk.indices(strip).collect();
        // All triangles have the same winding: the chip uses it to assign the pixels of a common edge to one
        // triangle.
        let triangle = |first| triangle_corners(first, strip.reversed).map(|k| slots[k]);
        (0..slots.len().saturating_sub(2))
            .map(triangle)
            .collect::<Vec<_>>()
    });
    polygons.chain(strips).collect()
}

/// A volume clipped at the near plane, with its hole closed.
struct ClosedVolume {
    /// Positions in view space.
    positions: Vec<[f32; 4]>,
    /// Indices of positions.
    triangles: Vec<[u16; 3]>,
}

/// Clips a volume at the near plane and closes the hole.
fn closed(walk: &mut Walk<'_>, triangles: &[[u16; 3]]) -> Result<ClosedVolume, SceneError> {
    let mut slots: Vec<u16> = triangles.concat();
    slots.sort_unstable();
    slots.dedup();
    let corners: Vec<Corner> = slots
        .iter()
        .map(|slot| Corner {
            position: walk.buffer.position(*slot),
            ..Corner::default()
        })
        .collect();
    let near = walk.view.viewport.near;
    let front: Vec<bool> = corners
        .iter()
        .map(|corner| in_front(&corner.position, near))
        .collect();
    let (mut kept, mut edges) = (Vec::new(), Vec::new());
    for triangle in triangles {
        let triangle = triangle.map(|slot| slots.partition_point(|s| *s < slot));
        if triangle.iter().all(|k| front[*k]) {
            kept.push(triangle);
            continue;
        }
        let start = edges.len();
        if let Some(cut) = cut_triangle(triangle, &front, corners.len(), &mut edges) {
            let pieces = (0..cut.len() - 2).map(|first| triangle_corners(first, false).map(|k| cut[k]));
            kept.extend(pieces);
            if start > 0 {
                kept.push([corners.len(), corners.len() + start, corners.len() + start + 1]);
            }
        }
    }
    let new = clip_near(walk.kernels, &corners, &edges, near)?;
    let positions: Vec<[f32; 4]> = corners.iter().chain(&new).map(|corner| corner.position).collect();
    if positions.len() > usize::from(u16::MAX) {
        return Err(SceneError::Unsupported(
            "volumes of more than 65,535 vertices after clipping",
        ));
    }
    let kept = kept.into_iter().map(|triangle| triangle.map(|k| k as u16));
    Ok(ClosedVolume {
        positions,
        triangles: kept.collect(),
    })
}
