//! The walk over an object tree.
//!
//! A node's vertex list goes into the vertex buffer under the node's matrix; its polygon list then draws
//! whatever the buffer holds. Children come before siblings. `CP n` remembers the rest of a polygon list and
//! ends it, `DP n` runs the remembered rest with the buffer as it is by then.

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
    /// What is doubtful or a matter of taste.
    pub settings: Settings,
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
    /// Modifier volumes sent.
    pub volumes: usize,
    /// Models whose bounding sphere was out of sight.
    pub culled: usize,
    /// Lowest and highest coordinates in view space of all vertices that strips name; those behind the near
    /// plane too.
    pub bounds: Option<[[f32; 3]; 2]>,
    /// Warnings with the number of times they applied.
    pub warnings: BTreeMap<Warning, usize>,
}

impl Stats {
    /// A strip of so many vertices was sent.
    pub(crate) fn sent(&mut self, vertices: usize) {
        self.strips += 1;
        self.triangles += vertices.saturating_sub(2);
    }

    /// Adds what another tree gave.
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
    | EvalFlags::ZXY_ANG.0
    | EvalFlags::CLIP.0
    | EvalFlags::ROTATE_BASE.0
    | EvalFlags::ROTATE_SET.0;

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
    walk(tree, pose, shapes, view, kernels, lists, None)
}

/// Draws a tree; or, with `gather`, tells it of vertex lists and strips instead of drawing.
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
        beyond: None,
        remembered: BTreeMap::new(),
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
    /// Takes strips instead of `lists`.
    pub(crate) gather: Option<&'a mut Gather>,
    pub(crate) buffer: VertexBuffer,
    pub(crate) material: MaterialState<'a>,
    pub(crate) stats: Stats,
    frustum: Frustum,
    /// The plane that hides the present model's bounding sphere.
    beyond: Option<Plane>,
    /// CP number to what runs when DP names it.
    pub(crate) remembered: BTreeMap<u8, CachedPolygons>,
    pub(crate) chunks: usize,
    /// Models skipped because their node is hidden.
    pub(crate) hidden: usize,
}

/// Whether a node's children go when its model is out of sight. The original ignores the flag where it does
/// not push a matrix, that is where all UNIT flags are set (docs/formats/ninja.md 2.1).
fn clips(flags: EvalFlags) -> bool {
    let unmoved = EvalFlags::UNIT_POS | EvalFlags::UNIT_ANG | EvalFlags::UNIT_SCL;
    flags.contains(EvalFlags::CLIP) && !flags.contains(unmoved)
}

impl Walk<'_> {
    fn node(&mut self, descent: &mut Descent<'_>, step: &Step<'_>) -> Result<(), SceneError> {
        self.stats.nodes += 1;
        self.kernels.enter(Place::Node(step.id.index()));
        let unknown = step.object.evalflags.0 & !(KNOWN | QUIET);
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

    /// Draws a node's model; whether the CLIP flag takes the node's children away.
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
        self.beyond = self.frustum.hiding(self.kernels, &matrix, data)?;
        self.stats.culled += usize::from(self.beyond.is_some());
        let clipped = self.beyond.is_some() && clips(step.object.evalflags);
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
        self.beyond = None;
        Ok(clipped)
    }

    /// Whether vertices can be left out: those of a model whose sphere is out of sight, if they are so
    /// themselves. They are looked at one by one because strips may name vertices of other nodes, and spheres
    /// may be too small.
    pub(crate) fn out_of_sight(&self, slots: &[u16]) -> bool {
        self.view.settings.cull
            && self
                .beyond
                .is_some_and(|plane| slots.iter().all(|slot| plane.hides(self.buffer.position(*slot))))
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        // One entry for all missing textures: the first is named.
        let known = self.stats.warnings.keys().find(|known| {
            std::mem::discriminant(*known) == std::mem::discriminant(&warning)
                && !matches!(warning, Warning::Evalflags { .. })
        });
        let key = known.copied().unwrap_or(warning);
        *self.stats.warnings.entry(key).or_default() += 1;
    }
}
