//! Motions: `NMDM`, `NLIM`, `NCAM`, `NCSM` and `NSSM` (docs/formats/ninja.md 1.4, 1.9).
//!
//! CompactShape motions (`CPSM`) are in [`CShapeMotion`](crate::CShapeMotion).

mod element;
mod entries;
mod forms;
mod keys;
mod points;
pub(crate) mod pso;
mod read;
mod value;
mod write;

pub use element::{Element, InpFn, Interpolation, MotionKind, MotionType};
pub use keys::{Key, KeyForm, Keys};
pub use value::{AxisAngle, PointsId, Spot};

pub(crate) use entries::{Entries, Source, StrayCounts, entries};

use crate::layout::Layout;
use crate::pof0::Pof0;

/// Index of a key table in [`Motion::tracks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackId(pub u32);

/// Most tables of a node: NJS_MDATA5.
pub const MAX_TABLES: usize = 5;

/// A motion: NJS_MOTION with all that hangs on it.
///
/// Key tables are an arena, so that what nodes share in a file stays shared. Comparison disregards layout
/// and compares floats by their bits.
#[derive(Debug, Clone, Default)]
pub struct Motion {
    /// What it is for.
    pub kind: MotionKind,
    /// Length in frames; the last key of sound motions is at `nb_frame - 1`.
    pub nb_frame: u32,
    /// Which elements move.
    pub motion_type: MotionType,
    /// Interpolation and number of tables.
    pub inp_fn: InpFn,
    /// NJS_MDATAn, one for every node of the tree in drawing order (node, children, siblings), leaving out
    /// those with [`EvalFlags::SKIP`](crate::EvalFlags::SKIP). The file does not tell how many there are:
    /// they are counted up to the next structure, and by the pointer list.
    pub nodes: Vec<MotionNode>,
    /// The key tables. In files that were read, by ascending offset.
    pub tracks: Vec<Keys>,
    /// The arrays that the keys of simple shape motions point at: positions or normals, one for each vertex
    /// of the basic model. The file does not tell their length: they reach to the next structure.
    pub points: Vec<Vec<[f32; 3]>>,
    /// Where all of it lay.
    layout: Option<Box<Layout>>,
    /// Counts beside null pointers, by node and table: without meaning, but kept.
    stray_counts: StrayCounts,
}

/// NJS_MDATAn: the key tables of one node, in the order of [`Motion::elements`]. `None` is a null pointer:
/// that element keeps the node's own value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MotionNode {
    /// The first n count, the others are `None`.
    pub tables: [Option<TrackId>; MAX_TABLES],
}

impl PartialEq for Motion {
    fn eq(&self, other: &Self) -> bool {
        let head = |m: &Motion| (m.kind, m.nb_frame, m.motion_type, m.inp_fn);
        let bits = |m: &Motion| -> Vec<Vec<[u32; 3]>> {
            let array = |points: &Vec<[f32; 3]>| points.iter().map(|p| p.map(f32::to_bits)).collect();
            m.points.iter().map(array).collect()
        };
        head(self) == head(other)
            && self.nodes == other.nodes
            && self.tracks == other.tracks
            && bits(self) == bits(other)
    }
}

impl Motion {
    /// A motion without nodes: linear, and with as many tables as the type has bits.
    pub fn new(kind: MotionKind, motion_type: MotionType, nb_frame: u32) -> Self {
        Motion {
            kind,
            nb_frame,
            motion_type,
            inp_fn: InpFn::new(Interpolation::Linear, motion_type.0.count_ones() as u16),
            ..Motion::default()
        }
    }

    /// The elements in the order of a node's tables; empty if the type is none that can be read
    /// ([`Element::in_table_order`]).
    pub fn elements(&self) -> Vec<Element> {
        Element::in_table_order(self.kind, self.motion_type).unwrap_or_default()
    }

    /// The n of NJS_MDATAn: what `inp_fn` says or, where it says nothing, the number of elements.
    pub fn tables(&self) -> usize {
        match self.inp_fn.tables() {
            0 => self.motion_type.0.count_ones() as usize,
            n => usize::from(n),
        }
    }

    /// Adds a key table.
    pub fn push_track(&mut self, keys: Keys) -> TrackId {
        self.tracks.push(keys);
        TrackId(self.tracks.len() as u32 - 1)
    }

    /// Adds a node with the given tables, in the order of [`Motion::elements`].
    pub fn push_node(&mut self, tables: &[Option<TrackId>]) {
        let mut node = MotionNode::default();
        node.tables
            .iter_mut()
            .zip(tables)
            .for_each(|(to, from)| *to = *from);
        self.nodes.push(node);
    }

    /// A key table.
    pub fn track(&self, id: TrackId) -> Option<&Keys> {
        self.tracks.get(id.0 as usize)
    }

    /// The keys of an element of a node; `None` if the node has none for it.
    pub fn keys(&self, node: usize, element: Element) -> Option<&Keys> {
        let slot = self.elements().iter().position(|e| *e == element)?;
        self.track((*self.nodes.get(node)?.tables.get(slot)?)?)
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = None;
        self.stray_counts.clear();
    }

    pub(crate) fn recorded(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// The pointer list that followed the chunk.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }
}
