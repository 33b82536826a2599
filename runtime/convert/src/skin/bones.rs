//! The nodes that move a part, and how they share a vertex exactly.

use std::collections::BTreeSet;

use super::fit::Poses;
use super::{Influence, Site};
use crate::error::Warnings;
use crate::math::{Affine, Vec3, add, scaled};
use crate::nodes::Plan;
use crate::source::Mesh;

/// What moves a vertex, as indices in [`Bones::nodes`].
pub(super) enum Moved {
    /// One node, wholly.
    By(usize),
    /// Nodes with their weights, of any sum; a node may come more than once.
    BySeveral(Vec<(usize, f64)>),
}

/// The nodes that move a part.
pub(super) struct Bones<'a> {
    mesh: &'a Mesh,
    /// The part's own node first, then the clusters', then those that connect them: node of the plan, and the
    /// way from the mesh's space to the node's.
    pub(super) nodes: Vec<(usize, Affine)>,
    /// By cluster: index in `nodes`.
    of_cluster: Vec<usize>,
    plan: &'a Plan,
    /// From the mesh's space to the scene's, at rest.
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
        // Where the mesh stands at rest, seen from its node: the scale that was taken out, mostly.
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

    /// Where a vertex is in a pose by its exact shares, in the scene's space.
    pub(super) fn place(&self, influences: &[Influence], source: Vec3, pose: usize) -> Vec3 {
        influences.iter().fold([0.0; 3], |sum, influence| {
            let (node, to_node) = &self.nodes[influence.node];
            let own = self.poses[pose][*node].point(to_node.point(source));
            add(sum, scaled(own, influence.share))
        })
    }

    /// The nodes that move a source vertex; its own node where no bone does.
    pub(super) fn of(&self, source: u32) -> Moved {
        let influences = self
            .mesh
            .skin
            .as_ref()
            .and_then(|s| s.influences.get(source as usize));
        match influences.map_or(&[][..], Vec::as_slice) {
            [] => Moved::By(0),
            [(cluster, _)] => Moved::By(self.of_cluster[*cluster]),
            several => {
                let node = |(cluster, weight): &(usize, f64)| (self.of_cluster[*cluster], *weight);
                Moved::BySeveral(several.iter().map(node).collect())
            }
        }
    }

    /// Adds the nodes that connect those of a vertex to one tree, with the smallest weight, taken from the
    /// largest: with them the rounding of weights can be made good in every pose. Not where they are more
    /// than `most`.
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

    /// The nodes on the ways from some to the first that is above all of them, that one included; none where
    /// there is no such node.
    fn between(&self, nodes: &BTreeSet<usize>) -> Vec<usize> {
        let (mut open, mut found) = (nodes.clone(), Vec::new());
        // Children stand behind their parents, so the last one is below none of the others.
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

    /// The positions that the nodes of a vertex write, by influence, so that their weighted sum is the one
    /// that the exact shares `s` would give although the weights `k / 255` are rounded, in every pose.
    ///
    /// With `M x = L x + o` the wanted sum is that of `s (L p + o)`. A position of `p s / (k / 255)` makes
    /// the linear part exact. What is missing then are parts `m o` with `m = s - k / 255`, all `m` together
    /// 0. The origin of a node lies at a fixed place `t` of its parent, so `m o = m (L' t + o')`: the parent
    /// takes `m t` into its own position and `m` into what it is missing itself. This ends exactly where the
    /// nodes form one chain or tree; where a parent is not among them the rounding of its children stays,
    /// which is what [`Bones::connected`] is for.
    pub(super) fn positions(&self, influences: &[Influence], source: Vec3) -> Vec<Vec3> {
        let own = |inf: &Influence| self.nodes[inf.node].1.point(source);
        let mut wanted: Vec<Vec3> = influences.iter().map(|inf| scaled(own(inf), inf.share)).collect();
        let off = |inf: &Influence| inf.share - f64::from(inf.weight) / 255.0;
        let mut missing: Vec<f64> = influences.iter().map(off).collect();
        // Children stand behind their parents in the order of the walk.
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
