//! Assignment of a shape motion's keys to the vertex chunks of a tree.

use super::error::ShapeFault;
use super::moved_chunk::{MovedChunk, Vertices};
use crate::motion::Track;
use ninja::{CShapeData, CShapeList, CShapeMotion, Key, ShapeChunk, ShapeVlistId, VertexChunk};

/// Shape list, with decoded copies of the shapes to which keys refer.
pub(super) struct ShapeCache<'a> {
    pub(super) list: &'a CShapeList,
    pub(super) vertices: Vec<Vertices>,
    /// Index in `vertices`, by number of the vertex list.
    known: Vec<Option<usize>>,
}

impl<'a> ShapeCache<'a> {
    pub(super) fn new(list: &'a CShapeList) -> Self {
        Self {
            list,
            vertices: Vec::new(),
            known: vec![None; list.vlists.len()],
        }
    }

    /// Returns the vertex list of `shape` for shape data with the entry id `entry`.
    fn find(&self, shape: u32, entry: u16) -> Result<(ShapeVlistId, &'a ShapeChunk), ShapeFault> {
        let group = self.list.shapes.get(shape as usize).ok_or(ShapeFault::NoShape {
            shape,
            last: self.list.shapes.len() as i64 - 1,
        })?;
        let lists = group.cvlist.and_then(|id| self.list.cvlists.get(id.0 as usize));
        let lists = lists.map_or(&[][..], Vec::as_slice);
        let id = lists.get(usize::from(entry)).copied().flatten();
        let vlist = id.and_then(|id| Some((id, self.list.vlists.get(id.0 as usize)?)));
        let (id, vlist) = vlist.ok_or(ShapeFault::NoEntry {
            shape,
            entry,
            lists: lists.len(),
        })?;
        match vlist.chunks.as_slice() {
            [chunk] => Ok((id, chunk)),
            chunks => Err(ShapeFault::Chunks {
                shape,
                entry,
                chunks: chunks.len(),
            }),
        }
    }

    fn decode(&mut self, id: ShapeVlistId, chunk: &ShapeChunk) -> usize {
        let slot = id.0 as usize;
        if let Some(known) = self.known[slot] {
            return known;
        }
        self.vertices.push(Vertices::of(chunk));
        self.known[slot] = Some(self.vertices.len() - 1);
        self.vertices.len() - 1
    }

    /// Returns the shapes for one vertex chunk; `None` if it has no keys.
    pub(super) fn moved(
        &mut self,
        motion: &CShapeMotion,
        data: &CShapeData,
        own: &VertexChunk,
    ) -> Result<Option<MovedChunk>, ShapeFault> {
        let keys = data.keys.and_then(|id| motion.tracks.get(id.0 as usize));
        let Some((keys, first)) = keys.and_then(|keys| Some((keys, keys.first()?.value))) else {
            return Ok(None);
        };
        let (_, pattern) = self.find(first, data.entry_id)?;
        let mut resolved = Vec::new();
        for key in keys {
            let (id, chunk) = self.find(key.value, data.entry_id)?;
            self.check_like(key.value, chunk, first, pattern)?;
            let value = self.decode(id, chunk);
            resolved.push(Key {
                frame: key.frame,
                value,
            });
        }
        if pattern.count() > usize::from(own.count) {
            return Err(ShapeFault::Vertices {
                shape: first,
                found: pattern.count(),
                expected: own.count.into(),
            });
        }
        Ok(Some(MovedChunk {
            kind: pattern.kind,
            own: own.clone(),
            keys: Track::new(&resolved, |value| value),
        }))
    }

    /// Checks that `shape` can be blended with `first`, the shape of the first key: group, kind and number of
    /// vertices must be equal.
    fn check_like(
        &self,
        shape: u32,
        chunk: &ShapeChunk,
        first: u32,
        pattern: &ShapeChunk,
    ) -> Result<(), ShapeFault> {
        let group = |shape: u32| {
            self.list
                .shapes
                .get(shape as usize)
                .map_or(0, |group| group.group_id)
        };
        let unlike = |found: String, expected: String| ShapeFault::Unlike {
            shape,
            first,
            found,
            expected,
        };
        if chunk.kind != pattern.kind {
            return Err(unlike(chunk.kind.name().into(), pattern.kind.name().into()));
        }
        if chunk.count() != pattern.count() {
            let vertices = |chunk: &ShapeChunk| format!("{} vertices", chunk.count());
            return Err(unlike(vertices(chunk), vertices(pattern)));
        }
        if group(shape) != group(first) {
            return Err(unlike(
                format!("group {}", group(shape)),
                format!("group {}", group(first)),
            ));
        }
        Ok(())
    }
}
