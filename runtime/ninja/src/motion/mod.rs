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

/// Maximum number of tables of a node: NJS_MDATA5.
pub const MAX_TABLES: usize = 5;

/// A motion: NJS_MOTION with all structures that it refers to.
///
/// Key tables are an arena, so that tables shared in a file stay shared. Comparison ignores the layout and
/// compares floats by their bits.
#[derive(Debug, Clone, Default)]
pub struct Motion {
    /// Purpose of the motion.
    pub kind: MotionKind,
    /// Length in frames; the last key of a regular motion is at `nb_frame - 1`.
    pub nb_frame: u32,
    /// Animated elements.
    pub motion_type: MotionType,
    /// Interpolation and number of tables.
    pub inp_fn: InpFn,
    /// NJS_MDATAn structures, one for every node of the tree in drawing order (node, children, siblings),
    /// except nodes with [`EvalFlags::SKIP`](crate::EvalFlags::SKIP). The file has no count: the reader
    /// counts them up to the next structure, with the help of the pointer list.
    pub nodes: Vec<MotionNode>,
    /// Key tables; after reading, by ascending offset.
    pub tracks: Vec<Keys>,
    /// Arrays that the keys of simple shape motions point to: positions or normals, one for each vertex of
    /// the basic model. The file has no lengths: each array extends to the next structure.
    pub points: Vec<Vec<[f32; 3]>>,
    /// Recorded positions of the structures.
    layout: Option<Box<Layout>>,
    /// Counts for null pointers, by node and table: without meaning, but kept.
    stray_counts: StrayCounts,
}

/// NJS_MDATAn: key tables of one node, in the order of [`Motion::elements`]. `None` is a null pointer: the
/// element keeps the node's own value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MotionNode {
    /// Tables; entries beyond the first n are `None`.
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
    /// Creates a linear motion without nodes. It has one table for each bit of the type.
    pub fn new(kind: MotionKind, motion_type: MotionType, nb_frame: u32) -> Self {
        Motion {
            kind,
            nb_frame,
            motion_type,
            inp_fn: InpFn::new(Interpolation::Linear, motion_type.0.count_ones() as u16),
            ..Motion::default()
        }
    }

    /// Elements in the order of a node's tables; empty for an unreadable type ([`Element::in_table_order`]).
    pub fn elements(&self) -> Vec<Element> {
        Element::in_table_order(self.kind, self.motion_type).unwrap_or_default()
    }

    /// The n of NJS_MDATAn: the number in `inp_fn` or, if that is 0, the number of elements.
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

    /// Returns a key table.
    pub fn track(&self, id: TrackId) -> Option<&Keys> {
        self.tracks.get(id.0 as usize)
    }

    /// Returns the keys for an element of a node; `None` if the node lacks them.
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

    /// Pointer list after the chunk, if it was read from a file.
    pub fn pof0(&self) -> Option<&Pof0> {
        self.recorded().and_then(Layout::pof0)
    }
}
