//! Assigns the vertices of a part to nodes, weights and slots of the vertex buffer (docs/formats/ninja.md,
//! 2.2).
//!
//! A rigid part's vertices belong to its node; a skinned part's belong to its bones. A vertex with one bone
//! is an ordinary vertex in that bone's list. A vertex with several bones is a weighted vertex in the list of
//! each: START in the first bone of the walk, END in the last. A vertex of a blend shape belongs to a single
//! bone, and precedes all other vertices (docs/formats/compact-shape.md, section 1.2). The last contributing
//! node draws the part.

mod bones;
mod fit;
mod slots;
mod weights;

use bones::{Bones, MovingNodes};
pub(crate) use fit::Poses;
pub(crate) use slots::assign_bases;

use std::collections::BTreeMap;

use ninja::Weight;

use crate::error::Warnings;
use crate::math::{Affine, Vec3};
use crate::mesh::{Part, Vertex};
use crate::nodes::Plan;
use crate::source::{Mesh, Scene};

/// Weight of a node for a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Influence {
    /// Index among the nodes that move the part.
    pub(crate) node: usize,
    /// Exact weight, 0 to 1.
    pub(crate) share: f64,
    /// Written weight; 255 is the whole vertex.
    pub(crate) weight: u16,
}

/// Vertices of one vertex chunk of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contribution {
    /// Index in the plan.
    pub(crate) node: usize,
    pub(crate) class: Class,
    /// Map from the mesh's space to the node's.
    pub(crate) to_node: Affine,
    pub(crate) vertices: Vec<ChunkVertex>,
}

/// A vertex in one node's chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ChunkVertex {
    /// Index in the part.
    pub(crate) vertex: u32,
    /// Written weight; 255 is the whole vertex.
    pub(crate) weight: u16,
    /// Position in the node's space.
    pub(crate) position: Vec3,
}

/// Class of a chunk's vertices, in the required order of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Unweighted vertices moved by shapes.
    Shape,
    /// Other unweighted vertices.
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

/// Nodes that make and draw a part's vertices, and the slots.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    /// Contributions sorted by node, then class.
    pub(crate) contributions: Vec<Contribution>,
    /// Slot by vertex of the part, relative to `base`. Slots of an unweighted chunk are consecutive.
    pub(crate) slots: Vec<u16>,
    /// First slot; set by [`assign_bases`].
    pub(crate) base: u16,
    /// Index of the node that draws the part.
    pub(crate) draws: usize,
    /// Largest sum of weights of dropped bones, before normalising.
    pub(crate) capped: f64,
}

/// Number of slots in the vertex buffer. The format treats strip indices as signed 16-bit numbers.
pub(crate) const SLOTS: usize = 32_767;

/// Index of the rest pose in [`Poses`].
const REST: usize = 0;

/// Error below which no fitting is needed, as a share of the part's size: a tenth of the check's tolerance.
const EXACT: f64 = 1.0 / 20_000.0;

/// Location of a part in the tree.
pub(crate) struct Site<'a> {
    pub(crate) mesh: &'a Mesh,
    /// Index in the plan.
    pub(crate) node: usize,
    pub(crate) scene: &'a Scene,
    pub(crate) plan: &'a Plan,
    pub(crate) poses: &'a Poses,
}

/// Assigns a part's vertices. `shaped` returns whether shapes move a source vertex.
pub(crate) fn place(
    part: &Part,
    site: &Site<'_>,
    most_bones: usize,
    shaped: impl Fn(u32) -> bool,
    warnings: &mut Warnings,
) -> Placement {
    let mut bones = Bones::new(site, warnings);
    let mut capped = 0.0_f64;
    let mut share = |v: &Vertex| {
        let all = match bones.of(v.source) {
            MovingNodes::By(node) => return VertexNodes::Whole(node),
            MovingNodes::BySeveral(all) if shaped(v.source) => {
                let node = weights::strongest(&all);
                return VertexNodes::Shaped(node, weights::exact(&all, most_bones));
            }
            MovingNodes::BySeveral(all) => all,
        };
        let (kept, lost) = weights::quantised(&all, most_bones, weights::LEAST);
        capped = capped.max(lost);
        match &kept[..] {
            [alone] => VertexNodes::Whole(alone.node),
            _ => VertexNodes::Parts(bones.connected(kept, most_bones), all),
        }
    };
    let by_vertex: Vec<VertexNodes> = part.vertices.iter().map(&mut share).collect();
    let mut contributions = contributions(part, &mut bones, by_vertex, most_bones, shaped);
    contributions.sort_by_key(|c| (c.node, c.class));
    let draws = contributions
        .iter()
        .map(|c| c.node)
        .chain([site.node])
        .max()
        .unwrap_or(site.node);
    Placement {
        slots: number(&contributions, part.vertices.len()),
        contributions,
        base: 0,
        draws,
        capped,
    }
}

/// Nodes that make a vertex.
enum VertexNodes {
    /// One node.
    Whole(usize),
    /// One node, because shapes move the vertex. At rest it has the position that its bones give.
    Shaped(usize, Vec<Influence>),
    /// At least two nodes with their first rounded weights, and all nodes that move the vertex.
    Parts(Vec<Influence>, Vec<(usize, f64)>),
}

fn contributions(
    part: &Part,
    bones: &mut Bones<'_>,
    by_vertex: Vec<VertexNodes>,
    most_bones: usize,
    shaped: impl Fn(u32) -> bool,
) -> Vec<Contribution> {
    let mut found: BTreeMap<(usize, Class), Vec<ChunkVertex>> = BTreeMap::new();
    let enough = EXACT * extent(part, bones, &by_vertex);
    let mut add = |node, class, entry| found.entry((node, class)).or_default().push(entry);
    for ((i, vertex), shares) in (0..).zip(&part.vertices).zip(by_vertex) {
        let mut whole = |node, position| {
            let class = if shaped(vertex.source) {
                Class::Shape
            } else {
                Class::Plain
            };
            let entry = ChunkVertex {
                vertex: i,
                weight: 255,
                position,
            };
            add(node, class, entry);
        };
        let made = match shares {
            VertexNodes::Whole(node) => {
                whole(node, bones.nodes[node].1.point(vertex.position));
                continue;
            }
            VertexNodes::Shaped(node, influences) => {
                let inverse = bones.poses[REST][bones.nodes[node].0].inverse();
                let own = bones.nodes[node].1.point(vertex.position);
                let rest = bones.place(&influences, vertex.position, REST);
                whole(node, inverse.map_or(own, |inverse| inverse.point(rest)));
                continue;
            }
            VertexNodes::Parts(first, all) => {
                fit::made(bones, vertex.position, (&all, most_bones), first, enough)
            }
        };
        let last = made.influences.len() - 1;
        for (k, (influence, position)) in made.influences.iter().zip(made.positions).enumerate() {
            let class = match k {
                0 => Class::Start,
                k if k == last => Class::End,
                _ => Class::Middle,
            };
            let entry = ChunkVertex {
                vertex: i,
                weight: influence.weight,
                position,
            };
            add(influence.node, class, entry);
        }
    }
    let make = |((bone, class), vertices): ((usize, Class), Vec<ChunkVertex>)| Contribution {
        node: bones.nodes[bone].0,
        class,
        to_node: bones.nodes[bone].1,
        vertices,
    };
    found.into_iter().map(make).collect()
}

/// Returns the extent of a part at rest; 0 without weighted vertices.
fn extent(part: &Part, bones: &Bones<'_>, by_vertex: &[VertexNodes]) -> f64 {
    if !by_vertex.iter().any(|s| matches!(s, VertexNodes::Parts(..))) {
        return 0.0;
    }
    let place = |(vertex, shares): (&Vertex, &VertexNodes)| match shares {
        VertexNodes::Whole(node) => {
            let (node, to_node) = &bones.nodes[*node];
            bones.poses[REST][*node].point(to_node.point(vertex.position))
        }
        VertexNodes::Shaped(_, influences) | VertexNodes::Parts(influences, _) => {
            bones.place(influences, vertex.position, REST)
        }
    };
    crate::emit::extent(part.vertices.iter().zip(by_vertex).map(place))
}

/// Returns the slot of each vertex: unweighted vertices in the order of their chunks, then weighted ones.
fn number(contributions: &[Contribution], vertices: usize) -> Vec<u16> {
    let mut slots = vec![u16::MAX; vertices];
    let mut next = 0;
    let whole = contributions.iter().filter(|c| c.class.weight().is_none());
    let started = contributions.iter().filter(|c| c.class == Class::Start);
    for entry in whole.chain(started).flat_map(|c| &c.vertices) {
        slots[entry.vertex as usize] = next;
        next = next.saturating_add(1);
    }
    slots
}
