//! State of a tree's nodes at one moment, computed by a motion and read by the traversal.

use ninja::{Bams, EvalFlags, Object, ObjectId, ObjectTree};

/// Rotation of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rotation {
    /// No rotation.
    #[default]
    None,
    /// Rotation about x, then y, then z.
    Xyz([Bams; 3]),
    /// Rotation about z, then x, then y: the order of [`EvalFlags::ZXY_ANG`].
    Zxy([Bams; 3]),
    /// Rotation by a quaternion of length one, real part first.
    Quaternion([f32; 4]),
}

impl Rotation {
    /// Creates a rotation by angles in the order selected by `zxy`.
    pub fn euler(angles: [Bams; 3], zxy: bool) -> Self {
        if zxy { Self::Zxy(angles) } else { Self::Xyz(angles) }
    }

    /// Returns a node's own rotation, ignoring its UNIT flag; `zxy` selects the order of angles.
    pub fn of(object: &Object, zxy: bool) -> Self {
        match object.quaternion() {
            Some(quaternion) => Self::Quaternion(quaternion),
            None => Self::euler(object.ang, zxy),
        }
    }
}

/// State of one node: `M = parent * T * R * S`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodePose {
    /// Translation, if applied.
    pub position: Option<[f32; 3]>,
    /// Rotation.
    pub rotation: Rotation,
    /// Scale, if applied.
    pub scale: Option<[f32; 3]>,
    /// True if the node's own model is not drawn; its children are.
    pub hidden: bool,
    /// True if the node's children are not visited.
    pub childless: bool,
}

impl NodePose {
    /// Creates the state of a node at rest: UNIT flags disable values, and HIDE and BREAK apply.
    pub fn rest(object: &Object) -> Self {
        let flags = object.evalflags;
        let unless = |unit| !flags.contains(unit);
        Self {
            position: unless(EvalFlags::UNIT_POS).then_some(object.pos),
            rotation: if unless(EvalFlags::UNIT_ANG) {
                Rotation::of(object, flags.contains(EvalFlags::ZXY_ANG))
            } else {
                Rotation::None
            },
            scale: unless(EvalFlags::UNIT_SCL).then_some(object.scl),
            hidden: flags.contains(EvalFlags::HIDE),
            childless: flags.contains(EvalFlags::BREAK),
        }
    }
}

/// State of a tree's nodes at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// One state for each of [`ObjectTree::objects`], in the same order; [`ObjectId::index`] is the index.
    pub nodes: Vec<NodePose>,
}

impl Pose {
    /// Creates the pose of the tree as in its file, without a motion.
    pub fn rest(tree: &ObjectTree) -> Self {
        Self {
            nodes: tree.objects.iter().map(NodePose::rest).collect(),
        }
    }

    /// Returns the state of a node.
    pub fn node(&self, id: ObjectId) -> Option<&NodePose> {
        self.nodes.get(id.index())
    }
}
