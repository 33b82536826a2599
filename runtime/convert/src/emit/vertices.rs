//! Vertex lists.

use ninja::{FV_CONT, NinjaFlags, Vertex, VertexChunk, VertexKind, Vlist};

use super::Placed;
use crate::error::Error;
use crate::math::finite;
use crate::mesh::{Part, direction};
use crate::skin::{ChunkVertex, Class, Contribution, Placement};

/// Returns the vertex list of a node: vertices moved by shapes first, then other unweighted vertices, then
/// weighted ones (docs/formats/compact-shape.md, section 1.4).
pub(super) fn vlist(node: usize, touching: &[&Placed]) -> Result<Vlist, Error> {
    let mut own: Vec<(&Placed, &Contribution)> = touching
        .iter()
        .flat_map(|&p| p.placement.contributions.iter().map(move |c| (p, c)))
        .filter(|(_, c)| c.node == node)
        .collect();
    own.sort_by_key(|(_, c)| c.class);
    let mut list = Vlist::default();
    for (placed, contribution) in own {
        list.chunks.extend(chunks(placed, contribution)?);
    }
    Ok(list)
}

/// Returns the vertex kind for a part's unweighted or weighted vertices.
pub(crate) fn kind(part: &Part, class: Class) -> VertexKind {
    let weighted = class.weight().is_some();
    match (weighted, part.has_normals, part.has_colors) {
        (true, true, _) => VertexKind::CvVnNf,
        (true, false, _) => VertexKind::CvNf,
        (false, true, true) => VertexKind::CvVnD8,
        (false, true, false) => VertexKind::CvVn,
        (false, false, true) => VertexKind::CvD8,
        (false, false, false) => VertexKind::Cv,
    }
}

/// Returns the maximum number of vertices per chunk. Its size field counts 65,535 words, one of which holds
/// no vertex data (docs/formats/ninja.md, 1.6).
pub(crate) fn most_vertices(kind: VertexKind) -> usize {
    65_534 / kind.stride()
}

fn chunks(placed: &Placed, contribution: &Contribution) -> Result<Vec<VertexChunk>, Error> {
    let kind = kind(&placed.part, contribution.class);
    // Files set this bit when a model shares the vertex buffer with others, and clear it otherwise.
    let shared = if placed.rigid() && placed.placement.base == 0 {
        0
    } else {
        FV_CONT
    };
    let headbits = shared | contribution.class.weight().map_or(0, |w| w as u8);
    let pieces = contribution.vertices.chunks(most_vertices(kind));
    pieces
        .map(|piece| {
            let offset = index_offset(&placed.placement, contribution.class, piece);
            let vertices: Vec<Vertex> = piece
                .iter()
                .map(|entry| chunk_vertex(placed, contribution, entry))
                .collect();
            if let Some(entry) = piece.iter().find(|entry| !finite(entry.position)) {
                let source = placed.part.vertices[entry.vertex as usize].source;
                let place = format!("vertex {source} of source mesh {}", placed.source_mesh);
                return Err(Error::scene(
                    place,
                    "a position beyond 32-bit floats",
                    "finite numbers",
                ));
            }
            Ok(VertexChunk::build(kind, headbits, offset, &vertices)?)
        })
        .collect()
}

/// Unweighted vertices fill the slots from IndexOffset on. Weighted vertices name their slots, relative to
/// the part's first slot.
fn index_offset(placement: &Placement, class: Class, piece: &[ChunkVertex]) -> u16 {
    match (class.weight(), piece.first()) {
        (None, Some(first)) => placement.base + placement.slots[first.vertex as usize],
        _ => placement.base,
    }
}

fn chunk_vertex(placed: &Placed, contribution: &Contribution, entry: &ChunkVertex) -> Vertex {
    let source = &placed.part.vertices[entry.vertex as usize];
    let normal = direction(contribution.to_node.normal(source.normal));
    Vertex {
        position: entry.position.map(|c| c as f32),
        normal: normal.map(|c| c as f32),
        flags: NinjaFlags {
            index: placed.placement.slots[entry.vertex as usize] as i16,
            weight: entry.weight,
        },
        diffuse: source.color,
        ..Vertex::default()
    }
}
