//! Cameras and lights at a time, in the scene's space.

use super::animation::FbxFrame;
use super::srgb::shown;
use super::{Exporter, affine, vec3};
use crate::math::{Affine, Vec3, normalized};

/// A camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Camera {
    pub(crate) position: Vec3,
    /// Direction of view, of length 1.
    pub(crate) front: Vec3,
    pub(crate) up: Vec3,
    /// Horizontal angle of view in degrees; `None` if the file has no valid one.
    pub(crate) angle: Option<f64>,
    pub(crate) orthographic: bool,
}

/// A light.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Light {
    pub(crate) kind: LightKind,
    pub(crate) position: Vec3,
    /// Direction of the light, of length 1.
    pub(crate) direction: Vec3,
    /// Colour in screen values.
    pub(crate) color: Vec3,
    pub(crate) brightness: Brightness,
    /// Full angle of the inner cone in degrees.
    pub(crate) inner: f64,
    /// Full angle of the outer cone in degrees.
    pub(crate) outer: f64,
    pub(crate) near: f64,
    /// Range; `None` if the file has none.
    pub(crate) far: Option<f64>,
}

/// Brightness of a light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Brightness {
    /// Share of full light at any distance.
    Share(f64),
    /// Watts per square metre for directional lights, watts per steradian for others.
    Radiant(f64),
}

impl Brightness {
    /// Returns the share of full light on a white surface that faces the light, at `distance` metres. A
    /// diffuse surface reflects evenly, so its radiance is the irradiance / pi. Full light is a radiance of
    /// 1, as in Blender's renderings.
    pub(crate) fn share(self, kind: LightKind, distance: f64) -> f64 {
        use std::f64::consts::PI;
        match (self, kind) {
            (Brightness::Share(share), _) => share,
            (Brightness::Radiant(watts), LightKind::Directional) => screen(watts / PI),
            (Brightness::Radiant(watts), _) => screen(watts / (PI * distance * distance)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LightKind {
    Point,
    Directional,
    Spot,
    /// An area or volume light.
    Other,
}

impl FbxFrame {
    /// Returns the camera on a node of the file. It looks along x of its node, with y up.
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

    /// Returns the light on a node of the file.
    pub(super) fn light(&self, node: usize) -> Option<Light> {
        let node = self.file.nodes.as_ref().get(node)?;
        let light = node.light.as_ref()?;
        let way = affine(&node.node_to_world);
        let scale = crate::math::length(way.columns[0]);
        let kind = match light.type_ {
            ufbx::LightType::Point => LightKind::Point,
            ufbx::LightType::Directional => LightKind::Directional,
            ufbx::LightType::Spot => LightKind::Spot,
            _ => LightKind::Other,
        };
        let distance = |name, wanted| {
            let on = ufbx::find_prop(&light.element.props, wanted).is_some_and(|p| p.value_int != 0);
            let prop = ufbx::find_prop(&light.element.props, name).filter(|_| on)?;
            Some(prop.value_vec4.x * scale).filter(|d| d.is_finite() && *d > 0.0)
        };
        Some(Light {
            kind,
            position: way.origin,
            direction: turned(&way, vec3(light.local_direction)),
            color: colour(light).map(shown),
            brightness: brightness(&self.file, kind, light.intensity),
            inner: light.inner_angle,
            outer: light.outer_angle,
            near: distance("NearAttenuationEnd", "EnableNearAttenuation").unwrap_or(0.0),
            far: distance("FarAttenuationEnd", "EnableFarAttenuation"),
        })
    }
}

/// Returns the screen value of a share of light. Values above full light keep their ratio to it.
fn screen(share: f64) -> f64 {
    if share.is_finite() {
        shown(share).max(share)
    } else {
        1.0
    }
}

/// Returns the light's own colour. A file's property template can belong to another kind of attribute, and
/// its grey is no light colour. The default is white.
fn colour(light: &ufbx::Light) -> Vec3 {
    let mut own = light.element.props.props.iter();
    let own = own.find(|prop| &*prop.name == "Color");
    own.map_or([1.0; 3], |prop| {
        let v = prop.value_vec4;
        [v.x, v.y, v.z]
    })
}

/// Returns the brightness. Blender writes watts per square metre for directional lights, and watts for
/// others.
fn brightness(file: &ufbx::Scene, kind: LightKind, intensity: f64) -> Brightness {
    let is_blender = Exporter::of(file) == Exporter::Blender;
    match kind {
        _ if !is_blender => Brightness::Share(intensity),
        LightKind::Directional => Brightness::Radiant(intensity),
        _ => Brightness::Radiant(intensity / (4.0 * std::f64::consts::PI)),
    }
}

fn turned(way: &Affine, direction: Vec3) -> Vec3 {
    normalized(way.vector(direction)).unwrap_or(direction)
}
