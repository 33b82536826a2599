//! Objects with their motions, and scenes, which persist between frames.

use crate::{
    Kernels, Link, Motion, Playback, Pose, SceneError, ShapeMotion, Shapes, Stats, TaLists, View, draw,
    matrix,
};
use ninja::{ObjectId, ObjectTree};
use sh4_kernels::{Matrix, Place};

/// A model with the motions that play on it, sharing one clock.
///
/// ```
/// use ninja::{Element, Key, Keys, MotionKind, MotionType, ObjectTree};
/// use scene::{Motion, Object, Reference};
///
/// let mut tree = ObjectTree::new();
/// tree.push_object(ninja::Object::default());
/// let mut wave = ninja::Motion::new(MotionKind::Model, MotionType(0) | Element::Scl, 3);
/// let key = |frame, size| Key { frame, value: [size; 3] };
/// let track = wave.push_track(Keys::F(vec![key(0, 1.0), key(2, 2.0)]));
/// wave.push_node(&[Some(track)]);
///
/// let mut object = Object::new(tree);
/// object.motion = Some(Motion::bind(object.tree(), &wave)?);
/// object.playback.advance(1.0);
/// let (pose, _) = object.evaluate(&mut Reference)?.expect("a frame within the motion");
/// assert_eq!(pose.nodes[0].scale, Some([1.5; 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Object {
    tree: ObjectTree,
    /// Motion that moves the nodes.
    pub motion: Option<Motion>,
    /// A second motion for blending. Without a first motion, the tree at rest takes its place.
    pub link: Option<Link>,
    /// Motion that moves the vertices.
    pub shape: Option<ShapeMotion>,
    /// Clock of all motions. Its [`PlayMode`](crate::PlayMode) applies to each motion with the motion's own
    /// length.
    pub playback: Playback,
    /// Hidden models, by node, independent of motions. Nodes beyond the end of the list are drawn.
    pub hidden: Vec<bool>,
}

impl Object {
    /// Creates an object for a model at rest.
    pub fn new(tree: ObjectTree) -> Self {
        Self {
            tree,
            motion: None,
            link: None,
            shape: None,
            playback: Playback::default(),
            hidden: Vec::new(),
        }
    }

    /// Returns the model.
    pub fn tree(&self) -> &ObjectTree {
        &self.tree
    }

    /// Length of the longest motion in frames; 0 without motions.
    pub fn length(&self) -> u32 {
        let motion = self.motion.as_ref().map_or(0, Motion::length);
        let link = self.link.as_ref().map_or(0, |link| link.motion.length());
        motion
            .max(link)
            .max(self.shape.as_ref().map_or(0, ShapeMotion::length))
    }

    /// Returns the current nodes and vertices. `None` if a motion that plays once has ended: the object is
    /// then not drawn.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn evaluate(&self, kernels: &mut dyn Kernels) -> Result<Option<(Pose, Shapes)>, SceneError> {
        let Some(mut pose) = self.pose(kernels)? else {
            return Ok(None);
        };
        for (node, hidden) in pose.nodes.iter_mut().zip(&self.hidden) {
            node.hidden |= hidden;
        }
        let shapes = match &self.shape {
            None => Some(Shapes::none()),
            Some(shape) => match self.playback.frame(shape.length()) {
                Some(frame) => shape.shapes(frame, kernels)?,
                None => None,
            },
        };
        Ok(shapes.map(|shapes| (pose, shapes)))
    }

    fn pose(&self, kernels: &mut dyn Kernels) -> Result<Option<Pose>, SceneError> {
        let first = match &self.motion {
            None => Some(Pose::rest(&self.tree)),
            Some(motion) => pose_at(motion, self.playback, kernels)?,
        };
        let (Some(first), Some(link)) = (&first, &self.link) else {
            return Ok(first);
        };
        let mut clock = self.playback;
        clock.time += link.ahead;
        match pose_at(&link.motion, clock, kernels)? {
            Some(second) => Ok(Some(first.blend(&second, link.share, kernels)?)),
            None => Ok(None),
        }
    }

    /// Returns the matrices from each node's space to view space, by [`ninja::ObjectId::index`], for
    /// attaching objects to nodes. `None` for nodes that are currently not visited. ROTATE_BASE and
    /// ROTATE_SET are ignored.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn matrices(
        &self,
        view: &View,
        kernels: &mut dyn Kernels,
    ) -> Result<Vec<Option<Matrix>>, SceneError> {
        let mut matrices = vec![None; self.tree.objects.len()];
        let Some(pose) = self.pose(kernels)? else {
            return Ok(matrices);
        };
        let mut pending = vec![(ObjectId(0), view.camera.view(kernels)?)];
        while let Some((id, parent)) = pending.pop() {
            let (Some(object), Some(node)) = (self.tree.object(id), pose.node(id)) else {
                continue;
            };
            // A node that occurs twice is part of a cycle.
            if matrices[id.index()].is_some() {
                continue;
            }
            let matrix = matrix::node(kernels, &parent, node)?;
            matrices[id.index()] = Some(matrix);
            pending.extend(object.sibling.map(|sibling| (sibling, parent)));
            pending.extend(
                object
                    .child
                    .filter(|_| !node.childless)
                    .map(|child| (child, matrix)),
            );
        }
        Ok(matrices)
    }

    /// Draws the object in its current state.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn draw(
        &self,
        view: &View,
        kernels: &mut dyn Kernels,
        lists: &mut TaLists,
    ) -> Result<Stats, SceneError> {
        match self.evaluate(kernels)? {
            Some((pose, shapes)) => draw(&self.tree, &pose, &shapes, view, kernels, lists),
            None => Ok(Stats::default()),
        }
    }
}

fn pose_at(motion: &Motion, clock: Playback, kernels: &mut dyn Kernels) -> Result<Option<Pose>, SceneError> {
    match clock.frame(motion.length()) {
        Some(frame) => Ok(motion.pose(frame, kernels)?),
        None => Ok(None),
    }
}

/// Objects in one view.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Camera, lights and settings.
    pub view: View,
    /// Objects in drawing order.
    pub objects: Vec<Object>,
}

impl Scene {
    /// Creates an empty scene.
    pub fn new(view: View) -> Self {
        Self {
            view,
            objects: Vec::new(),
        }
    }

    /// Advances every object by `frames` frames.
    pub fn advance(&mut self, frames: f32) {
        for object in &mut self.objects {
            object.playback.advance(frames);
        }
    }

    /// Sets the clock of every object.
    pub fn seek(&mut self, time: f32) {
        for object in &mut self.objects {
            object.playback.time = time;
        }
    }

    /// Length of the longest motion in frames; 0 without motions.
    pub fn length(&self) -> u32 {
        self.objects.iter().map(Object::length).max().unwrap_or(0)
    }

    /// Draws every object.
    ///
    /// # Errors
    /// See [`SceneError`]; the number is the index of the object.
    pub fn draw(&self, kernels: &mut dyn Kernels, lists: &mut TaLists) -> Result<Stats, (usize, SceneError)> {
        let mut stats = Stats::default();
        for (i, object) in self.objects.iter().enumerate() {
            kernels.enter(Place::Model(i));
            let drawn = object
                .draw(&self.view, kernels, lists)
                .map_err(|error| (i, error))?;
            stats.add(&drawn);
        }
        Ok(stats)
    }
}
