//! The scene at a time, whichever file it comes from.

use super::animation::FbxFrame;
use super::gltf::Pose;
use super::{Camera, Light, Origin, Scene};
use crate::error::Error;
use crate::math::{Affine, Trs, Vec3};

/// The scene at one time. Nodes and meshes are numbered as in the file.
pub(crate) enum Frame {
    Ufbx(FbxFrame),
    Gltf(Pose),
}

impl Scene {
    /// The scene at `time` of a stack, or at rest without one.
    pub(crate) fn frame(&self, stack: Option<usize>, time: f64) -> Result<Frame, Error> {
        Ok(match &self.origin {
            Origin::Ufbx(file) => Frame::Ufbx(FbxFrame::new(
                file,
                &self.normal_maps,
                self.memory_limit,
                stack,
                time,
            )?),
            Origin::Gltf(model) => Frame::Gltf(Pose::new(model, stack, time)),
        })
    }

    /// From a node's space to the scene's, at rest.
    pub(crate) fn world(&self, node: usize) -> Affine {
        let world = match &self.origin {
            Origin::Ufbx(file) => file
                .nodes
                .as_ref()
                .get(node)
                .map(|n| super::affine(&n.node_to_world)),
            Origin::Gltf(model) => Pose::new(model, None, 0.0).worlds().get(node).copied(),
        };
        world.unwrap_or(Affine::IDENTITY)
    }
}

impl Frame {
    /// All local transforms.
    pub(crate) fn locals(&self) -> Vec<Trs> {
        match self {
            Frame::Ufbx(frame) => frame.locals(),
            Frame::Gltf(pose) => pose.locals(),
        }
    }

    /// The vertices of a node's mesh in the scene's space, shapes and skin applied. Skins are linear: what
    /// dual quaternions would give is in [`Frame::dual_quaternions`].
    pub(crate) fn vertices(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        match self {
            Frame::Ufbx(frame) => frame.vertices(node, mesh),
            Frame::Gltf(pose) => pose.vertices(node, mesh),
        }
    }

    /// The vertices of a node's mesh as the file states its skin; `None` without dual quaternions.
    pub(crate) fn dual_quaternions(&self, node: usize, mesh: usize) -> Option<Vec<Vec3>> {
        match self {
            Frame::Ufbx(frame) => frame.dual_quaternions(node, mesh),
            Frame::Gltf(_) => None,
        }
    }

    /// The normals of the corners, likewise. Of any length.
    pub(crate) fn normals(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        match self {
            Frame::Ufbx(frame) => frame.normals(node, mesh),
            Frame::Gltf(pose) => pose.normals(node, mesh),
        }
    }

    /// The camera on a node.
    pub(crate) fn camera(&self, node: usize) -> Option<Camera> {
        match self {
            Frame::Ufbx(frame) => frame.camera(node),
            Frame::Gltf(pose) => pose.camera(node),
        }
    }

    /// The light on a node.
    pub(crate) fn light(&self, node: usize) -> Option<Light> {
        match self {
            Frame::Ufbx(frame) => frame.light(node),
            Frame::Gltf(pose) => pose.light(node),
        }
    }
}
