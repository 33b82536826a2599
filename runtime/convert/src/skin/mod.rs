//! Which nodes make the vertices of a part, with which weights, in which slots of the vertex buffer
//! (docs/formats/ninja.md, 2.2).
//!
//! A rigid part's vertices belong to its node. A skinned part's belong to its bones: a vertex of one bone is
//! an ordinary vertex in that bone's list; one of several bones is a weighted vertex in the list of each,
//! START in the first that the walk meets, END in the last. Vertices of blend shapes belong to one bone alone
//! and stand in front of all others (docs/formats/compact-shape.md, section 1.2). The part is drawn by the
//! last node that contributes.

mod bones;
mod fit;
mod slots;
mod weights;

use bones::{Bones, Moved};
pub(crate) use fit::Poses;
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

/// The rest pose among [`Poses`].
const REST: usize = 0;

/// A distance that is not worth fitting, as a share of the part's size: a tenth of what a check lets pass.
const EXACT: f64 = 1.0 / 20_000.0;

/// Where a part hangs.
pub(crate) struct Site<'a> {
    pub(crate) mesh: &'a Mesh,
    /// Of the plan.
    pub(crate) node: usize,
    pub(crate) scene: &'a Scene,
    pub(crate) plan: &'a Plan,
    pub(crate) poses: &'a Poses,
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
            Moved::BySeveral(all) if shaped(v.source) => {
                let node = weights::strongest(&all);
                return Shares::Shaped(node, weights::exact(&all, most_bones));
            }
            Moved::BySeveral(all) => all,
        };
        let (kept, lost) = weights::quantised(&all, most_bones, weights::LEAST);
        capped = capped.max(lost);
        match &kept[..] {
            [alone] => Shares::Whole(alone.node),
            _ => Shares::Parts(bones.connected(kept, most_bones), all),
        }
    };
    let by_vertex: Vec<Shares> = part.vertices.iter().map(&mut share).collect();
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

/// Who makes a vertex.
enum Shares {
    /// One node.
    Whole(usize),
    /// One node, because shapes move the vertex; at rest it is where its bones would have it.
    Shaped(usize, Vec<Influence>),
    /// At least two, as they are rounded at first, and what moves the vertex.
    Parts(Vec<Influence>, Vec<(usize, f64)>),
}

fn contributions(
    part: &Part,
    bones: &mut Bones<'_>,
    by_vertex: Vec<Shares>,
    most_bones: usize,
    shaped: impl Fn(u32) -> bool,
) -> Vec<Contribution> {
    let mut found: BTreeMap<(usize, Class), Vec<Lent>> = BTreeMap::new();
    let enough = EXACT * extent(part, bones, &by_vertex);
    let mut lend = |node, class, lent| found.entry((node, class)).or_default().push(lent);
    for ((i, vertex), shares) in (0..).zip(&part.vertices).zip(by_vertex) {
        let mut whole = |node, position| {
            let class = if shaped(vertex.source) {
                Class::Shape
            } else {
                Class::Plain
            };
            let lent = Lent {
                vertex: i,
                weight: 255,
                position,
            };
            lend(node, class, lent);
        };
        let made = match shares {
            Shares::Whole(node) => {
                whole(node, bones.nodes[node].1.point(vertex.position));
                continue;
            }
            Shares::Shaped(node, influences) => {
                let inverse = bones.poses[REST][bones.nodes[node].0].inverse();
                let own = bones.nodes[node].1.point(vertex.position);
                let rest = bones.place(&influences, vertex.position, REST);
                whole(node, inverse.map_or(own, |inverse| inverse.point(rest)));
                continue;
            }
            Shares::Parts(first, all) => fit::made(bones, vertex.position, (&all, most_bones), first, enough),
        };
        let last = made.influences.len() - 1;
        for (k, (influence, position)) in made.influences.iter().zip(made.positions).enumerate() {
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

/// The extent of a part at rest; 0 without weighted vertices.
fn extent(part: &Part, bones: &Bones<'_>, by_vertex: &[Shares]) -> f64 {
    if !by_vertex.iter().any(|s| matches!(s, Shares::Parts(..))) {
        return 0.0;
    }
    let place = |(vertex, shares): (&Vertex, &Shares)| match shares {
        Shares::Whole(node) => {
            let (node, to_node) = &bones.nodes[*node];
            bones.poses[REST][*node].point(to_node.point(vertex.position))
        }
        Shares::Shaped(_, influences) | Shares::Parts(influences, _) => {
            bones.place(influences, vertex.position, REST)
        }
    };
    crate::emit::extent(part.vertices.iter().zip(by_vertex).map(place))
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
