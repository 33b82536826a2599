//! Which nodes make the vertices of a part, with which weights, in which slots of the vertex buffer (facts 2.2).
//!
//! A rigid part's vertices belong to its node. A skinned part's belong to its bones: a vertex of one bone is an
//! ordinary vertex in that bone's list; one of several bones is a weighted vertex in the list of each, START in the
//! first that the walk meets, END in the last. Vertices of blend shapes belong to one bone alone and stand in front
//! of all others (seed 001 section 1.2). The part is drawn by the last node that contributes.

mod slots;
mod weights;

pub(crate) use slots::assign_bases;

use ninja::Weight;

use crate::error::Warnings;
use crate::math::{Affine, Vec3};
use crate::mesh::Part;
use crate::nodes::Plan;
use crate::source::{Mesh, Scene};

/// A node's share of a vertex: 255 is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Influence {
    /// Index in [`Contribution`]s of the placement.
    pub(crate) node: usize,
    pub(crate) weight: u16,
}

/// Vertices that go into one vertex chunk of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contribution {
    /// Of the plan.
    pub(crate) node: usize,
    pub(crate) class: Class,
    /// From the mesh's space to the node's.
    pub(crate) to_node: Affine,
    /// Vertices of the part with their weights.
    pub(crate) vertices: Vec<(u32, u16)>,
}

/// What a chunk holds, in the order in which a node's chunks must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Whole vertices that shapes move.
    Shape,
    /// Other whole vertices.
    Plain,
    Start,
    Middle,
    End,
}

impl Class {
    pub(crate) fn weight(self) -> Option<Weight> {
        match self {
            Class::Shape | Class::Plain => None,
            Class::Start => Some(Weight::Start),
            Class::Middle => Some(Weight::Middle),
            Class::End => Some(Weight::End),
        }
    }
}

/// Where a part's vertices are made and drawn.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    /// By node, then class.
    pub(crate) contributions: Vec<Contribution>,
    /// By vertex of the part, counted from `base`. Those of a chunk that is not weighted follow each other.
    pub(crate) slots: Vec<u16>,
    /// The first slot; set by [`assign_bases`].
    pub(crate) base: u16,
    /// The node whose polygon list draws the part.
    pub(crate) draws: usize,
    /// The largest sum of weights of left out bones, before normalising.
    pub(crate) capped: f64,
}

/// Slots of the vertex buffer: strips index them with what the format treats as signed 16-bit numbers.
pub(crate) const SLOTS: usize = 32_767;

/// Places a part of `node`. `shaped` tells of a source vertex whether shapes move it.
pub(crate) fn place(
    part: &Part,
    mesh: &Mesh,
    node: usize,
    scene: &Scene,
    plan: &Plan,
    most_bones: usize,
    shaped: impl Fn(u32) -> bool,
    warnings: &mut Warnings,
) -> Placement {
    let bones = Bones::new(mesh, node, scene, plan, warnings);
    let mut capped = 0.0_f64;
    let by_vertex: Vec<Vec<Influence>> = part
        .vertices
        .iter()
        .map(|v| {
            let mut all = bones.of(v.source);
            if shaped(v.source) {
                all = weights::strongest(&all);
            }
            let (kept, lost) = weights::quantised(all, most_bones);
            capped = capped.max(lost);
            kept
        })
        .collect();
    let mut contributions = contributions(part, &bones, &by_vertex, shaped);
    contributions.sort_by_key(|c| (c.node, c.class));
    let draws = contributions
        .iter()
        .map(|c| c.node)
        .chain([node])
        .max()
        .unwrap_or(node);
    Placement {
        slots: number(&contributions, part.vertices.len()),
        contributions,
        base: 0,
        draws,
        capped,
    }
}

/// The nodes that move a part.
struct Bones<'a> {
    mesh: &'a Mesh,
    /// The part's own node first, then the clusters': node of the plan, and the way to its space.
    nodes: Vec<(usize, Affine)>,
    /// By cluster: index in `nodes`.
    of_cluster: Vec<usize>,
}

impl<'a> Bones<'a> {
    fn new(mesh: &'a Mesh, node: usize, scene: &Scene, plan: &Plan, warnings: &mut Warnings) -> Self {
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
        }
    }

    /// The nodes that move a source vertex, as indices in `nodes`; its own node where no bone does.
    fn of(&self, source: u32) -> Vec<(usize, f64)> {
        let influences = self
            .mesh
            .skin
            .as_ref()
            .and_then(|s| s.influences.get(source as usize));
        let found: Vec<(usize, f64)> = influences
            .into_iter()
            .flatten()
            .map(|(cluster, weight)| (self.of_cluster[*cluster], *weight))
            .collect();
        if found.is_empty() { vec![(0, 1.0)] } else { found }
    }
}

fn contributions(
    part: &Part,
    bones: &Bones<'_>,
    by_vertex: &[Vec<Influence>],
    shaped: impl Fn(u32) -> bool,
) -> Vec<Contribution> {
    let mut found: std::collections::BTreeMap<(usize, Class), Vec<(u32, u16)>> = Default::default();
    for (i, influences) in (0..).zip(by_vertex) {
        let mut ordered = influences.clone();
        // In the order of the walk, which is that of the plan.
        ordered.sort_by_key(|inf| bones.nodes[inf.node].0);
        let last = ordered.len() - 1;
        for (k, influence) in ordered.iter().enumerate() {
            let class = match k {
                0 if last == 0 && shaped(part.vertices[i as usize].source) => Class::Shape,
                0 if last == 0 => Class::Plain,
                0 => Class::Start,
                k if k == last => Class::End,
                _ => Class::Middle,
            };
            found
                .entry((influence.node, class))
                .or_default()
                .push((i, influence.weight));
        }
    }
    let make = |((bone, class), vertices): ((usize, Class), Vec<(u32, u16)>)| Contribution {
        node: bones.nodes[bone].0,
        class,
        to_node: bones.nodes[bone].1,
        vertices,
    };
    found.into_iter().map(make).collect()
}

/// Slots by vertex: those of whole vertices in the order of their chunks, then the weighted ones.
fn number(contributions: &[Contribution], vertices: usize) -> Vec<u16> {
    let mut slots = vec![u16::MAX; vertices];
    let mut next = 0;
    let whole = contributions.iter().filter(|c| c.class.weight().is_none());
    let started = contributions.iter().filter(|c| c.class == Class::Start);
    for (vertex, _) in whole.chain(started).flat_map(|c| &c.vertices) {
        slots[*vertex as usize] = next;
        next = next.saturating_add(1);
    }
    slots
}

impl Contribution {
    pub(crate) fn point(&self, p: Vec3) -> Vec3 {
        self.to_node.point(p)
    }
}
