//! Motions of a tree's nodes.

use super::error::{MotionError, MotionWarning};
use super::pairing;
use super::track::LastKey;
use super::tracks::{Axis3, Moment, Tracks, angles, quaternions, vectors};
use crate::{Kernels, NodePose, Pose, Rotation, SplineAngles};
use ninja::{Bams, EvalFlags, MotionKind, ObjectTree};
use sh4_kernels::KernelError;

/// A motion bound to the tree that it moves.
///
/// While a motion plays, UNIT flags and BREAK are ignored and HIDE is honoured. An element without keys keeps
/// the node's own value. Angles that have keys turn in the order of the root's ZXY flag; nodes that the
/// motion skips, and that have no entry, keep their own order.
///
/// ```
/// use ninja::{Element, Key, Keys, MotionKind, MotionType, Object, ObjectTree};
/// use scene::{Motion, Reference};
///
/// let mut tree = ObjectTree::new();
/// tree.push_object(Object::default());
/// let mut motion = ninja::Motion::new(MotionKind::Model, MotionType(0) | Element::Pos, 11);
/// let key = |frame, x| Key { frame, value: [x, 0.0, 0.0] };
/// let track = motion.push_track(Keys::F(vec![key(0, 1.0), key(10, 3.0)]));
/// motion.push_node(&[Some(track)]);
///
/// let motion = Motion::bind(&tree, &motion)?;
/// let pose = motion.pose(5.0, &mut Reference)?.expect("frame 5 of 11");
/// assert_eq!(pose.nodes[0].position, Some([2.0, 0.0, 0.0]));
/// assert!(motion.pose(11.0, &mut Reference)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    length: u32,
    spline: bool,
    spline_angles: SplineAngles,
    last_key: LastKey,
    /// Turns keyed angles; see the type's documentation.
    zxy: bool,
    /// The tree without keys.
    still: Pose,
    pub(super) positions: Tracks<Axis3<f32>>,
    pub(super) scales: Tracks<Axis3<f32>>,
    pub(super) angles: Tracks<Axis3<i32>>,
    pub(super) short_angles: Tracks<Axis3<i32>>,
    pub(super) quaternions: Tracks<[f32; 4]>,
    pub(super) warnings: Vec<MotionWarning>,
}

impl Motion {
    /// Finds the node of every key table.
    ///
    /// # Errors
    /// See [`MotionError`]: above all a motion for another tree.
    pub fn bind(tree: &ObjectTree, source: &ninja::Motion) -> Result<Self, MotionError> {
        let elements = pairing::elements(source, MotionKind::Model)?;
        let mut warnings = Vec::new();
        let pairs = pairing::pair(tree, EvalFlags::SKIP, &source.nodes, &mut warnings)?;
        let spline = pairing::is_spline(source.inp_fn.method(), &mut warnings);
        let root = tree.objects.first();
        let mut motion = Self {
            length: source.nb_frame,
            spline,
            spline_angles: SplineAngles::default(),
            last_key: LastKey::default(),
            zxy: root.is_some_and(|root| root.evalflags.contains(EvalFlags::ZXY_ANG)),
            still: still(tree),
            positions: Tracks::default(),
            scales: Tracks::default(),
            angles: Tracks::default(),
            short_angles: Tracks::default(),
            quaternions: Tracks::default(),
            warnings,
        };
        for (id, entry) in pairs {
            motion.add_node(id, entry, &elements, source)?;
        }
        Ok(motion)
    }

    /// The same with another rule for what comes after the last key.
    #[must_use]
    pub fn with_last_key(self, last_key: LastKey) -> Self {
        Self { last_key, ..self }
    }

    /// The same with another rule for angles, if the motion's method is a spline.
    #[must_use]
    pub fn with_spline_angles(self, spline_angles: SplineAngles) -> Self {
        Self {
            spline_angles,
            ..self
        }
    }

    /// The rule for angles, if the motion's method is a spline and it moves angles.
    pub fn spline_angles(&self) -> Option<SplineAngles> {
        let has_angles = !self.angles.is_empty() || !self.short_angles.is_empty();
        (self.spline && has_angles).then_some(self.spline_angles)
    }

    /// Length in frames; the last is one less.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// What is unusual about the motion, each kind once.
    pub fn warnings(&self) -> &[MotionWarning] {
        &self.warnings
    }

    /// The tree at `frame`; `None` before the first and from `length` on, where the original draws nothing.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn pose(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<Option<Pose>, KernelError> {
        if !(frame >= 0.0 && f64::from(frame) < f64::from(self.length)) {
            return Ok(None);
        }
        let moment = Moment {
            frame,
            length: self.length,
            last_key: self.last_key,
        };
        let mut pose = self.still.clone();
        for (id, value) in vectors(&self.positions, self.spline, moment, kernels)? {
            pose.nodes[id.index()].position = Some(value);
        }
        for (id, value) in vectors(&self.scales, self.spline, moment, kernels)? {
            pose.nodes[id.index()].scale = Some(value);
        }
        let spline = self.spline && self.spline_angles == SplineAngles::Spline;
        for (tracks, short_way) in [(&self.angles, false), (&self.short_angles, true)] {
            for (id, value) in angles(tracks, spline, moment, short_way, kernels)? {
                pose.nodes[id.index()].rotation = Rotation::euler(value.map(Bams), self.zxy);
            }
        }
        for (id, value) in quaternions(&self.quaternions, moment, kernels)? {
            pose.nodes[id.index()].rotation = Rotation::Quaternion(value);
        }
        Ok(Some(pose))
    }
}

/// The nodes' own values, as they stand while a motion plays.
fn still(tree: &ObjectTree) -> Pose {
    let node = |object: &ninja::Object| NodePose {
        position: Some(object.pos),
        rotation: Rotation::of(object, object.evalflags.contains(EvalFlags::ZXY_ANG)),
        scale: Some(object.scl),
        hidden: object.evalflags.contains(EvalFlags::HIDE),
        childless: false,
    };
    let mut nodes: Vec<NodePose> = tree.objects.iter().map(node).collect();
    let root_zxy = tree
        .objects
        .first()
        .is_some_and(|root| root.evalflags.contains(EvalFlags::ZXY_ANG));
    for (id, object) in pairing::taking_nodes(tree, EvalFlags::SKIP) {
        nodes[id.index()].rotation = Rotation::of(object, root_zxy);
    }
    Pose { nodes }
}
