//! The walk over an object tree.
//!
//! A node's vertex list goes into the vertex buffer under the node's matrix; its polygon list then draws whatever the
//! buffer holds. Children come before siblings. `CP n` remembers the rest of a polygon list and ends it, `DP n` runs
//! the remembered rest with the buffer as it is by then.

use crate::material::MaterialState;
use crate::output::TaLists;
use crate::vertex_buffer::VertexBuffer;
use crate::{
    Camera, Lights, NodePose, Pose, SceneError, Shapes, Textures, Viewport, Warning, matrix, strips,
};
use ninja::{EvalFlags, Model, Object, ObjectId, ObjectTree, PlistId, PolyChunk, WeightScale};
use sh4_kernels::{Kernels, Matrix};
use std::collections::BTreeMap;

/// From where, in what light and with what textures a tree is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The camera.
    pub camera: Camera,
    /// The projection.
    pub viewport: Viewport,
    /// The lights.
    pub lights: Lights,
    /// The textures.
    pub textures: Textures,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Nodes visited.
    pub nodes: usize,
    /// Strips sent.
    pub strips: usize,
    /// Triangles sent.
    pub triangles: usize,
    /// Lowest and highest coordinates in view space of all vertices that strips name; those behind the near plane too.
    pub bounds: Option<[[f32; 3]; 2]>,
    /// Warnings with the number of times they applied.
    pub warnings: BTreeMap<Warning, usize>,
}

impl Stats {
    /// Adds what another tree gave.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.strips += other.strips;
        self.triangles += other.triangles;
        self.bounds = match (self.bounds, other.bounds) {
            (Some([low, high]), Some([lower, higher])) => Some([
                [0, 1, 2].map(|k| low[k].min(lower[k])),
                [0, 1, 2].map(|k| high[k].max(higher[k])),
            ]),
            (bounds, None) | (None, bounds) => bounds,
        };
        for (warning, times) in &other.warnings {
            *self.warnings.entry(*warning).or_default() += times;
        }
    }
}

/// Evaluation flags that change nothing here and need no word: they belong to motions or are information.
const QUIET: u32 =
    EvalFlags::SKIP.0 | EvalFlags::SHAPE_SKIP.0 | EvalFlags::MODIFIER.0 | EvalFlags::ENVELOPE.0;
/// Evaluation flags that are followed.
const KNOWN: u32 = EvalFlags::UNIT_POS.0
    | EvalFlags::UNIT_ANG.0
    | EvalFlags::UNIT_SCL.0
    | EvalFlags::HIDE.0
    | EvalFlags::BREAK.0
    | EvalFlags::QUATERNION.0
    | EvalFlags::ZXY_ANG.0;

/// More plist chunks than this in one tree are a loop: remembered lists may run many times, but not for ever.
const CHUNK_LIMIT: usize = 4_000_000;

/// Draws `tree` as `pose` and `shapes` have it, appending to `lists`.
///
/// A tree at rest is drawn with [`Pose::rest`] and [`Shapes::none`].
///
/// # Errors
/// See [`SceneError`]; what was appended before an error stays in `lists`.
pub fn draw(
    tree: &ObjectTree,
    pose: &Pose,
    shapes: &Shapes,
    view: &View,
    kernels: &mut dyn Kernels,
    lists: &mut TaLists,
) -> Result<Stats, SceneError> {
    if tree.objects.is_empty() {
        return Ok(Stats::default());
    }
    let base = view.camera.view(kernels)?;
    let mut walk = Walk {
        tree,
        pose,
        shapes,
        stats: Stats::default(),
        buffer: VertexBuffer::default(),
        material: MaterialState::new(view, matrix::inverse_rotation(&base)),
        remembered: BTreeMap::new(),
        chunks: 0,
        hidden: 0,
        weight_scale: tree.weight_factor(WeightScale::Auto),
        view,
        kernels,
        lists,
    };
    walk.tree(base)?;
    walk.stats.bounds = walk.buffer.bounds();
    Ok(walk.stats)
}

pub(crate) struct Walk<'a> {
    tree: &'a ObjectTree,
    pose: &'a Pose,
    shapes: &'a Shapes,
    pub(crate) view: &'a View,
    pub(crate) kernels: &'a mut dyn Kernels,
    pub(crate) lists: &'a mut TaLists,
    pub(crate) buffer: VertexBuffer,
    pub(crate) material: MaterialState<'a>,
    pub(crate) stats: Stats,
    /// CP number to the chunk after it.
    remembered: BTreeMap<u8, (PlistId, usize)>,
    chunks: usize,
    /// Models skipped because their node is hidden.
    pub(crate) hidden: usize,
    weight_scale: f32,
}

impl Walk<'_> {
    fn tree(&mut self, base: Matrix) -> Result<(), SceneError> {
        // A stack and not recursion: trees may be as deep as their file is long.
        let mut pending: Vec<(ObjectId, Matrix)> = vec![(ObjectId(0), base)];
        while let Some((id, parent)) = pending.pop() {
            let tree = self.tree;
            let object = tree.object(id).ok_or(SceneError::Dangling("a node"))?;
            let pose = self.pose.node(id).ok_or(SceneError::Poseless {
                nodes: tree.objects.len(),
                poses: self.pose.nodes.len(),
            })?;
            let matrix = self.node(id, object, pose, &parent)?;
            if let Some(sibling) = object.sibling {
                pending.push((sibling, parent));
            }
            if let Some(child) = object.child
                && !pose.childless
            {
                pending.push((child, matrix));
            }
        }
        Ok(())
    }

    fn node(
        &mut self,
        id: ObjectId,
        object: &Object,
        pose: &NodePose,
        parent: &Matrix,
    ) -> Result<Matrix, SceneError> {
        self.stats.nodes += 1;
        let unknown = object.evalflags.0 & !(KNOWN | QUIET);
        if unknown != 0 {
            self.warn(Warning::Evalflags { bits: unknown });
        }
        let matrix = matrix::node(self.kernels, parent, pose)?;
        let Some(model) = object.model else {
            return Ok(matrix);
        };
        if pose.hidden {
            self.hidden += 1;
            return Ok(matrix);
        }
        let tree = self.tree;
        let model = tree.model(model).ok_or(SceneError::Dangling("a model"))?;
        self.model(id, object, model, &matrix)?;
        Ok(matrix)
    }

    fn model(
        &mut self,
        id: ObjectId,
        object: &Object,
        model: &Model,
        matrix: &Matrix,
    ) -> Result<(), SceneError> {
        let at = |list, chunk, cause| SceneError::At {
            node: id.index(),
            offset: object.offset,
            list,
            chunk,
            cause: Box::new(cause),
        };
        let tree = self.tree;
        if let Some(vlist) = model.vlist {
            let vlist = tree.vlist(vlist).ok_or(SceneError::Dangling("a vlist"))?;
            for (i, own) in vlist.chunks.iter().enumerate() {
                let chunk = self.shapes.get(id, i).unwrap_or(own);
                self.buffer
                    .fill(self.kernels, matrix, chunk, self.weight_scale)
                    .map_err(|source| at("vlist", i, source))?;
            }
        }
        if let Some(plist) = model.plist {
            self.plist(plist)
                .map_err(|(chunk, source)| at("plist", chunk, source))?;
        }
        Ok(())
    }

    /// Runs a polygon list; an error comes with the index of the chunk of the node's own list.
    fn plist(&mut self, id: PlistId) -> Result<(), (usize, SceneError)> {
        // Remembered lists that are running, innermost last: DP inside a remembered list is allowed, a circle is not.
        let mut running: Vec<(Option<u8>, PlistId, usize)> = vec![(None, id, 0)];
        while let Some((number, id, next)) = running.pop() {
            let top = running
                .first()
                .map_or(next, |(_, _, next)| next.saturating_sub(1));
            let tree = self.tree;
            let plist = tree.plist(id).ok_or((top, SceneError::Dangling("a plist")))?;
            let Some(chunk) = plist.chunks.get(next) else {
                continue;
            };
            self.chunks += 1;
            if self.chunks > CHUNK_LIMIT {
                return Err((top, SceneError::Endless(CHUNK_LIMIT)));
            }
            match chunk {
                PolyChunk::CachePolygons(cache) => {
                    self.remembered.insert(*cache, (id, next + 1));
                }
                PolyChunk::DrawPolygons(cache) => {
                    running.push((number, id, next + 1));
                    let Some((list, start)) = self.remembered.get(cache).copied() else {
                        return Err((top, SceneError::UnknownList { number: *cache }));
                    };
                    if running.iter().any(|(number, _, _)| *number == Some(*cache)) {
                        return Err((top, SceneError::RecursiveList { number: *cache }));
                    }
                    running.push((Some(*cache), list, start));
                }
                other => {
                    self.poly_chunk(other).map_err(|source| (top, source))?;
                    running.push((number, id, next + 1));
                }
            }
        }
        Ok(())
    }

    fn poly_chunk(&mut self, chunk: &PolyChunk) -> Result<(), SceneError> {
        match chunk {
            PolyChunk::Strip(strip) => strips::draw(self, strip)?,
            PolyChunk::Volume(_) => self.warn(Warning::Volume),
            PolyChunk::Bump(_) => self.warn(Warning::Bump),
            other => {
                if let Some(warning) = self.material.apply(other) {
                    self.warn(warning);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warn_times(warning, 1);
    }

    pub(crate) fn warn_times(&mut self, warning: Warning, times: usize) {
        // One entry for all missing textures: the first is named.
        let known = self.stats.warnings.keys().find(|known| {
            std::mem::discriminant(*known) == std::mem::discriminant(&warning)
                && !matches!(warning, Warning::Evalflags { .. })
        });
        let key = known.copied().unwrap_or(warning);
        *self.stats.warnings.entry(key).or_default() += times;
    }
}
