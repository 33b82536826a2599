//! Selects the nodes to write, their order, and their scale.
//!
//! Exporters leave scales such as 100 on root nodes. Each node's usual scale (the median of its three scales
//! at rest) is removed from the node and applied to everything below it: meshes, translations, and further
//! down the tree. If `f` is the scale removed until now, world matrices become `W' = W / f`, and local ones
//! `T(f_parent t) R S(s f_parent / f)`. Points of the node's space are multiplied by `f`.

use crate::error::{Error, Warnings};
use crate::math::{Affine, Trs, finite, scaled};
use crate::source::{NodeKind, Scene};

/// Nodes of the tree to be written, in drawing order, which places parents before children.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: Vec<Planned>,
    /// Index in the plan by source node.
    of_source: Vec<Option<usize>>,
}

/// A node of the tree.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) source: usize,
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// Scale removed from this node and its ancestors.
    pub(crate) fold: f64,
    /// Local transform at rest, without that scale.
    pub(crate) rest: Trs,
    /// Map to the scene's space at rest, without that scale.
    pub(crate) world: Affine,
}

impl Plan {
    pub(crate) fn new(scene: &Scene, leaf_bones: bool, warnings: &mut Warnings) -> Result<Self, Error> {
        let kept = kept(scene, leaf_bones, warnings);
        let tops = scene
            .nodes
            .iter()
            .zip(&kept)
            .filter(|(n, kept)| **kept && n.parent == Some(0));
        let bare_root = scene
            .nodes
            .first()
            .is_some_and(|n| n.rest == Trs::IDENTITY && n.mesh.is_none());
        let with_root = tops.count() != 1 || !bare_root || bones(scene).any(|node| node == 0);
        let mut plan = Plan {
            nodes: Vec::new(),
            of_source: vec![None; scene.nodes.len()],
        };
        // Uses a stack instead of recursion, because trees can be deep.
        let mut pending = vec![(0, None)];
        while let Some((source, parent)) = pending.pop() {
            let Some(node) = scene.nodes.get(source) else {
                continue;
            };
            let skipped = !kept[source] || (source == 0 && !with_root);
            let here = if skipped {
                parent
            } else {
                Some(plan.push(scene, source, parent))
            };
            pending.extend(node.children.iter().rev().map(|child| (*child, here)));
        }
        if let Some(node) = plan
            .nodes
            .iter()
            .find(|n| !n.rest.finite() || n.world.columns.iter().any(|c| !finite(*c)))
        {
            return Err(Error::scene(
                format!("node {:?}", node.name),
                "scales that multiply to numbers beyond 32-bit floats",
                "finite numbers",
            ));
        }
        if plan.nodes.iter().all(|n| n.source == 0) {
            // A scene without nodes, or only with cameras and lights, needs no model.
            plan.nodes.clear();
            plan.of_source.fill(None);
        }
        Ok(plan)
    }

    fn push(&mut self, scene: &Scene, source: usize, parent: Option<usize>) -> usize {
        let node = &scene.nodes[source];
        let above = parent.map_or(1.0, |p| self.nodes[p].fold);
        let fold = above * middle(node.rest.scale);
        let rest = folded(&node.rest, above, fold);
        let to_parent = parent.map_or(Affine::IDENTITY, |p| self.nodes[p].world);
        let name = match node.name.as_str() {
            "" if source == 0 => "root".to_owned(),
            name => name.to_owned(),
        };
        let world = to_parent.times(&rest.affine());
        self.nodes.push(Planned {
            source,
            name,
            parent,
            fold,
            rest,
            world,
        });
        self.of_source[source] = Some(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Returns the planned node of a source node.
    pub(crate) fn of_source(&self, source: usize) -> Option<usize> {
        self.of_source.get(source).copied().flatten()
    }

    /// Converts a local transform of the source to one of the tree.
    pub(crate) fn local(&self, node: usize, source: &Trs) -> Trs {
        let planned = &self.nodes[node];
        let above = planned.parent.map_or(1.0, |p| self.nodes[p].fold);
        folded(source, above, planned.fold)
    }
}

fn folded(local: &Trs, above: f64, fold: f64) -> Trs {
    Trs {
        translation: scaled(local.translation, above),
        rotation: local.rotation,
        scale: scaled(local.scale, above / fold),
    }
}

/// Returns the median of the absolute scales; 1 if it is almost 0.
fn middle(scale: [f64; 3]) -> f64 {
    let mut sizes = scale.map(f64::abs);
    sizes.sort_by(f64::total_cmp);
    if sizes[1] > 1e-9 { sizes[1] } else { 1.0 }
}

/// Returns which nodes to keep. Leaves out cameras and lights, and on request leaf bones that move no
/// vertices and have no motion. Blender adds such bones to every chain (docs/formats/fbx.md, section 5).
fn kept(scene: &Scene, leaf_bones: bool, warnings: &mut Warnings) -> Vec<bool> {
    let mut used = vec![false; scene.nodes.len()];
    for bone in bones(scene) {
        if let Some(used) = used.get_mut(bone) {
            *used = true;
        }
    }
    let weighs = used.clone();
    for node in scene.stacks.iter().flat_map(|s| &s.moved) {
        if let Some(used) = used.get_mut(*node) {
            *used = true;
        }
    }
    let mut dropped = Vec::new();
    let keep = |(i, node): (usize, &crate::source::Node)| {
        let leaf = node.children.is_empty() && node.mesh.is_none();
        let keep = match node.kind {
            _ if !leaf => true,
            NodeKind::Plain => true,
            NodeKind::Bone => leaf_bones || used[i],
            NodeKind::Camera | NodeKind::Light => weighs[i],
        };
        if !keep {
            dropped.push(i);
        }
        keep
    };
    let kept: Vec<bool> = scene.nodes.iter().enumerate().map(keep).collect();
    let names = |kind: &[NodeKind]| -> Vec<&str> {
        let of_kind = dropped.iter().filter(|i| kind.contains(&scene.nodes[**i].kind));
        of_kind.map(|i| scene.nodes[*i].name.as_str()).collect()
    };
    let bones = names(&[NodeKind::Bone]);
    if !bones.is_empty() {
        warnings.add(
            "",
            format!("leaf bones without weights left out: {}", list(&bones)),
        );
    }
    kept
}

/// Returns the nodes that move vertices, with repetitions.
fn bones(scene: &Scene) -> impl Iterator<Item = usize> {
    let skins = scene.meshes.iter().filter_map(|m| m.skin.as_ref());
    skins.flat_map(|skin| {
        let clusters = skin.influences.iter().flatten();
        clusters.map(|(cluster, _)| skin.clusters[*cluster].node)
    })
}

/// Lists the first few names.
pub(crate) fn list(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}
