//! Cameras and lights of FBX files.

use super::animation::FbxFrame;
use super::{affine, exporter, vec3};
use crate::math::{Affine, Vec3, normalized};
use crate::source::Exporter;
use crate::source::srgb::shown;
use crate::source::view::{Brightness, Camera, Light, LightKind};

impl FbxFrame {
    /// Returns the camera on a node of the file. It looks along x of its node, with y up.
    pub(in crate::source) fn camera(&self, node: usize) -> Option<Camera> {
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
    pub(in crate::source) fn light(&self, node: usize) -> Option<Light> {
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

/// Returns the light's own colour, or white. Ignores the file's property template, because its colour can
/// belong to another kind of attribute.
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
    let is_blender = exporter(file) == Exporter::Blender;
    match kind {
        _ if !is_blender => Brightness::Share(intensity),
        LightKind::Directional => Brightness::Radiant(intensity),
        _ => Brightness::Radiant(intensity / (4.0 * std::f64::consts::PI)),
    }
}

fn turned(way: &Affine, direction: Vec3) -> Vec3 {
    normalized(way.vector(direction)).unwrap_or(direction)
}
