//! Which nodes make the vertices of a part, with which weights, in which slots of the vertex buffer
//! (docs/formats/ninja.md, 2.2).
//!
//! A rigid part's vertices belong to its node. A skinned part's belong to its bones: a vertex of one bone is
//! an ordinary vertex in that bone's list; one of several bones is a weighted vertex in the list of each,
//! START in the first that the walk meets, END in the last. Vertices of blend shapes belong to one bone alone
//! and stand in front of all others (docs/formats/compact-shape.md, section 1.2). The part is drawn by the
//! last node that contributes.

mod bones;
mod slots;
mod weights;

use bones::{Bones, Moved};
pub(crate) use slots::assign_bases;

use std::collections::BTreeMap;

use ninja::Weight;

use crate::error::Warnings;
use crate::math::{Affine, Vec3};
use crate::mesh::{Part, Vertex};
use crate::nodes::Plan;
use crate::source::{Mesh, Scene};

/// A node's share of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Influence {
    /// Number of the node among those that move the part.
    pub(crate) node: usize,
    /// The share that is wanted, 0 to 1.
    pub(crate) share: f64,
    /// The share that is written: 255 is all of it.
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
    pub(crate) vertices: Vec<Lent>,
}

/// A vertex as one node makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lent {
    /// Of the part.
    pub(crate) vertex: u32,
    /// 255 is all of it.
    pub(crate) weight: u16,
    /// In the node's space.
    pub(crate) position: Vec3,
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

/// Where a part hangs.
pub(crate) struct Site<'a> {
    pub(crate) mesh: &'a Mesh,
    /// Of the plan.
    pub(crate) node: usize,
    pub(crate) scene: &'a Scene,
    pub(crate) plan: &'a Plan,
}

/// Places a part. `shaped` tells of a source vertex whether shapes move it.
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
            Moved::By(node) => return Shares::Whole(node),
            Moved::BySeveral(all) if shaped(v.source) => return Shares::Whole(weights::strongest(all)),
            Moved::BySeveral(all) => all,
        };
        let (kept, lost) = weights::quantised(all, most_bones);
        capped = capped.max(lost);
        match &kept[..] {
            [alone] => Shares::Whole(alone.node),
            _ => Shares::Parts(bones.connected(kept, most_bones)),
        }
    };
    let by_vertex: Vec<Shares> = part.vertices.iter().map(&mut share).collect();
    let mut contributions = contributions(part, &bones, by_vertex, shaped);
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

/// Who makes a vertex.
enum Shares {
    /// One node.
    Whole(usize),
    /// At least two.
    Parts(Vec<Influence>),
}

fn contributions(
    part: &Part,
    bones: &Bones<'_>,
    by_vertex: Vec<Shares>,
    shaped: impl Fn(u32) -> bool,
) -> Vec<Contribution> {
    let mut found: BTreeMap<(usize, Class), Vec<Lent>> = BTreeMap::new();
    let mut lend = |node, class, lent| found.entry((node, class)).or_default().push(lent);
    for ((i, vertex), shares) in (0..).zip(&part.vertices).zip(by_vertex) {
        let mut ordered = match shares {
            Shares::Whole(node) => {
                let class = if shaped(vertex.source) {
                    Class::Shape
                } else {
                    Class::Plain
                };
                let lent = Lent {
                    vertex: i,
                    weight: 255,
                    position: bones.nodes[node].1.point(vertex.position),
                };
                lend(node, class, lent);
                continue;
            }
            Shares::Parts(influences) => influences,
        };
        // In the order of the walk, which is that of the plan.
        ordered.sort_by_key(|inf| bones.nodes[inf.node].0);
        let last = ordered.len() - 1;
        let positions = bones.positions(&ordered, vertex.position);
        for (k, (influence, position)) in ordered.iter().zip(positions).enumerate() {
            let class = match k {
                0 => Class::Start,
                k if k == last => Class::End,
                _ => Class::Middle,
            };
            let lent = Lent {
                vertex: i,
                weight: influence.weight,
                position,
            };
            lend(influence.node, class, lent);
        }
    }
    let make = |((bone, class), vertices): ((usize, Class), Vec<Lent>)| Contribution {
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
    for lent in whole.chain(started).flat_map(|c| &c.vertices) {
        slots[lent.vertex as usize] = next;
        next = next.saturating_add(1);
    }
    slots
}
