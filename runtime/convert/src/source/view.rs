//! Cameras and lights at some time, in the scene's space.

use super::animation::FbxFrame;
use super::{affine, vec3};
use crate::math::{Affine, Vec3, normalized};

/// A camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Camera {
    pub(crate) position: Vec3,
    /// Of length 1.
    pub(crate) front: Vec3,
    pub(crate) up: Vec3,
    /// Horizontal angle of view in degrees; `None` where the file has no sound one.
    pub(crate) angle: Option<f64>,
    pub(crate) orthographic: bool,
}

/// A light.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Light {
    pub(crate) kind: LightKind,
    pub(crate) position: Vec3,
    /// Of length 1.
    pub(crate) direction: Vec3,
    pub(crate) color: Vec3,
    pub(crate) intensity: f64,
    /// Full angles of the cone in degrees.
    pub(crate) inner: f64,
    pub(crate) outer: f64,
    pub(crate) near: f64,
    /// `None` where the file has no range.
    pub(crate) far: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LightKind {
    Point,
    Directional,
    Spot,
    /// Areas and volumes.
    Other,
}

impl FbxFrame {
    /// The camera on a node of the file. It looks along x of its node, up is y.
    pub(super) fn camera(&self, node: usize) -> Option<Camera> {
        let node = self.file.nodes.as_ref().get(node)?;
        let camera = node.camera.as_ref()?;
        let way = affine(&node.node_to_world);
        Some(Camera {
            position: way.origin,
            front: turned(&way, [1.0, 0.0, 0.0]),
            up: turned(&way, [0.0, 1.0, 0.0]),
            angle: Some(camera.field_of_view_deg.x).filter(|a| *a > 0.0 && *a < 180.0),
            orthographic: camera.projection_mode == ufbx::ProjectionMode::Orthographic,
        })
    }

    /// The light on a node of the file.
    pub(super) fn light(&self, node: usize) -> Option<Light> {
        let node = self.file.nodes.as_ref().get(node)?;
        let light = node.light.as_ref()?;
        let way = affine(&node.node_to_world);
        let scale = crate::math::length(way.columns[0]);
        let distance = |name, wanted| {
            let on = ufbx::find_prop(&light.element.props, wanted).is_some_and(|p| p.value_int != 0);
            let prop = ufbx::find_prop(&light.element.props, name).filter(|_| on)?;
            Some(prop.value_vec4.x * scale).filter(|d| d.is_finite() && *d > 0.0)
        };
        Some(Light {
            kind: match light.type_ {
                ufbx::LightType::Point => LightKind::Point,
                ufbx::LightType::Directional => LightKind::Directional,
                ufbx::LightType::Spot => LightKind::Spot,
                _ => LightKind::Other,
            },
            position: way.origin,
            direction: turned(&way, vec3(light.local_direction)),
            color: vec3(light.color),
            intensity: light.intensity,
            inner: light.inner_angle,
            outer: light.outer_angle,
            near: distance("NearAttenuationEnd", "EnableNearAttenuation").unwrap_or(0.0),
            far: distance("FarAttenuationEnd", "EnableFarAttenuation"),
        })
    }
}

fn turned(way: &Affine, direction: Vec3) -> Vec3 {
    normalized(way.vector(direction)).unwrap_or(direction)
}
