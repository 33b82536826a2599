//! The nodes that move a part, and the vertex positions that compensate rounded weights.

use std::collections::BTreeSet;

use super::fit::Poses;
use super::{Influence, Site};
use crate::error::Warnings;
use crate::math::{Affine, Vec3, add, scaled};
use crate::nodes::Plan;
use crate::source::Mesh;

/// Nodes that move a vertex, as indices into [`Bones::nodes`].
pub(super) enum MovingNodes {
    /// One node with the full weight.
    By(usize),
    /// Nodes with weights of any sum; a node can occur more than once.
    BySeveral(Vec<(usize, f64)>),
}

/// Nodes that move a part.
pub(super) struct Bones<'a> {
    mesh: &'a Mesh,
    /// The part's own node, the nodes of clusters, and nodes that connect them. Each is a node of the plan
    /// with the map from the mesh's space to the node's.
    pub(super) nodes: Vec<(usize, Affine)>,
    /// Index into `nodes`, by cluster.
    of_cluster: Vec<usize>,
    plan: &'a Plan,
    /// Map from the mesh's space to the scene's, at rest.
    to_world: Affine,
    pub(super) poses: &'a Poses,
}

impl<'a> Bones<'a> {
    pub(super) fn new(site: &Site<'a>, warnings: &mut Warnings) -> Self {
        let Site {
            mesh,
            node,
            scene,
            plan,
            poses,
        } = *site;
        let planned = &plan.nodes[node];
        let source = &scene.nodes[planned.source];
        // Map from the mesh to its own node at rest; usually only the removed scale.
        let own = match planned.world.inverse() {
            Some(inverse) => inverse.times(&source.geometry_to_world),
            None => Affine::scale(planned.fold),
        };
        let mut nodes = vec![(node, own)];
        let mut of_cluster = Vec::new();
        for cluster in mesh.skin.iter().flat_map(|s| &s.clusters) {
            let Some(bone) = plan.of_source(cluster.node) else {
                of_cluster.push(0);
                continue;
            };
            if cluster.to_bone.inverse().is_none() {
                let place = format!("mesh {:?}", mesh.name);
                let name = &plan.nodes[bone].name;
                warnings.add(place, format!("the bind matrix of bone {name:?} flattens space"));
            }
            of_cluster.push(nodes.len());
            nodes.push((bone, Affine::scale(plan.nodes[bone].fold).times(&cluster.to_bone)));
        }
        Bones {
            mesh,
            nodes,
            of_cluster,
            plan,
            to_world: source.geometry_to_world,
            poses,
        }
    }

    /// Returns the position of a vertex in a pose with its exact weights, in the scene's space.
    pub(super) fn place(&self, influences: &[Influence], source: Vec3, pose: usize) -> Vec3 {
        influences.iter().fold([0.0; 3], |sum, influence| {
            let (node, to_node) = &self.nodes[influence.node];
            let own = self.poses[pose][*node].point(to_node.point(source));
            add(sum, scaled(own, influence.share))
        })
    }

    /// Returns the nodes that move a source vertex; its own node if no bone does.
    pub(super) fn of(&self, source: u32) -> MovingNodes {
        let influences = self
            .mesh
            .skin
            .as_ref()
            .and_then(|s| s.influences.get(source as usize));
        match influences.map_or(&[][..], Vec::as_slice) {
            [] => MovingNodes::By(0),
            [(cluster, _)] => MovingNodes::By(self.of_cluster[*cluster]),
            several => {
                let node = |(cluster, weight): &(usize, f64)| (self.of_cluster[*cluster], *weight);
                MovingNodes::BySeveral(several.iter().map(node).collect())
            }
        }
    }

    /// Adds the nodes that connect a vertex's nodes to one tree. They get the smallest weight, taken from the
    /// largest one. With them, positions can compensate the rounding of weights in every pose. Adds none if
    /// there are more than `most`.
    pub(super) fn connected(&mut self, mut influences: Vec<Influence>, most: usize) -> Vec<Influence> {
        let among: BTreeSet<usize> = influences.iter().map(|i| self.nodes[i.node].0).collect();
        let missing = self.between(&among);
        let fits = missing.len() <= most;
        let Some(largest) = influences.iter_mut().max_by_key(|i| i.weight).filter(|_| fits) else {
            return influences;
        };
        if usize::from(largest.weight) <= missing.len() {
            return influences;
        }
        largest.weight -= missing.len() as u16;
        for node in missing {
            let node = self.index_of(node);
            influences.push(Influence {
                node,
                share: 0.0,
                weight: 1,
            });
        }
        influences
    }

    /// Returns the nodes between some nodes and their lowest common ancestor, including it. Empty if they
    /// have none.
    fn between(&self, nodes: &BTreeSet<usize>) -> Vec<usize> {
        let (mut open, mut found) = (nodes.clone(), Vec::new());
        // Children follow their parents, so the last node is no ancestor of the others.
        while open.len() > 1 {
            let Some(parent) = open.pop_last().and_then(|last| self.plan.nodes[last].parent) else {
                return Vec::new();
            };
            if open.insert(parent) && !nodes.contains(&parent) {
                found.push(parent);
            }
        }
        found
    }

    fn index_of(&mut self, node: usize) -> usize {
        if let Some(known) = self.nodes.iter().position(|(n, _)| *n == node) {
            return known;
        }
        let inverse = self.plan.nodes[node].world.inverse();
        let way = inverse.map_or(Affine::IDENTITY, |i| i.times(&self.to_world));
        self.nodes.push((node, way));
        self.nodes.len() - 1
    }

    /// Returns the positions that the nodes of a vertex write, by influence. Their sum with the rounded
    /// weights `k / 255` equals the sum with the exact weights `s` in every pose.
    ///
    /// A node's map is `M x = L x + o`. The desired sum is over `s (L p + o)`. A position of `p s / (k /
    /// 255)` makes the linear part exact. The remaining error is `m o` with `m = s - k / 255`; all `m` sum to
    /// 0. A node's origin is at a constant position `t` of its parent, so `m o = m (L' t + o')`. The parent
    /// therefore adds `m t` to its own position, and `m` to its own remaining error. The result is exact if
    /// the nodes form one chain or tree. If a parent is missing, its children's rounding error remains;
    /// [`Bones::connected`] avoids this.
    pub(super) fn positions(&self, influences: &[Influence], source: Vec3) -> Vec<Vec3> {
        let own = |inf: &Influence| self.nodes[inf.node].1.point(source);
        let mut wanted: Vec<Vec3> = influences.iter().map(|inf| scaled(own(inf), inf.share)).collect();
        let off = |inf: &Influence| inf.share - f64::from(inf.weight) / 255.0;
        let mut missing: Vec<f64> = influences.iter().map(off).collect();
        // Children follow their parents in the order of the walk, so this visits children first.
        for i in (0..influences.len()).rev() {
            let planned = &self.plan.nodes[self.nodes[influences[i].node].0];
            let among = |inf: &Influence| planned.parent == Some(self.nodes[inf.node].0);
            if let Some(parent) = influences[..i].iter().position(among) {
                missing[parent] += missing[i];
                wanted[parent] = add(wanted[parent], scaled(planned.rest.translation, missing[i]));
            }
        }
        let weights = influences.iter().map(|inf| 255.0 / f64::from(inf.weight.max(1)));
        wanted
            .into_iter()
            .zip(weights)
            .map(|(p, w)| scaled(p, w))
            .collect()
    }
}
