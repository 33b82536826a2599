//! Traversal of an object tree for drawing.
//!
//! A node's vertices, transformed by the node's matrix, go into the vertex buffer. Its polygon list then
//! draws the contents of the buffer. Children precede siblings. `CP n` stores the rest of a polygon list and
//! ends the list. `DP n` draws the stored rest with the current contents of the buffer.

use crate::cull::{Frustum, Plane};
use crate::descent::{Descent, Step};
use crate::geometry::Gather;
use crate::material::MaterialState;
use crate::output::TaLists;
use crate::plist::{self, CachedPolygons, Owner};
use crate::vertex_buffer::VertexBuffer;
use crate::{Camera, Lights, Pose, SceneError, Settings, Shapes, Textures, Viewport, Warning};
use ninja::{EvalFlags, ObjectTree};
use sh4_kernels::{Kernels, Matrix, Place};
use std::collections::BTreeMap;

/// Camera, lights, textures and settings for drawing a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Camera.
    pub camera: Camera,
    /// Projection.
    pub viewport: Viewport,
    /// Lights.
    pub lights: Lights,
    /// Textures.
    pub textures: Textures,
    /// Settings for uncertain rules and for preferences.
    pub settings: Settings,
}

/// Drawing statistics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Number of visited nodes.
    pub nodes: usize,
    /// Number of sent strips.
    pub strips: usize,
    /// Number of sent triangles.
    pub triangles: usize,
    /// Number of sent modifier volumes.
    pub volumes: usize,
    /// Number of models with a bounding sphere outside the view.
    pub culled: usize,
    /// Lowest and highest coordinates in view space of all vertices in strips, including vertices nearer than
    /// the near plane.
    pub bounds: Option<[[f32; 3]; 2]>,
    /// Warnings with the number of times they applied.
    pub warnings: BTreeMap<Warning, usize>,
}

impl Stats {
    /// Records a submitted strip.
    pub(crate) fn sent(&mut self, vertices: usize) {
        self.strips += 1;
        self.triangles += vertices.saturating_sub(2);
    }

    /// Adds the statistics of another tree.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.strips += other.strips;
        self.triangles += other.triangles;
        self.volumes += other.volumes;
        self.culled += other.culled;
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

/// Evaluation flags without effect here and without a warning: they concern motions or are informational.
const IGNORED: u32 =
    EvalFlags::SKIP.0 | EvalFlags::SHAPE_SKIP.0 | EvalFlags::MODIFIER.0 | EvalFlags::ENVELOPE.0;
/// Supported evaluation flags.
const KNOWN: u32 = EvalFlags::UNIT_POS.0
    | EvalFlags::UNIT_ANG.0
    | EvalFlags::UNIT_SCL.0
    | EvalFlags::HIDE.0
    | EvalFlags::BREAK.0
    | EvalFlags::QUATERNION.0
    | EvalFlags::ZXY_ANG.0
    | EvalFlags::CLIP.0
    | EvalFlags::ROTATE_BASE.0
    | EvalFlags::ROTATE_SET.0;

/// Draws `tree` in the state of `pose` and `shapes`, appending to `lists`.
///
/// For a tree at rest, use [`Pose::rest`] and [`Shapes::none`].
///
/// # Errors
/// See [`SceneError`]. After an error `lists` keeps the data appended before.
pub fn draw(
    tree: &ObjectTree,
    pose: &Pose,
    shapes: &Shapes,
    view: &View,
    kernels: &mut dyn Kernels,
    lists: &mut TaLists,
) -> Result<Stats, SceneError> {
    walk(tree, pose, shapes, view, kernels, lists, None)
}

/// Draws a tree; with `gather`, reports vertex lists and strips to it instead of drawing.
pub(crate) fn walk(
    tree: &ObjectTree,
    pose: &Pose,
    shapes: &Shapes,
    view: &View,
    kernels: &mut dyn Kernels,
    lists: &mut TaLists,
    gather: Option<&mut Gather>,
) -> Result<Stats, SceneError> {
    if tree.objects.is_empty() {
        return Ok(Stats::default());
    }
    let base = view.camera.view(kernels)?;
    let mut walk = Walk {
        tree,
        stats: Stats::default(),
        buffer: VertexBuffer::default(),
        material: MaterialState::new(view, &base, kernels)?,
        frustum: Frustum::new(&view.viewport),
        hiding_plane: None,
        stored_lists: BTreeMap::new(),
        chunks: 0,
        hidden: 0,
        view,
        kernels,
        lists,
        gather,
    };
    let mut descent = Descent::new(tree, pose, shapes, base);
    while let Some(step) = descent.next()? {
        walk.node(&mut descent, &step)?;
    }
    walk.stats.bounds = walk.buffer.bounds();
    Ok(walk.stats)
}

pub(crate) struct Walk<'a> {
    pub(crate) tree: &'a ObjectTree,
    pub(crate) view: &'a View,
    pub(crate) kernels: &'a mut dyn Kernels,
    pub(crate) lists: &'a mut TaLists,
    /// Receives strips instead of `lists`.
    pub(crate) gather: Option<&'a mut Gather>,
    pub(crate) buffer: VertexBuffer,
    pub(crate) material: MaterialState<'a>,
    pub(crate) stats: Stats,
    frustum: Frustum,
    /// Plane of the frustum that the current model's bounding sphere is completely outside of; `None` if the
    /// sphere may be visible.
    hiding_plane: Option<Plane>,
    /// Positions in polygon lists that CP has stored, by CP number.
    pub(crate) stored_lists: BTreeMap<u8, CachedPolygons>,
    pub(crate) chunks: usize,
    /// Number of models skipped because their node is hidden.
    pub(crate) hidden: usize,
}

/// True if the node's children are skipped when its model is hidden. The original ignores the CLIP flag if
/// all UNIT flags are set, because it then pushes no matrix (docs/formats/ninja.md 2.1).
fn clips(flags: EvalFlags) -> bool {
    let unmoved = EvalFlags::UNIT_POS | EvalFlags::UNIT_ANG | EvalFlags::UNIT_SCL;
    flags.contains(EvalFlags::CLIP) && !flags.contains(unmoved)
}

impl Walk<'_> {
    fn node(&mut self, descent: &mut Descent<'_>, step: &Step<'_>) -> Result<(), SceneError> {
        self.stats.nodes += 1;
        self.kernels.enter(Place::Node(step.id.index()));
        let unknown = step.object.evalflags.0 & !(KNOWN | IGNORED);
        if unknown != 0 {
            self.warn(Warning::Evalflags { bits: unknown });
        }
        if descent.lacks_base(step.object) {
            self.warn(Warning::RotationBase);
        }
        let matrix = descent.matrix(self.kernels, step)?;
        if !self.model(descent, step, matrix)? {
            descent.enter(step, matrix);
        }
        Ok(())
    }

    /// Draws a node's model; returns whether the CLIP flag removes the node's children.
    fn model(&mut self, descent: &Descent<'_>, step: &Step<'_>, matrix: Matrix) -> Result<bool, SceneError> {
        let Some(model) = step.object.model else {
            return Ok(false);
        };
        if step.pose.hidden {
            self.hidden += 1;
            return Ok(false);
        }
        let tree = self.tree;
        let data = tree.model(model).ok_or(SceneError::Dangling("a model"))?;
        self.hiding_plane = self.frustum.hiding(self.kernels, &matrix, data)?;
        self.stats.culled += usize::from(self.hiding_plane.is_some());
        let clipped = self.hiding_plane.is_some() && clips(step.object.evalflags);
        descent.fill(self.kernels, &mut self.buffer, step, data, &matrix)?;
        if let Some(gather) = &mut self.gather
            && let Some(vlist) = data.vlist.and_then(|vlist| tree.vlist(vlist))
        {
            gather.fill(self.stats.nodes - 1, vlist);
        }
        if let Some(plist) = data.plist {
            plist::run(self, plist, Owner { matrix, model })
                .map_err(|(chunk, source)| step.fault("plist", chunk, source))?;
        }
        self.hiding_plane = None;
        Ok(clipped)
    }

    /// True if vertices can be omitted: the model's sphere is hidden, and so is each vertex. Vertices are
    /// tested individually, because strips may use vertices of other nodes, and spheres may be too small.
    pub(crate) fn out_of_sight(&self, slots: &[u16]) -> bool {
        self.view.settings.cull
            && self
                .hiding_plane
                .is_some_and(|plane| slots.iter().all(|slot| plane.hides(self.buffer.position(*slot))))
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        // All warnings of one kind share one entry, which names the first. Only `Evalflags` has one for each
        // value.
        let known = self.stats.warnings.keys().find(|known| {
            std::mem::discriminant(*known) == std::mem::discriminant(&warning)
                && !matches!(warning, Warning::Evalflags { .. })
        });
        let key = known.copied().unwrap_or(warning);
        *self.stats.warnings.entry(key).or_default() += 1;
    }
}
