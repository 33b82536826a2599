//! Vertices of the vertex buffer with the nodes that made them.

use std::collections::BTreeMap;

use ninja::Argb;

use crate::export::scene::{Node, Point};
use crate::math::{Affine, Vec3, add, dot, length, normalized, scaled, sub};

/// A vertex in the vertex buffer.
#[derive(Debug, Clone)]
pub(crate) struct Pooled {
    pub(crate) sources: Vec<NodeVertex>,
    pub(super) color: Option<Argb>,
}

/// Contribution of one node to a vertex: the vertex as that node's chunk stores it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeVertex {
    pub(crate) node: usize,
    /// Weight; 1 is the whole vertex.
    pub(crate) weight: f64,
    pub(super) position: Vec3,
    pub(super) normal: Option<Vec3>,
    /// Index of the chunk in the node, and of the vertex in the chunk.
    pub(crate) place: (usize, usize),
}

impl NodeVertex {
    /// Displacement of this vertex in a shape key.
    pub(crate) fn moved_by(&self, shape: Vec3) -> Vec3 {
        sub(shape, self.position)
    }
}

impl Pooled {
    /// Returns the point in the space of `node`, or in the scene's space at rest.
    pub(super) fn point(&self, node: Option<usize>, nodes: &[Node]) -> Point {
        let sum = |of: fn(&Affine, &NodeVertex) -> Vec3| {
            let part = |m: &NodeVertex| scaled(of(&nodes[m.node].world, m), m.weight);
            self.sources.iter().map(part).fold([0.0; 3], add)
        };
        let (position, normal) = match (node, self.sources.as_slice()) {
            (Some(_), [one]) if one.weight == 1.0 => (one.position, one.normal.unwrap_or_default()),
            _ => {
                let position = sum(|world, m| world.point(m.position));
                let normal = sum(|world, m| world.vector(m.normal.unwrap_or_default()));
                match node.and_then(|n| nodes[n].world.inverse()) {
                    Some(inverse) => (inverse.point(position), inverse.vector(normal)),
                    None => (position, normal),
                }
            }
        };
        let influences = match node {
            Some(node) => vec![(node, 1.0)],
            None => self.shares(position, nodes),
        };
        let has_normal = self.sources.iter().all(|m| m.normal.is_some());
        Point {
            position,
            normal: normalized(normal).filter(|_| has_normal),
            color: self.color,
            influences,
        }
    }

    /// Returns each node's weight for a vertex that is at `place` at rest.
    ///
    /// Weights in the file are rounded to 1/255, but the positions in a file of this converter reveal the
    /// exact weights. For the exact weight `s` and the rounded weight `w`, `skin::bones` writes the position
    /// `v s / w`, where `v` is the vertex in the node's space. It corrects the node's origin in the position
    /// of the parent, by `s - w` times the origin. In a file of another program, the computed weights differ
    /// from the stored ones by more than rounding. The result is then the stored weights.
    fn shares(&self, place: Vec3, nodes: &[Node]) -> Vec<(usize, f64)> {
        let mut by_node: BTreeMap<usize, (f64, Vec3)> = BTreeMap::new();
        for source in &self.sources {
            let (weight, weighted) = by_node.entry(source.node).or_default();
            *weight += source.weight;
            *weighted = add(*weighted, scaled(source.position, source.weight));
        }
        let mut all: Vec<(usize, f64, Vec3)> = by_node.into_iter().map(|(n, (w, q))| (n, w, q)).collect();
        let mut shares = vec![0.0; all.len()];
        let mut missing = vec![0.0; all.len()];
        // Children follow their parents, so this visits children first.
        for i in (0..all.len()).rev() {
            let (node, weight, weighted) = all[i];
            let own = nodes[node].world.inverse().map(|inverse| inverse.point(place));
            let along = own
                .filter(|v| dot(*v, *v) > 1e-12)
                .map(|v| dot(weighted, v) / dot(v, v));
            shares[i] = along.unwrap_or(weight);
            missing[i] += shares[i] - weight;
            if let Some(parent) = all[..i].iter().position(|p| Some(p.0) == nodes[node].parent) {
                missing[parent] += missing[i];
                let taken = scaled(nodes[node].rest.position, missing[i]);
                all[parent].2 = sub(all[parent].2, taken);
            }
        }
        let sum = |of: &[f64]| of.iter().sum::<f64>();
        let weights: Vec<f64> = all.iter().map(|i| i.1).collect();
        // Upper bound for the rounding error.
        let near = |i: usize| (shares[i] - weights[i]).abs() <= all.len() as f64 / 255.0;
        if !(0..all.len()).all(near) || (sum(&shares) - sum(&weights)).abs() > 1e-3 {
            shares = weights;
        }
        shares.iter_mut().for_each(|s| *s = s.max(0.0));
        let whole = Some(sum(&shares)).filter(|w| *w > 0.0).unwrap_or(1.0);
        all.iter()
            .zip(shares)
            .map(|(i, share)| (i.0, share / whole))
            .filter(|i| i.1 > 1e-7)
            .collect()
    }

    /// Returns the largest distance between the vertex positions from different nodes, at rest. Ninja draws
    /// their weighted mean, but a skin stores a single position.
    pub(crate) fn spread(&self, nodes: &[Node]) -> f64 {
        let places = self.sources.iter().map(|m| nodes[m.node].world.point(m.position));
        let places: Vec<Vec3> = places.collect();
        places
            .iter()
            .map(|p| length(sub(*p, places[0])))
            .fold(0.0, f64::max)
    }
}
