//! A mesh under construction.

use std::collections::HashMap;

use ninja::Argb;

use super::pool::Pooled;
use crate::export::scene::{Corner, Mesh, Node};

/// Attributes of a triangle's corner, before it is added to a mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct CornerData {
    pub(super) pooled: usize,
    pub(super) uv: [i16; 2],
    pub(super) factor: f64,
    pub(super) normal: Option<[i16; 3]>,
    pub(super) color: Option<Argb>,
}

/// A mesh under construction, with the vertices of the buffer that became its points.
pub(crate) struct MeshBuilder {
    pub(crate) mesh: Mesh,
    pub(crate) pooled: Vec<usize>,
    known: HashMap<usize, u32>,
    corners: HashMap<CornerKey, u32>,
}

/// A corner as a comparable key: point, bits of the texture coordinates, normal, colour.
type CornerKey = (u32, [u64; 2], Option<[i16; 3]>, Option<u32>);

impl MeshBuilder {
    /// Creates an empty mesh: of `node`, or a skin if `node` is `None`.
    pub(super) fn new(name: String, node: Option<usize>) -> Self {
        MeshBuilder {
            mesh: Mesh {
                name,
                node,
                points: Vec::new(),
                corners: Vec::new(),
                groups: Vec::new(),
                targets: Vec::new(),
            },
            pooled: Vec::new(),
            known: HashMap::new(),
            corners: HashMap::new(),
        }
    }

    pub(super) fn corner(&mut self, corner: CornerData, pool: &[Pooled], nodes: &[Node]) -> u32 {
        let next = self.mesh.points.len() as u32;
        let point = *self.known.entry(corner.pooled).or_insert(next);
        if point == next {
            self.mesh
                .points
                .push(pool[corner.pooled].point(self.mesh.node, nodes));
            self.pooled.push(corner.pooled);
        }
        let uv = corner.uv.map(|c| f64::from(c) * corner.factor);
        let normal = corner.normal;
        let key = (point, uv.map(f64::to_bits), normal, corner.color.map(|c| c.0));
        let next = self.mesh.corners.len() as u32;
        let number = *self.corners.entry(key).or_insert(next);
        if number == next {
            let normal = normal.map(|n| n.map(|c| (f64::from(c) / 32_767.0).max(-1.0)));
            let color = corner.color;
            self.mesh.corners.push(Corner {
                point,
                uv,
                normal,
                color,
            });
        }
        number
    }
}
