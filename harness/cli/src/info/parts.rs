//! Describes motions, shape lists, cell sprites and streams.

use super::counts::Counts;
use crate::plural::plural;
use ninja::{Chunk, Interpolation, Keys, Motion};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct MotionInfo {
    id: String,
    frames: u32,
    nodes: usize,
    elements: Vec<ElementInfo>,
    interpolation: &'static str,
}

#[derive(Serialize)]
struct ElementInfo {
    name: String,
    tables: usize,
    keys: usize,
}

impl MotionInfo {
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        let (frames, nodes, inp_fn, elements) = match chunk {
            Chunk::Motion(motion) => (
                motion.nb_frame,
                motion.nodes.len(),
                motion.inp_fn,
                elements(motion),
            ),
            Chunk::ShapeMotion(motion) => {
                let tables = motion.nodes.iter().flatten().count();
                let shapes = ElementInfo {
                    name: "SHAPEID".to_owned(),
                    tables,
                    keys: motion.tracks.iter().map(Vec::len).sum(),
                };
                (motion.nb_frame, motion.nodes.len(), motion.inp_fn, vec![shapes])
            }
            _ => return None,
        };
        Some(Self {
            id: chunk.id().to_string(),
            frames,
            nodes,
            elements,
            interpolation: match inp_fn.method() {
                Interpolation::Linear => "linear",
                Interpolation::Spline => "spline",
                Interpolation::User => "user",
                Interpolation::Unassigned => "unassigned",
            },
        })
    }

    /// Returns a note about the angles of a spline motion.
    fn spline_note(&self) -> &'static str {
        let turns = |e: &ElementInfo| e.name.contains("ANG");
        if self.interpolation == "linear" || !self.elements.iter().any(turns) {
            return "";
        }
        " (angles follow the spline, or go straight by play setting spline-angles=linear)"
    }

    pub(super) fn text(&self) -> String {
        let Self {
            id,
            frames,
            nodes,
            interpolation,
            ..
        } = self;
        let element = |e: &ElementInfo| {
            format!(
                "{} {} with {}",
                e.name,
                plural(e.tables, "table"),
                plural(e.keys, "key")
            )
        };
        let elements: Vec<String> = self.elements.iter().map(element).collect();
        let (frames, nodes) = (plural(*frames as usize, "frame"), plural(*nodes, "node"));
        format!(
            "{id}: {frames}, {nodes}, {interpolation}{}; {}",
            self.spline_note(),
            elements.join(", ")
        )
    }
}

fn elements(motion: &Motion) -> Vec<ElementInfo> {
    let info = |element: ninja::Element| {
        let tables: Vec<&Keys> = (0..motion.nodes.len())
            .filter_map(|node| motion.keys(node, element))
            .collect();
        ElementInfo {
            name: element.name().to_owned(),
            tables: tables.len(),
            keys: tables.iter().map(|keys| keys.len()).sum(),
        }
    };
    motion.elements().into_iter().map(info).collect()
}

#[derive(Serialize)]
pub(super) struct ShapeListInfo {
    shapes: usize,
    groups: usize,
    vertices: Counts,
}

impl ShapeListInfo {
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        let Chunk::ShapeList(list) = chunk else {
            return None;
        };
        let groups: std::collections::BTreeSet<u16> =
            list.shapes.iter().map(|shape| shape.group_id).collect();
        let mut vertices = std::collections::BTreeMap::new();
        for chunk in list.vlists.iter().flat_map(|list| &list.chunks) {
            *vertices.entry(chunk.kind).or_insert(0) += chunk.count();
        }
        Some(Self {
            shapes: list.shapes.len(),
            groups: groups.len(),
            vertices: vertices
                .into_iter()
                .map(|(kind, n)| (kind.name().to_owned(), n.into()))
                .collect(),
        })
    }

    pub(super) fn text(&self) -> String {
        let vertices = super::list(&self.vertices);
        format!(
            "{} in {}; vertices: {vertices}",
            plural(self.shapes, "shape"),
            plural(self.groups, "group")
        )
    }
}

#[derive(Serialize)]
pub(super) struct SpriteInfo {
    cells: usize,
    work_bytes: usize,
}

impl SpriteInfo {
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        let Chunk::CellSprite(sprite) = chunk else {
            return None;
        };
        Some(Self {
            cells: sprite.cells.len(),
            work_bytes: sprite.work_bytes(),
        })
    }

    pub(super) fn text(&self) -> String {
        format!(
            "{}, work buffer {} bytes",
            plural(self.cells, "cell"),
            self.work_bytes
        )
    }
}

#[derive(Serialize)]
pub(super) struct StreamInfo {
    words: usize,
    time_offset: i32,
    time_max: i32,
    chunks: Counts,
}

impl StreamInfo {
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        let Chunk::CellStream(stream) = chunk else {
            return None;
        };
        let mut counts = std::collections::BTreeMap::new();
        for chunk in &stream.chunks {
            counts.entry(chunk.id()).or_insert((chunk.name(), 0)).1 += 1;
        }
        Some(Self {
            words: stream.words(),
            time_offset: stream.time_offset,
            time_max: stream.time_max,
            chunks: counts
                .into_values()
                .map(|(name, n)| (name.to_owned(), n.into()))
                .collect(),
        })
    }

    pub(super) fn text(&self) -> String {
        let (words, offset, max) = (self.words, self.time_offset, self.time_max);
        format!(
            "{}, from time {offset}, length {max}; {}",
            plural(words, "word"),
            super::list(&self.chunks)
        )
    }
}
