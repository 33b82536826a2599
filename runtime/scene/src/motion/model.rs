//! Motions of a tree's nodes.

use super::error::{MotionError, MotionWarning};
use super::pairing;
use super::track::LastKey;
use super::tracks::{Axis3, EvaluatedFrame, Tracks, angles, quaternions, vectors};
use crate::{Kernels, MotionBreak, MotionOrder, NodePose, Pose, Rotation, SplineAngles};
use ninja::{Bams, EvalFlags, MotionKind, ObjectId, ObjectTree};
use sh4_kernels::KernelError;

/// A motion bound to the tree that it moves.
///
/// While a motion plays, UNIT flags are ignored, and HIDE applies. An element without keys keeps the node's
/// own value. [`MotionBreak`] selects the effect of BREAK, and [`MotionOrder`] the order of angles for nodes
/// with an entry. Nodes that the motion skips keep their own order.
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
    /// Pose of the tree without keys, by the default rules.
    without_keys: Pose,
    /// Flags by node.
    flags: Vec<NodeFlags>,
    motion_break: MotionBreak,
    motion_order: MotionOrder,
    pub(super) positions: Tracks<Axis3<f32>>,
    pub(super) scales: Tracks<Axis3<f32>>,
    pub(super) angles: Tracks<Axis3<i32>>,
    pub(super) short_angles: Tracks<Axis3<i32>>,
    pub(super) quaternions: Tracks<[f32; 4]>,
    pub(super) warnings: Vec<MotionWarning>,
}

impl Motion {
    /// Assigns every key table to its node.
    ///
    /// # Errors
    /// See [`MotionError`], mainly for a motion of another tree.
    pub fn bind(tree: &ObjectTree, source: &ninja::Motion) -> Result<Self, MotionError> {
        let elements = pairing::elements(source, MotionKind::Model)?;
        let mut warnings = Vec::new();
        let pairs = pairing::pair(tree, EvalFlags::SKIP, &source.nodes, &mut warnings)?;
        let spline = pairing::is_spline(source.inp_fn.method(), &mut warnings);
        let mut motion = Self {
            length: source.nb_frame,
            spline,
            spline_angles: SplineAngles::default(),
            last_key: LastKey::default(),
            without_keys: without_keys(tree),
            flags: node_flags(tree),
            motion_break: MotionBreak::default(),
            motion_order: MotionOrder::default(),
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
        if motion.spline && !motion.quaternions.is_empty() {
            motion.warnings.push(MotionWarning::SplineQuaternions);
        }
        Ok(motion)
    }

    /// Returns the motion with another rule for the time after the last key.
    #[must_use]
    pub fn with_last_key(self, last_key: LastKey) -> Self {
        Self { last_key, ..self }
    }

    /// Returns the motion with another rule for angles, if its method is a spline.
    #[must_use]
    pub fn with_spline_angles(self, spline_angles: SplineAngles) -> Self {
        Self {
            spline_angles,
            ..self
        }
    }

    /// Returns the motion with other rules for the flags BREAK and ZXY_ANG.
    #[must_use]
    pub fn with_flags(self, motion_break: MotionBreak, motion_order: MotionOrder) -> Self {
        Self {
            motion_break,
            motion_order,
            ..self
        }
    }

    /// Returns the rule for angles, if the motion's method is a spline and it has angles.
    pub fn spline_angles(&self) -> Option<SplineAngles> {
        let has_angles = !self.angles.is_empty() || !self.short_angles.is_empty();
        (self.spline && has_angles).then_some(self.spline_angles)
    }

    /// Length in frames; the last frame is one less.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Warnings about the motion, each kind once.
    pub fn warnings(&self) -> &[MotionWarning] {
        &self.warnings
    }

    /// Returns the pose at `frame`; `None` before the first frame and from `length` on, where the original
    /// does not draw.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn pose(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<Option<Pose>, KernelError> {
        if !(frame >= 0.0 && f64::from(frame) < f64::from(self.length)) {
            return Ok(None);
        }
        let at = EvaluatedFrame {
            frame,
            length: self.length,
            last_key: self.last_key,
        };
        let mut pose = self.without_keys();
        for (id, value) in vectors(&self.positions, self.spline, at, kernels)? {
            pose.nodes[id.index()].position = Some(value);
        }
        for (id, value) in vectors(&self.scales, self.spline, at, kernels)? {
            pose.nodes[id.index()].scale = Some(value);
        }
        let spline = self.spline && self.spline_angles == SplineAngles::Spline;
        for (tracks, short_way) in [(&self.angles, false), (&self.short_angles, true)] {
            for (id, value) in angles(tracks, spline, at, short_way, kernels)? {
                pose.nodes[id.index()].rotation = Rotation::euler(value.map(Bams), self.zxy(id));
            }
        }
        for (id, value) in quaternions(&self.quaternions, at, kernels)? {
            pose.nodes[id.index()].rotation = Rotation::Quaternion(value);
        }
        Ok(Some(pose))
    }

    /// Returns the pose before keys are applied, under `motion_break` and `motion_order`.
    fn without_keys(&self) -> Pose {
        let mut pose = self.without_keys.clone();
        for (i, (node, flags)) in pose.nodes.iter_mut().zip(&self.flags).enumerate() {
            node.childless = flags.breaks && self.motion_break == MotionBreak::Stops;
            if let Rotation::Xyz(angles) | Rotation::Zxy(angles) = node.rotation
                && flags.takes_entry
            {
                node.rotation = Rotation::euler(angles, self.zxy(ObjectId(i as u32)));
            }
        }
        pose
    }

    /// True if the angles of a node with an entry rotate about z first.
    fn zxy(&self, id: ObjectId) -> bool {
        let deciding = match self.motion_order {
            MotionOrder::Node => id.index(),
            MotionOrder::Root => 0,
        };
        self.flags.get(deciding).is_some_and(|flags| flags.zxy)
    }
}

/// Flags of a node that apply while a motion plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeFlags {
    zxy: bool,
    breaks: bool,
    takes_entry: bool,
}

fn node_flags(tree: &ObjectTree) -> Vec<NodeFlags> {
    let of = |object: &ninja::Object| NodeFlags {
        zxy: object.evalflags.contains(EvalFlags::ZXY_ANG),
        breaks: object.evalflags.contains(EvalFlags::BREAK),
        takes_entry: !object.evalflags.contains(EvalFlags::SKIP),
    };
    tree.objects.iter().map(of).collect()
}

/// Returns the nodes' own values, as they apply while a motion plays.
fn without_keys(tree: &ObjectTree) -> Pose {
    let node = |object: &ninja::Object| NodePose {
        position: Some(object.pos),
        rotation: Rotation::of(object, object.evalflags.contains(EvalFlags::ZXY_ANG)),
        scale: Some(object.scl),
        hidden: object.evalflags.contains(EvalFlags::HIDE),
        childless: false,
    };
    Pose {
        nodes: tree.objects.iter().map(node).collect(),
    }
}
