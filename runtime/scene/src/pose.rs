//! Where every node of a tree is at one moment: what a motion gives and the walk reads.

use ninja::{Bams, EvalFlags, Object, ObjectId, ObjectTree};

/// How a node is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rotation {
    /// Not at all.
    #[default]
    None,
    /// About x, then y, then z.
    Xyz([Bams; 3]),
    /// The same angles, applied about z, then x, then y: the order of [`EvalFlags::ZXY_ANG`].
    Zxy([Bams; 3]),
    /// By a quaternion of length one, real part first.
    Quaternion([f32; 4]),
}

impl Rotation {
    /// The angles in the order that `zxy` asks for.
    pub fn euler(angles: [Bams; 3], zxy: bool) -> Self {
        if zxy { Self::Zxy(angles) } else { Self::Xyz(angles) }
    }

    /// A node's own rotation, whatever its UNIT flag; angles in the order that `zxy` asks for.
    pub fn of(object: &Object, zxy: bool) -> Self {
        match object.quaternion() {
            Some(quaternion) => Self::Quaternion(quaternion),
            None => Self::euler(object.ang, zxy),
        }
    }
}

/// One node at one moment: `M = parent * T * R * S`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodePose {
    /// Translation, if one is applied.
    pub position: Option<[f32; 3]>,
    /// Rotation.
    pub rotation: Rotation,
    /// Scale, if one is applied.
    pub scale: Option<[f32; 3]>,
    /// The node's own model is not drawn; its children are.
    pub hidden: bool,
    /// The node's children are not visited.
    pub childless: bool,
}

impl NodePose {
    /// A node at rest: what its UNIT flags name is not applied whatever the values, HIDE and BREAK hold.
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

/// The nodes of a tree at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// One for each of [`ObjectTree::objects`], in that order: found by [`ObjectId::index`].
    pub nodes: Vec<NodePose>,
}

impl Pose {
    /// The tree as it stands in its file, unmoved.
    pub fn rest(tree: &ObjectTree) -> Self {
        Self {
            nodes: tree.objects.iter().map(NodePose::rest).collect(),
        }
    }

    /// A node's.
    pub fn node(&self, id: ObjectId) -> Option<&NodePose> {
        self.nodes.get(id.index())
    }
}
