//! Linked motions: blending of two poses of a tree (NJS_MOTION_LINK, docs/formats/ninja.md 2.5).

use super::Motion;
use crate::{Kernels, NodePose, Pose, Rotation, matrix};
use ninja::Bams;
use sh4_kernels::KernelError;
use sh4_kernels::keys::Span;
use sh4_kernels::keys_angles::{self, keys_angles};
use sh4_kernels::keys_linear::{self, keys_linear};
use sh4_kernels::keys_quaternion::{self, keys_quaternion};

/// A second motion of an object, and its share in the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Second motion.
    pub motion: Motion,
    /// 0 uses only the object's own motion, 1 only the second one.
    pub share: f32,
    /// Number of frames by which this motion is ahead of the object's clock.
    pub ahead: f32,
}

/// Distance between the two poses, as for two keys that are one frame apart. The kernels then use the share
/// as the time.
const ONE_FRAME: Span = Span { start: 0, length: 1 };

impl Pose {
    /// Blends this pose with `other` of the same tree: `share` 0 is this one, 1 the other. A `share` below 0
    /// or above 1 extrapolates linearly.
    ///
    /// Positions and scales are blended linearly; a value that a pose does not apply counts as neutral.
    /// Angles are blended linearly as 32-bit numbers, including full turns, for any width of their keys. If
    /// one rotation is a quaternion, or if the orders of angles differ, both become quaternions, and the
    /// result is normalised. Nodes that are hidden or without children in this pose remain so.
    ///
    /// The original also has a cubic form for positions and scales. The source of its slopes is unknown, so
    /// it is not implemented.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn blend(&self, other: &Self, share: f32, kernels: &mut dyn Kernels) -> Result<Self, KernelError> {
        let mut blended = Self {
            nodes: self
                .nodes
                .iter()
                .zip(&other.nodes)
                .map(|(node, _)| *node)
                .collect(),
        };
        let pairs: Vec<_> = self.nodes.iter().zip(&other.nodes).collect();
        for (i, value) in vectors(&pairs, |node| node.position, 0.0, share, kernels)? {
            blended.nodes[i].position = Some(value);
        }
        for (i, value) in vectors(&pairs, |node| node.scale, 1.0, share, kernels)? {
            blended.nodes[i].scale = Some(value);
        }
        for (i, value) in rotations(&pairs, share, kernels)? {
            blended.nodes[i].rotation = value;
        }
        Ok(blended)
    }
}

/// One node in both poses.
type Pair<'a> = (&'a NodePose, &'a NodePose);

/// Blends the vectors of all nodes that have a value in one of the poses; a missing one is `none` on every
/// axis.
fn vectors(
    pairs: &[Pair<'_>],
    of: impl Fn(&NodePose) -> Option<[f32; 3]>,
    none: f32,
    share: f32,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(usize, [f32; 3])>, KernelError> {
    let (mut nodes, mut keys) = (Vec::new(), Vec::new());
    for (i, (from, to)) in pairs.iter().enumerate() {
        let ends = [of(from), of(to)];
        if ends != [None; 2] {
            nodes.push(i);
            keys.push(keys_linear::Keys {
                span: ONE_FRAME,
                values: ends.map(|end| end.unwrap_or([none; 3])),
            });
        }
    }
    Ok(nodes
        .into_iter()
        .zip(keys_linear(kernels, share, &keys)?)
        .collect())
}

fn rotations(
    pairs: &[Pair<'_>],
    share: f32,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(usize, Rotation)>, KernelError> {
    let (mut turned, mut angles) = (Vec::new(), Vec::new());
    let (mut free, mut quaternions) = (Vec::new(), Vec::new());
    for (i, (from, to)) in pairs.iter().enumerate() {
        let ends = [from.rotation, to.rotation];
        match ends {
            [Rotation::None, Rotation::None] => {}
            [from, to] => match common_order(from, to) {
                Some((zxy, values)) => {
                    turned.push((i, zxy));
                    angles.push(keys_angles::Keys {
                        span: ONE_FRAME,
                        values,
                    });
                }
                None => {
                    free.push(i);
                    let values = [
                        matrix::quaternion(kernels, from)?,
                        matrix::quaternion(kernels, to)?,
                    ];
                    quaternions.push(keys_quaternion::Keys {
                        span: ONE_FRAME,
                        values,
                    });
                }
            },
        }
    }
    let angles = keys_angles(kernels, share, &angles, false)?;
    let quaternions = keys_quaternion(kernels, share, &quaternions)?;
    let euler = |((i, zxy), value): ((usize, bool), [i32; 3])| (i, Rotation::euler(value.map(Bams), zxy));
    let angles = turned.into_iter().zip(angles).map(euler);
    let quaternions = quaternions.into_iter().map(Rotation::Quaternion);
    Ok(angles.chain(free.into_iter().zip(quaternions)).collect())
}

/// Returns the angles of both rotations if they use the same order, and whether the order is ZXY.
fn common_order(from: Rotation, to: Rotation) -> Option<(bool, [[i32; 3]; 2])> {
    let zxy = matches!((from, to), (Rotation::Zxy(_), _) | (_, Rotation::Zxy(_)));
    let angles = |rotation| match (rotation, zxy) {
        (Rotation::None, _) => Some([0; 3]),
        (Rotation::Xyz(angles), false) | (Rotation::Zxy(angles), true) => Some(angles.map(|angle| angle.0)),
        _ => None,
    };
    Some((zxy, [angles(from)?, angles(to)?]))
}
