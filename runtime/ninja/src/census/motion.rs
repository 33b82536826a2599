//! Statistics on motions, shapes and cell sprites.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::cell::{CellSprite, CellStream};
use crate::cshape::{CShapeList, CShapeMotion};
use crate::motion::{Element, Keys, Motion};

use super::{add, add_map};

/// Counts over motions. Tables count once for every node that refers to them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MotionCensus {
    /// Motions by type and inp_fn, including CompactShape motions.
    pub types: BTreeMap<(u16, u16), u64>,
    /// Sum of the lengths in frames.
    pub frames: u64,
    /// Nodes.
    pub nodes: u64,
    /// Tables by element.
    pub tables: BTreeMap<Element, u64>,
    /// Keys by element.
    pub keys: BTreeMap<Element, u64>,
    /// Tables with frames that do not ascend.
    pub descending: u64,
    /// Ascending tables of two or more keys that end before the motion's last frame.
    pub early: u64,
}

/// Counts over shape lists, cell sprites and streams.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShapeCensus {
    /// Shapes (NJS_CSHAPE_KEYGROUP).
    pub shapes: u64,
    /// Vertex chunks of shapes, by id.
    pub chunks: BTreeMap<u8, u64>,
    /// Vertices of shapes, by id of their chunk.
    pub vertices: BTreeMap<u8, u64>,
    /// Cells of sprites.
    pub cells: u64,
    /// Stream chunks by id.
    pub cell_chunks: [u64; 16],
}

impl MotionCensus {
    pub(super) fn motion(&mut self, motion: &Motion) {
        self.head(
            motion.motion_type.0,
            motion.inp_fn.0,
            motion.nb_frame,
            motion.nodes.len(),
        );
        let elements = motion.elements();
        for node in &motion.nodes {
            for (element, table) in elements.iter().zip(&node.tables) {
                if let Some(keys) = table.and_then(|id| motion.track(id)) {
                    self.table(*element, keys, motion.nb_frame);
                }
            }
        }
    }

    pub(super) fn shape_motion(&mut self, motion: &CShapeMotion) {
        let bits = Element::ShapeId.bit();
        self.head(bits, motion.inp_fn.0, motion.nb_frame, motion.nodes.len());
        for data in motion.nodes.iter().flatten() {
            let keys = data.keys.and_then(|id| motion.tracks.get(id.0 as usize));
            let Some(keys) = keys else { continue };
            *self.tables.entry(Element::ShapeId).or_default() += 1;
            *self.keys.entry(Element::ShapeId).or_default() += keys.len() as u64;
            let descends = keys.windows(2).any(|pair| pair[1].frame <= pair[0].frame);
            self.descending += u64::from(descends);
        }
    }

    fn head(&mut self, bits: u16, inp_fn: u16, frames: u32, nodes: usize) {
        *self.types.entry((bits, inp_fn)).or_default() += 1;
        self.frames += u64::from(frames);
        self.nodes += nodes as u64;
    }

    fn table(&mut self, element: Element, keys: &Keys, nb_frame: u32) {
        *self.tables.entry(element).or_default() += 1;
        *self.keys.entry(element).or_default() += keys.len() as u64;
        let descends = keys.first_descent().is_some();
        self.descending += u64::from(descends);
        self.early += u64::from(!descends && keys.ends_early(nb_frame).is_some());
    }
}

impl ShapeCensus {
    pub(super) fn list(&mut self, list: &CShapeList) {
        self.shapes += list.shapes.len() as u64;
        for chunk in list.vlists.iter().flat_map(|list| &list.chunks) {
            *self.chunks.entry(chunk.kind.id()).or_default() += 1;
            *self.vertices.entry(chunk.kind.id()).or_default() += chunk.count() as u64;
        }
    }

    pub(super) fn sprite(&mut self, sprite: &CellSprite) {
        self.cells += sprite.cells.len() as u64;
    }

    pub(super) fn stream(&mut self, stream: &CellStream) {
        for chunk in &stream.chunks {
            self.cell_chunks[usize::from(chunk.id())] += 1;
        }
    }
}

impl AddAssign<&MotionCensus> for MotionCensus {
    fn add_assign(&mut self, other: &MotionCensus) {
        // Destructuring makes the compiler report new fields that are missing here.
        let MotionCensus {
            types,
            frames,
            nodes,
            tables,
            keys,
            descending,
            early,
        } = other;
        let sums = [
            (&mut self.frames, frames),
            (&mut self.nodes, nodes),
            (&mut self.descending, descending),
            (&mut self.early, early),
        ];
        sums.into_iter().for_each(|(to, from)| *to += from);
        add_map(&mut self.types, types);
        add_map(&mut self.tables, tables);
        add_map(&mut self.keys, keys);
    }
}

impl AddAssign<&ShapeCensus> for ShapeCensus {
    fn add_assign(&mut self, other: &ShapeCensus) {
        let ShapeCensus {
            shapes,
            chunks,
            vertices,
            cells,
            cell_chunks,
        } = other;
        self.shapes += shapes;
        self.cells += cells;
        add_map(&mut self.chunks, chunks);
        add_map(&mut self.vertices, vertices);
        add(&mut self.cell_chunks, cell_chunks);
    }
}
