//! State of the scene at a time, for files of any format.

#[cfg(feature = "ufbx")]
use super::fbx::FbxFrame;
use super::gltf::Pose;
use super::{Camera, Light, Origin, Scene};
use crate::error::Error;
use crate::math::{Affine, Trs, Vec3};

/// State of the scene at one time. Nodes and meshes have the file's numbers.
pub(crate) enum Frame {
    #[cfg(feature = "ufbx")]
    Ufbx(FbxFrame),
    Gltf(Pose),
}

impl Scene {
    /// Evaluates the scene at `time` of a stack, or at rest.
    pub(crate) fn frame(&self, stack: Option<usize>, time: f64) -> Result<Frame, Error> {
        Ok(match &self.origin {
            #[cfg(feature = "ufbx")]
            Origin::Ufbx(file) => Frame::Ufbx(file.frame(stack, time)?),
            Origin::Gltf(model) => Frame::Gltf(Pose::new(model, stack, time)),
        })
    }

    /// Returns the map from a node's space to the scene's, at rest.
    pub(crate) fn world(&self, node: usize) -> Affine {
        let world = match &self.origin {
            #[cfg(feature = "ufbx")]
            Origin::Ufbx(file) => file.world(node),
            Origin::Gltf(model) => Pose::new(model, None, 0.0).worlds().get(node).copied(),
        };
        world.unwrap_or(Affine::IDENTITY)
    }
}

impl Frame {
    /// Returns all local transforms.
    pub(crate) fn locals(&self) -> Vec<Trs> {
        match self {
            #[cfg(feature = "ufbx")]
            Frame::Ufbx(frame) => frame.locals(),
            Frame::Gltf(pose) => pose.locals(),
        }
    }

    /// Returns the vertices of a node's mesh in the scene's space, with shapes and skin applied. Skinning is
    /// linear; [`Frame::dual_quaternions`] uses the file's method.
    pub(crate) fn vertices(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        match self {
            #[cfg(feature = "ufbx")]
            Frame::Ufbx(frame) => frame.vertices(node, mesh),
            Frame::Gltf(pose) => pose.vertices(node, mesh),
        }
    }

    /// Returns the vertices with the file's dual-quaternion skinning; `None` if the skin has none.
    #[cfg_attr(
        not(feature = "ufbx"),
        allow(unused_variables, reason = "only FBX files have them")
    )]
    pub(crate) fn dual_quaternions(&self, node: usize, mesh: usize) -> Option<Vec<Vec3>> {
        match self {
            #[cfg(feature = "ufbx")]
            Frame::Ufbx(frame) => frame.dual_quaternions(node, mesh),
            Frame::Gltf(_) => None,
        }
    }

    /// Returns the corner normals in the scene's space, of any length.
    pub(crate) fn normals(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        match self {
            #[cfg(feature = "ufbx")]
            Frame::Ufbx(frame) => frame.normals(node, mesh),
            Frame::Gltf(pose) => pose.normals(node, mesh),
        }
    }

    /// Returns the camera on a node.
    pub(crate) fn camera(&self, node: usize) -> Option<Camera> {
        match self {
            #[cfg(feature = "ufbx")]
            Frame::Ufbx(frame) => frame.camera(node),
            Frame::Gltf(pose) => pose.camera(node),
        }
    }

    /// Returns the light on a node.
    pub(crate) fn light(&self, node: usize) -> Option<Light> {
        match self {
            #[cfg(feature = "ufbx")]
            Frame::Ufbx(frame) => frame.light(node),
            Frame::Gltf(pose) => pose.light(node),
        }
    }
}
